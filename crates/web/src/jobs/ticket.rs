//! A job as whoever waits for it sees it.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use pegwise_solve::Meter;
use serde_json::{Value, json};
use tokio::{sync::mpsc::UnboundedReceiver, time};

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
    pub(super) patience: Duration,
    /// When it was taken on, and then when work on it began.
    pub(super) since: Instant,
    pub(super) started: bool,
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
            let deadline = match (self.started, self.cancel.load(Ordering::Relaxed)) {
                (true, true) => self.patience + GRACE,
                _ => self.patience,
            };
            let deadline = self.since + deadline;
            match time::timeout_at(deadline.min(next_tick).into(), self.events.recv()).await {
                Ok(Some(Event::Started)) => (self.started, self.since) = (true, Instant::now()),
                Ok(Some(Event::Line(line))) => return News::Line(line),
                Ok(Some(Event::Done(result))) => return News::Done(result),
                Ok(None) => return News::Done(Err(ApiError::broken())),
                Err(_) if Instant::now() >= deadline => {
                    let stopped = self.cancel.swap(true, Ordering::Relaxed);
                    match (self.started, stopped) {
                        (false, _) => return News::Done(Err(ApiError::busy())),
                        (true, true) => return News::Done(Err(ApiError::too_late())),
                        // It may have something to show.
                        (true, false) => {}
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
