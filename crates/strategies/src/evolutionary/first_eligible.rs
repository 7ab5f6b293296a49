//! Strategies that play the first eligible code they breed: the genetic algorithm of Bernier and others (1996), and
//! Genetic MasterMind of Merelo and others (1999).
//!
//! The better half of a generation survives. The other half is replaced by children of three kinds: two codes after a
//! two-point crossover, each with a probability of 1/4 of a changed color; a copy with one changed color; a copy with a
//! reversed range of cells. The copies are of codes of the worse half. The frequency of each kind follows the last
//! feedback: the more pegs it lacks, the more colors change; the more white pegs it has, the more ranges are reversed.
//! The population continues from guess to guess; it is drawn again after [`PATIENCE`] generations without an eligible
//! code.
//!
//! # Bernier and others
//! A turn answered with `b` black and `w` white pegs is worth 10 b + w to a code that agrees with it, and nothing to
//! one that does not. A turn without pegs is worth nothing, so the fitness ignores it.
//!
//! Known are this fitness, the three kinds of children and what their frequencies depend on, that copies are of codes
//! not among the best, that part of each generation survives, and that an eligible code is played at once. Not known,
//! and chosen here: colors are mutated rather than bits, the population (150), the share that survives, and the
//! probability of 1/4. The published mean is 5.62 guesses at 6x6.
//!
//! # Merelo and others
//! The cost is the number of black and white pegs by which a code misses the feedback, summed over all turns with a
//! weight per kind of peg. Colors that an empty feedback ruled out are removed from the population.
//!
//! Known are the fitness with its two weights, the excluded colors, and that an eligible code is played at once. Not
//! known, and chosen here: the weights (1 and 1), the population (30), and the kinds of children, taken from the
//! earlier paper. Published are 4.132 guesses at 4x6, which is below the optimum of any strategy, 5.904 at 5x8, and 279
//! and 2171 evaluations: the last is reproduced, the 279 is not.
//!
//! # Limits
//! If 20 populations of 50 generations have no eligible code, one found by backtracking is played.
//!
//! # References
//! - J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda, A. Prieto, Solving MasterMind using GAs and simulated
//!   annealing: a case of dynamic constraint optimization, PPSN IV, LNCS 1141, 553-563, 1996.
//! - J. J. Merelo, J. Carpio, P. Castillo, V. M. Rivas, G. Romero, Finding a needle in a haystack using hints and
//!   evolutionary computation: the case of Genetic MasterMind, GECCO, 1999.
//! - As described by A. Temporel and T. Kovacs, 2003, S. Singley, 2005, and V. van Oijen, 2018.

use pegwise_game::{Code, Color, History};

use super::BASE;
use super::engine::{Algorithm, Evolution, EvolutionState};
use super::operators::{AllowedColors, invert, repair, two_point_crossover};
use super::population::draw;
use pegwise_search::candidates::fallback::{StopCause, fallback_guess};
use pegwise_search::candidates::{Residual, TurnSet};
use pegwise_search::row::Row;
use pegwise_search::{Basis, Parameter, Proposal, Proposed, Search};

/// Number of generations without an eligible code after which the population is drawn again.
const PATIENCE: u32 = 50;
/// Maximum number of populations per guess.
const MAX_POPULATIONS: u32 = 20;
/// Reciprocal of the probability that a crossed child changes a color as well.
const CROSSED_PER_RECOLORED: u64 = 4;

pub(super) const POPULATION: Parameter =
    Parameter::integer("population", 4..=10_000, "150", "number of codes in a generation");
pub(super) const FIRST: Parameter = Parameter::code_or("first", &["random"], "first guess");

pub(super) const BERNIER: Row = Row {
    name: "bernier-ga",
    title: "Bernier et al.'s genetic algorithm",
    paper: "J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda, A. Prieto, Solving MasterMind using GAs and \
            simulated annealing: a case of dynamic constraint optimization, PPSN IV, 1996",
    about: "breeds codes that agree with the most informative turns, and plays the first that agrees with all",
    parameters: &[POPULATION, FIRST],
    build: |_, rules, arguments| {
        let fitness = Fitness::Agreement { worth: Vec::new() };
        Evolution::build(FirstEligible { fitness, allowed: AllowedColors::new(rules) }, rules, arguments)
    },
    ..BASE
};

