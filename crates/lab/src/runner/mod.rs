//! Plays the games of an experiment and keeps them.
//!
//! Threads take a few games at a time from the [`plan`](Plan), play them, and hand them to the one that writes. It writes
//! what came in every tenth of a second, so that whatever happens to the process, little is lost. Which thread plays a game
//! changes nothing about it.

mod plan;
mod shard;

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use pegwise_solve::{GameError, catalog::CatalogError};

use self::plan::{Plan, Task};
pub use self::shard::{Shard, ShardError};
use crate::{
    experiment::{Cell, Experiment},
    player::Player,
    provenance::Origin,
    store::{Batch, Codec, Mixing, Store, StoreError},
};

/// How long a finished game waits at most before it is written.
const PAUSE: Duration = Duration::from_millis(100);
/// How many games wait at most before they are written.
const MOST_WAITING: usize = 1 << 14;
/// How many handfuls of games may be on their way to the one that writes: bounds the memory when the disk is slow.
const MOST_HANDFULS: usize = 64;

/// Runs an experiment.
#[derive(Debug, Clone, Copy)]
pub struct Runner<'a> {
    experiment: &'a Experiment,
    threads: usize,
    shard: Shard,
    mixing: Mixing,
    date: Option<&'a str>,
    cancel: Option<&'a AtomicBool>,
}

/// How far a run is, for whoever watches it from another thread.
#[derive(Debug, Default)]
pub struct Progress {
    /// Games that are to be played in all, once that is known.
    pub total: AtomicU64,
    /// Games that are finished, those of earlier runs included.
    pub done: AtomicU64,
    /// Guesses of the finished games.
    pub guesses: AtomicU64,
}

impl Progress {
    fn add(&self, games: u64, guesses: u64) {
        self.done.fetch_add(games, Ordering::Relaxed);
        self.guesses.fetch_add(guesses, Ordering::Relaxed);
    }

    /// Guesses a game, so far.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let games = self.done.load(Ordering::Relaxed);
        self.guesses.load(Ordering::Relaxed) as f64 / games.max(1) as f64
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// All games are kept.
    Finished,
    /// Somebody cancelled; all games finished until then are kept.
    Cancelled,
}

/// Why a run could not go on. The games finished before are kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A strategy could not be made.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A strategy gave up.
    #[error("{strategy} at {rules}, game {number}: {error}")]
    Game {
        /// The strategy.
        strategy: String,
        /// The rules.
        rules: String,
        /// The game's number.
        number: u64,
        /// Why.
        error: Box<GameError>,
    },
}

impl<'a> Runner<'a> {
    /// A run of the whole experiment on one thread.
    #[must_use]
    pub fn new(experiment: &'a Experiment) -> Self {
        Self { experiment, threads: 1, shard: Shard::default(), mixing: Mixing::Refused, date: None, cancel: None }
    }

    /// The same run on this many threads; the rows are the same on any number.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// The same run, but of a part of the games.
    #[must_use]
    pub fn with_shard(mut self, shard: Shard) -> Self {
        self.shard = shard;
        self
    }

    /// The same run, with or without regard to how the program behaves that played the games that are there already.
    #[must_use]
    pub fn with_mixing(mut self, mixing: Mixing) -> Self {
        self.mixing = mixing;
        self
    }

    /// The same run as a part of one that began at this date, which then is the date of its games too: so that the many parts
    /// of a run have one origin for each machine.
    #[must_use]
    pub fn with_date(mut self, date: &'a str) -> Self {
        self.date = Some(date);
        self
    }

