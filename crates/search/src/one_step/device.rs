//! Scans on a device, until it fails.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use pegwise_game::{Table, partition::BatchKernel};

use super::Ties;
use super::pools::Pool;
use super::prescreen::{CostBounds, ScanTask};
use super::scan::Cheapest;
use super::solver::OneStepSolver;
use crate::device::{BatchPosition, Costs, Device, DeviceError};
use crate::parallel;
use crate::search::Watch;

pub(super) struct ScanDevice {
    device: Arc<dyn Device>,
    /// First error of the device. It is not used again after an error.
    error: OnceLock<DeviceError>,
    has_answered: AtomicBool,
}

impl fmt::Debug for ScanDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ScanDevice").field(&self.device.name()).finish()
    }
}

impl OneStepSolver {
    /// Runs scans on `device` from now on. Returns false if the device does not support the rules.
    pub(crate) fn use_device(&mut self, device: Arc<dyn Device>) -> bool {
        let sliceable = self.partitioner.batch_kernel().is_some_and(BatchKernel::supports_bit_planes);
        let supported = sliceable && device.prices(self.rules.cells()) && self.ties != Ties::Random;
        if supported {
            let (error, has_answered) = (OnceLock::new(), AtomicBool::new(false));
            self.device = Some(Arc::new(ScanDevice { device, error, has_answered }));
        }
        supported
    }

    pub(crate) fn has_device(&self) -> bool {
        self.device.is_some()
    }

    pub(crate) fn device_error(&self) -> Option<DeviceError> {
        self.device.as_ref()?.error.get().cloned()
    }

    /// Returns true if a device has answered, so that the count of evaluated pairs is incomplete.
    pub(super) fn has_used_device(&self) -> bool {
        self.device.as_ref().is_some_and(|device| device.has_answered.load(Ordering::Relaxed))
    }

    pub(super) fn working_device(&self) -> Option<&ScanDevice> {
        self.device.as_deref().filter(|device| device.error.get().is_none())
    }

    /// Finds the cheapest guess of a pool for each position; `None` if the device fails.
    pub(super) fn query(
        &self,
        device: &ScanDevice,
        pool: &Arc<Table>,
        sets: &[BatchPosition<'_>],
    ) -> Option<Vec<Cheapest>> {
        let largest_set = sets.iter().map(|set| set.codes.len()).max().unwrap_or(0);
        let (weights, largest) = self.cost_function.table(largest_set);
        match device.device.cheapest(pool, sets, &Costs { weights: &weights, largest }) {
            Ok(found) => {
                device.has_answered.store(true, Ordering::Relaxed);
                Some(found)
            }
            Err(error) => {
                // Only the first error is kept; later ones follow from it.
                let _ = device.error.set(error);
                None
            }
        }
    }

    /// Runs many scans: those that suit the device run on it, if there is one, with one query per pool; the others run on
    /// all threads.
    pub(super) fn scan_batch(&self, tasks: &[(usize, ScanTask<'_>)], watch: Watch<'_>) -> Vec<Cheapest> {
        let mut found: Vec<Option<Cheapest>> = vec![None; tasks.len()];
        if let Some(device) = self.working_device() {
            let mut by_pool: Vec<(&Arc<Pool>, Vec<usize>)> = Vec::new();
            let suits = |task: &ScanTask<'_>| !task.is_symmetric && !task.is_futile;
            for (at, (_, task)) in tasks.iter().enumerate().filter(|(_, (_, task))| suits(task)) {
                match by_pool.iter_mut().find(|(pool, _)| Arc::ptr_eq(pool, &task.pool)) {
                    Some((_, tasks)) => tasks.push(at),
                    None => by_pool.push((&task.pool, vec![at])),
                }
            }
            for (pool, list) in by_pool {
                let set = |&at: &usize| {
                    let ScanTask { codes, bounds: CostBounds { upper, lower }, .. } = &tasks[at].1;
                    BatchPosition { codes, bound: *upper, least: *lower }
                };
                let sets: Vec<BatchPosition<'_>> = list.iter().map(set).collect();
                let Some(results) = self.query(device, &pool.table(), &sets) else { break };
                for (at, result) in list.into_iter().zip(results) {
                    found[at] = Some(result);
                }
            }
        }
        let scan = |(): &mut (), at: usize| found[at].unwrap_or_else(|| self.scan_task(&tasks[at].1, watch));
        parallel::map_rows(tasks.len(), 1, || (), scan)
    }
}
