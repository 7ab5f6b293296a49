//! Selection of the guesses to follow, by estimated totals of their parts.

use std::{
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashSet},
    sync::Arc,
};

use pegwise_game::{
    Code, Rules, Space, Table,
    partition::{BatchKernel, Partitioner, Tally},
};

use crate::exact::partition_fingerprint;
use pegwise_search::{
    Watch, clock,
    one_step::{ActiveColors, Pool, Pools, STEP, Scanner, common_rows},
    portable,
};

/// Minimum number of codes at which the symmetries of the played guesses are computed.
const MIN_SYMMETRY_CODES: usize = 128;
/// Number of pairs of guess and code between two checks of the clock: a few milliseconds.
const PAIRS_PER_CLOCK_CHECK: usize = 1 << 24;

/// Number of guesses whose costs are compared with the worst kept guess at once.
const BLOCK: usize = 64;

/// Selector of guesses by the estimated totals of their parts.
pub(super) struct GuessSelector {
    rules: Rules,
    lanes: BatchKernel,
    pools: Pools,
}

impl GuessSelector {
    pub(super) fn new(rules: &Rules, lanes: BatchKernel, pools: Pools) -> Self {
        Self { rules: rules.clone(), lanes, pools }
    }

    /// Returns the guesses with the lowest estimated totals, best first, each with a different partition; among those
    /// rated before the watch stopped.
    pub(super) fn best(
        &self,
        codes: &Table,
        played: &[Code],
        values: &ValueEstimates,
        most: usize,
        watch: Watch<'_>,
    ) -> Vec<Code> {
        if codes.len() >= MIN_SYMMETRY_CODES
            && let Some(pool) = self.pools.representatives(played)
        {
            let consistent: BTreeSet<usize> = common_rows(&pool, codes).into_iter().map(|row| row as usize).collect();
            return self.pick(codes, &pool, &consistent, values, most, watch);
        }
        let palette = ActiveColors::of(&self.rules, codes);
        let small = self.rules.with_colors(palette.count());
        match small.filter(|_| palette.count() < codes.colors()).and_then(|small| {
            let shrunk = palette.shrink(&small, codes)?;
            Some((small, shrunk))
        }) {
            Some((small, shrunk)) => {
                let pool = self.pools.space(palette.count());
                let consistent = ranks(&small, &shrunk);
                let picked = self.pick(&shrunk, &pool, &consistent, values, most, watch);
                picked.iter().map(|guess| palette.expand(guess)).collect()
            }
            None => {
                let pool = self.pools.space(codes.colors());
                let consistent = ranks(&self.rules, codes);
                self.pick(codes, &pool, &consistent, values, most, watch)
            }
        }
    }

    fn pick(
        &self,
        codes: &Table,
        pool: &Pool,
        consistent: &BTreeSet<usize>,
        values: &ValueEstimates,
        most: usize,
        watch: Watch<'_>,
    ) -> Vec<Code> {
        // More than requested, because many guesses make the same partition.
        let priced = self.price(codes, pool, consistent, values, (most * 6).max(12), watch);
        let mut seen = HashSet::new();
        let mut marks = Vec::new();
        let mut picked = Vec::with_capacity(most);
        for (_, _, row) in priced {
            let guess = pool.code(row);
            self.lanes.marks(&guess, codes, &mut marks);
            if seen.insert(partition_fingerprint::<256>(marks.iter().copied(), consistent.contains(&row))) {
                picked.push(guess);
                if picked.len() == most {
                    break;
                }
            }
        }
        picked
    }

