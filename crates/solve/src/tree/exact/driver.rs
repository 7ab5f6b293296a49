//! From least totals within so many guesses to what was asked for.

use pegwise_game::Rules;

use super::{
    ExactError, Report,
    bounds::{IMPOSSIBLE, fits},
    search::Searcher,
};
use crate::{
    search::{Stop, Watch},
    tree::Tree,
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
        for depth in (1..=most).filter(|&depth| fits(codes, depth, kinds)) {
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
