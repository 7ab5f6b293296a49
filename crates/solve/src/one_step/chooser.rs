//! The best guess for a position, one step ahead.
//!
//! All guesses of a pool are priced against all codes still possible, hundreds of guesses at a time. Guesses that symmetry or
//! absent colors make equal are priced once, and none where no guess can cost less than the best one known.

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use pegwise_game::{
    Code, Rules, Table,
    partition::{MAX_TALLIED, Partitioner, Slices},
};

use super::{
    criterion::Pricing,
    memory::Memory,
    palette::Palette,
    pools::{Pool, Pools, common_rows},
    scanner::{STEP, Scanner},
};
use crate::{
    parallel,
    renaming::Free,
    rng::Rng,
    search::Watch,
    strategy::{Alternative, Position},
};

/// Which codes may be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Guesses {
    /// Any code of the rules.
    All,
    /// Only codes that fit the history.
    Consistent,
}

/// Which of equally good guesses is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ties {
    /// One that fits the history before one that does not, then the lowest number.
    ConsistentLowest,
    /// The lowest number.
    Lowest,
    /// Any, each as likely as the other.
    Random,
}

/// A guess that was priced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Priced {
    pub(crate) guess: Code,
    pub(crate) consistent: bool,
}

/// Chooses guesses one step ahead.
#[derive(Debug, Clone)]
pub(crate) struct Chooser {
    rules: Rules,
    guesses: Guesses,
    ties: Ties,
    pricing: Pricing,
    partitioner: Partitioner,
    pools: Pools,
    free: Free,
    memory: Memory,
    /// Pairs of guess and code that were scored, by this one and its clones.
    scored: Arc<AtomicU64>,
}

/// From this many codes on, finding the symmetries of the guesses pays.
const MANY_CODES: usize = 64;
/// Pricing this many pairs is worth the hand-over to another thread.
const PAIRS_A_TASK: usize = 1 << 21;

impl Chooser {
    pub(crate) fn new(rules: &Rules, pricing: Pricing, guesses: Guesses, ties: Ties) -> Self {
        Self {
            rules: rules.clone(),
            guesses,
            ties,
            pricing,
            partitioner: Partitioner::new(rules),
            pools: Pools::new(rules),
            free: Free::of(rules),
            memory: Memory::new(),
            scored: Arc::default(),
        }
    }

    pub(crate) fn guesses(&self) -> Guesses {
        self.guesses
    }

    pub(crate) fn ties(&self) -> Ties {
        self.ties
    }

    /// Whether feedback on this board is computed for whole tables at a time.
    pub(crate) fn has_kernel(&self) -> bool {
        self.partitioner.lanes().is_some()
    }

    /// Pairs of guess and code that were scored so far.
    pub(crate) fn scored(&self) -> u64 {
        self.scored.load(Ordering::Relaxed)
    }

    pub(crate) fn pricing(&self) -> &Pricing {
        &self.pricing
    }

    /// The best guess for a position in a space that can be listed. The generator decides random ties.
    pub(crate) fn choose(&mut self, position: Position<'_>, rng: &mut Rng) -> Code {
        self.choose_within(position, rng, Watch::default())
    }

