//! Kalisker and Camens: a short run of a genetic algorithm per guess; its best code is played.
//!
//! A population is bred for some generations, ten by default, and the best code of the last is played, whether it is
//! consistent or not. A code that misses the feedback by `d` pegs has the fitness 1/(1+d). Parents are selected in
//! proportion, with one-point crossover; children change a color with some probability, and the best parent survives.
//!
//! # Readings
//! Known are that the best code is played without waiting for an eligible one, and a mean of 6.39 guesses at 5x8.
//! Everything else is a choice: a plain genetic algorithm, and as many generations per guess as bring the mean near the
//! published one. The population continues from guess to guess. No code is played twice: otherwise an inconsistent best
//! code would be played forever.
//!
//! # Cost
//! The generations. If the best code is inconsistent, backtracking tests whether any code is consistent, so that
//! contradictions are detected; the code it finds is played only if the whole population was played before.
//!
//! # References
//! - T. Kalisker, D. Camens, Solving Mastermind using genetic algorithms, GECCO, LNCS 2724, 1590-1591, 2003.
//! - As mentioned by J. J. Merelo and others, 2010; the mean by L. Berghman and others, 2009.

use pegwise_game::History;

use super::BASE;
use super::engine::{Algorithm, Evolution, EvolutionState};
use super::first_eligible::{FIRST, POPULATION};
use super::operators::{one_point_crossover, recolor, repair};
use super::population::draw;
use pegwise_search::{Parameter, Proposed, Rng, Search, candidates::fallback::play_best, row::Row};

const GENERATIONS: Parameter = Parameter::integer("generations", 1..=1_000, "10", "number of generations per guess");
const MUTATION: Parameter =
    Parameter::decimal("mutation", 0.0..=1.0, "0.5", "probability that a child changes the color of a cell");

pub(super) const ROW: Row = Row {
    name: "kalisker-camens",
    title: "Kalisker and Camens",
    paper: "T. Kalisker, D. Camens, Solving Mastermind using genetic algorithms, GECCO, 2003",
    about: "breeds a population for each guess and plays its best code, whether it is consistent or not",
    parameters: &[POPULATION, GENERATIONS, MUTATION, FIRST],
    build: |_, rules, arguments| {
        let (generations, mutation) = (arguments.integer("generations"), arguments.decimal("mutation"));
        Evolution::build(KaliskerCamens { generations, mutation }, rules, arguments)
    },
    ..BASE
};

struct KaliskerCamens {
    generations: u64,
    mutation: f64,
}

impl KaliskerCamens {
    fn breed(&self, state: &mut EvolutionState, rng: &mut Rng) {
        const ONE: u64 = 1 << 32;
        state.wheel.load(state.population.costs().iter().map(|&cost| ONE / (1 + u64::from(cost))));
        state.next.clear();
        if let Some(best) = state.population.cheapest(|_| true) {
            state.next.push(state.population.member(best), 0);
        }
        while state.next.len() < state.size {
            state.select_parents(rng);
            let [one, other] = &mut state.pair;
            one_point_crossover(one, other, rng);
            for child in [one, other] {
                repair(child, &state.rules, rng);
                if rng.chance(self.mutation) {
                    recolor(child, &state.rules, rng);
                }
                if state.next.len() < state.size {
                    state.next.push(child, 0);
                }
            }
        }
        state.advance();
    }
}

fn evaluate(state: &mut EvolutionState, search: &mut Search<'_>) {
    state.population.update_costs(|code| state.turns.distance(code));
    search.examine(state.size as u64);
}

impl Algorithm for KaliskerCamens {
    fn next_guess(&mut self, state: &mut EvolutionState, history: &History, search: &mut Search<'_>) -> Proposed {
        if !state.continues || state.population.len() != state.size {
            state.population.clear();
            for _ in 0..state.size {
                draw(&mut state.pair[0], &state.rules, &mut search.rng);
                state.population.push(&state.pair[0], 0);
            }
        }
        evaluate(state, search);
        for _ in 0..self.generations {
            if search.stop().is_some() {
                break;
            }
            self.breed(state, &mut search.rng);
            evaluate(state, search);
        }
        play_best(history, state.cheapest_new(history), search)
    }
}
