//! Threads that work on one search together.
//!
//! Where one thread has nothing to do, another that works on a position with many codes lets it in: the guesses that wait
//! there are then taken by whoever comes, one by one. Every guess that waits has to be ruled out in any case, so hardly any
//! work is in vain; only the first is finished alone, because what it takes bounds all others. What is known about
//! positions is shared ([`super::cache`]), so that every total is the same with any number of threads.

use std::{
    cmp::Reverse,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use super::{
    agenda::{Agenda, Buckets, Candidate, Stage},
    cache::Cache,
    search::{Best, MARKS_FOR_ONE, Place, Searcher},
    split::{Split, fingerprint},
};

/// The fewest codes of a position that is worked on together: with fewer, letting others in takes longer than it saves.
const FEWEST_SHARED: usize = 64;
/// Guesses of which only the number of parts is known are taken so many at a time.
const COUNTED_AT_A_TIME: usize = 32;
/// How long to wait for news before looking for oneself.
const PATIENCE: Duration = Duration::from_millis(1);

/// The threads of a search.
pub(super) struct Team {
    /// What all of them know about positions.
    pub(super) cache: Arc<Cache>,
    /// Positions where others are let in.
    joints: Mutex<Vec<Arc<Joint>>>,
    news: Condvar,
    /// Threads that have nothing to do.
    idle: AtomicUsize,
    /// Whether the search is at its end.
    over: AtomicBool,
    /// Whether a thread panicked: what it was at is never finished, and nobody may wait for it.
    abandoned: AtomicBool,
    /// Positions searched by those who came to help.
    nodes: AtomicU64,
}

/// A position that several threads work on.
pub(super) struct Joint {
    set: Vec<u16>,
    path: Vec<u16>,
    left: u32,
    most: u8,
    /// A total that cannot be beaten.
    least: u32,
    /// The joint position above this one.
    above: Option<Arc<Joint>>,
    work: Mutex<Work>,
    news: Condvar,
    /// The total of the best guess so far, or the budget.
    limit: AtomicU32,
    /// Whether guesses wait.
    open: AtomicBool,
    /// Whether nothing more needs to be found out.
    given_up: AtomicBool,
}

/// The guesses of a joint position.
struct Work {
    agenda: Agenda,
    buckets: Buckets,
    best: Best,
    /// Threads that are at a guess.
    busy: usize,
}

/// What a thread takes at a time.
enum Portion {
    /// Guesses of which only the number of parts is known.
    Counted(Vec<Candidate>),
    /// One guess, and the lowest bound of those after it.
    One(Candidate, u32),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Team {
    /// A team whose cache takes at most so many bytes.
    pub(super) fn new(cache_bytes: usize) -> Self {
        Self {
            cache: Arc::new(Cache::new(cache_bytes)),
            joints: Mutex::default(),
            news: Condvar::new(),
            idle: AtomicUsize::new(0),
            over: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        }
    }

    /// Ends the work of those who help.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Release);
        drop(lock(&self.joints));
        self.news.notify_all();
    }

    /// Ends the work of all, since one of them cannot go on.
    pub(super) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Release);
        self.end();
    }

    fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Acquire)
    }

    /// Waits for a position to help with; `None` at the end of the search.
    pub(super) fn wait(&self) -> Option<Arc<Joint>> {
        self.idle.fetch_add(1, Ordering::Relaxed);
        let mut joints = lock(&self.joints);
        let found = loop {
            if self.over.load(Ordering::Acquire) {
                break None;
            }
            let found = largest(&joints, |_| true);
            if found.is_some() {
                break found;
            }
            joints = self.news.wait_timeout(joints, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        };
        drop(joints);
        self.idle.fetch_sub(1, Ordering::Relaxed);
        found
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }
}

/// The open position with the most codes of those that will do.
fn largest(joints: &[Arc<Joint>], will_do: impl Fn(&Joint) -> bool) -> Option<Arc<Joint>> {
    let open = joints.iter().filter(|joint| joint.open.load(Ordering::Acquire) && will_do(joint));
    open.max_by_key(|joint| joint.set.len()).cloned()
}

impl Joint {
    fn place(&self) -> Place<'_> {
        Place { set: &self.set, left: self.left, most: self.most }
    }

    /// Whether what is found here is of no use any more.
    fn is_given_up(&self) -> bool {
        let mut joint = Some(self);
        while let Some(here) = joint {
            if here.given_up.load(Ordering::Relaxed) {
                return true;
            }
            joint = here.above.as_deref();
        }
        false
    }

    fn is_below(&self, other: &Joint) -> bool {
        let mut above = self.above.as_deref();
        while let Some(joint) = above {
            if std::ptr::eq(joint, other) {
                return true;
            }
            above = joint.above.as_deref();
        }
        false
    }
}

