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
//! Its text also allows other readings: colors tried from the lowest up, every color counted even when all cells are accounted
//! for, and nothing learned from a black peg fewer. They are parameters, and the published table lists what each comes to.
//!
//! A turn costs a pass over the cells. A game asks at most N - 1 + P(P + 1)/2 - 1 questions.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis,
//! University of Florida, 2005, section 4.2.

use pegwise_game::{Code, Color, Mark, Rules};

use super::{
    counting::{Counter, PREPROCESSING},
    procedure::{Procedure, Step, Unforeseen, black},
};
use crate::{
    parameter::{Parameter, ParameterKind},
    spec::Arguments,
};

/// What the thesis leaves open.
pub(super) const PARAMETERS: &[Parameter] = &[
    PREPROCESSING,
    Parameter {
        name: "tries",
        kind: ParameterKind::Choice(&["descending", "ascending"]),
        default: "descending",
        about: "the order in which a cell tries the colors",
    },
    Parameter {
        name: "counts",
        kind: ParameterKind::Choice(&["needed", "all"]),
        default: "needed",
        about: "the colors that are counted: until every cell is accounted for, or all but the last",
    },
    Parameter {
        name: "infers",
        kind: ParameterKind::FLAG,
        default: "true",
        about: "whether a black peg fewer tells that the color in all other cells was right",
    },
];

#[derive(Debug, Clone)]
pub(super) struct Greedy3 {
    counter: Counter,
    cells: usize,
    /// The most common color of the code.
    common: Color,
    /// The cells found.
    found: Vec<Color>,
    /// The colors of the other cells, in the order in which they are tried.
    left: Vec<Color>,
    /// The color tried in the next cell, by its place among those left.
    tried: usize,
    ascending: bool,
    /// Whether a black peg fewer tells that the most common color was right.
    infers: bool,
}

impl Greedy3 {
    pub(super) fn new(rules: &Rules, arguments: &Arguments) -> Self {
        let mut plan = Self {
            counter: Counter::new(rules, arguments, arguments.text("counts") == "all"),
            cells: rules.cells(),
            common: Color::new(0),
            found: Vec::new(),
            left: Vec::new(),
            tried: 0,
            ascending: arguments.text("tries") == "ascending",
            infers: arguments.flag("infers"),
        };
        plan.begin_if_counted();
        plan
    }

    fn begin_if_counted(&mut self) {
        if self.counter.question().is_none() {
            self.left = self.counter.colors().to_vec();
            let runs = self.left.chunk_by(|one, other| one == other);
            let longest = runs.rev().max_by_key(|run| run.len());
            self.common = longest.map_or(self.common, |run| run[0]);
            if self.ascending {
                self.left.reverse();
            }
        }
    }

    /// Goes on after the next cell was found to show this color.
    fn find(&mut self, color: Color) -> Result<(), Unforeseen> {
        let place = self.left.iter().position(|&left| left == color).ok_or(Unforeseen)?;
        self.left.remove(place);
        self.found.push(color);
        self.tried = 0;
        if self.left.is_empty() { Err(Unforeseen) } else { Ok(()) }
    }
}

impl Procedure for Greedy3 {
    fn step(&self) -> Step {
        if let Some(question) = self.counter.question() {
            return Step::Ask(question);
        }
        let mut code = self.found.clone();
        code.push(self.left[self.tried]);
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
        let tried = self.left[self.tried];
        if now == expected + 1 {
            return self.find(tried);
        }
        if now + 1 == expected && self.infers {
            return self.find(self.common);
        }
        if now != expected && now + 1 != expected {
            return Err(Unforeseen);
        }
        let mut later = self.left.iter().enumerate().skip(self.tried);
        match later.find(|(_, color)| **color != tried) {
            Some((place, _)) => {
                self.tried = place;
                Ok(())
            }
            // Where a peg fewer tells, it was told before; where it does not, the most common color is what remains.
            None if self.infers => Err(Unforeseen),
            None => self.find(self.common),
        }
    }
}
