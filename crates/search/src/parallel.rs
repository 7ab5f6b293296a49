//! Parallel iteration. The only module that uses threads: without the feature `threads` the same work runs in order on
//! one thread, with the same results.

#[cfg(feature = "threads")]
use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};

#[cfg(feature = "threads")]
use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

/// Number of forks between this process and the one that may have started the global pool.
#[cfg(feature = "threads")]
static FORKS: AtomicUsize = AtomicUsize::new(0);
/// Pools of forked processes, by the number of forks.
#[cfg(feature = "threads")]
static FORKED_POOLS: [OnceLock<ThreadPool>; 16] = [const { OnceLock::new() }; 16];

/// Must be called in the child after a fork, which copies no threads: the child then starts a pool of its own when it needs one.
#[cfg(feature = "threads")]
pub fn after_fork() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// Runs `work`, whose parallel iterators use the pool of this process. The other functions of this module do so, too.
///
/// # Panics
/// Panics in a forked process that cannot start threads.
#[cfg(feature = "threads")]
pub fn run<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let forks = FORKS.load(Ordering::Relaxed);
    if forks == 0 || rayon::current_thread_index().is_some() {
        return work();
    }
    let new = || ThreadPoolBuilder::new().build().expect("a forked process can start threads");
    match FORKED_POOLS.get(forks) {
        Some(pool) => pool.get_or_init(new).install(work),
        None => new().install(work),
    }
}

/// Runs `work`.
#[cfg(not(feature = "threads"))]
pub fn run<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Runs two closures in parallel.
pub fn join<A: Send, B: Send>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "threads")]
    return run(|| rayon::join(one, other));
    #[cfg(not(feature = "threads"))]
    (one(), other())
}

/// Runs `work` on each item, as one task per item, started in order: for few and long tasks.
pub fn for_each<T: Send>(items: Vec<T>, work: impl Fn(T) + Send + Sync) {
    #[cfg(feature = "threads")]
    run(|| items.into_par_iter().with_max_len(1).for_each(work));
    #[cfg(not(feature = "threads"))]
    items.into_iter().for_each(work);
}

/// Maps each item, in order, or returns an error.
pub fn try_map<T: Send, R: Send, E: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Send + Sync,
) -> Result<Vec<R>, E> {
    #[cfg(feature = "threads")]
    return run(|| items.into_par_iter().map(work).collect());
    #[cfg(not(feature = "threads"))]
    items.into_iter().map(work).collect()
}

/// Runs `lead` on this thread and `help` on one new thread per further core, and returns the result of `lead`. `help`
/// must return when `lead` is done. The helpers are not threads of the pool, which would be blocked while they wait for
/// work.
///
/// If a thread panics, `on_panic` is called, which must end the work of all threads; then the panic is resumed.
pub fn run_with_helpers<R>(lead: impl FnOnce() -> R, help: impl Fn() + Sync, on_panic: impl Fn() + Sync) -> R {
    #[cfg(feature = "threads")]
    {
        let help = || {
            let _guard = PanicGuard(&on_panic);
            help();
        };
        std::thread::scope(|scope| {
            let mut helpers = Vec::new();
            for _ in 1..rayon::current_num_threads() {
                // If the system cannot create more threads, those that exist do the work.
                let Ok(helper) = std::thread::Builder::new().spawn_scoped(scope, help) else { break };
                helpers.push(helper);
            }
            let guard = PanicGuard(&on_panic);
            let result = lead();
            drop(guard);
            for helper in helpers {
                if let Err(panic) = helper.join() {
                    std::panic::resume_unwind(panic);
                }
            }
            result
        })
    }
    #[cfg(not(feature = "threads"))]
    {
        let _ = (help, on_panic);
        lead()
    }
}

/// Guard that calls a closure if it is dropped by a panic.
#[cfg(feature = "threads")]
struct PanicGuard<'a, A: Fn()>(&'a A);

