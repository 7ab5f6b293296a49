//! The catalog, with what the papers published of each strategy.

#[cfg(feature = "server")]
use std::{collections::BTreeMap, sync::LazyLock};

use pegwise_solve::catalog::{self, Entry};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Question, Task};
use crate::{error::ApiError, limits::Limits};

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

impl Question for Filter {
    fn task(self, limits: &Limits) -> Result<Task, ApiError> {
        let rules = self.rules.map(|rules| limits.rules(&rules)).transpose()?;
        let listed = catalog::rows().iter().map(|row| Listed {
            entry: Entry::new(row),
            playable: rules.as_ref().map(|rules| row.can_play(rules)),
            published: published(row.name),
        });
        Task::done(&json!({ "rules": rules, "strategies": listed.collect::<Vec<_>>() }))
    }
}

/// The catalog over HTTP.
#[cfg(feature = "server")]
pub(super) async fn strategies(
    axum::extract::State(shared): axum::extract::State<crate::server::Shared>,
    filter: Result<axum::extract::Query<Filter>, axum::extract::rejection::QueryRejection>,
) -> Result<axum::Json<serde_json::Value>, ApiError> {
    let axum::extract::Query(filter) =
        filter.map_err(|error| ApiError::bad_request("bad-request", error.body_text()))?;
    match filter.task(&shared.limits)? {
        Task::Done(catalog) => Ok(axum::Json(catalog)),
        // The catalog is there at once.
        Task::Work(..) => Err(ApiError::broken()),
    }
}

/// What was published of a strategy. The papers are the laboratory's, which a page without a server does not have.
fn published(name: &str) -> &'static [Published] {
    #[cfg(feature = "server")]
    return PUBLISHED.get(name).map_or(&[], Vec::as_slice);
    #[cfg(not(feature = "server"))]
    {
        let _ = name;
        &[]
    }
}

/// What was published, by the names of strategies.
#[cfg(feature = "server")]
static PUBLISHED: LazyLock<BTreeMap<&'static str, Vec<Published>>> = LazyLock::new(|| {
    let mut published: BTreeMap<&'static str, Vec<Published>> = BTreeMap::new();
    // A test of the laboratory reads every exhibit, so none is left out here.
    let Ok(library) = pegwise_lab::papers::Library::built_in() else { return published };
    for exhibit in library.tables() {
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
