//! What a codemaker answers: one mark for each line of the board.

mod judge;
mod kind;
mod mark;
mod packing;
mod terms;
mod written;

pub use judge::{Judge, feedback};
pub(crate) use kind::BULLS_AND_COWS;
pub use kind::FeedbackKind;
pub(crate) use mark::{MOST_TOLD, read_letter};
pub use mark::{Mark, MarkError};
pub use terms::{CellTerm, FeedbackModel, KeyPeg, MarkNumber, TermInteger};
pub use written::SerializedMark;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{rules::Rules, short::Short};

/// The answer to a guess: a [`Mark`] for each line of the board, in the order of [`crate::Board::lines`].
///
/// ```
/// use pegwise_game::{Feedback, Rules};
/// let rules: Rules = "grid:2x2x6".parse().unwrap();
/// let feedback = rules.parse_feedback("1,0/0,2/0,0/1,1").unwrap_err();
/// assert_eq!(feedback.to_string(), "mark 4 of '1,0/0,2/0,0/1,1': one peg in the wrong place with all others right cannot be");
/// let feedback = rules.parse_feedback("1,0/0,2/0,0/2,0").unwrap();
/// assert_eq!(feedback.to_string(), "1,0/0,2/0,0/2,0");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Feedback(Short<Mark, 1>);

impl Feedback {
    /// A feedback from its marks, one for each line.
    #[must_use]
    pub fn new(marks: impl AsRef<[Mark]>) -> Self {
        Self(Short::new(marks.as_ref()))
    }

    /// The answer to a guess that is the secret.
    #[must_use]
    pub fn winning(rules: &Rules) -> Self {
        Self(rules.board().lines().map(|line| rules.feedback().winning_mark(line.len())).collect())
    }

    /// The marks, one for each line.
    #[must_use]
    pub fn marks(&self) -> &[Mark] {
        &self.0
    }

    /// Whether every line is fully right.
    #[must_use]
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
