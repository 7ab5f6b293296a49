//! The rules of a game: the board, the colors and the options, their text notation, and the codes and feedback that they allow.
//!
//! ```text
//! 4x6                      4 cells in a row, 6 colors
//! 4x10:no-repeats          Bulls & Cows
//! 20x20:black-only         black pegs alone
//! grid:4x4x6               rows and columns (also triangle:4x6, cube:3x3x3x6, ring:8x6, lines:1.2.3/3.4.5x6)
//! 4x6:higher-lower:max-guesses=10
//! 4x6:lies=1               at most one answer is false
//! ```

use std::fmt;
use std::num::{NonZeroU8, NonZeroU32};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::board::{Board, BoardError, Shape, parse_lines};
use crate::code::{self, Code, CodeError, CodeErrorReason, shorten};
use crate::color::{Color, ColorNameError, ColorNames, MAX_COLORS, Palette, counted};
use crate::feedback::{
    BULLS_AND_COWS, Feedback, FeedbackKind, MAX_PER_CELL_LINE, Mark, MarkError, MarkNumber, parse_letter,
};

/// The rules of a game: board, colors and options. Cheap to clone.
///
/// ```
/// use pegwise_game::{FeedbackKind, Rules};
/// let rules: Rules = "4x10:no-repeats".parse().unwrap();
/// assert_eq!((rules.cells(), rules.colors(), rules.repeats()), (4, 10, false));
/// assert_eq!(rules.to_string(), "4x10:no-repeats");
/// assert_eq!("4x6".parse::<Rules>().unwrap().with_feedback(FeedbackKind::BlackOnly).unwrap().to_string(), "4x6:black-only");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rules {
    board: Board,
    colors: u16,
    repeats: bool,
    feedback: FeedbackKind,
    lies: u8,
    max_guesses: Option<NonZeroU32>,
    names: ColorNames,
}

/// Error for impossible rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The board is impossible.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// No color, or too many.
    #[error("a game has 1 to {MAX_COLORS} colors, not {0}")]
    Colors(u64),
    /// Too few colors to fill the cells of the board without repeats: cells and colors.
    #[error("{0} cells cannot be filled without repeats from {colors}", colors = counted((*.1).into(), "color", "colors"))]
    TooFewColors(usize, u16),
    /// An unknown shape.
    #[error("'{0}' is not a shape; use row, grid, triangle, cube, ring or lines, as in grid:4x4x6")]
    UnknownShape(String),
    /// A size in the wrong notation, and the expected notation.
    #[error("'{0}' is not a size; write {1}")]
    Size(String, &'static str),
    /// An unknown option.
    #[error("'{0}' is not an option; use no-repeats, {kinds}, lies=N or max-guesses=N", kinds = kinds())]
    UnknownOption(String),
    /// A line too long for per-cell feedback: the kind of feedback, and the cells of the line.
    #[error("{0} feedback is for lines of at most {MAX_PER_CELL_LINE} cells, not {1}")]
    LongLine(FeedbackKind, usize),
    /// An option that an earlier one excludes.
    #[error("'{0}' contradicts or repeats an earlier option")]
    Contradiction(String),
}

/// Error for text that is not a feedback of the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FeedbackError {
    /// A text with a word that is not a number: text, word, and an example of a feedback.
    #[error("'{0}' is not a feedback: '{1}' is not a number; write for example {2}")]
    NotANumber(String, String, String),
    /// A character that does not mark a cell: text and character.
    #[error("'{0}' is not a feedback: '{1}' is not the mark of a cell; write g, y and - (or b, w and -), as in gy---")]
    NotACell(String, char),
    /// The wrong number of marks: the text, the lines of the board, the marks given, and an example of a feedback.
    #[error("'{0}' has {found}, but the board has {lines}; write for example {3}",
        found = counted(*.2, "mark", "marks"), lines = counted(*.1, "line", "lines"))]
    WrongLines(String, usize, usize, String),
    /// An impossible mark: the text, the one-based number of the line, and the reason.
    #[error("mark {1} of '{0}': {2}")]
    Mark(String, usize, MarkError),
}

