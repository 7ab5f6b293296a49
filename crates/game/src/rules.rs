//! The rules of a game, and their text notation.
//!
//! ```text
//! 4x6                      4 cells in a row, 6 colors
//! 4x10:no-repeats          Bulls & Cows
//! 20x20:black-only         black pegs alone
//! grid:4x4x6               rows and columns (also triangle:4x6, cube:3x3x3x6, ring:8x6, lines:1.2.3/3.4.5x6)
//! 4x6:higher-lower:max-guesses=10
//! ```

use std::{fmt, num::NonZeroU32, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    board::{Board, BoardError, Shape, parse_lines},
    code::{self, Code, CodeError, CodeErrorReason, shorten},
    feedback::{Feedback, FeedbackKind, Mark, MarkError},
    limits::MAX_COLORS,
};

/// The rules of a game: a board, colors, and what varies between games. Cheap to clone.
///
/// ```
/// use pegwise_game::{FeedbackKind, Rules};
/// let rules: Rules = "4x10:no-repeats".parse().unwrap();
/// assert_eq!((rules.cells(), rules.colors(), rules.repeats()), (4, 10, false));
/// assert_eq!(rules.to_string(), "4x10:no-repeats");
/// assert_eq!("4x6".parse::<Rules>().unwrap().with_feedback(FeedbackKind::BlackOnly).to_string(), "4x6:black-only");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Rules {
    board: Board,
    colors: u16,
    repeats: bool,
    feedback: FeedbackKind,
    max_guesses: Option<NonZeroU32>,
}

/// Why rules cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The board is impossible.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// No color, or too many.
    #[error("a game has 1 to {MAX_COLORS} colors, not {found}")]
    Colors {
        /// Colors given.
        found: u64,
    },
    /// Too few colors to fill the board without repeats.
    #[error("{cells} cells cannot be filled without repeats from {colors} {}", if *colors == 1 { "color" } else { "colors" })]
    TooFewColors {
        /// Cells of the board.
        cells: usize,
        /// Colors of the rules.
        colors: u16,
    },
    /// A shape the program does not know.
    #[error("'{shape}' is not a shape; use row, grid, triangle, cube, ring or lines, as in grid:4x4x6")]
    UnknownShape {
        /// The word given.
        shape: String,
    },
    /// The size is not written as expected.
    #[error("'{size}' is not a size; write {expected}")]
    Size {
        /// The text given.
        size: String,
        /// How it is written.
        expected: &'static str,
    },
    /// An option the program does not know.
    #[error(
        "'{option}' is not an option; use no-repeats, black-only, higher-lower, distance, city-block or max-guesses=N"
    )]
    UnknownOption {
        /// The word given.
        option: String,
    },
    /// Two options that exclude each other.
    #[error("'{option}' contradicts or repeats an earlier option")]
    Contradiction {
        /// The later of the two.
        option: String,
    },
}

/// Why a text is not a feedback of the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FeedbackError {
    /// Something is not a number.
    #[error("'{text}' is not a feedback: '{word}' is not a number; write for example {example}")]
    NotANumber {
        /// The text given.
        text: String,
        /// The part that is wrong.
        word: String,
        /// A feedback of these rules.
        example: String,
    },
    /// The wrong count of marks.
    #[error("'{text}' has {found} {}, and the board has {expected} {}; write for example {example}",
        if *found == 1 { "mark" } else { "marks" },
        if *expected == 1 { "line" } else { "lines" })]
    WrongLines {
        /// The text given.
        text: String,
        /// Lines of the board.
        expected: usize,
        /// Marks given.
        found: usize,
        /// A feedback of these rules.
        example: String,
    },
    /// A mark that cannot be.
    #[error("mark {line} of '{text}': {error}")]
    Mark {
        /// The text given.
        text: String,
        /// One-based number of the line.
        line: usize,
        /// What is wrong with its mark.
        error: MarkError,
    },
}

impl Rules {
    /// The classic game: one row, repeats allowed, black and white pegs.
    pub fn classic(cells: usize, colors: u16) -> Result<Self, RulesError> {
        Self::new(Board::row(cells)?, colors)
    }

    /// Rules for a board, with repeats allowed and black and white pegs.
    pub fn new(board: Board, colors: u16) -> Result<Self, RulesError> {
        if !(1..=MAX_COLORS).contains(&colors) {
            return Err(RulesError::Colors { found: colors.into() });
        }
        Ok(Self { board, colors, repeats: true, feedback: FeedbackKind::BlackWhite, max_guesses: None })
    }

