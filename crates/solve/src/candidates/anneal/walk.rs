//! A code on its way, and what a move would change.

use pegwise_game::{Code, Color, FeedbackKind};

use super::{
    field::{Field, cell_gain},
    number::Number,
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
    gaps: [Vec<N>; 2],
    /// For each line, the sizes of its gaps, summed.
    costs: Vec<i64>,
    cost: i64,
    /// The lines that the move judged last would change, with their costs and gaps then.
    tried: Vec<(usize, i64)>,
    tried_gaps: [Vec<N>; 2],
}

impl<N: Number> Walk<N> {
    pub(super) fn new(field: &Field<N>, code: &[Color]) -> Self {
        let (colors, lines) = (usize::from(field.rules.colors()), field.rules.board().line_count());
        let mut held = Vec::new();
        if field.kind() == FeedbackKind::BlackWhite {
            held.resize(lines * colors, N::default());
            for (number, line) in field.rules.board().lines().enumerate() {
                for &cell in line {
                    let held = &mut held[number * colors + code[cell].index()];
                    *held = *held + N::of(1);
                }
            }
        }
        let gaps = field.gaps(code);
        let width = field.width();
        let size = |line: usize| -> i64 {
            gaps.iter().flat_map(|gaps| &gaps[line * width..][..width]).map(|gap| gap.size().into()).sum()
        };
        let costs: Vec<i64> = (0..lines).map(size).collect();
        let most_lines = (0..code.len()).map(|cell| field.lines_of(cell).len()).max().unwrap_or(0) * 2;
        let room = || vec![N::default(); most_lines * width];
        Self {
            code: code.to_vec(),
            held,
            gaps,
            cost: costs.iter().sum(),
            costs,
            tried: Vec::with_capacity(most_lines),
            tried_gaps: [room(), room()],
        }
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

    /// What the cost would be after a move, which must change some color.
    #[inline(always)]
    pub(super) fn judge(&mut self, field: &Field<N>, step: Move) -> i64 {
        self.tried.clear();
        let mut cost = self.cost;
        let mut count = |line: usize, new: i64, walk: &mut Self| {
            cost += new - walk.costs[line];
            walk.tried.push((line, new));
        };
        match step {
            Move::Recolor { cell, to } => {
                for &line in field.lines_of(cell) {
                    let new = self.recolored(field, line, cell, to);
                    count(line, new, self);
                }
            }
            Move::Swap { one, other } => {
                let (first, second) = (self.code[one].index(), self.code[other].index());
                for &line in field.lines_of(one) {
                    let new = if field.lines_of(other).contains(&line) {
                        self.swapped(field, line, one, other)
                    } else {
                        self.recolored(field, line, one, second)
                    };
                    count(line, new, self);
                }
                for &line in field.lines_of(other) {
                    if !field.lines_of(one).contains(&line) {
                        let new = self.recolored(field, line, other, first);
                        count(line, new, self);
                    }
                }
            }
        }
        cost
    }

    /// Makes the move that was judged last.
    #[inline(always)]
    pub(super) fn make(&mut self, field: &Field<N>, step: Move) {
        let width = field.width();
        for (at, &(line, cost)) in self.tried.iter().enumerate() {
            for (gaps, tried) in self.gaps.iter_mut().zip(&self.tried_gaps) {
                gaps[line * width..][..width].copy_from_slice(&tried[at * width..][..width]);
            }
            self.cost += cost - self.costs[line];
            self.costs[line] = cost;
        }
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

    /// The cost of a line when one of its cells gets another color; its gaps then go where the next line tried is kept.
    #[inline(always)]
    fn recolored(&mut self, field: &Field<N>, line: usize, cell: usize, to: usize) -> i64 {
        let from = self.code[cell].index();
        let (width, colors, at) = (field.width(), usize::from(field.rules.colors()), self.tried.len());
        let [first, second] = &self.gaps;
        let gaps = [&first[line * width..][..width], &second[line * width..][..width]];
        let [first, second] = &mut self.tried_gaps;
        let out = [&mut first[at * width..][..width], &mut second[at * width..][..width]];
        let guessed = field.guessed(cell);
        let (old, new) = (N::of(from as i64), N::of(to as i64));
        match field.kind() {
            FeedbackKind::BlackWhite => {
                let held = [from, to].map(|color| self.held[line * colors + color]);
                let shown = [from, to].map(|color| field.shown(line, color));
                recolor_pegs(gaps, out, guessed, [old, new], shown, held)
            }
            FeedbackKind::BlackOnly => {
                recolor_cell(gaps, out, guessed, |guess| change(FeedbackKind::BlackOnly, guess, old, new))
            }
            FeedbackKind::HigherLower => {
                recolor_cell(gaps, out, guessed, |guess| change(FeedbackKind::HigherLower, guess, old, new))
            }
            FeedbackKind::CityBlock => {
                recolor_cell(gaps, out, guessed, |guess| change(FeedbackKind::CityBlock, guess, old, new))
            }
            FeedbackKind::Distance => {
                recolor_cell(gaps, out, guessed, |guess| change(FeedbackKind::Distance, guess, old, new))
            }
        }
    }

    /// The cost of a line when two of its cells exchange their colors.
    #[inline(always)]
    fn swapped(&mut self, field: &Field<N>, line: usize, one: usize, other: usize) -> i64 {
        let (width, at) = (field.width(), self.tried.len());
        let [first, second] = &self.gaps;
        let gaps = [&first[line * width..][..width], &second[line * width..][..width]];
        let [first_out, second_out] = &mut self.tried_gaps;
        let out = [&mut first_out[at * width..][..width], &mut second_out[at * width..][..width]];
        let guessed = [field.guessed(one), field.guessed(other)];
        let colors = [one, other].map(|cell| N::of(self.code[cell].index() as i64));
        let kind = field.kind();
        match kind {
            // The line shows the same colors as before.
            FeedbackKind::BlackWhite | FeedbackKind::BlackOnly => swap_black(gaps, out, guessed, colors),
            _ => swap_cells(gaps, out, guessed, |guess, old, new| change(kind, guess, old, new), colors),
        }
    }
}

/// How the two numbers of a mark change when a cell changes its color, other cells aside.
#[inline(always)]
fn change<N: Number>(kind: FeedbackKind, guess: N, old: N, new: N) -> [N; 2] {
    let (before, after) = (cell_gain(kind, guess, old), cell_gain(kind, guess, new));
    [after[0] - before[0], after[1] - before[1]]
}

#[inline(always)]
fn recolor_pegs<N: Number>(
    gaps: [&[N]; 2],
    out: [&mut [N]; 2],
    guessed: &[N],
    [old, new]: [N; 2],
    shown: [&[N]; 2],
    held: [N; 2],
) -> i64 {
    let [black_out, pegs_out] = out;
    let width = guessed.len();
    let (black, pegs, shown_old, shown_new) =
        (&gaps[0][..width], &gaps[1][..width], &shown[0][..width], &shown[1][..width]);
    let (black_out, pegs_out) = (&mut black_out[..width], &mut pegs_out[..width]);
    let mut cost = N::Sum::default();
    for turn in 0..width {
        let guess = guessed[turn];
        let black = black[turn] + N::from_flag(guess == new) - N::from_flag(guess == old);
        let pegs = pegs[turn] + N::from_flag(shown_new[turn] > held[1]) - N::from_flag(shown_old[turn] >= held[0]);
        black_out[turn] = black;
        pegs_out[turn] = pegs;
        cost += black.size() + pegs.size();
    }
    cost.into()
}

#[inline(always)]
fn recolor_cell<N: Number>(gaps: [&[N]; 2], out: [&mut [N]; 2], guessed: &[N], change: impl Fn(N) -> [N; 2]) -> i64 {
    let [first_out, second_out] = out;
    let mut cost = N::Sum::default();
    for (turn, &guess) in guessed.iter().enumerate() {
        let change = change(guess);
        let (first, second) = (gaps[0][turn] + change[0], gaps[1][turn] + change[1]);
        (first_out[turn], second_out[turn]) = (first, second);
        cost += first.size() + second.size();
    }
    cost.into()
}

#[inline(always)]
fn swap_black<N: Number>(gaps: [&[N]; 2], out: [&mut [N]; 2], guessed: [&[N]; 2], [one, other]: [N; 2]) -> i64 {
    let [black_out, pegs_out] = out;
    let width = guessed[0].len();
    let (first, second, black, pegs) =
        (&guessed[0][..width], &guessed[1][..width], &gaps[0][..width], &gaps[1][..width]);
    let (black_out, pegs_out) = (&mut black_out[..width], &mut pegs_out[..width]);
    let mut cost = N::Sum::default();
    for turn in 0..width {
        let (first, second) = (first[turn], second[turn]);
        let lost = N::from_flag(first == one) + N::from_flag(second == other);
        let won = N::from_flag(first == other) + N::from_flag(second == one);
        let black = black[turn] + won - lost;
        black_out[turn] = black;
        pegs_out[turn] = pegs[turn];
        cost += black.size() + pegs[turn].size();
    }
    cost.into()
}

#[inline(always)]
fn swap_cells<N: Number>(
    gaps: [&[N]; 2],
    out: [&mut [N]; 2],
    guessed: [&[N]; 2],
    change: impl Fn(N, N, N) -> [N; 2],
    [one, other]: [N; 2],
) -> i64 {
    let [first_out, second_out] = out;
    let mut cost = N::Sum::default();
    for (turn, (&first, &second)) in guessed[0].iter().zip(guessed[1]).enumerate() {
        let (here, there) = (change(first, one, other), change(second, other, one));
        let (first, second) = (gaps[0][turn] + here[0] + there[0], gaps[1][turn] + here[1] + there[1]);
        (first_out[turn], second_out[turn]) = (first, second);
        cost += first.size() + second.size();
    }
    cost.into()
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
            if !matches!(rules.feedback(), FeedbackKind::Distance | FeedbackKind::CityBlock) {
                check::<i16>(&history, &mut rng)?;
            }
            prop_assert_eq!(Walk::new(&Field::<i64>::new(&history), &secret).cost(), 0);
        }
    }
}
