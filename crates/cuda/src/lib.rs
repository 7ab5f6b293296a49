//! Evaluation of guesses on an NVIDIA card. The driver is loaded at run time, so CUDA is not needed to build this
//! program or to run it without a card.
//!
//! The kernels are in `price.cu`; their compiled forms name the source they were made from. `price-N.sm_90.zst` is for
//! the Hopper generation, `price-N.ptx.zst` is compiled by the driver for any other, where N is the number of cells. A
//! pool of guesses is arranged in units of guesses with the same colors.
//!
//! ```
//! match pegwise_cuda::card() {
//!     Ok(card) => println!("using {}", card.name()),
//!     Err(error) => println!("using the processor: {error}"),
//! }
//! ```

// The driver is loaded with dlopen.
#![cfg(unix)]

mod driver;

use std::{
    cmp::Reverse,
    io::Read as _,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use pegwise_game::Table;

use self::driver::{Buffer, Driver, Kernel, PlainData};
use pegwise_search::{
    device::{BatchPosition, Costs, Device, DeviceError},
    one_step::colors,
    parallel,
};

/// Returns the first card of this machine, or the reason why there is no usable one.
pub fn card() -> Result<Arc<dyn Device>, DeviceError> {
    Ok(Arc::new(Card::first()?))
}

/// Compiled kernels by number of cells: for Hopper, and for any card.
const KERNELS: [(usize, [&[u8]; 2]); 5] = [
    (3, [include_bytes!("price-3.sm_90.zst"), include_bytes!("price-3.ptx.zst")]),
    (4, [include_bytes!("price-4.sm_90.zst"), include_bytes!("price-4.ptx.zst")]),
    (5, [include_bytes!("price-5.sm_90.zst"), include_bytes!("price-5.ptx.zst")]),
    (6, [include_bytes!("price-6.sm_90.zst"), include_bytes!("price-6.ptx.zst")]),
    (7, [include_bytes!("price-7.sm_90.zst"), include_bytes!("price-7.ptx.zst")]),
];

/// Number of warps per block, as in `price.cu`.
const WARPS: usize = 4;
/// Maximum number of codes of a small set, as in `price.cu`.
const FEW: usize = 255;
/// Number of codes of a large set that are counted at once, as in `price.cu`.
const CHUNK: usize = 512;
/// Number of bytes per mask of a unit.
const MASK: usize = 128;
/// Maximum number of colors of a board.
const COLORS: usize = 256;

/// Maximum number of codes per batch, 8 bytes each.
const MAX_BATCH_CODES: usize = 1 << 24;
/// Number of blocks that occupies a card.
const BLOCKS: usize = 1 << 14;
/// Minimum number of sets per task.
const SETS_PER_TASK: usize = 64;
/// Maximum number of pools on the card.
const MAX_POOLS: usize = 12;

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
struct FoundGuess {
    cost: u64,
    row: u32,
    lock: u32,
}

// SAFETY: structures of integers without padding.
unsafe impl PlainData for Job {}
// SAFETY: as above.
unsafe impl PlainData for FoundGuess {}
// SAFETY: as above.
unsafe impl PlainData for Unit {}

pub(crate) struct Card {
    driver: Driver,
    /// Data on the card. One thread at a time uses it.
    state: Mutex<CardState>,
}

#[derive(Default)]
struct CardState {
    kernels: Vec<(usize, Kernels)>,
    pools: Vec<(Arc<Table>, DevicePool)>,
    weights: Option<(Vec<u64>, Buffer)>,
}

struct Kernels {
    few: [Kernel; 2],
    many: [Kernel; 2],
}

struct DevicePool {
    count: usize,
    units: Buffer,
    masks: Buffer,
    ranks: Buffer,
}

impl DevicePool {
    fn new(driver: &Driver, arranged: &ArrangedPool) -> Result<Self, DeviceError> {
        Ok(Self {
            count: arranged.units.len(),
            units: driver.upload(&arranged.units)?,
            masks: driver.upload(&arranged.masks)?,
            ranks: driver.upload(&arranged.ranks)?,
        })
    }
}

impl CardState {
    fn has(&self, pool: &Arc<Table>) -> bool {
        self.pools.iter().any(|(known, _)| Arc::ptr_eq(known, pool))
    }

    /// Adds a pool, and removes the oldest one if there are too many.
    fn keep(&mut self, pool: &Arc<Table>, sent: DevicePool) {
        if self.pools.len() == MAX_POOLS {
            self.pools.remove(0);
        }
        self.pools.push((Arc::clone(pool), sent));
    }
}

/// Sets of codes that are evaluated together.
struct Batch {
    jobs: Vec<Job>,
    codes: Vec<u64>,
    found: Vec<FoundGuess>,
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
        let codes = parallel::map_rows(sets.len(), SETS_PER_TASK, || (), pack).concat();
        // Row 0 is the lowest, so only a lower cost replaces the bound.
        let found = sets.iter().map(|set| FoundGuess { cost: set.bound, row: 0, lock: 0 }).collect();
        Self { jobs, codes, found }
    }
}

