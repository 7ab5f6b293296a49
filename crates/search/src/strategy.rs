//! Strategies and their proposals.

use std::{borrow::Cow, sync::Arc};

use pegwise_game::{Code, Count, History, Rules, Table};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::device::{Device, DeviceError};
use crate::search::{Search, Stop, Watch};
use crate::secrets::SecretList;
use crate::tree::Tree;

/// A codebreaker.
///
/// Its proposals are determined by the rules, the parameters, the seed, and the histories of earlier calls. It may keep
/// state between calls, and accepts any history.
///
/// The catalog of `pegwise-solve` wraps each strategy: an implementation is never called after the winning turn, and may
/// return [`StrategyError::NO_CODE_FITS`] without finding the contradicting turns.
pub trait Strategy: Send {
    /// Chooses the next guess. The history may be of a game that this strategy did not play.
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed;

    /// Counts the questions that the published program still asks after its last guess has won. [`play`](crate::play)
    /// calls it once per won game.
    fn after_win(&mut self, _search: &mut Search<'_>) {}

    /// Returns the strategy as a function of the position, if it is one. Trees are built from it.
    fn position_strategy(&self) -> Option<Box<dyn PositionStrategy>> {
        None
    }

    /// Returns the strategy for games whose secret is on a list, if it supports lists.
    fn for_secrets(&self, _secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
        None
    }

    /// Returns the tree from which the strategy plays, if it has one.
    fn tree(&self) -> Option<&Tree> {
        None
    }

    /// Returns true if the strategy searches every position exactly that can be searched. An alternative without a number
    /// of guesses lost was then given up, and a second search would give up, too.
    fn searches_exactly(&self) -> bool {
        false
    }
}

/// A strategy whose guess depends only on the candidates and the guesses played.
pub trait PositionStrategy: Send + Sync {
    /// Chooses the guess for a position with at least one candidate.
    fn choose(&mut self, position: Position<'_>) -> Code;

    /// Like [`PositionStrategy::choose`], but returns any guess when `watch` stops it. Implement it if a choice takes
    /// long.
    fn choose_within(&mut self, position: Position<'_>, _watch: Watch<'_>) -> Code {
        self.choose(position)
    }

    /// Returns true if [`PositionStrategy::choose_batch`] is faster than one position at a time. Such a strategy must
    /// guess a single candidate, and is not called for it.
    fn prefers_batches(&self) -> bool {
        false
    }

    /// Chooses the guesses for many positions, in order; any guesses when `watch` stops it.
    fn choose_batch(&mut self, positions: &[Position<'_>], watch: Watch<'_>) -> Vec<Code> {
        positions.iter().map(|&position| self.choose_within(position, watch)).collect()
    }

    /// Uses a device from now on. Returns false if it is not supported. The guesses do not change.
    fn use_device(&mut self, _device: Arc<dyn Device>) -> bool {
        false
    }

    /// Returns the error of a device that failed; the work continued without it.
    fn device_error(&self) -> Option<DeviceError> {
        None
    }

    /// Returns the number of pairs of guess and candidate evaluated by this strategy and its duplicates; zero if not
    /// counted.
    fn scored(&self) -> u64 {
        0
    }

    /// Creates a copy that makes the same choices, for another thread.
    fn duplicate(&self) -> Box<dyn PositionStrategy>;
}

/// Position in a game: the candidates and the guesses played.
#[derive(Debug, Clone, Copy)]
pub struct Position<'a> {
    /// The candidates, ascending.
    pub codes: &'a Table,
    /// The guesses played.
    pub guesses: &'a [Code],
}

/// A proposed guess.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// The guess.
    pub guess: Code,
    /// Justification of the guess.
    pub basis: Basis,
    /// Number of candidates before the guess, if the strategy counted them.
    pub remaining: Option<Count>,
    /// Rating of the guess, if alternatives were requested and the strategy compares guesses.
    pub rated: Option<Alternative>,
    /// The next best guesses, at most [`Search::alternatives`].
    pub alternatives: Vec<Alternative>,
}

impl Proposal {
    /// Creates a proposal without a count and without alternatives.
    pub fn new(guess: Code, basis: Basis) -> Self {
        Self { guess, basis, remaining: None, rated: None, alternatives: Vec::new() }
    }

