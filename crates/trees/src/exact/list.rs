//! Good trees for lists of secrets that are too long for a proof: a beam search with exact endgames.
//!
//! At each position, the guesses with the lowest estimated totals are followed to the end, and the best of them is kept;
//! small positions are solved exactly. Each round follows more guesses and solves larger positions, with estimates from
//! the positions of the best tree so far.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use pegwise_game::Code;
use pegwise_search::{
    Stop, Watch, parallel,
    secrets::SecretList,
    tree::{Branch, Node, Step, Summary, Traversal, Tree, UnsupportedRules},
};

use super::{
    ExactError, Options, Progress, Report,
    bounds::{IMPOSSIBLE, UNLIMITED},
    matrix::{FeedbackMatrix, MAX_KINDS, SeenPartitions, Split},
    search::Searcher,
    workers::WorkerGroup,
};
use crate::beam::{ObservedTotals, ValueEstimates};

/// Maximum number of positions whose totals are kept: a few gigabytes.
const MAX_KNOWN: usize = 1 << 24;
/// Number of guesses followed at a position, and maximum number of codes of an endgame, by round.
const ROUNDS: [(usize, usize); 9] =
    [(1, 6), (2, 8), (4, 12), (8, 16), (16, 24), (32, 32), (64, 48), (128, 64), (256, 96)];

/// Improves a tree for a list of secrets until the watch stops the search or the last round is done, and returns the best
/// one found, with the bound from the number of feedbacks alone. For a given number of rounds it does not depend on the
/// number of threads. `start` must be a tree for the list that begins with the first guess, if one is given. `keep` is
/// called with every better tree.
///
/// ```
/// use pegwise_search::{Watch, secrets::SecretList};
/// use pegwise_trees::exact::improve_list;
/// let rules = "3x5".parse()?;
/// let list = SecretList::parse(&rules, "123\n124\n135\n251\n533\n111\n444\n")?;
/// let report = improve_list(&list, None, None, Watch::default(), |_| (), |_| ())?;
/// assert_eq!(report.tree.stats().codes, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn improve_list(
    list: &SecretList,
    first_guess: Option<&Code>,
    start: Option<Tree>,
    watch: Watch<'_>,
    progress: impl Fn(Progress),
    keep: impl Fn(&Tree),
) -> Result<Report, ExactError> {
    let rules = list.rules();
    UnsupportedRules::check_search(rules)?;
    let matrix = FeedbackMatrix::of_list(list, watch)?;
    let first = first_guess.map(|code| matrix.first_guess(rules, code)).transpose()?;
    let (options, workers) = (Options::default(), WorkerGroup::new(Options::default().cache_bytes));
    let new = || Searcher::new(rules, &matrix, &options, watch, &|_| (), Some(&workers));
    let unused = Mutex::new(vec![new()]);
    let lower_bound = {
        let searcher = &lock(&unused)[0];
        u64::from(searcher.quick_bound(matrix.secrets.len(), UNLIMITED, searcher.any_width()))
    };
    let expected = ValueEstimates::expected(matrix.kinds(), matrix.secrets.len());
    let (mut best, mut nodes) = (start, 0);
    for (width, endgame) in ROUNDS {
        // Small lists never reach a check of the clock.
        if watch.stop().is_some() {
            break;
        }
        let estimates = best.as_ref().map_or_else(|| expected.clone(), |best| expected.updated(&observed(&best.root)));
        let round = Round { matrix: &matrix, width, endgame, estimates, known: Mutex::default() };
        let take = || lock(&unused).pop().unwrap_or_else(new);
        let Some(root) = round.root(first, &take, &|searcher| lock(&unused).push(searcher)) else { break };
        nodes += lock(&round.known).len() as u64;
        let total = Summary::of(&root).total;
        if best.as_ref().is_none_or(|best| total < best.stats().total) {
            let tree = Tree { rules: rules.clone(), root };
            keep(&tree);
            best = Some(tree);
        }
        if let Some(best) = &best {
            progress(Progress { nodes, lower_bound, total: Some(best.stats().total) });
        }
    }
    let best = best.ok_or_else(|| ExactError::Stopped(watch.stop().unwrap_or(Stop::Cancelled)))?;
    let proven = best.stats().total == lower_bound;
    Ok(Report::of_tree(best, nodes, proven, lower_bound))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the totals of the positions of a tree.
fn observed(root: &Node) -> ObservedTotals {
    let mut totals = ObservedTotals::default();
    for step in Traversal::new(root) {
        if let Step::Enter { node, .. } = step
            && !node.branches.is_empty()
        {
            let summary = Summary::of(node);
            totals.add(summary.codes as usize, summary.total);
        }
    }
    totals
}

/// Total of a position and its best guess.
type KnownTotal = (u32, Option<u16>);

/// One round of the search.
struct Round<'m> {
    matrix: &'m FeedbackMatrix,
    /// Number of guesses followed at a position.
    width: usize,
    /// Maximum number of codes of an endgame.
    endgame: usize,
    estimates: ValueEstimates,
    /// Totals of the positions searched, with the guess of those that are larger than endgames.
    known: Mutex<HashMap<Vec<u16>, KnownTotal>>,
}

