//! Construction of the tree of a strategy: every reachable position is visited once, instead of playing every secret.
//!
//! Strategies that choose guesses for many positions at once are run level by level. Large builds are divided into
//! parts, which a [`Journal`](super::Journal) keeps, and which several machines can build.

use std::sync::atomic::{AtomicU64, Ordering};

use pegwise_game::{
    Code, Feedback, Rules, Table, TableError, Turn,
    partition::{Part, Partitioner},
};

#[cfg(feature = "files")]
use super::Journal;
use super::{Branch, Node, Tree, UnsupportedRules};
use pegwise_search::{
    Position, PositionStrategy, Stop, Watch,
    candidates::{LiarCandidates, listed::Filter},
    parallel,
};

/// Error while building a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The rules have no trees.
    #[error(transparent)]
    UnsupportedRules(#[from] UnsupportedRules),
    /// The space does not fit a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The build was stopped.
    #[error("the tree was not finished before {0}")]
    Stopped(Stop),
    /// Finished parts could not be written.
    #[error("finished parts cannot be kept: {0}")]
    Journal(String),
    /// A guess splits off no code, so the tree would never end.
    #[error("the strategy guesses {guess} with {codes} codes left, which leaves them all")]
    Useless {
        /// The guess.
        guess: String,
        /// Number of codes left.
        codes: usize,
    },
}

/// Builder of the trees of strategies.
pub struct Builder<'a> {
    rules: Rules,
    watch: Watch<'a>,
    /// Journal of finished parts.
    #[cfg(feature = "files")]
    journal: Option<Journal>,
    /// Number of codes whose position in the tree is known.
    done: AtomicU64,
}

/// Maximum number of codes of a part in a journal: the work that an interrupted build may lose per thread.
const MAX_PART_CODES: usize = 2048;

/// The same for strategies that choose for many positions at once: less than a minute on a device.
const MAX_LEVELED_CODES: usize = 1 << 21;

impl<'a> Builder<'a> {
    /// Creates a builder that stops when `watch` stops.
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

    /// Uses a journal of the same strategy: known parts are taken from it, and finished ones are added.
    #[cfg(feature = "files")]
    #[must_use]
    pub fn with_journal(mut self, journal: Journal) -> Self {
        self.journal = Some(journal);
        self
    }

    /// Returns the journal.
    #[cfg(feature = "files")]
    #[must_use]
    pub fn into_journal(self) -> Option<Journal> {
        self.journal
    }

    /// Returns the number of codes whose position in the tree is known.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Builds the whole tree of a strategy.
    pub fn build(&self, strategy: &dyn PositionStrategy) -> Result<Tree, BuildError> {
        UnsupportedRules::check(&self.rules)?;
        let all = Table::all(&self.rules)?;
        let mut worker = Worker { strategy: strategy.duplicate(), partitioner: Partitioner::new(&self.rules) };
        let leveled = worker.strategy.prefers_batches();
        let root = if leveled && self.rules.lies() == 0 && all.len() <= MAX_LEVELED_CODES {
            self.levels(&mut worker, &all, &[])?
        } else if self.rules.lies() > 0 {
            let mut lying = LyingBuild { all: &all, filter: Filter::new(&self.rules), guesses: Vec::new() };
            self.node_with_lies(&mut worker, &mut lying, &LiarCandidates::all(&all))?
        } else {
            self.node(&mut worker, &all, &mut Vec::new(), &[])?
        };
        Ok(Tree { rules: self.rules.clone(), root })
    }

