//! Threads that work on one search.
//!
//! When a thread is idle, another thread that expands a large position turns it into a split point: the queued guesses
//! of that position are then taken one by one by all threads that join. Every queued guess has to be ruled out in any
//! case, so hardly any work is wasted; only the first guess is finished by one thread alone, because its total bounds
//! all others. All threads share the transposition table ([`super::cache`]). Totals do not depend on the number of
//! threads.

use std::{
    cmp::Reverse,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use super::{
    bounds::Width,
    cache::TranspositionTable,
    matrix::Split,
    search::{Best, GuessQueue, Interrupt, MARKS_PER_CLOCK_CHECK, NodeContext, Searcher},
};

/// Minimum number of codes of a split point; sharing a smaller position costs more than it saves.
const MIN_SHARED_CODES: usize = 64;
/// Maximum time to wait for a notification.
const WAIT_TIMEOUT: Duration = Duration::from_millis(1);

/// Threads of a search.
pub(super) struct WorkerGroup {
    /// Transposition table of the search.
    pub(super) cache: Arc<TranspositionTable>,
    /// Split points that idle threads may join.
    split_points: Mutex<Vec<Arc<SplitPoint>>>,
    changed: Condvar,
    /// Number of idle threads.
    idle: AtomicUsize,
    /// Set when the search is finished.
    finished: AtomicBool,
    /// Set when a thread panicked: its work is never finished, and no thread may wait for it.
    abandoned: AtomicBool,
    /// Number of positions searched by helpers.
    nodes: AtomicU64,
    /// Number of split points created so far.
    created: AtomicU64,
    /// Marks that a thread evaluates between two checks for an interrupt.
    pub(super) marks_per_clock_check: usize,
    /// Number of a split point that is superseded as soon as its first guess is taken; for tests.
    superseded: Option<u64>,
}

/// Position whose queued guesses are shared between threads.
pub(super) struct SplitPoint {
    /// Number of the split point in its search.
    number: u64,
    set: Vec<u16>,
    path: Vec<u16>,
    left: u32,
    width: Width,
    /// Lower bound of the total.
    least: u32,
    /// Enclosing split point.
    parent: Option<Arc<SplitPoint>>,
    work: Mutex<Work>,
    changed: Condvar,
    /// Total of the best guess so far, or the budget.
    limit: AtomicU32,
    /// Set while guesses are queued.
    open: AtomicBool,
    /// Set when no further result is needed. A guess that is interrupted for this reason is queued again, so the owner
    /// can always continue alone.
    superseded: AtomicBool,
}

/// Queued guesses of a split point, and the best one.
struct Work {
    queue: GuessQueue,
    best: Best,
    /// Number of threads that evaluate a guess.
    busy: usize,
    /// Interrupt that left a guess without a result; the owner passes it on.
    interrupt: Option<Interrupt>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerGroup {
    /// Creates a group with a transposition table of at most `cache_bytes` bytes.
    pub(super) fn new(cache_bytes: usize) -> Self {
        Self {
            cache: Arc::new(TranspositionTable::new(cache_bytes)),
            split_points: Mutex::default(),
            changed: Condvar::new(),
            idle: AtomicUsize::new(0),
            finished: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            created: AtomicU64::new(0),
            marks_per_clock_check: MARKS_PER_CLOCK_CHECK,
            superseded: None,
        }
    }

    /// Ends the work of the helpers.
    pub(super) fn end(&self) {
        self.finished.store(true, Ordering::Release);
        drop(lock(&self.split_points));
        self.changed.notify_all();
    }

    /// Ends the work of all threads after a panic.
    pub(super) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Release);
        self.end();
    }

    fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Acquire)
    }

    /// Waits for a split point to join; `None` at the end of the search.
    pub(super) fn wait(&self) -> Option<Arc<SplitPoint>> {
        self.idle.fetch_add(1, Ordering::Relaxed);
        let mut split_points = lock(&self.split_points);
        let found = loop {
            if self.finished.load(Ordering::Acquire) {
                break None;
            }
            let found = largest(&split_points, |_| true);
            if found.is_some() {
                break found;
            }
            split_points =
                self.changed.wait_timeout(split_points, WAIT_TIMEOUT).unwrap_or_else(PoisonError::into_inner).0;
        };
        drop(split_points);
        self.idle.fetch_sub(1, Ordering::Relaxed);
        found
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }
}

