//! Marks: the answer of one line, its encodings, and its JSON form.

use std::{collections::BTreeMap, fmt};

use serde::de::Error as _;
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::model::{CellTerm, FeedbackKind, FeedbackModel, KeyPeg};
use crate::board::MAX_CELLS;
use crate::color::{MAX_COLORS, counted};

/// The answer of one line to a guess: a few numbers, such as black and white pegs, or a peg for each cell.
///
/// ```
/// use pegwise_game::{FeedbackKind, Mark};
/// let mark = Mark::from_numbers(FeedbackKind::BlackWhite, &[1, 2], 4, 6).unwrap();
/// assert_eq!((mark.black(), mark.pegs()), (Some(1), Some(3)));
/// assert_eq!(mark.to_string(), "1,2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// The first kind whose marks are written in the same way.
    kind: FeedbackKind,
    /// The packed numbers, the first highest, so that marks are ordered like their numbers. For per-cell feedback: the digit
    /// one, then a digit to base three for each cell.
    value: u64,
}

/// Maximum length of a line with per-cell feedback: the number of ternary digits that fit in a mark after the leading one.
pub(crate) const MAX_PER_CELL_LINE: usize = 39;
const _: () = assert!(3u64.checked_pow(MAX_PER_CELL_LINE as u32 + 1).is_some());

/// Letters of the cell values nothing, white and black.
const LETTERS: [char; 3] = ['-', 'w', 'b'];

/// The same in word games: gray, yellow and green; the squares of high contrast are blue and orange.
const WORD_GAME_MARKS: [&str; 3] = ["x._⬜⬛", "y🟨🟦", "g🟩🟧"];

/// Error for numbers that are not a possible mark of a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MarkError {
    /// The wrong number of numbers: the kind of feedback, its number of numbers, and the number given, with a verb.
    #[error("a {0} mark is {words} ({count} in all), but {2} given", words = words(*.0), count = numbers(*.0, *.1))]
    WrongArity(FeedbackKind, usize, String),
    /// The kind of feedback of the rules, and that of the mark.
    #[error("a {1} mark in a game with {0} feedback")]
    WrongKind(FeedbackKind, FeedbackKind),
    /// More pegs than the line has cells.
    #[error("{0} pegs on a line of {1}")]
    TooManyPegs(u64, usize),
    /// Black, higher and lower do not add up: their sum, and the cells of the line.
    #[error("black, higher and lower add up to {0}, but the line has {1} cells")]
    WrongSum(u64, usize),
    /// All pegs black except for a white one.
    #[error("one peg in the wrong place with all others right is impossible")]
    LastPegWhite,
    /// A distance larger than that of any two codes, and the largest distance.
    #[error("no two codes of these rules are {0} apart; the largest distance of this line is {1}")]
    TooFar(u64, u64),
    /// A cell value other than 0, 1 and 2.
    #[error("a cell is 2 for black, 1 for white or 0 for none, not {0}")]
    InvalidCellValue(u64),
}

fn words(kind: FeedbackKind) -> String {
    if kind.model().per_cell {
        return "a letter for each cell: b, w or -".to_owned();
    }
    kind.number_names().collect::<Vec<_>>().join(",")
}

fn numbers(kind: FeedbackKind, count: usize) -> String {
    let (one, many) = if kind.model().per_cell { ("letter", "letters") } else { ("number", "numbers") };
    counted(count, one, many)
}

impl Mark {
    /// Creates the mark of a line with these sums.
    #[inline]
    pub(crate) fn from_sums(kind: FeedbackKind, sums: [u64; 2], cells: usize) -> Self {
        Self { kind: kind.written_as(), value: kind.model().layout.word(sums, cells) }
    }

    /// Creates a per-cell mark from cell values: 0 for nothing, 1 for white, 2 for black.
    #[inline]
    pub(crate) fn from_cell_values(kind: FeedbackKind, cells: impl IntoIterator<Item = u64>) -> Self {
        Self { kind, value: cells.into_iter().fold(1, |value, cell| value * 3 + cell) }
    }

