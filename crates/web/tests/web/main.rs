//! Tests of the server from the client's view: answers, refused requests, and behavior under load.

mod api;
#[path = "../../examples/ask_over_http.rs"]
mod ask_over_http;
mod capacity;
mod client;
mod openapi;
mod security;
mod types;

use std::{
    sync::LazyLock,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Method, Request, Response, StatusCode, header},
};
use pegwise_web::{ServerLimits, ServerOptions, router};
use serde_json::Value;
use tower::ServiceExt as _;

/// Port in the addresses of the server.
pub(crate) const PORT: u16 = 7411;

/// Limits with times that a busy machine does not reach.
pub(crate) fn patient() -> ServerLimits {
    const PATIENCE: Duration = Duration::from_secs(600);
    ServerLimits { time: PATIENCE, sending: PATIENCE, ..ServerLimits::default() }
}

pub(crate) fn server(limits: ServerLimits) -> Router {
    router(&ServerOptions { limits, ..ServerOptions::default() }, PORT).unwrap()
}

/// Server of the tests that do not need their own.
pub(crate) static SERVER: LazyLock<Router> = LazyLock::new(|| server(patient()));

/// Returns a request as the page sends it.
pub(crate) fn request(method: Method, path: &str, body: impl Into<Body>) -> Request<Body> {
    let request = Request::builder().method(method).uri(path).header(header::HOST, format!("localhost:{PORT}"));
    request.header(header::CONTENT_TYPE, "application/json").body(body.into()).unwrap()
}

pub(crate) async fn send(router: &Router, request: Request<Body>) -> Response<Body> {
    router.clone().oneshot(request).await.unwrap()
}

/// Returns the status and the JSON body.
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

/// Returns the answer to a question that must succeed.
pub(crate) async fn ask(path: &str, body: Value) -> Value {
    let (status, value) = post(path, body.clone()).await;
    assert_eq!(status, StatusCode::OK, "{path} {body}: {value}");
    value
}

/// Returns the error of a question that must fail.
pub(crate) async fn refused(path: &str, body: Value) -> (StatusCode, String) {
    let (status, value) = post(path, body.clone()).await;
    let message = value["error"]["message"].as_str().unwrap_or_else(|| panic!("{path} {body}: {status} {value}"));
    assert!(status.is_client_error(), "{path} {body}: {status}");
    (status, message.to_owned())
}

/// Asks questions, each a line with its path and body, and returns a transcript. Times are omitted, and numbers rounded.
pub(crate) async fn transcript(questions: &str) -> String {
    let mut transcript = String::new();
    for line in questions.trim().lines().map(str::trim) {
        let (path, body) = line.split_once(' ').expect("a path and a body");
        let request = request(Method::POST, &format!("/api/v1/{path}"), body.to_owned());
        let (status, mut answer) = answer(&SERVER, request).await;
        normalize(&mut answer);
        transcript += &format!("> {line}\n{} {answer}\n\n", status.as_u16());
    }
    transcript
}

/// Removes times, and digits after the sixth decimal, which depend on the machine.
fn normalize(answer: &mut Value) {
    match answer {
        Value::Object(fields) => {
            fields.remove("seconds");
            fields.values_mut().for_each(normalize);
        }
        Value::Array(items) => items.iter_mut().for_each(normalize),
        Value::Number(number) if number.is_f64() => {
            *answer = number.as_f64().map(|number| (number * 1e6).round() / 1e6).into();
        }
        _ => {}
    }
}

/// Waits until `load` returns the expected load of the server. Fails after ten minutes.
pub(crate) async fn until(expected: Value, mut load: impl AsyncFnMut() -> Value) {
    let start = Instant::now();
    loop {
        let found = load().await;
        if found == expected {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(600), "{found}, not {expected}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[test]
fn the_example_works() {
    ask_over_http::main();
}
