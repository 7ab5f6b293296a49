//! Any consistent code.
//!
//! Where the space can be listed, each consistent code is as likely as the other. In larger spaces codes are drawn by
//! backtracking from random starts, which is near uniform.
//!
//! # References
//! R. Rosu, Mastermind, Master's thesis, North Carolina State University, 1997.

use pegwise_game::{Code, History, Rules};

use crate::{
    candidates::{self, Remaining},
    search::Search,
    spec::Arguments,
    strategy::{Basis, Built, Proposal, Strategy, StrategyError},
};

struct RandomConsistent {
    first: Option<Code>,
    /// The codes still possible, where the space is listed.
    remaining: Option<Remaining>,
}

pub(super) fn build(name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let remaining = Remaining::new(rules).map_err(|error| StrategyError::unplayable(name, rules, &error))?;
    let remaining = Some(remaining).filter(|remaining| remaining.all().is_some());
    Ok(Box::new(RandomConsistent { first: arguments.code("first", rules), remaining }))
}

impl Strategy for RandomConsistent {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let Some(remaining) = &mut self.remaining else {
            return match &self.first {
                Some(first) if history.is_empty() => Ok(Proposal::new(first.clone(), Basis::Consistent)),
                _ => candidates::draw(history, search),
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
