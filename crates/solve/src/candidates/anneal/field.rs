//! The turns of a game, laid out so that a move is judged against all of them at once.
//!
//! What the turns say about one cell, or about one color on one line, lies side by side. Loops over turns then have neither
//! branch nor gap, and the compiler makes vector instructions of them.

use pegwise_game::{CellTerm, Color, History, Rules, Terms};

use super::{
    domains::Domains,
    number::{LANES, Lanes, Number},
};

/// What padding was guessed with: a color that no code shows, below all of them, so that no move changes how it compares.
const NO_COLOR: i64 = -1;

/// How much the two sums of a mark are off, for turns side by side.
pub(super) type Gaps<N> = [Lanes<N>; 2];

/// The constraints of a history.
#[derive(Debug, Clone)]
pub(super) struct Field<N> {
    pub(super) rules: Rules,
    pub(super) domains: Domains,
    /// Turns played.
    turns: usize,
    /// Turns, padded, by so many at a time.
    blocks: usize,
    /// The lines through the first cell, the second, and so on; `line_ends` parts them.
    lines_of: Vec<usize>,
    line_ends: Vec<usize>,
    /// For each cell and turn, the color guessed.
    guessed: Vec<Lanes<N>>,
    /// For each line, color and turn, how often the guess shows the color on the line; for black and white pegs alone.
    shown: Vec<Lanes<N>>,
    /// For each line and turn, the two sums of its mark, as a code that shows nothing misses them.
    answered: Vec<Gaps<N>>,
}

impl<N: Number> Field<N> {
    pub(super) fn new(history: &History) -> Self {
        let rules = history.rules().clone();
        let board = rules.board();
        let (cells, colors, lines) = (board.cells(), usize::from(rules.colors()), board.line_count());
        let blocks = history.len().div_ceil(LANES);
        let mut through = vec![Vec::new(); cells];
        for (number, line) in board.lines().enumerate() {
            for &cell in line {
                through[cell].push(number);
            }
        }
        let line_ends = through.iter().scan(0, |end, lines| {
            *end += lines.len();
            Some(*end)
        });
        let line_ends = line_ends.collect();
        let mut guessed = vec![[N::of(NO_COLOR); LANES]; cells * blocks];
        let mut answered = vec![[[N::default(); LANES]; 2]; lines * blocks];
        let counts_colors = rules.feedback().terms().colors;
        let mut shown = vec![[N::default(); LANES]; if counts_colors { lines * colors * blocks } else { 0 }];
        for (number, turn) in history.turns().iter().enumerate() {
            let (block, lane) = (number / LANES, number % LANES);
            for (cell, color) in turn.guess.iter().enumerate() {
                guessed[cell * blocks + block][lane] = N::of(color.index() as i64);
            }
            for (line, (cells, &mark)) in board.lines().zip(turn.feedback.marks()).enumerate() {
                for (answered, sum) in answered[line * blocks + block].iter_mut().zip(mark.sums()) {
                    answered[lane] = N::of(-(sum as i64));
                }
                for &cell in cells.iter().filter(|_| counts_colors) {
                    let count = &mut shown[(line * colors + turn.guess[cell].index()) * blocks + block][lane];
                    *count = *count + N::of(1);
                }
            }
        }
        let domains = Domains::new(history);
        let lines_of = through.concat();
        Self { rules, domains, turns: history.len(), blocks, lines_of, line_ends, guessed, shown, answered }
    }

    pub(super) fn terms(&self) -> &'static Terms {
        self.rules.feedback().terms()
    }

    /// How much a move changes a mark, roughly.
    pub(super) fn usual_change(&self) -> f64 {
        let half = f64::from(self.rules.colors()) / 2.0;
        match self.terms().cell {
            CellTerm::Apart => half.max(1.0),
            CellTerm::ApartSquared => (half * half).max(1.0),
            _ => 1.0,
        }
    }

    /// Whether several lines answer.
    pub(super) fn has_lines(&self) -> bool {
        self.rules.board().line_count() > 1
    }

    #[inline]
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    #[inline]
    pub(super) fn lines_of(&self, cell: usize) -> &[usize] {
        let start = if cell == 0 { 0 } else { self.line_ends[cell - 1] };
        &self.lines_of[start..self.line_ends[cell]]
    }

    /// The colors guessed in a cell, turn by turn.
    #[inline]
    pub(super) fn guessed(&self, cell: usize) -> &[Lanes<N>] {
        &self.guessed[cell * self.blocks..][..self.blocks]
    }

    /// How often the guesses show a color on a line, turn by turn.
    #[inline]
    pub(super) fn shown(&self, line: usize, color: usize) -> &[Lanes<N>] {
        &self.shown[(line * usize::from(self.rules.colors()) + color) * self.blocks..][..self.blocks]
    }

    /// How much each turn's two numbers are off on each line, for a code.
    pub(super) fn gaps(&self, code: &[Color]) -> Vec<Gaps<N>> {
        let colors = usize::from(self.rules.colors());
        let mut gaps = self.answered.clone();
        for (line, cells) in self.rules.board().lines().enumerate() {
            let gaps = &mut gaps[line * self.blocks..][..self.blocks];
            let mut held = vec![N::default(); if self.shown.is_empty() { 0 } else { colors }];
            for &cell in cells {
                let color = code[cell].index();
                let own = N::of(color as i64);
                // Padding stays as it is: some kinds of feedback count a color below all others.
                for turn in 0..self.turns {
                    let (block, lane) = (turn / LANES, turn % LANES);
                    let gain = cell_gain(self.terms().cell, self.guessed(cell)[block][lane], own);
                    for (gap, gain) in gaps[block].iter_mut().zip(gain) {
                        gap[lane] = gap[lane] + gain;
                    }
                    if let Some(&held) = held.get(color) {
                        let white = N::from_flag(self.shown(line, color)[block][lane] > held);
                        gaps[block][1][lane] = gaps[block][1][lane] + white;
                    }
                }
                if let Some(held) = held.get_mut(color) {
                    *held = *held + N::of(1);
                }
            }
        }
        gaps
    }
}

/// What a cell alone adds to the two sums of a mark: all but the pegs of a color, which depend on the other cells.
/// Nothing is far from padding.
#[inline(always)]
pub(super) fn cell_gain<N: Number>(term: CellTerm, guess: N, own: N) -> [N; 2] {
    let padding = !term.counts() && guess < N::default();
    if padding { [N::default(); 2] } else { term.of(guess, own) }
}
