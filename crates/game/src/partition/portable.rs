//! Blocks of bytes in plain Rust: the compiler finds the vector instructions of the machine it builds for.

use super::{
    Block,
    coding::{MAX_TOLD, MarkEncoding},
    prepared::Prepared,
    tally::Tally,
};
use crate::{
    feedback::CellTerm,
    table::{BLOCK, Table},
};

pub(super) fn marks(coding: &MarkEncoding, plan: &Prepared, table: &Table, first: usize, out: &mut [Block]) {
    let terms = coding.model();
    for (block, out) in (first..).zip(out) {
        // Each term is named, so that it is known where the loop is.
        *out = match terms.cell {
            _ if terms.per_cell => told(plan, table, block),
            CellTerm::Ordered => sums(CellTerm::Ordered, plan, table, block),
            _ => sums(CellTerm::Equal, plan, table, block),
        };
        if terms.colors && !terms.per_cell {
            add_colors(plan, table, block, out);
        }
    }
}

#[inline]
fn sums(term: CellTerm, plan: &Prepared, table: &Table, block: usize) -> Block {
    let mut marks = [0; BLOCK];
    for (&peg, column) in plan.pegs().iter().zip(table.pegs(block)) {
        for (mark, &other) in marks.iter_mut().zip(&column.0) {
            let [first, second] = term.contribution(peg, other);
            // A product by a flag would not be made a select.
            *mark += if first != 0 { plan.black_weight } else { second };
        }
    }
    marks
}

/// A black peg is a color shown too, so it is counted in both sums: that is the packing.
#[inline]
fn add_colors(plan: &Prepared, table: &Table, block: usize, marks: &mut Block) {
    let counts = table.counts(block);
    for (color, times) in plan.shown() {
        for (mark, &shown) in marks.iter_mut().zip(&counts[usize::from(color)].0) {
            *mark += shown.min(times);
        }
    }
}

/// Marks that tell cell by cell, as digits to base three: of each color, what is not black is white from the left, as
/// often as the code has it to spare.
fn told(plan: &Prepared, table: &Table, block: usize) -> Block {
    let (pegs, columns) = (plan.pegs(), table.pegs(block));
    let mut digits = [[0u8; BLOCK]; MAX_TOLD];
    for (color, _) in plan.shown() {
        let mut spare = table.counts(block)[usize::from(color)].0;
        let cells = || (0..pegs.len()).filter(|&cell| pegs[cell] == color);
        for cell in cells() {
            for ((digit, spare), &other) in digits[cell].iter_mut().zip(&mut spare).zip(&columns[cell].0) {
                let black = u8::from(other == color);
                *digit = 2 * black;
                *spare -= black;
            }
        }
        for cell in cells() {
            for (digit, spare) in digits[cell].iter_mut().zip(&mut spare) {
                let white = u8::from(*digit == 0 && *spare > 0);
                *digit += white;
                *spare -= white;
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

pub(super) fn count(blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
    // Four histograms, so that equal marks in a row do not wait for each other's store.
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

/// In each lane, how many of the marks equal each possible byte; at most 255 marks.
pub(super) fn count_lanes(marks: &[Block], possible: &[u8], counts: &mut [Block]) {
    for (counts, &byte) in counts.iter_mut().zip(possible) {
        *counts = [0; BLOCK];
        for marks in marks {
            for (count, &mark) in counts.iter_mut().zip(marks) {
                *count += u8::from(mark == byte);
            }
        }
    }
}

/// Sums up the counts of each lane.
pub(super) fn tally(counts: &[Block], tally: &Tally, out: &mut [u16; BLOCK]) {
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
