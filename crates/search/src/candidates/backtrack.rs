//! Consistent codes by depth-first search: one cell after another, pruned as soon as a line cannot reach its mark.
//!
//! Supports every board, feedback kind and repeat rule. A step takes one pass over the turns for each line through the
//! cell. After a few turns the search visits far fewer partial codes than there are codes; without turns it visits all.

use std::ops::ControlFlow;

use pegwise_game::{Code, Color, FeedbackKind, FeedbackModel, History, Rules};

use super::{color_counts, lines_by_cell};
use crate::rng::Rng;
use crate::search::{Search, Stop};

/// Order in which the colors of each cell are tried.
#[derive(Debug)]
pub enum Order<'a> {
    /// Ascending, so that codes are visited in ascending order; starts at the given code, if any.
    AscendingFrom(Option<&'a Code>),
    /// A random order for each cell.
    Random(&'a mut Rng),
}

/// Reason why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All codes were visited.
    NoMore,
    /// The visitor stopped the search.
    Enough,
    /// The search reached its own step limit.
    OutOfSteps,
    /// A limit of the strategy was reached.
    Stopped(Stop),
}

/// The constraints of a history, prepared for depth-first search.
#[derive(Debug, Clone)]
pub struct Backtrack {
    rules: Rules,
    turns: usize,
    /// For each cell, the lines through it.
    lines_of: Vec<Vec<usize>>,
    /// Color guessed, for each turn and cell.
    guessed: Vec<Vec<u16>>,
    /// Number of cells guessed with the color, for each turn, line and color.
    guess_counts: Vec<u16>,
    /// The two sums of the mark, for each turn and line.
    goals: Vec<[u64; 2]>,
    /// Number of cells of each line.
    lengths: Vec<u32>,
    model: &'static FeedbackModel,
    /// Maximum contribution of a cell to the first sum.
    max_gain: u64,
    /// Constraints of per-cell feedback; these replace the sums.
    per_cell: Option<PerCellConstraints>,
    /// The history, if the rules allow lies: a complete code is then checked against it.
    lies: Option<History>,
}

/// Partial code, with the sums that each line has reached.
struct PartialCode {
    code: Vec<Color>,
    /// Number of cells with the color, for each line and color.
    counts: Vec<u16>,
    used: Vec<bool>,
    reached: Vec<[u64; 2]>,
    /// Number of open cells of each line.
    open: Vec<u32>,
    /// If the rules allow lies: true if the mark is out of reach, for each turn and line.
    missed: Vec<bool>,
    /// Number of lines whose mark is out of reach, for each turn.
    missed_lines: Vec<u32>,
    /// Number of turns with a mark out of reach.
    missed_turns: usize,
}

impl PartialCode {
    /// Records whether the mark of a turn on a line is out of reach.
    fn set_missed(&mut self, turn: usize, at: usize, missed: bool) {
        if self.missed[at] == missed {
            return;
        }
        self.missed[at] = missed;
        let lines = &mut self.missed_lines[turn];
        if missed {
            self.missed_turns += usize::from(*lines == 0);
            *lines += 1;
        } else {
            *lines -= 1;
            self.missed_turns -= usize::from(*lines == 0);
        }
    }
}

impl Backtrack {
    /// Prepares the constraints of `history`.
    pub fn new(history: &History) -> Self {
        let rules = history.rules().clone();
        let board = rules.board();
        let model = rules.feedback().model();
        let lies = (rules.lies() > 0).then(|| history.clone());
        let per_cell = (model.per_cell && lies.is_none()).then(|| PerCellConstraints::new(history));
        let turns = if per_cell.is_some() { &[] } else { history.turns() };
        let counted = if model.colors { turns } else { &[] };
        let guess = |code: &Code| code.iter().map(|color| color.index() as u16).collect();
        Self {
            turns: turns.len(),
            lines_of: lines_by_cell(board),
            guessed: turns.iter().map(|turn| guess(&turn.guess)).collect(),
            guess_counts: counted.iter().flat_map(|turn| color_counts(&rules, &turn.guess)).collect(),
            goals: turns.iter().flat_map(|turn| turn.feedback.marks()).map(|mark| mark.sums()).collect(),
            lengths: board.lines().map(|line| line.len() as u32).collect(),
            model,
            max_gain: model.cell.max_contribution(rules.colors()),
            per_cell,
            lies,
            rules,
        }
    }

