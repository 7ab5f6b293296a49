//! The lines of a grid, each with what it was answered, and whether a filling fits them.

use pegwise_game::{Color, Rules, Turn};

use crate::candidates::{Packed, Packing};

/// The history of a grid, line by line.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    pub(super) rows: usize,
    pub(super) columns: usize,
    packings: [Packing; 2],
    /// For each line, rows first, its turns.
    turns: Vec<Vec<LineTurn>>,
}

#[derive(Debug, Clone, Copy)]
struct LineTurn {
    guess: Packed,
    black: u32,
    pegs: u32,
}

impl Lines {
    /// The lines of a grid; `None` where the board is none or its lines are too long to pack.
    pub(super) fn new(rules: &Rules) -> Option<Self> {
        let &pegwise_game::Shape::Grid { rows, columns } = rules.board().shape() else { return None };
        let packing = |cells: usize| Packing::new(&Rules::classic(cells, rules.colors()).ok()?);
        let packings = [packing(columns)?, packing(rows)?];
        Some(Self { rows, columns, packings, turns: vec![Vec::new(); rows + columns] })
    }

    pub(super) fn clear(&mut self) {
        self.turns.iter_mut().for_each(Vec::clear);
    }

    pub(super) fn push(&mut self, turn: &Turn) {
        for (line, &mark) in turn.feedback.marks().iter().enumerate() {
            let [black, pegs] = mark.sums().map(|sum| sum as u32);
            let guess = self.pack(line, &turn.guess);
            self.turns[line].push(LineTurn { guess, black, pegs });
        }
    }

    /// How many lines there are, rows first.
    pub(super) fn count(&self) -> usize {
        self.turns.len()
    }

    /// Whether a line of a filling would have been answered as it was.
    #[inline]
    pub(super) fn fits(&self, line: usize, grid: &[Color]) -> bool {
        let code = self.pack(line, grid);
        self.turns[line].iter().all(|turn| turn.guess.black(code) == turn.black && turn.guess.pegs(code) == turn.pegs)
    }

    #[inline]
    fn pack(&self, line: usize, grid: &[Color]) -> Packed {
        match line.checked_sub(self.rows) {
            None => self.packings[0].pack(&grid[line * self.columns..][..self.columns]),
            Some(column) => self.packings[1].pack_each(grid[column..].iter().step_by(self.columns)),
        }
    }
}
