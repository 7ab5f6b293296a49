//! Strategy trees that are proven to be the best there are.
//!
//! [`solve`] finds a tree whose total (guesses summed over all codes) or depth no other tree beats, by branch and bound.
//! Memory is bounded: the marks of all pairs of codes (one byte each, at most 1 GiB, twice that where feedback asks which
//! of two codes is the guess), one cache of positions for all threads that grows up to [`Options::cache_bytes`], and less
//! than 200 MiB a thread for the rest.
//!
//! ```
//! use pegwise_solve::{Watch, tree::exact::{Options, solve}};
//! let rules = "3x4".parse()?;
//! let report = solve(&rules, &Options::default(), Watch::default(), |_| ())?;
//! assert!(report.proven);
//! assert_eq!(report.tree.stats().total, report.total);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # References
//! - K. Koyama, T. W. Lai: An optimal Mastermind strategy. Journal of Recreational Mathematics 25 (1993), 251-256:
//!   4x6 takes 5625 guesses, 5626 with at most five each.
//! - G. Ville: An optimal Mastermind (4,7) strategy and more results in the expected case (2013), arXiv:1305.1010:
//!   4x7 takes 11228 guesses.

mod agenda;
mod bounds;
mod cache;
mod canonical;
mod driver;
mod endgame;
mod extract;
mod findings;
mod look;
mod matrix;
mod outlook;
mod parts;
mod root;
mod search;
mod split;
mod team;
#[cfg(test)]
mod tests;

use std::{sync::Mutex, time::Duration};

use pegwise_game::{Code, Rules, Space, TableError};

pub(in crate::tree) use endgame::{Endgame, Marks, Solved};
pub use findings::{Findings, FindingsError};
pub use outlook::{Outlook, Totals};

use super::{Stats, Tree, Untold};
use crate::{
    clock::Moment,
    parallel,
    search::{Stop, Watch},
};
use bounds::UNLIMITED;
use driver::Driver;
use matrix::Matrix;
use search::Searcher;
use team::Team;

/// What makes a tree the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Objective {
    /// The least total.
    #[default]
    Mean,
    /// The least depth.
    Worst,
    /// The least total, and the least depth among the trees that have it.
    MeanThenWorst,
    /// The least depth, and the least total among the trees that have it.
    WorstThenMean,
}

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What makes a tree the best.
    pub objective: Objective,
    /// The most guesses any code may take.
    pub max_depth: Option<u32>,
    /// Whether every guess must be able to win.
    pub consistent_only: bool,
    /// The first guess, if it is not to be chosen.
    pub first_guess: Option<Code>,
    /// The most memory for the cache of positions.
    pub cache_bytes: usize,
    /// A tree that is known: only better ones are looked for, and where there are none or it is stopped, this one is the
    /// answer. For [`Objective::Mean`]; others do without.
    pub start: Option<Tree>,
    /// What another search of the same rules, objective and guesses found before it was stopped.
    pub known: Findings,
    /// Whether the search is expected to be stopped: bounds of all parts then rise evenly, instead of one part after another
    /// being finished.
    pub anytime: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            objective: Objective::default(),
            max_depth: None,
            consistent_only: false,
            first_guess: None,
            cache_bytes: 1 << 30,
            start: None,
            known: Findings::default(),
            anytime: false,
        }
    }
}

/// The most codes of a game all of whose trees are searched: the marks of all pairs are kept.
pub const MAX_CODES: usize = 1 << 15;

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Positions searched.
    pub nodes: u64,
    /// No tree has a lower total.
    pub lower_bound: u64,
    /// The total of the best tree so far, if there is one.
    pub total: Option<u64>,
}

/// The best tree found, and what is proven of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The best tree found.
    pub tree: Tree,
    /// Its guesses summed over all codes.
    pub total: u64,
    /// The most guesses any code takes.
    pub depth: u32,
    /// How many codes take that many.
    pub deepest: u64,
    /// Positions searched.
    pub nodes: u64,
    /// Whether no tree is better by the objective.
    pub proven: bool,
    /// No tree that the options allow has a lower total; at depth [`Report::depth`] where depth comes first.
    pub lower_bound: u64,
}

impl Report {
    /// A tree that was known before.
    fn of_known(tree: &Tree, stats: &Stats, nodes: u64, proven: bool, lower_bound: u64) -> Self {
        Self {
            tree: tree.clone(),
            total: stats.total,
            depth: stats.max,
            deepest: stats.histogram.last().copied().unwrap_or(0),
            nodes,
            proven,
            lower_bound,
        }
    }
}

/// Whether a known tree is one of those that are looked for.
fn is_answer(known: &Tree, options: &Options, limit: u32) -> bool {
    let first = options.first_guess.as_ref();
    let begins = first.is_none_or(|first| *first == known.root.guess);
    options.objective == Objective::Mean && begins && known.stats().max <= limit
}