/// Returns the names of all kinds of feedback except the default.
fn kinds() -> String {
    let named = FeedbackKind::ALL.into_iter().filter(|&kind| kind != FeedbackKind::default());
    named.map(FeedbackKind::name).collect::<Vec<_>>().join(", ")
}

impl Rules {
    /// Creates the classic game: one row, repeats allowed, black and white pegs.
    pub fn classic(cells: usize, colors: u16) -> Result<Self, RulesError> {
        Self::new(Board::row(cells)?, colors)
    }

    /// Creates rules for a board, with repeats allowed and black and white pegs.
    pub fn new(board: Board, colors: u16) -> Result<Self, RulesError> {
        if !(1..=MAX_COLORS).contains(&colors) {
            return Err(RulesError::Colors(colors.into()));
        }
        Ok(Self {
            board,
            colors,
            repeats: true,
            feedback: FeedbackKind::BlackWhite,
            lies: 0,
            max_guesses: None,
            names: ColorNames::default(),
        })
    }

    /// Disallows repeated colors in a code.
    pub fn without_repeats(mut self) -> Result<Self, RulesError> {
        if self.cells() > usize::from(self.colors) {
            return Err(RulesError::TooFewColors(self.cells(), self.colors));
        }
        self.repeats = false;
        Ok(self)
    }

    /// Returns the rules with another number of colors; `None` if there are too few or too many.
    pub fn with_colors(&self, colors: usize) -> Option<Self> {
        let colors = u16::try_from(colors).ok()?;
        let fits = (1..=MAX_COLORS).contains(&colors) && (self.repeats || self.cells() <= usize::from(colors));
        fits.then(|| Self { colors, ..self.clone() })
    }

    /// Sets the kind of feedback.
    pub fn with_feedback(mut self, feedback: FeedbackKind) -> Result<Self, RulesError> {
        let longest = self.board.longest_line();
        if feedback.model().per_cell && longest > MAX_PER_CELL_LINE {
            return Err(RulesError::LongLine(feedback, longest));
        }
        self.feedback = feedback;
        Ok(self)
    }

    /// Sets the number of answers that may be false.
    #[must_use]
    pub fn with_lies(mut self, lies: u8) -> Self {
        self.lies = lies;
        self
    }

