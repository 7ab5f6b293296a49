//! Optimal strategy trees by branch and bound.
//!
//! [`solve`] finds a tree of minimum total (guesses summed over all codes) or minimum depth, and proves it. Memory is
//! bounded: the feedback matrix (one byte per pair of codes, at most 1 GiB; twice that for feedback that is not
//! symmetric), one transposition table for all threads of up to [`Options::cache_bytes`], and less than 200 MiB per
//! thread for the rest.
//!
//! ```
//! use pegwise_search::Watch;
//! use pegwise_trees::exact::{Options, solve};
//! let rules = "3x4".parse()?;
//! let report = solve(&rules, &Options::default(), Watch::default(), |_| ())?;
//! assert!(report.proven);
//! assert_eq!(report.tree.stats().total, report.total);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # References
//! - K. Koyama, T. W. Lai: An optimal Mastermind strategy. Journal of Recreational Mathematics 25 (1993), 251-256: 4x6
//!   takes 5625 guesses, 5626 with at most five each.
//! - G. Ville: An optimal Mastermind (4,7) strategy and more results in the expected case (2013), arXiv:1305.1010: 4x7
//!   takes 11228 guesses.

mod cache;
mod driver;
mod fewest;
mod list;
mod matrix;
mod oracle;
mod positions;
mod search;
#[cfg(test)]
mod tests;
mod workers;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use pegwise_game::{Code, Rules, Space, TableError};

pub use cache::{BoundsSnapshot, BoundsSnapshotError};
pub use list::improve_list;
pub(crate) use matrix::partition_fingerprint;
pub(crate) use oracle::{Oracle, Query, with_oracle};
pub(crate) use positions::{EndgameCache, EndgameMatrix, EndgameSolver};
pub use positions::{ExactSolver, PositionValues};

use super::{Tree, UnsupportedRules, bounds};
use bounds::UNLIMITED;
use driver::ProofDriver;
use matrix::FeedbackMatrix;
use pegwise_search::{Stop, Watch, clock::Moment, parallel, secrets::SecretList};
use search::Searcher;
use workers::WorkerGroup;

/// Quantity that an optimal tree minimizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Objective {
    /// The total.
    #[default]
    Mean,
    /// The depth.
    Worst,
    /// The total, then the depth.
    MeanThenWorst,
    /// The depth, then the total.
    WorstThenMean,
}

/// Options of an exact search.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Quantity to minimize.
    pub objective: Objective,
    /// Maximum number of guesses per code.
    pub max_depth: Option<u32>,
    /// Among the trees of least total, finds one in which the fewest codes take more than this number of guesses. Used
    /// with [`Objective::Mean`] and without a maximum number of guesses only; `start` is then not used.
    pub fewest_after: Option<u32>,
    /// Allows only guesses that can be the secret.
    pub consistent_only: bool,
    /// Fixed first guess; `None` to search all first guesses.
    pub first_guess: Option<Code>,
    /// Maximum size of the transposition table, in bytes.
    pub cache_bytes: usize,
    /// Known tree: only better trees are searched, and this one is returned if no better one exists or the search is
    /// stopped. Used with [`Objective::Mean`] only.
    pub start: Option<Tree>,
    /// List of secrets, with the codes that may be guessed; `None` if all codes of the rules may be either. Every
    /// secret counts once, whatever its weight, and `start` is not used.
    pub secrets: Option<Arc<SecretList>>,
    /// Bounds from an earlier search with the same rules, secrets, objective and allowed guesses.
    pub known: BoundsSnapshot,
    /// Takes a snapshot of the bounds at the end of a proof, too, for [`certify`](crate::certify).
    pub keep_proof: bool,
    /// Expects the search to be stopped: the bounds of all parts are raised evenly, instead of solving one part after
    /// another.
    pub anytime: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            objective: Objective::default(),
            max_depth: None,
            fewest_after: None,
            consistent_only: false,
            first_guess: None,
            cache_bytes: 1 << 30,
            start: None,
            secrets: None,
            known: BoundsSnapshot::default(),
            keep_proof: false,
            anytime: false,
        }
    }
}

/// Maximum number of codes of a space that can be searched, limited by the size of the feedback matrix.
pub const MAX_CODES: usize = 1 << 15;

/// Progress of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Number of positions searched.
    pub nodes: u64,
    /// Lower bound of the total of any tree.
    pub lower_bound: u64,
    /// Total of the best tree so far.
    pub total: Option<u64>,
}

