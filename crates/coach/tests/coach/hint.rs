//! Hints from any position, with and without forgotten parts, their JSON, and the example of the crate.

#[path = "../../examples/ask_the_coach.rs"]
mod ask_the_coach;

use pegwise_coach::{
    Amount, Hint, HintError, Magnitude as _, Mode, Note, Notes, RepairKind, Uncertain, hint, remaining,
};
use pegwise_game::{Rules, Space, Turn, feedback};
use pegwise_solve::{Basis, Rng, Search, catalog};
use proptest::prelude::*;

fn asked(notes: &Notes, strategy: &str) -> Result<Hint, HintError> {
    let mut search = Search::new(1);
    search.alternatives = 3;
    hint(notes, &mut *catalog::strategy(strategy, notes.rules()).unwrap(), &mut search)
}

/// Returns notes with some parts forgotten; the secret is consistent with them.
fn forgetful(rules: &Rules, turns: usize, rng: &mut Rng) -> Notes {
    let secret = rng.code(rules);
    let mut notes = Notes::new(rules.clone());
    for _ in 0..turns {
        let note = Note::from(Turn::against(rules, &secret, rng.code(rules)));
        let mut forget = |chance: u64| rng.below(100) < chance;
        let pegs: Vec<_> = note.guess.iter().map(|peg| peg.filter(|_| !forget(20))).collect();
        let marks = note.feedback.iter().map(|mark| mark.numbers().to_vec()).collect::<Vec<_>>();
        let marks: Vec<Vec<_>> = marks
            .into_iter()
            .map(|mark| mark.into_iter().map(|number| number.filter(|_| !forget(30))).collect())
            .collect();
        notes.push(Note::new(rules, pegs, marks).unwrap()).unwrap();
    }
    assert!(notes.is_consistent(&secret));
    notes
}

#[test]
fn hints_around_forgotten_parts_count_as_the_definition_does() {
    let mut rng = Rng::new(3);
    for text in [
        "4x4", "3x5:no-repeats", "4x3:black-only", "4x3:color-only", "4x3:per-cell", "3x4:higher-lower",
        "3x4:distance", "grid:2x2x3", "ring:4x3",
    ] {
        let rules: Rules = text.parse().unwrap();
        for _ in 0..6 {
            let notes = forgetful(&rules, 2, &mut rng);
            let consistent = Space::new(&rules).iter().filter(|code| notes.is_consistent(code)).count();
            let count = Amount::count(if notes.is_solved() { 0 } else { consistent as u128 });
            assert_eq!(remaining(&notes, &mut Search::new(1)), count, "{text}");
            for strategy in ["adaptive", "knuth", "random-consistent"] {
                match asked(&notes, strategy) {
                    Ok(hint) => {
                        assert!(rules.check_code(&hint.guess).is_ok());
                        assert_eq!(hint.remaining, count, "{text} {strategy}");
                        assert!(!hint.why.is_empty());
                    }
                    Err(error) => assert!(matches!(error, HintError::Solved), "{text} {strategy}: {error}"),
                }
            }
        }
    }
}

/// An additional empty note makes the notes partial without changing the position.
#[test]
fn strategies_that_look_at_positions_play_on() {
    let rules: Rules = "4x6".parse().unwrap();
    for turns in [&["1122=1,0", "1344=0,1"][..], &["1234=1,1", "5623=0,2"], &["1122=2,0", "1345=1,1"]] {
        for strategy in ["knuth", "entropy", "irving", "most-parts"] {
            let whole = asked(&Notes::parse(&rules, turns.iter().copied()).unwrap(), strategy).unwrap();
            let with = Notes::parse(&rules, turns.iter().copied().chain(["????=?"])).unwrap();
            let hint = asked(&with, strategy).unwrap();
            assert_eq!((&hint.guess, hint.remaining), (&whole.guess, whole.remaining), "{strategy} {turns:?}");
        }
    }
}

#[test]
fn large_boards_take_forgotten_parts_too() {
    for (rules, turns) in [
        ("8x12", &["AABBCCDD=1,2", "ABEFGH?I=2,?", "ACEFKLAB=?,2"][..]),
        ("10x10", &["AABBCCDDEE=?,5", "?FFGBBHHCI=1,5"]),
        ("grid:4x4x6", &["1122334455661122=1,1/1,1/?/?/1,0/?/1,1/?,1"]),
        ("20x20:black-only", &["AABBCCDDEEFFGGHHII?J=2"]),
    ] {
        let rules: Rules = rules.parse().unwrap();
        let notes = Notes::parse(&rules, turns.iter().copied()).unwrap();
        let hint = asked(&notes, "adaptive").unwrap();
        assert!(rules.check_code(&hint.guess).is_ok(), "{rules}");
        assert!(matches!(hint.basis, Basis::BestEffort(_) | Basis::Scored), "{rules}: {}", hint.basis);
    }
}

