//! A guess made ready for the kernels.

use super::coding::{Coding, MAX_CELLS};
use crate::table::Table;

/// A guess as the kernels want it: its pegs, and each color it shows with how often.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    cells: usize,
    pegs: [u8; MAX_CELLS],
    distinct: usize,
    /// Each color shown once, in order of appearance.
    colors: [u8; MAX_CELLS],
    /// How often that color is shown.
    times: [u8; MAX_CELLS],
    pub(crate) black_weight: u8,
}

impl Plan {
    #[inline]
    pub(crate) fn new(coding: &Coding, guess: impl Iterator<Item = u8>) -> Self {
        let mut plan = Self {
            cells: 0,
            pegs: [0; MAX_CELLS],
            distinct: 0,
            colors: [0; MAX_CELLS],
            times: [0; MAX_CELLS],
            black_weight: coding.black_weight(),
        };
        for (cell, peg) in guess.enumerate() {
            plan.pegs[cell] = peg;
            plan.cells += 1;
            let seen = plan.colors[..plan.distinct].iter().position(|&color| color == peg);
            let at = seen.unwrap_or(plan.distinct);
            plan.colors[at] = peg;
            plan.times[at] += 1;
            plan.distinct = plan.distinct.max(at + 1);
        }
        plan
    }

    /// The guess in a row of a table.
    #[inline]
    pub(crate) fn of_row(coding: &Coding, table: &Table, row: usize) -> Self {
        Self::new(coding, (0..table.cells()).map(|cell| table.peg(row, cell)))
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

    /// [`Plan::shown`] as two lists with an entry for each cell; those past the last color shown say zero times.
    #[inline]
    pub(crate) fn shown_padded(&self) -> (&[u8], &[u8]) {
        (&self.colors[..self.cells], &self.times[..self.cells])
    }
}
