//! Breeding until a code fits, which is then played at once.
//!
//! The better half of a generation stays. The other half is replaced by children of three kinds: two codes that traded
//! what lies between two cuts, each then changed in one cell now and then; a copy with one cell of another color; a
//! copy with a stretch turned around. The copies are of codes that are not among the best. How often each kind is made
//! follows the last feedback: the more pegs it lacked the more colors change, the more white pegs it had the more
//! stretches are turned. The population goes on from guess to guess; it is drawn anew after [`PATIENCE`] generations
//! without a code that fits.

use pegwise_game::{Code, Color, History, Rules};

use super::palette::AllowedColors;
use crate::{
    candidates::{
        Ledger,
        fallback::{StopCause, settle},
    },
    evolutionary::{
        Population, Pursuit, crossover, draw, mutation, pursuit::Breeds, repair::repair, selection::Roulette,
    },
    search::Search,
    spec::Arguments,
    strategy::{Basis, Proposal, Proposed, Strategy},
};

/// Generations without a code that fits after which the population is drawn anew.
const PATIENCE: u32 = 50;
/// Populations for one guess before backtracking is asked instead.
const MAX_DRAWN: u32 = 20;
/// One crossed child in so many is changed as well.
const CHANGED: u64 = 4;

/// What tells one strategy from another.
pub(super) trait Fitness: Send {
    /// Takes on the turns of a game.
    fn follow(&mut self, ledger: &Ledger);

    /// How bad a code is: zero if it fits, and only then.
    fn cost(&self, code: &[Color], ledger: &mut Ledger) -> u32;

    /// Whether colors that an empty feedback ruled out leave the population.
    fn drops_colors(&self) -> bool;
}

pub(super) struct UntilFit<F> {
    fitness: F,
    rules: Rules,
    size: usize,
    first: Option<Code>,
    pursuit: Pursuit,
    palette: AllowedColors,
    population: Population,
    next: Population,
    wheel: Roulette,
    pair: [Vec<Color>; 2],
}

/// A code that fits, or none for this reason.
type Found = Result<Code, StopCause>;

impl<F: Fitness + 'static> UntilFit<F> {
    pub(super) fn build(fitness: F, rules: &Rules, arguments: &Arguments) -> Box<dyn Strategy> {
        let code = vec![Color::default(); rules.cells()];
        Box::new(Self {
            fitness,
            rules: rules.clone(),
            size: arguments.integer("population") as usize,
            first: arguments.code("first", rules),
            pursuit: Pursuit::new(rules),
            palette: AllowedColors::new(rules),
            population: Population::new(rules),
            next: Population::new(rules),
            wheel: Roulette::default(),
            pair: [code.clone(), code],
        })
    }

    /// Prices a code and adds it to the next generation; tells whether it fits.
    fn admit(&mut self, which: usize, search: &mut Search<'_>) -> bool {
        let code = &mut self.pair[which];
        self.palette.purge(code, &mut search.rng);
        repair(code, &self.rules, &mut search.rng);
        let cost = self.fitness.cost(code, &mut self.pursuit.ledger);
        search.examine(1);
        self.next.push(code, cost);
        cost == 0
    }

    /// Fills the next generation with the present one, as the turns now price it, or with fresh codes.
    fn renew(&mut self, fresh: bool, search: &mut Search<'_>) -> Option<Code> {
        self.next.clear();
        for index in 0..self.size {
            let code = &mut self.pair[0];
            match fresh {
                true => draw(code, &self.rules, &mut search.rng),
                false => code.copy_from_slice(self.population.member(index)),
            }
            if self.admit(0, search) {
                return Some(Code::new(&self.pair[0][..]));
            }
        }
        std::mem::swap(&mut self.population, &mut self.next);
        None
    }

    /// How often children are crossed, recolored and turned around, of the sum of the three.
    fn kinds(&self) -> [u64; 3] {
        let cells = self.rules.cells() as u64;
        match self.pursuit.ledger.turns().last().map(|turn| turn.feedback.marks()) {
            Some(&[mark]) if mark.kind().terms().is_classic() => {
                let [black, pegs] = mark.sums();
                [cells, cells.saturating_sub(pegs), pegs - black]
            }
            _ => [2, 1, 1],
        }
    }

    /// Breeds one generation, unless a child fits before it is complete.
    fn breed(&mut self, kinds: [u64; 3], search: &mut Search<'_>) -> Option<Code> {
        let order = self.population.by_cost();
        let (best, others) = order.split_at(self.size / 2);
        let highest = self.population.cost(order[self.size - 1]);
        self.wheel.load(self.population.costs().iter().map(|&cost| u64::from(highest - cost) + 1));
        self.next.clear();
        for &index in best {
            self.next.push(self.population.member(index), self.population.cost(index));
        }
        while self.next.len() < self.size {
            let kind = search.rng.below(kinds.iter().sum());
            let children = if kind < kinds[0] { 2 } else { 1 };
            if children == 2 {
                let [one, other] = &mut self.pair;
                one.copy_from_slice(self.population.member(self.wheel.spin(&mut search.rng)));
                other.copy_from_slice(self.population.member(self.wheel.spin(&mut search.rng)));
                crossover::two_point(one, other, &mut search.rng);
                for child in [one, other] {
                    if search.rng.below(CHANGED) == 0 {
                        self.palette.recolor(child, &mut search.rng);
                    }
                }
            } else {
                let child = &mut self.pair[0];
                child.copy_from_slice(self.population.member(others[search.rng.index(others.len())]));
                match kind < kinds[0] + kinds[1] {
                    true => self.palette.recolor(child, &mut search.rng),
                    false => mutation::invert(child, &mut search.rng),
                }
            }
            for which in 0..children.min(self.size - self.next.len()) {
                if self.admit(which, search) {
                    return Some(Code::new(&self.pair[which][..]));
                }
            }
        }
        std::mem::swap(&mut self.population, &mut self.next);
        None
    }

    fn search_code(&mut self, goes_on: bool, search: &mut Search<'_>) -> Found {
        let kinds = self.kinds();
        let mut fresh = !goes_on || self.population.len() != self.size;
        for _ in 0..MAX_DRAWN {
            if let Some(code) = self.renew(fresh, search) {
                return Ok(code);
            }
            for _ in 0..PATIENCE {
                if let Some(stop) = search.stop() {
                    return Err(StopCause::Limit(stop));
                }
                if let Some(code) = self.breed(kinds, search) {
                    return Ok(code);
                }
            }
            fresh = true;
        }
        Err(StopCause::Effort)
    }
}

impl<F: Fitness + 'static> Breeds for UntilFit<F> {
    fn pursuit(&mut self) -> &mut Pursuit {
        &mut self.pursuit
    }

    fn open(&mut self, search: &mut Search<'_>) -> Code {
        self.population.clear();
        self.first.clone().unwrap_or_else(|| search.rng.code(&self.rules))
    }

    fn breed_guess(&mut self, history: &History, goes_on: bool, search: &mut Search<'_>) -> Proposed {
        self.fitness.follow(&self.pursuit.ledger);
        if self.fitness.drops_colors() {
            self.palette.follow(history.turns());
        }
        match self.search_code(goes_on, search) {
            Ok(guess) => {
                search.find(1);
                Ok(Proposal::new(guess, Basis::Consistent))
            }
            Err(spent) => {
                let nearest = self.population.cheapest(|_| true).map(|index| self.population.code(index));
                settle(history, spent, nearest, search)
            }
        }
    }
}