#[test]
fn ends_of_games_are_reported() {
    let rules: Rules = "4x6".parse().unwrap();
    let error = |turns: &[&str]| asked(&Notes::parse(&rules, turns.iter().copied()).unwrap(), "adaptive").unwrap_err();
    assert_eq!(error(&["1122=4,0"]), HintError::Solved);
    assert_eq!(error(&["11?2=2,0", "3456=4,0"]).to_string(), "no code fits: turns 1 and 2 cannot both be true");
    assert!(matches!(error(&["3456=1,1", "1122=4,0"]), HintError::Contradiction(_)));
    let only = asked(&Notes::parse(&rules, ["1122=1,0", "1344=0,1", "3526=1,2", "1462=1,1"]).unwrap(), "adaptive");
    assert_eq!(only.unwrap().why, "the only code left");
}

#[test]
fn question_marks_stand_wherever_something_is_forgotten() {
    for (rules, text, printed) in [
        ("4x6", "11?2=1,?", "11?2=1,?"),
        ("4x6", "1 1 ? 2 = ?,1", "11?2=?,1"),
        ("4x6", "1122=?", "1122=?"),
        ("4x6", "????=?,?", "????=?"),
        ("4x10", "A?bc=0,2", "A?BC=0,2"),
        ("3x40", "1,?,33=1,0", "1,?,33=1,0"),
        ("1x12", "?=0,0", "?=0,0"),
        ("grid:2x2x3", "1?23=1,0/?/?,1/0,?", "1?23=1,0/?/?,1/0,?"),
        ("grid:2x2x3", "1123=1,0,?,?,0,?,0,0", "1123=1,0/?/0,?/0,0"),
        ("grid:2x2x3", "1123=?", "1123=?/?/?/?"),
        ("3x5:higher-lower", "123=?,1,?", "123=?,1,?"),
        ("4x6:distance", "1?34=?", "1?34=?"),
    ] {
        let rules: Rules = rules.parse().unwrap();
        assert_eq!(Note::parse(&rules, text).unwrap().notation(&rules).to_string(), printed);
    }
    for (rules, text, wrong) in [
        ("4x6", "11?2", "is not a turn"),
        ("4x6", "11?=1,?", "it has 3 cells"),
        ("4x6", "11?7=1,?", "'7' is not a color"),
        ("4x6", "11?2=5,?", "5 pegs on a line of 4"),
        ("4x6", "11?2=x,?", "'x' is not a number"),
        ("4x6", "11?2=?,?,?", "3 were given"),
        ("1x6", "?=?,1", "is impossible"),
        ("4x10", "12?4=1,?", "write letters"),
        ("4x10:no-repeats", "A?A?=1,?", "appears twice"),
        ("3x5:higher-lower", "123=2,2,?", "4 pegs on a line of 3"),
        ("grid:2x2x3", "1123=?/?", "has 2 marks"),
    ] {
        let error = Note::parse(&rules.parse().unwrap(), text).unwrap_err().to_string();
        assert!(error.contains(wrong), "{text}: {error}");
    }
}

fn hinted(rules: &str, turns: &[&str]) -> Result<Hint, HintError> {
    asked(&Notes::parse(&rules.parse().unwrap(), turns.iter().copied()).unwrap(), "adaptive")
}

/// Numbers from a sample are never reported as exact.
#[test]
fn numbers_are_exact_or_say_that_they_are_not() {
    // Of all 160,000 codes, not of a sample of 40,000.
    let rules: Rules = "4x20".parse().unwrap();
    let hint = hinted("4x20", &[]).unwrap();
    let rated = hint.rated.as_ref().unwrap();
    let mut parts = std::collections::HashMap::<_, u64>::new();
    for code in Space::new(&rules).iter() {
        *parts.entry(feedback(&rules, &hint.guess, &code)).or_default() += 1;
    }
    // The winning answer leaves no code.
    let left = (parts.values().map(|size| size * size).sum::<u64>() - 1) as f64 / 160_000.0;
    assert!(
        rated.expected_remaining.exact_value().is_some_and(|known| (known - left).abs() < 1e-6),
        "{rated:?} {left}"
    );
    // No two codes of a sample give the same answer on this board, so there is no estimate.
    let rated = hinted("grid:4x4x6", &[]).unwrap().rated.unwrap();
    assert!(!rated.expected_remaining.is_exact() && rated.expected_remaining.value() != Some(1.0), "{rated:?}");
}

