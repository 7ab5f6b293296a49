//! Work on all cores. The only module that knows threads: without the feature `threads` the same work is done in order on
//! one, with the same results.

#[cfg(feature = "threads")]
use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "threads")]
use rayon::prelude::*;

/// Does two things at once.
pub(crate) fn join<A: Send, B: Send>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "threads")]
    return rayon::join(one, other);
    #[cfg(not(feature = "threads"))]
    (one(), other())
}

/// Does something with each item. They are begun in order, and each is a task of its own: for few and long ones.
pub(crate) fn for_each<T: Send>(items: Vec<T>, work: impl Fn(T) + Send + Sync) {
    #[cfg(feature = "threads")]
    items.into_par_iter().with_max_len(1).for_each(work);
    #[cfg(not(feature = "threads"))]
    items.into_iter().for_each(work);
}

/// What becomes of each item, in their order, or an error.
pub(crate) fn try_map<T: Send, R: Send, E: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> Result<R, E> + Send + Sync,
) -> Result<Vec<R>, E> {
    #[cfg(feature = "threads")]
    return items.into_par_iter().map(work).collect();
    #[cfg(not(feature = "threads"))]
    items.into_iter().map(work).collect()
}

/// What comes of leading work that others help with: as many as there are threads beside this one, each of which helps until
/// it is told to end. They are threads of their own, since whoever waits for something to help with would block a pool.
///
/// Where one panics, `alarm` is called, which has to end the work of all: then the panic goes on from here.
pub(crate) fn run_with_helpers<R>(lead: impl FnOnce() -> R, help: impl Fn() + Sync, alarm: impl Fn() + Sync) -> R {
    #[cfg(feature = "threads")]
    {
        let help = || {
            let _bell = Bell(&alarm);
            help();
        };
        std::thread::scope(|scope| {
            let mut helpers = Vec::new();
            for _ in 1..rayon::current_num_threads() {
                // A system that has no more threads has as many as it can have.
                let Ok(helper) = std::thread::Builder::new().spawn_scoped(scope, help) else { break };
                helpers.push(helper);
            }
            let bell = Bell(&alarm);
            let result = lead();
            drop(bell);
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
        let _ = (help, alarm);
        lead()
    }
}

/// Gives the alarm when the thread that holds it panics.
#[cfg(feature = "threads")]
struct Bell<'a, A: Fn()>(&'a A);

#[cfg(feature = "threads")]
impl<A: Fn()> Drop for Bell<'_, A> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

/// What becomes of each number below `count`, in order. A task takes at least so many of them, and has a working space.
pub(crate) fn map_rows<W, R: Send>(
    count: usize,
    rows_per_task: usize,
    space: impl Fn() -> W + Send + Sync,
    work: impl Fn(&mut W, usize) -> R + Send + Sync,
) -> Vec<R> {
    #[cfg(feature = "threads")]
    return (0..count).into_par_iter().with_min_len(rows_per_task).map_init(space, work).collect();
    #[cfg(not(feature = "threads"))]
    {
        let _ = rows_per_task;
        let mut space = space();
        (0..count).map(|row| work(&mut space, row)).collect()
    }
}

/// What becomes of each number below `count`, in order, for few and long tasks that take very different times: each is begun
/// by whoever has time, those with the least key first.
pub(crate) fn map_each<K: Ord, R: Send>(
    count: usize,
    key: impl Fn(usize) -> K,
    work: impl Fn(usize) -> R + Send + Sync,
) -> Vec<R> {
    #[cfg(feature = "threads")]
    {
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&number| key(number));
        let next = AtomicUsize::new(0);
        let one_after_another = |_| {
            let mut done = Vec::new();
            while let Some(&number) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                done.push((number, work(number)));
            }
            done
        };
        let workers = rayon::current_num_threads().min(count);
        let done: Vec<Vec<(usize, R)>> = (0..workers).into_par_iter().with_max_len(1).map(one_after_another).collect();
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

/// Sorts items that are equal only when they are the same.
#[cfg(feature = "cuda")]
pub(crate) fn sort<T: Ord + Send>(items: &mut [T]) {
    #[cfg(feature = "threads")]
    items.par_sort_unstable();
    #[cfg(not(feature = "threads"))]
    items.sort_unstable();
}

/// The least that comes of the numbers below `count`.
pub(crate) fn min<R: Ord + Send>(count: usize, work: impl Fn(usize) -> Option<R> + Send + Sync) -> Option<R> {
    #[cfg(feature = "threads")]
    return (0..count).into_par_iter().filter_map(work).min();
    #[cfg(not(feature = "threads"))]
    (0..count).filter_map(work).min()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_order() {
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
    fn every_item_has_its_turn() {
        let sum = AtomicUsize::new(0);
        for_each((1..=100).collect(), |item| {
            sum.fetch_add(item, Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 5050);
    }
}
