//! Definition of an experiment: strategies, rules, secrets, repeats, seed and limits.

mod file;
pub mod sweep;

use std::{num::NonZeroU32, sync::Arc};

use pegwise_game::{Code, CodeError, Rules, RulesError, Space};
use pegwise_solve::secrets::{SecretList, SecretListError};
use pegwise_solve::{Fnv1a, Limits, Spec, SpecError, catalog, seeds};
use serde::{Deserialize, Serialize};

/// Width of a game number in the ids of a store. The cell number is in the bits above.
pub const GAME_BITS: u32 = 40;

/// An experiment: every strategy plays under every set of rules against the same secrets.
///
/// ```
/// use pegwise_lab::{Experiment, Secrets};
/// let rules = vec!["4x6".parse()?, "3x4".parse()?];
/// let experiment = Experiment::new(rules, vec!["knuth".parse()?], Secrets::All)?;
/// let games: Vec<u64> = experiment.cells().iter().map(|cell| cell.games()).collect();
/// assert_eq!(games, [64, 1296]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Sorted by text without duplicates, so the order of the arguments does not matter.
    rules: Vec<Rules>,
    strategies: Vec<Spec>,
    secrets: Secrets,
    secret_sources: Vec<SecretSource>,
    repeats: NonZeroU32,
    seed: u64,
    limits: Limits,
}

/// One strategy under one set of rules.
#[derive(Debug, Clone)]
pub struct ExperimentCell {
    /// Number in the experiment.
    pub id: u32,
    /// Rules.
    pub rules: Rules,
    /// Strategy.
    pub strategy: Spec,
    /// Secrets.
    pub secrets: SecretSource,
    /// Number of games per secret.
    pub repeats: NonZeroU32,
}

impl ExperimentCell {
    /// Returns the number of games. Game `number` plays secret `number % secrets` in repeat `number / secrets`.
    pub fn games(&self) -> u64 {
        self.secrets.len() * u64::from(self.repeats.get())
    }
}

/// Error in the definition of an experiment.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// A required part is missing.
    #[error("at least one {0} is required")]
    Missing(&'static str),
    /// More games than a store can number: rules and number of games.
    #[error("{}: {} games are too many; the maximum is {}", .0, .1, Experiment::MAX_GAMES)]
    TooManyGames(String, String),
    /// More pairs of rules and strategy than a store can number.
    #[error(
        "{} pairs of rules and strategy are too many; the maximum is {}",
        .0, Experiment::MAX_CELLS_PER_EXPERIMENT
    )]
    TooManyCells(usize),
    /// Invalid rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Invalid name or parameter of a strategy.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A strategy does not support the rules.
    #[error(transparent)]
    Catalog(#[from] catalog::CatalogError),
    /// A list of secrets is not valid for these rules.
    #[error("the list of secrets is not valid for {0}: {1}")]
    List(String, SecretListError),
    /// The secret at this position, from one, is not valid for these rules.
    #[error("secret {0} is not valid for {1}: {2}")]
    Secret(usize, String, CodeError),
}

impl Experiment {
    /// Maximum number of games per strategy and rules.
    pub const MAX_GAMES: u64 = 1 << GAME_BITS;
    /// Maximum number of pairs of rules and strategy.
    pub const MAX_CELLS_PER_EXPERIMENT: usize = 1 << 20;

    /// Creates an experiment with seed 0, one game per secret, and no limits.
    pub fn new(mut rules: Vec<Rules>, mut strategies: Vec<Spec>, secrets: Secrets) -> Result<Self, ExperimentError> {
        rules.sort_by_cached_key(ToString::to_string);
        rules.dedup();
        strategies.sort_by_cached_key(ToString::to_string);
        strategies.dedup();
        for (what, missing) in [("set of rules", rules.is_empty()), ("strategy", strategies.is_empty())] {
            if missing {
                return Err(ExperimentError::Missing(what));
            }
        }
        if rules.len() * strategies.len() > Self::MAX_CELLS_PER_EXPERIMENT {
            return Err(ExperimentError::TooManyCells(rules.len() * strategies.len()));
        }
        for rules in &rules {
            for strategy in &strategies {
                catalog::check(strategy, rules)?;
            }
        }
        let secret_sources =
            rules.iter().map(|rules| SecretSource::new(rules, &secrets, 0)).collect::<Result<_, _>>()?;
        Ok(Self {
            rules,
            strategies,
            secrets,
            secret_sources,
            repeats: NonZeroU32::MIN,
            seed: 0,
            limits: Limits::default(),
        })
    }

