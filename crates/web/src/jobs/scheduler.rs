//! Scheduler: worker pools and job handles.

use std::{
    collections::HashMap,
    hash::{BuildHasher as _, RandomState},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use pegwise_solve::{Meter, clock::Moment};
use serde_json::{Value, json};
use tokio::{
    sync::mpsc::{self, UnboundedReceiver, UnboundedSender},
    time::{self, Instant},
};

use super::{
    JobContext, JobWork,
    queue::{ClientId, FairQueue},
};
use crate::{
    error::ApiError,
    limits::{CostClass, ServerLimits},
};

/// Interval between checks for stuck workers.
const REAP_INTERVAL: Duration = Duration::from_millis(250);
/// Time that a cancelled job has to stop before its worker is abandoned.
const STOP_GRACE: Duration = Duration::from_secs(3);
/// Time that a job has to return its best result once its time is up.
const RESULT_GRACE: Duration = Duration::from_secs(3);

/// Event sent by a worker.
#[derive(Debug)]
enum JobEvent {
    Started,
    Line(String),
    Done(Result<String, ApiError>),
}

/// Update of a job, as received from its [`JobHandle`].
#[derive(Debug, PartialEq)]
pub(crate) enum JobUpdate {
    /// Intermediate result.
    Line(String),
    /// No event within the tick.
    Tick,
    /// Final answer.
    Done(Result<String, ApiError>),
}

/// Handle to a submitted job. Dropping it cancels the job.
#[derive(Debug)]
pub(crate) struct JobHandle {
    id: u64,
    cancel: Arc<AtomicBool>,
    meter: Arc<Meter>,
    events: UnboundedReceiver<JobEvent>,
    registry: Weak<JobRegistry>,
    /// Time of submission, then of the start.
    since: Moment,
    /// Time allowed from `since` on.
    allowed: Duration,
    started: bool,
    /// True once the time is up and only the grace period remains.
    overdue: bool,
}

impl JobHandle {
    /// Returns the name by which the job can be stopped.
    pub(crate) fn name(&self) -> String {
        format!("{:016x}", self.id)
    }

    pub(crate) fn progress(&self) -> Value {
        let seconds = self.since.elapsed().as_secs_f64();
        let state = if self.started { "working" } else { "waiting" };
        let (examined, nodes) = (self.meter.examined(), self.meter.nodes());
        json!({ "state": state, "seconds": seconds, "examined": examined, "nodes": nodes })
    }

    /// Waits for the next update, at most for `tick`.
    pub(crate) async fn next(&mut self, tick: Duration) -> JobUpdate {
        let next_tick = Instant::now() + tick;
        loop {
            let left = self.allowed.saturating_sub(self.since.elapsed());
            let left = left.min(next_tick.saturating_duration_since(Instant::now()));
            match time::timeout(left, self.events.recv()).await {
                Ok(Some(JobEvent::Started)) => (self.started, self.since) = (true, Moment::now()),
                Ok(Some(JobEvent::Line(line))) => return JobUpdate::Line(line),
                Ok(Some(JobEvent::Done(result))) => return JobUpdate::Done(result),
                Ok(None) => return JobUpdate::Done(Err(ApiError::internal())),
                Err(_) if self.since.elapsed() >= self.allowed => {
                    self.cancel.store(true, Ordering::Relaxed);
                    match (self.started, self.overdue) {
                        (false, _) => return JobUpdate::Done(Err(ApiError::busy())),
                        (true, true) => return JobUpdate::Done(Err(ApiError::time_limit())),
                        (true, false) => {
                            (self.overdue, self.allowed) = (true, self.since.elapsed() + RESULT_GRACE);
                        }
                    }
                }
                Err(_) => return JobUpdate::Tick,
            }
        }
    }

    /// Waits for the final answer.
    pub(crate) async fn result(mut self) -> Result<String, ApiError> {
        const LONG: Duration = Duration::from_secs(3600);
        loop {
            if let JobUpdate::Done(result) = self.next(LONG).await {
                return result;
            }
        }
    }
}

impl Drop for JobHandle {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
        if let Some(registry) = self.registry.upgrade() {
            registry.jobs().remove(&self.id);
        }
    }
}

struct QueuedJob {
    cancel: Arc<AtomicBool>,
    meter: Arc<Meter>,
    events: UnboundedSender<JobEvent>,
    /// Time until which it may wait.
    deadline: Option<Moment>,
    work: JobWork,
}

impl QueuedJob {
    fn run(self) {
        let Self { cancel, meter, events, work, .. } = self;
        // Sending fails if the client has disconnected.
        let _ = events.send(JobEvent::Started);
        let lines = events.clone();
        let report = move |line| {
            let _ = lines.send(JobEvent::Line(line));
        };
        let context = JobContext::new(cancel, meter, Box::new(report));
        let result = catch_unwind(AssertUnwindSafe(|| work(&context))).unwrap_or_else(|_| Err(ApiError::internal()));
        let _ = events.send(JobEvent::Done(result));
    }
}

/// Cancellation flags of the unfinished jobs, by id.
#[derive(Debug, Default)]
struct JobRegistry(Mutex<HashMap<u64, Arc<AtomicBool>>>);

