//! Time limits of the commands and the engine, at difficult positions. The clock of the program counts work, so that the
//! tests do not depend on the machine. The limits of the server are tested in `crates/web/tests/limits.rs`, and
//! `benches/limits.rs` measures all of them with the system clock.

#[path = "../crates/coach/tests/shared/hard_positions.rs"]
mod hard_positions;
#[expect(dead_code, reason = "the tests of the program use the rest")]
mod processes;

use std::process::Command;

use hard_positions::hard_positions;
use pegwise_coach::Notes;
use processes::EngineProcess;
use serde_json::{Value, json};

/// Seconds.
const LIMIT: f64 = 0.2;

/// Returns the program on one thread, with a clock that counts work.
fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pegwise"));
    command.args(args).env("PEGWISE_TEST_CLOCK", "1").env("RAYON_NUM_THREADS", "1");
    command
}

fn written(notes: &Notes) -> Vec<String> {
    notes.notes().iter().map(|note| note.notation(notes.rules()).to_string()).collect()
}

/// Asserts that `seconds` of each answer, by position, is within `guesses` times the limit and its grace.
#[track_caller]
fn assert_in_time(answers: impl IntoIterator<Item = (Notes, u32, Value)>) {
    let late = answers.into_iter().filter_map(|(notes, guesses, answer)| {
        let seconds = answer["seconds"].as_f64().unwrap_or_else(|| panic!("{answer}"));
        let text = format!("{seconds} s: {} {}", notes.rules(), written(&notes).join(" "));
        (seconds > LIMIT * 1.1 * f64::from(guesses) + 0.05).then(|| text.chars().take(160).collect())
    });
    let late: Vec<String> = late.collect();
    assert!(late.is_empty(), "late, beyond the limit and its grace:\n{}", late.join("\n"));
}

/// Returns the output of a command at a position.
fn command(name: &str, notes: &Notes) -> Value {
    let (rules, limit) = (notes.rules().to_string(), LIMIT.to_string());
    let mut command = program(&[name, &rules, "--time-per-guess", &limit, "--json"]);
    let output = command.args(written(notes)).output().expect("the program runs");
    // Contradictions have an exit code of their own; a panic has another.
    let code = output.status.code();
    assert!(code.is_some_and(|code| code <= 2), "{command:?}: {code:?}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{command:?}: {error}: {output:?}"))
}

#[test]
fn hints_keep_to_the_limit() {
    assert_in_time(hard_positions().into_iter().map(|notes| {
        let answer = command("hint", &notes);
        (notes, 1, answer)
    }));
}

#[test]
fn analyses_keep_to_the_limit() {
    // Games with lies are not analyzed.
    assert_in_time(hard_positions().into_iter().filter(|notes| notes.rules().lies() == 0).map(|notes| {
        let answer = command("analyze", &notes);
        // One per guess, and one each for the remaining codes, the other strategies and the repairs.
        let guesses = notes.notes().len() as u32 + 3;
        (notes, guesses, answer)
    }));
}

/// The engine knows no forgotten pegs, and refuses turns that nothing fits where that is plain.
#[test]
fn the_engine_keeps_to_the_limit() {
    let mut engine = EngineProcess::start(program(&[]), &[]);
    assert_in_time(hard_positions().into_iter().filter_map(|notes| {
        let history = notes.history()?;
        assert_eq!(engine.ask(&json!({ "do": "new", "rules": notes.rules(), "seed": 1 }))["reply"], "new");
        for turn in history.turns() {
            engine.ask(&json!({ "do": "turn", "guess": turn.guess, "feedback": turn.feedback.to_string() }));
        }
        let answer = engine.ask(&json!({ "do": "guess", "time_limit": LIMIT, "alternatives": 5 }));
        assert!(["guess", "error"].contains(&answer["reply"].as_str().expect("a word")), "{answer}");
        Some((notes, 1, answer))
    }));
    engine.finish();
}
