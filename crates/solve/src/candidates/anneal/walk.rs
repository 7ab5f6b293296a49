//! A code on its way, and what a move would change.

use pegwise_game::{CellTerm, Code, Color};

use super::{
    field::{Field, Gaps, cell_gain},
    number::{Lanes, Number},
};

/// A change to a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    /// Gives a cell another color.
    Recolor { cell: usize, to: usize },
    /// Exchanges the colors of two cells.
    Swap { one: usize, other: usize },
}

/// A code, and by how much each turn is off on each line.
#[derive(Debug, Clone)]
pub(super) struct Walk<N> {
    code: Vec<Color>,
    /// For each line and color, how often the code shows it; for black and white pegs alone.
    held: Vec<N>,
    /// For each line and turn, how much too large the two numbers of the mark are.
    gaps: Vec<Gaps<N>>,
    /// For each line, the sizes of its gaps, summed.
    costs: Vec<i64>,
    cost: i64,
    /// Working space: the lines that a move changes.
    changed: Vec<(usize, Change)>,
}

impl<N: Number> Walk<N> {
    pub(super) fn new(field: &Field<N>, code: &[Color]) -> Self {
        let (colors, lines) = (usize::from(field.rules.colors()), field.rules.board().line_count());
        let mut held = Vec::new();
        if field.terms().colors {
            held.resize(lines * colors, N::default());
            for (number, line) in field.rules.board().lines().enumerate() {
                for &cell in line {
                    let held = &mut held[number * colors + code[cell].index()];
                    *held = *held + N::of(1);
                }
            }
        }
        let gaps = field.gaps(code);
        let blocks = field.blocks();
        let cost_of = |line: usize| gaps[line * blocks..][..blocks].iter().map(cost).sum();
        let costs: Vec<i64> = (0..lines).map(cost_of).collect();
        Self { code: code.to_vec(), held, cost: costs.iter().sum(), gaps, costs, changed: Vec::new() }
    }

    /// How far the code is from fitting: zero when it does.
    #[inline]
    pub(super) fn cost(&self) -> i64 {
        self.cost
    }

    #[inline]
    pub(super) fn code(&self) -> &[Color] {
        &self.code
    }

    pub(super) fn to_code(&self) -> Code {
        Code::new(self.code.as_slice())
    }

    /// What the cost would be after a move, which must change some color. Nothing is kept: most moves are not made.
    #[inline(always)]
    pub(super) fn judge(&self, field: &Field<N>, step: Move) -> i64 {
        let mut total = self.cost;
        self.for_each_line(field, step, |line, change| {
            let gaps = &self.gaps[line * field.blocks()..][..field.blocks()];
            let after = |(block, gaps): (usize, &Gaps<N>)| cost(&self.after(field, line, change, block, gaps));
            total += gaps.iter().enumerate().map(after).sum::<i64>() - self.costs[line];
        });
        total
    }

    /// Makes a move.
    #[inline(always)]
    pub(super) fn make(&mut self, field: &Field<N>, step: Move) {
        let mut changed = std::mem::take(&mut self.changed);
        self.for_each_line(field, step, |line, change| changed.push((line, change)));
        let blocks = field.blocks();
        for (line, change) in changed.drain(..) {
            let before = self.costs[line];
            self.costs[line] = 0;
            for block in 0..blocks {
                let gaps = self.after(field, line, change, block, &self.gaps[line * blocks + block]);
                self.costs[line] += cost(&gaps);
                self.gaps[line * blocks + block] = gaps;
            }
            self.cost += self.costs[line] - before;
        }
        self.changed = changed;
        match step {
            Move::Recolor { cell, to } => self.paint(field, cell, to),
            Move::Swap { one, other } => {
                let (first, second) = (self.code[one].index(), self.code[other].index());
                self.paint(field, one, second);
                self.paint(field, other, first);
            }
        }
    }

