//! The constraints of a history as a matrix in column-major order, and the colors that single marks leave to each cell.
//!
//! The entries of all turns for one cell, or for one color on one line, are contiguous. Loops over the turns then have no
//! branches, and the compiler vectorizes them.

use pegwise_game::{CellTerm, Code, Color, FeedbackModel, History, Rules, Turn};

use super::kernel::{Features, Lanes, MAX_I8, Number, Portable, Residuals};
use pegwise_search::Rng;
use pegwise_search::candidates::{color_counts, lines_by_cell};

/// Color of padding: less than every real color, so that no move changes a comparison with it.
const NO_COLOR: i64 = -1;

/// Maximum number of cells in which a guess differs from its reference guess, see [`reference_turn`].
const MAX_DIFFERING_CELLS: usize = 63;
/// Largest residual relative to a reference turn. A swap may exceed it by two before the reference is taken into account.
const MAX_RELATIVE_RESIDUAL: usize = MAX_I8 - 2;

/// The distribution that is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// Consistent codes.
    Codes,
    /// Color counts that explain the number of pegs of every turn. Black pegs are ignored.
    ColorCounts,
}

/// Returns true if residuals, colors and color counts of these rules fit an `i8`.
pub(super) fn fits_i8(rules: &Rules) -> bool {
    rules.board().longest_line() <= MAX_I8 && usize::from(rules.colors()) <= MAX_I8
}

#[derive(Debug, Clone)]
pub(super) struct ConstraintMatrix<N, const L: usize> {
    pub(super) rules: Rules,
    pub(super) domains: Domains,
    pub(super) model: &'static FeedbackModel,
    pub(super) colors: usize,
    pub(super) is_row: bool,
    /// True if the energy sums squared residuals instead of absolute ones.
    pub(super) squared: bool,
    turns: usize,
    /// Number of answers that may be lies.
    pub(super) lies: usize,
    /// If answers may be lies: each guess, and true if the answer is the winning one, which is never a lie.
    wins: Vec<(Code, bool)>,
    /// Number of blocks of `L` turns, the last one padded.
    pub(super) blocks: usize,
    /// Lines through each cell, concatenated in cell order; the lines of `cell` end at `line_ends[cell]`.
    lines_of: Vec<usize>,
    line_ends: Vec<usize>,
    /// Color guessed, for each cell and turn.
    guessed: Vec<Lanes<N, L>>,
    /// Color of the reference guess, for each cell and turn; empty if no turn has a reference.
    references: Vec<Lanes<N, L>>,
    /// Number of cells guessed with the color, for each line, color and turn; only if the feedback counts colors.
    guess_counts: Vec<Lanes<N, L>>,
    /// Residuals of a code that contributes nothing, for each line and turn.
    offsets: Vec<Residuals<N, L>>,
}

