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
//! As EvoRank, but the fitness is 1/(1+d), so that all eligible codes are worth the same, and the population is drawn
//! again after 15 generations without an eligible code.
//!
//! # Variants that the paper mentions
//! - `distance`: the pegs by which a code misses one feedback are added (taxicab), or the larger of black and white pegs
//!   counts (Chebyshev), or the root of the sum of squares (Euclidean). Distances add up over the feedbacks.
//! - `children=distribution`: estimation of distribution. The color of each cell is drawn from the colors that the
//!   survivors have there, each color counted once more, and nothing is crossed or mutated.
//! - `permutation`, `inversion`: probabilities that a child swaps two cells or reverses a range.
//! - `endgame=exhaustive`: after a feedback with all black pegs but one, with all white pegs or with none, every
//!   consistent code is listed by backtracking and compared, if there are at most 1,000. Those codes count as evaluated;
//!   the steps of the listing are `nodes`.
//!
//! # Readings
//! - The first case of equation 4 is meant for `f < 0`.
//! - The *replacement rate* is the share that survives, as in the authors' public program, and each child is both
//!   mutated and crossed: this reproduces all five printed means. Read as the share that is replaced, the rates 0.25
//!   and 0.75 change places.
//! - The parts are counted among the eligible codes of the current population, in each generation; a code is not
//!   counted in its own partition (table II).
//! - A generation counts as many evaluations as there are codes, including those that survived, in both algorithms.
//! - Table III has a column of EvoRank with a reset after 50 generations, and one of the canonical algorithm with a
//!   population of 400 and a reset after 15.
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
use std::ops::ControlFlow;

use pegwise_game::{Color, History, Rules};

use super::BASE;
use super::berghman::{ELIGIBLE, INVERSION, PERMUTATION};
use super::engine::{Algorithm, Evolution, EvolutionState};
use super::operators::{invert, one_point_crossover, recolor, repair, swap};
use super::population::{CodeSet, Population};
use super::splitter::Splitter;
use pegwise_search::candidates::backtrack::{Backtrack, End, Order};
use pegwise_search::candidates::fallback::{StopCause, fallback_guess};
use pegwise_search::candidates::{Residual, TurnSet};
use pegwise_search::one_step::Criterion;
use pegwise_search::row::{Arguments, Row};
use pegwise_search::{Basis, Built, Parameter, Proposal, Proposed, Rng, Search};

const POPULATION: Parameter = Parameter::integer("population", 2..=10_000, "400", "number of codes in a generation");
const REPLACEMENT: Parameter = Parameter::decimal(
    "replacement",
    0.0..=1.0,
    "0.4",
    "the paper's replacement rate: the share of the population, its best codes, that survives a generation",
);
const RESET: Parameter = Parameter::integer(
    "reset",
    1..=10_000,
    "50",
    "number of generations without an eligible code after which the population is drawn again",
);
const UNCHANGED: Parameter = Parameter::integer(
    "unchanged",
    1..=10_000,
    "3",
    "number of generations with the same number of eligible codes that ends a search",
);
const DISTANCE: Parameter = Parameter::choice(
    "distance",
    &["taxicab", "chebyshev", "euclidean"],
    "distance of a code from a feedback: all missing and surplus pegs, the larger of black and white, or Euclidean",
);
const CHILDREN: Parameter = Parameter::choice(
    "children",
    &["crossover", "distribution"],
    "origin of children: two parents, or the distribution of colors of the survivors in each cell",
);
const ENDGAME: Parameter = Parameter::choice(
    "endgame",
    &["none", "exhaustive"],
    "exhaustive: after a feedback with all black pegs but one, all white pegs, or no pegs, compares all remaining codes",
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
    parameters: &[
        POPULATION, REPLACEMENT, FITNESS, RESET, ELIGIBLE, UNCHANGED, DISTANCE, CHILDREN, PERMUTATION, INVERSION,
        ENDGAME, FIRST,
    ],
    presets: &[("eligible", "20"), ("permutation", "0"), ("inversion", "0")],
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
    parameters: &[
        POPULATION, REPLACEMENT, RESET, ELIGIBLE, UNCHANGED, DISTANCE, CHILDREN, PERMUTATION, INVERSION, ENDGAME, FIRST,
    ],
    presets: &[("reset", "15"), ("eligible", "20"), ("permutation", "0"), ("inversion", "0")],
    build: |_, rules, arguments| Ranked::build(Variant::Canonical, Criterion::MostParts, rules, arguments),
    ..BASE
};

