#![doc = include_str!("../README.md")]

pub mod compare;
mod estimate;
pub mod plot;
pub mod report;
mod summary;

pub use estimate::{ErrorBasis, Estimate, Scope, wilson_interval};
pub use summary::{RunMeans, SampleSummary, grouped};