pub(super) const MERELO: Row = Row {
    name: "merelo-1999",
    title: "Genetic MasterMind",
    paper: "J. J. Merelo, J. Carpio, P. Castillo, V. M. Rivas, G. Romero, Finding a needle in a haystack using \
            hints and evolutionary computation: the case of Genetic MasterMind, GECCO, 1999",
    about: "breeds codes that miss the feedback by few pegs, and plays the first eligible one",
    parameters: &[
        POPULATION,
        Parameter::integer("position-weight", 0..=1_000, "1", "weight of a missing or surplus black peg"),
        Parameter::integer("color-weight", 0..=1_000, "1", "weight of a missing or surplus white peg"),
        FIRST,
    ],
    presets: &[("population", "30")],
    build: |_, rules, arguments| {
        let weight = |name| arguments.integer(name) as u32;
        let fitness = Fitness::Distance { position: weight("position-weight"), color: weight("color-weight") };
        Evolution::build(FirstEligible { fitness, allowed: AllowedColors::new(rules) }, rules, arguments)
    },
    ..BASE
};

/// Cost of a code: zero if and only if it is consistent.
enum Fitness {
    /// Bernier: worth of the turns that the code does not agree with, plus one. `worth` has one entry per mark.
    Agreement { worth: Vec<u32> },
    /// Merelo: weighted number of missing and surplus pegs.
    Distance { position: u32, color: u32 },
}

impl Fitness {
    fn follow(&mut self, turns: &TurnSet) {
        if let Self::Agreement { worth } = self {
            let marks = turns.turns().iter().flat_map(|turn| turn.feedback.marks());
            worth.clear();
            worth.extend(marks.map(|mark| {
                // Capped, so that the sum does not overflow.
                let mut numbers = mark.numbers().map(|number| number.min(1_000) as u32);
                10 * numbers.next().unwrap_or(0) + numbers.next().unwrap_or(0)
            }));
        }
    }

    fn cost(&self, code: &[Color], turns: &mut TurnSet) -> u32 {
        let (mut cost, mut is_consistent) = (0u32, true);
        match self {
            Self::Agreement { worth } => {
                let mut worth = worth.iter();
                turns.visit_residuals(code, |misfit| {
                    let worth = worth.next().copied().unwrap_or(0);
                    if misfit != Residual::default() {
                        cost = cost.saturating_add(worth);
                        is_consistent = false;
                    }
                });
                // Plus one, because a turn may be worth nothing.
                if is_consistent { 0 } else { cost.saturating_add(1) }
            }
            Self::Distance { position, color } => {
                turns.visit_residuals(code, |misfit| {
                    let black = misfit.black.unsigned_abs().saturating_mul(*position);
                    let white = misfit.white.unsigned_abs().saturating_mul(*color);
                    cost = cost.saturating_add(black).saturating_add(white);
                    is_consistent &= misfit.size() == 0;
                });
                // At least one, because a weight may be zero.
                if is_consistent { 0 } else { cost.max(1) }
            }
        }
    }
}

struct FirstEligible {
    fitness: Fitness,
    allowed: AllowedColors,
}

impl FirstEligible {
    /// Makes a child valid and adds it to the next generation. Returns true if it is eligible.
    fn admit(&self, state: &mut EvolutionState, child: usize, search: &mut Search<'_>) -> bool {
        let code = &mut state.pair[child];
        self.allowed.purge(code, &mut search.rng);
        repair(code, &state.rules, &mut search.rng);
        let cost = self.fitness.cost(code, &mut state.turns);
        search.examine(1);
        state.next.push(code, cost);
        cost == 0
    }

    /// Draws a new population or updates the costs of the present one, unless a code is eligible before.
    fn begin(&self, state: &mut EvolutionState, fresh: bool, search: &mut Search<'_>) -> Option<Code> {
        state.next.clear();
        for index in 0..state.size {
            let code = &mut state.pair[0];
            match fresh {
                true => draw(code, &state.rules, &mut search.rng),
                false => code.copy_from_slice(state.population.member(index)),
            }
            if self.admit(state, 0, search) {
                return Some(Code::new(&state.pair[0][..]));
            }
        }
        state.advance();
        None
    }

