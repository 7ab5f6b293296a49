//! The program `pegwise-elaborate`.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pegwise-elaborate")).args(arguments).output().unwrap()
}

#[test]
fn help_is_printed() {
    let output = run(&["--help"]);
    assert!(output.status.success());
    assert!(output.stdout.starts_with(b"usage: pegwise-elaborate TREE CERTIFICATE\n"));
}

#[test]
fn errors_exit_with_2() {
    for (arguments, message) in [
        (&[][..], "error: two files are needed\nusage: "),
        (&["no.tree", "no.certificate"], "error: no.certificate: "),
        (&["Cargo.toml", "Cargo.toml"], "error: the file is not a certificate\n"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with(message), "{error}");
    }
}
