//! Xu's program: the hill climber, and shifting pegs where the board is too large for it.
//!
//! A game has ten seconds of thinking; when they are over the pegs are shifted as well. Unless the clock strikes, games
//! are fixed by their seed.
//!
//! # Cost and limits
//! See `shc-xu` and `shifting`: a hundred codes a game at 4x6, and about a hundred guesses at 15x15.
//!
//! # References
//! Y. Xu, Solving Mastermind, Imperial College London.

use std::time::Duration;

use pegwise_game::{History, HistoryChange, HistoryTracker, Rules};

use super::{shc_xu::ShcXu, shifting::Shifting};
use crate::{
    clock::Moment,
    search::{Search, Watch},
    spec::Arguments,
    strategy::{Proposal, Strategy, StrategyError},
};

struct Xu {
    climber: ShcXu,
    shifting: Shifting,
    /// Whether the board is too large for the climber.
    large: bool,
    allowance: Duration,
    /// What the climber thought in this game.
    spent: Duration,
    tracker: HistoryTracker,
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    Ok(Box::new(Xu {
        climber: ShcXu::new(rules, arguments.code("first", rules)),
        shifting: Shifting { counting: false },
        large: is_large(rules, arguments),
        allowance: Duration::from_secs(arguments.integer("seconds")),
        spent: Duration::ZERO,
        tracker: HistoryTracker::default(),
    }))
}

/// Whether a board is too large to be climbed.
pub(super) fn is_large(rules: &Rules, arguments: &Arguments) -> bool {
    rules.cells() as u64 + u64::from(rules.colors()) > arguments.integer("switch")
}

impl Strategy for Xu {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        // A question that is asked again is no later in its game.
        if !matches!(self.tracker.update(history), HistoryChange::Extended { known, .. } if known < history.len()) {
            self.spent = Duration::ZERO;
        }
        if !self.large && self.spent < self.allowance {
            let started = Moment::now();
            let patience = Watch::new(Some(self.allowance - self.spent), None);
            let found = self.climber.guess(history, search, patience)?;
            self.spent += started.elapsed();
            if let Some(proposal) = found {
                return Ok(proposal);
            }
        }
        self.shifting.next_guess(history, search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    fn first_guess(spec: &str, rules: &str) -> String {
        let rules: Rules = rules.parse().unwrap();
        let history = History::new(rules.clone());
        let guess = catalog::strategy(spec, &rules).unwrap().next_guess(&history, &mut Search::new(1)).unwrap().guess;
        guess.notation(rules.colors()).to_string()
    }

    #[test]
    fn boards_past_the_switch_are_shifted() {
        assert_ne!(first_guess("xu", "9x9"), "111111111");
        assert_eq!(first_guess("xu", "9x10"), "AAAAAAAAA");
        assert_eq!(first_guess("xu(switch=9)", "4x6"), "1111");
    }

    #[test]
    fn pegs_are_shifted_when_the_time_is_over() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut xu = Xu {
            climber: ShcXu::new(&rules, None),
            shifting: Shifting { counting: false },
            large: false,
            allowance: Duration::from_secs(1),
            spent: Duration::from_secs(1),
            tracker: HistoryTracker::default(),
        };
        let history = History::parse(&rules, ["2345=1,1"]).unwrap();
        let guess = xu.next_guess(&history, &mut Search::new(1)).unwrap().guess;
        assert_eq!(guess.notation(6).to_string(), "1111");
    }
}