    /// Visits consistent codes in the given order, in at most `max_steps` steps.
    pub fn visit(
        &self,
        order: Order<'_>,
        max_steps: u64,
        search: &mut Search<'_>,
        mut visit: impl FnMut(&[Color]) -> ControlFlow<()>,
    ) -> End {
        let last_step = search.counts().nodes.saturating_add(max_steps);
        let (cells, colors) = (self.rules.cells(), self.rules.colors());
        let mut state = self.start();
        let (mut start, orders): (Option<&Code>, Option<Vec<u16>>) = match order {
            Order::AscendingFrom(code) => (code, None),
            Order::Random(rng) => {
                let mut orders = Vec::with_capacity(cells * usize::from(colors));
                for _ in 0..cells {
                    let from = orders.len();
                    orders.extend(0..colors);
                    rng.shuffle(&mut orders[from..]);
                }
                (None, Some(orders))
            }
        };
        let color_at = |cell: usize, choice: u16| match &orders {
            Some(orders) => orders[cell * usize::from(colors) + usize::from(choice)],
            None => choice,
        };
        // The choice to try next in each cell that is set or being set.
        let mut choices: Vec<u16> = vec![start.map_or(0, |code| code[0].index() as u16)];
        while let Some(choice) = choices.last_mut() {
            let cell = state.code.len();
            if *choice == colors {
                choices.pop();
                start = None;
                if let Some(color) = state.code.pop() {
                    self.unset(&mut state, cell - 1, color);
                }
                continue;
            }
            let color = Color::new(color_at(cell, *choice));
            *choice += 1;
            if search.counts().nodes >= last_step {
                return End::OutOfSteps;
            }
            if let Some(stop) = search.step(1) {
                return End::Stopped(stop);
            }
            if !self.rules.repeats() && state.used[color.index()] {
                start = None;
                continue;
            }
            let fits = self.set(&mut state, cell, color);
            if fits && cell + 1 == cells {
                // A limit that is reached here stops the search at its next step.
                search.examine(1);
                state.code.push(color);
                let is_possible = self.lies.as_ref().is_none_or(|history| history.is_consistent(&state.code));
                let flow = if is_possible { visit(&state.code) } else { ControlFlow::Continue(()) };
                state.code.pop();
                self.unset(&mut state, cell, color);
                start = None;
                if flow.is_break() {
                    return End::Enough;
                }
            } else if fits {
                state.code.push(color);
                choices.push(start.map_or(0, |code| code[cell + 1].index() as u16));
            } else {
                self.unset(&mut state, cell, color);
                // The start only applies while every cell equals its color in the start.
                start = None;
            }
        }
        End::NoMore
    }

    /// Returns the first consistent code in this order, if one is found, and why the search ended.
    pub fn first(&self, order: Order<'_>, max_steps: u64, search: &mut Search<'_>) -> (Option<Code>, End) {
        let mut found = None;
        let end = self.visit(order, max_steps, search, |code| {
            found = Some(Code::new(code));
            ControlFlow::Break(())
        });
        (found, end)
    }

    fn start(&self) -> PartialCode {
        let (lines, colors) = (self.lengths.len(), usize::from(self.rules.colors()));
        PartialCode {
            code: Vec::with_capacity(self.rules.cells()),
            counts: vec![0; if self.model.colors { lines * colors } else { 0 }],
            used: vec![false; colors],
            reached: vec![[0; 2]; self.turns * lines],
            open: self.lengths.clone(),
            missed: vec![false; if self.lies.is_some() { self.turns * lines } else { 0 }],
            missed_lines: vec![0; self.turns],
            missed_turns: 0,
        }
    }

