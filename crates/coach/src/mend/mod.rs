//! What to do when no code fits: which turns cannot all be true, and the likeliest mistakes.
//!
//! How people err, and how often, is in [`corrections`]. A code that misses a single turn names the mistakes there that would make
//! it fit. By Bayes' rule, with all codes equally likely at first, a mistake is the more likely the more codes it leaves, and
//! the more common it is: their likelihoods are just what that rule gives. Where no single mistake explains the notes, pairs of
//! mistakes in two turns do.
//!
//! Whether the notes is_contradictory each other at all is seen at a glance where that can be ([`necessary`]), else searched.

mod error_model;
mod necessary;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use pegwise_game::{Code, Mark, Table, partition::Partitioner};
use pegwise_solve::{Search, StrategyError, Watch, candidates::listed, clock};
use serde::{Deserialize, Serialize};

use self::error_model::{Correction, WIN_FACTOR, corrections};
use crate::{
    candidates,
    figure::{Amount, Uncertain, field},
    notes::{Note, NoteChecker, Notes},
};

/// Notes that no code fits: what is wrong, and what may have happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contradiction {
    /// The smallest_conflicts sets of turns that cannot all be true, by one-based number.
    pub turns: Vec<Vec<usize>>,
    /// Single mistakes after whose repair some code fits, likeliest first.
    pub repairs: Vec<Repair>,
    /// Two mistakes in different turns, likeliest first, where no single one explains the notes.
    pub pairs: Vec<RepairPair>,
    /// Whether nothing was left out: every set of the smallest_conflicts size, and every repair there is.
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
pub struct RepairPair {
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
const MAX_PAIRS: usize = 50;
/// The most codes near two turns that are looked at for pairs.
const MAX_CODES_PER_PAIR: usize = 2_000;

/// Whether notes is_contradictory each other for necessary, at a glance: it takes a millisecond or so on any board. What is not seen
/// so may still be a contradiction.
#[must_use]
pub(crate) fn is_obvious(notes: &Notes, search: &Search<'_>) -> bool {
    necessary::is_contradictory(notes, search.watch())
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
/// assert_eq!(mended.to_string(), "no code fits: turns 1 and 3 cannot all be true");
/// let best = &mended.repairs[0];
/// assert_eq!((best.turn, best.kind), (3, RepairKind::Row));
/// assert_eq!(best.now.notation(&rules).to_string(), "1111=?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mend(notes: &Notes, search: &mut Search<'_>) -> Option<Contradiction> {
    // What is near to codes_fitting may fit where mark_counts may be lies: no repair is worth more than another.
    if notes.rules().lies() > 0 {
        return None;
    }
    let Consistency::Contradiction(mut near) = check_consistency(notes, search) else { return None };
    let (repairs, all_repairs) = repairs(notes, &mut near, search);
    // Every turn that is missed alone belongs to every set.
    let alone = repairs.iter().map(|repair| 1 << (repair.turn - 1)).collect();
    near.reset_budget();
    let (mut sets, all_sets) = smallest_conflicts(notes.notes().len(), alone, |set| near.status_of(set, search));
    if sets.is_empty() {
        // That all of them cannot be is known, if nothing smaller is.
        sets.push(all_turns(notes.notes().len()));
    }
    let (pairs, all_pairs) = if repairs.is_empty() { pairs(notes, &mut near, search) } else { (Vec::new(), true) };
    let turns = sets.into_iter().map(turn_numbers).collect();
    Some(Contradiction { turns, repairs, pairs, complete: all_repairs && all_sets && all_pairs })
}

fn repairs(notes: &Notes, near: &mut NearMisses<'_>, search: &mut Search<'_>) -> (Vec<Repair>, bool) {
    let mut found = Vec::new();
    let mut complete = true;
    for (at, note) in notes.notes().iter().enumerate() {
        let group = near.codes_missing(&[at], search);
        // Nothing was found, and there is no time to look for more.
        if group.codes.is_empty() && !group.complete && search.watch().stop().is_some() {
            complete = false;
            continue;
        }
        let (corrections, all_changes) = corrections_with_counts(notes, at, &group.codes, search.watch());
        complete &= all_changes;
        for (change, leaves) in corrections {
            let mut mended = CodeGroup { codes: Vec::new(), complete: group.complete };
            // What is rare is not worth a search of its own.
            let rare = matches!(change.kind, RepairKind::Peg | RepairKind::Row);
            if !group.complete && leaves == 0 && rare {
                complete = false;
                continue;
            }
            if !group.complete && leaves == 0 {
                mended = near.codes_fitting(&notes.with_note(at, change.now.clone()), search);
                complete &= mended.complete || !mended.codes.is_empty();
            }
            let leaves = leaves + mended.codes.len() as u128;
            if leaves > 0 {
                let counted = if mended.complete { Amount::count(leaves) } else { Uncertain::Unknown };
                // An answer that is left out may have told that the code was found, which is seldom overlooked.
                let found_it = change.kind == RepairKind::Row
                    && note.code().is_some_and(|guess| group.codes.binary_search(&guess).is_ok());
                let weight = leaves as f64 - if found_it { 1.0 - WIN_FACTOR } else { 0.0 };
                found.push((change.odds * weight, repair(at, note, change, counted)));
            }
        }
    }
    (ranked(found, |repair, likelihood| repair.likelihood = likelihood), complete)
}

fn repair(at: usize, note: &Note, change: Correction, leaves: Amount) -> Repair {
    let words = format!("turn {}: {}", at + 1, change.words);
    Repair { turn: at + 1, kind: change.kind, was: note.clone(), now: change.now, leaves, likelihood: 0.0, words }
}

/// Returns every mistake in a note with the number of `codes` that fit once it is corrected, and whether all mistakes were
/// examined in time.
fn corrections_with_counts(
    notes: &Notes,
    at: usize,
    codes: &[Code],
    watch: Watch<'_>,
) -> (Vec<(Correction, u128)>, bool) {
    let (rules, note) = (notes.rules(), &notes.notes()[at]);
    let counted = note.code().map(|guess| mark_counts(notes, &guess, codes));
    let leaves = |change: &Correction| match &counted {
        Some(mark_counts) if change.now.guess == note.guess => {
            let agree =
                |marks: &[Mark]| marks.iter().zip(&change.now.feedback).all(|(mark, known)| known.agrees(*mark));
            mark_counts.iter().filter(|(marks, _)| agree(marks)).map(|(_, count)| count).sum()
        }
        _ => {
            let mut checker = NoteChecker::new(rules, &change.now);
            codes.iter().filter(|code| checker.accepts(code)).count() as u128
        }
    };
    let mut explained = Vec::new();
    for change in corrections(notes, at) {
        if watch.stop().is_some() {
            return (explained, false);
        }
        let leaves = leaves(&change);
        explained.push((change, leaves));
    }
    (explained, true)
}

fn pairs(notes: &Notes, near: &mut NearMisses<'_>, search: &mut Search<'_>) -> (Vec<RepairPair>, bool) {
    let rules = notes.rules();
    let mut found = Vec::new();
    let mut complete = true;
    'pairs: for one in 0..notes.notes().len() {
        for other in one + 1..notes.notes().len() {
            if search.watch().stop().is_some() {
                break 'pairs;
            }
            let mut group = near.codes_missing(&[one, other], search);
            complete &= group.complete && group.codes.len() <= MAX_CODES_PER_PAIR;
            group.complete &= group.codes.len() <= MAX_CODES_PER_PAIR;
            group.codes.truncate(MAX_CODES_PER_PAIR);
            if group.codes.is_empty() {
                continue;
            }
            let watch = search.watch();
            let codes_fitting = |at: usize| -> Vec<(Correction, Vec<bool>)> {
                let fits = |change: &Correction| -> Vec<bool> {
                    let mut checker = NoteChecker::new(rules, &change.now);
                    group.codes.iter().map(|code| checker.accepts(code)).collect()
                };
                let corrections = corrections(notes, at).into_iter().take_while(|_| watch.stop().is_none());
                let corrections = corrections.map(|change| {
                    let fits = fits(&change);
                    (change, fits)
                });
                corrections.filter(|(_, fits)| fits.contains(&true)).collect()
            };
            let (ones, others) = (codes_fitting(one), codes_fitting(other));
            for (first, fits) in &ones {
                if watch.stop().is_some() {
                    break 'pairs;
                }
                for (second, fits_too) in &others {
                    clock::work(fits.len() as u64);
                    let leaves = fits.iter().zip(fits_too).filter(|&(&one, &other)| one && other).count();
                    if leaves > 0 {
                        let counted = if group.complete { Amount::count(leaves as u128) } else { Uncertain::Unknown };
                        let repairs = [(one, first), (other, second)]
                            .map(|(at, change)| repair(at, &notes.notes()[at], change.clone(), Uncertain::Unknown));
                        let odds = first.odds * second.odds * leaves as f64;
                        found.push((odds, RepairPair { repairs, leaves: counted, likelihood: 0.0 }));
                    }
                }
            }
        }
    }
    let mut pairs = ranked(found, |pair, likelihood| pair.likelihood = likelihood);
    complete &= pairs.len() <= MAX_PAIRS && search.watch().stop().is_none();
    pairs.truncate(MAX_PAIRS);
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
    pub(crate) fn from_turns(turns: Vec<usize>) -> Self {
        Self { turns: vec![turns], repairs: Vec::new(), pairs: Vec::new(), complete: false }
    }
}

