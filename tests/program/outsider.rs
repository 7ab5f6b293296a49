//! Programs of somebody else's as strategies: `--strategy-command` of `solve` and `lab run`.

use serde_json::json as value;

use crate::{Run, command, finish, folder::Folder, parse, pegwise};

/// This program as somebody else's: it speaks the engine protocol.
fn engine() -> String {
    format!("{} engine", env!("CARGO_BIN_EXE_pegwise"))
}

fn solve(program: &str, more: &[&str]) -> Run {
    let args = ["solve", "4x6", "--secret", "3632", "--strategy-command", program, "--guess-timeout"];
    // Only a program that never answers is given little time.
    let timeout = if program == "sleep 6000" { "0.3" } else { "600" };
    finish(command(args.iter().chain(&[timeout]).chain(more)))
}

#[test]
fn a_program_that_speaks_the_protocol_breaks_the_code() {
    let run = solve(&engine(), &["--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let game = parse(&run.stdout);
    assert_eq!(game["solved"], true);
    assert!(game["strategy"].as_str().is_some_and(|name| name.starts_with("command-pegwise")), "{}", game["strategy"]);
    let grid = finish(command([
        "solve",
        "grid:2x2x3",
        "--seed",
        "4",
        "--strategy-command",
        &engine(),
        "--guess-timeout",
        "600",
    ]));
    assert_eq!((grid.code, grid.stderr.as_str()), (0, ""));
}

#[test]
fn whatever_else_a_program_does_loses_the_game_and_is_told() {
    for (program, told) in [
        ("sh -c 'exit 3'", "ended without an answer (exit status: 3)"),
        ("sleep 6000", "gave no answer in 0.3 s"),
        ("sh -c 'echo hello; cat'", "which is not JSON"),
        ("cat", "instead of an answer with \"reply\":\"new\""),
        (
            r#"sh -c 'read a; echo "{\"reply\":\"new\"}"; read a; echo "{\"reply\":\"guess\",\"guess\":[9,9,9,9]}"'"#,
            "is not a color",
        ),
        (r#"sh -c 'read a; echo "{\"reply\":\"error\",\"error\":\"I am tired\"}"'"#, "reports an error: I am tired"),
        ("no-such-program", "cannot be started"),
    ] {
        let run = solve(program, &[]);
        assert_eq!((run.code, run.stderr.as_str()), (1, ""), "{program}");
        assert!(run.stdout.contains("Lost after") && run.stdout.contains(told), "{program}: {}", run.stdout);
    }
}

#[test]
fn a_program_plays_in_the_laboratory_and_loses_only_its_own_games() {
    let folder = Folder::new();
    let store = folder.path("games.db");
    let store = store.to_str().expect("a path");
    let arguments = |program: &str| {
        let fixed = ["lab", "run", "--games", "4", "--seed", "7", "-o", store, "-s", "knuth", "--format", "json"];
        let more = ["--strategy-command", program, "--guess-timeout", "600"];
        fixed.iter().chain(&more).map(|&word| word.to_owned()).collect::<Vec<_>>()
    };
    let run = finish(command(arguments("sh -c 'exit 3'")));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let answer = parse(&run.stdout);
    assert_eq!((&answer["games"], answer["failures"].as_array().map(Vec::len)), (&value!(8), Some(4)));
    assert_eq!(answer["failures"][0]["strategy"], "command-sh-c-exit-3");
    let exported = finish(command(["lab", "export", store, "--without-times"])).stdout;
    assert_eq!(exported.lines().filter(|line| line.contains(",failed,")).count(), 4, "{exported}");
    assert_eq!(exported.lines().filter(|line| line.contains("knuth") && line.contains(",solved,")).count(), 4);
    let report = finish(command(["lab", "report", store]));
    assert_eq!(report.code, 0, "{}", report.stderr);
}

#[test]
fn a_program_and_a_strategy_exclude_each_other_where_one_plays() {
    for (line, words) in [
        ("solve --strategy-command sh --strategy knuth", "cannot be used with"),
        ("play --strategy-command sh --strategy knuth", "cannot be used with"),
        ("solve --guess-timeout 3", "--strategy-command <PROGRAM>"),
        ("solve --strategy-command ''", "write the name of a program"),
        ("lab run --games 1 -o x.db", "--strategy"),
    ] {
        let run = pegwise(line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}");
        assert!(run.stderr.contains(words), "{line}: {}", run.stderr);
    }
}
