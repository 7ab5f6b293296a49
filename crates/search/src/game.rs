//! One game: a strategy against a codemaker.

use std::ops::ControlFlow;

use pegwise_game::{Code, Count, Feedback, History, Rules, Turn};
use serde::{Deserialize, Serialize};

use crate::clock::Moment;
use crate::codemaker::{Codemaker, CodemakerError};
use crate::search::{Counts, Search};
use crate::strategy::{Basis, Strategy, StrategyError};

/// A played game.
#[derive(Debug, Clone)]
pub struct Game {
    /// The rules.
    pub rules: Rules,
    /// The turns.
    pub turns: Vec<GameTurn>,
    /// The outcome.
    pub outcome: Outcome,
    /// Work done by the strategy.
    pub counts: Counts,
    /// Reason why the strategy [failed](Outcome::Failed).
    pub failure: Option<String>,
    /// Time used by the strategy, in seconds; zero without the feature `clock`.
    pub seconds: f64,
}

/// A turn of a played game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameTurn {
    /// The guess.
    pub guess: Code,
    /// The feedback.
    pub feedback: Feedback,
    /// Number of candidates before the guess, if the strategy counted them.
    pub before: Option<Count>,
    /// Justification of the guess.
    pub basis: Basis,
}

/// Outcome of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The strategy guessed the secret.
    Solved,
    /// The maximum number of guesses was reached.
    OutOfGuesses,
    /// The caller ended the game.
    Abandoned,
    /// An external strategy did not answer with a valid guess, and lost.
    Failed,
}

/// Error that ends a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The strategy returned an error.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// The codemaker returned an error.
    #[error(transparent)]
    Codemaker(#[from] CodemakerError),
}

/// Plays a game to its end, or until `on_turn`, called after each turn, breaks. The limits of `search` apply to each
/// guess.
pub fn play(
    rules: &Rules,
    strategy: &mut dyn Strategy,
    codemaker: &mut dyn Codemaker,
    search: &mut Search<'_>,
    mut on_turn: impl FnMut(&GameTurn) -> ControlFlow<()>,
) -> Result<Game, GameError> {
    let mut history = History::new(rules.clone());
    let mut turns = Vec::new();
    let mut seconds = 0.0;
    let max_guesses = rules.max_guesses().map_or(usize::MAX, |max| max as usize);
    let (mut abandoned, mut failure) = (false, None);
    while !history.is_solved() && turns.len() < max_guesses && !abandoned {
        search.begin_guess();
        let start = Moment::now();
        let proposed = strategy.next_guess(&history, search);
        seconds += start.elapsed().as_secs_f64();
        let proposal = match proposed {
            Err(StrategyError::Failed(reason)) => {
                failure = Some(reason);
                break;
            }
            proposed => proposed?,
        };
        let feedback = codemaker.reply(&proposal.guess)?;
        let turn = GameTurn { guess: proposal.guess, feedback, before: proposal.remaining, basis: proposal.basis };
        abandoned = on_turn(&turn).is_break();
        let played = Turn { guess: turn.guess.clone(), feedback: turn.feedback.clone() };
        history.push(played).map_err(CodemakerError::from)?;
        turns.push(turn);
    }
    if history.is_solved() {
        strategy.after_win(search);
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
    /// Returns true if the strategy guessed the secret.
    pub fn is_solved(&self) -> bool {
        self.outcome == Outcome::Solved
    }

    /// Returns the number of guesses, including the winning one: the measure of most papers.
    pub fn guesses(&self) -> usize {
        self.turns.len()
    }
}
