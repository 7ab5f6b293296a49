//! Partitions of a table of codes by the feedback to a guess: the inner loop of most strategies.
//!
//! A [`Partitioner`] computes for a guess and a [`Table`] the feedback of each code, the number of codes with each feedback, and
//! these codes. For rows with black and white, black-only, color-only, per-cell or higher/lower feedback, a [`BatchKernel`]
//! processes blocks of 64 codes with the best instructions of the processor ([`Backend`]); other boards use the pair function.
//! All backends give the same results and are tested against the pair function.
//!
//! Since guess and code can be exchanged, a few codes can also be partitioned by many guesses at a time, with 64 guesses in a
//! register; see [`BatchKernel::tally`] and [`BatchKernel::histograms`].

mod backend;
mod bit_planes;
mod encoding;
#[cfg(test)]
mod tests;
mod word;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use backend::Backend;
pub use bit_planes::{BitPlaneBatch, BitPlanes, LANES_PER_PLANE};
pub use encoding::MarkEncoding;

use std::{collections::HashMap, ops::Range, sync::Arc};

use crate::color::Color;
use crate::feedback::{Feedback, Judge};
use crate::rules::Rules;
use crate::table::{BLOCK, Table};
use backend::{Instructions, scalar_histogram};
use encoding::PreparedCode;

/// One byte for each code of a block.
type Block = [u8; BLOCK];

/// Maximum number of blocks whose marks are buffered: they stay in the first-level cache.
const CHUNK: usize = 120;

/// Approximate cost of a pair of guess and code, per line of the board, without a [`BatchKernel`] relative to one with it.
pub const SLOWDOWN_WITHOUT_KERNEL: usize = 100;

/// Partitioner of tables of codes by the feedback to a guess.
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
    method: Method,
}

#[derive(Debug, Clone)]
enum Method {
    Batch(BatchKernel),
    Pairwise(PairwisePartitioner),
}

/// One part of a table: the codes with the same feedback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The feedback.
    pub feedback: Feedback,
    /// Rows of the table, ascending.
    pub rows: Vec<u32>,
}

impl Partitioner {
    /// Creates a partitioner with the best available backend.
    pub fn new(rules: &Rules) -> Self {
        Self::with_backend(rules, Backend::best())
    }

    /// Creates a partitioner with a given backend, for tests and benchmarks.
    ///
    /// # Panics
    /// Panics if the processor does not support the backend.
    pub fn with_backend(rules: &Rules, backend: Backend) -> Self {
        let instructions =
            backend.instructions().unwrap_or_else(|| panic!("this processor does not support {backend}"));
        let method = match MarkEncoding::new(rules) {
            Some(encoding) => Method::Batch(BatchKernel { encoding, instructions }),
            None => Method::Pairwise(PairwisePartitioner::new(rules)),
        };
        Self { rules: rules.clone(), method }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the kernels for packed marks, if the rules have them.
    pub fn batch_kernel(&self) -> Option<&BatchKernel> {
        match &self.method {
            Method::Batch(kernel) => Some(kernel),
            Method::Pairwise(_) => None,
        }
    }

    /// Computes the sizes of the nonempty parts, in an order determined by the rules and the table.
    pub fn sizes(&mut self, guess: &[Color], table: &Table, sizes: &mut Vec<u32>) {
        sizes.clear();
        match &mut self.method {
            Method::Batch(kernel) => {
                sizes.resize(kernel.encoding.possible().len(), 0);
                kernel.histogram(guess, table, sizes);
                sizes.retain(|&size| size > 0);
            }
            Method::Pairwise(pairwise) => pairwise.sizes(guess, table, sizes),
        }
    }

    /// Returns the nonempty parts, ordered by feedback.
    pub fn split(&mut self, guess: &[Color], table: &Table) -> Vec<Part> {
        let mut parts = match &mut self.method {
            Method::Batch(kernel) => kernel.split(guess, table),
            Method::Pairwise(pairwise) => pairwise.split(guess, table),
        };
        parts.sort_unstable_by(|one, other| one.feedback.cmp(&other.feedback));
        parts
    }
}

/// Feedback kernels for rules whose marks fit in one byte.
#[derive(Debug, Clone)]
pub struct BatchKernel {
    encoding: MarkEncoding,
    instructions: Instructions,
}

impl BatchKernel {
    /// Returns the encoding of the marks.
    pub fn encoding(&self) -> &MarkEncoding {
        &self.encoding
    }

