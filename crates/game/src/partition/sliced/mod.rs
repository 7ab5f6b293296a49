//! Codes as masks: a bit for each code, instead of a byte.
//!
//! For every cell and color there is a mask of the codes that have the color there, and for every color and number a mask
//! of the codes that show it at least so often. The black pegs of 512 codes are then the sum of as many masks as there are
//! cells, and black and white pegs together that of as many others: a color that the guess shows m times adds the masks
//! "at least once" to "at least m times", which is the smaller of the two counts. Sums and counts are kept in binary, a
//! register for each digit, and made with full adders (carry-save addition), so that a pair of guess and code costs a
//! fraction of an instruction.
//!
//! As with columns, the question can be turned round: the masks may be those of 512 *guesses*, with the codes still possible
//! one after another. Counters are then wanted lane by lane, and are turned into bytes once for all codes.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod digits;
mod kernel;
mod word;

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256i, __m512i};
use std::sync::Arc;

use super::{Backend, BatchKernel, Block, Tally};
use crate::{
    feedback::CellTerm,
    partition::MAX_TALLY_CODES,
    table::{BLOCK, Table},
};
use kernel::{Counter, DIGITS, MOST_COUNTED, Pegs};

/// Lanes of a slice: codes that are scored at a time.
pub const LANES_PER_PLANE: usize = 512;

/// A bit for each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
struct Line([u64; LANES_PER_PLANE / 64]);

const EMPTY: Line = Line([0; LANES_PER_PLANE / 64]);

/// The fewest and the most cells of a code that is sliced.
const MIN_CELLS: usize = 3;
const MAX_CELLS: usize = 8;

/// Codes as masks, in the order of a table. They cost `cells * colors / 4` bytes a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitPlanes {
    cells: usize,
    colors: usize,
    len: usize,
    /// Slice by slice: a mask for each cell and color, then one for each color and how often it is shown at least.
    masks: Vec<Line>,
}

impl BitPlanes {
    fn new(table: &Table) -> Self {
        let (cells, colors, len) = (table.cells(), table.colors(), table.len());
        let width = 2 * cells * colors;
        let mut masks = vec![EMPTY; len.div_ceil(LANES_PER_PLANE) * width];
        let mut plan = Plan::default();
        for row in 0..len {
            plan.set(table, row);
            let masks = &mut masks[row / LANES_PER_PLANE * width..][..width];
            let (word, bit) = (row % LANES_PER_PLANE / 64, 1 << (row % 64));
            for &named in plan.cells[..cells].iter().chain(&plan.shown[..cells]) {
                masks[usize::from(named)].0[word] |= bit;
            }
        }
        Self { cells, colors, len, masks }
    }

    /// How many codes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of memory the masks take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.masks[..])
    }

    /// Cells of a code.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Masks of a slice.
    #[must_use]
    pub fn width(&self) -> usize {
        2 * self.cells * self.colors
    }

    /// All masks as words, for other processors: slice by slice, mask by mask, the lowest lanes in the lowest bits.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        // SAFETY: a line is eight words and nothing else.
        unsafe { std::slice::from_raw_parts(self.masks.as_ptr().cast(), self.masks.len() * (LANES_PER_PLANE / 64)) }
    }

    /// Calls a function with the masks that make up each code of a table: eight places for its cells, then eight for the
    /// colors it shows, of which the first [`BitPlanes::cells`] each are used.
    ///
    /// # Panics
    /// When the table is of other rules.
    pub fn plans(&self, codes: &Table, mut each: impl FnMut([u16; 2 * MAX_CELLS])) {
        assert_eq!((codes.cells(), codes.colors()), (self.cells, self.colors), "tables of different rules");
        for row in 0..codes.len() {
            let Plan { cells, shown } = Plan::of(codes, row);
            let mut plan = [0; 2 * MAX_CELLS];
            plan[..MAX_CELLS].copy_from_slice(&cells);
            plan[MAX_CELLS..].copy_from_slice(&shown);
            each(plan);
        }
    }

    fn count(&self) -> usize {
        self.len.div_ceil(LANES_PER_PLANE)
    }

    #[inline]
    fn slice(&self, slice: usize) -> &[Line] {
        let width = self.width();
        &self.masks[slice * width..][..width]
    }
}

