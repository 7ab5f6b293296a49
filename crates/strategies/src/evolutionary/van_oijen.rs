//! Van Oijen's variations of [Berghman, Goossens and Leus](super::berghman): family competition, genetic local search,
//! and multi-start local search.
//!
//! # Family competition
//! Neighbors in the population are parents of two children, crossed and mutated as by Berghman; the best two of the
//! four survive. Families never mix, so a population soon holds the best that each pair can reach, and most guesses use
//! all their generations. In large spaces most populations end without an eligible code: the thesis gave up on
//! populations of 75 and 150 at 8x12.
//!
//! # Genetic local search
//! Families compete, and every code climbs to a local optimum before it joins: it tries every color in every cell and
//! keeps each improvement. Crossover is the only other operator, and small populations suffice. A search ends after
//! five generations in which neither the lowest nor the highest cost of the population fell; if no code is eligible
//! then, a new population is drawn. A climb costs a few times cells x colors comparisons with the history.
//!
//! # Multi-start local search
//! A control without breeding, which shows how much crossover contributes: random codes climb to local optima, and the
//! guess is an eligible one of them. If no code is eligible, as many are drawn again.
//!
//! # Counters
//! As in the published tables, `examined` counts the first guess, every code of a first generation and every child, and
//! each of them once more if a climb changed it; the changes tried are `nodes`. `consistent` counts the first guess and
//! every eligible code that enters the population, again if another family finds it again.
//!
//! A search that exceeds its effort ends with a code found by backtracking, or with the code closest to consistency.
//!
//! # References
//! V. van Oijen, Genetic algorithms playing Mastermind, Bachelor's thesis, Utrecht University, 2018.

use pegwise_game::Color;

use super::berghman::{
    CHOICE, Choice, Collector, ELIGIBLE, Eligible, FIRST, GENERATIONS, INVERSION, MUTATION, PERMUTATION, POPULATION,
    RoundResult, Rounds, Variation, cross,
};
use super::engine::{Evolution, EvolutionState};
use pegwise_search::Search;
use pegwise_search::candidates::TurnSet;
use pegwise_search::candidates::fallback::StopCause;
use pegwise_search::row::Row;

const BASE: Row = Row {
    family: "evolutionary",
    paper: "V. van Oijen, Genetic algorithms playing Mastermind, Bachelor's thesis, Utrecht University, 2018",
    parameters: &[POPULATION, FIRST],
    ..Row::BLANK
};

pub(super) const FAMILY_COMPETITION: Row = Row {
    name: "family-competition",
    title: "Family competition",
    about: "breeds eligible codes in families whose best two survive, and plays one of them",
    parameters: &[POPULATION, GENERATIONS, ELIGIBLE, CHOICE, MUTATION, PERMUTATION, INVERSION, FIRST],
    build: |_, rules, arguments| {
        let rounds = FamilyCompetition {
            generations: arguments.integer("generations"),
            eligible: arguments.integer("eligible") as usize,
            variation: Variation::new(arguments),
        };
        let collector = Collector::new(rules, Choice::named(arguments.text("choice")), rounds);
        Evolution::build(collector, rules, arguments)
    },
    ..BASE
};

pub(super) const GENETIC_LOCAL_SEARCH: Row = Row {
    name: "genetic-local-search",
    title: "Genetic local search",
    about: "breeds local optima in families whose best two survive, and plays an eligible one",
    presets: &[("population", "30")],
    build: |_, rules, arguments| {
        Evolution::build(Collector::new(rules, Choice::Random, GeneticLocalSearch), rules, arguments)
    },
    ..BASE
};

pub(super) const MULTI_START_LOCAL_SEARCH: Row = Row {
    name: "multi-start-local-search",
    title: "Multi-start local search",
    about: "climbs from many random codes to local optima, and plays an eligible one",
    build: |_, rules, arguments| {
        Evolution::build(Collector::new(rules, Choice::Random, MultiStartLocalSearch), rules, arguments)
    },
    ..BASE
};

struct FamilyCompetition {
    generations: u64,
    eligible: usize,
    variation: Variation,
}

impl Rounds for FamilyCompetition {
    fn run(&mut self, state: &mut EvolutionState, eligible: &mut Eligible, search: &mut Search<'_>) -> RoundResult {
        eligible.draw_population(state, search, |_, _, _, cost, _| Ok(cost))?;
        let variation = self.variation;
        for _ in 1..self.generations {
            if eligible.codes.len() >= self.eligible {
                break;
            }
            compete(state, eligible, search, |eligible, turns, child, search| {
                variation.apply(child, turns.rules(), &mut search.rng);
                eligible.examine(turns, child, search)
            })?;
        }
        Ok(())
    }
}

/// Number of generations without progress that ends a genetic local search.
const PATIENCE: u32 = 5;

struct GeneticLocalSearch;

