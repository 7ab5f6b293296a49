//! Which colors the code shows, and how often: the questions that come before those about places.
//!
//! [`Counting`] asks color after color, as the thesis does in its chapter 4: the colors counted so far stay in the guess and
//! the next one fills the rest, so that the pegs beyond those already accounted for count it. The last color is what is left.
//! [`Pairs`](super::pairs::Pairs) asks about two colors at a time, as chapter 7 proposes.

use pegwise_game::{Code, Color, Mark, Rules};

use super::{pairs::Pairs, procedure::Unforeseen};
use crate::{
    parameter::{Parameter, ParameterKind},
    spec::Arguments,
};

/// How the colors are counted.
pub(crate) const PREPROCESSING: Parameter = Parameter {
    name: "preprocessing",
    kind: ParameterKind::Choice(&["counting", "pairs"]),
    default: "counting",
    about: "how colors are counted: one after the other, or two in a guess",
};

/// Counts the colors of a code.
#[derive(Debug, Clone)]
pub(crate) enum Counter {
    OneByOne(Counting),
    InPairs(Pairs),
}

impl Counter {
    /// As the parameter says. `to_the_end` asks about every color even when all cells are accounted for.
    pub(crate) fn new(rules: &Rules, arguments: &Arguments, to_the_end: bool) -> Self {
        match arguments.text(PREPROCESSING.name) {
            "pairs" => Self::InPairs(Pairs::new(rules)),
            _ => Self::OneByOne(Counting::new(rules, to_the_end)),
        }
    }

    /// The next question, until the colors are known.
    pub(crate) fn question(&self) -> Option<Code> {
        match self {
            Self::OneByOne(counting) => counting.question().map(descending),
            Self::InPairs(pairs) => pairs.question(),
        }
    }

    /// Takes the answer to the question, in whatever places its colors were asked.
    pub(crate) fn learn(&mut self, mark: Mark) -> Result<(), Unforeseen> {
        match self {
            Self::OneByOne(counting) => counting.learn(mark),
            Self::InPairs(pairs) => pairs.learn(mark),
        }
    }

    /// Whether the places of the next question are free: its colors tell as much in any order.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self, Self::OneByOne(_)) || self.question().is_none()
    }

    /// The colors to show next, descending: those of the question, or those of the code.
    pub(crate) fn next_colors(&self) -> Code {
        self.question().unwrap_or_else(|| self.colors())
    }

    /// Takes a turn in: whether it shows the colors to be shown next, in any order, and can be true.
    pub(crate) fn take_in(&mut self, guess: &[Color], mark: Mark) -> bool {
        let (mut shown, mut expected) = (guess.to_vec(), self.next_colors().to_vec());
        shown.sort_unstable();
        expected.sort_unstable();
        shown == expected && (self.question().is_none() || self.learn(mark).is_ok())
    }

    /// The colors of the code, descending, once there are no more questions.
    pub(crate) fn colors(&self) -> Code {
        descending(match self {
            Self::OneByOne(counting) => counting.colors(),
            Self::InPairs(pairs) => pairs.colors(),
        })
    }
}

fn descending(mut ascending: Vec<Color>) -> Code {
    ascending.reverse();
    Code::new(ascending)
}

/// Black and white pegs together.
pub(super) fn pegs(mark: Mark) -> Result<usize, Unforeseen> {
    mark.pegs().ok_or(Unforeseen)
}

/// Counts color after color.
#[derive(Debug, Clone)]
pub(crate) struct Counting {
    cells: usize,
    last: Color,
    to_the_end: bool,
    /// The cells accounted for, ascending.
    known: Vec<Color>,
    /// The color to count next.
    next: Color,
}

impl Counting {
    fn new(rules: &Rules, to_the_end: bool) -> Self {
        let last = Color::new(rules.colors() - 1);
        Self { cells: rules.cells(), last, to_the_end, known: Vec::new(), next: Color::new(0) }
    }

    /// The colors to ask about, ascending, in places of the caller's choice.
    fn question(&self) -> Option<Vec<Color>> {
        let open = self.next < self.last && (self.to_the_end || self.known.len() < self.cells);
        open.then(|| self.filled_with(self.next))
    }

    /// Takes the answer to the question.
    fn learn(&mut self, mark: Mark) -> Result<(), Unforeseen> {
        let counted = pegs(mark)?.checked_sub(self.known.len()).ok_or(Unforeseen)?;
        self.known = self.filled_with(self.next)[..self.known.len() + counted].to_vec();
        self.next = Color::new(self.next.index() as u16 + 1);
        Ok(())
    }

    /// The colors of the code, ascending, once there are no more questions.
    fn colors(&self) -> Vec<Color> {
        self.filled_with(self.last)
    }

    fn filled_with(&self, color: Color) -> Vec<Color> {
        let mut colors = self.known.clone();
        colors.resize(self.cells, color);
        colors
    }
}
