//! Marks packed into a byte, so that a register holds a whole block of them, and codes prepared for the kernels.

use crate::color::Color;
use crate::feedback::{CellTerm, FeedbackKind, FeedbackModel, Mark};
use crate::rules::Rules;
use crate::table::{BLOCK, Table};

/// Maximum number of cells of a row whose marks are packed into bytes.
pub(super) const MAX_ENCODED_CELLS: usize = 32;

/// Maximum number of cells whose per-cell marks are packed into bytes.
pub(super) const MAX_ENCODED_PER_CELL: usize = 5;
const _: () =
    assert!(3usize.pow(MAX_ENCODED_PER_CELL as u32) <= 256 && 3usize.pow(MAX_ENCODED_PER_CELL as u32 + 1) > 256);

/// Maximum number of indices of marks that are searched for possible marks: those of the longest row.
const MAX_INDICES: u128 = (MAX_ENCODED_CELLS as u128 + 1) * (MAX_ENCODED_CELLS as u128 + 1);

/// Encoding of the marks of a row as bytes.
///
/// Black and white pegs become `black * (cells + 1) + black + white`. This is a sum over pegs and colors, so a kernel computes
/// it by additions alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkEncoding {
    kind: FeedbackKind,
    cells: usize,
    /// The bytes of all possible marks, ascending.
    possible: Vec<u8>,
    /// The marks of these bytes.
    marks: Vec<Mark>,
}

impl MarkEncoding {
    /// Creates the encoding for `rules`; `None` unless the board is a row of at most 32 cells, the feedback counts pegs, and
    /// every mark fits in a byte.
    pub fn new(rules: &Rules) -> Option<Self> {
        let (cells, kind) = (rules.cells(), rules.feedback());
        let model = kind.model();
        if !rules.board().is_row() || cells > MAX_ENCODED_CELLS || !model.cell.is_count() {
            return None;
        }
        let indices = model.index_bound(cells, rules.colors()).filter(|&indices| indices <= MAX_INDICES)?;
        let marks =
            (0..indices as usize).filter_map(|at| Some((at, Mark::from_index(kind, at, cells, rules.colors())?)));
        let (possible, marks) = marks.map(|(at, mark)| Some((u8::try_from(at).ok()?, mark))).collect::<Option<_>>()?;
        Some(Self { kind, cells, possible, marks })
    }

    /// Returns the bytes of all possible marks, ascending. Histograms are in this order.
    ///
    /// ```
    /// use pegwise_game::partition::MarkEncoding;
    /// for cells in 1..=8 {
    ///     let rules = pegwise_game::Rules::classic(cells, 6).unwrap();
    ///     assert_eq!(MarkEncoding::new(&rules).unwrap().possible().len(), cells * (cells + 3) / 2);
    /// }
    /// ```
    pub fn possible(&self) -> &[u8] {
        &self.possible
    }

    /// Returns the kind of feedback.
    pub fn kind(&self) -> FeedbackKind {
        self.kind
    }

    /// Returns the number of cells of a code.
    #[inline]
    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    #[inline]
    pub(super) fn model(&self) -> &'static FeedbackModel {
        self.kind.model()
    }

    /// Returns the index of the possible mark of a padding code, which has no color of the rules. For higher/lower feedback it
    /// is above all colors.
    #[inline]
    pub(super) fn padding_index(&self) -> usize {
        if self.model().cell == CellTerm::Ordered { self.cells } else { 0 }
    }

    /// Returns the byte of the winning mark.
    pub fn winning(&self) -> u8 {
        self.kind.winning_mark(self.cells).index(self.cells) as u8
    }

    /// Returns the mark of a byte.
    ///
    /// # Panics
    /// Panics if no possible mark has this byte.
    pub fn mark(&self, byte: u8) -> Mark {
        let at = self.possible.binary_search(&byte);
        self.marks[at.unwrap_or_else(|_| panic!("{byte} is not the byte of a mark"))]
    }

    /// Returns the byte of a mark; `None` if the mark is not possible.
    pub fn byte(&self, mark: Mark) -> Option<u8> {
        self.marks.iter().position(|&other| other == mark).map(|at| self.possible[at])
    }
}

