//! The rules of a game.

mod answers;
mod notation;

pub use answers::FeedbackError;

use std::num::NonZeroU32;

use crate::{
    board::{Board, BoardError},
    code::{self, Code, CodeError, CodeErrorReason, shorten},
    color::Color,
    feedback::{BULLS_AND_COWS, FeedbackKind, MOST_TOLD, MarkNumber},
    limits::MAX_COLORS,
    palette::{ColorNameError, Names, Palette},
};

/// The rules of a game: a board, colors, and what varies between games. Cheap to clone.
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
    names: Names,
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
    #[error("'{option}' is not an option; use no-repeats, {}, lies=N or max-guesses=N", kinds())]
    UnknownOption {
        /// The word given.
        option: String,
    },
    /// A line too long to be told cell by cell.
    #[error("{feedback} feedback is for lines of at most {MOST_TOLD} cells, not {cells}")]
    LongLine {
        /// The kind of feedback asked for.
        feedback: FeedbackKind,
        /// Cells of the longest line.
        cells: usize,
    },
    /// Two options that exclude each other.
    #[error("'{option}' contradicts or repeats an earlier option")]
    Contradiction {
        /// The later of the two.
        option: String,
    },
}

/// The words for every kind of feedback that is not understood by itself.
fn kinds() -> String {
    let named = FeedbackKind::ALL.into_iter().filter(|&kind| kind != FeedbackKind::default());
    named.map(FeedbackKind::name).collect::<Vec<_>>().join(", ")
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
        Ok(Self {
            board,
            colors,
            repeats: true,
            feedback: FeedbackKind::BlackWhite,
            lies: 0,
            max_guesses: None,
            names: Names::default(),
        })
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
    pub fn with_feedback(mut self, feedback: FeedbackKind) -> Result<Self, RulesError> {
        let longest = self.board.lines().map(<[usize]>::len).max().unwrap_or(0);
        if feedback.model().per_cell && longest > MOST_TOLD {
            return Err(RulesError::LongLine { feedback, cells: longest });
        }
        self.feedback = feedback;
        Ok(self)
    }

    /// The same rules with a codemaker who may give so many false answers.
    #[must_use]
    pub fn with_lies(mut self, lies: u8) -> Self {
        self.lies = lies;
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

    /// How many answers may be false. A code is possible while it disagrees with at most so many turns; the answer to the
    /// code itself is never a lie.
    #[inline]
    #[must_use]
    pub fn lies(&self) -> u8 {
        self.lies
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
            return Err(CodeErrorReason::UnknownColor { color: color.to_string(), palette: self.palette() });
        }
        if !self.repeats && code.has_repeats() {
            return Err(CodeErrorReason::Repeats);
        }
        Ok(())
    }

    /// The same rules with names for the colors, as somebody's set has them. Codes are then written by the first letters.
    /// What colors are called changes no game: rules are equal whatever the names, and their notation has none.
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
            return Err(ColorNameError::WrongNumber { expected: self.colors.into(), found: names.len() });
        }
        self.names = Names::new(names)?;
        Ok(self)
    }

    /// The same rules with the names that the colors have in others, if there are as many.
    #[must_use]
    pub fn with_names_of(mut self, other: &Self) -> Self {
        if self.colors == other.colors {
            self.names = other.names.clone();
        }
        self
    }

    /// The same rules with no names for the colors, as files have them.
    #[must_use]
    pub fn without_color_names(mut self) -> Self {
        self.names = Names::default();
        self
    }

    /// How the colors are written.
    #[must_use]
    pub fn palette(&self) -> Palette {
        let plain = if self.is_bulls_and_cows() { Palette::DIGITS } else { self.colors.into() };
        self.names.palette().unwrap_or(plain)
    }

    /// Whether this is the game of bulls and cows: a row of different digits.
    #[must_use]
    pub fn is_bulls_and_cows(&self) -> bool {
        self.board.is_row() && self.colors == 10 && !self.repeats && self.feedback == FeedbackKind::BlackWhite
    }

    /// The numbers of a mark, with what they are called in this game.
    #[must_use]
    pub fn numbers(&self) -> &'static [MarkNumber] {
        if self.is_bulls_and_cows() { &BULLS_AND_COWS } else { self.feedback.model().numbers }
    }

    /// What the numbers of a mark are called in this game, in the order in which they are written.
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

    fn reader(&self) -> code::Reader<'_> {
        code::Reader { colors: self.colors, cells: self.cells(), palette: self.palette(), names: &self.names }
    }

    /// Reads a code: `1123`, `AABC`, `1,12,3` or `1 12 3`; `RGGB` or `red,green,green,blue` where colors have names.
    pub fn parse_code(&self, text: &str) -> Result<Code, CodeError> {
        let parsed = self.reader().code(text);
        let checked = parsed.and_then(|code| self.check_code(&code).map(|()| code));
        checked.map_err(|reason| CodeError { text: shorten(text), reason })
    }

    /// [`Rules::parse_code`] with a question mark for each cell whose color is not known: `11?2`, `A?BC`, `1,?,3`.
    ///
    /// ```
    /// use pegwise_game::{Color, Rules};
    /// let rules: Rules = "4x6".parse().unwrap();
    /// let known = rules.parse_known_code("11?2").unwrap();
    /// assert_eq!(known, [Some(Color::new(0)), Some(Color::new(0)), None, Some(Color::new(1))]);
    /// ```
    pub fn parse_partial_code(&self, text: &str) -> Result<Vec<Option<Color>>, CodeError> {
        let parsed = self.reader().known(text);
        let checked = parsed.and_then(|pegs| self.check_partial_code(&pegs).map(|()| pegs));
        checked.map_err(|reason| CodeError { text: shorten(text), reason })
    }

    /// Whether some code of these rules has these colors where they are known.
    pub fn check_partial_code(&self, pegs: &[Option<Color>]) -> Result<(), CodeErrorReason> {
        if pegs.len() != self.cells() {
            return Err(CodeErrorReason::WrongLength { expected: self.cells(), found: pegs.len() });
        }
        let known: Code = Code::new(pegs.iter().flatten().copied().collect::<Vec<Color>>());
        if let Some(color) = known.iter().find(|color| color.index() >= usize::from(self.colors)) {
            return Err(CodeErrorReason::UnknownColor { color: color.to_string(), palette: self.palette() });
        }
        if !self.repeats && known.has_repeats() {
            return Err(CodeErrorReason::Repeats);
        }
        Ok(())
    }
}
