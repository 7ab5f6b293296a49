//! The candidates of a game as a list: all of them if the space can be listed, otherwise found or sampled by
//! backtracking.

use std::{collections::BTreeSet, ops::ControlFlow, sync::Arc};

use pegwise_game::{
    Code, Count, History, HistoryTracker, Rules, Space, Table, TableError, Turn, partition::Partitioner,
};

use super::backtrack::{Backtrack, End, Order};
use crate::clock;
use crate::search::{Search, Stop};
use crate::strategy::StrategyError;

/// Returns true if the space is small enough to be listed: one pass over it takes a few milliseconds.
pub fn is_listable(rules: &Rules) -> bool {
    const MAX_CODES: u128 = 1 << 20;
    let fits_a_table = Table::new(rules).is_ok();
    fits_a_table && Space::new(rules).count().exact().is_some_and(|count| count <= MAX_CODES)
}

/// Tracker of the candidates of a game.
///
/// A listed space is filtered by the turns that are new since the last call, so a game takes one pass per turn; a history
/// that does not extend the last one starts from the whole space again.
#[derive(Debug, Clone)]
pub struct CandidateTracker {
    rules: Rules,
    /// The whole space, if it can be listed.
    all: Option<Arc<Table>>,
    filter: Filter,
    /// The turns that `codes` was filtered by.
    tracker: HistoryTracker,
    codes: Arc<Table>,
    /// The candidates of a game with lies.
    liars: Option<LiarCandidates>,
    /// Tables of earlier turns, kept to reuse their memory when they are no longer shared.
    spare: Vec<Arc<Table>>,
}

/// The candidates after a history, or a sample of them.
#[derive(Debug, Clone)]
pub struct CandidateSet {
    /// The codes, ascending.
    pub codes: Arc<Table>,
    /// True if `codes` contains every candidate.
    pub complete: bool,
    /// Number of candidates, if known.
    pub count: Option<Count>,
    /// The limit that ended the search for more, if any.
    pub stop: Option<Stop>,
}

/// Maximum number of codes listed by backtracking: more could not be scored in reasonable time.
const MAX_LISTED: usize = 400_000;
/// Maximum number of steps of backtracking before it samples instead.
const MAX_LISTING_STEPS: u64 = 6_000_000;
const SAMPLE_SIZE: usize = 4_000;
/// Maximum number of steps per code of a sample, after which another random start is more promising.
const STEPS_PER_CODE: u64 = 5_000;
/// Maximum number of steps per sample.
const STEPS_PER_SAMPLE: u64 = 10_000_000;

impl CandidateTracker {
    /// Creates a tracker at the start of a game. Returns an error if codes of these rules do not fit a table.
    pub fn new(rules: &Rules) -> Result<Self, TableError> {
        let none = Table::new(rules)?;
        let all = if is_listable(rules) { Some(Arc::new(Table::all(rules)?)) } else { None };
        let codes = all.clone().unwrap_or_else(|| Arc::new(none));
        let (filter, tracker) = (Filter::new(rules), HistoryTracker::default());
        Ok(Self { rules: rules.clone(), all, filter, tracker, codes, liars: None, spare: Vec::new() })
    }

    /// Creates a tracker if the space can be listed.
    pub fn listed(rules: &Rules) -> Option<Self> {
        Self::new(rules).ok().filter(|tracker| tracker.all.is_some())
    }

    /// Returns the whole space, if it is listed.
    pub fn all(&self) -> Option<&Arc<Table>> {
        self.all.as_ref()
    }

    /// Returns the candidates after `history`; none if none was found within the limits. Returns an error if the turns
    /// are contradictory.
    pub fn after(&mut self, history: &History, search: &mut Search<'_>) -> Result<CandidateSet, StrategyError> {
        let set = match self.all.clone() {
            Some(all) => self.filter(&all, history, search),
            None if history.is_empty() => self.sample_of_space(search)?,
            None => self.backtrack(history, search)?,
        };
        if set.complete && set.codes.is_empty() {
            return Err(StrategyError::NO_CODE_FITS);
        }
        Ok(set)
    }

