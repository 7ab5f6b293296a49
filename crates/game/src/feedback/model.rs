//! Kinds of feedback as data.
//!
//! The mark of a line is computed from two sums. Each cell adds a [`CellTerm`] to one or both of them, and each color may add
//! the number of pegs that guess and secret have in common to the second. The numbers that a mark is written with are linear in
//! the two sums and the number of cells. So a [`FeedbackKind`] is a row of data, its [`FeedbackModel`], and everything else
//! follows from it: the pair function, the possible marks, their packing into a byte, the bounds of backtracking, and the
//! symmetries.
//!
//! [Per-cell](FeedbackModel::per_cell) feedback gives a separate answer for each cell.

use std::fmt;
use std::ops::{Add, Mul, Sub};

use super::mark::{self, Mark};

/// Kind of feedback that a line gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum FeedbackKind {
    /// Black pegs for the right color in the right place, white pegs for a right color in a wrong place.
    #[default]
    BlackWhite,
    /// Black pegs alone.
    BlackOnly,
    /// The number of pegs of a right color in any place. All permutations of the secret are answered like the secret.
    ColorOnly,
    /// Black, white or nothing for each cell; of a repeated color, the leftmost cells get the white pegs. With a list of
    /// words, this is the well-known word game.
    PerCell,
    /// Black pegs, and the numbers of other cells that must be higher and lower (Reddi's first MathMind).
    HigherLower,
    /// The squared Euclidean distance between guess and secret as vectors of color numbers (Reddi's second MathMind);
    /// squared to be an integer.
    Distance,
    /// The city-block (L1) distance between guess and secret as vectors of color numbers.
    CityBlock,
}

const BLACK: MarkNumber =
    MarkNumber::new(["black", "black pegs", "right color, right place"], Some(KeyPeg::Black), [1, 0, 0]);
const WHITE: MarkNumber =
    MarkNumber::new(["white", "white pegs", "right color, wrong place"], Some(KeyPeg::White), [-1, 1, 0]);
const COLORS: MarkNumber =
    MarkNumber::new(["colors", "right colors", "right color, in any place"], Some(KeyPeg::White), [0, 1, 0]);
const RIGHT: MarkNumber = MarkNumber::new(["black", "black pegs", "right"], Some(KeyPeg::Black), [1, 0, 0]);
const HIGHER: MarkNumber =
    MarkNumber::new(["higher", "pegs that are higher", "the code is higher there"], Some(KeyPeg::Higher), [0, 1, 0]);
const LOWER: MarkNumber =
    MarkNumber::new(["lower", "pegs that are lower", "the code is lower there"], Some(KeyPeg::Lower), [-1, -1, 1]);
const SQUARES: MarkNumber =
    MarkNumber::new(["distance", "distance", "sum of the squared differences of the pegs"], None, [1, 0, 0]);
const STEPS: MarkNumber =
    MarkNumber::new(["distance", "distance", "sum of the differences of the pegs"], None, [1, 0, 0]);

pub(crate) const BULLS_AND_COWS: [MarkNumber; 2] = [
    MarkNumber::new(["bulls", "bulls", "right digit, right place"], Some(KeyPeg::Black), [1, 0, 0]),
    MarkNumber::new(["cows", "cows", "right digit, wrong place"], Some(KeyPeg::White), [-1, 1, 0]),
];

const BLACK_WHITE: FeedbackModel =
    FeedbackModel::new(["black-white", "black and white pegs"], &[BLACK, WHITE], CellTerm::Equal, true);
const BLACK_ONLY: FeedbackModel =
    FeedbackModel::new(["black-only", "black pegs alone"], &[BLACK], CellTerm::Equal, false);
const COLOR_ONLY: FeedbackModel =
    FeedbackModel::new(["color-only", "right colors alone"], &[COLORS], CellTerm::Nothing, true);
