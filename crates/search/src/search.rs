//! Budget of a strategy: random numbers, counters, limits and cancellation.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::{self, Moment};
use crate::rng::Rng;

/// Counters of the work done by a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Number of codes tested against the history; the papers call them evaluations.
    pub examined: u64,
    /// Number of consistent codes found, summed over guesses, by strategies that collect them. Each strategy documents
    /// whether repeated finds count again.
    pub consistent: u64,
    /// Number of pairs of guess and candidate evaluated to compare guesses.
    pub scored: u64,
    /// Number of search steps: partial codes of backtracking, positions of a tree.
    pub nodes: u64,
}

/// Limits on the work per guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Maximum number of examined codes.
    pub examined: Option<u64>,
    /// Maximum number of search steps.
    pub nodes: Option<u64>,
    /// Maximum wall time.
    pub time: Option<Duration>,
}

/// Reason to stop a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Stop {
    /// The limit on examined codes was reached.
    Examined,
    /// The limit on search steps was reached.
    Nodes,
    /// The time limit was reached.
    Time,
    /// The search was cancelled.
    Cancelled,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Examined => "the limit of examined codes was reached",
            Self::Nodes => "the limit of search steps was reached",
            Self::Time => "the time was up",
            Self::Cancelled => "it was cancelled",
        })
    }
}

/// Deadline and cancellation flag, shared between threads.
#[derive(Debug, Clone, Copy, Default)]
pub struct Watch<'a> {
    deadline: Option<Moment>,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Watch<'a> {
    /// Creates a watch that stops after `time`, or when `cancel` becomes true.
    pub fn new(time: Option<Duration>, cancel: Option<&'a AtomicBool>) -> Self {
        Self { deadline: time.and_then(Moment::after), cancel }
    }

    /// Returns the reason to stop, if there is one. Reads the clock on each call, so do not call it in inner loops.
    pub fn stop(&self) -> Option<Stop> {
        clock::check();
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Stop::Cancelled);
        }
        self.deadline.is_some_and(Moment::has_come).then_some(Stop::Time)
    }
}

/// Progress of a search, for other threads. Updated about as often as the clock is checked.
#[derive(Debug, Default)]
pub struct Meter {
    examined: AtomicU64,
    nodes: AtomicU64,
}

impl Meter {
    /// Returns the number of examined codes.
    pub fn examined(&self) -> u64 {
        self.examined.load(Ordering::Relaxed)
    }

    /// Returns the number of search steps.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    fn update(&self, counts: &Counts) {
        self.examined.store(counts.examined, Ordering::Relaxed);
        self.nodes.store(counts.nodes, Ordering::Relaxed);
    }
}

/// Budget of a strategy for one guess: random numbers, counters, limits and a cancellation flag.
///
/// ```
/// use pegwise_search::{Limits, Search, Stop};
/// let mut search = Search::new(7).with_limits(Limits { examined: Some(100), ..Limits::default() });
/// assert_eq!(search.examine(99), None);
/// assert_eq!(search.examine(1), Some(Stop::Examined));
/// ```
#[derive(Debug)]
pub struct Search<'a> {
    /// Random number generator of the strategy.
    pub rng: Rng,
    /// Number of requested alternatives to the best guess.
    pub alternatives: usize,
    /// Counters since the search was created.
    counts: Counts,
    limits: Limits,
    /// True if the time limit only stops the work and does not extend it.
    usual_effort: bool,
    /// Counters at the start of the current guess.
    counts_before: Counts,
    watch: Watch<'a>,
    cancel: Option<&'a AtomicBool>,
    meter: Option<&'a Meter>,
    /// Number of calls until the next check of the clock.
    until_clock: u32,
}

impl<'a> Search<'a> {
    /// Number of calls of [`Search::stop`] per check of the clock.
    const CALLS_PER_CLOCK_CHECK: u32 = 256;

    /// Creates a search without limits.
    pub fn new(seed: u64) -> Self {
        Self::with_rng(Rng::new(seed))
    }

    /// Creates a search without limits from a generator.
    pub fn with_rng(rng: Rng) -> Self {
        Self {
            rng,
            counts: Counts::default(),
            alternatives: 0,
            limits: Limits::default(),
            usual_effort: false,
            counts_before: Counts::default(),
            watch: Watch::default(),
            cancel: None,
            meter: None,
            until_clock: 0,
        }
    }

