//! Statistics, plots and reports of experiments.
//!
//! [`SampleSummary`] has the moments and quantiles of a sample, and [`Estimate`] a mean with its standard error. [`compare`] has
//! significance tests, [`plot`] draws SVG, and [`report`] combines all of them into tables, figures and conclusions.
//!
//! ```
//! use pegwise_labstats::{SampleSummary, compare};
//! let knuth = [4.0, 5.0, 4.0, 5.0, 5.0, 4.0, 6.0, 5.0];
//! let random = [5.0, 6.0, 4.0, 7.0, 6.0, 5.0, 6.0, 7.0];
//! let summary = SampleSummary::of(&knuth).expect("there are games");
//! assert_eq!((summary.mean, summary.median), (4.75, 5.0));
//! assert!(compare::wilcoxon(&knuth, &random).p < 0.05);
//! ```
//!
//! The crate is pure computation: no clock, threads, files or terminal.

pub mod compare;
mod estimate;
pub mod plot;
pub mod report;
mod summary;

pub use estimate::{ErrorBasis, Estimate, Scope, wilson_interval};
pub use summary::{RunMeans, SampleSummary, grouped};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
