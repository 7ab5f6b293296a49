//! One cell after the other, trying every color.
//!
//! Cells not yet found show the first color. A cell tries the colors in order; one more black peg than with the first color
//! there means that the color is right, one fewer that the first was. The first color is asked again at every cell, which
//! teaches nothing: that is how the thesis counts, and it reproduces every printed digit.
//!
//! A turn costs a pass over the cells. A game takes at most as many guesses as there are pairs of a cell and a color, and
//! about half as many on average.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis,
//! University of Florida, 2005, section 4.1.

use std::cmp::Ordering;

use pegwise_game::{Code, Color, Mark, Rules};

use super::procedure::{Procedure, Step, Unforeseen, black};

#[derive(Debug, Clone)]
pub(super) struct Greedy1 {
    colors: u16,
    /// The cells found, and the first color in all others.
    code: Code,
    /// The cell asked about, and the color tried in it.
    cell: usize,
    color: u16,
    /// The black pegs of `code`, once it was asked.
    black: Option<u16>,
}

impl Greedy1 {
    pub(super) fn new(rules: &Rules) -> Self {
        let code = Code::new(vec![Color::new(0); rules.cells()]);
        Self { colors: rules.colors(), code, cell: 0, color: 0, black: None }
    }

    fn next_cell(&mut self) -> Result<(), Unforeseen> {
        (self.cell, self.color) = (self.cell + 1, 0);
        if self.cell < self.code.len() { Ok(()) } else { Err(Unforeseen) }
    }
}

impl Procedure for Greedy1 {
    fn step(&self) -> Step {
        let mut code = self.code.clone();
        code.colors_mut()[self.cell] = Color::new(self.color);
        Step::Ask(code)
    }

    fn learn(&mut self, mark: Mark) -> Result<(), Unforeseen> {
        let now = black(mark)?;
        let before = *self.black.get_or_insert(now);
        match now.cmp(&before) {
            Ordering::Equal if self.color + 1 < self.colors => {
                self.color += 1;
                Ok(())
            }
            Ordering::Greater if now == before + 1 => {
                self.code.colors_mut()[self.cell] = Color::new(self.color);
                self.black = Some(now);
                self.next_cell()
            }
            Ordering::Less if now + 1 == before => self.next_cell(),
            _ => Err(Unforeseen),
        }
    }
}
