//! Feedback: the answer to a guess, and the pair function that computes it from guess and secret.
//!
//! [`Judge`] is the plain definition that every faster path is tested against: the terms of the [`FeedbackModel`], summed
//! over the cells of each line.

mod mark;
mod model;

pub(crate) use mark::{MAX_PER_CELL_LINE, parse_letter};
pub use mark::{Mark, MarkError, SerializedMark};
pub(crate) use model::BULLS_AND_COWS;
pub use model::{CellTerm, FeedbackKind, FeedbackModel, KeyPeg, MarkNumber, TermInteger};

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{code::InlineList, color::Color, history::Turn, rules::Rules};

/// The answer to a guess: a [`Mark`] for each line of the board, in the order of [`crate::Board::lines`].
///
/// ```
/// use pegwise_game::{Feedback, Rules};
/// let rules: Rules = "grid:2x2x6".parse().unwrap();
/// let feedback = rules.parse_feedback("1,0/0,2/0,0/1,1").unwrap_err();
/// assert_eq!(feedback.to_string(), "mark 4 of '1,0/0,2/0,0/1,1': one peg in the wrong place with all others right is impossible");
/// let feedback = rules.parse_feedback("1,0/0,2/0,0/2,0").unwrap();
/// assert_eq!(feedback.to_string(), "1,0/0,2/0,0/2,0");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Feedback(InlineList<Mark, 1>);

impl Feedback {
    /// Creates a feedback from its marks, one for each line.
    pub fn new(marks: impl AsRef<[Mark]>) -> Self {
        Self(InlineList::new(marks.as_ref()))
    }

    /// Returns the answer to a guess that is the secret.
    pub fn winning(rules: &Rules) -> Self {
        Self(rules.board().lines().map(|line| rules.feedback().winning_mark(line.len())).collect())
    }

    /// Returns the marks, one for each line.
    pub fn marks(&self) -> &[Mark] {
        &self.0
    }

    /// Returns true if this is the answer to a guess that is the secret.
    pub fn is_winning(&self, rules: &Rules) -> bool {
        let lines = rules.board().lines();
        lines.len() == self.0.len()
            && lines.zip(self.marks()).all(|(line, &mark)| mark == rules.feedback().winning_mark(line.len()))
    }
}

impl<'de> Deserialize<'de> for Feedback {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::new)
    }
}

impl FromIterator<Mark> for Feedback {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Self {
        Self(marks.into_iter().collect())
    }
}

impl fmt::Display for Feedback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mark) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("/")?;
            }
            mark.fmt(f)?;
        }
        Ok(())
    }
}

/// The pair function: computes the feedback for guess and secret, reusing its buffer between calls.
///
/// ```
/// use pegwise_game::{Judge, Rules};
/// let rules: Rules = "4x6".parse().unwrap();
/// let (guess, secret) = (rules.parse_code("1122").unwrap(), rules.parse_code("2123").unwrap());
/// assert_eq!(Judge::new(&rules).feedback(&guess, &secret).to_string(), "2,1");
/// ```
#[derive(Debug, Clone)]
pub struct Judge {
    rules: Rules,
    /// For each color, its number in the secret minus its number in the guess over the cells seen; all zero between calls.
    surplus: Vec<i32>,
}