/// Names the first set of turns.
impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        StrategyError::Contradiction { turns: self.turns.first().cloned().unwrap_or_default() }.fmt(f)
    }
}

// ---- NearMisses codes ----
//
// Codes that nearly fit: they miss one turn, or two.
//
// A small space is looked at code by code. In a large one every turn is left out in turn, and the codes that fit the others
// are searched for; with one turn too many to be true they are few, or else the search ends early and says so.

/// Codes that fit all turns but some.
#[derive(Debug, Clone, Default)]
struct CodeGroup {
    codes: Vec<Code>,
    /// Whether there are no more.
    complete: bool,
}

/// The notes of a game that no code fits, and the codes near them.
enum NearMisses<'a> {
    Listed(ListedCodes),
    Searched(CodeSearch<'a>),
}

/// Whether any code fits.
enum Consistency<'a> {
    /// Some code does, or it could not be told.
    Consistent,
    /// None does.
    Contradiction(NearMisses<'a>),
}

struct ListedCodes {
    codes: Table,
    /// For each code, the turns it misses.
    missed: Vec<TurnMask>,
    /// Every set of turns that some code misses, the smallest_conflicts first.
    misses: Vec<TurnMask>,
}

struct CodeSearch<'a> {
    notes: &'a Notes,
    /// What is left of the steps.
    steps: u64,
}

