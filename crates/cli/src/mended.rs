//! What to say when no code fits.

use std::time::Duration;

use pegwise_coach::{Amount, Contradiction, Note, Notes, Repair, mend};
use pegwise_game::{History, Rules};
use pegwise_solve::{Limits, Search, StrategyError};
use serde::Serialize;

use crate::ui;

/// The longest to look for repairs where they were not asked for.
const LONGEST: Duration = Duration::from_secs(2);
/// Repairs that are shown; the likeliest come first, and programs get them all.
const SHOWN: usize = 6;
/// Sets of turns that are shown.
const SETS_SHOWN: usize = 3;

/// Turns that contradict each other, for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Answer<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) turns: &'a [Note],
    pub(crate) contradiction: &'a Contradiction,
    pub(crate) seconds: f64,
}

/// Says what to do about a position that has no next guess. Looking for repairs takes at most a tenth of the `time` that a
/// guess may take.
pub(crate) fn explain(error: StrategyError, history: &History, time: Option<Duration>) -> anyhow::Error {
    let notes = Notes::from(history);
    let turns = match error {
        StrategyError::Contradiction { turns } => turns,
        // A last turn that claims to have won may contradict the others all the same.
        StrategyError::AlreadySolved
            if history.turns().last().is_some_and(|last| !history.is_consistent(&last.guess)) =>
        {
            Vec::new()
        }
        StrategyError::AlreadySolved => return anyhow::anyhow!("{error}; there is nothing left to guess"),
        error => return error.into(),
    };
    let time = time.map_or(LONGEST, |time| LONGEST.min(time / 10));
    let limits = Limits { time: Some(time), ..Limits::default() };
    match mend(&notes, &mut Search::new(0).with_limits(limits)) {
        Some(contradiction) => anyhow::anyhow!("{}", text(&contradiction, &notes)),
        None => anyhow::anyhow!(
            "{}\n  At least one feedback was misread: look at the pegs again.",
            name_turns(&turns, history)
        ),
    }
}

/// Names turns that cannot all be true, and writes them out.
pub(crate) fn name_turns(turns: &[usize], history: &History) -> String {
    let error = StrategyError::Contradiction { turns: turns.to_vec() };
    format!("{error}{}", written_out(turns, &Notes::from(history)))
}

fn written_out(turns: &[usize], notes: &Notes) -> String {
    let named = turns.iter().filter_map(|&number| Some((number, notes.notes().get(number - 1)?)));
    named.map(|(number, note)| format!("\n  turn {number}: {}", note.notation(notes.rules()))).collect()
}

/// Which turns cannot all be true, and what may have happened.
pub(crate) fn text(contradiction: &Contradiction, notes: &Notes) -> String {
    let mut text = contradiction.to_string();
    let mut named: Vec<usize> = contradiction.turns.iter().take(SETS_SHOWN).flatten().copied().collect();
    for turns in contradiction.turns.iter().take(SETS_SHOWN).skip(1) {
        let others = StrategyError::Contradiction { turns: turns.clone() }.to_string();
        text.push_str(&format!("\n  and {}", others.trim_start_matches("no code fits: ")));
    }
    named.sort_unstable();
    named.dedup();
    text.push_str(&written_out(&named, notes));
    let (repairs, pairs) = (&contradiction.repairs, &contradiction.pairs);
    if !repairs.is_empty() {
        text.push_str("\n  What may have happened, likeliest first:");
        let lines: Vec<(String, String)> =
            repairs.iter().take(SHOWN).map(|repair| (repair.words.clone(), becomes(repair, notes.rules()))).collect();
        let width = lines.iter().map(|(words, _)| words.chars().count()).max().unwrap_or(0);
        for (words, becomes) in lines {
            text.push_str(&format!("\n    {words:<width$}   {becomes}"));
        }
        more(&mut text, repairs.len(), contradiction.complete);
    } else if !pairs.is_empty() {
        text.push_str("\n  No single mistake explains it. Two may have happened, likeliest first:");
        for pair in pairs.iter().take(SHOWN) {
            let [one, other] = &pair.repairs;
            text.push_str(&format!("\n    {}; {}   {}", one.words, other.words, leaves(pair.leaves)));
        }
        more(&mut text, pairs.len(), contradiction.complete);
    } else {
        text.push_str("\n  More than one feedback was misread: look at the pegs again.");
    }
    match ui::trouble_width() {
        Some(width) => fitted(&text, width),
        None => text,
    }
}

/// The same text in so many columns: what is too long goes on in the next line, a little further to the right.
fn fitted(text: &str, width: usize) -> String {
    /// What stands before the first line of an error.
    const BEFORE: usize = "error: ".len();
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let before = if number == 0 { BEFORE } else { 0 };
        if before + line.chars().count() <= width {
            lines.push(line.to_owned());
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let wrapped = ui::block::wrap(line.trim_start(), width.saturating_sub(before.max(indent + 2)).max(1));
        for (part, words) in wrapped.into_iter().enumerate() {
            let indent = if part == 0 { indent } else { indent + 2 };
            lines.push(format!("{:indent$}{words}", ""));
        }
    }
    lines.join("\n")
}

fn more(text: &mut String, found: usize, complete: bool) {
    let hidden = found.saturating_sub(SHOWN);
    let found = if hidden > 0 { format!("{hidden} more (--format json lists them)") } else { String::new() };
    let rest = if complete { "" } else { "there may be others" };
    let between = if found.is_empty() || rest.is_empty() { "" } else { "; " };
    if hidden > 0 || !complete {
        text.push_str(&format!("\n    … {found}{between}{rest}"));
    }
}

fn becomes(repair: &Repair, rules: &Rules) -> String {
    format!("{}, {}", repair.now.notation(rules), leaves(repair.leaves))
}

fn leaves(amount: Amount) -> String {
    if amount.is_unknown() { "leaves some codes".to_owned() } else { format!("leaves {}", amount.codes()) }
}
