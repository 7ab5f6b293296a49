//! `pegwise tree` on trees that are there: verify, show, export, import, diff, and games played from them.

use std::{fs::File, process::Stdio};

use serde_json::json as value;

use crate::{fields, finish, folder::Folder, parse};

#[test]
fn knuths_tree_is_verified() {
    let folder = Folder::with_knuth();
    let answer = folder.json("tree verify knuth.tree");
    let expected = [
        "codes",
        "deepest",
        "histogram",
        "lower_bound",
        "made_by",
        "max",
        "mean",
        "positions",
        "proven",
        "rules",
        "total",
        "verified",
    ];
    assert_eq!(fields(&answer), expected);
    assert_eq!((&answer["total"], &answer["codes"], &answer["max"]), (&value!(5801), &value!(1296), &value!(5)));
    assert_eq!(answer["histogram"], value!([1, 6, 62, 533, 694]));
    assert_eq!((&answer["rules"], &answer["made_by"]), (&value!("4x6"), &value!("knuth")));
    assert_eq!((&answer["verified"], &answer["proven"]), (&value!(true), &value!(false)));
    let text = folder.done("tree verify knuth.tree");
    for words in ["5,801 guesses", "4.4761", "5 guesses, for 694 codes", "      3     62", "Verified"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn a_tree_may_come_from_the_standard_input() {
    let folder = Folder::with_knuth();
    for line in ["tree verify -", "tree show - 1122=1,0", "tree diff - knuth.tree", "solve --tree - --seed 1"] {
        let mut command = folder.command(line.split(' '));
        command.stdin(File::open(folder.path("knuth.tree")).expect("the tree"));
        assert_eq!(finish(command).code, 0, "{line}");
    }
    assert!(folder.refused("tree diff - -").contains("only one of the trees"));
}

#[test]
fn every_changed_byte_is_noticed() {
    let folder = Folder::with_knuth();
    let bytes = folder.read("knuth.tree");
    for at in (0..bytes.len()).step_by(211).chain([bytes.len() - 1]) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        folder.write("changed.tree", &changed);
        assert!(folder.refused("tree verify changed.tree").starts_with("error: changed.tree: "), "byte {at}");
    }
    folder.write("short.tree", &bytes[..bytes.len() / 2]);
    assert!(folder.refused("tree verify short.tree").contains("short.tree: the tree file is cut short\n  "));
}

#[test]
fn missing_and_foreign_files_are_named() {
    let folder = Folder::with_knuth();
    folder.write("foreign.tree", b"not a tree");
    for line in
        ["tree verify", "tree show", "tree export --format json", "tree diff knuth.tree", "solve --tree", "hint --tree"]
    {
        assert!(
            folder.refused(&format!("{line} missing.tree")).starts_with("error: missing.tree: no such file")
        );
        let foreign = folder.refused(&format!("{line} foreign.tree"));
        assert!(foreign.starts_with("error: foreign.tree: this is not a tree file\n  "), "{line}: {foreign}");
        assert!(folder.refused(&format!("{line} .")).starts_with("error: .: "), "{line}");
    }
    assert!(folder.refused("tree import missing.txt --from json -o x.tree").starts_with("error: missing.txt: "));
    assert_eq!(folder.names(), ["foreign.tree", "knuth.tree"]);
}

#[test]
fn exports_are_imported_as_they_were() {
    let folder = Folder::with_knuth();
    folder.done("tree export knuth.tree --format json -o knuth.json");
    folder.done("tree import knuth.json --from json -o again.tree");
    assert_eq!(folder.read("again.tree"), folder.read("knuth.tree"));

    let contest = folder.done("tree export knuth.tree --format contest");
    assert!(contest.starts_with("{AABB:{00:{CCDE:"), "{contest}");
    folder.write("knuth.txt", contest.as_bytes());
    let answer = folder.json("tree import knuth.txt 4x6 --from contest -o contest.tree");
    assert_eq!((&answer["total"], &answer["made_by"]), (&value!(5801), &value!("contest")));
    folder.done("tree diff knuth.tree contest.tree");
    assert_eq!(folder.done("tree export contest.tree --format contest"), contest);

    // As Knuth printed it, sizes and letters, with the guesses of this program where his tree has others.
    let printed = folder.done("tree export knuth.tree --format knuth");
    assert!(printed.starts_with("1296 (1122: 1, 16A, 96B, 256C, 256D; 0, 36E, 208F, 256G; "), "{printed}");
    folder.write("printed.txt", printed.as_bytes());
    let answer = folder.json("tree import printed.txt --from knuth 4x6 -o printed.tree");
    assert_eq!((&answer["total"], &answer["made_by"]), (&value!(5801), &value!("knuth")));
    folder.done("tree diff knuth.tree printed.tree");

    assert!(folder.done("tree export knuth.tree --format dot").starts_with("digraph"));
    folder.done("tree export knuth.tree --format html -o knuth.html");
    assert!(folder.read("knuth.html").starts_with(b"<!"));
    assert!(folder.names().iter().all(|name| !name.contains("unfinished")), "{:?}", folder.names());
}

#[test]
fn imports_that_cannot_be() {
    let folder = Folder::new();
    folder.write("bad.txt", b"{AB:{10:");
    assert!(folder.refused("tree import bad.txt --from contest -o x.tree").contains("RULES"));
    assert!(
        folder
            .refused("tree import bad.txt --from contest 2x3 -o x.tree")
            .starts_with("error: bad.txt: line 1")
    );
    assert!(folder.refused("tree import bad.txt --from json -o x.tree").starts_with("error: bad.txt: line 1"));
    assert!(
        folder.refused("tree import bad.txt --from dot -o x.tree").contains("possible values: json, contest, knuth")
    );
    assert!(folder.refused("tree import bad.txt --from json -o no/x.tree").contains("the folder no does not exist"));
    assert_eq!(folder.names(), ["bad.txt"]);
}

#[test]
fn a_tree_that_loses_games_is_not_verified() {
    let folder = Folder::new();
    folder.write("lost.txt", b"{AB:{10:{AC:{10:AA,01:CB}},02:BA,01:{BC:{01:CA}},00:CC}}");
    let run = folder.run("tree import lost.txt --from contest 2x3 -o lost.tree");
    let reason = "after 12=1,0: 13 can be answered 0,0 (1 of the codes left), and no branch follows";
    assert_eq!((run.code, run.stderr), (1, format!("not verified: {reason}\n")));
    assert_eq!(folder.run("tree verify lost.tree").stdout, format!("lost.tree is not verified: {reason}\n"));
    let answer = folder.no("tree verify lost.tree");
    assert_eq!(answer, value!({ "verified": false, "rules": "2x3", "made_by": "contest", "reason": reason }));
}

#[test]
fn claims_are_checked() {
    let folder = Folder::with_knuth();
    let text = folder.done("tree export knuth.tree --format json");
    folder.write("boast.json", text.replace("\"total\":5801", "\"total\":5625").as_bytes());
    assert_eq!(folder.run("tree import boast.json --from json -o boast.tree").code, 1);
    let reason = folder.no("tree verify boast.tree")["reason"].take();
    assert_eq!(reason, "the claimed total is 5625, and the tree's is 5801");
}

#[test]
fn positions_are_shown() {
    let folder = Folder::with_knuth();
    let text = folder.done("tree show knuth.tree 1122=1,0");
    assert!(text.starts_with("4x6 · knuth · after 1122=1,0\n\nPlay   1344\n       256 codes left"), "{text}");
    assert!(text.contains("\n○     0,1     44  3526        2.7500     3\n"), "{text}");
    let last = folder.done("tree show knuth.tree 1122=0,4");
    assert!(last.ends_with("Play   2211\n       the only code left\n"), "{last}");

    let branch = folder.done("tree show knuth.tree 1122=1,0 1344=0,1 --depth 2");
    assert!(branch.starts_with("3526  44 codes, mean 2.7500, at most 3\n  0,1: 5155\n"), "{branch}");
    let answer = folder.json("tree show knuth.tree --depth 2");
    assert_eq!((&answer["guess"], &answer["rows"][5]["guess"]), (&value!([1, 1, 2, 2]), &value!([1, 3, 4, 4])));
    assert_eq!(answer["below"][5]["guess"], value!([1, 3, 4, 4]));
    assert_eq!(answer["below"][5].get("below"), None);
}

#[test]
fn turns_that_lead_nowhere_are_refused() {
    let folder = Folder::with_knuth();
    for (turn, words) in [
        ("1122=4,0", "turn 1 wins the game"),
        ("1123=1,0", "turn 1 plays 1123, and the tree plays 1122 there"),
        ("1122=1,3", "no code is left that answers 1122 with 1,3"),
    ] {
        let stderr = folder.refused(&format!("tree show knuth.tree {turn}"));
        assert!(stderr.starts_with("error: knuth.tree: ") && stderr.contains(words), "{stderr}");
    }
    assert!(folder.refused("tree show knuth.tree 1122").starts_with("error: turn 1: "));
    folder.refused("tree show knuth.tree --depth 0");
}

#[test]
fn trees_are_compared() {
    let folder = Folder::with_knuth();
    folder.done("tree build 4x6 --strategy most-parts --first-guess 1122 -o parts.tree");
    folder.done("tree build 2x3 --strategy knuth -o small.tree");
    assert!(folder.done("tree diff knuth.tree knuth.tree").contains("equal in all 1378 positions"));
    let run = folder.run("tree diff knuth.tree parts.tree");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.starts_with("after 1122="), "{}", run.stdout);
    let answer = folder.no("tree diff knuth.tree parts.tree");
    assert_eq!((&answer["rules"], &answer["first"]["total"]), (&value!("4x6"), &value!(5801)));
    assert!(folder.refused("tree diff knuth.tree small.tree").contains("of 4x6, and the second of 2x3"));
}

