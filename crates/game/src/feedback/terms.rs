//! What a kind of feedback means, as data.
//!
//! The mark of a line comes from two sums: each cell adds a term to one or both of them ([`CellTerm`]), and each color may
//! add the number of pegs that guess and secret have in common. The numbers that a mark is written with are linear in the
//! two sums and the number of cells. So a kind is a row of data ([`FeedbackModel`]), and all that is said of it follows: the pair
//! function, which marks can be, how they pack into few bits, what a part of a code can still reach, which symmetries hold.
//!
//! A kind that tells [cell by cell](FeedbackModel::per_cell) says of every cell what the sums say of the line as a whole.

use std::ops::{Add, Mul, Sub};

use super::packing::Packing;

/// What one cell adds to the two sums of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CellTerm {
    /// Nothing.
    Nothing,
    /// One to the first sum where guess and secret agree.
    Equal,
    /// One to the first sum where they agree, one to the second where the secret is higher.
    Ordered,
    /// How far they are apart, to the first sum.
    Distance,
    /// The square of how far they are apart, to the first sum.
    SquaredDistance,
}

/// Whole numbers that terms are computed in: wide ones for single pairs, narrow ones where many lie side by side.
pub trait TermInteger:
    Copy + Default + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// One for yes, zero for no.
    fn from_flag(flag: bool) -> Self;
}

macro_rules! quantities {
    ($($number:ty),*) => {
        $(impl TermInteger for $number {
            #[inline(always)]
            fn from_flag(flag: bool) -> Self {
                flag.into()
            }
        })*
    };
}

quantities!(u8, u64, i8, i16, i64);

impl CellTerm {
    /// What a cell with these color numbers adds to the two sums.
    #[inline(always)]
    pub fn contribution<N: TermInteger>(self, guess: N, secret: N) -> [N; 2] {
        let apart = || if guess < secret { secret - guess } else { guess - secret };
        match self {
            Self::Nothing => [N::default(); 2],
            Self::Equal => [N::from_flag(guess == secret), N::default()],
            Self::Ordered => [N::from_flag(guess == secret), N::from_flag(secret > guess)],
            Self::Distance => [apart(), N::default()],
            Self::SquaredDistance => [apart() * apart(), N::default()],
        }
    }

    /// The most that one cell adds to the first sum, with so many colors.
    #[must_use]
    pub fn max_contribution(self, colors: u16) -> u64 {
        let step = u64::from(colors) - 1;
        match self {
            Self::Nothing => 0,
            Self::Equal | Self::Ordered => 1,
            Self::Distance => step,
            Self::SquaredDistance => step * step,
        }
    }

    /// Whether it counts pegs, rather than measure how far colors are apart.
    #[must_use]
    #[inline]
    pub const fn is_count(self) -> bool {
        !matches!(self, Self::Distance | Self::SquaredDistance)
    }
}

/// How a number of a mark is drawn, peg by peg.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyPeg {
    /// A black peg.
    Black,
    /// A white peg.
    White,
    /// An arrow up.
    Higher,
    /// An arrow down.
    Lower,
}

/// One of the numbers that a mark is written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkNumber {
    /// What it is called.
    pub name: &'static str,
    /// What is counted, in words that follow "the".
    pub counted: &'static str,
    /// How it is drawn; `None` where it is too large to be drawn peg by peg.
    pub key_peg: Option<KeyPeg>,
    /// What it says, in words.
    pub meaning: &'static str,
    /// How often it counts the first sum, the second, and the cells of the line.
    pub(super) of: [i64; 3],
}

impl MarkNumber {
    pub(super) const fn new(
        [name, counted, meaning]: [&'static str; 3],
        key_peg: Option<KeyPeg>,
        of: [i64; 3],
    ) -> Self {
        Self { name, counted, key_peg, meaning, of }
    }
}

/// What a kind of feedback means.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeedbackModel {
    /// The word for it in the rules notation.
    pub name: &'static str,
    /// What it gives, in words.
    pub title: &'static str,
    /// The numbers of a mark, in the order in which they are written.
    pub numbers: &'static [MarkNumber],
    /// What each cell adds.
    pub cell: CellTerm,
    /// Whether each color adds, to the second sum, how many pegs of it guess and secret have in common.
    pub colors: bool,
    /// Whether every cell is answered by itself: black, white or nothing. Of a repeated color, the cells on the left get
    /// the white pegs. The sums then count the pegs, and the mark says where they are.
    pub per_cell: bool,
    /// How a mark is one word.
    pub(super) packing: Packing,
}

