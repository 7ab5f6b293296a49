//! `pegwise hint`.

use serde_json::{Value, json as value};

use crate::{fields, json, pegwise};

fn alternatives(hint: &Value) -> &[Value] {
    hint["alternatives"].as_array().expect("a list")
}

#[test]
fn a_hint_has_a_guess_and_the_next_best() {
    let hint = json("hint 4x6 1122=1,1 1344=0,2");
    assert_eq!(hint["rules"], "4x6");
    assert_eq!(hint["strategy"], "adaptive");
    assert_eq!(hint["remaining"], 37);
    assert_eq!(hint["basis"], "scored");
    assert_eq!(hint["turns"][1], value!({ "guess": [1, 3, 4, 4], "feedback": [{ "black": 0, "white": 2 }] }));
    let guess = hint["guess"].as_array().expect("a code");
    assert!(guess.len() == 4 && guess.iter().all(|color| (1..=6).contains(&color.as_u64().unwrap_or(0))), "{guess:?}");

    assert_eq!(alternatives(&hint).len(), 5);
    for alternative in alternatives(&hint) {
        let names =
            ["chance", "chance_is", "consistent", "expected_remaining", "expected_remaining_is", "guess", "lost"];
        assert_eq!(fields(alternative), [&names[..], &["lost_is", "rank", "score", "score_is", "unit"]].concat());
        for number in ["chance", "expected_remaining", "lost", "score"] {
            assert_eq!(alternative[format!("{number}_is")], "exact", "{alternative}");
        }
        assert_ne!(alternative["guess"], hint["guess"], "the best is not its own alternative");
    }
    let lost: Vec<f64> = alternatives(&hint).iter().map(|other| other["lost"].as_f64().expect("a number")).collect();
    assert!(lost.is_sorted(), "the fewest lost first: {lost:?}");
}

#[test]
fn hints_are_the_same_every_time() {
    let hint = |strategy: &str| json(&format!("hint 1122=1,1 --strategy {strategy}"))["guess"].take();
    for strategy in ["adaptive", "entropy(ties=random)", "random-consistent"] {
        assert_eq!(hint(strategy), hint(strategy), "{strategy}");
    }
}

#[test]
fn rules_may_be_left_out() {
    let hint = |line: &str| json(line)["guess"].take();
    assert_eq!(hint("hint 1122=1,1"), hint("hint 4x6 1122=1,1"));
    assert_eq!(hint("hint"), hint("hint 4x6"));
    assert_eq!(json("hint 4x6:max-guesses=10 1122=1,1")["rules"], "4x6:max-guesses=10");
}

#[test]
fn words_are_not_played() {
    for line in ["hint 4x20 -s knuth", "hint 6x18 -s random-consistent", "hint 5x20 -s berghman"] {
        let spelled = match pegwise(line).stdout.split("Play ").nth(1) {
            Some(rest) => rest.split_whitespace().next().unwrap_or_default().to_owned(),
            None => panic!("{line} plays nothing"),
        };
        assert!(!["BEST", "RANDOM", "PAIRS"].contains(&spelled.as_str()), "{line} plays {spelled}");
    }
}

#[test]
fn the_lowest_of_equals_is_played_and_the_only_code_left() {
    let two_left = "hint 4x6 5521=0,3 2415=1,2 2153=3,0 --strategy";
    assert_eq!(json(&format!("{two_left} knuth(ties=lowest)"))["guess"], value!([1, 1, 1, 2]));
    assert_eq!(json(&format!("{two_left} knuth"))["guess"], value!([2, 1, 5, 2]));
    for seed in 0..4 {
        let hint = json(&format!("hint 1122=1,0 1344=0,1 3526=1,2 1462=1,1 -s knuth(ties=random) --seed {seed}"));
        assert_eq!(hint["guess"], value!([3, 6, 3, 2]));
    }
}

#[test]
fn a_first_guess_may_be_written_with_commas() {
    let hint = json("hint 4x30 -s entropy(first=1,12,3,4)");
    assert_eq!((&hint["guess"], &hint["strategy"]), (&value!([1, 12, 3, 4]), &value!("entropy(first=1 12 3 4)")));
}

#[test]
fn knuth_goes_on_as_published() {
    assert_eq!(json("hint 4x6 --strategy knuth")["guess"], value!([1, 1, 2, 2]));
    assert_eq!(json("hint 4x6 1122=1,0 --strategy knuth")["guess"], value!([1, 3, 4, 4]));
}

#[test]
fn as_many_alternatives_as_asked() {
    for number in [0, 1, 20] {
        assert_eq!(alternatives(&json(&format!("hint 1122=1,1 --alternatives {number}"))).len(), number);
    }
    assert_eq!(
        alternatives(&json("hint 1122=1,1 --strategy random-consistent")).len(),
        5,
        "also where it does not compare"
    );
}

#[test]
fn codes_are_counted_also_for_strategies_that_do_not() {
    assert_eq!(json("hint 1122=1,1 --strategy swaszek")["remaining"], 208);
}

#[test]
fn the_only_code_left_is_proven() {
    let turns = "1122=1,0 1344=0,1 3526=1,2 1462=1,1";
    let hint = json(&format!("hint {turns}"));
    assert_eq!(hint["guess"], value!([3, 6, 3, 2]));
    assert_eq!((&hint["remaining"], &hint["basis"]), (&value!(1), &value!("proven")));
    assert!(pegwise(&format!("hint {turns}")).stdout.contains("the only code left"));
}

#[test]
fn large_games_are_answered_too() {
    let hint = json("hint 10x10 AABBCCDDEE=0,6 AFFGBBHHCI=1,5 JGFFBJCCHB=5,2");
    assert_eq!(hint["guess"].as_array().map(Vec::len), Some(10));
}

