//! What every strategy of the catalog has around it, so that its own file holds nothing but its algorithm.

use std::sync::Arc;

use pegwise_game::History;

use crate::{
    candidates::contradiction,
    search::Search,
    secrets::SecretList,
    strategy::{PositionStrategy, Proposal, Strategy, StrategyError},
    tree::Tree,
};

/// Answers for a game that is over, and names the turns that cannot all be true when the strategy says that no code fits.
pub(crate) struct CheckedStrategy(Box<dyn Strategy>);

impl CheckedStrategy {
    /// A strategy in its frame.
    pub(crate) fn around(strategy: Box<dyn Strategy>) -> Box<dyn Strategy> {
        Box::new(Self(strategy))
    }
}

impl Strategy for CheckedStrategy {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if history.is_solved() {
            return Err(StrategyError::AlreadySolved);
        }
        self.0.next_guess(history, search).map_err(|error| match error {
            StrategyError::Contradiction { turns } if turns.is_empty() => {
                StrategyError::Contradiction { turns: contradiction(history, search) }
            }
            error => error,
        })
    }

    fn position_strategy(&self) -> Option<Box<dyn PositionStrategy>> {
        self.0.position_strategy()
    }

    fn for_secrets(&self, secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
        self.0.for_secrets(secrets).map(Self::around)
    }

    fn tree(&self) -> Option<&Tree> {
        self.0.tree()
    }
}
