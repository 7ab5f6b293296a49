//! What to learn from a guess, and from a game, in words.

use pegwise_game::{History, Judge};

use super::{OtherPlay, Verdict};
use crate::{amount::Amount, words};

/// From here on a choice is as good as the best, and an answer kind; and below here an answer is unkind.
const AS_GOOD: f64 = 99.5;
const KIND: f64 = 85.0;
const UNKIND: f64 = 15.0;

/// What to learn from a guess.
pub(super) fn of(history: &History, at: usize, verdict: &Verdict) -> String {
    let choice = choice(history, at, verdict);
    match verdict.luck {
        Some(luck) if verdict.after.exact() != Some(0) && luck >= KIND => format!("{choice} A kind answer."),
        Some(luck) if luck <= UNKIND => format!("{choice} An unkind answer."),
        _ => choice,
    }
}

fn choice(history: &History, at: usize, verdict: &Verdict) -> String {
    let rules = history.rules();
    let guess = |code: &pegwise_game::Code| code.notation(rules.colors()).to_string();
    let turns = history.turns();
    let found = turns[at].feedback.is_winning(rules);
    let only = verdict.before.exact() == Some(1);
    if found && only {
        return "The only code left.".to_owned();
    }
    if found {
        return format!("Found, with {} codes possible.", verdict.before);
    }
    if let Some(earlier) = turns[..at].iter().position(|turn| turn.guess == turns[at].guess) {
        return format!("The same guess as in turn {}: it could tell nothing.", earlier + 1);
    }
    let instead = verdict.best.as_ref().filter(|best| best.guess != verdict.guess);
    if let (true, Some(best)) = (only, instead) {
        return format!("Only {} was left, and could have been played.", guess(&best.guess));
    }
    if verdict.luck.is_none() && verdict.skill.is_some() {
        return "Every code left would be answered so: it could tell nothing.".to_owned();
    }
    let Some(skill) = verdict.skill else { return "Too many codes to judge the guess.".to_owned() };
    let mut judge = Judge::new(rules);
    let ruled_out = turns[..at].iter().position(|turn| !judge.agrees(turn, &turns[at].guess));
    let impossible = ruled_out.map(|turn| format!("Turn {} rules it out as the secret", turn + 1));
    let instead = instead.filter(|_| skill < AS_GOOD).map(|best| {
        let expected = |value: Option<f64>| value.map_or_else(|| "?".to_owned(), words::average);
        let (left, own) = (expected(best.expected), expected(verdict.expected));
        format!("{} leaves {left} on average, this one {own}", guess(&best.guess))
    });
    match (impossible, instead) {
        (None, None) => "No guess leaves fewer codes on average.".to_owned(),
        (Some(impossible), None) => format!("{impossible}, but no guess leaves fewer codes on average."),
        (None, Some(instead)) => format!("{instead}."),
        (Some(impossible), Some(instead)) => format!("{impossible}; {instead}."),
    }
}

/// A game in a sentence or two.
pub(super) fn summary(
    turns: &[Verdict],
    solved: bool,
    skill: Option<f64>,
    luck: Option<f64>,
    remaining: Amount,
    others: &[OtherPlay],
) -> String {
    let guesses = words::things(turns.len() as u128, "guess", "guesses");
    let mut summary = match (solved, remaining) {
        (true, _) => format!("Solved in {guesses}."),
        (false, Amount::Exact(count)) => format!("{guesses} played, {} still possible.", words::codes(count)),
        (false, Amount::About { .. }) => format!("{guesses} played, {remaining} codes still possible."),
    };
    if let Some(skill) = skill {
        summary.push_str(&format!(" Skill {skill:.0}"));
        summary.push_str(&luck.map_or_else(|| ".".to_owned(), |luck| format!(", luck {luck:.0}.")));
    }
    let best = others.iter().filter(|other| other.solved).min_by_key(|other| other.guesses);
    if let Some(best) = best.filter(|best| solved && best.guesses < turns.len()) {
        summary.push_str(&format!(" {} needs {} against this secret.", best.strategy, best.guesses));
    }
    summary
}
