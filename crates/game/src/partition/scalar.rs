//! One code at a time, straight from the columns.

use super::{Block, coding::Coding, plan::Plan};
use crate::{
    feedback::FeedbackKind,
    table::{BLOCK, Table},
};

pub(super) fn marks(coding: &Coding, plan: &Plan, table: &Table, first: usize, out: &mut [Block]) {
    for (row, out) in (first * BLOCK..).zip(out.as_flattened_mut()) {
        *out = mark(coding, plan, table, row);
    }
}

pub(super) fn histogram(coding: &Coding, plan: &Plan, table: &Table, counts: &mut [u32]) {
    for row in 0..table.len() {
        let byte = mark(coding, plan, table, row);
        counts[coding.possible().partition_point(|&possible| possible < byte)] += 1;
    }
}

fn mark(coding: &Coding, plan: &Plan, table: &Table, row: usize) -> u8 {
    let (block, lane) = (row / BLOCK, row % BLOCK);
    let mut mark = 0;
    for (&peg, column) in plan.pegs().iter().zip(table.pegs(block)) {
        let other = column.0[lane];
        if other == peg {
            mark += plan.black_weight;
        } else if coding.kind() == FeedbackKind::HigherLower && other > peg {
            mark += 1;
        }
    }
    if coding.kind() == FeedbackKind::BlackWhite {
        let counts = table.counts(block);
        mark += plan.shown().map(|(color, times)| counts[usize::from(color)].0[lane].min(times)).sum::<u8>();
    }
    mark
}
