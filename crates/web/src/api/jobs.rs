//! Jobs that run: how many there are, and an end to one.

use axum::{
    Json,
    extract::{Path, State, rejection::PathRejection},
};
use serde_json::{Value, json};

use crate::{error::ApiError, server::Shared};

/// Stops a job, which then answers with the best it has.
pub(super) async fn stop(
    State(shared): State<Shared>,
    job: Result<Path<String>, PathRejection>,
) -> Result<Json<Value>, ApiError> {
    let Path(job) = job.map_err(|error| ApiError::bad_request("bad-request", error.body_text()))?;
    if shared.pool.stop(&job) {
        return Ok(Json(json!({ "stopped": job })));
    }
    Err(ApiError::not_found("no such job runs").with_hint("it may have come to its end already"))
}
