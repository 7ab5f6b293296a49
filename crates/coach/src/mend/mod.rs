//! What to do when no code fits: which turns cannot all be true, and the likeliest mistakes.
//!
//! How people err, and how often, is in [`changes`]. A code that misses a single turn names the mistakes there that would make
//! it fit. By Bayes' rule, with all codes equally likely at first, a mistake is the more likely the more codes it leaves, and
//! the more common it is: their likelihoods are just what that rule gives. Where no single mistake explains the notes, pairs of
//! mistakes in two turns do.
//!
//! Whether the notes contradict each other at all is seen at a glance where that can be ([`certain`]), else searched.

mod certain;
mod changes;
mod near;
mod sets;

use std::fmt;

use pegwise_game::Code;
use pegwise_solve::{Search, StrategyError, Watch, clock};
use serde::{Deserialize, Serialize};

use self::{
    changes::{Change, FOUND, changes},
    near::{Group, Near, Survey, answers, survey},
};
use crate::{
    figure::{Amount, Figure, field},
    fit::Fit,
    notes::{Note, Notes},
};

/// Notes that no code fits: what is wrong, and what may have happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contradiction {
    /// The smallest sets of turns that cannot all be true, by one-based number.
    pub turns: Vec<Vec<usize>>,
    /// Single mistakes after whose repair some code fits, likeliest first.
    pub repairs: Vec<Repair>,
    /// Two mistakes in different turns, likeliest first, where no single one explains the notes.
    pub pairs: Vec<Pair>,
    /// Whether nothing was left out: every set of the smallest size, and every repair there is.
    pub complete: bool,
}

/// A mistake that may have been made in one turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repair {
    /// The turn, by one-based number.
    pub turn: usize,
    /// What went wrong.
    pub kind: RepairKind,
    /// The turn as written down.
    pub was: Note,
    /// The turn as it should have been.
    pub now: Note,
    /// How many codes fit after the repair; at least one does.
    #[serde(flatten, with = "field::leaves")]
    pub leaves: Amount,
    /// How likely it is among all repairs of the list, from 0 to 1.
    pub likelihood: f64,
    /// What should have been written, in words.
    pub words: String,
}

/// Two mistakes in different turns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// The mistakes, by turn.
    pub repairs: [Repair; 2],
    /// How many codes fit after both repairs; at least one does.
    #[serde(flatten, with = "field::leaves")]
    pub leaves: Amount,
    /// How likely it is among all pairs of the list, from 0 to 1.
    pub likelihood: f64,
}

/// What went wrong in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RepairKind {
    /// Pegs were taken for another kind: black for white, or the reverse.
    Misread,
    /// One number of the feedback is another.
    Number,
    /// Black and white, or higher and lower, are swapped.
    Swapped,
    /// Two neighboring pegs of the guess are swapped.
    Neighbors,
    /// One peg of the guess is of another color.
    Peg,
    /// The answer is another row's.
    Row,
}

/// The most pairs that are named.
const MOST_PAIRS: usize = 50;
/// The most codes near two turns that are looked at for pairs.
const MOST_CODES_OF_PAIRS: usize = 2_000;

/// Whether notes contradict each other for certain, at a glance: it takes a millisecond or so on any board. What is not seen
/// so may still be a contradiction.
#[must_use]
pub(crate) fn is_plain(notes: &Notes, search: &Search<'_>) -> bool {
    certain::contradict(notes, search.watch())
}

