//! The kinds of feedback a game may give: one row of terms each.

use std::fmt;

use super::{
    Mark, mark,
    terms::{CellTerm, FeedbackModel, KeyPeg, MarkNumber},
};

/// What a line says about a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum FeedbackKind {
    /// Black pegs for the right color in the right place, white pegs for a right color in a wrong place.
    #[default]
    BlackWhite,
    /// Black pegs alone.
    BlackOnly,
    /// How many pegs have a right color, in whatever place. Fully right are all codes of the same colors.
    ColorOnly,
    /// For each cell black, white or nothing; of a repeated color, the cells on the left get the white pegs. With a list
    /// of words, the well-known word game.
    PerCell,
    /// Black pegs, and of the other cells how many must be higher and how many lower (Reddi's first MathMind).
    HigherLower,
    /// The squared Euclidean distance between guess and secret as vectors of color numbers (Reddi's second MathMind);
    /// squared, so that it is a whole number and nothing is rounded away.
    Distance,
    /// The city-block distance between guess and secret as vectors of color numbers.
    CityBlock,
}

const BLACK: MarkNumber =
    MarkNumber::new(["black", "black pegs", "right color, right place"], Some(KeyPeg::Black), [1, 0, 0]);
const WHITE: MarkNumber =
    MarkNumber::new(["white", "white pegs", "right color, wrong place"], Some(KeyPeg::White), [-1, 1, 0]);
const COLORS: MarkNumber =
    MarkNumber::new(["colors", "right colors", "right color, in whatever place"], Some(KeyPeg::White), [0, 1, 0]);
const RIGHT: MarkNumber = MarkNumber::new(["black", "black pegs", "right"], Some(KeyPeg::Black), [1, 0, 0]);
const HIGHER: MarkNumber =
    MarkNumber::new(["higher", "pegs that are higher", "the code is higher there"], Some(KeyPeg::Higher), [0, 1, 0]);
const LOWER: MarkNumber =
    MarkNumber::new(["lower", "pegs that are lower", "the code is lower there"], Some(KeyPeg::Lower), [-1, -1, 1]);
const SQUARES: MarkNumber =
    MarkNumber::new(["distance", "distance", "each peg's difference times itself, summed"], None, [1, 0, 0]);
const STEPS: MarkNumber = MarkNumber::new(["distance", "distance", "the pegs' differences, summed"], None, [1, 0, 0]);

/// The numbers of a mark where the game is bulls and cows.
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
        .of_each_cell();
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

    /// What it means.
    #[inline]
    #[must_use]
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

    /// The word for it in the rules notation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.model().name
    }

    /// What the numbers of a mark are called, in the order in which they are written.
    ///
    /// ```
    /// use pegwise_game::FeedbackKind;
    /// assert!(FeedbackKind::HigherLower.number_names().eq(["black", "higher", "lower"]));
    /// ```
    pub fn number_names(self) -> impl ExactSizeIterator<Item = &'static str> {
        self.model().numbers.iter().map(|number| number.name)
    }

    /// A number of a mark as it is written: itself, or a letter where cells are told one by one.
    #[must_use]
    pub fn number_text(self, number: u64) -> String {
        if self.model().per_cell { mark::letter(number).to_string() } else { number.to_string() }
    }

    /// The kind whose marks are written like those of this one.
    #[must_use]
    pub const fn written_as(self) -> Self {
        match self {
            Self::CityBlock => Self::Distance,
            kind => kind,
        }
    }

    /// The mark of a fully right line of `cells` cells.
    #[must_use]
    pub fn winning_mark(self, cells: usize) -> Mark {
        Mark::winning(self, cells)
    }
}

impl fmt::Display for FeedbackKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
