//! How a guess splits a table of codes: the hot loop of the field.
//!
//! A [`Partitioner`] answers three questions about a guess and a [`Table`]: which feedback each code would give, how many
//! codes give each feedback, and which. For rows with black and white, black only or higher/lower feedback it works on
//! whole blocks of 64 codes with the best instructions the machine has ([`Backend`]); for any other board it falls back on
//! the pair function. All backends give the same answers, by one suite of laws against the pair function.
//!
//! One table of codes against many guesses is the same question turned round, since a feedback does not change when guess
//! and code change places: a register then holds 64 guesses, and nothing is done for each of them alone. See
//! [`BatchKernel::tally`] and [`BatchKernel::histograms`].

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod backend;
mod coding;
mod general;
#[cfg(test)]
mod laws;
mod portable;
mod prepared;
mod scalar;
mod sliced;
mod tally;

pub use backend::Backend;
pub use coding::MarkEncoding;
pub use sliced::{BitPlaneBatch, BitPlanes, LANES_PER_PLANE};
pub use tally::{MAX_TALLY_CODES, Tally, Weights};

use std::{ops::Range, sync::Arc};

use crate::{
    color::Color,
    feedback::Feedback,
    rules::Rules,
    table::{BLOCK, Table},
};
use general::General;
use prepared::Prepared;

/// The marks of one block of codes.
type Block = [u8; BLOCK];

/// Blocks whose marks are held at a time: they stay in the first cache.
const CHUNK: usize = 120;

/// Approximate cost of a pair of guess and code, per line of the board, without a [`BatchKernel`] relative to one with it.
pub const SLOWDOWN_WITHOUT_KERNEL: usize = 100;

/// Splits tables of codes by the feedback a guess would get.
///
/// ```
/// use pegwise_game::{Rules, Table, partition::Partitioner};
/// let rules: Rules = "4x6".parse().unwrap();
/// let table = Table::all(&rules).unwrap();
/// let mut partitioner = Partitioner::new(&rules);
/// let mut sizes = Vec::new();
/// partitioner.sizes(&rules.parse_code("1122").unwrap(), &table, &mut sizes);
/// sizes.sort_unstable();
/// assert_eq!(sizes, [1, 1, 4, 16, 20, 32, 36, 96, 114, 208, 256, 256, 256]);
/// ```
#[derive(Debug, Clone)]
pub struct Partitioner {
    rules: Rules,
    engine: Engine,
}

#[derive(Debug, Clone)]
enum Engine {
    BatchKernel(BatchKernel),
    General(General),
}

/// One part of a table: the codes that would give this feedback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The feedback.
    pub feedback: Feedback,
    /// Rows of the table, ascending.
    pub rows: Vec<u32>,
}

impl Partitioner {
    /// A partitioner for these rules, with the best backend of this machine.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self::with_backend(rules, Backend::best())
    }

    /// A partitioner with a backend of choice, for tests and measurements.
    ///
    /// # Panics
    /// When this machine does not have the backend.
    #[must_use]
    pub fn with_backend(rules: &Rules, backend: Backend) -> Self {
        assert!(backend.is_available(), "this machine has no {backend}");
        let engine = match MarkEncoding::new(rules) {
            Some(coding) => Engine::BatchKernel(BatchKernel { coding, backend }),
            None => Engine::General(General::new(rules)),
        };
        Self { rules: rules.clone(), engine }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The kernels for packed marks, where these rules have them.
    #[must_use]
    pub fn batch_kernel(&self) -> Option<&BatchKernel> {
        match &self.engine {
            Engine::BatchKernel(lanes) => Some(lanes),
            Engine::General(_) => None,
        }
    }

    /// The sizes of the parts, without empty ones, in an order fixed by the rules.
    pub fn sizes(&mut self, guess: &[Color], table: &Table, sizes: &mut Vec<u32>) {
        sizes.clear();
        match &mut self.engine {
            Engine::BatchKernel(lanes) => {
                sizes.resize(lanes.coding.possible().len(), 0);
                lanes.histogram(guess, table, sizes);
                sizes.retain(|&size| size > 0);
            }
            Engine::General(general) => general.sizes(guess, table, sizes),
        }
    }

    /// The parts, without empty ones, ordered by feedback.
    pub fn split(&mut self, guess: &[Color], table: &Table) -> Vec<Part> {
        let mut parts = match &mut self.engine {
            Engine::BatchKernel(lanes) => lanes.split(guess, table),
            Engine::General(general) => general.split(guess, table),
        };
        parts.sort_unstable_by(|one, other| one.feedback.cmp(&other.feedback));
        parts
    }
}

