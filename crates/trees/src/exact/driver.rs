//! Searches from the first guess: objectives, the root position, and the resulting tree.
//!
//! Every first guess keeps its parts and their bounds, so that a stopped search still reports the best tree so far and
//! a lower bound. When a tree is assembled, the transposition table supplies the best guess of most positions, and
//! positions whose entries were replaced are searched again. After a stopped search, unsolved positions get the best
//! guess one step ahead, among a sample whose size depends on the time left.

use std::time::Duration;

use pegwise_game::{Code, Rules, symmetry::Symmetry};

use super::{
    ExactError, Progress, Report,
    bounds::{IMPOSSIBLE, UNLIMITED, one_less},
    matrix::{Scope, Split},
    search::{SearchResult, Searcher, sum},
};
use pegwise_search::{
    Stop, Watch,
    tree::{Branch, Node, Summary, Tree},
};

/// Driver of searches until the objective is met.
pub(super) struct ProofDriver<'a> {
    pub(super) rules: &'a Rules,
    /// Fixed first guess.
    pub(super) first: Option<u16>,
    pub(super) searcher: Searcher<'a>,
    pub(super) watch: Watch<'a>,
}

impl ProofDriver<'_> {
    /// Returns the best tree of at most `limit` guesses per code, if its total is below the budget.
    fn run(&mut self, limit: u32, budget: u32) -> Result<Report, ExactError> {
        if limit == 0 {
            return Err(ExactError::NoTree { max_depth: limit });
        }
        let outcome = self.searcher.solve_all(self.first, limit, budget);
        let guess = match outcome.best {
            Some((guess, _)) => guess,
            None if self.searcher.ended => outcome.likely,
            None => return Err(ExactError::NoTree { max_depth: limit }),
        };
        let all = self.searcher.matrix.secrets.clone();
        let Some(root) = self.searcher.tree(&all, guess, limit) else {
            return Err(ExactError::Stopped(self.watch.stop().unwrap_or(Stop::Cancelled)));
        };
        let tree = Tree { rules: self.rules.clone(), root };
        let searcher = &self.searcher;
        // If any tree is accepted, no total is proven least.
        let low = if searcher.any { searcher.quick_bound(all.len(), limit, searcher.any_width()) } else { outcome.low };
        let low = u64::from(low).min(Summary::of(&tree.root).total);
        // The search can also be stopped while the tree is assembled.
        Ok(Report::of_tree(tree, searcher.all_nodes(), !searcher.ended, low))
    }

    /// Returns the tree of least total; `start` unless there is a better one.
    pub(super) fn least_total(&mut self, limit: u32, start: Option<&Tree>) -> Result<Report, ExactError> {
        let Some(tree) = start else { return self.run(limit, IMPOSSIBLE) };
        let total = Summary::of(&tree.root).total;
        let budget = u32::try_from(total).unwrap_or(IMPOSSIBLE);
        let (proven, lower_bound) = match self.run(limit, budget) {
            Ok(report) if report.total < total => return Ok(report),
            Ok(report) => (report.proven, report.lower_bound),
            Err(ExactError::NoTree { .. }) => (true, total),
            Err(ExactError::Stopped(_)) => (false, self.searcher.reached.lower_bound.min(total)),
            Err(error) => return Err(error),
        };
        Ok(Report::of_tree(tree.clone(), self.searcher.all_nodes(), proven, lower_bound))
    }

    /// Returns the best tree of a part; the given one unless there is a better one. The lower bound is raised step by
    /// step, so that it is informative if the search is stopped.
    pub(super) fn least_of_part(&mut self, part: &Tree) -> Result<Report, ExactError> {
        let place = part.place();
        let wrong = || ExactError::WrongPart { rules: self.rules.to_string() };
        let mut set = self.searcher.matrix.secrets.clone();
        let (mut node, mut path) = (&part.root, Vec::new());
        for turn in place.turns() {
            let guess = self.searcher.matrix.row(self.rules, &turn.guess).ok_or_else(wrong)?;
            let (row, feedbacks) = (self.searcher.matrix.of_guess(guess), &self.searcher.matrix.feedbacks);
            set.retain(|&code| feedbacks[usize::from(row[usize::from(code)])] == turn.feedback);
            path.push(guess);
            node = &node.branches[0].node;
        }
        let (known, whole, width) = (Summary::of(node).total, Summary::of(&part.root), self.searcher.any_width());
        if known.checked_mul(2).is_none_or(|twice| twice >= IMPOSSIBLE.into()) || whole.codes != set.len() as u64 {
            return Err(wrong());
        }
        let (known, before) = (known as u32, (place.turns().len() * set.len()) as u64);
        self.searcher.path.clone_from(&path);
        let probed = self.searcher.probe_bound(&set, UNLIMITED, width);
        let mut low = probed.unwrap_or(2 * set.len() as u32 - 1).min(known);
        while low < known {
            self.searcher.reached = Progress {
                nodes: self.searcher.all_nodes(),
                lower_bound: before + u64::from(low),
                total: Some(whole.total),
            };
            self.searcher.report_progress();
            let budget = known.min(low + (low >> BUDGET_SHIFT).max(1));
            let Ok(found) = self.searcher.solve(&set, UNLIMITED, width, budget) else { break };
            match found {
                SearchResult::LowerBound(bound) => low = bound.min(known),
                SearchResult::Total(total) => {
                    let guess = self.searcher.best_known(&set, UNLIMITED);
                    let better = guess.and_then(|guess| self.searcher.tree(&set, guess, UNLIMITED));
                    low = total;
                    // A tree that was assembled after the time limit need not be the best, nor better.
                    let Some(better) = better.filter(|better| Summary::of(better).total < known.into()) else { break };
                    let tree = Tree { rules: self.rules.clone(), root: graft(part, place.turns().len(), better) };
                    let least = before + u64::from(total);
                    let proven = Summary::of(&tree.root).total == least;
                    return Ok(Report::of_tree(tree, self.searcher.all_nodes(), proven, least));
                }
            }
        }
        let (nodes, lower_bound) = (self.searcher.all_nodes(), before + u64::from(low));
        Ok(Report::of_tree(part.clone(), nodes, low == known, lower_bound))
    }

    pub(super) fn least_total_then_depth(&mut self, limit: u32) -> Result<Report, ExactError> {
        let mut best = self.run(limit, IMPOSSIBLE)?;
        while best.proven && best.depth > 1 {
            let budget = u32::try_from(best.total + 1).unwrap_or(IMPOSSIBLE);
            let shallower = self.run(best.depth - 1, budget);
            best.nodes = self.searcher.all_nodes();
            match shallower {
                Ok(report) if report.total == best.total => best = report,
                Ok(_) | Err(ExactError::Stopped(_)) => best.proven = false,
                Err(ExactError::NoTree { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(best)
    }

    pub(super) fn least_depth(&mut self, limit: u32) -> Result<Report, ExactError> {
        let (codes, kinds) = (self.searcher.matrix.secrets.len(), self.searcher.any_width());
        // Codes can always be guessed one by one.
        let most = limit.min(codes as u32);
        for depth in 1..=most {
            if !self.searcher.bounds.fits(codes, depth, kinds) {
                continue;
            }
            match self.run(depth, IMPOSSIBLE) {
                Err(ExactError::NoTree { .. }) => {}
                // No tree of this depth was found in time: return a deeper one.
                Err(ExactError::Stopped(_)) => return self.run(limit, IMPOSSIBLE),
                other => return other,
            }
        }
        Err(ExactError::NoTree { max_depth: limit })
    }
}

/// Returns the root of `part` with the node after `turns` turns replaced by `below`.
fn graft(part: &Tree, turns: usize, below: Node) -> Node {
    let above = std::iter::successors(Some(&part.root), |node| node.branches.first().map(|branch| &branch.node));
    let above: Vec<&Node> = above.take(turns).collect();
    above.into_iter().rev().fold(below, |node, above| {
        let branch = Branch { feedback: above.branches[0].feedback.clone(), node };
        Node { guess: above.guess.clone(), wins: false, branches: vec![branch] }
    })
}

/// First guess with the bounds of its parts.
struct FirstGuess {
    guess: u16,
    parts: Vec<Vec<u16>>,
    /// Lower bound of each part.
    lows: Vec<u32>,
    /// Search progress of each part.
    progress: Vec<PartProgress>,
    /// Number of codes before the guess.
    codes: u32,
    /// True if the lower bounds are the least totals.
    solved: bool,
}

/// Search progress of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PartProgress {
    /// Number of searches so far, each with a higher budget.
    Times(u32),
    /// The bound is the least total.
    Done,
}

/// Each step raises the budget of a part by `bound >> BUDGET_SHIFT`.
pub(super) const BUDGET_SHIFT: u32 = 6;

impl FirstGuess {
    fn low(&self) -> u32 {
        self.lows.iter().fold(self.codes, |sum, &low| (sum + low).min(IMPOSSIBLE))
    }
}

/// Result of a search from the first guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RootResult {
    /// First guess and total of the best tree below the budget.
    pub(super) best: Option<(u16, u32)>,
    /// Lower bound of the total of any tree.
    pub(super) low: u32,
    /// First guess with the lowest bound.
    pub(super) likely: u16,
}

impl Searcher<'_> {
    /// Finds the least total over all codes within `guesses` guesses, if it is below the budget.
    pub(super) fn solve_all(&mut self, first: Option<u16>, guesses: u32, budget: u32) -> RootResult {
        if self.matrix.scope != Scope::Whole && first.is_none() {
            return self.solve_list(guesses, budget);
        }
        let all = self.matrix.secrets.clone();
        let left = one_less(guesses);
        let width = self.any_width();
        let mut firsts: Vec<FirstGuess> =
            self.first_guesses(first).into_iter().map(|guess| self.first(guess, &all, left)).collect();
        let mut best: Option<(u16, u32)> = None;
        let mut cut = IMPOSSIBLE;
        loop {
            let limit = best.map_or(budget, |(_, total)| total);
            if self.any && best.is_some() {
                break;
            }
            let Some(at) = (0..firsts.len()).min_by_key(|&at| firsts[at].low()) else { break };
            let low = firsts[at].low();
            if low >= limit || self.ended {
                cut = low;
                break;
            }
            self.reached = Progress {
                nodes: self.all_nodes(),
                lower_bound: low.into(),
                total: best.map(|(_, total)| total.into()),
            };
            self.report_progress();
            let first = &mut firsts[at];
            if first.solved {
                best = Some((first.guess, low));
                cut = low;
                break;
            }
            if self.anytime {
                self.raise(&mut firsts[at], left, limit);
                continue;
            }
            self.path.push(first.guess);
            for part in 0..first.parts.len() {
                let others = first.low() - first.lows[part];
                if others + first.lows[part] >= limit {
                    break;
                }
                let Ok(found) = self.solve(&first.parts[part], left, width, limit - others) else { break };
                first.lows[part] = found.low();
            }
            self.path.pop();
            let total = first.low();
            first.solved = !self.ended && total < limit;
            if first.solved {
                best = Some((first.guess, total));
            }
        }
        let likely = (0..firsts.len()).min_by_key(|&at| firsts[at].low()).map_or(0, |at| firsts[at].guess);
        RootResult { best, low: cut, likely }
    }

    /// Like [`Searcher::solve_all`] for a list of secrets. First guesses are queued like those of any position, because
    /// there may be thousands that no symmetry relates.
    fn solve_list(&mut self, guesses: u32, budget: u32) -> RootResult {
        let (all, width) = (self.matrix.secrets.clone(), self.any_width());
        let probed = self.probe_bound(&all, guesses, width);
        let mut low = probed.unwrap_or_else(|_| self.quick_bound(all.len(), guesses, width));
        let mut best = None;
        while low < budget && !self.ended {
            self.reached = Progress { nodes: self.all_nodes(), lower_bound: low.into(), total: None };
            self.report_progress();
            let limit = if self.anytime { budget.min(low + (low >> BUDGET_SHIFT).max(1)) } else { budget };
            match self.solve(&all, guesses, width, limit) {
                Ok(SearchResult::LowerBound(bound)) => low = bound.max(low),
                Ok(SearchResult::Total(total)) => {
                    low = total;
                    best = self.best_known(&all, guesses).map(|guess| (guess, total));
                    break;
                }
                Err(_) => break,
            }
        }
        let likely = if best.is_none() && self.ended { self.greedy(&all, guesses) } else { None };
        RootResult { best, low, likely: likely.unwrap_or(all[0]) }
    }

    /// Raises the bound of the smallest part among those searched least often by one step, or finds its least total.
    /// All bounds thus rise evenly, and their sum is informative whenever the search is stopped.
    fn raise(&mut self, first: &mut FirstGuess, left: u32, limit: u32) {
        let part = (0..first.parts.len()).min_by_key(|&part| first.progress[part]);
        let Some((part, PartProgress::Times(times))) = part.map(|part| (part, first.progress[part])) else {
            first.solved = true;
            return;
        };
        let low = first.lows[part];
        let most = limit - (first.low() - low);
        let budget = most.min(low + (low >> BUDGET_SHIFT).max(1));
        self.path.push(first.guess);
        let found = self.solve(&first.parts[part], left, self.any_width(), budget);
        self.path.pop();
        if let Ok(found) = found {
            first.lows[part] = found.low().max(low);
            first.progress[part] =
                if found.low() < budget { PartProgress::Done } else { PartProgress::Times(times + 1) };
        }
    }

    fn first_guesses(&self, only: Option<u16>) -> Vec<u16> {
        if let Some(only) = only {
            return vec![only];
        }
        let symmetry = Symmetry::new(self.rules, &[]);
        let codes = (0..).zip(self.matrix.table.codes());
        codes.filter(|(_, code)| symmetry.is_representative(code)).map(|(row, _)| row).collect()
    }

    fn first(&mut self, guess: u16, all: &[u16], left: u32) -> FirstGuess {
        let mut split = Split::default();
        split.of(self.matrix, guess, all);
        // The smallest part first: it is solved quickly, and its total tightens the budgets of the large parts.
        let parts: Vec<Vec<u16>> = split.parts().rev().map(|(_, part)| part.to_vec()).collect();
        let width = self.any_width();
        let lows = parts.iter().map(|part| {
            let probed = self.probe_bound(part, left, width);
            probed.unwrap_or_else(|_| self.quick_bound(part.len(), left, width))
        });
        let lows = lows.collect();
        let progress = vec![PartProgress::Times(0); parts.len()];
        FirstGuess { guess, parts, lows, progress, codes: all.len() as u32, solved: false }
    }
}

