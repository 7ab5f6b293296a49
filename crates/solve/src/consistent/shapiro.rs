//! The first consistent code in a fixed order.
//!
//! A game looks at every code once at most, since a code that does not fit the history never will.
//!
//! # References
//! E. Shapiro, Playing Mastermind logically, SIGART Bulletin 85, 28-29, 1983. <https://doi.org/10.1145/1056635.1056637>

use std::sync::Arc;

use pegwise_game::{Code, History, Rules, Table};

use crate::{
    candidates::CandidateTracker,
    search::Search,
    spec::Arguments,
    strategy::{Basis, Built, Position, PositionStrategy, Proposal, Strategy, StrategyError},
};

struct Shapiro {
    remaining: CandidateTracker,
    all: Arc<Table>,
    /// The place of each code in the order; `None` for numeric order.
    places: Option<Vec<u32>>,
    random: bool,
}

pub(super) fn build(name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let unplayable = |why: String| StrategyError::Unplayable { strategy: name, rules: rules.to_string(), can: why };
    let remaining = CandidateTracker::new(rules).map_err(|error| unplayable(error.to_string()))?;
    let all =
        remaining.all().cloned().ok_or_else(|| unplayable("the space is too large to put in order".to_owned()))?;
    Ok(Box::new(Shapiro { remaining, all, places: None, random: arguments.text("order") == "random" }))
}

impl Strategy for Shapiro {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if self.random && (history.is_empty() || self.places.is_none()) {
            let mut places: Vec<u32> = (0..self.all.len() as u32).collect();
            search.rng.shuffle(&mut places);
            self.places = Some(places);
        }
        let view = self.remaining.after(history, search)?;
        let first = match &self.places {
            None => 0,
            Some(places) => {
                let space = pegwise_game::Space::new(history.rules());
                let place = |row: usize| {
                    let rank = space.rank(&view.codes.code(row)).unwrap_or_default();
                    places[rank as usize]
                };
                (0..view.codes.len()).min_by_key(|&row| place(row)).unwrap_or(0)
            }
        };
        let basis = if view.codes.len() == 1 { Basis::Proven } else { Basis::Consistent };
        Ok(Proposal { remaining: view.count, ..Proposal::new(view.codes.code(first), basis) })
    }

    fn position_strategy(&self) -> Option<Box<dyn PositionStrategy>> {
        (!self.random).then(|| Box::new(Lowest { first: None }) as Box<dyn PositionStrategy>)
    }
}

/// Plays the lowest code still possible, after a first guess of choice.
pub(crate) struct Lowest {
    pub(crate) first: Option<Code>,
}

impl PositionStrategy for Lowest {
    fn choose(&mut self, position: Position<'_>) -> Code {
        let first = self.first.clone().filter(|_| position.guesses.is_empty());
        first.unwrap_or_else(|| position.codes.code(0))
    }

    fn duplicate(&self) -> Box<dyn PositionStrategy> {
        Box::new(Self { first: self.first.clone() })
    }
}
