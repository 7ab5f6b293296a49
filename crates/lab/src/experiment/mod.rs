//! What an experiment is: which strategies play which rules, against which secrets, how often, and within which limits.

mod deck;
mod description;
mod file;
pub mod sweep;

pub use deck::{Deck, Secrets};
pub use description::Description;

use std::num::NonZeroU32;

use pegwise_game::{CodeError, Rules, RulesError};
use pegwise_solve::{Limits, Spec, SpecError, catalog, secrets::SecretListError};

/// An experiment: every strategy plays every rules against the same secrets.
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
    /// In the order of their text, each once: the order in which they were given says nothing.
    rules: Vec<Rules>,
    strategies: Vec<Spec>,
    secrets: Secrets,
    decks: Vec<Deck>,
    repeats: NonZeroU32,
    seed: u64,
    limits: Limits,
}

/// One strategy at one rules: a row of the table that an experiment fills.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Its number in the experiment, by which a store knows it.
    pub id: u32,
    /// The rules.
    pub rules: Rules,
    /// The strategy.
    pub strategy: Spec,
    /// The secrets.
    pub deck: Deck,
    /// How often each secret is played.
    pub repeats: NonZeroU32,
}

impl Cell {
    /// How many games are played. Game `number` plays secret `number % secrets` for the `number / secrets`th time.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.deck.len() * u64::from(self.repeats.get())
    }
}

/// Why something is not an experiment.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// Something that must be there is not.
    #[error("there is no {0}; give at least one")]
    Missing(&'static str),
    /// More games than a store can number.
    #[error("{rules}: {games} games are too many; the most are {}", Experiment::MOST_GAMES)]
    TooManyGames {
        /// The rules.
        rules: String,
        /// How many games there would be.
        games: String,
    },
    /// More strategies and rules than a store can number.
    #[error("{cells} pairs of rules and strategy are too many; the most are {}", Experiment::MOST_CELLS)]
    TooManyCells {
        /// How many there would be.
        cells: usize,
    },
    /// The rules are wrong.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A strategy's name or parameter is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A strategy cannot play the rules.
    #[error(transparent)]
    Catalog(#[from] catalog::CatalogError),
    /// A list of secrets does not fit the rules.
    #[error("the list of secrets does not fit {rules}: {error}")]
    List {
        /// The rules.
        rules: String,
        /// What is wrong with it.
        error: SecretListError,
    },
    /// A secret does not fit the rules.
    #[error("secret {number} does not fit {rules}: {error}")]
    Secret {
        /// Which secret of the list, from one.
        number: usize,
        /// The rules.
        rules: String,
        /// What is wrong with it.
        error: CodeError,
    },
}

impl Experiment {
    /// The most games of one strategy at one rules.
    pub const MOST_GAMES: u64 = 1 << 40;
    /// The most pairs of rules and strategy.
    pub const MOST_CELLS: usize = 1 << 20;

    /// An experiment with seed 0, one game a secret, and no limits.
    pub fn new(mut rules: Vec<Rules>, mut strategies: Vec<Spec>, secrets: Secrets) -> Result<Self, ExperimentError> {
        rules.sort_by_cached_key(ToString::to_string);
        rules.dedup();
        strategies.sort_by_cached_key(ToString::to_string);
        strategies.dedup();
        for (what, missing) in [("rules", rules.is_empty()), ("strategy", strategies.is_empty())] {
            if missing {
                return Err(ExperimentError::Missing(what));
            }
        }
        if rules.len() * strategies.len() > Self::MOST_CELLS {
            return Err(ExperimentError::TooManyCells { cells: rules.len() * strategies.len() });
        }
        for rules in &rules {
            for strategy in &strategies {
                catalog::check(strategy, rules)?;
            }
        }
        let decks = rules.iter().map(|rules| Deck::new(rules, &secrets, 0)).collect::<Result<_, _>>()?;
        Ok(Self { rules, strategies, secrets, decks, repeats: NonZeroU32::MIN, seed: 0, limits: Limits::default() })
    }

    /// The same experiment with another seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self.decks.iter_mut().for_each(|deck| deck.reseed(seed));
        self
    }

    /// The same experiment with each secret played this often.
    pub fn with_repeats(mut self, repeats: NonZeroU32) -> Result<Self, ExperimentError> {
        self.repeats = repeats;
        for cell in self.cells() {
            if cell.games() > Self::MOST_GAMES {
                let (rules, games) = (cell.rules.to_string(), cell.games().to_string());
                return Err(ExperimentError::TooManyGames { rules, games });
            }
        }
        Ok(self)
    }

    /// The same experiment with limits on each guess. A limit of time makes games depend on the machine.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The seed that everything random comes from.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What a strategy may spend on a guess.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Every strategy at every rules, by rules and then by strategy, in the order of their text.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        let boards = self.rules.iter().zip(&self.decks);
        let pairs = boards.flat_map(|board| self.strategies.iter().map(move |strategy| (board, strategy)));
        let cell = |(id, ((rules, deck), strategy)): (u32, ((&Rules, &Deck), &Spec))| Cell {
            id,
            rules: rules.clone(),
            strategy: strategy.clone(),
            deck: deck.clone(),
            repeats: self.repeats,
        };
        (0..).zip(pairs).map(cell).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(rules: &[&str], strategies: &[&str], secrets: Secrets) -> Result<Experiment, ExperimentError> {
        let rules = rules.iter().map(|rules| rules.parse().unwrap()).collect();
        Experiment::new(rules, strategies.iter().map(|strategy| strategy.parse().unwrap()).collect(), secrets)
    }

    #[test]
    fn the_order_in_which_things_are_given_says_nothing() {
        let one = experiment(&["4x6", "3x4"], &["knuth", "entropy", "knuth"], Secrets::All).unwrap();
        let other = experiment(&["3x4", "4x6"], &["entropy", "knuth"], Secrets::All).unwrap();
        assert_eq!(Description::of(&one), Description::of(&other));
        assert_eq!(one.cells().len(), 4);
    }

    #[test]
    fn what_cannot_be_run_is_refused() {
        let refused = |rules: &[&str], strategies: &[&str], secrets| {
            experiment(rules, strategies, secrets).unwrap_err().to_string()
        };
        assert_eq!(refused(&[], &["knuth"], Secrets::All), "there is no rules; give at least one");
        assert_eq!(refused(&["4x6"], &["knuth"], Secrets::Drawn(0)), "there is no secret; give at least one");
        assert!(refused(&["30x30"], &["random-consistent"], Secrets::All).contains("too many"));
        assert!(refused(&["4x6"], &["knuth(first=1177)"], Secrets::All).contains("'7' is not a color"));
        let listed = Secrets::Listed(vec!["1122".to_owned(), "1177".to_owned()]);
        assert!(refused(&["4x6"], &["knuth"], listed).starts_with("secret 2 does not fit 4x6"));
    }
}
