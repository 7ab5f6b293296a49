//! The document of the API.

use axum::{
    http::header,
    response::{IntoResponse as _, Response},
};

/// Kept by hand, beside the code; tests hold it to the routes, and its examples to its schemas.
pub(super) const DOCUMENT: &str = include_str!("../../openapi.json");

pub(super) async fn document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT).into_response()
}
