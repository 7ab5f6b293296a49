//! The guesses at a position that are worth following to the end.

use std::{
    collections::{BTreeSet, BinaryHeap, HashSet},
    hash::{DefaultHasher, Hasher as _},
};

use pegwise_game::{
    Code, Rules, Space, Table,
    partition::{Lanes, MAX_TALLIED, Partitioner, Tally},
};

use super::values::Values;
use crate::{
    clock,
    one_step::{ActiveColors, Pool, Pools, STEP, Scanner, common_rows},
    search::Watch,
};

/// From this many codes on, finding the symmetries of the guesses played pays.
const MANY_CODES: usize = 128;
/// Pairs of guess and code between two looks at the clock: a few milliseconds.
const PAIRS_A_CLOCK: usize = 1 << 24;

/// Guesses that are compared with the dearest kept at once.
const BLOCK: usize = 64;

/// Finds guesses by what their parts are expected to take.
pub(super) struct Guesses {
    rules: Rules,
    lanes: Lanes,
    pools: Pools,
}

impl Guesses {
    pub(super) fn new(rules: &Rules, lanes: Lanes, pools: Pools) -> Self {
        Self { rules: rules.clone(), lanes, pools }
    }

    /// The guesses whose parts are expected to take least, best first, each splitting the codes in another way; of those
    /// that were priced before the watch stopped it.
    pub(super) fn best(
        &self,
        codes: &Table,
        played: &[Code],
        values: &Values,
        most: usize,
        watch: Watch<'_>,
    ) -> Vec<Code> {
        if codes.len() >= MANY_CODES
            && let Some(pool) = self.pools.representatives(played)
        {
            let consistent: BTreeSet<usize> = common_rows(&pool, codes).into_iter().map(|row| row as usize).collect();
            return self.pick(codes, &pool, &consistent, values, most, watch);
        }
        let palette = ActiveColors::of(&self.rules, codes);
        let small = self.rules.with_colors(palette.len());
        match small.filter(|_| palette.len() < codes.colors()).and_then(|small| {
            let shrunk = palette.shrink(&small, codes)?;
            Some((small, shrunk))
        }) {
            Some((small, shrunk)) => {
                let pool = self.pools.space(palette.len());
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
        values: &Values,
        most: usize,
        watch: Watch<'_>,
    ) -> Vec<Code> {
        // More than are wanted, because many guesses split the codes alike.
        let priced = self.price(codes, pool, consistent, values, (most * 6).max(12), watch);
        let mut seen = HashSet::new();
        let mut marks = Vec::new();
        let mut picked = Vec::with_capacity(most);
        for (_, _, row) in priced {
            let guess = pool.code(row);
            self.lanes.marks(&guess, codes, &mut marks);
            if seen.insert((partition_hash(&marks), consistent.contains(&row))) {
                picked.push(guess);
                if picked.len() == most {
                    break;
                }
            }
        }
        picked
    }

    /// The guesses of a pool whose parts are expected to take least: what they take, whether they cannot win, and their
    /// rows. Best first.
    fn price(
        &self,
        codes: &Table,
        pool: &Pool,
        consistent: &BTreeSet<usize>,
        values: &Values,
        wanted: usize,
        watch: Watch<'_>,
    ) -> Vec<(u64, bool, usize)> {
        let slices = pool.slices(&self.lanes, codes.len());
        let mut scanner = Scanner::new(&self.lanes, codes, pool, slices);
        let tally = Tally::sum(|size| values.of(size.min(codes.len())).min(u16::MAX.into()) as u16);
        let fits = codes.len() <= MAX_TALLIED && values.of(codes.len()) < u16::MAX.into();
        let (mut tallied, mut histograms) = ([0u16; STEP], Vec::new());
        // The dearest of those kept is on top.
        let mut kept: BinaryHeap<(u64, bool, usize)> = BinaryHeap::with_capacity(wanted + 1);
        let (mut bar, mut consistent) = (u32::MAX, consistent.iter().copied().peekable());
        let rows_a_clock = (PAIRS_A_CLOCK / codes.len().max(1)).next_multiple_of(STEP);
        for first in (0..pool.len()).step_by(STEP) {
            if first % rows_a_clock == rows_a_clock - STEP && watch.stop().is_some() {
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
            // The part that wins takes no further guess. Codes of the set are few, and are not looked at again.
            while let Some(row) = consistent.next_if(|row| rows.contains(row)) {
                let cost = std::mem::replace(&mut costs[row - first], u32::MAX);
                bar = keep((u64::from(cost - Values::UNIT), false, row));
            }
            // Of the others only those that are cheaper than the dearest kept: equal ones came before.
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

/// The rows of these codes in a table of all codes.
fn ranks(rules: &Rules, codes: &Table) -> BTreeSet<usize> {
    let space = Space::new(rules);
    codes.codes().filter_map(|code| space.rank(&code)).map(|rank| rank as usize).collect()
}

/// A number that two guesses share when they put the same codes together.
fn partition_hash(marks: &[u8]) -> u64 {
    let mut names = [u8::MAX; 256];
    let mut next = 0;
    let mut hasher = DefaultHasher::new();
    for &mark in marks {
        let name = &mut names[usize::from(mark)];
        if *name == u8::MAX {
            *name = next;
            next += 1;
        }
        hasher.write_u8(*name);
    }
    hasher.finish()
}

/// The kernels of the rules, which a search cannot do without.
pub(super) fn lanes(rules: &Rules) -> Option<Lanes> {
    Partitioner::new(rules).lanes().filter(|lanes| lanes.is_reversible()).cloned()
}

#[cfg(test)]
mod tests {
    use pegwise_game::{History, Turn, feedback};

    use super::*;
    use crate::rng::Rng;

    /// A color that is known to be absent still tells higher from lower, and the lowest of those does not stand for all.
    #[test]
    fn absent_colors_with_an_order_are_not_merged() {
        let rules: Rules = "4x5:higher-lower".parse().unwrap();
        let codes = ["2222", "2224", "2242", "2422", "2442", "4244", "4424", "4442"];
        let codes = Table::from_codes(&rules, &codes.map(|code| rules.parse_code(code).unwrap())).unwrap();
        let guesses = Guesses::new(&rules, lanes(&rules).unwrap(), Pools::new(&rules));
        let best = guesses.best(&codes, &[], &Values::expected(14, codes.len()), 1, Watch::default());
        assert!(best[0].iter().any(|color| color.index() == 2), "{best:?} does without the color between the others");
    }

    #[test]
    fn no_guess_promises_more_than_the_best() {
        let mut rng = Rng::new(3);
        for text in ["3x6:higher-lower", "4x4:higher-lower", "3x6", "4x5:no-repeats", "3x6:black-only"] {
            let rules: Rules = text.parse().unwrap();
            let guesses = Guesses::new(&rules, lanes(&rules).unwrap(), Pools::new(&rules));
            for turns in (0..24).map(|round| round % 3) {
                let (secret, mut history) = (rng.code(&rules), History::new(rules.clone()));
                for guess in (0..turns).map(|_| rng.code(&rules)) {
                    history.push(Turn { feedback: feedback(&rules, &guess, &secret), guess }).unwrap();
                }
                let fitting: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
                let codes = Table::from_codes(&rules, &fitting).unwrap();
                let values = Values::expected(guesses.lanes.coding().possible().len(), codes.len());
                let mut partitioner = Partitioner::new(&rules);
                let mut promised = |guess: &Code| {
                    let mut sizes = Vec::new();
                    partitioner.sizes(guess, &codes, &mut sizes);
                    let sum: u32 = sizes.iter().map(|&size| values.of(size as usize)).sum();
                    if fitting.contains(guess) { sum - Values::UNIT } else { sum }
                };
                let played: Vec<Code> = history.turns().iter().map(|turn| turn.guess.clone()).collect();
                let best = &guesses.best(&codes, &played, &values, 1, Watch::default())[0];
                let least = Space::new(&rules).iter().map(|guess| promised(&guess)).min();
                assert_eq!(Some(promised(best)), least, "{text} after {played:?}");
            }
        }
    }
}
