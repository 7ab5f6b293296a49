//! Time limits of the server, on a clock that counts work. The clock is global, so these tests are a program of their own.

#[path = "../../coach/tests/shared/hard_positions.rs"]
mod hard_positions;

#[allow(dead_code, reason = "shared with other tests")]
#[path = "web/client.rs"]
mod client;

use std::{
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use client::Connection;
use hard_positions::hard_positions;
use pegwise_solve::clock::TestClock;
use pegwise_web::{Server, ServerLimits, ServerOptions};
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_millis(200);
/// A question that takes hours.
const ENDLESS: &str = r#"{"rules":"5x8","strategy":"knuth","games":10000}"#;

struct TestServer {
    port: u16,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    fn start(time: Duration) -> Self {
        let sending = Duration::from_secs(600);
        let limits = ServerLimits { workers: 1, time, sending, cells: 100, colors: 100, ..ServerLimits::default() };
        let server = Server::bind(ServerOptions { limits, ..ServerOptions::default() }).unwrap();
        let port = server.address().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
        let end = Arc::<AtomicBool>::default();
        let ended = Arc::clone(&end);
        let thread = Some(thread::spawn(move || server.run_until(&ended).unwrap()));
        Self { port, end, thread }
    }

    fn connect(&self) -> Connection {
        Connection::new(self.port).unwrap()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// A cancelled request is answered once its worker checks the clock, so that the interval bounds the delay.
#[test]
fn workers_check_the_clock_at_every_position() {
    let clock = TestClock::start();
    let server = TestServer::start(LIMIT);
    let mut connection = server.connect();
    let mut late = Vec::new();
    for notes in hard_positions() {
        let turns: Vec<String> = notes.notes().iter().map(|note| note.notation(notes.rules()).to_string()).collect();
        let question = json!({ "rules": notes.rules(), "turns": turns }).to_string();
        for path in ["hint", "remaining", "mend", "analyze"] {
            clock.restart();
            let (status, answer) = connection.post(path, &question).unwrap();
            // 422 would be an answer that came too late after its time was up.
            assert!([200, 400].contains(&status), "{path}: {status}: {question}: {answer}");
            let gap = clock.longest_gap();
            if gap > LIMIT.mul_f64(0.1) + Duration::from_millis(50) {
                late.push(format!("{path} by {gap:?}: {}", question.chars().take(120).collect::<String>()));
            }
        }
    }
    assert!(late.is_empty(), "too long between two checks of the clock:\n{}", late.join("\n"));
}

#[test]
fn the_time_of_a_request_is_limited() {
    let _clock = TestClock::start();
    let server = TestServer::start(10 * LIMIT);
    let (status, value) = server.connect().post("measure", ENDLESS).unwrap();
    assert_eq!(status, 200, "a job that is stopped returns its results so far: {value}");
    // The last of several waits too long for the worker.
    let mut clients: Vec<Connection> = (0..4).map(|_| server.connect()).collect();
    for client in &mut clients {
        client.send("POST", "measure", ENDLESS).unwrap();
    }
    let statuses: Vec<u16> = clients.iter_mut().map(|client| client.receive().unwrap().0).collect();
    assert!(statuses.contains(&200) && statuses.contains(&503), "{statuses:?}");
}

#[test]
fn a_server_that_stops_answers_the_requests_in_progress() {
    let _clock = TestClock::start();
    let server = TestServer::start(Duration::from_secs(20));
    let (port, mut asked, mut watching) = (server.port, server.connect(), server.connect());
    let asked = thread::spawn(move || asked.post("hint", r#"{"rules":"20x20","seconds":1}"#).unwrap().0);
    let mut is_working = || {
        watching.send("GET", "health", "").unwrap();
        let health: Value = serde_json::from_str(&watching.receive().unwrap().1).unwrap();
        health["load"]["working"] == 1
    };
    while !is_working() && !asked.is_finished() {}
    drop((watching, server));
    assert_eq!(asked.join().unwrap(), 200);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
}