    /// Sets the seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self.secret_sources.iter_mut().for_each(|source| source.seed = seed);
        self
    }

    /// Sets the number of games per secret.
    pub fn with_repeats(mut self, repeats: NonZeroU32) -> Result<Self, ExperimentError> {
        self.repeats = repeats;
        for cell in self.cells() {
            if cell.games() > Self::MAX_GAMES {
                return Err(ExperimentError::TooManyGames(cell.rules.to_string(), cell.games().to_string()));
            }
        }
        Ok(self)
    }

    /// Sets the limits per guess. With a time limit, games depend on the machine.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the random seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the limits per guess.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the total number of games.
    pub fn games(&self) -> u64 {
        self.cells().iter().map(ExperimentCell::games).sum()
    }

    /// Returns all pairs of rules and strategy, sorted by the texts of rules, then strategy.
    pub fn cells(&self) -> Vec<ExperimentCell> {
        let boards = self.rules.iter().zip(&self.secret_sources);
        let pairs = boards.flat_map(|board| self.strategies.iter().map(move |strategy| (board, strategy)));
        let cell = |(id, ((rules, source), strategy)): (u32, ((&Rules, &SecretSource), &Spec))| ExperimentCell {
            id,
            rules: rules.clone(),
            strategy: strategy.clone(),
            secrets: source.clone(),
            repeats: self.repeats,
        };
        (0..).zip(pairs).map(cell).collect()
    }
}

/// Selection of the secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Secrets {
    /// Every code, in order.
    All,
    /// This number of codes, drawn with replacement.
    Drawn(u64),
    /// A number of drawn codes for each of the rules.
    DrawnEach(Vec<(String, u64)>),
    /// These codes. Strategies do not know the list.
    Listed(Vec<String>),
    /// Each code of a list in the format of [`SecretList::parse`] once. Strategies that can use the list know it.
    Each(Arc<str>),
    /// Codes drawn from a list by weight. Strategies that can use the list know it.
    Weighted {
        /// List in the format of [`SecretList::parse`].
        list: Arc<str>,
        /// Number of drawn codes.
        games: u64,
    },
}

/// Secrets under one set of rules, computed by number without storing all of them.
#[derive(Debug, Clone)]
pub struct SecretSource {
    rules: Rules,
    /// Text of the rules, which selects the random streams.
    name: String,
    seed: u64,
    kind: SecretSourceKind,
}

#[derive(Debug, Clone)]
enum SecretSourceKind {
    All(u64),
    Drawn(u64),
    Listed(Arc<[Code]>),
    Each(Arc<SecretList>),
    Weighted(Arc<SecretList>, u64),
}

impl SecretSource {
    pub(crate) fn new(rules: &Rules, secrets: &Secrets, seed: u64) -> Result<Self, ExperimentError> {
        let name = rules.to_string();
        let too_many = |games: String| ExperimentError::TooManyGames(rules.to_string(), games);
        let list = |list: &str| {
            let wrong = |error| ExperimentError::List(rules.to_string(), error);
            SecretList::parse(rules, list).map(Arc::new).map_err(wrong)
        };
        let kind = match secrets {
            Secrets::All => {
                let count = Space::new(rules).count();
                let exact = count.exact().and_then(|count| u64::try_from(count).ok());
                SecretSourceKind::All(exact.ok_or_else(|| too_many(count.to_string()))?)
            }
            Secrets::Drawn(count) => SecretSourceKind::Drawn(*count),
            Secrets::DrawnEach(counts) => {
                let count = counts.iter().find(|(rules, _)| *rules == name).map(|(_, count)| *count);
                SecretSourceKind::Drawn(count.ok_or(ExperimentError::Missing("number of games for each of the rules"))?)
            }
            Secrets::Listed(texts) => {
                let code = |(number, text): (usize, &String)| {
                    let rejected = |error| ExperimentError::Secret(number, rules.to_string(), error);
                    rules.parse_code(text).map_err(rejected)
                };
                SecretSourceKind::Listed((1..).zip(texts).map(code).collect::<Result<_, _>>()?)
            }
            Secrets::Each(text) => SecretSourceKind::Each(list(text)?),
            Secrets::Weighted { list: text, games } => SecretSourceKind::Weighted(list(text)?, *games),
        };
        let source = Self { rules: rules.clone(), name, seed, kind };
        match source.len() {
            0 => Err(ExperimentError::Missing("secret")),
            games if games > Experiment::MAX_GAMES => Err(too_many(games.to_string())),
            _ => Ok(source),
        }
    }

