//! The catalog of strategies: one [`Row`] each, from which help, completion, documentation, tests and experiments are
//! generated. Programs add rows of their own with [`register()`].

mod register;

use std::sync::Arc;

use pegwise_game::{History, Rules};
use serde::Serialize;

pub use self::register::{ExternalStrategy, RegisterError, fingerprint_of, register, register_external, rows};

use crate::spec::{Spec, SpecError};
pub use pegwise_search::row::{Build, Capability, Condition, Row, always};
use pegwise_search::{
    Parameter, PositionStrategy, Proposed, Search, Strategy, StrategyError, candidates::contradiction,
    secrets::SecretList, tree::Tree,
};

/// Name of the default strategy of every interface; it plays boards of every size.
pub const DEFAULT_STRATEGY: &str = "adaptive";

/// Serializable description of a strategy.
#[derive(Debug, Clone, Serialize)]
pub struct StrategyDescription {
    /// Catalog entry.
    #[serde(flatten)]
    pub row: &'static Row,
    /// Parameters with the defaults of this strategy.
    pub parameters: Vec<Parameter>,
}

impl StrategyDescription {
    /// Creates the description of a row.
    pub fn new(row: &'static Row) -> Self {
        Self { row, parameters: row.preset_parameters().collect() }
    }
}

/// Error when creating a strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// The name or a parameter is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The strategy does not support the rules.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
}

impl CatalogError {
    /// Converts to the error of a strategy that needs the one that could not be created.
    pub(crate) fn of(self, strategy: &'static str, rules: &Rules) -> StrategyError {
        match self {
            Self::Strategy(error) => error,
            Self::Spec(error) => StrategyError::unplayable(strategy, rules, &error),
        }
    }
}

/// Returns the row with this name.
pub fn row(name: &str) -> Option<&'static Row> {
    rows().iter().find(|row| row.name == name)
}

/// Creates a strategy from the text of a spec, such as `entropy(guesses=consistent)`.
pub fn strategy(spec: &str, rules: &Rules) -> Result<Box<dyn Strategy>, CatalogError> {
    build(&spec.parse()?, rules)
}

/// Checks that a strategy can be created for these rules, without creating it.
pub fn check(spec: &Spec, rules: &Rules) -> Result<(), CatalogError> {
    let row = spec.row();
    spec.check_for(rules)?;
    if !row.can_play(rules) {
        let lies = if rules.lies() > 0 { ", without lies" } else { "" };
        return Err(StrategyError::unplayable(row.name, rules, &format!("it plays {}{lies}", row.plays)).into());
    }
    Ok(())
}

/// Creates a strategy.
pub fn build(spec: &Spec, rules: &Rules) -> Result<Box<dyn Strategy>, CatalogError> {
    check(spec, rules)?;
    let row = spec.row();
    Ok(Box::new(CheckedStrategy((row.build)(row.name, rules, spec.arguments())?)))
}

/// Wrapper around every strategy of the catalog: rejects games that are over, and finds the contradicting turns if the
/// strategy returns [`StrategyError::NO_CODE_FITS`].
struct CheckedStrategy(Box<dyn Strategy>);

impl Strategy for CheckedStrategy {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        if history.is_solved() {
            return Err(StrategyError::AlreadySolved);
        }
        if let Some(most) = history.rules().max_guesses().filter(|&most| history.len() >= most as usize) {
            return Err(StrategyError::OutOfGuesses(most));
        }
        self.0.next_guess(history, search).map_err(|error| match error {
            StrategyError::Contradiction { turns } if turns.is_empty() => {
                StrategyError::Contradiction { turns: contradiction(history, search) }
            }
            error => error,
        })
    }

    fn after_win(&mut self, search: &mut Search<'_>) {
        self.0.after_win(search);
    }

    fn position_strategy(&self) -> Option<Box<dyn PositionStrategy>> {
        self.0.position_strategy()
    }

    fn for_secrets(&self, secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
        self.0.for_secrets(secrets).map(|strategy| Box::new(Self(strategy)) as Box<dyn Strategy>)
    }

    fn tree(&self) -> Option<&Tree> {
        self.0.tree()
    }

    fn searches_exactly(&self) -> bool {
        self.0.searches_exactly()
    }
}

/// Creates a strategy for games whose secret is on a list.
pub fn build_for(spec: &Spec, secrets: &Arc<SecretList>) -> Result<Box<dyn Strategy>, CatalogError> {
    let unplayable = || {
        let rules = format!("{} with a list of secrets", secrets.rules());
        StrategyError::unplayable(spec.row().name, &rules, &"it does not support lists of secrets")
    };
    check(spec, secrets.rules())?;
    if !spec.can(Capability::Secrets, secrets.rules()) {
        return Err(unplayable().into());
    }
    Ok(build(spec, secrets.rules())?.for_secrets(secrets).ok_or_else(unplayable)?)
}

/// Returns the strategy name closest to a misspelled one, if any is close.
pub fn nearest(name: &str) -> Option<&'static str> {
    nearest_of(name, rows().iter().map(|row| row.name))
}

/// Returns the name closest to a misspelled one, if any is close.
pub fn nearest_of<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Limits the work for hostile input.
    const MAX_LENGTH: usize = 40;
    const MAX_EDITS: usize = 3;
    if name.len() > MAX_LENGTH {
        return None;
    }
    let distances = names.into_iter().map(|known| (edits(name, known), known));
    distances.min().filter(|&(edits, _)| edits <= MAX_EDITS).map(|(_, name)| name)
}

/// Returns the Levenshtein distance.
fn edits(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, letter) in from.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, other) in to.bytes().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("knuth", "knuth"), 0);
    }
}