/// Result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Best tree found.
    pub tree: Tree,
    /// Guesses summed over all codes.
    pub total: u64,
    /// Maximum number of guesses per code.
    pub depth: u32,
    /// Number of codes that take `depth` guesses.
    pub deepest: u64,
    /// Number of positions searched.
    pub nodes: u64,
    /// True if the tree is proven optimal.
    pub proven: bool,
    /// Lower bound of the total of all trees that the options allow; of those with depth [`Report::depth`] if the depth
    /// comes first.
    pub lower_bound: u64,
}

impl Report {
    /// Creates the report of a tree.
    fn of_tree(tree: Tree, nodes: u64, proven: bool, lower_bound: u64) -> Self {
        let stats = tree.stats();
        Self {
            tree,
            total: stats.total,
            depth: stats.max,
            deepest: stats.histogram.last().copied().unwrap_or(0),
            nodes,
            proven,
            lower_bound,
        }
    }
}

/// Returns true if `known` satisfies the options.
fn is_answer(known: &Tree, options: &Options, limit: u32) -> bool {
    let first = options.first_guess.as_ref();
    let begins = first.is_none_or(|first| *first == known.root.guess);
    options.secrets.is_none() && options.objective == Objective::Mean && begins && known.stats().max <= limit
}

/// Error of an exact search.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactError {
    /// The rules have no trees that can be searched.
    #[error(transparent)]
    UnsupportedRules(#[from] UnsupportedRules),
    /// The space does not fit a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The feedback matrix would be too large.
    #[error("{codes} codes are too many for an exact search; the maximum is {MAX_CODES}")]
    TooManyCodes {
        /// Number of codes.
        codes: usize,
    },
    /// There are too many different feedbacks.
    #[error("{feedbacks} different feedbacks are too many for an exact search; the maximum is {}", matrix::MAX_KINDS)]
    TooManyFeedbacks {
        /// Number of feedbacks found so far.
        feedbacks: usize,
    },
    /// The first guess is not a code of the rules, or may not be guessed.
    #[error("the first guess is not a code of {rules} that may be guessed")]
    WrongFirstGuess {
        /// The rules.
        rules: String,
    },
    /// The first guess does not split the secrets.
    #[error("every secret gives the same answer to the first guess")]
    UselessFirstGuess,
    /// The given part does not solve the codes of its position.
    #[error("the given part does not find the codes of its position at {rules}")]
    WrongPart {
        /// The rules.
        rules: String,
    },
    /// No tree finds every code within the allowed number of guesses.
    #[error("no tree finds every code within {max_depth} guesses")]
    NoTree {
        /// Maximum number of guesses allowed.
        max_depth: u32,
    },
    /// The search was stopped before any tree was found.
    #[error("no tree was found before {0}")]
    Stopped(Stop),
}

/// Returns a checksum that distinguishes lists of secrets and guesses.
#[must_use]
pub fn list_checksum(list: &SecretList) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    for code in [list.codes(), list.guesses().unwrap_or_default()].concat() {
        code.iter().for_each(|color| sum.update(&(color.index() as u16).to_le_bytes()));
    }
    sum.finalize() ^ list.len() as u32
}

/// Returns the rank of a code; `None` if it is not a code of the rules, or past the maximum.
fn rank(rules: &Rules, code: &Code) -> Option<u16> {
    Space::new(rules).rank(code).and_then(|rank| u16::try_from(rank).ok())
}

/// Finds an optimal tree, on all threads of the current thread pool. If stopped early, returns the best tree so far.
///
/// Unless the watch stops the search, the tree and the proof do not depend on the machine or the number of threads;
/// only the number of searched positions does. With [`Options::anytime`], the first guess may be any of several equally
/// good ones.
pub fn solve(
    rules: &Rules,
    options: &Options,
    watch: Watch<'_>,
    progress: impl Fn(Progress) + Sync,
) -> Result<Report, ExactError> {
    solve_with_snapshots(rules, options, watch, progress, |_| ())
}

/// Interval between two snapshots.
const SNAPSHOT_INTERVAL: Duration = Duration::from_secs(60);

