//! EvoRank and the canonical genetic algorithm it is based on: breed eligible codes, and play the one that splits them
//! best.
//!
//! # EvoRank
//! A population is bred until 20 distinct codes in it are eligible (consistent with the feedback so far), or their
//! number stays the same, and not zero, for three generations. Then the one that splits those codes into the most parts
//! is played; ties are broken at random. A code that misses the feedback by `d` pegs has the fitness `-d`, an eligible
//! one the number of parts into which it splits the other eligible codes. All are raised by a constant so that the
//! lowest is 1, and parents are selected in proportion. Two parents change one color each and are crossed at one point;
//! the best codes survive and children replace the rest. The population continues from guess to guess, and is drawn
//! again after 50 generations without an eligible code.
//!
//! With `fitness=entropy`, the fitness of an eligible code is the entropy of its feedback, in bits.
//!
//! # Canonical genetic algorithm
//! As EvoRank, but the fitness is 1/(1+d), so that all eligible codes are worth the same; the population is drawn again
//! after 15 generations without an eligible code; and eligible codes are kept through the game while they are
//! consistent, even if the population has lost them.
//!
//! # Readings
//! - The first case of equation 4 is meant for `f < 0`.
//! - The *replacement rate* is the share that survives, as in the authors' public program, and each child is both
//!   mutated and crossed: this reproduces all five printed means. Read as the share that is replaced, the rates 0.25
//!   and 0.75 change places.
//! - The parts are counted among the eligible codes of the current population, in each generation; a code is not
//!   counted in its own partition (table II).
//! - A generation of EvoRank counts as many evaluations as there are codes, including those that survived. The
//!   canonical algorithm counts children when they are bred, and the whole population when eligible codes are
//!   collected. So counted, it needs as many evaluations at 256 as EvoRank at 400, and half as many again at 400, as
//!   the paper says.
//! - Table III gives 400 codes for the canonical algorithm; the printed mean is that of the earlier paper, and is
//!   reproduced with 256, the default here.
//! - The first population consists of distinct codes.
//!
//! # Cost
//! A generation costs a comparison with each turn per child, and a feedback per pair of eligible codes. A game of
//! EvoRank at 4x6 has some eleven generations of 400 codes.
//!
//! # Limits
//! Boards of up to 1,024 cells. If 20 populations have no eligible code, one found by backtracking is played.
//!
//! # References
//! - J. J. Merelo, T. P. Runarsson, Finding better solutions to the Mastermind puzzle using evolutionary algorithms,
//!   EvoApplications, LNCS 6024, 120-129, 2010.
//! - J. J. Merelo, A. M. Mora, T. P. Runarsson, C. Cotta, Assessing efficiency of different evolutionary strategies
//!   playing MasterMind, IEEE Conference on Computational Intelligence and Games, 38-45, 2010.

use std::cmp::Reverse;

use pegwise_game::{Color, History, Rules};

use super::BASE;
use super::engine::{Algorithm, Evolution, EvolutionState};
use super::operators::{one_point_crossover, recolor, repair};
use super::population::{CodeSet, Population};
use super::splitter::Splitter;
use pegwise_search::candidates::TurnSet;
use pegwise_search::candidates::fallback::{StopCause, fallback_guess};
use pegwise_search::one_step::Criterion;
use pegwise_search::row::{Arguments, Row};
use pegwise_search::{Basis, Built, Parameter, Proposal, Proposed, Rng, Search};

const POPULATION: Parameter = Parameter::integer("population", 2..=10_000, "400", "number of codes in a generation");
const REPLACEMENT: Parameter = Parameter::decimal(
    "replacement",
    0.0..=1.0,
    "0.4",
    "the paper's replacement rate: the share of best codes that survive a generation",
);
const FIRST: Parameter = Parameter::code_or(
    "first",
    &["cycle", "random"],
    "first guess: half of the colors in a cycle (1231 at 4x6), a random code, or this one",
);
const FITNESS: Parameter = Parameter::choice(
    "fitness",
    &["partitions", "entropy"],
    "fitness of an eligible code: the number of parts into which it splits the others, or their entropy",
);

pub(super) const EVORANK: Row = Row {
    name: "evorank",
    title: "EvoRank",
    paper: "J. J. Merelo, A. M. Mora, T. P. Runarsson, C. Cotta, Assessing efficiency of different evolutionary \
            strategies playing MasterMind, CIG, 2010",
    about: "breeds eligible codes that split the others well, and plays the one with the most parts",
    parameters: &[POPULATION, REPLACEMENT, FITNESS, FIRST],
    build: |_, rules, arguments| {
        let entropy = arguments.text("fitness") == "entropy";
        let criterion = if entropy { Criterion::Entropy } else { Criterion::MostParts };
        Ranked::build(Variant::EvoRank, criterion, rules, arguments)
    },
    ..BASE
};