    /// Computes the encoded mark of every code of the table.
    pub fn marks(&self, guess: &[Color], table: &Table, marks: &mut Vec<u8>) {
        marks.clear();
        self.for_each_chunk(&self.prepare(guess, table), table, |chunk| marks.extend_from_slice(chunk.as_flattened()));
        marks.truncate(table.len());
    }

    /// Like [`BatchKernel::marks`], into a slice.
    ///
    /// # Panics
    /// Panics if `marks` is not as long as the table.
    pub fn marks_into(&self, guess: &[Color], table: &Table, marks: &mut [u8]) {
        assert_eq!(marks.len(), table.len(), "one mark for each code");
        let mut rest = marks;
        self.for_each_chunk(&self.prepare(guess, table), table, |chunk| {
            // The padding of the last block is cut off.
            let chunk = chunk.as_flattened();
            let room = std::mem::take(&mut rest);
            let (now, later) = room.split_at_mut(chunk.len().min(room.len()));
            now.copy_from_slice(&chunk[..now.len()]);
            rest = later;
        });
    }

    /// Counts the codes with each mark, in the order of [`MarkEncoding::possible`].
    ///
    /// # Panics
    /// Panics if `counts` is shorter than the list of possible marks.
    pub fn histogram(&self, guess: &[Color], table: &Table, counts: &mut [u32]) {
        self.count(&self.prepare(guess, table), table, counts);
    }

    /// Like [`BatchKernel::histogram`], for the guess in a row of a table.
    pub fn histogram_of_row(&self, guesses: &Table, row: usize, table: &Table, counts: &mut [u32]) {
        self.count(&PreparedCode::from_row(&self.encoding, guesses, row), table, counts);
    }

    fn prepare(&self, guess: &[Color], table: &Table) -> PreparedCode {
        assert_eq!(guess.len(), table.cells(), "a guess of other rules");
        assert!(guess.iter().all(|color| color.index() < table.colors()), "a guess of other rules");
        PreparedCode::new(&self.encoding, guess)
    }

    #[inline]
    fn count(&self, guess: &PreparedCode, table: &Table, counts: &mut [u32]) {
        let possible = self.encoding.possible();
        let counts = &mut counts[..possible.len()];
        counts.fill(0);
        if self.instructions == Instructions::Scalar {
            scalar_histogram(&self.encoding, guess, table, counts);
            return;
        }
        self.for_each_chunk(guess, table, |chunk| self.instructions.count(chunk, possible, counts));
        let padding = table.blocks() * BLOCK - table.len();
        counts[self.encoding.padding_index()] -= padding as u32;
    }

    #[inline]
    fn for_each_chunk(&self, guess: &PreparedCode, table: &Table, visit: impl FnMut(&[Block])) {
        // Most tables are small, and clearing a large buffer would take longer than computing their marks.
        match table.blocks() {
            0..=4 => self.for_each_chunk_of::<4>(guess, table, visit),
            5..=16 => self.for_each_chunk_of::<16>(guess, table, visit),
            _ => self.for_each_chunk_of::<CHUNK>(guess, table, visit),
        }
    }

    #[inline]
    fn for_each_chunk_of<const C: usize>(&self, guess: &PreparedCode, table: &Table, mut visit: impl FnMut(&[Block])) {
        let blocks = table.blocks();
        let mut buffer = [[0; BLOCK]; C];
        for first in (0..blocks).step_by(C) {
            let chunk = &mut buffer[..C.min(blocks - first)];
            self.instructions.marks(&self.encoding, guess, table, first, chunk);
            visit(chunk);
        }
    }

