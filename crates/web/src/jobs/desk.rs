//! What a worker has at hand while it answers one question.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use pegwise_solve::{Limits, Meter, Search, clock::Moment};
use serde_json::Value;

/// Takes what is found before the answer is complete.
type Tell = Box<dyn Fn(Value) + Send>;

/// The cancel button, the meter and the way to tell what is found on the way.
pub(crate) struct Desk {
    pub(super) cancel: Arc<AtomicBool>,
    meter: Arc<Meter>,
    tell: Tell,
    since: Moment,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

impl Desk {
    pub(crate) fn new(cancel: Arc<AtomicBool>, meter: Arc<Meter>, tell: Tell) -> Self {
        Self { cancel, meter, tell, since: Moment::now() }
    }

    /// A search that ends when the client goes away, when somebody stops it, or when the time of the server is up.
    ///
    /// The server's limit is no limit of the search itself: strategies stretch their work to the time they are given.
    pub(crate) fn search(&self, seed: u64, time: Option<Duration>) -> Search<'_> {
        let limits = Limits { time, ..Limits::default() };
        Search::new(seed).with_limits(limits).with_cancel(&self.cancel).with_meter(&self.meter)
    }

    /// Whether the answer is not wanted any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The flag that tells so.
    #[cfg(feature = "server")]
    pub(crate) fn cancel(&self) -> &AtomicBool {
        &self.cancel
    }

    /// Seconds of work so far; zero without a clock.
    pub(crate) fn seconds(&self) -> f64 {
        self.since.elapsed().as_secs_f64()
    }

    /// Tells something that was found before the answer is complete.
    pub(crate) fn tell(&self, line: Value) {
        (self.tell)(line);
    }
}
