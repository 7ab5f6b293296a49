//! Turns, and the history of a game.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    code::{Code, CodeError, shorten},
    color::Color,
    feedback::{Feedback, Judge},
    rules::{FeedbackError, Rules},
};

/// A guess and what it was answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
        let palette = rules.palette();
        fmt::from_fn(move |f| write!(f, "{}={}", self.guess.notation(palette), self.feedback))
    }
}

/// The turns of a game so far, under its rules. It cannot be wrong in form: every guess is a code of the rules, and every
/// feedback has a mark of their kind for each line, with numbers that such a line can be answered with. Whether some code
/// fits all turns is another question.
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

    /// Adds a turn whose guess and feedback fit the rules.
    pub fn push(&mut self, turn: Turn) -> Result<(), TurnError> {
        let text = || shorten(&turn.guess.notation(self.rules.palette()).to_string());
        self.rules.check_code(&turn.guess).map_err(|reason| CodeError { text: text(), reason })?;
        self.rules.check_feedback(&turn.feedback)?;
        self.turns.push(turn);
        Ok(())
    }

    /// The game with only these of its turns, by their place from zero.
    ///
    /// # Panics
    /// When there is no turn at a place.
    #[must_use]
    pub fn select(&self, places: impl IntoIterator<Item = usize>) -> Self {
        let turns = places.into_iter().map(|place| self.turns[place].clone()).collect();
        Self { rules: self.rules.clone(), turns }
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

    /// Whether this code would have produced every feedback so far, but for the lies that the rules allow. For many codes
    /// keep a [`Judge`].
    #[must_use]
    pub fn is_consistent(&self, code: &[Color]) -> bool {
        self.is_consistent_by(&mut Judge::new(&self.rules), code)
    }

    /// [`History::is_consistent`] with a judge kept by the caller.
    pub fn is_consistent_by(&self, judge: &mut Judge, code: &[Color]) -> bool {
        judge.allows(&self.turns, code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedback::{FeedbackKind, Mark};

    fn refused(rules: &str, guess: &str, marks: &[Mark]) -> String {
        let rules: Rules = rules.parse().unwrap();
        let mut history = History::new(rules.clone());
        let guess = rules.parse_code(guess).unwrap();
        let error = history.push(Turn { guess, feedback: Feedback::new(marks) }).unwrap_err();
        assert!(history.is_empty(), "what is refused leaves no trace");
        error.to_string()
    }

    #[test]
    fn what_is_no_turn_of_the_rules_is_refused() {
        let of = |kind, numbers: &[u64]| Mark::of(kind, numbers).unwrap();
        let pegs = |black, white| of(FeedbackKind::BlackWhite, &[black, white]);
        let distance = |distance| of(FeedbackKind::Distance, &[distance]);
        assert_eq!(refused("4x6", "1122", &[]), "'' has 0 marks, and the board has 1 line; write for example 0,0",);
        assert_eq!(
            refused("4x6", "1122", &[pegs(1, 0), pegs(1, 0)]),
            "'1,0/1,0' has 2 marks, and the board has 1 line; write for example 0,0",
        );
        assert_eq!(refused("4x6", "1122", &[pegs(3, 2)]), "mark 1 of '3,2': 5 pegs on a line of 4");
        assert_eq!(
            refused("4x6", "1122", &[pegs(3, 1)]),
            "mark 1 of '3,1': one peg in the wrong place with all others right cannot be",
        );
        assert_eq!(
            refused("4x6", "1122", &[of(FeedbackKind::BlackOnly, &[1])]),
            "mark 1 of '1': a black-only mark where black-white feedback is given",
        );
        assert_eq!(
            refused("4x6:black-only", "1122", &[distance(1)]),
            "mark 1 of '1': a distance mark where black-only feedback is given",
        );
        assert!(refused("4x6:distance", "1122", &[distance(101)]).contains("is 100"));
        let sum = of(FeedbackKind::HigherLower, &[1, 1, 1]);
        assert!(refused("4x6:higher-lower", "1122", &[sum]).contains("add up to 3"));
        let marks = [pegs(2, 0), pegs(2, 0), pegs(2, 0), pegs(1, 1)];
        assert!(refused("grid:2x2x6", "1122", &marks).starts_with("mark 4 of '2,0/2,0/2,0/1,1': one peg"));
    }

    #[test]
    fn a_guess_of_other_rules_is_refused() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut history = History::new(rules.clone());
        let turn = |guess| Turn { guess, feedback: Feedback::winning(&rules) };
        let error = |turn| history.push(turn).unwrap_err().to_string();
        let [short, stranger] = [&[0u16, 0][..], &[0, 0, 6, 0]].map(|colors| Code::from_indices(colors.to_vec()));
        let found = [short, stranger].map(turn).map(error);
        assert!(found[0].starts_with("'11' is not a code of these rules: "), "{found:?}");
        assert!(found[1].starts_with("'1171' is not a code of these rules: "), "{found:?}");
    }

    /// What the pair function answers is never refused, and what is written is read back.
    #[test]
    fn every_answer_to_a_guess_is_taken() {
        for text in [
            "3x3",
            "2x5:no-repeats",
            "3x3:black-only",
            "3x3:higher-lower",
            "2x5:distance",
            "2x5:city-block",
            "grid:2x2x3",
            "ring:4x2",
        ] {
            let rules: Rules = text.parse().unwrap();
            let mut judge = Judge::new(&rules);
            let codes: Vec<Code> = crate::Space::new(&rules).iter().collect();
            let mut history = History::new(rules.clone());
            for (guess, secret) in codes.iter().flat_map(|guess| codes.iter().map(move |secret| (guess, secret))) {
                let turn = Turn { guess: guess.clone(), feedback: judge.feedback(guess, secret) };
                history.push(turn).unwrap_or_else(|error| panic!("{text}: {error}"));
            }
            let written: Vec<String> = history.turns().iter().map(|turn| turn.notation(&rules).to_string()).collect();
            assert_eq!(History::parse(&rules, written.iter().map(String::as_str)), Ok(history));
        }
    }
}