/// Steps of backtracking for all repairs together, and again for all sets of turns: about a second each.
const STEPS: u64 = 10_000_000;
/// Steps for one question, and for one that is asked for each mistake that may have been made.
const STEPS_PER_QUERY: u64 = 1_500_000;
const STEPS_PER_CORRECTION: u64 = 60_000;
/// Steps to find out whether any code fits at all.
const INITIAL_STEPS: u64 = 8_000_000;
/// Moves of annealing that may find a code where backtracking gave up.
const MOVES: u64 = 60_000;
/// The most codes near the notes that are listed for one question.
const MAX_NEAR: usize = 20_000;

/// Looks whether any code fits, and at what is near if none does.
fn check_consistency<'a>(notes: &'a Notes, search: &mut Search<'_>) -> Consistency<'a> {
    if notes.notes().is_empty() || notes.notes().len() > TurnMask::BITS as usize {
        return Consistency::Consistent;
    }
    if listed::is_listable(notes.rules())
        && let Ok(codes) = Table::all(notes.rules())
    {
        // What could not be looked at in time is not known to is_contradictory itself.
        let Some(missed) = missed(notes, &codes, search) else { return Consistency::Consistent };
        let mut misses = missed.clone();
        misses.sort_unstable_by_key(|&turns| (turns.count_ones(), turns));
        misses.dedup();
        if misses.first() == Some(&0) {
            return Consistency::Consistent;
        }
        return Consistency::Contradiction(NearMisses::Listed(ListedCodes { codes, missed, misses }));
    }
    let mut searched = CodeSearch { notes, steps: STEPS };
    if necessary::is_contradictory(notes, search.watch()) {
        return Consistency::Contradiction(NearMisses::Searched(searched));
    }
    // Where codes fit, one is mostly found soon.
    let fits = notes.history().is_some_and(|history| !candidates::anneal(&history, None, 1, MOVES, search).is_empty());
    if fits {
        return Consistency::Consistent;
    }
    searched.steps = INITIAL_STEPS;
    let begun = searched.codes_fitting(notes, INITIAL_STEPS, 1, search);
    searched.steps = STEPS;
    if begun.complete && begun.codes.is_empty() {
        Consistency::Contradiction(NearMisses::Searched(searched))
    } else {
        Consistency::Consistent
    }
}