#[test]
fn games_are_played_from_a_tree() {
    let folder = Folder::with_knuth();
    let game = folder.json("solve --tree knuth.tree --secret 3632 --seed 1");
    let guesses: Vec<_> = game["turns"].as_array().expect("turns").iter().map(|turn| turn["guess"].clone()).collect();
    assert_eq!(value!(guesses), value!([[1, 1, 2, 2], [1, 3, 4, 4], [3, 5, 2, 6], [1, 4, 6, 2], [3, 6, 3, 2]]));
    assert_eq!((&game["rules"], &game["tree"]), (&value!("4x6"), &value!("knuth.tree")));

    let hint = folder.json("hint --tree knuth.tree 1122=1,0");
    assert_eq!((&hint["guess"], &hint["tree"]["used"]), (&value!([1, 3, 4, 4]), &value!(true)));
    let left = folder.json("hint --tree knuth.tree 1123=1,0 --strategy entropy");
    assert_eq!(left["guess"], folder.json("hint 4x6 1123=1,0 --strategy entropy")["guess"]);
    assert_eq!(left["tree"], value!({ "file": "knuth.tree", "used": false }));
    assert!(folder.done("hint --tree knuth.tree 1122=1,0").contains("(knuth.tree)"));

    assert_eq!(folder.json("solve 4x6:max-guesses=9 --tree knuth.tree --seed 1")["solved"], true);
    for line in ["solve 5x8", "hint 5x8", "hint 4x6:no-repeats"] {
        assert!(
            folder.refused(&format!("{line} --tree knuth.tree")).contains("knuth.tree: the tree is for 4x6, not ")
        );
    }
}

