//! New names for colors and cells, by which positions are known that are the same but for those.
//!
//! How often each color is seen in each cell gives every color and every cell a signature; sorted by signature, both get
//! new names. Where signatures tie, the order is arbitrary: equal positions may then get different names and be taken for
//! different ones, but different ones are never taken for equal.

use pegwise_game::{Rules, Table};

/// What may change without changing any feedback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Free {
    pub(crate) colors: bool,
    pub(crate) cells: bool,
}

/// The most cells and the most colors that sets of codes get a key for: a renamed code is then a number of 60 bits.
const MOST_CELLS: usize = 12;
const MOST_COLORS: usize = 1 << BITS_A_COLOR;
const BITS_A_COLOR: usize = 5;
const _: () = assert!(MOST_CELLS * BITS_A_COLOR <= 64 && MOST_CELLS <= MAX_NAMES && MOST_COLORS <= MAX_NAMES);

impl Free {
    /// What may change on this board.
    pub(crate) fn of(rules: &Rules) -> Self {
        Self {
            colors: rules.feedback().model().ignores_color_order(),
            cells: rules.board().is_row() && rules.feedback().model().is_aggregate(),
        }
    }

    /// The new names, from how often each color is seen in each cell, cell by cell. As many colors and cells get names as
    /// there is room for.
    #[inline]
    pub(crate) fn rename<N: Copy + Into<u64>>(self, counts: &[N], new_color: &mut [u32], new_cell: &mut [u32]) {
        let (mut color_signs, mut cell_signs) = ([0u64; MAX_NAMES], [0u64; MAX_NAMES]);
        let (color_signs, cell_signs) = (&mut color_signs[..new_color.len()], &mut cell_signs[..new_cell.len()]);
        // Colors first by their counts alone, then cells by counts and colors, then colors again by cells.
        let rows = || counts.chunks_exact(new_color.len());
        for row in rows() {
            for (sign, &count) in color_signs.iter_mut().zip(row) {
                *sign = sign.wrapping_add(scatter(count.into()));
            }
        }
        for (cell, row) in cell_signs.iter_mut().zip(rows()) {
            for (&sign, &count) in color_signs.iter().zip(row) {
                *cell = cell.wrapping_add(scatter(sign.wrapping_add(count.into())));
            }
        }
        for (&cell, row) in cell_signs.iter().zip(rows()) {
            for (sign, &count) in color_signs.iter_mut().zip(row) {
                *sign = sign.wrapping_add(scatter(cell.wrapping_add(count.into())));
            }
        }
        ranks(color_signs, self.colors, new_color);
        ranks(cell_signs, self.cells, new_cell);
    }

    /// A number that stands for a set of codes, whatever its colors and cells are called; `None` on boards too large for
    /// it. Different sets share one with a chance of 2^-128: the sum of a random number for each code.
    pub(crate) fn key(self, codes: &Table) -> Option<u128> {
        let (cells, colors) = (codes.cells(), codes.colors());
        if cells > MOST_CELLS || colors > MOST_COLORS {
            return None;
        }
        let mut counts = [0u32; MOST_CELLS * MOST_COLORS];
        let counts = &mut counts[..cells * colors];
        for row in 0..codes.len() {
            for cell in 0..cells {
                counts[cell * colors + usize::from(codes.peg(row, cell))] += 1;
            }
        }
        let (mut new_color, mut new_cell) = ([0; MOST_COLORS], [0; MOST_CELLS]);
        self.rename(counts, &mut new_color[..colors], &mut new_cell[..cells]);
        let mut key = u128::from(codes.len() as u64);
        for row in 0..codes.len() {
            let digit = |cell: usize| u64::from(new_color[usize::from(codes.peg(row, cell))]);
            let code = (0..cells).fold(0, |code, cell| code | digit(cell) << (new_cell[cell] as usize * BITS_A_COLOR));
            key = key.wrapping_add(u128::from(mix(2 * code + 1)) << 64 | u128::from(mix(2 * code + 2)));
        }
        Some(key)
    }
}

/// The most colors and the most cells that get new names.
const MAX_NAMES: usize = 64;

/// The place of each signature among all, lowest first; their own places where they must not move.
#[inline]
fn ranks(signs: &[u64], may_move: bool, ranks: &mut [u32]) {
    for (index, &sign) in signs.iter().enumerate() {
        let before = |&(other, &its): &(usize, &u64)| its < sign || (its == sign && other < index);
        let place = signs.iter().enumerate().filter(before).count();
        ranks[index] = if may_move { place } else { index } as u32;
    }
}

/// Scatters numbers a little: a poor job costs a symmetry, not the truth.
#[inline]
fn scatter(number: u64) -> u64 {
    let number = (number ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Scatters numbers well (the finalizer of SplitMix64).
#[inline]
pub(crate) fn mix(number: u64) -> u64 {
    let number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use pegwise_game::Code;

    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_key_does_not_depend_on_names() {
        let rules: Rules = "4x6".parse().unwrap();
        let free = Free::of(&rules);
        let mut rng = Rng::new(5);
        let key = |codes: &[Code]| free.key(&Table::from_codes(&rules, codes).unwrap()).unwrap();
        let mut keys = std::collections::HashSet::new();
        let mut same = 0;
        for _ in 0..200 {
            let codes: Vec<Code> = (0..12).map(|_| rng.code(&rules)).collect();
            let renamed: Vec<Code> = codes
                .iter()
                .rev()
                .map(|code| Code::from_indices([2, 0, 3, 1].map(|cell| (code[cell].index() as u16 + 2) % 6)))
                .collect();
            // Signatures may tie, and then names stay arbitrary.
            same += usize::from(key(&codes) == key(&renamed));
            assert!(keys.insert(key(&codes)), "other codes, another key");
        }
        assert!(same > 150, "{same} of 200 sets were known again");
        let ordered = Free::of(&"4x6:higher-lower".parse().unwrap());
        assert!(!ordered.colors, "names that have an order stay");
    }
}
