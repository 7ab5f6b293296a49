//! Time limits and cancellation of the program itself: the commands, the engine and the server, at positions in which something
//! takes long. A file of its own, so that it runs while no other test does.

#[path = "../crates/coach/tests/nasty/mod.rs"]
mod nasty;

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use nasty::{GRACE, latest, nasty};
use pegwise_coach::Notes;
use serde_json::{Value, json};

const LIMIT: Duration = Duration::from_millis(200);

/// A program that ends with the test.
struct Running(Child);

impl Running {
    fn start(args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pegwise"));
        Self(command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn written(notes: &Notes) -> Vec<String> {
    notes.notes().iter().map(|note| note.notation(notes.rules()).to_string()).collect()
}

/// What ended later than it should, over all positions.
fn late(mut entries: impl FnMut(&Notes) -> Vec<(String, Duration)>) -> Vec<String> {
    let mut late = Vec::new();
    for notes in nasty() {
        for (name, by) in entries(&notes).into_iter().filter(|(_, by)| !by.is_zero()) {
            let text = format!("{name} by {by:?}: {} {}", notes.rules(), written(&notes).join(" "));
            late.push(text.chars().take(160).collect());
        }
    }
    late
}

/// How much longer something takes than it may.
fn over(may: Duration, work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed().saturating_sub(may.mul_f64(1.1) + GRACE)
}

#[test]
fn limits_hold() {
    let found = [("commands", late(commands)), ("engine", engine()), ("server", server())];
    let text: Vec<String> =
        found.iter().flat_map(|(who, late)| late.iter().map(move |one| format!("{who}: {one}"))).collect();
    assert!(text.is_empty(), "late, beyond the limit and its grace:\n{}", text.join("\n"));
}

fn commands(notes: &Notes) -> Vec<(String, Duration)> {
    let (rules, turns) = (notes.rules().to_string(), written(notes));
    // What was guessed, what is left at the end, and what others do or what is wrong.
    let guesses = turns.len() as u32 + 3;
    let limit = LIMIT.as_secs_f64().to_string();
    let run = |name: &'static str, guesses: u32| {
        let by = latest(|| {
            over(LIMIT * guesses, || {
                let mut command = Command::new(env!("CARGO_BIN_EXE_pegwise"));
                let output = command.args([name, &rules]).args(&turns).args(["--time-limit", &limit]).output();
                // Contradictions have an exit code of their own; a panic has another.
                let code = output.expect("the program runs").status.code();
                assert!(code.is_some_and(|code| code <= 2), "{name} {rules} {turns:?}: {code:?}");
            })
        });
        (name.to_owned(), by)
    };
    vec![run("hint", 1), run("analyze", guesses)]
}

/// The engine knows no forgotten pegs, and refuses turns that nothing fits where that is plain.
fn engine() -> Vec<String> {
    let mut running = Running::start(&["engine"]);
    let mut stdin = running.0.stdin.take().expect("its input");
    let mut answers = BufReader::new(running.0.stdout.take().expect("its output"));
    let mut ask = move |request: Value| -> Value {
        writeln!(stdin, "{request}").and_then(|()| stdin.flush()).expect("it listens");
        loop {
            let mut line = String::new();
            answers.read_line(&mut line).expect("it answers");
            let answer: Value = serde_json::from_str(&line).expect("a line of JSON");
            if answer["reply"] != "progress" {
                return answer;
            }
        }
    };
    late(|notes| {
        let Some(history) = notes.history() else { return Vec::new() };
        assert_eq!(ask(json!({ "do": "new", "rules": notes.rules(), "seed": 1 }))["reply"], "new");
        let by = latest(|| {
            for turn in history.turns() {
                ask(json!({ "do": "turn", "guess": turn.guess, "feedback": turn.feedback.to_string() }));
            }
            let by = over(LIMIT, || {
                let answer = ask(json!({ "do": "guess", "time_limit": LIMIT.as_secs_f64(), "alternatives": 5 }));
                assert!(["guess", "error"].contains(&answer["reply"].as_str().expect("a word")), "{answer}");
            });
            while ask(json!({ "do": "undo" }))["reply"] == "undo" {}
            by
        });
        vec![("guess".to_owned(), by)]
    })
}

fn server() -> Vec<String> {
    let limit = LIMIT.as_secs_f64().to_string();
    let mut running =
        Running::start(&["serve", "--port", "0", "--time-limit", &limit, "--max-cells", "100", "--max-colors", "100"]);
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let host =
        line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).expect("an address").to_owned();
    let post = |path: &str, body: &Value| {
        let (mut stream, body) = (TcpStream::connect(&host).expect("it listens"), body.to_string());
        let length = body.len();
        write!(
            stream,
            "POST /api/v1/{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        )
        .expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer.split(' ').nth(1).and_then(|code| code.parse::<u16>().ok()).unwrap_or_else(|| panic!("{answer}"))
    };
    late(|notes| {
        let question = json!({ "rules": notes.rules(), "turns": written(notes) });
        let paths = ["hint", "remaining", "mend", "analyze"];
        let times = paths.map(|path| {
            let by = latest(|| {
                over(LIMIT, || {
                    let status = post(path, &question);
                    assert!(status < 500, "{path}: {status}: {question}");
                })
            });
            (path.to_owned(), by)
        });
        times.into()
    })
}
