//! Exact values of single positions, for analysis ([`PositionValues`]) and for the endgames of the beam search
//! ([`EndgameSolver`]).

use pegwise_game::{Code, Rules, Space};

use super::{
    Options,
    bounds::{IMPOSSIBLE, UNLIMITED},
    matrix::{FeedbackMatrix, Split},
    rank,
    search::{MIN_SYMMETRY_CODES, Searcher},
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

/// Maximum number of codes of the space: the feedback matrix then takes tens of milliseconds.
const MAX_CODES: u128 = 1 << 12;
/// Maximum size of the transposition table, in bytes.
const CACHE_BYTES: usize = 1 << 26;

impl ExactSolver {
    /// Computes the feedback matrix; `None` if there are too many codes, if the rules cannot be searched, or when
    /// stopped.
    #[must_use]
    pub fn new(rules: &Rules, watch: Watch<'_>) -> Option<Self> {
        let rules = rules.clone().with_max_guesses(None);
        UnsupportedRules::check_search(&rules).ok()?;
        Space::new(&rules).count().exact().filter(|&codes| codes <= MAX_CODES)?;
        let matrix = FeedbackMatrix::new(&rules, watch).ok()?;
        Some(Self { rules, matrix })
    }

    /// Creates a search with a transposition table of its own.
    #[must_use]
    pub fn position_values(&self) -> PositionValues<'_> {
        let options = Options { cache_bytes: CACHE_BYTES, ..Options::default() };
        PositionValues(Searcher::new(&self.rules, &self.matrix, &options, Watch::default(), &|_| (), None))
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
