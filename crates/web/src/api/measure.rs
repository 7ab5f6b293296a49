//! Many games of a strategy, summed up.

use pegwise_lab::{CellPlayer, Experiment, Secrets};
use pegwise_labstats::report::{ReportRow, TrialResult, TrialSample};
use pegwise_solve::catalog::CatalogError;
use serde::Deserialize;
use serde_json::json;

use super::{Question, Task, hint};
use crate::{
    error::ApiError,
    limits::{Limits, Weight},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeasureQuestion {
    rules: String,
    strategy: String,
    games: u64,
    seed: Option<u64>,
}

const MOST_GAMES: u64 = 10_000;

impl Question for MeasureQuestion {
    fn task(self, limits: &Limits) -> Result<Task, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let spec = hint::strategy(Some(&self.strategy))?;
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(ApiError::bad_request("bad-games", format!("games: a number from 1 to {MOST_GAMES}")));
        }
        let (games, seed) = (self.games, self.seed.unwrap_or(1));
        Ok(Task::work(Weight::Heavy, move |desk| {
            let wrong = |error: String| ApiError::bad_request("no-game", error);
            let experiment = Experiment::new(vec![rules], vec![spec], Secrets::Drawn(games));
            let experiment = experiment.map_err(|error| wrong(error.to_string()))?.with_seed(seed);
            let cell = experiment.cells().into_iter().next().ok_or_else(ApiError::broken)?;
            let mut sample = TrialSample::new(cell.rules.to_string(), cell.strategy.to_string());
            let player = CellPlayer::new(cell, seed, pegwise_solve::Limits::default());
            let mut player = player.map_err(|error: CatalogError| wrong(error.to_string()))?;
            for game in 0..games {
                let played = player.play(game, desk.cancel()).map_err(|error| wrong(error.to_string()))?.game;
                // A game that was broken off counts for nothing.
                if desk.is_cancelled() {
                    break;
                }
                sample.push(TrialResult {
                    run: 0,
                    game,
                    solved: played.is_solved(),
                    guesses: played.guesses() as u32,
                    examined: played.counts.examined,
                    consistent: played.counts.consistent,
                    seconds: played.seconds,
                });
                desk.tell(json!({ "played": { "games": game + 1, "of": games, "guesses": played.guesses() } }));
            }
            Ok(json!({ "seed": seed, "measured": ReportRow::of(&sample) }))
        }))
    }
}