/// The kernels for marks packed into bytes.
#[derive(Debug, Clone)]
pub struct BatchKernel {
    coding: MarkEncoding,
    backend: Backend,
}

impl BatchKernel {
    /// How marks are packed.
    #[must_use]
    pub fn encoding(&self) -> &MarkEncoding {
        &self.coding
    }

    /// The packed mark of every code of the table.
    pub fn marks(&self, guess: &[Color], table: &Table, marks: &mut Vec<u8>) {
        marks.clear();
        self.each_chunk(&self.plan(guess, table), table, |chunk| marks.extend_from_slice(chunk.as_flattened()));
        marks.truncate(table.len());
    }

    /// [`BatchKernel::marks`] into memory that is there already.
    ///
    /// # Panics
    /// When `marks` is not as long as the table.
    pub fn marks_into(&self, guess: &[Color], table: &Table, marks: &mut [u8]) {
        assert_eq!(marks.len(), table.len(), "a mark for each code");
        let mut rest = marks;
        self.each_chunk(&self.plan(guess, table), table, |chunk| {
            // The last block is filled up with codes that are none.
            let chunk = chunk.as_flattened();
            let room = std::mem::take(&mut rest);
            let (now, later) = room.split_at_mut(chunk.len().min(room.len()));
            now.copy_from_slice(&chunk[..now.len()]);
            rest = later;
        });
    }

    /// How many codes give each mark, in the order of [`MarkEncoding::possible`].
    ///
    /// # Panics
    /// When `counts` is shorter than the list of possible marks.
    pub fn histogram(&self, guess: &[Color], table: &Table, counts: &mut [u32]) {
        self.count(&self.plan(guess, table), table, counts);
    }

    /// [`BatchKernel::histogram`] for the guess in a row of a table of guesses.
    pub fn histogram_of_row(&self, guesses: &Table, row: usize, table: &Table, counts: &mut [u32]) {
        self.count(&Prepared::of_row(&self.coding, guesses, row), table, counts);
    }

    fn plan(&self, guess: &[Color], table: &Table) -> Prepared {
        assert_eq!(guess.len(), table.cells(), "a guess of other rules");
        assert!(guess.iter().all(|color| color.index() < table.colors()), "a guess of other rules");
        Prepared::new(&self.coding, guess)
    }

    #[inline]
    fn count(&self, plan: &Prepared, table: &Table, counts: &mut [u32]) {
        let possible = self.coding.possible();
        let counts = &mut counts[..possible.len()];
        counts.fill(0);
        if self.backend == Backend::Scalar {
            scalar::histogram(&self.coding, plan, table, counts);
            return;
        }
        self.each_chunk(plan, table, |chunk| self.backend.count(chunk, possible, counts));
        let padding = table.blocks() * BLOCK - table.len();
        counts[self.coding.padding_index()] -= padding as u32;
    }

    #[inline]
    fn each_chunk(&self, plan: &Prepared, table: &Table, visit: impl FnMut(&[Block])) {
        let blocks = table.blocks();
        // Most positions are small, and clearing a large buffer would cost more than their marks.
        match blocks {
            0..=4 => self.chunks::<4>(plan, table, visit),
            5..=16 => self.chunks::<16>(plan, table, visit),
            _ => self.chunks::<CHUNK>(plan, table, visit),
        }
    }

    #[inline]
    fn chunks<const C: usize>(&self, plan: &Prepared, table: &Table, mut visit: impl FnMut(&[Block])) {
        let blocks = table.blocks();
        let mut buffer = [[0; BLOCK]; C];
        for first in (0..blocks).step_by(C) {
            let chunk = &mut buffer[..C.min(blocks - first)];
            self.backend.marks(&self.coding, plan, table, first, chunk);
            visit(chunk);
        }
    }

