//! Exact values of single positions, for analysis ([`PositionValues`]) and for the endgames of the beam search
//! ([`EndgameSolver`]).

use std::{cmp::Reverse, collections::BinaryHeap};

use pegwise_game::{Code, Rules, Space, partition::Partitioner};

use super::{
    Options,
    bounds::{IMPOSSIBLE, UNLIMITED},
    matrix::{FeedbackMatrix, Split},
    rank,
    search::{MIN_SYMMETRY_CODES, NodeContext, QueuedGuess, Searcher, Stage},
    workers::WorkerGroup,
};
use pegwise_search::{
    Position, Watch,
    tree::{Node, UnsupportedRules},
};

/// Solver for the positions of one game: the feedback matrix from which [`PositionValues`] are computed.
///
/// ```
/// use pegwise_game::{Rules, Table};
/// use pegwise_search::{Position, Watch};
/// use pegwise_trees::exact::ExactSolver;
/// let rules: Rules = "4x6".parse().unwrap();
/// let solver = ExactSolver::new(&rules, Watch::default()).unwrap();
/// let codes = Table::all(&rules).unwrap();
/// let start = Position { codes: &codes, guesses: &[] };
/// let mut values = solver.position_values();
/// assert_eq!(values.least(start, Watch::default()), Some(5625));
/// let knuth = rules.parse_code("1122").unwrap();
/// assert!(values.after(start, &knuth, Watch::default()) > Some(5625));
/// ```
pub struct ExactSolver {
    rules: Rules,
    matrix: FeedbackMatrix,
}

/// Maximum number of codes of the space, with and without a feedback kernel: the feedback matrix then takes tenths of a
/// second.
const MAX_CODES: u128 = 1 << 13;
const MAX_CODES_WITHOUT_KERNEL: u128 = 1 << 11;
/// Share of the codes by which the limit of a guess exceeds the next bound when guesses are ranked: a lower limit repeats
/// searches, a higher one searches guesses too deeply.
const SLACK: usize = 8;
/// Maximum size of the transposition table, in bytes.
const CACHE_BYTES: usize = 1 << 26;

impl ExactSolver {
    /// Computes the feedback matrix; `None` if there are too many codes, if the rules cannot be searched, or when
    /// stopped.
    #[must_use]
    pub fn new(rules: &Rules, watch: Watch<'_>) -> Option<Self> {
        let rules = rules.clone().with_max_guesses(None);
        UnsupportedRules::check_search(&rules).ok()?;
        let has_kernel = Partitioner::new(&rules).batch_kernel().is_some();
        let max_codes = if has_kernel { MAX_CODES } else { MAX_CODES_WITHOUT_KERNEL };
        Space::new(&rules).count().exact().filter(|&codes| codes <= max_codes)?;
        let matrix = FeedbackMatrix::new(&rules, watch).ok().filter(|_| watch.stop().is_none())?;
        Some(Self { rules, matrix })
    }

    /// Creates a search with a transposition table of its own.
    #[must_use]
    pub fn position_values(&self) -> PositionValues<'_> {
        let options = Options { cache_bytes: CACHE_BYTES, ..Options::default() };
        PositionValues(Searcher::new(&self.rules, &self.matrix, &options, Watch::default(), &|_| (), None))
    }

    /// Creates a search that stops after evaluating about `marks` marks, so that its results are reproducible.
    #[must_use]
    pub fn position_values_within(&self, marks: u64) -> PositionValues<'_> {
        let mut values = self.position_values();
        values.0.marks_left = marks;
        values
    }
}

/// Exact totals of positions: guesses summed over their codes.
pub struct PositionValues<'a>(Searcher<'a>);

impl<'a> PositionValues<'a> {
    /// Returns the least total of a position; `None` if stopped before it was proven.
    pub fn least(&mut self, position: Position<'_>, watch: Watch<'a>) -> Option<u64> {
        let set = self.begin(position, watch)?;
        self.solve(&set)
    }

    /// Returns the least total when `guess` is played first; `None` if stopped before it was proven.
    pub fn after(&mut self, position: Position<'_>, guess: &Code, watch: Watch<'a>) -> Option<u64> {
        let set = self.begin(position, watch)?;
        let guess = rank(self.0.rules, guess)?;
        let mut split = Split::default();
        split.of(self.0.matrix, guess, &set);
        let mut total = set.len() as u64;
        self.0.path.push(guess);
        for (_, part) in split.parts() {
            total += self.solve(part)?;
        }
        Some(total)
    }

    /// Returns a guess of least total; `None` if stopped before it was proven.
    pub fn best(&mut self, position: Position<'_>, watch: Watch<'a>) -> Option<Code> {
        let set = self.begin(position, watch)?;
        let guess = self.0.best_known(&set, UNLIMITED)?;
        (!self.0.ended).then(|| self.0.matrix.table.code(guess.into()))
    }

