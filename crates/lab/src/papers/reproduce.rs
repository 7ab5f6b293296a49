//! Plays the games of published tables and compares the results.

use std::{
    collections::{BTreeMap, HashMap},
    num::NonZeroU32,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

use pegwise_labstats::{RunMeans, Scope};
use pegwise_solve::{Limits, Spec};

use super::{
    judge::{Finding, OrderFinding, TableReport, Verdict, judge, judge_order},
    statistics::{ColumnStatistics, IdentificationCounter, RowStatistics},
    table::{MeasuredQuantity, PublishedOrder, PublishedRow, PublishedSecrets, PublishedTable, TableContent},
};
use crate::{
    experiment::{Description, Experiment, ExperimentError},
    provenance::Fnv1a,
    runner::{RunEnd, RunError, RunProgress, Runner},
    store::{Mixing, Store, StoreError},
};

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
    /// The games of a row are not a valid experiment.
    #[error("{id}, {row}: {error}")]
    Experiment {
        /// Id of the table.
        id: String,
        /// Label of the row.
        row: String,
        /// Cause.
        error: Box<ExperimentError>,
    },
    /// The run was cancelled.
    #[error("interrupted")]
    Cancelled,
}

/// Reproduces tables and figures. Games that occur in several of them are played once.
#[derive(Debug)]
pub struct Reproducer {
    options: ReproduceOptions,
    /// Statistics by experiment.
    played: HashMap<String, Arc<RowStatistics>>,
}

impl Reproducer {
    /// Creates a reproducer without games.
    #[must_use]
    pub fn new(options: ReproduceOptions) -> Self {
        Self { options, played: HashMap::new() }
    }

    /// Returns the total number of games of `tables`, counting shared games once.
    #[must_use]
    pub fn games(&self, tables: &[&PublishedTable]) -> u64 {
        let rows = tables.iter().flat_map(|table| table.rows());
        let counted = rows.filter_map(|row| {
            let spec = row.spec().ok()?;
            let share = GamesToPlay::of(row, self.options.level);
            let key = format!("{} {spec} {share:?}", row.rules);
            Some((key, share.count(row)))
        });
        let distinct: HashMap<String, u64> = counted.collect();
        distinct.values().fold(0, |sum, &games| sum.saturating_add(games))
    }

    /// Plays the games of a table and compares the results.
    pub fn reproduce(&mut self, table: &PublishedTable) -> Result<TableReport, ReproduceError> {
        let (findings, claims) = match &table.content {
            TableContent::Games { rows, orders } => self.games_of(table, rows, orders)?,
            TableContent::Partitions(partitions) => (partitions.findings(), Vec::new()),
            TableContent::Transcript(transcript) => (transcript.findings(), Vec::new()),
            TableContent::Responses(responses) => (responses.findings(), Vec::new()),
            TableContent::Described(reason) => (vec![described_finding(table, reason)], Vec::new()),
        };
        let PublishedTable { id, title, source, note, .. } = table.clone();
        Ok(TableReport { id, title, source, note, findings, claims })
    }

    fn games_of(
        &mut self,
        table: &PublishedTable,
        rows: &[PublishedRow],
        orders: &[PublishedOrder],
    ) -> Result<(Vec<Finding>, Vec<OrderFinding>), ReproduceError> {
        let mut findings = Vec::new();
        let mut of_rows = Vec::new();
        for row in rows {
            let statistics = self.statistics(table, row)?;
            match &statistics {
                Ok(statistics) if row.published.is_empty() => findings.push(unpublished_finding(row, statistics)),
                Ok(statistics) => {
                    findings.extend(row.published.iter().map(|published| judge(published, row, statistics)));
                }
                Err(verdict) => findings.extend(findings_without_games(row, verdict)),
            }
            of_rows.push(statistics.ok());
        }
        let played: Vec<(&PublishedRow, Option<&RowStatistics>)> =
            rows.iter().zip(&of_rows).map(|(row, statistics)| (row, statistics.as_deref())).collect();
        Ok((findings, orders.iter().map(|order| judge_order(order, &played)).collect()))
    }

