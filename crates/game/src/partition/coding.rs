//! Marks packed into a byte, so that a register holds a whole block of them.

use crate::{
    feedback::{CellTerm, FeedbackKind, FeedbackModel, Mark},
    rules::Rules,
};

/// The most cells a packed mark can speak of.
pub(crate) const MAX_CELLS: usize = 32;

/// The most cells of a mark that tells cell by cell and fits a byte.
pub(crate) const MAX_TOLD: usize = 5;
const _: () = assert!(3usize.pow(MAX_TOLD as u32) <= 256 && 3usize.pow(MAX_TOLD as u32 + 1) > 256);

/// The most places for marks that are looked through for those that fit a byte: those of the longest line.
const MOST_PLACES: u128 = (MAX_CELLS as u128 + 1) * (MAX_CELLS as u128 + 1);

/// How the mark of a row is packed into a byte.
///
/// Black and white pegs become `black * (cells + 1) + black + white`: a sum over pegs and colors, so a kernel builds it by
/// additions alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkEncoding {
    kind: FeedbackKind,
    cells: usize,
    /// The bytes of all marks that can be, ascending.
    possible: Vec<u8>,
    /// Those marks.
    marks: Vec<Mark>,
}

impl MarkEncoding {
    /// The coding of these rules, or `None` where a mark does not fit a byte or the board is not a row.
    #[must_use]
    pub fn new(rules: &Rules) -> Option<Self> {
        let (cells, kind) = (rules.cells(), rules.feedback());
        let terms = kind.model();
        if !rules.board().is_row() || cells > MAX_CELLS || !terms.cell.is_count() {
            return None;
        }
        let places = terms.places(cells, rules.colors()).filter(|&places| places <= MOST_PLACES)?;
        let marks = (0..places as usize).filter_map(|at| Some((at, Mark::at(kind, at, cells, rules.colors())?)));
        let (possible, marks) = marks.map(|(at, mark)| Some((u8::try_from(at).ok()?, mark))).collect::<Option<_>>()?;
        Some(Self { kind, cells, possible, marks })
    }

    /// The bytes of all marks that can be, ascending. Histograms count in this order.
    ///
    /// ```
    /// use pegwise_game::partition::MarkEncoding;
    /// for cells in 1..=8 {
    ///     let rules = pegwise_game::Rules::classic(cells, 6).unwrap();
    ///     assert_eq!(MarkEncoding::new(&rules).unwrap().possible().len(), cells * (cells + 3) / 2);
    /// }
    /// ```
    #[must_use]
    pub fn possible(&self) -> &[u8] {
        &self.possible
    }

    /// The kind of feedback.
    #[must_use]
    pub fn kind(&self) -> FeedbackKind {
        self.kind
    }

    /// Cells of a code.
    #[inline]
    pub(crate) fn cells(&self) -> usize {
        self.cells
    }

    /// What a cell that agrees adds to a byte, beside what its color adds by being shown.
    #[inline]
    pub(crate) fn black_weight(&self) -> u8 {
        self.kind.model().first_weight(self.cells) as u8
    }

    /// What cells and colors mean.
    #[inline]
    pub(crate) fn model(&self) -> &'static FeedbackModel {
        self.kind.model()
    }

    /// Which possible mark the padding of a table gets. It shows no color of the rules; above all colors, it reads as
    /// higher in every cell.
    #[inline]
    pub(crate) fn padding_index(&self) -> usize {
        if self.model().cell == CellTerm::Ordered { self.cells } else { 0 }
    }

    /// The byte of the winning mark.
    #[must_use]
    pub fn winning(&self) -> u8 {
        self.kind.winning_mark(self.cells).place(self.cells) as u8
    }

    /// The mark of a byte.
    ///
    /// # Panics
    /// When no mark has it.
    #[must_use]
    pub fn mark(&self, byte: u8) -> Mark {
        let at = self.possible.binary_search(&byte);
        self.marks[at.unwrap_or_else(|_| panic!("{byte} is not the byte of a mark"))]
    }

    /// The byte of a mark; `None` for a mark of other rules.
    #[must_use]
    pub fn byte(&self, mark: Mark) -> Option<u8> {
        self.marks.iter().position(|&other| other == mark).map(|at| self.possible[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_has_its_own_byte() {
        for rules in [
            "1x3",
            "4x6",
            "15x4",
            "7x7:black-only",
            "32x4:black-only",
            "4x6:color-only",
            "5x6:per-cell",
            "5x5:higher-lower",
            "15x3:higher-lower",
        ] {
            let coding = MarkEncoding::new(&rules.parse().unwrap()).expect(rules);
            assert!(coding.possible().windows(2).all(|pair| pair[0] < pair[1]), "{rules}");
            for &byte in coding.possible() {
                assert_eq!(coding.byte(coding.mark(byte)), Some(byte), "{rules}");
            }
            assert!(coding.possible().contains(&coding.winning()), "{rules}");
        }
        for rules in ["16x4", "grid:2x2x3", "4x6:distance", "33x4:black-only"] {
            assert_eq!(MarkEncoding::new(&rules.parse().unwrap()), None, "{rules}");
        }
    }
}
