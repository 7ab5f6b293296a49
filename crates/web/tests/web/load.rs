//! A small crowd on a real network; `examples/load.rs` is the large one.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use crate::{ask::patient, connection::Connection, crowd};
use pegwise_web::{Limits, Options, Server};
use serde_json::{Value, json};

fn start(limits: Limits) -> u16 {
    let server = Server::bind(Options { limits, ..Options::default() }).unwrap();
    let port = server.address().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    thread::spawn(move || server.run().unwrap());
    port
}

/// Waits until the server is as busy as this, and fails after ten minutes.
fn until(port: u16, expected: &Value) {
    let (start, mut connection) = (Instant::now(), Connection::new(port).unwrap());
    loop {
        connection.send("GET", "health", "").unwrap();
        let load = serde_json::from_str::<Value>(&connection.receive().unwrap().1).unwrap()["load"].take();
        if load == *expected {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(600), "{load}, not {expected}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn everybody_in_a_crowd_is_served_while_one_asks_about_a_huge_board() {
    const QUESTIONS: usize = 10;
    let port = start(patient());
    let mut glutton = Connection::new(port).unwrap();
    glutton.send("POST", "hint", r#"{"rules":"100x100","turns":[],"seconds":2}"#).unwrap();
    let seen = crowd::hints(port, "4x6", 30, |one| one.failed.is_empty() && one.answered < QUESTIONS);
    assert!(seen.iter().all(|one| one.answered == QUESTIONS && one.busy == 0), "{seen:?}");
    assert_eq!(glutton.receive().unwrap().0, 200);
}

#[test]
fn past_capacity_all_are_answered_politely() {
    /// A board whose hints are heavy work, of which one is done at a time here.
    const RULES: &str = "65x2";
    let port = start(Limits { workers: 1, queue: 4, ..patient() });
    let mut clients: Vec<Connection> = (0..45).map(|_| Connection::new(port).unwrap()).collect();
    let mut late = clients.split_off(5);
    for (client, waiting) in clients.iter_mut().zip(0..) {
        client.send("POST", "measure", r#"{"rules":"5x8","strategy":"knuth","games":10000}"#).unwrap();
        until(port, &json!({ "working": 1, "waiting": waiting }));
    }
    for client in &mut late {
        let (status, answer) = client.post("hint", &json!({ "rules": RULES }).to_string()).unwrap();
        assert!(status == 503 && answer.contains("\"busy\""), "{status} {answer}");
    }
    drop(clients);
    let seen = crowd::hints(port, RULES, 8, |one| one.failed.is_empty() && one.answered == 0);
    assert!(seen.iter().all(|one| one.answered == 1), "{seen:?}");
}

#[test]
fn a_port_that_is_taken_is_an_error_that_says_so() {
    let port = start(patient());
    let error = Server::bind(Options { port, ..Options::default() }).unwrap_err().to_string();
    assert!(error.contains(&port.to_string()) && error.contains("another port"), "{error}");
    let error = Server::bind(Options { host: "no.such.host.invalid".to_owned(), ..Options::default() }).unwrap_err();
    assert!(error.to_string().contains("not a host"), "{error}");
}

/// The beginnings of requests: nothing, half a head, and a head without its body.
fn beginnings(port: u16) -> Vec<TcpStream> {
    let body = format!(
        "POST /api/v1/hint HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{{"
    );
    let texts = ["", "GET / HTTP/1.1\r\nHost: local", &body];
    let begin = |text: &&str| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(600))).unwrap();
        // The server may have cut the connection off already.
        let _ = stream.write_all(text.as_bytes());
        stream
    };
    texts.iter().cycle().take(42).map(begin).collect()
}

#[test]
fn slow_heads_and_slow_bodies_keep_nobody_out() {
    let port = start(Limits { connections: 80, ..patient() });
    let slow = beginnings(port);
    let (status, _) = Connection::new(port).unwrap().post("hint", r#"{"rules":"4x6"}"#).unwrap();
    assert_eq!(status, 200);
    drop(slow);
}

#[test]
fn slow_heads_and_slow_bodies_are_cut_off() {
    let port = start(Limits { sending: Duration::from_millis(100), connections: 80, ..patient() });
    for mut stream in beginnings(port) {
        let mut answer = Vec::new();
        // A connection that is reset has ended, too.
        let ended = stream.read_to_end(&mut answer);
        let timed_out = ended.is_err_and(|error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut));
        assert!(!timed_out, "not cut off");
        let text = String::from_utf8_lossy(&answer);
        assert!(text.is_empty() || text.starts_with("HTTP/1.1 408"), "{text}");
    }
}

/// More connections than there may be wait for one to end, and are then served.
#[test]
fn connections_past_the_most_wait_for_a_place() {
    let port = start(Limits { connections: 4, ..patient() });
    let idle: Vec<TcpStream> = (0..12).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    let mut last = Connection::new(port).unwrap();
    last.send("POST", "rules", r#"{"rules":"4x6"}"#).unwrap();
    drop(idle);
    assert_eq!(last.receive().unwrap().0, 200);
}