/// Maximum number of populations per guess, including the first.
const MAX_RESTARTS: u32 = 20;
/// Maximum number of consistent codes that an endgame compares.
const ENDGAME_CODES: usize = 1_000;
/// Maximum number of steps to list the codes of an endgame.
const ENDGAME_STEPS: u64 = 200_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    EvoRank,
    Canonical,
}

/// Distance of a code from one feedback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Metric {
    Taxicab,
    Chebyshev,
    Euclidean,
}

impl Metric {
    fn named(word: &str) -> Self {
        match word {
            "chebyshev" => Self::Chebyshev,
            "euclidean" => Self::Euclidean,
            _ => Self::Taxicab,
        }
    }

    /// Number of units of the distance per peg.
    fn unit(self) -> u32 {
        if self == Self::Euclidean { 1024 } else { 1 }
    }

    /// Returns the length of a residual in units, rounded down.
    fn length(self, residual: Residual) -> u32 {
        let (black, white) = (residual.black.unsigned_abs(), residual.white.unsigned_abs());
        match self {
            Self::Taxicab => black.saturating_add(white),
            Self::Chebyshev => black.max(white),
            Self::Euclidean => {
                let squares = u128::from(black).pow(2) + u128::from(white).pow(2);
                (squares * u128::from(self.unit()).pow(2)).isqrt().try_into().unwrap_or(u32::MAX)
            }
        }
    }

    /// Returns the sum over all turns: zero for a consistent code.
    fn cost(self, turns: &mut TurnSet, code: &[Color]) -> u32 {
        if self == Self::Taxicab {
            return turns.distance(code);
        }
        let mut cost = 0u32;
        turns.visit_residuals(code, |residual| cost = cost.saturating_add(self.length(residual)));
        cost
    }
}

struct Ranked {
    variant: Variant,
    breeding: Breeding,
    /// Number of generations without an eligible code after which the population is drawn again.
    patience: u64,
    /// Number of eligible codes that ends a search.
    enough: usize,
    /// Number of generations with the same number of eligible codes that ends a search.
    stale: u64,
    endgame: bool,
    eligible: EligibleSet,
    splitter: Splitter,
    scores: Vec<u64>,
    weights: Vec<u64>,
}

impl Ranked {
    fn build(variant: Variant, criterion: Criterion, rules: &Rules, arguments: &Arguments) -> Built {
        let breeding = Breeding {
            survivors: arguments.decimal("replacement"),
            metric: Metric::named(arguments.text("distance")),
            distribution: arguments.text("children") == "distribution",
            permutation: arguments.decimal("permutation"),
            inversion: arguments.decimal("inversion"),
        };
        let ranked = Self {
            variant,
            breeding,
            patience: arguments.integer("reset"),
            enough: arguments.integer("eligible") as usize,
            stale: arguments.integer("unchanged"),
            endgame: arguments.text("endgame") == "exhaustive",
            eligible: EligibleSet::new(rules),
            splitter: Splitter::new(rules, criterion),
            scores: Vec::new(),
            weights: Vec::new(),
        };
        Evolution::build(ranked, rules, arguments)
    }

    fn draw_population(&mut self, state: &mut EvolutionState, search: &mut Search<'_>) {
        let metric = self.breeding.metric;
        state.draw_population(|turns, code| metric.cost(turns, code), search);
    }

    /// Prepares for a guess with the population of this game or a new one.
    fn begin(&mut self, state: &mut EvolutionState, search: &mut Search<'_>) {
        if state.continues && state.population.len() == state.size {
            state.population.update_costs(|code| self.breeding.metric.cost(&mut state.turns, code));
            search.examine(state.size as u64);
        } else {
            self.draw_population(state, search);
        }
        self.gather(state);
    }

    fn gather(&mut self, state: &EvolutionState) {
        self.eligible.clear();
        for index in (0..state.population.len()).filter(|&index| state.population.cost(index) == 0) {
            self.eligible.insert(state.population.member(index));
        }
    }