/// Which masks a code is the sum of: those that a slice has it in.
#[derive(Debug, Clone, Copy, Default)]
struct Plan {
    cells: [u16; MAX_CELLS],
    shown: [u16; MAX_CELLS],
}

impl Plan {
    fn of(table: &Table, row: usize) -> Self {
        let mut plan = Self::default();
        plan.set(table, row);
        plan
    }

    #[inline]
    fn set(&mut self, table: &Table, row: usize) {
        let (cells, colors) = (table.cells(), table.colors());
        let (columns, lane) = (table.pegs(row / BLOCK), row % BLOCK);
        let mut pegs = [0; MAX_CELLS];
        for (cell, (peg, column)) in pegs.iter_mut().zip(columns).enumerate() {
            *peg = usize::from(column.0[lane]);
            self.cells[cell] = (cell * colors + *peg) as u16;
        }
        for cell in 0..cells {
            let before = pegs[..cell].iter().filter(|&&before| before == pegs[cell]).count();
            self.shown[cell] = ((cells + before) * colors + pegs[cell]) as u16;
        }
    }
}

/// Codes made ready to be split by many guesses that are sliced. A clone shares the codes, and has working space of its own.
#[derive(Debug, Clone)]
pub struct BitPlaneBatch {
    plans: Arc<[Plan]>,
    /// Working space: the pegs of some pairs.
    pegs: Box<Pegs>,
    /// Working space: for each possible mark, in every lane, how many codes give it.
    counters: Vec<Counter>,
    /// Working space: the same for more codes than those hold.
    long: Vec<Vec<Line>>,
    /// Working space: the same for the lanes of a block, as bytes.
    counts: Vec<Block>,
}

impl BitPlaneBatch {
    /// How many codes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.plans.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plans.is_empty()
    }
}

impl BatchKernel {
    /// Whether codes of these rules can be kept as masks: rows of three to eight cells, with black and white pegs.
    #[must_use]
    pub fn supports_bit_planes(&self) -> bool {
        let terms = self.coding.model();
        let pegs = terms.cell == CellTerm::Equal && terms.colors && !terms.per_cell;
        pegs && (MIN_CELLS..=MAX_CELLS).contains(&self.coding.cells())
    }

    /// Whether pricing so many guesses against so many codes is quicker with the guesses sliced, once they are.
    ///
    /// Columns are quicker for the few codes whose counters are sooner made than turned into bytes; how few depends on the
    /// registers, as `cargo bench -p pegwise-benches --bench partition -- slices` shows.
    #[must_use]
    pub fn prefers_bit_planes(&self, codes: usize, guesses: usize) -> bool {
        let fewest = match self.backend {
            Backend::Scalar => usize::MAX,
            Backend::Portable => 256,
            Backend::Avx2 => 48,
            Backend::Avx512 => 3,
        };
        self.supports_bit_planes() && codes >= fewest && guesses >= LANES_PER_PLANE
    }

    /// The codes of a table as masks.
    ///
    /// # Panics
    /// When these rules are not [sliceable](Self::supports_bit_planes).
    #[must_use]
    pub fn bit_planes(&self, table: &Table) -> BitPlanes {
        assert!(self.supports_bit_planes(), "codes of these rules cannot be sliced");
        BitPlanes::new(table)
    }

    /// [`BatchKernel::histogram_of_row`] for codes as masks. Any crowd of these rules lends its working space.
    ///
    /// # Panics
    /// When `counts` is shorter than the list of possible marks, or the tables are of different rules.
    pub fn bit_plane_histogram_of_row(
        &self,
        guesses: &Table,
        row: usize,
        codes: &BitPlanes,
        space: &mut BitPlaneBatch,
        counts: &mut [u32],
    ) {
        assert_eq!((guesses.cells(), guesses.colors()), (codes.cells, codes.colors), "tables of different rules");
        let counts = &mut counts[..self.coding.possible().len()];
        counts.fill(0);
        let plan = Plan::of(guesses, row);
        self.backend.count_codes(codes, &plan, &mut space.pegs, counts);
        counts[self.coding.padding_index()] -= (codes.count() * LANES_PER_PLANE - codes.len) as u32;
    }

