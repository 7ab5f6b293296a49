//! Backends: dispatch to the kernels of an instruction set, and the kernels in portable Rust.

use std::{fmt, ops::Range};

use super::encoding::{MAX_ENCODED_PER_CELL, MarkEncoding, PreparedCode};
#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Block, Tally};
use crate::cpu::{Avx2, Avx512};
use crate::feedback::CellTerm;
use crate::table::{BLOCK, Table};

/// An implementation of the kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// One code at a time: the baseline of benchmarks.
    Scalar,
    /// Blocks of bytes in portable Rust, vectorized by the compiler.
    Portable,
    /// 256-bit registers.
    Avx2,
    /// 512-bit registers, with the byte permutes of VBMI and population counts.
    Avx512,
}

impl Backend {
    /// All backends, slowest first.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Portable, Self::Avx2, Self::Avx512];

    /// Returns true if the processor supports the backend.
    pub fn is_available(self) -> bool {
        self.instructions().is_some()
    }

    /// Returns the fastest available backend.
    pub fn best() -> Self {
        let fastest = Self::ALL.into_iter().rev().find(|backend| backend.is_available());
        fastest.unwrap_or(Self::Portable)
    }

    /// Returns the instructions of the backend, if the processor has them.
    pub(super) fn instructions(self) -> Option<Instructions> {
        match self {
            Self::Scalar => Some(Instructions::Scalar),
            Self::Portable => Some(Instructions::Portable),
            Self::Avx2 => Avx2::detect().map(Instructions::Avx2),
            Self::Avx512 => Avx512::detect().map(Instructions::Avx512),
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Scalar => "scalar",
            Self::Portable => "portable",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
        })
    }
}

/// A backend with the proof that the processor supports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Instructions {
    Scalar,
    Portable,
    Avx2(Avx2),
    Avx512(Avx512),
}

impl Instructions {
    /// Computes the marks of consecutive blocks of a table, from block `first` on.
    #[inline]
    pub(super) fn marks(
        self,
        encoding: &MarkEncoding,
        guess: &PreparedCode,
        table: &Table,
        first: usize,
        out: &mut [Block],
    ) {
        match self {
            Self::Scalar => scalar_marks(encoding, guess, table, first, out),
            // SAFETY: the token proves that the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) if has_vector_marks(encoding) => unsafe {
                x86::marks_256(encoding, guess, table, first, out);
            },
            // SAFETY: the token proves that the processor has AVX-512.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) if has_vector_marks(encoding) => unsafe {
                x86::marks_512(encoding, guess, table, first, out);
            },
            _ => portable_marks(encoding, guess, table, first, out),
        }
    }

    /// Computes the marks of some blocks of a table for several guesses: for each block, the marks of all guesses.
    #[inline]
    pub(super) fn marks_of_each(
        self,
        encoding: &MarkEncoding,
        guesses: &[PreparedCode],
        table: &Table,
        blocks: Range<usize>,
        out: &mut [Block],
    ) {
        #[cfg(target_arch = "x86_64")]
        if matches!(self, Self::Avx512(_)) && has_vector_marks(encoding) {
            // SAFETY: the token proves that the processor has AVX-512.
            return unsafe { x86::marks_of_each_512(encoding, guesses, table, blocks, out) };
        }
        for (block, out) in blocks.zip(out.chunks_mut(guesses.len().max(1))) {
            for (guess, out) in guesses.iter().zip(out) {
                self.marks(encoding, guess, table, block, std::slice::from_mut(out));
            }
        }
    }

    /// Adds to each count the number of marks that equal the corresponding possible byte; at most [`super::CHUNK`] blocks.
    #[inline]
    pub(super) fn count(self, blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
        // The vector kernels take a step per possible byte; for more bytes, one step per mark is faster.
        #[cfg(target_arch = "x86_64")]
        const MAX_COMPARED: usize = 54;
        match self {
            // SAFETY: the token proves that the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) if possible.len() <= MAX_COMPARED => unsafe { x86::count_256(blocks, possible, counts) },
            // SAFETY: the token proves that the processor has AVX-512.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) if possible.len() <= MAX_COMPARED => unsafe { x86::count_512(blocks, possible, counts) },
            _ => portable_count(blocks, possible, counts),
        }
    }

    /// Counts in each lane the marks that equal each possible byte; at most 255 marks.
    #[inline]
    pub(super) fn count_lanes(self, marks: &[Block], possible: &[u8], counts: &mut [Block]) {
        match self {
            // SAFETY: the token proves that the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => unsafe { x86::count_lanes_256(marks, possible, counts) },
            // SAFETY: the token proves that the processor has AVX-512.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { x86::count_lanes_512(marks, possible, counts) },
            _ => portable_count_lanes(marks, possible, counts),
        }
    }

    /// Computes the tally of the counts of each lane.
    #[inline]
    pub(super) fn tally(self, counts: &[Block], tally: &Tally, out: &mut [u16; BLOCK]) {
        match self {
            // SAFETY: the token proves that the processor has AVX-512.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { x86::tally_512(counts, tally, out) },
            _ => portable_tally(counts, tally, out),
        }
    }
}

