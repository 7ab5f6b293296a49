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
    let names = ["advice", "after", "after_is", "before", "before_is", "best", "consistent", "exact", "expected"];
    let more = ["expected_is", "feedback", "guess", "lost", "lost_is", "luck", "luck_is", "skill", "skill_is"];
    assert!(turns.iter().all(|turn| fields(turn) == [names, more].concat()));
    assert!(turns.iter().all(|turn| turn["lost_is"] == "exact"), "{turns:?}");
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
    let summary = "4x6 · 1,296 codes · Solved in 5 guesses. 0.15 guesses lost; luck 24 of 100.\n";
    assert!(run.stdout.starts_with(summary), "{}", run.stdout);
    assert!(run.stdout.contains("   1  1122   ●     1,0     204.5   256  0.059    30  1123\n"), "{}", run.stdout);
    assert!(run.stdout.contains("turn 5  The only code left.\n"), "{}", run.stdout);
    assert!(run.stdout.contains("knuth          5  256 44 7 1 0\n"), "{}", run.stdout);
    assert!(
        pegwise("analyze").stdout.starts_with("4x6 · 1,296 codes · 0 guesses played, 1,296 codes still possible.\n")
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
    assert!(stderr.starts_with("error: no code fits: turns 1 and 2 cannot both be true\n"), "{stderr}");
    assert!(stderr.contains("What may have happened, likeliest first:\n"), "{stderr}");
    assert!(refused("analyze 1122=1,0 --secret 1122").contains("1122 is answered 4,0, not 1,0"));
    assert!(refused("analyze 1122=1,0 --secret 1127").contains("'7' is not a color"));
    assert!(refused("analyze 1122=4,0 1234=1,0").contains("turn 1 found the code"));
    assert!(refused("analyze 1122").contains("'1122' is not a turn"));
}

/// Taking every hint loses nothing, and so does the guess that is proven best.
#[test]
fn hints_and_analysis_agree() {
    let analysis = json("analyze 1122=1,0 1344=0,1 --secret 3632");
    let best = analysis["turns"][1]["best"]["guess"].as_array().expect("a code").clone();
    let best: String = best.iter().map(ToString::to_string).collect();
    let again = json(&format!("analyze 1122 {best} --secret 3632"));
    assert_eq!(again["turns"][1]["lost"], 0.0, "{again}");
    let mut turns = String::new();
    for _ in 0..8 {
        let hint = json(&format!("hint 4x6 {turns}"));
        let guess: String = hint["guess"].as_array().expect("a code").iter().map(ToString::to_string).collect();
        let answer = json(&format!("analyze 4x6 {turns} {guess} --secret 3632"));
        let mark = &answer["turns"].as_array().and_then(|turns| turns.last()).expect("a turn")["feedback"][0];
        turns.push_str(&format!(" {guess}={},{}", mark["black"], mark["white"]));
        if answer["solved"] == true {
            assert_eq!((&answer["lost"], &answer["lost_is"]), (&0.0.into(), &"exact".into()), "{answer}");
            return;
        }
    }
    panic!("not solved: {turns}");
}

#[test]
fn forgotten_parts_and_bare_guesses_are_taken() {
    let analysis = json("analyze 1122=1,? 1344=0,1");
    assert_eq!(analysis["turns"][0]["feedback"][0], serde_json::json!({ "black": 1, "white": null }));
    assert_eq!(json("analyze 1122 1344 --secret 3632")["turns"], json("analyze 1122=1,0 1344=0,1")["turns"]);
}

#[test]
fn a_grid_gets_no_absurd_verdict() {
    let analysis = json("analyze grid:4x4x6 1122334455661122 --secret 1234561234561234");
    let turn = &analysis["turns"][0];
    assert_eq!((&turn["luck"], &turn["luck_is"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert!(!turn["advice"].as_str().expect("words").contains("kind"), "{turn}");
}

#[test]
fn large_boards_are_marked_as_estimates() {
    let run = pegwise("analyze 10x10 AABBCCDDEE=0,6 AFFGBBHHCI=1,5 --time-limit 0.5");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("\n~ is an estimate from a sample"), "{}", run.stdout);
    assert_eq!(json("analyze 10x10 AABBCCDDEE=0,6")["turns"][0]["exact"], false);
}