/// Like [`solve`], and passes a snapshot of the bounds to `keep` every minute and when stopped
/// ([`Options::keep_proof`]: or finished). Another search resumes from it by [`Options::known`].
pub fn solve_with_snapshots(
    rules: &Rules,
    options: &Options,
    watch: Watch<'_>,
    progress: impl Fn(Progress) + Sync,
    keep: impl Fn(BoundsSnapshot) + Sync,
) -> Result<Report, ExactError> {
    UnsupportedRules::check_search(rules)?;
    let limit = options.max_depth.unwrap_or(UNLIMITED);
    let matrix = match &options.secrets {
        None => FeedbackMatrix::new(rules, watch),
        Some(list) => FeedbackMatrix::of_list(list, watch),
    };
    let matrix = match (matrix, &options.start) {
        (Ok(matrix), _) => matrix,
        // Stopped before the search began: the known tree is still an answer.
        (Err(ExactError::Stopped(_)), Some(start)) if is_answer(start, options, limit) => {
            // One code takes one guess, all others at least two.
            return Ok(Report::of_tree(start.clone(), 0, false, 2 * start.stats().codes - 1));
        }
        (Err(error), _) => return Err(error),
    };
    let first = options.first_guess.as_ref().map(|code| matrix.first_guess(rules, code)).transpose()?;
    let start =
        options.start.as_ref().filter(|start| options.fewest_after.is_none() && is_answer(start, options, limit));
    let workers = WorkerGroup::new(options.cache_bytes);
    options.known.insert_into(&workers.cache);
    let next = Mutex::new(Moment::after(SNAPSHOT_INTERVAL));
    let progress = |now: Progress| {
        progress(now);
        if let Ok(mut next) = next.lock()
            && next.is_some_and(Moment::has_come)
        {
            keep(BoundsSnapshot::of(&workers.cache));
            *next = Moment::after(SNAPSHOT_INTERVAL);
        }
    };
    let report = solve_in_parallel(rules, &matrix, options, watch, &progress, &workers, |searcher| {
        let mut driver = ProofDriver { rules, first, searcher, watch };
        match options.objective {
            Objective::Mean => {
                let least = driver.least_total(limit, start)?;
                Ok(match options.fewest_after {
                    Some(after) if least.proven && options.max_depth.is_none() => driver.fewest(least, after),
                    _ => least,
                })
            }
            Objective::MeanThenWorst => driver.least_total_then_depth(limit),
            Objective::Worst | Objective::WorstThenMean => driver.least_depth(limit),
        }
    });
    let is_open = match &report {
        Ok(report) => !report.proven,
        Err(error) => matches!(error, ExactError::Stopped(_)),
    };
    if is_open || options.keep_proof {
        keep(BoundsSnapshot::of(&workers.cache));
    }
    report
}

/// Finds an optimal tree of a part ([`Tree::place`]), or proves the given one optimal. Totals and bounds are counted
/// from the first guess of the game. If stopped early, returns the given part and the bound reached.
///
/// ```
/// use pegwise_game::Turn;
/// use pegwise_search::Watch;
/// use pegwise_trees::exact::{Options, solve, solve_part};
/// let rules = "4x5".parse()?;
/// let best = solve(&rules, &Options::default(), Watch::default(), |_| ())?.tree;
/// let turn = Turn { guess: best.root.guess.clone(), feedback: best.root.branches[1].feedback.clone() };
/// let part = best.part(&[turn])?;
/// assert!(solve_part(&part, 1 << 26, Watch::default(), |_| ())?.proven);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_part(
    part: &Tree,
    cache_bytes: usize,
    watch: Watch<'_>,
    progress: impl Fn(Progress) + Sync,
) -> Result<Report, ExactError> {
    let rules = &part.rules;
    UnsupportedRules::check_search(rules)?;
    let matrix = FeedbackMatrix::new(rules, watch)?;
    let (options, workers) = (Options { cache_bytes, ..Options::default() }, WorkerGroup::new(cache_bytes));
    solve_in_parallel(rules, &matrix, &options, watch, &progress, &workers, |searcher| {
        ProofDriver { rules, first: None, searcher, watch }.least_of_part(part)
    })
}

/// Runs `lead` on one thread, while the other threads of the pool help at its split points.
fn solve_in_parallel<R>(
    rules: &Rules,
    matrix: &FeedbackMatrix,
    options: &Options,
    watch: Watch<'_>,
    progress: &(dyn Fn(Progress) + Sync),
    workers: &WorkerGroup,
    lead: impl FnOnce(Searcher<'_>) -> R,
) -> R {
    let lead = || {
        let result = lead(Searcher::new(rules, matrix, options, watch, progress, Some(workers)));
        workers.end();
        result
    };
    let help = || {
        let mut helper: Option<Searcher<'_>> = None;
        while let Some(split_point) = workers.wait() {
            let new = || Searcher::new(rules, matrix, options, watch, &|_| (), Some(workers));
            let helper = helper.get_or_insert_with(new);
            let before = helper.nodes;
            // A helper that is interrupted has nothing else to do.
            let _ = helper.help(&split_point);
            workers.add_nodes(helper.nodes - before);
        }
    };
    parallel::run_with_helpers(lead, help, || workers.abandon())
}