/// Returns true if the x86 kernels support the feedback; the other kinds use portable code.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_vector_marks(encoding: &MarkEncoding) -> bool {
    let model = encoding.model();
    model.cell != CellTerm::Ordered && !model.per_cell
}

fn scalar_marks(encoding: &MarkEncoding, guess: &PreparedCode, table: &Table, first: usize, out: &mut [Block]) {
    for (row, out) in (first * BLOCK..).zip(out.as_flattened_mut()) {
        *out = scalar_mark(encoding, guess, table, row);
    }
}

pub(super) fn scalar_histogram(encoding: &MarkEncoding, guess: &PreparedCode, table: &Table, counts: &mut [u32]) {
    for row in 0..table.len() {
        let byte = scalar_mark(encoding, guess, table, row);
        counts[encoding.possible().partition_point(|&possible| possible < byte)] += 1;
    }
}

fn scalar_mark(encoding: &MarkEncoding, guess: &PreparedCode, table: &Table, row: usize) -> u8 {
    let (block, lane) = (row / BLOCK, row % BLOCK);
    if encoding.model().per_cell {
        return scalar_per_cell_mark(guess, table, block, lane);
    }
    let mut mark = 0;
    for (&peg, column) in guess.pegs().iter().zip(table.pegs(block)) {
        let [first, second] = encoding.model().cell.contribution(peg, column.0[lane]);
        mark += first * guess.black_weight + second;
    }
    if encoding.model().colors {
        let counts = table.counts(block);
        mark += guess.colors().map(|(color, count)| counts[usize::from(color)].0[lane].min(count)).sum::<u8>();
    }
    mark
}

/// Returns a per-cell mark as digits to base three. Of each color, the leftmost cells that are not black are white, as long as
/// the code has unmatched pegs of the color.
fn scalar_per_cell_mark(guess: &PreparedCode, table: &Table, block: usize, lane: usize) -> u8 {
    let (pegs, columns) = (guess.pegs(), table.pegs(block));
    let black = |cell: usize| columns[cell].0[lane] == pegs[cell];
    let digit = |cell: usize| {
        let same = |other: &usize| pegs[*other] == pegs[cell];
        let count = table.counts(block)[usize::from(pegs[cell])].0[lane];
        let blacks = (0..pegs.len()).filter(|other| same(other) && black(*other)).count() as u8;
        let before = (0..cell).filter(|other| same(other) && !black(*other)).count() as u8;
        if black(cell) { 2 } else { u8::from(before < count - blacks) }
    };
    (0..pegs.len()).fold(0, |mark, cell| mark * 3 + digit(cell))
}

