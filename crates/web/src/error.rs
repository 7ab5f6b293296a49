//! Errors of the API.

/// Error answer: an HTTP status, a code for programs, and a message for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApiError {
    /// HTTP status, also used without a server.
    pub(crate) status: u16,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// Suggested action.
    pub(crate) hint: Option<String>,
}

/// Value of `Retry-After` when the server is busy, in seconds.
#[cfg(feature = "server")]
const RETRY_AFTER: u16 = 1;

impl ApiError {
    pub(crate) fn new(status: impl Into<u16>, code: &'static str, message: impl Into<String>) -> Self {
        Self { status: status.into(), code, message: message.into(), hint: None }
    }

    pub(crate) fn bad_request(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(400_u16, code, message)
    }

    #[cfg(feature = "server")]
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(404_u16, "not-found", message)
    }

    /// Error for JSON that is not a valid question.
    pub(crate) fn bad_json(error: &serde_json::Error) -> Self {
        /// Names of types in the errors of the parser.
        const TYPES: [(&str, &str); 6] = [
            ("expected u64", "expected a whole number from 0 to 18446744073709551615"),
            ("expected usize", "expected a whole number from 0 to 18446744073709551615"),
            ("expected u16", "expected a whole number from 0 to 65535"),
            ("expected f64", "expected a number"),
            ("expected a sequence", "expected a list"),
            ("invalid type: sequence", "invalid type: list"),
        ];
        let text = TYPES.iter().fold(error.to_string(), |text, (name, words)| text.replace(name, words));
        Self::bad_request("bad-request", format!("invalid body: {text}"))
    }

    pub(crate) fn internal() -> Self {
        Self::new(500_u16, "broken", "internal error; the server is still running")
            .with_hint("this is a bug; please report it")
    }

    #[cfg(feature = "server")]
    pub(crate) fn busy() -> Self {
        Self::new(503_u16, "busy", "too many requests are waiting").with_hint("try again in a moment")
    }

    /// Returns the error for a question that takes too long: not a 503, because a retry would take as long.
    #[cfg(feature = "server")]
    pub(crate) fn time_limit() -> Self {
        Self::new(422_u16, "time-limit", "the question takes longer than the server allows")
            .with_hint("ask about a smaller game, or start the server with a longer --request-timeout")
    }

    #[must_use]
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn body(&self) -> serde_json::Value {
        serde_json::json!({ "error": { "code": self.code, "message": self.message, "hint": self.hint } })
    }
}

#[cfg(feature = "server")]
mod response {
    use axum::{
        Json,
        http::{HeaderValue, StatusCode, header},
        response::{IntoResponse, Response},
    };

    use super::{ApiError, RETRY_AFTER};

    impl IntoResponse for ApiError {
        fn into_response(self) -> Response {
            let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let mut response = (status, Json(self.body())).into_response();
            if status == StatusCode::SERVICE_UNAVAILABLE {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER));
            }
            response
        }
    }
}
