//! A Markov chain on codes, with incremental evaluation of moves.

use pegwise_game::{CellTerm, Code, Color};
use pegwise_search::candidates::color_counts;

use super::constraints::{ConstraintMatrix, cell_gain};
use super::kernel::{Features, Lanes, Number, Recolored, Residuals, Swapped};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    Recolor { cell: usize, to: usize },
    Swap { one: usize, other: usize },
}

/// Effect of a move on one line.
#[derive(Debug, Clone, Copy)]
enum LineChange {
    Recolor { cell: usize, from: usize, to: usize },
    Swap { one: usize, other: usize, first: usize, second: usize },
}

impl LineChange {
    /// Returns true if the second number of the mark stays the same: a swap keeps the color counts of the line.
    #[inline(always)]
    fn keeps_second(self, term: CellTerm) -> bool {
        matches!(self, Self::Swap { .. }) && term != CellTerm::Ordered
    }
}

/// Current code of a Markov chain, with its residuals and energy.
#[derive(Debug, Clone)]
pub(super) struct Chain<N, const L: usize> {
    code: Vec<Color>,
    /// The cells of each color.
    cells_of: Vec<Vec<u16>>,
    /// Index of each cell in the list of its color.
    places: Vec<u16>,
    /// Number of cells with the color, for each line and color; only if the feedback counts colors.
    code_counts: Vec<N>,
    /// Residuals for each line and block of turns.
    residuals: Vec<Residuals<N, L>>,
    /// Energy of both numbers of the marks, for each line.
    line_energies: Vec<[i64; 2]>,
    /// Energy of each turn, summed over lines. Only maintained if the rules allow lies.
    turn_energies: Vec<i64>,
    energy: i64,
}

impl<N: Number, const L: usize> Chain<N, L> {
    pub(super) fn new(matrix: &ConstraintMatrix<N, L>, code: &[Color]) -> Self {
        let (lines, blocks) = (matrix.rules.board().line_count(), matrix.blocks);
        let counts = if matrix.model.colors { color_counts(&matrix.rules, code) } else { Vec::new() };
        let code_counts = counts.into_iter().map(|count| N::of(count.into())).collect();
        let residuals = matrix.residuals(code);
        let line_energy = |line: usize| {
            let residuals = &residuals[line * blocks..][..blocks];
            [0, 1].map(|number| matrix.energy(residuals, number))
        };
        let line_energies: Vec<[i64; 2]> = (0..lines).map(line_energy).collect();
        let (mut cells_of, mut places) = (vec![Vec::new(); matrix.colors], Vec::with_capacity(code.len()));
        for (cell, color) in (0..).zip(code) {
            let cells: &mut Vec<u16> = &mut cells_of[color.index()];
            places.push(cells.len() as u16);
            cells.push(cell);
        }
        let mut turn_energies = vec![0; if matrix.lies > 0 { blocks * L } else { 0 }];
        for (residuals, block) in residuals.iter().zip((0..blocks).cycle()) {
            let turns = turn_energies.iter_mut().skip(block * L).take(L).enumerate();
            turns.for_each(|(lane, energy)| *energy += matrix.turn_energy(residuals, lane));
        }
        let energy = if matrix.lies > 0 {
            energy_without_lies(&turn_energies, matrix.lies)
        } else {
            line_energies.iter().flatten().sum()
        };
        Self { code: code.to_vec(), cells_of, places, code_counts, residuals, line_energies, turn_energies, energy }
    }

    #[inline]
    pub(super) fn cells_of(&self, color: usize) -> &[u16] {
        &self.cells_of[color]
    }

    /// Returns the energy: zero if the code is consistent.
    #[inline]
    pub(super) fn energy(&self) -> i64 {
        self.energy
    }

    #[inline]
    pub(super) fn code(&self) -> &[Color] {
        &self.code
    }

    pub(super) fn to_code(&self) -> Code {
        Code::new(self.code.as_slice())
    }