    fn breed(&mut self, state: &mut EvolutionState, search: &mut Search<'_>) {
        const ONE: u64 = 1 << 32;
        let unit = self.breeding.metric.unit();
        self.weights.clear();
        match self.variant {
            Variant::Canonical => {
                let weight = |&cost| ONE * u64::from(unit) / u64::from(cost + unit);
                self.weights.extend(state.population.costs().iter().map(weight));
            }
            Variant::EvoRank => {
                self.splitter.score(&self.eligible.codes, &mut self.scores, search);
                let highest = state.population.max_cost();
                for index in 0..state.population.len() {
                    let cost = state.population.cost(index);
                    let score =
                        if cost == 0 { self.scores[self.eligible.insert(state.population.member(index))] } else { 0 };
                    let distance = u64::from(highest - cost + unit) * self.splitter.score_per_peg();
                    self.weights.push(distance + score * u64::from(unit));
                }
            }
        }
        self.breeding.breed(state, &self.weights, &mut search.rng);
        search.examine(state.size as u64);
    }

    /// Breeds until enough codes are eligible or their number stays the same.
    fn collect(&mut self, state: &mut EvolutionState, search: &mut Search<'_>) -> Result<(), StopCause> {
        let (mut unchanged, mut restarts) = (0, 0);
        while self.eligible.len() < self.enough {
            if let Some(stop) = search.stop() {
                return if self.eligible.len() > 0 { Ok(()) } else { Err(StopCause::Limit(stop)) };
            }
            let before = self.eligible.len();
            self.breed(state, search);
            self.gather(state);
            unchanged = if self.eligible.len() == before { unchanged + 1 } else { 0 };
            if unchanged >= self.stale && self.eligible.len() > 0 {
                return Ok(());
            }
            if unchanged >= self.patience {
                restarts += 1;
                if restarts == MAX_RESTARTS {
                    return Err(StopCause::Effort);
                }
                self.draw_population(state, search);
                self.gather(state);
                unchanged = 0;
            }
        }
        Ok(())
    }

    /// Makes all consistent codes eligible if the game is in an endgame and they can be listed; returns false otherwise.
    fn list_endgame(&mut self, history: &History, search: &mut Search<'_>) -> bool {
        if !self.endgame || !is_endgame(history) {
            return false;
        }
        self.eligible.clear();
        let eligible = &mut self.eligible;
        let end = Backtrack::new(history).visit(Order::AscendingFrom(None), ENDGAME_STEPS, search, |code| {
            eligible.insert(code);
            if eligible.len() > ENDGAME_CODES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        end == End::NoMore && self.eligible.len() > 0
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
        let proposal = if self.list_endgame(history, search) {
            self.choose(search)
        } else {
            self.begin(state, search);
            match self.collect(state, search) {
                Ok(()) => self.choose(search),
                Err(cause) => fallback_guess(history, cause, state.cheapest(|_| true), search)?,
            }
        };
        search.find(self.eligible.len() as u64);
        Ok(proposal)
    }
}

/// Returns true after a feedback of black and white pegs with all black pegs but one, with all white pegs, or with none.
fn is_endgame(history: &History) -> bool {
    let cells = history.rules().cells() as u64;
    history.turns().iter().any(|turn| match turn.feedback.marks() {
        [mark] if mark.kind().model().is_classic() => {
            let [black, pegs] = mark.sums();
            black + 1 == cells || (black == 0 && pegs == cells) || pegs == 0
        }
        _ => false,
    })
}

/// Parameters of a generation.
#[derive(Debug, Clone, Copy)]
struct Breeding {
    /// Share of the population that survives a generation.
    survivors: f64,
    metric: Metric,
    /// Draws children from the distribution of the survivors instead of crossing parents.
    distribution: bool,
    permutation: f64,
    inversion: f64,
}

impl Breeding {
    /// Breeds a generation: the members of highest weight survive, and children replace the others: of parents selected
    /// by weight, or drawn from the distribution of the survivors.
    fn breed(self, state: &mut EvolutionState, weights: &[u64], rng: &mut Rng) {
        let count = (state.size as f64 * self.survivors) as usize;
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
            if self.distribution {
                state.pair.iter_mut().for_each(|child| draw_like(&state.next, count, child, &state.rules, rng));
            } else {
                for child in &mut state.pair {
                    child.copy_from_slice(state.population.member(state.wheel.spin(rng)));
                    recolor(child, &state.rules, rng);
                }
                let [one, other] = &mut state.pair;
                one_point_crossover(one, other, rng);
            }
            for child in &mut state.pair {
                if state.next.len() < state.size {
                    repair(child, &state.rules, rng);
                    // A probability of zero takes no random number.
                    if self.permutation > 0.0 && rng.chance(self.permutation) {
                        swap(child, rng);
                    }
                    if self.inversion > 0.0 && rng.chance(self.inversion) {
                        invert(child, rng);
                    }
                    state.next.push(child, self.metric.cost(&mut state.turns, child));
                }
            }
        }
        state.advance();
    }
}

/// Draws each cell from the colors that the first `count` members have there, with every color counted once more.
fn draw_like(members: &Population, count: usize, code: &mut [Color], rules: &Rules, rng: &mut Rng) {
    for (cell, color) in code.iter_mut().enumerate() {
        let drawn = rng.index(count + usize::from(rules.colors()));
        *color = if drawn < count { members.member(drawn)[cell] } else { Color::new((drawn - count) as u16) };
    }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breeding(survivors: f64) -> Breeding {
        let metric = Metric::Taxicab;
        Breeding { survivors, metric, distribution: false, permutation: 0.0, inversion: 0.0 }
    }

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
            breeding(survivors).breed(&mut state, &weights, &mut rng);
            let next = &state.population;
            let count = (50.0 * survivors) as usize;
            assert_eq!(next.len(), 50);
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

    #[test]
    fn distances_are_taxicab_chebyshev_and_euclidean() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut turns = TurnSet::new(&rules);
        turns.follow(&History::parse(&rules, ["1122=3,0", "3456=0,0"]).unwrap());
        // 1212 would be answered 2,2 and 0,0; 3312 would be answered 1,1 and 1,0.
        for (code, taxicab, chebyshev, euclidean) in
            [("1212", 3, 2, 5f64.sqrt()), ("3312", 4, 3, 5f64.sqrt() + 1.0), ("1123", 1, 1, 1.0), ("1121", 0, 0, 0.0)]
        {
            let code = rules.parse_code(code).unwrap();
            assert_eq!(Metric::Taxicab.cost(&mut turns, &code), taxicab, "{code:?}");
            assert_eq!(Metric::Chebyshev.cost(&mut turns, &code), chebyshev, "{code:?}");
            let units = Metric::Euclidean.cost(&mut turns, &code);
            assert!((f64::from(units) / 1024.0 - euclidean).abs() < 2.0 / 1024.0, "{code:?}: {units}");
        }
    }

