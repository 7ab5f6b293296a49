//! Whether the server is well.

use axum::{Json, extract::State};
use serde_json::{Value, json};

use crate::server::Shared;

pub(super) async fn health(State(shared): State<Shared>) -> Json<Value> {
    let version = env!("CARGO_PKG_VERSION");
    Json(json!({ "status": "ok", "version": version, "limits": shared.limits, "load": shared.pool.load() }))
}