    /// Breeds one generation, unless a child is eligible before it is complete. `kinds` are the relative frequencies of
    /// crossed, recolored and reversed children.
    fn breed(&self, state: &mut EvolutionState, kinds: [u64; 3], search: &mut Search<'_>) -> Option<Code> {
        let order = state.population.by_cost();
        let (best, others) = order.split_at(state.size / 2);
        let highest = state.population.max_cost();
        state.wheel.load(state.population.costs().iter().map(|&cost| u64::from(highest - cost) + 1));
        state.next.clear();
        for &index in best {
            state.next.push(state.population.member(index), state.population.cost(index));
        }
        while state.next.len() < state.size {
            let kind = search.rng.below(kinds.iter().sum());
            let children = if kind < kinds[0] { 2 } else { 1 };
            if children == 2 {
                state.select_parents(&mut search.rng);
                let [one, other] = &mut state.pair;
                two_point_crossover(one, other, &mut search.rng);
                for child in [one, other] {
                    if search.rng.below(CROSSED_PER_RECOLORED) == 0 {
                        self.allowed.recolor(child, &mut search.rng);
                    }
                }
            } else {
                let child = &mut state.pair[0];
                child.copy_from_slice(state.population.member(others[search.rng.index(others.len())]));
                match kind < kinds[0] + kinds[1] {
                    true => self.allowed.recolor(child, &mut search.rng),
                    false => invert(child, &mut search.rng),
                }
            }
            for child in 0..children.min(state.size - state.next.len()) {
                if self.admit(state, child, search) {
                    return Some(Code::new(&state.pair[child][..]));
                }
            }
        }
        state.advance();
        None
    }

    fn find(&self, state: &mut EvolutionState, search: &mut Search<'_>) -> Result<Code, StopCause> {
        let kinds = kinds(state);
        let mut fresh = !state.continues || state.population.len() != state.size;
        for _ in 0..MAX_POPULATIONS {
            if let Some(code) = self.begin(state, fresh, search) {
                return Ok(code);
            }
            for _ in 0..PATIENCE {
                if let Some(stop) = search.stop() {
                    return Err(StopCause::Limit(stop));
                }
                if let Some(code) = self.breed(state, kinds, search) {
                    return Ok(code);
                }
            }
            fresh = true;
        }
        Err(StopCause::Effort)
    }
}

/// Returns the relative frequencies of crossed, recolored and reversed children after the last feedback.
fn kinds(state: &EvolutionState) -> [u64; 3] {
    let cells = state.rules.cells() as u64;
    match state.turns.turns().last().map(|turn| turn.feedback.marks()) {
        Some(&[mark]) if mark.kind().model().is_classic() => {
            let [black, pegs] = mark.sums();
            [cells, cells.saturating_sub(pegs), pegs - black]
        }
        _ => [2, 1, 1],
    }
}

impl Algorithm for FirstEligible {
    fn next_guess(&mut self, state: &mut EvolutionState, history: &History, search: &mut Search<'_>) -> Proposed {
        self.fitness.follow(&state.turns);
        if let Fitness::Distance { .. } = self.fitness {
            self.allowed.follow(history.turns());
        }
        match self.find(state, search) {
            Ok(guess) => {
                search.find(1);
                Ok(Proposal::new(guess, Basis::Consistent))
            }
            Err(cause) => fallback_guess(history, cause, state.cheapest(|_| true), search),
        }
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Rules;

    use super::*;

    #[test]
    fn turns_are_worth_ten_per_black_peg_and_one_per_white_peg() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["1122=1,1", "3344=0,2", "5555=0,0"]).unwrap();
        let mut turns = TurnSet::new(&rules);
        turns.follow(&history);
        let mut fitness = Fitness::Agreement { worth: Vec::new() };
        fitness.follow(&turns);
        assert!(matches!(&fitness, Fitness::Agreement { worth } if *worth == [11, 2, 0]));
        for (code, cost) in [("1431", 0), ("1166", 14), ("1435", 12), ("5431", 12), ("1425", 14), ("6666", 14)] {
            let code = rules.parse_code(code).unwrap();
            assert_eq!(fitness.cost(&code, &mut turns), cost, "{code:?}");
            assert_eq!(cost == 0, history.is_consistent(&code));
        }
    }
}
