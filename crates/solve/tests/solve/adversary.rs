//! Games of strategies against the adversary.

use pegwise_game::{Rules, feedback};
use pegwise_solve::codemaker::{Adversary, Codemaker as _};
use pegwise_solve::tree::Tree;
use pegwise_solve::{Rng, Search, catalog};

/// Plays a game and returns the number of guesses.
fn game(strategy: &str, rules: &Rules, codemaker: &mut Adversary) -> usize {
    let mut strategy = catalog::strategy(strategy, rules).unwrap();
    let game = crate::game(rules, &mut *strategy, codemaker, &mut Search::new(1));
    assert!(game.is_solved());
    let code = codemaker.reveal().unwrap();
    assert!(
        game.turns.iter().all(|turn| feedback(rules, &turn.guess, &code) == turn.feedback),
        "one code is consistent with all answers"
    );
    game.guesses()
}

fn tree(strategy: &str, rules: &Rules) -> Tree {
    let stored = catalog::strategy(strategy, rules).unwrap();
    stored.tree().cloned().unwrap_or_else(|| crate::tree(strategy, rules))
}

#[test]
fn against_a_tree_games_take_as_long_as_the_worst_code() {
    for (text, strategy, published) in [
        ("4x6", "knuth", Some(5)),
        ("4x6", "optimal", Some(6)),
        ("4x7", "optimal", Some(6)),
        ("4x10:no-repeats", "optimal", Some(7)),
        ("4x6", "entropy", None),
        ("3x5:black-only", "knuth", None),
        ("grid:2x2x3", "knuth", None),
    ] {
        let rules: Rules = text.parse().unwrap();
        let tree = tree(strategy, &rules);
        let worst = tree.stats().max;
        assert!(published.is_none_or(|published| published == worst), "{strategy} at {text}: {worst}");
        let mut adversary = Adversary::new(&rules, Rng::new(1)).unwrap().against(tree);
        assert_eq!(game(strategy, &rules, &mut adversary), worst as usize, "{strategy} at {text}");
        let mut greedy = Adversary::new(&rules, Rng::new(1)).unwrap();
        assert!(game(strategy, &rules, &mut greedy) <= worst as usize, "{strategy} at {text}");
    }
}

#[test]
fn off_the_tree_it_is_greedy() {
    let rules: Rules = "4x6".parse().unwrap();
    let mut against_tree = Adversary::new(&rules, Rng::new(1)).unwrap().against(tree("knuth", &rules));
    let mut greedy = Adversary::new(&rules, Rng::new(1)).unwrap();
    for guess in ["1234", "1122", "5566"] {
        let guess = rules.parse_code(guess).unwrap();
        assert_eq!(against_tree.reply(&guess), greedy.reply(&guess));
    }
}

#[test]
fn answers_in_large_spaces_are_consistent() {
    for rules in ["7x9", "grid:3x3x6"] {
        let rules: Rules = rules.parse().unwrap();
        let mut adversary = Adversary::new(&rules, Rng::new(1)).unwrap();
        assert!(game("random-consistent", &rules, &mut adversary) > 2);
    }
}
