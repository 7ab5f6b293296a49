//! Devices that evaluate guesses: each finds the cheapest guess of a pool for each of many sets of codes.
//!
//! The processor evaluates one guess at a time in [`crate::one_step`]; a graphics card evaluates many sets at once.
//! Both choose the same guesses: costs are integers, and among equal costs the lowest row is chosen.

use std::sync::Arc;

use pegwise_game::Table;

/// Device that evaluates guesses.
pub trait Device: Send + Sync {
    /// Returns the name of the device, for display.
    fn name(&self) -> String;

    /// Returns true if it supports rows of `cells` cells.
    fn prices(&self, cells: usize) -> bool;

    /// Returns, for each set of codes, the lowest cost below its bound and the lowest row of the pool with that cost.
    fn cheapest(
        &self,
        pool: &Arc<Table>,
        sets: &[BatchPosition<'_>],
        costs: &Costs<'_>,
    ) -> Result<Vec<Option<(u64, usize)>>, DeviceError>;
}

/// Set of codes, and bounds of the cost of its best guess.
#[derive(Debug, Clone, Copy)]
pub struct BatchPosition<'a> {
    /// Codes of the position.
    pub codes: &'a Table,
    /// Only guesses that cost less are returned.
    pub bound: u64,
    /// Lower bound of the cost: once it is reached, higher rows are skipped.
    pub least: u64,
}

/// Cost function of partitions.
#[derive(Debug, Clone, Copy)]
pub struct Costs<'a> {
    /// Cost of a part by its size, from zero.
    pub weights: &'a [u64],
    /// Uses the maximum over the parts instead of the sum.
    pub largest: bool,
}

/// Error of a device.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {why}")]
pub struct DeviceError {
    /// Failed operation.
    pub what: String,
    /// Message of the device or its driver.
    pub why: String,
}
