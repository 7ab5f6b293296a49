//! The workers.
//!
//! Each worker computes on its own thread and nowhere else: it is a pool of one for the parallel parts of the
//! strategies. So a question that could keep all cores busy for long takes one core, and the operating system shares
//! the cores among the workers. Questions of each rank have workers and a queue of their own.
//!
//! A worker that does not come back, though its job was stopped or its time is up, is given up: a watchman starts
//! another in its place, and it ends when its job does. So many may stray, and no more, since each still takes a core.

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
    time::Duration,
};

use pegwise_solve::{Meter, clock::Moment};
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
    cancel: Arc<AtomicBool>,
    meter: Arc<Meter>,
    events: mpsc::UnboundedSender<Event>,
    work: Work,
}

/// A queue, and those who work on it.
struct Lane {
    name: &'static str,
    queue: Mutex<Queue<Job>>,
    arrived: Condvar,
    busy: AtomicUsize,
    closed: AtomicBool,
    /// What the workers work on.
    posts: Mutex<Vec<Post>>,
    /// Workers that were given up and still work.
    strays: AtomicUsize,
    most_strays: usize,
}

/// A worker at work.
struct Post {
    cancel: Arc<AtomicBool>,
    given_up: Arc<AtomicBool>,
    started: Moment,
    stopped: Option<Moment>,
}

