//! Turns, the history of a game, and how it changes from one request to the next.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::code::{Code, CodeError, shorten};
use crate::color::Color;
use crate::feedback::{Feedback, Judge, feedback};
use crate::rules::{FeedbackError, Rules};

/// A guess and its feedback.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Turn {
    /// The guess.
    pub guess: Code,
    /// The feedback.
    pub feedback: Feedback,
}

/// Error for a turn that is not valid for the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// No `=` between guess and feedback.
    #[error("'{0}' is not a turn; write the guess, '=', and its feedback, as in 1122=2,1")]
    NoFeedback(String),
    /// The guess is invalid.
    #[error(transparent)]
    Guess(#[from] CodeError),
    /// The feedback is invalid.
    #[error(transparent)]
    Feedback(#[from] FeedbackError),
}

impl Turn {
    /// Parses a turn such as `1122=2,1`.
    ///
    /// ```
    /// use pegwise_game::{Rules, Turn};
    /// let rules: Rules = "4x6".parse().unwrap();
    /// let turn = Turn::parse(&rules, "1122=2,1").unwrap();
    /// assert_eq!(turn.notation(&rules).to_string(), "1122=2,1");
    /// ```
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, TurnError> {
        let (guess, feedback) = text.split_once('=').ok_or_else(|| TurnError::NoFeedback(shorten(text)))?;
        Ok(Self { guess: rules.parse_code(guess)?, feedback: rules.parse_feedback(feedback.trim())? })
    }

    /// Returns the turn of a guess against a secret.
    ///
    /// # Panics
    /// Panics if a code is not valid for the rules.
    pub fn against(rules: &Rules, secret: &Code, guess: Code) -> Self {
        Self { feedback: feedback(rules, &guess, secret), guess }
    }

    /// Returns the text of the turn.
    pub fn notation<'a>(&'a self, rules: &Rules) -> impl fmt::Display + use<'a> {
        let palette = rules.palette();
        fmt::from_fn(move |f| write!(f, "{}={}", self.guess.notation(palette), self.feedback))
    }
}

/// The turns of a game so far, and its rules. Every guess is valid, and every feedback is possible for its lines; there may
/// still be no code that is consistent with all turns.
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
    /// Creates a history without turns.
    pub fn new(rules: Rules) -> Self {
        Self { rules, turns: Vec::new() }
    }

    /// Parses a history from turns written as `1122=2,1`.
    pub fn parse<'a>(rules: &Rules, turns: impl IntoIterator<Item = &'a str>) -> Result<Self, TurnError> {
        let turns = turns.into_iter().map(|turn| Turn::parse(rules, turn)).collect::<Result<_, _>>()?;
        Ok(Self { rules: rules.clone(), turns })
    }

    /// Creates the history of guesses against a secret.
    ///
    /// # Panics
    /// Panics if a code is not valid for the rules.
    pub fn against(rules: &Rules, secret: &Code, guesses: impl IntoIterator<Item = Code>) -> Self {
        let turns = guesses.into_iter().map(|guess| Turn::against(rules, secret, guess)).collect();
        Self { rules: rules.clone(), turns }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the turns, first to last.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Returns the number of turns.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Returns true if there are no turns.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Adds a turn after checking its guess and feedback against the rules.
    pub fn push(&mut self, turn: Turn) -> Result<(), TurnError> {
        let text = || shorten(&turn.guess.notation(self.rules.palette()).to_string());
        self.rules.check_code(&turn.guess).map_err(|reason| CodeError { text: text(), reason })?;
        self.rules.check_feedback(&turn.feedback)?;
        self.turns.push(turn);
        Ok(())
    }

    /// Returns a history of the turns with these zero-based indices.
    ///
    /// # Panics
    /// Panics if an index is out of range.
    pub fn select(&self, indices: impl IntoIterator<Item = usize>) -> Self {
        let turns = indices.into_iter().map(|index| self.turns[index].clone()).collect();
        Self { rules: self.rules.clone(), turns }
    }

    /// Returns the guesses, first to last.
    pub fn guesses(&self) -> Vec<Code> {
        self.turns.iter().map(|turn| turn.guess.clone()).collect()
    }

    /// Removes and returns the last turn.
    pub fn pop(&mut self) -> Option<Turn> {
        self.turns.pop()
    }

    /// Returns true if the last guess found the secret.
    pub fn is_solved(&self) -> bool {
        self.turns.last().is_some_and(|turn| turn.feedback.is_winning(&self.rules))
    }

    /// Returns true if `code` can be the secret: if it is consistent with every turn except for the lies that the rules allow.
    /// For many codes, use [`History::is_consistent_by`].
    pub fn is_consistent(&self, code: &[Color]) -> bool {
        self.is_consistent_by(&mut Judge::new(&self.rules), code)
    }

    /// Like [`History::is_consistent`], with a [`Judge`] that is reused.
    pub fn is_consistent_by(&self, judge: &mut Judge, code: &[Color]) -> bool {
        judge.allows(&self.turns, code)
    }
}

