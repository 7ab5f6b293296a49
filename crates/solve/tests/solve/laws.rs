//! Properties of every strategy in the catalog.

use pegwise_game::{Code, History, Rules, Space, Turn};
use pegwise_solve::candidates::listed;
use pegwise_solve::catalog::{self, Capability, CatalogError, Row};
use pegwise_solve::codemaker::Fixed;
use pegwise_solve::secrets::SecretList;
use pegwise_solve::{Basis, Limits, ParameterKind, Rng, Search, Spec, Strategy, StrategyError};

use crate::game;

const SMALL: [&str; 14] = [
    "1x1", "1x6", "5x1", "2x4", "3x3", "3x4:no-repeats", "4x4:no-repeats", "3x3:black-only", "3x3:color-only",
    "3x3:per-cell", "3x3:higher-lower", "2x5:distance", "grid:2x2x2", "triangle:2x3",
];

/// Every strategy with every small board it supports.
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
    let game = game(rules, &mut *make(row, rules), &mut codemaker, &mut search);
    assert!(game.is_solved(), "{} at {rules}", row.name);
    game.turns.into_iter().map(|turn| turn.guess).collect()
}

/// A strategy with default parameters, and with each parameter at each of its words and at a code.
fn specs(row: &'static Row, rules: &Rules) -> Vec<Spec> {
    let code = Space::new(rules).first().notation(rules.colors()).to_string();
    let mut specs = vec![Spec::of(row)];
    for parameter in row.parameters {
        let values: Vec<&str> = match parameter.kind {
            ParameterKind::Choice(words) => words.to_vec(),
            // Commas separate parameters.
            ParameterKind::CodeOr(words) if code.contains(',') => words.to_vec(),
            ParameterKind::CodeOr(words) => [words, &[code.as_str()]].concat(),
            _ => continue,
        };
        specs.extend(values.iter().map(|value| format!("{}({}={value})", row.name, parameter.name).parse().unwrap()));
    }
    specs
}

#[test]
fn every_code_of_a_small_space_is_found() {
    for (row, rules) in playable() {
        for secret in Space::new(&rules).iter() {
            let played = guesses(row, &rules, &secret, 3);
            // Some feedback does not identify codes.
            let found = !rules.feedback().model().identifies_secret() || played.last() == Some(&secret);
            assert!(found, "{} at {rules}", row.name);
            let codes = Space::new(&rules).count().exact().unwrap();
            assert!(played.len() as u128 <= 2 * codes, "{} at {rules}: {} guesses", row.name, played.len());
        }
    }
}

#[test]
fn the_seed_determines_the_game() {
    for (row, rules) in playable() {
        let secret = Rng::new(9).code(&rules);
        assert_eq!(guesses(row, &rules, &secret, 5), guesses(row, &rules, &secret, 5), "{} at {rules}", row.name);
    }
}

/// Given any history, even of another game, a used strategy proposes the same guess as a fresh instance.
#[test]
fn any_history_is_accepted() {
    for (row, rules) in playable() {
        let mut rng = Rng::new(11);
        let secret = rng.code(&rules);
        let mut history = History::new(rules.clone());
        let mut strategy = make(row, &rules);
        let mut ask = |history: &History| {
            let proposal = strategy.next_guess(history, &mut Search::new(1)).unwrap();
            rules.check_code(&proposal.guess).unwrap();
            let fresh = make(row, &rules).next_guess(history, &mut Search::new(1)).unwrap();
            assert_eq!(proposal.guess, fresh.guess, "{} at {rules}", row.name);
        };
        for _ in 0..3 {
            let guess = rng.code(&rules);
            if guess == secret {
                continue;
            }
            history.push(Turn::against(&rules, &secret, guess)).unwrap();
            ask(&history);
        }
        // Shorter, longer, different and empty histories.
        let turns = history.len();
        for places in [0..turns.min(1), 0..turns, 1..turns, 0..0, 0..turns] {
            ask(&history.select(places));
        }
    }
}

#[test]
fn contradictions_name_the_turns() {
    let rules: Rules = "4x6".parse().unwrap();
    let history = History::parse(&rules, ["1111=2,0", "2345=1,1", "2222=3,0"]).unwrap();
    for row in catalog::rows().iter().filter(|row| row.can_play(&rules)) {
        let error = make(row, &rules).next_guess(&history, &mut Search::new(1)).unwrap_err();
        assert_eq!(error, StrategyError::Contradiction { turns: vec![1, 3] }, "{}", row.name);
        assert_eq!(error.to_string(), "no code fits: turns 1 and 3 cannot both be true");
    }
}

#[test]
fn solved_games_are_rejected() {
    let rules: Rules = "4x6".parse().unwrap();
    let history = History::parse(&rules, ["1122=4,0"]).unwrap();
    for row in catalog::rows().iter().filter(|row| row.can_play(&rules)) {
        let error = make(row, &rules).next_guess(&history, &mut Search::new(1)).unwrap_err();
        assert_eq!(error, StrategyError::AlreadySolved, "{}", row.name);
    }
}

/// Number of codes that may be examined beyond a limit: a pass over a listed space per turn, a generation of an
/// evolutionary strategy, or one per annealing chain.
fn max_examined_beyond(row: &Row, history: &History) -> u64 {
    const CHAINS: u64 = 4;
    let codes = Space::new(history.rules()).count().exact().filter(|_| listed::is_listable(history.rules()));
    let population = row
        .preset_parameters()
        .find(|parameter| parameter.name == "population")
        .map_or(0, |size| size.default.parse().unwrap());
    CHAINS + population + codes.map_or(0, |codes| codes as u64 * history.len() as u64)
}

