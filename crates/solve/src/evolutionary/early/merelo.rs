//! Genetic MasterMind: codes are bred for missing the feedback by few pegs, and the first that fits is played.
//!
//! A follow-up to [Bernier and others](super::bernier) with a smoother fitness: the black and white pegs by which a
//! code misses the feedback, added up over all turns, with a weight for each kind of peg. Colors that an empty feedback
//! ruled out leave the population and do not return. The search is that of [`until_fit`](super::until_fit).
//!
//! # Readings
//! Known are the fitness with its two weights, the taboo colors, and that a code that fits is played at once. The
//! weights (1 and 1), the population (30) and the kinds of children, taken from the earlier paper, are readings.
//! Published are 4.132 guesses at 4x6, which is below what any strategy can do, 5.904 at 5x8, and 279 and 2171
//! evaluations: the last is met, the 279 is not.
//!
//! # Limits
//! Where breeding finds nothing in 20 populations of 50 generations, a code found by backtracking is played.
//!
//! # References
//! - J. J. Merelo, J. Carpio, P. Castillo, V. M. Rivas, G. Romero, Finding a needle in a haystack using hints and
//!   evolutionary computation: the case of Genetic MasterMind, GECCO, 1999.
//! - As described by A. Temporel and T. Kovacs, 2003, and S. Singley, 2005.

use pegwise_game::{Color, Rules};

use super::until_fit::{Fitness, UntilFit};
use crate::{
    candidates::TurnSet,
    spec::Arguments,
    strategy::{Strategy, StrategyError},
};

struct Distance {
    position: u32,
    color: u32,
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    let weight = |name| arguments.integer(name) as u32;
    let distance = Distance { position: weight("position-weight"), color: weight("color-weight") };
    Ok(UntilFit::build(distance, rules, arguments))
}

impl Fitness for Distance {
    fn follow(&mut self, _: &TurnSet) {}

    fn cost(&self, code: &[Color], ledger: &mut TurnSet) -> u32 {
        let (mut cost, mut fits) = (0u32, true);
        ledger.visit_residuals(code, |misfit| {
            let black = misfit.black.unsigned_abs().saturating_mul(self.position);
            let white = misfit.white.unsigned_abs().saturating_mul(self.color);
            cost = cost.saturating_add(black).saturating_add(white);
            fits &= misfit.size() == 0;
        });
        // A weight of zero must not make a code pass for one that fits.
        if fits { 0 } else { cost.max(1) }
    }

    fn drops_colors(&self) -> bool {
        true
    }
}
