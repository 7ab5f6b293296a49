//! `pegwise analyze`.

use crate::{fields, folder::Folder, json, pegwise};

const GAME: &str = "1122=1,0 1344=0,1 3526=1,2 1462=1,1 3632=4,0";

#[test]
fn a_game_is_judged_guess_by_guess() {
    let analysis = json(&format!("analyze {GAME}"));
    assert_eq!((&analysis["rules"], &analysis["solved"]), (&"4x6".into(), &true.into()));
    assert_eq!(analysis["secret"], serde_json::json!([3, 6, 3, 2]));
    let turns = analysis["turns"].as_array().expect("a list");
    assert_eq!(turns.len(), 5);
    let names =
        ["advice", "after", "before", "best", "consistent", "exact", "expected", "feedback", "guess", "luck", "skill"];
    assert!(turns.iter().all(|turn| fields(turn) == names));
    let left: Vec<u64> = turns.iter().filter_map(|turn| turn["after"].as_u64()).collect();
    assert_eq!(left, [256, 44, 7, 1, 0]);
    let others: Vec<&str> =
        analysis["others"].as_array().expect("a list").iter().filter_map(|other| other["strategy"].as_str()).collect();
    assert_eq!(others, ["knuth", "entropy", "optimal"]);
    assert_eq!(json(&format!("analyze {GAME}")), analysis, "the same every time");
}

#[test]
fn text_has_the_table_the_advice_and_the_others() {
    let run = pegwise(&format!("analyze {GAME}"));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.starts_with("4x6 · 1,296 codes · Solved in 5 guesses. Skill 98, luck 24.\n"), "{}", run.stdout);
    assert!(
        run.stdout.contains("   1  1122   ●     1,0   1,296     204.5   256     91    30  1123\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("turn 5  The only code left.\n"), "{}", run.stdout);
    assert!(run.stdout.contains("knuth          5  256 44 7 1 0\n"), "{}", run.stdout);
    assert!(
        pegwise("analyze").stdout.starts_with("4x6 · 1,296 codes · 0 guesses played, 1296 codes still possible.\n")
    );
}

#[test]
fn a_running_game_tells_what_is_possible() {
    let run = pegwise("analyze 1122=1,0 1344=0,1 3526=1,2");
    assert!(run.stdout.contains("Still possible  "), "{}", run.stdout);
    let told = json("analyze 1111=0,0 2345=2,1 --secret 2356");
    assert_eq!(told["others"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_picture_is_written() {
    let folder = Folder::new();
    let run = folder.run("analyze 1122=1,1 1344=0,2 --svg game.svg");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let svg = std::fs::read_to_string(folder.path("game.svg")).expect("the picture");
    assert!(svg.starts_with("<svg ") && svg.contains("prefers-color-scheme"));
    let run = folder.run("analyze 1122=1,1 --svg nowhere/game.svg");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("there is no folder nowhere"), "{}", run.stderr);
}

#[test]
fn games_that_cannot_be_are_refused() {
    let refused = |line: &str| {
        let run = pegwise(line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}");
        run.stderr
    };
    let stderr = refused("analyze 1234=0,0 1111=2,0");
    assert!(stderr.starts_with("error: no code fits: turns 1 and 2 cannot all be true\n"), "{stderr}");
    assert!(stderr.contains("What may have happened, likeliest first:\n"), "{stderr}");
    assert!(refused("analyze 1122=1,0 --secret 1122").contains("1122 is answered 4,0, not 1,0"));
    assert!(refused("analyze 1122=1,0 --secret 1127").contains("'7' is not a color"));
    assert!(refused("analyze 1122=4,0 1234=1,0").contains("turn 1 found the code"));
    assert!(refused("analyze 11?2=1,0").contains("`pegwise hint` takes them"));
    assert!(refused("analyze 1122").contains("a turn needs its feedback"));
}

#[test]
fn large_boards_are_marked_as_estimates() {
    let run = pegwise("analyze 10x10 AABBCCDDEE=0,6 AFFGBBHHCI=1,5 --time-limit 0.5");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("\n~ judged by a sample"), "{}", run.stdout);
    assert_eq!(json("analyze 10x10 AABBCCDDEE=0,6")["turns"][0]["exact"], false);
}
