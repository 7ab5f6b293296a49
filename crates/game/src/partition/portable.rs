//! Blocks of bytes in plain Rust: the compiler finds the vector instructions of the machine it builds for.

use super::{Block, coding::Coding, plan::Plan, tally::Tally};
use crate::{
    feedback::FeedbackKind,
    table::{BLOCK, Table},
};

pub(super) fn marks(coding: &Coding, plan: &Plan, table: &Table, first: usize, out: &mut [Block]) {
    for (block, out) in (first..).zip(out) {
        *out = match coding.kind() {
            FeedbackKind::HigherLower => higher_lower(plan, table, block),
            kind => black_white(plan, table, block, kind == FeedbackKind::BlackWhite),
        };
    }
}

#[inline]
fn black_white(plan: &Plan, table: &Table, block: usize, with_colors: bool) -> Block {
    let mut marks = [0; BLOCK];
    for (&peg, column) in plan.pegs().iter().zip(table.pegs(block)) {
        for (mark, &other) in marks.iter_mut().zip(&column.0) {
            *mark += if other == peg { plan.black_weight } else { 0 };
        }
    }
    if with_colors {
        // A black peg is a color shown too, so it is counted in both sums: that is the packing.
        let counts = table.counts(block);
        for (color, times) in plan.shown() {
            for (mark, &shown) in marks.iter_mut().zip(&counts[usize::from(color)].0) {
                *mark += shown.min(times);
            }
        }
    }
    marks
}

#[inline]
fn higher_lower(plan: &Plan, table: &Table, block: usize) -> Block {
    let mut marks = [0; BLOCK];
    for (&peg, column) in plan.pegs().iter().zip(table.pegs(block)) {
        for (mark, &other) in marks.iter_mut().zip(&column.0) {
            *mark += if other == peg { plan.black_weight } else { u8::from(other > peg) };
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
