//! Any consistent code.
//!
//! Where the space can be listed, each consistent code is as likely as the other. In larger spaces codes are drawn by
//! backtracking from random starts, which is near uniform.
//!
//! # References
//! R. Rosu, Mastermind, Master's thesis, North Carolina State University, 1997.

use pegwise_game::{Code, History, Rules};

use crate::{
    candidates::backtrack::{Backtrack, End, Order},
    candidates::{Remaining, contradiction},
    search::Search,
    spec::Arguments,
    strategy::{Basis, Proposal, Strategy, StrategyError},
};

struct RandomConsistent {
    first: Option<Code>,
    /// The codes still possible, where the space is listed.
    remaining: Option<Remaining>,
}

pub(super) fn build(
    name: &'static str,
    rules: &Rules,
    arguments: &Arguments,
) -> Result<Box<dyn Strategy>, StrategyError> {
    let remaining = Remaining::new(rules).map_err(|error| StrategyError::Unplayable {
        strategy: name,
        rules: rules.to_string(),
        can: error.to_string(),
    })?;
    let remaining = Some(remaining).filter(|remaining| remaining.all().is_some());
    Ok(Box::new(RandomConsistent { first: arguments.code("first", rules), remaining }))
}

impl Strategy for RandomConsistent {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if history.is_solved() {
            return Err(StrategyError::AlreadySolved);
        }
        let Some(remaining) = &mut self.remaining else {
            return match &self.first {
                Some(first) if history.is_empty() => Ok(Proposal::new(first.clone(), Basis::Consistent)),
                _ => search_at_random(history, search),
            };
        };
        let view = remaining.after(history, search)?;
        let guess = match &self.first {
            Some(first) if history.is_empty() => first.clone(),
            _ => view.codes.code(search.rng.index(view.codes.len())),
        };
        let basis = if view.codes.len() == 1 { Basis::Proven } else { Basis::Consistent };
        Ok(Proposal { remaining: view.count, ..Proposal::new(guess, basis) })
    }
}

/// Steps of one start; a fresh start finds a code sooner than going on from a bad one.
const STEPS_A_START: u64 = 200_000;
/// Starts before it plays a code that does not fit.
const STARTS: usize = 200;

/// A consistent code found by backtracking from random starts.
pub(crate) fn search_at_random(history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
    if history.is_empty() {
        return Ok(Proposal::new(search.rng.code(history.rules()), Basis::Consistent));
    }
    let constraints = Backtrack::new(history);
    let mut stop = None;
    for _ in 0..STARTS {
        let mut rng = search.rng.clone();
        let (code, end) = constraints.first(Order::Random(&mut rng), STEPS_A_START, search);
        search.rng = rng;
        match (code, end) {
            (Some(guess), _) => return Ok(Proposal::new(guess, Basis::Consistent)),
            (None, End::NoMore) => {
                return Err(StrategyError::Contradiction { turns: contradiction(history, search) });
            }
            (None, End::Stopped(limit)) => {
                stop = Some(limit);
                break;
            }
            (None, End::Enough | End::OutOfSteps) => {}
        }
    }
    Ok(Proposal::last_resort(history.rules(), stop, search))
}
