//! Exact totals of small positions, for a search that is not exact above them.

use pegwise_game::Rules;

use super::{
    Options,
    bounds::{IMPOSSIBLE, UNLIMITED},
    matrix::Matrix,
    search::{Searcher, WORTH_SYMMETRY},
    team::Team,
};
use crate::{search::Watch, tree::Node};

/// The marks of all pairs of codes, for as many threads as like.
pub(in crate::tree) struct Marks(Matrix);

/// The most memory for the marks of all pairs: enough for every space whose codes have numbers of 16 bits.
const MARKS_BYTES: u64 = 1 << 32;

impl Marks {
    /// The marks of these rules, where they do not take too much memory or time.
    pub(in crate::tree) fn new(rules: &Rules, watch: Watch<'_>) -> Option<Self> {
        Matrix::within(MARKS_BYTES, rules, watch).ok().map(Self)
    }
}

/// What is known about small positions, for as many threads as like.
pub(in crate::tree) struct Solved(Team);

impl Solved {
    /// Nothing is known yet; what is known will take at most so many bytes.
    pub(in crate::tree) fn new(bytes: usize) -> Self {
        Self(Team::new(bytes))
    }
}

/// Solves small positions.
pub(in crate::tree) struct Endgame<'a>(Searcher<'a>);

impl<'a> Endgame<'a> {
    /// The most codes of a small position. With more, a search would have to know the guesses that led there.
    pub(in crate::tree) const MOST_CODES: usize = WORTH_SYMMETRY - 1;

    pub(in crate::tree) fn new(rules: &'a Rules, marks: &'a Marks, solved: &'a Solved, watch: Watch<'a>) -> Self {
        Self(Searcher::in_team(rules, &marks.0, &Options::default(), watch, &|_| (), &solved.0))
    }

    /// Makes ready for more, with another watch.
    pub(in crate::tree) fn restart(&mut self, watch: Watch<'a>) {
        self.0.restart(watch);
    }

    /// The least total of the codes with these ranks, ascending; `None` when stopped before it was found.
    pub(in crate::tree) fn total(&mut self, ranks: &[u16]) -> Option<u64> {
        debug_assert!(ranks.len() <= Self::MOST_CODES);
        let total = self.0.solve(ranks, UNLIMITED, self.0.most_parts(), IMPOSSIBLE).low();
        (!self.0.stopped).then_some(total.into())
    }

    /// A tree of the least total for the codes with these ranks, ascending, and always the same one; one that was found
    /// where stopped.
    pub(in crate::tree) fn node(&mut self, ranks: &[u16]) -> Option<Node> {
        let guess = self.0.best_known(ranks, UNLIMITED)?;
        self.0.tree(ranks, guess, UNLIMITED)
    }
}
