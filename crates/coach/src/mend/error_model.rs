//! Model of mistakes in written turns, with their probabilities.
//!
//! One turn of the game is wrong, each with equal probability. The kind of mistake has these odds, and all ways to make
//! it in that turn are equally likely:
//!
//! | mistake | odds | ways |
//! |---|---|---|
//! | pegs taken for another kind: black for white, or the reverse | 0.60 | every pair of kinds; each further peg is ten times less likely |
//! | a number too high or too low | 0.12 | every number, up or down; each further peg is ten times less likely |
//! | marks of cells wrong, with feedback per cell | 0.12 | every mark; each further cell is ten times less likely |
//! | black and white swapped | 0.15 | one |
//! | two neighboring pegs of the guess swapped | 0.07 | every pair of different neighbors |
//! | one peg of the guess in another color | 0.03 | every cell and every other color |
//! | a row forgotten, with the answer of an earlier row in its place | 0.03 | every earlier row |
//!
//! A mistake that involves a winning answer is noticed, and a hundred times less likely.
//!
//! The written turn is known and the true one is not, so this module enumerates the possible true turns, each with the
//! probability that it is written down as it stands. The inverse of a mistake is a mistake of the same kind, which
//! makes the enumeration simple. All guesses and codes are equally likely a priori; by Bayes' rule the posterior
//! probability of a mistake is proportional to that probability times the number of codes consistent with the corrected
//! notes.

use std::collections::HashMap;

use pegwise_game::{Color, Mark, Rules};

use super::RepairKind;
use crate::figure::pluralize;
use crate::notes::{Note, Notes, PartialMark};

/// A possible true note in place of the written one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Correction {
    pub(super) kind: RepairKind,
    pub(super) now: Note,
    /// Probability that the true turn is written down as the note.
    pub(super) odds: f64,
    /// Description of the correction, to follow the number of the turn.
    pub(super) words: String,
}

const MISREAD: f64 = 0.60;
const NUMBER: f64 = 0.12;
const SWAPPED: f64 = 0.15;
const NEIGHBORS: f64 = 0.07;
const PEG: f64 = 0.03;
const ROW: f64 = 0.03;
/// Factor for each further peg.
const EXTRA_PEG_FACTOR: f64 = 0.1;
/// Factor for mistakes that involve a winning answer.
pub(super) const WIN_FACTOR: f64 = 0.01;
/// Maximum change of a number.
const MAX_OFF: u64 = 12;
/// Maximum number of corrections of a mark with feedback per cell; all of them on lines of five cells.
const MAX_CELL_SLIPS: usize = 300;
/// Maximum number of single-peg corrections: large guesses have too many, and each is rare.
const MAX_PEG_CORRECTIONS: usize = 200;

/// Returns every correction of a note once, with the total odds of all ways to make the mistake.
pub(super) fn corrections(notes: &Notes, at: usize) -> Vec<Correction> {
    let (rules, note) = (notes.rules(), &notes.notes()[at]);
    let (mut corrections, mut places): (Vec<Correction>, HashMap<Note, usize>) = (Vec::new(), HashMap::new());
    let mut add = |correction: Correction| match places.get(&correction.now) {
        // Two pegs can be misread one by one, or as a swap.
        Some(&place) => {
            let other = &mut corrections[place];
            if correction.odds > other.odds {
                (other.kind, other.words) = (correction.kind, correction.words);
            }
            other.odds += correction.odds;
        }
        None => {
            places.insert(correction.now.clone(), corrections.len());
            corrections.push(correction);
        }
    };
    let written: Vec<Vec<MarkSlip>> = slips_per_line(rules, note);
    for (line, of_line) in written.iter().enumerate() {
        for slip in of_line {
            let mut now = note.clone();
            now.feedback[line] = slip.mark.clone();
            let odds = slip.odds * noticed_factor(rules, [note, &now])
                / similar_slips(rules, &now, line, &written, slip).max(1) as f64;
            let place = if written.len() > 1 { format!("line {}: ", line + 1) } else { String::new() };
            let words = format!("{place}{}", slip.words(rules, &note.feedback[line]));
            add(Correction { kind: slip.kind, now, odds, words });
        }
    }
    let neighbors = neighbors(rules);
    let differing = |note: &Note| {
        let differ = |&&(one, other): &&(usize, usize)| note.guess[one] != note.guess[other];
        neighbors.iter().filter(differ).copied().collect::<Vec<_>>()
    };
    for (one, other) in differing(note) {
        let mut now = note.clone();
        now.guess.swap(one, other);
        let words = format!("pegs {} and {} of the guess swapped: {}", one + 1, other + 1, now.guess_notation(rules));
        let odds = NEIGHBORS * noticed_factor(rules, [note]) / differing(&now).len().max(1) as f64;
        add(Correction { kind: RepairKind::Neighbors, now, odds, words });
    }
    wrong_pegs(rules, note).into_iter().for_each(&mut add);
    copied_answer(notes, at).into_iter().for_each(&mut add);
    corrections
}

