//! Games of all evolutionary strategies.

use std::ops::ControlFlow;

use pegwise_game::{Code, Rules};

use super::opening;
use pegwise_search::{Game, Limits, Rng, Search, codemaker::Fixed, play};
use pegwise_solve::catalog;

fn game(strategy: &str, rules: &Rules, secret: &Code, search: &mut Search<'_>, max_guesses: usize) -> Game {
    let mut strategy = catalog::strategy(strategy, rules).unwrap();
    let mut codemaker = Fixed::new(rules, secret.clone()).unwrap();
    let mut turns = 0;
    let turn = |_: &_| {
        turns += 1;
        if turns < max_guesses { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    play(rules, &mut *strategy, &mut codemaker, search, turn).unwrap()
}

#[test]
fn games_are_those_of_the_seed() {
    let rows = include_str!("../../tests/golden/evolutionary.txt").lines().filter(|line| !line.starts_with('#'));
    for row in rows {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let [strategy, rules, seed, guesses, examined, scored] = fields[..] else { panic!("{row}") };
        let rules: Rules = rules.parse().unwrap();
        let secret = rules.parse_code(guesses.split(' ').next_back().unwrap()).unwrap();
        let game = game(strategy, &rules, &secret, &mut Search::new(seed.parse().unwrap()), 100);
        let played: Vec<String> =
            game.turns.iter().map(|turn| turn.guess.notation(rules.colors()).to_string()).collect();
        assert_eq!(played.join(" "), guesses, "{row}");
        let counts = (game.counts.examined.to_string(), game.counts.scored.to_string());
        assert_eq!(counts, (examined.to_owned(), scored.to_owned()), "{row}");
    }
}

/// The thesis reports that these populations never finished at 8x12.
#[test]
fn family_competition_respects_its_limit() {
    let rules: Rules = "8x12".parse().unwrap();
    let secret = Rng::new(5).code(&rules);
    let limits = Limits { examined: Some(20_000), ..Limits::default() };
    for spec in ["family-competition(population=75,generations=50)", "family-competition"] {
        let game = game(spec, &rules, &secret, &mut Search::new(1).with_limits(limits), 12);
        assert!(game.counts.examined <= 20_000 * game.turns.len() as u64, "{spec}: {:?}", game.counts);
    }
}

#[test]
fn openings_are_valid_for_all_rules() {
    for (rules, code) in [
        ("1x1", "1"),
        ("1x6", "1"),
        ("2x6", "12"),
        ("3x6", "112"),
        ("8x12", "AABBCCDE"),
        ("6x2", "112212"),
        ("4x1", "1111"),
        ("4x4:no-repeats", "1234"),
        ("grid:2x2x6", "1123"),
    ] {
        let rules: Rules = rules.parse().unwrap();
        assert_eq!(opening(&rules).notation(rules.colors()).to_string(), code, "{rules}");
        rules.check_code(&opening(&rules)).unwrap();
    }
}
