//! A strategy's whole game, turn by turn.

use std::ops::ControlFlow;

use pegwise_solve::{codemaker::Fixed, play, seeds};
use serde::Deserialize;
use serde_json::json;

use super::{Question, Task, hint, secret};
use crate::{
    error::ApiError,
    limits::{Limits, Weight},
    wire::CodeText,
};

/// A strategy and the code it is to find: given, sealed, or drawn by the seed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WatchQuestion {
    rules: String,
    strategy: Option<String>,
    secret: Option<CodeText>,
    sealed: Option<String>,
    seed: Option<u64>,
}

impl Question for WatchQuestion {
    fn task(self, limits: &Limits) -> Result<Task, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let spec = hint::strategy(self.strategy.as_deref())?;
        let seed = self.seed.unwrap_or(1);
        let secret = match (&self.secret, &self.sealed) {
            (None, None) => seeds::secret(seed, &rules),
            (given, sealed) => secret::one_of(&rules, given.as_ref(), sealed.as_deref())?,
        };
        let most = limits.turns;
        Ok(Task::work(Weight::Heavy, move |desk| {
            let mut player = hint::build(&spec, &rules)?;
            let wrong = |error: String| ApiError::bad_request("no-game", error);
            let codemaker = Fixed::new(&rules, secret.clone()).map_err(|error| wrong(error.to_string()))?;
            let mut codemaker = codemaker.with_seed(seeds::lies(seed, &rules));
            let mut search = desk.search(seed, None);
            search.rng = seeds::strategy(seed, &rules, &spec);
            let mut number = 0;
            let game = play(&rules, &mut *player, &mut codemaker, &mut search, |turn| {
                number += 1;
                desk.tell(json!({ "turn": turn }));
                let enough = number >= most || desk.is_cancelled();
                if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let game = game.map_err(|error| wrong(error.to_string()))?;
            Ok(json!({
                "rules": rules,
                "strategy": spec,
                "secret": secret,
                "turns": game.turns,
                "outcome": game.outcome,
                "examined": game.counts.examined,
                "scored": game.counts.scored,
                "seconds": game.seconds,
            }))
        }))
    }
}