impl JobRegistry {
    fn jobs(&self) -> MutexGuard<'_, HashMap<u64, Arc<AtomicBool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Worker pools of all cost classes.
pub(crate) struct Scheduler {
    pools: [Arc<WorkerPool>; 3],
    registry: Arc<JobRegistry>,
    time_limit: Duration,
    ids: RandomState,
    next: AtomicUsize,
}

/// Load of a scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Load {
    /// Busy workers.
    pub(crate) working: usize,
    /// Jobs in the queues.
    pub(crate) waiting: usize,
}

impl Scheduler {
    /// Starts the workers.
    pub(crate) fn new(limits: &ServerLimits) -> io::Result<Self> {
        let workers = limits.workers.max(1);
        let others = workers.div_ceil(2);
        let pool = |name, workers| WorkerPool::start(name, workers, limits);
        Ok(Self {
            pools: [pool("light", workers)?, pool("medium", others)?, pool("heavy", others)?],
            registry: Arc::default(),
            time_limit: limits.time,
            ids: RandomState::new(),
            next: AtomicUsize::new(0),
        })
    }

    /// Submits a job. Returns an error if the queue is full of jobs of clients that do not have more.
    pub(crate) fn submit(
        &self,
        client: ClientId,
        cost: CostClass,
        work: impl FnOnce(&JobContext) -> Result<String, ApiError> + Send + 'static,
    ) -> Result<JobHandle, ApiError> {
        let (sender, events) = mpsc::unbounded_channel();
        let (cancel, meter) = (Arc::<AtomicBool>::default(), Arc::<Meter>::default());
        let pool = &self.pools[cost as usize];
        let job = QueuedJob {
            cancel: Arc::clone(&cancel),
            meter: Arc::clone(&meter),
            events: sender,
            deadline: Moment::after(self.time_limit),
            work: Box::new(work),
        };
        let mut queue = pool.queue();
        if queue.is_full() {
            // The clients of some jobs may have disconnected.
            queue.retain(|job| !job.events.is_closed());
        }
        let displaced = queue.push(client, job);
        drop(queue);
        if let Some(displaced) = displaced {
            // Fails if its client has disconnected.
            let _ = displaced.events.send(JobEvent::Done(Err(ApiError::busy())));
        }
        pool.arrived.notify_one();
        // Ids are unpredictable, so that a client cannot stop the jobs of others.
        let id = self.ids.hash_one(self.next.fetch_add(1, Ordering::Relaxed));
        self.registry.jobs().insert(id, Arc::clone(&cancel));
        let registry = Arc::downgrade(&self.registry);
        let (since, allowed) = (Moment::now(), self.time_limit);
        Ok(JobHandle { id, cancel, meter, events, registry, since, allowed, started: false, overdue: false })
    }

    /// Cancels a job, which then returns its best result. Returns false if there is no such job.
    pub(crate) fn stop(&self, name: &str) -> bool {
        let Ok(id) = u64::from_str_radix(name, 16) else { return false };
        let job = self.registry.jobs().get(&id).cloned();
        job.inspect(|cancel| cancel.store(true, Ordering::Relaxed)).is_some()
    }

    /// Returns the number of abandoned workers that are still running.
    pub(crate) fn abandoned_workers(&self) -> usize {
        self.pools.iter().map(|pool| pool.abandoned_workers.load(Ordering::Relaxed)).sum()
    }

    pub(crate) fn load(&self) -> Load {
        Load {
            working: self.pools.iter().map(|pool| pool.busy.load(Ordering::Relaxed)).sum(),
            waiting: self.pools.iter().map(|pool| pool.queue().len()).sum(),
        }
    }
}

impl Drop for Scheduler {
    fn drop(&mut self) {
        for cancel in self.registry.jobs().values() {
            cancel.store(true, Ordering::Relaxed);
        }
        for pool in &self.pools {
            // Set under the lock, so that no worker misses it between its check and its wait.
            let queue = pool.queue();
            pool.closed.store(true, Ordering::Relaxed);
            drop(queue);
            pool.arrived.notify_all();
        }
    }
}

/// A queue and its workers.
struct WorkerPool {
    name: &'static str,
    queue: Mutex<FairQueue<QueuedJob>>,
    arrived: Condvar,
    busy: AtomicUsize,
    closed: AtomicBool,
    running: Mutex<Vec<RunningJob>>,
    /// Abandoned workers that are still running.
    abandoned_workers: AtomicUsize,
    max_abandoned: usize,
}

/// A job in progress.
struct RunningJob {
    cancel: Arc<AtomicBool>,
    /// True if its worker is abandoned.
    abandoned: Arc<AtomicBool>,
    started: Moment,
    /// Time at which the cancellation was first noticed.
    cancelled: Option<Moment>,
}