/// How often the watchman looks, and how long a worker whose job was stopped may take to come back.
const ROUND: Duration = Duration::from_millis(250);
const LATE: Duration = Duration::from_secs(3);

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
    lanes: [Arc<Lane>; 3],
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
        let lane = |name: &'static str, workers: usize| {
            let lane = Arc::new(Lane {
                name,
                queue: Mutex::new(Queue::new(limits.queue)),
                arrived: Condvar::new(),
                busy: AtomicUsize::new(0),
                closed: AtomicBool::new(false),
                posts: Mutex::default(),
                strays: AtomicUsize::new(0),
                most_strays: workers,
            });
            for _ in 0..workers {
                Lane::hire(&lane)?;
            }
            let (watched, patience) = (Arc::downgrade(&lane), limits.time);
            let watch = move || {
                while let Some(lane) = watched.upgrade() {
                    lane.look_around(patience, LATE);
                    drop(lane);
                    thread::sleep(ROUND);
                }
            };
            thread::Builder::new().name(format!("{name} watch")).spawn(watch)?;
            io::Result::Ok(lane)
        };
        let workers = limits.workers.max(1);
        let others = workers.div_ceil(2);
        Ok(Self {
            lanes: [lane("light", workers)?, lane("middle", others)?, lane("heavy", others)?],
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
        let lane = match weight {
            Weight::Light => &self.lanes[0],
            Weight::Middle => &self.lanes[1],
            Weight::Heavy => &self.lanes[2],
        };
        let job = Job { cancel: Arc::clone(&cancel), meter: Arc::clone(&meter), events: sender, work: Box::new(work) };
        lane.queue().push(client, job).map_err(|_| ApiError::busy())?;
        lane.arrived.notify_one();
        // Ids cannot be guessed, so nobody stops the job of another.
        let id = self.ids.hash_one(self.next.fetch_add(1, Ordering::Relaxed));
        self.running.jobs().insert(id, Arc::clone(&cancel));
        let running = Arc::downgrade(&self.running);
        let (since, allowed) = (Moment::now(), self.patience);
        Ok(Ticket { id, cancel, meter, events, running, since, allowed, started: false, overdue: false })
    }

    /// Stops a job; it answers with the best it has. Whether there is such a job.
    pub(crate) fn stop(&self, name: &str) -> bool {
        let Ok(id) = u64::from_str_radix(name, 16) else { return false };
        let job = self.running.jobs().get(&id).cloned();
        job.inspect(|cancel| cancel.store(true, Ordering::Relaxed)).is_some()
    }

    /// Workers that were given up and still work.
    pub(crate) fn strays(&self) -> usize {
        self.lanes.iter().map(|lane| lane.strays.load(Ordering::Relaxed)).sum()
    }

    pub(crate) fn load(&self) -> Load {
        Load {
            working: self.lanes.iter().map(|lane| lane.busy.load(Ordering::Relaxed)).sum(),
            waiting: self.lanes.iter().map(|lane| lane.queue().waiting()).sum(),
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for cancel in self.running.jobs().values() {
            cancel.store(true, Ordering::Relaxed);
        }
        for lane in &self.lanes {
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

    /// Starts a worker.
    fn hire(lane: &Arc<Self>) -> io::Result<()> {
        let worked = Arc::clone(lane);
        thread::Builder::new().name(lane.name.to_owned()).spawn(move || worked.serve()).map(drop)
    }

    fn posts(&self) -> MutexGuard<'_, Vec<Post>> {
        self.posts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self) {
        // Without a pool of its own a worker still works, on the threads of all.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        while let Some(job) = self.next() {
            self.busy.fetch_add(1, Ordering::Relaxed);
            let given_up = Arc::<AtomicBool>::default();
            let cancel = Arc::clone(&job.cancel);
            self.posts().push(Post { cancel, given_up: Arc::clone(&given_up), started: Moment::now(), stopped: None });
            match &alone {
                Ok(pool) => pool.install(|| job.run()),
                Err(_) => job.run(),
            }
            self.posts().retain(|post| !Arc::ptr_eq(&post.given_up, &given_up));
            if given_up.load(Ordering::Relaxed) {
                // Another works in this one's place, and counts as busy where this one did.
                self.strays.fetch_sub(1, Ordering::Relaxed);
                return;
            }
            self.busy.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Gives up workers that work for longer than `patience`, or that do not come back within `late` of being stopped, and
    /// starts others.
    fn look_around(self: &Arc<Self>, patience: Duration, late: Duration) {
        let mut posts = self.posts();
        for post in posts.iter_mut().filter(|post| !post.given_up.load(Ordering::Relaxed)) {
            if post.stopped.is_none() && post.cancel.load(Ordering::Relaxed) {
                post.stopped = Some(Moment::now());
            }
            let is_late = post.stopped.is_some_and(|stopped| stopped.elapsed() >= late)
                || post.started.elapsed() >= patience.saturating_add(2 * late);
            if !is_late || self.strays.load(Ordering::Relaxed) >= self.most_strays {
                continue;
            }
            post.cancel.store(true, Ordering::Relaxed);
            self.strays.fetch_add(1, Ordering::Relaxed);
            post.given_up.store(true, Ordering::Relaxed);
            self.busy.fetch_sub(1, Ordering::Relaxed);
            if Self::hire(self).is_err() {
                // No thread can be had: the worker is waited for after all.
                post.given_up.store(false, Ordering::Relaxed);
                self.strays.fetch_sub(1, Ordering::Relaxed);
                self.busy.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn next(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if self.closed.load(Ordering::Relaxed) {
                return None;
            }
            match queue.pop() {
                Some(job) if job.events.is_closed() => {}
                Some(job) => return Some(job),
                None => queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl Job {
    fn run(self) {
        let Self { cancel, meter, events, work } = self;
        // Nobody is there to tell when the client has gone away.
        let _ = events.send(Event::Started);
        let lines = events.clone();
        let tell = move |line| {
            let _ = lines.send(Event::Line(line));
        };
        let desk = Desk::new(cancel, meter, Box::new(tell));
        let result = catch_unwind(AssertUnwindSafe(|| work(&desk))).unwrap_or_else(|_| Err(ApiError::broken()));
        let _ = events.send(Event::Done(result));
    }
}

#[cfg(test)]
mod tests {
    use std::{net::SocketAddr, sync::mpsc as channel};

    use super::*;

    /// A job that no cancel button stops does not keep its lane.
    #[test]
    fn a_worker_that_does_not_come_back_is_given_up() {
        let pool = Pool::new(&Limits { workers: 1, ..Limits::default() }).unwrap();
        let client = || Client::from(SocketAddr::from(([127, 0, 0, 1], 1)));
        let (release, held) = channel::channel::<()>();
        let (begin, begun) = channel::channel();
        let deaf = pool.submit(client(), Weight::Heavy, move |_| {
            let _ = begin.send(());
            let _ = held.recv();
            Ok(Value::Null)
        });
        begun.recv().unwrap();
        let (tell, told) = channel::channel();
        let next = pool.submit(client(), Weight::Heavy, move |_| {
            let _ = tell.send(());
            Ok(Value::Null)
        });
        drop(deaf.unwrap());
        pool.lanes[2].look_around(Duration::MAX, Duration::ZERO);
        told.recv_timeout(Duration::from_secs(600)).expect("another worker takes the next job");
        assert_eq!(pool.strays(), 1);
        drop((next.unwrap(), release));
    }
}
