//! Building the whole tree of a strategy: every reachable position once, never every secret by itself.

use std::sync::atomic::{AtomicU64, Ordering};

use pegwise_game::{
    Code, Feedback, Rules, Table, TableError, Turn,
    partition::{Part, Partitioner},
};

#[cfg(feature = "files")]
use super::Journal;
use super::{Branch, Node, Tree, Untold};
use crate::{
    candidates::{Suspects, listed::Filter},
    parallel,
    search::{Stop, Watch},
    strategy::{Position, PositionStrategy},
};

/// Why a tree could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The feedback does not tell all codes apart.
    #[error(transparent)]
    Untold(#[from] Untold),
    /// The space does not fit a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// It was stopped.
    #[error("the tree was not finished before {0}")]
    Stopped(Stop),
    /// What was finished cannot be kept.
    #[error("finished parts cannot be kept: {0}")]
    Journal(String),
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
    /// Where finished parts are kept.
    #[cfg(feature = "files")]
    journal: Option<Journal>,
    /// Codes whose place in the tree is known.
    done: AtomicU64,
}

/// The largest part that is kept as a whole: what an interrupted build may lose on each thread.
const PART: usize = 2048;

impl<'a> Builder<'a> {
    /// A builder for these rules that stops when told to.
    #[must_use]
    pub fn new(rules: &Rules, watch: Watch<'a>) -> Self {
        Self {
            rules: rules.clone(),
            watch,
            #[cfg(feature = "files")]
            journal: None,
            done: AtomicU64::new(0),
        }
    }

    /// The same builder, keeping what it finishes and going on from what was finished before. The journal must be of the
    /// same strategy.
    #[cfg(feature = "files")]
    #[must_use]
    pub fn with_journal(mut self, journal: Journal) -> Self {
        self.journal = Some(journal);
        self
    }

    /// The journal, when the build is over.
    #[cfg(feature = "files")]
    #[must_use]
    pub fn into_journal(self) -> Option<Journal> {
        self.journal
    }

    /// How many codes have their place in the tree already.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// The whole tree of a strategy.
    pub fn build(&self, strategy: &dyn PositionStrategy) -> Result<Tree, BuildError> {
        Untold::check(&self.rules)?;
        let all = Table::all(&self.rules)?;
        let mut worker = Worker { strategy: strategy.duplicate(), partitioner: Partitioner::new(&self.rules) };
        let root = if self.rules.lies() > 0 {
            let mut lying = Lying { all: &all, filter: Filter::new(&self.rules), guesses: Vec::new() };
            self.node_with_lies(&mut worker, &mut lying, &Suspects::all(&all))?
        } else {
            self.node(&mut worker, &all, &mut Vec::new(), &[])?
        };
        Ok(Tree { rules: self.rules.clone(), root })
    }

    /// The parts that several machines can build, each by itself, by the turns that lead to them: those that a journal keeps.
    /// None where the space is so small, or the rules such, that a build has no parts.
    #[cfg(feature = "files")]
    pub fn parts(&self, strategy: &dyn PositionStrategy) -> Result<Vec<Vec<Turn>>, BuildError> {
        Untold::check(&self.rules)?;
        let all = Table::all(&self.rules)?;
        let mut parts = Vec::new();
        if self.rules.lies() == 0 && all.len() > PART {
            let mut worker = Worker { strategy: strategy.duplicate(), partitioner: Partitioner::new(&self.rules) };
            self.find_parts(&mut worker, &all, &mut Vec::new(), &mut parts)?;
        }
        Ok(parts)
    }

    /// The parts below a position with more codes than a part has.
    #[cfg(feature = "files")]
    fn find_parts(
        &self,
        worker: &mut Worker,
        codes: &Table,
        turns: &mut Vec<Turn>,
        parts: &mut Vec<Vec<Turn>>,
    ) -> Result<(), BuildError> {
        let guesses: Vec<Code> = turns.iter().map(|turn| turn.guess.clone()).collect();
        let guess = worker.strategy.choose_within(Position { codes, guesses: &guesses }, self.watch);
        if let Some(stop) = self.watch.stop() {
            return Err(BuildError::Stopped(stop));
        }
        let split = worker.partitioner.split(&guess, codes);
        if let [_] = split[..] {
            let guess = guess.notation(self.rules.colors()).to_string();
            return Err(BuildError::Useless { guess, codes: codes.len() });
        }
        for Part { feedback, rows } in split.into_iter().filter(|part| !part.feedback.is_winning(&self.rules)) {
            turns.push(Turn { guess: guess.clone(), feedback });
            if rows.len() > PART {
                self.find_parts(worker, &codes.select(&rows), turns, parts)?;
            } else {
                parts.push(turns.clone());
            }
            turns.pop();
        }
        Ok(())
    }

    /// One of the [parts](Self::parts), as [`Journal::take`] takes it.
    #[cfg(feature = "files")]
    pub fn part(&self, strategy: &dyn PositionStrategy, turns: &[Turn]) -> Result<Vec<u8>, BuildError> {
        let mut codes = Table::all(&self.rules)?;
        let mut filter = Filter::new(&self.rules);
        for turn in turns {
            codes = codes.select(filter.rows(&codes, turn));
        }
        if codes.is_empty() {
            return Err(BuildError::Journal("no code fits the turns to the part".to_owned()));
        }
        let mut worker = Worker { strategy: strategy.duplicate(), partitioner: Partitioner::new(&self.rules) };
        let mut guesses = turns.iter().map(|turn| turn.guess.clone()).collect();
        let node = self.node(&mut worker, &codes, &mut guesses, &[])?;
        Journal::part(&self.rules, &self.path(turns), &node).map_err(|error| BuildError::Journal(error.to_string()))
    }