    /// The same rules without repeated colors in a code.
    pub fn without_repeats(mut self) -> Result<Self, RulesError> {
        if self.cells() > usize::from(self.colors) {
            return Err(RulesError::TooFewColors { cells: self.cells(), colors: self.colors });
        }
        self.repeats = false;
        Ok(self)
    }

    /// The same rules with another number of colors; `None` where the board cannot be filled from so many.
    #[must_use]
    pub fn with_colors(&self, colors: usize) -> Option<Self> {
        let colors = u16::try_from(colors).ok()?;
        let fits = (1..=MAX_COLORS).contains(&colors) && (self.repeats || self.cells() <= usize::from(colors));
        fits.then(|| Self { colors, ..self.clone() })
    }

    /// The same rules with another kind of feedback.
    #[must_use]
    pub fn with_feedback(mut self, feedback: FeedbackKind) -> Self {
        self.feedback = feedback;
        self
    }

    /// The same rules with a limit on guesses.
    #[must_use]
    pub fn with_max_guesses(mut self, max_guesses: Option<NonZeroU32>) -> Self {
        self.max_guesses = max_guesses;
        self
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How many cells the board has.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> usize {
        self.board.cells()
    }

    /// How many colors there are.
    #[inline]
    #[must_use]
    pub fn colors(&self) -> u16 {
        self.colors
    }

    /// Whether a color may appear twice in a code.
    #[must_use]
    pub fn repeats(&self) -> bool {
        self.repeats
    }

    /// What a line says about a guess.
    #[must_use]
    pub fn feedback(&self) -> FeedbackKind {
        self.feedback
    }

    /// The most guesses a codebreaker has, if there is a limit.
    #[must_use]
    pub fn max_guesses(&self) -> Option<u32> {
        self.max_guesses.map(NonZeroU32::get)
    }

    /// Whether a code may be played and hidden under these rules.
    pub fn check_code(&self, code: &Code) -> Result<(), CodeErrorReason> {
        if code.len() != self.cells() {
            return Err(CodeErrorReason::WrongLength { expected: self.cells(), found: code.len() });
        }
        if let Some(color) = code.iter().find(|color| color.index() >= usize::from(self.colors)) {
            return Err(CodeErrorReason::UnknownColor { color: color.to_string(), colors: self.colors });
        }
        if !self.repeats && code.has_repeats() {
            return Err(CodeErrorReason::Repeats);
        }
        Ok(())
    }

    /// Reads a code: `1123`, `AABC`, `1,12,3` or `1 12 3`.
    pub fn parse_code(&self, text: &str) -> Result<Code, CodeError> {
        let parsed = code::parse(text, self.colors, self.cells());
        let checked = parsed.and_then(|code| self.check_code(&code).map(|()| code));
        checked.map_err(|reason| CodeError { text: shorten(text), reason })
    }

    /// Reads a feedback: `2,1` for black and white pegs; several lines are parted by `/`, or given as one list of numbers.
    pub fn parse_feedback(&self, text: &str) -> Result<Feedback, FeedbackError> {
        let example = || self.example_feedback();
        let number = |word: &str| {
            let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| word.parse().unwrap_or(u64::MAX)).ok_or_else(|| FeedbackError::NotANumber {
                text: shorten(text),
                word: shorten(word),
                example: example(),
            })
        };
        let numbers = |part: &str| part.split(',').map(|word| number(word.trim())).collect::<Result<Vec<u64>, _>>();
        let lines = self.board.line_count();
        let marks: Vec<Vec<u64>> = if text.contains('/') || lines == 1 {
            text.split('/').map(numbers).collect::<Result<_, _>>()?
        } else {
            numbers(text)?.chunks(Mark::arity(self.feedback)).map(<[u64]>::to_vec).collect()
        };
        if marks.len() != lines {
            let text = shorten(text);
            return Err(FeedbackError::WrongLines { text, expected: lines, found: marks.len(), example: example() });
        }
        let checked =
            self.board.lines().zip(&marks).enumerate().map(|(index, (line, numbers))| {
                Mark::from_numbers(self.feedback, numbers, line.len(), self.colors)
                    .map_err(|error| FeedbackError::Mark { text: shorten(text), line: index + 1, error })
            });
        Ok(Feedback::new(checked.collect::<Result<Box<[Mark]>, _>>()?))
    }