    /// Returns the energy after a move, which must change some color. Nothing is stored, since most moves are rejected.
    #[inline(always)]
    pub(super) fn energy_after<F: Features>(&self, matrix: &ConstraintMatrix<N, L>, step: Move, features: F) -> i64 {
        if matrix.lies > 0 {
            return energy_without_lies(&self.turn_energies_after(matrix, step), matrix.lies);
        }
        let mut total = self.energy;
        let lines = self.lines(matrix, step);
        let mut sums = N::Sums::default();
        for at in 0..lines.count {
            let (line, change) = self.line_change(matrix, step, lines, at);
            let [first, second] = self.line_energies[line];
            total -= if change.keeps_second(matrix.model.cell) { first } else { first + second };
            sums = self.add_line_energy(matrix, line, change, sums, features);
        }
        total + N::total(sums)
    }

    /// Adds the energy of a line after a change: only that of the first number if the second stays the same.
    #[inline(always)]
    fn add_line_energy<F: Features>(
        &self,
        matrix: &ConstraintMatrix<N, L>,
        line: usize,
        change: LineChange,
        mut sums: N::Sums,
        features: F,
    ) -> N::Sums {
        let residuals = &self.residuals[line * matrix.blocks..][..matrix.blocks];
        if let Some(sums) = self.add_classic_energy(matrix, line, change, residuals, sums, features) {
            return sums;
        }
        // Loops instead of closures, which would not be compiled for wide vectors.
        if change.keeps_second(matrix.model.cell) {
            for (block, residuals) in residuals.iter().enumerate() {
                sums = matrix.add_energy(features, sums, &self.after(matrix, line, change, block, residuals)[0]);
            }
        } else {
            for (block, residuals) in residuals.iter().enumerate() {
                let after = self.after(matrix, line, change, block, residuals);
                sums = matrix.add_energy(features, sums, &after[0]);
                sums = matrix.add_energy(features, sums, &after[1]);
            }
        }
        sums
    }

    /// Specializes [`Chain::add_line_energy`] for black and white pegs; `None` without a special kernel.
    #[inline(always)]
    fn add_classic_energy<F: Features>(
        &self,
        matrix: &ConstraintMatrix<N, L>,
        line: usize,
        change: LineChange,
        residuals: &[Residuals<N, L>],
        sums: N::Sums,
        features: F,
    ) -> Option<N::Sums> {
        if !matrix.model.is_classic() {
            return None;
        }
        let number = |color: usize| N::of(color as i64);
        match change {
            LineChange::Recolor { cell, from, to } => {
                let counts = &self.code_counts[line * matrix.colors..][..matrix.colors];
                let change = Recolored {
                    residuals,
                    guessed: matrix.guessed(cell),
                    references: matrix.references(cell),
                    colors: [number(from), number(to)],
                    guess_counts: [matrix.guess_counts(line, from), matrix.guess_counts(line, to)],
                    code_counts: [counts[from], counts[to]],
                };
                N::add_recolored(features, matrix.squared, sums, change)
            }
            LineChange::Swap { one, other, first, second } => {
                let references = match (matrix.references(one), matrix.references(other)) {
                    (Some(one), Some(other)) => Some([one, other]),
                    _ => None,
                };
                let guessed = [matrix.guessed(one), matrix.guessed(other)];
                let change = Swapped { residuals, guessed, references, colors: [number(first), number(second)] };
                N::add_swapped(features, matrix.squared, sums, change)
            }
        }
    }

    #[inline(always)]
    pub(super) fn apply<F: Features>(&mut self, matrix: &ConstraintMatrix<N, L>, step: Move, features: F) {
        let lines = self.lines(matrix, step);
        let blocks = matrix.blocks;
        if matrix.lies > 0 {
            self.turn_energies = self.turn_energies_after(matrix, step);
        }
        for at in 0..lines.count {
            let (line, change) = self.line_change(matrix, step, lines, at);
            let mut sums = [N::Sums::default(); 2];
            for block in 0..blocks {
                let residuals = self.after(matrix, line, change, block, &self.residuals[line * blocks + block]);
                sums[0] = matrix.add_energy(features, sums[0], &residuals[0]);
                sums[1] = matrix.add_energy(features, sums[1], &residuals[1]);
                self.residuals[line * blocks + block] = residuals;
            }
            let [first, second] = std::mem::replace(&mut self.line_energies[line], sums.map(N::total));
            self.energy += self.line_energies[line][0] + self.line_energies[line][1] - first - second;
        }
        if matrix.lies > 0 {
            self.energy = energy_without_lies(&self.turn_energies, matrix.lies);
        }
        match step {
            Move::Recolor { cell, to } => self.set_color(matrix, cell, to),
            Move::Swap { one, other } => {
                let (first, second) = (self.code[one].index(), self.code[other].index());
                self.set_color(matrix, one, second);
                self.set_color(matrix, other, first);
            }
        }
    }

