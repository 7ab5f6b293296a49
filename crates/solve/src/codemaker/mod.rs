//! Who hides a code and answers guesses.

mod adversary;
mod fixed;

pub use adversary::Adversary;
pub use fixed::Fixed;

use pegwise_game::{Code, Feedback};

/// A codemaker: answers guesses.
pub trait Codemaker: Send {
    /// Answers a guess.
    fn reply(&mut self, guess: &Code) -> Result<Feedback, CodemakerError>;

    /// The code, if there is one that all answers were about.
    fn reveal(&self) -> Option<Code>;
}

/// Why a codemaker has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodemakerError {
    /// The guess is not a code of the rules.
    #[error("the guess does not fit the rules: {0}")]
    Guess(#[from] pegwise_game::CodeErrorReason),
    /// The guess and its answer make no turn of the rules.
    #[error("the answer does not fit the rules: {0}")]
    Turn(Box<pegwise_game::TurnError>),
    /// Somebody else was to answer, and did not, or not with anything that can be true.
    #[error("{0}")]
    Peer(String),
}

impl From<pegwise_game::TurnError> for CodemakerError {
    fn from(error: pegwise_game::TurnError) -> Self {
        Self::Turn(Box::new(error))
    }
}
