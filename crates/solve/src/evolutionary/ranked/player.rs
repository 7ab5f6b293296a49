//! The game that these strategies play, guess by guess.

use pegwise_game::{Code, Color, History, Rules};

use super::{
    breeder::Breeder,
    cycle,
    finds::Finds,
    measure::{Measure, Splitter},
};
use crate::{
    candidates::fallback::{StopCause, settle},
    evolutionary::{Population, Pursuit, Seen, draw_new, pursuit::Breeds},
    search::Search,
    spec::Arguments,
    strategy::{Basis, Proposal, Proposed, Strategy},
};

/// So many codes that fit are enough: more do not improve the choice at 4x6.
const ENOUGH: usize = 20;
/// So many generations without a change in their number, and there will hardly be more.
const STALE: u32 = 3;
/// Fresh populations for one guess before backtracking is asked instead.
const MAX_RESETS: u32 = 20;

/// What tells one strategy from another.
pub(super) trait Scheme: Send {
    /// What a code that fits is measured by.
    fn measure(&self) -> Measure;

    /// Generations without a code that fits after which the population is drawn anew.
    fn patience(&self) -> u32;

    /// Whether codes that fit are kept when their population has moved on.
    fn collects(&self) -> bool;

    /// Whether codes that fit are measured in each generation.
    fn measures_always(&self) -> bool;

    /// The chance of a code to become a parent, from its cost, the highest cost of its generation, and its score if it
    /// fits.
    fn weight(&self, cost: u32, highest: u32, score: u64) -> u64;

    /// How many codes the paper counts as evaluated in a generation of so many codes and so many children.
    fn evaluated(&self, population: usize, children: usize) -> u64;
}

pub(super) struct Player<S> {
    scheme: S,
    rules: Rules,
    size: usize,
    /// The first guess; any code if there is none.
    first: Option<Code>,
    pursuit: Pursuit,
    population: Population,
    breeder: Breeder,
    finds: Finds,
    splitter: Splitter,
    scores: Vec<u64>,
    weights: Vec<u64>,
    drawn: Seen,
    code: Vec<Color>,
}

impl<S: Scheme + 'static> Player<S> {
    pub(super) fn build(scheme: S, rules: &Rules, arguments: &Arguments) -> Box<dyn Strategy> {
        let first = match arguments.text("first") {
            "cycle" => Some(cycle(rules)),
            _ => arguments.code("first", rules),
        };
        Box::new(Self {
            rules: rules.clone(),
            size: arguments.integer("population") as usize,
            first,
            pursuit: Pursuit::new(rules),
            population: Population::new(rules),
            breeder: Breeder::new(rules, arguments.decimal("replacement")),
            finds: Finds::new(rules),
            splitter: Splitter::new(rules, scheme.measure()),
            scheme,
            scores: Vec::new(),
            weights: Vec::new(),
            drawn: Seen::new(rules),
            code: vec![Color::default(); rules.cells()],
        })
    }

    /// Draws a population of different codes.
    fn draw(&mut self, search: &mut Search<'_>) {
        self.population.clear();
        self.drawn.clear();
        for _ in 0..self.size {
            draw_new(&mut self.code, &self.rules, &mut self.drawn, &mut search.rng);
            self.population.push(&self.code, self.pursuit.ledger.distance(&self.code));
        }
        search.examine(self.size as u64);
    }

    /// Makes ready for a guess: the population of this game, or a fresh one, priced by all turns.
    fn begin(&mut self, goes_on: bool, search: &mut Search<'_>) {
        if goes_on && self.population.len() == self.size {
            let ledger = &mut self.pursuit.ledger;
            if self.scheme.collects() {
                search.examine(self.finds.retain(ledger) as u64);
            }
            self.population.reprice(|code| ledger.distance(code));
            search.examine(self.size as u64);
        } else {
            self.finds.clear();
            self.draw(search);
        }
        self.gather();
    }

    /// Finds the codes of the population that fit.
    fn gather(&mut self) {
        if !self.scheme.collects() {
            self.finds.clear();
        }
        for index in 0..self.population.len() {
            if self.population.cost(index) == 0 {
                self.finds.insert(self.population.member(index));
            }
        }
    }

    fn breed(&mut self, search: &mut Search<'_>) {
        if self.scheme.measures_always() {
            self.splitter.score(self.finds.codes(), &mut self.scores, search);
        }
        let highest = self.population.costs().iter().copied().max().unwrap_or(0);
        self.weights.clear();
        for index in 0..self.population.len() {
            let cost = self.population.cost(index);
            let score = match cost {
                0 if self.scheme.measures_always() => self.scores[self.finds.insert(self.population.member(index))],
                _ => 0,
            };
            self.weights.push(self.scheme.weight(cost, highest, score));
        }
        let ledger = &mut self.pursuit.ledger;
        let children = self.breeder.breed(&mut self.population, &self.weights, ledger, &mut search.rng);
        search.examine(self.scheme.evaluated(self.size, children));
    }

    /// Breeds until enough codes fit, or no more turn up.
    fn collect(&mut self, search: &mut Search<'_>) -> Result<(), StopCause> {
        let (mut unchanged, mut resets) = (0, 0);
        while self.finds.len() < ENOUGH {
            if let Some(stop) = search.stop() {
                return if self.finds.len() > 0 { Ok(()) } else { Err(StopCause::Limit(stop)) };
            }
            let before = self.finds.len();
            self.breed(search);
            self.gather();
            unchanged = if self.finds.len() == before { unchanged + 1 } else { 0 };
            if unchanged >= STALE && self.finds.len() > 0 {
                return Ok(());
            }
            if unchanged >= self.scheme.patience() {
                resets += 1;
                if resets == MAX_RESETS {
                    return Err(StopCause::Effort);
                }
                self.draw(search);
                self.gather();
                unchanged = 0;
            }
        }
        Ok(())
    }

    /// One of the codes with the highest score, each as likely as the other.
    fn choose(&mut self, search: &mut Search<'_>) -> Proposal {
        self.splitter.score(self.finds.codes(), &mut self.scores, search);
        let highest = self.scores.iter().copied().max().unwrap_or(0);
        let best = self.scores.iter().filter(|&&score| score == highest).count();
        let chosen = search.rng.index(best);
        let index = self.scores.iter().enumerate().filter(|&(_, &score)| score == highest).nth(chosen);
        let basis = if self.finds.len() > 1 { Basis::Scored } else { Basis::Consistent };
        Proposal::new(self.finds.codes().code(index.map_or(0, |(index, _)| index)), basis)
    }
}

impl<S: Scheme + 'static> Breeds for Player<S> {
    fn pursuit(&mut self) -> &mut Pursuit {
        &mut self.pursuit
    }

    fn open(&mut self, search: &mut Search<'_>) -> Code {
        self.population.clear();
        self.first.clone().unwrap_or_else(|| search.rng.code(&self.rules))
    }

    fn breed_guess(&mut self, history: &History, goes_on: bool, search: &mut Search<'_>) -> Proposed {
        self.begin(goes_on, search);
        let proposal = match self.collect(search) {
            Ok(()) => self.choose(search),
            Err(spent) => {
                let nearest = self.population.cheapest(|_| true).map(|index| self.population.code(index));
                settle(history, spent, nearest, search)?
            }
        };
        search.find(self.finds.len() as u64);
        Ok(proposal)
    }
}
