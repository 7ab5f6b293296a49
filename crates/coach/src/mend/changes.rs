//! How people err when they write a turn down, and how often.
//!
//! One turn in a game is written down wrong. What happened is drawn by these odds, and then, of all the ways in which it can
//! happen to that turn, each is as likely as the other:
//!
//! | what | odds | ways |
//! |---|---|---|
//! | a peg is taken for another kind: black for white, or the reverse | 0.60 | every pair of kinds; several pegs at once a tenth as often for each further one |
//! | one peg too many or too few is counted | 0.12 | every number, up or down; a tenth as often for each further one |
//! | black and white are written in each other's place | 0.15 | one |
//! | two neighboring pegs of the guess change places | 0.07 | every pair of neighbors that differ |
//! | one peg of the guess is written in another color | 0.03 | every cell and every other color |
//! | a row is forgotten, and another row's answer stands there | 0.03 | every answer |
//!
//! What was written is known and the truth is not, so for every truth that may have been, the chance that it was written down
//! as it stands is told here. A mistake undone is a mistake of the same kind, which is how truths are found.

use pegwise_game::{Color, Mark, Rules};

use super::RepairKind;
use crate::notes::{Note, PartialMark};

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
/// The farthest that a number is looked for.
const MOST_OFF: u64 = 64;
/// The most changes of single pegs that are looked at: in large guesses they are too many, and each is rare.
const MOST_PEGS: usize = 200;

/// Every mistake that may have been made in a note, each truth once, with the odds of all the ways to it.
pub(super) fn changes(rules: &Rules, note: &Note) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let mut add = |change: Change| match changes.iter_mut().find(|other| other.now == change.now) {
        // Two black pegs for two white ones are misread one by one, or swapped as a pair.
        Some(other) => {
            if change.odds > other.odds {
                (other.kind, other.words) = (change.kind, change.words);
            }
            other.odds += change.odds;
        }
        None => changes.push(change),
    };
    let lines = rules.board().line_count();
    for (line, cells) in rules.board().lines().enumerate() {
        for slip in slips(rules, &note.feedback[line], cells.len()) {
            let mut now = note.clone();
            now.feedback[line] = slip.mark.clone();
            let place = if lines > 1 { format!("line {}: ", line + 1) } else { String::new() };
            let ways = slips(rules, &slip.mark, cells.len()).iter().filter(|other| other.is_like(&slip)).count();
            let odds = slip.odds / (ways.max(1) * lines) as f64;
            add(Change { kind: slip.kind, now, odds, words: format!("{place}{}", slip.words) });
        }
    }
    let swaps = differing_neighbors(rules, note);
    for &(one, other) in &swaps {
        let mut now = note.clone();
        now.guess.swap(one, other);
        let words = format!("pegs {} and {} of the guess swapped: {}", one + 1, other + 1, now.guess_notation(rules));
        let odds = NEIGHBORS / differing_neighbors(rules, &now).len().max(1) as f64;
        add(Change { kind: RepairKind::Neighbors, now, odds, words });
    }
    pegs(rules, note).into_iter().for_each(&mut add);
    add(forgotten(rules, note));
    changes
}

/// A mark as it should have been.
struct Slip {
    kind: RepairKind,
    /// How many pegs were taken for others, or are too many or too few.
    off: u64,
    mark: PartialMark,
    odds: f64,
    words: String,
}

impl Slip {
    /// Whether it is another way to err as much in the same manner.
    fn is_like(&self, other: &Self) -> bool {
        (self.kind, self.off) == (other.kind, other.off)
    }
}