impl Work {
    fn take(&mut self, set: &[u16]) -> Option<Portion> {
        let Some((candidate, next)) = self.agenda.next(set, &mut self.buckets, &mut self.best) else {
            // None that waits can be better.
            self.agenda.waiting.clear();
            self.buckets.clear();
            return None;
        };
        if candidate.stage != Reverse(Stage::Counted) {
            return Some(Portion::One(candidate, next));
        }
        let mut counted = vec![candidate];
        while counted.len() < COUNTED_AT_A_TIME
            && let Some(Reverse(other)) = self.agenda.waiting.peek()
            && (other.low, other.stage) == (candidate.low, candidate.stage)
        {
            counted.extend(self.agenda.waiting.pop().map(|Reverse(candidate)| candidate));
        }
        Some(Portion::Counted(counted))
    }
}

impl Searcher<'_> {
    /// Positions searched by all threads.
    pub(super) fn all_nodes(&self) -> u64 {
        self.nodes + self.team.map_or(0, |team| team.nodes.load(Ordering::Relaxed))
    }

    /// Whether what is searched is of no use to others any more.
    pub(super) fn is_given_up(&self) -> bool {
        self.team.is_some_and(Team::is_abandoned) || self.joint.as_ref().is_some_and(|joint| joint.is_given_up())
    }

    /// Whether somebody has time to help with a position of so many codes.
    #[inline]
    pub(super) fn is_worth_sharing(&self, codes: usize) -> bool {
        codes >= FEWEST_SHARED && !self.any && self.team.is_some_and(|team| team.idle.load(Ordering::Relaxed) > 0)
    }

    /// Works on the guesses that wait, with whoever has time.
    pub(super) fn share(
        &mut self,
        agenda: &mut Agenda,
        place: Place<'_>,
        buckets: Buckets,
        best: Best,
        least: u32,
    ) -> Best {
        let Some(team) = self.team else { return best };
        let joint = Arc::new(Joint {
            set: place.set.to_vec(),
            path: self.path.clone(),
            left: place.left,
            most: place.most,
            least,
            above: self.joint.clone(),
            limit: AtomicU32::new(best.total),
            work: Mutex::new(Work { agenda: std::mem::take(agenda), buckets, best, busy: 0 }),
            news: Condvar::new(),
            open: AtomicBool::new(true),
            given_up: AtomicBool::new(false),
        });
        lock(&team.joints).push(joint.clone());
        team.news.notify_all();
        let above = self.joint.replace(joint.clone());
        loop {
            self.work_at(&joint);
            if team.is_abandoned() {
                self.stopped = true;
                break;
            }
            if lock(&joint.work).busy == 0 && !joint.open.load(Ordering::Acquire) {
                break;
            }
            // Those who are still at a guess may need help with it themselves.
            let below = largest(&lock(&team.joints), |other| other.is_below(&joint));
            if let Some(below) = below.filter(|_| !self.stopped) {
                self.help(&below);
                continue;
            }
            let work = lock(&joint.work);
            if work.busy > 0 && !joint.open.load(Ordering::Acquire) {
                drop(joint.news.wait_timeout(work, PATIENCE));
            }
        }
        self.joint = above;
        lock(&team.joints).retain(|other| !Arc::ptr_eq(other, &joint));
        let mut work = lock(&joint.work);
        *agenda = std::mem::take(&mut work.agenda);
        work.best
    }

    /// Takes part in the work on a position, until no guess waits there.
    pub(super) fn help(&mut self, joint: &Arc<Joint>) {
        let path = std::mem::replace(&mut self.path, joint.path.clone());
        let outer = self.joint.replace(joint.clone());
        self.work_at(joint);
        self.path = path;
        self.joint = outer;
        // What was given up there is no reason to stop here.
        self.stopped = self.is_out_of_time() || self.is_given_up();
    }

    fn work_at(&mut self, joint: &Joint) {
        let mut split = Split::default();
        let mut work = lock(&joint.work);
        while !self.stopped && !joint.given_up.load(Ordering::Relaxed) {
            let Some(portion) = work.take(&joint.set) else { break };
            work.busy += 1;
            self.mark_open(joint, &work);
            drop(work);
            work = match portion {
                Portion::Counted(counted) => self.size(joint, counted),
                Portion::One(mut candidate, next) => {
                    let limit = || joint.limit.load(Ordering::Relaxed);
                    let searched = self.finish(&mut split, joint.place(), &mut candidate, next, limit);
                    let mut work = lock(&joint.work);
                    if self.stopped {
                        // Nothing is known of it, and nobody will ask.
                    } else if searched || candidate.low >= work.best.total {
                        work.best.hear(candidate.guess, candidate.low);
                    } else {
                        work.agenda.waiting.push(Reverse(candidate));
                    }
                    joint.limit.store(work.best.total, Ordering::Relaxed);
                    if work.best.total <= joint.least {
                        joint.given_up.store(true, Ordering::Relaxed);
                    }
                    work
                }
            };
            work.busy -= 1;
            self.mark_open(joint, &work);
        }
        if self.stopped || joint.given_up.load(Ordering::Relaxed) {
            work.agenda.waiting.clear();
            work.buckets.clear();
        }
        self.mark_open(joint, &work);
        if work.busy == 0 {
            joint.news.notify_all();
        }
    }

    /// Finds out how large the parts are that guesses make.
    fn size<'j>(&mut self, joint: &'j Joint, mut counted: Vec<Candidate>) -> MutexGuard<'j, Work> {
        let set = &joint.set;
        self.spend(MARKS_FOR_ONE * set.len() * counted.len());
        let prints: Vec<u64> = counted
            .iter_mut()
            .map(|candidate| {
                candidate.low = self.sized_bound(joint.place(), candidate.guess);
                candidate.stage = Reverse(Stage::Sized);
                fingerprint(self.matrix.of_guess(candidate.guess), set, !candidate.inconsistent)
            })
            .collect();
        let mut guard = lock(&joint.work);
        let work = &mut *guard;
        for (candidate, print) in counted.into_iter().zip(prints) {
            let (guess, wins) = (candidate.guess, !candidate.inconsistent);
            if !work.agenda.seen.is_new_under(print, self.matrix, set, guess, wins) {
                continue;
            }
            if candidate.low >= work.best.total {
                work.best.ruled_out = work.best.ruled_out.min(candidate.low);
            } else {
                work.agenda.waiting.push(Reverse(candidate));
            }
        }
        guard
    }

    /// Tells others whether guesses wait here.
    fn mark_open(&self, joint: &Joint, work: &Work) {
        let open = !work.agenda.waiting.is_empty() || !work.buckets.is_empty();
        if !joint.open.swap(open, Ordering::Release) && open {
            if let Some(team) = self.team {
                team.news.notify_all();
            }
            joint.news.notify_all();
        }
    }
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::{
        Watch, parallel,
        tree::exact::{Options, bounds::IMPOSSIBLE, matrix::Matrix},
    };

    /// What a panic said that came out of a search where lead and helper do this. The proof takes so long that the helper
    /// is let in on any machine.
    fn panic_of(help: impl Fn(&Team) + Sync, lead: impl FnOnce(&mut Searcher<'_>) + Send) -> String {
        let rules = "4x8".parse().unwrap();
        let (options, watch) = (Options::default(), Watch::default());
        let matrix = Matrix::new(&rules, watch).unwrap();
        let team = Team::new(1 << 20);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let search = || {
            let lead = || lead(&mut Searcher::in_team(&rules, &matrix, &options, watch, &|_| (), &team));
            parallel::run_with_helpers(lead, || help(&team), || team.abandon());
        };
        let panic = catch_unwind(AssertUnwindSafe(|| pool.install(search))).unwrap_err();
        (*panic.downcast_ref::<&str>().unwrap()).to_owned()
    }

    #[test]
    fn a_helper_that_panics_at_a_guess_ends_the_search() {
        let help = |team: &Team| {
            let joint = team.wait().unwrap();
            lock(&joint.work).busy += 1;
            panic!("at a guess");
        };
        let lead = |searcher: &mut Searcher<'_>| {
            let team = searcher.team.unwrap();
            while team.idle.load(Ordering::Relaxed) == 0 {
                std::thread::yield_now();
            }
            searcher.solve_all(None, 10, IMPOSSIBLE);
            assert!(searcher.stopped, "it waited for nothing");
        };
        assert_eq!(panic_of(help, lead), "at a guess");
    }

    #[test]
    fn helpers_do_not_wait_for_a_lead_that_panicked() {
        let help = |team: &Team| assert!(team.wait().is_none());
        assert_eq!(panic_of(help, |_| panic!("in the lead")), "in the lead");
    }
}
