//! One line's answer.

use std::fmt;

use super::{
    FeedbackKind,
    terms::{CellTerm, FeedbackModel, KeyPeg},
};
use crate::limits::{MAX_CELLS, MAX_COLORS};

/// What one line says about a guess: a few numbers, such as black and white pegs, or a peg for each cell.
///
/// ```
/// use pegwise_game::{FeedbackKind, Mark};
/// let mark = Mark::from_numbers(FeedbackKind::BlackWhite, &[1, 2], 4, 6).unwrap();
/// assert_eq!((mark.black(), mark.pegs()), (Some(1), Some(3)));
/// assert_eq!(mark.to_string(), "1,2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// The first of the kinds whose marks are written like this one.
    kind: FeedbackKind,
    /// The numbers side by side, the first highest, so that marks order as their numbers do. Cell by cell: a one, then
    /// a digit to base three for each cell.
    value: u64,
}

/// The most cells of a line that is told cell by cell: as many digits as a mark has room for.
pub(crate) const MOST_TOLD: usize = 39;

/// The letters of a mark that tells cell by cell: nothing, white, black.
const LETTERS: [char; 3] = ['-', 'w', 'b'];

/// Why numbers are not a mark of a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MarkError {
    /// The wrong count of numbers.
    #[error("a {kind} mark is {} ({} in all), and {found} given", words(*kind), numbers(*kind, *expected))]
    WrongArity {
        /// The kind of feedback the rules give.
        kind: FeedbackKind,
        /// Numbers in a mark of that kind.
        expected: usize,
        /// Numbers given, in words with their verb.
        found: String,
    },
    /// A mark of another kind of feedback.
    #[error("a {found} mark where {kind} feedback is given")]
    WrongKind {
        /// The kind of feedback the rules give.
        kind: FeedbackKind,
        /// The kind of the mark.
        found: FeedbackKind,
    },
    /// More pegs than the line has cells.
    #[error("{pegs} pegs on a line of {cells}")]
    TooManyPegs {
        /// Pegs given.
        pegs: u64,
        /// Cells of the line.
        cells: usize,
    },
    /// Black, higher and lower do not add up.
    #[error("black, higher and lower add up to {pegs}, but the line has {cells} cells")]
    WrongSum {
        /// Pegs given.
        pegs: u64,
        /// Cells of the line.
        cells: usize,
    },
    /// All but one black and the last one white.
    #[error("one peg in the wrong place with all others right cannot be")]
    LastPegWhite,
    /// A distance that no two codes have.
    #[error("no two codes of these rules are {distance} apart; the largest distance of this line is {largest}")]
    TooFar {
        /// Distance given.
        distance: u64,
        /// The largest there is.
        largest: u64,
    },
    /// A cell that is neither black nor white nor nothing.
    #[error("a cell is told as 2 for black, 1 for white or 0 for nothing, not {found}")]
    InvalidCellValue {
        /// The number given.
        found: u64,
    },
}

fn words(kind: FeedbackKind) -> String {
    if kind.model().per_cell {
        return "a letter for each cell: b, w or -".to_owned();
    }
    kind.number_names().collect::<Vec<_>>().join(",")
}

