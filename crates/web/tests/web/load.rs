//! A small crowd on a real network; `examples/load.rs` is the large one.

use std::{thread, time::Duration};

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
