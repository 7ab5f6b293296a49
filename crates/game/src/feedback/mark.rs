//! One line's answer.

use std::fmt;

use serde::Serialize;

use super::FeedbackKind;

/// What one line says about a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
pub enum Mark {
    /// Black and white pegs.
    BlackWhite {
        /// Right color, right place.
        black: u16,
        /// Right color, wrong place.
        white: u16,
    },
    /// Black pegs alone.
    BlackOnly {
        /// Right color, right place.
        black: u16,
    },
    /// Black pegs, and the direction of the other cells.
    HigherLower {
        /// Right color.
        black: u16,
        /// Cells whose secret color has a higher number than the guess.
        higher: u16,
        /// Cells whose secret color has a lower number than the guess.
        lower: u16,
    },
    /// A distance between vectors of color numbers.
    Distance {
        /// The distance, in the unit of the feedback kind.
        distance: u64,
    },
}

/// Why numbers are not a mark of a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MarkError {
    /// The wrong count of numbers.
    #[error("a {kind} mark is {} ({} in all), and {found} given", words(*kind), numbers(*expected))]
    WrongArity {
        /// The kind of feedback the rules give.
        kind: FeedbackKind,
        /// Numbers in a mark of that kind.
        expected: usize,
        /// Numbers given, in words with their verb.
        found: String,
    },
    /// As many numbers as a mark of the rules has, and another meaning.
    #[error("a {kind} mark is {}, and this is a mark of another kind", words(*kind))]
    WrongKind {
        /// The kind of feedback the rules give.
        kind: FeedbackKind,
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
}

fn words(kind: FeedbackKind) -> &'static str {
    match kind {
        FeedbackKind::BlackWhite => "black,white",
        FeedbackKind::BlackOnly => "the black pegs alone",
        FeedbackKind::HigherLower => "black,higher,lower",
        FeedbackKind::Distance | FeedbackKind::CityBlock => "the distance alone",
    }
}

fn numbers(count: usize) -> String {
    if count == 1 { "1 number".to_owned() } else { format!("{count} numbers") }
}

impl Mark {
    /// How many numbers a mark of this kind is written with.
    #[must_use]
    pub const fn arity(kind: FeedbackKind) -> usize {
        match kind {
            FeedbackKind::BlackWhite => 2,
            FeedbackKind::HigherLower => 3,
            FeedbackKind::BlackOnly | FeedbackKind::Distance | FeedbackKind::CityBlock => 1,
        }
    }

    /// The mark these numbers spell on a line of `cells` cells with colors 1 to `colors`.
    pub fn from_numbers(kind: FeedbackKind, numbers: &[u64], cells: usize, colors: u16) -> Result<Self, MarkError> {
        let expected = Self::arity(kind);
        if numbers.len() != expected {
            let found = match numbers.len() {
                1 => "1 was".to_owned(),
                count => format!("{count} were"),
            };
            return Err(MarkError::WrongArity { kind, expected, found });
        }
        if matches!(kind, FeedbackKind::Distance | FeedbackKind::CityBlock) {
            let step = u64::from(colors) - 1;
            let farthest = if kind == FeedbackKind::Distance { step * step } else { step };
            let (distance, largest) = (numbers[0], farthest * cells as u64);
            let mark = Self::Distance { distance };
            return if distance <= largest { Ok(mark) } else { Err(MarkError::TooFar { distance, largest }) };
        }
        let pegs = numbers.iter().fold(0u64, |sum, &number| sum.saturating_add(number));
        if pegs > cells as u64 {
            return Err(MarkError::TooManyPegs { pegs, cells });
        }
        // No number exceeds the cells of a line here, and those are few.
        let peg = |index: usize| u16::try_from(numbers[index]).unwrap_or(u16::MAX);
        match kind {
            FeedbackKind::BlackWhite if pegs == cells as u64 && numbers[1] == 1 => Err(MarkError::LastPegWhite),
            FeedbackKind::BlackWhite => Ok(Self::BlackWhite { black: peg(0), white: peg(1) }),
            FeedbackKind::HigherLower if pegs < cells as u64 => Err(MarkError::WrongSum { pegs, cells }),
            FeedbackKind::HigherLower => Ok(Self::HigherLower { black: peg(0), higher: peg(1), lower: peg(2) }),
            _ => Ok(Self::BlackOnly { black: peg(0) }),
        }
    }

    /// Whether this is a mark of such a line, and what is wrong if it is not.
    pub fn check(self, kind: FeedbackKind, cells: usize, colors: u16) -> Result<(), MarkError> {
        let spelled = Self::from_numbers(kind, &self.numbers(), cells, colors)?;
        if spelled == self { Ok(()) } else { Err(MarkError::WrongKind { kind }) }
    }

    /// Whether some mark of such a line has these numbers where they are known, and what is wrong if none has.
    ///
    /// ```
    /// use pegwise_game::{FeedbackKind, Mark};
    /// let check = |numbers: &[Option<u64>]| Mark::check_known(FeedbackKind::BlackWhite, numbers, 4, 6);
    /// assert!(check(&[Some(3), None]).is_ok());
    /// assert!(check(&[Some(5), None]).is_err());
    /// ```
    pub fn check_known(
        kind: FeedbackKind,
        numbers: &[Option<u64>],
        cells: usize,
        colors: u16,
    ) -> Result<(), MarkError> {
        // Nothing is put where it does not matter, and what is left of the line where all numbers add up to it.
        let known = numbers.iter().flatten().fold(0u64, |sum, &number| sum.saturating_add(number));
        let mut rest = if kind == FeedbackKind::HigherLower { (cells as u64).saturating_sub(known) } else { 0 };
        let filled: Vec<u64> =
            numbers.iter().map(|number| number.unwrap_or_else(|| std::mem::take(&mut rest))).collect();
        Self::from_numbers(kind, &filled, cells, colors).map(|_| ())
    }

    /// The numbers a mark is written with, in order.
    #[must_use]
    pub fn numbers(self) -> Vec<u64> {
        match self {
            Self::BlackWhite { black, white } => vec![black.into(), white.into()],
            Self::BlackOnly { black } => vec![black.into()],
            Self::HigherLower { black, higher, lower } => vec![black.into(), higher.into(), lower.into()],
            Self::Distance { distance } => vec![distance],
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::BlackWhite { black, white } => write!(f, "{black},{white}"),
            Self::BlackOnly { black } => write!(f, "{black}"),
            Self::HigherLower { black, higher, lower } => write!(f, "{black},{higher},{lower}"),
            Self::Distance { distance } => write!(f, "{distance}"),
        }
    }
}