/// The turns that a stateful strategy has processed, for comparison with the next history.
///
/// ```
/// use pegwise_game::{HistoryChange, History, Rules, HistoryTracker};
/// let rules: Rules = "4x6".parse()?;
/// let mut tracker = HistoryTracker::default();
/// let mut change = |turns: &[&str]| -> Result<HistoryChange, pegwise_game::TurnError> {
///     Ok(tracker.update(&History::parse(&rules, turns.iter().copied())?))
/// };
/// assert_eq!(change(&["1122=1,1"])?, HistoryChange::Extended { known: 0, as_proposed: false });
/// assert_eq!(change(&["1122=1,1", "1344=0,2"])?, HistoryChange::Extended { known: 1, as_proposed: false });
/// assert_eq!(change(&["1122=1,1", "1234=2,0"])?, HistoryChange::Rewound { to: 1 });
/// assert_eq!(change(&["5566=0,0"])?, HistoryChange::NewGame);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct HistoryTracker {
    turns: Vec<Turn>,
    /// The guess proposed after these turns.
    proposed: Option<Code>,
}

/// Relation of a history to the turns that were processed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryChange {
    /// All processed turns are a prefix of the history; the turns after the first `known` are new.
    Extended {
        /// Number of turns processed before.
        known: usize,
        /// True if exactly one turn is new and its guess is the last proposal.
        as_proposed: bool,
    },
    /// The turns agree up to an earlier turn, after which the processed turns are obsolete.
    Rewound {
        /// Number of common turns.
        to: usize,
    },
    /// No common turns. A history without turns is always a new game.
    NewGame,
}

impl HistoryChange {
    /// Compares a history with processed turns.
    pub fn between(processed: &[Turn], history: &History) -> Self {
        let turns = history.turns();
        let shared = processed.iter().zip(turns).take_while(|(one, other)| one == other).count();
        match shared {
            _ if turns.is_empty() => Self::NewGame,
            known if known == processed.len() => Self::Extended { known, as_proposed: false },
            0 => Self::NewGame,
            to => Self::Rewound { to },
        }
    }

    /// Returns true if all processed turns are still part of the history.
    pub fn is_extension(self) -> bool {
        matches!(self, Self::Extended { .. })
    }

    /// Returns true if the history is one turn longer and the new guess is the last proposal.
    pub fn is_as_proposed(self) -> bool {
        matches!(self, Self::Extended { as_proposed: true, .. })
    }

    /// Returns the number of turns to keep for state that cannot undo turns.
    pub fn known(self) -> usize {
        match self {
            Self::Extended { known, .. } => known,
            Self::Rewound { .. } | Self::NewGame => 0,
        }
    }

    /// Returns the number of turns to keep for state that can undo turns.
    pub fn shared(self) -> usize {
        match self {
            Self::Extended { known: shared, .. } | Self::Rewound { to: shared } => shared,
            Self::NewGame => 0,
        }
    }
}

impl HistoryTracker {
    /// Replaces the processed turns by a history and returns the change.
    pub fn update(&mut self, history: &History) -> HistoryChange {
        let mut change = HistoryChange::between(&self.turns, history);
        let new = &history.turns()[change.shared()..];
        let proposed = self.proposed.take();
        if let HistoryChange::Extended { as_proposed, .. } = &mut change {
            *as_proposed = proposed.is_some_and(|guess| matches!(new, [turn] if turn.guess == guess));
        }
        self.turns.truncate(change.shared());
        self.turns.extend_from_slice(new);
        change
    }

    /// Records the guess proposed after the processed turns.
    pub fn propose(&mut self, guess: &Code) {
        self.proposed = Some(guess.clone());
    }

    /// Returns the processed turns.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::feedback::{FeedbackKind, Mark};

    fn rejected(rules: &str, guess: &str, marks: &[Mark]) -> String {
        let rules: Rules = rules.parse().unwrap();
        let mut history = History::new(rules.clone());
        let guess = rules.parse_code(guess).unwrap();
        let error = history.push(Turn { guess, feedback: Feedback::new(marks) }).unwrap_err();
        assert!(history.is_empty(), "a rejected turn is not added");
        error.to_string()
    }

