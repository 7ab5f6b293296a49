//! Advice on guesses and summaries of games, in words.

use pegwise_game::{Code, Judge};

use crate::analyze::{ReferenceGame, TurnAnalysis};
use crate::figure::{Amount, Uncertain, pluralize};
use crate::notes::{Note, Notes};

/// Luck from which an answer is called kind.
const LUCKY: f64 = 85.0;
/// Luck up to which an answer is called unkind.
const UNLUCKY: f64 = 15.0;
/// Loss below which a guess counts as best.
const NEGLIGIBLE: f64 = 0.005;

/// Returns the advice on a guess.
pub(crate) fn for_guess(notes: &Notes, at: usize, analysis: &TurnAnalysis) -> String {
    let choice = choice(notes, at, analysis);
    // The whole interval must be beyond the threshold.
    match analysis.luck.interval() {
        Some((low, _)) if analysis.after.exact() != Some(0) && low >= LUCKY => format!("{choice} A kind answer."),
        Some((_, high)) if high <= UNLUCKY => format!("{choice} An unkind answer."),
        _ => choice,
    }
}

fn choice(notes: &Notes, at: usize, analysis: &TurnAnalysis) -> String {
    let rules = notes.rules();
    let name = |code: &Code| code.notation(rules.palette()).to_string();
    let Some(guess) = analysis.note.code() else { return "Part of the guess is unknown.".to_owned() };
    let found = analysis.note.turn().is_some_and(|turn| turn.feedback.is_winning(rules));
    let only = analysis.before.exact() == Some(1);
    if found && only {
        return "The only code left.".to_owned();
    }
    if found {
        return format!("Found, with {} possible.", analysis.before.codes());
    }
    let earlier = notes.notes()[..at].iter().position(|note| note.code().as_ref() == Some(&guess));
    if let (Some(earlier), true) = (earlier, analysis.uninformative) {
        return format!("The same guess as in turn {}: you learned nothing.", earlier + 1);
    }
    let instead = analysis.best.as_ref().filter(|best| best.guess != guess);
    if let (true, Some(best)) = (only, instead) {
        return format!("Only {} was left, and could have been played.", name(&best.guess));
    }
    if analysis.uninformative {
        return "Every remaining code gives this answer: you learned nothing.".to_owned();
    }
    let mut judge = Judge::new(rules);
    let mut rules_out = |note: &Note| note.turn().is_some_and(|turn| !judge.agrees(&turn, &guess));
    let ruled_out = notes.notes()[..at].iter().position(&mut rules_out);
    let impossible = ruled_out.map(|turn| format!("Turn {} already ruled this out", turn + 1));
    let assessment = match (analysis.lost, instead) {
        (Uncertain::Exact(lost), _) if lost < NEGLIGIBLE => Assessment::Best("no guess does better on average"),
        (Uncertain::Exact(lost), Some(best)) => {
            Assessment::Worse(format!("{} saves {} guesses on average", name(&best.guess), two_decimals(lost)))
        }
        (Uncertain::Estimate { low, .. }, _) if low < NEGLIGIBLE => {
            Assessment::Best("no better guess is known for certain")
        }
        (Uncertain::Estimate { value, low, high }, Some(best)) => Assessment::Worse(format!(
            "{} saves about {} guesses on average ({} to {})",
            name(&best.guess),
            two_decimals(value),
            two_decimals(low),
            two_decimals(high)
        )),
        (_, Some(best)) if best.expected.is_below(analysis.expected) => Assessment::Worse(format!(
            "{} leaves {} on average, this one {}",
            name(&best.guess),
            best.expected,
            analysis.expected
        )),
        (_, _) if analysis.expected.value().is_some() => {
            Assessment::Best("no guess that was compared certainly leaves fewer codes")
        }
        _ => Assessment::Unknown,
    };
    match (impossible, assessment) {
        (None, Assessment::Best(why)) => sentence(why),
        (Some(impossible), Assessment::Best(why)) => format!("{impossible}, but {why}."),
        (None, Assessment::Worse(why)) => sentence(&why),
        (Some(impossible), Assessment::Worse(why)) => format!("{impossible}; {why}."),
        (None, Assessment::Unknown) => "Too many codes to judge the guess.".to_owned(),
        (Some(impossible), Assessment::Unknown) => format!("{impossible}; there are too many codes to judge it."),
    }
}

enum Assessment {
    Best(&'static str),
    Worse(String),
    Unknown,
}

fn two_decimals(value: f64) -> String {
    format!("{value:.2}")
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// Returns the loss in words: `0.40 guesses lost`.
fn lost_in_words(lost: Uncertain<f64>) -> Option<String> {
    match lost {
        Uncertain::Exact(lost) if lost < NEGLIGIBLE => Some("No guess lost".to_owned()),
        Uncertain::Exact(lost) => Some(format!("{lost:.2} guesses lost")),
        Uncertain::Estimate { value, low, high } => {
            Some(format!("About {value:.1} guesses lost ({low:.1} to {high:.1})"))
        }
        Uncertain::AtMost(_) | Uncertain::Unknown => None,
    }
}

/// Returns the summary of a game in one to three sentences.
pub(crate) fn summary(
    turns: &[TurnAnalysis],
    solved: bool,
    lost: Uncertain<f64>,
    luck: Uncertain<f64>,
    (remaining, no_code_found): (Amount, bool),
    others: &[ReferenceGame],
) -> String {
    let guesses = pluralize(turns.len() as u128, "guess", "guesses");
    let mut summary = match (solved, remaining) {
        (true, _) => format!("Solved in {guesses}."),
        (false, Uncertain::Unknown) => format!("{guesses} played."),
        (false, _) => format!("{guesses} played, {} still possible.", remaining.codes()),
    };
    if no_code_found {
        summary.push_str(" No code that fits was found, but one may still exist.");
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
