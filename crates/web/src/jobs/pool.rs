//! The workers.
//!
//! Each worker computes on its own thread and nowhere else: it is a pool of one for the parallel parts of the
//! strategies. So a question that could keep all cores busy for long takes one core, and the operating system shares
//! the cores among the workers. Quick questions have workers and a queue of their own.

use std::{
    collections::HashMap,
    hash::{BuildHasher as _, RandomState},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use pegwise_solve::Meter;
use serde_json::Value;
use tokio::sync::mpsc;

use super::{
    desk::Desk,
    queue::{Client, Queue},
    ticket::{Event, Ticket},
};
use crate::{
    error::ApiError,
    limits::{Limits, Weight},
};

type Work = Box<dyn FnOnce(&Desk) -> Result<Value, ApiError> + Send>;

struct Job {
    desk: Desk,
    work: Work,
}

/// A queue, and those who work on it.
struct Lane {
    queue: Mutex<Queue<Job>>,
    arrived: Condvar,
    busy: AtomicUsize,
    closed: AtomicBool,
}

/// The jobs that can be stopped, by their ids.
#[derive(Debug, Default)]
pub(crate) struct Running(Mutex<HashMap<u64, Arc<AtomicBool>>>);

impl Running {
    fn jobs(&self) -> MutexGuard<'_, HashMap<u64, Arc<AtomicBool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn forget(&self, id: u64) {
        self.jobs().remove(&id);
    }
}

/// The workers and what waits for them.
pub(crate) struct Pool {
    light: Arc<Lane>,
    heavy: Arc<Lane>,
    running: Arc<Running>,
    patience: Duration,
    ids: RandomState,
    next: AtomicUsize,
}

/// How busy a pool is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Load {
    /// Workers at work.
    pub(crate) working: usize,
    /// Requests that wait for one.
    pub(crate) waiting: usize,
}

impl Pool {
    /// Starts the workers.
    pub(crate) fn new(limits: &Limits) -> io::Result<Self> {
        let lane = |name: &str, workers: usize| {
            let lane = Arc::new(Lane {
                queue: Mutex::new(Queue::new(limits.queue)),
                arrived: Condvar::new(),
                busy: AtomicUsize::new(0),
                closed: AtomicBool::new(false),
            });
            for number in 1..=workers {
                let lane = Arc::clone(&lane);
                thread::Builder::new().name(format!("{name} {number}")).spawn(move || lane.serve())?;
            }
            io::Result::Ok(lane)
        };
        let workers = limits.workers.max(1);
        Ok(Self {
            light: lane("light", workers)?,
            heavy: lane("heavy", workers.div_ceil(2))?,
            running: Arc::default(),
            patience: limits.time,
            ids: RandomState::new(),
            next: AtomicUsize::new(0),
        })
    }

    /// Takes on a job, unless too many wait already.
    pub(crate) fn submit(
        &self,
        client: Client,
        weight: Weight,
        work: impl FnOnce(&Desk) -> Result<Value, ApiError> + Send + 'static,
    ) -> Result<Ticket, ApiError> {
        let (sender, events) = mpsc::unbounded_channel();
        let (cancel, meter) = (Arc::<AtomicBool>::default(), Arc::<Meter>::default());
        let desk = Desk { cancel: Arc::clone(&cancel), meter: Arc::clone(&meter), events: sender };
        let lane = match weight {
            Weight::Light => &self.light,
            Weight::Heavy => &self.heavy,
        };
        lane.queue().push(client, Job { desk, work: Box::new(work) }).map_err(|_| ApiError::busy())?;
        lane.arrived.notify_one();
        // Ids cannot be guessed, so nobody stops the job of another.
        let id = self.ids.hash_one(self.next.fetch_add(1, Ordering::Relaxed));
        self.running.jobs().insert(id, Arc::clone(&cancel));
        let running = Arc::downgrade(&self.running);
        let patience = self.patience;
        Ok(Ticket { id, cancel, meter, events, running, patience, since: Instant::now(), started: false })
    }

    /// Stops a job; it answers with the best it has. Whether there is such a job.
    pub(crate) fn stop(&self, name: &str) -> bool {
        let Ok(id) = u64::from_str_radix(name, 16) else { return false };
        let job = self.running.jobs().get(&id).cloned();
        job.inspect(|cancel| cancel.store(true, Ordering::Relaxed)).is_some()
    }

    pub(crate) fn load(&self) -> Load {
        let lanes = [&self.light, &self.heavy];
        Load {
            working: lanes.iter().map(|lane| lane.busy.load(Ordering::Relaxed)).sum(),
            waiting: lanes.iter().map(|lane| lane.queue().waiting()).sum(),
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for cancel in self.running.jobs().values() {
            cancel.store(true, Ordering::Relaxed);
        }
        for lane in [&self.light, &self.heavy] {
            // Under the lock, so that no worker misses it between its look and its sleep.
            let queue = lane.queue();
            lane.closed.store(true, Ordering::Relaxed);
            drop(queue);
            lane.arrived.notify_all();
        }
    }
}

impl Lane {
    fn queue(&self) -> MutexGuard<'_, Queue<Job>> {
        // A queue is whole between any two of its operations.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self) {
        // Without a pool of its own a worker still works, on the threads of all.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        while let Some(job) = self.next() {
            self.busy.fetch_add(1, Ordering::Relaxed);
            match &alone {
                Ok(pool) => pool.install(|| job.run()),
                Err(_) => job.run(),
            }
            self.busy.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if self.closed.load(Ordering::Relaxed) {
                return None;
            }
            match queue.pop() {
                Some(job) if job.desk.events.is_closed() => {}
                Some(job) => return Some(job),
                None => queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl Job {
    fn run(self) {
        let Self { desk, work } = self;
        // Nobody is there to tell when the client has gone away.
        let _ = desk.events.send(Event::Started);
        let result = catch_unwind(AssertUnwindSafe(|| work(&desk))).unwrap_or_else(|_| Err(ApiError::broken()));
        let _ = desk.events.send(Event::Done(result));
    }
}