    /// Returns the guesses of a pool with the lowest estimated totals, best first: the estimate, true if the guess
    /// cannot win, and its row.
    fn price(
        &self,
        codes: &Table,
        pool: &Pool,
        consistent: &BTreeSet<usize>,
        values: &ValueEstimates,
        wanted: usize,
        watch: Watch<'_>,
    ) -> Vec<(u64, bool, usize)> {
        let slices = pool.slices(&self.lanes, codes.len());
        let mut scanner = Scanner::new(&self.lanes, codes, pool, slices);
        let tally = Tally::sum(|size| values.of(size.min(codes.len())).min(u16::MAX.into()) as u16);
        let fits = codes.len() <= tally.max_codes() && values.of(codes.len()) < u16::MAX.into();
        let (mut tallied, mut histograms) = ([0u16; STEP], Vec::new());
        // The worst kept guess is on top.
        let mut kept: BinaryHeap<(u64, bool, usize)> = BinaryHeap::with_capacity(wanted + 1);
        let (mut bar, mut consistent) = (u32::MAX, consistent.iter().copied().peekable());
        let rows_per_check = (PAIRS_PER_CLOCK_CHECK / codes.len().max(1)).next_multiple_of(STEP);
        for first in (0..pool.len()).step_by(STEP) {
            if first % rows_per_check == rows_per_check - STEP && watch.stop().is_some() {
                break;
            }
            clock::work((STEP * codes.len()) as u64);
            let mut costs = [0u32; STEP];
            if fits {
                scanner.tally(first / STEP, &tally, &mut tallied);
                costs = tallied.map(u32::from);
            } else {
                scanner.histograms(first / STEP, &mut histograms);
                for counts in &histograms {
                    for (cost, &size) in costs.iter_mut().zip(counts) {
                        *cost = cost.saturating_add(values.of(size as usize));
                    }
                }
            }
            let rows = first..pool.len().min(first + STEP);
            let mut keep = |candidate: (u64, bool, usize)| {
                kept.push(candidate);
                if kept.len() > wanted {
                    kept.pop();
                }
                if kept.len() < wanted {
                    u32::MAX
                } else {
                    kept.peek().map_or(u32::MAX, |&(dearest, ..)| dearest as u32)
                }
            };
            // The winning part takes no further guess. Consistent guesses are handled here, and excluded from the scan
            // below.
            while let Some(row) = consistent.next_if(|row| rows.contains(row)) {
                let cost = std::mem::replace(&mut costs[row - first], u32::MAX);
                bar = keep((u64::from(cost - ValueEstimates::UNIT), false, row));
            }
            // Among the others, only those cheaper than the worst kept guess: equal ones have higher rows.
            for (block, costs) in (first..).step_by(BLOCK).zip(costs[..rows.len()].chunks(BLOCK)) {
                if !costs.iter().fold(false, |any, &cost| any | (cost < bar)) {
                    continue;
                }
                for (row, &cost) in (block..).zip(costs) {
                    if cost < bar {
                        bar = keep((cost.into(), true, row));
                    }
                }
            }
        }
        kept.into_sorted_vec()
    }
}

/// Returns the rows of codes in the table of all codes.
fn ranks(rules: &Rules, codes: &Table) -> BTreeSet<usize> {
    let space = Space::new(rules);
    codes.codes().filter_map(|code| space.rank(&code)).map(|rank| rank as usize).collect()
}

/// Returns the batch kernel of the rules, which the search requires.
pub(super) fn lanes(rules: &Rules) -> Option<BatchKernel> {
    Partitioner::new(rules).batch_kernel().filter(|lanes| lanes.supports_code_batches()).cloned()
}

/// Estimated totals by size of the set, in units of `1 / ValueEstimates::UNIT` guesses.
#[derive(Debug, Clone)]
pub(crate) struct ValueEstimates {
    by_size: Arc<Vec<u32>>,
    /// True if the estimates are based on observed totals.
    found: bool,
}

impl ValueEstimates {
    /// Units per guess. The estimate for 127 codes fits 16 bits.
    pub(crate) const UNIT: u32 = 64;

    /// Creates initial estimates, for guesses that make about half as many equal parts as there are feedbacks.
    pub(crate) fn expected(kinds: usize, largest: usize) -> Self {
        let base = portable::ln((kinds as f64 * 0.55).max(2.0));
        let value = |size: usize| match size {
            0 => 0.0,
            1 => 1.0,
            2 => 3.0,
            _ => {
                let size = size as f64;
                (size * (1.0 + portable::ln(size) / base)).max(2.0 * size - 1.0)
            }
        };
        let by_size = (0..=largest).map(|size| (value(size) * f64::from(Self::UNIT)) as u32).collect();
        Self { by_size: Arc::new(by_size), found: false }
    }

    /// Returns the estimate for `size` codes.
    #[inline]
    pub(crate) fn of(&self, size: usize) -> u32 {
        self.by_size[size]
    }

    /// Returns the estimate in whole guesses if it is based on observed totals.
    pub(super) fn found(&self, size: usize) -> Option<u64> {
        self.found.then(|| u64::from(self.of(size) / Self::UNIT))
    }

