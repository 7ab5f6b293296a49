//! The next guess for a game.

use std::time::Duration;

use pegwise_coach::{Contradiction, Hint, HintError, best_hint, hint};
use pegwise_game::Rules;
use pegwise_solve::{Spec, StrategyError, catalog};
use serde::{Deserialize, Serialize};

use super::{Question, Task};
use crate::{
    error::ApiError,
    limits::{Limits, Weight},
    wire::{self, TurnText},
};

/// Who thinks where no strategy is named: the one that plays every size.
pub(super) const DEFAULT_STRATEGY: &str = "adaptive";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HintQuestion {
    rules: String,
    #[serde(default)]
    turns: Vec<TurnText>,
    strategy: Option<String>,
    seed: Option<u64>,
    alternatives: Option<usize>,
    /// How long to think: strategies that can use more time do.
    seconds: Option<f64>,
}

/// More could not be read, and strategies rank them all.
const MOST_ALTERNATIVES: usize = 100;

#[derive(Debug, Default, Serialize)]
struct Answer {
    hint: Option<Hint>,
    /// Where no code fits.
    contradiction: Option<Contradiction>,
    /// Whether the game is over, so that there is nothing to guess.
    solved: bool,
    examined: u64,
    scored: u64,
    seconds: f64,
}

impl Question for HintQuestion {
    fn task(self, limits: &Limits) -> Result<Task, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let notes = wire::notes(&rules, &self.turns, limits)?;
        let spec = strategy(self.strategy.as_deref())?;
        let seconds = self.seconds.map(|seconds| thinking_time(seconds, limits)).transpose()?;
        let alternatives = self.alternatives.unwrap_or(0).min(MOST_ALTERNATIVES);
        let seed = self.seed.unwrap_or(1);
        let quick = spec.row().name == DEFAULT_STRATEGY && seconds.is_none();
        let weight = if quick { Weight::of_sample(&notes) } else { Weight::of_space(&rules) };
        Ok(Task::work(weight, move |desk| {
            let mut player = build(&spec, &rules)?;
            let mut search = desk.search(seed, seconds);
            search.alternatives = alternatives;
            let advise = if spec.row().name == DEFAULT_STRATEGY { best_hint } else { hint };
            let found = advise(&notes, &mut *player, &mut search);
            let mut answer =
                Answer { examined: search.counts().examined, scored: search.counts().scored, ..Answer::default() };
            match found {
                Ok(hint) => answer.hint = Some(hint),
                Err(HintError::Contradiction(contradiction)) => answer.contradiction = Some(contradiction),
                Err(HintError::Solved) => answer.solved = true,
                Err(error) => return Err(ApiError::bad_request("no-hint", error.to_string())),
            }
            answer.seconds = desk.seconds();
            Ok(answer)
        }))
    }
}

/// Reads a strategy.
pub(super) fn strategy(text: Option<&str>) -> Result<Spec, ApiError> {
    let spec = text.unwrap_or(DEFAULT_STRATEGY).parse();
    spec.map_err(|error: pegwise_solve::SpecError| {
        ApiError::bad_request("bad-strategy", format!("strategy: {error}"))
            .with_hint("/api/v1/strategies tells every strategy and its parameters")
    })
}

/// Makes a strategy.
pub(super) fn build(spec: &Spec, rules: &Rules) -> Result<Box<dyn pegwise_solve::Strategy>, ApiError> {
    catalog::build(spec, rules).map_err(|error| {
        let wrong = ApiError::bad_request("bad-strategy", error.to_string());
        match error {
            catalog::CatalogError::Strategy(StrategyError::Unplayable { .. }) => {
                wrong.with_hint("choose other rules, or a strategy that plays them")
            }
            _ => wrong,
        }
    })
}

/// How long to think, if a request says so.
fn thinking_time(seconds: f64, limits: &Limits) -> Result<Duration, ApiError> {
    let most = limits.time;
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero() && *time <= most);
    time.ok_or_else(|| {
        let message = format!("seconds: a number above 0, and {} at most", most.as_secs_f64());
        ApiError::bad_request("bad-time", message)
    })
}
