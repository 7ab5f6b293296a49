//! What a worker has at hand while it answers one question.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use pegwise_solve::{Limits, Meter, Search};
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

use super::ticket::Event;

/// The cancel button, the meter and the way to tell what is found on the way.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(super) cancel: Arc<AtomicBool>,
    pub(super) meter: Arc<Meter>,
    pub(super) events: UnboundedSender<Event>,
}

impl Desk {
    /// A search that ends when the client goes away, when somebody stops it, or when the time of the server is up.
    ///
    /// The server's limit is no limit of the search itself: strategies stretch their work to the time they are given.
    pub(crate) fn search(&self, seed: u64, time: Option<Duration>) -> Search<'_> {
        let limits = Limits { time, ..Limits::default() };
        Search::new(seed).with_limits(limits).with_cancel(&self.cancel).with_meter(&self.meter)
    }

    /// Whether the answer is not wanted any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The flag that tells so.
    pub(crate) fn cancel(&self) -> &AtomicBool {
        &self.cancel
    }

    /// Tells something that was found before the answer is complete.
    pub(crate) fn tell(&self, line: Value) {
        // Nobody is there to tell when the client has gone away.
        let _ = self.events.send(Event::Line(line));
    }
}
