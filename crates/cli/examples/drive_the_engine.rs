//! Asks for a guess over the engine protocol: `cargo run --example drive_the_engine`, with `pegwise` on the path.

#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
};

pub(crate) fn main() {
    let program = option_env!("CARGO_BIN_EXE_pegwise").unwrap_or("pegwise");
    let mut engine = Command::new(program)
        .arg("engine")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("pegwise is installed");
    let mut requests = engine.stdin.take().expect("a pipe");
    for request in [
        r#"{"do":"new","rules":"4x6","strategy":"knuth"}"#,
        r#"{"do":"turn","guess":"1122","feedback":"1,0"}"#,
        r#"{"do":"guess"}"#,
    ] {
        writeln!(requests, "{request}").expect("the engine reads");
    }
    let answers = BufReader::new(engine.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    let guess = answers.into_iter().find(|answer| answer.contains(r#""reply":"guess""#)).expect("an answer");
    println!("{guess}");
    assert!(guess.contains(r#""guess":[1,3,4,4]"#), "{guess}");
    drop(requests);
    assert!(engine.wait().expect("the engine ends with its input").success());
}