/// What is wrong with notes that no code fits, and how to mend them; `None` when some code fits, or when it cannot be told.
///
/// ```
/// use pegwise_coach::{Notes, RepairKind, mend};
/// use pegwise_game::Rules;
/// use pegwise_solve::Search;
/// let rules: Rules = "4x6".parse()?;
/// let notes = Notes::parse(&rules, ["1234=0,0", "3456=2,0", "1111=2,0"])?;
/// let mended = mend(&notes, &mut Search::new(1)).expect("a contradiction");
/// assert_eq!(mended.turns, [[1, 3]]);
/// assert_eq!(mended.to_string(), "no code fits: turns 1 and 3 cannot both be true");
/// let best = &mended.repairs[0];
/// assert_eq!((best.turn, best.kind), (3, RepairKind::Row));
/// assert_eq!(best.now.notation(&rules).to_string(), "1111=?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mend(notes: &Notes, search: &mut Search<'_>) -> Option<Contradiction> {
    // What is near to fitting may fit where answers may be lies: no repair is worth more than another.
    if notes.rules().lies() > 0 {
        return None;
    }
    let Survey::Contradiction(mut near) = survey(notes, search) else { return None };
    let (repairs, all_repairs) = repairs(notes, &mut near, search);
    // Every turn that is missed alone belongs to every set.
    let alone = repairs.iter().map(|repair| 1 << (repair.turn - 1)).collect();
    near.grant_more();
    let (mut sets, all_sets) = sets::smallest(notes.notes().len(), alone, |set| near.ask(set, search));
    if sets.is_empty() {
        // That all of them cannot be is known, if nothing smaller is.
        sets.push(sets::all(notes.notes().len()));
    }
    let (pairs, all_pairs) = if repairs.is_empty() { pairs(notes, &mut near, search) } else { (Vec::new(), true) };
    let turns = sets.into_iter().map(sets::numbers).collect();
    Some(Contradiction { turns, repairs, pairs, complete: all_repairs && all_sets && all_pairs })
}

fn repairs(notes: &Notes, near: &mut Near<'_>, search: &mut Search<'_>) -> (Vec<Repair>, bool) {
    let mut found = Vec::new();
    let mut complete = true;
    for (at, note) in notes.notes().iter().enumerate() {
        let group = near.missing(&[at], search);
        // Nothing was found, and there is no time to look for more.
        if group.codes.is_empty() && !group.complete && search.watch().stop().is_some() {
            complete = false;
            continue;
        }
        let (changes, all_changes) = explaining(notes, at, &group.codes, search.watch());
        complete &= all_changes;
        for (change, leaves) in changes {
            let mut mended = Group { codes: Vec::new(), complete: group.complete };
            // What is rare is not worth a search of its own.
            let rare = matches!(change.kind, RepairKind::Peg | RepairKind::Row);
            if !group.complete && leaves == 0 && rare {
                complete = false;
                continue;
            }
            if !group.complete && leaves == 0 {
                mended = near.fitting(&notes.with(at, change.now.clone()), search);
                complete &= mended.complete || !mended.codes.is_empty();
            }
            let leaves = leaves + mended.codes.len() as u128;
            if leaves > 0 {
                let counted = if mended.complete { Amount::count(leaves) } else { Figure::Unknown };
                // An answer that is left out may have told that the code was found, which is seldom overlooked.
                let found_it = change.kind == RepairKind::Row
                    && note.code().is_some_and(|guess| group.codes.binary_search(&guess).is_ok());
                let weight = leaves as f64 - if found_it { 1.0 - FOUND } else { 0.0 };
                found.push((change.odds * weight, repair(at, note, change, counted)));
            }
        }
    }
    (ranked(found, |repair, likelihood| repair.likelihood = likelihood), complete)
}

fn repair(at: usize, note: &Note, change: Change, leaves: Amount) -> Repair {
    let words = format!("turn {}: {}", at + 1, change.words);
    Repair { turn: at + 1, kind: change.kind, was: note.clone(), now: change.now, leaves, likelihood: 0.0, words }
}