    /// Builds the position after `turns`, with `guesses` as their guesses.
    fn node(
        &self,
        worker: &mut Worker,
        codes: &Table,
        guesses: &mut Vec<Code>,
        turns: &[Turn],
    ) -> Result<Node, BuildError> {
        // Smaller positions are not worth another task.
        const WORTH_SHARING: usize = 64;
        self.check_time()?;
        let guess = worker.strategy.choose_within(Position { codes, guesses }, self.watch);
        self.check_time()?;
        if codes.len() == 1 && codes.code(0) == guess {
            self.done.fetch_add(1, Ordering::Relaxed);
            return Ok(Node::leaf(guess));
        }
        let Parts { wins, others: parts } = self.split(&mut worker.partitioner, codes, &guess)?;
        guesses.push(guess.clone());
        let largest_kept = if worker.strategy.prefers_batches() { MAX_LEVELED_CODES } else { MAX_PART_CODES };
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

    /// Builds a position: level by level if the strategy prefers batches, else recursively.
    fn position(&self, worker: &mut Worker, codes: &Table, guesses: &mut Vec<Code>) -> Result<Node, BuildError> {
        if worker.strategy.prefers_batches() {
            self.levels(worker, codes, guesses)
        } else {
            self.node(worker, codes, guesses, &[])
        }
    }

    /// Splits a position by a guess, and counts the code that the guess finds.
    fn split(&self, partitioner: &mut Partitioner, codes: &Table, guess: &Code) -> Result<Parts, BuildError> {
        let parts = partitioner.split(guess, codes);
        let winning = Feedback::winning(&self.rules);
        let wins = parts.iter().any(|part| part.feedback == winning);
        if parts.len() == 1 && !wins {
            return Err(self.useless(guess, codes));
        }
        self.done.fetch_add(wins.into(), Ordering::Relaxed);
        Ok(Parts { wins, others: parts.into_iter().filter(|part| part.feedback != winning).collect() })
    }

    /// Returns a part from the journal, or builds it and adds it to the journal.
    fn kept_part(
        &self,
        worker: &mut Worker,
        codes: &Table,
        guesses: &mut Vec<Code>,
        turns: &[Turn],
    ) -> Result<Node, BuildError> {
        #[cfg(feature = "files")]
        if let Some(journal) = &self.journal {
            let path = self.path(turns);
            if let Some(node) = journal.known(&path) {
                self.done.fetch_add(codes.len() as u64, Ordering::Relaxed);
                return Ok(node.clone());
            }
            let node = self.position(worker, codes, guesses)?;
            journal.keep(&path, &node).map_err(|error| BuildError::Journal(error.to_string()))?;
            return Ok(node);
        }
        let _ = turns;
        self.position(worker, codes, guesses)
    }

    fn check_time(&self) -> Result<(), BuildError> {
        self.watch.stop().map_or(Ok(()), |stop| Err(BuildError::Stopped(stop)))
    }

    fn useless(&self, guess: &Code, codes: &Table) -> BuildError {
        BuildError::Useless { guess: guess.notation(self.rules.colors()).to_string(), codes: codes.len() }
    }
}

/// Parts of a position after a guess.
struct Parts {
    /// True if the guess can be the secret.
    wins: bool,
    others: Vec<Part>,
}

/// Working memory of a thread.
struct Worker {
    strategy: Box<dyn PositionStrategy>,
    partitioner: Partitioner,
}

impl Worker {
    fn duplicate(&self) -> Self {
        Self { strategy: self.strategy.duplicate(), partitioner: self.partitioner.clone() }
    }
}

/// Position without a guess.
struct OpenPosition {
    codes: Table,
    guesses: Vec<Code>,
}

/// Position with a guess, whose branches are not connected yet.
struct PartialNode {
    guess: Code,
    wins: bool,
    /// Feedback of each branch, and the subtree.
    branches: Vec<(Feedback, Below)>,
    /// Index of its first open branch in the next level.
    first: usize,
}

/// Subtree of a branch.
enum Below {
    /// One code, which is the guess.
    Leaf(Code),
    /// The next position of the next level.
    Open,
}

impl Builder<'_> {
    /// Builds a position level by level: the guesses of all positions of a level are chosen at once.
    fn levels(&self, worker: &mut Worker, codes: &Table, guesses: &[Code]) -> Result<Node, BuildError> {
        let mut levels: Vec<Vec<PartialNode>> = Vec::new();
        let mut open = vec![OpenPosition { codes: codes.clone(), guesses: guesses.to_vec() }];
        while !open.is_empty() {
            self.check_time()?;
            let positions: Vec<Position<'_>> =
                open.iter().map(|open| Position { codes: &open.codes, guesses: &open.guesses }).collect();
            let chosen = worker.strategy.choose_batch(&positions, self.watch);
            self.check_time()?;
            drop(positions);
            let partitioner = &worker.partitioner;
            let split = |(open, guess): (OpenPosition, Code)| self.split_level(&mut partitioner.clone(), open, guess);
            let split = parallel::try_map(open.into_iter().zip(chosen).collect(), split)?;
            let (mut stubs, mut next) = (Vec::with_capacity(split.len()), Vec::new());
            for (mut stub, parts) in split {
                stub.first = next.len();
                next.extend(parts);
                stubs.push(stub);
            }
            levels.push(stubs);
            open = next;
        }
        // From the deepest level up, each node takes its branches from the level below.
        let mut below: Vec<Option<Node>> = Vec::new();
        for stubs in levels.into_iter().rev() {
            let nodes = stubs.into_iter().map(|stub| {
                let mut next = stub.first;
                let branch = |(feedback, below_it): (Feedback, Below)| {
                    let node = match below_it {
                        Below::Leaf(code) => Node::leaf(code),
                        Below::Open => {
                            next += 1;
                            below[next - 1].take()?
                        }
                    };
                    Some(Branch { feedback, node })
                };
                let branches = stub.branches.into_iter().filter_map(branch).collect();
                Some(Node { guess: stub.guess, wins: stub.wins, branches })
            });
            let nodes: Vec<Option<Node>> = nodes.collect();
            below = nodes;
        }
        Ok(below.swap_remove(0).expect("the first level has the position itself"))
    }

