//! A code in two words, for comparing codes pair by pair.
//!
//! One word has a bit for each cell and color, the other counts each color in unary: the black pegs of a pair are the
//! bits that the first words share, the black and white pegs together those that the second words share. A pair costs a
//! few instructions, whatever the board.

use pegwise_game::{Color, Rules};

/// How codes of one set of rules are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packing {
    cells: u32,
    colors: u32,
}

/// A packed code. Compare only codes of one packing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Packed {
    places: u128,
    counts: u128,
}

impl Packing {
    /// The packing of these rules, which must be a row answered in black and white with at most 128 pairs of a cell and
    /// a color.
    ///
    /// ```
    /// use pegwise_game::Rules;
    /// use pegwise_solve::candidates::Packing;
    /// let rules: Rules = "4x6".parse().unwrap();
    /// let packing = Packing::new(&rules).unwrap();
    /// let [guess, secret] = ["1122", "2123"].map(|code| packing.pack(&rules.parse_code(code).unwrap()));
    /// assert_eq!((guess.black(secret), guess.white(secret)), (2, 1));
    /// assert!(Packing::new(&"100x100".parse().unwrap()).is_none());
    /// ```
    #[must_use]
    pub fn new(rules: &Rules) -> Option<Self> {
        let (cells, colors) = (u32::try_from(rules.cells()).ok()?, u32::from(rules.colors()));
        let plain = rules.board().is_row() && rules.feedback().model().is_classic();
        let fits = cells.checked_mul(colors).is_some_and(|bits| bits <= u128::BITS);
        (plain && fits).then_some(Self { cells, colors })
    }

    /// Packs a code.
    #[inline]
    #[must_use]
    pub fn pack(self, code: &[Color]) -> Packed {
        self.pack_each(code)
    }

    /// Packs a code whose colors do not lie side by side.
    #[inline]
    #[must_use]
    pub fn pack_each<'a>(self, code: impl IntoIterator<Item = &'a Color>) -> Packed {
        let (mut places, mut counts) = (0u128, 0u128);
        for (cell, color) in (0u32..).zip(code) {
            let color = color.index() as u32;
            places |= 1 << (cell * self.colors + color);
            // The count of a color is a run of ones from the foot of its field; its next one goes where the run ends.
            let foot = color * self.cells;
            let run = (counts >> foot).trailing_ones();
            counts |= 1 << (foot + run);
        }
        Packed { places, counts }
    }
}

impl Packed {
    /// Cells where the codes agree.
    #[inline]
    #[must_use]
    pub fn black(self, other: Self) -> u32 {
        (self.places & other.places).count_ones()
    }

    /// Black and white pegs together.
    #[inline]
    #[must_use]
    pub fn pegs(self, other: Self) -> u32 {
        (self.counts & other.counts).count_ones()
    }

    /// White pegs.
    #[inline]
    #[must_use]
    pub fn white(self, other: Self) -> u32 {
        self.pegs(other) - self.black(other)
    }
}
