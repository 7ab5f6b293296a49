//! Consistent codes by local search: a code is changed cell by cell, mostly toward the answers, until it fits them all.
//!
//! The cost of a code is the number of pegs by which it misses the marks of all turns, line by line. A move recolors a cell
//! or exchanges two, and is judged in one pass over the turns for each line it touches, whatever the number of cells; that
//! pass has no branch and runs on vectors. Moves that cost something are allowed while it is hot, and hardly when it is
//! cold. Colors that a single mark rules out are never tried. Works for every board, feedback kind and repeat rule.
//!
//! At a given temperature codes of equal cost are visited equally often in the long run, and a walk is heated through after
//! each find, so that the codes found are a near uniform sample. Several chains walk side by side, each with its own random
//! numbers; what they find depends on the moves they may try and not on their timing.
//!
//! Cost: some ten nanoseconds a move at ten turns, a hundred at a hundred. Limits: where the turns leave very few codes of
//! a large space, as from about 25x25 on, no walk finds them in reasonable time.
//!
//! # References
//! J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda and A. Prieto, Solving MasterMind using GAs and simulated
//! annealing: a case of dynamic constraint optimization, Parallel Problem Solving from Nature IV, 1996.

mod chain;
mod domains;
mod field;
mod number;
mod walk;

use std::collections::BTreeSet;

use pegwise_game::{Code, History, Rules};

use self::{
    chain::{Chain, Goal},
    field::Field,
    number::Number,
};
use crate::{
    parallel,
    rng::Rng,
    search::{Search, Watch},
};

/// Chains that walk side by side, on any number of cores.
const CHAINS: u64 = 4;

/// The constraints of a history, ready for local search.
///
/// ```
/// use pegwise_game::{History, Rules};
/// use pegwise_solve::{Search, candidates::anneal::{Annealer, Effort}};
/// let rules: Rules = "12x12".parse().unwrap();
/// let history = History::parse(&rules, ["AABBCCDDEEFF=2,4", "GGHHAABBIIJJ=1,5"]).unwrap();
/// let mut search = Search::new(1);
/// let start = search.rng.code(&rules);
/// let found = Annealer::new(&history).sample(&start, Effort { codes: 20, moves: 1_000_000 }, &mut search);
/// assert_eq!(found.codes.len(), 20);
/// assert!(found.codes.iter().all(|code| history.is_consistent(code)));
/// ```
#[derive(Debug, Clone)]
pub struct Annealer {
    engine: Engine,
}

#[derive(Debug, Clone)]
enum Engine {
    Pegs(Field<i16>),
    Distances(Field<i64>),
}

/// How much to look for, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Different codes to find.
    pub codes: usize,
    /// Moves to try.
    pub moves: u64,
}

/// What a search came back with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Different codes that fit, ascending.
    pub codes: Vec<Code>,
    /// The code that comes closest to fitting.
    pub closest: Code,
}

impl Annealer {
    /// Whether a walk can be led by these rules: whether a mark is no more than sums over its line, and all are true.
    #[must_use]
    pub fn can_lead(rules: &Rules) -> bool {
        rules.feedback().terms().is_additive() && rules.lies() == 0
    }

    /// The constraints of a history, of rules that [a walk can be led by](Self::can_lead).
    #[must_use]
    pub fn new(history: &History) -> Self {
        let counts = history.rules().feedback().terms().cell.counts();
        let engine = if counts { Engine::Pegs(Field::new(history)) } else { Engine::Distances(Field::new(history)) };
        Self { engine }
    }

    /// Whether single marks already rule out every color of some cell, so that no code can fit.
    #[must_use]
    pub fn is_impossible(&self) -> bool {
        match &self.engine {
            Engine::Pegs(field) => field.domains.is_empty(),
            Engine::Distances(field) => field.domains.is_empty(),
        }
    }

    /// Looks for codes that fit, from a start. The moves count as codes examined; time is that of the search.
    pub fn sample(&self, start: &Code, effort: Effort, search: &mut Search<'_>) -> Found {
        self.sample_until(start, effort, search.watch(), search)
    }

    /// [`Annealer::sample`] with a clock of its own, for those who have more to do afterwards.
    pub fn sample_until(&self, start: &Code, effort: Effort, watch: Watch<'_>, search: &mut Search<'_>) -> Found {
        let moves = effort.moves.min(search.examined_left()).div_ceil(CHAINS);
        let goal = Goal { moves, stretch: moves, codes: effort.codes, watch };
        let found = match &self.engine {
            Engine::Pegs(field) => harvest(field, start, goal, search),
            Engine::Distances(field) => harvest(field, start, goal, search),
        };
        search.find(found.codes.len() as u64);
        found
    }
}

/// The moves of the first stretch that all chains walk; each further stretch doubles them.
const FIRST_STRETCH: u64 = 1 << 13;
/// The same on boards of several lines, which soon leave few codes: it is known early that there are no more.
const FIRST_STRETCH_LINES: u64 = 1 << 10;

/// Walks in stretches. Between stretches the chains lay together what they found, and end when it is enough or when twice
/// the moves brought nothing new.
fn harvest<N: Number>(field: &Field<N>, start: &Code, goal: Goal<'_>, search: &mut Search<'_>) -> Found {
    let mut found = BTreeSet::new();
    if field.domains.is_empty() {
        return Found { codes: Vec::new(), closest: start.clone() };
    }
    let rngs = (0..CHAINS).map(|_| Rng::new(search.rng.word()));
    let mut chains: Vec<Chain<'_, N>> = rngs.map(|rng| Chain::new(field, start, rng)).collect();
    let first = if field.has_lines() { FIRST_STRETCH_LINES } else { FIRST_STRETCH };
    let mut moves = first.min(goal.moves);
    let share = goal.codes.div_ceil(CHAINS as usize);
    loop {
        let before = found.len();
        let stretch = Goal { stretch: moves, codes: share, ..goal };
        parallel::for_each(chains.iter_mut().collect(), |chain: &mut Chain<'_, N>| chain.advance(stretch));
        found.extend(chains.iter().flat_map(|chain| chain.codes.iter().cloned()));
        let nothing_new = before > 0 && found.len() == before;
        let at_goal = chains.iter().all(|chain| chain.codes.len() >= share) || found.len() >= goal.codes;
        if nothing_new || at_goal || moves >= goal.moves || goal.watch.stop().is_some() {
            break;
        }
        moves = (moves * 2).min(goal.moves);
    }
    search.examine(chains.iter().map(|chain| chain.moves).sum::<u64>());
    let closest = chains.iter().map(|chain| &chain.closest).min().map_or(start, |(_, code)| code).clone();
    Found { codes: found.into_iter().collect(), closest }
}

#[cfg(test)]
mod tests;
