//! A card that speaks CUDA. The driver is loaded when a card is asked for, so that nothing of CUDA is needed to build this
//! program or to run it without one.
//!
//! The kernel is `price.cu`; its compiled form, which the driver translates for the card, is in `price-N.ptx.zst`, one for
//! each number of cells, and names the source it was made from.

mod driver;

use std::{
    io::Read as _,
    sync::{Arc, Mutex, PoisonError},
};

use pegwise_game::partition::{SLICE, Slices};

use super::{Costs, Device, DeviceError, PricedSet};
use crate::parallel;
use driver::{Buffer, Driver, Kernel};

/// The kernels, by the number of cells.
const KERNELS: [(usize, &[u8]); 5] = [
    (3, include_bytes!("price-3.ptx.zst")),
    (4, include_bytes!("price-4.ptx.zst")),
    (5, include_bytes!("price-5.ptx.zst")),
    (6, include_bytes!("price-6.ptx.zst")),
    (7, include_bytes!("price-7.ptx.zst")),
];

/// Warps of a block of threads, and the slices of a pool that they take: as in `price.cu`.
const WARPS: u32 = 4;
const SLICES_A_BLOCK: usize = 2 * WARPS as usize;
/// Words of a slice's mask, and words of a code's plan.
const SLICE_WORDS: usize = SLICE / 32;
const PLAN: usize = 16;

/// The most codes that are sent at a time: 64 bytes each.
const MOST_CODES: usize = 1 << 25;
/// Blocks that keep a card busy.
const BLOCKS: usize = 1 << 14;
/// Sets that are worth the hand-over to another thread.
const SETS_A_TASK: usize = 64;
/// Pools that are kept on the card.
const POOLS_KEPT: usize = 12;

/// `Job` of `price.cu`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Job {
    first: u32,
    codes: u32,
    min_parts: u32,
    digits: u32,
    bound: u64,
    least: u64,
}

/// `Found` of `price.cu`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Found {
    cost: u64,
    row: u32,
    lock: u32,
}

/// No row was found.
const NO_ROW: u32 = u32::MAX;

/// A card.
pub(crate) struct Card {
    driver: Driver,
    /// What is on the card. One thread at a time talks to it.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    kernels: Vec<(usize, Kernel)>,
    pools: Vec<(Arc<Slices>, Buffer)>,
    weights: Option<(Vec<u64>, Buffer)>,
}

impl State {
    /// A pool that is kept on the card.
    fn pool(&mut self, driver: &Driver, pool: &Arc<Slices>) -> Result<&Buffer, DeviceError> {
        let known = self.pools.iter().position(|(known, _)| Arc::ptr_eq(known, pool));
        let at = match known {
            Some(at) => at,
            None => {
                if self.pools.len() == POOLS_KEPT {
                    self.pools.remove(0);
                }
                self.pools.push((Arc::clone(pool), driver.upload(pool.words())?));
                self.pools.len() - 1
            }
        };
        // The pool used last is kept longest.
        self.pools[at..].rotate_left(1);
        Ok(&self.pools[self.pools.len() - 1].1)
    }
}

impl Card {
    /// The first card of this machine.
    pub(crate) fn first() -> Result<Self, DeviceError> {
        Ok(Self { driver: Driver::load()?, state: Mutex::default() })
    }

