//! The genetic algorithm of Bernier and others: codes are bred for agreeing with turns, and the first that agrees with
//! all is played.
//!
//! A turn that was answered with `b` black and `w` white pegs is worth 10 b + w to a code that agrees with it, and
//! nothing to one that does not. The search is that of [`until_fit`](super::until_fit).
//!
//! # Readings
//! Known are this fitness, the three kinds of children with what their numbers follow, that copies are made of codes
//! not among the best, that part of each generation stays, and that a code that fits is played at once. Colors are
//! changed, not bits. The population (150), the half that stays, and the one crossed child in four that is changed are
//! readings. Published is a mean of 5.62 guesses at 6x6.
//!
//! # Limits
//! A turn without pegs is worth nothing, so the fitness cannot see it: breeding then depends on luck. Where it finds
//! nothing in 20 populations of 50 generations, a code found by backtracking is played.
//!
//! # References
//! - J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda, A. Prieto, Solving MasterMind using GAs and simulated
//!   annealing: a case of dynamic constraint optimization, PPSN IV, LNCS 1141, 553-563, 1996.
//! - As described by S. Singley, 2005, and V. van Oijen, 2018.

use pegwise_game::{Color, Rules};

use super::until_fit::{Fitness, UntilFit};
use crate::{
    candidates::{Residual, TurnSet},
    spec::Arguments,
    strategy::{Strategy, StrategyError},
};

#[derive(Default)]
struct Agreement {
    /// What each mark of each turn is worth.
    worth: Vec<u32>,
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    Ok(UntilFit::build(Agreement::default(), rules, arguments))
}

impl Fitness for Agreement {
    fn follow(&mut self, ledger: &TurnSet) {
        self.worth.clear();
        let marks = ledger.turns().iter().flat_map(|turn| turn.feedback.marks());
        self.worth.extend(marks.map(|mark| {
            // No mark has numbers that matter beyond this, and the sum stays within bounds.
            let mut numbers = mark.numbers().map(|number| number.min(1_000) as u32);
            10 * numbers.next().unwrap_or(0) + numbers.next().unwrap_or(0)
        }));
    }

    fn cost(&self, code: &[Color], ledger: &mut TurnSet) -> u32 {
        let (mut lost, mut fits, mut worth) = (0u32, true, self.worth.iter());
        ledger.visit_residuals(code, |misfit| {
            let worth = worth.next().copied().unwrap_or(0);
            if misfit != Residual::default() {
                lost = lost.saturating_add(worth);
                fits = false;
            }
        });
        // One more than is lost, so that a code that misses a worthless turn does not pass for one that fits.
        if fits { 0 } else { lost.saturating_add(1) }
    }

    fn drops_colors(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::History;

    use super::*;

    #[test]
    fn turns_are_worth_ten_a_black_peg_and_one_a_white() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["1122=1,1", "3344=0,2", "5555=0,0"]).unwrap();
        let mut ledger = TurnSet::new(&rules);
        ledger.follow(&history);
        let mut fitness = Agreement::default();
        fitness.follow(&ledger);
        assert_eq!(fitness.worth, [11, 2, 0]);
        for (code, cost) in [("1431", 0), ("1166", 14), ("1435", 12), ("5431", 12), ("1425", 14), ("6666", 14)] {
            let code = rules.parse_code(code).unwrap();
            let cost_now = fitness.cost(&code, &mut ledger);
            assert_eq!(cost_now == 0, history.is_consistent(&code));
            assert_eq!(cost_now, cost, "{code:?}");
        }
    }
}