pub(super) const CGA: Row = Row {
    name: "cga",
    title: "Canonical genetic algorithm with partitions",
    paper: "J. J. Merelo, T. P. Runarsson, Finding better solutions to the Mastermind puzzle using evolutionary \
            algorithms, EvoApplications, 2010",
    about: "breeds eligible codes, and plays the one that splits the others into the most parts",
    parameters: &[POPULATION, REPLACEMENT, FIRST],
    presets: &[("population", "256")],
    build: |_, rules, arguments| Ranked::build(Variant::Canonical, Criterion::MostParts, rules, arguments),
    ..BASE
};

/// Number of eligible codes that ends a search: more do not improve the choice at 4x6.
const ENOUGH: usize = 20;
/// Number of generations without a new eligible code that ends a search.
const STALE: u32 = 3;
/// Maximum number of new populations per guess.
const MAX_RESTARTS: u32 = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    EvoRank,
    Canonical,
}

impl Variant {
    /// Returns the number of generations without an eligible code after which the population is drawn again.
    fn patience(self) -> u32 {
        match self {
            Self::EvoRank => 50,
            Self::Canonical => 15,
        }
    }

    /// Returns the number of evaluations that the paper counts for a generation.
    fn evaluations(self, population: usize, children: usize) -> u64 {
        match self {
            Self::EvoRank => population as u64,
            Self::Canonical => (population + children) as u64,
        }
    }
}

struct Ranked {
    variant: Variant,
    /// Share of the population that survives a generation.
    survivors: f64,
    eligible: EligibleSet,
    splitter: Splitter,
    scores: Vec<u64>,
    weights: Vec<u64>,
}

impl Ranked {
    fn build(variant: Variant, criterion: Criterion, rules: &Rules, arguments: &Arguments) -> Built {
        let ranked = Self {
            variant,
            survivors: arguments.decimal("replacement"),
            eligible: EligibleSet::new(rules),
            splitter: Splitter::new(rules, criterion),
            scores: Vec::new(),
            weights: Vec::new(),
        };
        Evolution::build(ranked, rules, arguments)
    }

    /// Prepares for a guess with the population of this game or a new one.
    fn begin(&mut self, state: &mut EvolutionState, search: &mut Search<'_>) {
        if state.continues && state.population.len() == state.size {
            if self.variant == Variant::Canonical {
                search.examine(self.eligible.retain_consistent(&mut state.turns) as u64);
            }
            state.population.update_costs(|code| state.turns.distance(code));
            search.examine(state.size as u64);
        } else {
            self.eligible.clear();
            state.draw_population(search);
        }
        self.gather(state);
    }

    fn gather(&mut self, state: &EvolutionState) {
        if self.variant == Variant::EvoRank {
            self.eligible.clear();
        }
        for index in (0..state.population.len()).filter(|&index| state.population.cost(index) == 0) {
            self.eligible.insert(state.population.member(index));
        }
    }

    fn breed(&mut self, state: &mut EvolutionState, search: &mut Search<'_>) {
        const ONE: u64 = 1 << 32;
        self.weights.clear();
        match self.variant {
            Variant::Canonical => {
                self.weights.extend(state.population.costs().iter().map(|&cost| ONE / (1 + u64::from(cost))));
            }
            Variant::EvoRank => {
                self.splitter.score(&self.eligible.codes, &mut self.scores, search);
                let highest = state.population.max_cost();
                for index in 0..state.population.len() {
                    let cost = state.population.cost(index);
                    let score =
                        if cost == 0 { self.scores[self.eligible.insert(state.population.member(index))] } else { 0 };
                    self.weights.push(u64::from(highest - cost + 1) * self.splitter.score_per_peg() + score);
                }
            }
        }
        let children = breed(state, &self.weights, self.survivors, &mut search.rng);
        search.examine(self.variant.evaluations(state.size, children));
    }

    /// Breeds until enough codes are eligible or their number stays the same.
    fn collect(&mut self, state: &mut EvolutionState, search: &mut Search<'_>) -> Result<(), StopCause> {
        let (mut unchanged, mut restarts) = (0, 0);
        while self.eligible.len() < ENOUGH {
            if let Some(stop) = search.stop() {
                return if self.eligible.len() > 0 { Ok(()) } else { Err(StopCause::Limit(stop)) };
            }
            let before = self.eligible.len();
            self.breed(state, search);
            self.gather(state);
            unchanged = if self.eligible.len() == before { unchanged + 1 } else { 0 };
            if unchanged >= STALE && self.eligible.len() > 0 {
                return Ok(());
            }
            if unchanged >= self.variant.patience() {
                restarts += 1;
                if restarts == MAX_RESTARTS {
                    return Err(StopCause::Effort);
                }
                state.draw_population(search);
                self.gather(state);
                unchanged = 0;
            }
        }
        Ok(())
    }

