//! A device that takes scans over from the processor, as long as it answers.

use std::{
    fmt,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use pegwise_game::{Table, partition::Lanes};

use super::{CostBounds, OneStepSolver, Scan, Ties};
use crate::device::{BatchPosition, Costs, Device, DeviceError};

impl<'b> From<&'b Scan<'_>> for BatchPosition<'b> {
    fn from(scan: &'b Scan<'_>) -> Self {
        let CostBounds { bound, least } = scan.goal;
        Self { codes: &scan.codes, bound, least }
    }
}

/// A device that takes scans over, and what went wrong with it.
pub(super) struct Helper {
    device: Arc<dyn Device>,
    trouble: OnceLock<DeviceError>,
    /// Whether it has answered.
    answered: AtomicBool,
}

impl fmt::Debug for Helper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Helper").field(&self.device.name()).finish()
    }
}

impl OneStepSolver {
    /// Hands scans over to a device, if it prices these rules.
    pub(crate) fn use_device(&mut self, device: Arc<dyn Device>) -> bool {
        let sliceable = self.partitioner.lanes().is_some_and(Lanes::is_sliceable);
        let fits = sliceable && device.prices(self.rules.cells()) && self.ties != Ties::Random;
        if fits {
            self.device = Some(Arc::new(Helper { device, trouble: OnceLock::new(), answered: AtomicBool::new(false) }));
        }
        fits
    }

    /// Whether there is a device that helps.
    pub(crate) fn has_device(&self) -> bool {
        self.device.is_some()
    }

    /// Whether a device has scored pairs. It leaves most of them out, and does not count the others.
    pub(super) fn was_helped(&self) -> bool {
        self.device.as_ref().is_some_and(|helper| helper.answered.load(Ordering::Relaxed))
    }

    /// Why the device helps no longer.
    pub(crate) fn device_error(&self) -> Option<DeviceError> {
        self.device.as_ref()?.trouble.get().cloned()
    }

    /// The device, as long as it answers.
    pub(super) fn helper(&self) -> Option<&Helper> {
        self.device.as_deref().filter(|helper| helper.trouble.get().is_none())
    }

    /// Asks the device. When it fails, it is not asked again.
    pub(super) fn ask(
        &self,
        helper: &Helper,
        pool: &Arc<Table>,
        sets: &[BatchPosition<'_>],
    ) -> Option<Vec<Option<(u64, usize)>>> {
        let most = sets.iter().map(|set| set.codes.len()).max().unwrap_or(0);
        let (weights, largest) = self.pricing.weights(most);
        let asked = helper.device.cheapest(pool, sets, &Costs { weights: &weights, largest });
        match asked {
            Ok(found) => {
                helper.answered.store(true, Ordering::Relaxed);
                Some(found)
            }
            Err(error) => {
                // The first trouble is told; any later one follows from it.
                let _ = helper.trouble.set(error);
                None
            }
        }
    }
}
