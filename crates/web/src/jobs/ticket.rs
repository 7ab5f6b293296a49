//! A job as whoever waits for it sees it.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use pegwise_solve::{Meter, clock::Moment};
use serde_json::{Value, json};
use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{self, Instant},
};

use super::pool::Running;
use crate::error::ApiError;

/// What a worker reports.
#[derive(Debug)]
pub(crate) enum Event {
    Started,
    Line(Value),
    Done(Result<Value, ApiError>),
}

/// What the holder of a ticket learns.
#[derive(Debug, PartialEq)]
pub(crate) enum News {
    /// Something found on the way.
    Line(Value),
    /// Nothing new for a while.
    Tick,
    /// The end.
    Done(Result<Value, ApiError>),
}

/// A job that was taken on. Dropping it stops the job.
#[derive(Debug)]
pub(crate) struct Ticket {
    pub(super) id: u64,
    pub(super) cancel: Arc<AtomicBool>,
    pub(super) meter: Arc<Meter>,
    pub(super) events: UnboundedReceiver<Event>,
    pub(super) running: Weak<Running>,
    /// When it was taken on, and then when work on it began.
    pub(super) since: Moment,
    /// Time that it may take from then on.
    pub(super) allowed: Duration,
    pub(super) started: bool,
    /// Whether the time was up, and only the grace is left.
    pub(super) overdue: bool,
}

/// How long a strategy that was told to stop may take to come up with the best it has.
const GRACE: Duration = Duration::from_secs(3);

impl Ticket {
    /// The name by which the job can be stopped.
    pub(crate) fn name(&self) -> String {
        format!("{:016x}", self.id)
    }

    /// How the job gets on.
    pub(crate) fn progress(&self) -> Value {
        let seconds = self.since.elapsed().as_secs_f64();
        let state = if self.started { "working" } else { "waiting" };
        json!({ "state": state, "seconds": seconds, "examined": self.meter.examined(), "nodes": self.meter.nodes() })
    }

    /// Waits for the next news, at most for the time of a tick.
    pub(crate) async fn next(&mut self, tick: Duration) -> News {
        let next_tick = Instant::now() + tick;
        loop {
            let left = self.allowed.saturating_sub(self.since.elapsed());
            let left = left.min(next_tick.saturating_duration_since(Instant::now()));
            match time::timeout(left, self.events.recv()).await {
                Ok(Some(Event::Started)) => (self.started, self.since) = (true, Moment::now()),
                Ok(Some(Event::Line(line))) => return News::Line(line),
                Ok(Some(Event::Done(result))) => return News::Done(result),
                Ok(None) => return News::Done(Err(ApiError::broken())),
                Err(_) if self.since.elapsed() >= self.allowed => {
                    self.cancel.store(true, Ordering::Relaxed);
                    match (self.started, self.overdue) {
                        (false, _) => return News::Done(Err(ApiError::busy())),
                        (true, true) => return News::Done(Err(ApiError::too_late())),
                        // It may have something to show.
                        (true, false) => (self.overdue, self.allowed) = (true, self.since.elapsed() + GRACE),
                    }
                }
                Err(_) => return News::Tick,
            }
        }
    }

    /// Waits for the end.
    pub(crate) async fn result(mut self) -> Result<Value, ApiError> {
        const LONG: Duration = Duration::from_secs(3600);
        loop {
            if let News::Done(result) = self.next(LONG).await {
                return result;
            }
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
        if let Some(running) = self.running.upgrade() {
            running.forget(self.id);
        }
    }
}