    /// Sets a cell and returns true if every line through it can still reach its marks.
    #[inline]
    fn set(&self, state: &mut PartialCode, cell: usize, color: Color) -> bool {
        // Naming the common kind lets the compiler specialize the loop.
        match (self.rules.feedback(), &self.lies) {
            (FeedbackKind::BlackWhite, None) => {
                self.set_by::<false>(FeedbackKind::BlackWhite.model(), state, cell, color)
            }
            (_, None) => self.set_by::<false>(self.model, state, cell, color),
            (_, Some(_)) => self.set_by::<true>(self.model, state, cell, color),
        }
    }

    #[inline(always)]
    fn set_by<const LIES: bool>(
        &self,
        model: &FeedbackModel,
        state: &mut PartialCode,
        cell: usize,
        color: Color,
    ) -> bool {
        let (lines, colors) = (self.lengths.len(), usize::from(self.rules.colors()));
        state.used[color.index()] = true;
        let mut fits = self.per_cell.as_ref().is_none_or(|per_cell| per_cell.allows(cell, color));
        for &line in &self.lines_of[cell] {
            state.open[line] -= 1;
            let open = u64::from(state.open[line]);
            let count = if state.counts.is_empty() {
                0
            } else {
                let count = &mut state.counts[line * colors + color.index()];
                *count += 1;
                *count
            };
            if let Some(per_cell) = &self.per_cell {
                fits &= per_cell.can_reach(line, &state.counts[line * colors..][..colors], open);
            }
            for turn in 0..self.turns {
                let at = turn * lines + line;
                let gain = self.gain(model, turn, at, cell, color, count);
                let reached = &mut state.reached[at];
                reached[0] += gain[0];
                reached[1] += gain[1];
                let reachable = model.can_reach(*reached, self.goals[at], open, self.max_gain);
                if LIES {
                    state.set_missed(turn, at, !reachable);
                } else {
                    fits &= reachable;
                }
            }
        }
        fits && (!LIES || state.missed_turns <= usize::from(self.rules.lies()))
    }

    #[inline]
    fn unset(&self, state: &mut PartialCode, cell: usize, color: Color) {
        match (self.rules.feedback(), &self.lies) {
            (FeedbackKind::BlackWhite, None) => {
                self.unset_by::<false>(FeedbackKind::BlackWhite.model(), state, cell, color);
            }
            (_, None) => self.unset_by::<false>(self.model, state, cell, color),
            (_, Some(_)) => self.unset_by::<true>(self.model, state, cell, color),
        }
    }

    #[inline(always)]
    fn unset_by<const LIES: bool>(&self, model: &FeedbackModel, state: &mut PartialCode, cell: usize, color: Color) {
        let (lines, colors) = (self.lengths.len(), usize::from(self.rules.colors()));
        state.used[color.index()] = false;
        for &line in &self.lines_of[cell] {
            state.open[line] += 1;
            let mut before = 0;
            if !state.counts.is_empty() {
                let count = &mut state.counts[line * colors + color.index()];
                before = *count;
                *count -= 1;
            }
            for turn in 0..self.turns {
                let at = turn * lines + line;
                let gain = self.gain(model, turn, at, cell, color, before);
                state.reached[at][0] -= gain[0];
                state.reached[at][1] -= gain[1];
                if LIES {
                    let open = u64::from(state.open[line]);
                    let reachable = model.can_reach(state.reached[at], self.goals[at], open, self.max_gain);
                    state.set_missed(turn, at, !reachable);
                }
            }
        }
    }

    /// Returns the gain of both sums of a turn on a line when `cell` is set, with `count` cells of `color` afterwards.
    #[inline(always)]
    fn gain(&self, model: &FeedbackModel, turn: usize, at: usize, cell: usize, color: Color, count: u16) -> [u64; 2] {
        let [first, second] = model.cell.contribution(u64::from(self.guessed[turn][cell]), color.index() as u64);
        let guessed = || self.guess_counts[at * usize::from(self.rules.colors()) + color.index()];
        [first, second + u64::from(model.colors && count <= guessed())]
    }
}

