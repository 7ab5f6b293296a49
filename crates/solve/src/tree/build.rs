//! Building the whole tree of a strategy: every reachable position once, never every secret by itself.

mod levels;
mod lies;
#[cfg(feature = "files")]
mod parts;

use std::sync::atomic::{AtomicU64, Ordering};

use pegwise_game::{
    Code, Feedback, Rules, Table, TableError, Turn,
    partition::{Part, Partitioner},
};

use self::lies::Lying;
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

/// The largest part that is built level by level and kept as a whole, with strategies that choose for many positions at a
/// time: less than a minute of a device.
const LEVELED_PART: usize = 1 << 21;

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
        let leveled = worker.strategy.prefers_batches();
        let root = if leveled && self.rules.lies() == 0 && all.len() <= LEVELED_PART {
            self.levels(&mut worker, &all, &[])?
        } else if self.rules.lies() > 0 {
            let mut lying = Lying { all: &all, filter: Filter::new(&self.rules), guesses: Vec::new() };
            self.node_with_lies(&mut worker, &mut lying, &Suspects::all(&all))?
        } else {
            self.node(&mut worker, &all, &mut Vec::new(), &[])?
        };
        Ok(Tree { rules: self.rules.clone(), root })
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
        let Parts { wins, others: parts } = self.split(&mut worker.partitioner, codes, &guess)?;
        guesses.push(guess.clone());
        let largest_kept = if worker.strategy.prefers_batches() { LEVELED_PART } else { PART };
        let is_large = codes.len() > largest_kept;
        let branch = |worker: &mut Worker, guesses: &mut Vec<Code>, part: Part| {
            let codes = codes.select(&part.rows);
            let feedback = part.feedback.clone();
            let node = if is_large {
                let turn = Turn { guess: guess.clone(), feedback: part.feedback };
                let turns: Vec<Turn> = turns.iter().cloned().chain([turn]).collect();
                if codes.len() > largest_kept {
                    self.node(worker, &codes, guesses, &turns)?
                } else {
                    self.kept_part(worker, &codes, guesses, &turns)?
                }
            } else {
                self.node(worker, &codes, guesses, &[])?
            };
            Ok(Branch { feedback, node })
        };
        let branches = if codes.len() < WORTH_SHARING || worker.strategy.prefers_batches() {
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
        self.position(worker, codes, guesses)
    }

    /// A part, the way that suits the strategy.
    fn position(&self, worker: &mut Worker, codes: &Table, guesses: &mut Vec<Code>) -> Result<Node, BuildError> {
        if worker.strategy.prefers_batches() {
            self.levels(worker, codes, guesses)
        } else {
            self.node(worker, codes, guesses, &[])
        }
    }

    /// The parts of a position after a guess. A code that the guess wins with has its place then.
    fn split(&self, partitioner: &mut Partitioner, codes: &Table, guess: &Code) -> Result<Parts, BuildError> {
        let parts = partitioner.split(guess, codes);
        let winning = Feedback::winning(&self.rules);
        let wins = parts.iter().any(|part| part.feedback == winning);
        if parts.len() == 1 && !wins {
            let guess = guess.notation(self.rules.colors()).to_string();
            return Err(BuildError::Useless { guess, codes: codes.len() });
        }
        self.done.fetch_add(wins.into(), Ordering::Relaxed);
        Ok(Parts { wins, others: parts.into_iter().filter(|part| part.feedback != winning).collect() })
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
        let Some(journal) = &self.journal else { return self.position(worker, codes, guesses) };
        let path = self.path(turns);
        if let Some(node) = journal.known(&path) {
            self.done.fetch_add(codes.len() as u64, Ordering::Relaxed);
            return Ok(node.clone());
        }
        let node = self.position(worker, codes, guesses)?;
        journal.keep(&path, &node).map_err(|error| BuildError::Journal(error.to_string()))?;
        Ok(node)
    }
}

/// The parts of a position after a guess.
struct Parts {
    /// Whether the guess can be the code.
    wins: bool,
    others: Vec<Part>,
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
    use std::{sync::Arc, time::Duration};

    use pegwise_game::partition::SLICE;

    use super::*;
    use crate::{
        catalog,
        device::{BatchPosition, Costs, Device, DeviceError},
    };

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

    /// The naive twin of a device: the processor's kernel, guess after guess. It may break after so many questions.
    struct Twin {
        rules: Rules,
        questions: AtomicU64,
        most: u64,
    }

    impl Device for Twin {
        fn name(&self) -> String {
            "twin".into()
        }

        fn prices(&self, cells: usize) -> bool {
            cells == self.rules.cells()
        }

        fn cheapest(
            &self,
            pool: &Arc<Table>,
            sets: &[BatchPosition<'_>],
            costs: &Costs<'_>,
        ) -> Result<Vec<Option<(u64, usize)>>, DeviceError> {
            if self.questions.fetch_add(1, Ordering::Relaxed) >= self.most {
                return Err(DeviceError { what: "the twin".into(), why: "has had enough".into() });
            }
            let partitioner = Partitioner::new(&self.rules);
            let lanes = partitioner.lanes().unwrap();
            let pool = &lanes.slices(pool);
            let cheapest = |set: &BatchPosition<'_>| {
                let mut crowd = lanes.sliced_crowd(set.codes);
                let mut counts = Vec::new();
                let mut best: Option<(u64, usize)> = None;
                for row in 0..pool.len() {
                    if row % SLICE == 0 {
                        lanes.sliced_histograms(&mut crowd, pool, row / SLICE, &mut counts);
                    }
                    let sizes = || counts.iter().map(|counts| counts[row % SLICE] as usize);
                    let weights = || sizes().map(|size| costs.weights[size]);
                    let cost = if costs.largest { weights().max().unwrap_or(0) } else { weights().sum() };
                    let wanted = cost < set.bound && best.is_none_or(|(lowest, _)| cost < lowest);
                    assert!(cost >= set.least, "a wrong goal");
                    if wanted {
                        best = Some((cost, row));
                    }
                }
                best
            };
            Ok(sets.iter().map(cheapest).collect())
        }
    }

    #[test]
    fn a_device_changes_no_guess_even_when_it_breaks() {
        for (text, name, most) in [
            ("4x6", "entropy", u64::MAX),
            ("4x6", "knuth", u64::MAX),
            ("4x6", "entropy(ties=lowest)", u64::MAX),
            ("4x6", "irving", 0),
            ("3x12", "kooi", u64::MAX),
            ("4x6", "entropy(first=1123)", 2),
            ("4x9:no-repeats", "entropy", 3),
        ] {
            let rules: Rules = text.parse().unwrap();
            let plain = Builder::new(&rules, Watch::default()).build(&*strategy(name, &rules)).unwrap();
            let mut helped = strategy(name, &rules);
            assert!(helped.use_device(Arc::new(Twin { rules: rules.clone(), questions: AtomicU64::new(0), most })));
            let builder = Builder::new(&rules, Watch::default());
            assert_eq!(builder.build(&*helped).unwrap(), plain, "{name} at {text}");
            assert_eq!(u128::from(builder.done()), pegwise_game::Space::new(&rules).count().exact().unwrap());
            assert_eq!(helped.device_error().is_some(), most < u64::MAX, "{name} at {text}");
        }
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