impl Round<'_> {
    /// Returns the best tree found; `None` if stopped. The first guesses are followed in parallel, by searchers that are
    /// taken and given back.
    fn root<'s>(
        &self,
        first: Option<u16>,
        take: &(dyn Fn() -> Searcher<'s> + Sync),
        give: &(dyn Fn(Searcher<'s>) + Sync),
    ) -> Option<Node> {
        let (mut searcher, all) = (take(), &self.matrix.secrets);
        let firsts = match first {
            Some(first) => vec![first],
            None => self.candidates(&mut searcher, all)?,
        };
        give(searcher);
        let totals = parallel::map_each(
            firsts.len(),
            |at| at,
            |at| {
                let mut searcher = take();
                let total = self.after(&mut searcher, firsts[at], all, IMPOSSIBLE);
                give(searcher);
                total
            },
        );
        let totals = totals.into_iter().collect::<Option<Vec<u32>>>()?;
        let (_, guess) = totals.into_iter().zip(firsts).min_by_key(|&(total, _)| total)?;
        let mut searcher = take();
        let root = self.node(&mut searcher, guess, all);
        let complete = !searcher.ended;
        give(searcher);
        root.filter(|_| complete)
    }

    /// Returns the total of a position, and the guess that leads to it if the position is larger than endgames; `None` if
    /// stopped.
    fn position(&self, searcher: &mut Searcher<'_>, set: &[u16]) -> Option<(u32, Option<u16>)> {
        let width = searcher.any_width();
        if let Some(total) = searcher.trivial_total(set, UNLIMITED, width) {
            return Some((total, None));
        }
        if let Some(&known) = lock(&self.known).get(set) {
            return Some(known);
        }
        let found = if set.len() <= self.endgame {
            (searcher.solve(set, UNLIMITED, width, IMPOSSIBLE).ok()?.low(), None)
        } else {
            let mut best = (IMPOSSIBLE, None);
            for guess in self.candidates(searcher, set)? {
                let total = self.after(searcher, guess, set, best.0)?;
                if total < best.0 {
                    best = (total, Some(guess));
                }
            }
            best
        };
        let mut known = lock(&self.known);
        if known.len() < MAX_KNOWN {
            known.insert(set.to_vec(), found);
        }
        Some(found)
    }

    /// Returns the total of a position when `guess` is played first, or a lower bound that is not below the limit;
    /// `None` if stopped.
    fn after(&self, searcher: &mut Searcher<'_>, guess: u16, set: &[u16], limit: u32) -> Option<u32> {
        let (mut split, width) = (Split::default(), searcher.any_width());
        split.of(self.matrix, guess, set);
        let quick = |searcher: &Searcher<'_>, part: &[u16]| searcher.quick_bound(part.len(), UNLIMITED, width);
        let mut total = set.len() as u32 + split.parts().map(|(_, part)| quick(searcher, part)).sum::<u32>();
        for (_, part) in split.parts().rev() {
            if total >= limit {
                break;
            }
            total = total - quick(searcher, part) + self.position(searcher, part)?.0;
        }
        Some(total)
    }

    /// Returns the guesses with the lowest estimated totals, each with a different partition; `None` if stopped.
    fn candidates(&self, searcher: &mut Searcher<'_>, set: &[u16]) -> Option<Vec<u16>> {
        searcher.spend(set.len() * self.matrix.len()).ok()?;
        let mut rated: Vec<(u64, bool, u16)> = Vec::new();
        for guess in 0..self.matrix.len() as u16 {
            let (row, mut sizes) = (self.matrix.of_guess(guess), [0usize; MAX_KINDS]);
            set.iter().for_each(|&code| sizes[usize::from(row[usize::from(code)])] += 1);
            let wins = std::mem::take(&mut sizes[usize::from(self.matrix.winning)]) > 0;
            if sizes.iter().all(|&size| size < set.len()) {
                rated.push((sizes.iter().map(|&size| u64::from(self.estimates.of(size))).sum(), !wins, guess));
            }
        }
        rated.sort_unstable();
        let mut seen = SeenPartitions::default();
        let distinct =
            rated.into_iter().filter(|&(_, inconsistent, guess)| seen.is_new(self.matrix, set, guess, !inconsistent));
        Some(distinct.map(|(_, _, guess)| guess).take(self.width).collect())
    }

    /// Returns the tree of a position that begins with `guess`; `None` if stopped.
    fn node(&self, searcher: &mut Searcher<'_>, guess: u16, set: &[u16]) -> Option<Node> {
        if set == [guess] {
            return Some(Node::leaf(self.matrix.table.code(guess.into())));
        }
        let mut split = Split::default();
        split.of(self.matrix, guess, set);
        let mut branches = Vec::with_capacity(split.parts().len());
        for (mark, part) in split.parts() {
            let next = match self.position(searcher, part)? {
                (_, Some(next)) => next,
                (_, None) => searcher.best_known(part, UNLIMITED)?,
            };
            let feedback = self.matrix.feedbacks[usize::from(mark)].clone();
            branches.push(Branch { feedback, node: self.node(searcher, next, part)? });
        }
        branches.sort_unstable_by(|one, other| one.feedback.cmp(&other.feedback));
        Some(Node { guess: self.matrix.table.code(guess.into()), wins: split.wins(), branches })
    }
}
