//! Where codes are examined: what a search for one guess works with, and what it may spend.

use pegwise_game::{Code, Color, History, Rules};

use super::{
    population::{Population, draw_new},
    seen::Seen,
};
use crate::{
    candidates::{Ledger, fallback::StopCause},
    search::{Search, Stop},
};

/// The cells looked at for one guess before a strategy gives up on breeding, in a game whose search has no limits. It is
/// 25 million codes of eight cells: some seconds, and more than the published games need but for very few.
const EFFORT: u64 = 200_000_000;

/// The history as codes are compared with it, and the codes found.
#[derive(Debug)]
pub(super) struct Examiner {
    rules: Rules,
    ledger: Ledger,
    seen: Seen,
    /// The codes found that fit, one as often as it was found.
    pub(super) eligible: Population,
    /// The code nearest to fitting, with its cost, once one was examined.
    nearest: Option<u32>,
    nearest_code: Vec<Color>,
    /// Cells looked at for this guess.
    effort: u64,
    /// Where new codes are drawn.
    drawn: Vec<Color>,
}

impl Examiner {
    pub(super) fn new(rules: &Rules) -> Self {
        Self {
            rules: rules.clone(),
            ledger: Ledger::new(rules),
            seen: Seen::new(rules),
            eligible: Population::new(rules),
            nearest: None,
            nearest_code: vec![Color::default(); rules.cells()],
            effort: 0,
            drawn: vec![Color::default(); rules.cells()],
        }
    }

    /// Makes ready for the guess after this history.
    pub(super) fn begin(&mut self, history: &History) {
        self.ledger.follow(history);
        self.eligible.clear();
        self.nearest = None;
        self.effort = 0;
    }

    /// How many turns codes are compared with.
    pub(super) fn turns(&self) -> usize {
        self.ledger.turns().len()
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The code nearest to fitting of all examined.
    pub(super) fn nearest(&self) -> Option<Code> {
        self.nearest.map(|_| Code::new(&self.nearest_code[..]))
    }

    /// The cost of a code that enters a population.
    #[inline]
    pub(super) fn examine(&mut self, code: &[Color], search: &mut Search<'_>) -> Result<u32, StopCause> {
        self.look(code, search.examine(1))
    }

    /// The cost of a code that may or may not become one of a population: a step of a local search.
    #[inline]
    pub(super) fn try_out(&mut self, code: &[Color], search: &mut Search<'_>) -> Result<u32, StopCause> {
        self.look(code, search.step(1))
    }

    #[inline]
    fn look(&mut self, code: &[Color], stop: Option<Stop>) -> Result<u32, StopCause> {
        let cost = self.ledger.distance(code);
        if self.nearest.is_none_or(|nearest| cost < nearest) {
            self.nearest = Some(cost);
            self.nearest_code.copy_from_slice(code);
        }
        self.effort += code.len() as u64;
        match stop {
            Some(stop) => Err(StopCause::Limit(stop)),
            None if self.effort > EFFORT => Err(StopCause::Effort),
            None => Ok(cost),
        }
    }

    /// Keeps a code that fits.
    pub(super) fn keep(&mut self, code: &[Color], search: &mut Search<'_>) {
        search.find(1);
        self.eligible.push(code, 0);
    }

    /// Fills a population with different random codes, each changed as told before it joins with its cost, and keeps those
    /// that fit.
    pub(super) fn populate(
        &mut self,
        population: &mut Population,
        size: usize,
        search: &mut Search<'_>,
        mut improve: impl FnMut(&mut Self, &mut [Color], u32, &mut Search<'_>) -> Result<u32, StopCause>,
    ) -> Result<(), StopCause> {
        population.clear();
        self.seen.clear();
        let mut code = std::mem::take(&mut self.drawn);
        let mut filled = Ok(());
        while filled.is_ok() && population.len() < size {
            draw_new(&mut code, &self.rules, &mut self.seen, &mut search.rng);
            let cost = self.examine(&code, search).and_then(|cost| improve(self, &mut code, cost, search));
            filled = cost.map(|cost| {
                population.push(&code, cost);
                if cost == 0 {
                    self.keep(&code, search);
                }
            });
        }
        self.drawn = code;
        filled
    }
}
