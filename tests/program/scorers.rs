//! `check-scorer` and `identify-rules`: scoring functions of other programs.

use crate::{Run, TestFolder, assert_contains, assert_errors, finish, parse};

/// A right scorer for up to nine colors, as a shell script that answers `[BLACK,WHITE]`.
pub(crate) const SCORER: &str = r#"#!/bin/sh
while IFS='[]' read -r _ guess _ secret _; do
  IFS=,
  black=0 common=0
  set -- $secret
  for peg in $guess; do [ "$peg" = "$1" ] && black=$((black + 1)); shift; done
  for color in 1 2 3 4 5 6 7 8 9; do
    asked=0 hidden=0
    for peg in $guess; do [ "$peg" = $color ] && asked=$((asked + 1)); done
    for peg in $secret; do [ "$peg" = $color ] && hidden=$((hidden + 1)); done
    common=$((common + (asked < hidden ? asked : hidden)))
  done
  unset IFS
  white=$((common - black))
  echo "[$black,$white]"
done
"#;

/// Checks the scorer after replacing a part of it.
fn check(folder: &TestFolder, from: &str, to: &str, more: &str) -> Run {
    assert!(SCORER.contains(from), "{from}");
    folder.write("scorer", SCORER.replace(from, to).as_bytes());
    let args = ["check-scorer", "sh scorer", "--reply-timeout", "600"];
    finish(folder.command(args.into_iter().chain(more.split_whitespace())))
}

#[cfg(unix)]
#[test]
fn a_right_scorer_passes() {
    let folder = TestFolder::new();
    let text = check(&folder, "sh", "sh", "--cases 150").done("check-scorer");
    assert_eq!(text, "4x6 · 150 cases · All answers are right.\n");
    let text = check(&folder, "sh", "sh", "4x8:no-repeats --cases 50").done("check-scorer");
    assert_contains(&text, &["All answers are right", "other rules reveal them", "white-per-guess-cell"]);
    let json = parse(&check(&folder, "sh", "sh", "--cases 20 --json").done("check-scorer"));
    assert_eq!((&json["right"], &json["cases"], &json["rules"]), (&true.into(), &20.into(), &"4x6".into()));
}

#[cfg(unix)]
#[test]
fn the_mistake_of_a_wrong_scorer_is_named() {
    let folder = TestFolder::new();
    for (from, to, name) in [
        ("white=$((common - black))", "white=$common", "blacks-again"),
        ("white=$((common - black))", "white=0", "no-whites"),
        ("(asked < hidden ? asked : hidden)", "(asked > 0 && hidden > 0)", "colors-counted-once"),
        ("(asked < hidden ? asked : hidden)", "asked * hidden", "white-per-pair"),
        ("\"[$black,$white]\"", "\"[$white,$black]\"", "swapped"),
    ] {
        let run = check(&folder, from, to, "");
        assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{name}");
        assert_contains(&run.stdout, &["An answer is wrong.", "right is", &format!("\n{name}\n")]);
    }
    // Answers in other forms.
    for form in [
        "'{\"black\":'$black',\"white\":'$common'}'",
        "'{\"feedback\":\"'$black,$common'\"}'",
        "\"[[$black,$common]]\"",
    ] {
        let run = check(&folder, "\"[$black,$white]\"", form, "--json");
        let json = parse(&run.stdout);
        assert_eq!((run.code, &json["explanations"][0]["name"]), (1, &"blacks-again".into()), "{form}: {}", run.stderr);
        assert!(json["cases"].as_u64() <= Some(110), "{json}");
    }
    let run = check(&folder, "white=$((common - black))", "white=7", "");
    assert_eq!(run.code, 1);
    assert_contains(&run.stdout, &["No known misunderstanding explains the answers."]);
}

#[cfg(unix)]
#[test]
fn a_scorer_that_does_not_answer_is_an_error() {
    let folder = TestFolder::new();
    for (answer, message) in [
        ("echo true", "wrote 'true'; write the numbers (black, white) of each line"),
        ("echo no", "which is not JSON"),
        ("exit 3", "ended without an answer"),
    ] {
        let error = check(&folder, "echo \"[$black,$white]\"", answer, "").refused(answer);
        assert_contains(&error, &["'sh scorer', asked to score ", " against ", message]);
    }
    assert_errors(&[
        ("check-scorer", "<COMMAND>"),
        ("check-scorer ./none", "'./none' cannot be started"),
        ("check-scorer sh 4x6:lies=1", "omit lies= from the rules"),
        ("check-scorer sh --cases 0", "write a whole number from 1 to 100000"),
    ]);
}

/// The first game has whites counted per cell of the guess; both games together leave no other rules.
#[test]
fn rules_are_identified_from_answers() {
    let folder = TestFolder::new();
    folder.write(
        "games.txt",
        b"# two games\n3632 1122=1,1 1344=0,1 3526=1,2 3362=2,2\n\n5421 1122=1,3 1255=0,4 4412=1,3\n",
    );
    insta::assert_snapshot!(folder.transcript(
        "
        identify-rules 1122=1,1 1344=0,1 3526=1,2 3362=2,2 --secret 3632
        identify-rules --games games.txt
        identify-rules --games games.txt --json
        identify-rules 1122=3,3 --secret 3632
        identify-rules 5x7 11234=4 --secret 11235
        identify-rules 1122=0,2
        identify-rules --secret 3632
        identify-rules 1122 --secret 3632
        identify-rules 1122=x --secret 3632
        identify-rules 1122=1,0 --games games.txt
        identify-rules --games none.txt
        identify-rules 4x6:lies=1 1122=1,0 --secret 3632"
    ));
}
