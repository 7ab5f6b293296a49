//! Where guesses are priced: one question, "which guess of this pool is the cheapest for each of these sets of codes", that
//! any device may answer.
//!
//! The processor answers it guess by guess in [`crate::one_step`]; a graphics card wants many sets at a time. Both give the
//! same guesses: costs are whole numbers, and of equal costs the lowest row counts.

#[cfg(all(feature = "cuda", unix))]
pub(crate) mod cuda;

use std::{fmt, sync::Arc};

use pegwise_game::Table;

/// A device that prices guesses.
pub trait Device: Send + Sync {
    /// What it is, for people.
    fn name(&self) -> String;

    /// Whether it prices rows of so many cells.
    fn prices(&self, cells: usize) -> bool;

    /// For each set of codes the lowest cost of a guess in the pool that meets its goal, and the lowest row that has it.
    fn cheapest(
        &self,
        pool: &Arc<Table>,
        sets: &[BatchPosition<'_>],
        costs: &Costs<'_>,
    ) -> Result<Vec<Option<(u64, usize)>>, DeviceError>;
}

/// Codes that guesses are priced against.
#[derive(Debug, Clone, Copy)]
pub struct BatchPosition<'a> {
    /// The codes.
    pub codes: &'a Table,
    /// Guesses that cost this much or more are of no use.
    pub bound: u64,
    /// No guess costs less than this: once it is found, no higher row is looked at.
    pub least: u64,
}

/// What parts cost.
#[derive(Debug, Clone, Copy)]
pub struct Costs<'a> {
    /// What a part of each size costs, from none up.
    pub weights: &'a [u64],
    /// Whether only the dearest part counts, and not their sum.
    pub largest: bool,
}

/// Why a device does not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceError {
    /// What was done.
    pub what: String,
    /// What the device or its driver says.
    pub why: String,
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.why)
    }
}

impl std::error::Error for DeviceError {}

/// The graphics card of this machine, if it has one that can be used.
pub fn cuda() -> Result<Arc<dyn Device>, DeviceError> {
    #[cfg(all(feature = "cuda", unix))]
    return Ok(Arc::new(cuda::Card::first()?));
    #[cfg(not(all(feature = "cuda", unix)))]
    Err(DeviceError { what: "no graphics card".into(), why: "this program was built without support for one".into() })
}
