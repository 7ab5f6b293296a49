//! Better trees than one step ahead finds, for spaces beyond proof, by beam search with exact endgames.
//!
//! A guess is first judged by what its parts are expected to take, then the few best guesses of a position are
//! followed to the end, and the best of those is kept. Small positions are solved exactly. Round after round more guesses
//! are followed and larger positions solved, and what a position takes is remembered, so that more time never makes the tree
//! worse. Expectations are learned from the positions of the round before.
//!
//! The first rounds compare first guesses, each part after them searched by itself; from then on the tree is made better where
//! it loses most, which is also how a given tree is gone on from. A given number of rounds gives the same tree on any number
//! of threads. Memory is what the positions remembered take, some 64 bytes for each of at most 2^20 of them for
//! each part in the first rounds and 2^22 later, the marks of all pairs of codes where they fit 4 GiB, and 256 MiB for
//! positions solved.
//!
//! A part of a tree ([`Tree::place`]) is gone on from like a whole one, with the codes of its position. So the work can be
//! shared out: [`losing_parts`] names parts, each is worked on anywhere, and [`Tree::join`] takes back those that got better.

mod guesses;
mod improve;
mod openings;
mod parts;
mod search;
mod values;

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use pegwise_game::{Code, Rules, Table, TableError, partition::Partitioner};

use super::{
    BuildError, Builder, Node, Place, Tree, Untold,
    exact::{Marks, Solved},
};
use crate::{
    clock::Moment,
    consistent::LowestCandidate,
    one_step::{self, Criterion, Pools},
    parallel,
    search::Watch,
};
use improve::Improver;
use openings::{Opening, first_guesses};
use parts::Base;
pub use parts::{Losing, losing_parts};
use values::Values;

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// The first guess, if it is not to be chosen.
    pub first_guess: Option<Code>,
    /// A tree to improve, or a part of one.
    pub start: Option<Tree>,
    /// The most rounds; without it, rounds go on until the watch stops them or they find nothing new.
    pub rounds: Option<u32>,
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The total of the best tree so far.
    pub total: u64,
    /// Rounds finished.
    pub rounds: u32,
    /// Positions searched since the first guess was settled.
    pub positions: u64,
    /// The most codes of the positions that were worked on last; all of them while first guesses are compared.
    pub codes: u64,
}

/// The best tree found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The tree.
    pub tree: Tree,
    /// Its guesses summed over all codes.
    pub total: u64,
    /// The most guesses any code takes.
    pub depth: u32,
    /// A total that no tree can be below, from the number of feedbacks alone.
    pub lower_bound: u64,
    /// Rounds finished.
    pub rounds: u32,
    /// Positions searched since the first guess was settled.
    pub positions: u64,
}

/// Why there is nothing to search.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BestError {
    /// The space does not fit a table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The first tree could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The board has no kernel.
    #[error("{rules} cannot be searched: better trees are found for rows with peg feedback")]
    NoKernel {
        /// The rules.
        rules: String,
    },
    /// The tree to improve is of other rules.
    #[error("the tree to start from is of {found}, not of {wanted}")]
    OtherRules {
        /// Rules of the tree.
        found: String,
        /// Rules asked for.
        wanted: String,
    },
    /// No code comes to the position of the part to improve.
    #[error("no code is left {place}")]
    NoCodes {
        /// The position.
        place: Place,
    },
}

/// The guesses followed at a small position, round by round; a large one follows fewer.
const WIDTHS: [usize; 8] = [2, 4, 8, 16, 32, 64, 128, 256];

/// Looks for a better tree until the watch stops it, and returns the best one found: at least as good as the one it starts
/// from, or as one step ahead.
pub fn improve(
    rules: &Rules,
    options: &Options,
    watch: Watch<'_>,
    progress: impl Fn(Progress) + Sync,
) -> Result<Report, BestError> {
    improve_keeping(rules, options, watch, progress, |_| ())
}