    /// Returns the energy of each turn after a move.
    fn turn_energies_after(&self, matrix: &ConstraintMatrix<N, L>, step: Move) -> Vec<i64> {
        let (lines, blocks) = (self.lines(matrix, step), matrix.blocks);
        let mut turn_energies = self.turn_energies.clone();
        for at in 0..lines.count {
            let (line, change) = self.line_change(matrix, step, lines, at);
            for block in 0..blocks {
                let residuals = &self.residuals[line * blocks + block];
                let after = self.after(matrix, line, change, block, residuals);
                for (lane, energy) in turn_energies[block * L..][..L].iter_mut().enumerate() {
                    *energy += matrix.turn_energy(&after, lane) - matrix.turn_energy(residuals, lane);
                }
            }
        }
        turn_energies
    }

    #[inline(always)]
    fn set_color(&mut self, matrix: &ConstraintMatrix<N, L>, cell: usize, to: usize) {
        let from = std::mem::replace(&mut self.code[cell], Color::new(to as u16)).index();
        let place = usize::from(self.places[cell]);
        self.cells_of[from].swap_remove(place);
        if let Some(&moved) = self.cells_of[from].get(place) {
            self.places[usize::from(moved)] = place as u16;
        }
        self.places[cell] = self.cells_of[to].len() as u16;
        self.cells_of[to].push(cell as u16);
        if self.code_counts.is_empty() {
            return;
        }
        for &line in matrix.lines_of(cell) {
            let (less, more) = (line * matrix.colors + from, line * matrix.colors + to);
            self.code_counts[less] = self.code_counts[less] - N::of(1);
            self.code_counts[more] = self.code_counts[more] + N::of(1);
        }
    }

    /// Counts the lines that a move changes: those of its first cell, then those of only its second cell.
    #[inline(always)]
    fn lines(&self, matrix: &ConstraintMatrix<N, L>, step: Move) -> ChangedLines {
        match step {
            Move::Recolor { cell, .. } => {
                let first = matrix.lines_of(cell).len();
                ChangedLines { first, count: first }
            }
            Move::Swap { .. } if matrix.is_row => ChangedLines { first: 1, count: 1 },
            Move::Swap { one, other } => {
                let first = matrix.lines_of(one).len();
                let mut count = first;
                for line in matrix.lines_of(other) {
                    count += usize::from(!matrix.lines_of(one).contains(line));
                }
                ChangedLines { first, count }
            }
        }
    }

    /// Returns the line at index `at` of those that a move changes, and its change.
    #[inline(always)]
    fn line_change(
        &self,
        matrix: &ConstraintMatrix<N, L>,
        step: Move,
        lines: ChangedLines,
        at: usize,
    ) -> (usize, LineChange) {
        match step {
            Move::Recolor { cell, to } => {
                (matrix.lines_of(cell)[at], LineChange::Recolor { cell, from: self.code[cell].index(), to })
            }
            Move::Swap { one, other } => {
                let (first, second) = (self.code[one].index(), self.code[other].index());
                if matrix.is_row {
                    return (0, LineChange::Swap { one, other, first, second });
                }
                if at < lines.first {
                    let line = matrix.lines_of(one)[at];
                    let change = if matrix.lines_of(other).contains(&line) {
                        LineChange::Swap { one, other, first, second }
                    } else {
                        LineChange::Recolor { cell: one, from: first, to: second }
                    };
                    return (line, change);
                }
                let mut left = at - lines.first;
                for &line in matrix.lines_of(other) {
                    if matrix.lines_of(one).contains(&line) {
                        continue;
                    }
                    if left == 0 {
                        return (line, LineChange::Recolor { cell: other, from: second, to: first });
                    }
                    left -= 1;
                }
                unreachable!("`lines` counted as many lines");
            }
        }
    }

