//! Van Oijen's first variation of Berghman: families compete instead of parents being drawn by fitness.
//!
//! Neighbors in the population are parents of two children, crossed, mutated, permuted and inverted as in [`super::berghman`];
//! the best two of the four live on. Otherwise it is the same search.
//!
//! Counting follows the published tables: `examined` is the first guess, every code of a first generation and every child;
//! `consistent` the first guess and every fitting code as it enters the population, again when another family finds it again.
//!
//! Families never mix, so a population soon holds the best that each pair can reach, and most guesses run through all their
//! generations. In large spaces most populations end without a code that fits: the thesis gave up on populations of 75 and
//! 150 at 8x12. Here such a search ends with a code found by backtracking, or the nearest, after some seconds at the latest.
//!
//! # References
//! V. van Oijen, Genetic algorithms playing Mastermind, Bachelor's thesis, Utrecht University, 2018.

use pegwise_game::Rules;

use super::{
    choice::Choice,
    examiner::Examiner,
    family::Families,
    guesser::{Guesser, Hunt},
    variation::Variation,
};
use crate::{candidates::fallback::StopCause, search::Search, spec::Arguments, strategy::Built};

struct FamilyCompetition {
    size: usize,
    generations: u64,
    eligible: usize,
    variation: Variation,
    families: Families,
}

pub(super) fn build(_name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let hunt = FamilyCompetition {
        size: arguments.integer("population") as usize,
        generations: arguments.integer("generations"),
        eligible: arguments.integer("eligible") as usize,
        variation: Variation::new(arguments),
        families: Families::new(rules),
    };
    Ok(Guesser::boxed(rules, arguments, Choice::named(arguments.text("choice")), hunt))
}

impl Hunt for FamilyCompetition {
    fn round(&mut self, examiner: &mut Examiner, search: &mut Search<'_>) -> Result<(), StopCause> {
        examiner.populate(&mut self.families.members, self.size, search, |_, _, cost, _| Ok(cost))?;
        let variation = self.variation;
        for _ in 1..self.generations {
            if examiner.eligible.len() >= self.eligible {
                break;
            }
            self.families.compete(examiner, search, |examiner, child, search| {
                variation.vary(child, examiner.rules(), &mut search.rng);
                examiner.examine(child, search)
            })?;
        }
        Ok(())
    }
}