    /// Returns estimates that are scaled to the observed totals.
    pub(crate) fn updated(&self, found: &ObservedTotals) -> Self {
        let mut values = (*self.by_size).clone();
        // Sizes that were observed often are scaled by their own ratio, others by that of the next smaller size.
        let mut last_ratio = 1.0;
        let mut ratios = vec![None; values.len()];
        for (&size, &(count, total)) in &found.0 {
            if count >= ObservedTotals::ENOUGH && size < values.len() {
                let mean = total as f64 / count as f64;
                ratios[size] = Some(mean * f64::from(Self::UNIT) / f64::from(values[size]));
            }
        }
        for (value, ratio) in values.iter_mut().zip(ratios).skip(3) {
            last_ratio = ratio.unwrap_or(last_ratio);
            *value = (f64::from(*value) * last_ratio) as u32;
        }
        Self { by_size: Arc::new(values), found: self.found || !found.0.is_empty() }
    }
}

/// Number of sets and sum of their totals, by size of the set.
#[derive(Debug, Clone, Default)]
pub(crate) struct ObservedTotals(BTreeMap<usize, (u64, u64)>);

impl ObservedTotals {
    /// Minimum number of observed sets for a reliable mean.
    const ENOUGH: u64 = 8;

    pub(crate) fn add(&mut self, size: usize, total: u64) {
        self.add_many(size, 1, total);
    }

    fn add_many(&mut self, size: usize, sets: u64, totals: u64) {
        let (count, sum) = self.0.entry(size).or_default();
        *count += sets;
        *sum += totals;
    }

    /// Adds other observations.
    pub(super) fn join(&mut self, others: &Self) {
        for (&size, &(sets, totals)) in &others.0 {
            self.add_many(size, sets, totals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pegwise_game::{History, Turn, feedback};

    use pegwise_search::Rng;

    /// An absent color still distinguishes higher from lower, so the lowest absent color does not represent all.
    #[test]
    fn absent_colors_with_an_order_are_not_merged() {
        let rules: Rules = "4x5:higher-lower".parse().unwrap();
        let codes = ["2222", "2224", "2242", "2422", "2442", "4244", "4424", "4442"];
        let codes = Table::from_codes(&rules, &codes.map(|code| rules.parse_code(code).unwrap())).unwrap();
        let guesses = GuessSelector::new(&rules, lanes(&rules).unwrap(), Pools::new(&rules));
        let best = guesses.best(&codes, &[], &ValueEstimates::expected(14, codes.len()), 1, Watch::default());
        assert!(best[0].iter().any(|color| color.index() == 2), "{best:?} does without the color between the others");
    }

    #[test]
    fn no_guess_promises_more_than_the_best() {
        let mut rng = Rng::new(3);
        for text in ["3x6:higher-lower", "4x4:higher-lower", "3x6", "4x5:no-repeats", "3x6:black-only"] {
            let rules: Rules = text.parse().unwrap();
            let guesses = GuessSelector::new(&rules, lanes(&rules).unwrap(), Pools::new(&rules));
            for turns in (0..24).map(|round| round % 3) {
                let (secret, mut history) = (rng.code(&rules), History::new(rules.clone()));
                for guess in (0..turns).map(|_| rng.code(&rules)) {
                    history.push(Turn { feedback: feedback(&rules, &guess, &secret), guess }).unwrap();
                }
                let fitting: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
                let codes = Table::from_codes(&rules, &fitting).unwrap();
                let values = ValueEstimates::expected(guesses.lanes.encoding().possible().len(), codes.len());
                let mut partitioner = Partitioner::new(&rules);
                let mut promised = |guess: &Code| {
                    let mut sizes = Vec::new();
                    partitioner.sizes(guess, &codes, &mut sizes);
                    let sum: u32 = sizes.iter().map(|&size| values.of(size as usize)).sum();
                    if fitting.contains(guess) { sum - ValueEstimates::UNIT } else { sum }
                };
                let played = history.guesses();
                let best = &guesses.best(&codes, &played, &values, 1, Watch::default())[0];
                let least = Space::new(&rules).iter().map(|guess| promised(&guess)).min();
                assert_eq!(Some(promised(best)), least, "{text} after {played:?}");
            }
        }
    }

    #[test]
    fn estimates_follow_observed_totals() {
        let values = ValueEstimates::expected(14, 100);
        let mut found = ObservedTotals::default();
        (0..10).for_each(|_| found.add(50, 200));
        let updated = values.updated(&found);
        assert_eq!(updated.of(50), 200 * ValueEstimates::UNIT);
        assert_eq!(updated.of(2), values.of(2));
        assert_eq!(updated.of(40), values.of(40));
        assert!(updated.of(60).abs_diff(values.of(60) * 200 * ValueEstimates::UNIT / values.of(50)) < 64);
    }
}
