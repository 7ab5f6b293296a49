//! A pool of guesses as the card wants it: guesses of the same colors together.

use std::cmp::Reverse;

use pegwise_game::Table;

use crate::{one_step::colors, parallel};

/// Guesses of a unit, and those that a thread has.
const MOST_GUESSES: usize = 32 * WORD;
const WORD: usize = 32;
/// Words of a mask: one a thread.
const MASK_WORDS: usize = 32;

/// Rows, and units, that are worth the hand-over to another thread.
const ROWS_A_TASK: usize = 1 << 14;
const UNITS_A_TASK: usize = 64;

/// `Unit` of `price.cu`: guesses of the same colors.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    colors: u64,
    counts: u32,
    kinds: u32,
    masks: u32,
    ranks: u32,
    guesses: u32,
    lowest: u32,
}

/// A pool in units.
pub(super) struct Arranged {
    pub(super) units: Vec<Unit>,
    /// For each unit, cell and color the guesses that have the color there.
    pub(super) masks: Vec<u32>,
    /// The rows of the guesses, unit by unit.
    pub(super) ranks: Vec<u32>,
}

impl Arranged {
    pub(super) fn new(pool: &Table) -> Self {
        let colored = |(): &mut (), row: usize| (colors(pool, row), row as u32);
        let mut sorted: Vec<(u64, u32)> = parallel::map_rows(pool.len(), ROWS_A_TASK, || (), colored);
        parallel::sort(&mut sorted);
        let mut units = Vec::new();
        let mut first = 0;
        for alike in sorted.chunk_by(|(one, _), (other, _)| one == other) {
            // As many in each unit, so that none is left with a few.
            let words = alike.len().div_ceil(WORD);
            let pieces = alike.len().div_ceil(MOST_GUESSES);
            for piece in alike.chunks(words.div_ceil(pieces) * WORD) {
                let (colors, lowest) = piece[0];
                let unit = Unit::new(colors, pool.cells(), first, piece.len() as u32, lowest);
                first += unit.guesses;
                units.push(unit);
            }
        }
        // Guesses of many colors tell most, and what is found early saves the others work.
        units.sort_by_key(|unit: &Unit| Reverse(unit.kinds));
        let mut masks = 0;
        for unit in &mut units {
            unit.masks = masks;
            masks += pool.cells() as u32 * unit.kinds;
        }
        let ranks: Vec<u32> = sorted.iter().map(|&(_, row)| row).collect();
        let masks_of = |(): &mut (), at: usize| units[at].masks_of(pool, &ranks);
        let masks = parallel::map_rows(units.len(), UNITS_A_TASK, || (), masks_of).concat();
        Self { units, masks, ranks }
    }
}

/// A code as bytes, one a cell.
pub(super) fn packed(table: &Table, row: usize) -> u64 {
    (0..table.cells()).fold(0, |code, cell| code | u64::from(table.peg(row, cell)) << (8 * cell))
}

impl Unit {
    /// A unit of guesses with these colors, whose ranks begin at this place. The place of its masks is still to be told.
    fn new(colors: u64, cells: usize, ranks: u32, guesses: u32, lowest: u32) -> Self {
        let (mut kinds, mut kept, mut counts) = (0, [0; 8], 0);
        for (cell, &color) in colors.to_le_bytes()[..cells].iter().enumerate() {
            if cell == 0 || color != kept[kinds - 1] {
                kept[kinds] = color;
                kinds += 1;
            }
            counts += 1 << (4 * (kinds - 1));
        }
        Self { colors: u64::from_le_bytes(kept), counts, kinds: kinds as u32, masks: 0, ranks, guesses, lowest }
    }

    fn masks_of(&self, pool: &Table, ranks: &[u32]) -> Vec<u32> {
        let kinds = self.kinds as usize;
        let colors = &self.colors.to_le_bytes()[..kinds];
        let mut masks = vec![0; pool.cells() * kinds * MASK_WORDS];
        for (guess, &row) in ranks[self.ranks as usize..][..self.guesses as usize].iter().enumerate() {
            for cell in 0..pool.cells() {
                let peg = pool.peg(row as usize, cell);
                let place = colors.iter().position(|&color| color == peg).unwrap_or(0);
                masks[(cell * kinds + place) * MASK_WORDS + guess / WORD] |= 1 << (guess % WORD);
            }
        }
        masks
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Rules;

    use super::*;

    /// Every guess is in one unit, with its pegs in the masks, among guesses of its colors in the order of their rows.
    #[test]
    fn units_hold_every_guess_once() {
        for text in ["3x20", "4x6", "5x8", "6x5", "7x4"] {
            let rules: Rules = text.parse().unwrap();
            let pool = Table::all(&rules).unwrap();
            let Arranged { units, masks, ranks } = Arranged::new(&pool);
            let mut seen = vec![false; pool.len()];
            for unit in &units {
                let rows = &ranks[unit.ranks as usize..][..unit.guesses as usize];
                assert!(rows.len() <= MOST_GUESSES && rows.is_sorted() && rows[0] == unit.lowest, "{text}");
                for (guess, &row) in rows.iter().enumerate() {
                    assert!(!std::mem::replace(&mut seen[row as usize], true), "{text}: row {row} comes twice");
                    let mut counts = unit.counts;
                    for cell in 0..pool.cells() {
                        let has = |place: &u32| {
                            let mask = unit.masks as usize + cell * unit.kinds as usize + *place as usize;
                            masks[mask * MASK_WORDS + guess / WORD] >> (guess % WORD) & 1 == 1
                        };
                        let places: Vec<u32> = (0..unit.kinds).filter(has).collect();
                        let [place] = places[..] else { panic!("{text}: row {row} has {places:?} in cell {cell}") };
                        assert_eq!(unit.colors.to_le_bytes()[place as usize], pool.peg(row as usize, cell), "{text}");
                        counts -= 1 << (4 * place);
                    }
                    assert_eq!(counts, 0, "{text}");
                }
            }
            assert!(seen.iter().all(|&seen| seen), "{text}");
        }
    }
}