impl Judge {
    /// Creates a judge for `rules`.
    pub fn new(rules: &Rules) -> Self {
        let surplus = if rules.feedback().model().colors { vec![0; usize::from(rules.colors())] } else { Vec::new() };
        Self { rules: rules.clone(), surplus }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the feedback for a guess and a secret.
    ///
    /// # Panics
    /// Panics if a code has fewer cells than the board, or a color that the rules do not have.
    pub fn feedback(&mut self, guess: &[Color], secret: &[Color]) -> Feedback {
        self.marks(guess, secret).collect()
    }

    /// Iterates over the marks of [`Judge::feedback`].
    ///
    /// # Panics
    /// Panics if a code has fewer cells than the board, or a color that the rules do not have.
    pub fn marks(&mut self, guess: &[Color], secret: &[Color]) -> impl Iterator<Item = Mark> {
        let Self { rules, surplus } = self;
        rules.board().lines().map(|line| mark(rules.feedback(), surplus, line, guess, secret))
    }

    /// Returns true if the turn is answered truthfully for the secret `code`. Stops at the first line that differs.
    pub fn agrees(&mut self, turn: &Turn, code: &[Color]) -> bool {
        let Self { rules, surplus } = self;
        let lines = rules.board().lines();
        let expected = turn.feedback.marks();
        lines.zip(expected).all(|(line, &marked)| mark(rules.feedback(), surplus, line, &turn.guess, code) == marked)
    }

    /// Returns true if `code` can be the secret after these turns: if it agrees with all of them except for the lies that the
    /// rules allow. The answer to the secret itself and a winning answer are never lies.
    pub fn allows(&mut self, turns: &[Turn], code: &[Color]) -> bool {
        let mut lies = self.rules.lies();
        turns.iter().all(|turn| {
            if self.agrees(turn, code) {
                return true;
            }
            let may_be_a_lie = lies > 0 && *turn.guess != *code && !turn.feedback.is_winning(&self.rules);
            lies = lies.saturating_sub(1);
            may_be_a_lie
        })
    }
}

/// Returns the feedback for a guess and a secret. For many pairs, use a [`Judge`].
pub fn feedback(rules: &Rules, guess: &[Color], secret: &[Color]) -> Feedback {
    Judge::new(rules).feedback(guess, secret)
}

fn mark(kind: FeedbackKind, surplus: &mut [i32], line: &[usize], guess: &[Color], secret: &[Color]) -> Mark {
    // Specialized for the most common kind; the others are kept out of line.
    match kind {
        FeedbackKind::BlackWhite => mark_of(FeedbackKind::BlackWhite, surplus, line, guess, secret),
        kind => other_mark(kind, surplus, line, guess, secret),
    }
}

#[inline(never)]
fn other_mark(kind: FeedbackKind, surplus: &mut [i32], line: &[usize], guess: &[Color], secret: &[Color]) -> Mark {
    mark_of(kind, surplus, line, guess, secret)
}

#[inline(always)]
fn mark_of(kind: FeedbackKind, surplus: &mut [i32], line: &[usize], guess: &[Color], secret: &[Color]) -> Mark {
    let model = kind.model();
    if model.per_cell {
        return per_cell_mark(kind, surplus, line, guess, secret);
    }
    let sums = sums(model.cell, model.colors.then_some(surplus), line, guess, secret);
    Mark::from_sums(kind, sums, line.len())
}

/// Returns the two sums of a line. Common colors are matched one by one, as in Knuth's definition of white pegs.
#[inline(always)]
fn sums(
    term: CellTerm,
    mut surplus: Option<&mut [i32]>,
    line: &[usize],
    guess: &[Color],
    secret: &[Color],
) -> [u64; 2] {
    let mut sums = [0; 2];
    for &cell in line {
        let (asked, hidden) = (guess[cell].index(), secret[cell].index());
        let [first, second] = term.contribution(asked as u64, hidden as u64);
        sums[0] += first;
        sums[1] += second;
        if let Some(surplus) = &mut surplus {
            // Equal colors always add one pair.
            if asked == hidden {
                sums[1] += 1;
                continue;
            }
            sums[1] += u64::from_flag(surplus[hidden] < 0);
            surplus[hidden] += 1;
            sums[1] += u64::from_flag(surplus[asked] > 0);
            surplus[asked] -= 1;
        }
    }
    if let Some(surplus) = surplus {
        for &cell in line {
            surplus[guess[cell].index()] = 0;
            surplus[secret[cell].index()] = 0;
        }
    }
    sums
}

/// Computes a per-cell mark: black for equal colors, then white from the left while unmatched pegs of the color remain.
fn per_cell_mark(kind: FeedbackKind, spare: &mut [i32], line: &[usize], guess: &[Color], secret: &[Color]) -> Mark {
    for &cell in line.iter().filter(|&&cell| guess[cell] != secret[cell]) {
        spare[secret[cell].index()] += 1;
    }
    let mark = Mark::from_cell_values(
        kind,
        line.iter().map(|&cell| {
            if guess[cell] == secret[cell] {
                return 2;
            }
            let spare = &mut spare[guess[cell].index()];
            let white = *spare > 0;
            *spare -= i32::from(white);
            u64::from(white)
        }),
    );
    line.iter().for_each(|&cell| spare[secret[cell].index()] = 0);
    mark
}
