//! What a listed game is played like.

use std::collections::BTreeMap;

use pegwise_game::{Feedback, feedback};

use super::*;
use crate::catalog;

const CRITERIA: [Criterion; 4] =
    [Criterion::WorstCase, Criterion::ExpectedSize, Criterion::Entropy, Criterion::MostParts];

fn manner(criterion: Criterion) -> OneStepConfig {
    OneStepConfig { criterion, guesses: Guesses::All, ties: Ties::ConsistentLowest, first: None, bonus: 0 }
}

fn every_third(rules: &Rules) -> Arc<SecretList> {
    let codes = Space::new(rules).iter().step_by(3).enumerate();
    let weight = |at: usize| (1 + at * 7 % 11) as f64;
    Arc::new(SecretList::new(rules, codes.map(|(at, code)| (at, code, weight(at)))).unwrap())
}

/// The naive twin: codes put together by their feedback, and the definition written out.
fn naive(rules: &Rules, secrets: &SecretList, criterion: Criterion, guess: &Code) -> f64 {
    let mut parts: BTreeMap<Feedback, (f64, f64)> = BTreeMap::new();
    for code in secrets.codes() {
        let part = parts.entry(feedback(rules, guess, code)).or_default();
        *part = (part.0 + secrets.weight(code), part.1 + 1.0);
    }
    let parts = parts.values();
    match criterion {
        Criterion::WorstCase => parts.map(|part| part.1).fold(0.0, f64::max),
        Criterion::ExpectedSize => parts.map(|part| part.0 * part.1).sum(),
        Criterion::Entropy => parts.map(|part| part.0 * part.0.log2()).sum(),
        Criterion::MostParts => -(parts.len() as f64),
    }
}

#[test]
fn costs_are_those_of_the_definition() {
    for text in [
        "3x4",
        "4x3:black-only",
        "4x3:color-only",
        "4x3:per-cell",
        "3x5:no-repeats",
        "3x4:higher-lower",
        "3x4:distance",
        "grid:2x2x3",
    ] {
        let rules: Rules = text.parse().unwrap();
        let secrets = every_third(&rules);
        for criterion in CRITERIA {
            let player = Weighted::new(&secrets, manner(criterion)).unwrap();
            let fitting = player.fitting(&History::new(rules.clone()), &mut Search::new(1)).unwrap();
            for priced in player.price(&Space::new(&rules).iter().step_by(5).collect::<Vec<Code>>(), &fitting) {
                let naive = naive(&rules, &secrets, criterion, &priced.guess);
                assert!((priced.cost - naive).abs() < 1e-9, "{text} {criterion:?}");
                assert_eq!(priced.weight, secrets.weight(&priced.guess));
            }
        }
    }
}

/// The whole space with equal weights is the usual game.
#[test]
fn equal_weights_play_as_ever() {
    let rules: Rules = "4x4".parse().unwrap();
    let all = Space::new(&rules).iter().map(|code| (1, code, 2.5));
    let secrets = Arc::new(SecretList::new(&rules, all).unwrap());
    for name in ["worst-case", "expected-size", "entropy", "most-parts"] {
        let mut usual = catalog::strategy(name, &rules).unwrap();
        let mut listed = usual.for_secrets(&secrets).unwrap();
        for turns in [&[][..], &["1123=1,1"], &["1123=0,2", "2414=1,1"]] {
            let history = History::parse(&rules, turns.iter().copied()).unwrap();
            let guess = |player: &mut Box<dyn Strategy>| {
                let mut search = Search::new(1);
                search.alternatives = 1;
                let proposal = player.next_guess(&history, &mut search).unwrap();
                (proposal.remaining, proposal.rated.unwrap().score)
            };
            let (usual, listed) = (guess(&mut usual), guess(&mut listed));
            assert_eq!(usual.0, listed.0, "{name} {turns:?}");
            assert!((usual.1 - listed.1).abs() < 1e-6, "{name} {turns:?}: {usual:?} {listed:?}");
        }
    }
}

/// Of what is equally telling, the likelier code is played; where one code has nearly all the weight, at once.
#[test]
fn likely_codes_come_first() {
    let rules: Rules = "4x6".parse().unwrap();
    let list = "1111\n2222\n3333 5\n4444\n";
    let secrets = Arc::new(SecretList::parse(&rules, list).unwrap());
    for name in ["adaptive", "entropy", "norvig", "kooi(guesses=consistent)"] {
        let mut player = catalog::strategy(name, &rules).unwrap().for_secrets(&secrets).unwrap();
        let proposal = player.next_guess(&History::new(rules.clone()), &mut Search::new(1)).unwrap();
        let expected = if name == "norvig" || name.starts_with("kooi") { "3333" } else { "" };
        let guess = proposal.guess.notation(6).to_string();
        assert!(expected.is_empty() || guess == expected, "{name}: {guess}");
        assert_eq!(proposal.remaining, Some(Count::Exact(4)));
        let history = History::parse(&rules, ["1234=0,0"]).unwrap();
        let error = player.next_guess(&history, &mut Search::new(1)).unwrap_err();
        assert_eq!(error, StrategyError::NotListed, "{name}");
    }
}

#[test]
fn every_listed_secret_is_found_on_every_kind_of_board() {
    for text in ["3x4", "3x5:no-repeats", "4x3:black-only", "3x4:distance", "grid:2x2x3", "ring:4x3", "30x30"] {
        let rules: Rules = text.parse().unwrap();
        let mut rng = Rng::new(3);
        let codes = (0..20).map(|_| rng.code(&rules)).collect::<std::collections::BTreeSet<Code>>();
        let items = codes.iter().enumerate().map(|(at, code)| (at, code.clone(), 1.0 + at as f64));
        let secrets = Arc::new(SecretList::new(&rules, items).unwrap());
        let mut player = catalog::strategy("adaptive", &rules).unwrap().for_secrets(&secrets).unwrap();
        for secret in secrets.codes() {
            let mut codemaker = crate::codemaker::Fixed::new(&rules, secret.clone()).unwrap();
            let mut search = Search::new(1);
            let game =
                crate::play(&rules, &mut *player, &mut codemaker, &mut search, |_| std::ops::ControlFlow::Continue(()));
            assert!(game.unwrap().guesses() <= 9, "{text}");
        }
    }
}

/// A player that has met a position before answers and counts as one that has not.
#[test]
fn what_is_remembered_is_what_would_be_found() {
    let rules: Rules = "4x3:per-cell".parse().unwrap();
    let secrets = every_third(&rules);
    for ties in [Ties::ConsistentLowest, Ties::Random] {
        let manner = OneStepConfig { ties, ..manner(Criterion::Entropy) };
        let mut kept = Weighted::new(&secrets, manner.clone()).unwrap();
        for (seed, secret) in (0..).zip(secrets.codes().iter().chain(secrets.codes())) {
            let mut history = History::new(rules.clone());
            while !history.is_solved() {
                let guess = |player: &mut Weighted| {
                    let mut search = Search::new(seed);
                    let proposal = player.next_guess(&history, &mut search).unwrap();
                    (proposal, search.counts(), search.rng)
                };
                let (one, other) = (guess(&mut kept), guess(&mut Weighted::new(&secrets, manner.clone()).unwrap()));
                assert_eq!(one, other, "{ties:?}");
                let told = feedback(&rules, &one.0.guess, secret);
                history.push(pegwise_game::Turn { guess: one.0.guess, feedback: told }).unwrap();
            }
        }
        let mut known = kept.memory.guesses.keys();
        assert_eq!(known.any(|places| places.len() > 1), ties != Ties::Random);
    }
}
