//! Berghman, Goossens and Leus: breeds with parents selected by fitness, collects eligible codes, and plays one of
//! them.
//!
//! For every guess, a population of distinct random codes is bred for some generations: parents by roulette, one-point
//! or two-point crossover, then mutation, permutation and inversion with low probability. All codes that are consistent
//! with the history (*eligible*) are collected until there are enough; if the last generation ends without one, a new
//! population is drawn. The guess is one of the eligible codes.
//!
//! The cost of a code is the number of pegs by which it misses the feedbacks so far. Both descriptions call the
//! probability of becoming a parent proportional to a fitness that is this cost plus a constant: `weights=printed`, with
//! the constant 2P(m - 1) after m guesses with P cells, which breeds the worst codes. `weights=bound` reads a minus:
//! 2Pm minus the cost, with the largest possible cost 2Pm. The default, `weights=worst`, is the highest cost of the
//! generation minus the cost: of the weights that decrease with the cost, the one under which a guess collects as many
//! codes as in van Oijen's tables, for every board and population size. The published tables list the results of all.
//!
//! The counters follow those tables: `examined` counts the first guess and every code of every generation; `consistent`
//! counts the first guess and every eligible code of every generation, again in each generation in which it survives.
//! Only a first generation must be of distinct codes.
//!
//! A generation costs one comparison with the history per code. Small spaces take some ten generations per guess, late
//! guesses in large ones many populations. The number depends on how fast a population converges, and so on the weights
//! that the text leaves open: the published games examined about as many codes as these at 4x6 with the smaller
//! populations, twice as many at 6x9, and several times as many at 8x12, with standard deviations above their means.
//! Zero probabilities of mutation, permutation and inversion come closer; the published probabilities are the defaults
//! nevertheless.
//!
//! A search that exceeds its effort ends with a code found by backtracking, or with the code closest to consistency.
//!
//! # References
//! L. Berghman, D. Goossens, R. Leus, Efficient solutions for Mastermind using genetic algorithms, Computers &
//! Operations Research 36(6), 2009. <https://doi.org/10.1016/j.cor.2008.06.004> V. van Oijen, Genetic algorithms
//! playing Mastermind, Bachelor's thesis, Utrecht University, 2018.

use std::collections::{BTreeSet, HashMap};

use pegwise_game::{Code, Color, History, Judge, Rules};

use super::engine::{Algorithm, Evolution, EvolutionState};
use super::operators::{self, Roulette, one_point_crossover, repair, two_point_crossover};
use super::population::{Population, draw_distinct};
use pegwise_search::candidates::TurnSet;
use pegwise_search::candidates::backtrack::is_contradictory;
use pegwise_search::candidates::fallback::{self, StopCause};
use pegwise_search::one_step::{CostFunction, Criterion};
use pegwise_search::row::{Arguments, Row};
use pegwise_search::{Basis, Parameter, Proposal, Proposed, Rng, Search, Stop, StrategyError};

pub(super) const POPULATION: Parameter =
    Parameter::integer("population", 2..=10_000, "150", "number of codes in a generation");
pub(super) const FIRST: Parameter =
    Parameter::code_or("first", &["pairs", "random"], "first guess; pairs is 1123, 112234, 11223345 and so on");
pub(super) const GENERATIONS: Parameter =
    Parameter::integer("generations", 1..=10_000, "100", "maximum number of generations of a population");
pub(super) const ELIGIBLE: Parameter =
    Parameter::integer("eligible", 1..=10_000, "60", "number of eligible codes that ends a search");
pub(super) const CHOICE: Parameter = Parameter::choice(
    "choice",
    &["random", "most-similar", "least-similar", "expected-size"],
    "choice among the eligible codes",
);

pub(super) const MUTATION: Parameter =
    Parameter::decimal("mutation", 0.0..=1.0, "0.03", "probability that a child changes the color of a cell");
pub(super) const PERMUTATION: Parameter =
    Parameter::decimal("permutation", 0.0..=1.0, "0.03", "probability that a child swaps two cells");
