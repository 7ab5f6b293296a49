//! The API over HTTP: routes, request bodies, and streamed answers.

use std::{
    convert::Infallible,
    future::poll_fn,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Extension, Json, Router,
    body::{Body, Bytes, HttpBody as _},
    extract::{
        ConnectInfo, FromRequest, Path, Query, Request, State, rejection::PathRejection, rejection::QueryRejection,
    },
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::{MethodRouter, delete, get, post},
};
use futures_core::Stream;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time;

use super::{JsonObject, Question, Reply, advice, answer_line, candidates, game, lab, openapi, strategies};
use crate::{
    error::ApiError,
    jobs::{ClientId, JobHandle, JobUpdate},
    server::Shared,
};

/// Returns every route: method, path, and handler.
pub(super) fn table() -> [(&'static str, &'static str, MethodRouter<Shared>); 16] {
    [
        ("get", "/api/v1/health", get(health)),
        ("get", "/api/v1/openapi.json", get(async || json_response(openapi::document().to_owned()))),
        ("get", "/api/v1/strategies", get(list_strategies)),
        ("get", "/api/v1/lab", get(lab::report)),
        ("get", "/api/v1/lab/figures/{name}", get(lab::figure)),
        ("post", "/api/v1/rules", post(ask::<game::RulesQuestion>)),
        ("post", "/api/v1/secret", post(ask::<game::SecretQuestion>)),
        ("post", "/api/v1/feedback", post(ask::<game::FeedbackQuestion>)),
        ("post", "/api/v1/hint", post(ask::<advice::HintQuestion>)),
        ("post", "/api/v1/remaining", post(ask::<candidates::RemainingQuestion>)),
        ("post", "/api/v1/split", post(ask::<candidates::SplitQuestion>)),
        ("post", "/api/v1/mend", post(ask::<advice::MendQuestion>)),
        ("post", "/api/v1/analyze", post(ask::<advice::AnalyzeQuestion>)),
        ("post", "/api/v1/watch", post(ask::<strategies::WatchQuestion>)),
        ("post", "/api/v1/measure", post(ask::<lab::MeasureQuestion>)),
        ("delete", "/api/v1/jobs/{job}", delete(stop)),
    ]
}

/// Returns the router of the API.
pub(crate) fn routes() -> Router<Shared> {
    let routes = table().into_iter().fold(Router::new(), |router, (_, path, handler)| router.route(path, handler));
    routes.method_not_allowed_fallback(method_not_allowed)
}

pub(crate) async fn method_not_allowed() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", "this address takes another method")
        .with_hint("/api/v1/openapi.json lists every address and its method")
}

fn json_response(json: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], json).into_response()
}

async fn health(State(shared): State<Shared>) -> Json<Value> {
    let version = env!("CARGO_PKG_VERSION");
    Json(json!({ "status": "ok", "version": version, "limits": shared.limits, "load": shared.scheduler.load() }))
}

async fn list_strategies(
    State(shared): State<Shared>,
    question: Result<Query<strategies::StrategiesQuestion>, QueryRejection>,
) -> Result<Response, ApiError> {
    let Query(question) = question.map_err(|error| ApiError::bad_request("bad-request", error.body_text()))?;
    match question.reply(&shared.limits)? {
        Reply::Done(catalog) => Ok(json_response(catalog)),
        Reply::Work(..) => Err(ApiError::internal()),
    }
}

/// Stops a job, which then answers with its best result.
async fn stop(State(shared): State<Shared>, job: Result<Path<String>, PathRejection>) -> Result<Json<Value>, ApiError> {
    let Path(job) = job.map_err(|error| ApiError::bad_request("bad-request", error.body_text()))?;
    if shared.scheduler.stop(&job) {
        return Ok(Json(json!({ "stopped": job })));
    }
    Err(ApiError::not_found("there is no such job").with_hint("it may have ended already"))
}