    fn choose(&mut self, search: &mut Search<'_>) -> Proposal {
        self.splitter.score(&self.eligible.codes, &mut self.scores, search);
        let highest = self.scores.iter().copied().max().unwrap_or(0);
        let best: Vec<usize> = (0..self.scores.len()).filter(|&index| self.scores[index] == highest).collect();
        let chosen = best[search.rng.index(best.len())];
        let basis = if self.eligible.len() > 1 { Basis::Scored } else { Basis::Consistent };
        Proposal::new(self.eligible.codes.code(chosen), basis)
    }
}

impl Algorithm for Ranked {
    fn next_guess(&mut self, state: &mut EvolutionState, history: &History, search: &mut Search<'_>) -> Proposed {
        self.begin(state, search);
        let proposal = match self.collect(state, search) {
            Ok(()) => self.choose(search),
            Err(cause) => fallback_guess(history, cause, state.cheapest(|_| true), search)?,
        };
        search.find(self.eligible.len() as u64);
        Ok(proposal)
    }
}

/// Breeds a generation: the members of highest weight survive, and children of parents selected by weight replace the
/// others. Returns the number of children.
fn breed(state: &mut EvolutionState, weights: &[u64], survivors: f64, rng: &mut Rng) -> usize {
    let count = (state.size as f64 * survivors) as usize;
    state.wheel.load(weights.iter().copied());
    state.next.clear();
    if count > 0 {
        // Of equal weights, the earlier member survives. Survivors keep their order.
        let rank = |index: usize| (Reverse(weights[index]), index);
        let mut ranks: Vec<_> = (0..weights.len()).map(rank).collect();
        let (_, &mut last, _) = ranks.select_nth_unstable(count - 1);
        for index in (0..weights.len()).filter(|&index| rank(index) <= last) {
            state.next.push(state.population.member(index), state.population.cost(index));
        }
    }
    while state.next.len() < state.size {
        for child in &mut state.pair {
            child.copy_from_slice(state.population.member(state.wheel.spin(rng)));
            recolor(child, &state.rules, rng);
        }
        let [one, other] = &mut state.pair;
        one_point_crossover(one, other, rng);
        for child in [one, other] {
            if state.next.len() < state.size {
                repair(child, &state.rules, rng);
                state.next.push(child, state.turns.distance(child));
            }
        }
    }
    state.advance();
    state.size - count
}

/// Distinct eligible codes, in the order in which they were found.
#[derive(Debug)]
struct EligibleSet {
    codes: Population,
    set: CodeSet,
}

impl EligibleSet {
    fn new(rules: &Rules) -> Self {
        Self { codes: Population::new(rules), set: CodeSet::new(rules) }
    }

    fn len(&self) -> usize {
        self.codes.len()
    }

    fn clear(&mut self) {
        self.codes.clear();
        self.set.clear();
    }

    /// Adds a code if it is new. Returns its index.
    fn insert(&mut self, code: &[Color]) -> usize {
        let index = self.set.insert_index(code);
        if index == self.codes.len() {
            self.codes.push(code, 0);
        }
        index
    }

    /// Removes the codes that are no longer consistent. Returns the number of codes tested.
    fn retain_consistent(&mut self, turns: &mut TurnSet) -> usize {
        let tested = std::mem::replace(&mut self.codes, Population::new(turns.rules()));
        self.set.clear();
        for index in 0..tested.len() {
            if turns.is_consistent(tested.member(index)) {
                self.insert(tested.member(index));
            }
        }
        tested.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_survive_and_the_others_are_replaced() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut state = EvolutionState::new(&rules, 50);
        state.turns.follow(&History::parse(&rules, ["1123=1,1", "4456=0,1"]).unwrap());
        let mut rng = Rng::new(1);
        for _ in 0..50 {
            let code = rng.code(&rules);
            state.population.push(&code, state.turns.distance(&code));
        }
        let population = state.population.clone();
        for survivors in [0.0, 0.25, 0.5, 1.0] {
            state.population = population.clone();
            let weights: Vec<u64> = population.costs().iter().map(|&cost| 20 - u64::from(cost)).collect();
            let children = breed(&mut state, &weights, survivors, &mut rng);
            let next = &state.population;
            let count = (50.0 * survivors) as usize;
            assert_eq!((next.len(), children), (50, 50 - count));
            let mut best = population.by_cost();
            best.truncate(count);
            best.sort_unstable();
            for (index, old) in best.into_iter().enumerate() {
                assert_eq!(next.member(index), population.member(old));
            }
            for index in 0..50 {
                assert_eq!(next.cost(index), state.turns.distance(next.member(index)));
            }
        }
    }
}
