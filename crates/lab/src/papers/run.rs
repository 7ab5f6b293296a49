//! The games of one row.

use std::{
    collections::BTreeMap,
    num::NonZeroU32,
    path::{Path, PathBuf},
};

use pegwise_labstats::{RunMeans, Scope};
use pegwise_solve::Spec;

use super::{
    digest::{Column, Digest},
    exhibit::{Amount, Row},
    identified::Identifier,
    measure::Quantity,
    reproduce::{Options, ReproduceError},
};
use crate::{
    experiment::{Description, Experiment, ExperimentError},
    fingerprint::Fingerprint,
    runner::{RunEnd, Runner},
    store::Store,
};

/// All codes of a space up to the classic game's are played even in a quick look: then nothing is left to luck.
const FEW: u64 = 1296;
/// They are played twice, where a paper plays them more often: that tells the strategy's luck from the choice of secrets.
const TWICE: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);
/// How many games make a quick look at other rows.
const QUICK: u64 = 1000;

/// How many games of a row are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Level {
    /// A handful, to see whether anything behaves otherwise.
    Slice,
    /// About a thousand.
    Quick,
    /// As many as the paper played.
    #[default]
    Full,
}

impl Level {
    /// Its name, as records have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Slice => "slice",
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// A handful of games: fewer where a game takes long.
const SLICE: u64 = 3;
/// Rows that are quickly looked at with fewer games than this have long ones.
const LONG: u64 = 100;

/// What is played of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) games: Amount,
    pub(super) repeats: NonZeroU32,
}

impl Share {
    pub(super) fn of(row: &Row, level: Level) -> Self {
        let whole = Self { games: row.games.clone(), repeats: row.repeats };
        let most = row.quick.unwrap_or(QUICK);
        if level == Level::Slice {
            let few = if most < LONG { 1 } else { SLICE };
            return Self { games: Amount::Drawn(few), repeats: NonZeroU32::MIN };
        }
        if level == Level::Full || row.games_in_full() <= most {
            return whole;
        }
        if row.plays_all() && row.quick.is_none() && row.games.count(&row.rules) <= FEW {
            return Self { repeats: row.repeats.min(TWICE), ..whole };
        }
        Self { games: Amount::Drawn(most), repeats: NonZeroU32::MIN }
    }

    /// How many games that is.
    pub(super) fn count(&self, row: &Row) -> u64 {
        self.games.count(&row.rules).saturating_mul(self.repeats.get().into())
    }
}

/// The experiment that plays a row.
pub(super) fn experiment(row: &Row, spec: Spec, options: &Options) -> Result<Experiment, ExperimentError> {
    let share = Share::of(row, options.level);
    let secrets = share.games.secrets(&row.rules);
    let experiment = Experiment::new(vec![row.rules.clone()], vec![spec], secrets)?.with_repeats(share.repeats)?;
    Ok(experiment.with_seed(options.seed).with_limits(options.limits))
}

/// Plays a row, or what is missing of it, and sums it up.
pub(super) fn play(row: &Row, experiment: &Experiment, options: &Options) -> Result<Digest, ReproduceError> {
    let mut store = match &options.keep {
        Some(folder) => Store::create(&place(folder, experiment), experiment)?,
        None => Store::in_memory(experiment)?,
    };
    let runner = Runner::new(experiment).with_threads(options.threads).with_cancel(&options.cancel);
    let runner = runner.with_mixing(options.mixing);
    match runner.run(&mut store, &options.progress)? {
        RunEnd::Cancelled => Err(ReproduceError::Cancelled),
        RunEnd::Finished => {
            sum_up(row, experiment, &store, !matches!(Share::of(row, options.level).games, Amount::Drawn(_)))
        }
    }
}

/// The store of an experiment: rows of several tables that play the same games share it.
fn place(folder: &Path, experiment: &Experiment) -> PathBuf {
    const READABLE: usize = 60;
    let description = Description::of(experiment);
    let name = format!("{}-{}", description.rules.join("-"), description.strategies.join("-"));
    let name: String = name.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '-' }).collect();
    let name: String = name.trim_end_matches('-').chars().take(READABLE).collect();
    // Tells apart what the readable part does not.
    let hash = Fingerprint::of(format!("{description:?}").as_bytes());
    folder.join(format!("{name}-{hash:016x}.db"))
}

fn sum_up(row: &Row, experiment: &Experiment, store: &Store, census: bool) -> Result<Digest, ReproduceError> {
    let secrets: u64 = experiment.cells().iter().map(|cell| cell.deck.len()).sum();
    let wants = |quantity| row.published.iter().any(|published| published.measure.quantity == quantity);
    let mut identifier = wants(Quantity::Identified).then(|| Identifier::new(&row.rules)).flatten();
    let mut values = BTreeMap::<Quantity, Vec<f64>>::new();
    let mut random = false;
    store.each_trial::<ReproduceError>(|_, _, _, trial| {
        random |= trial.random.unwrap_or(true);
        let mut measured = |quantity, value: f64| values.entry(quantity).or_default().push(value);
        measured(Quantity::Guesses, trial.turns.len() as f64);
        measured(Quantity::Examined, trial.counts.examined as f64);
        measured(Quantity::Consistent, trial.counts.consistent as f64);
        measured(Quantity::Nodes, trial.counts.nodes as f64);
        measured(Quantity::Milliseconds, trial.seconds * 1e3);
        if let Some(identifier) = &mut identifier {
            measured(Quantity::Identified, identifier.count(&trial.turns) as f64);
        }
        Ok(())
    })?;
    let guesses = values.get(&Quantity::Guesses).map(Vec::as_slice).unwrap_or_default();
    let runs: Vec<&[f64]> = guesses.chunks(secrets.max(1) as usize).collect();
    let (games, runs) = (guesses.len() as u64, RunMeans::of(&runs));
    let scope = Scope { census, random };
    let column =
        |(quantity, values): (&Quantity, &Vec<f64>)| Some((*quantity, Column::of(values, secrets as usize, scope)?));
    let columns = values.iter().filter_map(column).collect();
    Ok(Digest { games, codes: secrets, columns, runs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::Library;

    /// How many games a quick look takes at the first row of an exhibit, and how many the whole.
    fn games(id: &str) -> (u64, u64) {
        let library = Library::built_in().unwrap();
        let row = &library.find(id).unwrap()[0].rows()[0];
        (Share::of(row, Level::Quick).count(row), Share::of(row, Level::Full).count(row))
    }

    #[test]
    fn a_quick_look_takes_fewer_games() {
        assert_eq!(games("temporel-2003/table-2"), (10_000, 100_000), "rare long games decide how they are spread");
        assert_eq!(games("merelo-2010/table-4"), (2592, 3888));
        assert_eq!(games("van-oijen-2018/table-4-3"), (20, 200));
        assert_eq!(games("van-oijen-2018/table-4-1"), (200, 200), "no more than the whole");
        assert_eq!(games("singley-2005/appendix-greedy-1"), (1296, 1296), "every code, so that digits can be compared");
    }
}