    /// Creates a mark from its numbers, for a line of `cells` cells in a game with `colors` colors.
    pub fn from_numbers(kind: FeedbackKind, numbers: &[u64], cells: usize, colors: u16) -> Result<Self, MarkError> {
        let model = kind.model();
        let expected = model.arity(cells);
        if numbers.len() != expected {
            return Err(MarkError::WrongArity(kind, expected, counted(numbers.len(), "was", "were")));
        }
        if !model.cell.is_count() {
            let (distance, largest) = (numbers[0], model.max_number(cells, colors));
            let far = MarkError::TooFar(distance, largest);
            return if distance <= largest { Ok(Self::from_sums(kind, [distance, 0], cells)) } else { Err(far) };
        }
        if let Some(&found) = numbers.iter().find(|&&cell| model.per_cell && cell > 2) {
            return Err(MarkError::InvalidCellValue(found));
        }
        let mark = if model.per_cell {
            Self::from_cell_values(kind, numbers.iter().copied())
        } else {
            let pegs = numbers.iter().fold(0u64, |sum, &number| sum.saturating_add(number));
            if pegs > cells as u64 {
                return Err(MarkError::TooManyPegs(pegs, cells));
            }
            if model.adds_up() && pegs < cells as u64 {
                return Err(MarkError::WrongSum(pegs, cells));
            }
            Self { kind: kind.written_as(), value: model.layout.pack(numbers) }
        };
        if mark.is_last_white(model, cells) { Err(MarkError::LastPegWhite) } else { Ok(mark) }
    }

    /// Creates a mark from its numbers if it is possible on a line of some length.
    pub fn of(kind: FeedbackKind, numbers: &[u64]) -> Option<Self> {
        let sum = usize::try_from(numbers.iter().fold(0u64, |sum, &number| sum.saturating_add(number))).ok()?;
        let cells = match kind.model() {
            model if model.per_cell => Some(numbers.len()).filter(|&cells| cells <= MAX_PER_CELL_LINE)?,
            model if model.adds_up() => Some(sum).filter(|&cells| cells <= MAX_CELLS)?,
            _ => MAX_CELLS,
        };
        Self::from_numbers(kind, numbers, cells, MAX_COLORS).ok()
    }

    /// Returns true only if the mark is possible; false means that [`Mark::check`] has to decide.
    #[inline]
    pub(crate) fn quick_check(self, kind: FeedbackKind, cells: usize) -> bool {
        // Specialized for the most common kind.
        match kind {
            FeedbackKind::BlackWhite => self.quick_check_by(FeedbackKind::BlackWhite, cells),
            kind => self.quick_check_by(kind, cells),
        }
    }

    #[inline(always)]
    fn quick_check_by(self, kind: FeedbackKind, cells: usize) -> bool {
        let model = kind.model();
        if self.kind != kind.written_as() || !model.cell.is_count() || model.per_cell {
            return false;
        }
        let pegs: u64 = (0..model.numbers.len()).map(|at| model.layout.number(self.value, at)).sum();
        let counted = pegs == cells as u64 || pegs < cells as u64 && !model.adds_up();
        counted && !self.is_last_white(model, cells)
    }

    /// Checks that the mark is possible on a line of `cells` cells with feedback of a kind.
    pub(crate) fn check(self, kind: FeedbackKind, cells: usize, colors: u16) -> Result<(), MarkError> {
        if self.kind != kind.written_as() {
            return Err(MarkError::WrongKind(kind, self.kind));
        }
        Self::from_numbers(kind, &self.numbers().collect::<Vec<_>>(), cells, colors).map(|_| ())
    }

    /// Returns true if all pegs but one are black and the last one is white, which is impossible.
    #[inline(always)]
    fn is_last_white(self, model: &FeedbackModel, cells: usize) -> bool {
        model.colors && model.cell == CellTerm::Equal && self.sums_by(model) == [cells as u64 - 1, cells as u64]
    }