    fn filter(&mut self, all: &Arc<Table>, history: &History, search: &mut Search<'_>) -> CandidateSet {
        let change = self.tracker.update(history);
        if !change.is_extension() {
            self.replace_codes(Arc::clone(all));
            self.liars = None;
        }
        if self.rules.lies() > 0 {
            let mut liars = self.liars.take().unwrap_or_else(|| LiarCandidates::all(all));
            for turn in &history.turns()[change.known()..] {
                search.add_examined(liars.codes.len() as u64);
                clock::work(liars.codes.len() as u64);
                liars = liars.after(turn, &mut self.filter);
            }
            let codes = Arc::new(liars.codes.clone());
            self.liars = Some(liars);
            return CandidateSet::complete(codes);
        }
        for turn in &history.turns()[change.known()..] {
            search.add_examined(self.codes.len() as u64);
            clock::work(self.codes.len() as u64);
            let mut agreeing = self.spare.pop().unwrap_or_else(|| Arc::new(all.select(&[])));
            self.filter.agreeing(&self.codes, turn, Arc::make_mut(&mut agreeing));
            self.replace_codes(agreeing);
        }
        CandidateSet::complete(Arc::clone(&self.codes))
    }

    fn replace_codes(&mut self, codes: Arc<Table>) {
        let before = std::mem::replace(&mut self.codes, codes);
        if self.all.as_ref().is_none_or(|all| !Arc::ptr_eq(all, &before)) {
            self.spare.push(before);
        }
    }

