//! Repair of contradictory notes: the smallest sets of conflicting turns, and the most likely mistakes.
//!
//! The mistakes and their probabilities are in [`error_model`]. Codes that contradict exactly one turn determine the
//! mistakes that would explain the notes. By Bayes' rule the posterior probability of a mistake is proportional to its
//! odds and to the number of codes consistent with the corrected notes. If no single mistake explains the notes, pairs
//! of mistakes in two turns are considered.
//!
//! [`necessary`] detects obvious contradictions in about a millisecond; the others need a search.

mod error_model;
mod necessary;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use pegwise_game::{Code, Mark, Table, partition::Partitioner};
use pegwise_solve::{Search, StrategyError, Watch, candidates::listed, clock};
use serde::{Deserialize, Serialize};

use self::error_model::{Correction, WIN_FACTOR, corrections};
use crate::candidates;
use crate::figure::{Amount, Uncertain, field};
use crate::notes::{Note, NoteChecker, Notes};

/// Explanation of notes that no code is consistent with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contradiction {
    /// Smallest sets of conflicting turns, by one-based number.
    pub turns: Vec<Vec<usize>>,
    /// Single mistakes that would explain the contradiction, most likely first.
    pub repairs: Vec<Repair>,
    /// Pairs of mistakes in different turns, most likely first, if no single one explains the contradiction.
    pub pairs: Vec<RepairPair>,
    /// True if `turns`, `repairs` and `pairs` are complete.
    pub complete: bool,
}

/// A possible mistake in one turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repair {
    /// One-based number of the turn.
    pub turn: usize,
    /// Kind of the mistake.
    pub kind: RepairKind,
    /// The turn as written down.
    pub was: Note,
    /// The corrected turn.
    pub now: Note,
    /// Number of codes consistent with the corrected notes, at least one.
    #[serde(flatten, with = "field::leaves")]
    pub leaves: Amount,
    /// Posterior probability among the listed repairs.
    pub likelihood: f64,
    /// Description of the correction.
    pub words: String,
}

/// Two mistakes in different turns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepairPair {
    /// The mistakes, in order of turns.
    pub repairs: [Repair; 2],
    /// Number of codes consistent with the corrected notes, at least one.
    #[serde(flatten, with = "field::leaves")]
    pub leaves: Amount,
    /// Posterior probability among the listed pairs.
    pub likelihood: f64,
}

/// Kind of a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RepairKind {
    /// Pegs were taken for another kind: black for white, or the reverse.
    Misread,
    /// One number of the feedback is wrong.
    Number,
    /// Black and white, or higher and lower, are swapped.
    Swapped,
    /// Two neighboring pegs of the guess are swapped.
    Neighbors,
    /// One peg of the guess has a wrong color.
    Peg,
    /// The answer was copied from another row.
    Row,
}

/// Maximum number of pairs listed.
const MAX_PAIRS: usize = 50;
/// Maximum number of codes examined for each pair of turns.
const MAX_CODES_PER_PAIR: usize = 2_000;

/// Returns true if the notes are obviously contradictory. Takes about a millisecond on any board, and may miss
/// contradictions.
pub(crate) fn is_obvious(notes: &Notes, search: &Search<'_>) -> bool {
    necessary::is_contradictory(notes, search.watch())
}

/// Explains contradictory notes and suggests repairs. Returns `None` if some code is consistent, or if no contradiction
/// was proven.
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
    // With lies, no repair is more plausible than another.
    if notes.rules().lies() > 0 {
        return None;
    }
    let mut near = near_misses(notes, search)?;
    let (repairs, all_repairs) = repairs(notes, &mut near, search);
    // A turn that some code contradicts alone belongs to every conflict.
    let alone = repairs.iter().map(|repair| 1 << (repair.turn - 1)).collect();
    near.reset_budget();
    let (mut sets, all_sets) = smallest_conflicts(notes.notes().len(), alone, |set| near.status_of(set, search));
    if sets.is_empty() {
        // No smaller conflict was proven.
        sets.push(all_turns(notes.notes().len()));
    }
    let (pairs, all_pairs) = if repairs.is_empty() { pairs(notes, &mut near, search) } else { (Vec::new(), true) };
    let turns = sets.into_iter().map(turn_numbers).collect();
    Some(Contradiction { turns, repairs, pairs, complete: all_repairs && all_sets && all_pairs })
}

