//! Marks packed into a byte, so that a register holds a whole block of them.

use crate::{
    feedback::{FeedbackKind, Mark},
    rules::Rules,
};

/// The most cells a packed mark can speak of.
pub(crate) const MAX_CELLS: usize = 32;

/// How the mark of a row is packed into a byte.
///
/// Black and white pegs become `black * (cells + 1) + black + white`: a sum over the pegs, so a kernel builds it by
/// additions alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coding {
    kind: FeedbackKind,
    cells: usize,
    /// The bytes of all marks that can be, ascending.
    possible: Vec<u8>,
}

impl Coding {
    /// The coding of these rules, or `None` where a mark does not fit a byte or the board is not a row.
    #[must_use]
    pub fn new(rules: &Rules) -> Option<Self> {
        let cells = rules.cells();
        if !rules.board().is_row() || cells > MAX_CELLS {
            return None;
        }
        let kind = rules.feedback();
        let pairs = || (0..=cells).flat_map(move |black| (0..=cells - black).map(move |other| (black, other)));
        let marks: Vec<(usize, usize)> = match kind {
            FeedbackKind::BlackWhite => {
                pairs().filter(|&(black, white)| white != 1 || black + white != cells).collect()
            }
            FeedbackKind::HigherLower => pairs().collect(),
            FeedbackKind::BlackOnly => (0..=cells).map(|black| (black, 0)).collect(),
            FeedbackKind::Distance | FeedbackKind::CityBlock => return None,
        };
        let byte = |&(black, other): &(usize, usize)| u8::try_from(pack(kind, cells, black, other)).ok();
        let mut possible = marks.iter().map(byte).collect::<Option<Vec<u8>>>()?;
        possible.sort_unstable();
        Some(Self { kind, cells, possible })
    }

    /// The bytes of all marks that can be, ascending. Histograms count in this order.
    ///
    /// ```
    /// use pegwise_game::partition::Coding;
    /// for cells in 1..=8 {
    ///     let rules = pegwise_game::Rules::classic(cells, 6).unwrap();
    ///     assert_eq!(Coding::new(&rules).unwrap().possible().len(), cells * (cells + 3) / 2);
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

    /// What one black peg adds to a byte, beside what its color adds by being shown.
    #[inline]
    pub(crate) fn black_weight(&self) -> u8 {
        if self.kind == FeedbackKind::BlackOnly { 1 } else { self.cells as u8 + 1 }
    }

    /// Which possible mark the padding of a table gets. It shows no color of the rules; above all colors, it reads as
    /// higher in every cell.
    #[inline]
    pub(crate) fn padding_index(&self) -> usize {
        if self.kind == FeedbackKind::HigherLower { self.cells } else { 0 }
    }

    /// The byte of the winning mark.
    #[must_use]
    pub fn winning(&self) -> u8 {
        pack(self.kind, self.cells, self.cells, 0) as u8
    }

    /// The mark of a byte.
    #[must_use]
    pub fn mark(&self, byte: u8) -> Mark {
        let side = self.cells + 1;
        let (high, low) = (usize::from(byte) / side, usize::from(byte) % side);
        match self.kind {
            FeedbackKind::BlackWhite => Mark::BlackWhite { black: high as u16, white: (low - high) as u16 },
            FeedbackKind::HigherLower => {
                let lower = self.cells - high - low;
                Mark::HigherLower { black: high as u16, higher: low as u16, lower: lower as u16 }
            }
            _ => Mark::BlackOnly { black: u16::from(byte) },
        }
    }

    /// The byte of a mark; `None` for a mark of another kind.
    #[must_use]
    pub fn byte(&self, mark: Mark) -> Option<u8> {
        let (black, other) = match (self.kind, mark) {
            (FeedbackKind::BlackWhite, Mark::BlackWhite { black, white }) => (black, white),
            (FeedbackKind::HigherLower, Mark::HigherLower { black, higher, .. }) => (black, higher),
            (FeedbackKind::BlackOnly, Mark::BlackOnly { black }) => (black, 0),
            _ => return None,
        };
        u8::try_from(pack(self.kind, self.cells, black.into(), other.into())).ok()
    }
}

/// `other` is the white pegs, or the cells that must be higher.
fn pack(kind: FeedbackKind, cells: usize, black: usize, other: usize) -> usize {
    match kind {
        FeedbackKind::BlackWhite => black * (cells + 1) + black + other,
        FeedbackKind::BlackOnly => black,
        _ => black * (cells + 1) + other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_has_its_own_byte() {
        for rules in
            ["1x3", "4x6", "15x4", "7x7:black-only", "32x4:black-only", "5x5:higher-lower", "15x3:higher-lower"]
        {
            let coding = Coding::new(&rules.parse().unwrap()).expect(rules);
            assert!(coding.possible().windows(2).all(|pair| pair[0] < pair[1]), "{rules}");
            for &byte in coding.possible() {
                assert_eq!(coding.byte(coding.mark(byte)), Some(byte), "{rules}");
            }
            assert!(coding.possible().contains(&coding.winning()), "{rules}");
        }
        for rules in ["16x4", "grid:2x2x3", "4x6:distance", "33x4:black-only"] {
            assert_eq!(Coding::new(&rules.parse().unwrap()), None, "{rules}");
        }
    }
}
