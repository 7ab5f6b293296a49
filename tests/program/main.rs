//! The whole program: its output, its errors and its exit codes.

mod advice;
mod documents;
#[path = "../../crates/cli/examples/drive_the_engine.rs"]
mod drive_the_engine;
mod games;
mod interfaces;
mod lab;
mod play;
#[path = "../processes.rs"]
mod processes;
mod pty;
mod scorers;
mod servers;
mod tree;
mod usage;

use std::{
    ffi::OsStr,
    fs,
    path::PathBuf,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

/// Result of a run of the program.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

/// Returns the program with arguments, independent of the surrounding terminal. Its clock counts work, so that time
/// limits do not depend on the machine.
fn command<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pegwise"));
    command.args(args);
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(variable);
    }
    // No settings.
    command.env("XDG_CONFIG_HOME", "/dev/null");
    command.env("PEGWISE_TEST_CLOCK", "1");
    command
}

/// Splits a line into words; single quotes enclose a word with spaces or an empty word.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        if number % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn finish(mut command: Command) -> Run {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let code = status.code().unwrap_or_else(|| panic!("{command:?} ended by a signal: {status}"));
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    let run = Run { code, stdout: text(stdout), stderr: text(stderr) };
    assert!(!run.stderr.contains("panicked"), "{command:?}: {}", run.stderr);
    run
}

impl Run {
    /// Returns the output of a run that must succeed.
    fn done(self, what: &str) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{what}");
        self.stdout
    }

    /// Returns the error of a run that must exit with 2.
    fn refused(self, what: &str) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""), "{what}");
        assert!(self.stderr.starts_with("error: "), "{what}: {}", self.stderr);
        self.stderr
    }
}

fn pegwise(line: &str) -> Run {
    finish(command(words(line)))
}

/// Returns the output of a run that must succeed.
fn done(line: &str) -> String {
    pegwise(line).done(line)
}

fn json(line: &str) -> Value {
    parse(&done(&format!("{line} --json")))
}

/// Returns the error of a run that must exit with 2.
fn refused(line: &str) -> String {
    pegwise(line).refused(line)
}

/// Checks that `text` contains all of `words`.
fn assert_contains(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "{word} is not in {text}");
    }
}

fn parse(stdout: &str) -> Value {
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    serde_json::from_str(stdout).expect("the answer is JSON")
}

/// Returns JSON without what depends on the machine and the threads: times, effort, and digits after the sixth decimal.
fn normalized(json: Value) -> Value {
    match json {
        Value::Object(fields) => {
            let field = |(name, value): (String, Value)| {
                let varies = match name.as_str() {
                    "seconds" => value.as_f64() >= Some(0.0),
                    "nodes" | "pairs" | "scored" => value.as_u64() > Some(0),
                    _ => false,
                };
                (name, if varies { "_".into() } else { normalized(value) })
            };
            Value::Object(fields.into_iter().map(field).collect())
        }
        Value::Array(items) => items.into_iter().map(normalized).collect(),
        Value::Number(number) if number.is_f64() => number.as_f64().map(|number| (number * 1e6).round() / 1e6).into(),
        other => other,
    }
}

/// Returns the sorted field names of a JSON object.
fn fields(value: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// Temporary folder to run the program in.
struct TestFolder(TempDir);

impl TestFolder {
    fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    /// Creates a folder with Knuth's tree.
    fn with_knuth() -> Self {
        let folder = Self::new();
        folder.done("tree build 4x6 --strategy knuth -o knuth.tree");
        folder
    }

    /// Returns the program with arguments, in this folder.
    fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = command(args);
        command.current_dir(self.0.path()).env("XDG_CONFIG_HOME", self.0.path().join("config"));
        command
    }

    fn run(&self, line: &str) -> Run {
        finish(self.command(words(line)))
    }

    /// Returns the output of a run that must succeed.
    fn done(&self, line: &str) -> String {
        self.run(line).done(line)
    }

    fn json(&self, line: &str) -> Value {
        parse(&self.done(&format!("{line} --format json")))
    }

    /// Returns the JSON output of a run that must exit with 1.
    fn no(&self, line: &str) -> Value {
        let run = self.run(&format!("{line} --format json"));
        assert_eq!(run.code, 1, "{line}: {}", run.stderr);
        parse(&run.stdout)
    }

    /// Returns the error of a run that must exit with 2.
    fn refused(&self, line: &str) -> String {
        self.run(line).refused(line)
    }

    /// Runs each line and returns a transcript: `!` begins a line of standard error, and times and effort are left out.
    fn transcript(&self, lines: &str) -> String {
        let mut transcript = String::new();
        for line in lines.trim().lines().map(str::trim) {
            let run = self.run(line);
            transcript += &format!("$ pegwise {line}\n");
            match serde_json::from_str(&run.stdout) {
                Ok(json) => transcript += &format!("{}\n", normalized(json)),
                Err(_) => {
                    let varies =
                        |line: &str| [" ms", " s", " pairs of guess and code"].iter().any(|end| line.ends_with(end));
                    transcript.extend(run.stdout.lines().filter(|line| !varies(line)).flat_map(|line| [line, "\n"]));
                }
            }
            transcript.extend(run.stderr.lines().flat_map(|line| ["! ", line, "\n"]));
            transcript += &if run.code == 0 { "\n".to_owned() } else { format!("[exit code {}]\n\n", run.code) };
        }
        transcript.replace(&self.0.path().display().to_string(), "FOLDER")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("the file is written");
    }

    /// Returns the sorted names of the files.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }
}

/// Checks that each command exits with 2, prints nothing, and writes an error that contains the given words.
fn assert_errors(cases: &[(&str, &str)]) {
    TestFolder::new().assert_errors("{}", cases);
}

impl TestFolder {
    /// Checks the error of `command` with each case in place of `{}`.
    fn assert_errors(&self, command: &str, cases: &[(&str, &str)]) {
        for (case, words) in cases {
            let error = self.refused(&command.replace("{}", case));
            assert!(error.contains(words), "{case}: {error}");
        }
    }
}
