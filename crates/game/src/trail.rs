//! Following a game from turn to turn.

use crate::{
    code::Code,
    history::{History, Turn},
};

/// The turns that somebody who keeps state has taken in: it tells what the next history is to them.
///
/// ```
/// use pegwise_game::{HistoryChange, History, Rules, HistoryTracker};
/// let rules: Rules = "4x6".parse()?;
/// let mut trail = HistoryTracker::default();
/// let mut course = |turns: &[&str]| -> Result<HistoryChange, pegwise_game::TurnError> {
///     Ok(trail.update(&History::parse(&rules, turns.iter().copied())?))
/// };
/// assert_eq!(course(&["1122=1,1"])?, HistoryChange::Extended { known: 0, as_proposed: false });
/// assert_eq!(course(&["1122=1,1", "1344=0,2"])?, HistoryChange::Extended { known: 1, as_proposed: false });
/// assert_eq!(course(&["1122=1,1", "1234=2,0"])?, HistoryChange::Rewound { to: 1 });
/// assert_eq!(course(&["5566=0,0"])?, HistoryChange::NewGame);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct HistoryTracker {
    turns: Vec<Turn>,
    proposed: Option<Code>,
}

/// What a history is to somebody who has taken in some turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryChange {
    /// The same game: the turns after the `known` ones, if any, are new.
    Extended {
        /// Turns taken in before.
        known: usize,
        /// Whether one turn is new, and its guess is the one last proposed.
        as_proposed: bool,
    },
    /// The same game up to a turn; what was taken in after it is no longer true, and all that the history has is new.
    Rewound {
        /// Turns that both have.
        to: usize,
    },
    /// Another game, of which nothing was taken in. A history without turns always begins one.
    NewGame,
}

impl HistoryChange {
    /// The course from some turns to a history.
    #[must_use]
    pub fn between(taken: &[Turn], history: &History) -> Self {
        let turns = history.turns();
        let shared = taken.iter().zip(turns).take_while(|(one, other)| one == other).count();
        match shared {
            _ if turns.is_empty() => Self::NewGame,
            known if known == taken.len() => Self::Extended { known, as_proposed: false },
            0 => Self::NewGame,
            to => Self::Rewound { to },
        }
    }

    /// Whether nothing that was taken in has become untrue.
    #[must_use]
    pub fn is_extension(self) -> bool {
        matches!(self, Self::Extended { .. })
    }

    /// Whether the game is one turn longer, and by the guess that was proposed.
    #[must_use]
    pub fn is_as_proposed(self) -> bool {
        matches!(self, Self::Extended { as_proposed: true, .. })
    }

    /// The turns that need not be taken in by somebody who can go on, but not back.
    #[must_use]
    pub fn known(self) -> usize {
        match self {
            Self::Extended { known, .. } => known,
            Self::Rewound { .. } | Self::NewGame => 0,
        }
    }

    /// The turns that need not be taken in by somebody who can also take turns back.
    #[must_use]
    pub fn shared(self) -> usize {
        match self {
            Self::Extended { known: shared, .. } | Self::Rewound { to: shared } => shared,
            Self::NewGame => 0,
        }
    }
}

impl HistoryTracker {
    /// Takes in a history, and tells what it was to the turns before.
    pub fn update(&mut self, history: &History) -> HistoryChange {
        let mut course = HistoryChange::between(&self.turns, history);
        let new = &history.turns()[course.shared()..];
        let proposed = self.proposed.take();
        if let HistoryChange::Extended { as_proposed, .. } = &mut course {
            *as_proposed = proposed.is_some_and(|guess| matches!(new, [turn] if turn.guess == guess));
        }
        self.turns.truncate(course.shared());
        self.turns.extend_from_slice(new);
        course
    }

    /// Notes what was proposed after the turns taken in.
    pub fn propose(&mut self, guess: &Code) {
        self.proposed = Some(guess.clone());
    }

    /// The turns taken in.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::Rules;

    /// Of few turns, so that games often begin alike.
    fn any_history() -> impl Strategy<Value = History> {
        let turns = prop::sample::select(vec!["11=0,0", "11=1,0", "12=0,1", "12=0,2", "23=2,0"]);
        let rules: Rules = "2x3".parse().unwrap();
        prop::collection::vec(turns, 0..5).prop_map(move |turns| History::parse(&rules, turns).unwrap())
    }

    proptest! {
        /// Somebody who goes on by what is told, whether or not they can take turns back, has the turns of one who starts
        /// anew.
        #[test]
        fn following_is_as_good_as_starting_anew(histories in prop::collection::vec(any_history(), 1..8)) {
            let mut trail = HistoryTracker::default();
            let (mut forward, mut both): (Vec<Turn>, Vec<Turn>) = Default::default();
            for history in histories {
                let before = trail.turns().to_vec();
                let course = trail.update(&history);
                prop_assert_eq!(course.is_extension(), !history.is_empty() && history.turns().starts_with(&before));
                forward.truncate(course.known());
                forward.extend_from_slice(&history.turns()[course.known()..]);
                both.truncate(course.shared());
                both.extend_from_slice(&history.turns()[course.shared()..]);
                prop_assert_eq!(&forward[..], history.turns());
                prop_assert_eq!(&both[..], history.turns());
                prop_assert_eq!(trail.turns(), history.turns());
                if let HistoryChange::Rewound { to } = course {
                    prop_assert!(to > 0 && to < before.len());
                    prop_assert!(before.get(to) != history.turns().get(to), "no more turns are shared");
                }
            }
        }
    }

    #[test]
    fn a_game_goes_on_as_proposed_with_that_guess_alone() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = |turns: &[&str]| History::parse(&rules, turns.iter().copied()).unwrap();
        let mut trail = HistoryTracker::default();
        assert_eq!(trail.update(&history(&[])), HistoryChange::NewGame);
        trail.propose(&rules.parse_code("1122").unwrap());
        assert!(trail.update(&history(&["1122=1,0"])).is_as_proposed());
        trail.propose(&rules.parse_code("3333").unwrap());
        assert!(!trail.update(&history(&["1122=1,0"])).is_as_proposed(), "asked again");
        assert!(!trail.update(&history(&["1122=1,0", "3333=1,0"])).is_as_proposed(), "asked again in between");
        trail.propose(&rules.parse_code("4444").unwrap());
        assert!(!trail.update(&history(&["1122=1,0", "3333=1,0", "4444=0,0", "5555=0,0"])).is_as_proposed());
    }
}
