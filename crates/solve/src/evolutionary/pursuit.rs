//! A game that a strategy follows from guess to guess.

use pegwise_game::{Code, History, HistoryTracker, Rules};

use crate::{
    candidates::TurnSet,
    search::Search,
    strategy::{Basis, Proposal, Proposed, Strategy},
};

/// A strategy whose population goes on from guess to guess.
pub(super) trait Breeds: Send {
    /// The game that it follows.
    fn pursuit(&mut self) -> &mut Pursuit;

    /// Begins a game, with this guess.
    fn open(&mut self, search: &mut Search<'_>) -> Code;

    /// Chooses a guess after some turns, with the population bred so far if the game goes on, and else with a fresh one.
    fn breed_guess(&mut self, history: &History, goes_on: bool, search: &mut Search<'_>) -> Proposed;
}

impl<B: Breeds> Strategy for B {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        let goes_on = self.pursuit().follow(history);
        let proposal = match history.is_empty() {
            true => Proposal::new(self.open(search), Basis::Consistent),
            false => self.breed_guess(history, goes_on, search)?,
        };
        self.pursuit().propose(&proposal.guess);
        Ok(proposal)
    }
}

/// The turns of a game, and whether the strategy played all of them itself: a population bred for one game goes on only
/// in that game, and every other history is met with a fresh one.
#[derive(Debug, Clone)]
pub struct Pursuit {
    /// The turns.
    pub ledger: TurnSet,
    /// Whether every guess so far was the one proposed.
    own: bool,
    tracker: HistoryTracker,
}

impl Pursuit {
    /// Before any game.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self { ledger: TurnSet::new(rules), own: false, tracker: HistoryTracker::default() }
    }

    /// Takes on a history. Tells whether it is the strategy's own game, and one turn longer than before.
    pub fn follow(&mut self, history: &History) -> bool {
        let goes_on = self.tracker.update(history).is_as_proposed() && self.own;
        self.own = goes_on || history.is_empty();
        self.ledger.follow(history);
        goes_on
    }

    /// Notes what was proposed.
    pub fn propose(&mut self, guess: &Code) {
        self.tracker.propose(guess);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_goes_on_with_its_own_guess_only() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = |turns: &[&str]| History::parse(&rules, turns.iter().copied()).unwrap();
        let mut pursuit = Pursuit::new(&rules);
        assert!(!pursuit.follow(&history(&[])));
        pursuit.propose(&rules.parse_code("1122").unwrap());
        assert!(pursuit.follow(&history(&["1122=1,0"])));
        assert!(!pursuit.follow(&history(&["1122=1,0", "1111=0,0"])));
        pursuit.propose(&rules.parse_code("3333").unwrap());
        assert!(!pursuit.follow(&history(&["1122=1,0", "1111=0,0", "3333=0,0"])), "turn 2 was not its own");
        assert!(!pursuit.follow(&history(&[])));
        pursuit.propose(&rules.parse_code("1122").unwrap());
        assert!(pursuit.follow(&history(&["1122=1,0"])));
        assert!(!pursuit.follow(&history(&["1122=1,0"])), "asked again");
    }
}
