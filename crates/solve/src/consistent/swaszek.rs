//! Stepping through the codes in numeric order, round and round, from anywhere.
//!
//! # References
//! P. F. Swaszek, The Mastermind novice, Journal of Recreational Mathematics 30(3), 193-198, 2000.

use pegwise_game::{Code, History, Rules};

use crate::{
    candidates::backtrack::{Backtrack, End, Order},
    search::Search,
    spec::Arguments,
    strategy::{Basis, Proposal, Strategy, StrategyError},
};

struct Swaszek {
    first: Option<Code>,
}

/// Steps before it plays a code that does not fit.
const MAX_STEPS: u64 = 50_000_000;

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    Ok(Box::new(Swaszek { first: arguments.code("first", rules) }))
}

impl Strategy for Swaszek {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let Some(last) = history.turns().last() else {
            let guess = self.first.clone().unwrap_or_else(|| search.rng.code(history.rules()));
            return Ok(Proposal::new(guess, Basis::Consistent));
        };
        let constraints = Backtrack::new(history);
        // After the last guess, then from the start again.
        for from in [Some(&last.guess), None] {
            let (code, end) = constraints.first(Order::AscendingFrom(from), MAX_STEPS, search);
            let stop = match (code, end) {
                (Some(guess), _) => return Ok(Proposal::new(guess, Basis::Consistent)),
                (None, End::NoMore | End::Enough) => continue,
                (None, End::OutOfSteps) => None,
                (None, End::Stopped(stop)) => Some(stop),
            };
            return Ok(Proposal::last_resort(history.rules(), stop, search));
        }
        Err(StrategyError::NO_CODE_FITS)
    }
}
