//! What a board comes to, in one sentence.

use super::{
    Row,
    number::amount,
    pairs::{Difference, WORTH_TELLING},
};
use crate::Basis;

/// The sentence, and the strategy that is the best without doubt, if one is. The rows come best first.
pub(super) fn conclusion(rules: &str, rows: &[&Row], differences: &[Difference]) -> (String, Option<String>) {
    let [best, others @ ..] = rows else { return (format!("{rules}: no games yet."), None) };
    if others.is_empty() {
        return (format!("{rules}: {} needs {}.", best.strategy, needs(best)), None);
    }
    let of_best = || differences.iter().filter(|difference| difference.places.0 == 0);
    let equals: Vec<&Difference> = of_best().filter(|difference| !difference.is_clear()).collect();
    if let Some(next) = of_best().find(|difference| difference.places.1 == 1).filter(|_| equals.is_empty()) {
        return (format!("{rules}: {}", winner(best, others[0], next)), Some(best.strategy.clone()));
    }
    let names: Vec<&str> = equals.iter().map(|difference| difference.against.as_str()).collect();
    let rest = if equals.len() < others.len() { ", all others are worse" } else { "" };
    if equals.iter().all(|difference| difference.basis == Basis::Exact) {
        let all = list(&[&[best.strategy.as_str()], &names[..]].concat());
        return (format!("{rules}: {all} are equally good, {}{rest}.", needs(best)), None);
    }
    // The widest doubt decides how many games would settle all.
    let more = equals.iter().filter_map(|difference| difference.more_to_tell).max();
    let more = match more {
        Some(0) => format!("a difference of {WORTH_TELLING} would have been told"),
        Some(more) => format!("{} more games would tell a difference of {WORTH_TELLING}", amount(more as f64, 0)),
        None => "more games are needed to tell any difference".to_owned(),
    };
    (format!("{rules}: no clear winner between {} and {}{rest}; {more}.", best.strategy, list(&names)), None)
}

fn winner(best: &Row, next: &Row, difference: &Difference) -> String {
    let name = &best.strategy;
    match (best.total.zip(next.total), difference.ci95) {
        (Some((one, other)), _) if best.games == next.games => format!(
            "{name} is best with {}, {} fewer than {}, the next.",
            needs(best),
            amount((other - one) as f64, 0),
            next.strategy
        ),
        (_, Some([low, high])) => format!(
            "{name} is best with {}: {} fewer than {}, the next (95 % interval {} to {}).",
            needs(best),
            amount(-difference.difference, 3),
            next.strategy,
            amount(-high, 3),
            amount(-low, 3)
        ),
        _ => format!(
            "{name} is best with {}: {} fewer than {}.",
            needs(best),
            amount(-difference.difference, 3),
            next.strategy
        ),
    }
}

/// What a strategy needs: a total where nothing is left to luck, and otherwise a mean with its margin.
fn needs(row: &Row) -> String {
    match (row.total, row.guesses.margin()) {
        (Some(total), _) => {
            let (total, secrets) = (amount(total as f64, 0), amount(row.games as f64, 0));
            format!("{total} guesses over all {secrets} codes, {} each", amount(row.guesses.mean, 3))
        }
        (None, Some(margin)) => format!("{} ± {} guesses", amount(row.guesses.mean, 3), amount(margin, 3)),
        (None, None) => format!("{} guesses", amount(row.guesses.mean, 3)),
    }
}

/// Names in a sentence.
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
