//! Strategy that plays from a tree.

use std::sync::Arc;

use pegwise_game::{Code, Count, History, Space};

use super::{Node, Summary, Tree, TreeFile};
use pegwise_search::{Basis, Proposal, Search, Strategy, StrategyError, secrets::SecretList};

/// Strategy that plays from a tree, also in positions that are equivalent to one of the tree
/// ([`Tree::equivalent_position`]), and by another strategy elsewhere: after a different guess, or a feedback without a
/// branch. The other strategy provides the alternatives.
///
/// ```
/// use pegwise_game::{History, Rules};
/// use pegwise_solve::{Basis, Search, Strategy, catalog, tree::{TreePlayer, formats::{Format, import}}};
/// let rules: Rules = "2x3".parse()?;
/// let text = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}";
/// let file = import(Format::Contest, Some(&rules), text.as_bytes())?;
/// let mut player = TreePlayer::new(file, catalog::strategy("knuth", &rules)?);
/// let history = History::parse(&rules, ["12=1,0"])?;
/// let proposal = player.next_guess(&history, &mut Search::new(1))?;
/// assert_eq!(proposal.guess.notation(3).to_string(), "13");
/// assert_eq!(proposal.basis, Basis::Scored);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TreePlayer {
    tree: Tree,
    proven: bool,
    fallback: Box<dyn Strategy>,
}

impl TreePlayer {
    /// Creates a player with a fallback strategy for the same rules.
    #[must_use]
    pub fn new(file: TreeFile, fallback: Box<dyn Strategy>) -> Self {
        Self { tree: file.tree, proven: file.proven, fallback }
    }

    /// Returns the position of a history or of an equivalent one, if the tree has it, and the guess for the history.
    fn position(&self, history: &History) -> Option<(&Node, Code)> {
        // A limit on guesses does not affect the best guess.
        let same_game =
            history.rules().clone().with_max_guesses(None) == self.tree.rules.clone().with_max_guesses(None);
        let (node, renaming) = self.tree.equivalent_position(history).filter(|_| same_game)?;
        Some((node, renaming.undo(&node.guess)))
    }
}

impl Strategy for TreePlayer {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let Some((node, guess)) = self.position(history) else {
            return self.fallback.next_guess(history, search);
        };
        let remaining = if history.is_empty() {
            Space::new(history.rules()).count()
        } else {
            Count::Exact(Summary::of(node).codes.into())
        };
        let only_code = node.branches.is_empty();
        let basis = if self.proven || only_code { Basis::Proven } else { Basis::Scored };
        let mut proposal = Proposal { remaining: Some(remaining), ..Proposal::new(guess, basis) };
        if search.alternatives > 0 {
            let compared = self.fallback.next_guess(history, search)?;
            let (own, others): (Vec<_>, Vec<_>) = compared
                .rated
                .into_iter()
                .chain(compared.alternatives)
                .partition(|alternative| alternative.guess == proposal.guess);
            proposal.rated = own.into_iter().next();
            proposal.alternatives = others.into_iter().take(search.alternatives).collect();
        }
        Ok(proposal)
    }

    /// Returns the fallback strategy, since the tree is for all codes of the rules.
    fn for_secrets(&self, secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
        self.fallback.for_secrets(secrets)
    }

    fn tree(&self) -> Option<&Tree> {
        Some(&self.tree)
    }

    fn searches_exactly(&self) -> bool {
        self.fallback.searches_exactly()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pegwise_game::Rules;

    use crate::samples;
    use pegwise_solve::catalog;

    fn ask(player: &mut TreePlayer, turns: &[&str]) -> Result<Proposal, StrategyError> {
        let history = History::parse(&player.tree.rules, turns.iter().copied()).unwrap();
        player.next_guess(&history, &mut Search::new(0))
    }

    fn player(proven: bool) -> TreePlayer {
        let rules: Rules = "4x6".parse().unwrap();
        let file = samples::file("4x6", "knuth").with_proof(proven, None);
        TreePlayer::new(file, catalog::strategy("entropy", &rules).unwrap())
    }

    #[test]
    fn the_tree_is_followed() {
        let mut player = player(true);
        let proposal = ask(&mut player, &["1122=1,0"]).unwrap();
        assert_eq!(proposal.guess.notation(6).to_string(), "1344");
        assert_eq!((proposal.basis, proposal.remaining), (Basis::Proven, Some(Count::Exact(256))));
        assert_eq!(ask(&mut player, &[]).unwrap().remaining, Some(Count::Exact(1296)));
    }

    #[test]
    fn off_the_tree_the_other_strategy_plays() {
        let mut player = player(true);
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["1234=1,0"]).unwrap();
        let expected = catalog::strategy("entropy", &rules).unwrap().next_guess(&history, &mut Search::new(0)).unwrap();
        assert_eq!(ask(&mut player, &["1234=1,0"]).unwrap(), expected);
    }

    #[test]
    fn inconsistent_histories_are_errors() {
        let mut player = player(false);
        assert!(matches!(ask(&mut player, &["1122=1,3"]), Err(StrategyError::Contradiction { .. })));
        assert_eq!(ask(&mut player, &["1122=4,0"]), Err(StrategyError::AlreadySolved));
        assert_eq!(ask(&mut player, &["1122=0,0"]).unwrap().basis, Basis::Scored);
    }
}