impl<N: Number, const L: usize> ConstraintMatrix<N, L> {
    pub(super) fn new(history: &History, squared: bool, target: Target) -> Self {
        let rules = history.rules().clone();
        let board = rules.board();
        let (cells, colors, lines) = (board.cells(), usize::from(rules.colors()), board.line_count());
        let blocks = history.len().div_ceil(L);
        let lines_by_cell = lines_by_cell(board);
        let line_ends = lines_by_cell.iter().scan(0, |end, lines| {
            *end += lines.len();
            Some(*end)
        });
        let line_ends = line_ends.collect();
        let mut guessed = vec![[N::of(NO_COLOR); L]; cells * blocks];
        let mut offsets = vec![[[N::default(); L]; 2]; lines * blocks];
        let model = rules.feedback().model();
        let mut guess_counts = vec![[N::default(); L]; if model.colors { lines * colors * blocks } else { 0 }];
        for (number, turn) in history.turns().iter().enumerate() {
            let (block, lane) = (number / L, number % L);
            if target == Target::Codes {
                for (cell, color) in turn.guess.iter().enumerate() {
                    guessed[cell * blocks + block][lane] = N::of(color.index() as i64);
                }
            }
            for (line, &mark) in turn.feedback.marks().iter().enumerate() {
                let mut sums = mark.sums();
                if target == Target::ColorCounts {
                    sums[0] = 0;
                }
                for (offset, sum) in offsets[line * blocks + block].iter_mut().zip(sums) {
                    offset[lane] = N::of(-(sum as i64));
                }
            }
            if model.colors {
                for (place, count) in color_counts(&rules, &turn.guess).into_iter().enumerate() {
                    guess_counts[place * blocks + block][lane] = N::of(count.into());
                }
            }
        }
        let mut references = Vec::new();
        let lies = usize::from(rules.lies());
        // The difference of two turns is meaningless if either is a lie.
        if target == Target::Codes && board.is_row() && model.cell == CellTerm::Equal && lies == 0 {
            for (number, turn) in history.turns().iter().enumerate() {
                let Some(reference) = reference_turn(&history.turns()[..number], turn) else { continue };
                references.resize(cells * blocks, [N::of(NO_COLOR); L]);
                let (block, lane) = (number / L, number % L);
                for (cell, color) in reference.guess.iter().enumerate() {
                    references[cell * blocks + block][lane] = N::of(color.index() as i64);
                }
                let offset = &mut offsets[block][0][lane];
                *offset = *offset + N::of(black_sum(reference) as i64);
            }
        }
        let doubtful = if lies > 0 { history.turns() } else { &[] };
        let wins = doubtful.iter().map(|turn| (turn.guess.clone(), turn.feedback.is_winning(&rules))).collect();
        Self {
            domains: Domains::new(history),
            model,
            colors,
            is_row: rules.board().is_row(),
            squared,
            turns: history.len(),
            lies,
            wins,
            blocks,
            lines_of: lines_by_cell.concat(),
            line_ends,
            guessed,
            references,
            guess_counts,
            offsets,
            rules,
        }
    }

    /// Returns the typical change of a mark by one move, the unit of temperatures.
    pub(super) fn energy_scale(&self) -> f64 {
        let half = f64::from(self.rules.colors()) / 2.0;
        match self.model.cell {
            CellTerm::Distance => half.max(1.0),
            CellTerm::SquaredDistance => (half * half).max(1.0),
            _ => 1.0,
        }
    }

    /// Returns the energy of a line: the residuals of one number of the mark, summed over the turns.
    pub(super) fn energy(&self, residuals: &[Residuals<N, L>], number: usize) -> i64 {
        let zero = N::Sums::default();
        N::total(residuals.iter().fold(zero, |sums, block| self.add_energy(Portable, sums, &block[number])))
    }

    /// Adds the energy of one block of turns to the sums of a line.
    #[inline(always)]
    pub(super) fn add_energy<F: Features>(&self, features: F, sums: N::Sums, residuals: &Lanes<N, L>) -> N::Sums {
        N::add_energy(features, self.squared, sums, residuals)
    }

    /// Returns the energy of a single turn on a line.
    #[inline(always)]
    pub(super) fn turn_energy(&self, residuals: &Residuals<N, L>, lane: usize) -> i64 {
        let [one, other] = [residuals[0][lane], residuals[1][lane]].map(Into::into);
        if self.squared { one * one + other * other } else { one.abs() + other.abs() }
    }

    /// Returns true if a code of energy zero is possible: no answer lies about whether its guess is the code.
    #[inline]
    pub(super) fn agrees_with_wins(&self, code: &[Color]) -> bool {
        self.wins.iter().all(|(guess, is_code)| (**guess == *code) == *is_code)
    }

    #[inline]
    pub(super) fn lines_of(&self, cell: usize) -> &[usize] {
        let start = if cell == 0 { 0 } else { self.line_ends[cell - 1] };
        &self.lines_of[start..self.line_ends[cell]]
    }

    #[inline]
    pub(super) fn guessed(&self, cell: usize) -> &[Lanes<N, L>] {
        &self.guessed[cell * self.blocks..][..self.blocks]
    }

    /// Returns the colors of the reference guesses in a cell, if any turn has a reference.
    #[inline]
    pub(super) fn references(&self, cell: usize) -> Option<&[Lanes<N, L>]> {
        if self.references.is_empty() { None } else { Some(&self.references[cell * self.blocks..][..self.blocks]) }
    }

    /// Returns the number of cells on a line that the guesses show with a color.
    #[inline]
    pub(super) fn guess_counts(&self, line: usize, color: usize) -> &[Lanes<N, L>] {
        &self.guess_counts[(line * self.colors + color) * self.blocks..][..self.blocks]
    }