/// Time after which the assembly of a tree after the time limit uses smaller samples of guesses.
pub(super) const GRACE: Duration = Duration::from_millis(50);
/// Number of marks evaluated for a guess one step ahead.
const MARKS_PER_GUESS: usize = 1 << 22;
/// The same after [`GRACE`].
const MARKS_PER_HURRIED_GUESS: usize = 1 << 11;
/// Fixed cost of evaluating a guess, in marks.
const OVERHEAD_PER_GUESS: usize = 64;

impl Searcher<'_> {
    /// Returns the tree of a position that begins with `guess`; the best known one if the search was stopped. `None` if
    /// no tree within `guesses` guesses is known.
    pub(super) fn tree(&mut self, set: &[u16], guess: u16, guesses: u32) -> Option<Node> {
        let code: Code = self.matrix.table.code(guess.into());
        if guesses == 0 {
            return None;
        }
        if set == [guess] {
            return Some(Node::leaf(code));
        }
        let mut split = Split::default();
        split.of(self.matrix, guess, set);
        if split.parts().len() == 1 && !split.wins() {
            return None;
        }
        let left = one_less(guesses);
        let mut branches = Vec::with_capacity(split.parts().len());
        for (mark, part) in split.parts() {
            self.path.push(guess);
            let next = self.best_known(part, left);
            let node = next.and_then(|next| self.tree(part, next, left));
            self.path.pop();
            branches.push(Branch { feedback: self.matrix.feedbacks[usize::from(mark)].clone(), node: node? });
        }
        branches.sort_unstable_by(|one, other| one.feedback.cmp(&other.feedback));
        Some(Node { guess: code, wins: split.wins(), branches })
    }

    /// Returns the best known guess of a position.
    pub(super) fn best_known(&mut self, set: &[u16], guesses: u32) -> Option<u16> {
        if let Some(total) = self.trivial_total(set, guesses, self.any_width()) {
            return (total < IMPOSSIBLE).then(|| self.own_splitter(set).map_or(set[0], |(guess, _)| guess));
        }
        if let Ok(found) = self.solve(set, guesses, self.any_width(), IMPOSSIBLE) {
            let total = found.low();
            // Which of several best guesses the search finds first depends on the timing of the threads.
            if self.workers.is_some() && total < IMPOSSIBLE {
                let first = self.first_best_guess(set, guesses, total).ok().flatten();
                if first.is_some() {
                    return first;
                }
            }
        }
        let key = self.key(set, guesses);
        if let Some(known) = self.cache.get(key).filter(|known| known.high < IMPOSSIBLE) {
            return self.canonical.unpack(&self.canonical.form(set), known.guess);
        }
        self.greedy(set, guesses)
    }

    /// Returns the best guess one step ahead, if its bound allows `guesses` guesses.
    fn greedy(&mut self, set: &[u16], guesses: u32) -> Option<u16> {
        let left = one_less(guesses);
        let width = self.any_width();
        let hurry = self.grace.get_or_insert_with(|| Watch::new(Some(GRACE), None)).stop().is_some();
        let marks = if hurry { MARKS_PER_HURRIED_GUESS } else { MARKS_PER_GUESS };
        let tried = (marks / (set.len() + OVERHEAD_PER_GUESS)).max(1);
        let spread = |of: usize| of.div_ceil(tried);
        let others = if self.consistent_only { 0 } else { self.matrix.len() };
        let own = set.iter().copied().step_by(spread(set.len()));
        let allowed = own.chain((0..others as u16).step_by(spread(self.matrix.len())));
        let cost = |split: &mut Split, guess: u16| {
            split.of(self.matrix, guess, set);
            let low = split.parts().map(|(_, part)| self.quick_bound(part.len(), left, width)).fold(0, sum);
            let squares: usize = split.parts().map(|(_, part)| part.len() * part.len()).sum();
            (low, squares, !split.wins(), guess)
        };
        let mut split = Split::default();
        let best = allowed.map(|guess| cost(&mut split, guess)).min();
        best.filter(|best| best.0 < IMPOSSIBLE).map(|best| best.3)
    }
}
