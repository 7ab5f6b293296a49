//! Every kind of rules in every command: played, or refused with the reason.

use serde_json::json as value;

use crate::folder::Folder;

/// A small game of every kind.
const SMALL: [&str; 12] = [
    "3x4",
    "3x4:no-repeats",
    "3x4:black-only",
    "3x4:higher-lower",
    "3x4:distance",
    "3x4:city-block",
    "3x4:max-guesses=9",
    "grid:2x2x3",
    "triangle:2x3",
    "cube:2x2x2x2",
    "ring:4x3",
    "lines:1.2/2.3x3",
];

#[test]
fn every_rule_is_played_by_every_command() {
    let folder = Folder::new();
    for (number, rules) in SMALL.iter().enumerate() {
        for strategy in ["adaptive", "entropy", "random-consistent", "evorank"] {
            let game = folder.json(&format!("solve {rules} --strategy {strategy} --seed 3"));
            assert_eq!(game["solved"], value!(true), "{rules} {strategy}");
        }
        let hint = folder.json(&format!("hint {rules} --seed 1"));
        assert!(hint["guess"].is_array(), "{rules}");
        let can = folder.json(&format!("strategies {rules}"));
        assert!(can.as_array().is_some_and(|rows| rows.iter().any(|row| row["name"] == "adaptive")), "{rules}");
        let run = folder.run(&format!("lab run {rules} --strategy entropy --games 5 -o {number}.db"));
        assert_eq!(run.code, 0, "{rules}: {}", run.stderr);
        let tree = folder.json(&format!("tree build {rules} --strategy entropy -o {number}.tree"));
        let optimal = format!("tree build {rules} --optimal");
        if rules.starts_with("cube") || rules.starts_with("ring") {
            assert!(folder.refused(&optimal).contains("different feedbacks are too many to search all trees"));
        } else {
            assert!(folder.json(&optimal)["total"].as_u64() <= tree["total"].as_u64(), "{rules}");
        }
        let verified = folder.run(&format!("tree verify {number}.tree"));
        assert_eq!(verified.code, 0, "{rules}: {}", verified.stderr);
        let played = folder.json(&format!("solve --tree {number}.tree --codemaker worst --seed 1"));
        assert_eq!(played["guesses"], tree["max"], "{rules}");
        let decided = folder.json(&format!("static {rules} --max-nodes 10 -t 1"));
        assert!(decided["guesses"].is_array(), "{rules}");
    }
}

/// The searches that work on one row say so, and who plays instead.
#[test]
fn strategies_for_rows_refuse_other_boards() {
    let folder = Folder::new();
    for strategy in ["shc", "shc-xu", "shifting", "xu", "greedy-1", "greedy-2", "greedy-3", "two-swap", "tabu"] {
        let error = folder.refused(&format!("solve grid:2x2x3 --strategy {strategy}"));
        assert!(error.contains("it plays rows"), "{strategy}: {error}");
        assert!(error.contains("one of these strategies: adaptive, "), "{strategy}: {error}");
        let error = folder.refused(&format!("lab run grid:2x2x3 -s {strategy} --games 1 -o s.db"));
        assert!(error.contains("it plays rows"), "{strategy}: {error}");
    }
    let error = folder.refused("tree build grid:4x4x6 --optimal");
    assert!(error.contains("2821109907456 codes are too many"), "{error}");
}

#[test]
fn lines_come_from_a_file_as_well() {
    let folder = Folder::new();
    folder.write("star.txt", b"# three arms\n1 2\n1, 3\n1.4\n");
    let game = folder.json("solve lines:@star.txtx3:black-only --seed 1");
    assert_eq!(game["rules"], "lines:1.2/1.3/1.4x3:black-only");
    assert_eq!(folder.json("hint lines:@star.txtx3")["rules"], "lines:1.2/1.3/1.4x3");
    for (bytes, words) in [
        (&b"1 2\n2 0\n"[..], "lines.txt:2: '0' is not a cell: write numbers from 1 to 4096"),
        (b"1 2\n2 5000\n", "lines.txt:2: '5000' is not a cell"),
        (b"1 2\n\n2 3\n", "lines.txt:2: the line is empty"),
        (b"1 2\n3 2 3\n", "lines.txt:2: cell 3 appears twice"),
        (b"1 2\n4 2\n", "no line visits cell 3"),
        (b"1 -2\n", "lines.txt:1: '-2' is not a cell"),
        (b"", "lines.txt:1: the file has no line of cells"),
        (b"\xff", "the file is not UTF-8 text"),
    ] {
        folder.write("lines.txt", bytes);
        for line in ["solve lines:@lines.txtx3", "hint lines:@lines.txtx3", "tree build lines:@lines.txtx3 --optimal"] {
            let error = folder.refused(line);
            assert!(error.contains(words), "{line}: {error}");
        }
    }
    for (line, words) in [
        ("solve lines:@none.txtx3", "no such file"),
        ("solve lines:@star.txt", "write the file and the colors"),
        ("solve lines:@star.txtx0", "star.txt: "),
        ("solve lines:@.x3", "this is a folder"),
    ] {
        let error = folder.refused(line);
        assert!(error.contains(words), "{line}: {error}");
    }
}