    /// Returns the residuals of a code, for each line and turn.
    pub(super) fn residuals(&self, code: &[Color]) -> Vec<Residuals<N, L>> {
        let mut residuals = self.offsets.clone();
        for (line, cells) in self.rules.board().lines().enumerate() {
            let residuals = &mut residuals[line * self.blocks..][..self.blocks];
            let mut counts = vec![N::default(); if self.model.colors { self.colors } else { 0 }];
            for &cell in cells {
                let color = code[cell].index();
                let own = N::of(color as i64);
                // Padding is skipped: some kinds of feedback compare by order.
                for turn in 0..self.turns {
                    let (block, lane) = (turn / L, turn % L);
                    let gain = cell_gain(self.model.cell, self.guessed(cell)[block][lane], own);
                    for (residual, gain) in residuals[block].iter_mut().zip(gain) {
                        residual[lane] = residual[lane] + gain;
                    }
                    if let Some(references) = self.references(cell) {
                        let black = &mut residuals[block][0][lane];
                        *black = *black - N::from_flag(references[block][lane] == own);
                    }
                    if let Some(&count) = counts.get(color) {
                        let pegs = &mut residuals[block][1][lane];
                        *pegs = *pegs + N::from_flag(self.guess_counts(line, color)[block][lane] > count);
                    }
                }
                if let Some(count) = counts.get_mut(color) {
                    *count = *count + N::of(1);
                }
            }
        }
        residuals
    }
}

/// Returns the earlier turn of a row with the most similar guess, if the guesses share at least half of their cells and
/// differ in at most `MAX_DIFFERING_CELLS`.
///
/// Turns with similar guesses repeat the same constraint: a chain that violates it would be off in all of them and could
/// not move. So the black pegs of a turn are taken relative to a reference turn, which cancels the shared cells. The
/// consistent codes are the same. A residual is at most the number of differing cells plus the difference of the answers;
/// turns for which that sum may not fit an `i8`, nearly always because they contradict each other, get no reference.
fn reference_turn<'a>(earlier: &'a [Turn], turn: &Turn) -> Option<&'a Turn> {
    let distance = |other: &Turn| turn.guess.iter().zip(other.guess.iter()).filter(|(one, other)| one != other).count();
    let max = (turn.guess.len() / 2).min(MAX_DIFFERING_CELLS);
    earlier
        .iter()
        .rev()
        .map(|other| (distance(other), other))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, other)| {
            let difference = black_sum(turn).abs_diff(black_sum(other));
            distance <= max && distance as u64 + difference <= MAX_RELATIVE_RESIDUAL as u64
        })
        .map(|(_, other)| other)
}

/// Returns the number of black pegs of a turn of a row.
fn black_sum(turn: &Turn) -> u64 {
    turn.feedback.marks()[0].sums()[0]
}

/// Returns the contribution of a single cell to both sums of a mark, without the color counts of the line. Padding
/// contributes nothing.
#[inline(always)]
pub(super) fn cell_gain<N: Number>(term: CellTerm, guess: N, own: N) -> [N; 2] {
    let is_padding = !term.is_count() && guess < N::default();
    if is_padding { [N::default(); 2] } else { term.contribution(guess, own) }
}

/// For each cell the colors that no single mark excludes: a line without black pegs excludes the guessed color of each of
/// its cells, a line without pegs excludes the guessed colors from all of its cells, and a line whose cells all got a peg
/// excludes all other colors.
#[derive(Debug, Clone)]
pub(super) struct Domains {
    colors: usize,
    /// True if the color is allowed, for each cell and color.
    allowed: Vec<bool>,
    /// The allowed colors of each cell.
    lists: Vec<Vec<u16>>,
    /// Cells that can change.
    free: Vec<u16>,
}

