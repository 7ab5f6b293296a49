//! The whole program, as a shell sees it: what it prints, what it refuses, and how it exits.

mod analyze;
mod bad_input;
mod codemaker;
mod colors;
mod documents;
#[path = "../../crates/cli/examples/drive_the_engine.rs"]
mod drive_the_engine;
mod engine;
mod folder;
mod help;
mod hint;
mod lab;
mod lab_origin;
mod lab_papers;
mod lab_plot;
mod lab_survives;
mod lab_trouble;
mod narrow;
mod output;
mod outsider;
mod panic;
mod play;
mod pty;
mod secrets;
mod serve;
mod solve;
mod static_game;
mod strategies;
mod tree;
mod tree_build;
mod tree_parts;
mod variants;

use std::{
    ffi::OsStr,
    process::{Command, Output},
};

use serde_json::Value;

/// What a run of the program came to.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

/// The program with arguments, independent of the color and width of the surrounding terminal. Its time is counted work,
/// so that no limit depends on how fast or how busy the machine is.
fn command<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pegwise"));
    command.args(args);
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(variable);
    }
    // Nobody's settings.
    command.env("XDG_CONFIG_HOME", "/dev/null");
    command.env("PEGWISE_TEST_CLOCK", "1");
    command
}

fn finish(mut command: Command) -> Run {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let code = status.code().unwrap_or_else(|| panic!("{command:?} ended by a signal: {status}"));
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    let run = Run { code, stdout: text(stdout), stderr: text(stderr) };
    assert!(!run.stderr.contains("panicked"), "{command:?}: {}", run.stderr);
    run
}

/// Runs the program with the words of a line as arguments.
fn pegwise(line: &str) -> Run {
    finish(command(line.split_whitespace()))
}

/// The answer of a run that must succeed with `--format json`: one line, one value.
fn json(line: &str) -> Value {
    let run = finish(command(line.split_whitespace().chain(["--format", "json"])));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{line}");
    parse(&run.stdout)
}

fn parse(stdout: &str) -> Value {
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    serde_json::from_str(stdout).expect("the answer is JSON")
}

/// The names of a JSON object's fields, sorted.
fn fields(value: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}