    /// Splits a position by its guess; returns the node and the positions of the next level.
    fn split_level(
        &self,
        partitioner: &mut Partitioner,
        open: OpenPosition,
        guess: Code,
    ) -> Result<(PartialNode, Vec<OpenPosition>), BuildError> {
        let OpenPosition { codes, mut guesses } = open;
        let mut stub = PartialNode { wins: true, branches: Vec::new(), first: 0, guess };
        if codes.len() == 1 && codes.code(0) == stub.guess {
            self.done.fetch_add(1, Ordering::Relaxed);
            return Ok((stub, Vec::new()));
        }
        let parts = self.split(partitioner, &codes, &stub.guess)?;
        stub.wins = parts.wins;
        guesses.push(stub.guess.clone());
        let mut after = Vec::with_capacity(parts.others.len());
        for part in parts.others {
            let below = match part.rows[..] {
                [row] => {
                    self.done.fetch_add(1, Ordering::Relaxed);
                    Below::Leaf(codes.code(row as usize))
                }
                ref rows => {
                    after.push(OpenPosition { codes: codes.select(rows), guesses: guesses.clone() });
                    Below::Open
                }
            };
            stub.branches.push((part.feedback, below));
        }
        Ok((stub, after))
    }
}

/// Working memory of a build with lies.
struct LyingBuild<'a> {
    all: &'a Table,
    filter: Filter,
    guesses: Vec<Code>,
}

impl Builder<'_> {
    /// Builds a position of a game in which answers may be lies: every answer of any code, true or not, has a branch.
    fn node_with_lies(
        &self,
        worker: &mut Worker,
        lying: &mut LyingBuild<'_>,
        suspects: &LiarCandidates,
    ) -> Result<Node, BuildError> {
        self.check_time()?;
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
                return Err(self.useless(&guess, codes));
            }
            branches.push(Branch { feedback: turn.feedback, node: self.node_with_lies(worker, lying, &left)? });
        }
        lying.guesses.pop();
        Ok(Node { guess, wins, branches })
    }
}

