//! The games of a store: tables and plots.

use std::{
    path::{Path as FilePath, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use axum::{
    Json,
    extract::{Path, State, rejection::PathRejection},
    http::header,
    response::{IntoResponse as _, Response},
};
use pegwise_lab::{Store, samples};
use pegwise_labstats::report::{Block, Column, Report};
use serde_json::{Value, json};

use crate::{error::ApiError, guard, jobs::Client, limits::Weight, server::Shared};

/// When a store and its log were last written, and how long they were.
type Stamp = [Option<(SystemTime, u64)>; 2];

/// The store that is shown, and the report of it as long as nothing changes.
#[derive(Debug)]
pub(crate) struct Lab {
    store: Option<PathBuf>,
    report: Mutex<Option<(Stamp, Arc<Report>)>>,
}

impl Lab {
    pub(crate) fn new(store: Option<PathBuf>) -> Self {
        Self { store, report: Mutex::new(None) }
    }

    /// The report of the store as it is now.
    fn report(&self) -> Result<Arc<Report>, ApiError> {
        let none = || {
            ApiError::not_found("this server shows no store")
                .with_hint("start it with pegwise serve STORE; pegwise lab run writes stores")
        };
        let path = self.store.as_ref().ok_or_else(none)?;
        // Held while the report is made, so that it is made once.
        let mut report = self.report.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = stamp(path);
        if let Some((made, report)) = &*report
            && *made == stamp
        {
            return Ok(Arc::clone(report));
        }
        let games = Store::open(path).and_then(|store| samples(&store));
        let games = games.map_err(|error| ApiError::not_found(error.to_string()))?;
        let made = Arc::new(Report::new(&games));
        *report = Some((stamp, Arc::clone(&made)));
        Ok(made)
    }

    fn name(&self) -> Option<String> {
        self.store.as_ref().and_then(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned())
    }
}

fn stamp(path: &FilePath) -> Stamp {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    [path.as_os_str(), &log].map(|file| {
        let file = std::fs::metadata(file).ok()?;
        Some((file.modified().ok()?, file.len()))
    })
}

/// Makes the report on a worker.
async fn worked_out(shared: &Shared) -> Result<Arc<Report>, ApiError> {
    let lab = Arc::clone(shared);
    let (send, receive) = tokio::sync::oneshot::channel();
    let ticket = shared.pool.submit(Client::Here(0), Weight::Heavy, move |_| {
        // Nobody is there to tell when the client has gone away.
        let _ = send.send(lab.lab.report());
        Ok(Value::Null)
    })?;
    ticket.result().await?;
    receive.await.map_err(|_| ApiError::broken())?
}

/// The report, block by block.
pub(super) async fn report(State(shared): State<Shared>) -> Result<Json<Value>, ApiError> {
    if shared.lab.store.is_none() {
        return Ok(Json(json!({ "store": null, "rows": [], "blocks": [] })));
    }
    let report = worked_out(&shared).await?;
    let blocks: Vec<Value> = report.blocks.iter().map(shown).collect();
    Ok(Json(json!({ "store": shared.lab.name(), "rows": report.rows, "blocks": blocks })))
}

fn shown(block: &Block) -> Value {
    match block {
        Block::Heading(text) => json!({ "heading": text }),
        Block::Text(text) => json!({ "text": text }),
        Block::Table(table) => {
            let column = |column: &Column| json!({ "heading": column.heading, "names": column.names });
            let columns: Vec<Value> = table.columns.iter().map(column).collect();
            json!({ "table": { "caption": table.caption, "columns": columns, "rows": table.rows } })
        }
        Block::Figure(figure) => json!({ "figure": { "name": figure.name, "title": figure.title } }),
    }
}

/// A plot of the report.
pub(super) async fn figure(
    State(shared): State<Shared>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let Path(name) = name.map_err(|error| ApiError::bad_request("bad-request", error.body_text()))?;
    let report = worked_out(&shared).await?;
    let figure = report.figures().find(|figure| format!("{}.svg", figure.name) == name);
    let figure = figure.ok_or_else(|| ApiError::not_found("the report has no such plot"))?;
    let headers = [
        (header::CONTENT_TYPE, header::HeaderValue::from_static("image/svg+xml")),
        (header::CONTENT_SECURITY_POLICY, guard::PICTURE_POLICY),
    ];
    Ok((headers, figure.svg.clone()).into_response())
}
