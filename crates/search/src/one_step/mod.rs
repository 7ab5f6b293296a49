//! One-step strategies: each guess is evaluated by the parts into which it splits the candidates.
//!
//! A [`Criterion`] defines the cost of a partition, [`Guesses`] the pool, and [`Ties`] the order of equally good
//! guesses. If a space is too large to evaluate every guess against every candidate, both are sampled, and the proposal
//! reports it.
//!
//! A choice has two steps. The *prescreen* finds the best candidate and bounds the cost of every other guess; in most
//! positions this decides. Otherwise a *scan* searches the pool, reduced by symmetry and absent colors, for a cheaper
//! guess, on the CPU or on a device. A cost cache shares results between positions that are equal up to renaming.
//!
//! # References
//! - D. E. Knuth, The computer as Master Mind, J. Recreational Mathematics 9(1), 1-6, 1976-77.
//! - R. W. Irving, Towards an optimum Mastermind strategy, J. Recreational Mathematics 11(2), 81-87, 1978-79.
//! - E. Neuwirth, Some strategies for Mastermind, Zeitschrift für Operations Research B 26(8), 257-278, 1982.
//! - A. Bestavros and A. Belal, Mastermind, a game of diagnosis strategies, Alexandria University, 1986.
//! - B. Kooi, Yet another Mastermind strategy, ICGA Journal 28(1), 13-20, 2005.
//! - S. Gür, The quality of information: a weighted entropy approach to near-optimal Mastermind, arXiv 2511.19446, 2025.

mod cost;
mod device;
mod horizon;
mod pools;
mod prescreen;
mod scan;
mod solver;
mod strategy;
mod weighted;
mod weighted_entropy;

pub use cost::{CONSISTENT_BONUS_BITS, CostFunction, Criterion, Logarithms};
pub use pools::{ActiveColors, Pool, Pools, colors, common_rows};
pub use scan::{STEP, Scanner};
pub use solver::{Guesses, OneStepSolver, Ties, winning_codes};
pub use strategy::{ROWS, on_position};
pub use weighted::{OneStepConfig, WeightedOneStep};