    /// [`Chooser::choose`] that takes any guess when the watch stops it.
    pub(crate) fn choose_within(&mut self, position: Position<'_>, rng: &mut Rng, watch: Watch<'_>) -> Code {
        let codes = position.codes;
        // The only code left wins; every guess tells as much about it. Of two codes either is best by every criterion, but
        // not alone: a code of a lower number may tell them apart as well.
        let lower_of_two =
            self.ties == Ties::ConsistentLowest || (self.guesses, self.ties) == (Guesses::Consistent, Ties::Lowest);
        if codes.len() == 1 || codes.len() == 2 && lower_of_two || self.are_alike(codes) {
            return codes.code(0);
        }
        self.pricing.prepare(codes.len());
        match (self.guesses, self.ties) {
            (Guesses::Consistent, Ties::Random) => self.any_best(codes, codes, rng),
            (Guesses::Consistent, _) => self.best_consistent(position, watch).1,
            (Guesses::All, Ties::Random) => {
                let space = self.pools.space(usize::from(self.rules.colors()));
                self.any_best(codes, &space, rng)
            }
            (Guesses::All, Ties::Lowest) => {
                let (cost, consistent) = self.best_consistent(position, watch);
                let Some(equal) = self.pricing.without_bonus(cost) else { return consistent };
                let any = self.best_of_all(position, equal.saturating_add(1), watch);
                any.filter(|(cost, any)| *cost < equal || *any < consistent).map_or(consistent, |(_, any)| any)
            }
            (Guesses::All, Ties::ConsistentLowest) => {
                let (cost, consistent) = self.best_consistent(position, watch);
                if cost == self.pricing.ideal(codes.len()) {
                    return consistent;
                }
                let Some(equal) = self.pricing.without_bonus(cost) else { return consistent };
                self.best_of_all(position, equal, watch).map_or(consistent, |(_, any)| any)
            }
        }
    }

    /// Whether no guess tells these codes apart, and any of them wins.
    fn are_alike(&mut self, codes: &Table) -> bool {
        let mut sizes = Vec::new();
        if !self.rules.feedback().terms().identifies() {
            self.partitioner.sizes(&codes.code(0), codes, &mut sizes);
        }
        sizes.len() == 1
    }

    /// The guesses of a pool with the lowest costs, best first; consistent ones first among equals, then lowest numbers.
    pub(crate) fn rank(
        &mut self,
        codes: &Table,
        pool: &Table,
        is_consistent: impl Fn(&Code) -> bool,
        most: usize,
    ) -> Vec<Priced> {
        self.pricing.prepare(codes.len());
        let costs = self.costs(codes, pool);
        let price = |(row, &cost): (usize, &u64)| {
            let guess = pool.code(row);
            let consistent = is_consistent(&guess);
            (self.pricing.paid(cost, consistent), Priced { guess, consistent })
        };
        // Whatever the bonus, nothing that costs more than this can make the list.
        let mut sorted = costs.clone();
        sorted.sort_unstable();
        let last = sorted.get(most.saturating_sub(1)).copied().unwrap_or(u64::MAX / 2);
        let near = costs.iter().enumerate().filter(|&(_, &cost)| cost <= self.pricing.paid(last, false));
        let mut ranked: Vec<(u64, Priced)> = near.map(price).collect();
        ranked.sort_by_key(|(paid, priced)| (*paid, !priced.consistent));
        ranked.truncate(most);
        ranked.into_iter().map(|(_, priced)| priced).collect()
    }

    /// How a guess does against codes.
    pub(crate) fn describe(&mut self, guess: Code, consistent: bool, codes: &Table) -> Alternative {
        self.pricing.prepare(codes.len());
        let mut sizes = Vec::new();
        self.partitioner.sizes(&guess, codes, &mut sizes);
        let squares: u64 = sizes.iter().map(|&size| u64::from(size) * u64::from(size)).sum();
        Alternative {
            consistent,
            score: self.pricing.score(self.pricing.cost(&sizes), codes.len()),
            unit: self.pricing.unit().into(),
            expected_remaining: squares as f64 / codes.len() as f64,
            guess,
        }
    }

    /// The cost of every guess of a pool.
    fn costs(&self, codes: &Table, pool: &Table) -> Vec<u64> {
        let rows_a_task = PAIRS_A_TASK.div_ceil(codes.len().max(1));
        let price = |pricer: &mut Pricer, row| pricer.price(&self.pricing, codes, pool, row);
        parallel::map_rows(pool.len(), rows_a_task, || Pricer::new(&self.partitioner, 0), price)
    }

    /// Guesses worth pricing at a position where any code may be played.
    pub(crate) fn pool(&self, position: Position<'_>) -> Arc<Table> {
        let pool = self.representatives(position);
        pool.unwrap_or_else(|| self.pools.space(usize::from(self.rules.colors()))).table()
    }