#[cfg(feature = "threads")]
impl<A: Fn()> Drop for PanicGuard<'_, A> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

/// Maps each number below `count`, in order. A task takes at least `rows_per_task` numbers and has its own working
/// memory.
pub fn map_rows<W, R: Send>(
    count: usize,
    rows_per_task: usize,
    space: impl Fn() -> W + Send + Sync,
    work: impl Fn(&mut W, usize) -> R + Send + Sync,
) -> Vec<R> {
    #[cfg(feature = "threads")]
    return run(|| (0..count).into_par_iter().with_min_len(rows_per_task).map_init(space, work).collect());
    #[cfg(not(feature = "threads"))]
    {
        let _ = rows_per_task;
        let mut space = space();
        (0..count).map(|row| work(&mut space, row)).collect()
    }
}

/// Applies `work` to each number below `count` and returns the results in numerical order. For few, long tasks of very
/// different length: an idle thread takes the remaining task with the lowest key.
pub fn map_each<K: Ord, R: Send>(
    count: usize,
    key: impl Fn(usize) -> K,
    work: impl Fn(usize) -> R + Send + Sync,
) -> Vec<R> {
    #[cfg(feature = "threads")]
    {
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&number| key(number));
        let next = AtomicUsize::new(0);
        let worker = |_| {
            let mut done = Vec::new();
            while let Some(&number) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                done.push((number, work(number)));
            }
            done
        };
        let workers = rayon::current_num_threads().min(count);
        let done: Vec<Vec<(usize, R)>> = run(|| (0..workers).into_par_iter().with_max_len(1).map(worker).collect());
        let mut results: Vec<(usize, R)> = done.into_iter().flatten().collect();
        results.sort_unstable_by_key(|&(number, _)| number);
        results.into_iter().map(|(_, result)| result).collect()
    }
    #[cfg(not(feature = "threads"))]
    {
        let _ = key;
        (0..count).map(work).collect()
    }
}

/// Sorts items whose equal elements are indistinguishable.
pub fn sort<T: Ord + Send>(items: &mut [T]) {
    #[cfg(feature = "threads")]
    run(|| items.par_sort_unstable());
    #[cfg(not(feature = "threads"))]
    items.sort_unstable();
}

/// Returns the minimum of `work` over the numbers below `count`.
pub(crate) fn min<R: Ord + Send>(count: usize, work: impl Fn(usize) -> Option<R> + Send + Sync) -> Option<R> {
    #[cfg(feature = "threads")]
    return run(|| (0..count).into_par_iter().filter_map(work).min());
    #[cfg(not(feature = "threads"))]
    (0..count).filter_map(work).min()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_are_in_order() {
        assert_eq!(join(|| 1, || 2), (1, 2));
        let squares: Vec<usize> = (0..1000).map(|row| row * row).collect();
        assert_eq!(map_rows(1000, 7, || (), |(), row| row * row), squares);
        assert_eq!(try_map((0..1000).collect(), |row: usize| Ok::<_, ()>(row * row)), Ok(squares));
        assert_eq!(try_map(vec![1, 2, 3], |row| if row == 2 { Err(row) } else { Ok(row) }), Err(2));
        let squares: Vec<usize> = (0..1000).map(|row| row * row).collect();
        assert_eq!(map_each(1000, |row| row % 7, |row| row * row), squares);
        assert!(map_each(0, |row| row, |row| row).is_empty());
        let mut sorted = vec![3, 1, 2];
        sort(&mut sorted);
        assert_eq!(sorted, [1, 2, 3]);
        assert_eq!(min(1000, |row| (row > 10).then_some((row + 5) % 100)), Some(0));
        assert_eq!(min(1000, |_| None::<usize>), None);
    }

    #[test]
    fn every_item_is_processed() {
        let sum = AtomicUsize::new(0);
        for_each((1..=100).collect(), |item| {
            sum.fetch_add(item, Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 5050);
    }
}
