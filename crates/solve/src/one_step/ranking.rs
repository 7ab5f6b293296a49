//! Guesses compared for somebody who has the codes, and wants to see how guesses would split them.

use std::sync::Arc;

use pegwise_game::{Code, Rules, Table, TableError};

use super::{
    chooser::{Guesses, OneStepSolver, Ties},
    criterion::{CostFunction, Criterion},
};
use crate::strategy::{Alternative, Position};

/// What a guess that can be the code is let off, in bits over all codes: as `entropy` has it.
const BONUS_BITS: u64 = 2;

/// Compares guesses one step ahead, by the entropy of their answers.
///
/// ```
/// use pegwise_game::{Rules, Table};
/// use pegwise_solve::one_step::Ranking;
/// let rules: Rules = "4x6".parse().unwrap();
/// let codes = Table::all(&rules).unwrap();
/// let rated = Ranking::new(&rules).unwrap().rate(rules.parse_code("1122").unwrap(), true, &codes);
/// assert!((rated.expected_remaining - 204.5).abs() < 0.1);
/// ```
#[derive(Debug, Clone)]
pub struct Ranking(OneStepSolver);

impl Ranking {
    /// A ranking of guesses of these rules. An error where codes of the rules do not fit a table.
    pub fn new(rules: &Rules) -> Result<Self, TableError> {
        Table::new(rules)?;
        let pricing = CostFunction::new(Criterion::Entropy, BONUS_BITS);
        Ok(Self(OneStepSolver::new(rules, pricing, Guesses::All, Ties::ConsistentLowest)))
    }

    /// How a guess does against codes, of which it may be one.
    pub fn rate(&mut self, guess: Code, consistent: bool, codes: &Table) -> Alternative {
        self.0.describe(guess, consistent, codes)
    }

    /// The best guesses of a pool against codes, best first.
    pub fn best(
        &mut self,
        codes: &Table,
        pool: &Table,
        is_consistent: impl Fn(&Code) -> bool,
        most: usize,
    ) -> Vec<Alternative> {
        let ranked = self.0.rank(codes, pool, is_consistent, most);
        ranked.into_iter().map(|priced| self.0.describe(priced.guess, priced.consistent, codes)).collect()
    }

    /// Guesses worth comparing at a position that followed from whole turns: one of each class of equals, and every code
    /// where there are no equals. For spaces that can be listed.
    #[must_use]
    pub fn pool(&self, position: Position<'_>) -> Arc<Table> {
        self.0.pool(position)
    }

    /// Whether feedback on these rules is computed for whole tables at a time.
    #[must_use]
    pub fn has_kernel(&self) -> bool {
        self.0.has_kernel()
    }
}