/// Why there is no best tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactError {
    /// The feedback does not tell all codes apart.
    #[error(transparent)]
    Untold(#[from] Untold),
    /// The space does not fit a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The marks of all pairs would take too much memory.
    #[error("{codes} codes are too many to search all trees: {MAX_CODES} is the most")]
    TooManyCodes {
        /// Codes of the rules.
        codes: usize,
    },
    /// Feedback has too many values.
    #[error("{feedbacks} different feedbacks are too many to search all trees: {} is the most", matrix::MAX_KINDS)]
    TooManyFeedbacks {
        /// Feedbacks seen so far.
        feedbacks: usize,
    },
    /// The first guess is no code of the rules.
    #[error("the first guess is no code of {rules}")]
    WrongFirstGuess {
        /// The rules.
        rules: String,
    },
    /// The part given is no part of a tree.
    #[error("the part given does not play the codes of its position at {rules}")]
    WrongPart {
        /// The rules.
        rules: String,
    },
    /// No tree has so few guesses for every code.
    #[error("no tree finds every code within {max_depth} guesses")]
    NoTree {
        /// The guesses allowed.
        max_depth: u32,
    },
    /// It was stopped before any tree was found.
    #[error("no tree was found before {0}")]
    Stopped(Stop),
}

/// Finds the best tree, on as many threads as the pool has that it is called in. Stopped early, it returns the best tree so
/// far.
///
/// The tree and what is proven of it are the same on every machine, with any number of threads and however often it is asked
/// for, unless the watch stops it; only how many positions were searched depends on who was faster. With
/// [`Options::anytime`] and several first guesses that are equally good, the first guess may be another of them.
pub fn solve(
    rules: &Rules,
    options: &Options,
    watch: Watch<'_>,
    progress: impl Fn(Progress) + Sync,
) -> Result<Report, ExactError> {
    solve_keeping(rules, options, watch, progress, |_| ())
}

/// How often what was found is handed over.
const KEPT_EVERY: Duration = Duration::from_secs(60);

/// The same, which hands over what it found now and then, and when it is stopped: with [`Options::known`], another search
/// goes on from there.
pub fn solve_keeping(
    rules: &Rules,
    options: &Options,
    watch: Watch<'_>,
    progress: impl Fn(Progress) + Sync,
    keep: impl Fn(Findings) + Sync,
) -> Result<Report, ExactError> {
    Untold::check_search(rules)?;
    let first = match &options.first_guess {
        Some(code) => {
            let rank = Space::new(rules).rank(code).and_then(|rank| u16::try_from(rank).ok());
            Some(rank.ok_or_else(|| ExactError::WrongFirstGuess { rules: rules.to_string() })?)
        }
        None => None,
    };
    let limit = options.max_depth.unwrap_or(UNLIMITED);
    let matrix = match (Matrix::new(rules, watch), &options.start) {
        (Ok(matrix), _) => matrix,
        // Stopped before anything was searched: what is known is still the answer.
        (Err(ExactError::Stopped(_)), Some(start)) if is_answer(start, options, limit) => {
            let stats = start.stats();
            // One code takes one guess, every other at least two.
            return Ok(Report::of_known(start, &stats, 0, false, 2 * stats.codes - 1));
        }
        (Err(error), _) => return Err(error),
    };
    let start = options.start.as_ref().filter(|start| is_answer(start, options, limit));
    let team = Team::new(options.cache_bytes);
    options.known.recall(&team.cache);
    let next = Mutex::new(Moment::after(KEPT_EVERY));
    let progress = |now: Progress| {
        progress(now);
        if let Ok(mut next) = next.lock()
            && next.is_some_and(Moment::has_come)
        {
            keep(Findings::of(&team.cache));
            *next = Moment::after(KEPT_EVERY);
        }
    };
    let report = together(rules, &matrix, options, watch, &progress, &team, |searcher| {
        let mut driver = Driver { rules, first, searcher, watch };
        match options.objective {
            Objective::Mean => driver.least_total(limit, start),
            Objective::MeanThenWorst => driver.least_total_then_depth(limit),
            Objective::Worst | Objective::WorstThenMean => driver.least_depth(limit),
        }
    });
    let is_open = match &report {
        Ok(report) => !report.proven,
        Err(error) => matches!(error, ExactError::Stopped(_)),
    };
    if is_open {
        keep(Findings::of(&team.cache));
    }
    report
}

/// Finds the best tree of a part ([`Tree::place`]), or proves that the one given is the best: a better one, or the same with
/// what is known about better ones. Totals and bounds are counted from the first guess of the game. Stopped early, what is
/// known is the part given, and the bound that was reached.
///
/// ```
/// use pegwise_game::Turn;
/// use pegwise_solve::{Watch, tree::{exact::{Options, solve, solve_part}}};
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
    Untold::check_search(rules)?;
    let matrix = Matrix::new(rules, watch)?;
    let (options, team) = (Options { cache_bytes, ..Options::default() }, Team::new(cache_bytes));
    together(rules, &matrix, &options, watch, &progress, &team, |searcher| {
        Driver { rules, first: None, searcher, watch }.least_of_part(part)
    })
}

/// What comes of a search that one thread leads, and on which as many others help as the pool has.
fn together<R>(
    rules: &Rules,
    matrix: &Matrix,
    options: &Options,
    watch: Watch<'_>,
    progress: &(dyn Fn(Progress) + Sync),
    team: &Team,
    lead: impl FnOnce(Searcher<'_>) -> R,
) -> R {
    let lead = || {
        let result = lead(Searcher::in_team(rules, matrix, options, watch, progress, team));
        team.end();
        result
    };
    let help = || {
        let mut helper: Option<Searcher<'_>> = None;
        while let Some(joint) = team.wait() {
            let new = || Searcher::in_team(rules, matrix, options, watch, &|_| (), team);
            let helper = helper.get_or_insert_with(new);
            let before = helper.nodes;
            helper.help(&joint);
            team.add_nodes(helper.nodes - before);
        }
    };
    parallel::run_with_helpers(lead, help, || team.abandon())
}
