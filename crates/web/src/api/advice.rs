//! Hints, repairs and analyses.

use std::{sync::Arc, time::Duration};

use pegwise_coach::{AnalyzeError, HintError, analyze, analyze_among, hint, hint_among, mend};
use pegwise_game::{Rules, SerializedCode};
use pegwise_solve::{
    Spec, SpecError, Strategy, StrategyError,
    catalog::{self, DEFAULT_STRATEGY},
    secrets::SecretList,
    seeds::DEFAULT_SEED,
};
use serde::Deserialize;
use serde_json::json;

use super::{Question, Reply, TurnInput, parse_code, parse_list, parse_notes};
use crate::{
    error::ApiError,
    limits::{CostClass, ServerLimits},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HintQuestion {
    rules: String,
    #[serde(default)]
    turns: Vec<TurnInput>,
    strategy: Option<String>,
    seed: Option<u64>,
    alternatives: Option<usize>,
    /// Thinking time, for strategies that can use more.
    seconds: Option<f64>,
    secrets: Option<Vec<SerializedCode>>,
    guesses: Option<Vec<SerializedCode>>,
}

/// Maximum number of alternatives.
const MAX_ALTERNATIVES: usize = 100;

impl Question for HintQuestion {
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let notes = parse_notes(&rules, &self.turns, limits)?;
        let spec = parse_strategy(self.strategy.as_deref())?;
        let seconds = self.seconds.map(|seconds| thinking_time(seconds, limits)).transpose()?;
        let alternatives = self.alternatives.unwrap_or(0).min(MAX_ALTERNATIVES);
        let seed = self.seed.unwrap_or(DEFAULT_SEED);
        let secrets = parse_list(&rules, self.secrets.as_deref(), self.guesses.as_deref())?;
        let listed = match &secrets {
            Some(_) => Some(notes.history().ok_or_else(|| {
                ApiError::bad_request("bad-turn", "secrets need complete turns: replace each unknown part")
            })?),
            None => None,
        };
        let quick = spec.row().name == DEFAULT_STRATEGY && seconds.is_none();
        let cost = match &secrets {
            Some(secrets) => CostClass::for_list(secrets),
            None if quick => CostClass::for_sample(&notes),
            None => CostClass::for_space(&rules),
        };
        Ok(Reply::work(cost, move |context| {
            let mut player = build_strategy(&spec, &rules, secrets.as_ref())?;
            let mut search = context.search(seed, seconds);
            search.alternatives = alternatives;
            let found = match &listed {
                Some(history) => hint_among(history, &mut *player, &mut search),
                None => hint(&notes, &mut *player, &mut search),
            };
            let (hint, contradiction, solved) = match found {
                Ok(hint) => (Some(hint), None, false),
                Err(HintError::Contradiction(contradiction)) => (None, Some(contradiction), false),
                Err(HintError::Solved) => (None, None, true),
                Err(error) => return Err(ApiError::bad_request("no-hint", error.to_string())),
            };
            Ok(json!({
                "hint": hint,
                "contradiction": contradiction,
                "solved": solved,
                "examined": search.counts().examined,
                "scored": search.counts().scored,
                "seconds": context.seconds(),
            }))
        }))
    }
}

pub(super) fn parse_strategy(text: Option<&str>) -> Result<Spec, ApiError> {
    let spec = text.unwrap_or(DEFAULT_STRATEGY).parse();
    spec.map_err(|error: SpecError| {
        ApiError::bad_request("bad-strategy", format!("strategy: {error}"))
            .with_hint("/api/v1/strategies lists every strategy and its parameters")
    })
}

pub(super) fn build_strategy(
    spec: &Spec,
    rules: &Rules,
    secrets: Option<&Arc<SecretList>>,
) -> Result<Box<dyn Strategy>, ApiError> {
    let built = match secrets {
        Some(secrets) => catalog::build_for(spec, secrets),
        None => catalog::build(spec, rules),
    };
    built.map_err(|error| {
        let wrong = ApiError::bad_request("bad-strategy", error.to_string());
        match error {
            catalog::CatalogError::Strategy(StrategyError::Unplayable(..)) => {
                wrong.with_hint("choose other rules, or a strategy that plays them")
            }
            _ => wrong,
        }
    })
}

fn thinking_time(seconds: f64, limits: &ServerLimits) -> Result<Duration, ApiError> {
    let max = limits.time;
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero() && *time <= max);
    time.ok_or_else(|| {
        let message = format!("seconds must be above 0 and at most {}", max.as_secs_f64());
        ApiError::bad_request("bad-time", message)
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MendQuestion {
    rules: String,
    #[serde(default)]
    turns: Vec<TurnInput>,
}

impl Question for MendQuestion {
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let notes = parse_notes(&rules, &self.turns, limits)?;
        Ok(Reply::work(CostClass::for_space(&rules), move |context| {
            Ok(json!({ "contradiction": mend(&notes, &mut context.search(0, None)) }))
        }))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalyzeQuestion {
    rules: String,
    turns: Vec<TurnInput>,
    secret: Option<SerializedCode>,
    secrets: Option<Vec<SerializedCode>>,
    guesses: Option<Vec<SerializedCode>>,
}

impl Question for AnalyzeQuestion {
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let notes = parse_notes(&rules, &self.turns, limits)?;
        let secret = self.secret.map(|secret| parse_code(&secret, &rules, "secret")).transpose()?;
        let secrets = parse_list(&rules, self.secrets.as_deref(), self.guesses.as_deref())?;
        let cost =
            secrets.as_ref().map_or_else(|| CostClass::for_space(&rules), |secrets| CostClass::for_list(secrets));
        Ok(Reply::work(cost, move |context| {
            let (secret, mut search) = (secret.as_ref(), context.search(1, None));
            let analysis = match &secrets {
                Some(secrets) => analyze_among(&notes, secret, secrets, &mut search, |_| ()),
                None => analyze(&notes, secret, &mut search),
            };
            match analysis {
                Ok(analysis) => Ok(json!({ "analysis": analysis, "contradiction": null })),
                Err(AnalyzeError::Contradiction(found)) => Ok(json!({ "analysis": null, "contradiction": found })),
                Err(error) => Err(ApiError::bad_request("no-analysis", error.to_string())),
            }
        }))
    }
}
