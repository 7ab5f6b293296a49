//! 2-swap local search.
//!
//! The colors are [counted](super::counting), all but the last even if every cell is accounted for. The next guess is the
//! initial solution: the last color, then the others from the highest to the lowest, as the counting has them. Then
//! cells I < J of different colors are swapped in one pass, J running fastest, and a swap is kept if it raises the
//! value: two points per black peg and one per white peg, which with all colors known is one point per black peg. The
//! pass always ends with the code: after the swaps of a cell with all later ones, it is right.
//!
//! The thesis checks for P black pegs while it counts and after each swap, but not after the initial solution: if that
//! is the code, it still tries every pair of different colors. The *questions* of this strategy, which are counted as
//! steps, include those tries, and reproduce every printed mean, median and maximum. The guesses are those of the game,
//! which ends with the code.
//!
//! A turn costs a pass over the cells. A game takes at most N + P(P - 1)/2 guesses with P cells and N colors.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's
//! thesis, University of Florida, 2005, section 4.3.

use pegwise_game::{Code, Mark, Rules};

use super::{ImpossibleFeedback, Procedure, ProcedureStep, black, counting::ColorCounter};
use pegwise_search::row::Arguments;

#[derive(Debug, Clone)]
pub(super) struct TwoSwap {
    counter: ColorCounter,
    /// Best arrangement so far, once the colors are known.
    code: Code,
    /// Black pegs of `code`, once it was guessed.
    best: Option<u16>,
    pair: (usize, usize),
}

impl TwoSwap {
    pub(super) fn new(rules: &Rules, arguments: &Arguments) -> Self {
        let counter = ColorCounter::new(rules, arguments, true);
        let code = counter.colors();
        Self { counter, code, best: None, pair: (0, 0) }
    }

    /// Moves to the next two cells of different colors.
    fn next_pair(&mut self) -> Result<(), ImpossibleFeedback> {
        let (first, second) = self.pair;
        let of_first = (second + 1..self.code.len()).map(|other| (first, other));
        let of_later =
            (first + 1..self.code.len()).flat_map(|one| (one + 1..self.code.len()).map(move |other| (one, other)));
        let mut pairs = of_first.chain(of_later);
        self.pair = pairs.find(|&(one, other)| self.code[one] != self.code[other]).ok_or(ImpossibleFeedback)?;
        Ok(())
    }
}

impl Procedure for TwoSwap {
    fn step(&self) -> ProcedureStep {
        if let Some(question) = self.counter.question() {
            return ProcedureStep::Ask(question);
        }
        let mut code = self.code.clone();
        code.colors_mut().swap(self.pair.0, self.pair.1);
        ProcedureStep::Ask(code)
    }

    fn learn(&mut self, mark: Mark) -> Result<(), ImpossibleFeedback> {
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

    fn questions_after_win(&self) -> usize {
        let is_initial = self.best.is_none() && self.counter.question().is_none();
        let later_unequal = |cell: usize| self.code[cell..].iter().filter(|&&color| color != self.code[cell]).count();
        if is_initial { (0..self.code.len()).map(later_unequal).sum() } else { 0 }
    }
}