    fn split(&self, guess: &[Color], table: &Table) -> Vec<Part> {
        let mut marks = Vec::new();
        self.marks(guess, table, &mut marks);
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); self.encoding.possible().len()];
        let mut index_of = [0u8; 256];
        for (index, &byte) in self.encoding.possible().iter().enumerate() {
            index_of[usize::from(byte)] = index as u8;
        }
        for (row, &mark) in (0..).zip(&marks) {
            rows[usize::from(index_of[usize::from(mark)])].push(row);
        }
        let parts = self.encoding.possible().iter().zip(rows).filter(|(_, rows)| !rows.is_empty());
        parts.map(|(&byte, rows)| Part { feedback: Feedback::new([self.encoding.mark(byte)]), rows }).collect()
    }

    /// Returns true if codes can be partitioned by many guesses at a time, with the roles of guess and code exchanged.
    pub fn supports_code_batches(&self) -> bool {
        self.encoding.model().is_aggregate()
    }

    /// Prepares codes to be partitioned by many guesses.
    ///
    /// # Panics
    /// Panics if these rules do not [support code batches](Self::supports_code_batches).
    pub fn code_batch(&self, codes: &Table) -> CodeBatch {
        assert!(self.supports_code_batches(), "{} feedback does not support batches", self.encoding.kind());
        let codes: Arc<[PreparedCode]> =
            (0..codes.len()).map(|row| PreparedCode::from_row(&self.encoding, codes, row)).collect();
        let marks = vec![[0; BLOCK]; codes.len().min(MAX_BATCH_STEP) * GROUP_BLOCKS];
        CodeBatch { codes, marks, counts: vec![[0; BLOCK]; self.encoding.possible().len()] }
    }

    /// Computes the tally of the batch for every guess of a group: the rows of `guesses` from `GUESS_GROUP * group` on. Numbers
    /// past the end of the table are unspecified.
    ///
    /// # Panics
    /// Panics if `group` is out of range, or the batch is larger than [`Tally::max_codes`].
    pub fn tally(
        &self,
        batch: &mut CodeBatch,
        guesses: &Table,
        group: usize,
        tally: &Tally,
        out: &mut [u16; GUESS_GROUP],
    ) {
        const { assert!(MAX_TALLY_CODES <= MAX_BATCH_STEP) };
        let CodeBatch { codes, marks, counts } = batch;
        tally.check(codes.len());
        let blocks = group_blocks(guesses, group);
        self.instructions.marks_of_each(&self.encoding, codes, guesses, blocks.clone(), marks);
        for ((at, _), out) in blocks.enumerate().zip(out.as_chunks_mut().0) {
            let marks = &marks[at * codes.len()..][..codes.len()];
            self.instructions.count_lanes(marks, self.encoding.possible(), counts);
            self.instructions.tally(counts, tally, out);
        }
    }

    /// Computes the histogram of the batch for every guess of a group: for each possible mark, the number of codes for each
    /// guess. Numbers past the end of the table are unspecified.
    ///
    /// The order is that of [`MarkEncoding::possible`] with guess and code exchanged, which swaps higher and lower.
    ///
    /// # Panics
    /// Panics if `group` is out of range.
    pub fn histograms(&self, batch: &mut CodeBatch, guesses: &Table, group: usize, out: &mut Vec<[u32; GUESS_GROUP]>) {
        let CodeBatch { codes, marks, counts } = batch;
        let blocks = group_blocks(guesses, group);
        out.clear();
        out.resize(counts.len(), [0; GUESS_GROUP]);
        for codes in codes.chunks(MAX_BATCH_STEP) {
            self.instructions.marks_of_each(&self.encoding, codes, guesses, blocks.clone(), marks);
            for (at, _) in blocks.clone().enumerate() {
                let marks = &marks[at * codes.len()..][..codes.len()];
                self.instructions.count_lanes(marks, self.encoding.possible(), counts);
                for (out, counts) in out.iter_mut().zip(&*counts) {
                    for (out, &count) in out[at * BLOCK..].iter_mut().zip(counts) {
                        *out += u32::from(count);
                    }
                }
            }
        }
    }
}

