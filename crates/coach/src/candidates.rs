//! Codes consistent with notes: all of them if they can be listed or searched, otherwise a sample.

use std::{collections::BTreeSet, ops::ControlFlow};

use pegwise_game::{Code, Color, Count, Feedback, History, Judge, Rules, Space, Table, Turn};
use pegwise_solve::candidates::backtrack::{Backtrack, End, Order};
use pegwise_solve::candidates::listed::{self, Filter};
use pegwise_solve::candidates::tempering::{self, Effort};
use pegwise_solve::{Search, Stop, Watch, secrets::SecretList};

use crate::exact_count;
use crate::figure::{Amount, Size, Uncertain};
use crate::notes::{Note, NoteChecker, Notes};
use crate::particle_filter::{self, SampleEstimate};

/// Codes consistent with notes.
#[derive(Debug, Clone)]
pub(crate) struct Candidates {
    /// Consistent codes in ascending order.
    pub(crate) codes: Vec<Code>,
    /// True if `codes` contains all of them.
    pub(crate) complete: bool,
    /// Number of consistent codes.
    pub(crate) count: Amount,
    /// Weighted sample with error estimates, if there is one.
    pub(crate) sample: Option<SampleEstimate>,
}

/// Maximum number of steps of the backtracking search for all codes: a few tenths of a second.
const MAX_STEPS: u64 = 1_500_000;
/// Maximum number of codes listed by backtracking.
const MAX_LISTED: usize = 100_000;
/// Number of codes in an annealed sample.
const SAMPLE_SIZE: usize = 2_000;
/// Maximum number of annealing moves for a sample.
const MAX_MOVES: u64 = 4_000_000;
/// Minimum number of codes in a sample; smaller ones are extended by random completions of the unknown parts.
const MIN_SAMPLE: usize = 200;
/// Maximum number of completions tried.
const MAX_COMPLETIONS: usize = 64;
/// Maximum number of annealing moves per completion.
const MOVES_PER_COMPLETION: u64 = 200_000;

impl Candidates {
    /// Finds the consistent codes. `known`, a consistent code, is the starting point of annealing.
    pub(crate) fn find(notes: &Notes, known: Option<&Code>, search: &mut Search<'_>) -> Self {
        // A cancelled search must not spend time on setup.
        if search.watch().stop() == Some(Stop::Cancelled) {
            return Self { codes: Vec::new(), complete: false, count: Uncertain::Unknown, sample: None };
        }
        match all(notes, search) {
            Ok(codes) => Self::complete(codes),
            Err(found) => Self::sampled(notes, known, found, search),
        }
    }

    /// Finds the consistent codes of a list.
    pub(crate) fn among(secrets: &SecretList, notes: &Notes) -> Self {
        Self::complete(secrets.codes().iter().filter(|code| notes.is_consistent(code)).cloned().collect())
    }

    fn complete(codes: Vec<Code>) -> Self {
        let count = Amount::count(codes.len() as u128);
        Self { codes, complete: true, count, sample: None }
    }

    /// Returns an estimate and a sample; `found` is used if the sample is empty.
    fn sampled(notes: &Notes, known: Option<&Code>, found: Vec<Code>, search: &mut Search<'_>) -> Self {
        let (count, sample) = estimate(notes, search);
        let mut codes = match &sample {
            Some(sample) => sample.batches.iter().flat_map(|batch| batch.codes.iter().cloned()).collect(),
            None => anneal_sample(notes, known, search),
        };
        if codes.is_empty() {
            codes = found;
        }
        codes.sort_unstable();
        codes.dedup();
        Self { codes, complete: false, count, sample }
    }

    /// Returns true if it is certain that no code is consistent.
    pub(crate) fn is_contradiction(&self) -> bool {
        self.count.exact() == Some(0)
    }

    /// Returns all codes if they are at most `max`, otherwise an empty list.
    pub(crate) fn if_at_most(&self, max: usize) -> Vec<Code> {
        if self.complete && self.codes.len() <= max { self.codes.clone() } else { Vec::new() }
    }
}

/// Returns the number of consistent codes.
pub(crate) fn count(notes: &Notes, search: &mut Search<'_>) -> Amount {
    match all(notes, search) {
        Ok(codes) => Amount::count(codes.len() as u128),
        Err(_) => estimate(notes, search).0,
    }
}

/// Returns the number of codes and a sample, when the codes are too many to list.
fn estimate(notes: &Notes, search: &mut Search<'_>) -> (Amount, Option<SampleEstimate>) {
    // With lies, only the size of the space bounds the number.
    if notes.rules().lies() > 0 {
        return (Uncertain::AtMost(Size::Count(Space::new(notes.rules()).count())), None);
    }
    let (known, partial) = (notes.complete_turns(), partial_note_checkers(notes));
    let whole = partial.is_empty();
    let counted = match known.turns() {
        [] if whole => Some(Space::new(notes.rules()).count()),
        _ if whole => exact_count::count(&known, search).map(Count::Exact),
        _ => None,
    };
    if counted == Some(Count::Exact(0)) {
        return (Amount::count(0), None);
    }
    let sample = particle_filter::estimate(&known, &partial, search);
    let bound = |search: &mut Search<'_>| {
        let all = Space::new(notes.rules()).count();
        let max = exact_count::upper_bound(&known, search).unwrap_or(all);
        Uncertain::AtMost(Size::Count(max))
    };
    let amount = match (counted, &sample) {
        (Some(count), _) => count.into(),
        (None, Some(sample)) => sample.count,
        (None, None) => bound(search),
    };
    (amount, sample)
}

