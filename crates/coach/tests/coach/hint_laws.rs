//! Laws of hints on random positions. `cargo run --release -p pegwise-coach --example laws` checks more of them.

#[path = "../shared/laws.rs"]
mod laws;

use pegwise_coach::{Notes, analyze};
use pegwise_game::{History, Rules, Space, Turn};
use pegwise_solve::{Basis, Rng, Search};

/// Positions per board, and codes left up to which hints are compared with an exhaustive search; the example checks more.
const POSITIONS: usize = 4;
const MAX_CODES: usize = 60;

#[test]
fn equivalent_positions_get_the_same_hint() {
    for board in laws::BOARDS {
        let (rules, mut rng): (Rules, Rng) = (board.parse().unwrap(), Rng::for_path(1, [board.as_bytes()]));
        for _ in 0..if board == "6x9" { 1 } else { POSITIONS } {
            laws::check(&laws::position(&rules, &mut rng), &mut rng);
        }
    }
}

#[test]
fn hints_for_few_codes_are_optimal() {
    for board in ["4x6", "4x7", "5x6"] {
        let (rules, mut rng): (Rules, Rng) = (board.parse().unwrap(), Rng::for_path(2, [board.as_bytes()]));
        let mut checked = 0;
        while checked < 4 {
            checked += usize::from(laws::check_optimal(&laws::position(&rules, &mut rng), MAX_CODES));
        }
    }
}

fn history(rules: &str, turns: &[&str]) -> History {
    History::parse(&rules.parse().unwrap(), turns.iter().copied()).unwrap()
}

#[test]
fn recolored_positions_of_a_proven_tree_are_found() {
    for turns in [["1234=1,1"], ["0123=1,1"], ["9753=1,1"]] {
        assert_eq!(laws::ask(&history("4x10:no-repeats", &turns), "adaptive", 1, 0).basis, Basis::Proven, "{turns:?}");
    }
    for turn in ["5567=1,1", "1123=1,1", "2272=1,1"] {
        let notes = Notes::from(&history("4x7", &[turn]));
        let lost = analyze(&notes, None, &mut Search::new(1)).unwrap().lost;
        assert_eq!(lost.exact_value() == Some(0.0), turn != "2272=1,1", "{turn}: {lost:?}");
    }
}

/// Searches that are given up take the same work in equivalent positions, and are not repeated.
#[test]
fn recolored_positions_have_the_same_values() {
    let lost = |turn| -> Vec<Option<f64>> {
        let hint = laws::ask(&history("4x7", &[turn]), "adaptive", 1, 5);
        hint.rated.iter().chain(&hint.alternatives).map(|rated| rated.lost.exact_value()).collect()
    };
    assert_eq!(lost("4163=1,1"), lost("1432=1,1"));
}

/// A smaller limit of the exact search gives up this position.
#[test]
fn hints_for_two_hundred_codes_are_optimal() {
    for turns in [["16342=1,3", "52426=1,2"], ["31545=0,3", "61235=0,4"]] {
        let hint = laws::ask(&history("5x6", &turns), "adaptive", 1, 5);
        assert_eq!(hint.rated.and_then(|rated| rated.lost.exact_value()), Some(0.0), "{turns:?}");
    }
}

/// The reason states the criterion by which the strategy chose.
#[test]
fn reasons_match_the_criterion() {
    let turns = history("4x6", &["1122=1,0"]);
    for (strategy, reason) in [
        ("knuth", "no guess compared leaves fewer codes in the worst case"),
        ("irving", "no guess compared leaves smaller parts on average"),
        ("kooi", "no guess compared has more possible answers"),
        ("entropy", "no guess compared is clearly more informative"),
        ("random-consistent", "it fits every turn so far"),
        ("adaptive", "best possible: no guess does better on average"),
    ] {
        let hint = laws::ask(&turns, strategy, 1, 5);
        assert!(hint.why.starts_with(reason) || hint.basis == Basis::Proven, "{strategy}: {}", hint.why);
        assert!(strategy == "random-consistent" || hint.rated.unwrap().rank == 1, "{strategy}");
    }
}

/// A win leaves no code, in hints and in analyses.
#[test]
fn hints_and_analyses_count_the_codes_left_alike() {
    for (rules, turns) in [("4x6", ["1122=1,1", "1344=0,2"]), ("4x6:black-only", ["4412=2", "6461=1"])] {
        let turns = history(rules, &turns);
        let hint = laws::ask(&turns, "adaptive", 1, 3);
        for rated in hint.rated.iter().chain(&hint.alternatives) {
            let mut notes = Notes::from(&turns);
            let secret = Space::new(turns.rules()).iter().find(|code| turns.is_consistent(code)).unwrap();
            notes.push(Turn::against(turns.rules(), &secret, rated.guess.clone()).into()).unwrap();
            let analysis = analyze(&notes, None, &mut Search::new(1)).unwrap();
            assert_eq!(analysis.turns[2].expected, rated.expected_remaining, "{rules} {:?}", rated.guess);
        }
    }
}
