//! A generation of a canonical genetic algorithm.

use std::cmp::Reverse;

use pegwise_game::{Color, Rules};

use crate::{
    candidates::TurnSet,
    evolutionary::{Population, crossover, mutation, repair::repair, selection::Roulette},
    rng::Rng,
};

/// Makes one generation from another: the best codes stay, and children of parents drawn by weight take the places of
/// the others. Two parents each get one cell of another color, then trade what lies behind one cut.
#[derive(Debug)]
pub(super) struct Breeder {
    rules: Rules,
    /// The share of codes that stay.
    stays: f64,
    wheel: Roulette,
    /// Members by rank, best first, as far as they are told apart.
    ranks: Vec<(Reverse<u64>, usize)>,
    next: Population,
    pair: [Vec<Color>; 2],
}

impl Breeder {
    pub(super) fn new(rules: &Rules, stays: f64) -> Self {
        let code = vec![Color::default(); rules.cells()];
        Self {
            rules: rules.clone(),
            stays,
            wheel: Roulette::default(),
            ranks: Vec::new(),
            next: Population::new(rules),
            pair: [code.clone(), code],
        }
    }

    /// Breeds the next generation, and tells how many children it has.
    pub(super) fn breed(
        &mut self,
        population: &mut Population,
        weights: &[u64],
        ledger: &mut TurnSet,
        rng: &mut Rng,
    ) -> usize {
        let size = population.len();
        let stay = (size as f64 * self.stays) as usize;
        self.wheel.load(weights.iter().copied());
        self.next.clear();
        self.keep_best(stay, population, weights);
        while self.next.len() < size {
            let [one, other] = &mut self.pair;
            for child in [&mut *one, &mut *other] {
                child.copy_from_slice(population.member(self.wheel.spin(rng)));
                mutation::recolor(child, &self.rules, rng);
            }
            crossover::one_point(one, other, rng);
            for child in [one, other] {
                if self.next.len() < size {
                    repair(child, &self.rules, rng);
                    self.next.push(child, ledger.distance(child));
                }
            }
        }
        std::mem::swap(population, &mut self.next);
        size - stay
    }

    /// The members of largest weight, the earlier of equals, in the order they are in.
    fn keep_best(&mut self, count: usize, population: &Population, weights: &[u64]) {
        if count == 0 {
            return;
        }
        self.ranks.clear();
        self.ranks.extend(weights.iter().enumerate().map(|(index, &weight)| (Reverse(weight), index)));
        let (_, &mut last, _) = self.ranks.select_nth_unstable(count - 1);
        for (index, &weight) in weights.iter().enumerate() {
            if (Reverse(weight), index) <= last {
                self.next.push(population.member(index), population.cost(index));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::History;

    use super::*;

    #[test]
    fn the_best_stay_and_the_others_are_replaced() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut ledger = TurnSet::new(&rules);
        ledger.follow(&History::parse(&rules, ["1123=1,1", "4456=0,1"]).unwrap());
        let mut rng = Rng::new(1);
        let mut population = Population::new(&rules);
        for _ in 0..50 {
            let code = rng.code(&rules);
            population.push(&code, ledger.distance(&code));
        }
        for stays in [0.0, 0.25, 0.5, 1.0] {
            let mut breeder = Breeder::new(&rules, stays);
            let weights: Vec<u64> = population.costs().iter().map(|&cost| 20 - u64::from(cost)).collect();
            let mut next = population.clone();
            let children = breeder.breed(&mut next, &weights, &mut ledger, &mut rng);
            let stay = (50.0 * stays) as usize;
            assert_eq!((next.len(), children), (50, 50 - stay));
            let mut best = population.by_cost();
            best.truncate(stay);
            best.sort_unstable();
            for (place, index) in best.into_iter().enumerate() {
                assert_eq!(next.member(place), population.member(index));
            }
            for index in 0..50 {
                assert_eq!(next.cost(index), ledger.distance(next.member(index)));
            }
        }
    }
}
