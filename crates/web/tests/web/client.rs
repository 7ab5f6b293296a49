//! HTTP clients for tests on the network.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use pegwise_game::{History, Rules, Turn};
use pegwise_solve::Rng;

/// Persistent HTTP connection to a server on this machine.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    port: u16,
}

impl Connection {
    pub(crate) fn new(port: u16) -> std::io::Result<Self> {
        Ok(Self { stream: BufReader::new(TcpStream::connect(("127.0.0.1", port))?), port })
    }

    /// Posts a question. Returns the status and the body.
    pub(crate) fn post(&mut self, path: &str, body: &str) -> std::io::Result<(u16, String)> {
        self.send("POST", path, body)?;
        self.receive()
    }

    /// Sends a request without waiting for the answer.
    pub(crate) fn send(&mut self, method: &str, path: &str, body: &str) -> std::io::Result<()> {
        let Self { stream, port } = self;
        let length = body.len();
        let head = format!(
            "{method} /api/v1/{path} HTTP/1.1\r\nhost: localhost:{port}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n"
        );
        stream.get_mut().write_all((head + body).as_bytes())
    }

    /// Waits for an answer. Returns the status and the body.
    pub(crate) fn receive(&mut self) -> std::io::Result<(u16, String)> {
        let stream = &mut self.stream;
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

/// Results of one client.
#[derive(Debug, Default, Clone)]
pub(crate) struct ClientStats {
    pub(crate) answered: usize,
    pub(crate) busy: usize,
    pub(crate) failed: Vec<String>,
    pub(crate) slowest: Duration,
    pub(crate) waited: Duration,
}

/// Runs clients that ask for hints at random positions while `continues` returns true.
pub(crate) fn ask_hints(
    port: u16,
    rules: &str,
    clients: u64,
    continues: impl Fn(&ClientStats) -> bool + Sync,
) -> Vec<ClientStats> {
    let (rules, continues) = (&rules.parse().expect("rules"), &continues);
    thread::scope(|scope| {
        let ask = |client| scope.spawn(move || run_client(port, rules, client, continues));
        let threads: Vec<_> = (0..clients).map(ask).collect();
        threads.into_iter().map(|thread| thread.join().expect("a client")).collect()
    })
}

fn run_client(port: u16, rules: &Rules, client: u64, continues: impl Fn(&ClientStats) -> bool) -> ClientStats {
    let mut rng = Rng::new(client);
    let mut stats = ClientStats::default();
    let mut connection = match Connection::new(port) {
        Ok(connection) => connection,
        Err(error) => return ClientStats { failed: vec![error.to_string()], ..stats },
    };
    while continues(&stats) {
        let body = question(rules, &mut rng);
        let start = Instant::now();
        match connection.post("hint", &body) {
            Ok((200, answer)) if answer.contains("\"guess\"") => stats.answered += 1,
            Ok((503, _)) => {
                stats.busy += 1;
                thread::sleep(Duration::from_millis(200));
            }
            Ok((status, answer)) => stats.failed.push(format!("{status} {answer}")),
            Err(error) => {
                stats.failed.push(error.to_string());
                break;
            }
        }
        stats.waited += start.elapsed();
        stats.slowest = stats.slowest.max(start.elapsed());
    }
    stats
}

/// Returns a question about a random position.
fn question(rules: &Rules, rng: &mut Rng) -> String {
    let secret = rng.code(rules);
    let mut history = History::new(rules.clone());
    for _ in 0..rng.below(4) {
        history.push(Turn::against(rules, &secret, rng.code(rules))).expect("a code of the rules");
        if history.is_solved() {
            history.pop();
        }
    }
    serde_json::json!({ "rules": rules, "turns": history.turns(), "alternatives": 5 }).to_string()
}
