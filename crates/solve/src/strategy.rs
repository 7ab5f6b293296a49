//! What a strategy is, and what it answers.

use std::{borrow::Cow, sync::Arc};

use pegwise_game::{Code, Count, History, Rules, Table};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::{
    device::{Device, DeviceError},
    search::{Search, Stop, Watch},
    secrets::SecretList,
    tree::Tree,
};

/// A codebreaker.
///
/// A strategy's answers are fixed by its rules, its parameters, its seed, and the turns it was asked about so far. It may
/// keep state between turns, and accepts a history it has never seen.
///
/// Strategies of the [catalog](crate::catalog) have a frame around them that answers for a game that is over and names the
/// turns that contradict each other, so that an implementation is never asked after the winning turn and may say
/// [`StrategyError::NO_CODE_FITS`] plainly.
pub trait Strategy: Send {
    /// Chooses the next guess. Any history is allowed, also one this strategy did not play.
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError>;

    /// The strategy as a function of the position alone, where it is one: whole trees are then built without asking about
    /// histories one by one.
    fn position_strategy(&self) -> Option<Box<dyn PositionStrategy>> {
        None
    }

    /// The strategy for a game whose secret is one of a list, where there is one that makes use of it.
    fn for_secrets(&self, _secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
        None
    }

    /// The whole strategy, where it plays from a tree that is there already.
    fn tree(&self) -> Option<&Tree> {
        None
    }
}

/// A strategy whose guess depends on the codes still possible and the guesses played, and on nothing else.
pub trait PositionStrategy: Send + Sync {
    /// Chooses the guess for a position with at least one code.
    fn choose(&mut self, position: Position<'_>) -> Code;

    /// [`PositionStrategy::choose`] that takes any guess when it is stopped. Worth writing where a choice takes long.
    fn choose_within(&mut self, position: Position<'_>, _watch: Watch<'_>) -> Code {
        self.choose(position)
    }

    /// Whether [`PositionStrategy::choose_batch`] is quicker than one position after another. A strategy that says so guesses
    /// the code where only one is left, and is not asked there.
    fn prefers_batches(&self) -> bool {
        false
    }

    /// The guesses for many positions, in their order; any guesses when it is stopped.
    fn choose_batch(&mut self, positions: &[Position<'_>], watch: Watch<'_>) -> Vec<Code> {
        positions.iter().map(|&position| self.choose_within(position, watch)).collect()
    }

    /// Lets a device help, where it can. Guesses stay the same.
    fn use_device(&mut self, _device: Arc<dyn Device>) -> bool {
        false
    }

    /// What went wrong with a device that helped; the work went on without it.
    fn device_error(&self) -> Option<DeviceError> {
        None
    }

    /// Pairs of guess and code that this one and its duplicates have scored, where they are counted.
    fn scored(&self) -> u64 {
        0
    }

    /// Another one that chooses alike, for another thread.
    fn duplicate(&self) -> Box<dyn PositionStrategy>;
}

/// A position in a game: the codes still possible, in ascending order, and the guesses that led here.
#[derive(Debug, Clone, Copy)]
pub struct Position<'a> {
    /// The codes still possible.
    pub codes: &'a Table,
    /// The guesses played.
    pub guesses: &'a [Code],
}

/// A guess, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// The guess.
    pub guess: Code,
    /// Why this one.
    pub basis: Basis,
    /// How many codes were possible before the guess, where the strategy knows.
    pub remaining: Option<Count>,
    /// How the guess itself compares, where alternatives were asked for and the strategy compared.
    pub rated: Option<Alternative>,
    /// The next best guesses, as many as [`Search::alternatives`] asked for and the strategy compared.
    pub alternatives: Vec<Alternative>,
}

impl Proposal {
    /// A proposal without a count of codes and without alternatives.
    #[must_use]
    pub fn new(guess: Code, basis: Basis) -> Self {
        Self { guess, basis, remaining: None, rated: None, alternatives: Vec::new() }
    }

    /// Any code, for want of one that fits: a limit was reached before one was found.
    #[must_use]
    pub fn last_resort(rules: &Rules, stop: Option<Stop>, search: &mut Search<'_>) -> Self {
        let why = format!("no code that fits was found before {}", stop.unwrap_or(Stop::Nodes));
        Self::new(search.rng.code(rules), Basis::BestEffort(why))
    }
}

/// What a guess rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basis {
    /// A proven tree, or the only code left.
    Proven,
    /// Compared with other guesses by how they split the codes still possible.
    Scored,
    /// It fits every feedback so far.
    Consistent,
    /// A question of a fixed plan: what it asks is worth knowing, whether or not it can be the code.
    Planned,
    /// The best that was found within the limits, and what stood in the way.
    BestEffort(String),
}

/// What precedes the reason of a best effort.
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
        found.ok_or_else(|| D::Error::custom(format!("'{text}' is nothing that a guess rests on")))
    }
}

/// A guess, and how it compares with others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// The guess.
    pub guess: Code,
    /// Whether it can be the secret.
    pub consistent: bool,
    /// Its score, in the unit of the strategy.
    pub score: f64,
    /// What the score is.
    pub unit: Cow<'static, str>,
    /// How many codes it is expected to leave.
    pub expected_remaining: f64,
}

/// A guess, or why there is none.
pub type Proposed = Result<Proposal, StrategyError>;

/// A strategy, or why it could not be made.
pub type Built = Result<Box<dyn Strategy>, StrategyError>;

/// Why a strategy has no guess.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// No code fits the history.
    #[error("no code fits: {}", name_turns(turns))]
    Contradiction {
        /// One-based numbers of turns that cannot all be true; without any one of them the others can, as far as the
        /// search could tell. None before the [catalog](crate::catalog)'s frame has looked for them.
        turns: Vec<usize>,
    },
    /// Codes fit, and none of them is on the list of secrets.
    #[error("no code of the list fits the turns: a feedback was misread, or the secret is not listed")]
    NotListed,
    /// The last turn already won.
    #[error("the game is over: the last turn found the code")]
    AlreadySolved,
    /// The strategy is another program, or another language's, and did not answer with a guess: it loses the game.
    #[error("{reason}")]
    Failed {
        /// What it did instead.
        reason: String,
    },
    /// These rules are not for this strategy.
    #[error("{strategy} cannot play {rules}: {can}")]
    Unplayable {
        /// The strategy's name.
        strategy: &'static str,
        /// The rules asked for.
        rules: String,
        /// Which rules it can play.
        can: String,
    },
}

impl StrategyError {
    /// What a strategy says when it knows that no code fits; which turns are to blame is found out by whoever frames it.
    pub const NO_CODE_FITS: Self = Self::Contradiction { turns: Vec::new() };

    /// These rules are not for this strategy.
    pub fn unplayable(strategy: &'static str, rules: &impl ToString, can: &impl ToString) -> Self {
        Self::Unplayable { strategy, rules: rules.to_string(), can: can.to_string() }
    }
}

fn name_turns(turns: &[usize]) -> String {
    match turns {
        [] => "the turns contradict each other".to_owned(),
        [only] => format!("turn {only} cannot be true"),
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(ToString::to_string).collect();
            format!("turns {} and {last} cannot all be true", others.join(", "))
        }
    }
}