pub(super) const INVERSION: Parameter =
    Parameter::decimal("inversion", 0.0..=1.0, "0.02", "probability that a child reverses a range of cells");

const WEIGHTS: Parameter = Parameter::choice(
    "weights",
    &["worst", "bound", "inverse", "printed"],
    "weight of a parent: highest or largest possible cost minus cost, 1 / (cost + 1), or cost plus a constant",
);

pub(super) const ROW: Row = Row {
    name: "berghman",
    title: "Berghman, Goossens and Leus",
    family: "evolutionary",
    paper: "L. Berghman, D. Goossens, R. Leus, Efficient solutions for Mastermind using genetic algorithms, \
            Computers & Operations Research 36(6), 2009",
    about: "breeds eligible codes from parents selected by fitness, and plays one of them",
    parameters: &[POPULATION, GENERATIONS, ELIGIBLE, CHOICE, WEIGHTS, MUTATION, PERMUTATION, INVERSION, FIRST],
    build: |_, rules, arguments| {
        let rounds = Berghman {
            generations: arguments.integer("generations"),
            eligible: arguments.integer("eligible") as usize,
            variation: Variation::new(arguments),
            weights: match arguments.text("weights") {
                "bound" => Weights::Bound,
                "inverse" => Weights::Inverse,
                "printed" => Weights::Printed,
                _ => Weights::Worst,
            },
        };
        let collector = Collector::new(rules, Choice::named(arguments.text("choice")), rounds);
        Evolution::build(collector, rules, arguments)
    },
    ..Row::BLANK
};

/// Result of a round: an error if it was stopped.
pub(super) type RoundResult = Result<(), StopCause>;

/// A search for eligible codes that is repeated until it finds one.
pub(super) trait Rounds: Send {
    /// Runs one round from a new population, and adds the codes found to `eligible`.
    fn run(&mut self, state: &mut EvolutionState, eligible: &mut Eligible, search: &mut Search<'_>) -> RoundResult;
}

/// Algorithm that collects eligible codes in rounds and plays one of them.
pub(super) struct Collector<R> {
    choice: Choice,
    eligible: Eligible,
    rounds: R,
}

/// Maximum number of backtracking steps that test, after the first round without a find, whether any code is
/// consistent.
const CHECK_STEPS: u64 = 200_000;

impl<R: Rounds> Collector<R> {
    pub(super) fn new(rules: &Rules, choice: Choice, rounds: R) -> Self {
        Self { choice, eligible: Eligible::new(rules), rounds }
    }
}

impl<R: Rounds> Algorithm for Collector<R> {
    fn start(&mut self, _state: &mut EvolutionState, search: &mut Search<'_>) -> Option<Code> {
        // The published counts include the first guess as one examined and eligible code.
        search.examine(1);
        search.find(1);
        None
    }

    fn next_guess(&mut self, state: &mut EvolutionState, history: &History, search: &mut Search<'_>) -> Proposed {
        self.eligible.clear();
        let mut ended = self.rounds.run(state, &mut self.eligible, search);
        if self.eligible.codes.is_empty() && ended.is_ok() && is_contradictory(history, CHECK_STEPS, search) {
            return Err(StrategyError::NO_CODE_FITS);
        }
        while self.eligible.codes.is_empty() && ended.is_ok() {
            ended = self.rounds.run(state, &mut self.eligible, search);
        }
        if !self.eligible.codes.is_empty() {
            let guess = self.choice.choose(history.rules(), &self.eligible.codes, search);
            return Ok(Proposal::new(guess, Basis::Consistent));
        }
        let cause = ended.err().unwrap_or(StopCause::Effort);
        match self.eligible.nearest().filter(|nearest| history.is_consistent(nearest)) {
            Some(guess) => Ok(Proposal::new(guess, Basis::Consistent)),
            None => fallback::fallback_guess(history, cause, self.eligible.nearest(), search),
        }
    }
}

/// Maximum number of cells compared with the history for one guess if the search has no limits: 25 million codes of
/// eight cells, a few seconds, and more than nearly all published games need.
const MAX_EFFORT: u64 = 200_000_000;

/// Eligible codes found for one guess, and the effort spent.
#[derive(Debug)]
pub(super) struct Eligible {
    /// Each code as often as it was found.
    pub(super) codes: Population,
    /// Lowest cost of an examined code.
    nearest_cost: Option<u32>,
    nearest_code: Vec<Color>,
    /// Number of cells compared with the history.
    effort: u64,
}

impl Eligible {
    pub(super) fn new(rules: &Rules) -> Self {
        let nearest_code = vec![Color::default(); rules.cells()];
        Self { codes: Population::new(rules), nearest_cost: None, nearest_code, effort: 0 }
    }

