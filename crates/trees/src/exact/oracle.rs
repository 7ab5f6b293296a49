//! Least totals of the positions of one game, for certificates.

use std::sync::{Mutex, PoisonError};

use pegwise_game::Rules;

use super::{
    BoundsSnapshot, ExactError, Options,
    bounds::{IMPOSSIBLE, UNLIMITED},
    matrix::FeedbackMatrix,
    search::Searcher,
    solve_in_parallel,
    workers::WorkerGroup,
};
use pegwise_search::{Watch, tree::UnsupportedRules};

/// Position, as the guesses that lead to it and the codes that remain, both as ranks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query<'a> {
    pub(crate) path: &'a [u16],
    pub(crate) codes: &'a [u16],
    /// Budget: only a least total below it is needed.
    pub(crate) budget: u32,
}

/// Function that returns the least total of a position if it is below the budget, or else a lower bound that is not
/// below it; `None` when stopped.
pub(crate) type Oracle<'a> = dyn Fn(Query<'_>) -> Option<u32> + Sync + 'a;

/// Calls `ask` with an oracle that begins with known bounds. Any number of threads may ask it, and those of the current
/// pool help to search large positions.
pub(crate) fn with_oracle<R>(
    rules: &Rules,
    cache_bytes: usize,
    known: &BoundsSnapshot,
    watch: Watch<'_>,
    ask: impl FnOnce(&Oracle<'_>) -> R,
) -> Result<R, ExactError> {
    UnsupportedRules::check_search(rules)?;
    let matrix = FeedbackMatrix::new(rules, watch)?;
    let (options, workers) = (Options { cache_bytes, ..Options::default() }, WorkerGroup::new(cache_bytes));
    known.insert_into(&workers.cache);
    let unused: Mutex<Vec<Searcher<'_>>> = Mutex::default();
    let lock = || unused.lock().unwrap_or_else(PoisonError::into_inner);
    let oracle = |query: Query<'_>| {
        let searcher = lock().pop();
        let new = || Searcher::new(rules, &matrix, &options, watch, &|_| (), Some(&workers));
        let mut searcher = searcher.unwrap_or_else(new);
        searcher.path = query.path.to_vec();
        let width = searcher.any_width();
        let found = searcher.solve(query.codes, UNLIMITED, width, query.budget.min(IMPOSSIBLE));
        lock().push(searcher);
        Some(found.ok()?.low())
    };
    Ok(solve_in_parallel(rules, &matrix, &options, watch, &|_| (), &workers, |_| ask(&oracle)))
}
