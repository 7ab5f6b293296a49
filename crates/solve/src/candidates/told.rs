//! What turns say that are answered cell by cell.
//!
//! A black cell has the color guessed, and no other cell has. Of a color with a cell that got nothing, the line has exactly
//! as many pegs as were answered; of any other color guessed, at least as many. So all turns together come down to colors
//! barred from cells, and bounds on how often each line has each color.

use pegwise_game::{Color, History};

#[derive(Debug, Clone)]
pub(super) struct Told {
    colors: usize,
    /// For each cell and color, whether it cannot be there.
    barred: Vec<bool>,
    /// For each line and color, how often the line has it at least and at most.
    least: Vec<u16>,
    most: Vec<u16>,
}

impl Told {
    pub(super) fn new(history: &History) -> Self {
        let rules = history.rules();
        let (board, colors) = (rules.board(), usize::from(rules.colors()));
        let bounds = board.line_count() * colors;
        let barred = vec![false; rules.cells() * colors];
        let mut told = Self { colors, barred, least: vec![0; bounds], most: vec![u16::MAX; bounds] };
        for turn in history.turns() {
            for (number, (line, mark)) in board.lines().zip(turn.feedback.marks()).enumerate() {
                // For each color of the guess, its pegs, and whether a cell of it got nothing.
                let mut counted = vec![(0, false); colors];
                for (&cell, told_of) in line.iter().zip(mark.cell_values()) {
                    let color = turn.guess[cell].index();
                    counted[color].0 += u16::from(told_of > 0);
                    counted[color].1 |= told_of == 0;
                    for (other, barred) in told.barred[cell * colors..][..colors].iter_mut().enumerate() {
                        *barred |= if told_of == 2 { other != color } else { other == color };
                    }
                }
                for (color, (pegs, nothing)) in counted.into_iter().enumerate() {
                    let at = number * colors + color;
                    told.least[at] = told.least[at].max(pegs);
                    if nothing {
                        told.most[at] = told.most[at].min(pegs);
                    }
                }
            }
        }
        told
    }

    pub(super) fn allows(&self, cell: usize, color: Color) -> bool {
        !self.barred[cell * self.colors + color.index()]
    }

    /// Whether a line that holds each color so often can be completed with so many more cells.
    pub(super) fn can_reach(&self, line: usize, held: &[u16], open: u64) -> bool {
        let bounds = self.least[line * self.colors..].iter().zip(&self.most[line * self.colors..]);
        let mut missing = 0;
        for (&held, (&least, &most)) in held.iter().zip(bounds) {
            if held > most {
                return false;
            }
            missing += u64::from(least.saturating_sub(held));
        }
        missing <= open
    }
}