/// Returns the factor for mistakes that the player would notice.
fn noticed_factor<const N: usize>(rules: &Rules, turns: [&Note; N]) -> f64 {
    let wins = |note: &Note| note.turn().is_some_and(|turn| turn.feedback.is_winning(rules));
    if turns.into_iter().any(wins) { WIN_FACTOR } else { 1.0 }
}

/// Returns the number of equally likely slips in the true turn, which differs from the written one in `line` only.
fn similar_slips(rules: &Rules, truth: &Note, line: usize, written: &[Vec<MarkSlip>], slip: &MarkSlip) -> usize {
    let alike = |of_line: &[MarkSlip]| of_line.iter().filter(|other| other.is_like(slip)).count();
    let others = written.iter().enumerate().filter(|(other, _)| *other != line);
    let cells = rules.board().lines().nth(line).map_or(0, <[usize]>::len);
    others.map(|(_, of_line)| alike(of_line)).sum::<usize>() + alike(&mark_slips(rules, &truth.feedback[line], cells))
}

fn slips_per_line(rules: &Rules, note: &Note) -> Vec<Vec<MarkSlip>> {
    let lines = rules.board().lines().zip(&note.feedback);
    lines.map(|(cells, mark)| mark_slips(rules, mark, cells.len())).collect()
}

/// A possible true mark in place of the written one.
struct MarkSlip {
    kind: RepairKind,
    /// Number of pegs misread or miscounted.
    off: u64,
    /// Changed numbers; the first one is larger in the true mark.
    numbers: [usize; 2],
    mark: PartialMark,
    odds: f64,
}

impl MarkSlip {
    /// Returns true if both slips have the same kind and size.
    fn is_like(&self, other: &Self) -> bool {
        (self.kind, self.off) == (other.kind, other.off)
    }

    /// Returns the description of the correction.
    fn words(&self, rules: &Rules, was: &PartialMark) -> String {
        let [one, other] = self.numbers;
        let name = |at: usize| was.name(rules, at);
        let text =
            |mark: &PartialMark| mark.numbers()[one].map_or_else(String::new, |n| rules.feedback().number_text(n));
        match self.kind {
            RepairKind::Misread => {
                let kinds = format!("{} instead of {}: {}", name(one), name(other), self.mark);
                match rules.is_bulls_and_cows() {
                    true => format!("{} as {kinds}", pluralize(self.off, "digit", "digits")),
                    false => format!("{} {kinds}", pluralize(self.off, "peg", "pegs")),
                }
            }
            _ if rules.feedback().model().per_cell && self.off > 1 => format!("{} instead of {was}", self.mark),
            RepairKind::Swapped => format!("{} and {} swapped: {}", name(one), name(other), self.mark),
            _ => format!("{} {} instead of {}", text(&self.mark), name(one), text(was)),
        }
    }
}

/// Geometric distribution of the number of pegs.
fn distance_factor(off: u64) -> f64 {
    (1.0 - EXTRA_PEG_FACTOR) * EXTRA_PEG_FACTOR.powi(off.min(1000) as i32 - 1)
}

/// Returns the marks that differ in one cell, in two, and so on, with feedback per cell.
fn cell_slips(rules: &Rules, mark: &PartialMark, known: &[(usize, u64)], cells: usize) -> Vec<MarkSlip> {
    let mut found: Vec<MarkSlip> = Vec::new();
    // Marks with the same number of changes, and the first of the known cells that may still change.
    let mut changed = vec![(mark.clone(), 0)];
    for off in 1..=known.len() as u64 {
        let mut next = Vec::new();
        for (mark, from) in &changed {
            for (place, &(at, number)) in known.iter().enumerate().skip(*from) {
                let others = (0..=2).filter(|&other| other != number);
                next.extend(others.map(|other| (mark.with(at, other), place + 1)));
            }
        }
        if found.len() + next.len() > MAX_CELL_SLIPS {
            break;
        }
        let odds = NUMBER * distance_factor(off);
        let slip = |(mark, end): &(PartialMark, usize)| {
            let numbers = [known[end - 1].0; 2];
            is_possible(rules, mark, cells).then(|| MarkSlip {
                kind: RepairKind::Number,
                off,
                numbers,
                mark: mark.clone(),
                odds,
            })
        };
        found.extend(next.iter().filter_map(slip));
        changed = next;
    }
    found
}