/// Returns the result of [`mend`], or a contradiction of all turns if there is none.
pub(crate) fn explain(notes: &Notes, search: &mut Search<'_>) -> Contradiction {
    mend(notes, search).unwrap_or_else(|| Contradiction::from_turns((1..=notes.notes().len()).collect()))
}

fn repairs(notes: &Notes, near: &mut NearMisses<'_>, search: &mut Search<'_>) -> (Vec<Repair>, bool) {
    let mut found = Vec::new();
    let mut complete = true;
    for (at, note) in notes.notes().iter().enumerate() {
        let group = near.codes_missing(&[at], search);
        if group.codes.is_empty() && !group.complete && search.watch().stop().is_some() {
            complete = false;
            continue;
        }
        let (corrections, all_corrections) = corrections_with_counts(notes, at, &group.codes, search.watch());
        complete &= all_corrections;
        for (correction, leaves) in corrections {
            let mut mended = CodeGroup { codes: Vec::new(), complete: group.complete };
            // Rare mistakes do not justify a search of their own.
            let rare = matches!(correction.kind, RepairKind::Peg | RepairKind::Row);
            if !group.complete && leaves == 0 && rare {
                complete = false;
                continue;
            }
            if !group.complete && leaves == 0 {
                mended = near.codes_fitting(&notes.with_note(at, correction.now.clone()), search);
                complete &= mended.complete || !mended.codes.is_empty();
            }
            let leaves = leaves + mended.codes.len() as u128;
            if leaves > 0 {
                let counted = if mended.complete { Amount::count(leaves) } else { Uncertain::Unknown };
                // A copied answer may hide a win, which is rarely overlooked.
                let found_it = correction.kind == RepairKind::Row
                    && note.code().is_some_and(|guess| group.codes.binary_search(&guess).is_ok());
                let weight = leaves as f64 - if found_it { 1.0 - WIN_FACTOR } else { 0.0 };
                found.push((correction.odds * weight, repair(at, note, correction, counted)));
            }
        }
    }
    (ranked(found, |repair, likelihood| repair.likelihood = likelihood), complete)
}

fn repair(at: usize, note: &Note, correction: Correction, leaves: Amount) -> Repair {
    let words = format!("turn {}: {}", at + 1, correction.words);
    Repair {
        turn: at + 1,
        kind: correction.kind,
        was: note.clone(),
        now: correction.now,
        leaves,
        likelihood: 0.0,
        words,
    }
}

