//! The player of Bento, Pereira and Rosa: one generation for each guess, and its best code is played.
//!
//! The first generation is of codes without repeated colors, and one of them is the first guess. For each further guess
//! parents are drawn in proportion to how well they meet the feedback so far, and crossed; their children become the
//! next generation, the best parents take the places of the worst children, and one code, any one, gets a cell of
//! another color. The best code of that generation is played, whether it fits or not. Colors that an empty feedback
//! ruled out leave the population and do not return.
//!
//! # Readings
//! Known is all of the above, and that the fitness has two parts, one until all colors are known and one from then on.
//! Here they are: until a feedback accounts for every cell, black pegs and pegs in all count alike; from then on black
//! pegs count double. The published 1029.9 evaluations and 6.866 guesses at 5x8 make 150 for each guess, hence the
//! population; a tenth of it as elite is a reading. Here a guess costs two evaluations a code, since parents are priced
//! by the new feedback too. No code is played twice: without that, a best code that does not fit is played for ever.
//!
//! # Cost
//! One generation a guess. When its best code does not fit, backtracking is asked whether any code does, so that
//! contradictions are found; the code it finds is played only when the whole generation was played before.
//!
//! # References
//! - L. Bento, L. Pereira, A. Rosa, Mastermind by evolutionary algorithms, SAC, 307-311, 1999.
//! - As described by A. Temporel and T. Kovacs, 2003, and V. van Oijen, 2018.

use pegwise_game::{Code, Color, History, Mark, Rules};

use super::palette::AllowedColors;
use crate::{
    candidates::{Ledger, fallback::best_of},
    evolutionary::{Population, Pursuit, crossover, draw, pursuit::Breeds, repair::repair, selection::Roulette},
    rng::Rng,
    search::Search,
    spec::Arguments,
    strategy::{Proposed, Strategy, StrategyError},
};

struct Bento {
    rules: Rules,
    size: usize,
    elite: usize,
    first: Option<Code>,
    pursuit: Pursuit,
    palette: AllowedColors,
    /// The present generation, with the costs of the turns so far.
    population: Population,
    next: Population,
    wheel: Roulette,
    pair: [Vec<Color>; 2],
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    let code = vec![Color::default(); rules.cells()];
    let size = arguments.integer("population") as usize;
    Ok(Box::new(Bento {
        rules: rules.clone(),
        size,
        elite: (arguments.integer("elite") as usize).min(size),
        first: arguments.code("first", rules),
        pursuit: Pursuit::new(rules),
        palette: AllowedColors::new(rules),
        population: Population::new(rules),
        next: Population::new(rules),
        wheel: Roulette::default(),
        pair: [code.clone(), code],
    }))
}

impl Bento {
    /// A generation of codes without repeated colors, as far as there are colors.
    fn draw(&mut self, rng: &mut Rng) {
        let mut colors: Vec<u16> = (0..self.rules.colors()).collect();
        self.population.clear();
        for _ in 0..self.size {
            let code = &mut self.pair[0];
            draw(code, &self.rules, rng);
            rng.shuffle(&mut colors);
            for (cell, &color) in code.iter_mut().zip(&colors) {
                *cell = Color::new(color);
            }
            repair(code, &self.rules, rng);
            self.population.push(code, 0);
        }
    }

    /// Breeds the next generation from the present one. Both are priced by all turns.
    fn breed(&mut self, search: &mut Search<'_>) {
        let rng = &mut search.rng;
        let highest = self.population.costs().iter().copied().max().unwrap_or(0);
        self.wheel.load(self.population.costs().iter().map(|&cost| u64::from(highest - cost) + 1));
        self.next.clear();
        while self.next.len() < self.size {
            let [one, other] = &mut self.pair;
            one.copy_from_slice(self.population.member(self.wheel.spin(rng)));
            other.copy_from_slice(self.population.member(self.wheel.spin(rng)));
            crossover::one_point(one, other, rng);
            for child in [one, other] {
                repair(child, &self.rules, rng);
                if self.next.len() < self.size {
                    self.next.push(child, 0);
                }
            }
        }
        let best = self.population.by_cost();
        std::mem::swap(&mut self.population, &mut self.next);
        self.price(search);
        let worst = self.population.by_cost();
        for (&parent, &child) in best.iter().zip(worst.iter().rev()).take(self.elite) {
            self.population.replace(child, self.next.member(parent), self.next.cost(parent));
        }
        let changed = search.rng.index(self.size);
        self.pair[0].copy_from_slice(self.population.member(changed));
        self.palette.recolor(&mut self.pair[0], &mut search.rng);
        self.admit(changed, search);
    }

    /// Prices the present generation.
    fn price(&mut self, search: &mut Search<'_>) {
        for index in 0..self.size {
            self.pair[0].copy_from_slice(self.population.member(index));
            self.admit(index, search);
        }
    }

    /// Puts a code in the place of a member, without colors that are ruled out, and at the price of all turns.
    fn admit(&mut self, index: usize, search: &mut Search<'_>) {
        self.palette.purge(&mut self.pair[0], &mut search.rng);
        let cost = cost(&self.pair[0], &mut self.pursuit.ledger);
        self.population.replace(index, &self.pair[0], cost);
        search.examine(1);
    }
}

/// How bad a code is: zero if it fits, and only then.
fn cost(code: &[Color], ledger: &mut Ledger) -> u32 {
    let cells = ledger.rules().cells();
    let accounts_for_all = |mark: &Mark| mark.pegs() == Some(cells);
    let colors_known = ledger.turns().iter().any(|turn| turn.feedback.marks().iter().any(accounts_for_all));
    let position = if colors_known { 2 } else { 1 };
    let mut cost = 0u32;
    ledger.misfits(code, |misfit| {
        let pegs = misfit.black.saturating_add(misfit.white).unsigned_abs();
        cost = cost.saturating_add(misfit.black.unsigned_abs().saturating_mul(position)).saturating_add(pegs);
    });
    cost
}

impl Breeds for Bento {
    fn pursuit(&mut self) -> &mut Pursuit {
        &mut self.pursuit
    }

    fn open(&mut self, search: &mut Search<'_>) -> Code {
        self.palette.follow(&[]);
        self.draw(&mut search.rng);
        let any = self.population.code(search.rng.index(self.size));
        self.first.clone().unwrap_or(any)
    }

    fn breed_guess(&mut self, history: &History, goes_on: bool, search: &mut Search<'_>) -> Proposed {
        self.palette.follow(history.turns());
        if !goes_on {
            self.draw(&mut search.rng);
        }
        self.price(search);
        if search.stop().is_none() {
            self.breed(search);
        }
        let is_new = |code: &[Color]| history.turns().iter().all(|turn| *turn.guess != *code);
        let best = self.population.cheapest(is_new).map(|index| self.population.code(index));
        best_of(history, best, search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_pegs_count_double_once_all_colors_are_known() {
        let rules: Rules = "4x6".parse().unwrap();
        let price = |turns: &[&str], code: &str| {
            let mut ledger = Ledger::new(&rules);
            ledger.follow(&History::parse(&rules, turns.iter().copied()).unwrap());
            cost(&rules.parse_code(code).unwrap(), &mut ledger)
        };
        assert_eq!(price(&["1122=1,1"], "1123"), 2 + 1);
        assert_eq!(price(&["1122=2,2", "1234=0,2"], "2112"), 0);
        assert_eq!(price(&["1234=1,3"], "1243"), 2);
        assert_eq!(price(&["1234=1,2"], "1243"), 1 + 1);
    }
}
