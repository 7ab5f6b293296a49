//! `pegwise solve`.

use serde_json::{Value, json as value};

use crate::{fields, json, parse, pegwise};

/// A game without the time it took, which no two games share.
fn game(line: &str) -> Value {
    let mut game = json(line);
    game.as_object_mut().expect("an object").remove("seconds");
    game
}

#[test]
fn knuth_breaks_3632_as_published() {
    let game = json("solve 4x6 --secret 3632 --strategy knuth --seed 1");
    let expected =
        ["examined", "guesses", "rules", "scored", "seconds", "secret", "seed", "solved", "strategy", "turns"];
    assert_eq!(fields(&game), expected);
    assert_eq!(game["rules"], "4x6");
    assert_eq!(game["strategy"], "knuth");
    assert_eq!(game["seed"], 1);
    assert_eq!(game["secret"], value!([3, 6, 3, 2]));
    assert_eq!(game["solved"], true);
    assert_eq!(game["guesses"], 5);
    assert!(game["examined"].as_u64() > Some(0) && game["scored"].as_u64() > Some(0));
    assert!(game["seconds"].as_f64() >= Some(0.0));
    let turn = |guess: [u8; 4], black: u8, white: u8, remaining: u32, basis: &str| {
        let feedback = [value!({ "black": black, "white": white })];
        value!({ "guess": guess, "feedback": feedback, "remaining": remaining, "basis": basis })
    };
    let turns = [
        turn([1, 1, 2, 2], 1, 0, 256, "scored"),
        turn([1, 3, 4, 4], 0, 1, 44, "scored"),
        turn([3, 5, 2, 6], 1, 2, 7, "scored"),
        turn([1, 4, 6, 2], 1, 1, 1, "scored"),
        turn([3, 6, 3, 2], 4, 0, 1, "proven"),
    ];
    assert_eq!(game["turns"], value!(turns));
}

#[test]
fn text_shows_each_turn_and_what_is_still_possible() {
    let run = pegwise("solve 4x6 --secret 3632 --strategy knuth --seed 1");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let board = "\
turn   guess   feedback    still possible
   1   1122    ●     1,0              256
   2   1344    ○     0,1               44
   3   3526    ●○○   1,2                7
   4   1462    ●○    1,1                1
   5   3632    ●●●●  4,0                1

Solved in 5 guesses.";
    assert!(run.stdout.contains(board), "{}", run.stdout);
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for strategy in ["adaptive", "random-consistent", "swaszek", "shapiro", "entropy(ties=random)"] {
        let play = |seed: u32| game(&format!("solve 4x6 --strategy {strategy} --seed {seed}"));
        assert_eq!(play(7), play(7), "{strategy}");
    }
    let secrets = (0..10).map(|seed| game(&format!("solve --seed {seed}"))["secret"].to_string());
    assert!(secrets.collect::<std::collections::BTreeSet<_>>().len() > 5, "seeds draw different secrets");
}

#[test]
fn a_given_secret_leaves_the_strategy_its_random_numbers() {
    let drawn = game("solve 4x6 --strategy random-consistent --seed 7");
    let colors = drawn["secret"].as_array().expect("a code").iter().map(ToString::to_string);
    let secret = colors.collect::<Vec<_>>().join(",");
    assert_eq!(game(&format!("solve 4x6 --strategy random-consistent --seed 7 --secret {secret}")), drawn);
}

#[test]
fn a_drawn_seed_is_shown_with_the_command_that_repeats_the_game() {
    for line in ["solve 4x6 --strategy random-consistent", "solve 5x8 --secret 12345 --strategy random-consistent"] {
        let first = pegwise(line).stdout;
        let again = first.lines().find_map(|line| line.strip_prefix("Play this game again: pegwise ")).expect(&first);
        let board = |text: &str| text.lines().filter(|line| line.contains('●')).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(board(&pegwise(again).stdout), board(&first));
    }
    assert!(!pegwise("solve --seed 3").stdout.contains("again"), "nothing to tell when the seed was given");
}

#[test]
fn codes_are_counted_also_for_strategies_that_do_not() {
    let game = json("solve 4x6 --strategy swaszek --seed 2");
    let turns = game["turns"].as_array().expect("turns");
    let remaining: Vec<u64> = turns.iter().map(|turn| turn["remaining"].as_u64().expect("counted")).collect();
    assert!(remaining.windows(2).all(|pair| pair[0] >= pair[1]), "{remaining:?}");
    assert_eq!(remaining.last(), Some(&1));
}

#[test]
fn running_out_of_guesses_is_a_no() {
    let run = pegwise("solve 4x6:max-guesses=2 --secret 3632 --strategy knuth --seed 1");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    assert!(run.stdout.contains("Not solved in 2 guesses: the secret was 3632."), "{}", run.stdout);

    let run = pegwise("solve 4x6:max-guesses=2 --secret 3632 --strategy knuth --seed 1 --format json");
    let game = parse(&run.stdout);
    assert_eq!(run.code, 1);
    assert_eq!((&game["solved"], &game["guesses"]), (&value!(false), &value!(2)));
    assert_eq!(game["turns"][1]["remaining"], 44);
}

#[test]
fn every_board_and_feedback_is_played_and_drawn() {
    for rules in [
        "1x1",
        "100x1",
        "1x30",
        "4x10:no-repeats",
        "4x6:black-only",
        "4x6:higher-lower",
        "4x6:distance",
        "4x6:city-block",
        "grid:2x3x3",
        "triangle:3x3",
        "cube:2x2x2x2",
        "ring:5x3",
        "lines:1.2.3/3.4.5x3",
    ] {
        let run = pegwise(&format!("solve {rules} --seed 1"));
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{rules}");
        assert!(run.stdout.contains("Solved in "), "{rules}: {}", run.stdout);
    }
    let turns = json("solve grid:2x3x3 --seed 1")["turns"].take();
    let marks = |turn: &Value| turn["feedback"].as_array().map(Vec::len);
    assert!(turns.as_array().expect("turns").iter().all(|turn| marks(turn) == Some(5)), "two rows, three columns");
}

#[test]
fn time_limits_are_taken_in_every_notation() {
    for limit in ["2", "0.5", "500ms", "2s", "1m", "1e9"] {
        assert_eq!(pegwise(&format!("solve --seed 1 --time-per-guess {limit}")).code, 0, "{limit}");
    }
}
