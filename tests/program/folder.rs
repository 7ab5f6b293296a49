//! A folder to run the program in, gone when the test is.

use std::{ffi::OsStr, fs, path::PathBuf, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use crate::{Run, command, finish, parse};

pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    /// A folder with Knuth's tree in it.
    pub(crate) fn with_knuth() -> Self {
        let folder = Self::new();
        folder.done("tree build 4x6 --strategy knuth -o knuth.tree");
        folder
    }

    /// The program with arguments, in this folder.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = command(args);
        command.current_dir(self.0.path()).env("XDG_CONFIG_HOME", self.0.path().join("config"));
        command
    }

    /// Runs the program with the words of a line as arguments.
    pub(crate) fn run(&self, line: &str) -> Run {
        finish(self.command(line.split_whitespace()))
    }

    /// What a run that must succeed prints.
    pub(crate) fn done(&self, line: &str) -> String {
        let run = self.run(line);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{line}");
        run.stdout
    }

    /// The answer of a run that must succeed with `--format json`.
    pub(crate) fn json(&self, line: &str) -> Value {
        parse(&self.done(&format!("{line} --format json")))
    }

    /// The answer of a run that must end with 1 with `--format json`.
    pub(crate) fn no(&self, line: &str) -> Value {
        let run = self.run(&format!("{line} --format json"));
        assert_eq!(run.code, 1, "{line}: {}", run.stderr);
        parse(&run.stdout)
    }

    /// What a run that must be refused says.
    pub(crate) fn refused(&self, line: &str) -> String {
        let run = self.run(line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}");
        assert!(run.stderr.starts_with("error: "), "{line}: {}", run.stderr);
        run.stderr
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("the file is written");
    }

    /// The names of the files there are, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        names
    }
}
