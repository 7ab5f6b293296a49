//! What could have gone wrong with one note, and how likely each mistake is before the codes are looked at.
//!
//! The chances are rules of thumb, as odds against each other: black and white written in the wrong order is the most common
//! slip, then a number that is off by one, half as often for each further one, then two neighboring pegs that changed places,
//! which may be any of several pairs.

use pegwise_game::{Mark, Rules};

use super::RepairKind;
use crate::notes::{Note, PartialMark};

/// One mistake that may have been made: the note as it should have been.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    pub(super) kind: RepairKind,
    pub(super) now: Note,
    /// How likely the mistake is, against others.
    pub(super) odds: f64,
    /// What should have been written, in words that follow the number of the turn.
    pub(super) words: String,
}

/// The odds that the two numbers of a mark were swapped.
const SWAPPED: f64 = 1.0;
/// The odds that one number is off by one, and what is left of them for each further one.
const OFF_BY_ONE: f64 = 0.5;
const ONE_MORE: f64 = 0.5;
/// The odds that two pegs changed places.
const NEIGHBORS: f64 = 0.25;
/// The farthest that a number is looked for.
const MOST_OFF: u64 = 256;

/// Every mistake that may have been made in a note.
pub(super) fn changes(rules: &Rules, note: &Note) -> Vec<Change> {
    let mut changes = Vec::new();
    for (line, cells) in rules.board().lines().enumerate() {
        let marks = numbers(rules, &note.feedback[line], cells.len()).into_iter();
        let marks = marks.map(|changed| (RepairKind::Number, changed));
        let swapped = swapped(rules, &note.feedback[line], cells.len());
        for (kind, (mark, odds, words)) in marks.chain(swapped.map(|changed| (RepairKind::Swapped, changed))) {
            let mut now = note.clone();
            now.feedback[line] = mark;
            let place = if rules.board().line_count() > 1 { format!("line {}: ", line + 1) } else { String::new() };
            changes.push(Change { kind, now, odds, words: format!("{place}{words}") });
        }
    }
    for (one, other) in neighbors(rules) {
        if note.guess[one] != note.guess[other] {
            let mut now = note.clone();
            now.guess.swap(one, other);
            let words =
                format!("pegs {} and {} of the guess swapped: {}", one + 1, other + 1, now.guess_notation(rules));
            changes.push(Change { kind: RepairKind::Neighbors, now, odds: NEIGHBORS, words });
        }
    }
    changes
}

type Changed = (PartialMark, f64, String);

/// The mark with one number changed; where all numbers add up to the line, with some of one counted to another.
fn numbers(rules: &Rules, mark: &PartialMark, cells: usize) -> Vec<Changed> {
    let known: Vec<(usize, u64)> =
        (0..).zip(mark.numbers()).filter_map(|(at, number)| Some((at, (*number)?))).collect();
    let terms = rules.feedback().terms();
    let most = terms.largest(cells, rules.colors());
    let mut changed = Vec::new();
    for &(at, number) in &known {
        let name = mark.name(at);
        for other in number.saturating_sub(MOST_OFF)..=number.saturating_add(MOST_OFF).min(most) {
            let off = other.abs_diff(number);
            if off == 0 {
                continue;
            }
            let odds = OFF_BY_ONE * ONE_MORE.powi(off.min(1000) as i32 - 1);
            let single = mark.with(at, other);
            if can_be(rules, &single, cells) {
                let [now, before] = [other, number].map(|number| rules.feedback().number_text(number));
                changed.push((single, odds, format!("{now} {name} instead of {before}")));
                continue;
            }
            // Only a number that grows is looked at, so that each exchange is met once.
            let taken = known.iter().filter(|(from, _)| *from != at && terms.adds_up());
            for &(from, lost) in taken.filter(|(_, lost)| other > number && *lost >= off) {
                let moved = mark.with(at, other).with(from, lost - off);
                if can_be(rules, &moved, cells) {
                    let words = format!("{off} more {name} and {off} fewer {}", mark.name(from));
                    changed.push((moved, odds, words));
                }
            }
        }
    }
    changed
}

/// The mark with black and white, or higher and lower, the other way round.
fn swapped(rules: &Rules, mark: &PartialMark, cells: usize) -> Option<Changed> {
    // The last two are the ones that are easily taken for each other.
    let numbers = rules.feedback().terms().numbers.len();
    if numbers < 2 || rules.feedback().terms().cell_by_cell {
        return None;
    }
    let (one, other) = (numbers - 2, numbers - 1);
    let swapped = mark.swapped(one, other);
    let words = format!("{} and {} swapped: {swapped}", mark.name(one), mark.name(other));
    (swapped != *mark && can_be(rules, &swapped, cells)).then_some((swapped, SWAPPED, words))
}

fn can_be(rules: &Rules, mark: &PartialMark, cells: usize) -> bool {
    Mark::check_known(rules.feedback(), mark.numbers(), cells, rules.colors()).is_ok()
}

/// Pairs of cells that stand side by side on some line.
pub(super) fn neighbors(rules: &Rules) -> Vec<(usize, usize)> {
    let lines = rules.board().lines();
    let pairs = lines.flat_map(|line| line.windows(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]))));
    let mut pairs: Vec<(usize, usize)> = pairs.collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
