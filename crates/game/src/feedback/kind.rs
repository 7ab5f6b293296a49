//! The kinds of feedback a game may give.

use std::fmt;

use super::Mark;

/// What a line says about a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum FeedbackKind {
    /// Black pegs for the right color in the right place, white pegs for a right color in a wrong place.
    #[default]
    BlackWhite,
    /// Black pegs alone.
    BlackOnly,
    /// Black pegs, and of the other cells how many must be higher and how many lower (Reddi's first MathMind).
    HigherLower,
    /// The squared Euclidean distance between guess and secret as vectors of color numbers (Reddi's second MathMind);
    /// squared, so that it is a whole number and nothing is rounded away.
    Distance,
    /// The city-block distance between guess and secret as vectors of color numbers.
    CityBlock,
}

impl FeedbackKind {
    /// Every kind, in the order of the documentation.
    pub const ALL: [Self; 5] = [Self::BlackWhite, Self::BlackOnly, Self::HigherLower, Self::Distance, Self::CityBlock];

    /// The word for it in the rules notation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BlackWhite => "black-white",
            Self::BlackOnly => "black-only",
            Self::HigherLower => "higher-lower",
            Self::Distance => "distance",
            Self::CityBlock => "city-block",
        }
    }

    /// What the numbers of a mark are called, in the order in which they are written.
    ///
    /// ```
    /// use pegwise_game::FeedbackKind;
    /// assert_eq!(FeedbackKind::HigherLower.number_names(), ["black", "higher", "lower"]);
    /// ```
    #[must_use]
    pub const fn number_names(self) -> &'static [&'static str] {
        match self {
            Self::BlackWhite => &["black", "white"],
            Self::BlackOnly => &["black"],
            Self::HigherLower => &["black", "higher", "lower"],
            Self::Distance | Self::CityBlock => &["distance"],
        }
    }

    /// Whether colors are mere names here, so that renaming them changes no feedback.
    #[must_use]
    pub const fn ignores_color_order(self) -> bool {
        matches!(self, Self::BlackWhite | Self::BlackOnly)
    }

    /// The mark of a fully right line of `cells` cells.
    #[must_use]
    pub fn winning_mark(self, cells: usize) -> Mark {
        let black = u16::try_from(cells).unwrap_or(u16::MAX);
        match self {
            Self::BlackWhite => Mark::BlackWhite { black, white: 0 },
            Self::BlackOnly => Mark::BlackOnly { black },
            Self::HigherLower => Mark::HigherLower { black, higher: 0, lower: 0 },
            Self::Distance | Self::CityBlock => Mark::Distance { distance: 0 },
        }
    }
}

impl fmt::Display for FeedbackKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
