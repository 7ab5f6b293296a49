//! The strategies against van Oijen's tables, at 4x6.

use std::ops::ControlFlow;

use pegwise_game::Rules;

use crate::{Counts, Limits, Rng, Search, catalog, codemaker::Fixed, play};

/// What was published of 200 games: means, with their standard deviations.
struct Published {
    strategy: &'static str,
    guesses: (f64, f64),
    /// Where the text fixes the counting.
    examined: Option<(f64, f64)>,
    consistent: (f64, f64),
}

const TABLES: [Published; 4] = [
    Published { strategy: "berghman", guesses: (4.56, 0.85), examined: None, consistent: (247.21, 64.99) },
    Published {
        strategy: "family-competition(population=75,generations=50)",
        guesses: (4.58, 0.99),
        examined: Some((16_596.76, 8_442.16)),
        consistent: (72.27, 21.44),
    },
    Published {
        strategy: "genetic-local-search",
        guesses: (4.72, 0.94),
        examined: Some((1_044.61, 283.76)),
        consistent: (91.23, 25.00),
    },
    Published {
        strategy: "multi-start-local-search",
        guesses: (4.64, 0.97),
        examined: Some((1_056.27, 293.14)),
        consistent: (335.58, 99.77),
    },
];

fn played(strategy: &str, rules: &str, games: u64) -> Vec<(usize, Counts)> {
    let rules: Rules = rules.parse().unwrap();
    let mut strategy = catalog::strategy(strategy, &rules).unwrap();
    let game = |number: u64| {
        let secret = Rng::new(number).code(&rules);
        let mut search = Search::new(number + 1_000);
        let mut codemaker = Fixed::new(&rules, secret).unwrap();
        let game = play(&rules, &mut *strategy, &mut codemaker, &mut search, |_| ControlFlow::Continue(())).unwrap();
        (game.turns.len(), game.counts)
    };
    (0..games).map(game).collect()
}

/// Means within three standard errors of the difference, and counts within fifteen percent beyond that.
#[test]
fn published_means_come_out() {
    const GAMES: u64 = 100;
    for published in TABLES {
        let games = played(published.strategy, "4x6", GAMES);
        let check = |what: &str, (mean, sd): (f64, f64), slack: f64, of: fn(&(usize, Counts)) -> f64| {
            let ours = games.iter().map(of).sum::<f64>() / GAMES as f64;
            let luck = 3.0 * sd * (1.0 / 200.0 + 1.0 / GAMES as f64).sqrt();
            assert!((ours - mean).abs() < luck + slack * mean, "{} {what}: {ours}", published.strategy);
        };
        check("guesses", published.guesses, 0.0, |game| game.0 as f64);
        if let Some(examined) = published.examined {
            check("examined", examined, 0.15, |game| game.1.examined as f64);
        }
        check("consistent", published.consistent, 0.15, |game| game.1.consistent as f64);
    }
}

/// The populations whose games never ended when they were published come back within their limit.
#[test]
fn family_competition_ends_where_it_did_not() {
    let rules: Rules = "8x12".parse().unwrap();
    let secret = Rng::new(5).code(&rules);
    let limits = Limits { examined: Some(20_000), ..Limits::default() };
    for spec in ["family-competition(population=75,generations=50)", "family-competition"] {
        let mut strategy = catalog::strategy(spec, &rules).unwrap();
        let mut search = Search::new(1).with_limits(limits);
        let mut codemaker = Fixed::new(&rules, secret.clone()).unwrap();
        let mut turns = 0;
        let enough = |_: &_| {
            turns += 1;
            if turns < 12 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let game = play(&rules, &mut *strategy, &mut codemaker, &mut search, enough).unwrap();
        let most = 20_000 * game.turns.len() as u64;
        assert!(game.counts.examined <= most, "{spec}: {:?}", game.counts);
    }
}

/// Any board, feedback and repeat rule: the codes stay valid and the games end.
#[test]
fn any_rules_are_played() {
    for row in super::ROWS {
        for rules in ["3x6:no-repeats", "grid:2x3x3", "4x4:black-only", "3x5:distance", "7x2"] {
            assert!(played(row.name, rules, 2).iter().all(|game| game.0 < 40), "{} at {rules}", row.name);
        }
    }
}
