//! Least totals of the positions of one game, for certificates.

use pegwise_game::Rules;

use super::{
    ExactError, Options,
    bounds::{IMPOSSIBLE, UNLIMITED},
    matrix::FeedbackMatrix,
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

/// Calls `ask` with a function that returns the least total of a position if it is below the budget, or else a lower
/// bound that is not below it; `None` when stopped. All threads of the current pool search.
pub(crate) fn with_oracle<R>(
    rules: &Rules,
    cache_bytes: usize,
    watch: Watch<'_>,
    ask: impl FnOnce(&mut dyn FnMut(Query<'_>) -> Option<u32>) -> R,
) -> Result<R, ExactError> {
    UnsupportedRules::check_search(rules)?;
    let matrix = FeedbackMatrix::new(rules, watch)?;
    let (options, workers) = (Options { cache_bytes, ..Options::default() }, WorkerGroup::new(cache_bytes));
    Ok(solve_in_parallel(rules, &matrix, &options, watch, &|_| (), &workers, |mut searcher| {
        ask(&mut |query| {
            searcher.path = query.path.to_vec();
            let width = searcher.any_width();
            Some(searcher.solve(query.codes, UNLIMITED, width, query.budget.min(IMPOSSIBLE)).ok()?.low())
        })
    }))
}