const PER_CELL: FeedbackModel =
    FeedbackModel::new(["per-cell", "a peg or nothing for each cell"], &[BLACK, WHITE], CellTerm::Equal, true)
        .for_each_cell();
const HIGHER_LOWER: FeedbackModel =
    FeedbackModel::new(["higher-lower", "higher or lower"], &[RIGHT, HIGHER, LOWER], CellTerm::Ordered, false);
const DISTANCE: FeedbackModel =
    FeedbackModel::new(["distance", "distance, squared"], &[SQUARES], CellTerm::SquaredDistance, false);
const CITY_BLOCK: FeedbackModel =
    FeedbackModel::new(["city-block", "distance, summed"], &[STEPS], CellTerm::Distance, false);

impl FeedbackKind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 7] = [
        Self::BlackWhite,
        Self::BlackOnly,
        Self::ColorOnly,
        Self::PerCell,
        Self::HigherLower,
        Self::Distance,
        Self::CityBlock,
    ];

    /// Returns the model of the kind.
    #[inline]
    pub const fn model(self) -> &'static FeedbackModel {
        match self {
            Self::BlackWhite => &BLACK_WHITE,
            Self::BlackOnly => &BLACK_ONLY,
            Self::ColorOnly => &COLOR_ONLY,
            Self::PerCell => &PER_CELL,
            Self::HigherLower => &HIGHER_LOWER,
            Self::Distance => &DISTANCE,
            Self::CityBlock => &CITY_BLOCK,
        }
    }

    /// Returns the name in the rules notation.
    pub const fn name(self) -> &'static str {
        self.model().name
    }

    /// Iterates over the names of the numbers of a mark, in the order in which they are written.
    ///
    /// ```
    /// use pegwise_game::FeedbackKind;
    /// assert!(FeedbackKind::HigherLower.number_names().eq(["black", "higher", "lower"]));
    /// ```
    pub fn number_names(self) -> impl ExactSizeIterator<Item = &'static str> {
        self.model().numbers.iter().map(|number| number.name)
    }

    /// Formats a number of a mark: as digits, or as a letter for per-cell feedback.
    pub fn number_text(self, number: u64) -> String {
        if self.model().per_cell { mark::letter(number).to_string() } else { number.to_string() }
    }

    /// Returns the first kind whose marks are written in the same way.
    #[must_use]
    pub const fn written_as(self) -> Self {
        match self {
            Self::CityBlock => Self::Distance,
            kind => kind,
        }
    }

    /// Returns the mark of a line of `cells` cells on which guess and secret are equal.
    pub fn winning_mark(self, cells: usize) -> Mark {
        let model = self.model();
        if model.per_cell {
            return Mark::from_cell_values(self, std::iter::repeat_n(2, cells));
        }
        let pegs = |counted: bool| if counted { cells as u64 } else { 0 };
        let equal = matches!(model.cell, CellTerm::Equal | CellTerm::Ordered);
        Mark::from_sums(self, [pegs(equal), pegs(model.colors)], cells)
    }
}

impl fmt::Display for FeedbackKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Contribution of one cell to the two sums of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CellTerm {
    /// Nothing.
    Nothing,
    /// One to the first sum if guess and secret are equal.
    Equal,
    /// One to the first sum if they are equal, one to the second if the secret is higher.
    Ordered,
    /// The absolute difference of the color numbers, to the first sum.
    Distance,
    /// The square of that difference, to the first sum.
    SquaredDistance,
}

/// Integer types in which terms are computed: wide ones for single pairs, narrow ones for vectors.
pub trait TermInteger:
    Copy + Default + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// Returns one for true and zero for false.
    fn from_flag(flag: bool) -> Self;
}

macro_rules! term_integers {
    ($($number:ty),*) => {
        $(impl TermInteger for $number {
            #[inline(always)]
            fn from_flag(flag: bool) -> Self {
                flag.into()
            }
        })*
    };
}

term_integers!(u8, u64, i8, i16, i64);

