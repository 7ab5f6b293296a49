//! Exact values of single positions, for analysis ([`PositionValues`]) and for the endgames of the beam search
//! ([`EndgameSolver`]).

use pegwise_game::{Code, Rules, Space};

use super::{
    Options,
    bounds::{IMPOSSIBLE, UNLIMITED},
    matrix::{FeedbackMatrix, Split},
    search::{MIN_SYMMETRY_CODES, Searcher},
    workers::WorkerGroup,
};
use crate::{
    search::Watch,
    strategy::Position,
    tree::{Node, UnsupportedRules},
};

/// Solver for the positions of one game: the feedback matrix from which [`PositionValues`] are computed.
///
/// ```
/// use pegwise_game::{Rules, Table};
/// use pegwise_solve::{Position, Watch, tree::exact::ExactSolver};
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
const MOST_CODES: u128 = 1 << 12;
/// Maximum size of the transposition table, in bytes.
const CACHE_BYTES: usize = 1 << 26;

impl ExactSolver {
    /// Computes the feedback matrix; `None` if there are too many codes, if the rules cannot be searched, or when
    /// stopped.
    #[must_use]
    pub fn new(rules: &Rules, watch: Watch<'_>) -> Option<Self> {
        let rules = rules.clone().with_max_guesses(None);
        UnsupportedRules::check_search(&rules).ok()?;
        Space::new(&rules).count().exact().filter(|&codes| codes <= MOST_CODES)?;
        let matrix = FeedbackMatrix::new(&rules, watch).ok()?;
        Some(Self { rules, matrix })
    }

    /// Creates a search with a transposition table of its own.
    #[must_use]
    pub fn position_values(&self) -> PositionValues<'_> {
        let options = Options { cache_bytes: CACHE_BYTES, ..Options::default() };
        PositionValues(Searcher::new(&self.rules, &self.matrix, &options, Watch::default(), &|_| ()))
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
        let guess = self.rank(guess)?;
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
        (!self.0.stopped).then(|| self.0.matrix.table.code(guess.into()))
    }

    fn begin(&mut self, position: Position<'_>, watch: Watch<'a>) -> Option<Vec<u16>> {
        self.0.restart(watch);
        let path = position.guesses.iter().map(|guess| self.rank(guess)).collect::<Option<Vec<u16>>>()?;
        self.0.path = path;
        position.codes.codes().map(|code| self.rank(&code)).collect()
    }

    fn rank(&self, code: &Code) -> Option<u16> {
        Space::new(self.0.rules).rank(code).and_then(|rank| u16::try_from(rank).ok())
    }

    fn solve(&mut self, set: &[u16]) -> Option<u64> {
        let most = self.0.max_parts();
        let total = self.0.solve(set, UNLIMITED, most, IMPOSSIBLE).low();
        (!self.0.stopped).then_some(total.into())
    }
}

/// Feedback matrix for any number of endgame solvers.
pub(in crate::tree) struct EndgameMatrix(FeedbackMatrix);

/// Maximum size of the feedback matrix: enough for every space of at most 2^16 codes.
const MARKS_BYTES: u64 = 1 << 32;

impl EndgameMatrix {
    /// Computes the feedback matrix; `None` if it is too large or when stopped.
    pub(in crate::tree) fn new(rules: &Rules, watch: Watch<'_>) -> Option<Self> {
        FeedbackMatrix::within(MARKS_BYTES, rules, watch).ok().map(Self)
    }
}

/// Solved endgames of any number of endgame solvers.
pub(in crate::tree) struct EndgameCache(WorkerGroup);

impl EndgameCache {
    /// Creates an empty cache of at most `bytes` bytes.
    pub(in crate::tree) fn new(bytes: usize) -> Self {
        Self(WorkerGroup::new(bytes))
    }
}

/// Solver for small positions.
pub(in crate::tree) struct EndgameSolver<'a>(Searcher<'a>);

impl<'a> EndgameSolver<'a> {
    /// Maximum number of codes of an endgame. Larger positions would need the guesses that lead to them.
    pub(in crate::tree) const MOST_CODES: usize = MIN_SYMMETRY_CODES - 1;

