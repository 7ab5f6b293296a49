//! Van Oijen's second variation of Berghman: families compete, and every code climbs to a local optimum before it joins.
//!
//! Each code of the first generation and each child tries every color in every cell and keeps what brings it nearer to
//! fitting. Crossover is the only other change, and small populations do. A search ends after five generations in which
//! neither the best nor the worst cost of the population fell; if nothing fits then, a fresh population begins.
//!
//! Counting follows the published tables: `examined` is the first guess, every code of a first generation and every child,
//! and each of them once more if its climb changed it; the changes tried on the way are `nodes`. `consistent` is the first
//! guess and every fitting code as it enters the population, again when another family finds it again.
//!
//! A climb costs a few times cells x colors comparisons with the history. A search that goes on too long ends with a code
//! found by backtracking, or the nearest.
//!
//! # References
//! V. van Oijen, Genetic algorithms playing Mastermind, Bachelor's thesis, Utrecht University, 2018.

use pegwise_game::Rules;

use super::{
    choice::Choice,
    climb::climb,
    examiner::Examiner,
    family::Families,
    guesser::{Guesser, Hunt},
};
use crate::{candidates::fallback::StopCause, search::Search, spec::Arguments, strategy::Built};

/// Generations without progress after which a search ends.
const PATIENCE: u32 = 5;

struct GeneticLocalSearch {
    size: usize,
    families: Families,
}

pub(super) fn build(_name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let hunt = GeneticLocalSearch { size: arguments.integer("population") as usize, families: Families::new(rules) };
    Ok(Guesser::boxed(rules, arguments, Choice::Random, hunt))
}

impl Hunt for GeneticLocalSearch {
    fn round(&mut self, examiner: &mut Examiner, search: &mut Search<'_>) -> Result<(), StopCause> {
        examiner.populate(&mut self.families.members, self.size, search, climb)?;
        let mut reached = self.range();
        let mut idle = 0;
        while idle < PATIENCE {
            self.families.compete(examiner, search, |examiner, child, search| {
                let cost = examiner.examine(child, search)?;
                climb(examiner, child, cost, search)
            })?;
            // Families keep their best, so neither end of the range ever rises.
            let now = self.range();
            idle = if now == reached { idle + 1 } else { 0 };
            reached = now;
        }
        Ok(())
    }
}

impl GeneticLocalSearch {
    /// The lowest cost of the population, and the highest.
    fn range(&self) -> (Option<u32>, Option<u32>) {
        let costs = self.families.members.costs().iter().copied();
        (costs.clone().min(), costs.max())
    }
}