/// Number of guesses that a [`CodeBatch`] is partitioned by at a time: several blocks, to amortize the work for each code.
pub const GUESS_GROUP: usize = GROUP_BLOCKS * BLOCK;
const GROUP_BLOCKS: usize = 4;

/// Returns the blocks of a group of guesses; the last group may have fewer.
fn group_blocks(guesses: &Table, group: usize) -> Range<usize> {
    let first = group * GROUP_BLOCKS;
    assert!(first < guesses.blocks(), "group {group} of a table of {} guesses", guesses.len());
    first..(first + GROUP_BLOCKS).min(guesses.blocks())
}

/// Maximum number of codes of a batch that are counted at a time. Counters are bytes; half of their range keeps the marks of a
/// group in the first-level cache.
const MAX_BATCH_STEP: usize = 127;
const _: () = assert!(MAX_BATCH_STEP <= u8::MAX as usize);

/// Codes prepared to be partitioned by many guesses, with buffers. Clones share the codes.
#[derive(Debug, Clone)]
pub struct CodeBatch {
    codes: Arc<[PreparedCode]>,
    /// Marks of each code for the guesses of a group.
    marks: Vec<Block>,
    /// For each possible mark and guess, the number of codes with this mark.
    counts: Vec<Block>,
}

/// Maximum number of codes of a tally: the sizes of parts index a table of 128 weights.
pub const MAX_TALLY_CODES: usize = 2 * BLOCK - 1;

/// A number computed from the sizes of the parts of a partition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tally {
    /// The size of the largest part.
    Largest,
    /// The sum of a weight over all parts, by their size.
    Sum(Box<TallyWeights>),
}

/// A weight for each size of a part, stored as byte tables for lookups by permutation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TallyWeights {
    low: [Block; 2],
    high: [Block; 2],
    max_codes: usize,
}

impl Tally {
    /// Creates the sum of a weight over all parts. Empty parts have the weight zero.
    pub fn sum(weight: impl Fn(usize) -> u16) -> Self {
        let mut weights = TallyWeights { low: [[0; BLOCK]; 2], high: [[0; BLOCK]; 2], max_codes: 0 };
        // The largest ratio of weight and size up to the current size bounds the sum over any partition of as many codes.
        let (mut ratio, mut fits) = ((0, 1), true);
        for size in 1..=MAX_TALLY_CODES {
            let weight = weight(size);
            [weights.low[size / BLOCK][size % BLOCK], weights.high[size / BLOCK][size % BLOCK]] = weight.to_le_bytes();
            let weight = usize::from(weight);
            if weight * ratio.1 > ratio.0 * size {
                ratio = (weight, size);
            }
            fits &= ratio.0 * size <= usize::from(u16::MAX) * ratio.1;
            if fits {
                weights.max_codes = size;
            }
        }
        Self::Sum(Box::new(weights))
    }

    /// Returns the maximum number of codes, at most [`MAX_TALLY_CODES`], for which the result of every partition fits 16 bits.
    pub fn max_codes(&self) -> usize {
        match self {
            Self::Largest => MAX_TALLY_CODES,
            Self::Sum(weights) => weights.max_codes,
        }
    }

    fn check(&self, codes: usize) {
        assert!(codes <= self.max_codes(), "a tally of {codes} codes, but at most {} fit", self.max_codes());
    }
}

impl TallyWeights {
    /// Returns the weight of a part of `size` codes.
    ///
    /// # Panics
    /// Panics if `size` is more than [`MAX_TALLY_CODES`].
    #[inline]
    pub fn of(&self, size: usize) -> u16 {
        u16::from_le_bytes([self.low.as_flattened()[size], self.high.as_flattened()[size]])
    }
}

