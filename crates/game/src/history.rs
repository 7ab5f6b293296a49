//! Turns, and the history of a game.

use std::fmt;

use serde::Serialize;

use crate::{
    code::{Code, CodeError, CodeErrorReason, shorten},
    color::Color,
    feedback::{Feedback, Judge},
    rules::{FeedbackError, Rules},
};

/// A guess and what it was answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Turn {
    /// The code played.
    pub guess: Code,
    /// The answer.
    pub feedback: Feedback,
}

/// Why a turn does not fit the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// No `=` between guess and feedback.
    #[error("'{text}' is not a turn; write the guess, '=', and its feedback, as in 1122=2,1")]
    NoFeedback {
        /// The text given.
        text: String,
    },
    /// The guess is wrong.
    #[error(transparent)]
    Guess(#[from] CodeError),
    /// The feedback is wrong.
    #[error(transparent)]
    Feedback(#[from] FeedbackError),
}

impl Turn {
    /// Reads a turn such as `1122=2,1`.
    ///
    /// ```
    /// use pegwise_game::{Rules, Turn};
    /// let rules: Rules = "4x6".parse().unwrap();
    /// let turn = Turn::parse(&rules, "1122=2,1").unwrap();
    /// assert_eq!(turn.notation(&rules).to_string(), "1122=2,1");
    /// ```
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, TurnError> {
        let (guess, feedback) = text.split_once('=').ok_or_else(|| TurnError::NoFeedback { text: shorten(text) })?;
        Ok(Self { guess: rules.parse_code(guess)?, feedback: rules.parse_feedback(feedback.trim())? })
    }

    /// The turn as people write it.
    #[must_use]
    pub fn notation<'a>(&'a self, rules: &Rules) -> impl fmt::Display + use<'a> {
        let colors = rules.colors();
        fmt::from_fn(move |f| write!(f, "{}={}", self.guess.notation(colors), self.feedback))
    }
}

/// The turns of a game so far, under its rules.
///
/// ```
/// use pegwise_game::{History, Rules, Turn};
/// let rules: Rules = "4x6".parse().unwrap();
/// let mut history = History::new(rules.clone());
/// history.push(Turn::parse(&rules, "1122=2,0").unwrap()).unwrap();
/// assert!(history.is_consistent(&rules.parse_code("1344").unwrap()) == false);
/// assert!(history.is_consistent(&rules.parse_code("1324").unwrap()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    rules: Rules,
    turns: Vec<Turn>,
}

impl History {
    /// A game in which nothing was played yet.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self { rules, turns: Vec::new() }
    }

    /// A history from turns written as `1122=2,1`.
    pub fn parse<'a>(rules: &Rules, turns: impl IntoIterator<Item = &'a str>) -> Result<Self, TurnError> {
        let turns = turns.into_iter().map(|turn| Turn::parse(rules, turn)).collect::<Result<_, _>>()?;
        Ok(Self { rules: rules.clone(), turns })
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The turns, first to last.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// How many turns were played.
    #[must_use]
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether nothing was played yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Adds a turn whose guess fits the rules.
    pub fn push(&mut self, turn: Turn) -> Result<(), CodeErrorReason> {
        self.rules.check_code(&turn.guess)?;
        self.turns.push(turn);
        Ok(())
    }

    /// Takes the last turn back.
    pub fn pop(&mut self) -> Option<Turn> {
        self.turns.pop()
    }

    /// Whether the last guess was right.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.turns.last().is_some_and(|turn| turn.feedback.is_winning(&self.rules))
    }

    /// Whether this code would have produced every feedback so far. For many codes keep a [`Judge`].
    #[must_use]
    pub fn is_consistent(&self, code: &[Color]) -> bool {
        self.is_consistent_by(&mut Judge::new(&self.rules), code)
    }

    /// [`History::is_consistent`] with a judge kept by the caller.
    pub fn is_consistent_by(&self, judge: &mut Judge, code: &[Color]) -> bool {
        self.turns.iter().all(|turn| judge.agrees(turn, code))
    }
}
