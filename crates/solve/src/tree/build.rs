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
            let (desk, path) = (&*desk, &*guesses);
            let work = parts.into_par_iter();
            work.map(|part| branch(&mut desk.duplicate(), &mut path.clone(), part)).collect()
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
    use std::time::Duration;

    use super::*;
    use crate::catalog;

    fn strategy(name: &str, rules: &Rules) -> Box<dyn PositionStrategy> {
        catalog::strategy(name, rules).unwrap().position_strategy().unwrap()
    }

    #[test]
    fn the_tree_does_not_depend_on_the_number_of_threads() {
        let rules: Rules = "4x6".parse().unwrap();
        let strategy = strategy("entropy", &rules);
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let builder = Builder::new(&rules, Watch::default());
            let tree = pool.install(|| builder.build(&*strategy.duplicate())).unwrap();
            assert_eq!(builder.done(), 1296);
            tree
        };
        assert_eq!(with_threads(1), with_threads(3));
    }

    #[test]
    fn a_stopped_build_says_so() {
        let rules: Rules = "4x6".parse().unwrap();
        let builder = Builder::new(&rules, Watch::new(Some(Duration::ZERO), None));
        assert_eq!(builder.build(&*strategy("knuth", &rules)), Err(BuildError::Stopped(Stop::Time)));
    }

    /// Plays the same code for ever.
    struct Stubborn(Code);

    impl PositionStrategy for Stubborn {
        fn choose(&mut self, _: Position<'_>) -> Code {
            self.0.clone()
        }

        fn duplicate(&self) -> Box<dyn PositionStrategy> {
            Box::new(Self(self.0.clone()))
        }
    }

    #[test]
    fn a_guess_that_tells_nothing_is_an_error() {
        let rules: Rules = "2x3".parse().unwrap();
        let built = Builder::new(&rules, Watch::default()).build(&Stubborn(rules.parse_code("12").unwrap()));
        assert!(matches!(built, Err(BuildError::Useless { .. })));
    }
}
