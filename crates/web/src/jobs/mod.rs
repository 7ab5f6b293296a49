//! Background jobs: bounded fair queues, worker threads, and handles to the running jobs.
//!
//! A [`Scheduler`] accepts a job with a [`CostClass`] and returns a [`JobHandle`], which receives the updates of the job.
//! Dropping the handle, for example because the client disconnected, cancels the job. Each cost class has a
//! [`WorkerPool`] of its own. Without the feature `server` only the [`JobContext`] is used, and jobs run on the caller's
//! thread.
//!
//! A worker runs its job on a single thread, also the parallel parts of the strategies, so that a question that could use
//! all cores for a long time uses one. A worker that does not stop after its job was cancelled or its time is up is
//! abandoned: another takes its place, and the abandoned worker ends with its job. Their number is limited, because each
//! still uses a core.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use pegwise_solve::{Meter, Search, clock::Moment};
use serde::Serialize;

use crate::error::ApiError;

#[cfg(feature = "server")]
mod queue;
#[cfg(feature = "server")]
mod scheduler;

#[cfg(feature = "server")]
pub(crate) use self::{
    queue::ClientId,
    scheduler::{JobHandle, JobUpdate, Scheduler},
};

/// Work of a job; returns the answer as JSON.
pub(crate) type JobWork = Box<dyn FnOnce(&JobContext) -> Result<String, ApiError> + Send>;

/// Callback that receives intermediate results as JSON.
type Reporter = Box<dyn Fn(String) + Send>;

/// State of a job that its work can use: cancellation, search counters, intermediate results.
pub(crate) struct JobContext {
    cancel: Arc<AtomicBool>,
    meter: Arc<Meter>,
    reporter: Reporter,
    since: Moment,
}

impl fmt::Debug for JobContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobContext").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

impl JobContext {
    pub(crate) fn new(cancel: Arc<AtomicBool>, meter: Arc<Meter>, reporter: Reporter) -> Self {
        Self { cancel, meter, reporter, since: Moment::now() }
    }

    /// Creates a search that stops when the job is cancelled or its time is up.
    ///
    /// `time` is the thinking time of a strategy. The server's limit is not passed on, because strategies use all the time
    /// they are given.
    pub(crate) fn search(&self, seed: u64, time: Option<Duration>) -> Search<'_> {
        let limits = pegwise_solve::Limits { time, ..Default::default() };
        Search::new(seed).with_limits(limits).with_cancel(&self.cancel).with_meter(&self.meter)
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    #[cfg(feature = "server")]
    pub(crate) fn cancel_flag(&self) -> &AtomicBool {
        &self.cancel
    }

    /// Returns the seconds since the job began; zero without a clock.
    pub(crate) fn seconds(&self) -> f64 {
        self.since.elapsed().as_secs_f64()
    }

    /// Sends an intermediate result to the client.
    pub(crate) fn report(&self, line: &impl Serialize) {
        // Intermediate results are optional, so one that cannot be serialized is dropped.
        if let Ok(line) = serde_json::to_string(line) {
            (self.reporter)(line);
        }
    }
}
