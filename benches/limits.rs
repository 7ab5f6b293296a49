//! Time by which the commands, the engine and the server exceed their time limit in positions with expensive steps.
//!
//! `cargo build --release -p pegwise && cargo bench -p pegwise-benches --bench limits`, with `-- PROGRAM` for another program.
//! Fails beyond a tenth of the limit and 50 ms; needs an idle machine. Tests assert the same of counted work.

#[path = "../crates/web/tests/web/client.rs"]
#[expect(dead_code, reason = "the load test uses the rest")]
mod client;
#[path = "../crates/coach/tests/shared/hard_positions.rs"]
mod hard_positions;
#[path = "../tests/processes.rs"]
#[expect(dead_code, reason = "the tests of the program use the rest")]
mod processes;

use std::{
    collections::BTreeMap,
    env,
    io::Write as _,
    process::Command,
    time::{Duration, Instant},
};

use client::Connection;
use hard_positions::hard_positions;
use pegwise_coach::Notes;
use processes::{EngineProcess, Served};
use serde_json::json;

const LIMIT: Duration = Duration::from_millis(200);
const GRACE: Duration = Duration::from_millis(50);

fn written(notes: &Notes) -> Vec<String> {
    notes.notes().iter().map(|note| note.notation(notes.rules()).to_string()).collect()
}

/// Returns the time that `work` takes beyond `guesses` times [`LIMIT`].
fn late_by(guesses: usize, work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed().saturating_sub(LIMIT * guesses as u32)
}

fn main() -> std::io::Result<()> {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/release/pegwise").to_owned();
    let program = env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or(built);
    let limit = LIMIT.as_secs_f64().to_string();
    // For each entry point, the latest position: the time beyond its grace, the time beyond the limit, and its name.
    let mut latest = BTreeMap::<&str, (Duration, Duration, String)>::new();
    let mut engine = EngineProcess::start(Command::new(&program), &[]);
    let args = ["--request-timeout", &limit, "--max-cells", "100", "--max-colors", "100"];
    let (_served, port) = Served::start(Command::new(&program), &args);
    for notes in hard_positions() {
        let mut note = |name: &'static str, guesses: usize, by: Duration| {
            let place = format!("{} {}", notes.rules(), written(&notes).join(" "));
            let beyond = by.saturating_sub(LIMIT.mul_f64(0.1) * guesses as u32 + GRACE);
            let worst = latest.entry(name).or_default();
            *worst = (beyond, by, place).max(worst.clone());
        };
        // One per guess, and one each for the remaining codes, the other strategies and the repairs.
        let guesses = notes.notes().len() + 3;
        note("hint", 1, late_by(1, || command(&program, "hint", &notes)));
        if notes.rules().lies() == 0 {
            note("analyze", guesses, late_by(guesses, || command(&program, "analyze", &notes)));
        }
        if send_turns(&mut engine, &notes) {
            let guess = json!({ "do": "guess", "time_limit": LIMIT.as_secs_f64(), "alternatives": 5 });
            note("engine", 1, late_by(1, || drop(engine.ask(&guess))));
        }
        let question = json!({ "rules": notes.rules(), "turns": written(&notes) }).to_string();
        for (name, path) in [
            ("server hint", "hint"),
            ("server remaining", "remaining"),
            ("server mend", "mend"),
            ("server analyze", "analyze"),
        ] {
            let mut connection = Connection::new(port)?;
            let ask = || {
                let (status, answer) = connection.post(path, &question).expect("an answer");
                assert!(status < 500, "{path}: {answer}: {question}");
            };
            note(name, 1, late_by(1, ask));
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

fn command(program: &str, name: &str, notes: &Notes) {
    let limit = LIMIT.as_secs_f64().to_string();
    let mut command = Command::new(program);
    command.args([name, &notes.rules().to_string()]).args(written(notes)).args(["--time-per-guess", &limit, "--json"]);
    let output = command.output().expect("the program runs");
    // Contradictions have an exit code of their own.
    assert!(output.status.code().is_some_and(|code| code <= 2) && !output.stdout.is_empty(), "{command:?}: {output:?}");
}

/// Starts a game with these notes; returns false if the engine does not support them.
fn send_turns(engine: &mut EngineProcess, notes: &Notes) -> bool {
    let Some(history) = notes.history() else { return false };
    engine.ask(&json!({ "do": "new", "rules": notes.rules(), "seed": 1 }));
    for turn in history.turns() {
        // The engine may reject contradictory turns.
        engine.ask(&json!({ "do": "turn", "guess": turn.guess, "feedback": turn.feedback.to_string() }));
    }
    true
}
