//! Plays the games of an experiment on several threads and stores them.
//!
//! Worker threads play batches of games and send them to the writing thread. Its transactions, at least every tenth of a
//! second, store the played games and claim the next ones, so that little is lost if the process ends, and processes that
//! run at the same time divide the games. The result of a game does not depend on the thread that plays it.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use pegwise_game::Code;
use pegwise_solve::catalog::{self, CatalogError};
use pegwise_solve::codemaker::{CodemakerError, Fixed};
use pegwise_solve::{Game, GameError, Limits, Rng, Search, Strategy, play, seeds};

use crate::experiment::{Experiment, ExperimentCell};
use crate::provenance::Origin;
use crate::store::{CodeCodec, GameBatch, GamePlan, Mixing, Store, StoreError, StoredGames, TrialBatch};

/// Maximum delay before a finished game is written.
const WRITE_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum number of games per transaction.
const MAX_PENDING_GAMES: usize = 1 << 14;
/// Maximum number of games per batch.
const MAX_BATCH_GAMES: usize = 128;
/// A claim has at most one in this many of the remaining games, so that all threads end together.
const REMAINING_PER_CLAIM: u64 = 8;
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
    /// Number of games that this run stored.
    pub played: AtomicU64,
    /// Number of games that other processes stored during this run, known at its end.
    pub played_elsewhere: AtomicU64,
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

    fn add_stored(&self, stored: StoredGames) {
        self.done.fetch_add(stored.games, Ordering::Relaxed);
        self.solved.fetch_add(stored.solved, Ordering::Relaxed);
        self.guesses.fetch_add(stored.guesses, Ordering::Relaxed);
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

/// Error of a run. The games written before are stored.
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

    /// Plays all games that are not in the store, except those that other processes play at the same time. It waits for
    /// these, and plays them if the other process ends early.
    pub fn run(self, store: &mut Store, progress: &RunProgress) -> Result<RunEnd, RunError> {
        let never = AtomicBool::new(false);
        let cancel = self.cancel.unwrap_or(&never);
        let mut origin = Origin::current(self.threads.max(1));
        if let Some(date) = self.date {
            date.clone_into(&mut origin.date);
        }
        let result = self.play(store, origin, cancel, progress);
        store.end();
        result?;
        Ok(if cancel.load(Ordering::Relaxed) { RunEnd::Cancelled } else { RunEnd::Finished })
    }

    fn play(
        self,
        store: &mut Store,
        origin: Origin,
        cancel: &AtomicBool,
        progress: &RunProgress,
    ) -> Result<(), RunError> {
        let Self { experiment, threads, shard, mixing, .. } = self;
        let threads = threads.max(1);
        let plan = store.begin(origin, experiment, shard, mixing)?;
        let (version, before) = (store.data_version()?, store.stored(experiment, shard)?);
        progress.total.fetch_add(plan.unclaimed(), Ordering::Relaxed);
        progress.add_stored(before);
        let (reserve, filled, stopped) = (Mutex::default(), Condvar::new(), AtomicBool::new(false));
        let run = RunState { experiment, threads, reserve, filled, cancel, stopped };
        let (sender, receiver) = mpsc::sync_channel(MAX_QUEUED_BATCHES);
        let own = thread::scope(|scope| {
            let run = &run;
            let workers: Vec<_> = (0..threads)
                .map(|_| {
                    let sender = sender.clone();
                    scope.spawn(move || run.work(&sender))
                })
                .collect();
            // The channel closes when the last worker drops its sender.
            drop(sender);
            let written = run.write(receiver, plan, store, progress);
            // Stops workers that are still playing after a write error.
            run.stopped.store(true, Ordering::Relaxed);
            run.close();
            let joined = workers.into_iter().map(|worker| match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            let worked: Vec<Result<(), RunError>> = joined.collect();
            let own = written?;
            worked.into_iter().collect::<Result<(), _>>().map(|()| own)
        })?;
        if store.data_version()? != version {
            let after = store.stored(experiment, shard)?;
            let elsewhere = StoredGames {
                games: after.games.saturating_sub(before.games + own.games),
                solved: after.solved.saturating_sub(before.solved + own.solved),
                guesses: after.guesses.saturating_sub(before.guesses + own.guesses),
            };
            progress.add_stored(elsewhere);
            progress.played_elsewhere.fetch_add(elsewhere.games, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Claimed games that no thread plays yet.
#[derive(Debug, Default)]
struct Reserve {
    batches: VecDeque<GameBatch>,
    /// True if no more games follow.
    closed: bool,
}

/// Shared state of the threads of a run.
struct RunState<'a> {
    experiment: &'a Experiment,
    threads: usize,
    reserve: Mutex<Reserve>,
    /// Notified when the reserve is filled or closed.
    filled: Condvar,
    cancel: &'a AtomicBool,
    /// Set by the first thread that fails.
    stopped: AtomicBool,
}

impl RunState<'_> {
    fn is_stopped(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.stopped.load(Ordering::Relaxed)
    }

    fn reserve(&self) -> MutexGuard<'_, Reserve> {
        self.reserve.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next batch.
    fn take(&self) -> Option<GameBatch> {
        let is_empty = |reserve: &mut Reserve| reserve.batches.is_empty() && !reserve.closed;
        let waited = self.filled.wait_while(self.reserve(), is_empty);
        waited.unwrap_or_else(PoisonError::into_inner).batches.pop_front()
    }

    fn fill(&self, batches: Vec<GameBatch>) {
        self.reserve().batches.extend(batches);
        self.filled.notify_all();
    }

    fn close(&self) {
        self.reserve().closed = true;
        self.filled.notify_all();
    }

    /// Plays games until there are no more.
    fn work(&self, sender: &SyncSender<TrialBatch>) -> Result<(), RunError> {
        let result = self.play(sender);
        if result.is_err() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        result
    }

    fn play(&self, sender: &SyncSender<TrialBatch>) -> Result<(), RunError> {
        let mut player: Option<(CellPlayer, CodeCodec)> = None;
        while let Some(batch) = self.take().filter(|_| !self.is_stopped()) {
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
            let last = batch.numbers.last();
            for number in &batch.numbers {
                let played = player.try_play(*number, self.cancel)?;
                // A cancelled guess may differ from the strategy's choice.
                if self.is_stopped() {
                    // The games before it are stored.
                    let _ = sender.send(games);
                    return Ok(());
                }
                games.push(batch.ids.id(*number), *codec, &played);
                if sent.elapsed() > WRITE_INTERVAL && Some(number) != last {
                    sent = Instant::now();
                    if sender.send(std::mem::take(&mut games)).is_err() {
                        return Ok(());
                    }
                }
            }
            games.finish(&batch);
            if sender.send(games).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Writes games and claims others until all workers have finished. Returns the games that were added.
    fn write(
        &self,
        receiver: Receiver<TrialBatch>,
        mut plan: GamePlan,
        store: &mut Store,
        progress: &RunProgress,
    ) -> Result<StoredGames, StoreError> {
        let mut own = StoredGames::default();
        // Batches and games that are claimed and not yet received.
        let (mut batches, mut games) = (0usize, 0usize);
        let mut received = Vec::<TrialBatch>::new();
        let (mut last_write, mut playing) = (Instant::now(), true);
        while playing || !received.is_empty() {
            let count: usize = received.iter().map(TrialBatch::len).sum();
            // Enough for all threads, and for twice the time to the next transaction: slow games are claimed one by one.
            let per_interval =
                count as f64 * WRITE_INTERVAL.as_secs_f64() / last_write.elapsed().as_secs_f64().max(1e-6);
            let wanted = ((2.0 * per_interval) as usize).min(MAX_PENDING_GAMES).saturating_sub(games);
            // At the end, the threads of all processes share the games.
            let wanted = wanted.min((plan.unclaimed() / REMAINING_PER_CLAIM) as usize);
            let wanted = if self.is_stopped() { 0 } else { wanted.max(self.threads.saturating_sub(batches)) };
            if !received.is_empty() || wanted > 0 && !plan.is_finished() {
                // Sort, so that adjacent rows are written together.
                received.sort_unstable_by_key(TrialBatch::first);
                let batch_games = (wanted / (2 * self.threads)).clamp(1, MAX_BATCH_GAMES);
                let (added, claimed) = store.exchange(&received, &mut plan, wanted, batch_games)?;
                let solved: Vec<u64> = received.iter().flat_map(TrialBatch::solved).collect();
                own = StoredGames {
                    games: own.games + added,
                    solved: own.solved + solved.len() as u64,
                    guesses: own.guesses + solved.iter().sum::<u64>(),
                };
                progress.add(count as u64, solved.into_iter());
                progress.played.fetch_add(added, Ordering::Relaxed);
                batches += claimed.len();
                games += claimed.iter().map(|batch| batch.numbers.len()).sum::<usize>();
                received.clear();
                last_write = Instant::now();
                self.fill(claimed);
            }
            if self.is_stopped() || batches == 0 && plan.is_finished() {
                self.close();
            }
            let until = Instant::now() + WRITE_INTERVAL;
            let mut count = 0;
            while playing && count < MAX_PENDING_GAMES {
                match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Ok(batch) => {
                        count += batch.len();
                        if let Some(claim) = batch.claim() {
                            (batches, games) = (batches - 1, games - claim.games);
                        }
                        received.push(batch);
                    }
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => playing = false,
                }
                // A thread waits for games.
                if batches < self.threads && !plan.is_finished() {
                    break;
                }
            }
        }
        Ok(own)
    }
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