    /// Sets the maximum number of guesses.
    #[must_use]
    pub fn with_max_guesses(mut self, max_guesses: Option<NonZeroU32>) -> Self {
        self.max_guesses = max_guesses;
        self
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the number of cells.
    #[inline]
    pub fn cells(&self) -> usize {
        self.board.cells()
    }

    /// Returns the number of colors.
    #[inline]
    pub fn colors(&self) -> u16 {
        self.colors
    }

    /// Returns true if a code may repeat colors.
    pub fn repeats(&self) -> bool {
        self.repeats
    }

    /// Returns the kind of feedback.
    pub fn feedback(&self) -> FeedbackKind {
        self.feedback
    }

    /// Returns the number of answers that may be false. A code is possible while it disagrees with at most this number of
    /// turns; the answer to the secret itself is always true.
    #[inline]
    pub fn lies(&self) -> u8 {
        self.lies
    }

    /// Returns the maximum number of guesses, if there is one.
    pub fn max_guesses(&self) -> Option<u32> {
        self.max_guesses.map(NonZeroU32::get)
    }

    /// Checks that a code is valid as a guess and as a secret.
    pub fn check_code(&self, code: &Code) -> Result<(), CodeErrorReason> {
        self.check_colors(code.len(), code)
    }

    fn check_colors(&self, cells: usize, known: &Code) -> Result<(), CodeErrorReason> {
        if cells != self.cells() {
            return Err(CodeErrorReason::WrongLength(self.cells(), cells));
        }
        if let Some(color) = known.iter().find(|color| color.index() >= usize::from(self.colors)) {
            return Err(CodeErrorReason::UnknownColor(color.to_string(), self.palette().into()));
        }
        if !self.repeats && known.has_repeats() {
            return Err(CodeErrorReason::Repeats);
        }
        Ok(())
    }

    /// Names the colors. Codes are then written with the initials of the names. Names do not affect equality or the notation
    /// of the rules.
    ///
    /// ```
    /// use pegwise_game::Rules;
    /// let rules: Rules = "4x3".parse().unwrap();
    /// let named = rules.clone().with_color_names(&["red", "green", "blue"].map(str::to_owned)).unwrap();
    /// let code = named.parse_code("RRGB").unwrap();
    /// assert_eq!(code, rules.parse_code("1123").unwrap());
    /// assert_eq!(code, named.parse_code("red,red,green,blue").unwrap());
    /// assert_eq!(code.notation(named.palette()).to_string(), "RRGB");
    /// assert_eq!(named, rules);
    /// ```
    pub fn with_color_names(mut self, names: &[String]) -> Result<Self, ColorNameError> {
        if names.len() != usize::from(self.colors) {
            return Err(ColorNameError::WrongNumber(self.colors.into(), names.len()));
        }
        self.names = ColorNames::new(names)?;
        Ok(self)
    }

    /// Copies the color names of other rules if those have as many colors.
    #[must_use]
    pub fn with_names_of(mut self, other: &Self) -> Self {
        if self.colors == other.colors {
            self.names = other.names.clone();
        }
        self
    }

    /// Removes the color names.
    #[must_use]
    pub fn without_color_names(mut self) -> Self {
        self.names = ColorNames::default();
        self
    }

    /// Returns the notation of the colors.
    pub fn palette(&self) -> Palette {
        let plain = if self.is_bulls_and_cows() { Palette::DIGITS } else { self.colors.into() };
        self.names.palette().unwrap_or(plain)
    }

    /// Returns true for bulls and cows: a row of distinct digits.
    pub fn is_bulls_and_cows(&self) -> bool {
        self.board.is_row() && self.colors == 10 && !self.repeats && self.feedback == FeedbackKind::BlackWhite
    }

    /// Returns the numbers of a mark, named as in this game.
    pub fn numbers(&self) -> &'static [MarkNumber] {
        if self.is_bulls_and_cows() { &BULLS_AND_COWS } else { self.feedback.model().numbers }
    }

    /// Iterates over the names of the numbers of a mark in this game, in the order in which they are written.
    ///
    /// ```
    /// use pegwise_game::Rules;
    /// let names = |rules: &str| rules.parse::<Rules>().unwrap().number_words().collect::<Vec<_>>().join(" and ");
    /// assert_eq!(names("4x6"), "black and white");
    /// assert_eq!(names("4x10:no-repeats"), "bulls and cows");
    /// ```
    pub fn number_words(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.numbers().iter().map(|number| number.name)
    }

    fn code_parser(&self) -> code::CodeParser<'_> {
        code::CodeParser { colors: self.colors, cells: self.cells(), palette: self.palette(), names: &self.names }
    }

    /// Parses a code: `1123`, `AABC`, `1,12,3` or `1 12 3`; `RGGB` or `red,green,green,blue` if the colors have names.
    pub fn parse_code(&self, text: &str) -> Result<Code, CodeError> {
        let parsed = self.code_parser().code(text);
        let checked = parsed.and_then(|code| self.check_code(&code).map(|()| code));
        checked.map_err(|reason| CodeError { text: shorten(text), reason })
    }

    /// Parses a code with a question mark for each unknown color: `11?2`, `A?BC`, `1,?,3`.
    ///
    /// ```
    /// use pegwise_game::{Color, Rules};
    /// let rules: Rules = "4x6".parse().unwrap();
    /// let known = rules.parse_partial_code("11?2").unwrap();
    /// assert_eq!(known, [Some(Color::new(0)), Some(Color::new(0)), None, Some(Color::new(1))]);
    /// ```
    pub fn parse_partial_code(&self, text: &str) -> Result<Vec<Option<Color>>, CodeError> {
        let parsed = self.code_parser().partial(text);
        let checked = parsed.and_then(|pegs| self.check_partial_code(&pegs).map(|()| pegs));
        checked.map_err(|reason| CodeError { text: shorten(text), reason })
    }

    /// Checks that some valid code has the known colors.
    pub fn check_partial_code(&self, pegs: &[Option<Color>]) -> Result<(), CodeErrorReason> {
        self.check_colors(pegs.len(), &Code::new(pegs.iter().flatten().copied().collect::<Vec<Color>>()))
    }
}

