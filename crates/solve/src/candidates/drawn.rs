//! Any one consistent code, drawn by backtracking.

use pegwise_game::{Code, History};

use super::backtrack::{Backtrack, End, Order};
use crate::{
    search::{Search, Stop},
    strategy::{Basis, Proposal, StrategyError},
};

/// Steps of one start; a fresh start finds a code sooner than going on from a bad one.
const STEPS_A_START: u64 = 200_000;
/// Starts before a code is played that does not fit.
const STARTS: usize = 200;

/// Proposes a consistent code found by backtracking from random starts, which is near uniform; any code, and says so, when
/// none is found in time. Works for every board.
///
/// ```
/// use pegwise_game::{History, Rules};
/// use pegwise_solve::{Search, candidates};
/// let rules: Rules = "20x20".parse().unwrap();
/// let history = History::parse(&rules, ["AABBCCDDEEFFGGHHIIJJ=2,5"]).unwrap();
/// let proposal = candidates::draw(&history, &mut Search::new(1)).unwrap();
/// assert!(history.is_consistent(&proposal.guess));
/// ```
pub fn draw(history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
    if history.is_empty() {
        return Ok(Proposal::new(search.rng.code(history.rules()), Basis::Consistent));
    }
    Ok(match seek(history, STARTS, search)? {
        Sought::Found(guess) => Proposal::new(guess, Basis::Consistent),
        Sought::Nothing(stop) => Proposal::last_resort(history.rules(), stop, search),
    })
}

/// What backtracking from random starts came to.
pub(super) enum Sought {
    /// A consistent code.
    Found(Code),
    /// None in these starts, or before this limit.
    Nothing(Option<Stop>),
}

/// Looks for a consistent code from so many random starts. An error when there is none.
pub(super) fn seek(history: &History, starts: usize, search: &mut Search<'_>) -> Result<Sought, StrategyError> {
    let constraints = Backtrack::new(history);
    for _ in 0..starts {
        let mut rng = search.rng.clone();
        let (code, end) = constraints.first(Order::Random(&mut rng), STEPS_A_START, search);
        search.rng = rng;
        match (code, end) {
            (Some(code), _) => return Ok(Sought::Found(code)),
            (None, End::NoMore) => return Err(StrategyError::NO_CODE_FITS),
            (None, End::Stopped(stop)) => return Ok(Sought::Nothing(Some(stop))),
            (None, End::Enough | End::OutOfSteps) => {}
        }
    }
    Ok(Sought::Nothing(None))
}
