//! The clock. The only module that reads the system clock: without the feature `clock` no time passes, so that time
//! limits never expire, and everything else works on targets without a clock.
//!
//! With the feature `test-clock`, a test can replace the system clock by a `TestClock`, on which time is counted work:
//! the searches report their work to [`work`], in nominal nanoseconds. A time limit then ends a search after the same
//! work on every machine, and the work between two checks of the clock is a number that a test can bound.

use std::time::Duration;

#[cfg(feature = "clock")]
use std::{sync::OnceLock, time::Instant};

#[cfg(feature = "test-clock")]
pub use test_clock::TestClock;

/// Nominal nanoseconds of a code tested against the history, of a move of annealing, and of a node of backtracking.
pub const STEP_COST: u64 = 100;

/// A point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// Returns the current time.
    pub fn now() -> Self {
        #[cfg(feature = "test-clock")]
        if let Some(now) = test_clock::now() {
            return Self(now);
        }
        #[cfg(feature = "clock")]
        {
            static START: OnceLock<Instant> = OnceLock::new();
            Self(START.get_or_init(Instant::now).elapsed())
        }
        #[cfg(not(feature = "clock"))]
        Self(Duration::ZERO)
    }

    /// Returns the moment `time` from now; `None` without a clock, or beyond the range of `Duration`.
    pub fn after(time: Duration) -> Option<Self> {
        if cfg!(feature = "clock") { Self::now().0.checked_add(time).map(Self) } else { None }
    }

    /// Returns true if this moment is not in the future.
    pub fn has_come(self) -> bool {
        Self::now() >= self
    }

    /// Returns the time since this moment.
    pub fn elapsed(self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

/// Reports work that takes about `nanoseconds` on one core. Only a `TestClock` counts it.
#[inline]
pub fn work(nanoseconds: u64) {
    #[cfg(feature = "test-clock")]
    test_clock::work(nanoseconds);
    #[cfg(not(feature = "test-clock"))]
    let _ = nanoseconds;
}

/// Starts a test clock for the rest of the process if the environment variable `PEGWISE_TEST_CLOCK` is set and the
/// feature `test-clock` is on, so that tests of whole programs do not depend on a clock.
pub fn start_from_environment() {
    #[cfg(feature = "test-clock")]
    if std::env::var_os("PEGWISE_TEST_CLOCK").is_some() {
        std::mem::forget(TestClock::start());
    }
}

/// Reports that a search checks whether it should stop.
#[inline]
pub(crate) fn check() {
    #[cfg(feature = "test-clock")]
    test_clock::check();
}

#[cfg(feature = "test-clock")]
mod test_clock {
    use std::sync::atomic::Ordering::Relaxed;
    use std::sync::atomic::{AtomicBool, AtomicU64};
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::time::Duration;

    /// Nominal nanoseconds of a check of the clock.
    const CHECK_COST: u64 = 20;

    static IN_USE: AtomicBool = AtomicBool::new(false);
    /// Work since the test clock was started.
    static NOW: AtomicU64 = AtomicU64::new(0);
    static LAST_CHECK: AtomicU64 = AtomicU64::new(0);
    static LONGEST_GAP: AtomicU64 = AtomicU64::new(0);
    static CANCEL_AT: AtomicU64 = AtomicU64::new(u64::MAX);
    static CANCEL: AtomicBool = AtomicBool::new(false);
    static ALONE: Mutex<()> = Mutex::new(());

    pub(super) fn now() -> Option<Duration> {
        IN_USE.load(Relaxed).then(|| Duration::from_nanos(NOW.load(Relaxed)))
    }

    pub(super) fn work(nanoseconds: u64) {
        if IN_USE.load(Relaxed) && NOW.fetch_add(nanoseconds, Relaxed) + nanoseconds >= CANCEL_AT.load(Relaxed) {
            CANCEL.store(true, Relaxed);
        }
    }

    pub(super) fn check() {
        if IN_USE.load(Relaxed) {
            work(CHECK_COST);
            let now = NOW.load(Relaxed);
            LONGEST_GAP.fetch_max(now.saturating_sub(LAST_CHECK.swap(now, Relaxed)), Relaxed);
        }
    }

    /// Replacement of the system clock of the whole process until it is dropped. Time passes as work is reported.
    ///
    /// Searches that run at the same time in other tests would advance it, too: use it in a test program of its own,
    /// and on one thread where the exact time matters.
    #[derive(Debug)]
    pub struct TestClock {
        _alone: MutexGuard<'static, ()>,
    }

    impl TestClock {
        /// Starts a clock at zero, after any other test clock has ended.
        pub fn start() -> Self {
            let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
            let clock = Self { _alone: alone };
            clock.restart();
            IN_USE.store(true, Relaxed);
            clock
        }

        /// Sets the clock back to zero.
        pub fn restart(&self) {
            for counter in [&NOW, &LAST_CHECK, &LONGEST_GAP] {
                counter.store(0, Relaxed);
            }
            CANCEL_AT.store(u64::MAX, Relaxed);
            CANCEL.store(false, Relaxed);
        }

        /// Returns a flag that becomes true when the clock reaches `time`, to cancel a search.
        pub fn cancel_at(&self, time: Duration) -> &'static AtomicBool {
            CANCEL_AT.store(time.as_nanos() as u64, Relaxed);
            &CANCEL
        }

        /// Returns the time since the start.
        pub fn elapsed(&self) -> Duration {
            Duration::from_nanos(NOW.load(Relaxed))
        }

        /// Returns the longest time between two checks so far, or from the last check until now.
        pub fn longest_gap(&self) -> Duration {
            let since_last = NOW.load(Relaxed).saturating_sub(LAST_CHECK.load(Relaxed));
            Duration::from_nanos(since_last.max(LONGEST_GAP.load(Relaxed)))
        }
    }

    impl Drop for TestClock {
        fn drop(&mut self) {
            IN_USE.store(false, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_pass_with_a_clock() {
        let at_once = Moment::after(Duration::ZERO);
        assert_eq!(at_once.is_some_and(Moment::has_come), cfg!(feature = "clock"));
        assert!(Moment::after(Duration::MAX).is_none());
        let never = Duration::from_secs(u64::MAX / 2);
        assert!(!Moment::after(never).is_some_and(Moment::has_come));
        assert!(Moment::now().elapsed() < never);
    }
}
