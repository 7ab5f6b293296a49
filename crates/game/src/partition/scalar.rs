//! One code at a time, straight from the columns.

use super::{Block, coding::MarkEncoding, prepared::Prepared};
use crate::table::{BLOCK, Table};

pub(super) fn marks(coding: &MarkEncoding, plan: &Prepared, table: &Table, first: usize, out: &mut [Block]) {
    for (row, out) in (first * BLOCK..).zip(out.as_flattened_mut()) {
        *out = mark(coding, plan, table, row);
    }
}

pub(super) fn histogram(coding: &MarkEncoding, plan: &Prepared, table: &Table, counts: &mut [u32]) {
    for row in 0..table.len() {
        let byte = mark(coding, plan, table, row);
        counts[coding.possible().partition_point(|&possible| possible < byte)] += 1;
    }
}

fn mark(coding: &MarkEncoding, plan: &Prepared, table: &Table, row: usize) -> u8 {
    let (block, lane) = (row / BLOCK, row % BLOCK);
    if coding.model().per_cell {
        return told(plan, table, block, lane);
    }
    let mut mark = 0;
    for (&peg, column) in plan.pegs().iter().zip(table.pegs(block)) {
        let [first, second] = coding.model().cell.contribution(peg, column.0[lane]);
        mark += first * plan.black_weight + second;
    }
    if coding.model().colors {
        let counts = table.counts(block);
        mark += plan.shown().map(|(color, times)| counts[usize::from(color)].0[lane].min(times)).sum::<u8>();
    }
    mark
}

/// The digits of a mark that tells cell by cell: of each color, what is not black is white from the left, as often as
/// the code has it to spare.
fn told(plan: &Prepared, table: &Table, block: usize, lane: usize) -> u8 {
    let (pegs, columns) = (plan.pegs(), table.pegs(block));
    let black = |cell: usize| columns[cell].0[lane] == pegs[cell];
    let digit = |cell: usize| {
        let same = |other: &usize| pegs[*other] == pegs[cell];
        let shown = table.counts(block)[usize::from(pegs[cell])].0[lane];
        let blacks = (0..pegs.len()).filter(|other| same(other) && black(*other)).count() as u8;
        let before = (0..cell).filter(|other| same(other) && !black(*other)).count() as u8;
        if black(cell) { 2 } else { u8::from(before < shown - blacks) }
    };
    (0..pegs.len()).fold(0, |mark, cell| mark * 3 + digit(cell))
}
