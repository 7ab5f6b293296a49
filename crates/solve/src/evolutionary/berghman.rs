//! Berghman, Goossens and Leus: breed with parents drawn by fitness, collect codes that fit, play one of them.
//!
//! For every guess a population of different random codes is bred for some generations: parents by roulette, crossed at one
//! point or two, their children mutated, permuted, inverted now and then. All codes that fit are collected on the way, until
//! there are enough of them; if there are none after the last generation, a fresh population begins. The guess is one of
//! those collected.
//!
//! A code's cost is the pegs by which it misses the feedbacks so far, and both descriptions call the chance to become a
//! parent proportionate to a fitness that is this cost and a constant, which taken literally breeds the worst. Here the
//! weight of a code is how much better it is than the worst of its generation. Of the weights that decrease with the cost
//! this is the one under which a guess collects as many codes as in van Oijen's tables, at every size and population; the
//! parameter `weights` has others, and the published tables list what they come to.
//!
//! Counting follows those tables: `examined` is the first guess and every code of every generation; `consistent` the first
//! guess and every fitting code of every generation, again in each where it lives, which is why there can be more than there
//! are codes. Only a first generation must be of different codes.
//!
//! A generation costs one comparison with the history for each code. Small spaces take some ten generations a guess, late
//! guesses in large ones many populations. How many depends on how fast a population converges, and so on the weights that
//! the text leaves open: the published games examined about as many codes as these at 4x6 with the smaller populations,
//! twice as many at 6x9, and several times as many at 8x12, with standard deviations above their means. Rates of zero for
//! mutation, permutation and inversion come nearer to them; the stated rates are the defaults all the same.
//!
//! A search that goes on too long ends with a code found by backtracking, or the nearest.
//!
//! # References
//! L. Berghman, D. Goossens, R. Leus, Efficient solutions for Mastermind using genetic algorithms, Computers & Operations
//! Research 36(6), 2009. <https://doi.org/10.1016/j.cor.2008.06.004>
//! V. van Oijen, Genetic algorithms playing Mastermind, Bachelor's thesis, Utrecht University, 2018.

use pegwise_game::{Color, Rules};

use super::{
    choice::Choice,
    examiner::Examiner,
    guesser::{Guesser, Hunt},
    population::Population,
    selection::Roulette,
    variation::{Variation, cross},
};
use crate::{candidates::fallback::StopCause, search::Search, spec::Arguments, strategy::Built};

struct Berghman {
    size: usize,
    generations: u64,
    eligible: usize,
    variation: Variation,
    weights: Weights,
    wheel: Roulette,
    parents: Population,
    children: Population,
    /// Two children in the making.
    pair: [Vec<Color>; 2],
}

/// How a cost becomes the chance to be a parent.
#[derive(Debug, Clone, Copy)]
enum Weights {
    /// How much better a code is than the worst of its generation.
    Worst,
    /// How much better it is than the worst that could be: two for each cell and turn.
    Bound,
    /// One by the cost and one.
    Inverse,
}

impl Weights {
    fn named(name: &str) -> Self {
        match name {
            "bound" => Self::Bound,
            "inverse" => Self::Inverse,
            _ => Self::Worst,
        }
    }

    /// Lays out a wheel for members of these costs.
    fn load(self, wheel: &mut Roulette, costs: &[u32], bound: u64) {
        /// What a cost of nothing weighs: costs of some thousands are still told apart.
        const ONE: u64 = 1 << 32;
        match self {
            Self::Worst => {
                let worst = costs.iter().copied().max().unwrap_or(0);
                wheel.load(costs.iter().map(|&cost| u64::from(worst - cost)));
            }
            Self::Bound => wheel.load(costs.iter().map(|&cost| bound.saturating_sub(cost.into()))),
            Self::Inverse => wheel.load(costs.iter().map(|&cost| ONE / (u64::from(cost) + 1))),
        }
    }
}

pub(super) fn build(_name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let hunt = Berghman {
        size: arguments.integer("population") as usize,
        generations: arguments.integer("generations"),
        eligible: arguments.integer("eligible") as usize,
        variation: Variation::new(arguments),
        weights: Weights::named(arguments.text("weights")),
        wheel: Roulette::default(),
        parents: Population::new(rules),
        children: Population::new(rules),
        pair: [vec![Color::default(); rules.cells()], vec![Color::default(); rules.cells()]],
    };
    Ok(Guesser::boxed(rules, arguments, Choice::named(arguments.text("choice")), hunt))
}

impl Hunt for Berghman {
    fn round(&mut self, examiner: &mut Examiner, search: &mut Search<'_>) -> Result<(), StopCause> {
        examiner.populate(&mut self.parents, self.size, search, |_, _, cost, _| Ok(cost))?;
        for _ in 1..self.generations {
            if examiner.eligible.len() >= self.eligible {
                break;
            }
            self.breed(examiner, search)?;
        }
        Ok(())
    }
}

impl Berghman {
    /// The next generation takes the place of the last.
    fn breed(&mut self, examiner: &mut Examiner, search: &mut Search<'_>) -> Result<(), StopCause> {
        let bound = 2 * (examiner.rules().cells() * examiner.turns()) as u64;
        self.weights.load(&mut self.wheel, self.parents.costs(), bound);
        self.children.clear();
        while self.children.len() < self.size {
            let [one, other] = &mut self.pair;
            for child in [&mut *one, &mut *other] {
                child.copy_from_slice(self.parents.member(self.wheel.spin(&mut search.rng)));
            }
            cross(one, other, examiner.rules(), &mut search.rng);
            for child in [one, other].into_iter().take(self.size - self.children.len()) {
                self.variation.vary(child, examiner.rules(), &mut search.rng);
                let cost = examiner.examine(child, search)?;
                self.children.push(child, cost);
                if cost == 0 {
                    examiner.keep(child, search);
                }
            }
        }
        std::mem::swap(&mut self.parents, &mut self.children);
        Ok(())
    }
}