/// For each code, the turns it misses; `None` when stopped.
fn missed(notes: &Notes, codes: &Table, search: &Search<'_>) -> Option<Vec<TurnMask>> {
    let rules = notes.rules();
    let mut missed: Vec<TurnMask> = vec![0; codes.len()];
    let partitioner = Partitioner::new(rules);
    let mut marks = Vec::new();
    for (bit, note) in notes.notes().iter().enumerate() {
        let turn = note.turn();
        if let (Some(lanes), Some(turn)) = (partitioner.lanes(), &turn) {
            let &[mark] = turn.feedback.marks() else { continue };
            lanes.marks(&turn.guess, codes, &mut marks);
            let wanted = lanes.coding().byte(mark);
            for (missed, &mark) in missed.iter_mut().zip(&marks) {
                *missed |= TurnMask::from(wanted != Some(mark)) << bit;
            }
        } else {
            let mut checker = NoteChecker::new(rules, note);
            for (missed, code) in missed.iter_mut().zip(codes.codes()) {
                if search.watch().stop().is_some() {
                    return None;
                }
                *missed |= TurnMask::from(!checker.accepts(&code)) << bit;
            }
        }
    }
    Some(missed)
}

impl NearMisses<'_> {
    /// Starts the limits anew.
    fn reset_budget(&mut self) {
        if let Self::Searched(searched) = self {
            searched.steps = STEPS;
        }
    }

    /// The codes that miss just these turns.
    fn codes_missing(&mut self, turns: &[usize], search: &mut Search<'_>) -> CodeGroup {
        let wanted: TurnMask = turns.iter().map(|turn| 1 << turn).sum();
        match self {
            Self::Listed(ListedCodes { codes, missed, .. }) => {
                let rows = (0..).zip(&*missed).filter(|(_, missed)| **missed == wanted).map(|(row, _)| row);
                CodeGroup { codes: rows.map(|row| codes.code(row)).collect(), complete: true }
            }
            Self::Searched(searched) => {
                let others = (0..searched.notes.notes().len()).filter(|turn| !turns.contains(turn));
                let others = searched.notes.subset(others);
                let mut group = searched.codes_fitting(&others, STEPS_PER_QUERY, MAX_NEAR, search);
                // A code that fits one of them too would be near by fewer turns.
                let mut checkers: Vec<NoteChecker> = turns
                    .iter()
                    .map(|&turn| NoteChecker::new(searched.notes.rules(), &searched.notes.notes()[turn]))
                    .collect();
                group.codes.retain(|code| checkers.iter_mut().all(|checker| !checker.accepts(code)));
                group
            }
        }
    }

    /// The codes that fit changed notes, as far as they are worth a search of their own.
    fn codes_fitting(&mut self, changed: &Notes, search: &mut Search<'_>) -> CodeGroup {
        match self {
            // Whatever fits is near the notes, and was listed there.
            Self::Listed(_) => CodeGroup { codes: Vec::new(), complete: true },
            // There are hundreds of corrections: what is set up for each takes long enough to be late.
            Self::Searched(_) if search.watch().stop().is_some() => CodeGroup { codes: Vec::new(), complete: false },
            Self::Searched(searched) => {
                if necessary::is_contradictory(changed, search.watch()) {
                    return CodeGroup { codes: Vec::new(), complete: true };
                }
                let mut group = searched.codes_fitting(changed, STEPS_PER_CORRECTION, MAX_NEAR, search);
                if let (false, true, Some(history)) = (group.complete, group.codes.is_empty(), changed.history()) {
                    group.codes = candidates::anneal(&history, None, 1, MOVES, search);
                }
                group
            }
        }
    }

    /// Whether some code fits all of these turns.
    fn status_of(&mut self, set: TurnMask, search: &mut Search<'_>) -> SetStatus {
        match self {
            Self::Listed(listed) => match listed.misses.iter().find(|&&missed| missed & set == 0) {
                Some(&missed) => SetStatus::Consistent(missed),
                None => SetStatus::Contradictory,
            },
            Self::Searched(_) if search.watch().stop().is_some() => SetStatus::Unknown,
            Self::Searched(searched) => {
                let some = searched.notes.subset((0..searched.notes.notes().len()).filter(|turn| set >> turn & 1 == 1));
                if necessary::is_contradictory(&some, search.watch()) {
                    return SetStatus::Contradictory;
                }
                // Annealing finds soon what there is; that there is nothing, only a search can tell.
                let history = some.history();
                let codes =
                    history.map_or_else(Vec::new, |history| candidates::anneal(&history, None, 1, MOVES, search));
                let mut group = CodeGroup { codes, complete: false };
                if group.codes.is_empty() {
                    group = searched.codes_fitting(&some, STEPS_PER_QUERY, 1, search);
                }
                match group.codes.first() {
                    Some(code) => SetStatus::Consistent(searched.turns_missed_by(code)),
                    None if group.complete => SetStatus::Contradictory,
                    None => SetStatus::Unknown,
                }
            }
        }
    }
}

