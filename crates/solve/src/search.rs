//! What a strategy may spend, and what it has spent.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::{
    clock::{self, Moment},
    rng::Rng,
};

/// What a strategy has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Candidate codes tested against the history; the papers call them evaluations.
    pub examined: u64,
    /// Codes found that fit the history, guess by guess, where a strategy collects them; it says whether one that is found
    /// again counts again.
    pub consistent: u64,
    /// Pairwise feedbacks computed to compare guesses.
    pub scored: u64,
    /// Steps of a search: partial codes of backtracking, positions of a tree.
    pub nodes: u64,
}

/// What a strategy may spend on one guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Candidate codes to test.
    pub examined: Option<u64>,
    /// Steps of a search.
    pub nodes: Option<u64>,
    /// Wall time.
    pub time: Option<Duration>,
}

/// Why a strategy should come to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Stop {
    /// The limit of examined codes.
    Examined,
    /// The limit of search steps.
    Nodes,
    /// The limit of wall time.
    Time,
    /// Somebody cancelled.
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

/// The clock and the cancel button, in a form that threads can share.
#[derive(Debug, Clone, Copy, Default)]
pub struct Watch<'a> {
    deadline: Option<Moment>,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Watch<'a> {
    /// A watch that stops at a deadline, or when the flag turns true.
    #[must_use]
    pub fn new(time: Option<Duration>, cancel: Option<&'a AtomicBool>) -> Self {
        Self { deadline: time.and_then(Moment::after), cancel }
    }

    /// Whether work should stop, and why. Looks at the clock: call it now and then, not always.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        clock::check();
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Stop::Cancelled);
        }
        self.deadline.is_some_and(Moment::has_come).then_some(Stop::Time)
    }
}

/// What a strategy has spent so far, for somebody on another thread who wants to see that it gets on. It lags behind: the
/// strategy writes it down about as often as it looks at the clock.
#[derive(Debug, Default)]
pub struct Meter {
    examined: AtomicU64,
    nodes: AtomicU64,
}

impl Meter {
    /// Candidate codes tested so far.
    #[must_use]
    pub fn examined(&self) -> u64 {
        self.examined.load(Ordering::Relaxed)
    }

    /// Steps of a search so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    fn show(&self, counts: &Counts) {
        self.examined.store(counts.examined, Ordering::Relaxed);
        self.nodes.store(counts.nodes, Ordering::Relaxed);
    }
}

/// A strategy's budget for one guess: its random numbers, counters, limits and cancel button.
///
/// ```
/// use pegwise_solve::{Limits, Search, Stop};
/// let mut search = Search::new(7).with_limits(Limits { examined: Some(100), ..Limits::default() });
/// assert_eq!(search.examine(99), None);
/// assert_eq!(search.examine(1), Some(Stop::Examined));
/// ```
#[derive(Debug)]
pub struct Search<'a> {
    /// The random numbers of this strategy.
    pub rng: Rng,
    /// How many alternatives beside the best guess the caller would like to see.
    pub alternatives: usize,
    /// What was spent since the search was made.
    counts: Counts,
    limits: Limits,
    /// Whether the time limit only ends the work.
    usual_effort: bool,
    /// What was spent when the current guess began.
    spent_before: Counts,
    watch: Watch<'a>,
    cancel: Option<&'a AtomicBool>,
    meter: Option<&'a Meter>,
    /// Calls left until the clock is looked at again.
    until_clock: u32,
}

impl<'a> Search<'a> {
    /// Calls of [`Search::stop`] per check of the clock.
    const CALLS_PER_CLOCK_CHECK: u32 = 256;