    /// Codes made ready to be split by sliced guesses.
    ///
    /// # Panics
    /// When these rules are not [sliceable](Self::supports_bit_planes).
    #[must_use]
    pub fn bit_plane_batch(&self, codes: &Table) -> BitPlaneBatch {
        assert!(self.supports_bit_planes(), "codes of these rules cannot be sliced");
        let marks = self.coding.possible().len();
        let digits = (usize::BITS - codes.len().leading_zeros()) as usize;
        let long = if codes.len() > MOST_COUNTED { vec![vec![EMPTY; digits]; marks] } else { Vec::new() };
        BitPlaneBatch {
            plans: (0..codes.len()).map(|row| Plan::of(codes, row)).collect(),
            pegs: Box::new(Pegs::EMPTY),
            counters: vec![[EMPTY; DIGITS]; marks],
            long,
            counts: vec![[0; BLOCK]; marks],
        }
    }

    /// [`BatchKernel::tally`] for the guesses `LANES_PER_PLANE * slice ..` of sliced ones.
    ///
    /// # Panics
    /// When there is no such slice, or the crowd is larger than [`MAX_TALLY_CODES`].
    pub fn bit_plane_tally(
        &self,
        crowd: &mut BitPlaneBatch,
        guesses: &BitPlanes,
        slice: usize,
        tally: &Tally,
        out: &mut [u16; LANES_PER_PLANE],
    ) {
        const { assert!(MAX_TALLY_CODES <= MOST_COUNTED) };
        let BitPlaneBatch { plans, pegs, counters, counts, .. } = crowd;
        assert!(plans.len() <= MAX_TALLY_CODES, "{} codes are too many to tally", plans.len());
        self.backend.count_plans(guesses, slice, plans, pegs, counters);
        let digits = (usize::BITS - plans.len().leading_zeros()) as usize;
        self.backend.tally_counters(counters, digits, tally, counts, out);
    }

    /// [`BatchKernel::histograms`] for the guesses `LANES_PER_PLANE * slice ..` of sliced ones.
    ///
    /// # Panics
    /// When there is no such slice.
    pub fn bit_plane_histograms(
        &self,
        crowd: &mut BitPlaneBatch,
        guesses: &BitPlanes,
        slice: usize,
        out: &mut Vec<[u32; LANES_PER_PLANE]>,
    ) {
        let BitPlaneBatch { plans, pegs, counters, long, .. } = crowd;
        out.resize(counters.len(), [0; LANES_PER_PLANE]);
        let digits = (usize::BITS - plans.len().leading_zeros()) as usize;
        if plans.len() <= MOST_COUNTED {
            self.backend.count_plans(guesses, slice, plans, pegs, counters);
            self.backend.numbers(counters.iter().map(|counter| &counter[..digits]), out);
            return;
        }
        long.iter_mut().for_each(|long| long.fill(EMPTY));
        for plans in plans.chunks(MOST_COUNTED) {
            self.backend.count_plans(guesses, slice, plans, pegs, counters);
            // What a short counter cannot reach was not set either.
            let short = (usize::BITS - plans.len().leading_zeros()).max(3) as usize;
            counters.iter_mut().for_each(|counter| counter[short..].fill(EMPTY));
            self.backend.add_counters(counters, long);
        }
        self.backend.numbers(long.iter().map(|long| &long[..]), out);
    }
}

/// Makes a call with the number of cells known to the compiler.
macro_rules! with_cells {
    ($cells:expr, $known:ident => $call:expr) => {
        with_cells!($cells, $known => $call; 3, 4, 5, 6, 7, 8)
    };
    ($cells:expr, $known:ident => $call:expr; $($number:literal),+) => {
        match $cells {
            $($number => {
                const $known: usize = $number;
                $call
            })+
            cells => unreachable!("codes of {cells} cells are not sliced"),
        }
    };
}