    /// Sets limits on each guess.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.begin_guess();
        self
    }

    /// Sets a flag that cancels the search.
    #[must_use]
    pub fn with_cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = Some(cancel);
        self.begin_guess();
        self
    }

    /// Sets a meter that is updated during the search.
    #[must_use]
    pub fn with_meter(mut self, meter: &'a Meter) -> Self {
        self.meter = Some(meter);
        self
    }

    /// Starts a guess: resets the limits.
    pub fn begin_guess(&mut self) {
        self.counts_before = self.counts;
        self.watch = Watch::new(self.limits.time, self.cancel);
        self.until_clock = 0;
    }

    /// Returns the limits on each guess by which a strategy plans its work.
    pub fn limits(&self) -> Limits {
        Limits { time: self.limits.time.filter(|_| !self.usual_effort), ..self.limits }
    }

    /// Runs `work` with [`Search::limits`] without a time limit, which still stops the work. The strategy then plays
    /// its usual guess and does not use a long time limit to search for a better one.
    pub fn at_usual_effort<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.usual_effort, true);
        let done = work(self);
        self.usual_effort = before;
        done
    }

    /// Runs `work` without counting it, because later games reuse its result.
    pub fn uncounted<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.counts;
        let done = work(self);
        self.counts = before;
        done
    }

    /// Returns the number of codes that may still be examined for this guess.
    pub fn examined_left(&self) -> u64 {
        let spent = self.counts.examined - self.counts_before.examined;
        self.limits.examined.map_or(u64::MAX, |limit| limit.saturating_sub(spent))
    }

    /// Returns a watch that stops after a share of the time limit from now, and no later than the search itself.
    pub fn watch_share(&self, share: f64) -> Watch<'a> {
        let share = Watch::new(self.limits.time.map(|time| time.mul_f64(share)), self.cancel);
        Watch { deadline: share.deadline.into_iter().chain(self.watch.deadline).min(), ..share }
    }

    /// Returns the deadline and the cancellation flag, for other threads.
    pub fn watch(&self) -> Watch<'a> {
        self.watch
    }

    /// Returns the counters since the search was created.
    #[inline]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Counts codes tested against the history. Returns the reason to stop, if there is one.
    #[inline]
    pub fn examine(&mut self, codes: u64) -> Option<Stop> {
        clock::work(codes * clock::STEP_COST);
        self.counts.examined += codes;
        self.stop()
    }

    /// Adds to the number of codes tested, without a check of the clock.
    #[inline]
    pub fn add_examined(&mut self, codes: u64) {
        self.counts.examined += codes;
    }

    /// Counts search steps. Returns the reason to stop, if there is one.
    #[inline]
    pub fn step(&mut self, steps: u64) -> Option<Stop> {
        clock::work(steps * clock::STEP_COST);
        self.counts.nodes += steps;
        self.stop()
    }

    /// Counts consistent codes found.
    #[inline]
    pub fn find(&mut self, codes: u64) {
        self.counts.consistent += codes;
    }

    /// Counts pairs of guess and candidate evaluated to compare guesses.
    #[inline]
    pub fn score(&mut self, pairs: u64) {
        self.counts.scored += pairs;
    }

    /// Returns the reason to stop, if there is one. Cheap: the clock is rarely checked.
    #[inline]
    pub fn stop(&mut self) -> Option<Stop> {
        let over = |limit: Option<u64>, now: u64, before: u64| limit.is_some_and(|limit| now - before >= limit);
        if over(self.limits.examined, self.counts.examined, self.counts_before.examined) {
            return Some(Stop::Examined);
        }
        if over(self.limits.nodes, self.counts.nodes, self.counts_before.nodes) {
            return Some(Stop::Nodes);
        }
        if self.until_clock == 0 {
            self.until_clock = Self::CALLS_PER_CLOCK_CHECK;
            if let Some(meter) = self.meter {
                meter.update(&self.counts);
            }
            return self.watch.stop();
        }
        self.until_clock -= 1;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_apply_to_each_guess() {
        let mut search = Search::new(1).with_limits(Limits { nodes: Some(10), ..Limits::default() });
        assert_eq!(search.step(10), Some(Stop::Nodes));
        search.begin_guess();
        assert_eq!(search.step(9), None);
        assert_eq!(search.step(1), Some(Stop::Nodes));
        assert_eq!(search.counts().nodes, 20);
    }

    #[test]
    fn flags_and_time_limits_stop() {
        let cancel = AtomicBool::new(true);
        assert_eq!(Search::new(1).with_cancel(&cancel).stop(), Some(Stop::Cancelled));
        let mut search = Search::new(1).with_limits(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert_eq!(search.stop(), Some(Stop::Time));
        assert!(Search::new(1).with_limits(Limits { time: Some(Duration::MAX), ..Limits::default() }).stop().is_none());
        let mut search = Search::new(1).with_limits(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        let seen =
            search.at_usual_effort(|search| (search.limits().time, search.stop(), search.watch_share(0.5).stop()));
        assert_eq!(seen, (None, Some(Stop::Time), Some(Stop::Time)));
        assert_eq!(search.limits().time, Some(Duration::ZERO));
    }

    #[test]
    fn a_meter_is_updated() {
        let meter = Meter::default();
        let mut search = Search::new(1).with_meter(&meter);
        search.examine(7);
        for _ in 0..=Search::CALLS_PER_CLOCK_CHECK {
            search.stop();
        }
        assert_eq!((meter.examined(), meter.nodes()), (7, 0));
    }
}
