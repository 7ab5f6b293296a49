//! Colors first, then one cell after the other.
//!
//! The colors are [counted](super::counting). Then each cell tries the colors that are left, with the most common color of
//! the code (the highest of several) in all cells after it: how many black pegs that gives is known, so one more means that
//! the color is right, and one fewer that the most common one was. The last cell shows the color that is left.
//!
//! The thesis does not settle all of this. With the colors tried from the highest down, counting that ends when every cell
//! is accounted for, and a deduced last guess left out as in [greedy-2](super::greedy_2), its maxima at 3x8, 4x6, 4x8 and 5x8
//! are met.
//!
//! A turn costs a pass over the cells. A game asks at most N - 1 + P(P + 1)/2 - 1 questions.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis,
//! University of Florida, 2005, section 4.2.

use pegwise_game::{Code, Color, Mark, Rules};

use super::{
    counting::Counter,
    procedure::{Procedure, Step, Unforeseen, black},
};
use crate::spec::Arguments;

#[derive(Debug, Clone)]
pub(super) struct Greedy3 {
    counter: Counter,
    cells: usize,
    /// The most common color of the code.
    common: Color,
    /// The cells found.
    found: Vec<Color>,
    /// The colors of the other cells, descending.
    left: Vec<Color>,
    /// The color tried in the next cell.
    tried: Color,
}

impl Greedy3 {
    pub(super) fn new(rules: &Rules, arguments: &Arguments) -> Self {
        let counter = Counter::new(rules, arguments, false);
        let none = Color::new(0);
        let mut plan =
            Self { counter, cells: rules.cells(), common: none, found: Vec::new(), left: Vec::new(), tried: none };
        plan.begin_if_counted();
        plan
    }

    fn begin_if_counted(&mut self) {
        if self.counter.question().is_none() {
            self.left = self.counter.colors().to_vec();
            let runs = self.left.chunk_by(|one, other| one == other);
            let longest = runs.rev().max_by_key(|run| run.len());
            self.common = longest.map_or(self.common, |run| run[0]);
            self.tried = self.left[0];
        }
    }

    /// Goes on after the next cell was found to show this color.
    fn find(&mut self, color: Color) -> Result<(), Unforeseen> {
        let place = self.left.iter().position(|&left| left == color).ok_or(Unforeseen)?;
        self.left.remove(place);
        self.found.push(color);
        self.tried = *self.left.first().ok_or(Unforeseen)?;
        Ok(())
    }
}

impl Procedure for Greedy3 {
    fn step(&self) -> Step {
        if let Some(question) = self.counter.question() {
            return Step::Ask(question);
        }
        let mut code = self.found.clone();
        code.push(self.tried);
        code.resize(self.cells, self.common);
        if self.left.len() == 1 { Step::Deduced(Code::new(code)) } else { Step::Ask(Code::new(code)) }
    }

    fn learn(&mut self, mark: Mark) -> Result<(), Unforeseen> {
        if self.counter.question().is_some() {
            self.counter.learn(mark)?;
            self.begin_if_counted();
            return Ok(());
        }
        if self.left.len() == 1 {
            return Err(Unforeseen);
        }
        let expected = self.found.len() + self.left.iter().filter(|&&color| color == self.common).count();
        let now = usize::from(black(mark)?);
        if now == expected + 1 {
            self.find(self.tried)
        } else if now + 1 == expected {
            self.find(self.common)
        } else if now == expected {
            let lower = self.left.iter().find(|&&color| color < self.tried);
            self.tried = *lower.ok_or(Unforeseen)?;
            Ok(())
        } else {
            Err(Unforeseen)
        }
    }
}
