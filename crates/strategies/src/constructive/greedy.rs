//! Greedy construction: one cell after the other.
//!
//! # Greedy 1
//! Cells that are not yet known show the first color. A cell tries the colors in order; one black peg more than with
//! the first color means that the color is right, one fewer that the first was. The first color is tried again at every
//! cell, which is redundant: the thesis counts it, and this reproduces every printed digit. A game takes at most as
//! many guesses as there are pairs of a cell and a color, and about half as many on average.
//!
//! # Greedy 2
//! Omits redundant guesses: the first color is tried only once, for all cells, and the last color is right if no other
//! is. The thesis does not count the last guess of a game if it is such a deduced code: its numbers are the *questions*
//! of this strategy, which are counted as steps. A game has at most 1 + P(N - 2) questions with P cells and N colors.
//!
//! # Greedy 3
//! The colors are [counted](super::counting) first. Then each cell tries the remaining colors, with the most common
//! color of the code (the highest of several) in all later cells: the number of black pegs of that guess is known, so
//! one more means that the color is right, and one fewer that the most common one was. The last cell shows the color
//! that is left. A game has at most N - 1 + P(P + 1)/2 - 1 questions.
//!
//! The thesis does not define all details. With the colors tried from the highest down, counting that ends when every
//! cell is accounted for, and a deduced last guess not counted, its maxima at 3x8, 4x6, 4x8 and 5x8 are reproduced.
//! Other readings are parameters, and the published table lists their results: colors tried from the lowest up, every
//! color counted even if all cells are accounted for, and no inference from one black peg fewer.
//!
//! A turn costs a pass over the cells.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's
//! thesis, University of Florida, 2005, sections 4.1 and 4.2.

use std::cmp::Ordering;

use pegwise_game::{Code, Color, Mark, Rules};

use super::counting::{ColorCounter, PREPROCESSING};
use super::{ImpossibleFeedback, Procedure, ProcedureStep, black};
use pegwise_search::{Arguments, Parameter};

#[derive(Debug, Clone)]
pub(super) struct Greedy1 {
    colors: u16,
    /// The known cells, and the first color in all others.
    code: Code,
    /// The next cell.
    cell: usize,
    /// The color tried in the next cell.
    color: u16,
    /// Black pegs of `code`, once known.
    black: Option<u16>,
}

impl Greedy1 {
    pub(super) fn new(rules: &Rules) -> Self {
        let code = Code::new(vec![Color::new(0); rules.cells()]);
        Self { colors: rules.colors(), code, cell: 0, color: 0, black: None }
    }

    fn next_cell(&mut self) -> Result<(), ImpossibleFeedback> {
        (self.cell, self.color) = (self.cell + 1, 0);
        if self.cell < self.code.len() { Ok(()) } else { Err(ImpossibleFeedback) }
    }
}

impl Procedure for Greedy1 {
    fn step(&self) -> ProcedureStep {
        let mut code = self.code.clone();
        code.colors_mut()[self.cell] = Color::new(self.color);
        ProcedureStep::Ask(code)
    }

    fn learn(&mut self, mark: Mark) -> Result<(), ImpossibleFeedback> {
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
            _ => Err(ImpossibleFeedback),
        }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Greedy2 {
    /// Exclusive end of the colors tried in a cell; they start at the second.
    tried: u16,
    last: Color,
    code: Code,
    cell: usize,
    /// The color tried in the next cell.
    color: u16,
    black: Option<u16>,
}

impl Greedy2 {
    pub(super) fn new(rules: &Rules) -> Self {
        let code = Code::new(vec![Color::new(0); rules.cells()]);
        let colors = rules.colors();
        // With two colors, only the second is tried.
        let tried = if colors == 2 { 2 } else { colors - 1 };
        Self { tried, last: Color::new(colors - 1), code, cell: 0, color: 0, black: None }
    }

    /// Sets the color of the current cell and moves to the next.
    fn set_cell(&mut self, color: Color, black: u16) -> Result<(), ImpossibleFeedback> {
        self.code.colors_mut()[self.cell] = color;
        self.black = Some(black);
        (self.cell, self.color) = (self.cell + 1, 1);
        let known = self.is_deduced();
        if self.cell < self.code.len() || known { Ok(()) } else { Err(ImpossibleFeedback) }
    }

