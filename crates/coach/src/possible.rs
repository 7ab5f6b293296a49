//! The codes that fit notes: all of them where they can be listed or searched, a sample where not.

use std::{collections::BTreeSet, ops::ControlFlow};

use pegwise_game::{Code, Color, Count, Feedback, History, Judge, Rules, Space, Table, Turn};
use pegwise_solve::{
    Search,
    candidates::{
        anneal::{Annealer, Effort},
        backtrack::{Backtrack, End, Order},
        listed::{self, Filter},
    },
};

use crate::{
    fit::Fit,
    notes::{Note, Notes},
};

/// What is known of the codes that fit.
#[derive(Debug, Clone)]
pub(crate) struct Possible {
    /// Codes that fit, ascending.
    pub(crate) codes: Vec<Code>,
    /// Whether these are all of them.
    pub(crate) complete: bool,
}

/// Steps that backtracking may take to find every code: some tenths of a second.
const STEPS: u64 = 3_000_000;
/// The most codes that backtracking lists.
const MOST_LISTED: usize = 100_000;
/// Codes of a sample, and moves that annealing may try for them.
const SAMPLE: usize = 2_000;
const MOVES: u64 = 6_000_000;
/// A sample of fewer codes is filled up with codes for single ways to fill in what is unknown.
const FEW: usize = 200;
/// Ways that are tried, and moves for each.
const WAYS: usize = 64;
const MOVES_A_WAY: u64 = 200_000;

impl Possible {
    /// Looks for the codes that fit.
    pub(crate) fn of(notes: &Notes, search: &mut Search<'_>) -> Self {
        if let Some(table) = listed(notes) {
            return Self { codes: table.codes().collect(), complete: true };
        }
        let (codes, complete) = backtrack(notes, STEPS, MOST_LISTED, search);
        if complete {
            return Self { codes, complete };
        }
        Self { codes: sample(notes, search), complete: false }
    }

    /// How many there are, where that is known.
    pub(crate) fn count(&self) -> Option<Count> {
        self.complete.then_some(Count::Exact(self.codes.len() as u128))
    }
}

/// How many codes fit, where they can be counted within the limits.
pub(crate) fn count(notes: &Notes, search: &mut Search<'_>) -> Option<Count> {
    if let Some(table) = listed(notes) {
        return Some(Count::Exact(table.len() as u128));
    }
    let (codes, complete) = backtrack(notes, STEPS, MOST_LISTED, search);
    complete.then_some(Count::Exact(codes.len() as u128))
}

/// All codes that fit, where the space can be listed.
pub(crate) fn listed(notes: &Notes) -> Option<Table> {
    let rules = notes.rules();
    if !listed::is_listable(rules) {
        return None;
    }
    let mut codes = Table::all(rules).ok()?;
    let mut spare = codes.select(&[]);
    let mut filter = Filter::new(rules);
    for turn in notes.known().turns() {
        filter.agreeing(&codes, turn, &mut spare);
        std::mem::swap(&mut codes, &mut spare);
    }
    for mut fit in fits_of_partial(notes) {
        let rows: Vec<u32> = (0..).zip(codes.codes()).filter(|(_, code)| fit.fits(code)).map(|(row, _)| row).collect();
        codes = codes.select(&rows);
    }
    Some(codes)
}

/// The notes that are no whole turns.
fn fits_of_partial(notes: &Notes) -> Vec<Fit> {
    let partial = notes.notes().iter().filter(|note| note.turn().is_none());
    partial.map(|note| Fit::new(notes.rules(), note)).collect()
}

/// Codes that fit, ascending, and whether these are all.
pub(crate) fn backtrack(notes: &Notes, steps: u64, most: usize, search: &mut Search<'_>) -> (Vec<Code>, bool) {
    let mut partial = fits_of_partial(notes);
    let mut codes = Vec::new();
    let end = Backtrack::new(&notes.known()).visit(Order::AscendingFrom(None), steps, search, |code| {
        if partial.iter_mut().all(|fit| fit.fits(code)) {
            codes.push(Code::new(code));
        }
        if codes.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    codes.truncate(most);
    (codes, end == End::NoMore)
}

/// Some codes that fit, near uniformly drawn where few parts are unknown.
fn sample(notes: &Notes, search: &mut Search<'_>) -> Vec<Code> {
    let known = notes.known();
    let mut partial = fits_of_partial(notes);
    let mut found: BTreeSet<Code> = anneal(&known, SAMPLE, MOVES, search).into_iter().collect();
    found.retain(|code| partial.iter_mut().all(|fit| fit.fits(code)));
    if !partial.is_empty() {
        for _ in 0..WAYS {
            if found.len() >= FEW || search.stop().is_some() {
                break;
            }
            let history = fill_in(notes, search);
            found.extend(anneal(&history, FEW, MOVES_A_WAY, search));
        }
    }
    found.into_iter().collect()
}

/// Codes that fit a history, by annealing; drawn from the whole space where there is nothing to fit.
pub(crate) fn anneal(history: &History, codes: usize, moves: u64, search: &mut Search<'_>) -> Vec<Code> {
    if history.is_empty() {
        return (0..codes).map(|_| search.rng.code(history.rules())).collect();
    }
    let start = search.rng.code(history.rules());
    Annealer::new(history).sample(&start, Effort { codes, moves }, search).codes
}

/// A history that agrees with the notes where they are known: what is unknown is filled in as some code would have it.
fn fill_in(notes: &Notes, search: &mut Search<'_>) -> History {
    let rules = notes.rules();
    let mut history = History::new(rules.clone());
    for note in notes.notes() {
        let turn = note.turn().unwrap_or_else(|| fill_in_note(rules, note, search));
        // What is filled in fits the rules.
        let _ = history.push(turn);
    }
    history
}

/// Draws of a guess and of an answer before the closest answer is taken.
const DRAWS: usize = 50;

fn fill_in_note(rules: &Rules, note: &Note, search: &mut Search<'_>) -> Turn {
    let mut judge = Judge::new(rules);
    let mut drawn = None;
    for _ in 0..DRAWS {
        let guess = fill_in_guess(rules, note, search);
        let feedback = judge.feedback(&guess, &search.rng.code(rules));
        let numbers = feedback.marks().iter().zip(&note.feedback);
        let agrees = numbers.into_iter().all(|(mark, known)| known.agrees(*mark));
        let turn = Turn { guess, feedback };
        if agrees {
            return turn;
        }
        drawn = Some(turn);
    }
    drawn.unwrap_or_else(|| Turn { guess: Space::new(rules).first(), feedback: Feedback::winning(rules) })
}

fn fill_in_guess(rules: &Rules, note: &Note, search: &mut Search<'_>) -> Code {
    let mut colors: Vec<Color> = (0..rules.colors()).map(Color::new).collect();
    search.rng.shuffle(&mut colors);
    let known: Vec<Color> = note.guess.iter().flatten().copied().collect();
    let mut fresh = colors.iter().copied().filter(|color| !known.contains(color));
    let fill = |peg: &Option<Color>| match peg {
        Some(color) => *color,
        None if rules.repeats() => colors[search.rng.index(colors.len())],
        None => fresh.next().unwrap_or(colors[0]),
    };
    Code::new(note.guess.iter().map(fill).collect::<Vec<_>>())
}
