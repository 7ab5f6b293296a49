//! The turns of a game, laid out so that a move is judged against all of them at once.
//!
//! What the turns say about one cell, or about one color on one line, lies side by side. Loops over turns then have neither
//! branch nor gap, and the compiler makes vector instructions of them.

use pegwise_game::{CellTerm, Code, Color, FeedbackModel, History, Rules, Turn};

use super::{
    domains::Domains,
    number::{Gaps, Lanes, MOST_FOR_BYTES, Number, Plain, Vectors},
};

/// What padding was guessed with: a color that no code shows, below all of them, so that no move changes how it compares.
const NO_COLOR: i64 = -1;

/// What a search looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sight {
    /// All of every mark.
    All,
    /// Only the pegs in all, which depend on nothing but how often each color is there.
    Counts,
}

/// The constraints of a history.
#[derive(Debug, Clone)]
pub(super) struct Field<N, const L: usize> {
    pub(super) rules: Rules,
    pub(super) domains: Domains,
    model: &'static FeedbackModel,
    colors: usize,
    /// Whether the board is a row.
    row: bool,
    /// Whether gaps count by their squares instead of their sizes.
    squares: bool,
    /// Turns played.
    turns: usize,
    /// Answers that may be lies; and where some may, the guesses with whether they were told to be the code, which is never
    /// a lie.
    lies: usize,
    told: Vec<(Code, bool)>,
    /// Turns, padded, by so many at a time.
    blocks: usize,
    /// The lines through the first cell, the second, and so on; `line_ends` parts them.
    lines_of: Vec<usize>,
    line_ends: Vec<usize>,
    /// For each cell and turn, the color guessed.
    guessed: Vec<Lanes<N, L>>,
    /// For each cell and turn, the color of the guess that the turn is compared with; empty where none is.
    before: Vec<Lanes<N, L>>,
    /// For each line, color and turn, how often the guess shows the color on the line; for black and white pegs alone.
    shown: Vec<Lanes<N, L>>,
    /// For each line and turn, the two numbers that a mark comes down to, as a code that shows nothing misses them.
    answered: Vec<Gaps<N, L>>,
}

impl<N: Number, const L: usize> Field<N, L> {
    pub(super) fn new(history: &History, squares: bool, sight: Sight) -> Self {
        let rules = history.rules().clone();
        let board = rules.board();
        let (cells, colors, lines) = (board.cells(), usize::from(rules.colors()), board.line_count());
        let blocks = history.len().div_ceil(L);
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
        let mut guessed = vec![[N::of(NO_COLOR); L]; cells * blocks];
        let mut answered = vec![[[N::default(); L]; 2]; lines * blocks];
        let model = rules.feedback().model();
        let counts_colors = model.colors;
        let mut shown = vec![[N::default(); L]; if counts_colors { lines * colors * blocks } else { 0 }];
        for (number, turn) in history.turns().iter().enumerate() {
            let (block, lane) = (number / L, number % L);
            let places = turn.guess.iter().filter(|_| sight == Sight::All).enumerate();
            for (cell, color) in places {
                guessed[cell * blocks + block][lane] = N::of(color.index() as i64);
            }
            for (line, (cells, &mark)) in board.lines().zip(turn.feedback.marks()).enumerate() {
                let mut two = mark.sums();
                if sight == Sight::Counts {
                    two[0] = 0;
                }
                for (answered, number) in answered[line * blocks + block].iter_mut().zip(two) {
                    answered[lane] = N::of(-(number as i64));
                }
                for &cell in cells.iter().filter(|_| counts_colors) {
                    let count = &mut shown[(line * colors + turn.guess[cell].index()) * blocks + block][lane];
                    *count = *count + N::of(1);
                }
            }
        }
        let mut before = Vec::new();
        let lies = usize::from(rules.lies());
        // What one turn says in the terms of another is false where either is a lie.
        if sight == Sight::All && board.is_row() && model.cell == CellTerm::Equal && lies == 0 {
            for (number, turn) in history.turns().iter().enumerate() {
                let Some(like) = most_alike(&history.turns()[..number], turn) else { continue };
                before.resize(cells * blocks, [N::of(NO_COLOR); L]);
                let (block, lane) = (number / L, number % L);
                for (cell, color) in like.guess.iter().enumerate() {
                    before[cell * blocks + block][lane] = N::of(color.index() as i64);
                }
                let answered = &mut answered[block][0][lane];
                *answered = *answered + N::of(like.feedback.marks()[0].sums()[0] as i64);
            }
        }
        let domains = Domains::new(history);
        let doubtful = if lies > 0 { history.turns() } else { &[] };
        let told = doubtful.iter().map(|turn| (turn.guess.clone(), turn.feedback.is_winning(&rules))).collect();
        let lines_of = through.concat();
        let row = rules.board().is_row();
        Self {
            model,
            colors,
            rules,
            domains,
            row,
            squares,
            turns: history.len(),
            lies,
            told,
            blocks,
            lines_of,
            line_ends,
            guessed,
            before,
            shown,
            answered,
        }
    }