impl Rules {
    /// Parses a feedback: `2,1` for black and white pegs; several lines are separated by `/`, or given as one list of numbers.
    pub fn parse_feedback(&self, text: &str) -> Result<Feedback, FeedbackError> {
        self.marks_from_numbers(text, &self.parse_lines(text, |word| self.feedback_number(word))?)
    }

    /// Creates a feedback from the numbers of each line, in the order in which they are written.
    pub fn feedback_from_numbers(&self, numbers: &[Vec<u64>]) -> Result<Feedback, FeedbackError> {
        let mark = |numbers: &Vec<u64>| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        self.marks_from_numbers(&numbers.iter().map(mark).collect::<Vec<_>>().join("/"), numbers)
    }

    fn marks_from_numbers(&self, text: &str, marks: &[Vec<u64>]) -> Result<Feedback, FeedbackError> {
        let mark = |numbers: &Vec<u64>, cells| Mark::from_numbers(self.feedback, numbers, cells, self.colors);
        self.check_lines(text, marks, mark).map(Feedback::new)
    }

    /// Checks that a feedback has a mark of the right kind for each line, and that each line can have its mark.
    pub fn check_feedback(&self, feedback: &Feedback) -> Result<(), FeedbackError> {
        let (lines, marks) = (self.board.lines(), feedback.marks());
        let fits = |(line, mark): (&[usize], &Mark)| mark.quick_check(self.feedback, line.len());
        if marks.len() == self.board.line_count() && lines.zip(marks).all(fits) {
            return Ok(());
        }
        let check = |mark: &Mark, cells| mark.check(self.feedback, cells, self.colors);
        self.check_lines(feedback, feedback.marks(), check).map(|_: Vec<()>| ())
    }

    /// Parses a feedback with a question mark for each unknown number, `1,?`, or a single `?` for all numbers of a line or of
    /// the feedback. Returns the numbers of each line.
    ///
    /// ```
    /// use pegwise_game::Rules;
    /// let rules: Rules = "4x6".parse().unwrap();
    /// assert_eq!(rules.parse_partial_feedback("1,?").unwrap(), [[Some(1), None]]);
    /// assert_eq!(rules.parse_partial_feedback("?").unwrap(), [[None, None]]);
    /// ```
    pub fn parse_partial_feedback(&self, text: &str) -> Result<Vec<Vec<Option<u64>>>, FeedbackError> {
        let model = self.feedback.model();
        let unknown = |line: &[usize]| vec![None; model.arity(line.len())];
        if text.trim() == code::UNKNOWN {
            return Ok(self.board.lines().map(unknown).collect());
        }
        let known = |word: &str| if word == code::UNKNOWN { Some(None) } else { self.feedback_number(word).map(Some) };
        let mut marks = self.parse_lines(text, known)?;
        for (mark, line) in marks.iter_mut().zip(self.board.lines()).filter(|(mark, _)| **mark == [None]) {
            *mark = unknown(line);
        }
        self.check_partial_marks(text, &marks)?;
        Ok(marks)
    }

    /// Checks that some feedback of these rules has the known numbers.
    pub fn check_partial_feedback(&self, marks: &[Vec<Option<u64>>]) -> Result<(), FeedbackError> {
        let word = |number: &Option<u64>| number.map_or_else(|| code::UNKNOWN.to_owned(), |number| number.to_string());
        let mark = |numbers: &Vec<Option<u64>>| numbers.iter().map(word).collect::<Vec<_>>().join(",");
        self.check_partial_marks(&marks.iter().map(mark).collect::<Vec<_>>().join("/"), marks)
    }

