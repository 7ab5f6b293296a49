//! Wrong use and bad input: a clear error, exit code 2, no panic.

use crate::{command, finish, json, pegwise};

/// Checks that these arguments are refused, with these words among others.
fn refused(args: &[&str], words: &str) {
    let run = finish(command(args));
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
    assert!(run.stderr.starts_with("error: "), "{args:?}: {}", run.stderr);
    assert!(run.stderr.contains(words), "{args:?}: {}", run.stderr);
}

#[test]
fn rules_that_cannot_be() {
    for (rules, words) in [
        ("0x6", "a board needs at least one cell"),
        ("0x0", "a board needs at least one cell"),
        ("4x0", "a game has 1 to 4096 colors, not 0"),
        ("4x6x", "write PEGSxCOLORS, as in 4x6"),
        ("", "write PEGSxCOLORS, as in 4x6"),
        ("4x6:unknown", "'unknown' is not an option"),
        ("4x6:max-guesses=0", "'max-guesses=0' is not an option"),
        ("4x3:no-repeats", "cannot be filled without repeats"),
        ("65535x65535", "at most 4096 cells"),
        ("99999999999999999999x6", "at most 4096 cells"),
        ("hexagon:4x6", "'hexagon' is not a shape"),
    ] {
        refused(&["solve", rules], words);
        refused(&["hint", rules, "1122=1,1"], words);
    }
}

#[test]
fn codes_that_do_not_fit() {
    for (code, words) in [
        ("112", "it has 3 cells, and the board has 4"),
        ("11223", "it has 5 cells, and the board has 4"),
        ("1127", "'7' is not a color"),
        ("0122", "'0' is not a color"),
        ("1,1,2,70000", "'70000' is not a color"),
        ("", "it has 0 cells"),
    ] {
        refused(&["solve", "--secret", code], words);
        refused(&["hint", "4x6", &format!("{code}=1,1")], words);
    }
    refused(&["solve", "4x6:no-repeats", "--secret", "1123"], "a color appears twice");
    refused(&["solve", "4x12", "--secret", "1123"], "write letters");
}

#[test]
fn turns_that_cannot_be() {
    for (turn, words) in [
        ("1122=4,1", "5 pegs on a line of 4"),
        ("1122=3,1", "one peg in the wrong place with all others right cannot be"),
        ("1122=99999999999999999999,0", "pegs on a line of 4"),
        ("1122=1", "2 numbers in all"),
        ("1122=", "is not a number"),
        ("1122=a,b", "'a' is not a number"),
        ("1122=1,1/1,1", "has 2 marks"),
        ("1122", "as in 1122=2,1"),
    ] {
        refused(&["hint", "4x6", turn], words);
        refused(&["hint", turn], words);
        refused(&["hint", "4x6", "1122=1,1", turn], "turn 2: ");
    }
}

#[test]
fn strategies_that_are_none() {
    refused(&["solve", "--strategy", "knut"], "did you mean knuth?");
    refused(&["hint", "--strategy", "entropy(ties=never)"], "use consistent-lowest, lowest, random");
    refused(&["solve", "--strategy", "entropy(first=11)"], "it has 2 cells");
    refused(&["solve", "--strategy", "entropy(ties"], "name(parameter=value");
    refused(&["solve", "--strategy", ""], "is not a strategy");
    refused(&["strategies", "nobody"], "'nobody' is not a strategy");
}

#[test]
fn games_too_large_for_a_strategy() {
    for row in json("strategies").as_array().expect("a list") {
        let name = row["name"].as_str().expect("a name");
        // Few can play such a board, and they answer in time.
        let run = finish(command(["hint", "1000x1000", "--time-per-guess", "0.2", "--strategy", name]));
        if run.code != 0 {
            refused(&["hint", "1000x1000", "--strategy", name], &format!("{name} cannot play 1000x1000: it plays "));
            refused(&["solve", "1000x1000", "--strategy", name], &format!("{name} cannot play 1000x1000: it plays "));
        }
    }
    refused(&["solve", "100x100", "--strategy", "entropy"], "one of these strategies: adaptive, ");
}

#[test]
fn limits_and_numbers_that_are_none() {
    for limit in ["1e400", "1e30", "-1", "-1s", "nan", "inf", "0", "0ms", "", "soon", "1h"] {
        refused(&["solve", "--time-per-guess", limit], "'--time-per-guess <TIME>'");
        refused(&["hint", "--time-per-guess", limit], "'--time-per-guess <TIME>'");
    }
    for seed in ["-1", "1.5", "18446744073709551616", "x"] {
        refused(&["solve", "--seed", seed], "write a whole number from 0 to 18446744073709551615");
    }
    refused(&["hint", "--alternatives", "1001"], "0..=1000");
    refused(&["hint", "--alternatives", "-1"], "0..=1000");
}

#[test]
fn wrong_use() {
    refused(&["bogus"], "unrecognized subcommand 'bogus'");
    refused(&["solve", "4x6", "5x8"], "unexpected argument '5x8'");
    refused(&["solve", "--format", "yaml"], "[possible values: text, json]");
    refused(&["completions"], "<SHELL>");
    refused(&["completions", "csh"], "possible values: bash");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_text() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let bytes = OsStr::from_bytes(b"4x6\xff");
    for args in [&["solve"][..], &["hint"], &["hint", "4x6"], &["strategies"], &["solve", "--secret"], &[]] {
        let run = finish(command(args.iter().map(OsStr::new).chain([bytes])));
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
    }
}

#[test]
fn errors_stay_readable_whatever_was_typed() {
    let long = "9".repeat(100_000);
    let run = pegwise(&format!("hint 4x6 {long}=1,1"));
    assert_eq!(run.code, 2);
    assert!(run.stderr.len() < 300, "{}", run.stderr);
}

#[test]
fn trouble_is_json_where_the_answer_would_be() {
    for (line, words) in [
        ("hint 4x6 1122=9,9 --format json", "pegs"),
        ("solve 4x0 --format=json", "4x0"),
        ("--format json no-such-command", "no-such-command"),
        ("strategies knut --format json", "knuth"),
    ] {
        let run = pegwise(line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}");
        let trouble = crate::parse(&run.stderr);
        assert_eq!(trouble["exit"], 2, "{line}");
        let text = trouble["error"].as_str().expect("a text");
        assert!(text.contains(words) && !text.starts_with("error"), "{line}: {text}");
    }
    // Behind `--` it is an argument like any other.
    assert!(pegwise("hint 4x6 -- --format json").stderr.starts_with("error: "));
}