    pub(in crate::tree) fn new(
        rules: &'a Rules,
        marks: &'a EndgameMatrix,
        solved: &'a EndgameCache,
        watch: Watch<'a>,
    ) -> Self {
        Self(Searcher::with_workers(rules, &marks.0, &Options::default(), watch, &|_| (), &solved.0))
    }

    /// Prepares for more positions, with another watch.
    pub(in crate::tree) fn restart(&mut self, watch: Watch<'a>) {
        self.0.restart(watch);
    }

    /// Returns the least total of the codes with the given ranks, ascending; `None` if stopped.
    pub(in crate::tree) fn total(&mut self, ranks: &[u16]) -> Option<u64> {
        debug_assert!(ranks.len() <= Self::MOST_CODES);
        let total = self.0.solve(ranks, UNLIMITED, self.0.max_parts(), IMPOSSIBLE).low();
        (!self.0.stopped).then_some(total.into())
    }

    /// Returns a tree of least total for the codes with the given ranks, ascending; always the same one unless stopped.
    pub(in crate::tree) fn node(&mut self, ranks: &[u16]) -> Option<Node> {
        let guess = self.0.best_known(ranks, UNLIMITED)?;
        self.0.tree(ranks, guess, UNLIMITED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    use pegwise_game::{Feedback, Table, feedback};

    use crate::rng::Rng;

    /// Least total by trying every guess at every position.
    fn naive(rules: &Rules, all: &[Code], codes: &[Code], known: &mut BTreeMap<Vec<Code>, u64>) -> u64 {
        match codes.len() {
            0 => return 0,
            1 => return 1,
            2 => return 3,
            _ => {}
        }
        if let Some(&total) = known.get(codes) {
            return total;
        }
        let least = all.iter().filter_map(|guess| naive_after(rules, all, codes, guess, known)).min();
        let least = least.expect("a code of the position always tells something");
        known.insert(codes.to_vec(), least);
        least
    }

    fn naive_after(
        rules: &Rules,
        all: &[Code],
        codes: &[Code],
        guess: &Code,
        known: &mut BTreeMap<Vec<Code>, u64>,
    ) -> Option<u64> {
        let mut parts: BTreeMap<Feedback, Vec<Code>> = BTreeMap::new();
        codes.iter().for_each(|code| parts.entry(feedback(rules, guess, code)).or_default().push(code.clone()));
        parts.remove(&Feedback::winning(rules));
        if parts.values().any(|part| part.len() == codes.len()) {
            return None;
        }
        Some(codes.len() as u64 + parts.values().map(|part| naive(rules, all, part, known)).sum::<u64>())
    }

    #[test]
    fn totals_are_those_of_trying_everything() {
        for text in ["3x3", "2x4", "3x4:no-repeats", "2x4:higher-lower", "grid:2x2x2"] {
            let rules: Rules = text.parse().unwrap();
            let solver = ExactSolver::new(&rules, Watch::default()).unwrap();
            let mut totals = solver.position_values();
            let all: Vec<Code> = Space::new(&rules).iter().collect();
            let mut known = BTreeMap::new();
            let mut rng = Rng::new(3);
            for _ in 0..20 {
                let (first, secret) = (rng.code(&rules), rng.code(&rules));
                let answer = feedback(&rules, &first, &secret);
                let codes: Vec<Code> =
                    all.iter().filter(|code| feedback(&rules, &first, code) == answer).cloned().collect();
                let table = Table::from_codes(&rules, &codes).unwrap();
                let position = Position { codes: &table, guesses: std::slice::from_ref(&first) };
                let least = naive(&rules, &all, &codes, &mut known);
                assert_eq!(totals.least(position, Watch::default()), Some(least), "{text}");
                let best = totals.best(position, Watch::default()).unwrap();
                assert_eq!(totals.after(position, &best, Watch::default()), Some(least), "{text}");
                let guess = rng.code(&rules);
                if let Some(after) = naive_after(&rules, &all, &codes, &guess, &mut known) {
                    assert_eq!(totals.after(position, &guess, Watch::default()), Some(after), "{text}");
                }
            }
        }
    }
}
