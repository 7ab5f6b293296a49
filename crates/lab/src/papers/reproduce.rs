//! Plays the games of published tables and compares the results.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU32;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use pegwise_game::Turn;
use pegwise_solve::{Fnv1a, Game, GameTurn, Limits, Spec};

use super::judge::{ClaimFinding, Finding, TableReport, judge_claim, judge_numbers};
use super::statistics::{GameMeasurements, IdentificationCounter, RowStatistics};
use super::structure::PublishedFormula;
use super::table::{MeasuredQuantity, PublishedClaim, PublishedRow, PublishedSecrets, PublishedTable, TableContent};
use crate::experiment::{Experiment, ExperimentDescription, ExperimentError};
use crate::runner::{CellPlayer, PlayedGame, RunEnd, RunError, RunProgress, Runner};
use crate::store::{Mixing, Store, StoreError, Trial};

/// Options of a [`Reproducer`].
#[derive(Debug, Clone)]
pub struct ReproduceOptions {
    /// Number of games per row. Fewer games give wider intervals.
    pub level: Level,
    /// Random seed.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
    /// Limits per guess.
    pub limits: Limits,
    /// Folder of stores for finished games, from which a later run resumes.
    pub keep: Option<PathBuf>,
    /// Use of stored games from a version that plays differently.
    pub mixing: Mixing,
    /// Cancels the run when set.
    pub cancel: Arc<AtomicBool>,
    /// Progress of the run.
    pub progress: Arc<RunProgress>,
}

impl Default for ReproduceOptions {
    fn default() -> Self {
        Self {
            level: Level::Full,
            seed: 0,
            threads: 1,
            limits: Limits::default(),
            keep: None,
            mixing: Mixing::Refused,
            cancel: Arc::default(),
            progress: Arc::default(),
        }
    }
}

/// Error of a reproduction.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// A game failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The games of a row are not a valid experiment: table, row and cause.
    #[error("{0}, {1}: {2}")]
    Experiment(String, String, Box<ExperimentError>),
    /// The run was cancelled.
    #[error("interrupted")]
    Cancelled,
}

/// Reproducer of tables and figures. Games that occur in several of them are played once.
#[derive(Debug)]
pub struct Reproducer {
    options: ReproduceOptions,
    /// Statistics by experiment, and whether they include [`MeasuredQuantity::Identified`].
    played: HashMap<(ExperimentDescription, bool), Arc<RowStatistics>>,
}

impl Reproducer {
    /// Creates a reproducer without games.
    pub fn new(options: ReproduceOptions) -> Self {
        Self { options, played: HashMap::new() }
    }

    /// Returns the total number of games of `tables`, counting shared games once.
    pub fn games(&self, tables: &[&PublishedTable]) -> u64 {
        let rows = tables.iter().flat_map(|table| table.rows());
        let counted = rows.filter_map(|row| {
            let experiment = experiment_of(row, row.spec().ok()?, &self.options).ok()?;
            Some((ExperimentDescription::of(&experiment), experiment.games()))
        });
        counted.collect::<HashMap<ExperimentDescription, u64>>().values().sum()
    }

    /// Plays the games of a table and compares the results.
    pub fn reproduce(&mut self, table: &PublishedTable) -> Result<TableReport, ReproduceError> {
        let (findings, claims) = match &table.content {
            TableContent::Games { rows, claims } => self.games_of(table, rows, claims)?,
            TableContent::Partitions(partitions) => (partitions.findings(), Vec::new()),
            TableContent::Transcript(transcript) => (transcript.findings(), Vec::new()),
            TableContent::Responses(responses) => (responses.findings(), Vec::new()),
            TableContent::Arithmetic(formulas) => {
                (formulas.iter().map(PublishedFormula::finding).collect(), Vec::new())
            }
            TableContent::Described(reason) => {
                (vec![Finding::not_comparable(&table.title, "picture or text", reason)], Vec::new())
            }
        };
        let PublishedTable { id, title, source, reading, same_as, .. } = table.clone();
        Ok(TableReport { id, title, source, reading, same_as, findings, claims })
    }

    fn games_of(
        &mut self,
        table: &PublishedTable,
        rows: &[PublishedRow],
        claims: &[PublishedClaim],
    ) -> Result<(Vec<Finding>, Vec<ClaimFinding>), ReproduceError> {
        let statistics =
            rows.iter().map(|row| self.statistics(table, row)).collect::<Result<Vec<_>, ReproduceError>>()?;
        let played: Vec<(&PublishedRow, Option<&RowStatistics>)> =
            rows.iter().zip(&statistics).map(|(row, statistics)| (row, statistics.as_deref())).collect();
        let mut findings = judge_numbers(table, &played);
        if table.same_as.is_empty() {
            findings.extend(played.iter().filter(|(row, _)| row.published.is_empty()).map(unpublished_finding));
        }
        if findings.iter().all(|finding| finding.verdict.is_none()) && claims.is_empty() && table.same_as.is_empty() {
            findings.push(Finding::not_comparable(&table.title, "picture", "no numbers are printed"));
        }
        Ok((findings, claims.iter().map(|claim| judge_claim(claim, table, &played)).collect()))
    }