    /// Returns the residuals of a line after a change, for one block of turns.
    #[inline(always)]
    fn after(
        &self,
        matrix: &ConstraintMatrix<N, L>,
        line: usize,
        change: LineChange,
        block: usize,
        residuals: &Residuals<N, L>,
    ) -> Residuals<N, L> {
        let (number, term) = (|color: usize| N::of(color as i64), matrix.model.cell);
        match change {
            LineChange::Recolor { cell, from, to } => {
                let guessed = &matrix.guessed(cell)[block];
                let mut after = if matrix.model.colors {
                    let counts = [from, to].map(|color| self.code_counts[line * matrix.colors + color]);
                    let guess_counts = [from, to].map(|color| &matrix.guess_counts(line, color)[block]);
                    let colors = [number(from), number(to)];
                    match term {
                        CellTerm::Equal => {
                            recolor_pegs(CellTerm::Equal, residuals, guessed, colors, guess_counts, counts)
                        }
                        term => recolor_pegs(term, residuals, guessed, colors, guess_counts, counts),
                    }
                } else {
                    recolor(term, residuals, guessed, number(from), number(to))
                };
                recolor_references(&mut after, matrix.references(cell), block, from, to);
                after
            }
            LineChange::Swap { one, other, first, second } => {
                // The color counts of the line stay the same.
                let half = recolor(term, residuals, &matrix.guessed(one)[block], number(first), number(second));
                let mut after = recolor(term, &half, &matrix.guessed(other)[block], number(second), number(first));
                recolor_references(&mut after, matrix.references(one), block, first, second);
                recolor_references(&mut after, matrix.references(other), block, second, first);
                after
            }
        }
    }
}

/// Updates residuals for the reference guesses after a cell was recolored.
#[inline(always)]
fn recolor_references<N: Number, const L: usize>(
    residuals: &mut Residuals<N, L>,
    references: Option<&[Lanes<N, L>]>,
    block: usize,
    old: usize,
    new: usize,
) {
    let Some(references) = references else { return };
    let (old, new) = (N::of(old as i64), N::of(new as i64));
    for turn in 0..L {
        let color = references[block][turn];
        residuals[0][turn] = residuals[0][turn] + (N::from_flag(color == old) - N::from_flag(color == new));
    }
}

/// Returns the residuals after a cell was recolored, for feedback to which each cell contributes on its own.
#[inline(always)]
fn recolor<N: Number, const L: usize>(
    term: CellTerm,
    residuals: &Residuals<N, L>,
    guessed: &Lanes<N, L>,
    old: N,
    new: N,
) -> Residuals<N, L> {
    // One call per term, so that the compiler specializes the loop.
    match term {
        CellTerm::Equal => recolor_term(CellTerm::Equal, residuals, guessed, old, new),
        CellTerm::Ordered => recolor_term(CellTerm::Ordered, residuals, guessed, old, new),
        CellTerm::Distance => recolor_term(CellTerm::Distance, residuals, guessed, old, new),
        CellTerm::SquaredDistance => recolor_term(CellTerm::SquaredDistance, residuals, guessed, old, new),
        term => recolor_term(term, residuals, guessed, old, new),
    }
}

#[inline(always)]
fn recolor_term<N: Number, const L: usize>(
    term: CellTerm,
    residuals: &Residuals<N, L>,
    guessed: &Lanes<N, L>,
    old: N,
    new: N,
) -> Residuals<N, L> {
    let mut after = *residuals;
    for turn in 0..L {
        let (before, now) = (cell_gain(term, guessed[turn], old), cell_gain(term, guessed[turn], new));
        // The difference first: the residual plus one gain may not fit.
        after[0][turn] = after[0][turn] + (now[0] - before[0]);
        if term == CellTerm::Ordered {
            after[1][turn] = after[1][turn] + (now[1] - before[1]);
        }
    }
    after
}

/// Like [`recolor`], for feedback that also counts the colors of the line.
#[inline(always)]
fn recolor_pegs<N: Number, const L: usize>(
    term: CellTerm,
    residuals: &Residuals<N, L>,
    guessed: &Lanes<N, L>,
    [old, new]: [N; 2],
    [guessed_old, guessed_new]: [&Lanes<N, L>; 2],
    [count_old, count_new]: [N; 2],
) -> Residuals<N, L> {
    let mut after = *residuals;
    for (turn, &guess) in guessed.iter().enumerate() {
        let (before, now) = (cell_gain(term, guess, old), cell_gain(term, guess, new));
        // The difference first: the residual plus one gain may not fit.
        after[0][turn] = after[0][turn] + (now[0] - before[0]);
        after[1][turn] =
            after[1][turn] + N::from_flag(guessed_new[turn] > count_new) - N::from_flag(guessed_old[turn] >= count_old);
    }
    after
}

