//! One form for positions that are the same but for the names of colors and the order of cells.
//!
//! Colors and cells get new names ([`crate::renaming`]). A form costs a few operations for each code and each color of a cell; the forms
//! of sets met a moment ago are kept under a cheaper key.

use pegwise_game::Rules;

use super::matrix::Matrix;
use crate::renaming::{Free, mix};

/// The most packed codes that a table of ranks is made for.
const MAX_PACKED: usize = 1 << 20;
/// Marks a packed number that is no code of the rules.
const NO_CODE: u16 = u16::MAX;
/// The most pegs times colors that signatures are made for.
const MAX_COUNTS: usize = 64;

/// Renames positions.
pub(super) struct Canonical {
    cells: usize,
    colors: usize,
    /// The colors of every code, cell by cell.
    pegs: Vec<u8>,
    /// The code of each packed number: its colors as digits. Empty where nothing is renamed.
    codes: Vec<u16>,
    /// Random numbers: keys of sets are sums of them.
    randoms: Vec<u128>,
    renames_colors: bool,
    moves_cells: bool,
    /// The keys of sets met before, under the sums for codes as they are.
    recent: Vec<(u128, u128)>,
}

/// How many keys of sets are kept: 2 MiB of them.
const RECENT: usize = 1 << 16;

/// The form of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// Stands for the codes of the position, renamed.
    pub(super) key: u128,
    /// What a color in a cell adds to a packed code, cell by cell.
    digits: [u32; MAX_COUNTS],
}

impl Canonical {
    /// The canonical forms of these rules. On boards where nothing may change places, or with too many colors and cells,
    /// every position is its own form.
    pub(super) fn new(rules: &Rules, matrix: &Matrix) -> Self {
        let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
        let (renames_colors, moves_cells) = (rules.feedback().model().ignores_color_order(), rules.board().is_row());
        let packed = u32::try_from(cells).ok().and_then(|cells| colors.checked_pow(cells));
        let packed = packed.filter(|&packed| packed <= MAX_PACKED && cells * colors <= MAX_COUNTS);
        let mut codes = vec![NO_CODE; packed.unwrap_or(0)];
        let random = |number: u64| u128::from(mix(2 * number + 1)) << 64 | u128::from(mix(2 * number + 2));
        let randoms = (0..codes.len().max(matrix.len()) as u64).map(random).collect();
        let mut pegs = Vec::with_capacity(matrix.len() * cells);
        for row in 0..if codes.is_empty() { 0 } else { matrix.len() } {
            let first = pegs.len();
            pegs.extend((0..cells).map(|cell| matrix.table.peg(row, cell)));
            let number = pegs[first..].iter().fold(0, |number, &peg| number * colors + usize::from(peg));
            codes[number] = row as u16;
        }
        let recent = if codes.is_empty() { Vec::new() } else { vec![(0, 0); RECENT] };
        Self { cells, colors, pegs, codes, randoms, renames_colors, moves_cells, recent }
    }

    /// The form of a set of codes.
    pub(super) fn form(&self, set: &[u16]) -> Form {
        let digits = if self.codes.is_empty() { [0; MAX_COUNTS] } else { self.digits(set) };
        let mut form = Form { key: 0, digits };
        for &code in set {
            form.key = form.key.wrapping_add(self.randoms[self.pack(&form, code) as usize]);
        }
        form
    }

    /// The key of the form of a set of codes.
    pub(super) fn key(&mut self, set: &[u16]) -> u128 {
        let sum = set.iter().fold(0u128, |sum, &code| sum.wrapping_add(self.randoms[usize::from(code)]));
        if self.codes.is_empty() {
            return sum;
        }
        let at = sum as usize % RECENT;
        let (kept, key) = self.recent[at];
        if kept == sum {
            return key;
        }
        let key = self.form(set).key;
        self.recent[at] = (sum, key);
        key
    }

    /// The new names of colors and cells, as digits of packed codes.
    fn digits(&self, set: &[u16]) -> [u32; MAX_COUNTS] {
        let (cells, colors) = (self.cells, self.colors);
        let mut counts = [0u16; MAX_COUNTS];
        for &code in set {
            let pegs = &self.pegs[usize::from(code) * cells..][..cells];
            for (row, &peg) in counts.chunks_exact_mut(colors).zip(pegs) {
                row[usize::from(peg)] += 1;
            }
        }
        let (mut new_color, mut new_cell) = ([0; MAX_COUNTS], [0; MAX_COUNTS]);
        let free = Free { colors: self.renames_colors, cells: self.moves_cells };
        free.rename(&counts[..cells * colors], &mut new_color[..colors], &mut new_cell[..cells]);
        let mut digits = [0; MAX_COUNTS];
        for cell in 0..cells {
            let weight = (colors as u32).pow(new_cell[cell]);
            for color in 0..colors {
                digits[cell * colors + color] = new_color[color] * weight;
            }
        }
        digits
    }

    /// A code in the names of a form.
    #[inline]
    pub(super) fn pack(&self, form: &Form, code: u16) -> u32 {
        if self.codes.is_empty() {
            return code.into();
        }
        let pegs = &self.pegs[usize::from(code) * self.cells..][..self.cells];
        let rows = form.digits.chunks_exact(self.colors);
        rows.zip(pegs).map(|(row, &peg)| row[usize::from(peg)]).sum()
    }

    /// The code that has this name in a form.
    pub(super) fn unpack(&self, form: &Form, packed: u32) -> Option<u16> {
        if self.codes.is_empty() {
            return u16::try_from(packed).ok();
        }
        let colors = self.colors as u32;
        let number = form.digits[..self.cells * self.colors].chunks_exact(self.colors).try_fold(0, |number, row| {
            // The weight of this cell is what the color named one adds.
            let weight = row.iter().copied().filter(|&digit| digit > 0).min().unwrap_or(1);
            let digit = packed / weight % colors * weight;
            let color = row.iter().position(|&other| other == digit)?;
            Some(number * self.colors + color)
        })?;
        self.codes.get(number).copied().filter(|&code| code != NO_CODE)
    }
}