    /// Checks that some mark of a line of `cells` cells has the known numbers.
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
        // Unknown numbers are zero, except that the first takes the rest if the numbers must add up to the line.
        let known = numbers.iter().flatten().fold(0u64, |sum, &number| sum.saturating_add(number));
        let mut rest = if kind.model().adds_up() { (cells as u64).saturating_sub(known) } else { 0 };
        let filled: Vec<u64> =
            numbers.iter().map(|number| number.unwrap_or_else(|| std::mem::take(&mut rest))).collect();
        Self::from_numbers(kind, &filled, cells, colors).map(|_| ())
    }

    /// Returns the kind of feedback: the first of those whose marks are written in the same way.
    pub fn kind(self) -> FeedbackKind {
        self.kind
    }

    /// Returns the number of cells of a per-cell mark.
    fn cell_count(self) -> usize {
        self.value.checked_ilog(3).unwrap_or(0) as usize
    }

    /// Iterates over the cells of a per-cell mark: 0 for nothing, 1 for white, 2 for black. Empty for other kinds.
    pub fn cell_values(self) -> impl Iterator<Item = u64> {
        self.numbers().take(if self.kind.model().per_cell { usize::MAX } else { 0 })
    }

    /// Iterates over the numbers of the mark, in the order in which they are written.
    pub fn numbers(self) -> impl ExactSizeIterator<Item = u64> {
        let per_cell = self.kind.model().per_cell;
        let count = if per_cell { self.cell_count() } else { self.kind.model().numbers.len() };
        (0..count).map(move |at| match per_cell {
            true => self.value / 3u64.pow((count - 1 - at) as u32) % 3,
            false => self.kind.model().layout.number(self.value, at),
        })
    }

    /// Returns the two sums from which the numbers are computed; see [`FeedbackModel`].
    #[inline]
    pub fn sums(self) -> [u64; 2] {
        self.sums_by(self.kind.model())
    }

    #[inline(always)]
    fn sums_by(self, model: &FeedbackModel) -> [u64; 2] {
        if model.per_cell {
            let count = |least: u64| self.cell_values().filter(|&cell| cell >= least).count() as u64;
            return [count(2), count(1)];
        }
        model.layout.sums(self.value)
    }

    /// Returns the number of cells with the right color, if the kind includes it.
    pub fn black(self) -> Option<usize> {
        let counts_black = matches!(self.kind.model().cell, CellTerm::Equal | CellTerm::Ordered);
        counts_black.then(|| self.sums()[0] as usize)
    }

    /// Returns the number of pegs of a right color in any place, if the kind includes it.
    pub fn pegs(self) -> Option<usize> {
        self.kind.model().colors.then(|| self.sums()[1] as usize)
    }

    /// Returns the mark as one number, distinct for distinct marks of a game.
    #[inline]
    pub fn word(self) -> u64 {
        self.value
    }

    /// Returns the key pegs to draw, with the number of each. Per-cell marks have one entry for each cell, `None` for neither
    /// black nor white; distances are not drawn.
    pub fn key_pegs(self) -> Vec<(usize, Option<KeyPeg>)> {
        const CELL_PEGS: [Option<KeyPeg>; 3] = [None, Some(KeyPeg::White), Some(KeyPeg::Black)];
        let model = self.kind.model();
        if model.per_cell {
            return self.cell_values().map(|cell| (1, CELL_PEGS[cell as usize])).collect();
        }
        let drawn = model.numbers.iter().zip(self.numbers()).filter(|(number, _)| number.key_peg.is_some());
        drawn.map(|(number, count)| (count as usize, number.key_peg)).collect()
    }

    /// Returns the differences of the first two numbers from those of another mark; both are zero only for equal marks. For
    /// per-cell marks, the first is the number of cells that differ.
    #[inline]
    pub fn residual(self, answered: Self) -> [i64; 2] {
        // Specialized for the most common kind.
        match self.kind {
            FeedbackKind::BlackWhite => self.residual_by(FeedbackKind::BlackWhite.model(), answered),
            kind if kind.model().per_cell => self.differing_cells(answered),
            kind => self.residual_by(kind.model(), answered),
        }
    }

    #[inline(always)]
    fn residual_by(self, model: &FeedbackModel, answered: Self) -> [i64; 2] {
        let (own, other) = (model.layout.first_two(self.value), model.layout.first_two(answered.value));
        [own[0] as i64 - other[0] as i64, own[1] as i64 - other[1] as i64]
    }

    #[inline(never)]
    fn differing_cells(self, answered: Self) -> [i64; 2] {
        [self.cell_values().zip(answered.cell_values()).filter(|(one, other)| one != other).count() as i64, 0]
    }

    /// Returns the index of the mark among all marks of a line of `cells` cells. It is a sum over pegs and colors, so kernels
    /// compute it by additions.
    #[inline]
    pub(crate) fn index(self, cells: usize) -> u64 {
        let model = self.kind.model();
        if model.per_cell {
            return self.value - 3u64.pow(self.cell_count() as u32);
        }
        let [first, second] = model.layout.sums(self.value);
        first * model.first_weight(cells) as u64 + second
    }

    /// Returns the mark with an index, if a line of `cells` cells can have it.
    pub(crate) fn from_index(kind: FeedbackKind, index: usize, cells: usize, colors: u16) -> Option<Self> {
        let model = kind.model();
        let numbers: Vec<u64> = if model.per_cell {
            Self { kind, value: 3u64.pow(cells as u32) + index as u64 }.numbers().collect()
        } else {
            let sums = match model.first_weight(cells) {
                0 => [0, index],
                weight if model.has_second() => [index / weight, index % weight],
                _ => [index, 0],
            };
            // A negative number wraps to one that is too large.
            model.numbers_at(sums.map(|sum| sum as u64), cells).map(|number| number as u64).collect()
        };
        Self::from_numbers(kind, &numbers, cells, colors).ok()
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind.model().per_cell {
            return self.cell_values().try_for_each(|cell| write!(f, "{}", letter(cell)));
        }
        self.numbers().enumerate().try_for_each(|(at, number)| {
            let between = if at == 0 { "" } else { "," };
            write!(f, "{between}{number}")
        })
    }
}

