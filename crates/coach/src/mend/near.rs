//! Codes that nearly fit: they miss one turn, or two.
//!
//! A small space is looked at code by code. In a large one every turn is left out in turn, and the codes that fit the others
//! are searched for; with one turn too many to be true they are few, or else the search ends early and says so.

use std::collections::BTreeMap;

use pegwise_game::{Code, Mark, Table, partition::Partitioner};
use pegwise_solve::{Search, candidates::listed};

use super::{
    certain,
    sets::{Answer, Turns},
};
use crate::{fit::Fit, notes::Notes, possible};

/// Codes that fit all turns but some.
#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    pub(super) codes: Vec<Code>,
    /// Whether there are no more.
    pub(super) complete: bool,
}

/// The notes of a game that no code fits, and the codes near them.
pub(super) enum Near<'a> {
    Listed(Listed),
    Searched(Searched<'a>),
}

/// Whether any code fits.
pub(super) enum Survey<'a> {
    /// Some code does, or it could not be told.
    Fits,
    /// None does.
    Contradiction(Near<'a>),
}

pub(super) struct Listed {
    codes: Table,
    /// For each code, the turns it misses.
    missed: Vec<Turns>,
    /// Every set of turns that some code misses, the smallest first.
    misses: Vec<Turns>,
}

pub(super) struct Searched<'a> {
    notes: &'a Notes,
    /// What is left of the steps.
    steps: u64,
}

/// Steps of backtracking for all repairs together, and again for all sets of turns: about a second each.
const STEPS: u64 = 10_000_000;
/// Steps for one question, and for one that is asked for each mistake that may have been made.
const STEPS_A_QUESTION: u64 = 1_500_000;
const STEPS_A_CHANGE: u64 = 60_000;
/// Steps to find out whether any code fits at all.
const STEPS_TO_BEGIN: u64 = 8_000_000;
/// Moves of annealing that may find a code where backtracking gave up.
const MOVES: u64 = 60_000;
/// The most codes near the notes that are listed for one question.
const MOST_NEAR: usize = 20_000;

/// Looks whether any code fits, and at what is near if none does.
pub(super) fn survey<'a>(notes: &'a Notes, search: &mut Search<'_>) -> Survey<'a> {
    if notes.notes().is_empty() || notes.notes().len() > Turns::BITS as usize {
        return Survey::Fits;
    }
    if listed::is_listable(notes.rules())
        && let Ok(codes) = Table::all(notes.rules())
    {
        // What could not be looked at in time is not known to contradict itself.
        let Some(missed) = missed(notes, &codes, search) else { return Survey::Fits };
        let mut misses = missed.clone();
        misses.sort_unstable_by_key(|&turns| (turns.count_ones(), turns));
        misses.dedup();
        if misses.first() == Some(&0) {
            return Survey::Fits;
        }
        return Survey::Contradiction(Near::Listed(Listed { codes, missed, misses }));
    }
    let mut searched = Searched { notes, steps: STEPS };
    if certain::contradict(notes, search.watch()) {
        return Survey::Contradiction(Near::Searched(searched));
    }
    // Where codes fit, one is mostly found soon.
    let fits = notes.history().is_some_and(|history| !possible::anneal(&history, None, 1, MOVES, search).is_empty());
    if fits {
        return Survey::Fits;
    }
    searched.steps = STEPS_TO_BEGIN;
    let begun = searched.fitting(notes, STEPS_TO_BEGIN, 1, search);
    searched.steps = STEPS;
    if begun.complete && begun.codes.is_empty() {
        Survey::Contradiction(Near::Searched(searched))
    } else {
        Survey::Fits
    }
}

/// For each code, the turns it misses; `None` when stopped.
fn missed(notes: &Notes, codes: &Table, search: &Search<'_>) -> Option<Vec<Turns>> {
    let rules = notes.rules();
    let mut missed: Vec<Turns> = vec![0; codes.len()];
    let partitioner = Partitioner::new(rules);
    let mut marks = Vec::new();
    for (bit, note) in notes.notes().iter().enumerate() {
        let turn = note.turn();
        if let (Some(lanes), Some(turn)) = (partitioner.batch_kernel(), &turn) {
            let &[mark] = turn.feedback.marks() else { continue };
            lanes.marks(&turn.guess, codes, &mut marks);
            let wanted = lanes.encoding().byte(mark);
            for (missed, &mark) in missed.iter_mut().zip(&marks) {
                *missed |= Turns::from(wanted != Some(mark)) << bit;
            }
        } else {
            let mut fit = Fit::new(rules, note);
            for (missed, code) in missed.iter_mut().zip(codes.codes()) {
                if search.watch().stop().is_some() {
                    return None;
                }
                *missed |= Turns::from(!fit.fits(&code)) << bit;
            }
        }
    }
    Some(missed)
}