/// Returns the corrections of a note with the number of `codes` consistent with each, and true if all were examined in
/// time.
fn corrections_with_counts(
    notes: &Notes,
    at: usize,
    codes: &[Code],
    watch: Watch<'_>,
) -> (Vec<(Correction, u128)>, bool) {
    let (rules, note) = (notes.rules(), &notes.notes()[at]);
    let counted = note.code().map(|guess| mark_counts(notes, &guess, codes));
    let leaves = |correction: &Correction| match &counted {
        Some(mark_counts) if correction.now.guess == note.guess => {
            let agree =
                |marks: &[Mark]| marks.iter().zip(&correction.now.feedback).all(|(mark, known)| known.agrees(*mark));
            mark_counts.iter().filter(|(marks, _)| agree(marks)).map(|(_, count)| count).sum()
        }
        _ => {
            let mut checker = NoteChecker::new(rules, &correction.now);
            codes.iter().filter(|code| checker.accepts(code)).count() as u128
        }
    };
    let mut counted_corrections = Vec::new();
    for correction in corrections(notes, at) {
        if watch.stop().is_some() {
            return (counted_corrections, false);
        }
        let leaves = leaves(&correction);
        counted_corrections.push((correction, leaves));
    }
    (counted_corrections, true)
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
                let fits = |correction: &Correction| -> Vec<bool> {
                    let mut checker = NoteChecker::new(rules, &correction.now);
                    group.codes.iter().map(|code| checker.accepts(code)).collect()
                };
                let corrections = corrections(notes, at).into_iter().take_while(|_| watch.stop().is_none());
                let corrections = corrections.map(|correction| {
                    let fits = fits(&correction);
                    (correction, fits)
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
                        let repairs = [(one, first), (other, second)].map(|(at, correction)| {
                            repair(at, &notes.notes()[at], correction.clone(), Uncertain::Unknown)
                        });
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

/// Normalizes the odds and sorts, most likely first. The sort is stable.
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
    /// Creates a contradiction without repairs.
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

// Codes that contradict few turns.
//
// A listable space is examined code by code. In a larger one, backtracking searches for the codes consistent with all
// turns but one or two, within a step limit.

/// Codes consistent with all turns but some.
#[derive(Debug, Clone, Default)]
struct CodeGroup {
    codes: Vec<Code>,
    /// True if there are no others.
    complete: bool,
}

/// Contradictory notes and the codes that contradict few of them.
enum NearMisses<'a> {
    Listed(ListedCodes),
    Searched(CodeSearch<'a>),
}

struct ListedCodes {
    codes: Table,
    /// Turns contradicted by each code.
    missed: Vec<TurnMask>,
    /// The distinct values of `missed`, smallest sets first.
    misses: Vec<TurnMask>,
}

struct CodeSearch<'a> {
    notes: &'a Notes,
    /// Remaining step budget.
    steps: u64,
}

/// Step budget of the repairs, and again of the conflicts: about a second each.
const STEPS: u64 = 10_000_000;
/// Maximum number of steps per query.
const STEPS_PER_QUERY: u64 = 1_500_000;
/// Maximum number of steps per query for a possible correction.
const STEPS_PER_CORRECTION: u64 = 60_000;
/// Maximum number of steps of the initial check.
const INITIAL_STEPS: u64 = 8_000_000;
/// Maximum number of moves of annealing, which is tried before or after backtracking.
const MOVES: u64 = 60_000;
/// Maximum number of codes listed per query.
const MAX_NEAR: usize = 20_000;

/// Returns `None` if some code is consistent with the notes, or if no contradiction was proven.
fn near_misses<'a>(notes: &'a Notes, search: &mut Search<'_>) -> Option<NearMisses<'a>> {
    if notes.notes().is_empty() || notes.notes().len() > TurnMask::BITS as usize {
        return None;
    }
    if listed::is_listable(notes.rules())
        && let Ok(codes) = Table::all(notes.rules())
    {
        // The check did not finish, so no contradiction is proven.
        let missed = missed(notes, &codes, search)?;
        let mut misses = missed.clone();
        misses.sort_unstable_by_key(|&turns| (turns.count_ones(), turns));
        misses.dedup();
        let contradictory = misses.first() != Some(&0);
        return contradictory.then_some(NearMisses::Listed(ListedCodes { codes, missed, misses }));
    }
    let mut searched = CodeSearch { notes, steps: STEPS };
    if necessary::is_contradictory(notes, search.watch()) {
        return Some(NearMisses::Searched(searched));
    }
    // Annealing usually finds a consistent code quickly.
    let has_code =
        notes.history().is_some_and(|history| !candidates::anneal(&history, None, 1, MOVES, search).is_empty());
    if has_code {
        return None;
    }
    searched.steps = INITIAL_STEPS;
    let checked = searched.codes_fitting(notes, INITIAL_STEPS, 1, search);
    searched.steps = STEPS;
    (checked.complete && checked.codes.is_empty()).then_some(NearMisses::Searched(searched))
}

/// Returns the turns that each code contradicts, or `None` if stopped.
fn missed(notes: &Notes, codes: &Table, search: &Search<'_>) -> Option<Vec<TurnMask>> {
    let rules = notes.rules();
    let mut missed: Vec<TurnMask> = vec![0; codes.len()];
    let partitioner = Partitioner::new(rules);
    let mut marks = Vec::new();
    for (bit, note) in notes.notes().iter().enumerate() {
        let turn = note.turn();
        if let (Some(lanes), Some(turn)) = (partitioner.batch_kernel(), &turn) {
            let &[mark] = turn.feedback.marks() else { continue };
            lanes.marks(&turn.guess, codes, &mut marks);
            let wanted = lanes.encoding().byte(mark);
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
    /// Restores the step budget.
    fn reset_budget(&mut self) {
        if let Self::Searched(searched) = self {
            searched.steps = STEPS;
        }
    }

    /// Returns the codes that contradict exactly these turns.
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
                // Codes that contradict fewer turns are excluded.
                let mut checkers: Vec<NoteChecker> = turns
                    .iter()
                    .map(|&turn| NoteChecker::new(searched.notes.rules(), &searched.notes.notes()[turn]))
                    .collect();
                group.codes.retain(|code| checkers.iter_mut().all(|checker| !checker.accepts(code)));
                group
            }
        }
    }

    /// Returns the codes consistent with corrected notes, within a small step limit.
    fn codes_fitting(&mut self, changed: &Notes, search: &mut Search<'_>) -> CodeGroup {
        match self {
            // These codes contradict only the corrected turn and were already listed.
            Self::Listed(_) => CodeGroup { codes: Vec::new(), complete: true },
            // Setting up the search for hundreds of corrections takes time, too.
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
                // Annealing finds consistent codes quickly; only backtracking proves their absence.
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
    /// Returns the codes consistent with notes, within the remaining steps.
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

fn mark_counts(notes: &Notes, guess: &Code, codes: &[Code]) -> BTreeMap<Vec<Mark>, u128> {
    let mut judge = pegwise_game::Judge::new(notes.rules());
    let mut mark_counts = BTreeMap::new();
    for code in codes {
        *mark_counts.entry(judge.marks(guess, code).collect()).or_default() += 1;
    }
    mark_counts
}

// Smallest conflicts.
//
// A set of turns is contradictory if and only if every code contradicts one of them, so the smallest conflicts are the
// minimum hitting sets of the turns missed by each code. The family is built lazily: a hitting set of the known misses
// is queried, and a code consistent with all its turns adds another miss.

/// Set of turns as bits; bit 0 is the first turn.
type TurnMask = u128;

/// Status of a set of turns.
enum SetStatus {
    /// Some code is consistent with the set; it contradicts these other turns.
    Consistent(TurnMask),
    /// No code is consistent with the set.
    Contradictory,
    /// Undecided.
    Unknown,
}

/// Maximum number of sets reported.
const MAX_SETS: usize = 20;
/// Maximum number of sets queried at a time.
const MAX_ASKED: usize = 200;
/// Step limit of the search for hitting sets of one size.
const MAX_STEPS: usize = 100_000;

/// Returns conflicts of the smallest size found, and true if the list is complete.
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

/// Returns hitting sets of at most this size in ascending order, at most `MAX_ASKED`, or `None` beyond the step limit.
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
    // The smallest unhit set has the fewest choices.
    let unmet = misses.iter().filter(|&&missed| missed & set == 0).min_by_key(|missed| missed.count_ones());
    let Some(&unmet) = unmet else {
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

/// Returns the set of the first `turns` turns.
fn all_turns(turns: usize) -> TurnMask {
    (0..turns).map(|turn| 1 << turn).sum()
}

/// Returns the one-based numbers of the turns.
fn turn_numbers(set: TurnMask) -> Vec<usize> {
    (0..TurnMask::BITS).filter(|bit| set >> bit & 1 == 1).map(|bit| bit as usize + 1).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compares with an exhaustive search.
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