#[test]
fn a_tree_follows_the_rules_it_was_built_for() {
    let folder = Folder::new();
    folder.done("tree build grid:2x2x3 --strategy entropy -o grid.tree");
    assert_eq!(folder.json("tree verify grid.tree")["codes"], 81);
    folder.done("tree show grid.tree");
    assert!(folder.refused("tree export grid.tree --format contest").contains("has no words for grid:2x2x3"));
    assert_eq!(folder.json("solve --tree grid.tree --seed 3")["rules"], "grid:2x2x3");
}

#[test]
fn a_closed_pipe_is_no_trouble() {
    let folder = Folder::with_knuth();
    for line in ["tree export knuth.tree --format json", "tree verify knuth.tree", "tree show knuth.tree --depth 5"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = folder.command(line.split(' ')).stdout(writer).stderr(Stdio::piped()).spawn();
        let output = child.and_then(std::process::Child::wait_with_output).expect("the program runs");
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{line}");
    }
    assert_eq!(parse(&folder.done("tree export knuth.tree --format json").replace('\n', ""))["total"], 5801);
}

/// Bulls and cows is played with digits, and so are its trees shown.
#[test]
fn a_tree_of_bulls_and_cows_is_written_in_digits() {
    let record = concat!(env!("CARGO_MANIFEST_DIR"), "/../solve/records/4x10-no-repeats.tree");
    let shown = crate::pegwise(&format!("tree show {record}"));
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let codes = shown.stdout.split_whitespace().filter(|word| word.len() == 4);
    assert!(codes.clone().any(|word| word.bytes().all(|byte| byte.is_ascii_digit())), "{}", shown.stdout);
    assert!(!codes.clone().any(|word| word.bytes().all(|byte| (b'A'..=b'J').contains(&byte))), "{}", shown.stdout);
}