/// Guesses with overlapping intervals rank equally, and the alternatives are sorted by rank.
#[test]
fn ranks_follow_the_numbers() {
    let hint = hinted("20x20", &[]).unwrap();
    let rated: Vec<_> = hint.rated.iter().chain(&hint.alternatives).collect();
    for one in &rated {
        let better = rated.iter().filter(|other| one.score.is_below(other.score)).count();
        assert_eq!(one.rank, 1 + better, "{rated:?}");
    }
    let ranks: Vec<usize> = hint.alternatives.iter().map(|rated| rated.rank).collect();
    assert!(ranks.is_sorted(), "{ranks:?}");
}

/// The same guess with two answers, on boards that cannot be listed.
#[test]
fn obvious_contradictions_are_reported_on_any_board() {
    for (rules, guess, answers) in [
        ("8x8", "11223344", ["1,3", "2,3"]),
        ("20x20", "AABBCCDDEEFFGGHHIIJJ", ["1,10", "2,10"]),
        ("40x30", "1,1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2,2,3,3,3,3,3,3,3,3,3,3,4,4,4,4,4,4,4,4,4,4", ["1,3", "2,3"]),
    ] {
        let turns = answers.map(|answer| format!("{guess}={answer}"));
        let error = hinted(rules, &[&turns[0], &turns[1]]).unwrap_err();
        let HintError::Contradiction(contradiction) = error else { panic!("{rules}: {error}") };
        assert_eq!(contradiction.turns, [[1, 2]], "{rules}");
    }
}

/// With few codes left the loss is exact.
#[test]
fn guesses_lost_are_exact_with_few_codes() {
    let hint = hinted("4x6", &["1122=1,1", "1344=0,2"]).unwrap();
    let rated = hint.rated.as_ref().unwrap();
    assert!(rated.lost.is_exact() && hint.alternatives.iter().all(|other| other.lost.is_exact()), "{hint:?}");
    let lost: Vec<f64> = hint.alternatives.iter().filter_map(|other| other.lost.exact_value()).collect();
    assert!(lost.is_sorted() && lost.iter().all(|&lost| lost >= 0.0), "{lost:?}");
    assert_eq!(hinted("4x6", &["1122=1,0", "1344=0,1", "3526=1,2"]).unwrap().possible.len(), 7);
    assert!(matches!(hint.remaining, Uncertain::Exact(size) if size.to_f64() == 37.0));
}

const RULES: [&str; 9] = [
    "4x6", "4x10:no-repeats", "3x40", "1x12", "grid:2x2x3", "4x6:distance", "3x5:higher-lower", "20x20:black-only",
    "1x1",
];

#[test]
fn hints_come_back() {
    let rules: Rules = "4x6".parse().unwrap();
    let notes = Notes::parse(&rules, ["1122=1,1", "13?4=0,2"]).unwrap();
    let mut search = Search::new(1);
    search.alternatives = 2;
    let hint = hint(&notes, &mut *catalog::strategy("adaptive", &rules).unwrap(), &mut search).unwrap();
    assert_eq!(hint.alternatives.len(), 2);
    let json = serde_json::to_string(&hint).unwrap();
    assert_eq!(serde_json::from_str::<Hint>(&json).unwrap(), hint, "{json}");
}

#[test]
fn words_come_back() {
    for mode in Mode::ALL {
        let json = serde_json::to_string(&mode).unwrap();
        assert_eq!(serde_json::from_str::<Mode>(&json).unwrap(), mode, "{json}");
    }
    for kind in [RepairKind::Misread, RepairKind::Number, RepairKind::Swapped, RepairKind::Neighbors, RepairKind::Peg] {
        let json = serde_json::to_string(&kind).unwrap();
        assert_eq!(serde_json::from_str::<RepairKind>(&json).unwrap(), kind, "{json}");
    }
}

#[test]
fn ask_the_coach_is_right() {
    ask_the_coach::main();
}

proptest! {
    #[test]
    fn notes_print_back_to_themselves(rules in prop::sample::select(RULES.to_vec()), seed: u64) {
        let rules: Rules = rules.parse().unwrap();
        let notes = forgetful(&rules, 2, &mut Rng::new(seed));
        for note in notes.notes() {
            let text = note.notation(&rules).to_string();
            prop_assert_eq!(Note::parse(&rules, &text), Ok(note.clone()), "{}", text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(rules in prop::sample::select(RULES.to_vec()), text in "[0-9A-Ta-t?,=/ é.-]{0,24}") {
        let rules: Rules = rules.parse().unwrap();
        if let Ok(note) = Note::parse(&rules, &text) {
            let printed = note.notation(&rules).to_string();
            prop_assert_eq!(Note::parse(&rules, &printed), Ok(note), "{}", printed);
        }
    }
}
