//! `hint` and `analyze`.

use crate::{TestFolder, assert_contains, done, json, parse, pegwise, refused};

/// The rules may be omitted. Alternatives and counts are also given for strategies that do not compare or count.
#[test]
fn hints_are_shown() {
    insta::assert_snapshot!(TestFolder::new().transcript(
        "
        hint 4x6 1122=1,1 1344=0,2 --alternatives 2
        hint 4x6 1122=1,1 1344=0,2 --json
        hint
        hint 4x6
        hint 1122=1,1
        hint 4x6 1122=1,1
        hint 4x6:max-guesses=10 1122=1,1
        hint 1122=1,1 --alternatives 0 --json
        hint 1122=1,1 --alternatives 1 --json
        hint 1122=1,1 --alternatives 20
        hint 1122=1,1 --strategy random-consistent --json
        hint 1122=1,1 --strategy swaszek --json
        hint 1122=1,0 1344=0,1 3526=1,2 1462=1,1
        hint 1122=1,0 1344=0,1 3526=1,2 1462=1,1 --json"
    ));
}

/// Words are not played; the lowest of equals is, and the only code left. Random ties are the same every time.
#[test]
fn strategies_give_hints() {
    insta::assert_snapshot!(TestFolder::new().transcript(
        "
        hint 4x20 -s knuth
        hint 6x18 -s random-consistent
        hint 5x20 -s berghman
        hint 4x6 5521=0,3 2415=1,2 2153=3,0 --strategy knuth(ties=lowest)
        hint 4x6 5521=0,3 2415=1,2 2153=3,0 --strategy knuth
        hint 1122=1,0 1344=0,1 3526=1,2 1462=1,1 -s knuth(ties=random) --seed 0
        hint 1122=1,0 1344=0,1 3526=1,2 1462=1,1 -s knuth(ties=random) --seed 1
        hint 1122=1,0 1344=0,1 3526=1,2 1462=1,1 -s knuth(ties=random) --seed 2
        hint 1122=1,0 1344=0,1 3526=1,2 1462=1,1 -s knuth(ties=random) --seed 3
        hint 4x30 -s entropy(first=1,12,3,4) --json
        hint 4x6 --strategy knuth
        hint 4x6 1122=1,0 --strategy knuth
        hint 1122=1,1 --strategy entropy(ties=random)"
    ));
}

#[test]
fn large_games_are_answered_too() {
    let hint = json("hint 10x10 AABBCCDDEE=0,6 AFFGBBHHCI=1,5 JGFFBJCCHB=5,2");
    assert_eq!(hint["guess"].as_array().map(Vec::len), Some(10));
}

#[test]
fn contradictory_turns_are_named_with_repairs() {
    insta::assert_snapshot!(TestFolder::new().transcript(
        "
        hint 4x6 1234=0,0 3456=2,0 1111=2,0
        hint 4x6 1234=0,0 3456=2,0 1111=2,0 --json
        hint 4x6 1234=0,0 3456=2,0 1111=2,0 --strategy entropy
        hint 4x6 1234=0,0 3456=2,0 1111=2,0 --strategy random-consistent
        hint 4x6 1234=0,0 3456=2,0 1111=2,0 --strategy swaszek
        hint 4x6 1234=0,0 3456=2,0 1111=2,0 --strategy shapiro
        hint 4x6 1234=0,0 3456=2,0 1111=2,0 --strategy knuth
        hint 1111=2,1 2222=2,2 1122=0,4
        hint 3456=1,1 1122=4,0
        hint 1122=4,0
        hint 1122=1,0 1344=0,1 3526=0,3 1462=1,1 3162=2,1
        hint 1122=1,1 1122=2,0
        analyze 1234=0,0 1111=2,0"
    ));
}

#[test]
fn one_misread_answer_of_a_word_game_is_named() {
    let error = refused("hint 5x26:per-cell CRANE=----- CRIMP=bbbbb");
    assert_contains(&error, &["turns 1 and 2 cannot both be true", "turn 1: bb--- instead of -----"]);
    assert!(!error.to_lowercase().contains("more than one"), "{error}");
}

/// Only the strategy can compute weighted entropy.
#[test]
fn hints_of_weighted_entropy_have_its_scores() {
    let hint = json("hint 4x6 1122=1,0 --strategy weighted-entropy");
    assert_eq!(
        (hint["rated"]["rank"].as_u64(), hint["rated"]["score_is"].as_str()),
        (Some(1), Some("exact")),
        "{hint}"
    );
    assert_contains(hint["why"].as_str().unwrap(), &["no guess compared has a higher weighted entropy"]);
}

