//! What annealing finds, against what there is.

use pegwise_game::{Rules, Space, Turn};

use super::*;

fn played(rules: &Rules, turns: usize, seed: u64) -> History {
    let mut rng = Rng::new(seed);
    let (secret, mut history) = (rng.code(rules), History::new(rules.clone()));
    for _ in 0..turns {
        let guess = rng.code(rules);
        let feedback = pegwise_game::feedback(rules, &guess, &secret);
        history.push(Turn { guess, feedback }).unwrap();
    }
    history
}

fn sample(history: &History, effort: Effort, seed: u64) -> Found {
    let mut search = Search::new(seed);
    let start = search.rng.code(history.rules());
    Annealer::new(history).sample(&start, effort, &mut search)
}

#[test]
fn every_consistent_code_of_a_small_space_is_found() {
    let boards = [
        "4x6",
        "5x5",
        "4x6:no-repeats",
        "4x4:no-repeats",
        "5x5:black-only",
        "4x6:higher-lower",
        "4x5:distance",
        "4x5:city-block",
        "grid:2x3x4",
        "triangle:3x3",
        "ring:5x4",
        "1x6",
        "6x1",
    ];
    for text in boards {
        let rules: Rules = text.parse().unwrap();
        for seed in 0..4 {
            let history = played(&rules, 3, seed);
            let all: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
            let found = sample(&history, Effort { codes: 100_000, moves: 400_000 }, seed);
            assert!(found.codes.iter().all(|code| history.is_consistent(code)), "{text}");
            // A code that needs many cells to change at once may be missed now and then.
            assert!(found.codes.len() * 20 >= all.len() * 19, "{text}: {} of {}", found.codes.len(), all.len());
        }
    }
}

/// How often each code is found first, over many runs, against an even spread: the total variation distance between the two
/// stays near what an even sample of this size would show.
#[test]
fn samples_are_nearly_uniform() {
    let rules: Rules = "4x6".parse().unwrap();
    let history = played(&rules, 2, 5);
    let all: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
    let mut seen = vec![0u32; all.len()];
    let (runs, per_run) = (400, 8);
    for seed in 0..runs {
        for code in sample(&history, Effort { codes: per_run, moves: 1_000_000 }, seed).codes {
            seen[all.binary_search(&code).unwrap()] += 1;
        }
    }
    let total: u32 = seen.iter().sum();
    let even = f64::from(total) / all.len() as f64;
    let apart: f64 = seen.iter().map(|&count| (f64::from(count) - even).abs()).sum::<f64>() / 2.0 / f64::from(total);
    // A sample drawn evenly is about this far from even itself.
    let expected = (2.0 * even / std::f64::consts::PI).sqrt() / even / 2.0;
    assert!(apart < 2.0 * expected + 0.02, "{apart} of {} codes, and {expected} is expected", all.len());
}

#[test]
fn same_seed_same_codes() {
    let history = played(&"10x10".parse().unwrap(), 6, 1);
    let effort = Effort { codes: 30, moves: 200_000 };
    assert_eq!(sample(&history, effort, 3), sample(&history, effort, 3));
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(alone.install(|| sample(&history, effort, 3)), sample(&history, effort, 3));
}

#[test]
fn limits_hold() {
    let history = played(&"20x20".parse().unwrap(), 25, 1);
    let mut search = Search::new(1).with_limits(crate::Limits { examined: Some(1000), ..crate::Limits::default() });
    let start = search.rng.code(history.rules());
    Annealer::new(&history).sample(&start, Effort { codes: 10, moves: 1 << 40 }, &mut search);
    assert!(search.counts().examined <= 1000 + CHAINS);
}
