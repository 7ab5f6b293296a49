//! Plays the games of an experiment on several threads and stores them.
//!
//! Worker threads take batches of games from a [`GameQueue`], play them, and send them to the writing thread, which commits
//! them every tenth of a second, so that little is lost if the process ends. The result of a game does not depend on the
//! thread that plays it.

use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use pegwise_game::Code;
use pegwise_solve::catalog::{self, CatalogError};
use pegwise_solve::codemaker::{CodemakerError, Fixed};
use pegwise_solve::{Game, GameError, Limits, Rng, Search, Strategy, play, seeds};

use crate::experiment::{Experiment, ExperimentCell};
use crate::provenance::Origin;
use crate::store::{CodeCodec, Mixing, Store, StoreError, TrialBatch};

/// Maximum delay before a finished game is written.
const WRITE_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum number of games per transaction.
const MAX_PENDING_GAMES: usize = 1 << 14;
/// Maximum number of batches queued for writing, which bounds the memory on a slow disk.
const MAX_QUEUED_BATCHES: usize = 64;

/// Run of an experiment, with its options.
#[derive(Debug, Clone, Copy)]
pub struct Runner<'a> {
    /// Experiment.
    pub experiment: &'a Experiment,
    /// Number of threads, at least one, which does not change the results.
    pub threads: usize,
    /// Part of the games to play.
    pub shard: Shard,
    /// Policy for stored games of a version that plays differently.
    pub mixing: Mixing,
    /// Date of the origin, so that all parts of a distributed run have one origin per machine.
    pub date: Option<&'a str>,
    /// Flag that cancels the run.
    pub cancel: Option<&'a AtomicBool>,
}

/// Progress of a run, readable from other threads.
#[derive(Debug, Default)]
pub struct RunProgress {
    /// Total number of games, once known.
    pub total: AtomicU64,
    /// Number of finished games, including those of earlier runs.
    pub done: AtomicU64,
    /// Number of solved games among the finished ones.
    pub solved: AtomicU64,
    /// Guesses of the solved games.
    pub guesses: AtomicU64,
}

impl RunProgress {
    /// Adds finished games, with the guesses of those that were solved.
    pub(crate) fn add(&self, games: u64, solved: impl Iterator<Item = u64>) {
        for guesses in solved {
            self.solved.fetch_add(1, Ordering::Relaxed);
            self.guesses.fetch_add(guesses, Ordering::Relaxed);
        }
        self.done.fetch_add(games, Ordering::Relaxed);
    }

    /// Returns the mean guesses per solved game, or `None` if none is solved.
    pub fn mean(&self) -> Option<f64> {
        let solved = self.solved.load(Ordering::Relaxed);
        (solved > 0).then(|| self.guesses.load(Ordering::Relaxed) as f64 / solved as f64)
    }
}

/// End of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// All games are stored.
    Finished,
    /// The run was cancelled; all games finished before are stored.
    Cancelled,
}

/// Error of a run. The games finished before are stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A strategy could not be created.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// A strategy failed: the strategy, the rules, the number of the game, and the cause.
    #[error("{0} at {1}, game {2}: {3}")]
    Game(String, String, u64, Box<GameError>),
}

impl<'a> Runner<'a> {
    /// Creates a run of the whole experiment on one thread.
    pub fn new(experiment: &'a Experiment) -> Self {
        Self { experiment, threads: 1, shard: Shard::default(), mixing: Mixing::Refused, date: None, cancel: None }
    }

