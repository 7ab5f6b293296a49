//! One cell after the other, leaving out what follows from the rest.
//!
//! As in [greedy-1](super::greedy_1), but the first color is asked only once, for all cells, and the last color is known to
//! be right where no other is. The thesis does not count the last guess of a game when it is such a deduced code: its
//! numbers are the *questions* of this strategy, which are counted as steps, and not its guesses.
//!
//! A turn costs a pass over the cells. A game asks at most 1 + P(N - 2) questions.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis,
//! University of Florida, 2005, section 4.1.

use std::cmp::Ordering;

use pegwise_game::{Code, Color, Mark, Rules};

use super::procedure::{Procedure, Step, Unforeseen, black};

#[derive(Debug, Clone)]
pub(super) struct Greedy2 {
    /// Colors that are tried in a cell: from the second to this one, without it.
    tried: u16,
    last: Color,
    /// The cells found, and the first color in all others.
    code: Code,
    /// The cell asked about, and the color tried in it.
    cell: usize,
    color: u16,
    /// The black pegs of `code`, once they are known.
    black: Option<u16>,
}

impl Greedy2 {
    pub(super) fn new(rules: &Rules) -> Self {
        let code = Code::new(vec![Color::new(0); rules.cells()]);
        let colors = rules.colors();
        // With two colors the second is the only question there is.
        let tried = if colors == 2 { 2 } else { colors - 1 };
        Self { tried, last: Color::new(colors - 1), code, cell: 0, color: 0, black: None }
    }

    /// Goes on after a cell was found to show this color.
    fn found(&mut self, color: Color, black: u16) -> Result<(), Unforeseen> {
        self.code.colors_mut()[self.cell] = color;
        self.black = Some(black);
        (self.cell, self.color) = (self.cell + 1, 1);
        let known = self.is_deduced();
        if self.cell < self.code.len() || known { Ok(()) } else { Err(Unforeseen) }
    }

    fn is_deduced(&self) -> bool {
        self.black.is_some_and(|black| usize::from(black) == self.code.len())
    }
}

impl Procedure for Greedy2 {
    fn step(&self) -> Step {
        let mut code = self.code.clone();
        if self.is_deduced() {
            return Step::Deduced(code);
        }
        code.colors_mut()[self.cell] = Color::new(self.color);
        Step::Ask(code)
    }

    fn learn(&mut self, mark: Mark) -> Result<(), Unforeseen> {
        let now = black(mark)?;
        if self.is_deduced() {
            return Err(Unforeseen);
        }
        let Some(before) = self.black else {
            (self.black, self.color) = (Some(now), 1);
            return if self.tried > 1 { Ok(()) } else { Err(Unforeseen) };
        };
        match now.cmp(&before) {
            Ordering::Equal if self.color + 1 < self.tried => {
                self.color += 1;
                Ok(())
            }
            Ordering::Equal if self.last.index() >= usize::from(self.tried) => self.found(self.last, before + 1),
            Ordering::Greater if now == before + 1 => self.found(Color::new(self.color), now),
            Ordering::Less if now + 1 == before => self.found(Color::new(0), before),
            _ => Err(Unforeseen),
        }
    }
}
