//! Good trees for spaces that are too large for a proof, by beam search with exact endgames.
//!
//! The guesses of a position are first rated by the estimated totals of their parts. The few best guesses are followed
//! to the end, and the best of those is kept; small positions are solved exactly. Each round follows more guesses and
//! solves larger positions. Totals of positions are cached, so more time never makes the tree worse, and the estimates
//! are updated from the positions of the previous round.
//!
//! The first rounds compare first guesses, whose parts are searched independently. After that, the tree is improved
//! where it loses most compared with sets of equal size; a given tree is improved in the same way. For a given number
//! of rounds the tree does not depend on the number of threads. Memory: about 64 bytes per cached position, at most
//! 2^20 positions per part in the first rounds and 2^22 later; the feedback matrix if it fits 4 GiB; and 256 MiB for
//! endgames.
//!
//! A part of a tree ([`Tree::place`]) is improved like a whole tree, with the codes of its position. The work can
//! therefore be distributed: [`losing_parts`] selects parts, each is improved on any machine, and [`join`](crate::join) puts
//! the better ones back.

mod guesses;
mod improve;
mod search;

pub(crate) use guesses::{ObservedTotals, ValueEstimates};

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use pegwise_game::{Code, Rules, Table, TableError, partition::Partitioner};

use super::{
    BuildError, Builder, Node, Tree, TreePath, UnsupportedRules,
    bounds::least_total,
    exact::{EndgameCache, EndgameMatrix},
};
use improve::{Improver, StartPosition};
pub use improve::{LosingPart, losing_parts};
use pegwise_search::{
    Watch,
    candidates::LowestCandidate,
    clock::Moment,
    one_step::{self, Criterion, Pools},
    parallel,
};
use search::{Opening, first_guesses};

/// Options of a beam search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// Fixed first guess; `None` to compare first guesses.
    pub first_guess: Option<Code>,
    /// Tree to improve, or a part of one.
    pub start: Option<Tree>,
    /// Maximum number of rounds; `None` to continue until the watch stops the search or the last round is done.
    pub rounds: Option<u32>,
}

/// Progress of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Total of the best tree so far.
    pub total: u64,
    /// Number of finished rounds.
    pub rounds: u32,
    /// Number of positions searched since the first guess was chosen.
    pub positions: u64,
    /// Maximum number of codes of the positions searched last; all codes while first guesses are compared.
    pub codes: u64,
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
    /// Lower bound of the total of any tree, from the number of feedbacks alone.
    pub lower_bound: u64,
    /// Number of finished rounds.
    pub rounds: u32,
    /// Number of positions searched since the first guess was chosen.
    pub positions: u64,
}

/// Error of a beam search.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BeamError {
    /// The space does not fit a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The initial tree could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The board has no kernel.
    #[error("{rules} cannot be searched: better trees are found for rows with peg feedback")]
    NoKernel {
        /// The rules.
        rules: String,
    },
    /// The tree to improve has other rules.
    #[error("the tree to start from is for {found}, not for {wanted}")]
    OtherRules {
        /// Rules of the tree.
        found: String,
        /// Requested rules.
        wanted: String,
    },
    /// No code is consistent with the turns to the part to improve.
    #[error("no code is left {place}")]
    NoCodes {
        /// Position of the part.
        place: TreePath,
    },
}

/// Number of guesses followed at a small position, by round; large positions follow fewer.
const WIDTHS: [usize; 8] = [2, 4, 8, 16, 32, 64, 128, 256];

/// Improves a tree until the watch stops the search, and returns the best one found: at least as good as the tree it
/// starts from, or as the one-step tree.
pub fn improve(
    rules: &Rules,
    options: &Options,
    watch: Watch<'_>,
    progress: impl Fn(Progress) + Sync,
) -> Result<Report, BeamError> {
    improve_with_updates(rules, options, watch, progress, |_| ())
}

