//! `pegwise serve`, up to the first answer; the server itself is tested where it is written.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Child, Stdio},
};

use crate::{command, pegwise};

/// A server that ends with the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_address_comes_first_and_is_answered() {
    let child = command(["serve", "--port", "0", "--request-timeout", "7s"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut served = Served(child);
    let mut line = String::new();
    BufReader::new(served.0.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let host = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).expect("an address");
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(stream, "GET /api/v1/health HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("\"status\":\"ok\"") && answer.contains("\"time\":7.0"),
        "{answer}"
    );
}

#[test]
fn what_cannot_be_served_is_told() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("bound").port();
    for (line, part) in [
        (format!("serve --port {port}"), "choose another port"),
        ("serve --port 0 --host no.such.host.invalid".to_owned(), "not a host"),
        ("serve no-such-file.db --port 0".to_owned(), "no such store"),
        ("serve --port 70000".to_owned(), "70000"),
        ("serve --port 0 --request-timeout 0".to_owned(), "above zero"),
        ("serve --port 0 --threads 0".to_owned(), "threads"),
    ] {
        let run = pegwise(&line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}: {}", run.stderr);
        assert!(run.stderr.contains(part), "{line}: {}", run.stderr);
    }
}
