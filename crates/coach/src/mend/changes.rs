//! How people err when they write a turn down, and how often.
//!
//! One turn of a game is written down wrong, each as likely as the other. What happened is drawn by these odds, and then, of
//! all the ways in which it can happen to that turn, each is as likely as the other:
//!
//! | what | odds | ways |
//! |---|---|---|
//! | a peg is taken for another kind: black for white, or the reverse | 0.60 | every pair of kinds; several pegs at once a tenth as often for each further one |
//! | one peg too many or too few is counted | 0.12 | every number, up or down; a tenth as often for each further one |
//! | black and white are written in each other's place | 0.15 | one |
//! | two neighboring pegs of the guess change places | 0.07 | every pair of neighbors that differ |
//! | one peg of the guess is written in another color | 0.03 | every cell and every other color |
//! | a row is forgotten, and an earlier row's answer stands there | 0.03 | every earlier row |
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
    notes::{Note, Notes, PartialMark},
    words,
};

/// One mistake that may have been made: the note as it should have been.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
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
/// How much rarer each further peg is.
const FURTHER: f64 = 0.1;
/// How much rarer all of it is where the code was found.
pub(super) const FOUND: f64 = 0.01;
/// The farthest that a number is looked for.
const MOST_OFF: u64 = 12;
/// The most changes of single pegs that are looked at: in large guesses they are too many, and each is rare.
const MOST_PEGS: usize = 200;

/// Every mistake that may have been made in one of the notes, each truth once, with the odds of all the ways to it.
pub(super) fn changes(notes: &Notes, at: usize) -> Vec<Change> {
    let (rules, note) = (notes.rules(), &notes.notes()[at]);
    let (mut changes, mut places): (Vec<Change>, HashMap<Note, usize>) = (Vec::new(), HashMap::new());
    let mut add = |change: Change| match places.get(&change.now) {
        // Two black pegs for two white ones are misread one by one, or swapped as a pair.
        Some(&place) => {
            let other = &mut changes[place];
            if change.odds > other.odds {
                (other.kind, other.words) = (change.kind, change.words);
            }
            other.odds += change.odds;
        }
        None => {
            places.insert(change.now.clone(), changes.len());
            changes.push(change);
        }
    };
    let written: Vec<Vec<Slip>> = slips_of_lines(rules, note);
    for (line, slips) in written.iter().enumerate() {
        for slip in slips {
            let mut now = note.clone();
            now.feedback[line] = slip.mark.clone();
            let odds =
                slip.odds * unnoticed(rules, [note, &now]) / ways(rules, &now, line, &written, slip).max(1) as f64;
            let place = if written.len() > 1 { format!("line {}: ", line + 1) } else { String::new() };
            let words = format!("{place}{}", slip.words(rules, &note.feedback[line]));
            add(Change { kind: slip.kind, now, odds, words });
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
        let odds = NEIGHBORS * unnoticed(rules, [note]) / differing(&now).len().max(1) as f64;
        add(Change { kind: RepairKind::Neighbors, now, odds, words });
    }
    pegs(rules, note).into_iter().for_each(&mut add);
    forgotten(notes, at).into_iter().for_each(&mut add);
    changes
}

/// How often a mistake is not noticed at once, with these turns written or meant.
fn unnoticed<const N: usize>(rules: &Rules, turns: [&Note; N]) -> f64 {
    let wins = |note: &Note| note.turn().is_some_and(|turn| turn.feedback.is_winning(rules));
    if turns.into_iter().any(wins) { FOUND } else { 1.0 }
}

/// In how many ways a slip like this one happens to the turn as it should have been, on whatever line. All its lines but one
/// are as they were written.
fn ways(rules: &Rules, truth: &Note, line: usize, written: &[Vec<Slip>], slip: &Slip) -> usize {
    let alike = |slips: &[Slip]| slips.iter().filter(|other| other.is_like(slip)).count();
    let others = written.iter().enumerate().filter(|(other, _)| *other != line);
    let cells = rules.board().lines().nth(line).map_or(0, <[usize]>::len);
    others.map(|(_, slips)| alike(slips)).sum::<usize>() + alike(&slips(rules, &truth.feedback[line], cells))
}

fn slips_of_lines(rules: &Rules, note: &Note) -> Vec<Vec<Slip>> {
    let lines = rules.board().lines().zip(&note.feedback);
    lines.map(|(cells, mark)| slips(rules, mark, cells.len())).collect()
}

/// A mark as it should have been.
struct Slip {
    kind: RepairKind,
    /// How many pegs were taken for others, or are too many or too few.
    off: u64,
    /// The numbers that should be others; the first is the one that should be more, where one should be less.
    numbers: [usize; 2],
    mark: PartialMark,
    odds: f64,
}

impl Slip {
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
                    true => format!("{} as {kinds}", words::things(self.off, "digit", "digits")),
                    false => format!("{} {kinds}", words::things(self.off, "peg", "pegs")),
                }
            }
            RepairKind::Swapped => format!("{} and {} swapped: {}", name(one), name(other), self.mark),
            _ => format!("{} {} instead of {}", text(&self.mark), name(one), text(was)),
        }
    }
}

