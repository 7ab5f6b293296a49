//! Behavior under load: full queues, long and stopped jobs, many, slow and disconnected clients. `examples/load.rs` is a larger
//! load test.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::TcpStream,
    thread,
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Method, Response, StatusCode, header},
};
use pegwise_web::{Server, ServerLimits, ServerOptions};
use serde_json::{Value, json};

use crate::{
    answer,
    client::{Connection, ask_hints},
    patient, request, send, server, until,
};

/// Returns a request that takes hours unless it is stopped.
fn endless() -> String {
    json!({ "rules": "5x8", "strategy": "knuth", "games": 10_000 }).to_string()
}

async fn streamed(server: &Router, path: &str, body: String) -> Response<Body> {
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

#[tokio::test]
async fn past_capacity_requests_get_503() {
    let server = server(ServerLimits { workers: 1, queue: 2, ..patient() });
    let mut waiting = Vec::new();
    let first = streamed(&server, "measure", endless()).await;
    until(json!({ "working": 1, "waiting": 0 }), async || load(&server).await).await;
    // One client may fill the queue.
    for _ in 0..2 {
        waiting.push(streamed(&server, "measure", endless()).await);
    }
    let refused = send(&server, request(Method::POST, "/api/v1/measure", endless())).await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refused.headers()[header::RETRY_AFTER], "1");
    // Light questions are still answered.
    let (status, _) =
        answer(&server, request(Method::POST, "/api/v1/hint", json!({ "rules": "4x6" }).to_string())).await;
    assert_eq!(status, StatusCode::OK);
    // The places of clients that have disconnected are free.
    waiting.pop();
    waiting.push(streamed(&server, "measure", endless()).await);
    drop((first, waiting));
    until(json!({ "working": 0, "waiting": 0 }), async || load(&server).await).await;
}

#[tokio::test]
async fn a_disconnected_client_cancels_its_job() {
    let server = server(ServerLimits { workers: 1, ..patient() });
    let ask = tokio::spawn({
        let server = server.clone();
        async move { send(&server, request(Method::POST, "/api/v1/measure", endless())).await }
    });
    until(json!({ "working": 1, "waiting": 0 }), async || load(&server).await).await;
    ask.abort();
    until(json!({ "working": 0, "waiting": 0 }), async || load(&server).await).await;
}

#[tokio::test]
async fn jobs_report_progress_and_can_be_stopped() {
    let server = server(ServerLimits { workers: 1, ..patient() });
    let response = streamed(&server, "measure", endless()).await;
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/x-ndjson");
    let mut body = response.into_body();
    let first = {
        let frame =
            std::future::poll_fn(|context| axum::body::HttpBody::poll_frame(std::pin::Pin::new(&mut body), context));
        frame.await.unwrap().unwrap().into_data().unwrap()
    };
    let job: Value = serde_json::from_slice(&first).unwrap();
    let path = format!("/api/v1/jobs/{}", job["job"].as_str().unwrap());
    until(json!({ "working": 1, "waiting": 0 }), async || load(&server).await).await;
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
async fn games_are_streamed_turn_by_turn() {
    let server = server(patient());
    let question = json!({ "rules": "4x6", "strategy": "knuth", "secret": "3632" });
    let lines = lines(streamed(&server, "watch", question.to_string()).await).await;
    let turns: Vec<&Value> = lines.iter().filter_map(|line| line.get("turn")).collect();
    let answer = &lines.last().unwrap()["answer"];
    assert_eq!(answer["turns"].as_array().unwrap().iter().collect::<Vec<_>>(), turns);
    let instant = streamed(&server, "rules", json!({ "rules": "4x6" }).to_string()).await;
    assert_eq!(self::lines(instant).await[0]["answer"]["cells"], 4);
}

/// Starts a server on a free port.
fn start(limits: ServerLimits) -> u16 {
    let server = Server::bind(ServerOptions { limits, ..ServerOptions::default() }).unwrap();
    let port = server.address().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    thread::spawn(move || server.run().unwrap());
    port
}

async fn network_load(connection: &mut Connection) -> Value {
    connection.send("GET", "health", "").unwrap();
    serde_json::from_str::<Value>(&connection.receive().unwrap().1).unwrap()["load"].take()
}

#[test]
fn light_questions_are_answered_during_a_heavy_one() {
    const QUESTIONS: usize = 10;
    let port = start(patient());
    let mut heavy = Connection::new(port).unwrap();
    heavy.send("POST", "hint", r#"{"rules":"100x100","turns":[],"seconds":2}"#).unwrap();
    let seen = ask_hints(port, "4x6", 30, |one| one.failed.is_empty() && one.answered < QUESTIONS);
    assert!(seen.iter().all(|one| one.answered == QUESTIONS && one.busy == 0), "{seen:?}");
    assert_eq!(heavy.receive().unwrap().0, 200);
}

#[tokio::test]
async fn past_capacity_clients_on_the_network_get_503() {
    /// A board whose hints are heavy jobs.
    const RULES: &str = "65x2";
    let port = start(ServerLimits { workers: 1, queue: 4, ..patient() });
    let mut clients: Vec<Connection> = (0..45).map(|_| Connection::new(port).unwrap()).collect();
    let (mut late, mut health) = (clients.split_off(5), Connection::new(port).unwrap());
    for (client, waiting) in clients.iter_mut().zip(0..) {
        client.send("POST", "measure", r#"{"rules":"5x8","strategy":"knuth","games":10000}"#).unwrap();
        until(json!({ "working": 1, "waiting": waiting }), async || network_load(&mut health).await).await;
    }
    for client in &mut late {
        let (status, answer) = client.post("hint", &json!({ "rules": RULES }).to_string()).unwrap();
        assert!(status == 503 && answer.contains("\"busy\""), "{status} {answer}");
    }
    drop(clients);
    let seen = ask_hints(port, RULES, 8, |one| one.failed.is_empty() && one.answered == 0);
    assert!(seen.iter().all(|one| one.answered == 1), "{seen:?}");
}

/// Opens connections with incomplete requests: nothing, half a head, a head without its body.
fn incomplete_requests(port: u16) -> Vec<TcpStream> {
    let body = format!(
        "POST /api/v1/hint HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{{"
    );
    let texts = ["", "GET / HTTP/1.1\r\nHost: local", &body];
    let begin = |text: &&str| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(600))).unwrap();
        // The server may have closed the connection already.
        let _ = stream.write_all(text.as_bytes());
        stream
    };
    texts.iter().cycle().take(42).map(begin).collect()
}