    /// Creates the proposal of an opening: `first`, or a random code.
    pub fn opening(first: Option<&Code>, rules: &Rules, search: &mut Search<'_>) -> Self {
        Self::new(first.cloned().unwrap_or_else(|| search.rng.code(rules)), Basis::Consistent)
    }

    /// Creates a proposal of a random code, after a limit was reached before a consistent code was found.
    pub fn last_resort(rules: &Rules, stop: Option<Stop>, search: &mut Search<'_>) -> Self {
        let why = format!("no code that fits was found before {}", stop.unwrap_or(Stop::Nodes));
        Self::new(search.rng.code(rules), Basis::BestEffort(why))
    }
}

/// Justification of a guess.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basis {
    /// From a proven tree, or the only candidate.
    Proven,
    /// Best of several guesses, compared by how they split the candidates.
    Scored,
    /// Consistent with the history.
    Consistent,
    /// Part of a fixed procedure; may be inconsistent.
    Planned,
    /// Best guess found within the limits; the text states the limitation.
    BestEffort(String),
}

/// Prefix of the text form of [`Basis::BestEffort`].
const BEST_EFFORT: &str = "best effort: ";

impl std::fmt::Display for Basis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Proven => f.write_str("proven"),
            Self::Scored => f.write_str("scored"),
            Self::Consistent => f.write_str("consistent"),
            Self::Planned => f.write_str("planned"),
            Self::BestEffort(why) => write!(f, "{BEST_EFFORT}{why}"),
        }
    }
}

impl Serialize for Basis {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Basis {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let known = [Self::Proven, Self::Scored, Self::Consistent, Self::Planned];
        let effort = || text.strip_prefix(BEST_EFFORT).map(|why| Self::BestEffort(why.to_owned()));
        let found = known.into_iter().find(|basis| basis.to_string() == text).or_else(effort);
        found.ok_or_else(|| D::Error::custom(format!("'{text}' is not the basis of a guess")))
    }
}

/// A rated guess.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// The guess.
    pub guess: Code,
    /// True if the guess can be the secret.
    pub consistent: bool,
    /// Score in `unit`.
    pub score: f64,
    /// Unit of the score, such as "bits".
    pub unit: Cow<'static, str>,
    /// Expected number of candidates after the answer; none once the code is found.
    pub expected_remaining: f64,
    /// Expected number of guesses lost against the best guess, if the strategy compares guesses by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<f64>,
}

/// A proposal or an error.
pub type Proposed = Result<Proposal, StrategyError>;

/// A strategy or an error.
pub type Built = Result<Box<dyn Strategy>, StrategyError>;

/// Error of a strategy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// No code is consistent with the history.
    #[error("no code fits: {}", name_turns(turns))]
    Contradiction {
        /// One-based numbers of a minimal set of contradicting turns, as far as the search could determine. Empty until
        /// the wrapper of the catalog has searched for them.
        turns: Vec<usize>,
    },
    /// No code on the list of secrets is consistent with the history.
    #[error("no code of the list fits the turns: a feedback was misread, or the secret is not listed")]
    NotListed,
    /// The game is over.
    #[error("the game is over: the last turn found the code")]
    AlreadySolved,
    /// The game is over after this maximum number of guesses.
    #[error("the game is over: all {0} guesses are used; omit max-guesses= from the rules to go on")]
    OutOfGuesses(u32),
    /// An external strategy did not answer with a valid guess, for this reason; it loses the game.
    #[error("{0}")]
    Failed(String),
    /// The strategy cannot play the rules: its name, the rules, and the supported rules in words.
    #[error("{0} cannot play {1}: {2}")]
    Unplayable(&'static str, String, String),
}

impl StrategyError {
    /// Contradiction whose turns are not yet known.
    pub const NO_CODE_FITS: Self = Self::Contradiction { turns: Vec::new() };

    /// Creates [`StrategyError::Unplayable`].
    pub fn unplayable(strategy: &'static str, rules: &impl ToString, can: &impl ToString) -> Self {
        Self::Unplayable(strategy, rules.to_string(), can.to_string())
    }
}

fn name_turns(turns: &[usize]) -> String {
    match turns {
        [] => "the turns contradict each other".to_owned(),
        [only] => format!("turn {only} cannot be true"),
        [one, other] => format!("turns {one} and {other} cannot both be true"),
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(ToString::to_string).collect();
            format!("turns {} and {last} cannot all be true", others.join(", "))
        }
    }
}
