//! How others would have played against the same secret.

use std::ops::ControlFlow;

use pegwise_game::{Code, Count, Rules};
use pegwise_solve::{Game, Outcome, Search, candidates::listed, catalog, codemaker::Fixed, play};

use super::{OtherPlay, OtherTurn, unhurried};
use crate::figure::{Amount, Figure};

/// Who is asked where every code can be looked at, as far as they can play the rules; and who elsewhere.
const OTHERS: [&str; 3] = ["knuth", "entropy", "optimal"];
const ON_LARGE_BOARDS: [&str; 1] = ["adaptive"];

/// Plays everybody who can play these rules against a secret, each within the time for one guess.
pub(super) fn plays(rules: &Rules, secret: &Code, search: &mut Search<'_>) -> Vec<OtherPlay> {
    let names: &[&str] = if listed::is_listable(rules) { &OTHERS } else { &ON_LARGE_BOARDS };
    names.iter().filter_map(|name| one(name, rules, secret, search)).collect()
}

fn one(name: &str, rules: &Rules, secret: &Code, search: &mut Search<'_>) -> Option<OtherPlay> {
    let row = catalog::row(name).filter(|row| row.can_play(rules))?;
    let mut strategy = catalog::strategy(name, rules).ok()?;
    let mut codemaker = Fixed::new(rules, secret.clone()).ok()?;
    search.begin_guess();
    let watch = search.watch();
    let enough = |_: &_| if watch.stop().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let game = unhurried(search, |search| play(rules, &mut *strategy, &mut codemaker, search, enough)).ok()?;
    // A game that was not played to its end for want of time says nothing.
    (!matches!(game.outcome, Outcome::Abandoned | Outcome::Failed)).then(|| told(row.name, &game))
}

fn told(strategy: &'static str, game: &Game) -> OtherPlay {
    let solved = game.is_solved();
    // What is left after a turn was counted before the next.
    let after = game.turns.iter().skip(1).map(|turn| turn.before);
    let after = after.chain([solved.then_some(Count::Exact(0))]);
    let after = after.map(|count| count.map_or(Figure::Unknown, Amount::from));
    let turns = game.turns.iter().zip(after).map(|(turn, after)| OtherTurn {
        guess: turn.guess.clone(),
        feedback: turn.feedback.clone(),
        after,
    });
    OtherPlay { strategy, solved, guesses: game.guesses(), turns: turns.collect() }
}