fn portable_marks(encoding: &MarkEncoding, guess: &PreparedCode, table: &Table, first: usize, out: &mut [Block]) {
    let model = encoding.model();
    for (block, out) in (first..).zip(out) {
        // Constant terms, so that each loop is specialized.
        *out = match model.cell {
            _ if model.per_cell => portable_per_cell_marks(guess, table, block),
            CellTerm::Ordered => sum_cells(CellTerm::Ordered, guess, table, block),
            _ => sum_cells(CellTerm::Equal, guess, table, block),
        };
        if model.colors && !model.per_cell {
            add_colors(guess, table, block, out);
        }
    }
}

#[inline]
fn sum_cells(term: CellTerm, guess: &PreparedCode, table: &Table, block: usize) -> Block {
    let mut marks = [0; BLOCK];
    for (&peg, column) in guess.pegs().iter().zip(table.pegs(block)) {
        for (mark, &other) in marks.iter_mut().zip(&column.0) {
            let [first, second] = term.contribution(peg, other);
            // The compiler turns this into a select, but not a product with a flag.
            *mark += if first != 0 { guess.black_weight } else { second };
        }
    }
    marks
}

/// Adds the number of common pegs to each mark, color by color. The encoding requires that black pegs count here, too.
#[inline]
fn add_colors(guess: &PreparedCode, table: &Table, block: usize, marks: &mut Block) {
    let counts = table.counts(block);
    for (color, count) in guess.colors() {
        for (mark, &other) in marks.iter_mut().zip(&counts[usize::from(color)].0) {
            *mark += other.min(count);
        }
    }
}

/// Computes the marks of [`scalar_per_cell_mark`] for a block.
fn portable_per_cell_marks(guess: &PreparedCode, table: &Table, block: usize) -> Block {
    let (pegs, columns) = (guess.pegs(), table.pegs(block));
    let mut digits = [[0u8; BLOCK]; MAX_ENCODED_PER_CELL];
    for (color, _) in guess.colors() {
        let mut unmatched = table.counts(block)[usize::from(color)].0;
        let cells = || (0..pegs.len()).filter(|&cell| pegs[cell] == color);
        for cell in cells() {
            for ((digit, unmatched), &other) in digits[cell].iter_mut().zip(&mut unmatched).zip(&columns[cell].0) {
                let black = u8::from(other == color);
                *digit = 2 * black;
                *unmatched -= black;
            }
        }
        for cell in cells() {
            for (digit, unmatched) in digits[cell].iter_mut().zip(&mut unmatched) {
                // Without a branch, so that the loop is vectorized.
                let white = u8::from((*digit == 0) & (*unmatched > 0));
                *digit += white;
                *unmatched -= white;
            }
        }
    }
    let mut marks = [0; BLOCK];
    for digits in &digits[..pegs.len()] {
        for (mark, &digit) in marks.iter_mut().zip(digits) {
            *mark = *mark * 3 + digit;
        }
    }
    marks
}

fn portable_count(blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
    // Four histograms, so that increments for equal consecutive marks do not depend on each other.
    let mut sums = [[0u32; 256]; 4];
    for four in blocks.as_flattened().chunks_exact(4) {
        for (sums, &mark) in sums.iter_mut().zip(four) {
            sums[usize::from(mark)] += 1;
        }
    }
    for (count, &byte) in counts.iter_mut().zip(possible) {
        *count += sums.iter().map(|sums| sums[usize::from(byte)]).sum::<u32>();
    }
}

fn portable_count_lanes(marks: &[Block], possible: &[u8], counts: &mut [Block]) {
    for (counts, &byte) in counts.iter_mut().zip(possible) {
        *counts = [0; BLOCK];
        for marks in marks {
            for (count, &mark) in counts.iter_mut().zip(marks) {
                *count += u8::from(mark == byte);
            }
        }
    }
}

fn portable_tally(counts: &[Block], tally: &Tally, out: &mut [u16; BLOCK]) {
    *out = [0; BLOCK];
    for counts in counts {
        for (out, &size) in out.iter_mut().zip(counts) {
            match tally {
                Tally::Largest => *out = (*out).max(size.into()),
                Tally::Sum(weights) => *out += weights.of(size.into()),
            }
        }
    }
}
