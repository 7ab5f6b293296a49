//! Too many requests, long ones, stopped ones, and clients that go away.

use std::time::{Duration, Instant};

use crate::ask::{answer, patient, request, send, server};
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Method, Response, StatusCode, header},
};
use pegwise_web::Limits;
use serde_json::{Value, json};

/// A request that takes hours unless it is stopped.
fn endless() -> String {
    json!({ "rules": "5x8", "strategy": "knuth", "games": 10_000 }).to_string()
}

async fn by_line(server: &Router, path: &str, body: String) -> Response<Body> {
    let mut request = request(Method::POST, &format!("/api/v1/{path}"), body);
    request.headers_mut().insert(header::ACCEPT, "application/x-ndjson".parse().unwrap());
    send(server, request).await
}

async fn lines(response: Response<Body>) -> Vec<Value> {
    let bytes = to_bytes(response.into_body(), 16 << 20).await.unwrap();
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn load(server: &Router) -> Value {
    answer(server, request(Method::GET, "/api/v1/health", "")).await.1["load"].clone()
}

/// Waits until the server is as busy as this, and fails after ten minutes.
async fn until(server: &Router, expected: Value) {
    let start = Instant::now();
    while load(server).await != expected {
        assert!(start.elapsed() < Duration::from_secs(600), "{}, not {expected}", load(server).await);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn past_capacity_a_request_is_asked_to_come_again() {
    let server = server(Limits { workers: 1, queue: 2, ..patient() });
    let mut waiting = Vec::new();
    let first = by_line(&server, "measure", endless()).await;
    until(&server, json!({ "working": 1, "waiting": 0 })).await;
    // One client alone may fill half of the queue.
    waiting.push(by_line(&server, "measure", endless()).await);
    let refused = send(&server, request(Method::POST, "/api/v1/measure", endless())).await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.headers()[header::RETRY_AFTER], "1");
    // Quick questions are answered all the same.
    let (status, _) =
        answer(&server, request(Method::POST, "/api/v1/hint", json!({ "rules": "4x6" }).to_string())).await;
    assert_eq!(status, StatusCode::OK);
    drop((first, waiting));
    until(&server, json!({ "working": 0, "waiting": 0 })).await;
}

#[tokio::test]
async fn a_client_that_goes_away_stops_its_job() {
    let server = server(Limits { workers: 1, ..patient() });
    let ask = tokio::spawn({
        let server = server.clone();
        async move { send(&server, request(Method::POST, "/api/v1/measure", endless())).await }
    });
    until(&server, json!({ "working": 1, "waiting": 0 })).await;
    ask.abort();
    until(&server, json!({ "working": 0, "waiting": 0 })).await;
}

#[tokio::test]
async fn a_job_tells_how_it_gets_on_and_can_be_stopped() {
    let server = server(Limits { workers: 1, ..patient() });
    let response = by_line(&server, "measure", endless()).await;
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/x-ndjson");
    let mut body = response.into_body();
    let first = {
        let frame =
            std::future::poll_fn(|context| axum::body::HttpBody::poll_frame(std::pin::Pin::new(&mut body), context));
        frame.await.unwrap().unwrap().into_data().unwrap()
    };
    let job: Value = serde_json::from_slice(&first).unwrap();
    let path = format!("/api/v1/jobs/{}", job["job"].as_str().unwrap());
    until(&server, json!({ "working": 1, "waiting": 0 })).await;
    let (status, _) = answer(&server, request(Method::DELETE, &path, "")).await;
    assert_eq!(status, StatusCode::OK);
    let rest = lines(Response::new(body)).await;
    let played = rest.iter().filter(|line| line.get("played").is_some()).count() as u64;
    let answer_line = rest.last().unwrap();
    assert!(answer_line["answer"]["measured"]["games"].as_u64().is_none_or(|games| games == played), "{answer_line}");
    let (status, _) = answer(&server, request(Method::DELETE, &path, "")).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn games_come_turn_by_turn() {
    let server = server(patient());
    let question = json!({ "rules": "4x6", "strategy": "knuth", "secret": "3632" });
    let lines = lines(by_line(&server, "watch", question.to_string()).await).await;
    let turns: Vec<&Value> = lines.iter().filter_map(|line| line.get("turn")).collect();
    let answer = &lines.last().unwrap()["answer"];
    assert_eq!(answer["turns"].as_array().unwrap().iter().collect::<Vec<_>>(), turns);
    let instant = by_line(&server, "rules", json!({ "rules": "4x6" }).to_string()).await;
    assert_eq!(self::lines(instant).await[0]["answer"]["cells"], 4);
}
