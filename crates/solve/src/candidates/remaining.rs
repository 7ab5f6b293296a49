//! The codes still possible in a game that goes on.

use std::{collections::BTreeSet, ops::ControlFlow, sync::Arc};

use pegwise_game::{Code, Count, History, HistoryTracker, Rules, Space, Table, TableError};

use super::{
    backtrack::{Backtrack, End, Order},
    listed::{self, Filter},
    suspects::Suspects,
};
use crate::{
    clock,
    search::{Search, Stop},
    strategy::StrategyError,
};

/// Follows a game and knows the codes still possible: all of them where they can be listed, a sample where not.
///
/// A listed space is filtered by the turns that are new since the last call, so a game costs one pass a turn; a history
/// that does not go on from the last one starts from the whole space again.
#[derive(Debug, Clone)]
pub struct Remaining {
    rules: Rules,
    /// The whole space, where it can be listed.
    all: Option<Arc<Table>>,
    filter: Filter,
    /// The turns that `codes` answers for.
    tracker: HistoryTracker,
    codes: Arc<Table>,
    /// The codes of a game with lies, and how many turns each disagrees with.
    suspects: Option<Suspects>,
    /// Tables of earlier turns: their memory serves again, once nobody looks at them any more.
    spare: Vec<Arc<Table>>,
}

/// What is known of the codes still possible.
#[derive(Debug, Clone)]
pub struct View {
    /// The codes, ascending.
    pub codes: Arc<Table>,
    /// Whether these are all of them.
    pub complete: bool,
    /// How many there are, where that is known.
    pub count: Option<Count>,
    /// The limit that ended the search for more, if one did.
    pub stop: Option<Stop>,
}

/// The most codes that backtracking lists: more could not be scored in reasonable time.
const MOST_LISTED: usize = 400_000;
/// The most steps that backtracking takes before it samples.
const MOST_STEPS: u64 = 6_000_000;
/// How many codes a sample has.
const SAMPLE: usize = 4_000;
/// The most steps for one code of a sample: beyond, another random start is the better bet.
const STEPS_A_CODE: u64 = 5_000;
/// The most steps for a whole sample.
const STEPS_A_SAMPLE: u64 = 10_000_000;

impl Remaining {
    /// At the start of a game. An error where the rules do not fit a table of codes.
    pub fn new(rules: &Rules) -> Result<Self, TableError> {
        let none = Table::new(rules)?;
        let all = if listed::is_listable(rules) { Some(Arc::new(Table::all(rules)?)) } else { None };
        let codes = all.clone().unwrap_or_else(|| Arc::new(none));
        let (filter, tracker) = (Filter::new(rules), HistoryTracker::default());
        Ok(Self { rules: rules.clone(), all, filter, tracker, codes, suspects: None, spare: Vec::new() })
    }

    /// The whole space, where it is listed.
    #[must_use]
    pub fn all(&self) -> Option<&Arc<Table>> {
        self.all.as_ref()
    }

    /// The codes that fit a history: an error when none does, and none when none was found within the limits.
    pub fn after(&mut self, history: &History, search: &mut Search<'_>) -> Result<View, StrategyError> {
        let view = match self.all.clone() {
            Some(all) => self.filter(&all, history, search),
            None if history.is_empty() => self.sample_of_space(search)?,
            None => self.backtrack(history, search)?,
        };
        if view.complete && view.codes.is_empty() {
            return Err(StrategyError::NO_CODE_FITS);
        }
        Ok(view)
    }

    fn filter(&mut self, all: &Arc<Table>, history: &History, search: &mut Search<'_>) -> View {
        let course = self.tracker.update(history);
        if !course.is_extension() {
            self.go_on_with(Arc::clone(all));
            self.suspects = None;
        }
        if self.rules.lies() > 0 {
            let mut suspects = self.suspects.take().unwrap_or_else(|| Suspects::all(all));
            for turn in &history.turns()[course.known()..] {
                search.add_examined(suspects.codes.len() as u64);
                clock::work(suspects.codes.len() as u64);
                suspects = suspects.after(turn, &mut self.filter);
            }
            let codes = Arc::new(suspects.codes.clone());
            self.suspects = Some(suspects);
            let count = Some(Count::Exact(codes.len() as u128));
            return View { codes, complete: true, count, stop: None };
        }
        for turn in &history.turns()[course.known()..] {
            search.add_examined(self.codes.len() as u64);
            clock::work(self.codes.len() as u64);
            let mut agreeing = self.spare.pop().unwrap_or_else(|| Arc::new(all.select(&[])));
            self.filter.agreeing(&self.codes, turn, Arc::make_mut(&mut agreeing));
            self.go_on_with(agreeing);
        }
        let count = Some(Count::Exact(self.codes.len() as u128));
        View { codes: Arc::clone(&self.codes), complete: true, count, stop: None }
    }