    #[inline(always)]
    fn paint(&mut self, field: &Field<N>, cell: usize, to: usize) {
        let from = std::mem::replace(&mut self.code[cell], Color::new(to as u16)).index();
        if self.held.is_empty() {
            return;
        }
        let colors = usize::from(field.rules.colors());
        for &line in field.lines_of(cell) {
            let (less, more) = (line * colors + from, line * colors + to);
            self.held[less] = self.held[less] - N::of(1);
            self.held[more] = self.held[more] + N::of(1);
        }
    }

    /// The lines that a move changes, and how it changes each.
    #[inline(always)]
    fn for_each_line(&self, field: &Field<N>, step: Move, mut visit: impl FnMut(usize, Change)) {
        let color_of = |cell: usize| self.code[cell].index();
        match step {
            Move::Recolor { cell, to } => {
                let change = Change::Color { cell, from: color_of(cell), to };
                field.lines_of(cell).iter().for_each(|&line| visit(line, change));
            }
            Move::Swap { one, other } => {
                let (first, second) = (color_of(one), color_of(other));
                for &line in field.lines_of(one) {
                    let change = if field.lines_of(other).contains(&line) {
                        Change::Exchange { one, other, first, second }
                    } else {
                        Change::Color { cell: one, from: first, to: second }
                    };
                    visit(line, change);
                }
                for &line in field.lines_of(other).iter().filter(|line| !field.lines_of(one).contains(line)) {
                    visit(line, Change::Color { cell: other, from: second, to: first });
                }
            }
        }
    }

    /// The gaps of a line after a change, for the turns of one block.
    #[inline(always)]
    fn after(&self, field: &Field<N>, line: usize, change: Change, block: usize, gaps: &Gaps<N>) -> Gaps<N> {
        let number = |color: usize| N::of(color as i64);
        match change {
            Change::Color { cell, from, to } => {
                let guessed = &field.guessed(cell)[block];
                let (old, new) = (number(from), number(to));
                let recolored = |term| recolor(gaps, guessed, |guess| gain(term, guess, old, new));
                if field.terms().colors {
                    let colors = usize::from(field.rules.colors());
                    let held = [from, to].map(|color| self.held[line * colors + color]);
                    let shown = [from, to].map(|color| &field.shown(line, color)[block]);
                    return match field.terms().cell {
                        CellTerm::Equal => recolor_pegs(CellTerm::Equal, gaps, guessed, [old, new], shown, held),
                        term => recolor_pegs(term, gaps, guessed, [old, new], shown, held),
                    };
                }
                // Named one by one, so that the term is known where the loop is.
                match field.terms().cell {
                    CellTerm::Equal => recolored(CellTerm::Equal),
                    CellTerm::Ordered => recolored(CellTerm::Ordered),
                    CellTerm::Apart => recolored(CellTerm::Apart),
                    CellTerm::ApartSquared => recolored(CellTerm::ApartSquared),
                    term => recolored(term),
                }
            }
            Change::Exchange { one, other, first, second } => {
                let (guessed, guessed_other) = (&field.guessed(one)[block], &field.guessed(other)[block]);
                let (first, second) = (number(first), number(second));
                // The line shows the same colors as before, so that only what each cell adds alone changes.
                let term = field.terms().cell;
                let half = recolor(gaps, guessed, |guess| gain(term, guess, first, second));
                recolor(&half, guessed_other, |guess| gain(term, guess, second, first))
            }
        }
    }
}

/// What a move does to a line.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// One of its cells gets another color.
    Color { cell: usize, from: usize, to: usize },
    /// Two of its cells exchange their colors.
    Exchange { one: usize, other: usize, first: usize, second: usize },
}

/// How far some turns of a line are off, in all.
#[inline(always)]
fn cost<N: Number>(gaps: &Gaps<N>) -> i64 {
    let mut sizes = [N::default(); _];
    for ((size, &first), &second) in sizes.iter_mut().zip(&gaps[0]).zip(&gaps[1]) {
        *size = first.size() + second.size();
    }
    N::sum(sizes)
}

