//! The player of Kalisker and Camens: a short run of a genetic algorithm for each guess, and its best code is played.
//!
//! A population is bred for some generations, by default ten, and the best code of the last is played, whether it fits
//! or not. A code is worth 1/(1+d) when it misses the feedback by `d` pegs; parents are drawn in proportion and trade
//! what lies behind one cut, children get a cell of another color now and then, and the best parent stays.
//!
//! # Readings
//! Known are that the best code is played without waiting for one that fits, and a mean of 6.39 guesses at 5x8. All
//! else is a reading: a plain genetic algorithm, and as many generations for a guess as bring the mean near the
//! published one. The population goes on from guess to guess. No code is played twice: without that, a best code that
//! does not fit is played for ever.
//!
//! # Cost
//! The generations. When the best code does not fit, backtracking is asked whether any code does, so that
//! contradictions are found; the code it finds is played only when the whole population was played before.
//!
//! # References
//! - T. Kalisker, D. Camens, Solving Mastermind using genetic algorithms, GECCO, LNCS 2724, 1590-1591, 2003.
//! - As mentioned by J. J. Merelo and others, 2010; the mean by L. Berghman and others, 2009.

use pegwise_game::{Code, Color, History, Rules};

use crate::{
    candidates::fallback::play_best,
    evolutionary::{
        Population, Pursuit, crossover, draw, mutation, pursuit::Breeds, repair::repair, selection::Roulette,
    },
    rng::Rng,
    search::Search,
    spec::Arguments,
    strategy::{Proposed, Strategy, StrategyError},
};

struct KaliskerCamens {
    rules: Rules,
    size: usize,
    generations: u64,
    mutation: f64,
    first: Option<Code>,
    pursuit: Pursuit,
    population: Population,
    next: Population,
    wheel: Roulette,
    pair: [Vec<Color>; 2],
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    let code = vec![Color::default(); rules.cells()];
    Ok(Box::new(KaliskerCamens {
        rules: rules.clone(),
        size: arguments.integer("population") as usize,
        generations: arguments.integer("generations"),
        mutation: arguments.decimal("mutation"),
        first: arguments.code("first", rules),
        pursuit: Pursuit::new(rules),
        population: Population::new(rules),
        next: Population::new(rules),
        wheel: Roulette::default(),
        pair: [code.clone(), code],
    }))
}

impl KaliskerCamens {
    fn draw(&mut self, rng: &mut Rng) {
        self.population.clear();
        for _ in 0..self.size {
            draw(&mut self.pair[0], &self.rules, rng);
            self.population.push(&self.pair[0], 0);
        }
    }

    /// Prices the population by all turns.
    fn price(&mut self, search: &mut Search<'_>) {
        self.population.reprice(|code| self.pursuit.ledger.distance(code));
        search.examine(self.size as u64);
    }

    fn breed(&mut self, rng: &mut Rng) {
        const ONE: u64 = 1 << 32;
        self.wheel.load(self.population.costs().iter().map(|&cost| ONE / (1 + u64::from(cost))));
        self.next.clear();
        if let Some(best) = self.population.cheapest(|_| true) {
            self.next.push(self.population.member(best), 0);
        }
        while self.next.len() < self.size {
            let [one, other] = &mut self.pair;
            one.copy_from_slice(self.population.member(self.wheel.spin(rng)));
            other.copy_from_slice(self.population.member(self.wheel.spin(rng)));
            crossover::one_point(one, other, rng);
            for child in [one, other] {
                repair(child, &self.rules, rng);
                if rng.chance(self.mutation) {
                    mutation::recolor(child, &self.rules, rng);
                }
                if self.next.len() < self.size {
                    self.next.push(child, 0);
                }
            }
        }
        std::mem::swap(&mut self.population, &mut self.next);
    }
}

impl Breeds for KaliskerCamens {
    fn pursuit(&mut self) -> &mut Pursuit {
        &mut self.pursuit
    }

    fn open(&mut self, search: &mut Search<'_>) -> Code {
        self.population.clear();
        self.first.clone().unwrap_or_else(|| search.rng.code(&self.rules))
    }

    fn breed_guess(&mut self, history: &History, goes_on: bool, search: &mut Search<'_>) -> Proposed {
        if !goes_on || self.population.len() != self.size {
            self.draw(&mut search.rng);
        }
        self.price(search);
        for _ in 0..self.generations {
            if search.stop().is_some() {
                break;
            }
            self.breed(&mut search.rng);
            self.price(search);
        }
        let is_new = |code: &[Color]| history.turns().iter().all(|turn| *turn.guess != *code);
        let best = self.population.cheapest(is_new).map(|index| self.population.code(index));
        play_best(history, best, search)
    }
}