    #[test]
    fn impossible_feedback_is_rejected() {
        let of = |kind, numbers: &[u64]| Mark::of(kind, numbers).unwrap();
        let pegs = |black, white| of(FeedbackKind::BlackWhite, &[black, white]);
        let distance = |distance| of(FeedbackKind::Distance, &[distance]);
        assert_eq!(rejected("4x6", "1122", &[]), "'' has 0 marks, but the board has 1 line; write for example 0,0",);
        assert_eq!(
            rejected("4x6", "1122", &[pegs(1, 0), pegs(1, 0)]),
            "'1,0/1,0' has 2 marks, but the board has 1 line; write for example 0,0",
        );
        assert_eq!(rejected("4x6", "1122", &[pegs(3, 2)]), "mark 1 of '3,2': 5 pegs on a line of 4");
        assert_eq!(
            rejected("4x6", "1122", &[pegs(3, 1)]),
            "mark 1 of '3,1': one peg in the wrong place with all others right is impossible",
        );
        assert_eq!(
            rejected("4x6", "1122", &[of(FeedbackKind::BlackOnly, &[1])]),
            "mark 1 of '1': a black-only mark in a game with black-white feedback",
        );
        assert_eq!(
            rejected("4x6:black-only", "1122", &[distance(1)]),
            "mark 1 of '1': a distance mark in a game with black-only feedback",
        );
        assert!(rejected("4x6:distance", "1122", &[distance(101)]).contains("is 100"));
        let sum = of(FeedbackKind::HigherLower, &[1, 1, 1]);
        assert!(rejected("4x6:higher-lower", "1122", &[sum]).contains("add up to 3"));
        let marks = [pegs(2, 0), pegs(2, 0), pegs(2, 0), pegs(1, 1)];
        assert!(rejected("grid:2x2x6", "1122", &marks).starts_with("mark 4 of '2,0/2,0/2,0/1,1': one peg"));
    }

    #[test]
    fn a_guess_of_other_rules_is_rejected() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut history = History::new(rules.clone());
        let turn = |guess| Turn { guess, feedback: Feedback::winning(&rules) };
        let error = |turn| history.push(turn).unwrap_err().to_string();
        let [short, foreign] = [&[0u16, 0][..], &[0, 0, 6, 0]].map(|colors| Code::from_indices(colors.to_vec()));
        let found = [short, foreign].map(turn).map(error);
        assert!(found[0].starts_with("'11' is not a valid code for these rules: "), "{found:?}");
        assert!(found[1].starts_with("'1171' is not a valid code for these rules: "), "{found:?}");
    }

    /// Every feedback of the pair function is accepted, and its text parses back.
    #[test]
    fn every_feedback_is_accepted() {
        for text in "3x3 2x5:no-repeats 3x3:black-only 3x3:higher-lower 2x5:distance 2x5:city-block grid:2x2x3 ring:4x2"
            .split(' ')
        {
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

    /// Generates histories of few distinct turns, so that prefixes are often equal.
    fn any_history() -> impl Strategy<Value = History> {
        let turns = prop::sample::select(vec!["11=0,0", "11=1,0", "12=0,1", "12=0,2", "23=2,0"]);
        let rules: Rules = "2x3".parse().unwrap();
        prop::collection::vec(turns, 0..5).prop_map(move |turns| History::parse(&rules, turns).unwrap())
    }

    proptest! {
        /// State that is updated incrementally, with or without undo, has the turns of state built from scratch.
        #[test]
        fn incremental_updates_match_the_history(histories in prop::collection::vec(any_history(), 1..8)) {
            let mut tracker = HistoryTracker::default();
            let (mut forward, mut both): (Vec<Turn>, Vec<Turn>) = Default::default();
            for history in histories {
                let before = tracker.turns().to_vec();
                let change = tracker.update(&history);
                prop_assert_eq!(change.is_extension(), !history.is_empty() && history.turns().starts_with(&before));
                forward.truncate(change.known());
                forward.extend_from_slice(&history.turns()[change.known()..]);
                both.truncate(change.shared());
                both.extend_from_slice(&history.turns()[change.shared()..]);
                prop_assert_eq!(&forward[..], history.turns());
                prop_assert_eq!(&both[..], history.turns());
                prop_assert_eq!(tracker.turns(), history.turns());
                if let HistoryChange::Rewound { to } = change {
                    prop_assert!(to > 0 && to < before.len());
                    prop_assert!(before.get(to) != history.turns().get(to), "no more turns are shared");
                }
            }
        }
    }

    #[test]
    fn only_the_proposed_guess_extends_as_proposed() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = |turns: &[&str]| History::parse(&rules, turns.iter().copied()).unwrap();
        let mut tracker = HistoryTracker::default();
        assert_eq!(tracker.update(&history(&[])), HistoryChange::NewGame);
        tracker.propose(&rules.parse_code("1122").unwrap());
        assert!(tracker.update(&history(&["1122=1,0"])).is_as_proposed());
        tracker.propose(&rules.parse_code("3333").unwrap());
        assert!(!tracker.update(&history(&["1122=1,0"])).is_as_proposed(), "asked again");
        assert!(!tracker.update(&history(&["1122=1,0", "3333=1,0"])).is_as_proposed(), "asked again in between");
        tracker.propose(&rules.parse_code("4444").unwrap());
        assert!(!tracker.update(&history(&["1122=1,0", "3333=1,0", "4444=0,0", "5555=0,0"])).is_as_proposed());
    }
}