    fn split(&self, guess: &[Color], table: &Table) -> Vec<Part> {
        let mut marks = Vec::new();
        self.marks(guess, table, &mut marks);
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); self.coding.possible().len()];
        let mut index_of = [0u8; 256];
        for (index, &byte) in self.coding.possible().iter().enumerate() {
            index_of[usize::from(byte)] = index as u8;
        }
        for (row, &mark) in (0..).zip(&marks) {
            rows[usize::from(index_of[usize::from(mark)])].push(row);
        }
        let parts = self.coding.possible().iter().zip(rows).filter(|(_, rows)| !rows.is_empty());
        parts.map(|(&byte, rows)| Part { feedback: Feedback::new([self.coding.mark(byte)]), rows }).collect()
    }

    /// Whether codes can be made a crowd: whether a guess may be looked at from the codes' side.
    #[must_use]
    pub fn supports_code_batches(&self) -> bool {
        self.coding.model().is_aggregate()
    }

    /// Codes made ready to be split by many guesses.
    ///
    /// # Panics
    /// When these rules are not [reversible](Self::supports_code_batches).
    #[must_use]
    pub fn code_batch(&self, codes: &Table) -> CodeBatch {
        assert!(self.supports_code_batches(), "{} marks cannot be turned round", self.coding.kind());
        let plans: Arc<[Prepared]> = (0..codes.len()).map(|row| Prepared::of_row(&self.coding, codes, row)).collect();
        let marks = vec![[0; BLOCK]; plans.len().min(MOST_COUNTED) * BUNDLE_BLOCKS];
        CodeBatch { plans, marks, counts: vec![[0; BLOCK]; self.coding.possible().len()] }
    }

    /// For every guess of a bundle, one number that sums up how it splits the crowd.
    ///
    /// `bundle` picks the guesses `GUESS_GROUP * bundle ..` of the pool. Numbers past the end of the pool mean nothing.
    ///
    /// # Panics
    /// When there is no such bundle, or the crowd is larger than [`MAX_TALLY_CODES`].
    pub fn tally(
        &self,
        crowd: &mut CodeBatch,
        guesses: &Table,
        bundle: usize,
        tally: &Tally,
        out: &mut [u16; GUESS_GROUP],
    ) {
        const { assert!(MAX_TALLY_CODES <= MOST_COUNTED) };
        assert!(crowd.plans.len() <= MAX_TALLY_CODES, "{} codes are too many to tally", crowd.plans.len());
        let CodeBatch { plans, marks, counts } = crowd;
        let blocks = bundle_blocks(guesses, bundle);
        self.backend.marks_of_each(&self.coding, plans, guesses, blocks.clone(), marks);
        for ((at, _), out) in blocks.enumerate().zip(out.as_chunks_mut().0) {
            let marks = &marks[at * plans.len()..][..plans.len()];
            self.backend.count_lanes(marks, self.coding.possible(), counts);
            self.backend.tally(counts, tally, out);
        }
    }

    /// For every guess of a bundle, the sizes of the parts it makes of the crowd, empty ones too. Numbers past the end of
    /// the pool mean nothing.
    ///
    /// The order is that of [`MarkEncoding::possible`], seen from the codes: where a guess would find a code higher, the code
    /// finds the guess lower.
    ///
    /// # Panics
    /// When there is no such bundle.
    pub fn histograms(&self, crowd: &mut CodeBatch, guesses: &Table, bundle: usize, out: &mut Vec<[u32; GUESS_GROUP]>) {
        let CodeBatch { plans, marks, counts } = crowd;
        let blocks = bundle_blocks(guesses, bundle);
        out.clear();
        out.resize(counts.len(), [0; GUESS_GROUP]);
        for plans in plans.chunks(MOST_COUNTED) {
            self.backend.marks_of_each(&self.coding, plans, guesses, blocks.clone(), marks);
            for (at, _) in blocks.clone().enumerate() {
                let marks = &marks[at * plans.len()..][..plans.len()];
                self.backend.count_lanes(marks, self.coding.possible(), counts);
                for (out, counts) in out.iter_mut().zip(&*counts) {
                    for (out, &count) in out[at * BLOCK..].iter_mut().zip(counts) {
                        *out += u32::from(count);
                    }
                }
            }
        }
    }
}

/// Guesses that are split by at a time: several blocks, so that what must be done for each code is done once for all.
pub const GUESS_GROUP: usize = BUNDLE_BLOCKS * BLOCK;
const BUNDLE_BLOCKS: usize = 4;

/// The blocks of a bundle; the last one may have fewer.
fn bundle_blocks(guesses: &Table, bundle: usize) -> Range<usize> {
    let first = bundle * BUNDLE_BLOCKS;
    assert!(first < guesses.blocks(), "bundle {bundle} of a pool of {} guesses", guesses.len());
    first..(first + BUNDLE_BLOCKS).min(guesses.blocks())
}

/// The most codes that are counted at a time. Counters are bytes; half of what they hold keeps the marks of a bundle in
/// the first cache.
const MOST_COUNTED: usize = 127;

/// Codes made ready to be split by many guesses. A clone shares the codes, and has working space of its own.
#[derive(Debug, Clone)]
pub struct CodeBatch {
    plans: Arc<[Prepared]>,
    /// Working space: the marks of each code for the guesses of a block.
    marks: Vec<Block>,
    /// Working space: for each possible mark and guess, how many codes give it.
    counts: Vec<Block>,
}