#[cfg(feature = "files")]
impl Builder<'_> {
    /// Returns the parts that a journal keeps, which several machines can build, by the turns that lead to them. Empty
    /// if the space is small or answers may be lies.
    pub fn parts(&self, strategy: &dyn PositionStrategy) -> Result<Vec<Vec<Turn>>, BuildError> {
        UnsupportedRules::check(&self.rules)?;
        let all = Table::all(&self.rules)?;
        let mut parts = Vec::new();
        if self.rules.lies() == 0 && all.len() > MAX_PART_CODES {
            let mut worker = Worker { strategy: strategy.duplicate(), partitioner: Partitioner::new(&self.rules) };
            self.find_parts(&mut worker, &all, &mut Vec::new(), &mut parts)?;
        }
        Ok(parts)
    }

    /// Adds the parts below a position with more than [`MAX_PART_CODES`] codes.
    fn find_parts(
        &self,
        worker: &mut Worker,
        codes: &Table,
        turns: &mut Vec<Turn>,
        parts: &mut Vec<Vec<Turn>>,
    ) -> Result<(), BuildError> {
        let guesses: Vec<Code> = turns.iter().map(|turn| turn.guess.clone()).collect();
        let guess = worker.strategy.choose_within(Position { codes, guesses: &guesses }, self.watch);
        self.check_time()?;
        let split = worker.partitioner.split(&guess, codes);
        if let [_] = split[..] {
            return Err(self.useless(&guess, codes));
        }
        for Part { feedback, rows } in split.into_iter().filter(|part| !part.feedback.is_winning(&self.rules)) {
            turns.push(Turn { guess: guess.clone(), feedback });
            if rows.len() > MAX_PART_CODES {
                self.find_parts(worker, &codes.select(&rows), turns, parts)?;
            } else {
                parts.push(turns.clone());
            }
            turns.pop();
        }
        Ok(())
    }

    /// Builds one of the [parts](Self::parts), in the form that [`Journal::take`] accepts.
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

    /// Returns the name of a part in a journal.
    fn path(&self, turns: &[Turn]) -> String {
        let path: Vec<String> = turns.iter().map(|turn| turn.notation(&self.rules).to_string()).collect();
        path.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::Arc, time::Duration};

    use pegwise_game::partition::LANES_PER_PLANE;

    use pegwise_search::device::{BatchPosition, Costs, Device, DeviceError};
    use pegwise_solve::catalog;

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
    fn a_stopped_build_is_an_error() {
        let rules: Rules = "4x6".parse().unwrap();
        let builder = Builder::new(&rules, Watch::new(Some(Duration::ZERO), None));
        assert_eq!(builder.build(&*strategy("knuth", &rules)), Err(BuildError::Stopped(Stop::Time)));
    }

    /// Reference implementation of a device: the kernel of the processor, one guess at a time. It fails after `most`
    /// calls.
    struct NaiveDevice {
        rules: Rules,
        questions: AtomicU64,
        most: u64,
    }

    impl Device for NaiveDevice {
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
            let lanes = partitioner.batch_kernel().unwrap();
            let pool = &lanes.bit_planes(pool);
            let cheapest = |set: &BatchPosition<'_>| {
                let mut crowd = lanes.bit_plane_batch(set.codes);
                let mut counts = Vec::new();
                let mut best: Option<(u64, usize)> = None;
                for row in 0..pool.len() {
                    if row % LANES_PER_PLANE == 0 {
                        lanes.bit_plane_histograms(&mut crowd, pool, row / LANES_PER_PLANE, &mut counts);
                    }
                    let sizes = || counts.iter().map(|counts| counts[row % LANES_PER_PLANE] as usize);
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
            assert!(helped.use_device(Arc::new(NaiveDevice {
                rules: rules.clone(),
                questions: AtomicU64::new(0),
                most
            })));
            let builder = Builder::new(&rules, Watch::default());
            assert_eq!(builder.build(&*helped).unwrap(), plain, "{name} at {text}");
            assert_eq!(u128::from(builder.done()), pegwise_game::Space::new(&rules).count().exact().unwrap());
            assert_eq!(helped.device_error().is_some(), most < u64::MAX, "{name} at {text}");
        }
    }

    /// Strategy that always plays the same code.
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
    fn a_useless_guess_is_an_error() {
        let rules: Rules = "2x3".parse().unwrap();
        let built = Builder::new(&rules, Watch::default()).build(&Stubborn(rules.parse_code("12").unwrap()));
        assert!(matches!(built, Err(BuildError::Useless { .. })));
    }
}
