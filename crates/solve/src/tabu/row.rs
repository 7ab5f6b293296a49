//! Tabu search on a row.
//!
//! The colors are [counted](crate::constructive::counting) one after the other, and each guess, also while counting, is
//! arranged to fit the history: random pairs of cells are swapped until it does. A pair swapped lately is tabu: swapping it
//! again counts only if the code then fits, and unless its feedback turns out better than every one before (two points a
//! black peg, one a white one) the search afterwards goes on from the arrangement before that swap.
//!
//! A move costs a look at the turns. The walk has no sense of direction, so moves grow with the arrangements there are: up to
//! ten cells or so it finds a code fast. Beyond [`MOST_MOVES`] backtracking takes over, as it does for a history in which
//! colors were not counted like this.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis,
//! University of Florida, 2005, section 4.4.

use pegwise_game::{Color, History, Rules};

use super::list::TabuList;
use crate::{
    candidates::{self, Ledger},
    constructive::counting::ColorCounter,
    search::Search,
    spec::Arguments,
    strategy::{Basis, Proposal, Strategy, StrategyError},
};

pub(super) struct Tabu {
    start: ColorCounter,
    ledger: Ledger,
    tabu: TabuList<(usize, usize)>,
    /// The colors so far; nothing when the game counted them in another way.
    counter: Option<ColorCounter>,
    /// Where the walk stands.
    walk: Vec<Color>,
    /// The swap to take back unless the answer is the best so far.
    aspiring: Option<(usize, usize)>,
    /// The best value of a feedback so far.
    best: u32,
}

/// The most moves to find one guess.
const MOST_MOVES: usize = 300_000;

impl Tabu {
    pub(super) fn new(rules: &Rules, arguments: &Arguments) -> Self {
        let start = ColorCounter::new(rules, arguments, false);
        let tenure = rules.cells().saturating_sub(arguments.integer("slack") as usize);
        Self {
            counter: Some(start.clone()),
            start,
            ledger: Ledger::new(rules),
            tabu: TabuList::new(tenure),
            walk: Vec::new(),
            aspiring: None,
            best: 0,
        }
    }

    /// Takes in the turns that are new.
    fn follow(&mut self, history: &History) {
        let course = self.ledger.follow(history);
        if !course.goes_on() {
            self.counter = Some(self.start.clone());
            self.tabu.clear();
            self.walk.clear();
            (self.aspiring, self.best) = (None, 0);
        }
        for turn in &history.turns()[course.known()..] {
            let mark = turn.feedback.marks()[0];
            self.counter.take_if(|counter| !counter.update(&turn.guess, mark));
            // Two for a black peg, one for a white one.
            let value = mark.sums().iter().sum::<u64>() as u32;
            if let Some((one, other)) = self.aspiring.take()
                && *self.walk == *turn.guess
                && value <= self.best
            {
                self.walk.swap(one, other);
            }
            self.best = self.best.max(value);
        }
    }

    /// Swaps cells until the code fits; whether it does.
    fn arrange(&mut self, colors: &[Color], search: &mut Search<'_>) -> bool {
        let mut sorted = self.walk.clone();
        sorted.sort_unstable();
        if !sorted.iter().eq(colors.iter().rev()) {
            self.walk = colors.to_vec();
        }
        let cells = self.walk.len();
        let mut stop = search.examine(1);
        if self.ledger.is_consistent(&self.walk) {
            return true;
        }
        for _ in 0..MOST_MOVES {
            if cells < 2 || stop.is_some() {
                return false;
            }
            let (one, other) = (search.rng.index(cells), search.rng.index(cells - 1));
            let pair = if other < one { (other, one) } else { (one, other + 1) };
            if self.walk[pair.0] == self.walk[pair.1] {
                continue;
            }
            self.walk.swap(pair.0, pair.1);
            stop = search.examine(1);
            let fits = self.ledger.is_consistent(&self.walk);
            if !self.tabu.contains(&pair) {
                self.tabu.push(pair);
            } else if fits {
                self.aspiring = Some(pair);
            } else {
                self.walk.swap(pair.0, pair.1);
            }
            if fits {
                return true;
            }
        }
        false
    }
}

impl Strategy for Tabu {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        self.follow(history);
        let Some(counter) = &self.counter else { return candidates::draw(history, search) };
        let colors = counter.next_colors();
        if !counter.is_free() {
            search.step(1);
            return Ok(Proposal::new(colors, Basis::Planned));
        }
        if self.arrange(&colors, search) {
            return Ok(Proposal::new(pegwise_game::Code::new(self.walk.clone()), Basis::Consistent));
        }
        candidates::draw(history, search)
    }
}