    fn clear(&mut self) {
        self.codes.clear();
        self.nearest_cost = None;
        self.effort = 0;
    }

    fn nearest(&self) -> Option<Code> {
        self.nearest_cost.map(|_| Code::new(&self.nearest_code[..]))
    }

    /// Returns the cost of a code, counted as examined.
    #[inline]
    pub(super) fn examine(
        &mut self,
        turns: &mut TurnSet,
        code: &[Color],
        search: &mut Search<'_>,
    ) -> Result<u32, StopCause> {
        self.cost(turns, code, search.examine(1))
    }

    /// Returns the cost of a code, counted as a step of a local search.
    #[inline]
    pub(super) fn try_out(
        &mut self,
        turns: &mut TurnSet,
        code: &[Color],
        search: &mut Search<'_>,
    ) -> Result<u32, StopCause> {
        self.cost(turns, code, search.step(1))
    }

    #[inline]
    fn cost(&mut self, turns: &mut TurnSet, code: &[Color], stop: Option<Stop>) -> Result<u32, StopCause> {
        let cost = turns.distance(code);
        if self.nearest_cost.is_none_or(|nearest| cost < nearest) {
            self.nearest_cost = Some(cost);
            self.nearest_code.copy_from_slice(code);
        }
        self.effort += code.len() as u64;
        match stop {
            Some(stop) => Err(StopCause::Limit(stop)),
            None if self.effort > MAX_EFFORT => Err(StopCause::Effort),
            None => Ok(cost),
        }
    }

    pub(super) fn push(&mut self, code: &[Color], search: &mut Search<'_>) {
        search.find(1);
        self.codes.push(code, 0);
    }

