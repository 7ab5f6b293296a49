//! The laws every strategy of the catalog obeys.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use pegwise_game::{Code, History, Rules, Space, Turn};
use pegwise_solve::{
    Basis, Limits, Rng, Search, Strategy, StrategyError,
    catalog::{self, CatalogError, Row},
    codemaker::Fixed,
    play,
};

const SMALL: [&str; 14] = [
    "1x1",
    "1x6",
    "5x1",
    "2x4",
    "3x3",
    "3x4:no-repeats",
    "4x4:no-repeats",
    "3x3:black-only",
    "3x3:color-only",
    "3x3:per-cell",
    "3x3:higher-lower",
    "2x5:distance",
    "grid:2x2x2",
    "triangle:2x3",
];

/// Every strategy with every small game it can play.
fn playable() -> impl Iterator<Item = (&'static Row, Rules)> {
    catalog::rows().iter().flat_map(|row| {
        let rules = SMALL.iter().map(|text| text.parse::<Rules>().unwrap());
        rules.filter(|rules| row.can_play(rules)).map(move |rules| (row, rules))
    })
}

fn make(row: &Row, rules: &Rules) -> Box<dyn Strategy> {
    catalog::strategy(row.name, rules).unwrap()
}

fn guesses(row: &Row, rules: &Rules, secret: &Code, seed: u64) -> Vec<Code> {
    let mut codemaker = Fixed::new(rules, secret.clone()).unwrap();
    let mut search = Search::new(seed);
    let game = play(rules, &mut *make(row, rules), &mut codemaker, &mut search, |_| ControlFlow::Continue(())).unwrap();
    assert!(game.is_solved(), "{} at {rules}", row.name);
    game.turns.into_iter().map(|turn| turn.guess).collect()
}

#[test]
fn wins_every_game_of_a_small_space() {
    for (row, rules) in playable() {
        for secret in Space::new(&rules).iter() {
            let played = guesses(row, &rules, &secret, 3);
            // Colors alone do not tell in which order they are.
            let found = !rules.feedback().terms().identifies() || played.last() == Some(&secret);
            assert!(found, "{} at {rules}", row.name);
            let codes = Space::new(&rules).count().exact().unwrap();
            assert!(played.len() as u128 <= 2 * codes, "{} at {rules}: {} guesses", row.name, played.len());
        }
    }
}

#[test]
fn same_seed_same_game() {
    for (row, rules) in playable() {
        let secret = Rng::new(9).code(&rules);
        assert_eq!(guesses(row, &rules, &secret, 5), guesses(row, &rules, &secret, 5), "{} at {rules}", row.name);
    }
}

/// A strategy that is asked about a game it did not play answers as one that never played.
#[test]
fn answers_for_any_history() {
    for (row, rules) in playable() {
        let mut rng = Rng::new(11);
        let secret = rng.code(&rules);
        let mut history = History::new(rules.clone());
        let mut strategy = make(row, &rules);
        for _ in 0..3 {
            let guess = rng.code(&rules);
            if guess == secret {
                continue;
            }
            let feedback = pegwise_game::feedback(&rules, &guess, &secret);
            history.push(Turn { guess, feedback }).unwrap();
            let proposal = strategy.next_guess(&history, &mut Search::new(1)).unwrap();
            rules.check_code(&proposal.guess).unwrap();
            let fresh = make(row, &rules).next_guess(&history, &mut Search::new(1)).unwrap();
            assert_eq!(proposal.guess, fresh.guess, "{} at {rules}", row.name);
        }
    }
}

#[test]
fn a_contradiction_is_an_error_that_names_the_turns() {
    let rules: Rules = "4x6".parse().unwrap();
    let history = History::parse(&rules, ["1111=2,0", "2345=1,1", "2222=3,0"]).unwrap();
    for row in catalog::rows().iter().filter(|row| row.can_play(&rules)) {
        let error = make(row, &rules).next_guess(&history, &mut Search::new(1)).unwrap_err();
        assert_eq!(error, StrategyError::Contradiction { turns: vec![1, 3] }, "{}", row.name);
        assert_eq!(error.to_string(), "no code fits: turns 1 and 3 cannot all be true");
    }
}

#[test]
fn a_solved_game_needs_no_guess() {
    let rules: Rules = "4x6".parse().unwrap();
    let history = History::parse(&rules, ["1122=4,0"]).unwrap();
    for row in catalog::rows().iter().filter(|row| row.can_play(&rules)) {
        let error = make(row, &rules).next_guess(&history, &mut Search::new(1)).unwrap_err();
        assert_eq!(error, StrategyError::AlreadySolved, "{}", row.name);
    }
}

/// On a limit a strategy returns its best so far; it neither fails nor goes on.
#[test]
fn limits_are_respected() {
    let limits = [
        Limits { nodes: Some(1), ..Limits::default() },
        Limits { examined: Some(1), ..Limits::default() },
        Limits { time: Some(Duration::from_millis(1)), ..Limits::default() },
    ];
    for rules in ["4x6", "8x8", "10x10", "grid:3x3x4", "8x10:no-repeats"] {
        let rules: Rules = rules.parse().unwrap();
        let secret = Rng::new(100).code(&rules);
        let mut history = History::new(rules.clone());
        for seed in 0..3 {
            let guess = Rng::new(seed).code(&rules);
            let feedback = pegwise_game::feedback(&rules, &guess, &secret);
            history.push(Turn { guess, feedback }).unwrap();
        }
        for row in catalog::rows().iter().filter(|row| row.can_play(&rules)) {
            for limits in limits {
                let mut strategy = make(row, &rules);
                let mut search = Search::new(1).with_limits(limits);
                let started = Instant::now();
                let proposal = strategy.next_guess(&history, &mut search).unwrap();
                rules.check_code(&proposal.guess).unwrap();
                assert!(started.elapsed() < Duration::from_secs(5), "{} at {rules} with {limits:?}", row.name);
                let fits = history.is_consistent(&proposal.guess);
                let said = matches!(proposal.basis, Basis::BestEffort(_) | Basis::Scored | Basis::Planned);
                assert!(fits || said, "{} at {rules} says {}", row.name, proposal.basis);
            }
        }
    }
}

#[test]
fn work_is_counted() {
    let rules: Rules = "4x6".parse().unwrap();
    let history = History::parse(&rules, ["1122=1,1", "1344=0,2"]).unwrap();
    for row in catalog::rows().iter().filter(|row| row.can_play(&rules)) {
        let mut search = Search::new(1);
        make(row, &rules).next_guess(&history, &mut search).unwrap();
        assert!(search.counts.examined > 0, "{} examined nothing", row.name);
    }
}

#[test]
fn rules_that_cannot_be_played_are_refused_in_words() {
    let rules: Rules = "1000x1000".parse().unwrap();
    for row in catalog::rows().iter().filter(|row| !row.can_play(&rules)) {
        let Err(CatalogError::Strategy(error)) = catalog::strategy(row.name, &rules) else { panic!("{}", row.name) };
        let text = error.to_string();
        assert!(matches!(error, StrategyError::Unplayable { .. }), "{text}");
        assert!(text.contains(row.name) && text.contains(row.plays), "{text}");
    }
}