    #[test]
    fn children_follow_the_distribution_of_the_survivors() {
        let rules: Rules = "2x3".parse().unwrap();
        let mut members = Population::new(&rules);
        for code in ["11", "12", "13", "33"] {
            members.push(&rules.parse_code(code).unwrap(), 0);
        }
        let mut rng = Rng::new(1);
        let mut seen = [[0u32; 3]; 2];
        for _ in 0..6_000 {
            let mut code = [Color::default(); 2];
            // The last member is not a survivor.
            draw_like(&members, 3, &mut code, &rules, &mut rng);
            (0..2).for_each(|cell| seen[cell][code[cell].index()] += 1);
        }
        // Three survivors with color 1 in the first cell, and one of each in the second, plus one of each color.
        for (seen, expected) in seen.as_flattened().iter().zip([4_000, 1_000, 1_000, 2_000, 2_000, 2_000]) {
            assert!(seen.abs_diff(expected) < 170, "{seen} instead of {expected}");
        }
    }

    #[test]
    fn endgames_follow_one_missing_peg_or_an_extreme() {
        let is_endgame = |rules: &str, turn: &str| {
            let rules: Rules = rules.parse().unwrap();
            is_endgame(&History::parse(&rules, [turn]).unwrap())
        };
        for turn in ["1123=3,0", "1123=0,4", "1123=0,0"] {
            assert!(is_endgame("4x6", turn), "{turn}");
        }
        for turn in ["1123=2,2", "1123=0,3", "1123=1,0"] {
            assert!(!is_endgame("4x6", turn), "{turn}");
        }
        assert!(!is_endgame("4x6:black-only", "1123=3"));
    }

    /// The codes of an endgame are all consistent codes, of which the best is played.
    #[test]
    fn endgames_compare_all_consistent_codes() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["1231=0,0", "4455=1,0"]).unwrap();
        let spec: pegwise_solve::Spec = "evorank(endgame=exhaustive)".parse().unwrap();
        let mut strategy = (EVORANK.build)("evorank", &rules, spec.arguments()).unwrap();
        let mut search = Search::new(1);
        let guess = strategy.next_guess(&history, &mut search).unwrap().guess;
        let codes = pegwise_game::Space::new(&rules).iter().filter(|code| history.is_consistent(code)).count() as u64;
        assert_eq!((search.counts().consistent, search.counts().examined), (codes, codes));
        assert!(history.is_consistent(&guess));
    }
}