    /// The same run with a flag that ends it.
    #[must_use]
    pub fn with_cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Plays all games that the store does not have yet.
    pub fn run(self, store: &mut Store, progress: &Progress) -> Result<RunEnd, RunError> {
        let never = AtomicBool::new(false);
        let cancel = self.cancel.unwrap_or(&never);
        let mut origin = Origin::here(self.threads);
        if let Some(date) = self.date {
            date.clone_into(&mut origin.date);
        }
        store.begin_as(origin, self.experiment, self.mixing)?;
        let plan = Plan::new(self.experiment, self.shard, store, progress)?;
        let run = Run { experiment: self.experiment, plan: Mutex::new(plan), cancel, over: AtomicBool::new(false) };
        let (sender, receiver) = mpsc::sync_channel(MOST_HANDFULS);
        thread::scope(|scope| {
            let run = &run;
            let workers: Vec<_> = (0..self.threads)
                .map(|_| {
                    let sender = sender.clone();
                    scope.spawn(move || run.work(&sender))
                })
                .collect();
            // With the last worker the last sender goes, and then there is nothing more to write.
            drop(sender);
            let written = write(&receiver, store, progress);
            // Workers that still play find nobody to hand games to.
            run.over.store(true, Ordering::Relaxed);
            drop(receiver);
            let joined = workers.into_iter().map(|worker| match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            let worked: Vec<Result<(), RunError>> = joined.collect();
            written?;
            worked.into_iter().collect::<Result<(), _>>()
        })?;
        Ok(if cancel.load(Ordering::Relaxed) { RunEnd::Cancelled } else { RunEnd::Finished })
    }
}

/// What the threads of a run share.
struct Run<'a> {
    experiment: &'a Experiment,
    plan: Mutex<Plan>,
    cancel: &'a AtomicBool,
    /// Raised by the first that fails, so that the others end too.
    over: AtomicBool,
}

impl Run<'_> {
    fn is_over(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.over.load(Ordering::Relaxed)
    }

    /// The next few games. The plan is free again when this returns: a lock taken in the head of a loop would be held
    /// through its body, and only one thread would play at a time.
    fn take(&self) -> Option<Task> {
        self.plan.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }

    /// Plays games until there are no more.
    fn work(&self, sender: &SyncSender<Batch>) -> Result<(), RunError> {
        let result = self.play(sender);
        if result.is_err() {
            self.over.store(true, Ordering::Relaxed);
        }
        result
    }

    fn play(&self, sender: &SyncSender<Batch>) -> Result<(), RunError> {
        let mut player: Option<(Player, Codec)> = None;
        while let Some(task) = self.take() {
            if player.as_ref().is_none_or(|(player, _)| player.cell().id != task.cell.id) {
                let codec = Codec::new(&task.cell.rules);
                let made = Player::new(Cell::clone(&task.cell), self.experiment.seed(), self.experiment.limits())?;
                player = Some((made, codec));
            }
            let Some((player, codec)) = &mut player else { return Ok(()) };
            let mut games = Batch::default();
            let mut sent = Instant::now();
            for &number in &task.numbers {
                let played = player.play(number, self.cancel).map_err(|error| RunError::Game {
                    strategy: task.cell.strategy.to_string(),
                    rules: task.cell.rules.to_string(),
                    number,
                    error: Box::new(error),
                })?;
                // A cancelled guess may be another than the strategy would have made.
                if self.is_over() {
                    break;
                }
                games.push(task.cell.id, number, *codec, &played);
                if sent.elapsed() > PAUSE {
                    sent = Instant::now();
                    if sender.send(std::mem::take(&mut games)).is_err() {
                        return Ok(());
                    }
                }
            }
            if sender.send(games).is_err() || self.is_over() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Writes games until all who play are done.
fn write(receiver: &Receiver<Batch>, store: &mut Store, progress: &Progress) -> Result<(), StoreError> {
    let mut playing = true;
    while playing {
        let (mut batches, mut games) = (Vec::new(), 0);
        let until = Instant::now() + PAUSE;
        while playing && games < MOST_WAITING {
            match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(batch) => {
                    games += batch.len();
                    batches.push(batch);
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => playing = false,
            }
        }
        if games > 0 {
            // Neighbors in the file are written together.
            batches.sort_unstable_by_key(Batch::first);
            store.insert(&batches)?;
            progress.add(games as u64, batches.iter().map(Batch::guesses).sum());
        }
    }
    Ok(())
}