    /// Draws a population of distinct random codes. `improve` may change each code before it joins, and returns its new
    /// cost.
    pub(super) fn draw_population(
        &mut self,
        state: &mut EvolutionState,
        search: &mut Search<'_>,
        mut improve: impl FnMut(&mut Self, &mut TurnSet, &mut [Color], u32, &mut Search<'_>) -> Result<u32, StopCause>,
    ) -> Result<(), StopCause> {
        state.population.clear();
        state.drawn.clear();
        let code = &mut state.pair[0];
        while state.population.len() < state.size {
            draw_distinct(code, &state.rules, &mut state.drawn, &mut search.rng);
            let cost = self.examine(&mut state.turns, code, search)?;
            let cost = improve(self, &mut state.turns, code, cost, search)?;
            state.population.push(code, cost);
            if cost == 0 {
                self.push(code, search);
            }
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Variation {
    mutation: f64,
    permutation: f64,
    inversion: f64,
}

impl Variation {
    pub(super) fn new(arguments: &Arguments) -> Self {
        Self {
            mutation: arguments.decimal("mutation"),
            permutation: arguments.decimal("permutation"),
            inversion: arguments.decimal("inversion"),
        }
    }

    /// Applies each mutation independently with its probability.
    #[inline]
    pub(super) fn apply(self, code: &mut [Color], rules: &Rules, rng: &mut Rng) {
        if rng.chance(self.mutation) {
            operators::recolor(code, rules, rng);
        }
        if rng.chance(self.permutation) {
            operators::swap(code, rng);
        }
        if rng.chance(self.inversion) {
            operators::invert(code, rng);
        }
    }
}

/// Crosses two codes at one or two points with equal probability, and repairs them.
#[inline]
pub(super) fn cross(pair: &mut [Vec<Color>; 2], rules: &Rules, rng: &mut Rng) {
    let [one, other] = pair;
    if rng.below(2) == 0 {
        one_point_crossover(one, other, rng);
    } else {
        two_point_crossover(one, other, rng);
    }
    repair(one, rules, rng);
    repair(other, rules, rng);
}

struct Berghman {
    generations: u64,
    eligible: usize,
    variation: Variation,
    weights: Weights,
}

#[derive(Debug, Clone, Copy)]
enum Weights {
    /// Highest cost of the generation minus the cost.
    Worst,
    /// Largest possible cost (two per cell and turn) minus the cost.
    Bound,
    /// `1 / (cost + 1)`.
    Inverse,
    /// Cost plus two per cell and turn but one: the printed fitness, which prefers the worst codes.
    Printed,
}

impl Weights {
    /// Loads the weights of a population after `turns` turns on a board of `cells` cells.
    fn load(self, wheel: &mut Roulette, population: &Population, cells: usize, turns: usize) {
        /// Weight of cost zero, large enough that costs in the thousands have different weights.
        const ONE: u64 = 1 << 32;
        let costs = population.costs().iter().copied();
        let largest = |turns: usize| 2 * (cells * turns) as u64;
        match self {
            Self::Worst => {
                let highest = population.max_cost();
                wheel.load(costs.map(|cost| u64::from(highest - cost)));
            }
            Self::Bound => wheel.load(costs.map(|cost| largest(turns).saturating_sub(cost.into()))),
            Self::Inverse => wheel.load(costs.map(|cost| ONE / (u64::from(cost) + 1))),
            Self::Printed => wheel.load(costs.map(|cost| u64::from(cost) + largest(turns.saturating_sub(1)))),
        }
    }
}

impl Rounds for Berghman {
    fn run(&mut self, state: &mut EvolutionState, eligible: &mut Eligible, search: &mut Search<'_>) -> RoundResult {
        eligible.draw_population(state, search, |_, _, _, cost, _| Ok(cost))?;
        for _ in 1..self.generations {
            if eligible.codes.len() >= self.eligible {
                break;
            }
            self.breed(state, eligible, search)?;
        }
        Ok(())
    }
}

impl Berghman {
    fn breed(&mut self, state: &mut EvolutionState, eligible: &mut Eligible, search: &mut Search<'_>) -> RoundResult {
        let turns = state.turns.turns().len();
        self.weights.load(&mut state.wheel, &state.population, state.rules.cells(), turns);
        state.next.clear();
        while state.next.len() < state.size {
            state.select_parents(&mut search.rng);
            cross(&mut state.pair, &state.rules, &mut search.rng);
            for child in state.pair.iter_mut().take(state.size - state.next.len()) {
                self.variation.apply(child, &state.rules, &mut search.rng);
                let cost = eligible.examine(&mut state.turns, child, search)?;
                state.next.push(child, cost);
                if cost == 0 {
                    eligible.push(child, search);
                }
            }
        }
        state.advance();
        Ok(())
    }
}

/// Choice among the eligible codes.
///
/// `Random` draws from all finds, so that a code found twice is twice as likely. The others compare distinct codes;
/// ties go to the lowest code. The similarity of two codes is the number of cells that agree plus the number of colors
/// in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    Random,
    MostSimilar,
    LeastSimilar,
    /// Lowest expected number of eligible codes that remain.
    ExpectedSize,
}

impl Choice {
    pub(super) fn named(word: &str) -> Self {
        match word {
            "most-similar" => Self::MostSimilar,
            "least-similar" => Self::LeastSimilar,
            "expected-size" => Self::ExpectedSize,
            _ => Self::Random,
        }
    }

    /// Chooses one of at least one code.
    fn choose(self, rules: &Rules, found: &Population, search: &mut Search<'_>) -> Code {
        if self == Self::Random {
            return found.code(search.rng.index(found.len()));
        }
        let distinct: BTreeSet<Code> = (0..found.len()).map(|index| found.code(index)).collect();
        let codes: Vec<Code> = distinct.into_iter().collect();
        search.score((codes.len() * codes.len()) as u64);
        let mut judge = Judge::new(rules);
        let function = CostFunction::new(Criterion::ExpectedSize, 0);
        let cost = |code: &Code| match self {
            Self::Random => 0,
            Self::MostSimilar => -codes.iter().map(|other| similarity(rules, code, other)).sum::<i64>(),
            Self::LeastSimilar => codes.iter().map(|other| similarity(rules, code, other)).sum(),
            Self::ExpectedSize => {
                let mut parts = HashMap::new();
                for secret in &codes {
                    *parts.entry(judge.feedback(code, secret)).or_insert(0) += 1;
                }
                function.cost(&parts.into_values().collect::<Vec<u32>>()) as i64
            }
        };
        let costs: Vec<i64> = codes.iter().map(cost).collect();
        let best = (0..codes.len()).min_by_key(|&index| costs[index]).unwrap_or(0);
        codes[best].clone()
    }
}

fn similarity(rules: &Rules, one: &Code, other: &Code) -> i64 {
    let mut balance = vec![0i64; rules.colors().into()];
    let mut agreeing = 0;
    for (one, other) in one.iter().zip(other.iter()) {
        agreeing += i64::from(one == other);
        balance[one.index()] += 1;
        balance[other.index()] -= 1;
    }
    let unshared: i64 = balance.into_iter().filter(|&count| count > 0).sum();
    agreeing + one.len() as i64 - unshared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_chosen_by_comparison_with_the_others() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut found = Population::new(&rules);
        for code in ["1122", "1123", "1122", "1132", "6666", "1234"] {
            found.push(&rules.parse_code(code).unwrap(), 0);
        }
        let mut search = Search::new(1);
        let mut chosen = |word| Choice::named(word).choose(&rules, &found, &mut search).notation(6).to_string();
        assert_eq!(chosen("most-similar"), "1132");
        assert_eq!(chosen("least-similar"), "6666");
        // The first that separates all five; two of the others answer alike to 1122.
        assert_eq!(chosen("expected-size"), "1123");
        let drawn: BTreeSet<String> = (0..60).map(|_| chosen("random")).collect();
        assert_eq!(drawn.len(), 5);
    }

    /// Codes of cost 0, 3 and 5 after two guesses with four cells.
    #[test]
    fn parents_are_selected_by_the_weights() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut population = Population::new(&rules);
        for cost in [0, 3, 5] {
            population.push(&rules.parse_code("1122").unwrap(), cost);
        }
        let mut rng = Rng::new(1);
        for (weights, expected) in [
            (Weights::Worst, [5.0, 2.0, 0.0]),
            (Weights::Bound, [16.0, 13.0, 11.0]),
            (Weights::Inverse, [1.0, 1.0 / 4.0, 1.0 / 6.0]),
            (Weights::Printed, [8.0, 11.0, 13.0]),
        ] {
            let mut wheel = Roulette::default();
            weights.load(&mut wheel, &population, 4, 2);
            let mut seen = [0u32; 3];
            (0..20_000).for_each(|_| seen[wheel.spin(&mut rng)] += 1);
            for (seen, expected) in seen.into_iter().zip(expected.map(|of| of / expected.iter().sum::<f64>() * 2e4)) {
                assert!((f64::from(seen) - expected).abs() <= 4.5 * expected.sqrt(), "{weights:?}: {seen}");
            }
        }
    }

    #[test]
    fn similarity_counts_cells_and_colors() {
        let rules: Rules = "4x6".parse().unwrap();
        let code = |text| rules.parse_code(text).unwrap();
        assert_eq!(similarity(&rules, &code("1122"), &code("1122")), 8);
        assert_eq!(similarity(&rules, &code("1122"), &code("2211")), 4);
        assert_eq!(similarity(&rules, &code("1123"), &code("1322")), 4 - 1 + 2);
    }
}