/// Like [`improve`], and calls `keep` with the root of every better tree as soon as it is found.
pub fn improve_with_updates(
    rules: &Rules,
    options: &Options,
    watch: Watch<'_>,
    progress: impl Fn(Progress) + Sync,
    keep: impl Fn(&Node),
) -> Result<Report, BeamError> {
    let kinds = kinds(rules)?;
    if let Some(start) = options.start.as_ref().filter(|start| start.rules != *rules) {
        return Err(BeamError::OtherRules { found: start.rules.to_string(), wanted: rules.to_string() });
    }
    let all = Table::all(rules)?;
    let turns = options.start.as_ref().map_or_else(Vec::new, |start| start.place().turns().to_vec());
    let base = StartPosition::after(rules, &all, &turns)?;
    let values = ValueEstimates::expected(kinds, all.len());
    let pools = Pools::new(rules);
    let start = match &options.start {
        Some(start) => start.clone(),
        None => one_step_ahead(rules, all.len(), options, watch)?,
    };
    let mut best = (start.stats().total, start.root);
    let rounds = options.rounds.map_or(WIDTHS.len(), |rounds| (rounds as usize).min(WIDTHS.len()));
    let marks = EndgameMatrix::new(rules, watch);
    let solved = EndgameCache::new(ENDGAME_CACHE_BYTES);
    let endgames = marks.as_ref().map(|marks| (marks, &solved));
    let mut finished = 0;
    // A given tree has its first guess.
    let mut openings: Vec<Opening> = Vec::new();
    if options.start.is_none() {
        let guesses = first_guesses(rules, options, &all, &values).into_iter();
        openings = guesses
            .map_while(|guess| watch.stop().is_none().then(|| Opening::new(rules, &pools, &all, guess, &values)))
            .collect();
    }
    for &width in &WIDTHS[..rounds.min(if openings.is_empty() { 0 } else { ROUNDS_OF_OPENINGS })] {
        if watch.stop().is_some() {
            break;
        }
        // The openings are independent, so that all of their parts are searched in parallel.
        let reported = AtomicU64::new(best.0);
        parallel::for_each(openings.iter_mut().collect(), |opening: &mut Opening| {
            opening.round(rules, endgames, width, watch, |total| {
                if total < reported.fetch_min(total, Ordering::Relaxed) {
                    progress(Progress { total, rounds: finished, positions: 0, codes: all.len() as u64 });
                }
            });
        });
        for opening in &openings {
            if opening.total() < best.0 {
                best = (opening.total(), opening.node());
                keep(&best.1);
            }
        }
        if watch.stop().is_some() {
            break;
        }
        finished += 1;
        // Only the best openings of the first round are searched further.
        openings.sort_by_key(Opening::total);
        openings.truncate(OPENINGS_KEPT);
    }
    drop(openings);
    let mut improver = Improver::new(rules, &pools, endgames, watch, &base, &values, best.1);
    let kept = Cell::new(best.0);
    for &width in &WIDTHS[finished as usize..rounds] {
        if watch.stop().is_some() {
            break;
        }
        improver.round(width, &|now, codes| {
            let (total, positions) = (now.total(), now.positions());
            if total < kept.replace(total) {
                keep(now.root());
            }
            progress(Progress { total, rounds: finished, positions, codes: codes as u64 });
        });
        if watch.stop().is_some() {
            break;
        }
        finished += 1;
    }
    let (total, positions) = (improver.total(), improver.positions());
    let tree = Tree { rules: rules.clone(), root: improver.into_root() };
    let depth = tree.stats().max;
    let codes = base.codes.len();
    let lower_bound = least_total(codes, kinds) + (codes * turns.len()) as u64;
    Ok(Report { total, depth, lower_bound, rounds: finished, positions, tree })
}

/// Returns the number of different feedbacks, or an error if the rules cannot be searched.
fn kinds(rules: &Rules) -> Result<usize, BeamError> {
    UnsupportedRules::check_search(rules).map_err(BuildError::from)?;
    match Partitioner::new(rules).batch_kernel() {
        Some(lanes) => Ok(lanes.encoding().possible().len()),
        None => Err(BeamError::NoKernel { rules: rules.to_string() }),
    }
}

