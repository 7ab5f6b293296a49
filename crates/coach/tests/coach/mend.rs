//! Contradictions: smallest conflicts and repairs, compared with exhaustive search.

#[path = "../shared/mistakes.rs"]
mod mistakes;

use std::collections::BTreeMap;

use mistakes::MistakeOutcome;
use pegwise_coach::{Amount, Notes, RepairKind, mend};
use pegwise_game::{Code, History, Rules, Space, Turn, feedback};
use pegwise_solve::{Rng, Search, catalog};

/// The true mistake is among the repairs of a game with one mistake.
#[test]
fn the_true_repair_is_in_the_list() {
    for (text, games) in [
        ("4x6", 60),
        ("5x8", 12),
        ("4x8:no-repeats", 12),
        ("grid:2x2x6", 12),
        ("5x5:black-only", 12),
        ("4x6:higher-lower", 12),
        ("4x5:city-block", 12),
        ("8x12", 1),
        ("10x10", 1),
    ] {
        let rules: Rules = text.parse().unwrap();
        let mut strategy = catalog::strategy("adaptive", &rules).unwrap();
        let mut met = 0;
        for kind in mistakes::KINDS {
            for seed in 0..games {
                let MistakeOutcome::Contradiction(game) = mistakes::game(&rules, &mut *strategy, kind, seed) else {
                    continue;
                };
                let (mended, place) = mistakes::mended(&game);
                // Not all single-peg corrections are examined on boards that cannot be listed.
                let left_out = kind == RepairKind::Peg && !mended.complete;
                assert!(place.is_some() || left_out, "{text} {kind:?} seed {seed}: {mended:?}");
                met += 1;
            }
        }
        assert!(met > 0, "{text}");
    }
}

/// The repairs, their counts and the smallest conflicts equal those of exhaustive search.
#[test]
fn lists_are_those_of_trying_everything() {
    let mut rng = Rng::new(5);
    for text in ["3x3", "3x4:no-repeats", "4x3:black-only", "3x4:higher-lower"] {
        let rules: Rules = text.parse().unwrap();
        let space = Space::new(&rules);
        let mut met = 0;
        for _ in 0..60 {
            let mut notes = Notes::new(rules.clone());
            for _ in 0..4 {
                let (guess, secret) = (rng.code(&rules), rng.code(&rules));
                notes.push(Turn::against(&rules, &secret, guess).into()).unwrap();
            }
            let fitting = |notes: &Notes| space.iter().filter(|code| notes.is_consistent(code)).count() as u128;
            let Some(mended) = mend(&notes, &mut Search::new(1)) else {
                assert!(fitting(&notes) > 0);
                continue;
            };
            met += 1;
            assert_eq!(fitting(&notes), 0);
            assert!(mended.complete || !mended.pairs.is_empty());

            let some = |set: u32| {
                let turns = (0..4).filter(|turn| set >> turn & 1 == 1).map(|turn| notes.notes()[turn].clone());
                let mut some = Notes::new(rules.clone());
                turns.for_each(|turn| some.push(turn).unwrap());
                some
            };
            let never: Vec<u32> = (1..16).filter(|&set| fitting(&some(set)) == 0).collect();
            let fewest = never.iter().map(|set| set.count_ones()).min();
            let smallest = never.iter().filter(|set| Some(set.count_ones()) == fewest);
            let mut expected: Vec<Vec<usize>> =
                smallest.map(|set| (0..4).filter(|turn| set >> turn & 1 == 1).map(|turn| turn + 1).collect()).collect();
            let mut turns = mended.turns.clone();
            expected.sort();
            turns.sort();
            assert_eq!(turns, expected, "{text}");

            let mut found: Vec<(usize, String, Amount)> = Vec::new();
            for (at, note) in notes.notes().iter().enumerate() {
                for kind in mistakes::KINDS {
                    for turn in mistakes::spoiled(&rules, &note.turn().unwrap(), kind) {
                        let mut changed = Notes::new(rules.clone());
                        for (other, note) in notes.notes().iter().enumerate() {
                            let note = if other == at { turn.clone().into() } else { note.clone() };
                            changed.push(note).unwrap();
                        }
                        let leaves = fitting(&changed);
                        if leaves > 0 {
                            found.push((at + 1, turn.notation(&rules).to_string(), Amount::count(leaves)));
                        }
                    }
                }
            }
            let mut repairs: Vec<_> = mended
                .repairs
                .iter()
                // A forgotten answer has no counterpart in the list.
                .filter(|repair| repair.kind != RepairKind::Row)
                .map(|repair| (repair.turn, repair.now.notation(&rules).to_string(), repair.leaves))
                .collect();
            let key = |repair: &(usize, String, Amount)| (repair.0, repair.1.clone());
            found.sort_by_key(key);
            found.dedup();
            repairs.sort_by_key(key);
            repairs.dedup();
            assert_eq!(repairs, found, "{text}");
            assert!(mended.repairs.windows(2).all(|pair| pair[0].likelihood >= pair[1].likelihood));
        }
        assert!(met > 5, "{text}: {met}");
    }
}