impl CodeSearch<'_> {
    /// The codes that fit some notes, within the steps that are left.
    fn codes_fitting(&mut self, notes: &Notes, steps: u64, most: usize, search: &mut Search<'_>) -> CodeGroup {
        let before = search.counts().nodes;
        let (codes, complete) = candidates::backtrack(notes, steps.min(self.steps), most, search);
        self.steps = self.steps.saturating_sub(search.counts().nodes - before);
        CodeGroup { codes, complete }
    }

    fn turns_missed_by(&self, code: &Code) -> TurnMask {
        let checkers = self.notes.notes().iter().map(|note| NoteChecker::new(self.notes.rules(), note));
        checkers.enumerate().map(|(turn, mut checker)| TurnMask::from(!checker.accepts(code)) << turn).sum()
    }
}

/// How often each answer to the guess of a note is given by codes.
fn mark_counts(notes: &Notes, guess: &Code, codes: &[Code]) -> BTreeMap<Vec<Mark>, u128> {
    let mut judge = pegwise_game::Judge::new(notes.rules());
    let mut mark_counts = BTreeMap::new();
    for code in codes {
        *mark_counts.entry(judge.marks(guess, code).collect()).or_default() += 1;
    }
    mark_counts
}

// ---- Minimal sets ----
//
// The smallest_conflicts sets of turns that cannot all be true.
//
// Every code misses some turns; a set of turns that cannot all be true has one that is missed in common with every code. So
// the smallest_conflicts such sets are the smallest_conflicts that meet what every code misses. Codes are looked at as they are needed: a set
// that meets all the misses known so far is asked about, and a code that fits it after all adds what it misses.

/// TurnMask as bits, from the first on.
type TurnMask = u128;

/// What is known of a set of turns.
enum SetStatus {
    /// Some code fits them all; it misses these other turns.
    Consistent(TurnMask),
    /// No code fits.
    Contradictory,
    /// It could not be told.
    Unknown,
}

