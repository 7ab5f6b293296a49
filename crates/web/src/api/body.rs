//! Bodies of requests: JSON, within the limits.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::{StatusCode, header},
};
use serde::de::DeserializeOwned;
use tokio::time;

use crate::{error::ApiError, server::Shared};

/// The JSON body of a request.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Shared> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, ApiError> {
        let most = shared.limits.body;
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        // Other types are what a form elsewhere could send.
        let essence = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/json") {
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json", "the body must be JSON")
                .with_hint("send it with the header content-type: application/json"));
        }
        let too_large = || {
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", format!("a body has {most} bytes at most here"))
        };
        let body = axum::body::to_bytes(request.into_body(), most);
        let bytes: Bytes = match time::timeout(shared.limits.sending, body).await {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(_)) => return Err(too_large()),
            Err(_) => {
                return Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "too-slow", "the body did not come in time"));
            }
        };
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            ApiError::bad_request("bad-request", format!("the body is not what this address takes: {error}"))
                .with_hint("/api/v1/openapi.json tells what it takes")
        })
    }
}