fn slips(rules: &Rules, mark: &PartialMark, cells: usize) -> Vec<Slip> {
    let model = rules.feedback().model();
    let known: Vec<(usize, u64)> =
        (0..).zip(mark.numbers()).filter_map(|(at, number)| Some((at, (*number)?))).collect();
    // So often just so many pegs are off, when each further one is so much rarer.
    let rarer = |off: u64| (1.0 - FURTHER) * FURTHER.powi(off.min(1000) as i32 - 1);
    let mut slips = Vec::new();
    for &(at, number) in &known {
        let most = model.max_number(cells, rules.colors());
        if !model.adds_up() {
            for other in number.saturating_sub(MOST_OFF)..=number.saturating_add(MOST_OFF).min(most) {
                let (off, changed) = (other.abs_diff(number), mark.with(at, other));
                if off > 0 && can_be(rules, &changed, cells) {
                    let (kind, odds) = (RepairKind::Number, NUMBER * rarer(off));
                    slips.push(Slip { kind, off, numbers: [at; 2], mark: changed, odds });
                }
            }
        }
        if model.per_cell || !model.cell.is_count() {
            continue;
        }
        for &(from, taken) in known.iter().filter(|(from, _)| *from != at) {
            for off in 1..=taken.min(MOST_OFF) {
                let changed = mark.with(at, number + off).with(from, taken - off);
                if can_be(rules, &changed, cells) {
                    let (kind, odds) = (RepairKind::Misread, MISREAD * rarer(off));
                    slips.push(Slip { kind, off, numbers: [at, from], mark: changed, odds });
                }
            }
        }
    }
    slips.extend(swapped(rules, mark, cells));
    slips
}

/// The mark with black and white, or higher and lower, the other way round.
fn swapped(rules: &Rules, mark: &PartialMark, cells: usize) -> Option<Slip> {
    // The last two are the ones that are easily taken for each other.
    let numbers = rules.feedback().model().numbers.len();
    if numbers < 2 || rules.feedback().model().per_cell {
        return None;
    }
    let (one, other) = (numbers - 2, numbers - 1);
    let swapped = mark.swapped(one, other);
    let slip = Slip { kind: RepairKind::Swapped, off: 0, numbers: [one, other], mark: swapped, odds: SWAPPED };
    (slip.mark != *mark && can_be(rules, &slip.mark, cells)).then_some(slip)
}

fn can_be(rules: &Rules, mark: &PartialMark, cells: usize) -> bool {
    Mark::check_partial(rules.feedback(), mark.numbers(), cells, rules.colors()).is_ok()
}

/// Guesses with one peg of another color.
fn pegs(rules: &Rules, note: &Note) -> Vec<Change> {
    let colors = rules.colors();
    // Where no color comes twice, those of the other pegs are none.
    let known = note.guess.iter().flatten().count();
    let ways = known * (usize::from(colors) - if rules.repeats() { 1 } else { known });
    if ways > MOST_PEGS {
        return Vec::new();
    }
    let odds = PEG * unnoticed(rules, [note]) / ways as f64;
    let mut changes = Vec::new();
    for (cell, &peg) in note.guess.iter().enumerate() {
        let Some(peg) = peg else { continue };
        for color in (0..colors).map(Color::new).filter(|&color| color != peg) {
            let mut now = note.clone();
            now.guess[cell] = Some(color);
            if rules.check_partial_code(&now.guess).is_ok() {
                let words = format!("peg {} of the guess is another: {}", cell + 1, now.guess_notation(rules));
                changes.push(Change { kind: RepairKind::Peg, now, odds, words });
            }
        }
    }
    changes
}

/// Nothing of the answer is to be believed, where it is also an earlier row's.
fn forgotten(notes: &Notes, at: usize) -> Option<Change> {
    let note = &notes.notes()[at];
    let alike = notes.notes()[..at].iter().filter(|earlier| earlier.feedback == note.feedback).count();
    if alike == 0 {
        return None;
    }
    let mut now = note.clone();
    now.feedback.iter_mut().for_each(|mark| *mark = mark.forgotten());
    let words = "the answer is that of another row: leave it out".to_owned();
    let odds = ROW * unnoticed(notes.rules(), [note]) * alike as f64 / at as f64;
    Some(Change { kind: RepairKind::Row, now, odds, words })
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
