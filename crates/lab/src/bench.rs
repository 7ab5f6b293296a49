//! A fixed small set of games over the whole catalog: how fast each strategy is, and one signature of how all behave.

use std::{sync::atomic::AtomicBool, time::Instant};

use pegwise_solve::{Limits, catalog};
use serde::Serialize;

use crate::{
    experiment::{Experiment, Secrets},
    player::Player,
    runner::RunError,
};

/// What is played: rules, and how many games each strategy plays.
const SET: [(&str, u64); 3] = [("4x6", 200), ("4x10:no-repeats", 20), ("grid:2x2x4", 20)];
const SEED: u64 = 1;

/// How one strategy did at one rules.
#[derive(Debug, Clone, Serialize)]
pub struct Measured {
    /// The rules.
    pub rules: String,
    /// The strategy.
    pub strategy: String,
    /// Games played.
    pub games: u64,
    /// Guesses of all games.
    pub guesses: u64,
    /// Codes examined in all games.
    pub examined: u64,
    /// Feedbacks scored in all games.
    pub scored: u64,
    /// Seconds all games took.
    pub seconds: f64,
    /// Games a second.
    pub games_per_second: f64,
}

/// Plays the set with every strategy that can, and calls back after each.
///
/// ```no_run
/// let mut guesses = 0;
/// pegwise_lab::bench::run(|measured| guesses += measured.guesses)?;
/// # Ok::<(), pegwise_lab::RunError>(())
/// ```
pub fn run(mut each: impl FnMut(Measured)) -> Result<(), RunError> {
    let never = AtomicBool::new(false);
    for (rules, games) in SET {
        for row in catalog::rows() {
            let (Ok(parsed), Ok(spec)) = (rules.parse(), row.name.parse()) else { continue };
            if !row.can_play(&parsed) {
                continue;
            }
            let Ok(experiment) = Experiment::new(vec![parsed], vec![spec], Secrets::Drawn(games)) else { continue };
            for cell in experiment.with_seed(SEED).cells() {
                each(measure(cell, games, &never)?);
            }
        }
    }
    Ok(())
}

fn measure(cell: crate::Cell, games: u64, never: &AtomicBool) -> Result<Measured, RunError> {
    let (rules, strategy) = (cell.rules.to_string(), cell.strategy.to_string());
    let start = Instant::now();
    let mut player = Player::new(cell, SEED, Limits::default())?;
    let (mut guesses, mut examined, mut scored) = (0, 0, 0);
    for number in 0..games {
        let played = player.play(number, never).map_err(|error| RunError::Game {
            strategy: strategy.clone(),
            rules: rules.clone(),
            number,
            error: Box::new(error),
        })?;
        let game = played.game;
        guesses += game.turns.len() as u64;
        examined += game.counts.examined;
        scored += game.counts.scored;
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(Measured {
        rules,
        strategy,
        games,
        guesses,
        examined,
        scored,
        seconds,
        games_per_second: games as f64 / seconds,
    })
}
