//! Benchmark: a fixed set of games for every strategy, with speed and a signature of the behavior.

use std::{sync::atomic::AtomicBool, time::Instant};

use pegwise_solve::{Limits, catalog};
use serde::Serialize;

use crate::experiment::{Experiment, Secrets};
use crate::runner::{CellPlayer, RunError};

/// Rules, each with the number of games per strategy.
const BENCHMARK: [(&str, u64); 3] = [("4x6", 200), ("4x10:no-repeats", 20), ("grid:2x2x4", 20)];
const SEED: u64 = 1;

/// Result of one strategy under one set of rules.
#[derive(Debug, Clone, Serialize)]
pub struct BenchResult {
    /// Rules.
    pub rules: String,
    /// Strategy with its parameters.
    pub strategy: String,
    /// Number of games.
    pub games: u64,
    /// Total guesses.
    pub guesses: u64,
    /// Total codes examined.
    pub examined: u64,
    /// Total feedbacks computed.
    pub scored: u64,
    /// Total seconds.
    pub seconds: f64,
    /// Games per second.
    pub games_per_second: f64,
}

/// Plays the benchmark with every strategy that supports the rules, and calls `each` with every result.
///
/// ```no_run
/// let mut guesses = 0;
/// pegwise_lab::bench::run(|measured| guesses += measured.guesses)?;
/// # Ok::<(), pegwise_lab::RunError>(())
/// ```
pub fn run(mut each: impl FnMut(BenchResult)) -> Result<(), RunError> {
    let never = AtomicBool::new(false);
    for (rules, games) in BENCHMARK {
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

fn measure(cell: crate::ExperimentCell, games: u64, never: &AtomicBool) -> Result<BenchResult, RunError> {
    let (rules, strategy) = (cell.rules.to_string(), cell.strategy.to_string());
    let start = Instant::now();
    let mut player = CellPlayer::new(cell, SEED, Limits::default())?;
    let (mut guesses, mut examined, mut scored) = (0, 0, 0);
    for number in 0..games {
        let game = player.try_play(number, never)?.game;
        guesses += game.turns.len() as u64;
        examined += game.counts.examined;
        scored += game.counts.scored;
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(BenchResult {
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
