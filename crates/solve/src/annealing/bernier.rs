//! Annealing within a budget that forces the player to move on.
//!
//! A walk starts at a random code. Each step changes one cell or swaps two, and counts the black and white pegs by
//! which the new code misses the feedback so far. A code that misses by no more is taken; one that misses by `d` pegs
//! more is taken when `d` coins in a row fall the right way, and the coins, fair at the start, turn against it evenly
//! until none falls right at the last step. This is the rule of Metropolis with a temperature of -1/ln(coin), in whole
//! numbers only. The walk ends at a code that fits, or when its steps are used up; then the best code met is played,
//! although it may not fit. `--time-per-guess` ends it by the clock instead.
//!
//! The paper is known here through its descriptions. They give the two moves, the cost, the limit and that the best
//! code is played; the coins, the even choice between the moves, the number of steps and a fresh start for each guess
//! are readings. With 20,000 steps nearly every guess fits at 6x6, and the mean comes near the 5.45 guesses that are
//! quoted. A code is never played twice, which the paper need not say: without it a best code that does not fit could
//! be played for ever.
//!
//! # Cost
//! A step compares one code with each turn. When no code that fits was met, backtracking is asked whether there is one
//! at all, so that contradictions are found; what it finds is played only when the walk met no code that is new.
//!
//! # Limits
//! Plays any rules. On large boards most guesses do not fit, and games grow long.
//!
//! # References
//! - J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda, A. Prieto, Solving MasterMind using GAs and simulated
//!   annealing: a case of dynamic constraint optimization, PPSN IV, LNCS 1141, 553-563, 1996.
//! - As described by S. Singley, 2005, and V. van Oijen, 2018.

use pegwise_game::{Code, Color, History, Rules};

use crate::{
    candidates::{Ledger, fallback::best_of},
    rng::Rng,
    search::Search,
    spec::Arguments,
    strategy::{Basis, Proposal, Strategy, StrategyError},
};

struct Annealing {
    steps: u64,
    first: Option<Code>,
    ledger: Ledger,
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    let (steps, first) = (arguments.integer("steps"), arguments.code("first", rules));
    Ok(Box::new(Annealing { steps, first, ledger: Ledger::new(rules) }))
}

impl Strategy for Annealing {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if history.is_empty() {
            let guess = self.first.clone().unwrap_or_else(|| search.rng.code(history.rules()));
            return Ok(Proposal::new(guess, Basis::Consistent));
        }
        self.ledger.follow(history);
        let best = self.walk(search);
        best_of(history, best, search)
    }
}

impl Annealing {
    /// Walks until a code fits or the steps are used up, and tells the best code met that was not played before.
    fn walk(&mut self, search: &mut Search<'_>) -> Option<Code> {
        let rules = self.ledger.rules().clone();
        let mut code = search.rng.code(&rules);
        let mut cost = self.ledger.distance(&code);
        let (mut best, mut lowest) = (None, u32::MAX);
        for step in 0..self.steps {
            let stop = search.examine(1);
            if cost < lowest && self.ledger.turns().iter().all(|turn| turn.guess != code) {
                (best, lowest) = (Some(code.clone()), cost);
            }
            if cost == 0 || stop.is_some() {
                break;
            }
            let step_back = Move::random(&rules, &code, &mut search.rng).play(code.colors_mut());
            let next = self.ledger.distance(&code);
            // A coin falls the right way in `left` of `2 * steps` cases.
            let left = self.steps - step - 1;
            if (cost..next).all(|_| search.rng.below(2 * self.steps) < left) {
                cost = next;
            } else {
                step_back.play(code.colors_mut());
            }
        }
        best
    }
}

/// A step of the walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    /// A cell takes a color.
    Set(usize, Color),
    /// Two cells change places.
    Swap(usize, usize),
}

impl Move {
    /// A new color for a cell or, as often, a swap of two cells. The color keeps the rule of no repeats; where none is
    /// left, cells are swapped instead.
    fn random(rules: &Rules, code: &[Color], rng: &mut Rng) -> Self {
        let (cell, other) = (rng.index(code.len()), rng.index(code.len()));
        if rng.below(2) == 0 {
            return Self::Swap(cell, other);
        }
        let color = Color::new(rng.below(rules.colors().into()) as u16);
        match code.iter().position(|&used| used == color) {
            Some(used) if !rules.repeats() => Self::Swap(cell, used),
            _ => Self::Set(cell, color),
        }
    }

    /// Changes a code, and tells the move that takes it back.
    fn play(self, code: &mut [Color]) -> Self {
        match self {
            Self::Set(cell, color) => Self::Set(cell, std::mem::replace(&mut code[cell], color)),
            Self::Swap(cell, other) => {
                code.swap(cell, other);
                self
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_keep_the_rules_and_can_be_taken_back() {
        for rules in ["4x6", "4x6:no-repeats", "4x4:no-repeats", "1x1", "3x1", "grid:3x3x4"] {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(1);
            let mut code = rng.code(&rules);
            for _ in 0..200 {
                let before = code.clone();
                let back = Move::random(&rules, &code, &mut rng).play(code.colors_mut());
                rules.check_code(&code).unwrap();
                let after = code.clone();
                back.play(code.colors_mut());
                assert_eq!(code, before);
                code = after;
            }
        }
    }

    #[test]
    fn a_short_walk_plays_codes_that_do_not_fit_and_never_one_twice() {
        let rules: Rules = "4x6".parse().unwrap();
        let arguments = "bernier-sa(steps=3)".parse::<crate::Spec>().unwrap();
        let secret = rules.parse_code("2651").unwrap();
        let mut strategy = build("bernier-sa", &rules, arguments.arguments()).unwrap();
        let (mut history, mut search) = (History::new(rules.clone()), Search::new(1));
        let mut misfits = 0;
        while !history.is_solved() {
            let proposal = strategy.next_guess(&history, &mut search).unwrap();
            let is_best_effort = matches!(proposal.basis, Basis::BestEffort(_));
            assert_eq!(is_best_effort, !history.is_consistent(&proposal.guess));
            assert!(history.turns().iter().all(|turn| turn.guess != proposal.guess));
            misfits += usize::from(is_best_effort);
            let feedback = pegwise_game::feedback(&rules, &proposal.guess, &secret);
            history.push(pegwise_game::Turn { guess: proposal.guess, feedback }).unwrap();
        }
        assert!(misfits > 3);
    }
}
