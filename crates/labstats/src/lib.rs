//! Statistics and plots of experiments.
//!
//! A [`Summary`] tells what a strategy needed, an [`Estimate`] how far luck may have moved its mean; [`compare`] tells whether two strategies differ by more than luck; [`plot`]
//! draws both, and [`report`] puts all of it on a page.
//!
//! ```
//! use pegwise_labstats::{Summary, compare};
//! let knuth = [4.0, 5.0, 4.0, 5.0, 5.0, 4.0, 6.0, 5.0];
//! let random = [5.0, 6.0, 4.0, 7.0, 6.0, 5.0, 6.0, 7.0];
//! let summary = Summary::of(&knuth).expect("there are games");
//! assert_eq!((summary.mean, summary.median), (4.75, 5.0));
//! assert!(compare::wilcoxon(&knuth, &random).p < 0.05);
//! ```
//!
//! Nothing in this crate reads a clock, starts a thread, or touches a file or a terminal.

pub mod compare;
mod estimate;
mod histogram;
pub mod plot;
pub mod report;
mod runs;
mod summary;

pub use estimate::{Basis, Estimate, Scope};
pub use histogram::{Bin, Histogram};
pub use runs::RunMeans;
pub use summary::Summary;

/// The README's example is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
