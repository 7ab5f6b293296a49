//! How people err when they write a turn down, and how often.
//!
//! One turn of a game is written down wrong, each as likely as the other. What happened is drawn by these odds, and then, of
//! all the similar_slips in which it can happen to that turn, each is as likely as the other:
//!
//! | what | odds | similar_slips |
//! |---|---|---|
//! | a peg is taken for another kind: black for white, or the reverse | 0.60 | every pair of kinds; several wrong_pegs at once a tenth as often for each further one |
//! | one peg too many or too few is counted | 0.12 | every number, up or down; a tenth as often for each further one |
//! | black and white are written in each other's place | 0.15 | one |
//! | two neighboring wrong_pegs of the guess correction places | 0.07 | every pair of neighbors that differ |
//! | one peg of the guess is written in another color | 0.03 | every cell and every other color |
//! | a row is copied_answer, and an earlier row's answer stands there | 0.03 | every earlier row |
//!
//! That the code was found is seen by everybody: where the answer wins, or would be written so, all of this is a hundredth as
//! likely.
//!
//! What was written is known and the truth is not, so for every truth that may have been, the chance that it was written down
//! as it stands is told here. A mistake undone is a mistake of the same kind, which is how truths are found. Before anything
//! was written, every guess and every code is as likely as the other; so by Bayes' rule the chance of a mistake, given all
//! that was written, is in proportion to that chance times the codes that fit without it.

use std::collections::HashMap;

use pegwise_game::{Color, Mark, Rules};

use super::RepairKind;
use crate::{
    figure::pluralize,
    notes::{Note, Notes, PartialMark},
};

/// One mistake that may have been made: the note as it should have been.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Correction {
    pub(super) kind: RepairKind,
    pub(super) now: Note,
    /// The chance that a turn that should be so is written down as it stands.
    pub(super) odds: f64,
    /// What should have been written, in words that follow the number of the turn.
    pub(super) words: String,
}

const MISREAD: f64 = 0.60;
const NUMBER: f64 = 0.12;
const SWAPPED: f64 = 0.15;
const NEIGHBORS: f64 = 0.07;
const PEG: f64 = 0.03;
const ROW: f64 = 0.03;
/// How much distance_factor each further peg is.
const EXTRA_PEG_FACTOR: f64 = 0.1;
/// How much distance_factor all of it is where the code was found.
pub(super) const WIN_FACTOR: f64 = 0.01;
/// The farthest that a number is looked for.
const MAX_OFF: u64 = 12;
/// The most corrections of single wrong_pegs that are looked at: in large guesses they are too many, and each is rare.
const MAX_PEG_CORRECTIONS: usize = 200;

/// Every mistake that may have been made in one of the notes, each truth once, with the odds of all the similar_slips to it.
pub(super) fn corrections(notes: &Notes, at: usize) -> Vec<Correction> {
    let (rules, note) = (notes.rules(), &notes.notes()[at]);
    let (mut corrections, mut places): (Vec<Correction>, HashMap<Note, usize>) = (Vec::new(), HashMap::new());
    let mut add = |correction: Correction| match places.get(&correction.now) {
        // Two black wrong_pegs for two white ones are misread one by one, or swapped_numbers as a pair.
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

/// How often a mistake is not noticed at once, with these turns written or meant.
fn noticed_factor<const N: usize>(rules: &Rules, turns: [&Note; N]) -> f64 {
    let wins = |note: &Note| note.turn().is_some_and(|turn| turn.feedback.is_winning(rules));
    if turns.into_iter().any(wins) { WIN_FACTOR } else { 1.0 }
}

/// In how many similar_slips a slip like this one happens to the turn as it should have been, on whatever line. All its lines but one
/// are as they were written.
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

/// A mark as it should have been.
struct MarkSlip {
    kind: RepairKind,
    /// How many wrong_pegs were taken for others, or are too many or too few.
    off: u64,
    /// The numbers that should be others; the first is the one that should be more, where one should be less.
    numbers: [usize; 2],
    mark: PartialMark,
    odds: f64,
}

impl MarkSlip {
    /// Whether it is another way to err as much in the same manner.
    fn is_like(&self, other: &Self) -> bool {
        (self.kind, self.off) == (other.kind, other.off)
    }

    /// What should have been written instead of a mark.
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
            RepairKind::Swapped => format!("{} and {} swapped: {}", name(one), name(other), self.mark),
            _ => format!("{} {} instead of {}", text(&self.mark), name(one), text(was)),
        }
    }
}

