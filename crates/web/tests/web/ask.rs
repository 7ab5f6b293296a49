//! What the tests share: a server without a network, and questions to it.

use std::{sync::LazyLock, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Method, Request, Response, StatusCode, header},
};
use pegwise_web::{Limits, Options, router};
use serde_json::Value;
use tower::ServiceExt as _;

/// The port that the server believes it has.
pub(crate) const PORT: u16 = 7411;

/// Limits with times that no busy machine reaches.
pub(crate) fn patient() -> Limits {
    const PATIENCE: Duration = Duration::from_secs(600);
    Limits { time: PATIENCE, sending: PATIENCE, ..Limits::default() }
}

/// The routes of a server with these limits.
pub(crate) fn server(limits: Limits) -> Router {
    router(&Options { limits, ..Options::default() }, PORT).unwrap()
}

/// One server for all tests of a file that do not need their own.
pub(crate) static SERVER: LazyLock<Router> = LazyLock::new(|| server(patient()));

/// A request as the page would send it.
pub(crate) fn request(method: Method, path: &str, body: impl Into<Body>) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header(header::HOST, format!("localhost:{PORT}"));
    request.header(header::CONTENT_TYPE, "application/json").body(body.into()).unwrap()
}

pub(crate) async fn send(router: &Router, request: Request<Body>) -> Response<Body> {
    router.clone().oneshot(request).await.unwrap()
}

/// Status and body; every body of the API is JSON.
pub(crate) async fn answer(router: &Router, request: Request<Body>) -> (StatusCode, Value) {
    let response = send(router, request).await;
    let status = response.status();
    let bytes = to_bytes(response.into_body(), 16 << 20).await.unwrap();
    let value =
        serde_json::from_slice(&bytes).unwrap_or_else(|_| panic!("{status}: {}", String::from_utf8_lossy(&bytes)));
    (status, value)
}

pub(crate) async fn post(path: &str, body: Value) -> (StatusCode, Value) {
    answer(&SERVER, request(Method::POST, &format!("/api/v1/{path}"), body.to_string())).await
}

/// The answer to a question that must succeed.
pub(crate) async fn ask(path: &str, body: Value) -> Value {
    let (status, value) = post(path, body.clone()).await;
    assert_eq!(status, StatusCode::OK, "{path} {body}: {value}");
    value
}

/// The error of a question that must not.
pub(crate) async fn refused(path: &str, body: Value) -> (StatusCode, String) {
    let (status, value) = post(path, body.clone()).await;
    let message = value["error"]["message"].as_str().unwrap_or_else(|| panic!("{path} {body}: {status} {value}"));
    assert!(status.is_client_error(), "{path} {body}: {status}");
    (status, message.to_owned())
}
