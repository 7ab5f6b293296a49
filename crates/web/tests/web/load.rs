//! A small crowd on a real network; `examples/load.rs` is the large one.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use crate::crowd::{self, Connection};
use pegwise_web::{Limits, Options, Server};

fn start(limits: Limits) -> u16 {
    let server = Server::bind(Options { limits, ..Options::default() }).unwrap();
    let port = server.address().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    thread::spawn(move || server.run().unwrap());
    port
}

#[test]
fn everybody_in_a_crowd_is_served_while_one_asks_about_a_huge_board() {
    let port = start(Limits::default());
    let glutton = thread::spawn(move || {
        let mut connection = Connection::new(port).unwrap();
        let question = r#"{"rules":"100x100","turns":[],"seconds":2}"#;
        connection.post("hint", question).unwrap().0
    });
    let seen = crowd::hints(port, "4x6", 30, Duration::from_secs(2));
    let failed: Vec<&String> = seen.iter().flat_map(|one| &one.failed).collect();
    assert!(failed.is_empty(), "{failed:?}");
    let (least, most) = (seen.iter().map(|one| one.answered).min(), seen.iter().map(|one| one.answered).max());
    assert!(least >= Some(1) && least.map(|least| least * 4) >= most, "{least:?} to {most:?}");
    assert_eq!(glutton.join().unwrap(), 200);
}

#[test]
fn past_capacity_all_are_answered_politely() {
    let port = start(Limits { workers: 1, queue: 4, ..Limits::default() });
    let seen = crowd::hints(port, "5x8", 40, Duration::from_secs(1));
    assert!(seen.iter().all(|one| one.failed.is_empty()), "{seen:?}");
    assert!(seen.iter().any(|one| one.busy > 0) && seen.iter().any(|one| one.answered > 0));
}

#[test]
fn a_port_that_is_taken_is_an_error_that_says_so() {
    let port = start(Limits::default());
    let error = Server::bind(Options { port, ..Options::default() }).unwrap_err().to_string();
    assert!(error.contains(&port.to_string()) && error.contains("another port"), "{error}");
    let error = Server::bind(Options { host: "no.such.host.invalid".to_owned(), ..Options::default() }).unwrap_err();
    assert!(error.to_string().contains("not a host"), "{error}");
}

/// Slow ones are cut off, and nobody waits for them meanwhile.
#[test]
fn slow_heads_and_slow_bodies_are_cut_off_and_keep_nobody_out() {
    let port = start(Limits { sending: Duration::from_secs(1), connections: 80, ..Limits::default() });
    let begin = |text: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    };
    let body = format!(
        "POST /api/v1/hint HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{{"
    );
    let start = Instant::now();
    let slow: Vec<TcpStream> =
        (0..40).map(|at| begin(if at % 2 == 0 { "GET / HTTP/1.1\r\nHost: local" } else { &body })).collect();
    let (status, _) = Connection::new(port).unwrap().post("hint", r#"{"rules":"4x6"}"#).unwrap();
    assert_eq!(status, 200);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    for mut stream in slow {
        let mut answer = Vec::new();
        // Whatever it says, it comes to an end.
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        assert!(text.is_empty() || text.starts_with("HTTP/1.1 408"), "{text}");
    }
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

/// More connections than there may be wait for one to end, and are then served.
#[test]
fn connections_past_the_most_wait_for_a_place() {
    let port = start(Limits { sending: Duration::from_millis(500), connections: 4, ..Limits::default() });
    let idle: Vec<TcpStream> = (0..12).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    let (status, _) = Connection::new(port).unwrap().post("rules", r#"{"rules":"4x6"}"#).unwrap();
    assert_eq!(status, 200);
    drop(idle);
}

/// At the end of a server, what is under way is answered.
#[test]
fn a_server_that_ends_answers_what_is_under_way() {
    let server = Server::bind(Options::default()).unwrap();
    let port: u16 = server.address().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    let end = Arc::<AtomicBool>::default();
    let ended = thread::spawn({
        let end = Arc::clone(&end);
        move || server.run_until(&end).unwrap()
    });
    let asked = thread::spawn(move || {
        let question = r#"{"rules":"20x20","seconds":1}"#;
        Connection::new(port).unwrap().post("hint", question).unwrap().0
    });
    thread::sleep(Duration::from_millis(300));
    end.store(true, Ordering::Relaxed);
    assert_eq!(asked.join().unwrap(), 200);
    ended.join().unwrap();
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
}