    /// Returns guesses with the totals of the position when they are played first, from the least total on, while
    /// `wanted` accepts the number of guesses so far and the next total; fewer if stopped. Of equal totals, guesses that can be the
    /// secret come first, then lower codes.
    pub fn ranked(
        &mut self,
        position: Position<'_>,
        watch: Watch<'a>,
        wanted: impl Fn(&[(Code, u64)], u64) -> bool,
    ) -> Vec<(Code, u64)> {
        let mut ranked = Vec::new();
        let Some(set) = self.begin(position, watch) else { return ranked };
        // Fills the transposition table: the search for one guess of least total prunes more than the list below.
        let Some(least) = self.solve(&set) else { return ranked };
        let searcher = &mut self.0;
        let context = NodeContext { set: &set, left: UNLIMITED, width: searcher.any_width() };
        // Lowest bound first; guesses that are not solved yet come before solved ones, which are returned in order.
        let mut waiting: BinaryHeap<_> = (0..searcher.matrix.len() as u16)
            .map(|guess| {
                let inconsistent = set.binary_search(&guess).is_err();
                Reverse((searcher.sized_bound(context, guess), false, inconsistent, guess, Stage::Sized))
            })
            .collect();
        let mut split = Split::default();
        while let Some(Reverse((low, is_solved, inconsistent, guess, stage))) = waiting.pop() {
            if is_solved {
                if !wanted(&ranked, low.into()) {
                    break;
                }
                ranked.push((searcher.matrix.table.code(guess.into()), low.into()));
                continue;
            }
            if !wanted(&ranked, u64::from(low).max(least)) {
                break;
            }
            let next = waiting.peek().map_or(IMPOSSIBLE, |Reverse((low, ..))| *low).max(least as u32);
            let limit = next + 1 + (set.len() / SLACK) as u32;
            let mut candidate = QueuedGuess { low, stage: Reverse(stage), inconsistent, guess };
            let Ok(searched) = searcher.finish(&mut split, context, &mut candidate, next, || limit) else { break };
            let is_solved = searched && candidate.low < limit;
            waiting.push(Reverse((candidate.low, is_solved, inconsistent, guess, candidate.stage.0)));
        }
        ranked
    }

    fn begin(&mut self, position: Position<'_>, watch: Watch<'a>) -> Option<Vec<u16>> {
        self.0.restart(watch);
        let path = position.guesses.iter().map(|guess| rank(self.0.rules, guess)).collect::<Option<Vec<u16>>>()?;
        self.0.path = path;
        position.codes.codes().map(|code| rank(self.0.rules, &code)).collect()
    }

    fn solve(&mut self, set: &[u16]) -> Option<u64> {
        let most = self.0.any_width();
        Some(self.0.solve(set, UNLIMITED, most, IMPOSSIBLE).ok()?.low().into())
    }
}

/// Feedback matrix, shared by any number of endgame solvers.
pub(crate) struct EndgameMatrix(FeedbackMatrix);

/// Maximum size of the feedback matrix: enough for every space of at most 2^16 codes.
const MARKS_BYTES: u64 = 1 << 32;

impl EndgameMatrix {
    /// Computes the feedback matrix; `None` if it is too large or when stopped.
    pub(crate) fn new(rules: &Rules, watch: Watch<'_>) -> Option<Self> {
        FeedbackMatrix::within(MARKS_BYTES, rules, watch).ok().map(Self)
    }
}

/// Solved endgames, shared by any number of endgame solvers.
pub(crate) struct EndgameCache(WorkerGroup);

impl EndgameCache {
    /// Creates an empty cache of at most `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self(WorkerGroup::new(bytes))
    }
}

/// Solver for small positions.
pub(crate) struct EndgameSolver<'a>(Searcher<'a>);

impl<'a> EndgameSolver<'a> {
    /// Maximum number of codes of an endgame. Larger positions would need the guesses that lead to them.
    pub(crate) const MAX_CODES: usize = MIN_SYMMETRY_CODES - 1;

    pub(crate) fn new(rules: &'a Rules, marks: &'a EndgameMatrix, solved: &'a EndgameCache, watch: Watch<'a>) -> Self {
        Self(Searcher::new(rules, &marks.0, &Options::default(), watch, &|_| (), Some(&solved.0)))
    }

    /// Prepares for more positions, with another watch.
    pub(crate) fn restart(&mut self, watch: Watch<'a>) {
        self.0.restart(watch);
    }

    /// Returns the least total of the codes with the given ranks, ascending; `None` if stopped.
    pub(crate) fn total(&mut self, ranks: &[u16]) -> Option<u64> {
        debug_assert!(ranks.len() <= Self::MAX_CODES);
        Some(self.0.solve(ranks, UNLIMITED, self.0.any_width(), IMPOSSIBLE).ok()?.low().into())
    }

    /// Returns a tree of least total for the codes with the given ranks, ascending; always the same one unless stopped.
    pub(crate) fn node(&mut self, ranks: &[u16]) -> Option<Node> {
        let guess = self.0.best_known(ranks, UNLIMITED)?;
        self.0.tree(ranks, guess, UNLIMITED)
    }
}