/// Returns the open split point with the most codes among those that satisfy `accepts`.
fn largest(split_points: &[Arc<SplitPoint>], accepts: impl Fn(&SplitPoint) -> bool) -> Option<Arc<SplitPoint>> {
    let open =
        split_points.iter().filter(|split_point| split_point.open.load(Ordering::Acquire) && accepts(split_point));
    open.max_by_key(|split_point| split_point.set.len()).cloned()
}

impl SplitPoint {
    fn context(&self) -> NodeContext<'_> {
        NodeContext { set: &self.set, left: self.left, width: self.width }
    }

    /// Returns this split point and all that enclose it, innermost first.
    fn with_parents(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |split_point| split_point.parent.as_deref())
    }

    fn is_superseded(&self) -> bool {
        self.superseded.load(Ordering::Relaxed)
    }

    fn is_inside(&self, other: &Self) -> bool {
        self.with_parents().skip(1).any(|split_point| std::ptr::eq(split_point, other))
    }
}

impl Searcher<'_> {
    /// Returns the number of positions searched by all threads.
    pub(super) fn all_nodes(&self) -> u64 {
        self.nodes + self.workers.map_or(0, |workers| workers.nodes.load(Ordering::Relaxed))
    }

    /// Returns the reason why the result of the current search is no longer needed: the outermost split point that was
    /// superseded, among those that this thread works at.
    pub(super) fn interrupt(&self) -> Option<Interrupt> {
        if self.workers.is_some_and(WorkerGroup::is_abandoned) {
            return Some(Interrupt::Abandoned);
        }
        let superseded = self.split_point.as_ref()?.with_parents().filter(|split_point| split_point.is_superseded());
        superseded.last().map(|split_point| Interrupt::Superseded(split_point.number))
    }

    /// Returns true if a position of `codes` codes should become a split point.
    #[inline]
    pub(super) fn is_worth_sharing(&self, codes: usize) -> bool {
        codes >= MIN_SHARED_CODES
            && !self.any
            && self.workers.is_some_and(|workers| workers.idle.load(Ordering::Relaxed) > 0)
    }

    /// Turns a position into a split point, and works on it until it is done or superseded. Guesses that were not
    /// finished then are back in the queue.
    pub(super) fn share(
        &mut self,
        queue: &mut GuessQueue,
        context: NodeContext<'_>,
        best: &mut Best,
        least: u32,
    ) -> Result<(), Interrupt> {
        let Some(workers) = self.workers else { return Ok(()) };
        let split_point = Arc::new(SplitPoint {
            number: workers.created.fetch_add(1, Ordering::Relaxed),
            set: context.set.to_vec(),
            path: self.path.clone(),
            left: context.left,
            width: context.width,
            least,
            parent: self.split_point.clone(),
            limit: AtomicU32::new(best.total),
            work: Mutex::new(Work { queue: std::mem::take(queue), best: *best, busy: 0, interrupt: None }),
            changed: Condvar::new(),
            open: AtomicBool::new(true),
            superseded: AtomicBool::new(false),
        });
        lock(&workers.split_points).push(split_point.clone());
        workers.changed.notify_all();
        let parent = self.split_point.replace(split_point.clone());
        let worked = self.work_until_done(workers, &split_point);
        self.split_point = parent;
        lock(&workers.split_points).retain(|other| !Arc::ptr_eq(other, &split_point));
        worked?;
        let mut work = lock(&split_point.work);
        (*queue, *best) = (std::mem::take(&mut work.queue), work.best);
        work.interrupt.map_or(Ok(()), Err)
    }

    /// Works at a split point of this thread until no thread is busy there.
    fn work_until_done(&mut self, workers: &WorkerGroup, split_point: &Arc<SplitPoint>) -> Result<(), Interrupt> {
        let mut worked = Ok(());
        loop {
            worked = worked.and_then(|()| self.work_at(split_point));
            if workers.is_abandoned() {
                self.ended = true;
                return Err(Interrupt::Abandoned);
            }
            if lock(&split_point.work).busy == 0 && !split_point.open.load(Ordering::Acquire) {
                return worked;
            }
            // Threads that are still busy may have split points of their own.
            let below = largest(&lock(&workers.split_points), |other| other.is_inside(split_point));
            if let (Ok(()), Some(below)) = (worked, below) {
                worked = self.help(&below);
                continue;
            }
            let work = lock(&split_point.work);
            if work.busy > 0 && !split_point.open.load(Ordering::Acquire) {
                drop(split_point.changed.wait_timeout(work, WAIT_TIMEOUT));
            }
        }
    }

    /// Works at a split point of another thread until no guess is queued. An interrupt is passed on unless it concerns
    /// only split points that this thread leaves.
    pub(super) fn help(&mut self, split_point: &Arc<SplitPoint>) -> Result<(), Interrupt> {
        let path = std::mem::replace(&mut self.path, split_point.path.clone());
        let outer = self.split_point.replace(split_point.clone());
        let worked = self.work_at(split_point);
        self.path = path;
        self.split_point = outer;
        match worked {
            Err(Interrupt::Superseded(_)) => self.interrupt().map_or(Ok(()), Err),
            worked => worked,
        }
    }

    /// Evaluates queued guesses of a split point until there are none or it is superseded.
    fn work_at(&mut self, split_point: &SplitPoint) -> Result<(), Interrupt> {
        let mut split = Split::default();
        let mut work = lock(&split_point.work);
        let mut result = Ok(());
        while result.is_ok() && work.interrupt.is_none() && !split_point.is_superseded() {
            let Work { queue, best, .. } = &mut *work;
            let Some((mut candidate, next)) = queue.next(self, split_point.context(), best) else {
                // No queued guess can be better.
                queue.clear();
                break;
            };
            work.busy += 1;
            self.mark_open(split_point, &work);
            drop(work);
            if self.workers.is_some_and(|workers| workers.superseded == Some(split_point.number)) {
                split_point.superseded.store(true, Ordering::Relaxed);
            }
            let limit = || split_point.limit.load(Ordering::Relaxed);
            let searched = self.finish(&mut split, split_point.context(), &mut candidate, next, limit);
            result = searched.map(|_| ());
            work = lock(&split_point.work);
            match searched {
                Ok(searched) if searched || candidate.low >= work.best.total => {
                    work.best.update(candidate.guess, candidate.low);
                }
                _ => work.queue.waiting.push(Reverse(candidate)),
            }
            split_point.limit.store(work.best.total, Ordering::Relaxed);
            if work.best.total <= split_point.least {
                split_point.superseded.store(true, Ordering::Relaxed);
            }
            work.busy -= 1;
            self.mark_open(split_point, &work);
        }
        // The split point consumes its own interrupt.
        result = result.or_else(|interrupt| match interrupt {
            Interrupt::Superseded(number) if number == split_point.number => Ok(()),
            other => Err(other),
        });
        work.interrupt = work.interrupt.or(result.err());
        self.mark_open(split_point, &work);
        if work.busy == 0 {
            split_point.changed.notify_all();
        }
        result
    }

    /// Updates `open`, and notifies waiting threads if guesses were added.
    fn mark_open(&self, split_point: &SplitPoint, work: &Work) {
        let open = !work.queue.is_empty() && work.interrupt.is_none() && !split_point.is_superseded();
        if !split_point.open.swap(open, Ordering::Release) && open {
            if let Some(workers) = self.workers {
                workers.changed.notify_all();
            }
            split_point.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use crate::exact::{
        Options,
        bounds::{IMPOSSIBLE, UNLIMITED},
        matrix::FeedbackMatrix,
    };
    use pegwise_search::{Watch, parallel};

    /// Returns the panic message of a search with the given lead and helper. The proof takes long enough for the helper
    /// to join on any machine.
    fn panic_of(help: impl Fn(&WorkerGroup) + Sync, lead: impl FnOnce(&mut Searcher<'_>) + Send) -> String {
        let rules = "4x8".parse().unwrap();
        let (options, watch) = (Options::default(), Watch::default());
        let matrix = FeedbackMatrix::new(&rules, watch).unwrap();
        let workers = WorkerGroup::new(1 << 20);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let search = || {
            let lead = || lead(&mut Searcher::new(&rules, &matrix, &options, watch, &|_| (), Some(&workers)));
            parallel::run_with_helpers(lead, || help(&workers), || workers.abandon());
        };
        let panic = catch_unwind(AssertUnwindSafe(|| pool.install(search))).unwrap_err();
        (*panic.downcast_ref::<&str>().unwrap()).to_owned()
    }

    #[test]
    fn a_helper_that_panics_at_a_guess_ends_the_search() {
        let help = |workers: &WorkerGroup| {
            let split_point = workers.wait().unwrap();
            lock(&split_point.work).busy += 1;
            panic!("at a guess");
        };
        let lead = |searcher: &mut Searcher<'_>| {
            let workers = searcher.workers.unwrap();
            while workers.idle.load(Ordering::Relaxed) == 0 {
                std::thread::yield_now();
            }
            searcher.solve_all(None, 10, IMPOSSIBLE);
            assert!(searcher.ended, "it waited for nothing");
        };
        assert_eq!(panic_of(help, lead), "at a guess");
    }

    /// Returns the total of a search on three threads, and the number of its split points; one of them is superseded at
    /// once.
    fn total_with_superseded(rules: &str, superseded: Option<u64>) -> (Option<u32>, u64) {
        let rules = rules.parse().unwrap();
        let (options, watch) = (Options::default(), Watch::default());
        let matrix = FeedbackMatrix::new(&rules, watch).unwrap();
        let workers = WorkerGroup { marks_per_clock_check: 1 << 12, superseded, ..WorkerGroup::new(1 << 24) };
        let searcher = || Searcher::new(&rules, &matrix, &options, watch, &|_| (), Some(&workers));
        let lead = || {
            let mut searcher = searcher();
            while workers.idle.load(Ordering::Relaxed) < 2 {
                std::thread::yield_now();
            }
            let found = searcher.solve_all(None, UNLIMITED, IMPOSSIBLE);
            workers.end();
            assert!(!searcher.ended);
            found.best.map(|(_, total)| total)
        };
        let help = || {
            let mut helper = searcher();
            while let Some(split_point) = workers.wait() {
                assert_eq!(helper.help(&split_point), Ok(()), "a helper leaves every split point");
            }
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let total = pool.install(|| parallel::run_with_helpers(lead, help, || workers.abandon()));
        (total, workers.created.into_inner())
    }

    #[test]
    fn a_split_point_can_be_superseded_at_any_time() {
        for (rules, total) in [("4x5", 2463), ("4x6", 5625), ("4x7:no-repeats", 3639)] {
            let (found, split_points) = total_with_superseded(rules, None);
            assert_eq!(found, Some(total), "{rules}");
            assert!(split_points > 0, "{rules}");
            for number in 0..split_points {
                assert_eq!(total_with_superseded(rules, Some(number)).0, Some(total), "{rules} {number}");
            }
        }
    }

    #[test]
    fn helpers_do_not_wait_for_a_lead_that_panicked() {
        let help = |workers: &WorkerGroup| assert!(workers.wait().is_none());
        assert_eq!(panic_of(help, |_| panic!("in the lead")), "in the lead");
    }
}
