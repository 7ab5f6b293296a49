//! A game that a strategy follows from guess to guess.

use pegwise_game::{Code, History, Rules};

use crate::candidates::Ledger;

/// The turns of a game, and whether the latest is the strategy's own: a population bred for one game goes on only in
/// that game, and every other history is met with a fresh one.
#[derive(Debug, Clone)]
pub struct Thread {
    /// The turns.
    pub ledger: Ledger,
    proposed: Option<Code>,
}

impl Thread {
    /// Before any game.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self { ledger: Ledger::new(rules), proposed: None }
    }

    /// Takes on a history. Tells whether it is the last one and one more turn, with the guess that was proposed.
    pub fn follow(&mut self, history: &History) -> bool {
        let goes_on = match history.turns() {
            [earlier @ .., last] => earlier == self.ledger.turns() && self.proposed.as_ref() == Some(&last.guess),
            [] => false,
        };
        self.ledger.follow(history);
        goes_on
    }

    /// Notes what was proposed.
    pub fn propose(&mut self, guess: &Code) {
        self.proposed = Some(guess.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_goes_on_with_its_own_guess_only() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = |turns: &[&str]| History::parse(&rules, turns.iter().copied()).unwrap();
        let mut thread = Thread::new(&rules);
        assert!(!thread.follow(&history(&[])));
        thread.propose(&rules.parse_code("1122").unwrap());
        assert!(thread.follow(&history(&["1122=1,0"])));
        assert!(!thread.follow(&history(&["1122=1,0", "1111=0,0"])));
        thread.propose(&rules.parse_code("3333").unwrap());
        assert!(!thread.follow(&history(&["1122=1,0", "3333=0,0"])));
        thread.propose(&rules.parse_code("3333").unwrap());
        assert!(!thread.follow(&history(&[])));
    }
}
