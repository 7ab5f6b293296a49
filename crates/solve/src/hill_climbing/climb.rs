//! The loop of every hill climber: draw codes until one fits.

use pegwise_game::{Code, History, Rules};

use super::{induce::Inducer, tracker::Tracker};
use crate::{
    Rng,
    candidates::{self, Ledger},
    search::{Search, Watch},
    strategy::{Basis, Proposal, StrategyError},
};

/// Draws before the generator is given up and the history is searched by backtracking. Games of the sizes that the
/// papers play hardly ever get there.
const MOST_DRAWS: u64 = 1 << 20;
/// Draws for one look at the clock.
const DRAWS_A_CLOCK: u64 = 1 << 10;

/// A game being climbed.
#[derive(Debug, Clone)]
pub(super) struct Climb {
    ledger: Ledger,
    tracker: Option<Tracker>,
}

impl Climb {
    pub(super) fn new(rules: &Rules, tracks: bool) -> Self {
        Self { ledger: Ledger::new(rules), tracker: tracks.then(|| Tracker::new(rules)) }
    }

    /// Takes on a history; what was ruled out is forgotten unless it goes on from the last one.
    fn follow(&mut self, history: &History) {
        let course = self.ledger.follow(history);
        if let Some(tracker) = &mut self.tracker {
            if !course.is_extension() {
                tracker.clear();
            }
            history.turns()[course.known()..].iter().for_each(|turn| tracker.insert(&turn.guess));
        }
    }

    /// The first drawn code that fits the history. A code that was examined before is passed over, which changes how
    /// many are examined and never which one is found. `None` when the patience ran out.
    pub(super) fn find(
        &mut self,
        history: &History,
        search: &mut Search<'_>,
        patience: Watch<'_>,
        inducer: &mut Inducer,
        mut draw: impl FnMut(&mut Inducer, &mut Rng) -> bool,
    ) -> Result<Option<Proposal>, StrategyError> {
        self.follow(history);
        inducer.reset();
        for draws in 1..=MOST_DRAWS {
            if draws % DRAWS_A_CLOCK == 0 && patience.stop().is_some() {
                return Ok(None);
            }
            let mut stop = search.step(1);
            let drawn = draw(inducer, &mut search.rng);
            if drawn && self.tracker.as_ref().is_none_or(|tracker| !tracker.contains(inducer.code())) {
                stop = stop.or(search.examine(1));
                if self.ledger.is_consistent(inducer.code()) {
                    return Ok(Some(Proposal::new(Code::new(inducer.code()), Basis::Consistent)));
                }
                if let Some(tracker) = &mut self.tracker {
                    tracker.insert(inducer.code());
                }
            }
            if stop.is_some() {
                let mut proposal = Proposal::last_resort(history.rules(), stop, search);
                if drawn {
                    // It fits the favorite, if nothing else.
                    proposal.guess = Code::new(inducer.code());
                }
                return Ok(Some(proposal));
            }
        }
        candidates::draw(history, search).map(Some)
    }
}