/// Returns the sum of all turn energies but the `lies` largest.
fn energy_without_lies(turn_energies: &[i64], lies: usize) -> i64 {
    let mut largest = vec![0; lies];
    for &energy in turn_energies {
        if let Some(least) = largest.iter_mut().min().filter(|least| **least < energy) {
            *least = energy;
        }
    }
    turn_energies.iter().sum::<i64>() - largest.iter().sum::<i64>()
}

/// Number of lines that a move changes through its first cell, and in total.
#[derive(Debug, Clone, Copy)]
struct ChangedLines {
    first: usize,
    count: usize,
}

#[cfg(test)]
mod tests {
    use pegwise_game::{History, Rules, Turn, cpu::Avx2};
    use proptest::prelude::*;

    use super::super::constraints::Target;
    use super::super::kernel::Portable;
    use super::*;
    use pegwise_search::Rng;

    /// Applies random moves and compares the incremental state with a new chain.
    fn check<N: Number, const L: usize>(history: &History, squared: bool, rng: &mut Rng) -> Result<(), TestCaseError> {
        if let Some(avx2) = Avx2::detect() {
            check_with::<N, L, _>(history, squared, rng, avx2)?;
        }
        check_with::<N, L, _>(history, squared, rng, Portable)
    }

    fn check_with<N: Number, const L: usize, F: Features>(
        history: &History,
        squared: bool,
        rng: &mut Rng,
        features: F,
    ) -> Result<(), TestCaseError> {
        let rules = history.rules();
        let matrix = ConstraintMatrix::<N, L>::new(history, squared, Target::Codes);
        let mut chain = Chain::new(&matrix, &rng.code(rules));
        for _ in 0..40 {
            let step = if rules.repeats() && rng.below(2) == 0 {
                Move::Recolor { cell: rng.index(rules.cells()), to: rng.index(rules.colors().into()) }
            } else {
                Move::Swap { one: rng.index(rules.cells()), other: rng.index(rules.cells()) }
            };
            let changes = match step {
                Move::Recolor { cell, to } => chain.code[cell].index() != to,
                Move::Swap { one, other } => chain.code[one] != chain.code[other],
            };
            if !changes {
                continue;
            }
            let expected = chain.energy_after(&matrix, step, features);
            chain.apply(&matrix, step, features);
            let fresh = Chain::new(&matrix, chain.code());
            prop_assert_eq!((expected, chain.energy()), (fresh.energy, fresh.energy), "{:?} at {}", step, rules);
            prop_assert_eq!(&chain.residuals, &fresh.residuals);
            prop_assert_eq!(&chain.code_counts, &fresh.code_counts);
            for cell in 0..rules.cells() {
                let color = chain.code[cell].index();
                prop_assert_eq!(usize::from(chain.cells_of(color)[usize::from(chain.places[cell])]), cell);
                prop_assert_eq!(chain.cells_of(color).len(), fresh.cells_of(color).len());
            }
            let fits = chain.energy() == 0 && matrix.agrees_with_wins(chain.code());
            prop_assert_eq!(fits, history.is_consistent(&chain.to_code()));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn moves_agree_with_a_new_chain(
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
                // Half of the guesses are similar to the previous one, so that they get reference turns.
                if let (Some(last), true) = (history.turns().last(), rules.repeats() && rng.below(2) == 0) {
                    let mut similar = last.guess.clone();
                    for cell in 0..rules.cells() / 3 {
                        similar.colors_mut()[cell] = guess[cell];
                    }
                    guess = similar;
                }
                history.push(Turn::against(&rules, &secret, guess)).unwrap();
            }
            for squared in [false, true] {
                check::<i64, 8>(&history, squared, &mut rng)?;
                if rules.feedback().model().cell.is_count() {
                    check::<i8, 32>(&history, squared, &mut rng)?;
                    check::<i16, 16>(&history, squared, &mut rng)?;
                }
                prop_assert_eq!(Chain::new(&ConstraintMatrix::<i64, 8>::new(&history, squared, Target::Codes), &secret).energy(), 0);
            }
        }
    }
}
