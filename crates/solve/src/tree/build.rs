//! Building the whole tree of a strategy: every reachable position once, never every secret by itself.

use std::sync::atomic::{AtomicU64, Ordering};

use pegwise_game::{
    Code, Feedback, Rules, Table, TableError,
    partition::{Part, Partitioner},
};
use rayon::prelude::*;

use super::{Branch, Node, Tree};
use crate::{
    search::{Stop, Watch},
    strategy::{Position, PositionStrategy},
};

/// Why a tree could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The space does not fit a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// It was stopped.
    #[error("the tree was not finished before {0}")]
    Stopped(Stop),
    /// A guess told nothing apart, so the tree would never end.
    #[error("the strategy guesses {guess} with {codes} codes left, which leaves them all")]
    Useless {
        /// The guess.
        guess: String,
        /// Codes left.
        codes: usize,
    },
}

/// Builds trees.
pub struct Builder<'a> {
    rules: Rules,
    watch: Watch<'a>,
    /// Codes whose place in the tree is known.
    done: AtomicU64,
}

impl<'a> Builder<'a> {
    /// A builder for these rules that stops when told to.
    #[must_use]
    pub fn new(rules: &Rules, watch: Watch<'a>) -> Self {
        Self { rules: rules.clone(), watch, done: AtomicU64::new(0) }
    }

    /// How many codes have their place in the tree already.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The whole tree of a strategy.
    pub fn build(&self, strategy: &dyn PositionStrategy) -> Result<Tree, BuildError> {
        let all = Table::all(&self.rules)?;
        let mut desk = Desk { strategy: strategy.duplicate(), partitioner: Partitioner::new(&self.rules) };
        let root = self.node(&mut desk, &all, &mut Vec::new())?;
        Ok(Tree { rules: self.rules.clone(), root })
    }

    fn node(&self, desk: &mut Desk, codes: &Table, guesses: &mut Vec<Code>) -> Result<Node, BuildError> {
        // Below this a position is quicker done than handed over.
        const WORTH_SHARING: usize = 64;
        if let Some(stop) = self.watch.stop() {
            return Err(BuildError::Stopped(stop));
        }
        let guess = desk.strategy.choose(Position { codes, guesses });
        if codes.len() == 1 && codes.code(0) == guess {
            self.done.fetch_add(1, Ordering::Relaxed);
            return Ok(Node::leaf(guess));
        }
        let parts = desk.partitioner.split(&guess, codes);
        let winning = Feedback::winning(&self.rules);
        let wins = parts.iter().any(|part| part.feedback == winning);
        if parts.len() == 1 && !wins {
            let guess = guess.notation(self.rules.colors()).to_string();
            return Err(BuildError::Useless { guess, codes: codes.len() });
        }
        if wins {
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        let parts: Vec<Part> = parts.into_iter().filter(|part| part.feedback != winning).collect();
        guesses.push(guess.clone());
        let branch = |desk: &mut Desk, guesses: &mut Vec<Code>, part: Part| {
            let node = self.node(desk, &codes.select(&part.rows), guesses)?;
            Ok(Branch { feedback: part.feedback, node })
        };
        let branches = if codes.len() < WORTH_SHARING {
            parts.into_iter().map(|part| branch(desk, guesses, part)).collect::<Result<_, BuildError>>()
        } else {
            let shared = (&*desk, &*guesses);
            // `duplicate` needs no more than a shared look at the strategy, but strategies are not `Sync`: one copy for
            // each part is made up front.
            let desks: Vec<Desk> = parts.iter().map(|_| shared.0.duplicate()).collect();
            let work: Vec<(Part, Desk)> = parts.into_iter().zip(desks).collect();
            let path = shared.1.clone();
            work.into_par_iter().map(|(part, mut desk)| branch(&mut desk, &mut path.clone(), part)).collect()
        };
        guesses.pop();
        Ok(Node { guess, wins, branches: branches? })
    }
}

/// What one thread works with.
struct Desk {
    strategy: Box<dyn PositionStrategy>,
    partitioner: Partitioner,
}

impl Desk {
    fn duplicate(&self) -> Self {
        Self { strategy: self.strategy.duplicate(), partitioner: self.partitioner.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    fn totals(rules: &str, strategy: &str) -> (u64, u32) {
        let rules: Rules = rules.parse().unwrap();
        let strategy = catalog::strategy(strategy, &rules).unwrap();
        let tree = Builder::new(&rules, Watch::default()).build(&*strategy.position_strategy().unwrap()).unwrap();
        let stats = tree.stats();
        (stats.total, stats.max)
    }

    #[test]
    fn published_totals() {
        assert_eq!(totals("4x6", "knuth"), (5801, 5));
        assert_eq!(totals("4x6", "expected-size").0, 5696);
        assert_eq!(totals("4x6", "most-parts").0, 5668);
        assert_eq!(totals("4x6", "entropy").0, 5722);
    }
}