impl WorkerPool {
    fn start(name: &'static str, workers: usize, limits: &ServerLimits) -> io::Result<Arc<Self>> {
        let pool = Arc::new(Self {
            name,
            queue: Mutex::new(FairQueue::new(limits.queue)),
            arrived: Condvar::new(),
            busy: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            running: Mutex::default(),
            abandoned_workers: AtomicUsize::new(0),
            max_abandoned: workers,
        });
        for _ in 0..workers {
            Self::spawn_worker(&pool)?;
        }
        let (weak, time_limit) = (Arc::downgrade(&pool), limits.time);
        let reap = move || {
            while let Some(pool) = weak.upgrade() {
                pool.reap_stuck_workers(time_limit, STOP_GRACE);
                drop(pool);
                thread::sleep(REAP_INTERVAL);
            }
        };
        thread::Builder::new().name(format!("{name} reaper")).spawn(reap)?;
        Ok(pool)
    }

    fn queue(&self) -> MutexGuard<'_, FairQueue<QueuedJob>> {
        // The operations of the queue do not panic, so a poisoned queue is intact.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, Vec<RunningJob>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn spawn_worker(pool: &Arc<Self>) -> io::Result<()> {
        let worker = Arc::clone(pool);
        thread::Builder::new().name(pool.name.to_owned()).spawn(move || worker.run_jobs()).map(drop)
    }

    fn run_jobs(&self) {
        // If this fails, parallel parts run on the global pool.
        let single_thread = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        while let Some(job) = self.next() {
            self.busy.fetch_add(1, Ordering::Relaxed);
            let abandoned = Arc::<AtomicBool>::default();
            self.running().push(RunningJob {
                cancel: Arc::clone(&job.cancel),
                abandoned: Arc::clone(&abandoned),
                started: Moment::now(),
                cancelled: None,
            });
            match &single_thread {
                Ok(pool) => pool.install(|| job.run()),
                Err(_) => job.run(),
            }
            self.running().retain(|running| !Arc::ptr_eq(&running.abandoned, &abandoned));
            if abandoned.load(Ordering::Relaxed) {
                // Its replacement counts as busy or idle instead.
                self.abandoned_workers.fetch_sub(1, Ordering::Relaxed);
                return;
            }
            self.busy.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Abandons and replaces workers that run longer than `time_limit` allows, or that do not stop within `grace` of
    /// their cancellation.
    fn reap_stuck_workers(self: &Arc<Self>, time_limit: Duration, grace: Duration) {
        let mut running = self.running();
        for job in running.iter_mut().filter(|job| !job.abandoned.load(Ordering::Relaxed)) {
            if job.cancelled.is_none() && job.cancel.load(Ordering::Relaxed) {
                job.cancelled = Some(Moment::now());
            }
            let is_stuck = job.cancelled.is_some_and(|cancelled| cancelled.elapsed() >= grace)
                || job.started.elapsed() >= time_limit.saturating_add(2 * grace);
            if !is_stuck || self.abandoned_workers.load(Ordering::Relaxed) >= self.max_abandoned {
                continue;
            }
            job.cancel.store(true, Ordering::Relaxed);
            self.abandoned_workers.fetch_add(1, Ordering::Relaxed);
            job.abandoned.store(true, Ordering::Relaxed);
            self.busy.fetch_sub(1, Ordering::Relaxed);
            if Self::spawn_worker(self).is_err() {
                // Without a replacement the worker is kept.
                job.abandoned.store(false, Ordering::Relaxed);
                self.abandoned_workers.fetch_sub(1, Ordering::Relaxed);
                self.busy.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Waits for the next job. Returns `None` if the pool is closed.
    fn next(&self) -> Option<QueuedJob> {
        let mut queue = self.queue();
        loop {
            if self.closed.load(Ordering::Relaxed) {
                return None;
            }
            match queue.pop() {
                // The client has disconnected.
                Some(job) if job.events.is_closed() => {}
                Some(job) if job.deadline.is_some_and(Moment::has_come) => {
                    // Fails if its client has disconnected since.
                    let _ = job.events.send(JobEvent::Done(Err(ApiError::busy())));
                }
                Some(job) => return Some(job),
                None => queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{net::SocketAddr, sync::mpsc as channel};

    use super::*;

    /// A job that ignores its cancellation does not block its pool.
    #[test]
    fn stuck_workers_are_abandoned_and_replaced() {
        let scheduler = Scheduler::new(&ServerLimits { workers: 1, ..ServerLimits::default() }).unwrap();
        let client = || ClientId::from(SocketAddr::from(([127, 0, 0, 1], 1)));
        let (release, held) = channel::channel::<()>();
        let (begin, begun) = channel::channel();
        let stuck = scheduler.submit(client(), CostClass::Heavy, move |_| {
            let _ = begin.send(());
            let _ = held.recv();
            Ok(String::new())
        });
        begun.recv().unwrap();
        let (send, receive) = channel::channel();
        let next = scheduler.submit(client(), CostClass::Heavy, move |_| {
            let _ = send.send(());
            Ok(String::new())
        });
        drop(stuck.unwrap());
        scheduler.pools[2].reap_stuck_workers(Duration::MAX, Duration::ZERO);
        receive.recv_timeout(Duration::from_secs(600)).expect("another worker takes the next job");
        assert_eq!(scheduler.abandoned_workers(), 1);
        drop((next.unwrap(), release));
    }
}
