//! A guess made ready for the kernels.

use super::coding::{MAX_CELLS, MarkEncoding};
use crate::{
    color::Color,
    table::{BLOCK, Table},
};

/// A guess as the kernels want it: its pegs, and each color it shows with how often.
#[derive(Debug, Clone)]
pub(crate) struct Prepared {
    cells: usize,
    pegs: [u8; MAX_CELLS],
    distinct: usize,
    /// Each color shown once, in order of appearance.
    colors: [u8; MAX_CELLS],
    /// How often that color is shown.
    times: [u8; MAX_CELLS],
    pub(crate) black_weight: u8,
}

impl Prepared {
    fn empty(coding: &MarkEncoding, cells: usize) -> Self {
        let black_weight = coding.black_weight();
        let none = [0; MAX_CELLS];
        Self { cells, pegs: none, distinct: 0, colors: none, times: none, black_weight }
    }

    pub(crate) fn new(coding: &MarkEncoding, guess: &[Color]) -> Self {
        let mut plan = Self::empty(coding, guess.len());
        for (cell, color) in guess.iter().enumerate() {
            let peg = color.index() as u8;
            plan.pegs[cell] = peg;
            let seen = plan.colors[..plan.distinct].iter().position(|&color| color == peg);
            let at = seen.unwrap_or(plan.distinct);
            plan.colors[at] = peg;
            plan.times[at] += 1;
            plan.distinct = plan.distinct.max(at + 1);
        }
        plan
    }

    /// The guess in a row of a table, which knows already how often each color is shown.
    #[inline]
    pub(crate) fn of_row(coding: &MarkEncoding, table: &Table, row: usize) -> Self {
        let (block, lane) = (row / BLOCK, row % BLOCK);
        let mut plan = Self::empty(coding, table.cells());
        let counts = table.counts(block);
        let mut seen = [0u64; 4];
        for (cell, column) in table.pegs(block).iter().enumerate() {
            let peg = column.0[lane];
            plan.pegs[cell] = peg;
            let (word, bit) = (usize::from(peg >> 6), 1 << (peg & 63));
            if seen[word] & bit == 0 {
                seen[word] |= bit;
                plan.colors[plan.distinct] = peg;
                plan.times[plan.distinct] = counts[usize::from(peg)].0[lane];
                plan.distinct += 1;
            }
        }
        plan
    }

    #[inline]
    pub(crate) fn pegs(&self) -> &[u8] {
        &self.pegs[..self.cells]
    }

    /// Colors shown, each with how often.
    #[inline]
    pub(crate) fn shown(&self) -> impl Iterator<Item = (u8, u8)> {
        self.colors[..self.distinct].iter().copied().zip(self.times[..self.distinct].iter().copied())
    }

    /// [`Prepared::shown`] as two lists with an entry for each cell; those past the last color shown say zero times.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(crate) fn shown_padded(&self) -> (&[u8], &[u8]) {
        (&self.colors[..self.cells], &self.times[..self.cells])
    }
}