/// A guess or code prepared for the kernels: its pegs, and each distinct color with its number.
#[derive(Debug, Clone)]
pub(super) struct PreparedCode {
    cells: usize,
    pegs: [u8; MAX_ENCODED_CELLS],
    distinct: usize,
    /// Distinct colors in order of appearance.
    colors: [u8; MAX_ENCODED_CELLS],
    /// Number of pegs of each of these colors.
    counts: [u8; MAX_ENCODED_CELLS],
    /// Weight of a black peg in the byte of a mark, in addition to that of its color.
    pub(super) black_weight: u8,
}

impl PreparedCode {
    fn empty(encoding: &MarkEncoding, cells: usize) -> Self {
        let black_weight = encoding.model().first_weight(encoding.cells) as u8;
        let none = [0; MAX_ENCODED_CELLS];
        Self { cells, pegs: none, distinct: 0, colors: none, counts: none, black_weight }
    }

    pub(super) fn new(encoding: &MarkEncoding, code: &[Color]) -> Self {
        let mut prepared = Self::empty(encoding, code.len());
        for (cell, color) in code.iter().enumerate() {
            let peg = color.index() as u8;
            prepared.pegs[cell] = peg;
            let seen = prepared.colors[..prepared.distinct].iter().position(|&color| color == peg);
            let at = seen.unwrap_or(prepared.distinct);
            prepared.colors[at] = peg;
            prepared.counts[at] += 1;
            prepared.distinct = prepared.distinct.max(at + 1);
        }
        prepared
    }

    /// Prepares a row of a table, which already has the color counts.
    #[inline]
    pub(super) fn from_row(encoding: &MarkEncoding, table: &Table, row: usize) -> Self {
        let (block, lane) = (row / BLOCK, row % BLOCK);
        let mut prepared = Self::empty(encoding, table.cells());
        let counts = table.counts(block);
        let mut seen = [0u64; 4];
        for (cell, column) in table.pegs(block).iter().enumerate() {
            let peg = column.0[lane];
            prepared.pegs[cell] = peg;
            let (word, bit) = (usize::from(peg >> 6), 1 << (peg & 63));
            if seen[word] & bit == 0 {
                seen[word] |= bit;
                prepared.colors[prepared.distinct] = peg;
                prepared.counts[prepared.distinct] = counts[usize::from(peg)].0[lane];
                prepared.distinct += 1;
            }
        }
        prepared
    }

    #[inline]
    pub(super) fn pegs(&self) -> &[u8] {
        &self.pegs[..self.cells]
    }

    /// Iterates over the distinct colors and the number of pegs of each.
    #[inline]
    pub(super) fn colors(&self) -> impl Iterator<Item = (u8, u8)> {
        self.colors[..self.distinct].iter().copied().zip(self.counts[..self.distinct].iter().copied())
    }

    /// Returns [`PreparedCode::colors`] as two slices with an entry for each cell, padded with counts of zero.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn padded_colors(&self) -> (&[u8], &[u8]) {
        (&self.colors[..self.cells], &self.counts[..self.cells])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_has_its_own_byte() {
        let texts = "1x3 4x6 15x4 7x7:black-only 32x4:black-only 4x6:color-only 5x6:per-cell \
            5x5:higher-lower 15x3:higher-lower";
        for rules in texts.split_whitespace() {
            let encoding = MarkEncoding::new(&rules.parse().unwrap()).expect(rules);
            assert!(encoding.possible().windows(2).all(|pair| pair[0] < pair[1]), "{rules}");
            for &byte in encoding.possible() {
                assert_eq!(encoding.byte(encoding.mark(byte)), Some(byte), "{rules}");
            }
            assert!(encoding.possible().contains(&encoding.winning()), "{rules}");
        }
        for rules in ["16x4", "grid:2x2x3", "4x6:distance", "33x4:black-only"] {
            assert_eq!(MarkEncoding::new(&rules.parse().unwrap()), None, "{rules}");
        }
    }
}