    #[inline(always)]
    pub(super) fn model(&self) -> &'static FeedbackModel {
        self.model
    }

    /// Whether gaps count by their squares instead of their sizes.
    #[inline(always)]
    pub(super) fn squares(&self) -> bool {
        self.squares
    }

    #[inline(always)]
    pub(super) fn colors(&self) -> usize {
        self.colors
    }

    /// How much a move changes a mark, roughly.
    pub(super) fn usual_change(&self) -> f64 {
        let half = f64::from(self.rules.colors()) / 2.0;
        match self.model().cell {
            CellTerm::Distance => half.max(1.0),
            CellTerm::SquaredDistance => (half * half).max(1.0),
            _ => 1.0,
        }
    }

    /// How far all turns of a line are off in one of their numbers.
    pub(super) fn cost(&self, gaps: &[Gaps<N, L>], number: usize) -> i64 {
        N::total(gaps.iter().fold(N::Sums::default(), |sums, gaps| self.add_cost(Plain, sums, &gaps[number])))
    }

    /// Adds how far some turns of a line are off in one of their numbers.
    #[inline(always)]
    pub(super) fn add_cost<V: Vectors>(&self, vectors: V, sums: N::Sums, gaps: &Lanes<N, L>) -> N::Sums {
        vectors.add(self.squares, sums, gaps)
    }

    /// Answers that may be lies.
    #[inline(always)]
    pub(super) fn lies(&self) -> usize {
        self.lies
    }

    /// How far a turn of some lines is off, by the gaps of its block.
    #[inline(always)]
    pub(super) fn cost_of_turn(&self, gaps: &Gaps<N, L>, lane: usize) -> i64 {
        let (one, other) = (gaps[0][lane].alone(), gaps[1][lane].alone());
        if self.squares { one * one + other * other } else { one.abs() + other.abs() }
    }

    /// Whether a code that costs nothing is possible: whether it is the code was told truly of every guess.
    #[inline]
    pub(super) fn is_open(&self, code: &[Color]) -> bool {
        self.told.iter().all(|(guess, is_code)| (**guess == *code) == *is_code)
    }

    /// Whether one line answers with all cells.
    #[inline]
    pub(super) fn is_row(&self) -> bool {
        self.row
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
    pub(super) fn guessed(&self, cell: usize) -> &[Lanes<N, L>] {
        &self.guessed[cell * self.blocks..][..self.blocks]
    }

    /// The colors in a cell of the guesses that turns are compared with, if any are.
    #[inline]
    pub(super) fn before(&self, cell: usize) -> Option<&[Lanes<N, L>]> {
        if self.before.is_empty() { None } else { Some(&self.before[cell * self.blocks..][..self.blocks]) }
    }

    /// How often the guesses show a color on a line, turn by turn.
    #[inline]
    pub(super) fn shown(&self, line: usize, color: usize) -> &[Lanes<N, L>] {
        &self.shown[(line * self.colors + color) * self.blocks..][..self.blocks]
    }

    /// How much each turn's two numbers are off on each line, for a code.
    pub(super) fn gaps(&self, code: &[Color]) -> Vec<Gaps<N, L>> {
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
                    let (block, lane) = (turn / L, turn % L);
                    let gain = cell_gain(self.model().cell, self.guessed(cell)[block][lane], own);
                    for (gap, gain) in gaps[block].iter_mut().zip(gain) {
                        gap[lane] = gap[lane] + gain;
                    }
                    if let Some(before) = self.before(cell) {
                        gaps[block][0][lane] = gaps[block][0][lane] - N::from_flag(before[block][lane] == own);
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

/// The earlier turn whose guess is most like that of a turn, if it is much like it.
///
/// Guesses that share most of their cells say the same of these, time and again: a walk that is wrong about them would be off
/// in every turn, and could not move. So the black pegs of a turn are compared with those of a turn like it, to which the
/// cells in common add nothing. Codes that fit are the same either way.
fn most_alike<'a>(earlier: &'a [Turn], turn: &Turn) -> Option<&'a Turn> {
    let apart = |other: &Turn| turn.guess.iter().zip(other.guess.iter()).filter(|(one, other)| one != other).count();
    let most = (turn.guess.len() / 2).min(MOST_FOR_BYTES / 2);
    earlier
        .iter()
        .rev()
        .map(|other| (apart(other), other))
        .min_by_key(|&(apart, _)| apart)
        .filter(|&(apart, _)| apart <= most)
        .map(|(_, turn)| turn)
}

/// What a cell alone adds to the two sums of a mark: all but the pegs of a color, which depend on the other cells.
/// Nothing is far from padding.
#[inline(always)]
pub(super) fn cell_gain<N: Number>(term: CellTerm, guess: N, own: N) -> [N; 2] {
    let padding = !term.is_count() && guess < N::default();
    if padding { [N::default(); 2] } else { term.contribution(guess, own) }
}
