//! EvoRank: codes that fit are bred for how well they split the others.
//!
//! A population of codes is bred until 20 different codes in it fit the feedback so far, or their number stays the
//! same, and not zero, for three generations. Then the one that splits those codes into the most parts is played, any
//! of equals. A code that misses the feedback by `d` pegs in all is worth `-d`; one that fits is worth the parts into
//! which it splits the others that fit. All are raised alike until the worst is worth 1, and parents are drawn in
//! proportion. Two parents get one cell of another color each, then trade what lies behind one cut; the best codes stay
//! and children replace the rest. The population goes on from guess to guess, and is drawn anew after 50 generations in
//! which nothing fits.
//!
//! # Readings
//! - The first case of equation 4 is meant for `f < 0`.
//! - The *replacement rate* is the share that stays, as in the authors' public program, and each child is both changed
//!   and crossed: then all five printed means are met. Read as the share that is replaced, the rates 0.25 and 0.75
//!   change places.
//! - The parts are counted among the codes that fit in the current population, anew in each generation; a code is not
//!   counted in its own split (table II).
//! - A generation counts as many evaluations as there are codes, also for those that stayed: so the paper's comparison
//!   of EvoRank at 400 with the plain algorithm at 256 comes out.
//! - The first population is of different codes.
//!
//! With `fitness=entropy` a code that fits is worth the bits that its answer tells.
//!
//! # Cost
//! A generation costs a comparison with each turn for each child, and a feedback for each pair of codes that fit;
//! nothing is allocated. A game at 4x6 has some eleven generations of 400 codes.
//!
//! # Limits
//! Boards of up to 1,024 cells. Where breeding finds nothing in 20 populations, a code found by backtracking is played.
//!
//! # References
//! J. J. Merelo, A. M. Mora, T. P. Runarsson, C. Cotta, Assessing efficiency of different evolutionary strategies
//! playing MasterMind, IEEE Conference on Computational Intelligence and Games, 38-45, 2010.

use pegwise_game::Rules;

use super::{
    measure::Measure,
    player::{Player, Scheme},
};
use crate::{
    spec::Arguments,
    strategy::{Strategy, StrategyError},
};

struct EvoRank {
    measure: Measure,
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    let measure = if arguments.text("fitness") == "entropy" { Measure::Entropy } else { Measure::Parts };
    Ok(Player::build(EvoRank { measure }, rules, arguments))
}

impl Scheme for EvoRank {
    fn measure(&self) -> Measure {
        self.measure
    }

    fn patience(&self) -> u32 {
        50
    }

    fn collects(&self) -> bool {
        false
    }

    fn measures_always(&self) -> bool {
        true
    }

    fn weight(&self, cost: u32, highest: u32, score: u64) -> u64 {
        u64::from(highest - cost + 1) * self.measure.peg() + score
    }

    fn evaluated(&self, population: usize, _: usize) -> u64 {
        population as u64
    }
}