    fn check_partial_marks(&self, text: &str, marks: &[Vec<Option<u64>>]) -> Result<(), FeedbackError> {
        let check = |numbers: &Vec<Option<u64>>, cells| Mark::check_partial(self.feedback, numbers, cells, self.colors);
        self.check_lines(text, marks, check).map(|_: Vec<()>| ())
    }

    /// Parses the numbers of each line.
    fn parse_lines<T: Clone>(
        &self,
        text: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<Vec<T>>, FeedbackError> {
        let word = |word: &str| {
            read(word.trim())
                .ok_or_else(|| FeedbackError::NotANumber(shorten(text), shorten(word.trim()), self.example_feedback()))
        };
        let model = self.feedback.model();
        // In the letters of the word game, b would be black for a letter that is not in the word.
        let excluded = if text.contains(['g', 'G', 'y', 'Y']) { &['b', 'B', 'w', 'W'][..] } else { &[] };
        let cell = |char: char| {
            let read = Some(char).filter(|char| !excluded.contains(char)).and_then(|char| read(&char.to_string()));
            read.ok_or_else(|| FeedbackError::NotACell(shorten(text), char))
        };
        let words = |part: &str| match model.per_cell {
            true => part.chars().filter(|&char| !char.is_whitespace() && char != EMOJI_STYLE).map(cell).collect(),
            false => self.mark_words(part).into_iter().map(word).collect::<Result<Vec<T>, _>>(),
        };
        if text.contains('/') || self.board.line_count() == 1 || model.per_cell {
            text.split('/').map(words).collect()
        } else {
            Ok(words(text)?.chunks(model.numbers.len()).map(<[T]>::to_vec).collect())
        }
    }

    /// Splits a mark into its numbers: `2,1`, `2 1`, or with the initials of their names, as in `2b1w`; Bulls and Cows also
    /// `2b1c` and `2A1B`.
    fn mark_words<'a>(&self, mark: &'a str) -> Vec<&'a str> {
        let mark = mark.trim();
        if mark.contains(',') || mark.is_empty() {
            return mark.split(',').collect();
        }
        let words: Vec<&str> = mark.split_inclusive(|char: char| char.is_ascii_alphabetic()).map(str::trim).collect();
        let initials =
            |words: &mut dyn Iterator<Item = &'static str>| words.filter_map(|word| word.chars().next()).collect();
        let [names, titles]: [Vec<char>; 2] =
            [initials(&mut self.feedback.number_names()), initials(&mut self.number_words())];
        let written: Vec<char> =
            words.iter().filter_map(|word| word.chars().last()).map(|last| last.to_ascii_lowercase()).collect();
        let is_bulls = self.feedback == FeedbackKind::BlackWhite && written == ['a', 'b'];
        if is_bulls || written == names || written == titles {
            return words.iter().map(|word| word[..word.len() - 1].trim()).collect();
        }
        mark.split_whitespace().collect()
    }

    /// Applies `check` to each mark and the number of cells of its line, and collects the results.
    fn check_lines<T, C>(
        &self,
        text: &(impl fmt::Display + ?Sized),
        marks: &[T],
        check: impl Fn(&T, usize) -> Result<C, MarkError>,
    ) -> Result<Vec<C>, FeedbackError> {
        let lines = self.board.line_count();
        if marks.len() != lines {
            let (text, example) = (shorten(&text.to_string()), self.example_feedback());
            return Err(FeedbackError::WrongLines(text, lines, marks.len(), example));
        }
        let checked = self.board.lines().zip(marks).enumerate().map(|(index, (line, mark))| {
            let wrong = |error| FeedbackError::Mark(shorten(&text.to_string()), index + 1, error);
            check(mark, line.len()).map_err(wrong)
        });
        checked.collect()
    }

    /// Returns a feedback for error messages: all zeros if possible, else the winning one.
    fn example_feedback(&self) -> String {
        let nothing = |line: &[usize]| {
            let zeros = vec![0; self.feedback.model().arity(line.len())];
            Mark::from_numbers(self.feedback, &zeros, line.len(), self.colors).ok()
        };
        let nothing: Option<Feedback> = self.board.lines().map(nothing).collect();
        nothing.unwrap_or_else(|| Feedback::winning(self)).to_string()
    }

    /// Parses a number, or a letter of per-cell feedback.
    fn feedback_number(&self, word: &str) -> Option<u64> {
        match word.chars().next() {
            Some(letter) if self.feedback.model().per_cell => parse_letter(letter),
            _ => parse_number(word),
        }
    }
}

