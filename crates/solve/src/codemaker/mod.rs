//! Who hides a code and answers guesses.

mod fixed;

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
}
