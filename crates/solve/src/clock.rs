//! The clock. The only module that reads one: without the feature `clock` no time passes, so that limits of time never
//! fire, and programs without a clock can still run everything else.

use std::time::Duration;

#[cfg(feature = "clock")]
use std::time::Instant;

/// A point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(#[cfg(feature = "clock")] Instant);

#[cfg(feature = "clock")]
impl Moment {
    pub(crate) fn now() -> Self {
        Self(Instant::now())
    }

    /// The moment so long from now; none where that is past the end of time.
    pub(crate) fn after(time: Duration) -> Option<Self> {
        Instant::now().checked_add(time).map(Self)
    }

    pub(crate) fn has_come(self) -> bool {
        Instant::now() >= self.0
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(not(feature = "clock"))]
impl Moment {
    pub(crate) fn now() -> Self {
        Self()
    }

    pub(crate) fn after(_: Duration) -> Option<Self> {
        None
    }

    pub(crate) fn has_come(self) -> bool {
        false
    }

    pub(crate) fn elapsed(self) -> Duration {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_come_where_there_is_a_clock() {
        let at_once = Moment::after(Duration::ZERO);
        assert_eq!(at_once.is_some_and(Moment::has_come), cfg!(feature = "clock"));
        assert!(Moment::after(Duration::MAX).is_none());
        assert!(!Moment::after(Duration::from_secs(1000)).is_some_and(Moment::has_come));
        assert!(Moment::now().elapsed() < Duration::from_secs(1000));
    }
}