    /// The cost of the best guess of the codes still possible, and the guess.
    fn best_consistent(&self, position: Position<'_>, watch: Watch<'_>) -> (u64, Code) {
        let codes = position.codes;
        // The symmetries of the guesses turn the codes still possible into each other.
        let chosen = self.representatives(position).map(|pool| pool.select(&common_rows(&pool, codes)));
        let pool = chosen.as_ref().unwrap_or(codes);
        // These masks serve one position, so they must soon pay for their making.
        let lanes =
            self.partitioner.lanes().filter(|lanes| codes.len() >= STEP && lanes.slicing_pays(codes.len(), pool.len()));
        let slices = lanes.map(|lanes| lanes.slices(pool));
        let goal = Goal { bound: u64::MAX, least: self.least(codes.len()) };
        let scanned = self.scan(&self.partitioner, codes, pool, slices.as_ref(), goal, watch);
        let (cost, row) = scanned.unwrap_or((u64::MAX, 0));
        (cost, pool.code(row))
    }

    /// The cost of the best guess of all codes, and the guess, if it costs less than `bound`, which is the same for all
    /// positions that differ in names alone.
    fn best_of_all(&self, position: Position<'_>, bound: u64, watch: Watch<'_>) -> Option<(u64, Code)> {
        let codes = position.codes;
        let least = self.least(codes.len());
        if bound <= least {
            return None;
        }
        let key = self.free.key(codes);
        let known = key.and_then(|key| self.memory.recall(key));
        let goal = match known {
            Some(None) => return None,
            Some(Some(lowest)) => Goal { bound, least: lowest },
            None => Goal { bound, least },
        };
        let found = match self.representatives(position) {
            Some(pool) => {
                self.scan_pool(&self.partitioner, codes, &pool, goal, watch).map(|(cost, row)| (cost, pool.code(row)))
            }
            None => self.best_in_palette(codes, goal, watch),
        };
        if let (Some(key), None, None) = (key, known, watch.stop()) {
            self.memory.remember(key, found.as_ref().map(|(cost, _)| *cost));
        }
        found
    }

    /// The lowest cost that a pool which is kept has for a goal, and the first row that has it.
    fn scan_pool(
        &self,
        partitioner: &Partitioner,
        codes: &Table,
        pool: &Pool,
        goal: Goal,
        watch: Watch<'_>,
    ) -> Option<(u64, usize)> {
        let slices = partitioner.lanes().and_then(|lanes| pool.slices(lanes, codes.len()));
        self.scan(partitioner, codes, pool, slices, goal, watch)
    }

    fn best_in_palette(&self, codes: &Table, goal: Goal, watch: Watch<'_>) -> Option<(u64, Code)> {
        let colors = usize::from(self.rules.colors());
        let palette = Palette::of(&self.rules, codes);
        if palette.len() == colors {
            let pool = self.pools.space(colors);
            let (cost, row) = self.scan_pool(&self.partitioner, codes, &pool, goal, watch)?;
            return Some((cost, pool.code(row)));
        }
        let small_rules = self.rules.with_colors(palette.len())?;
        let pool = self.pools.space(palette.len());
        let shrunk = palette.shrink(&small_rules, codes)?;
        let (cost, row) = if self.partitioner.lanes().is_some() {
            // The kernels do not ask how many colors there are.
            self.scan_pool(&self.partitioner, &shrunk, &pool, goal, watch)?
        } else {
            self.scan_pool(&Partitioner::new(&small_rules), &shrunk, &pool, goal, watch)?
        };
        Some((cost, palette.expand(&pool.code(row))))
    }

    /// One guess of each class under the symmetries of the game, where there are any and looking for them pays.
    fn representatives(&self, position: Position<'_>) -> Option<Arc<Pool>> {
        if position.codes.len() < MANY_CODES { None } else { self.pools.representatives(position.guesses) }
    }