    /// Returns the statistics of a row, or `None` if it cannot be run.
    fn statistics(
        &mut self,
        table: &PublishedTable,
        row: &PublishedRow,
    ) -> Result<Option<Arc<RowStatistics>>, ReproduceError> {
        let Ok(spec) = row.spec() else { return Ok(None) };
        let failed = |error| ReproduceError::Experiment(table.id.clone(), row.label.clone(), Box::new(error));
        let experiment = experiment_of(row, spec, &self.options).map_err(failed)?;
        let key = (ExperimentDescription::of(&experiment), row.measures(MeasuredQuantity::Identified));
        if let Some(statistics) = self.played.get(&key) {
            return Ok(Some(Arc::clone(statistics)));
        }
        let statistics = Arc::new(play_row(row, &experiment, &self.options)?);
        self.played.insert(key, Arc::clone(&statistics));
        Ok(Some(statistics))
    }
}

/// Returns the finding for a row without published numbers: our means.
fn unpublished_finding((row, statistics): &(&PublishedRow, Option<&RowStatistics>)) -> Finding {
    let columns = statistics.iter().flat_map(|statistics| &statistics.columns);
    let columns =
        columns.filter(|(quantity, column)| **quantity != MeasuredQuantity::Milliseconds && column.summary.max > 0.0);
    let means = columns.map(|(quantity, column)| {
        let spread = column.summary.sd.map_or(String::new(), |sd| format!(" (sd {sd:.3}, max {})", column.summary.max));
        format!("{} {:.3}{spread}", quantity.name(), column.estimate.mean)
    });
    Finding {
        rules: Some(row.rules.to_string()),
        strategy: row.strategy.clone().ok(),
        ours: Some(means.collect::<Vec<_>>().join(", ")),
        games: statistics.map(|statistics| statistics.games),
        note: row.reading.clone().or_else(|| row.spec().err()),
        ..Finding::new(&row.label, "means", None)
    }
}

/// Maximum size of a space whose codes are all played at level `quick`, so that means can be compared digit by digit: the
/// size of the classic game.
const SMALL_SPACE: u64 = 1296;
/// Repeats at level `quick`, to separate the variance of the strategy's draws from that of the secrets.
const QUICK_REPEATS: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);
/// Number of games of other rows at level `quick`.
const QUICK_GAMES: u64 = 1000;

/// Number of games played per row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Level {
    /// A few games, to detect changes of behavior.
    Slice,
    /// About a thousand games.
    Quick,
    /// As many games as the paper played.
    #[default]
    Full,
}