/// Returns all consistent codes, or as an error those found before the search gave up.
fn all(notes: &Notes, search: &mut Search<'_>) -> Result<Vec<Code>, Vec<Code>> {
    match listed(notes, search) {
        Some(Ok(table)) => Ok(table.codes().collect()),
        Some(Err(_)) => Err(Vec::new()),
        None => {
            let (codes, complete) = backtrack(notes, MAX_STEPS, MAX_LISTED, search);
            if complete { Ok(codes) } else { Err(codes) }
        }
    }
}

/// Returns all consistent codes of a listable space, or the reason why the search was stopped.
pub(crate) fn listed(notes: &Notes, search: &mut Search<'_>) -> Option<Result<Table, Stop>> {
    let rules = notes.rules();
    if !listed::is_listable(rules) {
        return None;
    }
    let mut codes = Table::all(rules).ok()?;
    if rules.lies() > 0 {
        return Some(retain(&codes, search.watch(), |code| notes.is_consistent(code)));
    }
    let mut spare = codes.select(&[]);
    let mut filter = Filter::new(rules);
    for turn in notes.complete_turns().turns() {
        filter.agreeing(&codes, turn, &mut spare);
        std::mem::swap(&mut codes, &mut spare);
    }
    Some(
        partial_note_checkers(notes)
            .into_iter()
            .try_fold(codes, |codes, mut checker| retain(&codes, search.watch(), |code| checker.accepts(code))),
    )
}

/// Returns the accepted codes. Checks the clock at each, because one check may take long if many pegs are forgotten.
fn retain(codes: &Table, watch: Watch<'_>, mut accepts: impl FnMut(&Code) -> bool) -> Result<Table, Stop> {
    let mut rows: Vec<u32> = Vec::new();
    for (row, code) in (0..).zip(codes.codes()) {
        if let Some(stop) = watch.stop() {
            return Err(stop);
        }
        if accepts(&code) {
            rows.push(row);
        }
    }
    Ok(codes.select(&rows))
}

/// Returns a checker for each note with unknown parts.
pub(crate) fn partial_note_checkers(notes: &Notes) -> Vec<NoteChecker> {
    let partial = notes.notes().iter().filter(|note| note.turn().is_none());
    partial.map(|note| NoteChecker::new(notes.rules(), note)).collect()
}

/// Returns consistent codes in ascending order, and true if these are all.
pub(crate) fn backtrack(notes: &Notes, steps: u64, max_codes: usize, search: &mut Search<'_>) -> (Vec<Code>, bool) {
    let mut partial = partial_note_checkers(notes);
    // A partial note may be the lie.
    if notes.rules().lies() > 0 && !partial.is_empty() {
        return (Vec::new(), false);
    }
    let mut codes = Vec::new();
    let watch = search.watch();
    let mut stopped = false;
    let end = Backtrack::new(&notes.complete_turns()).visit(Order::AscendingFrom(None), steps, search, |code| {
        // The checkers may take long, and backtracking itself rarely checks the clock.
        stopped = !partial.is_empty() && watch.stop().is_some();
        if !stopped && partial.iter_mut().all(|checker| checker.accepts(code)) {
            codes.push(Code::new(code));
        }
        if stopped || codes.len() > max_codes { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    codes.truncate(max_codes);
    (codes, end == End::NoMore && !stopped)
}

/// Samples consistent codes by annealing; nearly uniform if few parts are unknown.
fn anneal_sample(notes: &Notes, start: Option<&Code>, search: &mut Search<'_>) -> Vec<Code> {
    let known = notes.complete_turns();
    let mut partial = partial_note_checkers(notes);
    let mut found: BTreeSet<Code> = anneal(&known, start, SAMPLE_SIZE, MAX_MOVES, search).into_iter().collect();
    let watch = search.watch();
    found.retain(|code| watch.stop().is_none() && partial.iter_mut().all(|checker| checker.accepts(code)));
    if !partial.is_empty() {
        for _ in 0..MAX_COMPLETIONS {
            if found.len() >= MIN_SAMPLE || search.stop().is_some() {
                break;
            }
            let history = complete_notes(notes, search);
            found.extend(anneal(&history, None, MIN_SAMPLE, MOVES_PER_COMPLETION, search));
        }
    }
    found.into_iter().collect()
}

/// Samples codes consistent with a history by annealing, or uniformly for an empty history.
pub(crate) fn anneal(
    history: &History,
    start: Option<&Code>,
    codes: usize,
    moves: u64,
    search: &mut Search<'_>,
) -> Vec<Code> {
    if history.is_empty() {
        return (0..codes).map(|_| search.rng.code(history.rules())).collect();
    }
    let start = start.cloned().unwrap_or_else(|| search.rng.code(history.rules()));
    tempering::sample(history, &start, Effort { codes, moves }, search).codes
}

/// Returns a random completion of the notes.
fn complete_notes(notes: &Notes, search: &mut Search<'_>) -> History {
    let rules = notes.rules();
    let mut history = History::new(rules.clone());
    for note in notes.notes() {
        let turn = note.turn().unwrap_or_else(|| complete_note(rules, note, search));
        // Completed turns are valid for the rules.
        let _ = history.push(turn);
    }
    history
}

/// Maximum number of draws of a guess and a secret; then a turn that contradicts the note is accepted.
const MAX_DRAWS: usize = 50;

fn complete_note(rules: &Rules, note: &Note, search: &mut Search<'_>) -> Turn {
    let mut judge = Judge::new(rules);
    let mut drawn = None;
    for _ in 0..MAX_DRAWS {
        let guess = complete_guess(rules, note, search);
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

fn complete_guess(rules: &Rules, note: &Note, search: &mut Search<'_>) -> Code {
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
