//! `play` in a pseudo-terminal.

use std::{env, thread};

use crate::{assert_contains, assert_errors, pegwise, pty::Pty, refused};

#[path = "../../crates/cli/src/play/terminal.rs"]
mod terminal;

use terminal::TerminalGuard;

const ENTER: &str = "\r";

fn play(args: &[&str], size: (u16, u16)) -> Pty {
    play_with(args, &[], size)
}

fn play_with(args: &[&str], variables: &[(&str, &str)], size: (u16, u16)) -> Pty {
    let args: Vec<&str> = std::iter::once("play").chain(args.iter().copied()).collect();
    Pty::start(env!("CARGO_BIN_EXE_pegwise"), &args, variables, size)
}

#[test]
fn a_game_is_won_with_keys_and_mouse() {
    let mut pty = play(&["4x6", "--secret", "3632", "--seed", "7"], (80, 24));
    pty.see("Your guess");
    assert!(pty.is_raw());
    pty.press("1122\r");
    pty.see("256");
    // The palette is at the bottom, so its pegs are the last ones on the screen.
    for peg in ["▐3▌", "▐6▌", "▐3▌", "▐2▌"] {
        pty.click(peg);
    }
    pty.click("Enter");
    pty.see("You broke the code in 2 guesses");
    pty.see("Skill");
    pty.press("a");
    pty.see("Analysis");
    pty.press(" ");
    pty.press("q");
    assert_eq!(pty.end_clean(), 0);
    pty.see("Show again: pegwise play --load 'pegwise/1 break 4x6 1122=1,0 3632=4,0 seed:7 by:adaptive secret:3632'");
}

#[test]
fn a_hint_is_given_and_taken() {
    let mut pty = play(&["4x6", "--secret", "3632"], (100, 30));
    pty.see("Your guess");
    pty.press("h");
    pty.see("use it");
    pty.press("h");
    pty.press(ENTER);
    pty.wait("a turn", |screen| screen.lines().any(|line| line.trim_start().starts_with("1  ▐")));
    pty.press("u");
    pty.press("\x03");
    assert_eq!(pty.end_clean(), 130);
}

#[test]
fn the_computer_breaks_a_code_and_catches_a_mistake() {
    let mut pty = play(&["4x6", "--mode", "make", "--strategy", "knuth"], (90, 30));
    pty.see("Think of a code");
    pty.press(ENTER);
    pty.see("Your feedback");
    pty.press("00\r");
    pty.see("256");
    pty.see("Your feedback");
    // Answers of 0,0 soon contradict each other.
    for turn in 2..10 {
        pty.press("00\r");
        pty.wait("the next turn", |screen| {
            let turns = screen.lines().filter(|line| line.contains("0,0")).count();
            screen.contains("No code fits") || turns >= turn && screen.contains("Your feedback")
        });
        if pty.text().contains("No code fits") {
            break;
        }
    }
    pty.see(" be true");
    pty.wait("repairs", |screen| screen.contains("1 ") && !screen.contains("Looking for"));
    pty.press("1");
    pty.see("corrected");
    pty.press("q");
    assert_eq!(pty.end_clean(), 0);
}

#[test]
fn a_game_is_watched_in_a_window_that_changes_its_size() {
    let mut pty = play(&["--mode", "watch", "--secret", "3632", "-s", "knuth"], (80, 24));
    pty.see("Enter plays the guess");
    pty.press(ENTER);
    pty.resize(20, 5);
    pty.see("enlarge");
    pty.resize(50, 14);
    pty.see("Enter plays the guess");
    pty.resize(120, 40);
    pty.see("Why this guess");
    pty.press("++ ");
    pty.see("Broken in 5 guesses");
    pty.press("q");
    assert_eq!(pty.end_clean(), 0);
}

#[test]
fn signals_leave_a_clean_terminal() {
    for (signal, args) in [("TERM", &["4x6"][..]), ("INT", &[]), ("HUP", &["5x8", "--mode", "make"])] {
        let mut pty = play(args, (80, 24));
        pty.see("quit");
        pty.signal(signal);
        assert_eq!(pty.end_clean(), 130, "{signal}");
    }
}

#[test]
fn the_game_reacts_during_a_search() {
    let mut pty = play(&["60x60", "--mode", "watch"], (80, 24));
    pty.see("watching adaptive");
    pty.press("?");
    pty.see("Typing");
    pty.press("q");
    assert_eq!(pty.end_clean(), 0);
}