/// Answers a question as one value, or as a stream of lines if the client accepts [`NDJSON`].
async fn ask<Q: Question>(
    State(shared): State<Shared>,
    peer: Option<Extension<ConnectInfo<SocketAddr>>>,
    headers: HeaderMap,
    JsonBody(question): JsonBody<Q>,
) -> Result<Response, ApiError> {
    let client = peer.map_or(ClientId::Local(0), |Extension(ConnectInfo(address))| address.into());
    let streamed = headers.get(header::ACCEPT).is_some_and(|accept| accept == NDJSON);
    Ok(match question.reply(&shared.limits)? {
        Reply::Done(answer) if streamed => {
            ([(header::CONTENT_TYPE, NDJSON)], answer_line(&answer) + "\n").into_response()
        }
        Reply::Done(answer) => json_response(answer),
        Reply::Work(cost, work) => {
            let job = shared.scheduler.submit(client, cost, work)?;
            if streamed { stream(job) } else { json_response(job.result().await?) }
        }
    })
}

/// The JSON body of a request, within the limits.
struct JsonBody<T>(T);

impl<T: DeserializeOwned> FromRequest<Shared> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, shared: &Shared) -> Result<Self, ApiError> {
        let max_bytes = shared.limits.body;
        let content_type = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = content_type.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
        // A form on another site can send other types without a preflight request.
        if !essence.eq_ignore_ascii_case("application/json") {
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json", "the body must be JSON")
                .with_hint("send it with the header content-type: application/json"));
        }
        let bytes = time::timeout(shared.limits.sending, read_body(request, max_bytes))
            .await
            .map_err(|_| ApiError::new(StatusCode::REQUEST_TIMEOUT, "too-slow", "the body did not arrive in time"))??;
        serde_json::from_slice(&bytes)
            .map(|JsonObject(question)| Self(question))
            .map_err(|error| ApiError::bad_json(&error).with_hint("/api/v1/openapi.json describes the body"))
    }
}

/// Reads a body of at most `max_bytes`. One that declares to be longer is refused without reading it.
async fn read_body(request: Request, max_bytes: usize) -> Result<Vec<u8>, ApiError> {
    let check = |length: usize| {
        let too_large = || format!("the body exceeds {max_bytes} bytes");
        let refused = || ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", too_large());
        (length <= max_bytes).then_some(()).ok_or_else(refused)
    };
    check(usize::try_from(request.body().size_hint().lower()).unwrap_or(usize::MAX))?;
    let mut chunks = request.into_body().into_data_stream();
    let mut bytes = Vec::new();
    while let Some(chunk) = poll_fn(|context| Pin::new(&mut chunks).poll_next(context)).await {
        let invalid = |_| ApiError::bad_request("bad-request", "the body ended early or has an invalid chunk");
        let chunk = chunk.map_err(invalid)?;
        check(bytes.len() + chunk.len())?;
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Media type of streamed answers: one JSON value per line.
const NDJSON: &str = "application/x-ndjson";

/// Interval between progress lines.
const TICK: Duration = Duration::from_millis(200);

/// Streams a job: its name, progress and intermediate results, and the answer.
fn stream(job: JobHandle) -> Response {
    let first = Some(Bytes::from(format!("{}\n", json!({ "job": job.name() }))));
    let lines = JobStream { first, next: Some(Box::pin(next_line(job))) };
    ([(header::CONTENT_TYPE, NDJSON)], Body::from_stream(lines)).into_response()
}

/// Waits for the next line. Returns the job unless the line is the last one.
async fn next_line(mut job: JobHandle) -> (Bytes, Option<JobHandle>) {
    let (line, job) = match job.next(TICK).await {
        JobUpdate::Line(line) => (line, Some(job)),
        JobUpdate::Tick => (json!({ "progress": job.progress() }).to_string(), Some(job)),
        JobUpdate::Done(Ok(answer)) => (answer_line(&answer), None),
        JobUpdate::Done(Err(error)) => (error.body().to_string(), None),
    };
    (Bytes::from(line + "\n"), job)
}

type NextLine = Pin<Box<dyn Future<Output = (Bytes, Option<JobHandle>)> + Send>>;

/// Body of a streamed answer. If the client disconnects, it is dropped with its [`JobHandle`], which cancels the job.
struct JobStream {
    first: Option<Bytes>,
    next: Option<NextLine>,
}

impl Stream for JobStream {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        let Some(future) = &mut self.next else { return Poll::Ready(None) };
        future.as_mut().poll(context).map(|(line, job)| {
            self.next = job.map(|job| -> NextLine { Box::pin(next_line(job)) });
            Some(Ok(line))
        })
    }
}
