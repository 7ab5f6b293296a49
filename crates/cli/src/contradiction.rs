//! Messages about turns that contradict each other.

use std::time::Duration;

use pegwise_coach::{Amount, Contradiction, Notes, Repair, mend};
use pegwise_game::{History, Rules};
use pegwise_solve::{Limits, Search, StrategyError};
use serde_json::json;

use crate::{
    arguments::OutputFormat,
    exit::Exit,
    ui::{self, Screen},
};

/// Time limit of the search for repairs when they were not asked for.
const REPAIR_TIME: Duration = Duration::from_secs(2);
/// Number of repairs shown; JSON has them all.
const SHOWN: usize = 6;
/// Number of contradictory sets of turns shown.
const SETS_SHOWN: usize = 3;

/// Reports contradictory turns: as an error, or as one JSON object on standard output.
pub(crate) fn report(
    contradiction: &Contradiction,
    notes: &Notes,
    seconds: f64,
    format: OutputFormat,
) -> anyhow::Result<Exit> {
    if format != OutputFormat::Json {
        anyhow::bail!(message(contradiction, notes));
    }
    Screen::new().json(&json!({
        "error": message(contradiction, notes),
        "rules": notes.rules(),
        "turns": notes.notes(),
        "contradiction": contradiction,
        "seconds": seconds,
    }))?;
    Ok(Exit::Reported)
}

/// Explains why a position has no next guess. The search for repairs takes at most a tenth of `time_per_guess`.
pub(crate) fn explain(error: StrategyError, history: &History, time_per_guess: Option<Duration>) -> anyhow::Error {
    let notes = Notes::from(history);
    let turns = match error {
        StrategyError::Contradiction { turns } => turns,
        // A winning last turn may still contradict the others.
        StrategyError::AlreadySolved
            if history.turns().last().is_some_and(|last| !history.is_consistent(&last.guess)) =>
        {
            Vec::new()
        }
        StrategyError::AlreadySolved => return anyhow::anyhow!("{error}; there is nothing left to guess"),
        error => return error.into(),
    };
    let time = time_per_guess.map_or(REPAIR_TIME, |time| REPAIR_TIME.min(time / 10));
    let limits = Limits { time: Some(time), ..Limits::default() };
    match mend(&notes, &mut Search::new(0).with_limits(limits)) {
        Some(contradiction) => anyhow::anyhow!("{}", message(&contradiction, &notes)),
        None => {
            let turns = name_turns(&turns, history);
            anyhow::anyhow!("{turns}\n  At least one feedback is wrong: check the pegs again.")
        }
    }
}

/// Names contradictory turns and lists them.
pub(crate) fn name_turns(turns: &[usize], history: &History) -> String {
    let error = StrategyError::Contradiction { turns: turns.to_vec() };
    format!("{error}{}", list(turns, &Notes::from(history)))
}

fn list(turns: &[usize], notes: &Notes) -> String {
    let named = turns.iter().filter_map(|&number| Some((number, notes.notes().get(number - 1)?)));
    named.map(|(number, note)| format!("\n  turn {number}: {}", note.notation(notes.rules()))).collect()
}

/// Describes the contradiction and the likely mistakes.
fn message(contradiction: &Contradiction, notes: &Notes) -> String {
    let mut text = contradiction.to_string();
    let mut named: Vec<usize> = contradiction.turns.iter().take(SETS_SHOWN).flatten().copied().collect();
    for turns in contradiction.turns.iter().take(SETS_SHOWN).skip(1) {
        let others = StrategyError::Contradiction { turns: turns.clone() }.to_string();
        text.push_str(&format!("\n  and {}", others.trim_start_matches("no code fits: ")));
    }
    named.sort_unstable();
    named.dedup();
    text.push_str(&list(&named, notes));
    let (repairs, pairs) = (&contradiction.repairs, &contradiction.pairs);
    if !repairs.is_empty() {
        text.push_str("\n  Possible mistakes, most likely first:");
        let lines: Vec<(String, String)> =
            repairs.iter().take(SHOWN).map(|repair| (repair.words.clone(), effect(repair, notes.rules()))).collect();
        let width = lines.iter().map(|(words, _)| words.chars().count()).max().unwrap_or(0);
        for (words, effect) in lines {
            text.push_str(&format!("\n    {words:<width$}   {effect}"));
        }
        text.push_str(&omitted(repairs.len(), contradiction.complete));
    } else if !pairs.is_empty() {
        text.push_str("\n  No single mistake explains it. Possible pairs of mistakes, most likely first:");
        for pair in pairs.iter().take(SHOWN) {
            let [one, other] = &pair.repairs;
            text.push_str(&format!("\n    {}; {}   {}", one.words, other.words, leaves(pair.leaves)));
        }
        text.push_str(&omitted(pairs.len(), contradiction.complete));
    } else {
        text.push_str("\n  No likely mistake explains it: check the pegs again.");
    }
    match ui::stderr_width() {
        Some(width) => wrap_lines(&text, width),
        None => text,
    }
}

/// Wraps each line, with a hanging indent.
fn wrap_lines(text: &str, width: usize) -> String {
    const PREFIX: usize = "error: ".len();
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let before = if number == 0 { PREFIX } else { 0 };
        if before + line.chars().count() <= width {
            lines.push(line.to_owned());
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let wrapped = ui::text::wrap(line.trim_start(), width.saturating_sub(before.max(indent + 2)).max(1));
        for (part, words) in wrapped.into_iter().enumerate() {
            let indent = if part == 0 { indent } else { indent + 2 };
            lines.push(format!("{:indent$}{words}", ""));
        }
    }
    lines.join("\n")
}

fn omitted(found: usize, complete: bool) -> String {
    let hidden = found.saturating_sub(SHOWN);
    let hidden = (hidden > 0).then(|| format!("{hidden} more (--json lists them)"));
    let unknown = (!complete).then(|| "there may be others".to_owned());
    let parts: Vec<String> = hidden.into_iter().chain(unknown).collect();
    if parts.is_empty() { String::new() } else { format!("\n    … {}", parts.join("; ")) }
}

fn effect(repair: &Repair, rules: &Rules) -> String {
    format!("{}, {}", repair.now.notation(rules), leaves(repair.leaves))
}

fn leaves(amount: Amount) -> String {
    if amount.is_unknown() { "leaves some codes".to_owned() } else { format!("leaves {}", amount.codes()) }
}