    /// Returns the statistics of a row, or the verdict if it cannot be run.
    fn statistics(
        &mut self,
        table: &PublishedTable,
        row: &PublishedRow,
    ) -> Result<Result<Arc<RowStatistics>, Verdict>, ReproduceError> {
        if let Err(reason) = &row.strategy {
            return Ok(Err(Verdict::information(reason.clone())));
        }
        let spec = match row.spec() {
            Ok(spec) => spec,
            Err(reason) => return Ok(Err(Verdict::Missing { reason })),
        };
        let failed =
            |error| ReproduceError::Experiment { id: table.id.clone(), row: row.label.clone(), error: Box::new(error) };
        let experiment = experiment_of(row, spec, &self.options).map_err(failed)?;
        // Rows of other tables may measure other quantities of the same games.
        let measured: Vec<&str> = row.published.iter().map(|published| published.measure.quantity.name()).collect();
        let key = format!("{:?} {}", Description::of(&experiment), measured.contains(&"identified"));
        if let Some(statistics) = self.played.get(&key) {
            return Ok(Ok(Arc::clone(statistics)));
        }
        let statistics = Arc::new(play_row(row, &experiment, &self.options)?);
        self.played.insert(key, Arc::clone(&statistics));
        Ok(Ok(statistics))
    }
}

/// Findings of a row that is not run.
fn findings_without_games(row: &PublishedRow, verdict: &Verdict) -> Vec<Finding> {
    if row.published.is_empty() {
        return vec![Finding::new(&row.label, "games", verdict.clone())];
    }
    row.published.iter().map(|published| Finding::without_result(published, row, verdict.clone())).collect()
}

/// Finding for a row without published numbers.
fn unpublished_finding(row: &PublishedRow, statistics: &RowStatistics) -> Finding {
    let means = statistics.columns.iter().filter(|(quantity, _)| quantity.name() != "milliseconds");
    let means = means.map(|(quantity, column)| {
        let spread =
            column.summary.sd.filter(|_| row.tried.is_some()).map_or(String::new(), |sd| format!(" (sd {sd:.3})"));
        format!("{} {:.3}{spread}", quantity.name(), column.summary.mean)
    });
    let reason = match &row.tried {
        Some(reading) => format!("alternative reading: {reading}"),
        None => "the figure has no numbers".to_owned(),
    };
    Finding {
        rules: Some(row.rules.to_string()),
        strategy: row.strategy.clone().ok(),
        ours: Some(means.collect::<Vec<_>>().join(", ")),
        games: Some(statistics.games),
        ..Finding::new(&row.label, "means", Verdict::information(reason))
    }
}

fn described_finding(table: &PublishedTable, reason: &str) -> Finding {
    Finding::new(&table.title, "", Verdict::information(reason))
}

/// Largest space of which level `quick` plays every code, so that digits can be compared: that of the classic game.
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
    /// Name in records.
    #[must_use]
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

/// Games of a row to play.
#[derive(Debug, Clone, PartialEq, Eq)]
struct GamesToPlay {
    games: PublishedSecrets,
    repeats: NonZeroU32,
}

impl GamesToPlay {
    fn of(row: &PublishedRow, level: Level) -> Self {
        let whole = Self { games: row.games.clone(), repeats: row.repeats };
        let most = row.quick.unwrap_or(QUICK_GAMES);
        if level == Level::Slice {
            let few = if most < SLOW_ROW_GAMES { 1 } else { SLICE_GAMES };
            return Self { games: PublishedSecrets::Drawn(few), repeats: NonZeroU32::MIN };
        }
        if level == Level::Full || row.games_in_full() <= most {
            return whole;
        }
        if row.plays_all() && row.quick.is_none() && row.games.count(&row.rules) <= SMALL_SPACE {
            return Self { repeats: row.repeats.min(QUICK_REPEATS), ..whole };
        }
        Self { games: PublishedSecrets::Drawn(most), repeats: NonZeroU32::MIN }
    }

    /// Number of games.
    fn count(&self, row: &PublishedRow) -> u64 {
        self.games.count(&row.rules).saturating_mul(self.repeats.get().into())
    }
}

/// Returns the experiment of a row.
fn experiment_of(row: &PublishedRow, spec: Spec, options: &ReproduceOptions) -> Result<Experiment, ExperimentError> {
    let share = GamesToPlay::of(row, options.level);
    let secrets = share.games.secrets(&row.rules);
    let experiment = Experiment::new(vec![row.rules.clone()], vec![spec], secrets)?.with_repeats(share.repeats)?;
    Ok(experiment.with_seed(options.seed).with_limits(options.limits))
}