    /// A search without limits.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::with_rng(Rng::new(seed))
    }

    /// A search without limits that draws from this generator.
    #[must_use]
    pub fn with_rng(rng: Rng) -> Self {
        Self {
            rng,
            counts: Counts::default(),
            alternatives: 0,
            limits: Limits::default(),
            usual_effort: false,
            spent_before: Counts::default(),
            watch: Watch::default(),
            cancel: None,
            meter: None,
            until_clock: 0,
        }
    }

    /// The same search with limits on each guess.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.begin_guess();
        self
    }

    /// The same search with a flag that cancels it.
    #[must_use]
    pub fn with_cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = Some(cancel);
        self.begin_guess();
        self
    }

    /// The same search with a meter that others can read.
    #[must_use]
    pub fn with_meter(mut self, meter: &'a Meter) -> Self {
        self.meter = Some(meter);
        self
    }

    /// Starts the limits anew, for the next guess.
    pub fn begin_guess(&mut self) {
        self.spent_before = self.counts;
        self.watch = Watch::new(self.limits.time, self.cancel);
        self.until_clock = 0;
    }

    /// The limits on each guess, as far as a strategy is to plan by them.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits { time: self.limits.time.filter(|_| !self.usual_effort), ..self.limits }
    }

    /// Works as without a time limit, which still ends the work: for whoever asks a strategy for what it usually plays, and not
    /// for the best that it can play in all the time there is.
    pub fn at_usual_effort<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.usual_effort, true);
        let done = work(self);
        self.usual_effort = before;
        done
    }

    /// How many more codes may be examined for this guess.
    #[must_use]
    pub fn examined_left(&self) -> u64 {
        let spent = self.counts.examined - self.spent_before.examined;
        self.limits.examined.map_or(u64::MAX, |limit| limit.saturating_sub(spent))
    }

    /// A watch that stops after this share of the time of a guess has passed from now, and no later than the search itself:
    /// for a first part of the work.
    #[must_use]
    pub fn watch_share(&self, share: f64) -> Watch<'a> {
        let share = Watch::new(self.limits.time.map(|time| time.mul_f64(share)), self.cancel);
        Watch { deadline: share.deadline.into_iter().chain(self.watch.deadline).min(), ..share }
    }

    /// The clock and the cancel button, for threads.
    #[must_use]
    pub fn watch(&self) -> Watch<'a> {
        self.watch
    }

    /// What was spent since the search was made.
    #[inline]
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Counts codes that are tested against the history, and tells whether they are the last that may be, and why.
    #[inline]
    pub fn examine(&mut self, codes: u64) -> Option<Stop> {
        clock::work(codes * clock::STEP_COST);
        self.counts.examined += codes;
        self.stop()
    }

    /// Adds to the number of examined codes after the fact, where the work itself checked the clock.
    #[inline]
    pub fn add_examined(&mut self, codes: u64) {
        self.counts.examined += codes;
    }

    /// Counts steps of a search, and tells whether they are the last that may be taken, and why.
    #[inline]
    pub fn step(&mut self, steps: u64) -> Option<Stop> {
        clock::work(steps * clock::STEP_COST);
        self.counts.nodes += steps;
        self.stop()
    }

    /// Counts codes found that fit the history.
    #[inline]
    pub fn find(&mut self, codes: u64) {
        self.counts.consistent += codes;
    }

    /// Counts feedbacks computed to compare guesses.
    #[inline]
    pub fn score(&mut self, pairs: u64) {
        self.counts.scored += pairs;
    }

    /// Whether the strategy should return its best so far, and why. Cheap: the clock is looked at rarely.
    #[inline]
    pub fn stop(&mut self) -> Option<Stop> {
        let over = |limit: Option<u64>, now: u64, before: u64| limit.is_some_and(|limit| now - before >= limit);
        if over(self.limits.examined, self.counts.examined, self.spent_before.examined) {
            return Some(Stop::Examined);
        }
        if over(self.limits.nodes, self.counts.nodes, self.spent_before.nodes) {
            return Some(Stop::Nodes);
        }
        if self.until_clock == 0 {
            self.until_clock = Self::CALLS_PER_CLOCK_CHECK;
            if let Some(meter) = self.meter {
                meter.show(&self.counts);
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
    fn limits_hold_for_each_guess_anew() {
        let mut search = Search::new(1).with_limits(Limits { nodes: Some(10), ..Limits::default() });
        assert_eq!(search.step(10), Some(Stop::Nodes));
        search.begin_guess();
        assert_eq!(search.step(9), None);
        assert_eq!(search.step(1), Some(Stop::Nodes));
        assert_eq!(search.counts().nodes, 20);
    }

    #[test]
    fn a_limit_ends_usual_effort_too() {
        let mut search = Search::new(1).with_limits(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        let seen =
            search.at_usual_effort(|search| (search.limits().time, search.stop(), search.watch_share(0.5).stop()));
        assert_eq!(seen, (None, Some(Stop::Time), Some(Stop::Time)));
        assert_eq!(search.limits().time, Some(Duration::ZERO));
    }

    #[test]
    fn a_flag_cancels() {
        let cancel = AtomicBool::new(true);
        assert_eq!(Search::new(1).with_cancel(&cancel).stop(), Some(Stop::Cancelled));
    }

    #[test]
    fn a_meter_shows_what_was_spent() {
        let meter = Meter::default();
        let mut search = Search::new(1).with_meter(&meter);
        search.examine(7);
        for _ in 0..=Search::CALLS_PER_CLOCK_CHECK {
            search.stop();
        }
        assert_eq!((meter.examined(), meter.nodes()), (7, 0));
    }

    #[test]
    fn time_runs_out() {
        let mut search = Search::new(1).with_limits(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        assert_eq!(search.stop(), Some(Stop::Time));
        assert!(Search::new(1).with_limits(Limits { time: Some(Duration::MAX), ..Limits::default() }).stop().is_none());
    }
}