impl Level {
    /// Returns the name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slice => "slice",
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// Number of games at level `slice`; a single game if games are slow.
const SLICE_GAMES: u64 = 3;
/// A row with fewer games than this at level `quick` has slow games.
const SLOW_ROW_GAMES: u64 = 100;

/// Returns the secrets of a row and the number of games per secret.
fn games_to_play(row: &PublishedRow, level: Level) -> (PublishedSecrets, NonZeroU32) {
    let most = row.quick.unwrap_or(QUICK_GAMES);
    let small = || row.plays_all() && row.quick.is_none() && row.games.count(&row.rules) <= SMALL_SPACE;
    match level {
        Level::Slice => (PublishedSecrets::Drawn(if most < SLOW_ROW_GAMES { 1 } else { SLICE_GAMES }), NonZeroU32::MIN),
        Level::Quick if row.games_in_full() > most && small() => (row.games.clone(), row.repeats.min(QUICK_REPEATS)),
        Level::Quick if row.games_in_full() > most => (PublishedSecrets::Drawn(most), NonZeroU32::MIN),
        Level::Quick | Level::Full => (row.games.clone(), row.repeats),
    }
}

fn experiment_of(row: &PublishedRow, spec: Spec, options: &ReproduceOptions) -> Result<Experiment, ExperimentError> {
    let (games, repeats) = games_to_play(row, options.level);
    let experiment = Experiment::new(vec![row.rules.clone()], vec![spec], games.secrets(&row.rules))?;
    Ok(experiment.with_repeats(repeats)?.with_seed(options.seed).with_limits(options.limits))
}

/// Plays the games of a row and computes its statistics.
fn play_row(
    row: &PublishedRow,
    experiment: &Experiment,
    options: &ReproduceOptions,
) -> Result<RowStatistics, ReproduceError> {
    let description = ExperimentDescription::of(experiment);
    let identified = row.measures(MeasuredQuantity::Identified);
    let identifier = identified.then(|| IdentificationCounter::new(&row.rules)).flatten();
    let games = match &options.keep {
        Some(folder) => play_stored(&store_path(folder, &description), experiment, options, identifier)?,
        None => play_all(experiment, options, identifier.as_ref())?,
    };
    Ok(RowStatistics::of(&games, description.counts.iter().sum(), description.is_census()))
}

/// Plays the games that are missing in a store, and measures all of them.
fn play_stored(
    path: &Path,
    experiment: &Experiment,
    options: &ReproduceOptions,
    mut identifier: Option<IdentificationCounter>,
) -> Result<Vec<GameMeasurements>, ReproduceError> {
    let mut store = Store::create(path, experiment)?;
    let &ReproduceOptions { threads, mixing, .. } = options;
    let runner = Runner { threads, mixing, cancel: Some(&options.cancel), ..Runner::new(experiment) };
    if runner.run(&mut store, &options.progress)? == RunEnd::Cancelled {
        return Err(ReproduceError::Cancelled);
    }
    let mut games = Vec::new();
    store.for_each_trial::<ReproduceError>(|_, _, _, trial| {
        let &Trial { ref turns, counts, seconds, random, .. } = trial;
        let identified = identifier.as_mut().map(|identifier| identifier.count(turns));
        let random = random.unwrap_or(true);
        games.push(GameMeasurements { guesses: turns.len(), identified, counts, seconds, random });
        Ok(())
    })?;
    Ok(games)
}

/// Plays all games without storing them, and returns their measurements in order.
fn play_all(
    experiment: &Experiment,
    options: &ReproduceOptions,
    identifier: Option<&IdentificationCounter>,
) -> Result<Vec<GameMeasurements>, ReproduceError> {
    let ReproduceOptions { threads, cancel, progress, .. } = options;
    let (games, next) = (experiment.games(), AtomicU64::new(0));
    progress.total.fetch_add(games, Ordering::Relaxed);
    let play = || -> Result<Vec<(u64, GameMeasurements)>, RunError> {
        let mut player = CellPlayer::new(experiment.cells().remove(0), experiment.seed(), experiment.limits())?;
        let (mut identifier, mut played) = (identifier.cloned(), Vec::new());
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games || cancel.load(Ordering::Relaxed) {
                return Ok(played);
            }
            let PlayedGame { game, random, .. } = player.try_play(number, cancel)?;
            progress.add(1, game.is_solved().then_some(game.turns.len() as u64).into_iter());
            let turn = |turn: &GameTurn| Turn { guess: turn.guess.clone(), feedback: turn.feedback.clone() };
            let turns = || game.turns.iter().map(turn).collect::<Vec<_>>();
            let identified = identifier.as_mut().map(|identifier| identifier.count(&turns()));
            let Game { turns, counts, seconds, .. } = &game;
            let (guesses, counts, seconds) = (turns.len(), *counts, *seconds);
            played.push((number, GameMeasurements { guesses, identified, counts, seconds, random }));
        }
    };
    // The other threads stop after the first error.
    let play = || play().inspect_err(|_| next.store(games, Ordering::Relaxed));
    let threads = (*threads as u64).min(games).max(1);
    let played = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(play)).collect();
        let joined = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.collect::<Result<Vec<_>, _>>()
    })?;
    if cancel.load(Ordering::Relaxed) {
        return Err(ReproduceError::Cancelled);
    }
    let in_order: BTreeMap<u64, GameMeasurements> = played.into_iter().flatten().collect();
    Ok(in_order.into_values().collect())
}

/// Returns the path of an experiment's store, which rows with the same games share.
fn store_path(folder: &Path, description: &ExperimentDescription) -> PathBuf {
    const MAX_NAME_CHARS: usize = 60;
    let name = format!("{}-{}", description.rules.join("-"), description.strategies.join("-"));
    let name: String = name.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
    let name: String = name.trim_end_matches('-').chars().take(MAX_NAME_CHARS).collect();
    // The hash distinguishes names that are equal up to here. It is of the debug text, so renaming
    // `ExperimentDescription` or its fields would orphan existing stores.
    let hash = Fnv1a::of(format!("{description:?}").as_bytes());
    folder.join(format!("{name}-{hash:016x}.db"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::Library;

    /// Returns the number of games of the first row of a table at levels `quick` and `full`.
    fn games(id: &str) -> (u64, u64) {
        let library = Library::built_in().unwrap();
        let row = &library.find(id).unwrap()[0].rows()[0];
        let games = |level| {
            let options = ReproduceOptions { level, ..ReproduceOptions::default() };
            experiment_of(row, row.spec().unwrap(), &options).unwrap().games()
        };
        (games(Level::Quick), games(Level::Full))
    }

    #[test]
    fn level_quick_plays_fewer_games() {
        assert_eq!(games("temporel-2003/table-2"), (10_000, 100_000), "rare long games decide how they are spread");
        assert_eq!(games("merelo-2010/table-4"), (2592, 15_552));
        assert_eq!(games("van-oijen-2018/table-4-3"), (20, 200));
        assert_eq!(games("singley-2005/appendix-greedy-1"), (1296, 1296), "every code, so that digits can be compared");
    }
}
