//! What the guesses of a pool cost, one thread's share of them.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use pegwise_game::{
    Table,
    partition::{MAX_TALLIED, Partitioner},
};

use super::{
    criterion::CostFunction,
    scanner::{STEP, Scanner},
};

/// The working space of one thread.
pub(super) struct Pricer {
    partitioner: Partitioner,
    /// What no guess costs less than: once it is found, nothing is looked for.
    least: u64,
    /// Pairs of guess and code that were scored.
    pub(super) scored: u64,
    sizes: Vec<u32>,
    histograms: Vec<[u32; STEP]>,
}

impl Pricer {
    pub(super) fn new(partitioner: &Partitioner, least: u64) -> Self {
        let marks = partitioner.lanes().map_or(0, |lanes| lanes.coding().possible().len());
        Self { partitioner: partitioner.clone(), least, scored: 0, sizes: vec![0; marks], histograms: Vec::new() }
    }

    /// The cost of one guess.
    pub(super) fn price(&mut self, pricing: &CostFunction, codes: &Table, pool: &Table, row: usize) -> u64 {
        match self.partitioner.lanes() {
            Some(lanes) => lanes.histogram_of_row(pool, row, codes, &mut self.sizes),
            None => self.partitioner.sizes(&pool.code(row), codes, &mut self.sizes),
        }
        pricing.cost(&self.sizes)
    }

    /// The lowest cost in some rows of a pool, and the first row that has it. Rows that cost more than `lowest` may be
    /// skipped, and `lowest` is lowered to what is found.
    pub(super) fn cheapest(
        &mut self,
        pricing: &CostFunction,
        codes: &Table,
        scanner: Option<Scanner<'_>>,
        pool: &Table,
        rows: Range<usize>,
        lowest: &AtomicU64,
    ) -> Option<(u64, usize)> {
        let least = self.least;
        let mut best = Best { found: None, lowest };
        let Some(mut scanner) = scanner else {
            for row in rows {
                self.scored += codes.len() as u64;
                let cost = self.price(pricing, codes, pool, row);
                best.offer(cost, row);
                if cost == least {
                    break;
                }
            }
            return best.found;
        };
        let (mut tallied, mut costs) = ([0; STEP], [0; STEP]);
        for first in rows.clone().step_by(STEP) {
            let lanes_used = STEP.min(rows.end - first);
            self.scored += (lanes_used * codes.len()) as u64;
            if codes.len() > MAX_TALLIED {
                scanner.histograms(first / STEP, &mut self.histograms);
                pricing.costs(&self.histograms, &mut costs);
                for (lane, &cost) in costs[..lanes_used].iter().enumerate() {
                    best.offer(cost, first + lane);
                }
            } else {
                scanner.tally(first / STEP, pricing.tally(), &mut tallied);
                // Mostly none of them is worth a closer look.
                let lowest_tally = tallied[..lanes_used].iter().copied().min().unwrap_or(u16::MAX);
                if !best.could_be(pricing.least_cost(lowest_tally)) {
                    continue;
                }
                for (lane, &tallied) in tallied[..lanes_used].iter().enumerate() {
                    if best.could_be(pricing.least_cost(tallied)) {
                        best.offer(self.price(pricing, codes, pool, first + lane), first + lane);
                    }
                }
            }
            if best.found.is_some_and(|(cost, _)| cost == least) {
                break;
            }
        }
        best.found
    }
}

/// The best guess of a task, and what the tasks know of each other's.
struct Best<'a> {
    found: Option<(u64, usize)>,
    lowest: &'a AtomicU64,
}

impl Best<'_> {
    /// Whether a guess that costs this much or more is worth a closer look.
    #[inline]
    fn could_be(&self, least: u64) -> bool {
        least <= self.lowest.load(Ordering::Relaxed) && self.found.is_none_or(|(cost, _)| least < cost)
    }

    #[inline]
    fn offer(&mut self, cost: u64, row: usize) {
        if self.found.is_none_or(|(best, _)| cost < best) {
            self.found = Some((cost, row));
            self.lowest.fetch_min(cost, Ordering::Relaxed);
        }
    }
}