/// The most sets that are named.
const MAX_SETS: usize = 20;
/// The most sets of one size that are asked about at a time.
const MAX_ASKED: usize = 200;
/// Steps of the search for one size.
const MAX_STEPS: usize = 100_000;

/// The smallest_conflicts sets, and whether these are certainly all of that size, the smallest_conflicts there is.
fn smallest_conflicts(
    turns: usize,
    mut misses: Vec<TurnMask>,
    mut query: impl FnMut(TurnMask) -> SetStatus,
) -> (Vec<TurnMask>, bool) {
    let mut never = BTreeSet::new();
    let mut unknown = BTreeSet::new();
    let mut size = 1;
    'sizes: while size <= turns {
        let Some(sets) = hitting_sets(&misses, size) else { return (never.into_iter().collect(), false) };
        for set in sets {
            if never.contains(&set) || unknown.contains(&set) {
                continue;
            }
            match query(set) {
                SetStatus::Consistent(missed) => {
                    misses.push(missed);
                    continue 'sizes;
                }
                SetStatus::Contradictory => {
                    never.insert(set);
                }
                SetStatus::Unknown => {
                    unknown.insert(set);
                }
            }
            if never.len() >= MAX_SETS {
                return (never.into_iter().collect(), false);
            }
        }
        if !never.is_empty() {
            return (never.into_iter().collect(), unknown.is_empty());
        }
        size += 1;
    }
    (Vec::new(), false)
}

/// Sets of this size that meet all of these, in ascending order, as many as are asked about; `None` when it takes too long.
fn hitting_sets(misses: &[TurnMask], size: usize) -> Option<BTreeSet<TurnMask>> {
    let mut found = BTreeSet::new();
    let mut steps = 0;
    extend_hitting_set(misses, 0, size, &mut found, &mut steps).then_some(found)
}

fn extend_hitting_set(
    misses: &[TurnMask],
    set: TurnMask,
    more: usize,
    found: &mut BTreeSet<TurnMask>,
    steps: &mut usize,
) -> bool {
    *steps += 1;
    if *steps > MAX_STEPS {
        return false;
    }
    // The set that is hardest to meet leaves the fewest choices.
    let unmet = misses.iter().filter(|&&missed| missed & set == 0).min_by_key(|missed| missed.count_ones());
    let Some(&unmet) = unmet else {
        // Larger sets than needed were looked at as smaller ones.
        found.insert(set);
        return true;
    };
    if more == 0 {
        return true;
    }
    let mut choices = unmet;
    while choices != 0 && found.len() < MAX_ASKED {
        let turn = choices & choices.wrapping_neg();
        choices ^= turn;
        if !extend_hitting_set(misses, set | turn, more - 1, found, steps) {
            return false;
        }
    }
    true
}

/// The set of the first so many turns.
fn all_turns(turns: usize) -> TurnMask {
    (0..turns).map(|turn| 1 << turn).sum()
}

/// The numbers of turns, from one.
fn turn_numbers(set: TurnMask) -> Vec<usize> {
    (0..TurnMask::BITS).filter(|bit| set >> bit & 1 == 1).map(|bit| bit as usize + 1).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against trying every set of turns.
        #[test]
        fn sets_are_the_smallest(codes in prop::collection::vec(1u128..64, 1..40)) {
            let contradictory = |set: TurnMask| codes.iter().all(|missed| missed & set != 0);
            let status_of = |set: TurnMask| match codes.iter().find(|&&missed| missed & set == 0) {
                Some(&missed) => SetStatus::Consistent(missed),
                None => SetStatus::Contradictory,
            };
            let (found, complete) = smallest_conflicts(6, Vec::new(), status_of);
            let fewest = (1..64).filter(|&set| contradictory(set)).map(TurnMask::count_ones).min().unwrap();
            let expected: Vec<TurnMask> =
                (1..64).filter(|&set: &TurnMask| set.count_ones() == fewest && contradictory(set)).collect();
            prop_assert!(complete);
            prop_assert_eq!(found, expected);
        }
    }
}