/// Maximum size of the endgame cache, in bytes.
const ENDGAME_CACHE_BYTES: usize = 1 << 28;

/// Maximum number of codes for which the fallback tree needs no time limit.
const MAX_UNTIMED_CODES: usize = 1 << 16;
/// Time limit of the fallback tree for larger spaces, in addition to a tenth of the time spent so far.
const GRACE: Duration = Duration::from_millis(100);

/// Returns the one-step tree, or a trivial tree if stopped before that is finished. Fails only for spaces that are too
/// large even for a trivial tree.
fn one_step_ahead(rules: &Rules, codes: usize, options: &Options, watch: Watch<'_>) -> Result<Tree, BuildError> {
    let begun = Moment::now();
    let entropy = one_step::on_position(rules, Criterion::Entropy, options.first_guess.clone());
    match Builder::new(rules, watch).build(&*entropy) {
        Err(BuildError::Stopped(_)) => {
            let lowest = LowestCandidate { first: options.first_guess.clone() };
            let grace = (codes > MAX_UNTIMED_CODES).then(|| GRACE + begun.elapsed() / 10);
            Builder::new(rules, Watch::new(grace, None)).build(&lowest)
        }
        built => built,
    }
}

/// Number of rounds in which openings are compared.
const ROUNDS_OF_OPENINGS: usize = 2;
/// Number of openings that are searched after the first round.
const OPENINGS_KEPT: usize = 2;
#[cfg(test)]
mod tests {
    use pegwise_game::Turn;

    use super::*;
    use crate::{TreeFile, join, verify_part, verify_tree};
    use pegwise_search::tree::{Branch, Summary};

    fn improved(rules: &str, options: &Options, watch: Watch<'_>) -> Report {
        let rules: Rules = rules.parse().unwrap();
        let kept = Cell::new(u64::MAX);
        let keep = |root: &Node| {
            let total = Summary::of(root).total;
            assert!(kept.replace(total) > total, "only better trees are shown");
        };
        let report = improve_with_updates(&rules, options, watch, |_| (), keep).unwrap();
        assert!(kept.get() == u64::MAX || kept.get() == report.total, "the last tree shown is the best");
        let verdict = verify_tree(&report.tree).unwrap();
        assert_eq!((verdict.total, verdict.max), (report.total, report.depth));
        assert!(report.lower_bound <= report.total);
        report
    }

    #[test]
    fn more_rounds_are_never_worse_and_nearly_optimal() {
        let mut last = u64::MAX;
        for rounds in 1..=4 {
            let report = improved("4x5", &Options { rounds: Some(rounds), ..Options::default() }, Watch::default());
            assert!(report.total <= last, "{rounds} rounds: {} after {last}", report.total);
            last = report.total;
        }
        // The optimum of 4x5 is 2463, by exact search.
        assert!((2463..2480).contains(&last), "{last}");
    }

    #[test]
    fn a_search_stopped_at_once_returns_its_start() {
        let rules: Rules = "4x6".parse().unwrap();
        let at_once = Watch::new(Some(Duration::ZERO), None);
        let first = rules.parse_code("1123").unwrap();
        let any = improved("4x6", &Options { first_guess: Some(first.clone()), ..Options::default() }, at_once);
        assert_eq!(any.tree.root.guess, first);
        let start = improved("4x6", &Options { rounds: Some(1), ..Options::default() }, Watch::default()).tree;
        let kept = improved("4x6", &Options { start: Some(start.clone()), ..Options::default() }, at_once);
        assert_eq!(kept.tree, start);
    }