#[test]
fn a_game_with_all_guesses_used_gets_no_hint() {
    let error = refused("hint 4x6:max-guesses=2 1122=1,1 1344=0,2");
    assert_contains(&error, &["the game is over: all 2 guesses are used"]);
}

/// Numbers from a sample are marked as estimates.
#[test]
fn estimates_say_so() {
    let hint = json("hint 20x20 AABBCCDDEEFFGGHHIIJJ=2,5 ABCDEFGHIJKLMNOPQRST=1,9");
    assert_eq!(hint["remaining_is"], "estimate", "{hint}");
    let interval = hint["remaining_interval"].as_array().expect("two numbers");
    assert_eq!(interval.len(), 2);
    let text = pegwise("hint 4x20").stdout;
    assert!(text.contains("it leaves 47,") || text.contains("it leaves 48,"), "{text}");
    assert_eq!(json("hint 4x20")["rated"]["expected_remaining_is"], "exact");
    let grid = json("hint grid:4x4x6");
    assert_ne!(grid["rated"]["expected_remaining_is"], "exact", "{grid}");
}

#[test]
fn contradictions_are_found_on_boards_that_cannot_be_listed() {
    for (rules, guess) in [("20x20", "AABBCCDDEEFFGGHHIIJJ"), ("8x8", "11223344"), ("10x10", "AABBCCDDEE")] {
        for command in ["hint", "analyze"] {
            let run = pegwise(&format!("{command} {rules} {guess}=1,4 {guess}=2,4"));
            assert_eq!(run.code, 2, "{rules}");
            assert!(run.stderr.starts_with("error: no code fits: turns 1 and 2 cannot "), "{}", run.stderr);
        }
    }
}

#[test]
fn a_time_limit_holds_around_forgotten_pegs() {
    let run = pegwise("hint 10x4 ??????????=2,3 ??????????=2,3 --time-per-guess 1 --format json");
    assert!(run.code == 0 || run.code == 2, "{}", run.stderr);
    assert!(parse(&run.stdout)["seconds"].as_f64().is_some_and(|seconds| seconds < 1.15), "{}", run.stdout);
}

#[test]
fn forgotten_parts_are_question_marks() {
    insta::assert_snapshot!(TestFolder::new().transcript(
        "
        hint 11?2=1,? 1344=0,2
        hint 11?2=1,? 1344=0,2 --json
        hint ????=? 1344=0,2 --strategy knuth
        hint 1344=0,2 --strategy knuth
        hint 11?7=1,?
        hint 11?2=5,?
        analyze 1122=1,? 1344=0,1 --json"
    ));
    let large = json("hint 8x12 AABBCCDD=1,2 ABEFGH?I=2,?");
    assert!(large["basis"].as_str().is_some_and(|basis| basis.contains("a sample of")), "{large}");
}

/// An unfinished game lists the possible codes. A guess without feedback is answered by the secret. Luck on grids is unknown.
#[test]
fn games_are_analyzed() {
    insta::assert_snapshot!(TestFolder::new().transcript(
        "
        analyze 1122=1,0 1344=0,1 3526=1,2 1462=1,1 3632=4,0
        analyze 1122=1,0 1344=0,1 3526=1,2 1462=1,1 3632=4,0 --json
        analyze
        analyze 1122=1,0 1344=0,1 3526=1,2
        analyze 1111=0,0 2345=2,1 --secret 2356
        analyze 1122=1,0 1344=0,1
        analyze 1122 1344 --secret 3632
        analyze grid:4x4x6 1122334455661122 --secret 1234561234561234 --json
        analyze 1122=1,0 --secret 1122
        analyze 1122=1,0 --secret 1127
        analyze 1122=4,0 1234=1,0
        analyze 1122"
    ));
}

#[test]
fn a_picture_is_written() {
    let folder = TestFolder::new();
    folder.done("analyze 1122=1,1 1344=0,2 -o game.svg");
    let svg = std::fs::read_to_string(folder.path("game.svg")).expect("the picture");
    assert!(svg.starts_with("<svg ") && svg.contains("prefers-color-scheme"));
    assert_contains(&folder.refused("analyze 1122=1,1 -o nowhere/game.svg"), &["the folder nowhere does not exist"]);
}

/// Hints and proven best guesses lose nothing.
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
fn large_boards_are_marked_as_estimates() {
    let text = done("analyze 10x10 AABBCCDDEE=0,6 AFFGBBHHCI=1,5 --time-per-guess 0.5");
    assert_contains(&text, &["\n~ marks an estimate from a sample"]);
    assert_eq!(json("analyze 10x10 AABBCCDDEE=0,6")["turns"][0]["exact"], false);
}