#[test]
fn two_mistakes_are_found_where_one_is_not_enough() {
    let rules: Rules = "4x6".parse().unwrap();
    let notes = Notes::parse(&rules, ["1111=2,1", "2222=2,2", "1122=0,4"]).unwrap();
    let mended = mend(&notes, &mut Search::new(1)).unwrap();
    assert!(mended.repairs.is_empty());
    assert_eq!(mended.turns, [[1], [2]]);
    let best = &mended.pairs[0];
    assert_eq!((best.repairs[0].turn, best.repairs[1].turn), (1, 2));
    assert!(best.leaves.is_exact());
}

/// The most common mistake, a black peg seen as white, ranks high; every repair leaves some code.
#[test]
fn several_cells_of_one_answer_are_mended() {
    let rules: Rules = "4x6:per-cell".parse().unwrap();
    let notes = Notes::parse(&rules, ["1234=----", "1256=bb--", "1233=bb--"]).unwrap();
    let mended = mend(&notes, &mut Search::new(1)).expect("a contradiction");
    let found = mended.repairs.iter().find(|repair| repair.now.notation(&rules).to_string() == "1234=bb--");
    let repair = found.unwrap_or_else(|| panic!("{:?}", mended.repairs));
    assert_eq!((repair.turn, repair.kind), (1, RepairKind::Number));
    assert_eq!(repair.words, "turn 1: bb-- instead of ----");
}

#[test]
fn a_misread_peg_is_offered() {
    let rules: Rules = "4x6".parse().unwrap();
    let offered = |turns: &[&str]| {
        let notes = Notes::parse(&rules, turns.iter().copied()).unwrap();
        let mended = mend(&notes, &mut Search::new(1)).unwrap();
        assert!(mended.repairs.iter().all(|repair| repair.leaves.exact().is_some_and(|codes| codes > 0)));
        mended
            .repairs
            .iter()
            .map(|repair| format!("{} {}", repair.turn, repair.now.notation(&rules)))
            .collect::<Vec<_>>()
    };
    // The secret is 3632; the true third answer is 1,2.
    let repairs = offered(&["1122=1,0", "1344=0,1", "3526=0,3", "1462=1,1", "3162=2,1"]);
    assert!(repairs[..3].contains(&"3 3526=1,2".to_owned()), "{repairs:?}");
    let repairs = offered(&["1122=1,1", "1122=2,0"]);
    assert!(
        repairs[..2].contains(&"1 1122=2,0".to_owned()) && repairs[..2].contains(&"2 1122=1,1".to_owned()),
        "{repairs:?}"
    );
}