/// Returns every mistake in a note with the number of `codes` that fit once it is corrected, and whether all mistakes were
/// examined in time.
fn explaining(notes: &Notes, at: usize, codes: &[Code], watch: Watch<'_>) -> (Vec<(Change, u128)>, bool) {
    let (rules, note) = (notes.rules(), &notes.notes()[at]);
    let counted = note.code().map(|guess| answers(notes, &guess, codes));
    let leaves = |change: &Change| match &counted {
        Some(answers) if change.now.guess == note.guess => {
            let agree = |marks: &[pegwise_game::Mark]| {
                marks.iter().zip(&change.now.feedback).all(|(mark, known)| known.agrees(*mark))
            };
            answers.iter().filter(|(marks, _)| agree(marks)).map(|(_, count)| count).sum()
        }
        _ => {
            let mut fit = Fit::new(rules, &change.now);
            codes.iter().filter(|code| fit.fits(code)).count() as u128
        }
    };
    let mut explained = Vec::new();
    for change in changes(notes, at) {
        if watch.stop().is_some() {
            return (explained, false);
        }
        let leaves = leaves(&change);
        explained.push((change, leaves));
    }
    (explained, true)
}

fn pairs(notes: &Notes, near: &mut Near<'_>, search: &mut Search<'_>) -> (Vec<Pair>, bool) {
    let rules = notes.rules();
    let mut found = Vec::new();
    let mut complete = true;
    'pairs: for one in 0..notes.notes().len() {
        for other in one + 1..notes.notes().len() {
            if search.watch().stop().is_some() {
                break 'pairs;
            }
            let mut group = near.missing(&[one, other], search);
            complete &= group.complete && group.codes.len() <= MOST_CODES_OF_PAIRS;
            group.complete &= group.codes.len() <= MOST_CODES_OF_PAIRS;
            group.codes.truncate(MOST_CODES_OF_PAIRS);
            if group.codes.is_empty() {
                continue;
            }
            let watch = search.watch();
            let fitting = |at: usize| -> Vec<(Change, Vec<bool>)> {
                let fits = |change: &Change| -> Vec<bool> {
                    let mut fit = Fit::new(rules, &change.now);
                    group.codes.iter().map(|code| fit.fits(code)).collect()
                };
                let changes = changes(notes, at).into_iter().take_while(|_| watch.stop().is_none());
                let changes = changes.map(|change| {
                    let fits = fits(&change);
                    (change, fits)
                });
                changes.filter(|(_, fits)| fits.contains(&true)).collect()
            };
            let (ones, others) = (fitting(one), fitting(other));
            for (first, fits) in &ones {
                if watch.stop().is_some() {
                    break 'pairs;
                }
                for (second, fits_too) in &others {
                    clock::work(fits.len() as u64);
                    let leaves = fits.iter().zip(fits_too).filter(|&(&one, &other)| one && other).count();
                    if leaves > 0 {
                        let counted = if group.complete { Amount::count(leaves as u128) } else { Figure::Unknown };
                        let repairs = [(one, first), (other, second)]
                            .map(|(at, change)| repair(at, &notes.notes()[at], change.clone(), Figure::Unknown));
                        let odds = first.odds * second.odds * leaves as f64;
                        found.push((odds, Pair { repairs, leaves: counted, likelihood: 0.0 }));
                    }
                }
            }
        }
    }
    let mut pairs = ranked(found, |pair, likelihood| pair.likelihood = likelihood);
    complete &= pairs.len() <= MOST_PAIRS && search.watch().stop().is_none();
    pairs.truncate(MOST_PAIRS);
    (pairs, complete)
}

/// Likeliest first; among equals, those found first.
fn ranked<T>(mut found: Vec<(f64, T)>, mut set: impl FnMut(&mut T, f64)) -> Vec<T> {
    let all: f64 = found.iter().map(|(odds, _)| odds).sum();
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    let ranked = found.into_iter().map(|(odds, mut item)| {
        set(&mut item, odds / all);
        item
    });
    ranked.collect()
}

impl Contradiction {
    /// What a strategy knows of a contradiction that could not be looked into.
    pub(crate) fn of_turns(turns: Vec<usize>) -> Self {
        Self { turns: vec![turns], repairs: Vec::new(), pairs: Vec::new(), complete: false }
    }
}

/// Names the first set of turns.
impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        StrategyError::Contradiction { turns: self.turns.first().cloned().unwrap_or_default() }.fmt(f)
    }
}
