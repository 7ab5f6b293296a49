//! A card that speaks CUDA. The driver is loaded when a card is asked for, so that nothing of CUDA is needed to build this
//! program or to run it without one.
//!
//! The kernels are in `price.cu`; their compiled forms name the source they were made from. `price-N.sm_90.zst` is for cards of
//! the Hopper generation, `price-N.ptx.zst` is translated by the driver for any other, N being the number of cells.

mod driver;
mod pool;

use std::{
    io::Read as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use pegwise_game::Table;

use self::{
    driver::{Buffer, Driver, Kernel},
    pool::{Arranged, packed},
};
use super::{BatchPosition, Costs, Device, DeviceError};
use crate::parallel;

/// The kernels by the number of cells: for one generation of cards, and for any.
const KERNELS: [(usize, [&[u8]; 2]); 5] = [
    (3, [include_bytes!("price-3.sm_90.zst"), include_bytes!("price-3.ptx.zst")]),
    (4, [include_bytes!("price-4.sm_90.zst"), include_bytes!("price-4.ptx.zst")]),
    (5, [include_bytes!("price-5.sm_90.zst"), include_bytes!("price-5.ptx.zst")]),
    (6, [include_bytes!("price-6.sm_90.zst"), include_bytes!("price-6.ptx.zst")]),
    (7, [include_bytes!("price-7.sm_90.zst"), include_bytes!("price-7.ptx.zst")]),
];

/// As in `price.cu`: warps of a block of threads, the most codes of a set that is few, and of a large one the codes that are
/// counted at a time.
const WARPS: usize = 4;
const FEW: usize = 255;
const CHUNK: usize = 512;
/// Bytes of a mask of a unit.
const MASK: usize = 128;
/// Colors of a board, at most.
const COLORS: usize = 256;

/// The most codes that are sent at a time, 8 bytes each.
const MOST_CODES: usize = 1 << 24;
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

/// A card.
pub(crate) struct Card {
    driver: Driver,
    /// What is on the card. One thread at a time talks to it.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    kernels: Vec<(usize, Kernels)>,
    pools: Vec<(Arc<Table>, Pool)>,
    weights: Option<(Vec<u64>, Buffer)>,
}

/// The kernels for rows of so many cells.
struct Kernels {
    few: [Kernel; 2],
    many: [Kernel; 2],
}

/// A pool on the card.
struct Pool {
    count: usize,
    units: Buffer,
    masks: Buffer,
    ranks: Buffer,
}

impl Pool {
    fn new(driver: &Driver, arranged: &Arranged) -> Result<Self, DeviceError> {
        Ok(Self {
            count: arranged.units.len(),
            units: driver.upload(&arranged.units)?,
            masks: driver.upload(&arranged.masks)?,
            ranks: driver.upload(&arranged.ranks)?,
        })
    }
}

impl State {
    fn knows(&self, pool: &Arc<Table>) -> bool {
        self.pools.iter().any(|(known, _)| Arc::ptr_eq(known, pool))
    }

    /// Keeps a pool on the card, instead of the one that was kept longest.
    fn keep(&mut self, pool: &Arc<Table>, sent: Pool) {
        if self.pools.len() == POOLS_KEPT {
            self.pools.remove(0);
        }
        self.pools.push((Arc::clone(pool), sent));
    }
}

/// Sets of codes that are sent together.
struct Batch {
    jobs: Vec<Job>,
    codes: Vec<u64>,
    found: Vec<Found>,
}

impl Batch {
    fn new(sets: &[&BatchPosition<'_>]) -> Self {
        let mut first = 0;
        let jobs = sets.iter().map(|set| {
            let job = Job { first, codes: set.codes.len() as u32, least: set.least };
            first += job.codes;
            job
        });
        let jobs = jobs.collect();
        let pack = |(): &mut (), at: usize| {
            let codes = sets[at].codes;
            (0..codes.len()).map(|row| packed(codes, row)).collect::<Vec<u64>>()
        };
        let codes = parallel::map_rows(sets.len(), SETS_A_TASK, || (), pack).concat();
        // No row is below the first, so only a lower cost is better.
        let found = sets.iter().map(|set| Found { cost: set.bound, row: 0, lock: 0 }).collect();
        Self { jobs, codes, found }
    }
}

impl Card {
    /// The first card of this machine.
    pub(crate) fn first() -> Result<Self, DeviceError> {
        Ok(Self { driver: Driver::load()?, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What is on the card is whole even when a thread that held it has panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, arranged: &Arranged) -> Result<Pool, DeviceError> {
        self.driver.enter()?;
        Pool::new(&self.driver, arranged)
    }

    /// Makes ready what every batch needs on the card.
    fn prepare(&self, state: &mut State, cells: usize, costs: &Costs<'_>) -> Result<(), DeviceError> {
        let driver = &self.driver;
        driver.enter()?;
        if state.kernels.iter().all(|(known, _)| *known != cells) {
            state.kernels.push((cells, Kernels::load(driver, cells)?));
        }
        if state.weights.as_ref().is_none_or(|(known, _)| !known.starts_with(costs.weights)) {
            state.weights = None;
            // First how many there are.
            let mut sent = vec![costs.weights.len() as u64];
            sent.extend(costs.weights);
            state.weights = Some((costs.weights.to_vec(), driver.upload(&sent)?));
        }
        Ok(())
    }

    /// Runs a batch to its end.
    fn run(
        &self,
        kernel: &Kernel,
        shared: usize,
        pool: &Pool,
        colors: usize,
        weights: &Buffer,
        batch: &mut Batch,
    ) -> Result<(), DeviceError> {
        let driver = &self.driver;
        let (jobs, codes) = (driver.upload(&batch.jobs)?, driver.upload(&batch.codes)?);
        let found = driver.upload(&batch.found)?;
        let blocks = pool.count.div_ceil(WARPS);
        let rows = BLOCKS.div_ceil(blocks).clamp(1, batch.jobs.len().min(65535));
        let mut arguments = driver::Arguments::default();
        arguments.address(&pool.units);
        arguments.word(pool.count as u32);
        arguments.address(&pool.masks);
        arguments.address(&pool.ranks);
        arguments.word(colors as u32);
        arguments.address(&jobs);
        arguments.word(batch.jobs.len() as u32);
        arguments.address(&codes);
        arguments.address(weights);
        arguments.address(&found);
        driver.launch(kernel, [blocks as u32, rows as u32], 32 * WARPS as u32, shared as u32, &arguments)?;
        driver.download(&found, &mut batch.found)
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
        pool: &Arc<Table>,
        sets: &[BatchPosition<'_>],
        costs: &Costs<'_>,
    ) -> Result<Vec<Option<(u64, usize)>>, DeviceError> {
        let (cells, colors) = (pool.cells(), pool.colors());
        let largest = usize::from(costs.largest);
        // What others help with is done before the card is taken: they might want it, too. A pool that nobody else knows will
        // not be asked about again.
        let is_new = !self.state().knows(pool);
        let arranged = is_new.then(|| Arranged::new(pool));
        let transient = match arranged.map(|arranged| self.send(&arranged)).transpose()? {
            Some(sent) if Arc::strong_count(pool) > 1 => {
                self.state().keep(pool, sent);
                None
            }
            sent => sent,
        };
        let mut results = vec![None; sets.len()];
        let (few, many): (Vec<usize>, Vec<usize>) = (0..sets.len()).partition(|&at| sets[at].codes.len() <= FEW);
        for (numbers, is_few) in [(few, true), (many, false)] {
            let mut rest = &numbers[..];
            while !rest.is_empty() {
                let mut codes = 0;
                let fits = rest.iter().take_while(|&&at| {
                    codes += sets[at].codes.len();
                    codes <= MOST_CODES
                });
                let (now, later) = rest.split_at(fits.count().max(1));
                rest = later;
                let now_sets: Vec<&BatchPosition<'_>> = now.iter().map(|&at| &sets[at]).collect();
                let mut batch = Batch::new(&now_sets);
                let mut state = self.state();
                self.prepare(&mut state, cells, costs)?;
                let State { kernels, pools, weights } = &*state;
                let kept = || pools.iter().find(|(known, _)| Arc::ptr_eq(known, pool)).map(|(_, sent)| sent);
                let kernels = kernels.iter().find(|(known, _)| *known == cells).map(|(_, kernels)| kernels);
                let (Some(pool), Some(kernels), Some((_, weights))) =
                    (transient.as_ref().or_else(kept), kernels, weights)
                else {
                    return Err(DeviceError { what: "the card".into(), why: "has forgotten what it was sent".into() });
                };
                let (kernel, shared) = kernels.for_sets(is_few, largest, cells);
                self.run(kernel, shared, pool, colors, weights, &mut batch)?;
                drop(state);
                for (&at, found) in now.iter().zip(&batch.found) {
                    results[at] = (found.cost < sets[at].bound).then_some((found.cost, found.row as usize));
                }
            }
        }
        Ok(results)
    }
}

impl Kernels {
    fn load(driver: &Driver, cells: usize) -> Result<Self, DeviceError> {
        let missing = || DeviceError { what: format!("the kernel for {cells} cells"), why: "there is none".into() };
        let [quick, any] =
            KERNELS.iter().find(|(known, _)| *known == cells).map(|(_, forms)| *forms).ok_or_else(missing)?;
        // The driver refuses what is for other cards.
        let module = driver.module(&unpacked(quick)?).or_else(|_| driver.module(&unpacked(any)?))?;
        let kernel = |name| driver.kernel(&module, name);
        Ok(Self {
            few: [kernel("price_few_by_sum")?, kernel("price_few_by_largest")?],
            many: [kernel("price_many_by_sum")?, kernel("price_many_by_largest")?],
        })
    }

    /// The kernel for sets of few or many codes, and the memory that a block of it needs.
    fn for_sets(&self, few: bool, largest: usize, cells: usize) -> (&Kernel, usize) {
        let space = |codes: usize| (cells * cells + 1) * MASK + 2 * 8 * (codes + 8 * (cells + 1)) + COLORS;
        if few {
            (&self.few[largest], 8 * (FEW + 1) + WARPS * space(FEW + 1))
        } else {
            (&self.many[largest], WARPS * space(CHUNK))
        }
    }
}

/// The kernels as the driver wants them, without the line that names their source; a text ends with a zero.
fn unpacked(form: &[u8]) -> Result<Vec<u8>, DeviceError> {
    let error = |why: String| DeviceError { what: "the kernels are damaged".into(), why };
    let mut bytes = Vec::new();
    let mut decoder = ruzstd::decoding::StreamingDecoder::new(form).map_err(|why| error(why.to_string()))?;
    decoder.read_to_end(&mut bytes).map_err(|why| error(why.to_string()))?;
    let line = bytes.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    bytes.drain(..line);
    bytes.push(0);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shipped was compiled from the source that is shown.
    #[test]
    fn kernels_name_their_source() {
        let source = crc32fast::hash(include_bytes!("price.cu"));
        for (cells, forms) in KERNELS {
            for form in forms {
                let mut bytes = Vec::new();
                ruzstd::decoding::StreamingDecoder::new(form).unwrap().read_to_end(&mut bytes).unwrap();
                let first = format!("// price.cu {source:08x} CELLS={cells}\n");
                assert!(bytes.starts_with(first.as_bytes()), "run scripts/compile-device-kernels");
                let rest = unpacked(form).unwrap();
                assert_eq!(rest.len(), bytes.len() - first.len() + 1);
                let name = b"price_many_by_largest";
                assert!(rest.windows(name.len()).any(|window| window == name), "{cells}");
            }
            let [quick, any] = forms.map(|form| unpacked(form).unwrap());
            assert!(quick.starts_with(b"\x7fELF") && any.starts_with(b"//"), "{cells}");
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
