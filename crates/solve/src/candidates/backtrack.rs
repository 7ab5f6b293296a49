//! Consistent codes by backtracking: cell after cell, leaving a branch as soon as some line can no longer reach its mark.
//!
//! Works for every board, feedback kind and repeat rule. A step costs one pass over the turns for each line through the
//! cell. With a few turns played it visits far fewer partial codes than there are codes; with none it visits all of them.

use std::ops::ControlFlow;

use pegwise_game::{Code, Color, FeedbackKind, FeedbackModel, History, Rules};

use super::told::Told;
use crate::{
    rng::Rng,
    search::{Search, Stop},
};

/// In which order colors are tried in each cell.
#[derive(Debug)]
pub enum Order<'a> {
    /// Lowest first, so that codes come in ascending order, from this code on.
    AscendingFrom(Option<&'a Code>),
    /// In random order, another one in each cell.
    Random(&'a mut Rng),
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// There are no more codes.
    NoMore,
    /// The visitor had enough.
    Enough,
    /// The steps granted to this search were used up.
    OutOfSteps,
    /// A limit of the strategy was reached.
    Stopped(Stop),
}

/// The constraints of a history, ready to be searched.
#[derive(Debug, Clone)]
pub struct Backtrack {
    rules: Rules,
    turns: usize,
    /// For each cell, the lines through it.
    lines_of: Vec<Vec<usize>>,
    /// For each turn and cell, the color guessed.
    guessed: Vec<Vec<u16>>,
    /// For each turn, line and color, how often the guess shows the color on the line.
    shown: Vec<u16>,
    /// For each turn and line, the sums to be reached.
    goals: Vec<[u64; 2]>,
    /// For each line, its cells.
    lengths: Vec<u32>,
    /// What the kind of feedback means, and the most that a cell adds to the first sum.
    model: &'static FeedbackModel,
    most: u64,
    /// What single cells are told, for kinds that tell them.
    told: Option<Told>,
    /// The history, where some turns may be lies: how many a code disagrees with is known when it is complete.
    lies: Option<History>,
}

/// The state of a search: what each line has reached with the cells set so far.
struct State {
    code: Vec<Color>,
    /// For each line and color, how often the partial code shows it.
    held: Vec<u16>,
    used: Vec<bool>,
    reached: Vec<[u64; 2]>,
    left: Vec<u32>,
    /// Where turns may be lies: for each turn and line, whether its mark is out of reach; for each turn, on how many lines;
    /// and the turns with any.
    missed: Vec<bool>,
    missed_lines: Vec<u32>,
    missed_turns: usize,
}

impl State {
    /// Notes whether the mark of a turn on a line is out of reach.
    fn miss(&mut self, turn: usize, at: usize, missed: bool) {
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
    /// The constraints of a history.
    #[must_use]
    pub fn new(history: &History) -> Self {
        let rules = history.rules().clone();
        let board = rules.board();
        let (cells, colors, lines) = (board.cells(), usize::from(rules.colors()), board.line_count());
        let mut lines_of = vec![Vec::new(); cells];
        for (number, line) in board.lines().enumerate() {
            for &cell in line {
                lines_of[cell].push(number);
            }
        }
        let model = rules.feedback().model();
        let lies = (rules.lies() > 0).then(|| history.clone());
        let told = (model.per_cell && lies.is_none()).then(|| Told::new(history));
        // What single cells are told is all there is to know, and the sums add nothing to it.
        let turns = if told.is_some() { &[] } else { history.turns() };
        let mut shown = Vec::new();
        if model.colors {
            shown = vec![0; turns.len() * lines * colors];
            for (turn, played) in turns.iter().enumerate() {
                for (number, line) in board.lines().enumerate() {
                    for &cell in line {
                        shown[(turn * lines + number) * colors + played.guess[cell].index()] += 1;
                    }
                }
            }
        }
        let lengths = board.lines().map(|line| line.len() as u32).collect();
        let guess = |code: &Code| code.iter().map(|color| color.index() as u16).collect();
        Self {
            turns: turns.len(),
            lines_of,
            guessed: turns.iter().map(|turn| guess(&turn.guess)).collect(),
            shown,
            goals: turns.iter().flat_map(|turn| turn.feedback.marks()).map(|mark| mark.sums()).collect(),
            lengths,
            model,
            most: model.cell.max_contribution(rules.colors()),
            told,
            lies,
            rules,
        }
    }

    /// Visits consistent codes in the given order, taking at most so many steps.
    pub fn visit(
        &self,
        order: Order<'_>,
        most_steps: u64,
        search: &mut Search<'_>,
        mut visit: impl FnMut(&[Color]) -> ControlFlow<()>,
    ) -> End {
        let last_step = search.counts().nodes.saturating_add(most_steps);
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
                // If it is the last that may be, the next step says so.
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
                // Once a cell has left the start behind, later cells begin with their first color.
                start = None;
            }
        }
        End::NoMore
    }

    /// The first consistent code in this order, if it is found.
    pub fn first(&self, order: Order<'_>, most_steps: u64, search: &mut Search<'_>) -> (Option<Code>, End) {
        let mut found = None;
        let end = self.visit(order, most_steps, search, |code| {
            found = Some(Code::new(code));
            ControlFlow::Break(())
        });
        (found, end)
    }

    fn start(&self) -> State {
        let (lines, colors) = (self.lengths.len(), usize::from(self.rules.colors()));
        State {
            code: Vec::with_capacity(self.rules.cells()),
            held: vec![0; if self.model.colors { lines * colors } else { 0 }],
            used: vec![false; colors],
            reached: vec![[0; 2]; self.turns * lines],
            left: self.lengths.clone(),
            missed: vec![false; if self.lies.is_some() { self.turns * lines } else { 0 }],
            missed_lines: vec![0; self.turns],
            missed_turns: 0,
        }
    }

    /// Sets a cell, and tells whether every line through it can still reach its marks.
    #[inline]
    fn set(&self, state: &mut State, cell: usize, color: Color) -> bool {
        // The usual game is named, so that what its marks mean is known where the loop is compiled.
        match (self.rules.feedback(), &self.lies) {
            (FeedbackKind::BlackWhite, None) => {
                self.set_by::<false>(FeedbackKind::BlackWhite.model(), state, cell, color)
            }
            (_, None) => self.set_by::<false>(self.model, state, cell, color),
            (_, Some(_)) => self.set_by::<true>(self.model, state, cell, color),
        }
    }

    #[inline(always)]
    fn set_by<const LIES: bool>(&self, model: &FeedbackModel, state: &mut State, cell: usize, color: Color) -> bool {
        let (lines, colors) = (self.lengths.len(), usize::from(self.rules.colors()));
        state.used[color.index()] = true;
        let mut fits = self.told.as_ref().is_none_or(|told| told.allows(cell, color));
        for &line in &self.lines_of[cell] {
            state.left[line] -= 1;
            let left = u64::from(state.left[line]);
            let held = if state.held.is_empty() {
                0
            } else {
                let held = &mut state.held[line * colors + color.index()];
                *held += 1;
                *held
            };
            if let Some(told) = &self.told {
                fits &= told.can_reach(line, &state.held[line * colors..][..colors], left);
            }
            for turn in 0..self.turns {
                let at = turn * lines + line;
                let gain = self.gain(model, turn, at, cell, color, held);
                let reached = &mut state.reached[at];
                reached[0] += gain[0];
                reached[1] += gain[1];
                let can_be = model.can_reach(*reached, self.goals[at], left, self.most);
                if LIES {
                    state.miss(turn, at, !can_be);
                } else {
                    fits &= can_be;
                }
            }
        }
        fits && (!LIES || state.missed_turns <= usize::from(self.rules.lies()))
    }

    #[inline]
    fn unset(&self, state: &mut State, cell: usize, color: Color) {
        match (self.rules.feedback(), &self.lies) {
            (FeedbackKind::BlackWhite, None) => {
                self.unset_by::<false>(FeedbackKind::BlackWhite.model(), state, cell, color);
            }
            (_, None) => self.unset_by::<false>(self.model, state, cell, color),
            (_, Some(_)) => self.unset_by::<true>(self.model, state, cell, color),
        }
    }

    #[inline(always)]
    fn unset_by<const LIES: bool>(&self, model: &FeedbackModel, state: &mut State, cell: usize, color: Color) {
        let (lines, colors) = (self.lengths.len(), usize::from(self.rules.colors()));
        state.used[color.index()] = false;
        for &line in &self.lines_of[cell] {
            state.left[line] += 1;
            let mut held = 0;
            if !state.held.is_empty() {
                let count = &mut state.held[line * colors + color.index()];
                held = *count;
                *count -= 1;
            }
            for turn in 0..self.turns {
                let at = turn * lines + line;
                let gain = self.gain(model, turn, at, cell, color, held);
                state.reached[at][0] -= gain[0];
                state.reached[at][1] -= gain[1];
                if LIES {
                    let left = u64::from(state.left[line]);
                    let can_be = model.can_reach(state.reached[at], self.goals[at], left, self.most);
                    state.miss(turn, at, !can_be);
                }
            }
        }
    }

    /// What setting a cell adds to a line of a turn, when the line then holds the color `held` times.
    #[inline(always)]
    fn gain(&self, model: &FeedbackModel, turn: usize, at: usize, cell: usize, color: Color, held: u16) -> [u64; 2] {
        let [first, second] = model.cell.contribution(u64::from(self.guessed[turn][cell]), color.index() as u64);
        let shown = || self.shown[at * usize::from(self.rules.colors()) + color.index()];
        [first, second + u64::from(model.colors && held <= shown())]
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Judge, Space, Turn};
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
        let texts = [
            "4x4",
            "3x6",
            "4x5:no-repeats",
            "4x4:black-only",
            "4x4:color-only",
            "4x4:per-cell",
            "3x5:no-repeats:per-cell",
            "grid:2x2x3:per-cell",
            "ring:4x3:per-cell",
            "grid:2x2x3:color-only",
            "3x5:higher-lower",
            "3x5:distance",
            "3x5:city-block",
            "grid:2x2x3",
            "triangle:2x4",
            "ring:4x3",
            "4x5:no-repeats:distance",
            "1x1",
        ];
        (prop::sample::select(texts.to_vec()), prop::collection::vec(any::<u64>(), 0..4), any::<u64>()).prop_map(
            |(text, guesses, secret)| {
                let rules: Rules = text.parse().unwrap();
                let space = Space::new(&rules);
                let count = space.count().exact().unwrap();
                let pick = |number: u64| space.unrank(u128::from(number) % count).unwrap();
                let secret = pick(secret);
                let mut judge = Judge::new(&rules);
                let mut history = History::new(rules.clone());
                for guess in guesses.into_iter().map(pick) {
                    let feedback = judge.feedback(&guess, &secret);
                    history.push(Turn { guess, feedback }).unwrap();
                }
                history
            },
        )
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
        let secret = rules.parse_code("JADGFFBCEH").unwrap();
        let mut history = History::new(rules.clone());
        for guess in ["AABBCCDDEE", "AFFGBBHHCI", "AGFFBJCCHB", "BGFADECCHJ", "AHJACEBDFG"] {
            let guess = rules.parse_code(guess).unwrap();
            let feedback = pegwise_game::feedback(&rules, &guess, &secret);
            history.push(Turn { guess, feedback }).unwrap();
        }
        let mut search = Search::new(0);
        let mut found = 0u64;
        let end = Backtrack::new(&history).visit(Order::AscendingFrom(None), 100_000_000, &mut search, |_| {
            found += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(end, End::NoMore);
        assert!(found > 0);
    }
}