impl CellTerm {
    /// Returns the contribution of a cell to the two sums, given the color numbers of guess and secret.
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

    /// Returns the maximum contribution to the first sum in a game with `colors` colors.
    pub fn max_contribution(self, colors: u16) -> u64 {
        let step = u64::from(colors) - 1;
        match self {
            Self::Nothing => 0,
            Self::Equal | Self::Ordered => 1,
            Self::Distance => step,
            Self::SquaredDistance => step * step,
        }
    }

    /// Returns true if the term counts pegs, and false if it measures a distance.
    #[inline]
    pub const fn is_count(self) -> bool {
        !matches!(self, Self::Distance | Self::SquaredDistance)
    }
}

/// A key peg: the symbol with which a unit of a number of a mark is drawn.
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

/// One of the numbers that a mark consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkNumber {
    /// Name.
    pub name: &'static str,
    /// The counted things, in words that follow "the".
    pub counted: &'static str,
    /// Key peg with which each unit is drawn; `None` if the number is too large to be drawn.
    pub key_peg: Option<KeyPeg>,
    /// Explanation for players.
    pub meaning: &'static str,
    /// Coefficients of the first sum, the second sum and the number of cells.
    pub(super) coefficients: [i64; 3],
}

impl MarkNumber {
    const fn new([name, counted, meaning]: [&'static str; 3], key_peg: Option<KeyPeg>, coefficients: [i64; 3]) -> Self {
        Self { name, counted, key_peg, meaning, coefficients }
    }
}

/// Definition of a kind of feedback.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeedbackModel {
    /// Name in the rules notation.
    pub name: &'static str,
    /// Title for players.
    pub title: &'static str,
    /// Numbers of a mark, in the order in which they are written.
    pub numbers: &'static [MarkNumber],
    /// Contribution of each cell.
    pub cell: CellTerm,
    /// True if each color adds the number of its pegs that guess and secret have in common to the second sum.
    pub colors: bool,
    /// True if every cell is answered separately: black, white or nothing. Of a repeated color, the leftmost cells get the
    /// white pegs. The sums then count the pegs of the line.
    pub per_cell: bool,
    /// Layout of the numbers of a mark in one word.
    pub(super) layout: MarkLayout,
}