    fn example_feedback(&self) -> String {
        let zeros = match self.feedback {
            FeedbackKind::HigherLower => return Feedback::winning(self).to_string(),
            FeedbackKind::BlackWhite => "0,0",
            _ => "0",
        };
        vec![zeros; self.board.line_count()].join("/")
    }
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
        if let Some(max_guesses) = self.max_guesses {
            write!(f, ":max-guesses={max_guesses}")?;
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let mut words = text.trim().split(':');
        let first = words.next().unwrap_or_default();
        let named = first.starts_with(|char: char| char.is_ascii_alphabetic());
        let (shape, size) = if named { (first, words.next().unwrap_or_default()) } else { ("row", first) };
        let (shape, colors) = parse_size(shape, size)?;
        let board = Board::new(shape)?;
        let colors = u16::try_from(colors).map_err(|_| RulesError::Colors { found: colors })?;
        let mut rules = Self::new(board, colors)?;
        let mut feedback_given = false;
        for option in words {
            let contradiction = || RulesError::Contradiction { option: shorten(option) };
            let unknown = || RulesError::UnknownOption { option: shorten(option) };
            let kind = FeedbackKind::ALL.into_iter().find(|kind| kind.name() == option);
            rules = match (option, kind) {
                ("no-repeats", _) if !rules.repeats => return Err(contradiction()),
                ("no-repeats", _) => rules.without_repeats()?,
                (_, Some(_)) if feedback_given => return Err(contradiction()),
                (_, Some(kind)) => {
                    feedback_given = true;
                    rules.with_feedback(kind)
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

/// The sides and the colors of a size such as `4x4x6`.
fn parse_size(shape: &str, size: &str) -> Result<(Shape, u64), RulesError> {
    let expected = match shape {
        "row" => "PEGSxCOLORS, as in 4x6",
        "grid" => "ROWSxCOLUMNSxCOLORS, as in grid:4x4x6",
        "triangle" => "SIDExCOLORS, as in triangle:4x6",
        "cube" => "each side, then the colors, as in cube:3x3x3x6",
        "ring" => "CELLSxCOLORS, as in ring:8x6",
        "lines" => "LINESxCOLORS, as in lines:1.2.3/3.4.5x6",
        _ => return Err(RulesError::UnknownShape { shape: shorten(shape) }),
    };
    let wrong = || RulesError::Size { size: shorten(size), expected };
    // A number past the limits of the machine is past ours too, so it may saturate.
    let number = |word: &str| {
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| word.parse().unwrap_or(u64::MAX)).ok_or_else(wrong)
    };
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
        for text in [
            "4x6",
            "1x1",
            "100x1",
            "1024x1024",
            "4x10:no-repeats",
            "20x20:black-only",
            "grid:4x4x6",
            "triangle:4x6",
            "cube:3x3x3x6",
            "cube:2x2x2x2x5:no-repeats:distance",
            "ring:8x6:higher-lower",
            "lines:1.2.3/3.4.5/5.1x6",
            "4x6:no-repeats:city-block:max-guesses=10",
        ] {
            let rules = text.parse::<Rules>();
            let printed = rules.map(|rules| rules.to_string());
            if text == "cube:2x2x2x2x5:no-repeats:distance" {
                assert_eq!(printed, Err(RulesError::TooFewColors { cells: 16, colors: 5 }));
            } else {
                assert_eq!(printed.as_deref(), Ok(text));
            }
        }
        assert_eq!("row:4x6".parse::<Rules>().unwrap().to_string(), "4x6");
        assert_eq!("4x6:black-white".parse::<Rules>().unwrap().to_string(), "4x6");
    }

    #[test]
    fn wrong_rules_say_what_is_wrong() {
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
    fn feedback_is_checked_against_the_line() {
        let rules: Rules = "4x6".parse().unwrap();
        let message = |text: &str| rules.parse_feedback(text).unwrap_err().to_string();
        assert_eq!(message("4,1"), "mark 1 of '4,1': 5 pegs on a line of 4");
        assert_eq!(message("3,1"), "mark 1 of '3,1': one peg in the wrong place with all others right cannot be");
        assert_eq!(
            message("3"),
            "mark 1 of '3': a black-white mark is black,white (2 numbers in all), and 1 was given"
        );
        assert_eq!(message("x,1"), "'x,1' is not a feedback: 'x' is not a number; write for example 0,0");
        assert_eq!(message("1,1/1,1"), "'1,1/1,1' has 2 marks, and the board has 1 line; write for example 0,0");
        assert!(message("99999999999999999999,0").ends_with("pegs on a line of 4"));
    }

    #[test]
    fn grids_take_marks_apart_or_in_one_list() {
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