#[test]
fn plain_terminals_can_play() {
    for variables in [&[("TERM", "vt100")][..], &[("NO_COLOR", "1")], &[("TERM", "dumb")], &[("LC_ALL", "C")]] {
        let mut pty = play_with(&["4x6", "--secret", "3632"], variables, (80, 24));
        pty.see("Your guess");
        pty.press("1122\r");
        pty.see("1,0");
        let plain = variables[0].0 == "LC_ALL" || variables[0].0 == "TERM";
        assert_eq!(pty.text().is_ascii(), plain, "{variables:?}\n{}", pty.text());
        pty.press("q");
        assert_eq!(pty.end_clean(), 0);
    }
}

#[test]
fn games_are_saved_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.toml");
    let file = path.to_str().unwrap();
    let mut pty = play(&["4x6", "--secret", "3632"], (120, 30));
    pty.see("Your guess");
    pty.press("1122\r");
    pty.press("s");
    pty.see("Save as");
    pty.press("\x15");
    pty.press(file);
    pty.press(ENTER);
    pty.see("Saved.");
    pty.press("q");
    assert_eq!(pty.end_clean(), 0);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("1122=1,0") && !text.contains("3632"), "{text}");

    let mut pty = play(&["--load", file], (80, 24));
    pty.see("Your guess");
    pty.press("3632\r");
    pty.see("You broke the code in 2 guesses");
    pty.press("q");
    assert_eq!(pty.end_clean(), 0);

    std::fs::write(&path, &text[..text.len() / 2]).unwrap();
    assert_contains(&refused(&format!("play --load {file}")), &["is not a record of a game"]);
}

#[test]
fn examples_in_the_help_of_play_run() {
    let help = pegwise("play -h").stdout;
    let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
    let examples = examples.lines().filter_map(|line| line.strip_prefix("  pegwise play"));
    // Saved games have their own tests.
    let examples = examples.filter(|line| !line.contains("--load"));
    let folder = tempfile::tempdir().unwrap();
    let words = folder.path().join("words.txt");
    std::fs::write(&words, "crane\nslate\n").unwrap();
    let words = words.to_str().unwrap();
    let mut tried = 0;
    for example in examples {
        let (line, _) = example.split_once("   ").unwrap_or((example, ""));
        let args = line.split_whitespace().map(|word| if word.ends_with(".txt") { words } else { word });
        let mut pty = play(&args.collect::<Vec<_>>(), (80, 24));
        pty.see("help");
        // Letters are pegs of a word game.
        pty.press("\x03");
        assert_eq!(pty.end_clean(), 130, "{line}");
        tried += 1;
    }
    assert!(tried > 3, "{help}");
}

#[test]
fn without_a_terminal_it_is_refused() {
    assert_contains(&refused("play 4x6"), &["must be run in a terminal", "pegwise solve"]);
}

#[test]
fn bad_input_is_named_before_the_game() {
    assert_errors(&[
        ("play 4x", "is not a size"),
        ("play --secret 99", "--secret"),
        ("play --load hello", "no such file"),
        ("play --load 'pegwise/1 break 4x6 1122=9,9'", "turn 1 of the record"),
        ("play --load 'pegwise/1 break 4x6 1122=0,0'", "the record has turns but no secret"),
        ("play --load /no/such/file", "no such file"),
        ("play --strategy nobody", "is not a strategy"),
        ("play 20x20 --strategy knuth", "cannot play"),
        ("play 4x6 --load x", "cannot be used with"),
    ]);
}

/// Environment variable of the child process.
const CHILD: &str = "PEGWISE_TEST_CHILD";

/// Enters raw mode in the child; `None` in the parent.
fn guard() -> Option<TerminalGuard> {
    env::var_os(CHILD)?;
    let mut guard = TerminalGuard::begin().expect("a terminal");
    guard.terminal().draw(|frame| frame.render_widget("the game", frame.area())).expect("a picture");
    guard.copy("a line").expect("the clipboard");
    Some(guard)
}

fn child(test: &str) -> Pty {
    let program = env::current_exe().expect("this program");
    let args = ["--exact", &format!("play::{test}"), "--nocapture", "--test-threads=1"];
    Pty::start(program.to_str().expect("a readable path"), &args, &[(CHILD, "1")], (80, 24))
}

#[test]
fn a_panic_restores_the_terminal() {
    if let Some(_guard) = guard() {
        panic!("in the middle of the game");
    }
    let mut pty = child("a_panic_restores_the_terminal");
    assert_ne!(pty.end_clean(), 0);
    pty.see("in the middle of the game");
}

#[test]
fn a_panic_of_another_thread_restores_the_terminal() {
    if let Some(_guard) = guard() {
        let thinking = thread::spawn(|| panic!("while thinking"));
        assert!(thinking.join().is_err());
        return;
    }
    let mut pty = child("a_panic_of_another_thread_restores_the_terminal");
    assert_eq!(pty.end_clean(), 0);
    pty.see("while thinking");
}