/// Character after an emoji that selects its colored form.
const EMOJI_STYLE: char = '\u{fe0f}';

/// Parses a decimal number. One that does not fit saturates; it exceeds every limit either way.
fn parse_number(word: &str) -> Option<u64> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().unwrap_or(u64::MAX))
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.board, self.colors)?;
        if !self.repeats {
            f.write_str(":no-repeats")?;
        }
        if self.feedback != FeedbackKind::default() {
            write!(f, ":{}", self.feedback)?;
        }
        if self.lies > 0 {
            write!(f, ":lies={}", self.lies)?;
        }
        if let Some(max_guesses) = self.max_guesses {
            write!(f, ":max-guesses={max_guesses}")?;
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let text = text.trim().to_lowercase().replace('×', "x");
        let mut words = text.split(':');
        let first = words.next().unwrap_or_default();
        let named = first.starts_with(|char: char| char.is_ascii_alphabetic());
        let (shape, size) = if named { (first, words.next().unwrap_or_default()) } else { ("row", first) };
        let (shape, colors) = parse_size(shape, size)?;
        let board = Board::new(shape)?;
        let colors = u16::try_from(colors).map_err(|_| RulesError::Colors(colors))?;
        let mut rules = Self::new(board, colors)?;
        let mut feedback_given = false;
        for option in words {
            let contradiction = || RulesError::Contradiction(shorten(option));
            let unknown = || RulesError::UnknownOption(shorten(option));
            let kind = FeedbackKind::ALL.into_iter().find(|kind| kind.name() == option);
            rules = match (option, kind) {
                ("no-repeats", _) if !rules.repeats => return Err(contradiction()),
                ("no-repeats", _) => rules.without_repeats()?,
                (_, Some(_)) if feedback_given => return Err(contradiction()),
                (_, Some(kind)) => {
                    feedback_given = true;
                    rules.with_feedback(kind)?
                }
                _ if option.starts_with("lies=") => {
                    let lies: NonZeroU8 = option["lies=".len()..].parse().map_err(|_| unknown())?;
                    if rules.lies > 0 {
                        return Err(contradiction());
                    }
                    rules.with_lies(lies.get())
                }
                _ => {
                    let limit = option.strip_prefix("max-guesses=").ok_or_else(unknown)?;
                    let limit: NonZeroU32 = limit.parse().map_err(|_| unknown())?;
                    if rules.max_guesses.is_some() {
                        return Err(contradiction());
                    }
                    rules.with_max_guesses(Some(limit))
                }
            };
        }
        Ok(rules)
    }
}

/// Parses the sides and the number of colors of a size such as `4x4x6`.
fn parse_size(shape: &str, size: &str) -> Result<(Shape, u64), RulesError> {
    let expected = match shape {
        "row" => "PEGSxCOLORS, as in 4x6",
        "grid" => "ROWSxCOLUMNSxCOLORS, as in grid:4x4x6",
        "triangle" => "SIDExCOLORS, as in triangle:4x6",
        "cube" => "each side, then the colors, as in cube:3x3x3x6",
        "ring" => "CELLSxCOLORS, as in ring:8x6",
        "lines" => "LINESxCOLORS, as in lines:1.2.3/3.4.5x6",
        _ => return Err(RulesError::UnknownShape(shorten(shape))),
    };
    let wrong = || RulesError::Size(shorten(size), expected);
    let number = |word: &str| parse_number(word).ok_or_else(wrong);
    let side = |word: &str| number(word).map(|side| usize::try_from(side).unwrap_or(usize::MAX));
    let (sides, colors) = size.rsplit_once('x').ok_or_else(wrong)?;
    let colors = number(colors)?;
    if shape == "lines" {
        return Ok((parse_lines(sides)?, colors));
    }
    let sides = sides.split('x').map(side).collect::<Result<Vec<usize>, _>>()?;
    let shape = match (shape, &sides[..]) {
        ("row", &[cells]) => Shape::Row(cells),
        ("grid", &[rows, columns]) => Shape::Grid { rows, columns },
        ("triangle", &[side]) => Shape::Triangle(side),
        ("ring", &[cells]) => Shape::Ring(cells),
        ("cube", _) => Shape::Cube(sides),
        _ => return Err(wrong()),
    };
    Ok((shape, colors))
}

impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_round_trips() {
        let print = |text: &str| text.parse::<Rules>().map(|rules| rules.to_string());
        let texts = "4x6 1x1 100x1 1024x1024 4x10:no-repeats 20x20:black-only grid:4x4x6 triangle:4x6 cube:3x3x3x6 \
            ring:8x6:higher-lower lines:1.2.3/3.4.5/5.1x6 4x6:no-repeats:city-block:max-guesses=10";
        for text in texts.split_whitespace() {
            assert_eq!(print(text).as_deref(), Ok(text));
        }
        let error = RulesError::TooFewColors(16, 5);
        assert_eq!(print("cube:2x2x2x2x5:no-repeats:distance"), Err(error));
        assert_eq!("row:4x6".parse::<Rules>().unwrap().to_string(), "4x6");
        assert_eq!("4x6:black-white".parse::<Rules>().unwrap().to_string(), "4x6");
    }

    #[test]
    fn invalid_rules_have_clear_errors() {
        let message = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        assert_eq!(message("0x6"), "a board needs at least one cell");
        assert_eq!(message("4x0"), "a game has 1 to 4096 colors, not 0");
        assert_eq!(message("0x0"), "a board needs at least one cell");
        assert_eq!(message("65535x65535"), "a board has at most 4096 cells");
        assert_eq!(message("4x65535"), "a game has 1 to 4096 colors, not 65535");
        assert_eq!(message("4x99999999999999999999"), format!("a game has 1 to 4096 colors, not {}", u64::MAX));
        assert_eq!(message("4x6x"), "'4x6x' is not a size; write PEGSxCOLORS, as in 4x6");
        assert_eq!(message(""), "'' is not a size; write PEGSxCOLORS, as in 4x6");
        assert_eq!(message("grid:4x6"), "'4x6' is not a size; write ROWSxCOLUMNSxCOLORS, as in grid:4x4x6");
        assert!(message("4x6:unknown").starts_with("'unknown' is not an option"));
        assert!(message("4x6:max-guesses=0").starts_with("'max-guesses=0' is not an option"));
        assert!(message("4x6:distance:black-only").starts_with("'black-only' contradicts"));
        assert!(message("hexagon:4x6").starts_with("'hexagon' is not a shape"));
        assert_eq!(message("4x3:no-repeats"), "4 cells cannot be filled without repeats from 3 colors");
    }

    #[test]
    fn sizes_are_written_in_several_ways() {
        for text in ["4X6", "4×6", " 4x6 ", "ROW:4X6"] {
            assert_eq!(text.parse::<Rules>().unwrap().to_string(), "4x6", "{text}");
        }
        assert_eq!("GRID:4×4×6:No-Repeats".parse::<Rules>().unwrap_err(), RulesError::TooFewColors(16, 6));
    }

    #[test]
    fn marks_are_written_in_several_ways() {
        let read = |rules: &str, text: &str| {
            let rules: Rules = rules.parse().unwrap();
            let read = rules.parse_feedback(text).map(|feedback| feedback.to_string());
            let partial = rules.parse_partial_feedback(text).map(|marks| marks.concat().into_iter().collect());
            assert_eq!(
                partial.ok(),
                rules
                    .parse_feedback(text)
                    .ok()
                    .map(|feedback| { Some(feedback.marks()[0].numbers().collect::<Vec<u64>>()) }),
                "{text}"
            );
            read.map_err(|error| error.to_string())
        };
        for text in ["2,1", "2 1", "2b1w", "2B 1W", "2A1B", "2a 1b", " 2 , 1 "] {
            assert_eq!(read("4x6", text).as_deref(), Ok("2,1"), "{text}");
        }
        assert_eq!(read("4x10:no-repeats", "1b2c").as_deref(), Ok("1,2"), "bulls and cows");
        assert_eq!(read("4x6:black-only", "3b").as_deref(), Ok("3"));
        for text in ["bw---", "gyx--", "GY_..", "🟩🟨⬜⬛⬛", "🟧🟦⬜️⬜️⬜️"] {
            assert_eq!(read("5x26:per-cell", text).as_deref(), Ok("bw---"), "{text}");
        }
        let gray = read("5x26:per-cell", "gybbb").unwrap_err();
        assert_eq!(
            gray,
            "'gybbb' is not a feedback: 'b' is not the mark of a cell; write g, y and - (or b, w and -), as in gy---"
        );
        assert!(read("4x6", "1w1b").unwrap_err().contains("is not a number; write for example 0,0"));
        assert!(read("4x6", "2c1d").is_err() && read("4x6", "b1w").is_err());
    }

    #[test]
    fn colors_with_the_same_initial_are_written_by_two_letters() {
        let named = |names: &str| {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            Rules::classic(4, names.len() as u16).unwrap().with_color_names(&names)
        };
        let rules = named("red,green,blue,black,brown,beige").unwrap();
        let code = rules.parse_code("1,3,4,5").unwrap();
        assert_eq!(code.notation(rules.palette()).to_string(), "ReBlBaBr");
        for text in ["ReBlBaBr", "rebLbabr", "re,bl,ba,br", "red blue black brown", "1345"] {
            assert_eq!(rules.parse_code(text).as_ref(), Ok(&code), "{text}");
        }
        assert_eq!(rules.parse_partial_code("Re?Ba?").unwrap()[1], None);
        let error = rules.parse_code("RXBlBaBr").unwrap_err().to_string();
        assert!(error.contains("'RX' is not a color; the colors are Re, Gr, Bl, Ba, Br, Be"), "{error}");
        assert!(rules.parse_code("ReBlBa").is_err() && rules.parse_code("ReBlBaB").is_err());
        assert_eq!(named("red,Red").unwrap_err(), ColorNameError::NotDistinct("Red".to_owned()));
        assert_eq!(named("b,blue").unwrap_err(), ColorNameError::NotDistinct("b".to_owned()));
    }

    #[test]
    fn feedback_is_checked_against_the_line() {
        let rules: Rules = "4x6".parse().unwrap();
        let message = |text: &str| rules.parse_feedback(text).unwrap_err().to_string();
        assert_eq!(message("4,1"), "mark 1 of '4,1': 5 pegs on a line of 4");
        assert_eq!(message("3,1"), "mark 1 of '3,1': one peg in the wrong place with all others right is impossible");
        assert_eq!(
            message("3"),
            "mark 1 of '3': a black-white mark is black,white (2 numbers in all), but 1 was given"
        );
        assert_eq!(message("x,1"), "'x,1' is not a feedback: 'x' is not a number; write for example 0,0");
        assert_eq!(message("1,1/1,1"), "'1,1/1,1' has 2 marks, but the board has 1 line; write for example 0,0");
        assert!(message("99999999999999999999,0").ends_with("pegs on a line of 4"));
    }

    #[test]
    fn grids_accept_separate_marks_or_one_list() {
        let rules: Rules = "grid:2x2x3".parse().unwrap();
        let apart = rules.parse_feedback("2,0/0,0/1,0/1,0").unwrap();
        assert_eq!(rules.parse_feedback("2,0,0,0,1,0,1,0"), Ok(apart));
        let distance: Rules = "2x6:distance".parse().unwrap();
        assert!(distance.parse_feedback("50").is_ok());
        assert!(
            distance.parse_feedback("51").unwrap_err().to_string().contains("the largest distance of this line is 50")
        );
    }
}
