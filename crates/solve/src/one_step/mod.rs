//! Strategies that look one step ahead: they price each guess by the parts into which it splits the codes still possible.
//!
//! [`Criterion`] says what is looked at, [`Guesses`] which codes may be guessed, [`Ties`] which of equally good guesses is
//! played. Where a space is too large for every guess and every code to be looked at, both are sampled, and the proposal
//! says so.
//!
//! # References
//! - D. E. Knuth, The computer as Master Mind, J. Recreational Mathematics 9(1), 1-6, 1976-77.
//! - R. W. Irving, Towards an optimum Mastermind strategy, J. Recreational Mathematics 11(2), 81-87, 1978-79.
//! - E. Neuwirth, Some strategies for Mastermind, Zeitschrift für Operations Research B 26(8), 257-278, 1982.
//! - A. Bestavros and A. Belal, Mastermind, a game of diagnosis strategies, Alexandria University, 1986.
//! - B. Kooi, Yet another Mastermind strategy, ICGA Journal 28(1), 13-20, 2005.

mod chooser;
mod colors;
mod criterion;
#[cfg(test)]
mod laws;
mod logarithms;
mod memory;
mod palette;
mod player;
mod pools;
mod pricer;
mod ranking;
mod rows;
mod scanner;
mod weighted;

pub(crate) use chooser::OneStepSolver;
pub use chooser::{Guesses, Ties};
#[cfg(feature = "cuda")]
pub(crate) use colors::colors;
pub(crate) use criterion::CostFunction;
pub use criterion::Criterion;
pub(crate) use logarithms::Logarithms;
pub(crate) use palette::ActiveColors;
pub(crate) use player::on_position;
pub(crate) use pools::{Pool, Pools, common_rows};
pub use ranking::Ranking;
pub(crate) use rows::ROWS;
pub(crate) use scanner::{STEP, Scanner};
pub(crate) use weighted::{OneStepConfig, Weighted};