    #[test]
    fn the_tree_does_not_depend_on_the_number_of_threads() {
        let with_threads = |threads, rules, start: Option<&Tree>| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let options = Options { rounds: Some(4), start: start.cloned(), ..Options::default() };
            pool.install(|| improved(rules, &options, Watch::default()))
        };
        let given = crate::samples::tree("4x6", "knuth");
        for (rules, start) in [("4x6:black-only", None), ("4x6", None), ("4x6", Some(&given)), ("5x4", None)] {
            let alone = with_threads(1, rules, start);
            assert!(alone.positions > 0, "{rules}");
            assert_eq!(with_threads(3, rules, start), alone, "{rules}");
        }
    }

    #[test]
    fn a_given_tree_is_improved() {
        let given = crate::samples::tree("4x6", "knuth");
        let mut last = given.clone();
        for rounds in 1..=5 {
            let options = Options { start: Some(last.clone()), rounds: Some(rounds), ..Options::default() };
            let better = improved("4x6", &options, Watch::default());
            assert_eq!(better.tree.root.guess, given.root.guess);
            assert!(better.total <= last.stats().total);
            last = better.tree;
        }
        // Knuth's takes 5801; no tree that begins with 1122 takes fewer than 5702, by exact search.
        assert!((5702..5710).contains(&last.stats().total), "{}", last.stats().total);
    }

    #[test]
    fn a_part_is_improved_alone() {
        let knuth = crate::samples::tree("4x6", "knuth");
        let mut joined = knuth.clone();
        let losing = losing_parts(&knuth, 5).unwrap();
        assert_eq!(losing.len(), 5);
        assert!(losing.is_sorted_by(|one, other| one.loss >= other.loss));
        for LosingPart { place, .. } in &losing {
            let start = knuth.part(place.turns()).unwrap();
            let options = Options { start: Some(start.clone()), rounds: Some(5), ..Options::default() };
            let report = improve(&knuth.rules, &options, Watch::default(), |_| ()).unwrap();
            let part = TreeFile::new(report.tree.clone(), "best");
            let verdict = verify_part(&part).unwrap();
            assert_eq!((verdict.total, verdict.max), (report.total, report.depth));
            assert_eq!(report.tree.place(), *place);
            assert!((report.lower_bound..=start.stats().total).contains(&report.total));
            let (before, saved) = (joined.stats().total, start.stats().total - report.total);
            assert_eq!(join(&mut joined, &part), Ok(saved));
            assert_eq!(verify_tree(&joined).unwrap().total, before - saved);
        }
        assert!(joined.stats().total < knuth.stats().total);
    }

    #[test]
    fn losing_parts_are_disjoint() {
        let knuth = crate::samples::tree("4x6", "knuth");
        let losing = losing_parts(&knuth, usize::MAX).unwrap();
        for (at, one) in losing.iter().enumerate() {
            for other in &losing[..at] {
                let (one, other) = (one.place.turns(), other.place.turns());
                assert!(!one.starts_with(other) && !other.starts_with(one));
            }
            assert!(Summary::of(knuth.position(one.place.turns()).unwrap()).codes > 40);
        }
    }

    #[test]
    fn a_part_without_codes_is_refused() {
        let mut tree = crate::samples::tree("4x6", "knuth");
        let turn = |text| Turn::parse(&tree.rules, text).unwrap();
        let nowhere = [turn("1122=0,0"), turn("1122=1,0")];
        tree = tree.part(&[]).unwrap();
        for Turn { guess, feedback } in nowhere.into_iter().rev() {
            tree.root = Node { guess, wins: false, branches: vec![Branch { feedback, node: tree.root }] };
        }
        let options = Options { start: Some(tree.clone()), ..Options::default() };
        let error = improve(&tree.rules, &options, Watch::default(), |_| ()).unwrap_err();
        assert_eq!(error.to_string(), "no code is left after 1122=0,0 1122=1,0");
        assert_eq!(losing_parts(&tree, 1), Err(error));
    }

    #[test]
    fn boards_without_a_kernel_are_refused() {
        let rules: Rules = "grid:2x2x3".parse().unwrap();
        let error = improve(&rules, &Options::default(), Watch::default(), |_| ()).unwrap_err();
        assert!(matches!(error, BeamError::NoKernel { .. }));
    }
}
