//! Time by which the commands, the engine and the server exceed their time limit in positions with expensive steps.
//!
//! `cargo build --release -p pegwise && cargo bench -p pegwise-benches --bench limits`, with `-- PROGRAM` for another program.
//! Fails beyond a tenth of the limit and 50 ms; needs an idle machine. Tests assert the same of counted work.

#[path = "../crates/coach/tests/shared/hard_positions.rs"]
mod hard_positions;

use std::{
    collections::BTreeMap,
    env,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use hard_positions::hard_positions;
use pegwise_coach::Notes;
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_millis(200);
const GRACE: Duration = Duration::from_millis(50);

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A program that ends with the measurement.
struct ChildProcess(Child);

impl ChildProcess {
    fn start(program: &str, args: &[&str]) -> Result<Self> {
        Ok(Self(Command::new(program).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?))
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn written(notes: &Notes) -> Vec<String> {
    notes.notes().iter().map(|note| note.notation(notes.rules()).to_string()).collect()
}

/// Returns the time that `work` takes beyond `guesses` times [`LIMIT`].
fn late_by(guesses: usize, work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed().saturating_sub(LIMIT * guesses as u32))
}

fn main() -> Result<()> {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/release/pegwise").to_owned();
    let program = env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or(built);
    // For each entry point, the latest position: the time beyond its grace, the time beyond the limit, and its name.
    let mut latest = BTreeMap::<&str, (Duration, Duration, String)>::new();
    let mut engine = EngineProcess::start(&program)?;
    let server = ServerProcess::start(&program)?;
    for notes in hard_positions() {
        let mut note = |name: &'static str, guesses: usize, by: Duration| {
            let place = format!("{} {}", notes.rules(), written(&notes).join(" "));
            let beyond = by.saturating_sub(LIMIT.mul_f64(0.1) * guesses as u32 + GRACE);
            let worst = latest.entry(name).or_default();
            *worst = (beyond, by, place).max(worst.clone());
        };
        // One per guess, and one each for the remaining codes, the other strategies and the repairs.
        let guesses = notes.notes().len() + 3;
        note("hint", 1, late_by(1, || command(&program, "hint", &notes))?);
        note("analyze", guesses, late_by(guesses, || command(&program, "analyze", &notes))?);
        if engine.send_turns(&notes)? {
            note("engine", 1, late_by(1, || engine.guess())?);
        }
        for (name, path) in [
            ("server hint", "hint"),
            ("server remaining", "remaining"),
            ("server mend", "mend"),
            ("server analyze", "analyze"),
        ] {
            note(name, 1, late_by(1, || server.post(path, &notes))?);
        }
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "entry point        late by, ms  where")?;
    for (name, (_, by, place)) in &latest {
        let place: String = place.chars().take(90).collect();
        writeln!(out, "{name:<18}{:>12.1}  {place}", by.as_secs_f64() * 1000.0)?;
    }
    assert!(latest.values().all(|(beyond, ..)| beyond.is_zero()), "late, beyond the limit and its grace");
    Ok(())
}

fn command(program: &str, name: &str, notes: &Notes) -> Result<()> {
    let limit = LIMIT.as_secs_f64().to_string();
    let mut command = Command::new(program);
    command.args([name, &notes.rules().to_string()]).args(written(notes)).args(["--request-timeout", &limit]);
    let code = command.output()?.status.code();
    if code.is_some_and(|code| code <= 2) { Ok(()) } else { Err(format!("{command:?}: {code:?}").into()) }
}

struct EngineProcess {
    running: ChildProcess,
    answers: BufReader<std::process::ChildStdout>,
}

impl EngineProcess {
    fn start(program: &str) -> Result<Self> {
        let mut running = ChildProcess::start(program, &["engine"])?;
        let answers = BufReader::new(running.0.stdout.take().ok_or("no output")?);
        Ok(Self { running, answers })
    }

    fn ask(&mut self, request: &Value) -> Result<Value> {
        writeln!(self.running.0.stdin.as_mut().ok_or("no input")?, "{request}")?;
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line)?;
            let answer: Value = serde_json::from_str(&line)?;
            if answer["reply"] != "progress" {
                return Ok(answer);
            }
        }
    }

    /// Starts a game with these notes; returns false if the engine does not support them.
    fn send_turns(&mut self, notes: &Notes) -> Result<bool> {
        let Some(history) = notes.history() else { return Ok(false) };
        self.ask(&json!({ "do": "new", "rules": notes.rules(), "seed": 1 }))?;
        for turn in history.turns() {
            // The engine may reject contradictory turns.
            self.ask(&json!({ "do": "turn", "guess": turn.guess, "feedback": turn.feedback.to_string() }))?;
        }
        Ok(true)
    }

    fn guess(&mut self) -> Result<()> {
        self.ask(&json!({ "do": "guess", "time_limit": LIMIT.as_secs_f64(), "alternatives": 5 })).map(drop)
    }
}

struct ServerProcess {
    _running: ChildProcess,
    host: String,
}

impl ServerProcess {
    fn start(program: &str) -> Result<Self> {
        let limit = LIMIT.as_secs_f64().to_string();
        let args = ["serve", "--port", "0", "--request-timeout", &limit, "--max-cells", "100", "--max-colors", "100"];
        let mut running = ChildProcess::start(program, &args)?;
        let mut line = String::new();
        BufReader::new(running.0.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let host = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Ok(Self { _running: running, host })
    }

    fn post(&self, path: &str, notes: &Notes) -> Result<()> {
        let (host, body) = (&self.host, json!({ "rules": notes.rules(), "turns": written(notes) }).to_string());
        let mut stream = TcpStream::connect(host)?;
        let length = body.len();
        write!(
            stream,
            "POST /api/v1/{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let status: u16 = answer.split(' ').nth(1).ok_or("no answer")?.parse()?;
        if status < 500 { Ok(()) } else { Err(format!("{path}: {answer}: {body}").into()) }
    }
}