    /// What a journal knows a part by.
    #[cfg(feature = "files")]
    fn path(&self, turns: &[Turn]) -> String {
        let path: Vec<String> = turns.iter().map(|turn| turn.notation(&self.rules).to_string()).collect();
        path.join(" ")
    }

    /// A position of a game in which answers may be lies: what the answers of all codes leave, true or not.
    fn node_with_lies(
        &self,
        worker: &mut Worker,
        lying: &mut Lying<'_>,
        suspects: &Suspects,
    ) -> Result<Node, BuildError> {
        if let Some(stop) = self.watch.stop() {
            return Err(BuildError::Stopped(stop));
        }
        let codes = &suspects.codes;
        let guess = worker.strategy.choose_within(Position { codes, guesses: &lying.guesses }, self.watch);
        let wins = codes.codes().any(|code| code == guess);
        self.done.fetch_add(wins.into(), Ordering::Relaxed);
        if wins && codes.len() == 1 {
            return Ok(Node::leaf(guess));
        }
        lying.guesses.push(guess.clone());
        let mut branches = Vec::new();
        for Part { feedback, .. } in worker.partitioner.split(&guess, lying.all) {
            let turn = Turn { guess: guess.clone(), feedback };
            let left = suspects.after(&turn, &mut lying.filter);
            if turn.feedback.is_winning(&self.rules) || left.codes.is_empty() {
                continue;
            }
            if left == *suspects {
                let guess = guess.notation(self.rules.colors()).to_string();
                return Err(BuildError::Useless { guess, codes: codes.len() });
            }
            branches.push(Branch { feedback: turn.feedback, node: self.node_with_lies(worker, lying, &left)? });
        }
        lying.guesses.pop();
        Ok(Node { guess, wins, branches })
    }

    /// The position after these turns. `guesses` are those of the turns.
    fn node(
        &self,
        worker: &mut Worker,
        codes: &Table,
        guesses: &mut Vec<Code>,
        turns: &[Turn],
    ) -> Result<Node, BuildError> {
        // Below this a position is quicker done than handed over.
        const WORTH_SHARING: usize = 64;
        let stopped = || self.watch.stop().map_or(Ok(()), |stop| Err(BuildError::Stopped(stop)));
        stopped()?;
        let guess = worker.strategy.choose_within(Position { codes, guesses }, self.watch);
        stopped()?;
        if codes.len() == 1 && codes.code(0) == guess {
            self.done.fetch_add(1, Ordering::Relaxed);
            return Ok(Node::leaf(guess));
        }
        let parts = worker.partitioner.split(&guess, codes);
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
        let is_large = codes.len() > PART;
        let branch = |worker: &mut Worker, guesses: &mut Vec<Code>, part: Part| {
            let codes = codes.select(&part.rows);
            let feedback = part.feedback.clone();
            let node = if is_large {
                let turn = Turn { guess: guess.clone(), feedback: part.feedback };
                let turns: Vec<Turn> = turns.iter().cloned().chain([turn]).collect();
                if codes.len() > PART {
                    self.node(worker, &codes, guesses, &turns)?
                } else {
                    self.kept_part(worker, &codes, guesses, &turns)?
                }
            } else {
                self.node(worker, &codes, guesses, &[])?
            };
            Ok(Branch { feedback, node })
        };
        let branches = if codes.len() < WORTH_SHARING {
            parts.into_iter().map(|part| branch(worker, guesses, part)).collect::<Result<_, BuildError>>()
        } else {
            let (worker, path) = (&*worker, &*guesses);
            parallel::try_map(parts, |part| branch(&mut worker.duplicate(), &mut path.clone(), part))
        };
        guesses.pop();
        Ok(Node { guess, wins, branches: branches? })
    }

    /// A part small enough to be kept, where nothing keeps parts.
    #[cfg(not(feature = "files"))]
    fn kept_part(
        &self,
        worker: &mut Worker,
        codes: &Table,
        guesses: &mut Vec<Code>,
        _turns: &[Turn],
    ) -> Result<Node, BuildError> {
        self.node(worker, codes, guesses, &[])
    }

    /// A part small enough to be kept: from the journal if it is there, and into it if not.
    #[cfg(feature = "files")]
    fn kept_part(
        &self,
        worker: &mut Worker,
        codes: &Table,
        guesses: &mut Vec<Code>,
        turns: &[Turn],
    ) -> Result<Node, BuildError> {
        let Some(journal) = &self.journal else { return self.node(worker, codes, guesses, &[]) };
        let path = self.path(turns);
        if let Some(node) = journal.known(&path) {
            self.done.fetch_add(codes.len() as u64, Ordering::Relaxed);
            return Ok(node.clone());
        }
        let node = self.node(worker, codes, guesses, &[])?;
        journal.keep(&path, &node).map_err(|error| BuildError::Journal(error.to_string()))?;
        Ok(node)
    }
}

/// What a build with lies works with.
struct Lying<'a> {
    all: &'a Table,
    filter: Filter,
    guesses: Vec<Code>,
}

/// What one thread works with.
struct Worker {
    strategy: Box<dyn PositionStrategy>,
    partitioner: Partitioner,
}

impl Worker {
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
