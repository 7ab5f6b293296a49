use pegwise_game::{Rules, Space, Turn};

use super::{super::testing::played, *};

fn sample(history: &History, effort: Effort, seed: u64) -> TemperingSample {
    let mut search = Search::new(seed);
    let start = search.rng.code(history.rules());
    super::sample(history, &start, effort, &mut search)
}

#[test]
fn every_consistent_code_of_a_small_space_is_found() {
    let boards = "4x6 5x5 4x6:no-repeats 4x4:no-repeats 5x5:black-only 4x6:higher-lower 4x5:distance \
        4x5:city-block grid:2x3x4 triangle:3x3 ring:5x4 1x6 6x1 4x4:lies=1 5x3:lies=2 grid:2x2x3:lies=1 \
        4x4:distance:lies=1";
    for text in boards.split(' ') {
        let rules: Rules = text.parse().unwrap();
        for seed in 0..4 {
            let history = played(&rules, 3, seed).1;
            let all: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
            let found = sample(&history, Effort { codes: 100_000, moves: 400_000 }, seed);
            assert!(found.codes.iter().all(|code| history.is_consistent(code)), "{text}");
            // A code that needs many simultaneous changes may be missed.
            assert!(found.codes.len() * 20 >= all.len() * 19, "{text}: {} of {}", found.codes.len(), all.len());
        }
    }
}

/// The total variation distance from the uniform distribution stays near that of a uniform sample of the same size.
#[test]
fn samples_are_nearly_uniform() {
    let rules: Rules = "4x6".parse().unwrap();
    let history = played(&rules, 2, 5).1;
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
    // Expected distance of a uniform sample.
    let expected = (2.0 * even / std::f64::consts::PI).sqrt() / even / 2.0;
    assert!(apart < 2.0 * expected + 0.02, "{apart} of {} codes, and {expected} is expected", all.len());
}

#[test]
fn same_seed_same_codes() {
    let history = played(&"10x10".parse().unwrap(), 6, 1).1;
    let effort = Effort { codes: 30, moves: 200_000 };
    assert_eq!(sample(&history, effort, 3), sample(&history, effort, 3));
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(alone.install(|| sample(&history, effort, 3)), sample(&history, effort, 3));
}

#[test]
fn limits_hold() {
    let history = played(&"20x20".parse().unwrap(), 25, 1).1;
    let mut search = Search::new(1)
        .with_limits(pegwise_search::Limits { examined: Some(1000), ..pegwise_search::Limits::default() });
    let start = search.rng.code(history.rules());
    super::sample(&history, &start, Effort { codes: 10, moves: 1 << 40 }, &mut search);
    assert!(search.counts().examined <= 1000 + 100, "{}", search.counts().examined);
}

/// On a small board all color counts can be listed, as codes with sorted colors.
#[test]
fn all_color_counts_are_found() {
    let rules: Rules = "6x5".parse().unwrap();
    for seed in 0..4 {
        let history = played(&rules, 4, seed).1;
        let pegs_fit = |code: &Code| {
            history.turns().iter().all(|turn| {
                let answer = pegwise_game::feedback(&rules, &turn.guess, code);
                answer.marks()[0].pegs() == turn.feedback.marks()[0].pegs()
            })
        };
        let in_order = |code: &Code| code.windows(2).all(|pair| pair[0] <= pair[1]);
        let all: Vec<Code> = Space::new(&rules).iter().filter(|code| in_order(code) && pegs_fit(code)).collect();
        let mut search = Search::new(seed);
        let mut sampler = TemperingSampler::of_counts(&rules, TemperingConfig::of_counts(&rules), &mut search.rng);
        let effort = Effort { codes: 100_000, moves: 400_000 };
        let found = sampler.sample(&history, effort, Watch::default(), &mut search);
        assert_eq!(found.codes, all, "seed {seed}");
        assert!(found.complete);
    }
}

/// Fixed color counts do not change, even if marks exclude colors from cells.
#[test]
fn fixed_colors_stay() {
    let rules: Rules = "8x6".parse().unwrap();
    let secret = Rng::new(7).code(&rules);
    let mut history = History::new(rules.clone());
    let (mut search, effort) = (Search::new(1), Effort { codes: 50, moves: 100_000 });
    let mut sampler = TemperingSampler::new(&rules, TemperingConfig::new(&rules), &mut search.rng);
    sampler.fix_colors(&secret);
    for turn in 0..5 {
        history.push(Turn::against(&rules, &secret, Rng::new(turn).code(&rules))).unwrap();
        let found = sampler.sample(&history, effort, Watch::default(), &mut search);
        assert!(!found.codes.is_empty());
        for code in found.codes {
            assert!(history.is_consistent(&code));
            assert_eq!(counts_of(&rules, &code), counts_of(&rules, &secret));
        }
    }
}

#[test]
fn inconsistent_color_counts_are_repaired() {
    let rules: Rules = "8x6".parse().unwrap();
    let history = played(&rules, 3, 2).1;
    let mut search = Search::new(1);
    let mut counting = TemperingSampler::of_counts(&rules, TemperingConfig::of_counts(&rules), &mut search.rng);
    let effort = Effort { codes: 20, moves: 100_000 };
    let counts = counting.sample(&history, effort, Watch::default(), &mut search).codes;
    let mut sampler = TemperingSampler::new(&rules, TemperingConfig::new(&rules), &mut search.rng);
    sampler.repair_colors(&history, &counts);
    for code in sampler.replica_sets.iter().flat_map(|(codes, _)| codes) {
        for turn in history.turns() {
            let shown = counts_of(&rules, &turn.guess);
            assert_eq!(common_pegs(&counts_of(&rules, code), &shown), turn.feedback.marks()[0].sums()[1] as i32);
        }
    }
}

/// A sampler that resumes after a turn needs fewer moves than new ones.
#[test]
fn replicas_resume_from_turn_to_turn() {
    let rules: Rules = "16x16".parse().unwrap();
    let long = played(&rules, 9, 4).1;
    let mut history = History::new(rules.clone());
    let (mut search, effort) = (Search::new(1), Effort { codes: 1, moves: 100_000_000 });
    let mut sampler = TemperingSampler::new(&rules, TemperingConfig::new(&rules), &mut search.rng);
    let mut last = 0;
    for turn in long.turns() {
        history.push(turn.clone()).unwrap();
        let before = search.counts().examined;
        let found = sampler.sample(&history, effort, Watch::default(), &mut search);
        assert!(found.codes.iter().all(|code| history.is_consistent(code)) && !found.codes.is_empty());
        last = search.counts().examined - before;
    }
    let fresh: u64 = (0..3)
        .map(|seed| {
            let mut search = Search::new(seed);
            TemperingSampler::new(&rules, TemperingConfig::new(&rules), &mut search.rng).sample(
                &history,
                effort,
                Watch::default(),
                &mut search,
            );
            search.counts().examined
        })
        .sum();
    assert!(last < fresh, "{last} moves, and {fresh} of three new samplers");
}