impl Card {
    /// Opens the first card of this machine.
    fn first() -> Result<Self, DeviceError> {
        Ok(Self { driver: Driver::load()?, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, CardState> {
        // The data on the card stays consistent if a thread panics.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, arranged: &ArrangedPool) -> Result<DevicePool, DeviceError> {
        self.driver.enter()?;
        DevicePool::new(&self.driver, arranged)
    }

    /// Uploads the kernels and weights that a batch needs.
    fn prepare(&self, state: &mut CardState, cells: usize, costs: &Costs<'_>) -> Result<(), DeviceError> {
        let driver = &self.driver;
        driver.enter()?;
        if state.kernels.iter().all(|(known, _)| *known != cells) {
            state.kernels.push((cells, Kernels::load(driver, cells)?));
        }
        if state.weights.as_ref().is_none_or(|(known, _)| !known.starts_with(costs.weights)) {
            state.weights = None;
            // Their number comes first.
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
        pool: &DevicePool,
        colors: usize,
        weights: &Buffer,
        batch: &mut Batch,
    ) -> Result<(), DeviceError> {
        let driver = &self.driver;
        let (jobs, codes) = (driver.upload(&batch.jobs)?, driver.upload(&batch.codes)?);
        let found = driver.upload(&batch.found)?;
        let blocks = pool.count.div_ceil(WARPS);
        let rows = BLOCKS.div_ceil(blocks).clamp(1, batch.jobs.len().min(65535));
        let mut arguments = driver::KernelArguments::default();
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
        // The pool is arranged before the card is locked, since other threads that help may need the card, too. A pool
        // without other owners will not be used again, so it is not kept.
        let is_new = !self.state().has(pool);
        let arranged = is_new.then(|| ArrangedPool::new(pool));
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
                    codes <= MAX_BATCH_CODES
                });
                let (now, later) = rest.split_at(fits.count().max(1));
                rest = later;
                let now_sets: Vec<&BatchPosition<'_>> = now.iter().map(|&at| &sets[at]).collect();
                let mut batch = Batch::new(&now_sets);
                let mut state = self.state();
                self.prepare(&mut state, cells, costs)?;
                let CardState { kernels, pools, weights } = &*state;
                let kept = || pools.iter().find(|(known, _)| Arc::ptr_eq(known, pool)).map(|(_, sent)| sent);
                let kernels = kernels.iter().find(|(known, _)| *known == cells).map(|(_, kernels)| kernels);
                let (Some(pool), Some(kernels), Some((_, weights))) =
                    (transient.as_ref().or_else(kept), kernels, weights)
                else {
                    return Err(DeviceError {
                        what: "internal error".into(),
                        why: "data is missing on the card".into(),
                    });
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
        let missing = || DeviceError { what: format!("{cells} cells"), why: "no kernel supports them".into() };
        let [quick, any] =
            KERNELS.iter().find(|(known, _)| *known == cells).map(|(_, forms)| *forms).ok_or_else(missing)?;
        // The driver rejects machine code for other cards.
        let module = driver.module(&unpacked(quick)?).or_else(|_| driver.module(&unpacked(any)?))?;
        let kernel = |name| driver.kernel(&module, name);
        Ok(Self {
            few: [kernel("price_few_by_sum")?, kernel("price_few_by_largest")?],
            many: [kernel("price_many_by_sum")?, kernel("price_many_by_largest")?],
        })
    }

    /// Returns the kernel for small or large sets, and its shared memory per block in bytes.
    fn for_sets(&self, few: bool, largest: usize, cells: usize) -> (&Kernel, usize) {
        let space = |codes: usize| (cells * cells + 1) * MASK + 2 * 8 * (codes + 8 * (cells + 1)) + COLORS;
        if few {
            (&self.few[largest], 8 * (FEW + 1) + WARPS * space(FEW + 1))
        } else {
            (&self.many[largest], WARPS * space(CHUNK))
        }
    }
}

/// Decompresses kernels and removes the line that names their source; the result is NUL-terminated.
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

/// Maximum number of guesses per unit.
const MAX_UNIT_GUESSES: usize = 32 * WORD;
/// Number of guesses per thread.
const WORD: usize = 32;
/// Number of words per mask: one per thread.
const MASK_WORDS: usize = 32;

/// Minimum number of rows per task.
const ROWS_PER_TASK: usize = 1 << 14;
/// Minimum number of units per task.
const UNITS_PER_TASK: usize = 64;

/// `Unit` of `price.cu`: guesses of the same colors.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Unit {
    colors: u64,
    counts: u32,
    kinds: u32,
    masks: u32,
    ranks: u32,
    guesses: u32,
    lowest: u32,
}

/// Pool arranged in units.
struct ArrangedPool {
    units: Vec<Unit>,
    /// For each unit, cell and color, the mask of the guesses with that color in that cell.
    masks: Vec<u32>,
    /// Rows of the guesses, unit by unit.
    ranks: Vec<u32>,
}

impl ArrangedPool {
    fn new(pool: &Table) -> Self {
        let colored = |(): &mut (), row: usize| (colors(pool, row), row as u32);
        let mut sorted: Vec<(u64, u32)> = parallel::map_rows(pool.len(), ROWS_PER_TASK, || (), colored);
        parallel::sort(&mut sorted);
        let mut units = Vec::new();
        let mut first = 0;
        for alike in sorted.chunk_by(|(one, _), (other, _)| one == other) {
            // Units of nearly equal size, so that no unit has only a few guesses.
            let words = alike.len().div_ceil(WORD);
            let pieces = alike.len().div_ceil(MAX_UNIT_GUESSES);
            for piece in alike.chunks(words.div_ceil(pieces) * WORD) {
                let (colors, lowest) = piece[0];
                let unit = Unit::new(colors, pool.cells(), first, piece.len() as u32, lowest);
                first += unit.guesses;
                units.push(unit);
            }
        }
        // Guesses of many colors are the most informative, and finding a good guess early saves work.
        units.sort_by_key(|unit: &Unit| Reverse(unit.kinds));
        let mut masks = 0;
        for unit in &mut units {
            unit.masks = masks;
            masks += pool.cells() as u32 * unit.kinds;
        }
        let ranks: Vec<u32> = sorted.iter().map(|&(_, row)| row).collect();
        let masks_of = |(): &mut (), at: usize| units[at].masks_of(pool, &ranks);
        let masks = parallel::map_rows(units.len(), UNITS_PER_TASK, || (), masks_of).concat();
        Self { units, masks, ranks }
    }
}

/// Returns a code as bytes, one per cell.
fn packed(table: &Table, row: usize) -> u64 {
    (0..table.cells()).fold(0, |code, cell| code | u64::from(table.peg(row, cell)) << (8 * cell))
}

impl Unit {
    /// Creates a unit of guesses with these colors, whose ranks begin at `ranks`. The offset of its masks is set later.
    fn new(colors: u64, cells: usize, ranks: u32, guesses: u32, lowest: u32) -> Self {
        let (mut kinds, mut kept, mut counts) = (0, [0; 8], 0);
        for (cell, &color) in colors.to_le_bytes()[..cells].iter().enumerate() {
            if cell == 0 || color != kept[kinds - 1] {
                kept[kinds] = color;
                kinds += 1;
            }
            counts += 1 << (4 * (kinds - 1));
        }
        Self { colors: u64::from_le_bytes(kept), counts, kinds: kinds as u32, masks: 0, ranks, guesses, lowest }
    }

    fn masks_of(&self, pool: &Table, ranks: &[u32]) -> Vec<u32> {
        let kinds = self.kinds as usize;
        let colors = &self.colors.to_le_bytes()[..kinds];
        let mut masks = vec![0; pool.cells() * kinds * MASK_WORDS];
        for (guess, &row) in ranks[self.ranks as usize..][..self.guesses as usize].iter().enumerate() {
            for cell in 0..pool.cells() {
                let peg = pool.peg(row as usize, cell);
                let place = colors.iter().position(|&color| color == peg).unwrap_or(0);
                masks[(cell * kinds + place) * MASK_WORDS + guess / WORD] |= 1 << (guess % WORD);
            }
        }
        masks
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Rules;

    use super::*;

    /// The compiled kernels were made from the current source.
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

    /// Returns a card or an error on any machine.
    #[test]
    fn a_missing_card_is_an_error() {
        match Card::first() {
            Ok(card) => assert!(!card.name().is_empty()),
            Err(error) => assert!(!error.what.is_empty() && !error.why.is_empty(), "{error}"),
        }
    }

    /// Every guess is in one unit, with its pegs in the masks, among guesses of its colors in the order of their rows.
    #[test]
    fn units_hold_every_guess_once() {
        for text in ["3x20", "4x6", "5x8", "6x5", "7x4"] {
            let rules: Rules = text.parse().unwrap();
            let pool = Table::all(&rules).unwrap();
            let ArrangedPool { units, masks, ranks } = ArrangedPool::new(&pool);
            let mut seen = vec![false; pool.len()];
            for unit in &units {
                let rows = &ranks[unit.ranks as usize..][..unit.guesses as usize];
                assert!(rows.len() <= MAX_UNIT_GUESSES && rows.is_sorted() && rows[0] == unit.lowest, "{text}");
                for (guess, &row) in rows.iter().enumerate() {
                    assert!(!std::mem::replace(&mut seen[row as usize], true), "{text}: row {row} comes twice");
                    let mut counts = unit.counts;
                    for cell in 0..pool.cells() {
                        let has = |place: &u32| {
                            let mask = unit.masks as usize + cell * unit.kinds as usize + *place as usize;
                            masks[mask * MASK_WORDS + guess / WORD] >> (guess % WORD) & 1 == 1
                        };
                        let places: Vec<u32> = (0..unit.kinds).filter(has).collect();
                        let [place] = places[..] else { panic!("{text}: row {row} has {places:?} in cell {cell}") };
                        assert_eq!(unit.colors.to_le_bytes()[place as usize], pool.peg(row as usize, cell), "{text}");
                        counts -= 1 << (4 * place);
                    }
                    assert_eq!(counts, 0, "{text}");
                }
            }
            assert!(seen.iter().all(|&seen| seen), "{text}");
        }
    }
}