    fn is_deduced(&self) -> bool {
        self.black.is_some_and(|black| usize::from(black) == self.code.len())
    }
}

impl Procedure for Greedy2 {
    fn step(&self) -> ProcedureStep {
        let mut code = self.code.clone();
        if self.is_deduced() {
            return ProcedureStep::Deduced(code);
        }
        code.colors_mut()[self.cell] = Color::new(self.color);
        ProcedureStep::Ask(code)
    }

    fn learn(&mut self, mark: Mark) -> Result<(), ImpossibleFeedback> {
        let now = black(mark)?;
        if self.is_deduced() {
            return Err(ImpossibleFeedback);
        }
        let Some(before) = self.black else {
            (self.black, self.color) = (Some(now), 1);
            return if self.tried > 1 { Ok(()) } else { Err(ImpossibleFeedback) };
        };
        match now.cmp(&before) {
            Ordering::Equal if self.color + 1 < self.tried => {
                self.color += 1;
                Ok(())
            }
            Ordering::Equal if self.last.index() >= usize::from(self.tried) => self.set_cell(self.last, before + 1),
            Ordering::Greater if now == before + 1 => self.set_cell(Color::new(self.color), now),
            Ordering::Less if now + 1 == before => self.set_cell(Color::new(0), before),
            _ => Err(ImpossibleFeedback),
        }
    }
}

/// Parameters of greedy 3: details that the thesis does not define.
pub(super) const GREEDY_3_PARAMETERS: &[Parameter] = &[
    PREPROCESSING,
    Parameter::choice("tries", &["descending", "ascending"], "order in which a cell tries the colors"),
    Parameter::choice(
        "counts",
        &["needed", "all"],
        "colors that are counted: until every cell is accounted for, or all but the last",
    ),
    Parameter::flag("infers", true, "whether one black peg fewer means that the most common color was right"),
];

#[derive(Debug, Clone)]
pub(super) struct Greedy3 {
    counter: ColorCounter,
    cells: usize,
    common: Color,
    found: Vec<Color>,
    /// Colors of the other cells, in the order in which they are tried.
    left: Vec<Color>,
    /// Index in `left` of the color tried in the next cell.
    tried: usize,
    ascending: bool,
    /// True if one black peg fewer means that the most common color was right.
    infers: bool,
}

impl Greedy3 {
    pub(super) fn new(rules: &Rules, arguments: &Arguments) -> Self {
        let mut plan = Self {
            counter: ColorCounter::new(rules, arguments, arguments.text("counts") == "all"),
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

    fn set_next(&mut self, color: Color) -> Result<(), ImpossibleFeedback> {
        let place = self.left.iter().position(|&left| left == color).ok_or(ImpossibleFeedback)?;
        self.left.remove(place);
        self.found.push(color);
        self.tried = 0;
        if self.left.is_empty() { Err(ImpossibleFeedback) } else { Ok(()) }
    }
}

impl Procedure for Greedy3 {
    fn step(&self) -> ProcedureStep {
        if let Some(question) = self.counter.question() {
            return ProcedureStep::Ask(question);
        }
        let mut code = self.found.clone();
        code.push(self.left[self.tried]);
        code.resize(self.cells, self.common);
        if self.left.len() == 1 { ProcedureStep::Deduced(Code::new(code)) } else { ProcedureStep::Ask(Code::new(code)) }
    }

    fn learn(&mut self, mark: Mark) -> Result<(), ImpossibleFeedback> {
        if self.counter.question().is_some() {
            self.counter.learn(mark)?;
            self.begin_if_counted();
            return Ok(());
        }
        if self.left.len() == 1 {
            return Err(ImpossibleFeedback);
        }
        let expected = self.found.len() + self.left.iter().filter(|&&color| color == self.common).count();
        let now = usize::from(black(mark)?);
        let tried = self.left[self.tried];
        if now == expected + 1 {
            return self.set_next(tried);
        }
        if now + 1 == expected && self.infers {
            return self.set_next(self.common);
        }
        if now != expected && now + 1 != expected {
            return Err(ImpossibleFeedback);
        }
        let mut later = self.left.iter().enumerate().skip(self.tried);
        match later.find(|(_, color)| **color != tried) {
            Some((place, _)) => {
                self.tried = place;
                Ok(())
            }
            // With inference, one peg fewer has shown the most common color before; without it, that color is left.
            None if self.infers => Err(ImpossibleFeedback),
            None => self.set_next(self.common),
        }
    }
}
