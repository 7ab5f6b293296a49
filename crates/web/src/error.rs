//! Answers that say what is wrong with a request.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

/// Why a request has no answer: a status, a short name for programs, and what to say to people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

/// How soon to come again when the server is busy, in seconds.
const RETRY_AFTER: u16 = 1;

#[derive(Serialize)]
struct Shown<'a> {
    code: &'a str,
    message: &'a str,
    /// What to do.
    hint: Option<&'a str>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), hint: None }
    }

    pub(crate) fn bad_request(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// Something that should not happen happened.
    pub(crate) fn broken() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "the server broke down over this request")
            .with_hint("this is a bug; others are served on")
    }

    pub(crate) fn busy() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "too many requests are waiting")
            .with_hint("ask again in a moment")
    }

    /// Asking again would take as long, so this is no 503.
    pub(crate) fn too_late() -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "time-limit", "the question takes longer than the server allows")
            .with_hint("ask about a smaller game, or start the server with a longer --time-limit")
    }

    #[must_use]
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The error as it stands in an answer.
    pub(crate) fn body(&self) -> serde_json::Value {
        let shown = Shown { code: self.code, message: &self.message, hint: self.hint.as_deref() };
        serde_json::json!({ "error": shown })
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER));
        }
        response
    }
}
