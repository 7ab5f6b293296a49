//! Colors first, then swapping pairs of cells.
//!
//! The colors are [counted](super::counting), all but the last even when every cell is accounted for. The next guess has
//! them in the order of the counting; then cells I < J that differ are swapped, J running fastest, and a swap is kept when
//! it raises the value: two points a black peg and one a white one, which with all colors known is one point a black peg.
//! One pass always ends with the code: after the swaps of a cell with all later ones, it is right.
//!
//! A turn costs a pass over the cells. A game takes at most N + P(P - 1)/2 guesses: the maxima of the thesis, whose means this
//! reading misses by two to three percent at most.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis,
//! University of Florida, 2005, section 4.3.

use pegwise_game::{Code, Mark, Rules};

use super::{
    counting::Counter,
    procedure::{Procedure, Step, Unforeseen, black},
};
use crate::spec::Arguments;

#[derive(Debug, Clone)]
pub(super) struct TwoSwap {
    counter: Counter,
    /// The best arrangement so far, once the colors are known.
    code: Code,
    /// Its black pegs, once it was asked.
    best: Option<u16>,
    /// The cells to swap next.
    pair: (usize, usize),
}

impl TwoSwap {
    pub(super) fn new(rules: &Rules, arguments: &Arguments) -> Self {
        let counter = Counter::new(rules, arguments, true);
        let code = counter.colors();
        Self { counter, code, best: None, pair: (0, 0) }
    }

    /// Goes on to the next two cells that differ.
    fn next_pair(&mut self) -> Result<(), Unforeseen> {
        let (first, second) = self.pair;
        let of_first = (second + 1..self.code.len()).map(|other| (first, other));
        let of_later =
            (first + 1..self.code.len()).flat_map(|one| (one + 1..self.code.len()).map(move |other| (one, other)));
        let mut pairs = of_first.chain(of_later);
        self.pair = pairs.find(|&(one, other)| self.code[one] != self.code[other]).ok_or(Unforeseen)?;
        Ok(())
    }
}

impl Procedure for TwoSwap {
    fn step(&self) -> Step {
        if let Some(question) = self.counter.question() {
            return Step::Ask(question);
        }
        let mut code = self.code.clone();
        code.colors_mut().swap(self.pair.0, self.pair.1);
        Step::Ask(code)
    }

    fn learn(&mut self, mark: Mark) -> Result<(), Unforeseen> {
        if self.counter.question().is_some() {
            self.counter.learn(mark)?;
            self.code = self.counter.colors();
            return Ok(());
        }
        let now = black(mark)?;
        if self.best.is_some_and(|best| now > best) {
            self.code.colors_mut().swap(self.pair.0, self.pair.1);
        }
        self.best = self.best.max(Some(now));
        self.next_pair()
    }
}
