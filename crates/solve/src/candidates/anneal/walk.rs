//! A code on its way, and what a move would change.

use pegwise_game::{CellTerm, Code, Color};

use super::{
    change::{Change, compare, recolor, recolor_pegs},
    field::Field,
    number::{Exchanged, Gaps, Number, Recolored, Vectors},
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
pub(super) struct Walk<N, const L: usize> {
    code: Vec<Color>,
    /// For each color the cells that have it, and for each cell its place among them.
    holders: Vec<Vec<u16>>,
    places: Vec<u16>,
    /// For each line and color, how often the code shows it; for black and white pegs alone.
    held: Vec<N>,
    /// For each line and turn, how much too large the two numbers of the mark are.
    gaps: Vec<Gaps<N, L>>,
    /// For each line, the sizes or squares of its gaps, summed over the turns, for both numbers of a mark.
    costs: Vec<[i64; 2]>,
    /// For each turn what it costs on all lines, where some answers may be lies; elsewhere nobody asks.
    turn_costs: Vec<i64>,
    cost: i64,
}

impl<N: Number, const L: usize> Walk<N, L> {
    pub(super) fn new(field: &Field<N, L>, code: &[Color]) -> Self {
        let (colors, lines) = (usize::from(field.rules.colors()), field.rules.board().line_count());
        let mut held = Vec::new();
        if field.model().colors {
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
        let cost_of = |line: usize| {
            let gaps = &gaps[line * blocks..][..blocks];
            [0, 1].map(|number| field.cost(gaps, number))
        };
        let costs: Vec<[i64; 2]> = (0..lines).map(cost_of).collect();
        let (mut holders, mut places) = (vec![Vec::new(); colors], Vec::with_capacity(code.len()));
        for (cell, color) in (0..).zip(code) {
            let holders: &mut Vec<u16> = &mut holders[color.index()];
            places.push(holders.len() as u16);
            holders.push(cell);
        }
        let mut turn_costs = vec![0; if field.lies() > 0 { blocks * L } else { 0 }];
        for (gaps, at) in gaps.iter().zip((0..blocks).cycle()) {
            let turns = turn_costs.iter_mut().skip(at * L).take(L).enumerate();
            turns.for_each(|(lane, cost)| *cost += field.cost_of_turn(gaps, lane));
        }
        let cost =
            if field.lies() > 0 { without_lies(&turn_costs, field.lies()) } else { costs.iter().flatten().sum() };
        Self { code: code.to_vec(), holders, places, held, cost, turn_costs, gaps, costs }
    }

    /// The cells that have a color.
    #[inline]
    pub(super) fn holders(&self, color: usize) -> &[u16] {
        &self.holders[color]
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
    pub(super) fn judge<V: Vectors>(&self, field: &Field<N, L>, step: Move, vectors: V) -> i64 {
        if field.lies() > 0 {
            return without_lies(&self.turn_costs_after(field, step), field.lies());
        }
        let mut total = self.cost;
        let lines = self.lines(field, step);
        let mut sums = N::Sums::default();
        for at in 0..lines.count {
            let (line, change) = self.change(field, step, lines, at);
            let [first, second] = self.costs[line];
            total -= if change.spares_second(field.model().cell) { first } else { first + second };
            sums = self.add_judged(field, line, change, sums, vectors);
        }
        total + N::total(sums)
    }

    /// Adds what a line would cost after a change: what its black pegs would, where the others stay as they are.
    #[inline(always)]
    fn add_judged<V: Vectors>(
        &self,
        field: &Field<N, L>,
        line: usize,
        change: Change,
        mut sums: N::Sums,
        vectors: V,
    ) -> N::Sums {
        let gaps = &self.gaps[line * field.blocks()..][..field.blocks()];
        if let Some(sums) = self.add_pegs(field, line, change, gaps, sums, vectors) {
            return sums;
        }
        // Loops rather than closures: those would not be compiled for wide vectors.
        if change.spares_second(field.model().cell) {
            for (block, gaps) in gaps.iter().enumerate() {
                sums = field.add_cost(vectors, sums, &self.after(field, line, change, block, gaps)[0]);
            }
        } else {
            for (block, gaps) in gaps.iter().enumerate() {
                let after = self.after(field, line, change, block, gaps);
                sums = field.add_cost(vectors, sums, &after[0]);
                sums = field.add_cost(vectors, sums, &after[1]);
            }
        }
        sums
    }

    /// The same for black and white pegs, if there is a way of its own.
    #[inline(always)]
    fn add_pegs<V: Vectors>(
        &self,
        field: &Field<N, L>,
        line: usize,
        change: Change,
        gaps: &[Gaps<N, L>],
        sums: N::Sums,
        vectors: V,
    ) -> Option<N::Sums> {
        if !field.model().is_classic() {
            return None;
        }
        let number = |color: usize| N::of(color as i64);
        match change {
            Change::Color { cell, from, to } => {
                let held = &self.held[line * field.colors()..][..field.colors()];
                let change = Recolored {
                    gaps,
                    guessed: field.guessed(cell),
                    before: field.before(cell),
                    colors: [number(from), number(to)],
                    shown: [field.shown(line, from), field.shown(line, to)],
                    held: [held[from], held[to]],
                };
                vectors.add_recolored(field.squares(), sums, change)
            }
            Change::Exchange { one, other, first, second } => {
                let before = match (field.before(one), field.before(other)) {
                    (Some(one), Some(other)) => Some([one, other]),
                    _ => None,
                };
                let guessed = [field.guessed(one), field.guessed(other)];
                let change = Exchanged { gaps, guessed, before, colors: [number(first), number(second)] };
                vectors.add_exchanged(field.squares(), sums, change)
            }
        }
    }

    /// Makes a move.
    #[inline(always)]
    pub(super) fn make<V: Vectors>(&mut self, field: &Field<N, L>, step: Move, vectors: V) {
        let lines = self.lines(field, step);
        let blocks = field.blocks();
        if field.lies() > 0 {
            self.turn_costs = self.turn_costs_after(field, step);
        }
        for at in 0..lines.count {
            let (line, change) = self.change(field, step, lines, at);
            let mut sums = [N::Sums::default(); 2];
            for block in 0..blocks {
                let gaps = self.after(field, line, change, block, &self.gaps[line * blocks + block]);
                sums[0] = field.add_cost(vectors, sums[0], &gaps[0]);
                sums[1] = field.add_cost(vectors, sums[1], &gaps[1]);
                self.gaps[line * blocks + block] = gaps;
            }
            let [first, second] = std::mem::replace(&mut self.costs[line], sums.map(N::total));
            self.cost += self.costs[line][0] + self.costs[line][1] - first - second;
        }
        if field.lies() > 0 {
            self.cost = without_lies(&self.turn_costs, field.lies());
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

    /// What each turn would cost after a move. Of its own, since a code that is far off in one turn may fit all the same.
    fn turn_costs_after(&self, field: &Field<N, L>, step: Move) -> Vec<i64> {
        let (lines, blocks) = (self.lines(field, step), field.blocks());
        let mut turn_costs = self.turn_costs.clone();
        for at in 0..lines.count {
            let (line, change) = self.change(field, step, lines, at);
            for block in 0..blocks {
                let gaps = &self.gaps[line * blocks + block];
                let after = self.after(field, line, change, block, gaps);
                for (lane, cost) in turn_costs[block * L..][..L].iter_mut().enumerate() {
                    *cost += field.cost_of_turn(&after, lane) - field.cost_of_turn(gaps, lane);
                }
            }
        }
        turn_costs
    }

    #[inline(always)]
    fn paint(&mut self, field: &Field<N, L>, cell: usize, to: usize) {
        let from = std::mem::replace(&mut self.code[cell], Color::new(to as u16)).index();
        let place = usize::from(self.places[cell]);
        self.holders[from].swap_remove(place);
        if let Some(&moved) = self.holders[from].get(place) {
            self.places[usize::from(moved)] = place as u16;
        }
        self.places[cell] = self.holders[to].len() as u16;
        self.holders[to].push(cell as u16);
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

    /// How many lines a move changes: those of its first cell, and then those of its second alone.
    #[inline(always)]
    fn lines(&self, field: &Field<N, L>, step: Move) -> Lines {
        match step {
            Move::Recolor { cell, .. } => {
                let first = field.lines_of(cell).len();
                Lines { first, count: first }
            }
            Move::Swap { .. } if field.is_row() => Lines { first: 1, count: 1 },
            Move::Swap { one, other } => {
                let first = field.lines_of(one).len();
                let mut count = first;
                for line in field.lines_of(other) {
                    count += usize::from(!field.lines_of(one).contains(line));
                }
                Lines { first, count }
            }
        }
    }

    /// One of the lines that a move changes, and how.
    #[inline(always)]
    fn change(&self, field: &Field<N, L>, step: Move, lines: Lines, at: usize) -> (usize, Change) {
        match step {
            Move::Recolor { cell, to } => {
                (field.lines_of(cell)[at], Change::Color { cell, from: self.code[cell].index(), to })
            }
            Move::Swap { one, other } => {
                let (first, second) = (self.code[one].index(), self.code[other].index());
                if field.is_row() {
                    return (0, Change::Exchange { one, other, first, second });
                }
                if at < lines.first {
                    let line = field.lines_of(one)[at];
                    let change = if field.lines_of(other).contains(&line) {
                        Change::Exchange { one, other, first, second }
                    } else {
                        Change::Color { cell: one, from: first, to: second }
                    };
                    return (line, change);
                }
                let mut left = at - lines.first;
                for &line in field.lines_of(other) {
                    if field.lines_of(one).contains(&line) {
                        continue;
                    }
                    if left == 0 {
                        return (line, Change::Color { cell: other, from: second, to: first });
                    }
                    left -= 1;
                }
                unreachable!("as many lines were counted");
            }
        }
    }

    /// The gaps of a line after a change, for the turns of one block.
    #[inline(always)]
    fn after(&self, field: &Field<N, L>, line: usize, change: Change, block: usize, gaps: &Gaps<N, L>) -> Gaps<N, L> {
        let mut after = self.after_alone(field, line, change, block, gaps);
        match change {
            Change::Color { cell, from, to } => compare(&mut after, field.before(cell), block, from, to),
            Change::Exchange { one, other, first, second } => {
                compare(&mut after, field.before(one), block, first, second);
                compare(&mut after, field.before(other), block, second, first);
            }
        }
        after
    }

    /// The same without the turns that others are compared with.
    #[inline(always)]
    fn after_alone(
        &self,
        field: &Field<N, L>,
        line: usize,
        change: Change,
        block: usize,
        gaps: &Gaps<N, L>,
    ) -> Gaps<N, L> {
        let (number, term) = (N::of, field.model().cell);
        match change {
            Change::Color { cell, from, to } => {
                let guessed = &field.guessed(cell)[block];
                let (old, new) = (number(from as i64), number(to as i64));
                if field.model().colors {
                    let colors = field.colors();
                    let held = [self.held[line * colors + from], self.held[line * colors + to]];
                    let shown = [&field.shown(line, from)[block], &field.shown(line, to)[block]];
                    return match term {
                        CellTerm::Equal => recolor_pegs(CellTerm::Equal, gaps, guessed, [old, new], shown, held),
                        term => recolor_pegs(term, gaps, guessed, [old, new], shown, held),
                    };
                }
                recolor(term, gaps, guessed, old, new)
            }
            Change::Exchange { one, other, first, second } => {
                let (guessed, guessed_other) = (&field.guessed(one)[block], &field.guessed(other)[block]);
                let (first, second) = (number(first as i64), number(second as i64));
                // The line shows the same colors as before, so that only what each cell adds alone changes.
                let half = recolor(term, gaps, guessed, first, second);
                recolor(term, &half, guessed_other, second, first)
            }
        }
    }
}

/// The cost of all turns but those that cost most, so many of which may be lies.
fn without_lies(turn_costs: &[i64], lies: usize) -> i64 {
    let mut dearest = vec![0; lies];
    for &cost in turn_costs {
        // The cheapest of the dearest makes room.
        if let Some(least) = dearest.iter_mut().min().filter(|least| **least < cost) {
            *least = cost;
        }
    }
    turn_costs.iter().sum::<i64>() - dearest.iter().sum::<i64>()
}

/// How many lines a move changes through its first cell, and in all.
#[derive(Debug, Clone, Copy)]
struct Lines {
    first: usize,
    count: usize,
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "x86_64")]
    use pegwise_game::cpu::Avx2;
    use pegwise_game::{History, Rules, Turn};
    use proptest::prelude::*;

    use super::{
        super::{field::Sight, number::Plain},
        *,
    };
    use crate::Rng;

    /// Walks at random and compares every judgment with a fresh look at the code.
    fn check<N: Number, const L: usize>(history: &History, squares: bool, rng: &mut Rng) -> Result<(), TestCaseError> {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            check_with::<N, L, _>(history, squares, rng, avx2)?;
        }
        check_with::<N, L, _>(history, squares, rng, Plain)
    }

    fn check_with<N: Number, const L: usize, V: Vectors>(
        history: &History,
        squares: bool,
        rng: &mut Rng,
        vectors: V,
    ) -> Result<(), TestCaseError> {
        let rules = history.rules();
        let field = Field::<N, L>::new(history, squares, Sight::All);
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
            let judged = walk.judge(&field, step, vectors);
            walk.make(&field, step, vectors);
            let fresh = Walk::new(&field, walk.code());
            prop_assert_eq!((judged, walk.cost()), (fresh.cost, fresh.cost), "{:?} at {}", step, rules);
            prop_assert_eq!(&walk.gaps, &fresh.gaps);
            prop_assert_eq!(&walk.held, &fresh.held);
            for cell in 0..rules.cells() {
                let color = walk.code[cell].index();
                prop_assert_eq!(usize::from(walk.holders(color)[usize::from(walk.places[cell])]), cell);
                prop_assert_eq!(walk.holders(color).len(), fresh.holders(color).len());
            }
            let fits = walk.cost() == 0 && field.is_open(walk.code());
            prop_assert_eq!(fits, history.is_consistent(&walk.to_code()));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn judgments_agree_with_a_fresh_look(
            text in prop::sample::select(vec!["4x6", "8x5", "1x3", "20x20", "5x8:no-repeats", "6x6:black-only",
                "5x6:higher-lower", "5x6:distance", "5x6:city-block", "grid:3x4x4", "triangle:4x5", "ring:5x3",
                "4x4:lies=1", "3x3:lies=2", "grid:3x3x2:lies=1", "4x5:distance:lies=1"]),
            turns in 0usize..12,
            seed: u64,
        ) {
            let rules: Rules = text.parse().unwrap();
            let mut rng = Rng::new(seed);
            let (secret, mut history) = (rng.code(&rules), History::new(rules.clone()));
            for _ in 0..turns {
                let mut guess = rng.code(&rules);
                // Every second guess is like the one before it, which makes a difference to how turns are looked at.
                if let (Some(last), true) = (history.turns().last(), rules.repeats() && rng.below(2) == 0) {
                    let mut like = last.guess.clone();
                    for cell in 0..rules.cells() / 3 {
                        like.colors_mut()[cell] = guess[cell];
                    }
                    guess = like;
                }
                let feedback = pegwise_game::feedback(&rules, &guess, &secret);
                history.push(Turn { guess, feedback }).unwrap();
            }
            for squares in [false, true] {
                check::<i64, 8>(&history, squares, &mut rng)?;
                if rules.feedback().model().cell.is_count() {
                    check::<i8, 32>(&history, squares, &mut rng)?;
                    check::<i16, 16>(&history, squares, &mut rng)?;
                }
                prop_assert_eq!(Walk::new(&Field::<i64, 8>::new(&history, squares, Sight::All), &secret).cost(), 0);
            }
        }
    }
}
