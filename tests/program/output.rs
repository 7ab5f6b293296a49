//! Where the answer goes: terminals, pipes, and readers that have seen enough.

use std::process::Stdio;

use crate::{command, fields, finish, json, pegwise};

const ANSWERS: [&str; 8] = [
    "",
    "solve --seed 1",
    "hint 1122=1,1",
    "strategies",
    "strategies knuth",
    "completions bash",
    "solve --seed 1 --format json",
    "--help",
];

#[test]
fn without_arguments_a_code_is_broken() {
    let run = pegwise("");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.starts_with("Pegwise "), "{}", run.stdout);
    for words in ["Solved in ", "still possible", "pegwise hint ", "strategies  "] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    let welcome = json("");
    assert_eq!(fields(&welcome), ["about", "commands", "example", "name", "version"]);
    assert_eq!(welcome["example"]["solved"], true);
}

#[test]
fn a_pipe_gets_plain_text() {
    for line in ANSWERS {
        assert!(!pegwise(line).stdout.contains('\x1b'), "{line}");
    }
    assert!(!pegwise("solve --secret 1").stderr.contains('\x1b'));
}

#[test]
fn color_can_be_forced_and_refused() {
    let solve = |variables: &[&str]| {
        let mut command = command(["solve", "--seed", "1"]);
        for variable in variables {
            command.env(variable, "1");
        }
        finish(command).stdout
    };
    assert!(solve(&["CLICOLOR_FORCE"]).contains("\x1b["));
    assert!(!solve(&["CLICOLOR_FORCE", "NO_COLOR"]).contains('\x1b'));
}

#[test]
fn an_argument_decides_about_color() {
    let solve = |color: &str, variable: &str| {
        let words = ["solve", "3x3", "--strategy", "knuth", "--seed", "1", "--color", color];
        let mut command = command(words);
        command.env(variable, "1");
        finish(command).stdout
    };
    assert!(solve("always", "NO_COLOR").contains("\x1b["));
    assert!(!solve("never", "CLICOLOR_FORCE").contains('\x1b'));
    assert!(solve("auto", "CLICOLOR_FORCE").contains("\x1b["));
    // Trouble with arguments keeps to it, too.
    assert!(pegwise("solve 4x0 --color always").stderr.contains("\x1b["));
    assert!(!pegwise("solve 4x0 --color never").stderr.contains('\x1b'));
    assert_eq!(pegwise("solve 4x6 --color sometimes").code, 2);
}

#[test]
fn json_is_never_colored() {
    let mut command = command(["solve", "--seed", "1", "--format", "json"]);
    command.env("CLICOLOR_FORCE", "1");
    assert!(!finish(command).stdout.contains('\x1b'));
}

#[test]
fn a_closed_pipe_is_no_trouble() {
    for line in ANSWERS {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = command(line.split_whitespace());
        let child = command.stdout(writer).stderr(Stdio::piped()).spawn().expect("the program starts");
        let output = child.wait_with_output().expect("the program ends");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    for line in ["solve --seed 1", "strategies", "solve --seed 1 --format json", "completions fish"] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
        let mut command = command(line.split_whitespace());
        let child = command.stdout(full).stderr(Stdio::piped()).spawn().expect("the program starts");
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(2), "{line}");
        let trouble: &[u8] = if line.ends_with("json") { b"{\"error\":" } else { b"error: " };
        assert!(output.stderr.starts_with(trouble), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_program_by_its_signal() {
    use std::{
        io::Read as _,
        os::unix::process::ExitStatusExt as _,
        process::Command,
        thread,
        time::{Duration, Instant},
    };
    const SIGINT: i32 = 2;
    // Too many cells for the game to end before it is interrupted. A shell that starts tests in the background lets them
    // ignore interrupts, and the program would inherit that.
    let program = command([""; 0]).get_program().to_owned();
    let mut command = Command::new("env");
    command.arg("--default-signal=INT").arg(program);
    command.args(["solve", "100x100", "--strategy", "random-consistent", "--seed", "1"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut started = [0];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut started).expect("the program writes");
    let kill = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    let patience = Instant::now() + Duration::from_secs(600);
    let status = loop {
        match child.try_wait().expect("the program is there") {
            Some(status) => break status,
            None if Instant::now() < patience => thread::sleep(Duration::from_millis(5)),
            None => {
                child.kill().expect("the program can be ended");
                panic!("the interrupt did not end the program");
            }
        }
    };
    assert_eq!(status.signal(), Some(SIGINT), "which shells report as 130");
}
