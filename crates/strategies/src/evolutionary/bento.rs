//! Bento, Pereira and Rosa: breeds one generation per guess and plays its best code.
//!
//! The first generation consists of codes without repeated colors, and one of them is the first guess. For each further
//! guess, parents are selected in proportion to how well they meet the feedback so far, and crossed; their children
//! become the next generation, the best parents replace the worst children, and one random code changes a color. The
//! best code of that generation is played, whether it is consistent or not. Colors that an empty feedback ruled out are
//! removed from the population.
//!
//! # Readings
//! All of the above is known, and that the fitness has two phases, one until all colors are known and one from then on.
//! The phases chosen here: until a feedback accounts for every cell, black pegs and the total number of pegs count
//! alike; from then on black pegs count double. The published 1029.9 evaluations and 6.866 guesses at 5x8 make 150 per
//! guess, which gives the population; an elite of a tenth of it is a choice. Here a guess costs two evaluations per
//! code, since parents are evaluated with the new feedback, too. No code is played twice: otherwise an inconsistent
//! best code would be played forever.
//!
//! # Cost
//! One generation per guess. If its best code is inconsistent, backtracking tests whether any code is consistent, so
//! that contradictions are detected; the code it finds is played only if the whole generation was played before.
//!
//! # References
//! - L. Bento, L. Pereira, A. Rosa, Mastermind by evolutionary algorithms, SAC, 307-311, 1999.
//! - As described by A. Temporel and T. Kovacs, 2003, and V. van Oijen, 2018.

use pegwise_game::{Code, Color, History, Mark};

use super::BASE;
use super::engine::{Algorithm, Evolution, EvolutionState};
use super::first_eligible::{FIRST, POPULATION};
use super::operators::{AllowedColors, one_point_crossover, repair};
use super::population::draw;
use pegwise_search::candidates::TurnSet;
use pegwise_search::candidates::fallback::play_best;
use pegwise_search::row::Row;
use pegwise_search::{Parameter, Proposed, Rng, Search};

const ELITE: Parameter =
    Parameter::integer("elite", 0..=10_000, "15", "number of parents that replace the worst children");

pub(super) const ROW: Row = Row {
    name: "bento",
    title: "Bento, Pereira and Rosa",
    paper: "L. Bento, L. Pereira, A. Rosa, Mastermind by evolutionary algorithms, SAC, 1999",
    about: "breeds one generation per guess and plays its best code, whether it is consistent or not",
    parameters: &[POPULATION, ELITE, FIRST],
    build: |_, rules, arguments| {
        let elite = arguments.integer("elite").min(arguments.integer("population")) as usize;
        Evolution::build(Bento { elite, allowed: AllowedColors::new(rules) }, rules, arguments)
    },
    ..BASE
};

struct Bento {
    elite: usize,
    allowed: AllowedColors,
}

impl Bento {
    /// Draws a generation of codes without repeated colors, as far as there are enough colors.
    fn draw(state: &mut EvolutionState, rng: &mut Rng) {
        let mut colors: Vec<u16> = (0..state.rules.colors()).collect();
        state.population.clear();
        for _ in 0..state.size {
            let code = &mut state.pair[0];
            draw(code, &state.rules, rng);
            rng.shuffle(&mut colors);
            for (cell, &color) in code.iter_mut().zip(&colors) {
                *cell = Color::new(color);
            }
            repair(code, &state.rules, rng);
            state.population.push(code, 0);
        }
    }

    fn breed(&self, state: &mut EvolutionState, search: &mut Search<'_>) {
        let highest = state.population.max_cost();
        state.wheel.load(state.population.costs().iter().map(|&cost| u64::from(highest - cost) + 1));
        state.next.clear();
        while state.next.len() < state.size {
            state.select_parents(&mut search.rng);
            let [one, other] = &mut state.pair;
            one_point_crossover(one, other, &mut search.rng);
            for child in [one, other] {
                repair(child, &state.rules, &mut search.rng);
                if state.next.len() < state.size {
                    state.next.push(child, 0);
                }
            }
        }
        let best = state.population.by_cost();
        state.advance();
        self.evaluate(state, search);
        let worst = state.population.by_cost();
        for (&parent, &child) in best.iter().zip(worst.iter().rev()).take(self.elite) {
            state.population.replace(child, state.next.member(parent), state.next.cost(parent));
        }
        let changed = search.rng.index(state.size);
        state.pair[0].copy_from_slice(state.population.member(changed));
        self.allowed.recolor(&mut state.pair[0], &mut search.rng);
        self.admit(state, changed, search);
    }

    /// Removes excluded colors from the population and computes the costs.
    fn evaluate(&self, state: &mut EvolutionState, search: &mut Search<'_>) {
        for index in 0..state.size {
            state.pair[0].copy_from_slice(state.population.member(index));
            self.admit(state, index, search);
        }
    }

    /// Replaces a member by `pair[0]` without excluded colors.
    fn admit(&self, state: &mut EvolutionState, index: usize, search: &mut Search<'_>) {
        let code = &mut state.pair[0];
        self.allowed.purge(code, &mut search.rng);
        let cost = cost(code, &mut state.turns);
        state.population.replace(index, code, cost);
        search.examine(1);
    }
}

/// Returns the cost of a code: zero if and only if it is consistent.
fn cost(code: &[Color], turns: &mut TurnSet) -> u32 {
    let cells = turns.rules().cells();
    let accounts_for_all = |mark: &Mark| mark.pegs() == Some(cells);
    let colors_known = turns.turns().iter().any(|turn| turn.feedback.marks().iter().any(accounts_for_all));
    let black_weight = if colors_known { 2 } else { 1 };
    let mut cost = 0u32;
    turns.visit_residuals(code, |misfit| {
        let pegs = misfit.black.saturating_add(misfit.white).unsigned_abs();
        cost = cost.saturating_add(misfit.black.unsigned_abs().saturating_mul(black_weight)).saturating_add(pegs);
    });
    cost
}

impl Algorithm for Bento {
    fn start(&mut self, state: &mut EvolutionState, search: &mut Search<'_>) -> Option<Code> {
        self.allowed.follow(&[]);
        Self::draw(state, &mut search.rng);
        Some(state.population.code(search.rng.index(state.size)))
    }

    fn next_guess(&mut self, state: &mut EvolutionState, history: &History, search: &mut Search<'_>) -> Proposed {
        self.allowed.follow(history.turns());
        if !state.continues {
            Self::draw(state, &mut search.rng);
        }
        self.evaluate(state, search);
        if search.stop().is_none() {
            self.breed(state, search);
        }
        play_best(history, state.cheapest_new(history), search)
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Rules;

    use super::*;

    #[test]
    fn black_pegs_count_double_once_all_colors_are_known() {
        let rules: Rules = "4x6".parse().unwrap();
        let cost = |turns: &[&str], code: &str| {
            let mut ledger = TurnSet::new(&rules);
            ledger.follow(&History::parse(&rules, turns.iter().copied()).unwrap());
            cost(&rules.parse_code(code).unwrap(), &mut ledger)
        };
        assert_eq!(cost(&["1122=1,1"], "1123"), 2 + 1);
        assert_eq!(cost(&["1122=2,2", "1234=0,2"], "2112"), 0);
        assert_eq!(cost(&["1234=1,3"], "1243"), 2);
        assert_eq!(cost(&["1234=1,2"], "1243"), 1 + 1);
    }
}