/// Partitioner by the pair function, for any board and feedback.
///
/// The marks of all lines are packed into one number if they fit 128 bits, so that no feedback is stored for each code. If the
/// numbers are few, parts are looked up in an array, and otherwise in a hash table.
#[derive(Debug, Clone)]
struct PairwisePartitioner {
    judge: Judge,
    /// Number of cells and bound of the mark indices of each line; `None` if the packed number does not fit 128 bits.
    lines: Option<Vec<(usize, u128)>>,
    /// Buffer for the code being compared.
    code: Vec<Color>,
    /// Part of each packed number, or empty if there are too many numbers; all [`NO_PART`] between calls.
    parts: Vec<u32>,
}

/// Maximum number of packed numbers for which parts are looked up in an array, which then fits the second-level cache.
const MAX_PART_ARRAY: u128 = 1 << 16;
/// Entry of a packed number that no code has had so far.
const NO_PART: u32 = u32::MAX;

#[derive(Debug, PartialEq, Eq, Hash)]
enum PartKey {
    Packed(u128),
    Feedback(Feedback),
}

impl PairwisePartitioner {
    fn new(rules: &Rules) -> Self {
        let model = rules.feedback().model();
        let lines =
            rules.board().lines().map(|line| Some((line.len(), model.index_bound(line.len(), rules.colors())?)));
        let lines: Option<Vec<(usize, u128)>> = lines.collect();
        let product = |lines: &Vec<(usize, u128)>| lines.iter().try_fold(1u128, |all, line| all.checked_mul(line.1));
        let numbers = lines.as_ref().and_then(product);
        let parts = numbers.filter(|&numbers| numbers <= MAX_PART_ARRAY).map_or(0, |numbers| numbers as usize);
        let lines = lines.filter(|_| numbers.is_some());
        Self { judge: Judge::new(rules), lines, code: Vec::new(), parts: vec![NO_PART; parts] }
    }

    fn key(&mut self, guess: &[Color], table: &Table, row: usize) -> PartKey {
        self.code.clear();
        self.code.extend((0..table.cells()).map(|cell| Color::new(table.peg(row, cell).into())));
        let Some(lines) = &self.lines else { return PartKey::Feedback(self.judge.feedback(guess, &self.code)) };
        let marks = self.judge.marks(guess, &self.code).zip(lines);
        PartKey::Packed(marks.fold(0, |packed, (mark, &(cells, bound))| packed * bound + u128::from(mark.index(cells))))
    }

    /// Calls `visit` with the part and the row of each code, and returns the first row of each part. Parts are numbered in order
    /// of appearance.
    fn number_parts(&mut self, guess: &[Color], table: &Table, mut visit: impl FnMut(usize, u32)) -> Vec<u32> {
        let mut numbers: HashMap<PartKey, usize> = HashMap::new();
        let (mut firsts, mut used) = (Vec::new(), Vec::new());
        for row in 0..table.len() {
            let mut next = || {
                firsts.push(row as u32);
                firsts.len() - 1
            };
            let number = match self.key(guess, table, row) {
                PartKey::Packed(packed) if !self.parts.is_empty() => {
                    let part = &mut self.parts[packed as usize];
                    if *part == NO_PART {
                        *part = next() as u32;
                        used.push(packed as usize);
                    }
                    *part as usize
                }
                key => *numbers.entry(key).or_insert_with(next),
            };
            visit(number, row as u32);
        }
        used.into_iter().for_each(|packed| self.parts[packed] = NO_PART);
        firsts
    }

    fn sizes(&mut self, guess: &[Color], table: &Table, sizes: &mut Vec<u32>) {
        self.number_parts(guess, table, |number, _| {
            if number == sizes.len() {
                sizes.push(0);
            }
            sizes[number] += 1;
        });
    }

    fn split(&mut self, guess: &[Color], table: &Table) -> Vec<Part> {
        let mut rows: Vec<Vec<u32>> = Vec::new();
        let firsts = self.number_parts(guess, table, |number, row| {
            if number == rows.len() {
                rows.push(Vec::new());
            }
            rows[number].push(row);
        });
        let mut feedback = |first: u32| self.judge.feedback(guess, &table.code(first as usize));
        firsts.into_iter().zip(rows).map(|(first, rows)| Part { feedback: feedback(first), rows }).collect()
    }
}