impl FeedbackModel {
    const fn new(
        [name, title]: [&'static str; 2],
        numbers: &'static [MarkNumber],
        cell: CellTerm,
        colors: bool,
    ) -> Self {
        Self { name, title, numbers, cell, colors, per_cell: false, layout: MarkLayout::new(numbers) }
    }

    /// Returns the model with an answer for each cell.
    const fn for_each_cell(self) -> Self {
        Self { per_cell: true, ..self }
    }

    /// Returns true if permuting the colors does not change any feedback.
    pub const fn ignores_color_order(&self) -> bool {
        matches!(self.cell, CellTerm::Nothing | CellTerm::Equal)
    }

    /// Returns true if a feedback does not change when guess and secret are exchanged.
    pub const fn is_symmetric(&self) -> bool {
        !self.per_cell && !matches!(self.cell, CellTerm::Ordered)
    }

    /// Returns true if only the secret gets the winning feedback. Color-only feedback does not depend on the order.
    pub const fn identifies_secret(&self) -> bool {
        !matches!(self.cell, CellTerm::Nothing)
    }

    /// Returns true for black and white pegs counted over the line: the classic feedback.
    #[inline]
    pub const fn is_classic(&self) -> bool {
        matches!(self.cell, CellTerm::Equal) && self.colors && !self.per_cell
    }

    /// Returns true if a mark gives only totals over its line, not a result for each cell.
    ///
    /// Such a mark does not change when the cells of the line are permuted, can be computed with guess and secret exchanged,
    /// and can be approached by a local search peg by peg.
    pub const fn is_aggregate(&self) -> bool {
        !self.per_cell
    }

    /// Returns true if the second sum is used.
    pub(crate) const fn has_second(&self) -> bool {
        self.colors || matches!(self.cell, CellTerm::Ordered)
    }

    /// Returns the number of numbers in the mark of a line.
    pub const fn arity(&self, cells: usize) -> usize {
        if self.per_cell { cells } else { self.numbers.len() }
    }

    /// Returns an upper bound of every number of a mark.
    pub fn max_number(&self, cells: usize, colors: u16) -> u64 {
        match (self.per_cell, self.cell.is_count()) {
            (true, _) => 2,
            (false, true) => cells as u64,
            (false, false) => cells as u64 * self.cell.max_contribution(colors),
        }
    }

    /// Returns true if the numbers of a mark always add up to the number of cells of its line.
    pub const fn adds_up(&self) -> bool {
        self.layout.adds_up
    }

    /// Returns true if a line with the sums `reached` can attain the sums `goal` with `open` further cells, each of which adds
    /// at most `max` to the first sum. For [`CellTerm::Ordered`], each cell adds to at most one of the two sums.
    #[inline]
    pub fn can_reach(&self, reached: [u64; 2], goal: [u64; 2], open: u64, max: u64) -> bool {
        let within = |at: usize, max: u64| reached[at] <= goal[at] && reached[at] + max >= goal[at];
        match self.cell {
            CellTerm::Ordered => {
                let missing = goal[0].saturating_sub(reached[0]) + goal[1].saturating_sub(reached[1]);
                reached[0] <= goal[0] && reached[1] <= goal[1] && missing <= open
            }
            _ => within(0, open * max) && (!self.colors || within(1, open)),
        }
    }

    /// Returns the weight of the first sum in [`Mark::index`].
    pub(crate) const fn first_weight(&self, cells: usize) -> usize {
        match (self.cell, self.has_second()) {
            (CellTerm::Nothing, _) => 0,
            (_, true) => cells + 1,
            (_, false) => 1,
        }
    }

    /// Returns an upper bound, exclusive, of [`Mark::index`]; `None` past 128 bits.
    pub(crate) fn index_bound(&self, cells: usize, colors: u16) -> Option<u128> {
        let side = cells as u128 + 1;
        match (self.per_cell, self.cell) {
            (true, _) => 3u128.checked_pow(cells as u32),
            (false, CellTerm::Nothing) => Some(side),
            (false, cell) if cell.is_count() => Some(if self.has_second() { side * side } else { side }),
            (false, cell) => Some(u128::from(cell.max_contribution(colors)) * cells as u128 + 1),
        }
    }

    /// Iterates over the numbers of a mark with these sums on a line of `cells` cells.
    pub fn numbers_at(&self, sums: [u64; 2], cells: usize) -> impl Iterator<Item = i64> {
        let parts = [sums[0] as i64, sums[1] as i64, cells as i64];
        self.numbers.iter().map(move |number| {
            number.coefficients.iter().zip(parts).map(|(coefficient, part)| coefficient * part).sum()
        })
    }
}

/// Layout of the numbers of a mark in one word, computed at compile time for each kind: bit fields of equal width, the first
/// number highest.
///
/// Each number is linear in the two sums of the line and its cells, so the word is, too, and is computed without assembling
/// the fields.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MarkLayout {
    /// Width of each field in bits.
    bits: usize,
    /// Mask of a field.
    mask: u64,
    /// Index of the highest field.
    highest: usize,
    /// Fields of the first two numbers.
    first_two: [BitField; 2],
    /// Coefficients of the first sum, the second sum and the number of cells in the word.
    weights: [u64; 3],
    /// Field of the number that equals the first sum.
    first: BitField,
    /// Field of a number that equals the second sum plus `share` times the first.
    second: BitField,
    share: u64,
    /// True if the numbers add up to the number of cells of the line.
    pub(super) adds_up: bool,
}

/// A bit field of a word; the mask is zero if there is no such number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BitField {
    from: usize,
    mask: u64,
}

