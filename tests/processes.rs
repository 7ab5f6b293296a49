//! An engine and a server of the program, for tests and benchmarks.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdout, Command, Stdio},
};

use serde_json::Value;

/// Running engine.
pub(crate) struct EngineProcess {
    pub(crate) child: Child,
    answers: BufReader<ChildStdout>,
}

impl EngineProcess {
    /// Starts the engine of a program with arguments for all of its commands.
    pub(crate) fn start(mut program: Command, args: &[&str]) -> Self {
        program.arg("engine").args(args);
        let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
        let answers = BufReader::new(child.stdout.take().expect("its output"));
        Self { child, answers }
    }

    pub(crate) fn send(&mut self, line: &[u8]) {
        let stdin = self.child.stdin.as_mut().expect("its input");
        stdin.write_all(line).and_then(|()| stdin.write_all(b"\n")).and_then(|()| stdin.flush()).expect("it listens");
    }

    pub(crate) fn next(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("it answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    /// Returns the next answer that is not progress.
    pub(crate) fn answer(&mut self) -> Value {
        loop {
            let answer = self.next();
            if answer["reply"] != "progress" {
                return answer;
            }
        }
    }

    pub(crate) fn ask(&mut self, request: &Value) -> Value {
        self.send(request.to_string().as_bytes());
        self.answer()
    }

    /// Closes the input and waits for the end.
    pub(crate) fn finish(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

/// Server that is killed when it is dropped.
pub(crate) struct Served(pub(crate) Child);

impl Served {
    /// Starts the server of a program on a free port, and returns it with its port.
    pub(crate) fn start(mut program: Command, args: &[&str]) -> (Self, u16) {
        program.args(["serve", "--port", "0"]).args(args);
        let mut served = Self(program.stdout(Stdio::piped()).spawn().expect("the program starts"));
        let mut line = String::new();
        BufReader::new(served.0.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let port = line.trim().strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix('/'));
        (served, port.and_then(|port| port.parse().ok()).expect("an address"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may already have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