/// Constraints of feedback that marks each cell.
///
/// A black cell has the guessed color, and no other cell does. If a cell of a color got no mark, the line has exactly as
/// many pegs of the color as were marked, otherwise at least as many. So all turns together reduce to colors excluded
/// from cells, and bounds on the number of cells with each color on each line.
#[derive(Debug, Clone)]
struct PerCellConstraints {
    colors: usize,
    /// True if the color is excluded, for each cell and color.
    excluded: Vec<bool>,
    /// Minimum number of cells with the color, for each line and color.
    min: Vec<u16>,
    /// Maximum number of cells with the color, for each line and color.
    max: Vec<u16>,
}

impl PerCellConstraints {
    fn new(history: &History) -> Self {
        let rules = history.rules();
        let (board, colors) = (rules.board(), usize::from(rules.colors()));
        let bounds = board.line_count() * colors;
        let excluded = vec![false; rules.cells() * colors];
        let mut all = Self { colors, excluded, min: vec![0; bounds], max: vec![u16::MAX; bounds] };
        for turn in history.turns() {
            for (number, (line, mark)) in board.lines().zip(turn.feedback.marks()).enumerate() {
                // For each color of the guess: its marked cells, and whether a cell of it is unmarked.
                let mut marked = vec![(0, false); colors];
                for (&cell, peg) in line.iter().zip(mark.cell_values()) {
                    let color = turn.guess[cell].index();
                    marked[color].0 += u16::from(peg > 0);
                    marked[color].1 |= peg == 0;
                    for (other, excluded) in all.excluded[cell * colors..][..colors].iter_mut().enumerate() {
                        *excluded |= if peg == 2 { other != color } else { other == color };
                    }
                }
                for (color, (pegs, has_unmarked)) in marked.into_iter().enumerate() {
                    let at = number * colors + color;
                    all.min[at] = all.min[at].max(pegs);
                    if has_unmarked {
                        all.max[at] = all.max[at].min(pegs);
                    }
                }
            }
        }
        all
    }

    fn allows(&self, cell: usize, color: Color) -> bool {
        !self.excluded[cell * self.colors + color.index()]
    }

    /// Returns true if a line with these color counts can be completed with `open` more cells.
    fn can_reach(&self, line: usize, counts: &[u16], open: u64) -> bool {
        let bounds = self.min[line * self.colors..].iter().zip(&self.max[line * self.colors..]);
        let mut missing = 0;
        for (&count, (&min, &max)) in counts.iter().zip(bounds) {
            if count > max {
                return false;
            }
            missing += u64::from(min.saturating_sub(count));
        }
        missing <= open
    }
}

/// Maximum number of steps to decide whether some turns are contradictory.
const MAX_CONTRADICTION_STEPS: u64 = 2_000_000;

/// Returns one-based numbers of turns that contradict each other; the other turns are not needed for the contradiction.
///
/// Expects a history without consistent codes. Turns are removed as long as the rest remains contradictory; a turn stays
/// if that cannot be decided within the step limit.
pub fn contradiction(history: &History, search: &mut Search<'_>) -> Vec<usize> {
    let mut blamed: Vec<usize> = (1..=history.len()).collect();
    // Later turns are removed first, so that the result names the earliest contradiction.
    for turn in (1..=history.len()).rev() {
        let rest: Vec<usize> = blamed.iter().copied().filter(|&other| other != turn).collect();
        if is_contradictory(&history.select(rest.iter().map(|turn| turn - 1)), MAX_CONTRADICTION_STEPS, search) {
            blamed = rest;
        }
    }
    blamed
}

/// Returns true if `max_steps` steps prove that no code is consistent with `history`.
pub fn is_contradictory(history: &History, max_steps: u64, search: &mut Search<'_>) -> bool {
    Backtrack::new(history).first(Order::AscendingFrom(None), max_steps, search).1 == End::NoMore
}