impl BitField {
    #[inline(always)]
    const fn get(self, word: u64) -> u64 {
        word >> self.from & self.mask
    }
}

impl MarkLayout {
    const fn new(numbers: &[MarkNumber]) -> Self {
        let bits = u64::BITS as usize / numbers.len();
        let mask = u64::MAX >> (u64::BITS as usize - bits);
        let absent = BitField { from: 0, mask: 0 };
        let mut sums = [0; 3];
        let (mut weights, mut first, mut second, mut share) = ([0u64; 3], absent, absent, 0);
        let mut at = 0;
        while at < numbers.len() {
            let (of, from) = (numbers[at].coefficients, bits * (numbers.len() - 1 - at));
            let mut part = 0;
            while part < of.len() {
                // Negative coefficients wrap, as the words do.
                weights[part] = weights[part].wrapping_add((of[part] as u64) << from);
                sums[part] += of[part];
                part += 1;
            }
            if of[0] == 1 && of[1] == 0 && of[2] == 0 && first.mask == 0 {
                first = BitField { from, mask };
            }
            if of[1] == 1 && of[2] == 0 && second.mask == 0 {
                second = BitField { from, mask };
                share = of[0] as u64;
            }
            at += 1;
        }
        let highest = numbers.len() - 1;
        let next = if highest > 0 { BitField { from: bits * (highest - 1), mask } } else { absent };
        let first_two = [BitField { from: bits * highest, mask }, next];
        let adds_up = sums[0] == 0 && sums[1] == 0 && sums[2] == 1;
        Self { bits, mask, highest, first_two, weights, first, second, share, adds_up }
    }

    /// Returns the word of a line with these sums.
    #[inline(always)]
    pub(super) const fn word(&self, sums: [u64; 2], cells: usize) -> u64 {
        let [first, second, cell] = self.weights;
        let word = first.wrapping_mul(sums[0]).wrapping_add(second.wrapping_mul(sums[1]));
        word.wrapping_add(cell.wrapping_mul(cells as u64))
    }

    /// Packs numbers that fit their fields.
    #[inline]
    pub(super) fn pack(&self, numbers: &[u64]) -> u64 {
        numbers.iter().enumerate().fold(0, |word, (at, number)| word | number << (self.bits * (self.highest - at)))
    }

    /// Returns the two sums of a word.
    #[inline(always)]
    pub(super) const fn sums(&self, word: u64) -> [u64; 2] {
        let first = self.first.get(word);
        [first, self.second.get(word).wrapping_sub(self.share.wrapping_mul(first))]
    }

    /// Returns the first two numbers of a word; the second is zero if there is only one.
    #[inline(always)]
    pub(super) const fn first_two(&self, word: u64) -> [u64; 2] {
        [self.first_two[0].get(word), self.first_two[1].get(word)]
    }

    #[inline(always)]
    pub(super) const fn number(&self, word: u64, at: usize) -> u64 {
        word >> (self.bits * (self.highest - at)) & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For every mark of short lines, the word computed from the sums gives back its numbers and sums.
    #[test]
    fn words_round_trip() {
        for kind in FeedbackKind::ALL.into_iter().filter(|kind| !kind.model().per_cell) {
            for cells in 1..6usize {
                for sums in (0..=cells as u64).flat_map(|first| (0..=cells as u64).map(move |second| [first, second])) {
                    let model = kind.model();
                    let numbers: Vec<i64> = model.numbers_at(sums, cells).collect();
                    if numbers.iter().any(|&number| number < 0) {
                        continue;
                    }
                    let mark = Mark::from_sums(kind, sums, cells);
                    assert!(mark.numbers().map(|number| number as i64).eq(numbers), "{kind} {sums:?}");
                    let used =
                        [model.numbers[0].coefficients[0], i64::from(model.has_second())].map(|used| used as u64);
                    assert_eq!(mark.sums(), [sums[0] * used[0], sums[1] * used[1]], "{kind} {sums:?}");
                }
            }
        }
    }
}
