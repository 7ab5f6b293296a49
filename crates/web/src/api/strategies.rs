//! The catalog of strategies, and games of a strategy.

use std::ops::ControlFlow;
#[cfg(feature = "server")]
use std::{collections::BTreeMap, sync::LazyLock};

use pegwise_game::SerializedCode;
use pegwise_solve::{
    catalog::{self, StrategyDescription},
    codemaker::Fixed,
    play, seeds,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Question, Reply, advice, game};
use crate::{
    error::ApiError,
    limits::{CostClass, ServerLimits},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrategiesQuestion {
    /// Rules, to report which strategies can play them.
    rules: Option<String>,
}

/// A strategy of the catalog with its published results.
#[derive(Debug, Serialize)]
struct CatalogEntry {
    #[serde(flatten)]
    entry: StrategyDescription,
    /// True if it can play the given rules.
    playable: Option<bool>,
    published: &'static [PublishedResult],
}

/// Results of a strategy published in a paper.
#[derive(Debug, Clone, Serialize)]
struct PublishedResult {
    exhibit: String,
    paper: String,
    label: String,
    rules: String,
    strategy: String,
    numbers: Vec<(String, String)>,
}

impl Question for StrategiesQuestion {
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError> {
        let rules = self.rules.map(|rules| limits.rules(&rules)).transpose()?;
        let listed = catalog::rows().iter().map(|row| CatalogEntry {
            entry: StrategyDescription::new(row),
            playable: rules.as_ref().map(|rules| row.can_play(rules)),
            published: published_rows(row.name),
        });
        Reply::done(&json!({ "rules": rules, "strategies": listed.collect::<Vec<_>>() }))
    }
}

/// Returns the published results of a strategy; empty without the laboratory.
fn published_rows(name: &str) -> &'static [PublishedResult] {
    #[cfg(feature = "server")]
    return PUBLISHED_ROWS.get(name).map_or(&[], Vec::as_slice);
    #[cfg(not(feature = "server"))]
    {
        let _ = name;
        &[]
    }
}

/// Published results by the names of strategies.
#[cfg(feature = "server")]
static PUBLISHED_ROWS: LazyLock<BTreeMap<&'static str, Vec<PublishedResult>>> = LazyLock::new(|| {
    let mut published_rows: BTreeMap<&'static str, Vec<PublishedResult>> = BTreeMap::new();
    let Ok(library) = pegwise_lab::papers::Library::built_in() else { return published_rows };
    for table in library.tables() {
        for row in table.rows() {
            let spec = row.strategy.as_ref().ok().and_then(|text| text.parse::<pegwise_solve::Spec>().ok());
            let Some(spec) = spec else { continue };
            let numbers = row.published.iter().map(|one| (one.measure.to_string(), one.printed.to_string()));
            published_rows.entry(spec.row().name).or_default().push(PublishedResult {
                exhibit: table.id.clone(),
                paper: table.paper.clone(),
                label: row.label.clone(),
                rules: row.rules.to_string(),
                strategy: spec.to_string(),
                numbers: numbers.collect(),
            });
        }
    }
    published_rows
});

/// A game of a strategy against a secret: given, sealed, or drawn from the seed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WatchQuestion {
    rules: String,
    strategy: Option<String>,
    secret: Option<SerializedCode>,
    sealed: Option<String>,
    seed: Option<u64>,
}

impl Question for WatchQuestion {
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let spec = advice::parse_strategy(self.strategy.as_deref())?;
        let seed = self.seed.unwrap_or(seeds::DEFAULT_SEED);
        let secret = match (&self.secret, &self.sealed) {
            (None, None) => seeds::secret(seed, &rules),
            (given, sealed) => game::given_secret(&rules, given.as_ref(), sealed.as_deref())?,
        };
        let max_turns = limits.turns;
        Ok(Reply::work(CostClass::Heavy, move |context| {
            let mut player = advice::build_strategy(&spec, &rules, None)?;
            let wrong = |error: String| ApiError::bad_request("no-game", error);
            let codemaker = Fixed::new(&rules, secret.clone()).map_err(|error| wrong(error.to_string()))?;
            let mut codemaker = codemaker.with_seed(seeds::lies(seed, &rules));
            let mut search = context.search(seed, None);
            search.rng = seeds::strategy(seed, &rules, &spec);
            let mut number = 0;
            let game = play(&rules, &mut *player, &mut codemaker, &mut search, |turn| {
                number += 1;
                context.report(&json!({ "turn": turn }));
                let enough = number >= max_turns || context.is_cancelled();
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