#[cfg(test)]
mod tests {
    use pegwise_game::Space;
    use proptest::prelude::*;

    use super::*;
    use crate::rng::Rng;

    fn all(history: &History, order: Order<'_>) -> Vec<Code> {
        let mut found = Vec::new();
        let end = Backtrack::new(history).visit(order, u64::MAX, &mut Search::new(0), |code| {
            found.push(Code::new(code));
            ControlFlow::Continue(())
        });
        assert_eq!(end, End::NoMore);
        found
    }

    fn any_history() -> impl Strategy<Value = History> {
        let texts = "4x4 3x6 4x5:no-repeats 4x4:black-only 4x4:color-only 4x4:per-cell 3x5:no-repeats:per-cell \
            grid:2x2x3:per-cell ring:4x3:per-cell grid:2x2x3:color-only 3x5:higher-lower 3x5:distance \
            3x5:city-block grid:2x2x3 triangle:2x4 ring:4x3 4x5:no-repeats:distance 1x1";
        (
            prop::sample::select(texts.split(' ').collect::<Vec<_>>()),
            prop::collection::vec(any::<u64>(), 0..4),
            any::<u64>(),
        )
            .prop_map(|(text, guesses, secret)| {
                let rules: Rules = text.parse().unwrap();
                let space = Space::new(&rules);
                let count = space.count().exact().unwrap();
                let pick = |number: u64| space.unrank(u128::from(number) % count).unwrap();
                History::against(&rules, &pick(secret), guesses.into_iter().map(pick))
            })
    }

    proptest! {
        #[test]
        fn finds_exactly_the_consistent_codes(history in any_history(), seed in any::<u64>(), from in any::<u64>()) {
            let space = Space::new(history.rules());
            let expected: Vec<Code> = space.iter().filter(|code| history.is_consistent(code)).collect();
            prop_assert_eq!(&all(&history, Order::AscendingFrom(None)), &expected);
            let from = space.unrank(u128::from(from) % space.count().exact().unwrap()).unwrap();
            let after: Vec<Code> = expected.iter().filter(|&code| *code >= from).cloned().collect();
            prop_assert_eq!(all(&history, Order::AscendingFrom(Some(&from))), after);
            let mut shuffled = all(&history, Order::Random(&mut Rng::new(seed)));
            shuffled.sort_unstable();
            prop_assert_eq!(shuffled, expected);
        }
    }

    #[test]
    fn visits_a_small_part_of_a_large_space() {
        let rules: Rules = "10x10".parse().unwrap();
        let code = |text| rules.parse_code(text).unwrap();
        let guesses = ["AABBCCDDEE", "AFFGBBHHCI", "AGFFBJCCHB", "BGFADECCHJ", "AHJACEBDFG"].map(code);
        let history = History::against(&rules, &code("JADGFFBCEH"), guesses);
        let mut search = Search::new(0);
        let mut found = 0u64;
        let end = Backtrack::new(&history).visit(Order::AscendingFrom(None), 100_000_000, &mut search, |_| {
            found += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(end, End::NoMore);
        assert!(found > 0);
    }

    fn blamed(turns: &[&str]) -> Vec<usize> {
        let history = History::parse(&"4x6".parse().unwrap(), turns.iter().copied()).unwrap();
        contradiction(&history, &mut Search::new(0))
    }

    #[test]
    fn only_turns_that_matter_are_named() {
        assert_eq!(blamed(&["1122=4,0", "3456=1,1"]), [1, 2]);
        assert_eq!(blamed(&["1122=0,0", "3344=0,1", "5566=0,0", "1234=0,0"]), [1, 2, 3]);
        assert_eq!(blamed(&["1234=0,0", "3456=2,0", "1111=2,0"]), [1, 3]);
        assert_eq!(blamed(&["1111=0,1"]), [1]);
    }
}
