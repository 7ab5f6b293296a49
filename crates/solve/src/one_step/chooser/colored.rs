//! Scans of guesses that were sorted by colors.

use std::sync::atomic::Ordering;

use pegwise_game::{Table, partition::Lanes};

use super::{CostBounds, OneStepSolver};
use crate::{
    clock,
    one_step::{pools::Pool, scanner::STEP},
    search::Watch,
};

/// From this many codes and guesses on, sorting the guesses by colors pays.
const FEWEST_BY_COLORS: usize = 8;
const MANY_GUESSES: usize = 1 << 12;
/// Making masks of guesses takes as long as pricing them against so many codes.
const MASK_COST_CODES: usize = 4;

/// Whether guesses are sooner priced when sorted by colors.
pub(super) fn pays_by_colors(lanes: &Lanes, codes: &Table, pool: &Pool) -> bool {
    lanes.is_sliceable() && codes.len() >= FEWEST_BY_COLORS && pool.len() >= MANY_GUESSES
}

impl OneStepSolver {
    /// What [`OneStepSolver::scan_here`] finds, for guesses that were sorted by colors: those that may cost least come first, so that most are left out.
    pub(super) fn scan_by_colors(
        &self,
        lanes: &Lanes,
        codes: &Table,
        pool: &Pool,
        goal: CostBounds,
        watch: Watch<'_>,
    ) -> Option<(u64, usize)> {
        let by_colors = pool.by_colors();
        let cheaper = by_colors.cheaper(lanes, &self.pricing, codes, goal.bound);
        self.scored.fetch_add((by_colors.len() * codes.len()) as u64, Ordering::Relaxed);
        clock::work((by_colors.len() * codes.len()) as u64);
        let mut best: Option<(u64, usize)> = None;
        let (mut rows, mut taken, mut wanted) = (Vec::new(), vec![0u64; pool.len().div_ceil(64)], STEP);
        let mut rest = cheaper.into_iter();
        loop {
            let mut count = 0;
            // As cheap is good enough only in a lower row.
            let hopeful = |least: u64, lowest: u32| best.is_none_or(|best| (least, lowest as usize) < best);
            while count < wanted
                && let Some((least, number)) = rest.next()
            {
                let those = by_colors.rows(number as usize);
                if hopeful(least, those[0]) {
                    count += those.len();
                    those.iter().for_each(|&row| taken[row as usize / 64] |= 1 << (row % 64));
                }
            }
            if count == 0 || watch.stop().is_some() {
                return best;
            }
            // In their order, so that of equals the lowest is found.
            rows.clear();
            for (at, word) in taken.iter_mut().enumerate() {
                while *word != 0 {
                    rows.push(at as u32 * 64 + word.trailing_zeros());
                    *word &= *word - 1;
                }
            }
            let guesses = pool.select(&rows);
            let slices =
                lanes.slicing_pays(codes.len() / MASK_COST_CODES, guesses.len()).then(|| lanes.slices(&guesses));
            let bound = best.map_or(goal.bound, |(cost, _)| cost + 1);
            let goal = CostBounds { bound, ..goal };
            if let Some((cost, row)) = self.scan(&self.partitioner, codes, &guesses, slices.as_ref(), goal, watch) {
                let found = (cost, rows[row] as usize);
                best = Some(best.map_or(found, |best| best.min(found)));
            }
            wanted *= 2;
        }
    }
}
