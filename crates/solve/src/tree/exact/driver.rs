//! From least totals within so many guesses to what was asked for.

use pegwise_game::{Rules, Space};

use super::{
    ExactError, Progress, Report,
    bounds::{IMPOSSIBLE, UNLIMITED},
    root::RAISE,
    search::{Found, Searcher},
};
use crate::{
    search::{Stop, Watch},
    tree::{Branch, Node, Summary, Tree},
};

/// Runs searches until the objective is met.
pub(super) struct Driver<'a> {
    pub(super) rules: &'a Rules,
    /// The first guess, if it is not to be chosen.
    pub(super) first: Option<u16>,
    pub(super) searcher: Searcher<'a>,
    pub(super) watch: Watch<'a>,
}

impl Driver<'_> {
    /// The best tree within so many guesses, if its total is below the budget.
    fn run(&mut self, limit: u32, budget: u32) -> Result<Report, ExactError> {
        if limit == 0 {
            return Err(ExactError::NoTree { max_depth: limit });
        }
        let outcome = self.searcher.solve_all(self.first, limit, budget);
        let guess = match outcome.best {
            Some((guess, _)) => guess,
            None if self.searcher.stopped => outcome.likely,
            None => return Err(ExactError::NoTree { max_depth: limit }),
        };
        let all: Vec<u16> = (0..self.searcher.matrix.len() as u16).collect();
        let Some(root) = self.searcher.tree(&all, guess, limit) else {
            return Err(ExactError::Stopped(self.watch.stop().unwrap_or(Stop::Cancelled)));
        };
        let tree = Tree { rules: self.rules.clone(), root };
        let stats = tree.stats();
        let all_parts = self.searcher.most_parts();
        // Where any tree will do, no total is proven the least.
        let any = self.searcher.any;
        let low = if any { self.searcher.quick_bound(all.len(), limit, all_parts) } else { outcome.low };
        Ok(Report {
            total: stats.total,
            depth: stats.max,
            deepest: stats.histogram.last().copied().unwrap_or(0),
            nodes: self.searcher.all_nodes(),
            // A search can also be stopped while the tree is put together.
            proven: !self.searcher.stopped,
            lower_bound: u64::from(low).min(stats.total),
            tree,
        })
    }

    /// The best tree; one that is known is the answer unless there is a better one.
    pub(super) fn least_total(&mut self, limit: u32, start: Option<&Tree>) -> Result<Report, ExactError> {
        let Some(tree) = start else { return self.run(limit, IMPOSSIBLE) };
        let stats = tree.stats();
        let budget = u32::try_from(stats.total).unwrap_or(IMPOSSIBLE);
        let (proven, lower_bound) = match self.run(limit, budget) {
            Ok(report) if report.total < stats.total => return Ok(report),
            Ok(report) => (report.proven, report.lower_bound),
            Err(ExactError::NoTree { .. }) => (true, stats.total),
            Err(ExactError::Stopped(_)) => (false, self.searcher.reached.lower_bound.min(stats.total)),
            Err(error) => return Err(error),
        };
        Ok(Report::of_known(tree, &stats, self.searcher.all_nodes(), proven, lower_bound))
    }

    /// The best tree of a part; the one given is the answer unless there is a better one. What no tree can be below rises step
    /// by step, so that it says something when the search is stopped.
    pub(super) fn least_of_part(&mut self, part: &Tree) -> Result<Report, ExactError> {
        let place = part.place();
        let wrong = || ExactError::WrongPart { rules: self.rules.to_string() };
        let mut set: Vec<u16> = (0..self.searcher.matrix.len() as u16).collect();
        let (mut node, mut path) = (&part.root, Vec::new());
        for turn in place.turns() {
            let rank = Space::new(self.rules).rank(&turn.guess).and_then(|rank| u16::try_from(rank).ok());
            let guess = rank.ok_or_else(wrong)?;
            let (row, feedbacks) = (self.searcher.matrix.of_guess(guess), &self.searcher.matrix.feedbacks);
            set.retain(|&code| feedbacks[usize::from(row[usize::from(code)])] == turn.feedback);
            path.push(guess);
            node = &node.branches[0].node;
        }
        let (known, stats, most) = (Summary::of(node).total, part.stats(), self.searcher.most_parts());
        if known.checked_mul(2).is_none_or(|twice| twice >= IMPOSSIBLE.into()) || stats.codes != set.len() as u64 {
            return Err(wrong());
        }
        let (known, before) = (known as u32, (place.turns().len() * set.len()) as u64);
        self.searcher.path.clone_from(&path);
        let mut low = self.searcher.look(&set, UNLIMITED, most).min(known);
        while low < known && !self.searcher.stopped {
            self.searcher.reached = Progress {
                nodes: self.searcher.all_nodes(),
                lower_bound: before + u64::from(low),
                total: Some(stats.total),
            };
            self.searcher.tell();
            let budget = known.min(low + (low >> RAISE).max(1));
            match self.searcher.solve(&set, UNLIMITED, most, budget) {
                _ if self.searcher.stopped => {}
                Found::AtLeast(bound) => low = bound.min(known),
                Found::Total(total) => {
                    let guess = self.searcher.best_known(&set, UNLIMITED);
                    let better = guess.and_then(|guess| self.searcher.tree(&set, guess, UNLIMITED));
                    low = total;
                    // A tree that was put together when the time was up need not be the best, nor better.
                    let Some(better) = better.filter(|better| Summary::of(better).total < known.into()) else { break };
                    let tree = Tree { rules: self.rules.clone(), root: behind(part, place.turns().len(), better) };
                    let (stats, nodes) = (tree.stats(), self.searcher.all_nodes());
                    let least = before + u64::from(total);
                    return Ok(Report::of_known(&tree, &stats, nodes, stats.total == least, least));
                }
            }
        }
        let (nodes, lower_bound) = (self.searcher.all_nodes(), before + u64::from(low));
        Ok(Report::of_known(part, &stats, nodes, low == known, lower_bound))
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
        let (codes, kinds) = (self.searcher.matrix.len(), self.searcher.most_parts());
        // Codes can always be played one by one.
        let most = limit.min(codes as u32);
        for depth in 1..=most {
            if !self.searcher.bounds.fits(codes, depth, kinds) {
                continue;
            }
            match self.run(depth, IMPOSSIBLE) {
                Err(ExactError::NoTree { .. }) => {}
                // No tree this shallow was found in time: a deeper one is better than none.
                Err(ExactError::Stopped(_)) => return self.run(limit, IMPOSSIBLE),
                other => return other,
            }
        }
        Err(ExactError::NoTree { max_depth: limit })
    }
}

/// A part with something else at its position, which so many turns lead to.
fn behind(part: &Tree, turns: usize, below: Node) -> Node {
    let above = std::iter::successors(Some(&part.root), |node| node.branches.first().map(|branch| &branch.node));
    let above: Vec<&Node> = above.take(turns).collect();
    above.into_iter().rev().fold(below, |node, above| {
        let branch = Branch { feedback: above.branches[0].feedback.clone(), node };
        Node { guess: above.guess.clone(), wins: false, branches: vec![branch] }
    })
}
