//! One game: a strategy against a codemaker.

use std::ops::ControlFlow;

use pegwise_game::{Code, Count, Feedback, History, Rules, Turn};
use serde::{Deserialize, Serialize};

use crate::{
    clock::Moment,
    codemaker::{Codemaker, CodemakerError},
    search::{Counts, Search},
    strategy::{Basis, Strategy, StrategyError},
};

/// A played game.
#[derive(Debug, Clone)]
pub struct Game {
    /// The rules.
    pub rules: Rules,
    /// The turns, with what the strategy said of each.
    pub turns: Vec<GameTurn>,
    /// How it ended.
    pub outcome: Outcome,
    /// What the strategy spent.
    pub counts: Counts,
    /// What the strategy did instead of guessing, where it [failed](Outcome::Failed).
    pub failure: Option<String>,
    /// Seconds the strategy thought; none without the feature `clock`.
    pub seconds: f64,
}

/// A turn of a played game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameTurn {
    /// The guess.
    pub guess: Code,
    /// What it was answered.
    pub feedback: Feedback,
    /// How many codes were possible before the guess, where the strategy knew.
    pub before: Option<Count>,
    /// Why the strategy played it.
    pub basis: Basis,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The code was played.
    Solved,
    /// The guesses that the rules allow were used up.
    OutOfGuesses,
    /// Whoever watched had enough.
    Abandoned,
    /// A strategy that is another program's or another language's did not answer with a guess, and so lost.
    Failed,
}

/// Why a game could not be finished.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The strategy had no guess.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The codemaker had no answer.
    #[error(transparent)]
    Codemaker(#[from] CodemakerError),
}

/// Plays a game to its end, or until `seen`, called after each turn, breaks it off. The limits of the search hold for each
/// guess.
pub fn play(
    rules: &Rules,
    strategy: &mut dyn Strategy,
    codemaker: &mut dyn Codemaker,
    search: &mut Search<'_>,
    mut seen: impl FnMut(&GameTurn) -> ControlFlow<()>,
) -> Result<Game, GameError> {
    let mut history = History::new(rules.clone());
    let mut turns = Vec::new();
    let mut seconds = 0.0;
    let allowed = rules.max_guesses().map_or(usize::MAX, |most| most as usize);
    let (mut abandoned, mut failure) = (false, None);
    while !history.is_solved() && turns.len() < allowed && !abandoned {
        search.begin_guess();
        let thinking = Moment::now();
        let proposed = strategy.next_guess(&history, search);
        seconds += thinking.elapsed().as_secs_f64();
        let proposal = match proposed {
            Err(StrategyError::Failed { reason }) => {
                failure = Some(reason);
                break;
            }
            proposed => proposed?,
        };
        let feedback = codemaker.reply(&proposal.guess)?;
        let turn = GameTurn { guess: proposal.guess, feedback, before: proposal.remaining, basis: proposal.basis };
        abandoned = seen(&turn).is_break();
        let played = Turn { guess: turn.guess.clone(), feedback: turn.feedback.clone() };
        history.push(played).map_err(CodemakerError::from)?;
        turns.push(turn);
    }
    let outcome = match (history.is_solved(), abandoned) {
        (true, _) => Outcome::Solved,
        (false, true) => Outcome::Abandoned,
        (false, false) if failure.is_some() => Outcome::Failed,
        (false, false) => Outcome::OutOfGuesses,
    };
    Ok(Game { rules: rules.clone(), turns, outcome, counts: search.counts(), failure, seconds })
}

impl Game {
    /// Whether the code was played.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.outcome == Outcome::Solved
    }

    /// Guesses until the code was played: how most of the literature counts a game.
    #[must_use]
    pub fn guesses(&self) -> usize {
        self.turns.len()
    }

    /// Guesses until one code was left, played or not: how some papers count a game. `None` where the strategy did not
    /// count the codes.
    #[must_use]
    pub fn guesses_to_identify(&self) -> Option<usize> {
        let one_left = self.turns.iter().position(|turn| turn.before.and_then(Count::exact) == Some(1));
        let counted = self.turns.iter().all(|turn| turn.before.is_some());
        match one_left {
            Some(turns) => Some(turns),
            // The code was played while others were possible too.
            None if counted && self.is_solved() => Some(self.guesses()),
            None => None,
        }
    }
}