/// Likelihoods follow Bayes' rule: the probability of the written turn under the model, times the number of codes.
#[test]
fn likelihoods_are_those_of_the_model() {
    let mut rng = Rng::new(9);
    for text in ["3x3", "3x4:no-repeats", "4x3:black-only", "3x3:higher-lower", "grid:2x2x2"] {
        let rules: Rules = text.parse().unwrap();
        let codes: Vec<Code> = Space::new(&rules).iter().collect();
        let mut met = 0;
        for _ in 0..60 {
            let secret = rng.code(&rules);
            let mut turns = [(); 4].map(|()| Turn::against(&rules, &secret, rng.code(&rules)));
            let wrong = rng.index(4);
            let ways = mistakes::spoiled(&rules, &turns[wrong], mistakes::KINDS[rng.index(5)]);
            if !ways.is_empty() {
                turns[wrong] = ways[rng.index(ways.len())].clone();
            }
            let mut history = History::new(rules.clone());
            turns.iter().for_each(|turn| history.push(turn.clone()).unwrap());
            let Some(mended) = mend(&Notes::from(&history), &mut Search::new(1)) else { continue };
            let mut expected: BTreeMap<(usize, String), f64> = BTreeMap::new();
            for (at, written) in turns.iter().enumerate() {
                let others = |code: &&Code| {
                    let fits = |turn: &Turn| feedback(&rules, &turn.guess, code) == turn.feedback;
                    turns.iter().enumerate().all(|(other, turn)| other == at || fits(turn))
                };
                let left: Vec<&Code> = codes.iter().filter(others).collect();
                for guess in &codes {
                    for secret in &left {
                        // Each possible secret determines the true turn.
                        let truth = Turn { guess: guess.clone(), feedback: feedback(&rules, guess, secret) };
                        let mut add = |name: String, only| {
                            let chance = mistakes::chance(&rules, &truth, written, &turns[..at], only);
                            if chance > 0.0 {
                                *expected.entry((at + 1, name)).or_default() += chance;
                            }
                        };
                        add(truth.notation(&rules).to_string(), None);
                        add("row".to_owned(), Some(RepairKind::Row));
                    }
                }
            }
            let all: f64 = expected.values().sum();
            assert_eq!(mended.repairs.len(), expected.len(), "{text}: {turns:?} {expected:?}");
            for repair in &mended.repairs {
                let row = repair.kind == RepairKind::Row;
                let name = if row { "row".to_owned() } else { repair.now.notation(&rules).to_string() };
                let likelihood = expected[&(repair.turn, name)] / all;
                assert!((repair.likelihood - likelihood).abs() < 1e-9, "{text}: {repair:?}, not {likelihood}");
            }
            met += usize::from(!mended.repairs.is_empty());
        }
        assert!(met > 5, "{text}: {met}");
    }
}

/// The true mistake ranks high, as often as the likelihoods predict.
#[test]
fn the_true_repair_comes_early() {
    let rules: Rules = "4x6".parse().unwrap();
    let mut strategy = catalog::strategy("adaptive", &rules).unwrap();
    let (mut games, mut first, mut three, mut promised) = (0, 0, 0, 0.0);
    for seed in 0..600 {
        let MistakeOutcome::Contradiction(game) = mistakes::any_game(&rules, &mut *strategy, seed) else { continue };
        let (mended, place) = mistakes::mended(&game);
        games += 1;
        first += usize::from(place == Some(0));
        three += usize::from(place.is_some_and(|place| place < 3));
        promised += mended.repairs[0].likelihood;
    }
    let share = |count: usize| count as f64 / games as f64;
    assert!(games >= 100 && share(first) >= 0.50 && share(three) >= 0.80, "{first} and {three} of {games}");
    let off = (share(first) - promised / games as f64).abs();
    assert!(off < 0.1, "{first} of {games} were first, and {promised} promised");
}

/// Small conflicts are found on boards that cannot be listed.
#[test]
fn small_sets_are_found_on_large_boards() {
    let rules: Rules = "20x20".parse().unwrap();
    let turns = ["AABBCCDDEEFFGGHHIIJJ=1,10", "ABCDEFGHIJKLMNOPQRST=2,10", "KKLLMMNNOOPPQQRRSSTT=0,10"];
    let mended = mend(&Notes::parse(&rules, turns).unwrap(), &mut Search::new(1)).unwrap();
    assert_eq!(mended.turns, [[1, 3]], "{mended:?}");
    assert!(!mended.repairs.is_empty());
}

#[test]
fn forgotten_parts_are_mended_around() {
    let rules: Rules = "4x6".parse().unwrap();
    let notes = Notes::parse(&rules, ["1122=0,0", "33?4=?,1", "5566=0,0", "3434=0,0"]).unwrap();
    let mended = mend(&notes, &mut Search::new(1)).unwrap();
    assert!(!mended.repairs.is_empty());
    for repair in &mended.repairs {
        assert_ne!(repair.was, repair.now);
        assert!(repair.kind != RepairKind::Number || repair.now.guess == repair.was.guess);
    }
}
