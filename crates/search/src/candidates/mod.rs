//! Codes consistent with a history.
//!
//! Small spaces are listed and filtered turn by turn with the feedback kernel ([`listed`]); large ones are searched by
//! [`backtrack`]ing, which also [`draw`]s single codes. [`CandidateTracker`] chooses between both and follows a game. For
//! local searches, a [`TurnSet`] returns the distance of a code from consistency, and [`fallback`] supplies a guess if
//! they find none. Spaces that can be neither listed nor searched are sampled by the crate `pegwise-sampling`.

pub mod backtrack;
pub mod fallback;
pub mod listed;
mod turn_set;

use pegwise_game::{Board, Code, Color, Rules};

use crate::strategy::{Position, PositionStrategy};

pub use backtrack::contradiction;
pub use fallback::draw;
pub use listed::{CandidateSet, CandidateTracker, LiarCandidates};
pub use turn_set::{Packed, Packing, Residual, TurnSet};

/// Returns for each cell the numbers of the lines through it.
pub fn lines_by_cell(board: &Board) -> Vec<Vec<usize>> {
    let mut lines = vec![Vec::new(); board.cells()];
    for (number, line) in board.lines().enumerate() {
        line.iter().for_each(|&cell| lines[cell].push(number));
    }
    lines
}

/// Returns the number of cells with the color, for each line and color: entry `line * colors + color`.
pub fn color_counts(rules: &Rules, code: &[Color]) -> Vec<u16> {
    let colors = usize::from(rules.colors());
    let mut counts = vec![0; rules.board().line_count() * colors];
    for (number, line) in rules.board().lines().enumerate() {
        line.iter().for_each(|&cell| counts[number * colors + code[cell].index()] += 1);
    }
    counts
}

/// Position strategy that plays the lowest candidate, after an optional first guess.
pub struct LowestCandidate {
    /// First guess, if it is not the lowest code.
    pub first: Option<Code>,
}

impl PositionStrategy for LowestCandidate {
    fn choose(&mut self, position: Position<'_>) -> Code {
        let first = self.first.clone().filter(|_| position.guesses.is_empty());
        first.unwrap_or_else(|| position.codes.code(0))
    }

    fn duplicate(&self) -> Box<dyn PositionStrategy> {
        Box::new(Self { first: self.first.clone() })
    }
}
