//! Any consistent code.
//!
//! Where the space can be listed, each consistent code is as likely as the other. In larger spaces codes are drawn by
//! backtracking from random starts, which is near uniform.
//!
//! `draws=any` is the search that Rosu counted: any codes are drawn until one fits, and forgotten. It plays as well and
//! examines about as many codes as there are: at 4x6 some 1,290, where 1,295 were printed.
//!
//! # References
//! R. Rosu, Mastermind, Master's thesis, North Carolina State University, 1997.

use pegwise_game::{Code, History, Rules};

use crate::{
    candidates::{self, Ledger, Remaining},
    search::Search,
    spec::Arguments,
    strategy::{Basis, Built, Proposal, Strategy, StrategyError},
};

struct RandomConsistent {
    first: Option<Code>,
    /// The codes still possible, where the space is listed.
    remaining: Option<Remaining>,
    /// Where any codes are drawn, how far they are from fitting.
    ledger: Option<Ledger>,
}

/// Draws before backtracking has the last word: many times the codes of every space of the papers.
const MAX_DRAWS: u64 = 1 << 23;

pub(super) fn build(name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let remaining = Remaining::new(rules).map_err(|error| StrategyError::unplayable(name, rules, &error))?;
    let remaining = Some(remaining).filter(|remaining| remaining.all().is_some());
    let ledger = (arguments.text("draws") == "any").then(|| Ledger::new(rules));
    Ok(Box::new(RandomConsistent { first: arguments.code("first", rules), remaining, ledger }))
}

impl Strategy for RandomConsistent {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if let Some(ledger) = &mut self.ledger {
            return match &self.first {
                Some(first) if history.is_empty() => Ok(Proposal::new(first.clone(), Basis::Consistent)),
                _ => draw_any(ledger, history, search),
            };
        }
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

/// The first code that fits of any codes, drawn with no memory.
fn draw_any(ledger: &mut Ledger, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
    ledger.follow(history);
    for _ in 0..MAX_DRAWS {
        let code = search.rng.code(history.rules());
        let stop = search.examine(1);
        if ledger.is_consistent(&code) {
            return Ok(Proposal::new(code, Basis::Consistent));
        }
        if stop.is_some() {
            return Ok(Proposal::last_resort(history.rules(), stop, search));
        }
    }
    candidates::draw(history, search)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalog, codemaker::Fixed, play};

    /// Rosu printed 1,295 codes a game.
    #[test]
    fn any_draws_examine_about_as_many_codes_as_there_are() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut strategy = catalog::strategy("random-consistent(draws=any,first=1122)", &rules).unwrap();
        let (mut examined, mut guesses) = (0, 0);
        for seed in 0..400 {
            let mut search = Search::new(seed);
            let mut codemaker = Fixed::random(&rules, &mut search.rng);
            let game =
                play(&rules, &mut *strategy, &mut codemaker, &mut search, |_| std::ops::ControlFlow::Continue(()));
            let game = game.unwrap();
            examined += game.counts.examined;
            guesses += game.turns.len();
        }
        assert!((1100..1500).contains(&(examined / 400)), "{}", examined / 400);
        assert!((440..490).contains(&(guesses / 4)), "{guesses}");
    }
}
