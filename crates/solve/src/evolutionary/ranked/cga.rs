//! The canonical genetic algorithm that EvoRank grew from: bred for fitting alone.
//!
//! As [EvoRank](super::evorank), but a code that misses the feedback by `d` pegs is worth 1/(1+d), so that all codes
//! that fit are worth the same; the population is drawn anew after 15 generations in which nothing fits; and codes that
//! were found to fit are kept through the game while they do, also when the population has lost them.
//!
//! # Readings
//! Those of EvoRank, and:
//! - Table III gives 400 codes; the printed mean is that of the earlier paper, and is met with 256, the default here.
//! - Children are evaluated when they are bred, and the whole population once more when codes that fit are collected.
//!   So counted, this algorithm at 256 needs as many evaluations as EvoRank at 400, and at 400 half as many again, as
//!   the paper says.
//!
//! # References
//! - J. J. Merelo, T. P. Runarsson, Finding better solutions to the Mastermind puzzle using evolutionary algorithms,
//!   EvoApplications, LNCS 6024, 120-129, 2010.
//! - J. J. Merelo, A. M. Mora, T. P. Runarsson, C. Cotta, Assessing efficiency of different evolutionary strategies
//!   playing MasterMind, IEEE Conference on Computational Intelligence and Games, 38-45, 2010.

use pegwise_game::Rules;

use super::{
    measure::Measure,
    player::{Player, Scheme},
};
use crate::{
    spec::Arguments,
    strategy::{Strategy, StrategyError},
};

struct Canonical;

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    Ok(Player::build(Canonical, rules, arguments))
}

impl Scheme for Canonical {
    fn measure(&self) -> Measure {
        Measure::Parts
    }

    fn patience(&self) -> u32 {
        15
    }

    fn collects(&self) -> bool {
        true
    }

    fn measures_always(&self) -> bool {
        false
    }

    fn weight(&self, cost: u32, _: u32, _: u64) -> u64 {
        const ONE: u64 = 1 << 32;
        ONE / (1 + u64::from(cost))
    }

    fn evaluated(&self, population: usize, children: usize) -> u64 {
        (population + children) as u64
    }
}
