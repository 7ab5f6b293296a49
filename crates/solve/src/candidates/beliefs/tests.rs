//! Beliefs against what is counted.

use pegwise_game::{Space, Turn};

use super::*;

fn played(rules: &Rules, turns: usize, seed: u64) -> (Code, History) {
    let mut rng = Rng::new(seed);
    let (secret, mut history) = (rng.code(rules), History::new(rules.clone()));
    for _ in 0..turns {
        let guess = rng.code(rules);
        let feedback = pegwise_game::feedback(rules, &guess, &secret);
        history.push(Turn { guess, feedback }).unwrap();
    }
    (secret, history)
}

/// On small boards the chances can be counted. Belief propagation is an approximation, and a good one while few turns
/// bind the cells together.
#[test]
fn chances_are_near_those_counted() {
    for text in ["5x6", "6x5:black-only", "grid:2x3x4"] {
        let rules: Rules = text.parse().unwrap();
        let (mut apart, mut places) = (0.0, 0.0);
        for seed in 0..10 {
            let (_, history) = played(&rules, 2, seed);
            let codes: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
            let mut beliefs = Beliefs::new(&rules).unwrap();
            beliefs.follow(&history);
            beliefs.settle(100, Watch::default(), &mut Search::new(0));
            for cell in 0..rules.cells() {
                for color in 0..usize::from(rules.colors()) {
                    let counted = codes.iter().filter(|code| code[cell].index() == color).count() as f64;
                    apart += (beliefs.chance(cell, color) - counted / codes.len() as f64).abs();
                    places += 1.0;
                }
            }
        }
        assert!(apart / places < 0.1, "{text}: {} apart", apart / places);
    }
}

#[test]
fn random_turns_in_plenty_tell_the_code() {
    let rules: Rules = "20x20".parse().unwrap();
    let (secret, history) = played(&rules, 90, 3);
    let mut beliefs = Beliefs::new(&rules).unwrap();
    beliefs.follow(&history);
    beliefs.settle(100, Watch::default(), &mut Search::new(0));
    assert_eq!(beliefs.draw(1.5, &mut Rng::new(1)), secret);
}

/// Even one with the same code: turns that a few numbers happen to fit do not make them known.
#[test]
fn another_game_is_begun_knowing_nothing() {
    let rules: Rules = "20x20".parse().unwrap();
    let (_, long) = played(&rules, 90, 3);
    let (mut beliefs, mut search) = (Beliefs::new(&rules).unwrap(), Search::new(0));
    beliefs.follow(&long);
    beliefs.settle(100, Watch::default(), &mut search);
    assert!(beliefs.known().is_some());
    let mut short = History::new(rules);
    short.push(long.turns()[5].clone()).unwrap();
    beliefs.follow(&short);
    assert_eq!(beliefs.known(), None);
}

#[test]
fn drawn_codes_fit_the_rules() {
    for text in ["5x5:no-repeats:black-only", "6x9:no-repeats", "3x1", "1x7", "ring:6x4"] {
        let rules: Rules = text.parse().unwrap();
        let (_, history) = played(&rules, 3, 1);
        let mut beliefs = Beliefs::new(&rules).unwrap();
        beliefs.follow(&history);
        beliefs.settle(20, Watch::default(), &mut Search::new(0));
        for seed in 0..50 {
            rules.check_code(&beliefs.draw(1.5, &mut Rng::new(seed))).unwrap();
        }
    }
    assert!(Beliefs::new(&"4x6:distance".parse().unwrap()).is_none());
}