fn numbers(kind: FeedbackKind, count: usize) -> String {
    let what = if kind.model().per_cell { "letter" } else { "number" };
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

impl Mark {
    /// The mark of a line whose cells and colors add up to these sums.
    #[inline]
    pub(crate) fn from_sums(kind: FeedbackKind, sums: [u64; 2], cells: usize) -> Self {
        Self { kind: kind.written_as(), value: kind.model().packing.word(sums, cells) }
    }

    /// The mark that tells each cell by itself: 0 for nothing, 1 for white, 2 for black.
    #[inline]
    pub(crate) fn from_told(kind: FeedbackKind, told: impl IntoIterator<Item = u64>) -> Self {
        Self { kind, value: told.into_iter().fold(1, |value, told| value * 3 + told) }
    }

    /// The mark of a fully right line.
    pub(super) fn winning(kind: FeedbackKind, cells: usize) -> Self {
        let terms = kind.model();
        let pegs = |counted: bool| if counted { cells as u64 } else { 0 };
        match (terms.per_cell, terms.cell) {
            (true, _) => Self::from_told(kind, std::iter::repeat_n(2, cells)),
            (false, cell) => {
                let agree = matches!(cell, CellTerm::Equal | CellTerm::Ordered);
                Self::from_sums(kind, [pegs(agree), pegs(terms.colors)], cells)
            }
        }
    }

    /// The mark these numbers spell on a line of `cells` cells with colors 1 to `colors`.
    pub fn from_numbers(kind: FeedbackKind, numbers: &[u64], cells: usize, colors: u16) -> Result<Self, MarkError> {
        let terms = kind.model();
        let expected = terms.arity(cells);
        if numbers.len() != expected {
            let found = match numbers.len() {
                1 => "1 was".to_owned(),
                count => format!("{count} were"),
            };
            return Err(MarkError::WrongArity { kind, expected, found });
        }
        if !terms.cell.is_count() {
            let (distance, largest) = (numbers[0], terms.max_number(cells, colors));
            let far = MarkError::TooFar { distance, largest };
            return if distance <= largest { Ok(Self::from_sums(kind, [distance, 0], cells)) } else { Err(far) };
        }
        if let Some(&found) = numbers.iter().find(|&&told| terms.per_cell && told > 2) {
            return Err(MarkError::InvalidCellValue { found });
        }
        let mark = if terms.per_cell {
            Self::from_told(kind, numbers.iter().copied())
        } else {
            let pegs = numbers.iter().fold(0u64, |sum, &number| sum.saturating_add(number));
            if pegs > cells as u64 {
                return Err(MarkError::TooManyPegs { pegs, cells });
            }
            if terms.adds_up() && pegs < cells as u64 {
                return Err(MarkError::WrongSum { pegs, cells });
            }
            Self { kind: kind.written_as(), value: terms.packing.pack(numbers) }
        };
        if mark.is_last_white(cells) { Err(MarkError::LastPegWhite) } else { Ok(mark) }
    }

    /// The mark these numbers spell on some line, if any is long enough.
    #[must_use]
    pub fn of(kind: FeedbackKind, numbers: &[u64]) -> Option<Self> {
        let sum = usize::try_from(numbers.iter().fold(0u64, |sum, &number| sum.saturating_add(number))).ok()?;
        let cells = match kind.model() {
            terms if terms.per_cell => Some(numbers.len()).filter(|&cells| cells <= MOST_TOLD)?,
            terms if terms.adds_up() => Some(sum).filter(|&cells| cells <= MAX_CELLS)?,
            _ => MAX_CELLS,
        };
        Self::from_numbers(kind, numbers, cells, MAX_COLORS).ok()
    }

    /// Whether it is plain that a line of so many cells can have this mark where this kind of feedback is given: games ask it of
    /// every turn. Where it is not plain, [`Mark::check`] tells.
    #[inline]
    pub(crate) fn plainly_fits(self, kind: FeedbackKind, cells: usize) -> bool {
        // The usual kind is named, so that what it means is known to the compiler.
        match kind {
            FeedbackKind::BlackWhite => self.plainly_fits_by(FeedbackKind::BlackWhite, cells),
            kind => self.plainly_fits_by(kind, cells),
        }
    }

    #[inline(always)]
    fn plainly_fits_by(self, kind: FeedbackKind, cells: usize) -> bool {
        let terms = kind.model();
        if self.kind != kind.written_as() || !terms.cell.is_count() || terms.per_cell {
            return false;
        }
        let pegs: u64 = (0..terms.numbers.len()).map(|at| terms.packing.number(self.value, at)).sum();
        let counted = pegs == cells as u64 || pegs < cells as u64 && !terms.adds_up();
        counted && !self.is_last_white_by(terms, cells)
    }

    /// Whether a line of so many cells can have this mark where this kind of feedback is given.
    pub(crate) fn check(self, kind: FeedbackKind, cells: usize, colors: u16) -> Result<(), MarkError> {
        if self.kind != kind.written_as() {
            return Err(MarkError::WrongKind { kind, found: self.kind });
        }
        Self::from_numbers(kind, &self.numbers().collect::<Vec<_>>(), cells, colors).map(|_| ())
    }

    /// Whether all pegs but one are black and the last one white, which cannot be.
    #[inline]
    fn is_last_white(self, cells: usize) -> bool {
        self.is_last_white_by(self.kind.model(), cells)
    }

    #[inline(always)]
    fn is_last_white_by(self, terms: &FeedbackModel, cells: usize) -> bool {
        terms.colors && terms.cell == CellTerm::Equal && self.sums_by(terms) == [cells as u64 - 1, cells as u64]
    }

    /// Whether some mark of such a line has these numbers where they are known, and what is wrong if none has.
    ///
    /// ```
    /// use pegwise_game::{FeedbackKind, Mark};
    /// let check = |numbers: &[Option<u64>]| Mark::check_partial(FeedbackKind::BlackWhite, numbers, 4, 6);
    /// assert!(check(&[Some(3), None]).is_ok());
    /// assert!(check(&[Some(5), None]).is_err());
    /// ```
    pub fn check_partial(
        kind: FeedbackKind,
        numbers: &[Option<u64>],
        cells: usize,
        colors: u16,
    ) -> Result<(), MarkError> {
        // Nothing is put where it does not matter, and what is left of the line where all numbers add up to it.
        let known = numbers.iter().flatten().fold(0u64, |sum, &number| sum.saturating_add(number));
        let mut rest = if kind.model().adds_up() { (cells as u64).saturating_sub(known) } else { 0 };
        let filled: Vec<u64> =
            numbers.iter().map(|number| number.unwrap_or_else(|| std::mem::take(&mut rest))).collect();
        Self::from_numbers(kind, &filled, cells, colors).map(|_| ())
    }

    /// The kind of feedback; the first of those whose marks are written alike.
    #[must_use]
    pub fn kind(self) -> FeedbackKind {
        self.kind
    }

    /// How many cells a mark that tells cell by cell speaks of.
    fn told_cells(self) -> usize {
        self.value.checked_ilog(3).unwrap_or(0) as usize
    }

    /// What is told of each cell, first to last: 0 for nothing, 1 for white, 2 for black. Nothing at all for kinds that
    /// speak of the line as a whole.
    pub fn cell_values(self) -> impl ExactSizeIterator<Item = u64> + DoubleEndedIterator {
        let cells = if self.kind.model().per_cell { self.told_cells() } else { 0 };
        (0..cells).map(move |cell| self.value / 3u64.pow((cells - 1 - cell) as u32) % 3)
    }

    /// The numbers a mark is written with, in order.
    pub fn numbers(self) -> impl ExactSizeIterator<Item = u64> {
        let told = self.kind.model().per_cell;
        let count = if told { self.told_cells() } else { self.kind.model().numbers.len() };
        (0..count).map(move |at| match told {
            true => self.value / 3u64.pow((count - 1 - at) as u32) % 3,
            false => self.number(at),
        })
    }

    #[inline]
    fn number(self, at: usize) -> u64 {
        self.kind.model().packing.number(self.value, at)
    }

    /// The two sums behind the numbers, as the terms of the kind define them.
    #[inline]
    #[must_use]
    pub fn sums(self) -> [u64; 2] {
        self.sums_by(self.kind.model())
    }

    #[inline(always)]
    fn sums_by(self, terms: &FeedbackModel) -> [u64; 2] {
        if terms.per_cell {
            let count = |least: u64| self.cell_values().filter(|&told| told >= least).count() as u64;
            return [count(2), count(1)];
        }
        terms.packing.sums(self.value)
    }

    /// Cells with the right color, where the kind tells.
    #[must_use]
    pub fn black(self) -> Option<usize> {
        let tells = matches!(self.kind.model().cell, CellTerm::Equal | CellTerm::Ordered);
        tells.then(|| self.sums()[0] as usize)
    }

    /// Pegs of a right color, in whatever place, where the kind tells.
    #[must_use]
    pub fn pegs(self) -> Option<usize> {
        self.kind.model().colors.then(|| self.sums()[1] as usize)
    }

    /// The mark as one number: different marks of a game are different numbers.
    #[inline]
    #[must_use]
    pub fn word(self) -> u64 {
        self.value
    }

    /// The pegs to draw, so many of each sign, in order; cell by cell, one for each cell, without a sign where nothing is
    /// told. Nothing at all where numbers are too large to be drawn.
    #[must_use]
    pub fn key_pegs(self) -> Vec<(usize, Option<KeyPeg>)> {
        const TOLD: [Option<KeyPeg>; 3] = [None, Some(KeyPeg::White), Some(KeyPeg::Black)];
        let terms = self.kind.model();
        if terms.per_cell {
            return self.cell_values().map(|told| (1, TOLD[told as usize])).collect();
        }
        let drawn = terms.numbers.iter().zip(self.numbers()).filter(|(number, _)| number.key_peg.is_some());
        drawn.map(|(number, count)| (count as usize, number.key_peg)).collect()
    }

    /// By how much this mark misses the one that was answered, as the first two of their numbers tell: zero twice for
    /// the same mark alone. Cell by cell, the first counts the cells that differ.
    #[inline]
    #[must_use]
    pub fn residual(self, answered: Self) -> [i64; 2] {
        // The usual kind is named, so that what it means is known to the compiler.
        match self.kind {
            FeedbackKind::BlackWhite => self.misfit_by(FeedbackKind::BlackWhite.model(), answered),
            kind if kind.model().per_cell => self.cells_apart(answered),
            kind => self.misfit_by(kind.model(), answered),
        }
    }

    #[inline(always)]
    fn misfit_by(self, terms: &FeedbackModel, answered: Self) -> [i64; 2] {
        let (own, other) = (terms.packing.two(self.value), terms.packing.two(answered.value));
        [own[0] as i64 - other[0] as i64, own[1] as i64 - other[1] as i64]
    }

    #[inline(never)]
    fn cells_apart(self, answered: Self) -> [i64; 2] {
        [self.cell_values().zip(answered.cell_values()).filter(|(one, other)| one != other).count() as i64, 0]
    }

    /// The place of the mark among all marks of a line of so many cells: a sum over pegs and colors, so that kernels
    /// only add.
    #[inline]
    pub(crate) fn place(self, cells: usize) -> u64 {
        let terms = self.kind.model();
        if terms.per_cell {
            return self.value - 3u64.pow(self.told_cells() as u32);
        }
        let [first, second] = terms.packing.sums(self.value);
        first * terms.first_weight(cells) as u64 + second
    }

    /// The mark at a place, if there is one that a line of so many cells can have.
    pub(crate) fn at(kind: FeedbackKind, place: usize, cells: usize, colors: u16) -> Option<Self> {
        let terms = kind.model();
        let numbers: Vec<u64> = if terms.per_cell {
            Self { kind, value: 3u64.pow(cells as u32) + place as u64 }.numbers().collect()
        } else {
            let sums = match terms.first_weight(cells) {
                0 => [0, place],
                weight if terms.has_second() => [place / weight, place % weight],
                _ => [place, 0],
            };
            // A number below zero wraps round, and is far too large.
            terms.numbers_at(sums.map(|sum| sum as u64), cells).map(|number| number as u64).collect()
        };
        Self::from_numbers(kind, &numbers, cells, colors).ok()
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind.model().per_cell {
            return self.cell_values().try_for_each(|told| write!(f, "{}", letter(told)));
        }
        self.numbers().enumerate().try_for_each(|(at, number)| {
            let between = if at == 0 { "" } else { "," };
            write!(f, "{between}{number}")
        })
    }
}

/// The letter for what is told of a cell.
pub(super) fn letter(told: u64) -> char {
    LETTERS[told as usize]
}

/// The number that a letter stands for where cells are told one by one.
pub(crate) fn read_letter(letter: char) -> Option<u64> {
    let at = LETTERS.iter().position(|known| letter.eq_ignore_ascii_case(known));
    at.map(|at| at as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every mark of so many numbers up to seven, on some line.
    fn marks(kind: FeedbackKind) -> Vec<Mark> {
        let lists =
            |count: u32| (0..8u64.pow(count)).map(move |list| (0..count).map(move |at| list / 8u64.pow(at) % 8));
        let numbers = (1..=3).flat_map(lists).map(Iterator::collect::<Vec<_>>);
        numbers.filter_map(|numbers| Mark::of(kind, &numbers)).collect()
    }

    /// What is seen at once is what spelling the numbers out comes to; kinds that are not seen at once are spelled out.
    #[test]
    fn what_plainly_fits_is_what_can_be_spelled() {
        let mut seen = 0;
        for kind in FeedbackKind::ALL {
            let at_once = kind.model().cell.is_count() && !kind.model().per_cell;
            for other in FeedbackKind::ALL {
                for (mark, cells) in marks(other).into_iter().flat_map(|mark| (1..=7).map(move |cells| (mark, cells))) {
                    let (plain, fits) = (mark.plainly_fits(kind, cells), mark.check(kind, cells, 6).is_ok());
                    assert_eq!(plain, fits && at_once, "{other} {mark} as {kind} on {cells} cells");
                    seen += usize::from(plain);
                }
            }
        }
        assert!(seen > 100, "{seen}");
    }
}
