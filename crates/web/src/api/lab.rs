//! Experiments: the report of a store, and games measured on request.

use std::{
    path::{Path as FilePath, PathBuf},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::SystemTime,
};

use axum::{
    Json,
    extract::{Path, State, rejection::PathRejection},
    http::header,
    response::{IntoResponse as _, Response},
};
use pegwise_lab::{CellPlayer, Experiment, Secrets, Store, StoreError};
use pegwise_labstats::report::{
    ExperimentReport, ReportBlock, ReportColumn, ReportRow, TrialOutcome, TrialResult, TrialSample,
};
use pegwise_solve::{catalog::CatalogError, seeds::DEFAULT_SEED};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Question, Reply, advice};
use crate::{
    error::ApiError,
    guard,
    jobs::ClientId,
    limits::{CostClass, ServerLimits},
    server::Shared,
};

/// Modification times and sizes of a store and its write-ahead log.
type FileStamps = [Option<(SystemTime, u64)>; 2];

/// The store of the server, and its report until the store changes.
#[derive(Debug)]
pub(crate) struct Lab {
    store: Option<PathBuf>,
    report: Mutex<Option<(FileStamps, Arc<ExperimentReport>)>>,
    /// Held by the request for which the report is computed, so that it is computed once.
    computing: tokio::sync::Mutex<()>,
}

impl Lab {
    pub(crate) fn new(store: Option<PathBuf>) -> Self {
        Self { store, report: Mutex::default(), computing: tokio::sync::Mutex::default() }
    }

    fn path(&self) -> Result<&FilePath, ApiError> {
        self.store.as_deref().ok_or_else(|| {
            ApiError::not_found("this server has no store")
                .with_hint("create a store with pegwise lab run, then start the server with pegwise serve STORE")
        })
    }

    /// Returns the report, unless the store has changed since it was made.
    fn current(&self) -> Result<Option<Arc<ExperimentReport>>, ApiError> {
        let stamps = file_stamps(self.path()?);
        let report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(report.as_ref().filter(|(made, _)| *made == stamps).map(|(_, report)| Arc::clone(report)))
    }

    /// Computes the report until `cancel` is set.
    fn compute(&self, cancel: &AtomicBool) -> Result<Arc<ExperimentReport>, ApiError> {
        let path = self.path()?;
        let stamps = file_stamps(path);
        let made = Store::open(path).and_then(|store| pegwise_lab::report_unless(&store, cancel));
        let made = Arc::new(made.map_err(|error| match error {
            StoreError::Cancelled => ApiError::time_limit(),
            error => ApiError::not_found(error.to_string()),
        })?);
        *self.report.lock().unwrap_or_else(PoisonError::into_inner) = Some((stamps, Arc::clone(&made)));
        Ok(made)
    }

    fn name(&self) -> Option<String> {
        self.store.as_ref().and_then(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned())
    }
}

fn file_stamps(path: &FilePath) -> FileStamps {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    [path.as_os_str(), &log].map(|file| {
        let file = std::fs::metadata(file).ok()?;
        Some((file.modified().ok()?, file.len()))
    })
}

/// Returns the current report. A client that disconnects cancels its computation.
async fn compute_report(shared: &Shared) -> Result<Arc<ExperimentReport>, ApiError> {
    let lab = Arc::clone(shared);
    let _computing = shared.lab.computing.lock().await;
    if let Some(report) = shared.lab.current()? {
        return Ok(report);
    }
    let (send, receive) = tokio::sync::oneshot::channel();
    let job = shared.scheduler.submit(ClientId::Local(0), CostClass::Heavy, move |context| {
        // Sending fails if the client has disconnected.
        let _ = send.send(lab.lab.compute(context.cancel_flag()));
        Ok(String::new())
    })?;
    job.result().await?;
    receive.await.map_err(|_| ApiError::internal())?
}

/// Returns the report as blocks.
pub(super) async fn report(State(shared): State<Shared>) -> Result<Json<Value>, ApiError> {
    if shared.lab.store.is_none() {
        return Ok(Json(json!({ "store": null, "rows": [], "blocks": [] })));
    }
    let report = compute_report(&shared).await?;
    let blocks: Vec<Value> = report.blocks.iter().map(block_json).collect();
    Ok(Json(json!({ "store": shared.lab.name(), "rows": report.rows, "blocks": blocks })))
}

fn block_json(block: &ReportBlock) -> Value {
    match block {
        ReportBlock::Heading(text) => json!({ "heading": text }),
        ReportBlock::Text(text) => json!({ "text": text }),
        ReportBlock::Table(table) => {
            let column = |column: &ReportColumn| json!({ "heading": column.heading, "names": column.names });
            let columns: Vec<Value> = table.columns.iter().map(column).collect();
            json!({ "table": { "caption": table.caption, "columns": columns, "rows": table.rows } })
        }
        ReportBlock::Figure(figure) => json!({ "figure": { "name": figure.name, "title": figure.title } }),
    }
}

/// Returns a figure of the report.
pub(super) async fn figure(
    State(shared): State<Shared>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let Path(name) = name.map_err(|error| ApiError::bad_request("bad-request", error.body_text()))?;
    let report = compute_report(&shared).await?;
    let figure = report.figures().find(|figure| format!("{}.svg", figure.name) == name);
    let figure = figure.ok_or_else(|| ApiError::not_found("the report has no such figure"))?;
    let headers = [
        (header::CONTENT_TYPE, header::HeaderValue::from_static("image/svg+xml")),
        (header::CONTENT_SECURITY_POLICY, guard::FIGURE_POLICY),
    ];
    Ok((headers, figure.svg.clone()).into_response())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeasureQuestion {
    rules: String,
    strategy: String,
    games: u64,
    seed: Option<u64>,
}

/// Maximum number of games per request.
const MAX_GAMES: u64 = 10_000;

impl Question for MeasureQuestion {
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let spec = advice::parse_strategy(Some(&self.strategy))?;
        if !(1..=MAX_GAMES).contains(&self.games) {
            return Err(ApiError::bad_request("bad-games", format!("games must be from 1 to {MAX_GAMES}")));
        }
        let (games, seed) = (self.games, self.seed.unwrap_or(DEFAULT_SEED));
        Ok(Reply::work(CostClass::Heavy, move |context| {
            let wrong = |error: String| ApiError::bad_request("no-game", error);
            let experiment = Experiment::new(vec![rules], vec![spec], Secrets::Drawn(games));
            let experiment = experiment.map_err(|error| wrong(error.to_string()))?.with_seed(seed);
            let cell = experiment.cells().into_iter().next().ok_or_else(ApiError::internal)?;
            let mut sample = TrialSample::new(cell.rules.to_string(), cell.strategy.to_string());
            let player = CellPlayer::new(cell, seed, pegwise_solve::Limits::default());
            let mut player = player.map_err(|error: CatalogError| wrong(error.to_string()))?;
            for game in 0..games {
                let played = player.play(game, context.cancel_flag()).map_err(|error| wrong(error.to_string()))?.game;
                // A cancelled game does not count.
                if context.is_cancelled() {
                    break;
                }
                sample.push(TrialResult {
                    run: 0,
                    game,
                    outcome: if played.is_solved() { TrialOutcome::Solved } else { TrialOutcome::OutOfGuesses },
                    guesses: played.guesses() as u32,
                    examined: played.counts.examined,
                    consistent: played.counts.consistent,
                    seconds: played.seconds,
                });
                context.report(&json!({ "played": { "games": game + 1, "of": games, "guesses": played.guesses() } }));
            }
            Ok(json!({ "seed": seed, "measured": ReportRow::of(&sample) }))
        }))
    }
}