#[test]
fn slow_clients_do_not_block_others() {
    let port = start(ServerLimits { connections: 80, ..patient() });
    let slow = incomplete_requests(port);
    let (status, _) = Connection::new(port).unwrap().post("hint", r#"{"rules":"4x6"}"#).unwrap();
    assert_eq!(status, 200);
    drop(slow);
}

#[test]
fn slow_clients_are_disconnected() {
    let port = start(ServerLimits { sending: Duration::from_millis(100), connections: 80, ..patient() });
    for mut stream in incomplete_requests(port) {
        let mut answer = Vec::new();
        // A reset connection has ended, too.
        let ended = stream.read_to_end(&mut answer);
        let timed_out = ended.is_err_and(|error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut));
        assert!(!timed_out, "not disconnected");
        let text = String::from_utf8_lossy(&answer);
        assert!(text.is_empty() || text.starts_with("HTTP/1.1 408"), "{text}");
    }
}

/// Sends `request` to a server and returns what it answers until it closes the connection.
fn exchange(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(600))).unwrap();
    let head = format!("Host: localhost:{port}\r\nContent-Type: application/json\r\nConnection: close\r\n");
    let request = request.replace("HEAD", &head);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A connection that is closed before the whole body was read is reset.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

#[test]
fn broken_bodies_are_refused() {
    let port = start(patient());
    let chunked = "POST /api/v1/hint HTTP/1.1\r\nHEADTransfer-Encoding: chunked\r\n\r\n";
    let answer = exchange(port, &format!("{chunked}xyz\r\n{{}}\r\n0\r\n\r\n"));
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    let endless = format!("{:x}\r\n{}", 300 << 10, " ".repeat(300 << 10));
    let answer = exchange(port, &format!("{chunked}{endless}\r\n0\r\n\r\n"));
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    // The declared length is enough.
    let answer = exchange(port, "POST /api/v1/hint HTTP/1.1\r\nHEADContent-Length: 1000000\r\n\r\n{");
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

#[test]
fn clients_that_do_not_read_are_disconnected() {
    let port = start(ServerLimits { sending: Duration::from_millis(100), ..patient() });
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_write_timeout(Some(Duration::from_secs(600))).unwrap();
    let request = format!("GET /js/words.js HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n").repeat(100);
    let error = loop {
        if let Err(error) = stream.write_all(request.as_bytes()) {
            break error;
        }
    };
    assert!(!matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "not disconnected");
}

#[test]
fn connections_past_the_maximum_wait() {
    let port = start(ServerLimits { connections: 4, ..patient() });
    let idle: Vec<TcpStream> = (0..12).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    let mut last = Connection::new(port).unwrap();
    last.send("POST", "rules", r#"{"rules":"4x6"}"#).unwrap();
    drop(idle);
    assert_eq!(last.receive().unwrap().0, 200);
}