    /// Returns the number of secrets.
    pub fn len(&self) -> u64 {
        match &self.kind {
            SecretSourceKind::All(count) | SecretSourceKind::Drawn(count) | SecretSourceKind::Weighted(_, count) => {
                *count
            }
            SecretSourceKind::Listed(codes) => codes.len() as u64,
            SecretSourceKind::Each(list) => list.len() as u64,
        }
    }

    /// Returns true if there are no secrets, which does not occur in an experiment.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the secret with this number, modulo the number of secrets.
    pub fn secret(&self, number: u64) -> Code {
        let number = number % self.len().max(1);
        match &self.kind {
            SecretSourceKind::All(_) => {
                Space::new(&self.rules).unrank(number.into()).unwrap_or_else(|| self.drawn(number))
            }
            SecretSourceKind::Drawn(_) => self.drawn(number),
            SecretSourceKind::Listed(codes) => codes[number as usize].clone(),
            SecretSourceKind::Each(list) => list.codes()[number as usize].clone(),
            SecretSourceKind::Weighted(list, _) => {
                list.draw(&mut seeds::secret_stream(self.seed, &self.name, number)).clone()
            }
        }
    }

    /// Returns the list that strategies may use, if any.
    pub fn list(&self) -> Option<&Arc<SecretList>> {
        match &self.kind {
            SecretSourceKind::Each(list) | SecretSourceKind::Weighted(list, _) => Some(list),
            SecretSourceKind::All(_) | SecretSourceKind::Drawn(_) | SecretSourceKind::Listed(_) => None,
        }
    }

    fn drawn(&self, number: u64) -> Code {
        seeds::secret_stream(self.seed, &self.name, number).code(&self.rules)
    }
}

/// Textual description of an experiment, or of the experiments of a store.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExperimentDescription {
    /// Rules.
    pub rules: Vec<String>,
    /// Strategies with their parameters.
    pub strategies: Vec<String>,
    /// Selection of the secrets.
    pub secrets: String,
    /// Number of secrets for each of the rules.
    pub counts: Vec<u64>,
    /// Number of games per secret.
    pub repeats: u32,
    /// Random seed.
    pub seed: u64,
    /// Limits per guess.
    pub limits: String,
}

impl ExperimentDescription {
    /// Describes an experiment.
    pub fn of(experiment: &Experiment) -> Self {
        Self {
            rules: experiment.rules.iter().map(ToString::to_string).collect(),
            strategies: experiment.strategies.iter().map(ToString::to_string).collect(),
            secrets: describe_secrets(&experiment.secrets),
            counts: experiment.secret_sources.iter().map(SecretSource::len).collect(),
            repeats: experiment.repeats.get(),
            seed: experiment.seed,
            limits: describe_limits(experiment.limits),
        }
    }

    /// Describes why the games of both experiments cannot be in one store; `None` if they can. Stores take more rules,
    /// strategies, drawn secrets and repeats, but the same number has to be the same secret.
    pub fn contradiction(&self, other: &Self) -> Option<String> {
        let pairs = [
            (
                "secrets",
                self.secrets_kind() == other.secrets_kind(),
                [&self.secrets, &other.secrets].map(String::clone),
            ),
            ("seed", self.seed == other.seed, [self.seed, other.seed].map(|seed| seed.to_string())),
            ("limits", self.limits == other.limits, [&self.limits, &other.limits].map(String::clone)),
        ];
        let changed = pairs.into_iter().filter(|(_, same, _)| !same);
        let changed: Vec<String> =
            changed.map(|(what, _, [ours, theirs])| format!("{what}: {ours} there, {theirs} here")).collect();
        if changed.is_empty() { None } else { Some(changed.join("; ")) }
    }

    /// Selection of the secrets without their number.
    fn secrets_kind(&self) -> &str {
        match self.secrets.split_once("drawn") {
            Some((_, rest)) if rest.starts_with(" by weight") => rest,
            Some(_) => "drawn",
            None => &self.secrets,
        }
    }

    /// Returns the description of the games of both experiments, which do not contradict each other.
    pub(crate) fn union(&self, other: &Self) -> Self {
        let sorted = |one: &[String], other: &[String]| {
            let mut all = [one, other].concat();
            all.sort_unstable();
            all.dedup();
            all
        };
        let rules = sorted(&self.rules, &other.rules);
        let count = |of: &Self, rules: &String| {
            of.rules.iter().zip(&of.counts).find(|(other, _)| *other == rules).map(|(_, count)| *count)
        };
        let counts: Vec<u64> = rules.iter().filter_map(|rules| count(self, rules).max(count(other, rules))).collect();
        let secrets = match (self.secrets_kind(), counts.iter().max()) {
            ("drawn", Some(most)) if counts.iter().all(|count| count == most) => format!("{most} drawn"),
            ("drawn", _) => describe_counts(rules.iter().zip(&counts).map(|(rules, &count)| (rules, count))),
            (weighted, Some(most)) if weighted.starts_with(' ') => format!("{most} drawn{weighted}"),
            (same, _) => same.to_owned(),
        };
        let strategies = sorted(&self.strategies, &other.strategies);
        let repeats = self.repeats.max(other.repeats);
        Self { rules, strategies, secrets, counts, repeats, seed: self.seed, limits: self.limits.clone() }
    }