fn slips(rules: &Rules, mark: &PartialMark, cells: usize) -> Vec<Slip> {
    let terms = rules.feedback().terms();
    let known: Vec<(usize, u64)> =
        (0..).zip(mark.numbers()).filter_map(|(at, number)| Some((at, (*number)?))).collect();
    let rarer = |off: u64| FURTHER.powi(off.min(1000) as i32 - 1);
    let mut slips = Vec::new();
    let text = |number: u64| rules.feedback().number_text(number);
    for &(at, number) in &known {
        let name = mark.name(at);
        let most = terms.largest(cells, rules.colors());
        if !terms.adds_up() {
            for other in number.saturating_sub(MOST_OFF)..=number.saturating_add(MOST_OFF).min(most) {
                let (off, changed) = (other.abs_diff(number), mark.with(at, other));
                if off > 0 && can_be(rules, &changed, cells) {
                    let words = format!("{} {name} instead of {}", text(other), text(number));
                    slips.push(Slip { kind: RepairKind::Number, off, mark: changed, odds: NUMBER * rarer(off), words });
                }
            }
        }
        if terms.cell_by_cell || !terms.cell.counts() {
            continue;
        }
        for &(from, taken) in known.iter().filter(|(from, _)| *from != at) {
            for off in 1..=taken {
                let changed = mark.with(at, number + off).with(from, taken - off);
                if can_be(rules, &changed, cells) {
                    let pegs = if off == 1 { "1 peg".to_owned() } else { format!("{off} pegs") };
                    let words = format!("{pegs} {name} instead of {}: {changed}", mark.name(from));
                    slips.push(Slip {
                        kind: RepairKind::Misread,
                        off,
                        mark: changed,
                        odds: MISREAD * rarer(off),
                        words,
                    });
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
    let numbers = rules.feedback().terms().numbers.len();
    if numbers < 2 || rules.feedback().terms().cell_by_cell {
        return None;
    }
    let (one, other) = (numbers - 2, numbers - 1);
    let swapped = mark.swapped(one, other);
    let words = format!("{} and {} swapped: {swapped}", mark.name(one), mark.name(other));
    let slip = Slip { kind: RepairKind::Swapped, off: 0, mark: swapped, odds: SWAPPED, words };
    (slip.mark != *mark && can_be(rules, &slip.mark, cells)).then_some(slip)
}

fn can_be(rules: &Rules, mark: &PartialMark, cells: usize) -> bool {
    Mark::check_known(rules.feedback(), mark.numbers(), cells, rules.colors()).is_ok()
}

/// Guesses with one peg of another color.
fn pegs(rules: &Rules, note: &Note) -> Vec<Change> {
    let colors = rules.colors();
    let ways = rules.cells() * (usize::from(colors) - 1);
    if ways > MOST_PEGS {
        return Vec::new();
    }
    let mut changes = Vec::new();
    for (cell, &peg) in note.guess.iter().enumerate() {
        let Some(peg) = peg else { continue };
        for color in (0..colors).map(Color::new).filter(|&color| color != peg) {
            let mut now = note.clone();
            now.guess[cell] = Some(color);
            if rules.check_known_code(&now.guess).is_ok() {
                let words = format!("peg {} of the guess is another: {}", cell + 1, now.guess_notation(rules));
                changes.push(Change { kind: RepairKind::Peg, now, odds: PEG / ways as f64, words });
            }
        }
    }
    changes
}

/// Nothing of the answer is to be believed.
fn forgotten(rules: &Rules, note: &Note) -> Change {
    let mut now = note.clone();
    now.feedback.iter_mut().for_each(|mark| *mark = mark.forgotten());
    let terms = rules.feedback().terms();
    // How many answers there are: every number may be anything, up to what they come to together.
    let answers: f64 = rules
        .board()
        .lines()
        .map(|line| (terms.largest(line.len(), rules.colors()) as f64 + 1.0).powi(terms.arity(line.len()) as i32))
        .product();
    let words = "the answer is that of another row: leave it out".to_owned();
    Change { kind: RepairKind::Row, now, odds: ROW / answers, words }
}

/// Neighbors of different colors in a guess.
fn differing_neighbors(rules: &Rules, note: &Note) -> Vec<(usize, usize)> {
    neighbors(rules).into_iter().filter(|&(one, other)| note.guess[one] != note.guess[other]).collect()
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