/// At a limit, a strategy returns its best guess so far.
#[test]
fn limits_are_respected() {
    let limits = [
        Limits { nodes: Some(1), ..Limits::default() },
        Limits { nodes: Some(500), ..Limits::default() },
        Limits { examined: Some(1), ..Limits::default() },
        Limits { examined: Some(500), ..Limits::default() },
    ];
    for rules in ["4x6", "8x8", "10x10", "grid:3x3x4", "8x10:no-repeats"] {
        let rules: Rules = rules.parse().unwrap();
        let secret = Rng::new(100).code(&rules);
        let history = History::against(&rules, &secret, (0..3).map(|seed| Rng::new(seed).code(&rules)));
        for row in catalog::rows().iter().filter(|row| row.can_play(&rules)) {
            for limits in limits {
                let mut strategy = make(row, &rules);
                let mut search = Search::new(1).with_limits(limits);
                let proposal = strategy.next_guess(&history, &mut search).unwrap();
                rules.check_code(&proposal.guess).unwrap();
                let counts = search.counts();
                let beyond = |limit: Option<u64>, spent: u64| limit.map_or(0, |limit| spent.saturating_sub(limit));
                let examined = beyond(limits.examined, counts.examined) <= max_examined_beyond(row, &history);
                let nodes = beyond(limits.nodes, counts.nodes) == 0;
                assert!(examined && nodes, "{} at {rules} with {limits:?} spent {counts:?}", row.name);
                let fits = history.is_consistent(&proposal.guess);
                let explained = matches!(proposal.basis, Basis::BestEffort(_) | Basis::Scored | Basis::Planned);
                assert!(fits || explained, "{} at {rules}: {}", row.name, proposal.basis);
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
        assert!(search.counts().examined > 0, "{} examined nothing", row.name);
    }
}

#[test]
fn unsupported_rules_are_refused() {
    let rules: Rules = "1000x1000".parse().unwrap();
    for row in catalog::rows().iter().filter(|row| !row.can_play(&rules)) {
        let Err(CatalogError::Strategy(error)) = catalog::strategy(row.name, &rules) else { panic!("{}", row.name) };
        let text = error.to_string();
        assert!(matches!(error, StrategyError::Unplayable(..)), "{text}");
        assert!(text.contains(row.name) && text.contains(row.plays), "{text}");
    }
}

#[test]
fn declared_capabilities_match_the_strategies() {
    const MORE: [&str; 5] = ["4x6", "4x10:no-repeats", "4x300", "8x8", "grid:3x3x4"];
    for rules in SMALL.iter().chain(&MORE) {
        let rules: Rules = rules.parse().unwrap();
        let list = [(1, Space::new(&rules).first(), 1.0)];
        let list = SecretList::new(&rules, list).unwrap().into();
        for row in catalog::rows() {
            for spec in specs(row, &rules) {
                let Ok(strategy) = catalog::build(&spec, &rules) else {
                    assert!(
                        Capability::ALL.iter().all(|&capability| !spec.can(capability, &rules)),
                        "{spec} at {rules}"
                    );
                    continue;
                };
                for (capability, has) in [
                    (Capability::Tree, strategy.tree().is_some()),
                    (Capability::ByPosition, strategy.position_strategy().is_some()),
                    (Capability::Secrets, strategy.for_secrets(&list).is_some()),
                ] {
                    assert_eq!(spec.can(capability, &rules), has, "{spec} at {rules}: {capability:?}");
                }
                assert_eq!(catalog::build_for(&spec, &list).is_ok(), spec.can(Capability::Secrets, &rules), "{spec}");
            }
        }
    }
}

/// Returns true if a strategy plays the same game against a code with every seed.
fn ignores_the_seed(spec: &Spec, rules: &Rules, code: u64) -> bool {
    let secret = Rng::new(code).code(rules);
    let mut codemaker = Fixed::new(rules, secret).unwrap();
    let mut guesses = |seed| {
        let mut strategy = catalog::build(spec, rules).unwrap();
        let game = game(rules, &mut *strategy, &mut codemaker, &mut Search::new(seed));
        game.turns.into_iter().map(|turn| turn.guess).collect::<Vec<Code>>()
    };
    let first = guesses(1);
    (2..5).all(|seed| guesses(seed) == first)
}

/// Strategies declared deterministic ignore the seed; the others depend on it on some board.
#[test]
fn declared_determinism_matches_the_games() {
    const MORE: [&str; 4] = ["4x6", "grid:3x3x4", "8x8", "grid:4x4x6"];
    let boards = || SMALL.iter().chain(&MORE).map(|text| text.parse::<Rules>().unwrap());
    for row in catalog::rows() {
        for spec in specs(row, &"4x6".parse().unwrap()) {
            // A code as a parameter is valid for some boards only.
            let playable = |rules: &Rules| catalog::check(&spec, rules).is_ok();
            let (declared, others): (Vec<Rules>, Vec<Rules>) =
                boards().filter(playable).partition(|rules| spec.can(Capability::Deterministic, rules));
            for rules in &declared {
                assert!(ignores_the_seed(&spec, rules, 4), "{spec} at {rules} depends on the seed");
            }
            let some = |rules: &Rules| (4..20).any(|code| !ignores_the_seed(&spec, rules, code));
            let draws = !declared.is_empty() || others.is_empty() || others.iter().any(some);
            assert!(draws, "{spec} ignores the seed and is not declared deterministic, at {others:?}");
        }
    }
}