    fn backtrack(&self, history: &History, search: &mut Search<'_>) -> Result<CandidateSet, StrategyError> {
        let constraints = Backtrack::new(history);
        let mut codes: Vec<Code> = Vec::new();
        let end = constraints.visit(Order::AscendingFrom(None), MAX_LISTING_STEPS, search, |code| {
            codes.push(Code::new(code));
            if codes.len() > MAX_LISTED { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let stop = match end {
            End::NoMore => return Ok(CandidateSet::complete(self.table(&codes)?)),
            End::Stopped(stop) => Some(stop),
            // The first codes share a prefix; a sample from random starts is more representative.
            End::Enough | End::OutOfSteps => {
                codes = sample(&constraints, search);
                search.stop()
            }
        };
        Ok(CandidateSet { codes: self.table(&codes)?, complete: false, count: None, stop })
    }

    fn sample_of_space(&self, search: &mut Search<'_>) -> Result<CandidateSet, StrategyError> {
        let drawn: BTreeSet<Code> = (0..SAMPLE_SIZE).map(|_| search.rng.code(&self.rules)).collect();
        let codes: Vec<Code> = drawn.into_iter().collect();
        let count = Some(Space::new(&self.rules).count());
        Ok(CandidateSet { codes: self.table(&codes)?, complete: false, count, stop: None })
    }

    fn table(&self, codes: &[Code]) -> Result<Arc<Table>, StrategyError> {
        let table = Table::from_codes(&self.rules, codes);
        table.map(Arc::new).map_err(|error| StrategyError::unplayable("listing codes", &self.rules, &error))
    }
}

impl CandidateSet {
    fn complete(codes: Arc<Table>) -> Self {
        let count = Some(Count::Exact(codes.len() as u128));
        Self { codes, complete: true, count, stop: None }
    }
}

/// Returns codes found from random starts: approximately uniform after few turns, when samples are needed.
fn sample(constraints: &Backtrack, search: &mut Search<'_>) -> Vec<Code> {
    let mut found = BTreeSet::new();
    let last_step = search.counts().nodes.saturating_add(STEPS_PER_SAMPLE);
    while found.len() < SAMPLE_SIZE && search.counts().nodes < last_step {
        let mut rng = search.rng.clone();
        let (code, end) = constraints.first(Order::Random(&mut rng), STEPS_PER_CODE, search);
        search.rng = rng;
        found.extend(code);
        if matches!(end, End::Stopped(_)) {
            break;
        }
    }
    found.into_iter().collect()
}

/// The candidates of a game with lies, each with the number of turns that it disagrees with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiarCandidates {
    /// The codes still possible, ascending.
    pub codes: Table,
    lies: Vec<u8>,
}

impl LiarCandidates {
    /// Creates the candidates before the first turn.
    pub fn all(codes: &Table) -> Self {
        Self { codes: codes.clone(), lies: vec![0; codes.len()] }
    }

    /// Returns the candidates that remain after `turn`. Feedback never lies about whether the guess is the code.
    pub fn after(&self, turn: &Turn, filter: &mut Filter) -> Self {
        let rules = filter.rules();
        let max_lies = if turn.feedback.is_winning(rules) { 0 } else { rules.lies() };
        let mut agreeing = filter.rows(&self.codes, turn).iter().copied().peekable();
        let (mut rows, mut all_lies) = (Vec::new(), Vec::new());
        for (row, &lies) in (0..).zip(&self.lies) {
            let is_lie = agreeing.next_if_eq(&row).is_none();
            if !is_lie || (lies < max_lies && self.codes.code(row as usize) != turn.guess) {
                rows.push(row);
                all_lies.push(lies + u8::from(is_lie));
            }
        }
        Self { codes: self.codes.select(&rows), lies: all_lies }
    }
}

/// Filter of tables of codes by turns, with one pass of the feedback kernel per turn.
#[derive(Debug, Clone)]
pub struct Filter {
    partitioner: Partitioner,
    marks: Vec<u8>,
    rows: Vec<u32>,
}

impl Filter {
    /// Creates a filter for codes of these rules.
    pub fn new(rules: &Rules) -> Self {
        Self { partitioner: Partitioner::new(rules), marks: Vec::new(), rows: Vec::new() }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Rules {
        self.partitioner.rules()
    }

    /// Replaces the contents of `agreeing` by the codes of `table` that agree with `turn`, in the same order.
    pub fn agreeing(&mut self, table: &Table, turn: &Turn, agreeing: &mut Table) {
        table.select_into(self.rows(table, turn), agreeing);
    }

    /// Returns the rows of `table` that agree with `turn`.
    pub fn rows(&mut self, table: &Table, turn: &Turn) -> &[u32] {
        self.rows.clear();
        match self.partitioner.batch_kernel() {
            Some(kernel) => {
                let mark = kernel.encoding().byte(turn.feedback.marks()[0]);
                kernel.marks(&turn.guess, table, &mut self.marks);
                rows_of(mark.expect("a history has marks of its rules"), &self.marks, &mut self.rows);
            }
            None => {
                let parts = self.partitioner.split(&turn.guess, table);
                self.rows
                    .extend(parts.into_iter().filter(|part| part.feedback == turn.feedback).flat_map(|part| part.rows));
            }
        }
        &self.rows
    }
}

/// Adds the rows with this mark. Compares 64 marks at a time, because a branch per row would often be mispredicted.
fn rows_of(mark: u8, marks: &[u8], rows: &mut Vec<u32>) {
    let (blocks, rest) = marks.as_chunks::<64>();
    let mut last = [!mark; 64];
    last[..rest.len()].copy_from_slice(rest);
    for (first, block) in (0u32..).step_by(64).zip(blocks.iter().chain([&last])) {
        let mut found = bits_of(mark, block);
        while found != 0 {
            rows.push(first + found.trailing_zeros());
            found &= found - 1;
        }
    }
}

/// Returns a bit per mark, set if it equals `mark`.
fn bits_of(mark: u8, marks: &[u8; 64]) -> u64 {
    const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    /// Factor that moves the low bit of byte `i` to bit `56 + i`.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let wanted = u64::from_le_bytes([mark; 8]);
    let (words, _) = marks.as_chunks::<8>();
    let bits = |word: &[u8; 8]| {
        let differs = u64::from_le_bytes(*word) ^ wanted;
        // Sets the top bit of each byte that is zero in `differs`; no carry crosses a byte.
        let equal = !(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS);
        (equal >> 7).wrapping_mul(GATHER) >> 56
    };
    words.iter().rev().fold(0, |all, word| all << 8 | bits(word))
}

#[cfg(test)]
mod tests {
    use pegwise_game::feedback;

    use super::*;
    use crate::rng::Rng;

    #[test]
    fn rows_equal_those_of_a_scan() {
        let mut rng = Rng::new(1);
        for length in (0..40).chain([63, 64, 65, 128, 1296]) {
            for marks in [[0, 1, 0x7F, 0x80, 0xFF], [3, 3, 3, 4, 0x83]] {
                let column: Vec<u8> = (0..length).map(|_| marks[rng.index(marks.len())]).collect();
                for mark in marks {
                    let expected: Vec<u32> =
                        (0..).zip(&column).filter(|&(_, &other)| other == mark).map(|(row, _)| row).collect();
                    let mut rows = Vec::new();
                    rows_of(mark, &column, &mut rows);
                    assert_eq!(rows, expected, "{mark} in {column:?}");
                }
            }
        }
    }

    /// Lists the candidates by definition: at most `lies` turns disagree, and none about whether the guess is the code.
    fn naive(history: &History) -> Vec<Code> {
        let rules = history.rules();
        let is_possible = |code: &Code| {
            let lies = history.turns().iter().filter(|turn| feedback(rules, &turn.guess, code) != turn.feedback);
            let allowed: Vec<bool> = lies.map(|turn| turn.guess != *code && !turn.feedback.is_winning(rules)).collect();
            allowed.len() <= usize::from(rules.lies()) && allowed.into_iter().all(|lie| lie)
        };
        Space::new(rules).iter().filter(is_possible).collect()
    }

    /// All pairs of turns of small games and random turns of others, for every way to find the candidates.
    #[test]
    fn candidates_with_lies_satisfy_the_definition() {
        let boards = "2x3:lies=1 3x3:lies=1 3x3:lies=2 3x4:per-cell:lies=1 grid:2x2x2:lies=1 3x3:distance:lies=1";
        for text in boards.split(' ') {
            let rules: Rules = text.parse().unwrap();
            let codes: Vec<Code> = Space::new(&rules).iter().collect();
            let mut rng = Rng::new(1);
            let mut tracker = CandidateTracker::new(&rules).unwrap();
            let games = if codes.len() <= 27 { codes.len() * codes.len() } else { 200 };
            for game in 0..games {
                let mut history = History::new(rules.clone());
                let guesses = [
                    codes[game % codes.len()].clone(),
                    codes[game / codes.len() % codes.len()].clone(),
                    rng.code(&rules),
                ];
                for guess in guesses {
                    history.push(Turn::against(&rules, &codes[rng.index(codes.len())], guess)).unwrap();
                    let expected = naive(&history);
                    let fitting: Vec<Code> = codes.iter().filter(|code| history.is_consistent(code)).cloned().collect();
                    assert_eq!(fitting, expected, "{text}");
                    let mut found = Vec::new();
                    Backtrack::new(&history).visit(Order::AscendingFrom(None), u64::MAX, &mut Search::new(0), |code| {
                        found.push(Code::new(code));
                        ControlFlow::Continue(())
                    });
                    assert_eq!(found, expected, "{text} after {:?}", history.turns());
                    let listed = tracker.after(&history, &mut Search::new(0));
                    let listed = listed.map_or(Vec::new(), |set| set.codes.codes().collect());
                    assert_eq!(listed, expected, "{text}");
                }
            }
        }
    }

    #[test]
    fn histories_may_extend_the_last_one_or_not() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut tracker = CandidateTracker::new(&rules).unwrap();
        let mut search = Search::new(0);
        for turns in [&["1122=1,1"][..], &["1122=1,1", "1344=0,2"], &["5566=0,0"], &[], &["1122=2,0", "1111=1,0"]] {
            let history = History::parse(&rules, turns.iter().copied()).unwrap();
            let set = tracker.after(&history, &mut search).unwrap();
            let expected: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
            assert!(set.complete);
            assert_eq!(set.codes.codes().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn large_spaces_are_listed_when_few_codes_are_left_and_sampled_before() {
        let rules: Rules = "10x10".parse().unwrap();
        let mut tracker = CandidateTracker::new(&rules).unwrap();
        let mut search = Search::new(0);
        let code = |text| rules.parse_code(text).unwrap();
        let guesses = ["AABBCCDDEE", "AFFGBBHHCI", "AGFFBJCCHB", "JADGFFBBBB", "JADGFFBCAA"].map(code);
        for (turns, complete) in [(0, false), (1, false), (2, false), (5, true)] {
            let history = History::against(&rules, &code("JADGFFBCEH"), guesses[..turns].iter().cloned());
            let set = tracker.after(&history, &mut search).unwrap();
            assert_eq!(set.complete, complete, "{turns} turns");
            assert!(set.codes.codes().all(|code| history.is_consistent(&code)));
            assert!(complete || set.codes.len() > SAMPLE_SIZE / 2);
        }
    }
}