fn mark_slips(rules: &Rules, mark: &PartialMark, cells: usize) -> Vec<MarkSlip> {
    let model = rules.feedback().model();
    let known: Vec<(usize, u64)> =
        (0..).zip(mark.numbers()).filter_map(|(at, number)| Some((at, (*number)?))).collect();
    if model.per_cell {
        return cell_slips(rules, mark, &known, cells);
    }
    let mut found = Vec::new();
    for &(at, number) in &known {
        let most = model.max_number(cells, rules.colors());
        if !model.adds_up() {
            for other in number.saturating_sub(MAX_OFF)..=number.saturating_add(MAX_OFF).min(most) {
                let (off, changed) = (other.abs_diff(number), mark.with(at, other));
                if off > 0 && is_possible(rules, &changed, cells) {
                    let (kind, odds) = (RepairKind::Number, NUMBER * distance_factor(off));
                    found.push(MarkSlip { kind, off, numbers: [at; 2], mark: changed, odds });
                }
            }
        }
        if !model.cell.is_count() {
            continue;
        }
        for &(from, taken) in known.iter().filter(|(from, _)| *from != at) {
            for off in 1..=taken.min(MAX_OFF) {
                let changed = mark.with(at, number + off).with(from, taken - off);
                if is_possible(rules, &changed, cells) {
                    let (kind, odds) = (RepairKind::Misread, MISREAD * distance_factor(off));
                    found.push(MarkSlip { kind, off, numbers: [at, from], mark: changed, odds });
                }
            }
        }
    }
    found.extend(swapped_numbers(rules, mark, cells));
    found
}

/// Returns the mark with black and white, or higher and lower, swapped.
fn swapped_numbers(rules: &Rules, mark: &PartialMark, cells: usize) -> Option<MarkSlip> {
    // The last two numbers are the ones easily confused.
    let numbers = rules.feedback().model().numbers.len();
    if numbers < 2 || rules.feedback().model().per_cell {
        return None;
    }
    let (one, other) = (numbers - 2, numbers - 1);
    let mark_swapped = mark.swapped(one, other);
    let slip = MarkSlip { kind: RepairKind::Swapped, off: 0, numbers: [one, other], mark: mark_swapped, odds: SWAPPED };
    (slip.mark != *mark && is_possible(rules, &slip.mark, cells)).then_some(slip)
}

fn is_possible(rules: &Rules, mark: &PartialMark, cells: usize) -> bool {
    Mark::check_partial(rules.feedback(), mark.numbers(), cells, rules.colors()).is_ok()
}

/// Returns the corrections of one peg's color.
fn wrong_pegs(rules: &Rules, note: &Note) -> Vec<Correction> {
    let colors = rules.colors();
    // Without repeats, the colors of the other pegs are excluded.
    let known = note.guess.iter().flatten().count();
    let corrections_count = known * (usize::from(colors) - if rules.repeats() { 1 } else { known });
    if corrections_count > MAX_PEG_CORRECTIONS {
        return Vec::new();
    }
    let odds = PEG * noticed_factor(rules, [note]) / corrections_count as f64;
    let mut corrections = Vec::new();
    for (cell, &peg) in note.guess.iter().enumerate() {
        let Some(peg) = peg else { continue };
        for color in (0..colors).map(Color::new).filter(|&color| color != peg) {
            let mut now = note.clone();
            now.guess[cell] = Some(color);
            if rules.check_partial_code(&now.guess).is_ok() {
                let words =
                    format!("peg {} of the guess may be a different color: {}", cell + 1, now.guess_notation(rules));
                corrections.push(Correction { kind: RepairKind::Peg, now, odds, words });
            }
        }
    }
    corrections
}

/// Returns the note without its answer, if an earlier row has the same one.
fn copied_answer(notes: &Notes, at: usize) -> Option<Correction> {
    let note = &notes.notes()[at];
    let alike = notes.notes()[..at].iter().filter(|earlier| earlier.feedback == note.feedback).count();
    if alike == 0 {
        return None;
    }
    let mut now = note.clone();
    now.feedback.iter_mut().for_each(|mark| *mark = mark.forgotten());
    let words = "the answer may belong to another row: remove the turn".to_owned();
    let odds = ROW * noticed_factor(notes.rules(), [note]) * alike as f64 / at as f64;
    Some(Correction { kind: RepairKind::Row, now, odds, words })
}

/// Returns the pairs of adjacent cells of all lines.
fn neighbors(rules: &Rules) -> Vec<(usize, usize)> {
    let lines = rules.board().lines();
    let pairs = lines.flat_map(|line| line.windows(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]))));
    let mut pairs: Vec<(usize, usize)> = pairs.collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
