//! Law: the guess chosen is the one that a plain scan of all codes would choose.

use std::collections::BTreeMap;

use pegwise_game::{Code, Feedback, History, Rules, Space, Table, Turn, feedback};

use super::{CostFunction, Criterion, Guesses, OneStepSolver, Ties};
use crate::{rng::Rng, strategy::Position};

const CRITERIA: [(Criterion, u64); 6] = [
    (Criterion::WorstCase, 0),
    (Criterion::ExpectedSize, 0),
    (Criterion::Entropy, 0),
    (Criterion::Entropy, 2),
    (Criterion::Entropy, 9),
    (Criterion::MostParts, 0),
];

/// What is left after some random guesses, and those guesses.
fn random_position(rules: &Rules, rng: &mut Rng, turns: usize) -> (Vec<Code>, Vec<Code>) {
    let secret = rng.code(rules);
    let mut history = History::new(rules.clone());
    for guess in (0..turns).map(|_| rng.code(rules)) {
        history.push(Turn { feedback: feedback(rules, &guess, &secret), guess }).unwrap();
    }
    let guesses = history.turns().iter().map(|turn| turn.guess.clone()).collect();
    (Space::new(rules).iter().filter(|code| history.is_consistent(code)).collect(), guesses)
}

/// The sizes of the parts that every code of the rules makes of these codes.
fn all_sizes(rules: &Rules, codes: &[Code]) -> Vec<(Code, Vec<u32>)> {
    let sizes = |guess: &Code| {
        let mut parts: BTreeMap<Feedback, u32> = BTreeMap::new();
        codes.iter().for_each(|code| *parts.entry(feedback(rules, guess, code)).or_default() += 1);
        parts.into_values().collect()
    };
    Space::new(rules).iter().map(|guess| (guess.clone(), sizes(&guess))).collect()
}

#[test]
fn a_plain_scan_chooses_the_same() {
    for (text, positions) in [
        ("3x5", 12),
        ("4x4", 8),
        ("3x7", 8),
        ("4x5:no-repeats", 8),
        ("3x5:black-only", 8),
        ("3x4:higher-lower", 8),
        ("3x5:city-block", 8),
        ("3x4:distance", 8),
        ("grid:2x2x3", 8),
    ] {
        let rules: Rules = text.parse().unwrap();
        let mut rng = Rng::new(7);
        for turns in (0..positions).map(|position| position % 4) {
            let (codes, guesses) = random_position(&rules, &mut rng, turns);
            let table = Table::from_codes(&rules, &codes).unwrap();
            let sizes = all_sizes(&rules, &codes);
            for (criterion, bonus) in CRITERIA {
                let mut pricing = CostFunction::new(criterion, bonus);
                pricing.prepare(codes.len());
                for (pool, ties) in [Guesses::All, Guesses::Consistent]
                    .iter()
                    .flat_map(|&pool| [Ties::Lowest, Ties::ConsistentLowest, Ties::Random].map(|ties| (pool, ties)))
                {
                    let mut chooser = OneStepSolver::new(&rules, pricing.clone(), pool, ties);
                    let chosen = chooser.choose(Position { codes: &table, guesses: &guesses }, &mut rng);
                    // The only code left is played, whatever others cost.
                    let mut only = sizes.clone();
                    only.retain(|(guess, _)| {
                        (pool == Guesses::All && codes.len() > 1) || codes.binary_search(guess).is_ok()
                    });
                    let price = |(guess, sizes): (Code, Vec<u32>)| {
                        let consistent = codes.binary_search(&guess).is_ok();
                        let bits = if consistent { bonus } else { 0 } as i64 * super::Logarithms::ONE as i64;
                        let first = ties == Ties::ConsistentLowest && !consistent;
                        (pricing.cost(&sizes) as i64 - bits, first, guess)
                    };
                    let priced: Vec<_> = only.into_iter().map(price).collect();
                    let best = priced.iter().min().unwrap();
                    let context = format!("{text} {criterion:?} {bonus} {pool:?} {ties:?} after {guesses:?}");
                    if ties == Ties::Random {
                        let as_good = |other: &&(i64, bool, Code)| other.0 == best.0 && other.2 == chosen;
                        assert!(priced.iter().any(|other| as_good(&other)), "{context}: {chosen:?}");
                    } else {
                        assert_eq!(chosen, best.2, "{context}");
                    }
                }
            }
        }
    }
}