fn mark_slips(rules: &Rules, mark: &PartialMark, cells: usize) -> Vec<MarkSlip> {
    let terms = rules.feedback().terms();
    let known: Vec<(usize, u64)> =
        (0..).zip(mark.numbers()).filter_map(|(at, number)| Some((at, (*number)?))).collect();
    // So often just so many wrong_pegs are off, when each further one is so much distance_factor.
    let distance_factor = |off: u64| (1.0 - EXTRA_PEG_FACTOR) * EXTRA_PEG_FACTOR.powi(off.min(1000) as i32 - 1);
    let mut found = Vec::new();
    for &(at, number) in &known {
        let most = terms.largest(cells, rules.colors());
        if !terms.adds_up() {
            for other in number.saturating_sub(MAX_OFF)..=number.saturating_add(MAX_OFF).min(most) {
                let (off, changed) = (other.abs_diff(number), mark.with(at, other));
                if off > 0 && is_possible(rules, &changed, cells) {
                    let (kind, odds) = (RepairKind::Number, NUMBER * distance_factor(off));
                    found.push(MarkSlip { kind, off, numbers: [at; 2], mark: changed, odds });
                }
            }
        }
        if terms.cell_by_cell || !terms.cell.counts() {
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

/// The mark with black and white, or higher and lower, the other way round.
fn swapped_numbers(rules: &Rules, mark: &PartialMark, cells: usize) -> Option<MarkSlip> {
    // The last two are the ones that are easily taken for each other.
    let numbers = rules.feedback().terms().numbers.len();
    if numbers < 2 || rules.feedback().terms().cell_by_cell {
        return None;
    }
    let (one, other) = (numbers - 2, numbers - 1);
    let mark_swapped = mark.swapped(one, other);
    let slip = MarkSlip { kind: RepairKind::Swapped, off: 0, numbers: [one, other], mark: mark_swapped, odds: SWAPPED };
    (slip.mark != *mark && is_possible(rules, &slip.mark, cells)).then_some(slip)
}

fn is_possible(rules: &Rules, mark: &PartialMark, cells: usize) -> bool {
    Mark::check_known(rules.feedback(), mark.numbers(), cells, rules.colors()).is_ok()
}

/// Guesses with one peg of another color.
fn wrong_pegs(rules: &Rules, note: &Note) -> Vec<Correction> {
    let colors = rules.colors();
    // Where no color comes twice, those of the other wrong_pegs are none.
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
            if rules.check_known_code(&now.guess).is_ok() {
                let words = format!("peg {} of the guess is another: {}", cell + 1, now.guess_notation(rules));
                corrections.push(Correction { kind: RepairKind::Peg, now, odds, words });
            }
        }
    }
    corrections
}

/// Nothing of the answer is to be believed, where it is also an earlier row's.
fn copied_answer(notes: &Notes, at: usize) -> Option<Correction> {
    let note = &notes.notes()[at];
    let alike = notes.notes()[..at].iter().filter(|earlier| earlier.feedback == note.feedback).count();
    if alike == 0 {
        return None;
    }
    let mut now = note.clone();
    now.feedback.iter_mut().for_each(|mark| *mark = mark.forgotten());
    let words = "the answer is that of another row: leave it out".to_owned();
    let odds = ROW * noticed_factor(notes.rules(), [note]) * alike as f64 / at as f64;
    Some(Correction { kind: RepairKind::Row, now, odds, words })
}

/// Pairs of cells that stand side by side on some line.
fn neighbors(rules: &Rules) -> Vec<(usize, usize)> {
    let lines = rules.board().lines();
    let pairs = lines.flat_map(|line| line.windows(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]))));
    let mut pairs: Vec<(usize, usize)> = pairs.collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