/// The kernels for one kind of register.
macro_rules! kernels {
    ($name:ident, $word:ty $(, $features:literal)?) => {
        mod $name {
            use super::*;

            $(#[target_feature(enable = $features)])?
            pub(super) fn count_plans(guesses: &BitPlanes, slice: usize, plans: &[Plan], pegs: &mut Pegs, counters: &mut [Counter]) {
                let masks = guesses.slice(slice);
                with_cells!(guesses.cells, P => kernel::count::<$word, P>(plans.len(), |at| (masks, &plans[at]), pegs, counters));
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn count_codes(codes: &BitPlanes, plan: &Plan, pegs: &mut Pegs, counts: &mut [u32]) {
                with_cells!(codes.cells, P => kernel::totals::<$word, P>(codes, plan, pegs, counts));
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn add_counters(counters: &[Counter], long: &mut [Vec<Line>]) {
                kernel::add_up::<$word>(counters, long);
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn numbers<'a>(counters: impl Iterator<Item = &'a [Line]>, out: &mut [[u32; LANES_PER_PLANE]]) {
                for (digits, out) in counters.zip(out) {
                    for (block, out) in out.chunks_mut(BLOCK).enumerate() {
                        digits::numbers(digits, block, out);
                    }
                }
            }

            $(#[target_feature(enable = $features)])?
            pub(super) fn bytes(counters: &[Counter], digits: usize, block: usize, counts: &mut [Block]) {
                for (counter, counts) in counters.iter().zip(counts) {
                    *counts = digits::bytes(&counter[..digits], block);
                }
            }
        }
    };
}

kernels!(words, u64);
#[cfg(target_arch = "x86_64")]
kernels!(ymm, __m256i, "avx2,popcnt");
#[cfg(target_arch = "x86_64")]
kernels!(zmm, __m512i, "avx512f,avx512bw,avx512vbmi,avx512vpopcntdq,popcnt");

/// Calls a kernel for the registers of a backend.
macro_rules! on_registers {
    ($backend:expr, $kernel:ident $arguments:tt) => {
        match $backend {
            // SAFETY: a partitioner only takes a backend that `is_available` found on this machine.
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 => unsafe { ymm::$kernel $arguments },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 => unsafe { zmm::$kernel $arguments },
            _ => words::$kernel $arguments,
        }
    };
}

impl Backend {
    fn count_plans(self, guesses: &BitPlanes, slice: usize, plans: &[Plan], pegs: &mut Pegs, counters: &mut [Counter]) {
        on_registers!(self, count_plans(guesses, slice, plans, pegs, counters));
    }

    /// Adds how many codes each mark has.
    fn count_codes(self, codes: &BitPlanes, plan: &Plan, pegs: &mut Pegs, counts: &mut [u32]) {
        on_registers!(self, count_codes(codes, plan, pegs, counts));
    }

    fn add_counters(self, counters: &[Counter], long: &mut [Vec<Line>]) {
        on_registers!(self, add_counters(counters, long));
    }

    fn numbers<'a>(self, counters: impl Iterator<Item = &'a [Line]>, out: &mut [[u32; LANES_PER_PLANE]]) {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Avx512 {
            // SAFETY: a partitioner only takes a backend that `is_available` found on this machine.
            return unsafe { avx512::numbers(counters, out) };
        }
        on_registers!(self, numbers(counters, out));
    }

    /// Sums up the counts of each lane.
    fn tally_counters(
        self,
        counters: &[Counter],
        digits: usize,
        tally: &Tally,
        counts: &mut [Block],
        out: &mut [u16; LANES_PER_PLANE],
    ) {
        #[cfg(target_arch = "x86_64")]
        if self == Self::Avx512 {
            // SAFETY: a partitioner only takes a backend that `is_available` found on this machine.
            return unsafe { avx512::tally(counters, digits, tally, out) };
        }
        for (block, out) in out.as_chunks_mut().0.iter_mut().enumerate() {
            on_registers!(self, bytes(counters, digits, block, counts));
            self.tally(counts, tally, out);
        }
    }
}