/// Plays the missing games of a row and computes its statistics.
fn play_row(
    row: &PublishedRow,
    experiment: &Experiment,
    options: &ReproduceOptions,
) -> Result<RowStatistics, ReproduceError> {
    let mut store = match &options.keep {
        Some(folder) => Store::create(&store_path(folder, experiment), experiment)?,
        None => Store::in_memory(experiment)?,
    };
    let runner = Runner::new(experiment).with_threads(options.threads).with_cancel(&options.cancel);
    let runner = runner.with_mixing(options.mixing);
    match runner.run(&mut store, &options.progress)? {
        RunEnd::Cancelled => Err(ReproduceError::Cancelled),
        RunEnd::Finished => compute_statistics(
            row,
            experiment,
            &store,
            !matches!(GamesToPlay::of(row, options.level).games, PublishedSecrets::Drawn(_)),
        ),
    }
}

/// Returns the path of an experiment's store, which rows with the same games share.
fn store_path(folder: &Path, experiment: &Experiment) -> PathBuf {
    const MAX_NAME_CHARS: usize = 60;
    let description = Description::of(experiment);
    let name = format!("{}-{}", description.rules.join("-"), description.strategies.join("-"));
    let name: String = name.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
    let name: String = name.trim_end_matches('-').chars().take(MAX_NAME_CHARS).collect();
    // The hash distinguishes names that are equal up to here. It is of the debug text, so renaming `Description` or its
    // fields would orphan existing stores.
    let hash = Fnv1a::of(format!("{description:?}").as_bytes());
    folder.join(format!("{name}-{hash:016x}.db"))
}

fn compute_statistics(
    row: &PublishedRow,
    experiment: &Experiment,
    store: &Store,
    census: bool,
) -> Result<RowStatistics, ReproduceError> {
    let secrets: u64 = experiment.cells().iter().map(|cell| cell.secrets.len()).sum();
    let wants = |quantity| row.published.iter().any(|published| published.measure.quantity == quantity);
    let mut identifier = wants(MeasuredQuantity::Identified).then(|| IdentificationCounter::new(&row.rules)).flatten();
    let mut values = BTreeMap::<MeasuredQuantity, Vec<f64>>::new();
    let mut random = false;
    store.for_each_trial::<ReproduceError>(|_, _, _, trial| {
        random |= trial.random.unwrap_or(true);
        let mut measured = |quantity, value: f64| values.entry(quantity).or_default().push(value);
        measured(MeasuredQuantity::Guesses, trial.turns.len() as f64);
        measured(MeasuredQuantity::Examined, trial.counts.examined as f64);
        measured(MeasuredQuantity::Consistent, trial.counts.consistent as f64);
        measured(MeasuredQuantity::Nodes, trial.counts.nodes as f64);
        measured(MeasuredQuantity::Milliseconds, trial.seconds * 1e3);
        if let Some(identifier) = &mut identifier {
            measured(MeasuredQuantity::Identified, identifier.count(&trial.turns) as f64);
        }
        Ok(())
    })?;
    let guesses = values.get(&MeasuredQuantity::Guesses).map(Vec::as_slice).unwrap_or_default();
    let runs: Vec<&[f64]> = guesses.chunks(secrets.max(1) as usize).collect();
    let (games, runs) = (guesses.len() as u64, RunMeans::of(&runs));
    let scope = Scope { census, random };
    let column = |(quantity, values): (&MeasuredQuantity, &Vec<f64>)| {
        Some((*quantity, ColumnStatistics::of(values, secrets as usize, scope)?))
    };
    let columns = values.iter().filter_map(column).collect();
    Ok(RowStatistics { games, codes: secrets, columns, runs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::Library;

    /// Number of games of the first row of a table at levels `quick` and `full`.
    fn games(id: &str) -> (u64, u64) {
        let library = Library::built_in().unwrap();
        let row = &library.find(id).unwrap()[0].rows()[0];
        (GamesToPlay::of(row, Level::Quick).count(row), GamesToPlay::of(row, Level::Full).count(row))
    }

    #[test]
    fn level_quick_plays_fewer_games() {
        assert_eq!(games("temporel-2003/table-2"), (10_000, 100_000), "rare long games decide how they are spread");
        assert_eq!(games("merelo-2010/table-4"), (2592, 3888));
        assert_eq!(games("van-oijen-2018/table-4-3"), (20, 200));
        assert_eq!(games("van-oijen-2018/table-4-1"), (200, 200), "no more than the whole");
        assert_eq!(games("singley-2005/appendix-greedy-1"), (1296, 1296), "every code, so that digits can be compared");
    }
}
