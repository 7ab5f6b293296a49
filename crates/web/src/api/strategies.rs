//! The catalog, with what the papers published of each strategy.

use std::{collections::BTreeMap, sync::LazyLock};

use axum::{
    Json,
    extract::{Query, State, rejection::QueryRejection},
};
use pegwise_lab::papers::Library;
use pegwise_solve::catalog::{self, Entry};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{error::ApiError, server::Shared};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    /// Rules to be played.
    rules: Option<String>,
}

/// A strategy of the catalog.
#[derive(Debug, Serialize)]
struct Listed {
    #[serde(flatten)]
    entry: Entry,
    /// Whether it plays the rules that were asked about.
    playable: Option<bool>,
    published: &'static [Published],
}

/// Numbers that a paper printed about games of a strategy.
#[derive(Debug, Clone, Serialize)]
struct Published {
    exhibit: String,
    paper: String,
    label: String,
    rules: String,
    strategy: String,
    numbers: Vec<(String, String)>,
}

pub(super) async fn strategies(
    State(shared): State<Shared>,
    filter: Result<Query<Filter>, QueryRejection>,
) -> Result<Json<Value>, ApiError> {
    let Query(filter) = filter.map_err(|error| ApiError::bad_request("bad-request", error.body_text()))?;
    let rules = filter.rules.map(|rules| shared.limits.rules(&rules)).transpose()?;
    let listed = catalog::rows().iter().map(|row| Listed {
        entry: Entry::new(row),
        playable: rules.as_ref().map(|rules| row.can_play(rules)),
        published: PUBLISHED.get(row.name).map_or(&[], Vec::as_slice),
    });
    Ok(Json(json!({ "rules": rules, "strategies": listed.collect::<Vec<_>>() })))
}

/// What was published, by the names of strategies.
static PUBLISHED: LazyLock<BTreeMap<&'static str, Vec<Published>>> = LazyLock::new(|| {
    let mut published: BTreeMap<&'static str, Vec<Published>> = BTreeMap::new();
    // A test of the laboratory reads every exhibit, so none is left out here.
    let Ok(library) = Library::built_in() else { return published };
    for exhibit in library.exhibits() {
        for row in exhibit.rows() {
            let spec = row.strategy.as_ref().ok().and_then(|text| text.parse::<pegwise_solve::Spec>().ok());
            let Some(spec) = spec else { continue };
            let numbers = row.published.iter().map(|one| (one.measure.to_string(), one.printed.to_string()));
            published.entry(spec.row().name).or_default().push(Published {
                exhibit: exhibit.id.clone(),
                paper: exhibit.paper.clone(),
                label: row.label.clone(),
                rules: row.rules.to_string(),
                strategy: spec.to_string(),
                numbers: numbers.collect(),
            });
        }
    }
    published
});