    fn run(
        &self,
        state: &mut State,
        pool: &Arc<Slices>,
        sets: &[PricedSet<'_>],
        costs: &Costs<'_>,
    ) -> Result<Vec<Option<(u64, usize)>>, DeviceError> {
        let driver = &self.driver;
        driver.enter()?;
        let cells = pool.cells();
        if state.kernels.iter().all(|(known, _)| *known != cells) {
            state.kernels.push((cells, driver.kernel(&ptx(cells)?, "price")?));
        }
        if state.weights.as_ref().is_none_or(|(known, _)| !known.starts_with(costs.weights)) {
            state.weights = None;
            state.weights = Some((costs.weights.to_vec(), driver.upload(costs.weights)?));
        }
        let transient;
        let masks = if Arc::strong_count(pool) == 1 {
            // Nobody else knows this pool, so it will not be asked about again.
            transient = driver.upload(pool.words())?;
            &transient
        } else {
            state.pool(driver, pool)?
        };
        let masks = masks.address();
        let Some((_, weights)) = &state.weights else { return Ok(Vec::new()) };
        let Some((_, kernel)) = state.kernels.iter().find(|(known, _)| *known == cells) else { return Ok(Vec::new()) };

        let mut jobs: Vec<Job> = Vec::with_capacity(sets.len());
        let mut first = 0;
        for set in sets {
            let codes = set.codes.len() as u32;
            let digits = u32::BITS - codes.leading_zeros();
            let min_parts = set.min_parts as u32;
            jobs.push(Job { first, codes, min_parts, digits, bound: set.bound, least: set.least });
            first += codes;
        }
        let plan = |(): &mut (), at: usize| {
            let mut plans = Vec::with_capacity(sets[at].codes.len() * PLAN);
            pool.plans(sets[at].codes, |plan| plans.extend(plan.map(|mask| u32::from(mask) * SLICE_WORDS as u32)));
            plans
        };
        let plans: Vec<u32> = parallel::map_rows(sets.len(), SETS_A_TASK, || (), plan).concat();
        let mut found: Vec<Found> = sets.iter().map(|set| Found { cost: set.bound, row: NO_ROW, lock: 0 }).collect();
        let (jobs_there, plans_there) = (driver.upload(&jobs)?, driver.upload(&plans)?);
        let found_there = driver.upload(&found)?;

        let tiles = pool.len().div_ceil(SLICE).div_ceil(SLICES_A_BLOCK);
        let rows = (BLOCKS.div_ceil(tiles)).clamp(1, sets.len().min(65535));
        let mut arguments = driver::Arguments::default();
        arguments.place(masks);
        arguments.word(pool.width() as u32);
        arguments.word(pool.len() as u32);
        arguments.address(&jobs_there);
        arguments.word(sets.len() as u32);
        arguments.address(&plans_there);
        arguments.address(weights);
        arguments.word(u32::from(costs.largest));
        arguments.address(&found_there);
        let shared = (WARPS as usize * 2 * pool.width() * SLICE_WORDS * size_of::<u32>()) as u32;
        driver.launch(kernel, [tiles as u32, rows as u32], WARPS * 32, shared, &arguments)?;
        driver.download(&found_there, &mut found)?;
        let result = |found: &Found| (found.row != NO_ROW).then_some((found.cost, found.row as usize));
        Ok(found.iter().map(result).collect())
    }
}

impl Device for Card {
    fn name(&self) -> String {
        self.driver.name().to_owned()
    }

    fn prices(&self, cells: usize) -> bool {
        KERNELS.iter().any(|(known, _)| *known == cells)
    }

    fn cheapest(
        &self,
        pool: &Arc<Slices>,
        sets: &[PricedSet<'_>],
        costs: &Costs<'_>,
    ) -> Result<Vec<Option<(u64, usize)>>, DeviceError> {
        // What is on the card is whole even when a thread that held it has panicked.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut results = Vec::with_capacity(sets.len());
        let mut rest = sets;
        while !rest.is_empty() {
            let mut codes = 0;
            let fits = rest.iter().take_while(|set| {
                codes += set.codes.len();
                codes <= MOST_CODES
            });
            let (now, later) = rest.split_at(fits.count().max(1));
            results.extend(self.run(&mut state, pool, now, costs)?);
            rest = later;
        }
        Ok(results)
    }
}

/// The compiled kernel for rows of so many cells, as the driver wants it: text that ends with a zero.
fn ptx(cells: usize) -> Result<Vec<u8>, DeviceError> {
    let error = |why: String| DeviceError { what: format!("the kernel for {cells} cells"), why };
    let packed = KERNELS.iter().find(|(known, _)| *known == cells).map(|(_, packed)| *packed);
    let packed = packed.ok_or_else(|| error("there is none".into()))?;
    let mut text = Vec::new();
    let mut decoder = ruzstd::decoding::StreamingDecoder::new(packed).map_err(|why| error(why.to_string()))?;
    decoder.read_to_end(&mut text).map_err(|why| error(why.to_string()))?;
    text.push(0);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shipped was compiled from the source that is shown.
    #[test]
    fn kernels_name_their_source() {
        let source = crc32fast::hash(include_bytes!("price.cu"));
        for (cells, _) in KERNELS {
            let text = String::from_utf8(ptx(cells).unwrap()).unwrap();
            let first = text.lines().next().unwrap();
            assert_eq!(first, format!("// price.cu {source:08x} CELLS={cells}"), "run scripts/compile-device-kernels");
            assert!(text.contains(".entry price("), "{cells}");
        }
    }

    /// Without a card, or with one: a card or a reason, and never an end of the program.
    #[test]
    fn no_card_is_an_error_that_says_so() {
        match Card::first() {
            Ok(card) => assert!(!card.name().is_empty()),
            Err(error) => assert!(!error.what.is_empty() && !error.why.is_empty(), "{error}"),
        }
    }
}
