//! Strategies of the catalog: laws, published numbers, records, secret lists, lies and adversaries.

mod adversary;
#[path = "../../examples/break_a_code.rs"]
mod break_a_code;
mod golden;
mod json;
mod laws;
mod lies;
mod records;
mod secret_lists;
mod show;
mod singley;

use std::ops::ControlFlow;

use pegwise_game::Rules;
use pegwise_solve::codemaker::Codemaker;
use pegwise_solve::tree::{Builder, Tree};
use pegwise_solve::{Game, Search, Strategy, Watch, catalog, play};

#[test]
fn break_a_code_is_right() {
    break_a_code::main();
}

/// Plays a game to its end.
fn game(rules: &Rules, strategy: &mut dyn Strategy, codemaker: &mut dyn Codemaker, search: &mut Search<'_>) -> Game {
    play(rules, strategy, codemaker, search, |_| ControlFlow::Continue(())).unwrap()
}

/// Returns the mean number of guesses.
fn mean_guesses(games: &[Game]) -> f64 {
    games.iter().map(Game::guesses).sum::<usize>() as f64 / games.len() as f64
}

/// Builds the tree of a strategy.
fn tree(strategy: &str, rules: &Rules) -> Tree {
    let strategy = catalog::strategy(strategy, rules).unwrap().position_strategy().unwrap();
    Builder::new(rules, Watch::default()).build(&*strategy).unwrap()
}
