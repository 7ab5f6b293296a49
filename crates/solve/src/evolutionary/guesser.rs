//! The frame of strategies that search anew for every guess: rounds of a search until one finds codes that fit, then a
//! choice among those.

use pegwise_game::{Code, History, Rules};

use super::{choice::Choice, examiner::Examiner, opening};
use crate::{
    candidates::{
        backtrack::{Backtrack, End, Order},
        fallback::{self, StopCause},
    },
    search::Search,
    spec::Arguments,
    strategy::{Basis, Proposal, Strategy, StrategyError},
};

/// Steps of backtracking that may tell, after a round without a find, that there is nothing to be found.
const STEPS: u64 = 200_000;

/// A way to search.
pub(super) trait Hunt: Send {
    /// Runs from a fresh start to its own end, keeping codes that fit on the examiner.
    fn round(&mut self, examiner: &mut Examiner, search: &mut Search<'_>) -> Result<(), StopCause>;
}

/// A strategy that hunts for each guess.
pub(super) struct Guesser<H> {
    first: First,
    choice: Choice,
    examiner: Examiner,
    hunt: H,
}

enum First {
    Code(Code),
    Random,
}

impl<H: Hunt + 'static> Guesser<H> {
    /// The strategy, with the first guess that its arguments ask for.
    pub(super) fn boxed(rules: &Rules, arguments: &Arguments, choice: Choice, hunt: H) -> Box<dyn Strategy> {
        let first = match (arguments.code("first", rules), arguments.text("first")) {
            (Some(code), _) => First::Code(code),
            (None, "random") => First::Random,
            (None, _) => First::Code(opening(rules)),
        };
        Box::new(Self { first, choice, examiner: Examiner::new(rules), hunt })
    }
}

impl<H: Hunt> Strategy for Guesser<H> {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if history.is_empty() {
            // The published counts take the first guess for one code examined and found to fit.
            search.examine(1);
            search.find(1);
            let guess = match &self.first {
                First::Code(code) => code.clone(),
                First::Random => search.rng.code(history.rules()),
            };
            return Ok(Proposal::new(guess, Basis::Consistent));
        }
        self.examiner.begin(history);
        let mut ended = self.hunt.round(&mut self.examiner, search);
        if self.examiner.eligible.is_empty() && ended.is_ok() {
            check(history, search)?;
        }
        while self.examiner.eligible.is_empty() && ended.is_ok() {
            ended = self.hunt.round(&mut self.examiner, search);
        }
        if !self.examiner.eligible.is_empty() {
            let guess = self.choice.choose(history.rules(), &self.examiner.eligible, search);
            return Ok(Proposal::new(guess, Basis::Consistent));
        }
        let spent = ended.err().unwrap_or(StopCause::Effort);
        match self.examiner.nearest().filter(|nearest| history.is_consistent(nearest)) {
            Some(guess) => Ok(Proposal::new(guess, Basis::Consistent)),
            None => fallback::settle(history, spent, self.examiner.nearest(), search),
        }
    }
}

/// An error when backtracking can tell at once that no code fits: further rounds would be in vain.
fn check(history: &History, search: &mut Search<'_>) -> Result<(), StrategyError> {
    match Backtrack::new(history).first(Order::AscendingFrom(None), STEPS, search) {
        (None, End::NoMore) => Err(StrategyError::NO_CODE_FITS),
        _ => Ok(()),
    }
}
