//! What to learn from a guess, and from a game, in words.

use pegwise_game::{Code, Judge};

use super::{OtherPlay, Verdict};
use crate::{
    figure::{Amount, Figure},
    notes::{Note, Notes},
    words,
};

/// From here on an answer is kind, and below here unkind.
const KIND: f64 = 85.0;
const UNKIND: f64 = 15.0;
/// Fewer guesses lost than this do not show.
const NOTHING: f64 = 0.005;

/// What to learn from a guess.
pub(super) fn of(notes: &Notes, at: usize, verdict: &Verdict) -> String {
    let choice = choice(notes, at, verdict);
    // Only what is certainly so is said.
    match verdict.luck.interval() {
        Some((low, _)) if verdict.after.exact() != Some(0) && low >= KIND => format!("{choice} A kind answer."),
        Some((_, high)) if high <= UNKIND => format!("{choice} An unkind answer."),
        _ => choice,
    }
}

fn choice(notes: &Notes, at: usize, verdict: &Verdict) -> String {
    let rules = notes.rules();
    let name = |code: &Code| code.notation(rules.palette()).to_string();
    let Some(guess) = verdict.note.code() else { return "The guess is not remembered whole.".to_owned() };
    let found = verdict.note.turn().is_some_and(|turn| turn.feedback.is_winning(rules));
    let only = verdict.before.exact() == Some(1);
    if found && only {
        return "The only code left.".to_owned();
    }
    if found {
        return format!("Found, with {} possible.", verdict.before.codes());
    }
    let earlier = notes.notes()[..at].iter().position(|note| note.code().as_ref() == Some(&guess));
    if let (Some(earlier), true) = (earlier, verdict.idle) {
        return format!("The same guess as in turn {}: it could tell nothing.", earlier + 1);
    }
    let instead = verdict.best.as_ref().filter(|best| best.guess != guess);
    if let (true, Some(best)) = (only, instead) {
        return format!("Only {} was left, and could have been played.", name(&best.guess));
    }
    if verdict.idle {
        return "Every code left would be answered so: it could tell nothing.".to_owned();
    }
    let mut judge = Judge::new(rules);
    let mut rules_out = |note: &Note| note.turn().is_some_and(|turn| !judge.agrees(&turn, &guess));
    let ruled_out = notes.notes()[..at].iter().position(&mut rules_out);
    let impossible = ruled_out.map(|turn| format!("Turn {} rules it out as the secret", turn + 1));
    let judged = match (verdict.lost, instead) {
        (Figure::Exact(lost), _) if lost < NOTHING => Judged::Best("no guess takes fewer guesses on average"),
        (Figure::Exact(lost), Some(best)) => {
            Judged::Worse(format!("{} takes {} guesses fewer on average", name(&best.guess), two(lost)))
        }
        (Figure::Estimate { low, .. }, _) if low < NOTHING => Judged::Best("no better guess is known for certain"),
        (Figure::Estimate { value, low, high }, Some(best)) => Judged::Worse(format!(
            "{} takes about {} guesses fewer on average ({} to {})",
            name(&best.guess),
            two(value),
            two(low),
            two(high)
        )),
        (_, Some(best)) if best.expected.is_below(verdict.expected) => Judged::Worse(format!(
            "{} leaves {} on average, this one {}",
            name(&best.guess),
            best.expected,
            verdict.expected
        )),
        (_, _) if verdict.expected.value().is_some() => {
            Judged::Best("no guess that was compared certainly leaves fewer codes")
        }
        _ => Judged::Unknown,
    };
    match (impossible, judged) {
        (None, Judged::Best(why)) => sentence(why),
        (Some(impossible), Judged::Best(why)) => format!("{impossible}, but {why}."),
        (None, Judged::Worse(why)) => sentence(&why),
        (Some(impossible), Judged::Worse(why)) => format!("{impossible}; {why}."),
        (None, Judged::Unknown) => "Too many codes to judge the guess.".to_owned(),
        (Some(impossible), Judged::Unknown) => format!("{impossible}; there are too many codes to judge it."),
    }
}

enum Judged {
    Best(&'static str),
    Worse(String),
    Unknown,
}

fn two(value: f64) -> String {
    format!("{value:.2}")
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Guesses lost, in words: `0.4 guesses lost`.
fn lost_in_words(lost: Figure<f64>) -> Option<String> {
    match lost {
        Figure::Exact(lost) if lost < NOTHING => Some("No guess lost".to_owned()),
        Figure::Exact(lost) => Some(format!("{lost:.2} guesses lost")),
        Figure::Estimate { value, low, high } => Some(format!("About {value:.1} guesses lost ({low:.1} to {high:.1})")),
        Figure::AtMost(_) | Figure::Unknown => None,
    }
}

/// A game in a sentence or two.
pub(super) fn summary(
    turns: &[Verdict],
    solved: bool,
    lost: Figure<f64>,
    luck: Figure<f64>,
    (remaining, unfound): (Amount, bool),
    others: &[OtherPlay],
) -> String {
    let guesses = words::things(turns.len() as u128, "guess", "guesses");
    let mut summary = match (solved, remaining) {
        (true, _) => format!("Solved in {guesses}."),
        (false, Figure::Unknown) => format!("{guesses} played."),
        (false, _) => format!("{guesses} played, {} still possible.", remaining.codes()),
    };
    if unfound {
        summary.push_str(" No code that fits was found, which is no proof that there is none.");
    }
    let luck = luck.value().map(|value| {
        let about = if luck.is_exact() { "" } else { "about " };
        format!("luck {about}{value:.0} of 100")
    });
    match (lost_in_words(lost), luck) {
        (Some(lost), Some(luck)) => summary.push_str(&format!(" {lost}; {luck}.")),
        (Some(lost), None) => summary.push_str(&format!(" {lost}.")),
        (None, Some(luck)) => summary.push_str(&format!(" {}", sentence(&luck))),
        (None, None) => {}
    }
    let best = others.iter().filter(|other| other.solved).min_by_key(|other| other.guesses);
    if let Some(best) = best.filter(|best| solved && best.guesses < turns.len()) {
        summary.push_str(&format!(" {} needs {} against this secret.", best.strategy, best.guesses));
    }
    summary
}