/// Returns the letter of a cell value.
pub(super) fn letter(cell: u64) -> char {
    LETTERS[cell as usize]
}

/// Returns the cell value of a letter.
pub(crate) fn parse_letter(letter: char) -> Option<u64> {
    let letter = letter.to_ascii_lowercase();
    let at = LETTERS.iter().zip(WORD_GAME_MARKS).position(|(&own, others)| letter == own || others.contains(letter));
    at.map(|at| at as u64)
}

/// JSON names of the cell values.
const CELL_NAMES: [&str; 3] = ["nothing", "white", "black"];

/// JSON form of a mark of unknown rules: numbers by name, such as `{"black": 1, "white": 0}`, or a word for each cell, such as
/// `["black", "nothing"]`. Unknown numbers are null.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum SerializedMark {
    /// Numbers by name.
    Named(BTreeMap<String, Option<u64>>),
    /// A word for each cell.
    PerCell(Vec<Option<String>>),
}

impl SerializedMark {
    /// Returns the numbers of a mark of a kind, in the order in which they are written; `None` if the form does not match the
    /// kind.
    pub fn numbers(&self, kind: FeedbackKind) -> Option<Vec<Option<u64>>> {
        match self {
            Self::Named(named) if !kind.model().per_cell && named.len() == kind.number_names().len() => {
                kind.number_names().map(|name| named.get(name).copied()).collect()
            }
            Self::PerCell(words) if kind.model().per_cell => {
                let cell = |word: &String| CELL_NAMES.iter().position(|known| known == word).map(|at| Some(at as u64));
                words.iter().map(|word| word.as_ref().map_or(Some(None), cell)).collect()
            }
            _ => None,
        }
    }

    /// Serializes numbers, some of which may be unknown.
    pub fn serialize<S: Serializer>(
        kind: FeedbackKind,
        numbers: impl ExactSizeIterator<Item = Option<u64>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        if kind.model().per_cell {
            let mut list = serializer.serialize_seq(Some(numbers.len()))?;
            for cell in numbers {
                list.serialize_element(&cell.map(|cell| CELL_NAMES[cell as usize]))?;
            }
            return list.end();
        }
        let mut map = serializer.serialize_map(Some(numbers.len()))?;
        for (name, number) in kind.number_names().zip(numbers) {
            map.serialize_entry(name, &number)?;
        }
        map.end()
    }
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedMark::serialize(self.kind(), self.numbers().map(Some), serializer)
    }
}

/// Accepts marks of any line; [`crate::Rules::check_feedback`] checks them against the board.
impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = SerializedMark::deserialize(deserializer)?;
        let read = |kind: FeedbackKind| Some((kind, written.numbers(kind)?.into_iter().collect::<Option<Vec<u64>>>()?));
        let found = FeedbackKind::ALL.into_iter().find_map(read);
        let (kind, numbers) = found.ok_or_else(|| D::Error::custom("no kind of feedback has such a mark"))?;
        Self::of(kind, &numbers).ok_or_else(|| D::Error::custom("no line can have such a mark"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns every mark of one to three numbers up to seven that some line can have.
    fn marks(kind: FeedbackKind) -> Vec<Mark> {
        let lists =
            |count: u32| (0..8u64.pow(count)).map(move |list| (0..count).map(move |at| list / 8u64.pow(at) % 8));
        let numbers = (1..=3).flat_map(lists).map(Iterator::collect::<Vec<_>>);
        numbers.filter_map(|numbers| Mark::of(kind, &numbers)).collect()
    }

    #[test]
    fn the_quick_check_agrees_with_the_full_check() {
        let mut seen = 0;
        for kind in FeedbackKind::ALL {
            let has_quick_check = kind.model().cell.is_count() && !kind.model().per_cell;
            for other in FeedbackKind::ALL {
                for (mark, cells) in marks(other).into_iter().flat_map(|mark| (1..=7).map(move |cells| (mark, cells))) {
                    let (quick, fits) = (mark.quick_check(kind, cells), mark.check(kind, cells, 6).is_ok());
                    assert_eq!(quick, fits && has_quick_check, "{other} {mark} as {kind} on {cells} cells");
                    seen += usize::from(quick);
                }
            }
        }
        assert!(seen > 100, "{seen}");
    }
}