    /// Returns all pairs of rules and strategy.
    pub(crate) fn cells(&self) -> Vec<PlannedCell> {
        let boards = self.rules.iter().zip(&self.counts);
        let pairs = boards.flat_map(|board| self.strategies.iter().map(move |strategy| (board, strategy)));
        let cell = |((rules, &secrets), strategy): ((&String, &u64), &String)| PlannedCell {
            rules: rules.clone(),
            strategy: strategy.clone(),
            secrets,
            repeats: self.repeats,
        };
        pairs.map(cell).collect()
    }
}

/// Number of games of a strategy under one set of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlannedCell {
    pub(crate) rules: String,
    pub(crate) strategy: String,
    /// Number of secrets.
    pub(crate) secrets: u64,
    /// Number of games per secret.
    pub(crate) repeats: u32,
}

impl PlannedCell {
    pub(crate) fn games(&self) -> u64 {
        self.secrets * u64::from(self.repeats)
    }
}

fn describe_counts<'a>(counts: impl Iterator<Item = (&'a String, u64)>) -> String {
    let mut counts: Vec<String> = counts.map(|(rules, count)| format!("{rules} {count}")).collect();
    counts.sort_unstable();
    format!("drawn: {}", counts.join(", "))
}

fn describe_secrets(secrets: &Secrets) -> String {
    match secrets {
        Secrets::All => "all".to_owned(),
        Secrets::Drawn(count) => format!("{count} drawn"),
        Secrets::DrawnEach(counts) => describe_counts(counts.iter().map(|(rules, count)| (rules, *count))),
        Secrets::Listed(codes) => {
            let list = Fnv1a::of((codes.join("\n") + "\n").as_bytes());
            format!("{} listed ({list:016x})", codes.len())
        }
        Secrets::Each(list) => format!("each of a list ({:016x})", Fnv1a::of(list.as_bytes())),
        Secrets::Weighted { list, games } => {
            format!("{games} drawn by weight ({:016x})", Fnv1a::of(list.as_bytes()))
        }
    }
}

fn describe_limits(limits: Limits) -> String {
    let Limits { examined, nodes, time } = limits;
    let texts = [
        examined.map(|examined| format!("examined {examined}")),
        nodes.map(|nodes| format!("nodes {nodes}")),
        time.map(|time| format!("time {time:?}")),
    ];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(rules: &[&str], strategies: &[&str], secrets: Secrets) -> Result<Experiment, ExperimentError> {
        let rules = rules.iter().map(|rules| rules.parse().unwrap()).collect();
        Experiment::new(rules, strategies.iter().map(|strategy| strategy.parse().unwrap()).collect(), secrets)
    }

    #[test]
    fn the_order_of_arguments_does_not_matter() {
        let one = experiment(&["4x6", "3x4"], &["knuth", "entropy", "knuth"], Secrets::All).unwrap();
        let other = experiment(&["3x4", "4x6"], &["entropy", "knuth"], Secrets::All).unwrap();
        assert_eq!(ExperimentDescription::of(&one), ExperimentDescription::of(&other));
        assert_eq!(one.cells().len(), 4);
    }

    #[test]
    fn invalid_experiments_are_rejected() {
        let refused = |rules: &[&str], strategies: &[&str], secrets| {
            experiment(rules, strategies, secrets).unwrap_err().to_string()
        };
        assert_eq!(refused(&[], &["knuth"], Secrets::All), "at least one set of rules is required");
        assert_eq!(refused(&["4x6"], &["knuth"], Secrets::Drawn(0)), "at least one secret is required");
        assert!(refused(&["30x30"], &["random-consistent"], Secrets::All).contains("too many"));
        assert!(refused(&["4x6"], &["knuth(first=1177)"], Secrets::All).contains("'7' is not a color"));
        let listed = Secrets::Listed(vec!["1122".to_owned(), "1177".to_owned()]);
        assert!(refused(&["4x6"], &["knuth"], listed).starts_with("secret 2 is not valid for 4x6"));
    }
}