impl Near<'_> {
    /// Starts the limits anew.
    pub(super) fn grant_more(&mut self) {
        if let Self::Searched(searched) = self {
            searched.steps = STEPS;
        }
    }

    /// The codes that miss just these turns.
    pub(super) fn missing(&mut self, turns: &[usize], search: &mut Search<'_>) -> Group {
        let wanted: Turns = turns.iter().map(|turn| 1 << turn).sum();
        match self {
            Self::Listed(Listed { codes, missed, .. }) => {
                let rows = (0..).zip(&*missed).filter(|(_, missed)| **missed == wanted).map(|(row, _)| row);
                Group { codes: rows.map(|row| codes.code(row)).collect(), complete: true }
            }
            Self::Searched(searched) => {
                let others = (0..searched.notes.notes().len()).filter(|turn| !turns.contains(turn));
                let others = searched.notes.only(others);
                let mut group = searched.fitting(&others, STEPS_A_QUESTION, MOST_NEAR, search);
                // A code that fits one of them too would be near by fewer turns.
                let mut fits: Vec<Fit> =
                    turns.iter().map(|&turn| Fit::new(searched.notes.rules(), &searched.notes.notes()[turn])).collect();
                group.codes.retain(|code| fits.iter_mut().all(|fit| !fit.fits(code)));
                group
            }
        }
    }

    /// The codes that fit changed notes, as far as they are worth a search of their own.
    pub(super) fn fitting(&mut self, changed: &Notes, search: &mut Search<'_>) -> Group {
        match self {
            // Whatever fits is near the notes, and was listed there.
            Self::Listed(_) => Group { codes: Vec::new(), complete: true },
            // There are hundreds of changes: what is set up for each takes long enough to be late.
            Self::Searched(_) if search.watch().stop().is_some() => Group { codes: Vec::new(), complete: false },
            Self::Searched(searched) => {
                if certain::contradict(changed, search.watch()) {
                    return Group { codes: Vec::new(), complete: true };
                }
                let mut group = searched.fitting(changed, STEPS_A_CHANGE, MOST_NEAR, search);
                if let (false, true, Some(history)) = (group.complete, group.codes.is_empty(), changed.history()) {
                    group.codes = possible::anneal(&history, None, 1, MOVES, search);
                }
                group
            }
        }
    }

    /// Whether some code fits all of these turns.
    pub(super) fn ask(&mut self, set: Turns, search: &mut Search<'_>) -> Answer {
        match self {
            Self::Listed(listed) => match listed.misses.iter().find(|&&missed| missed & set == 0) {
                Some(&missed) => Answer::Fits(missed),
                None => Answer::Never,
            },
            Self::Searched(_) if search.watch().stop().is_some() => Answer::Unknown,
            Self::Searched(searched) => {
                let some = searched.notes.only((0..searched.notes.notes().len()).filter(|turn| set >> turn & 1 == 1));
                if certain::contradict(&some, search.watch()) {
                    return Answer::Never;
                }
                // Annealing finds soon what there is; that there is nothing, only a search can tell.
                let history = some.history();
                let codes = history.map_or_else(Vec::new, |history| possible::anneal(&history, None, 1, MOVES, search));
                let mut group = Group { codes, complete: false };
                if group.codes.is_empty() {
                    group = searched.fitting(&some, STEPS_A_QUESTION, 1, search);
                }
                match group.codes.first() {
                    Some(code) => Answer::Fits(searched.missed_by(code)),
                    None if group.complete => Answer::Never,
                    None => Answer::Unknown,
                }
            }
        }
    }
}

impl Searched<'_> {
    /// The codes that fit some notes, within the steps that are left.
    fn fitting(&mut self, notes: &Notes, steps: u64, most: usize, search: &mut Search<'_>) -> Group {
        let before = search.counts().nodes;
        let (codes, complete) = possible::backtrack(notes, steps.min(self.steps), most, search);
        self.steps = self.steps.saturating_sub(search.counts().nodes - before);
        Group { codes, complete }
    }

    fn missed_by(&self, code: &Code) -> Turns {
        let fits = self.notes.notes().iter().map(|note| Fit::new(self.notes.rules(), note));
        fits.enumerate().map(|(turn, mut fit)| Turns::from(!fit.fits(code)) << turn).sum()
    }
}

/// How often each answer to the guess of a note is given by codes.
pub(super) fn answers(notes: &Notes, guess: &Code, codes: &[Code]) -> BTreeMap<Vec<Mark>, u128> {
    let mut judge = pegwise_game::Judge::new(notes.rules());
    let mut answers = BTreeMap::new();
    for code in codes {
        *answers.entry(judge.marks(guess, code).collect()).or_default() += 1;
    }
    answers
}
