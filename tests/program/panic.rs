//! A panic in the middle of the terminal game: these tests are their own children, in a terminal of their own.

use std::{env, thread};

use crate::pty::Pty;

#[path = "../../crates/cli/src/play/terminal.rs"]
mod terminal;

use terminal::Takeover;

/// Set for the child.
const CHILD: &str = "PEGWISE_TEST_CHILD";

/// The terminal as the game has it, in the child; `None` in the parent.
fn takeover() -> Option<Takeover> {
    env::var_os(CHILD)?;
    let mut takeover = Takeover::begin().expect("a terminal");
    takeover.terminal().draw(|frame| frame.render_widget("the game", frame.area())).expect("a picture");
    takeover.copy("a line").expect("the clipboard");
    Some(takeover)
}

fn child(test: &str) -> Pty {
    let program = env::current_exe().expect("this program");
    let args = ["--exact", &format!("panic::{test}"), "--nocapture", "--test-threads=1"];
    Pty::start(program.to_str().expect("a readable path"), &args, &[(CHILD, "1")], (80, 24))
}

#[test]
fn the_terminal_is_given_back_before_a_panic_is_reported() {
    if let Some(_takeover) = takeover() {
        panic!("in the middle of the game");
    }
    let mut pty = child("the_terminal_is_given_back_before_a_panic_is_reported");
    assert_ne!(pty.end_clean(), 0);
    pty.see("in the middle of the game");
}

#[test]
fn a_panic_of_another_thread_gives_it_back_too() {
    if let Some(_takeover) = takeover() {
        let thinking = thread::spawn(|| panic!("while thinking"));
        assert!(thinking.join().is_err());
        return;
    }
    let mut pty = child("a_panic_of_another_thread_gives_it_back_too");
    assert_eq!(pty.end_clean(), 0);
    pty.see("while thinking");
}