impl FeedbackModel {
    pub(super) const fn new(
        [name, title]: [&'static str; 2],
        numbers: &'static [MarkNumber],
        cell: CellTerm,
        colors: bool,
    ) -> Self {
        Self { name, title, numbers, cell, colors, per_cell: false, packing: Packing::new(numbers) }
    }

    /// The same, told of each cell by itself.
    pub(super) const fn of_each_cell(self) -> Self {
        Self { per_cell: true, ..self }
    }

    /// Whether colors are mere names, so that renaming them changes no feedback.
    #[must_use]
    pub const fn ignores_color_order(&self) -> bool {
        matches!(self.cell, CellTerm::Nothing | CellTerm::Equal)
    }

    /// Whether a feedback stays the same when guess and secret change places.
    #[must_use]
    pub const fn is_symmetric(&self) -> bool {
        !self.per_cell && !matches!(self.cell, CellTerm::Ordered)
    }

    /// Whether a guess that is answered as fully right is the secret. Colors alone do not tell in which order they are.
    #[must_use]
    pub const fn identifies_secret(&self) -> bool {
        !matches!(self.cell, CellTerm::Nothing)
    }

    /// Whether black and white pegs are counted for the line as a whole: the classic feedback.
    #[must_use]
    #[inline]
    pub const fn is_classic(&self) -> bool {
        matches!(self.cell, CellTerm::Equal) && self.colors && !self.per_cell
    }

    /// Returns true if a mark gives only totals over its line, not a result for each cell.
    ///
    /// Such a mark does not change when the cells of the line are permuted, can be computed with guess and secret exchanged,
    /// and can be approached by a local search peg by peg.
    #[must_use]
    pub const fn is_aggregate(&self) -> bool {
        !self.per_cell
    }

    /// Whether the second sum is used at all.
    pub(crate) const fn has_second(&self) -> bool {
        self.colors || matches!(self.cell, CellTerm::Ordered)
    }

    /// How many numbers the mark of a line is written with.
    #[must_use]
    pub const fn arity(&self, cells: usize) -> usize {
        if self.per_cell { cells } else { self.numbers.len() }
    }

    /// The largest that any number of a mark can be.
    #[must_use]
    pub fn max_number(&self, cells: usize, colors: u16) -> u64 {
        match (self.per_cell, self.cell.is_count()) {
            (true, _) => 2,
            (false, true) => cells as u64,
            (false, false) => cells as u64 * self.cell.max_contribution(colors),
        }
    }

    /// Whether the numbers of a mark always add up to the cells of its line.
    #[must_use]
    pub const fn adds_up(&self) -> bool {
        self.packing.adds_up
    }

    /// Whether a line that has come to these sums, with so many cells still open, can come to the goal. Of two sums that
    /// no cell adds to at once, the cells must make up for both.
    #[inline]
    #[must_use]
    pub fn can_reach(&self, reached: [u64; 2], goal: [u64; 2], open: u64, most: u64) -> bool {
        let within = |at: usize, most: u64| reached[at] <= goal[at] && reached[at] + most >= goal[at];
        match self.cell {
            CellTerm::Ordered => {
                let missing = goal[0].saturating_sub(reached[0]) + goal[1].saturating_sub(reached[1]);
                reached[0] <= goal[0] && reached[1] <= goal[1] && missing <= open
            }
            _ => within(0, open * most) && (!self.colors || within(1, open)),
        }
    }

    /// What one unit of the first sum adds to a mark's place among all marks of a line.
    pub(crate) const fn first_weight(&self, cells: usize) -> usize {
        match (self.cell, self.has_second()) {
            (CellTerm::Nothing, _) => 0,
            (_, true) => cells + 1,
            (_, false) => 1,
        }
    }

    /// How many places the marks of a line take up, possible or not; `None` past 128 bits.
    pub(crate) fn places(&self, cells: usize, colors: u16) -> Option<u128> {
        let side = cells as u128 + 1;
        match (self.per_cell, self.cell) {
            (true, _) => 3u128.checked_pow(cells as u32),
            (false, CellTerm::Nothing) => Some(side),
            (false, cell) if cell.is_count() => Some(if self.has_second() { side * side } else { side }),
            (false, cell) => Some(u128::from(cell.max_contribution(colors)) * cells as u128 + 1),
        }
    }

    /// The numbers that two sums over so many cells come to.
    pub fn numbers_at(&self, sums: [u64; 2], cells: usize) -> impl Iterator<Item = i64> {
        let parts = [sums[0] as i64, sums[1] as i64, cells as i64];
        self.numbers.iter().map(move |number| number.of.iter().zip(parts).map(|(of, part)| of * part).sum())
    }
}