    fn go_on_with(&mut self, codes: Arc<Table>) {
        let before = std::mem::replace(&mut self.codes, codes);
        if self.all.as_ref().is_none_or(|all| !Arc::ptr_eq(all, &before)) {
            self.spare.push(before);
        }
    }

    fn backtrack(&self, history: &History, search: &mut Search<'_>) -> Result<View, StrategyError> {
        let constraints = Backtrack::new(history);
        let mut codes: Vec<Code> = Vec::new();
        let end = constraints.visit(Order::AscendingFrom(None), MOST_STEPS, search, |code| {
            codes.push(Code::new(code));
            if codes.len() > MOST_LISTED { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let stop = match end {
            End::NoMore => {
                let count = Some(Count::Exact(codes.len() as u128));
                return Ok(View { codes: self.table(&codes)?, complete: true, count, stop: None });
            }
            End::Stopped(stop) => Some(stop),
            // The codes found first lie close together; a sample from random starts is the better picture.
            End::Enough | End::OutOfSteps => {
                codes = sample(&constraints, search);
                search.stop()
            }
        };
        Ok(View { codes: self.table(&codes)?, complete: false, count: None, stop })
    }

    fn sample_of_space(&self, search: &mut Search<'_>) -> Result<View, StrategyError> {
        let drawn: BTreeSet<Code> = (0..SAMPLE).map(|_| search.rng.code(&self.rules)).collect();
        let codes: Vec<Code> = drawn.into_iter().collect();
        let count = Some(Space::new(&self.rules).count());
        Ok(View { codes: self.table(&codes)?, complete: false, count, stop: None })
    }

    fn table(&self, codes: &[Code]) -> Result<Arc<Table>, StrategyError> {
        let table = Table::from_codes(&self.rules, codes);
        table.map(Arc::new).map_err(|error| StrategyError::unplayable("listing codes", &self.rules, &error))
    }
}

/// Codes found from random starts: near uniform where few turns were played, which is where it is needed.
fn sample(constraints: &Backtrack, search: &mut Search<'_>) -> Vec<Code> {
    let mut found = BTreeSet::new();
    let last_step = search.counts().nodes.saturating_add(STEPS_A_SAMPLE);
    while found.len() < SAMPLE && search.counts().nodes < last_step {
        let mut rng = search.rng.clone();
        let (code, end) = constraints.first(Order::Random(&mut rng), STEPS_A_CODE, search);
        search.rng = rng;
        found.extend(code);
        if matches!(end, End::Stopped(_)) {
            break;
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use pegwise_game::Turn;

    use super::*;

    #[test]
    fn a_history_may_go_on_or_start_anew() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut remaining = Remaining::new(&rules).unwrap();
        let mut search = Search::new(0);
        for turns in [&["1122=1,1"][..], &["1122=1,1", "1344=0,2"], &["5566=0,0"], &[], &["1122=2,0", "1111=1,0"]] {
            let history = History::parse(&rules, turns.iter().copied()).unwrap();
            let view = remaining.after(&history, &mut search).unwrap();
            let expected: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
            assert!(view.complete);
            assert_eq!(view.codes.codes().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn large_spaces_are_listed_when_few_codes_are_left_and_sampled_before() {
        let rules: Rules = "10x10".parse().unwrap();
        let mut remaining = Remaining::new(&rules).unwrap();
        let mut search = Search::new(0);
        let secret = rules.parse_code("JADGFFBCEH").unwrap();
        let guesses = ["AABBCCDDEE", "AFFGBBHHCI", "AGFFBJCCHB", "JADGFFBBBB", "JADGFFBCAA"];
        for (turns, complete) in [(0, false), (1, false), (2, false), (5, true)] {
            let mut history = History::new(rules.clone());
            for guess in &guesses[..turns] {
                let guess = rules.parse_code(guess).unwrap();
                let feedback = pegwise_game::feedback(&rules, &guess, &secret);
                history.push(Turn { guess, feedback }).unwrap();
            }
            let view = remaining.after(&history, &mut search).unwrap();
            assert_eq!(view.complete, complete, "{turns} turns");
            assert!(view.codes.codes().all(|code| history.is_consistent(&code)));
            assert!(complete || view.codes.len() > SAMPLE / 2);
        }
    }
}