    /// The least that any guess can cost.
    fn least(&self, codes: usize) -> u64 {
        let marks = self.partitioner.lanes().map(|lanes| lanes.coding().possible().len());
        marks.map_or_else(|| self.pricing.ideal(codes), |marks| self.pricing.least(codes, marks))
    }

    /// The lowest cost in a pool that meets a goal, and the first row that has it, as far as was looked until stopped.
    fn scan(
        &self,
        partitioner: &Partitioner,
        codes: &Table,
        pool: &Table,
        slices: Option<&Slices>,
        goal: Goal,
        watch: Watch<'_>,
    ) -> Option<(u64, usize)> {
        let Goal { bound, least } = goal;
        let rows_a_task = (PAIRS_A_TASK / codes.len().max(1)).next_multiple_of(STEP).max(STEP);
        // The lowest cost that any task has found. A task may skip what costs more, never what costs the same.
        let lowest = AtomicU64::new(bound.saturating_sub(1));
        let lanes = partitioner.lanes().filter(|lanes| lanes.is_reversible());
        let scanner = lanes.map(|lanes| Scanner::new(lanes, codes, pool, slices));
        let scan = |first: usize| {
            if watch.stop().is_some() {
                return None;
            }
            let rows = first..(first + rows_a_task).min(pool.len());
            let mut pricer = Pricer::new(partitioner, least);
            let found = pricer.cheapest(&self.pricing, codes, scanner.clone(), pool, rows, &lowest);
            self.scored.fetch_add(pricer.scored, Ordering::Relaxed);
            found.filter(|&(cost, _)| cost < bound)
        };
        if rows_a_task >= pool.len() {
            return scan(0);
        }
        parallel::min(pool.len().div_ceil(rows_a_task), |task| scan(task * rows_a_task))
    }

    /// Any of the cheapest guesses of an ascending pool.
    fn any_best(&self, codes: &Table, pool: &Table, rng: &mut Rng) -> Code {
        let costs = self.costs(codes, pool);
        let mut consistent = vec![false; pool.len()];
        for row in common_rows(pool, codes) {
            consistent[row as usize] = true;
        }
        let paid = |row: usize| self.pricing.paid(costs[row], consistent[row]);
        let lowest = (0..costs.len()).map(paid).min().unwrap_or(u64::MAX);
        let best: Vec<usize> = (0..costs.len()).filter(|&row| paid(row) == lowest).collect();
        pool.code(best[rng.index(best.len())])
    }
}

/// What a scan is for.
#[derive(Debug, Clone, Copy)]
struct Goal {
    /// Guesses that cost this much or more are of no use.
    bound: u64,
    /// No guess costs less than this.
    least: u64,
}

/// The working space of one thread.
struct Pricer {
    partitioner: Partitioner,
    /// What no guess costs less than: once it is found, nothing is looked for.
    least: u64,
    /// Pairs of guess and code that were scored.
    scored: u64,
    sizes: Vec<u32>,
    histograms: Vec<[u32; STEP]>,
}

impl Pricer {
    fn new(partitioner: &Partitioner, least: u64) -> Self {
        let marks = partitioner.lanes().map_or(0, |lanes| lanes.coding().possible().len());
        Self { partitioner: partitioner.clone(), least, scored: 0, sizes: vec![0; marks], histograms: Vec::new() }
    }

    /// The cost of one guess.
    fn price(&mut self, pricing: &Pricing, codes: &Table, pool: &Table, row: usize) -> u64 {
        match self.partitioner.lanes() {
            Some(lanes) => lanes.histogram_of_row(pool, row, codes, &mut self.sizes),
            None => self.partitioner.sizes(&pool.code(row), codes, &mut self.sizes),
        }
        pricing.cost(&self.sizes)
    }

    /// The lowest cost in some rows of a pool, and the first row that has it. Rows that cost more than `lowest` may be
    /// skipped, and `lowest` is lowered to what is found.
    fn cheapest(
        &mut self,
        pricing: &Pricing,
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