#[test]
fn text_shows_the_position_and_the_guess() {
    let run = pegwise("hint 4x6 1122=1,1 1344=0,2 --alternatives 2");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.starts_with("4x6 · 37 of 1,296 codes still possible after 2 turns\n"), "{}", run.stdout);
    assert!(run.stdout.contains("   1  1122   ●○    1,1\n   2  1344   ○○    0,2\n\nPlay   "), "{}", run.stdout);
}

#[test]
fn contradictory_turns_are_named() {
    let refused = |line: &str| {
        let run = pegwise(line);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{line}");
        run.stderr
    };
    for strategy in ["entropy", "random-consistent", "swaszek", "shapiro", "knuth"] {
        let stderr = refused(&format!("hint 4x6 1234=0,0 3456=2,0 1111=2,0 --strategy {strategy}"));
        assert!(stderr.starts_with("error: no code fits: turns 1 and 3 cannot both be true\n"), "{stderr}");
        assert!(stderr.contains("turn 1: 1234=0,0\n") && stderr.contains("turn 3: 1111=2,0\n"), "{stderr}");
        assert!(!stderr.contains("turn 2"), "{stderr}");
    }
    let stderr = refused("hint 4x6 1234=0,0 3456=2,0 1111=2,0");
    assert!(
        stderr.contains("likeliest first:\n    turn 3: the answer is that of another row: leave it out")
            && stderr.contains("1111=?, leaves 4 codes\n    turn 1: 1 black instead of 0")
            && stderr.contains("1234=1,0, leaves 1 code\n"),
        "{stderr}"
    );
    let stderr = refused("hint 1111=2,1 2222=2,2 1122=0,4");
    assert!(stderr.contains("No single mistake explains it. Two may have happened"), "{stderr}");
    let won = refused("hint 3456=1,1 1122=4,0");
    assert!(won.starts_with("error: no code fits: turns 1 and 2 cannot both be true\n"), "{won}");
    assert!(refused("hint 1122=4,0").starts_with("error: the game is over"));
}

/// What a sample says is never told as a fact.
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
fn contradictions_are_seen_on_boards_that_nobody_can_list() {
    for (rules, guess) in [("20x20", "AABBCCDDEEFFGGHHIIJJ"), ("8x8", "11223344"), ("10x10", "AABBCCDDEE")] {
        for command in ["hint", "analyze"] {
            let run = pegwise(&format!("{command} {rules} {guess}=1,4 {guess}=2,4"));
            assert_eq!(run.code, 2, "{rules}");
            assert!(
                run.stderr.starts_with("error: no code fits: turns 1 and 2 cannot both be true\n"),
                "{}",
                run.stderr
            );
        }
    }
}

#[test]
fn a_misread_peg_is_among_the_first_repairs() {
    let stderr = pegwise("hint 1122=1,0 1344=0,1 3526=0,3 1462=1,1 3162=2,1").stderr;
    assert!(stderr.contains("3526=1,2"), "{stderr}");
    let stderr = pegwise("hint 1122=1,1 1122=2,0").stderr;
    assert!(stderr.contains("turn 1: 1 peg black instead of white: 2,0"), "{stderr}");
}

#[test]
fn a_time_limit_holds_around_forgotten_pegs() {
    let run = pegwise("hint 10x4 ??????????=2,3 ??????????=2,3 --time-limit 1 --format json");
    assert!(run.code == 0 || run.code == 2, "{}", run.stderr);
    assert!(crate::parse(&run.stdout)["seconds"].as_f64().is_some_and(|seconds| seconds < 1.15), "{}", run.stdout);
}

#[test]
fn programs_get_the_contradiction_too() {
    let run = pegwise("hint 1234=0,0 3456=2,0 1111=2,0 --format json");
    assert_eq!(run.code, 2);
    let answer = crate::parse(&run.stdout);
    assert_eq!(answer["contradiction"]["turns"], value!([[1, 3]]));
    let repairs = &answer["contradiction"]["repairs"];
    assert_eq!((&repairs[0]["turn"], &repairs[0]["kind"]), (&value!(3), &value!("row")));
    let best = &repairs[1];
    assert_eq!((&best["turn"], &best["kind"], &best["leaves"]), (&value!(1), &value!("number"), &value!(1)));
    assert_eq!(best["leaves_is"], "exact");
    assert_eq!(best["now"], value!({ "guess": [1, 2, 3, 4], "feedback": [{ "black": 1, "white": 0 }] }));
}

#[test]
fn forgotten_parts_are_question_marks() {
    let hint = json("hint 11?2=1,? 1344=0,2");
    assert_eq!(hint["remaining"], 210);
    assert_eq!(hint["turns"][0], value!({ "guess": [1, 1, null, 2], "feedback": [{ "black": 1, "white": null }] }));
    assert_eq!(json("hint ????=? 1344=0,2 --strategy knuth")["guess"], json("hint 1344=0,2 --strategy knuth")["guess"]);
    assert!(pegwise("hint 11?2=1,? 1344=0,2").stdout.contains("   1  11?2         1,?\n"));
    let large = json("hint 8x12 AABBCCDD=1,2 ABEFGH?I=2,?");
    assert!(large["basis"].as_str().is_some_and(|basis| basis.contains("a sample of")), "{large}");
    let wrong = pegwise("hint 11?7=1,?");
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("turn 1") && wrong.stderr.contains("'7' is not a color"), "{}", wrong.stderr);
    let wrong = pegwise("hint 11?2=5,?");
    assert!(wrong.stderr.contains("5 pegs on a line of 4"), "{}", wrong.stderr);
}