impl Domains {
    pub(super) fn new(history: &History) -> Self {
        let rules = history.rules();
        let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
        let mut allowed = vec![true; cells * colors];
        // A mark that may be a lie excludes nothing.
        let certain = if rules.lies() == 0 { history.turns() } else { &[] };
        for turn in certain {
            for (line, &mark) in rules.board().lines().zip(turn.feedback.marks()) {
                let (black, pegs) = (mark.black(), mark.pegs());
                if black.is_none() && pegs.is_none() {
                    continue;
                }
                let mut is_guessed = vec![false; if pegs.is_some() { colors } else { 0 }];
                for &cell in line {
                    let color = turn.guess[cell].index();
                    if black == Some(0) {
                        allowed[cell * colors + color] = false;
                    }
                    if let Some(is_guessed) = is_guessed.get_mut(color) {
                        *is_guessed = true;
                    }
                }
                let excluded = match pegs {
                    Some(0) => true,
                    Some(pegs) if pegs == line.len() => false,
                    _ => continue,
                };
                for &cell in line {
                    for (color, _) in is_guessed.iter().enumerate().filter(|&(_, &guessed)| guessed == excluded) {
                        allowed[cell * colors + color] = false;
                    }
                }
            }
        }
        let list = |cell: usize| {
            let row = &allowed[cell * colors..][..colors];
            (0..).zip(row).filter(|&(_, &allowed)| allowed).map(|(color, _)| color).collect()
        };
        let lists: Vec<Vec<u16>> = (0..cells).map(list).collect();
        // Without repeats, a cell with one allowed color may have to pass its current color to another cell.
        let is_free = |list: &Vec<u16>| list.len() > 1 || !rules.repeats();
        let free = (0..).zip(&lists).filter(|&(_, list)| is_free(list)).map(|(cell, _)| cell).collect();
        Self { colors, allowed, lists, free }
    }

    #[inline]
    pub(super) fn allows(&self, cell: usize, color: usize) -> bool {
        self.allowed[cell * self.colors + color]
    }

    #[inline]
    pub(super) fn of(&self, cell: usize) -> &[u16] {
        &self.lists[cell]
    }

    /// Returns the cells that can change.
    #[inline]
    pub(super) fn free(&self) -> &[u16] {
        &self.free
    }

    /// Replaces the excluded colors of a code by random allowed ones. Without repeats, where cells must change together,
    /// the code stays unchanged.
    pub(super) fn admit(&self, rules: &Rules, code: &[Color], rng: &mut Rng) -> Code {
        let admitted = code.iter().enumerate().map(|(cell, &color)| match self.of(cell) {
            colors if rules.repeats() && !colors.is_empty() && !self.allows(cell, color.index()) => {
                Color::new(colors[rng.index(colors.len())])
            }
            _ => color,
        });
        Code::new(admitted.collect::<Vec<Color>>())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lists.iter().any(Vec::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::super::chain::{Chain, Move};
    use super::*;

    /// Turns that contradict each other do not overflow residuals, also within a move.
    #[test]
    fn residuals_of_contradictory_turns_fit_every_width() {
        for cells in [100, 126, 127] {
            let rules = Rules::classic(cells, 4).unwrap();
            let half = cells / 2;
            let code = |ones: usize| Code::from_indices((0..cells).map(|cell| u16::from(cell < ones)));
            let turn = |ones: usize, black: usize| {
                let guess = code(ones).notation(4).to_string();
                format!("{guess}={black},0")
            };
            let turns = [turn(0, 0), turn(half, cells), turn(1, 0), turn(half, half), turn(half - 1, cells)];
            let history = History::parse(&rules, turns.iter().map(String::as_str)).unwrap();
            let narrow = ConstraintMatrix::<i8, 32>::new(&history, true, Target::Codes);
            let wide = ConstraintMatrix::<i64, 8>::new(&history, true, Target::Codes);
            for ones in [0, 1, half - 1, half, half + 1, cells] {
                let chains = (Chain::new(&narrow, &code(ones)), Chain::new(&wide, &code(ones)));
                for step in [Move::Recolor { cell: 0, to: 2 }, Move::Swap { one: 0, other: cells - 1 }] {
                    let energy = chains.1.energy_after(&wide, step, Portable);
                    assert_eq!(chains.0.energy_after(&narrow, step, Portable), energy, "{cells} cells, {step:?}");
                }
                let (narrow, wide) = (narrow.residuals(&code(ones)), wide.residuals(&code(ones)));
                for turn in 0..turns.len() {
                    let of_narrow = [0, 1].map(|number| i64::from(narrow[0][number][turn]));
                    assert_eq!(of_narrow, [0, 1].map(|number| wide[0][number][turn]), "{cells} cells, turn {turn}");
                    assert!(of_narrow.iter().all(|residual| residual.unsigned_abs() <= MAX_I8 as u64));
                }
            }
        }
    }
}
