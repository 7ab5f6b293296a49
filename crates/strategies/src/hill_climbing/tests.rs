//! Comparisons with the published tables, with fewer games.

use std::ops::ControlFlow;

use pegwise_game::Rules;

use pegwise_search::{Rng, Search, codemaker::Fixed, play};
use pegwise_solve::catalog;

/// Mean and standard error.
struct Mean {
    mean: f64,
    error: f64,
}

impl Mean {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Self { mean, error: (variance / count).sqrt() }
    }

    /// Returns true if a published mean differs by at most three standard errors.
    fn agrees_with(&self, mean: f64, deviation: f64, games: f64) -> bool {
        let error = self.error.hypot(deviation / games.sqrt());
        (self.mean - mean).abs() <= 3.0 * error
    }
}

/// Returns the mean number of guesses and of examined codes, and the maximum number of guesses.
fn play_games(spec: &str, rules: &str, games: u64) -> (Mean, Mean, f64) {
    let rules: Rules = rules.parse().unwrap();
    let mut strategy = catalog::strategy(spec, &rules).unwrap();
    let (mut guesses, mut examined) = (Vec::new(), Vec::new());
    for seed in 0..games {
        let mut codemaker = Fixed::random(&rules, &mut Rng::new(seed));
        let mut search = Search::new(seed + games);
        let game = play(&rules, &mut *strategy, &mut codemaker, &mut search, |_| ControlFlow::Continue(())).unwrap();
        guesses.push(game.guesses() as f64);
        examined.push(game.counts.examined as f64);
    }
    let max = guesses.iter().copied().fold(0.0, f64::max);
    (Mean::of(&guesses), Mean::of(&examined), max)
}

/// Table 2, with the settings that its rows were run with, and tables 3 and 4 with the tracker.
#[test]
fn temporel_and_kovacs() {
    let rows = [
        ("4x6", "shc(first=1122,tracker=false)", 10_000, (4.621, 0.854), (85.0, 441.4), 1e5),
        ("4x6", "shc(first=1122,tracker=false)", 10_000, (4.623, 0.852), (83.4, 319.0), 1e5),
        ("4x6", "shc(first=1122,colors=random)", 10_000, (4.64, 0.867), (66.6, 86.3), 1e5),
        ("4x6", "shc(first=1122)", 10_000, (4.625, 0.854), (41.9, 50.5), 1e5),
        ("5x8", "shc(first=11223)", 1000, (5.834, 0.934), (480.1, 826.6), 1e3),
        ("6x8", "shc(first=112233)", 200, (6.289, 0.878), (2759.0, 4728.0), 1e3),
    ];
    for (rules, spec, games, guesses, evaluations, printed_games) in rows {
        let (own_guesses, own_evaluations, _) = play_games(spec, rules, games);
        for (own, (mean, deviation), unit) in
            [(own_guesses, guesses, "guesses"), (own_evaluations, evaluations, "codes")]
        {
            assert!(own.agrees_with(mean, deviation, printed_games), "{spec} at {rules}: {} {unit}", own.mean);
        }
    }
}

/// Xu does not state the number of games. The printed decimals suggest 100, 1000 and 100.
#[test]
fn xu_on_three_boards() {
    let rows = [("4x6", 10_000, 4.66, 0.88, 1e2), ("5x8", 1000, 5.988, 0.93, 1e3), ("6x9", 100, 6.73, 0.93, 1e2)];
    for (rules, games, printed, deviation, printed_games) in rows {
        for spec in ["shc-xu", "xu"] {
            let (guesses, _, max) = play_games(spec, rules, games);
            assert!(
                guesses.agrees_with(printed, deviation, printed_games),
                "{spec} at {rules}: {} guesses",
                guesses.mean
            );
            assert!(rules != "4x6" || max <= 9.0, "{max}");
        }
    }
}

#[test]
fn the_tracker_changes_no_guess() {
    for (rules, games) in [("4x6", 300), ("5x8", 20), ("4x7:no-repeats", 100), ("4x4:black-only", 50)] {
        let (with, examined, _) = play_games("shc", rules, games);
        let (without, examined_again, _) = play_games("shc(tracker=false)", rules, games);
        assert_eq!(with.mean, without.mean, "{rules}");
        assert!(examined.mean <= examined_again.mean, "{rules}");
    }
}

#[test]
fn the_proposals_for_further_work_play_as_well() {
    let plain = play_games("shc", "4x6", 2000).0;
    for spec in ["shc(diversity=adaptive)", "shc(flee=true)", "shc(flee=true,colors=random)", "shc(replace=equal)"] {
        let (guesses, ..) = play_games(spec, "4x6", 2000);
        assert!((guesses.mean - plain.mean).abs() < 0.1, "{spec}: {}", guesses.mean);
    }
}

/// Boards too large for climbing are solved, too.
#[test]
fn large_boards_are_solved() {
    for (spec, rules) in [("xu", "15x15"), ("shifting(counting=true)", "15x15"), ("shc", "8x10")] {
        let (guesses, ..) = play_games(spec, rules, 1);
        assert!(guesses.mean < 15.0 * 14.0 + 2.0, "{spec}");
    }
}
