//! Tabu search: random swaps of cells until a guess is consistent, with recent swaps forbidden.
//!
//! On a row, the colors are counted one after the other, and each guess, also while
//! counting, is arranged to be consistent: random pairs of cells are swapped until it is. A recently swapped pair is tabu:
//! swapping it again is only accepted if the code then is consistent, and unless its feedback is better than every earlier
//! one (two points for a black peg, one for a white one), the search resumes from the arrangement before that swap.
//! The module `grid` describes the search on a grid.
//!
//! A move takes a pass over the turns. The search is undirected, so the number of moves grows with the number of
//! arrangements: up to about ten cells a code is found fast. After `MAX_MOVES`, and for a history whose colors were not
//! counted in this way, backtracking finds the code.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis,
//! University of Florida, 2005, section 4.4.

mod grid;

use std::collections::VecDeque;

use pegwise_game::{Code, Color, FeedbackKind, History, Rules};

use crate::constructive::counting::{ColorCounter, PREPROCESSING};
use crate::constructive::{SINGLEY, counts_colors};
use pegwise_search::candidates::{self, TurnSet};
use pegwise_search::row::{Arguments, Row};
use pegwise_search::{Basis, Built, Parameter, Proposal, Proposed, Search, Strategy, StrategyError};

const SLACK: Parameter = Parameter::integer("slack", 0..=255, "2", "tabu tenure: the number of cells minus this");

/// The rows of this family.
pub const ROWS: &[Row] = &[
    Row {
        name: "tabu",
        title: "Tabu search",
        family: "tabu",
        paper: SINGLEY,
        about: "counts the colors with guesses that fit, found by random swaps with a tabu list",
        plays: "rows with repeats, of any size, answered in black and white pegs",
        parameters: &[PREPROCESSING, SLACK],
        can_play: counts_colors,
        build: |_, rules, arguments| Ok(Box::new(TabuRow::new(rules, arguments))),
        ..Row::BLANK
    },
    Row {
        name: "tabu-2d",
        title: "Tabu search on a grid",
        family: "tabu",
        paper: SINGLEY,
        about: "counts the colors of all rows with guesses that fit, found by random swaps within rows",
        plays: "grids with repeats, answered in black and white pegs, with up to 128 pairs of a color and a cell in a line",
        parameters: &[PREPROCESSING],
        can_play: is_packable_grid,
        build: build_grid,
        ..Row::BLANK
    },
];

fn is_packable_grid(rules: &Rules) -> bool {
    rules.repeats() && rules.feedback() == FeedbackKind::BlackWhite && grid::GridTurns::new(rules).is_some()
}

fn build_grid(name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let too_long = || StrategyError::unplayable(name, rules, &"its lines are too long");
    let grid = grid::TabuGrid::new(rules, arguments).ok_or_else(too_long)?;
    Ok(Box::new(grid))
}

/// The last moves, as many as the tenure.
#[derive(Debug, Clone)]
struct TabuList<M> {
    moves: VecDeque<M>,
    tenure: usize,
}

impl<M: PartialEq> TabuList<M> {
    fn new(tenure: usize) -> Self {
        Self { moves: VecDeque::with_capacity(tenure + 1), tenure }
    }

    fn contains(&self, made: &M) -> bool {
        self.moves.contains(made)
    }

    fn push(&mut self, made: M) {
        self.moves.push_back(made);
        if self.moves.len() > self.tenure {
            self.moves.pop_front();
        }
    }

    fn clear(&mut self) {
        self.moves.clear();
    }
}

struct TabuRow {
    start: ColorCounter,
    turns: TurnSet,
    tabu: TabuList<(usize, usize)>,
    /// The color counts so far; `None` if the game counted them in another way.
    counter: Option<ColorCounter>,
    current: Vec<Color>,
    /// The swap to undo unless the answer is the best so far.
    aspiring: Option<(usize, usize)>,
    /// Highest value of a feedback so far.
    best: u32,
}

/// Maximum number of moves per guess.
const MAX_MOVES: usize = 300_000;

impl TabuRow {
    fn new(rules: &Rules, arguments: &Arguments) -> Self {
        let start = ColorCounter::new(rules, arguments, false);
        let tenure = rules.cells().saturating_sub(arguments.integer("slack") as usize);
        Self {
            counter: Some(start.clone()),
            start,
            turns: TurnSet::new(rules),
            tabu: TabuList::new(tenure),
            current: Vec::new(),
            aspiring: None,
            best: 0,
        }
    }

    fn follow(&mut self, history: &History) {
        let change = self.turns.follow(history);
        if !change.is_extension() {
            self.counter = Some(self.start.clone());
            self.tabu.clear();
            self.current.clear();
            (self.aspiring, self.best) = (None, 0);
        }
        for turn in &history.turns()[change.known()..] {
            let mark = turn.feedback.marks()[0];
            self.counter.take_if(|counter| !counter.update(&turn.guess, mark));
            // Black pegs plus all pegs: two points for a black peg, one for a white one.
            let value = mark.sums().iter().sum::<u64>() as u32;
            if let Some((one, other)) = self.aspiring.take()
                && *self.current == *turn.guess
                && value <= self.best
            {
                self.current.swap(one, other);
            }
            self.best = self.best.max(value);
        }
    }

    /// Swaps cells until the code is consistent. Returns true if it is.
    fn arrange(&mut self, colors: &[Color], search: &mut Search<'_>) -> bool {
        let mut sorted = self.current.clone();
        sorted.sort_unstable();
        if !sorted.iter().eq(colors.iter().rev()) {
            self.current = colors.to_vec();
        }
        let cells = self.current.len();
        let mut stop = search.examine(1);
        if self.turns.is_consistent(&self.current) {
            return true;
        }
        for _ in 0..MAX_MOVES {
            if cells < 2 || stop.is_some() {
                return false;
            }
            let (one, other) = (search.rng.index(cells), search.rng.index(cells - 1));
            let pair = if other < one { (other, one) } else { (one, other + 1) };
            if self.current[pair.0] == self.current[pair.1] {
                continue;
            }
            self.current.swap(pair.0, pair.1);
            stop = search.examine(1);
            let fits = self.turns.is_consistent(&self.current);
            if !self.tabu.contains(&pair) {
                self.tabu.push(pair);
            } else if fits {
                self.aspiring = Some(pair);
            } else {
                self.current.swap(pair.0, pair.1);
            }
            if fits {
                return true;
            }
        }
        false
    }
}

impl Strategy for TabuRow {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        self.follow(history);
        let Some(counter) = &self.counter else { return candidates::draw(history, search) };
        let colors = counter.next_colors();
        if !counter.is_free() {
            search.step(1);
            return Ok(Proposal::new(colors, Basis::Planned));
        }
        if self.arrange(&colors, search) {
            return Ok(Proposal::new(Code::new(self.current.clone()), Basis::Consistent));
        }
        candidates::draw(history, search)
    }
}
