//! The turns of a game, laid out so that a move is judged against all of them at once.
//!
//! What the turns say about one cell, or about one color on one line, lies side by side. Loops over turns then have neither
//! branch nor gap, and the compiler makes vector instructions of them.

use pegwise_game::{Color, FeedbackKind, History, Mark, Rules};

use super::{domains::Domains, number::Number};

/// What padding was guessed with: a color that no code shows, below all of them, so that no move changes how it compares.
const NO_COLOR: i64 = -1;

/// The constraints of a history.
#[derive(Debug, Clone)]
pub(super) struct Field<N> {
    pub(super) rules: Rules,
    pub(super) domains: Domains,
    /// Turns, padding included.
    width: usize,
    /// For each cell, the lines through it.
    lines_of: Vec<Vec<usize>>,
    /// For each cell and turn, the color guessed.
    guessed: Vec<N>,
    /// For each line, color and turn, how often the guess shows the color on the line; for black and white pegs alone.
    shown: Vec<N>,
    /// For each line and turn, the two numbers that a mark comes down to.
    answered: Vec<[N; 2]>,
}

impl<N: Number> Field<N> {
    pub(super) fn new(history: &History) -> Self {
        let rules = history.rules().clone();
        let board = rules.board();
        let (cells, colors, lines) = (board.cells(), usize::from(rules.colors()), board.line_count());
        let width = history.len().next_multiple_of(N::LANES);
        let mut lines_of = vec![Vec::new(); cells];
        for (number, line) in board.lines().enumerate() {
            for &cell in line {
                lines_of[cell].push(number);
            }
        }
        let mut guessed = vec![N::of(NO_COLOR); cells * width];
        let mut answered = vec![[N::default(); 2]; lines * width];
        let counts_colors = rules.feedback() == FeedbackKind::BlackWhite;
        let mut shown = vec![N::default(); if counts_colors { lines * colors * width } else { 0 }];
        for (number, turn) in history.turns().iter().enumerate() {
            for (cell, color) in turn.guess.iter().enumerate() {
                guessed[cell * width + number] = N::of(color.index() as i64);
            }
            for (line, (cells, &mark)) in board.lines().zip(turn.feedback.marks()).enumerate() {
                answered[line * width + number] = two_numbers(mark).map(N::of);
                for &cell in cells.iter().filter(|_| counts_colors) {
                    let count = &mut shown[(line * colors + turn.guess[cell].index()) * width + number];
                    *count = *count + N::of(1);
                }
            }
        }
        let domains = Domains::new(history);
        Self { rules, domains, width, lines_of, guessed, shown, answered }
    }

    pub(super) fn kind(&self) -> FeedbackKind {
        self.rules.feedback()
    }

    /// How much a move changes a mark, roughly.
    pub(super) fn usual_change(&self) -> f64 {
        let half = f64::from(self.rules.colors()) / 2.0;
        match self.kind() {
            FeedbackKind::BlackWhite | FeedbackKind::BlackOnly | FeedbackKind::HigherLower => 1.0,
            FeedbackKind::CityBlock => half.max(1.0),
            FeedbackKind::Distance => (half * half).max(1.0),
        }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn lines_of(&self, cell: usize) -> &[usize] {
        &self.lines_of[cell]
    }

    /// The colors guessed in a cell, turn by turn.
    #[inline]
    pub(super) fn guessed(&self, cell: usize) -> &[N] {
        &self.guessed[cell * self.width..][..self.width]
    }

    /// How often the guesses show a color on a line, turn by turn.
    #[inline]
    pub(super) fn shown(&self, line: usize, color: usize) -> &[N] {
        &self.shown[(line * usize::from(self.rules.colors()) + color) * self.width..][..self.width]
    }

    /// How much each turn's two numbers are off on each line, for a code: `[line][turn]`, the first numbers and the second.
    pub(super) fn gaps(&self, code: &[Color]) -> [Vec<N>; 2] {
        let (width, colors) = (self.width, usize::from(self.rules.colors()));
        let mut gaps =
            [0, 1].map(|which| self.answered.iter().map(|two| N::default() - two[which]).collect::<Vec<N>>());
        for (line, cells) in self.rules.board().lines().enumerate() {
            let mut held = vec![N::default(); if self.shown.is_empty() { 0 } else { colors }];
            for &cell in cells {
                let color = code[cell].index();
                let own = N::of(color as i64);
                for (turn, &guess) in self.guessed(cell).iter().enumerate() {
                    let at = line * width + turn;
                    let gain = cell_gain(self.kind(), guess, own);
                    gaps[0][at] = gaps[0][at] + gain[0];
                    gaps[1][at] = gaps[1][at] + gain[1];
                }
                if let Some(held) = held.get_mut(color) {
                    for (turn, &shown) in self.shown(line, color).iter().enumerate() {
                        gaps[1][line * width + turn] = gaps[1][line * width + turn] + N::from_flag(shown > *held);
                    }
                    *held = *held + N::of(1);
                }
            }
        }
        // Padding was guessed with a color below all others, which some kinds of feedback count.
        let turns = self.turns_played();
        for line in gaps.iter_mut().flat_map(|gaps| gaps.chunks_mut(width.max(1))) {
            line[turns..].fill(N::default());
        }
        gaps
    }

    fn turns_played(&self) -> usize {
        self.guessed(0).iter().filter(|&&color| color >= N::default()).count()
    }
}

/// What a cell alone adds to the two numbers of a mark: all but the pegs of a color, which depend on the other cells.
#[inline(always)]
pub(super) fn cell_gain<N: Number>(kind: FeedbackKind, guess: N, own: N) -> [N; 2] {
    let apart = || if own > guess { own - guess } else { guess - own };
    match kind {
        FeedbackKind::BlackWhite | FeedbackKind::BlackOnly => [N::from_flag(own == guess), N::default()],
        FeedbackKind::HigherLower => [N::from_flag(own == guess), N::from_flag(own > guess)],
        FeedbackKind::CityBlock => [apart(), N::default()],
        FeedbackKind::Distance => {
            let apart: i64 = apart().size().into();
            [N::of(apart * apart), N::default()]
        }
    }
}

/// Black pegs, and black and white together or cells that must be higher; or a distance.
fn two_numbers(mark: Mark) -> [i64; 2] {
    match mark {
        Mark::BlackWhite { black, white } => [black.into(), i64::from(black) + i64::from(white)],
        Mark::BlackOnly { black } => [black.into(), 0],
        Mark::HigherLower { black, higher, .. } => [black.into(), higher.into()],
        Mark::Distance { distance } => [distance as i64, 0],
    }
}
