//! Van Oijen's control: climbs from random codes, without breeding.
//!
//! As many random codes as the population has climb to local optima each on its own, and the guess is one of those that fit;
//! if none does, as many again are drawn. It tells how much crossing contributes to [`super::genetic_local_search`].
//!
//! Counting follows the published tables: `examined` is the first guess and every random code, and each of them once more if
//! its climb changed it; the changes tried on the way are `nodes`. `consistent` is the first guess and every climb that ended
//! in a code that fits, again when two end in the same.
//!
//! A guess costs its population times a few times cells x colors comparisons with the history. A search that goes on too long
//! ends with a code found by backtracking, or the nearest.
//!
//! # References
//! V. van Oijen, Genetic algorithms playing Mastermind, Bachelor's thesis, Utrecht University, 2018.

use pegwise_game::Rules;

use super::{
    choice::Choice,
    climb::climb,
    examiner::Examiner,
    guesser::{Guesser, Hunt},
    population::Population,
};
use crate::{candidates::fallback::StopCause, search::Search, spec::Arguments, strategy::Built};

struct MultiStartLocalSearch {
    size: usize,
    climbed: Population,
}

pub(super) fn build(_name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let hunt =
        MultiStartLocalSearch { size: arguments.integer("population") as usize, climbed: Population::new(rules) };
    Ok(Guesser::boxed(rules, arguments, Choice::Random, hunt))
}

impl Hunt for MultiStartLocalSearch {
    fn round(&mut self, examiner: &mut Examiner, search: &mut Search<'_>) -> Result<(), StopCause> {
        examiner.populate(&mut self.climbed, self.size, search, climb)
    }
}