impl Rounds for GeneticLocalSearch {
    fn run(&mut self, state: &mut EvolutionState, eligible: &mut Eligible, search: &mut Search<'_>) -> RoundResult {
        let range =
            |state: &EvolutionState| (state.population.costs().iter().copied().min(), state.population.max_cost());
        eligible.draw_population(state, search, climb)?;
        let mut reached = range(state);
        let mut idle = 0;
        while idle < PATIENCE {
            compete(state, eligible, search, |eligible, turns, child, search| {
                let cost = eligible.examine(turns, child, search)?;
                climb(eligible, turns, child, cost, search)
            })?;
            // Families keep their best codes, so neither end of the range ever rises.
            let now = range(state);
            idle = if now == reached { idle + 1 } else { 0 };
            reached = now;
        }
        Ok(())
    }
}

struct MultiStartLocalSearch;

impl Rounds for MultiStartLocalSearch {
    fn run(&mut self, state: &mut EvolutionState, eligible: &mut Eligible, search: &mut Search<'_>) -> RoundResult {
        eligible.draw_population(state, search, climb)
    }
}

/// Breeds one generation of families: members 0 and 1, 2 and 3, and so on; the last of an odd number has no family.
/// `raise` changes a child and returns its cost. Of equals, the parents survive, and families never mix: the published
/// counts show both.
fn compete(
    state: &mut EvolutionState,
    eligible: &mut Eligible,
    search: &mut Search<'_>,
    mut raise: impl FnMut(&mut Eligible, &mut TurnSet, &mut [Color], &mut Search<'_>) -> Result<u32, StopCause>,
) -> Result<(), StopCause> {
    let members = &mut state.population;
    for first in (1..members.len()).step_by(2).map(|second| second - 1) {
        for (parent, child) in (first..).zip(&mut state.pair) {
            child.copy_from_slice(members.member(parent));
        }
        cross(&mut state.pair, &state.rules, &mut search.rng);
        for child in &mut state.pair {
            let cost = raise(eligible, &mut state.turns, child, search)?;
            let worse = first + usize::from(members.cost(first) < members.cost(first + 1));
            if cost < members.cost(worse) {
                members.replace(worse, child, cost);
                if cost == 0 {
                    eligible.push(child, search);
                }
            }
        }
    }
    Ok(())
}

/// Climbs to a local optimum and returns its cost: tries every color in every cell, keeps each change that lowers the
/// cost, and repeats until none does. If colors must not repeat, the cell that has the color gets the old one.
///
/// A changed code counts as examined once more; the changes tried count as steps.
fn climb(
    eligible: &mut Eligible,
    turns: &mut TurnSet,
    code: &mut [Color],
    cost: u32,
    search: &mut Search<'_>,
) -> Result<u32, StopCause> {
    let (colors, repeats) = (turns.rules().colors(), turns.rules().repeats());
    let mut best = cost;
    // Number of pairs of cell and color to try until no change helps.
    let mut untried = code.len() * usize::from(colors);
    'round: while untried > 0 && best > 0 {
        for cell in 0..code.len() {
            for color in (0..colors).map(Color::new) {
                let old = code[cell];
                if color != old {
                    let holder = if repeats { None } else { code.iter().position(|&other| other == color) };
                    code[cell] = color;
                    if let Some(holder) = holder {
                        code[holder] = old;
                    }
                    let cost = eligible.try_out(turns, code, search)?;
                    if cost < best {
                        best = cost;
                        untried = code.len() * usize::from(colors);
                        continue;
                    }
                    if let Some(holder) = holder {
                        code[holder] = color;
                    }
                    code[cell] = old;
                }
                untried -= 1;
                if untried == 0 {
                    break 'round;
                }
            }
        }
    }
    match if best < cost { search.examine(1) } else { None } {
        Some(stop) => Err(StopCause::Limit(stop)),
        None => Ok(best),
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Code, History, Rules};
    use proptest::prelude::*;

    use super::*;
    use pegwise_search::Rng;

    proptest! {
        /// A climb ends with a valid code that no single change improves, and returns its cost.
        #[test]
        fn climbs_end_in_local_optima(
            rules in prop::sample::select(vec!["1x1", "4x6", "5x3", "4x8:no-repeats", "4x4:no-repeats", "grid:2x2x5"]),
            seed: u64,
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut search = Search::new(seed);
            let mut rng = Rng::new(seed ^ 1);
            let secret = rng.code(&rules);
            let history = History::against(&rules, &secret, (0..3).map(|_| rng.code(&rules)));
            let (mut eligible, mut turns) = (Eligible::new(&rules), TurnSet::new(&rules));
            turns.follow(&history);
            let mut code = rng.code(&rules);
            let start = turns.distance(&code);
            let end = climb(&mut eligible, &mut turns, code.colors_mut(), start, &mut search).unwrap();
            prop_assert!(rules.check_code(&code).is_ok());
            prop_assert!(end <= start);
            prop_assert_eq!(turns.distance(&code), end);
            for cell in 0..code.len() {
                for color in (0..rules.colors()).map(Color::new) {
                    let mut other: Code = code.clone();
                    if let Some(holder) = code.iter().position(|&held| held == color).filter(|_| !rules.repeats()) {
                        other.colors_mut()[holder] = code[cell];
                    }
                    other.colors_mut()[cell] = color;
                    prop_assert!(turns.distance(&other) >= end);
                }
            }
        }
    }
}