/// The same, showing every better tree as soon as there is one, from its first guess on: what is kept of it is not lost,
/// whatever becomes of the search.
pub fn improve_keeping(
    rules: &Rules,
    options: &Options,
    watch: Watch<'_>,
    progress: impl Fn(Progress) + Sync,
    keep: impl Fn(&Node),
) -> Result<Report, BestError> {
    let kinds = kinds(rules)?;
    if let Some(start) = options.start.as_ref().filter(|start| start.rules != *rules) {
        return Err(BestError::OtherRules { found: start.rules.to_string(), wanted: rules.to_string() });
    }
    let all = Table::all(rules)?;
    let turns = options.start.as_ref().map_or_else(Vec::new, |start| start.place().turns().to_vec());
    let base = Base::after(rules, &all, &turns)?;
    let values = Values::expected(kinds, all.len());
    let pools = Pools::new(rules);
    let start = match &options.start {
        Some(start) => start.clone(),
        None => one_step_ahead(rules, all.len(), options, watch)?,
    };
    let mut best = (start.stats().total, start.root);
    let rounds = options.rounds.map_or(WIDTHS.len(), |rounds| (rounds as usize).min(WIDTHS.len()));
    let marks = Marks::new(rules, watch);
    let solved = Solved::new(SOLVED_BYTES);
    let endgames = marks.as_ref().map(|marks| (marks, &solved));
    let mut finished = 0;
    // A tree that is given has its first guess.
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
        // They know nothing of each other, so that all of their parts are searched side by side.
        let told = AtomicU64::new(best.0);
        parallel::for_each(openings.iter_mut().collect(), |opening: &mut Opening| {
            opening.round(rules, endgames, width, watch, |total| {
                if total < told.fetch_min(total, Ordering::Relaxed) {
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
        // The first round shows which openings are worth the others.
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
    let lower_bound = values::least(kinds, codes) + (codes * turns.len()) as u64;
    Ok(Report { total, depth, lower_bound, rounds: finished, positions, tree })
}

/// How many feedbacks there are, where better trees can be looked for.
fn kinds(rules: &Rules) -> Result<usize, BestError> {
    Untold::check_search(rules).map_err(BuildError::from)?;
    match Partitioner::new(rules).lanes() {
        Some(lanes) => Ok(lanes.coding().possible().len()),
        None => Err(BestError::NoKernel { rules: rules.to_string() }),
    }
}

/// The most memory for small positions that were solved.
const SOLVED_BYTES: usize = 1 << 28;

/// Up to this many codes, any tree at all is made in no time.
const QUICK: usize = 1 << 16;
/// How much longer than a tenth of the time so far any tree at all may take elsewhere.
const GRACE: Duration = Duration::from_millis(100);

/// The tree that looks one step ahead; or any tree at all when even that takes too long, so that there is one whenever the
/// search of a space is stopped that is not too large even for that.
fn one_step_ahead(rules: &Rules, codes: usize, options: &Options, watch: Watch<'_>) -> Result<Tree, BuildError> {
    let begun = Moment::now();
    let entropy = one_step::on_position(rules, Criterion::Entropy, options.first_guess.clone());
    match Builder::new(rules, watch).build(&*entropy) {
        Err(BuildError::Stopped(_)) => {
            let lowest = LowestCandidate { first: options.first_guess.clone() };
            let grace = (codes > QUICK).then(|| GRACE + begun.elapsed() / 10);
            Builder::new(rules, Watch::new(grace, None)).build(&lowest)
        }
        built => built,
    }
}

/// Rounds in which openings are compared.
const ROUNDS_OF_OPENINGS: usize = 2;
/// Openings that are followed after the first round.
const OPENINGS_KEPT: usize = 2;
#[cfg(test)]
mod tests {
    use pegwise_game::Turn;

    use super::*;
    use crate::tree::{Branch, Summary, TreeFile, verify_part, verify_tree};

    fn improved(rules: &str, options: &Options, watch: Watch<'_>) -> Report {
        let rules: Rules = rules.parse().unwrap();
        let kept = Cell::new(u64::MAX);
        let keep = |root: &Node| {
            let total = Summary::of(root).total;
            assert!(kept.replace(total) > total, "only better trees are shown");
        };
        let report = improve_keeping(&rules, options, watch, |_| (), keep).unwrap();
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
    fn a_search_stopped_at_once_keeps_what_it_started_from() {
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
        let given = crate::tree::samples::tree("4x6", "knuth");
        for (rules, start) in [("4x6:black-only", None), ("4x6", None), ("4x6", Some(&given)), ("5x4", None)] {
            let alone = with_threads(1, rules, start);
            assert!(alone.positions > 0, "{rules}");
            assert_eq!(with_threads(3, rules, start), alone, "{rules}");
        }
    }

    #[test]
    fn a_tree_is_gone_on_from() {
        let given = crate::tree::samples::tree("4x6", "knuth");
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
    fn a_part_is_improved_by_itself() {
        let knuth = crate::tree::samples::tree("4x6", "knuth");
        let mut joined = knuth.clone();
        let losing = losing_parts(&knuth, 5).unwrap();
        assert_eq!(losing.len(), 5);
        assert!(losing.is_sorted_by(|one, other| one.loss >= other.loss));
        for Losing { place, .. } in &losing {
            let start = knuth.part(place.turns()).unwrap();
            let options = Options { start: Some(start.clone()), rounds: Some(5), ..Options::default() };
            let report = improve(&knuth.rules, &options, Watch::default(), |_| ()).unwrap();
            let part = TreeFile::new(report.tree.clone(), "best");
            let verdict = verify_part(&part).unwrap();
            assert_eq!((verdict.total, verdict.max), (report.total, report.depth));
            assert_eq!(report.tree.place(), *place);
            assert!((report.lower_bound..=start.stats().total).contains(&report.total));
            let (before, saved) = (joined.stats().total, start.stats().total - report.total);
            assert_eq!(joined.join(&part), Ok(saved));
            assert_eq!(verify_tree(&joined).unwrap().total, before - saved);
        }
        assert!(joined.stats().total < knuth.stats().total);
    }

    #[test]
    fn parts_that_lose_most_lie_apart() {
        let knuth = crate::tree::samples::tree("4x6", "knuth");
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
    fn a_part_that_no_code_comes_to_is_refused() {
        let mut tree = crate::tree::samples::tree("4x6", "knuth");
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
        assert!(matches!(error, BestError::NoKernel { .. }));
    }
}