/// How the two sums of a mark change when a cell changes its color, other cells aside.
#[inline(always)]
fn gain<N: Number>(term: CellTerm, guess: N, old: N, new: N) -> [N; 2] {
    let (before, after) = (cell_gain(term, guess, old), cell_gain(term, guess, new));
    [after[0] - before[0], after[1] - before[1]]
}

#[inline(always)]
fn recolor<N: Number>(gaps: &Gaps<N>, guessed: &Lanes<N>, gain: impl Fn(N) -> [N; 2]) -> Gaps<N> {
    let mut after = *gaps;
    for (turn, &guess) in guessed.iter().enumerate() {
        let gain = gain(guess);
        after[0][turn] = after[0][turn] + gain[0];
        after[1][turn] = after[1][turn] + gain[1];
    }
    after
}

#[inline(always)]
fn recolor_pegs<N: Number>(
    term: CellTerm,
    gaps: &Gaps<N>,
    guessed: &Lanes<N>,
    [old, new]: [N; 2],
    [shown_old, shown_new]: [&Lanes<N>; 2],
    [held_old, held_new]: [N; 2],
) -> Gaps<N> {
    let mut after = *gaps;
    for (turn, &guess) in guessed.iter().enumerate() {
        after[0][turn] = after[0][turn] + gain(term, guess, old, new)[0];
        after[1][turn] =
            after[1][turn] + N::from_flag(shown_new[turn] > held_new) - N::from_flag(shown_old[turn] >= held_old);
    }
    after
}

#[cfg(test)]
mod tests {
    use pegwise_game::{History, Rules, Turn};
    use proptest::prelude::*;

    use super::*;
    use crate::Rng;

    /// Walks at random and compares every judgment with a fresh look at the code.
    fn check<N: Number>(history: &History, rng: &mut Rng) -> Result<(), TestCaseError> {
        let rules = history.rules();
        let field = Field::<N>::new(history);
        let mut walk = Walk::new(&field, &rng.code(rules));
        for _ in 0..40 {
            let step = if rules.repeats() && rng.below(2) == 0 {
                Move::Recolor { cell: rng.index(rules.cells()), to: rng.index(rules.colors().into()) }
            } else {
                Move::Swap { one: rng.index(rules.cells()), other: rng.index(rules.cells()) }
            };
            let changes = match step {
                Move::Recolor { cell, to } => walk.code[cell].index() != to,
                Move::Swap { one, other } => walk.code[one] != walk.code[other],
            };
            if !changes {
                continue;
            }
            let judged = walk.judge(&field, step);
            walk.make(&field, step);
            let fresh = Walk::new(&field, walk.code());
            prop_assert_eq!((judged, walk.cost()), (fresh.cost, fresh.cost), "{:?} at {}", step, rules);
            prop_assert_eq!(&walk.gaps, &fresh.gaps);
            prop_assert_eq!(&walk.held, &fresh.held);
            prop_assert_eq!(walk.cost() == 0, history.is_consistent(&walk.to_code()));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn judgments_agree_with_a_fresh_look(
            text in prop::sample::select(vec!["4x6", "8x5", "1x3", "20x20", "5x8:no-repeats", "6x6:black-only",
                "6x6:color-only",
                "5x6:higher-lower", "5x6:distance", "5x6:city-block", "grid:3x4x4", "triangle:4x5", "ring:5x3"]),
            turns in 0usize..12,
            seed: u64,
        ) {
            let rules: Rules = text.parse().unwrap();
            let mut rng = Rng::new(seed);
            let (secret, mut history) = (rng.code(&rules), History::new(rules.clone()));
            for _ in 0..turns {
                let guess = rng.code(&rules);
                let feedback = pegwise_game::feedback(&rules, &guess, &secret);
                history.push(Turn { guess, feedback }).unwrap();
            }
            check::<i64>(&history, &mut rng)?;
            if rules.feedback().terms().cell.counts() {
                check::<i16>(&history, &mut rng)?;
            }
            prop_assert_eq!(Walk::new(&Field::<i64>::new(&history), &secret).cost(), 0);
        }
    }
}