    /// Plays all games that are not in the store.
    pub fn run(self, store: &mut Store, progress: &RunProgress) -> Result<RunEnd, RunError> {
        let never = AtomicBool::new(false);
        let cancel = self.cancel.unwrap_or(&never);
        let threads = self.threads.max(1);
        let mut origin = Origin::current(threads);
        if let Some(date) = self.date {
            date.clone_into(&mut origin.date);
        }
        store.begin(origin, self.experiment, self.mixing)?;
        let queue = GameQueue::new(self.experiment, self.shard, store, progress)?;
        let run =
            RunState { experiment: self.experiment, queue: Mutex::new(queue), cancel, stopped: AtomicBool::new(false) };
        let (sender, receiver) = mpsc::sync_channel(MAX_QUEUED_BATCHES);
        thread::scope(|scope| {
            let run = &run;
            let workers: Vec<_> = (0..threads)
                .map(|_| {
                    let sender = sender.clone();
                    scope.spawn(move || run.work(&sender))
                })
                .collect();
            // The channel closes when the last worker drops its sender.
            drop(sender);
            let written = write(&receiver, store, progress);
            // Stops workers that are still playing after a write error.
            run.stopped.store(true, Ordering::Relaxed);
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

/// Shared state of the threads of a run.
struct RunState<'a> {
    experiment: &'a Experiment,
    queue: Mutex<GameQueue>,
    cancel: &'a AtomicBool,
    /// Set by the first thread that fails.
    stopped: AtomicBool,
}

impl RunState<'_> {
    fn is_stopped(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.stopped.load(Ordering::Relaxed)
    }

    /// Returns the next batch. A separate function, so that the lock is not held while the games are played.
    fn take(&self) -> Option<GameBatch> {
        self.queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
    }

    /// Plays games until the queue is empty.
    fn work(&self, sender: &SyncSender<TrialBatch>) -> Result<(), RunError> {
        let result = self.play(sender);
        if result.is_err() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        result
    }

    fn play(&self, sender: &SyncSender<TrialBatch>) -> Result<(), RunError> {
        let mut player: Option<(CellPlayer, CodeCodec)> = None;
        while let Some(batch) = self.take() {
            if player.as_ref().is_none_or(|(player, _)| player.cell().id != batch.cell.id) {
                let codec = CodeCodec::new(&batch.cell.rules);
                let made = CellPlayer::new(
                    ExperimentCell::clone(&batch.cell),
                    self.experiment.seed(),
                    self.experiment.limits(),
                )?;
                player = Some((made, codec));
            }
            let Some((player, codec)) = &mut player else { return Ok(()) };
            let mut games = TrialBatch::default();
            let mut sent = Instant::now();
            for &number in &batch.numbers {
                let played = player.try_play(number, self.cancel)?;
                // A cancelled guess may differ from the strategy's choice.
                if self.is_stopped() {
                    break;
                }
                games.push(batch.cell.id, number, *codec, &played);
                if sent.elapsed() > WRITE_INTERVAL {
                    sent = Instant::now();
                    if sender.send(std::mem::take(&mut games)).is_err() {
                        return Ok(());
                    }
                }
            }
            if sender.send(games).is_err() || self.is_stopped() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Writes games until all workers have finished.
fn write(receiver: &Receiver<TrialBatch>, store: &mut Store, progress: &RunProgress) -> Result<(), StoreError> {
    let mut playing = true;
    while playing {
        let (mut batches, mut games) = (Vec::new(), 0);
        let until = Instant::now() + WRITE_INTERVAL;
        while playing && games < MAX_PENDING_GAMES {
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
            // Sort, so that adjacent rows are written together.
            batches.sort_unstable_by_key(TrialBatch::first);
            store.insert(&batches)?;
            progress.add(games as u64, batches.iter().flat_map(TrialBatch::solved));
        }
    }
    Ok(())
}

/// A played game.
#[derive(Debug, Clone)]
pub struct PlayedGame {
    /// Secret.
    pub secret: Code,
    /// Game.
    pub game: Game,
    /// True if the strategy drew random numbers. Otherwise it always plays this secret the same way.
    pub random: bool,
}

/// Player of the games of a cell in any order. It reuses the strategy with its tables, but games do not influence each
/// other.
pub struct CellPlayer {
    cell: ExperimentCell,
    /// Texts that select the random streams.
    rules: String,
    strategy: String,
    seed: u64,
    limits: Limits,
    player: Box<dyn Strategy>,
    codemaker: Fixed,
}

impl CellPlayer {
    /// Creates the strategy of a cell.
    pub fn new(cell: ExperimentCell, seed: u64, limits: Limits) -> Result<Self, CatalogError> {
        let player = catalog::build(&cell.strategy, &cell.rules)?;
        // Strategies that cannot use a list of secrets play without it.
        let informed = cell.secrets.list().and_then(|secrets| player.for_secrets(secrets));
        let player = informed.unwrap_or(player);
        let (rules, strategy) = (cell.rules.to_string(), cell.strategy.to_string());
        let codemaker = Fixed::random(&cell.rules, &mut Rng::new(seed));
        Ok(Self { cell, rules, strategy, seed, limits, player, codemaker })
    }

    /// Returns the cell that is played.
    pub fn cell(&self) -> &ExperimentCell {
        &self.cell
    }

    /// Like [`play`](Self::play), with an error that names the game.
    pub(crate) fn try_play(&mut self, number: u64, cancel: &AtomicBool) -> Result<PlayedGame, RunError> {
        self.play(number, cancel).map_err(|error| {
            let (strategy, rules) = (self.strategy.clone(), self.rules.clone());
            RunError::Game(strategy, rules, number, Box::new(error))
        })
    }

    /// Plays the game with this number. Setting `cancel` abandons it.
    pub fn play(&mut self, number: u64, cancel: &AtomicBool) -> Result<PlayedGame, GameError> {
        let source = &self.cell.secrets;
        let (game, repeat) = (number % source.len(), number / source.len());
        let secret = source.secret(game);
        let rng = seeds::strategy_stream(self.seed, &self.rules, &self.strategy, game, repeat);
        let untouched = rng.clone();
        let mut search = Search::with_rng(rng).with_limits(self.limits).with_cancel(cancel);
        let lies = match self.cell.rules.lies() {
            // Creating the stream costs as much as half a guess, so it is skipped if unused.
            0 => 0,
            _ => seeds::lie_stream(self.seed, &self.rules, game, repeat).word(),
        };
        self.codemaker.hide(secret.clone(), lies).map_err(CodemakerError::from)?;
        let cancelled = |_: &_| {
            let raised = cancel.load(Ordering::Relaxed);
            if raised { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let game = play(&self.cell.rules, &mut *self.player, &mut self.codemaker, &mut search, cancelled)?;
        Ok(PlayedGame { secret, game, random: search.rng != untouched })
    }
}

/// Queue of the games that remain to be played.
struct GameQueue {
    shard: Shard,
    cells: Vec<CellGames>,
    /// Index of the current cell.
    current: usize,
    /// Number of games in the queue.
    left: u64,
}

struct CellGames {
    cell: Arc<ExperimentCell>,
    /// Number of games of the shard.
    games: u64,
    /// Next index in the shard.
    next: u64,
    /// One bit per index of the shard, set for finished games; empty if there are none.
    done: Vec<u64>,
}

/// A batch of games of one cell.
struct GameBatch {
    cell: Arc<ExperimentCell>,
    numbers: Vec<u64>,
}

/// Maximum number of games per batch.
const MAX_BATCH_GAMES: u64 = 128;
/// Minimum ratio of the remaining games to the games of a batch, so that all threads finish together.
const REMAINING_PER_BATCH: u64 = 32;

impl GameQueue {
    /// Creates a queue of the games that are not in the store.
    fn new(experiment: &Experiment, shard: Shard, store: &Store, progress: &RunProgress) -> Result<Self, StoreError> {
        let mut queue = Self { shard, cells: Vec::new(), current: 0, left: 0 };
        for cell in experiment.cells() {
            let games = shard.count(cell.games());
            let (mut done, mut found, mut solved) = (Vec::new(), 0, Vec::new());
            store.finished(cell.id, |number, guesses| {
                let Some(index) = shard.index_of(number).filter(|&index| index < games) else { return };
                if done.is_empty() {
                    done.resize(games.div_ceil(64) as usize, 0u64);
                }
                done[(index / 64) as usize] |= 1 << (index % 64);
                found += 1;
                solved.extend(guesses);
            })?;
            progress.total.fetch_add(games, Ordering::Relaxed);
            progress.add(found, solved.into_iter());
            queue.left += games - found;
            queue.cells.push(CellGames { cell: Arc::new(cell), games, next: 0, done });
        }
        Ok(queue)
    }

    /// Returns the next batch.
    fn take(&mut self) -> Option<GameBatch> {
        let most = (self.left / REMAINING_PER_BATCH).clamp(1, MAX_BATCH_GAMES) as usize;
        while let Some(cell) = self.cells.get_mut(self.current) {
            let mut numbers = Vec::with_capacity(most);
            while numbers.len() < most && cell.next < cell.games {
                if !cell.is_done(cell.next) {
                    numbers.push(self.shard.number(cell.next));
                }
                cell.next += 1;
            }
            if !numbers.is_empty() {
                self.left -= numbers.len() as u64;
                return Some(GameBatch { cell: Arc::clone(&cell.cell), numbers });
            }
            self.current += 1;
        }
        None
    }
}

impl CellGames {
    fn is_done(&self, index: u64) -> bool {
        self.done.get((index / 64) as usize).is_some_and(|bits| bits >> (index % 64) & 1 == 1)
    }
}

/// One of several equal parts of the games, written `2/4`: the second of every four consecutive games.
///
/// ```
/// use pegwise_lab::Shard;
/// let shard: Shard = "2/4".parse().unwrap();
/// assert_eq!(shard.to_string(), "2/4");
/// assert!("5/4".parse::<Shard>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Index, from zero.
    index: u64,
    count: u64,
}

/// Error for a text that is not a shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a shard; write its number and how many there are, as in 1/4, 2/4, 3/4 and 4/4")]
pub struct ShardError(String);

impl Shard {
    /// Returns how many of `games` games belong to the shard.
    pub(crate) fn count(self, games: u64) -> u64 {
        games.saturating_sub(self.index).div_ceil(self.count)
    }

    /// Returns the number of the game at an index of the shard.
    pub(crate) fn number(self, index: u64) -> u64 {
        index * self.count + self.index
    }

    /// Returns the index of a game in the shard, if it belongs to it.
    pub(crate) fn index_of(self, number: u64) -> Option<u64> {
        (number % self.count == self.index).then_some(number / self.count)
    }
}

/// The shard of all games.
impl Default for Shard {
    fn default() -> Self {
        Self { index: 0, count: 1 }
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some((index.trim().parse::<u32>().ok()?.checked_sub(1)?, count.trim().parse::<u32>().ok()?))
        });
        match numbers {
            Some((index, count)) if index < count => Ok(Self { index: index.into(), count: count.into() }),
            _ => Err(ShardError(text.to_owned())),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secrets;

    /// A single game is game 0 of its seed: the laboratory plays what `pegwise solve` and the page play.
    #[test]
    fn game_zero_is_the_single_game_of_the_seed() {
        for text in ["4x6", "4x6:lies=1"] {
            let (rules, spec): (pegwise_game::Rules, pegwise_solve::Spec) =
                (text.parse().unwrap(), "random-consistent".parse().unwrap());
            let experiment = Experiment::new(vec![rules.clone()], vec![spec.clone()], Secrets::Drawn(1)).unwrap();
            let cell = experiment.with_seed(7).cells().remove(0);
            let played = CellPlayer::new(cell, 7, Limits::default()).unwrap().play(0, &AtomicBool::new(false)).unwrap();
            let secret = seeds::secret(7, &rules);
            assert_eq!(played.secret, secret);
            let mut codemaker = Fixed::new(&rules, secret).unwrap().with_seed(seeds::lies(7, &rules));
            let mut search = Search::with_rng(seeds::strategy(7, &rules, &spec));
            let mut player = catalog::build(&spec, &rules).unwrap();
            let game = play(&rules, &mut *player, &mut codemaker, &mut search, |_| ControlFlow::Continue(())).unwrap();
            assert_eq!(format!("{:?}", played.game.turns), format!("{:?}", game.turns), "{text}");
        }
    }

    #[test]
    fn weighted_secrets_come_from_the_list() {
        let list = "111 5\n222\n333 0\n444 2\n".into();
        let strategies = vec!["entropy".parse().unwrap(), "evorank".parse().unwrap()];
        let secrets = Secrets::Weighted { list, games: 40 };
        let experiment = Experiment::new(vec!["3x6".parse().unwrap()], strategies, secrets).unwrap().with_seed(3);
        let never = AtomicBool::new(false);
        let mut drawn = std::collections::BTreeMap::new();
        for cell in experiment.cells() {
            let informed = cell.strategy.row().name == "entropy";
            let mut player = CellPlayer::new(cell, 3, Limits::default()).unwrap();
            for number in 0..40 {
                let PlayedGame { secret, game, .. } = player.play(number, &never).unwrap();
                *drawn.entry(secret.notation(6).to_string()).or_insert(0) += 1;
                assert!(!informed || game.guesses() <= 3);
            }
        }
        assert_eq!(drawn.keys().collect::<Vec<_>>(), ["111", "222", "444"]);
        assert!(drawn["111"] > drawn["444"] && drawn["444"] > 0, "{drawn:?}");
    }

    #[test]
    fn random_draws_are_detected() {
        let strategies = ["knuth", "greedy-1", "random-consistent", "entropy(ties=random)"];
        let strategies = strategies.map(|strategy| strategy.parse().unwrap()).to_vec();
        let experiment = Experiment::new(vec!["4x6".parse().unwrap()], strategies, Secrets::Drawn(5)).unwrap();
        let never = AtomicBool::new(false);
        for cell in experiment.cells() {
            let expected = cell.strategy.to_string().contains("random");
            let mut player = CellPlayer::new(cell, 1, Limits::default()).unwrap();
            let random = (0..5).any(|number| player.play(number, &never).unwrap().random);
            assert_eq!(random, expected, "{}", player.cell().strategy);
        }
    }

    /// Results must not depend on earlier games of the same thread.
    #[test]
    fn games_do_not_depend_on_the_games_before_them() {
        let strategies: Vec<_> = catalog::rows().iter().map(|row| row.name.parse().unwrap()).collect();
        for rules in ["3x4", "4x6", "grid:2x2x3"] {
            let rules: pegwise_game::Rules = rules.parse().unwrap();
            let can_play = strategies.iter().filter(|spec: &&pegwise_solve::Spec| spec.row().can_play(&rules));
            let can_play = can_play.cloned().collect();
            let experiment = Experiment::new(vec![rules], can_play, Secrets::Drawn(6)).unwrap();
            let never = AtomicBool::new(false);
            for cell in experiment.cells() {
                let name = format!("{} at {}", cell.strategy, cell.rules);
                let new = || CellPlayer::new(cell.clone(), 1, Limits::default()).unwrap();
                let mut kept = new();
                for number in [3, 1, 4, 0, 5, 3] {
                    let (one, other) = (kept.play(number, &never).unwrap(), new().play(number, &never).unwrap());
                    let turns = |game: &Game| format!("{:?}", game.turns);
                    assert_eq!(turns(&one.game), turns(&other.game), "{name}: game {number}");
                    assert_eq!(one.game.counts, other.game.counts, "{name}: game {number}");
                    assert_eq!(one.random, other.random, "{name}: game {number}");
                }
            }
        }
    }

    #[test]
    fn shards_partition_the_games() {
        let shards: Vec<Shard> = (1..=3).map(|index| format!("{index}/3").parse().unwrap()).collect();
        for games in 0..10 {
            let own = |shard: &Shard| (0..shard.count(games)).map(|index| shard.number(index)).collect::<Vec<_>>();
            let mut all: Vec<u64> = shards.iter().flat_map(own).collect();
            all.sort_unstable();
            assert_eq!(all, (0..games).collect::<Vec<_>>());
        }
        assert_eq!(shards[1].index_of(4), Some(1));
        assert_eq!(shards[1].index_of(5), None);
        for text in ["", "1", "0/4", "5/4", "1/0", "a/b", "-1/4", "1/4/4"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
