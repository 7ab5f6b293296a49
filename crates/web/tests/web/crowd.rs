//! Many clients at once, over a real network.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use pegwise_game::{History, Rules, Turn};
use pegwise_solve::Rng;

/// A connection that stays open, as a browser's does.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    port: u16,
}

impl Connection {
    pub(crate) fn new(port: u16) -> std::io::Result<Self> {
        Ok(Self { stream: BufReader::new(TcpStream::connect(("127.0.0.1", port))?), port })
    }

    /// Posts a question, and gives the status and the body.
    pub(crate) fn post(&mut self, path: &str, body: &str) -> std::io::Result<(u16, String)> {
        let Self { stream, port } = self;
        let length = body.len();
        let head = format!(
            "POST /api/v1/{path} HTTP/1.1\r\nhost: localhost:{port}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n"
        );
        stream.get_mut().write_all((head + body).as_bytes())?;
        let broken = || std::io::Error::other("not an answer");
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|word| word.parse().ok()).ok_or_else(broken)?;
        let mut length = 0;
        loop {
            line.clear();
            stream.read_line(&mut line)?;
            match line.trim().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().map_err(|_| broken())?;
                }
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body)?;
        String::from_utf8(body).map(|body| (status, body)).map_err(|_| broken())
    }
}

/// What one client saw.
#[derive(Debug, Default, Clone)]
pub(crate) struct Seen {
    pub(crate) answered: usize,
    pub(crate) busy: usize,
    pub(crate) failed: Vec<String>,
    pub(crate) slowest: Duration,
    pub(crate) waited: Duration,
}

/// Lets clients ask for hints at some rules, one question after the other, each a position of its own.
pub(crate) fn hints(port: u16, rules: &str, clients: u64, time: Duration) -> Vec<Seen> {
    let rules: Rules = rules.parse().expect("rules");
    let end = Instant::now() + time;
    let threads: Vec<_> = (0..clients).map(|client| (client, rules.clone())).collect();
    let threads = threads.into_iter().map(|(client, rules)| thread::spawn(move || ask_on(port, &rules, client, end)));
    let threads: Vec<_> = threads.collect();
    threads.into_iter().map(|thread| thread.join().expect("a client")).collect()
}

fn ask_on(port: u16, rules: &Rules, client: u64, end: Instant) -> Seen {
    let mut rng = Rng::new(client);
    let mut seen = Seen::default();
    let mut connection = match Connection::new(port) {
        Ok(connection) => connection,
        Err(error) => return Seen { failed: vec![error.to_string()], ..seen },
    };
    while Instant::now() < end {
        let body = question(rules, &mut rng);
        let start = Instant::now();
        match connection.post("hint", &body) {
            Ok((200, answer)) if answer.contains("\"guess\"") => seen.answered += 1,
            Ok((503, _)) => {
                seen.busy += 1;
                thread::sleep(Duration::from_millis(200));
            }
            Ok((status, answer)) => seen.failed.push(format!("{status} {answer}")),
            Err(error) => {
                seen.failed.push(error.to_string());
                break;
            }
        }
        seen.waited += start.elapsed();
        seen.slowest = seen.slowest.max(start.elapsed());
    }
    seen
}

/// A game that has gone on for a few turns.
fn question(rules: &Rules, rng: &mut Rng) -> String {
    let secret = rng.code(rules);
    let mut history = History::new(rules.clone());
    for _ in 0..rng.below(4) {
        let guess = rng.code(rules);
        let feedback = pegwise_game::feedback(rules, &guess, &secret);
        history.push(Turn { guess, feedback }).expect("a code of the rules");
        if history.is_solved() {
            history.pop();
        }
    }
    serde_json::json!({ "rules": rules, "turns": history.turns(), "alternatives": 5 }).to_string()
}
