//! The best guess for a position, one step ahead.
//!
//! All guesses of a pool are priced against all codes still possible, hundreds of guesses at a time. Guesses that symmetry or
//! absent colors make equal are priced once, and none where no guess can cost less than the best one known.

mod colored;
mod helper;

use std::{
    borrow::Cow,
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use pegwise_game::{
    Code, Rules, Table,
    partition::{Partitioner, Slices},
};

use self::{colored::pays_by_colors, helper::Helper};
use super::{
    criterion::CostFunction,
    memory::CostCache,
    palette::ActiveColors,
    pools::{Pool, Pools, common_rows},
    pricer::Pricer,
    scanner::{STEP, Scanner},
};
use crate::{
    clock,
    device::BatchPosition,
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
pub(crate) struct OneStepSolver {
    rules: Rules,
    guesses: Guesses,
    ties: Ties,
    pricing: CostFunction,
    partitioner: Partitioner,
    pools: Pools,
    free: Free,
    memory: CostCache,
    device: Option<Arc<Helper>>,
    /// Pairs of guess and code that were scored, by this one and its clones.
    scored: Arc<AtomicU64>,
}

/// From this many codes on, finding the symmetries of the guesses pays.
const MANY_CODES: usize = 64;
/// From this many codes on, a device prices them against each other sooner than the processor.
const MANY_FOR_DEVICE: usize = 1 << 14;
/// Positions that are worth the hand-over to another thread.
const POSITIONS_PER_TASK: usize = 16;
/// CostFunction this many pairs is worth the hand-over to another thread.
const PAIRS_PER_TASK: usize = 1 << 21;

impl OneStepSolver {
    pub(crate) fn new(rules: &Rules, pricing: CostFunction, guesses: Guesses, ties: Ties) -> Self {
        Self {
            rules: rules.clone(),
            guesses,
            ties,
            pricing,
            partitioner: Partitioner::new(rules),
            pools: Pools::new(rules),
            free: Free::of(rules),
            memory: CostCache::new(),
            device: None,
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

    /// Pairs of guess and code that were scored so far; zero where they were not counted.
    pub(crate) fn scored(&self) -> u64 {
        if self.was_helped() { 0 } else { self.scored.load(Ordering::Relaxed) }
    }

    pub(crate) fn pricing(&self) -> &CostFunction {
        &self.pricing
    }

    /// The best guess for a position in a space that can be listed. The generator decides random ties.
    pub(crate) fn choose(&mut self, position: Position<'_>, rng: &mut Rng) -> Code {
        self.choose_within(position, rng, Watch::default())
    }

    /// [`OneStepSolver::choose`] that takes any guess when the watch stops it.
    pub(crate) fn choose_within(&mut self, position: Position<'_>, rng: &mut Rng, watch: Watch<'_>) -> Code {
        let codes = position.codes;
        self.pricing.prepare(codes.len());
        if self.ties != Ties::Random || self.needs_no_look(codes) {
            return match self.look(position, watch) {
                Prescreen::Chosen(guess) => guess,
                Prescreen::Scan(scan) if codes.len() >= MANY_FOR_DEVICE && self.has_device() => {
                    let scans = [(0, scan)];
                    let found = self.scan_together(&scans, watch).pop().flatten();
                    let [(_, scan)] = scans;
                    self.settle(scan, found, watch)
                }
                Prescreen::Scan(scan) => {
                    let found = self.scan_here(&scan, watch);
                    self.settle(scan, found, watch)
                }
            };
        }
        match self.guesses {
            Guesses::Consistent => self.any_best(codes, codes, rng),
            Guesses::All => {
                let space = self.pools.space(usize::from(self.rules.colors()));
                self.any_best(codes, &space, rng)
            }
        }
    }

    /// The best guesses for many positions: those that take a scan of a pool are scanned together, on the device if there is
    /// one. Ties are not random here.
    pub(crate) fn choose_batch(&mut self, positions: &[Position<'_>], watch: Watch<'_>) -> Vec<Code> {
        let largest = positions.iter().map(|position| position.codes.len()).max().unwrap_or(0);
        self.pricing.prepare(largest);
        let chooser = &*self;
        let looks =
            parallel::map_rows(positions.len(), POSITIONS_PER_TASK, || (), |(), at| chooser.look(positions[at], watch));
        let mut chosen: Vec<Option<Code>> = Vec::with_capacity(looks.len());
        let mut scans = Vec::new();
        for (at, look) in looks.into_iter().enumerate() {
            match look {
                Prescreen::Chosen(guess) => chosen.push(Some(guess)),
                Prescreen::Scan(scan) => {
                    chosen.push(None);
                    scans.push((at, scan));
                }
            }
        }
        // Of positions that differ in names alone, one tells what the others cost.
        let mut met = HashSet::new();
        let (first, again): (Vec<_>, Vec<_>) =
            scans.into_iter().partition(|(_, scan)| scan.key.is_none_or(|key| met.insert(key)));
        for mut scans in [first, again] {
            for (_, scan) in &mut scans {
                scan.recall(&self.memory);
            }
            let found = self.scan_together(&scans, watch);
            for ((at, scan), found) in scans.into_iter().zip(found) {
                chosen[at] = Some(self.settle(scan, found, watch));
            }
        }
        chosen.into_iter().flatten().collect()
    }

    /// Whether a guess is plain: the only code left wins, and every guess tells as much about it. Of two codes either is best
    /// by every criterion, but not alone: a code of a lower number may tell them apart as well.
    fn needs_no_look(&self, codes: &Table) -> bool {
        let lower_of_two =
            self.ties == Ties::ConsistentLowest || (self.guesses, self.ties) == (Guesses::Consistent, Ties::Lowest);
        codes.len() == 1 || codes.len() == 2 && lower_of_two || self.are_alike(codes)
    }

    /// The guess for a position as far as its own codes decide it, and otherwise what there is to scan.
    fn look<'a>(&self, position: Position<'a>, watch: Watch<'_>) -> Prescreen<'a> {
        let codes = position.codes;
        if self.needs_no_look(codes) {
            return Prescreen::Chosen(codes.code(0));
        }
        let (cost, consistent) = self.best_consistent(position, watch);
        if self.guesses == Guesses::Consistent || self.ties != Ties::Lowest && cost == self.pricing.ideal(codes.len()) {
            return Prescreen::Chosen(consistent);
        }
        let Some(equal) = self.pricing.without_bonus(cost) else { return Prescreen::Chosen(consistent) };
        // Among equals a guess that cannot be the code counts only where its number does.
        let bound = if self.ties == Ties::Lowest { equal.saturating_add(1) } else { equal };
        let least = self.least(codes.len());
        if bound <= least {
            return Prescreen::Chosen(consistent);
        }
        let key = self.free.key(codes);
        let known = key.and_then(|key| self.memory.recall(key));
        if known == Some(None) {
            return Prescreen::Chosen(consistent);
        }
        let (mut codes, mut palette) = (Cow::Borrowed(codes), None);
        let symmetric = self.representatives(position);
        let is_symmetric = symmetric.is_some();
        let pool = symmetric.unwrap_or_else(|| {
            let kept = ActiveColors::of(&self.rules, &codes);
            let pool = self.pools.space(kept.len());
            if kept.len() < usize::from(self.rules.colors())
                && let Some(small_rules) = self.rules.with_colors(kept.len())
                && let Some(shrunk) = kept.shrink(&small_rules, &codes)
            {
                (codes, palette) = (Cow::Owned(shrunk), Some((small_rules, kept)));
            }
            pool
        });
        let goal = CostBounds { bound, least };
        let mut scan =
            Scan { consistent, equal, key, known: false, useless: false, codes, palette, pool, is_symmetric, goal };
        scan.recall(&self.memory);
        Prescreen::Scan(scan)
    }

    /// The cheapest guess of a scan's pool, looked for by this machine's processor.
    fn scan_here(&self, scan: &Scan<'_>, watch: Watch<'_>) -> Option<(u64, usize)> {
        let Scan { codes, pool, goal, .. } = scan;
        if scan.useless {
            return None;
        }
        match (&scan.palette, self.partitioner.lanes()) {
            // The kernels do not ask how many colors there are.
            (Some((small_rules, _)), None) => {
                self.scan(&Partitioner::new(small_rules), codes, pool, None, *goal, watch)
            }
            (_, Some(lanes)) if !scan.is_symmetric && pays_by_colors(lanes, codes, pool) => {
                self.scan_by_colors(lanes, codes, pool, *goal, watch)
            }
            (_, lanes) => {
                let slices = lanes.and_then(|lanes| pool.slices(lanes, codes.len()));
                self.scan(&self.partitioner, codes, pool, slices, *goal, watch)
            }
        }
    }

    /// What [`OneStepSolver::scan_here`] finds for each of many scans.
    fn scan_together(&self, scans: &[(usize, Scan<'_>)], watch: Watch<'_>) -> Vec<Option<(u64, usize)>> {
        let mut found: Vec<Option<Option<(u64, usize)>>> = vec![None; scans.len()];
        if let Some(helper) = self.helper() {
            let mut by_pool: Vec<(&Arc<Pool>, Vec<usize>)> = Vec::new();
            let asked = |scan: &Scan<'_>| !scan.is_symmetric && !scan.useless;
            for (at, (_, scan)) in scans.iter().enumerate().filter(|(_, (_, scan))| asked(scan)) {
                match by_pool.iter_mut().find(|(pool, _)| Arc::ptr_eq(pool, &scan.pool)) {
                    Some((_, scans)) => scans.push(at),
                    None => by_pool.push((&scan.pool, vec![at])),
                }
            }
            for (pool, list) in by_pool {
                let sets: Vec<BatchPosition<'_>> = list.iter().map(|&at| (&scans[at].1).into()).collect();
                let Some(results) = self.ask(helper, &pool.table(), &sets) else { break };
                for (at, result) in list.into_iter().zip(results) {
                    found[at] = Some(result);
                }
            }
        }
        let found = &found;
        let scan = |(): &mut (), at: usize| match found[at] {
            Some(found) => found,
            None => self.scan_here(&scans[at].1, watch),
        };
        parallel::map_rows(scans.len(), 1, || (), scan)
    }

    /// The guess for a position, from what its scan found.
    fn settle(&self, scan: Scan<'_>, found: Option<(u64, usize)>, watch: Watch<'_>) -> Code {
        if let (Some(key), false, None) = (scan.key, scan.known, watch.stop()) {
            self.memory.remember(key, found.map(|(cost, _)| cost));
        }
        let Some((cost, row)) = found else { return scan.consistent };
        let guess = scan.pool.code(row);
        let guess = scan.palette.map_or_else(|| guess.clone(), |(_, palette)| palette.expand(&guess));
        let better = self.ties != Ties::Lowest || cost < scan.equal || guess < scan.consistent;
        if better { guess } else { scan.consistent }
    }

    /// Whether no guess tells these codes apart, and any of them wins.
    fn are_alike(&self, codes: &Table) -> bool {
        let mut sizes = Vec::new();
        if !self.rules.feedback().terms().identifies() {
            self.partitioner.clone().sizes(&codes.code(0), codes, &mut sizes);
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
        let rows_per_task = PAIRS_PER_TASK.div_ceil(codes.len().max(1));
        let price = |pricer: &mut Pricer, row| pricer.price(&self.pricing, codes, pool, row);
        parallel::map_rows(pool.len(), rows_per_task, || Pricer::new(&self.partitioner, 0), price)
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
        if codes.len() >= MANY_FOR_DEVICE
            && chosen.is_none()
            && let Some(helper) = self.helper()
        {
            let set = BatchPosition { codes, bound: u64::MAX, least: self.least(codes.len()) };
            if let Some([Some((cost, row))]) = self.ask(helper, &Arc::new(codes.clone()), &[set]).as_deref() {
                return (*cost, codes.code(*row));
            }
        }
        // These masks serve one position, so they must soon pay for their making.
        let lanes =
            self.partitioner.lanes().filter(|lanes| codes.len() >= STEP && lanes.slicing_pays(codes.len(), pool.len()));
        let slices = lanes.map(|lanes| lanes.slices(pool));
        let goal = CostBounds { bound: u64::MAX, least: self.least(codes.len()) };
        let scanned = self.scan(&self.partitioner, codes, pool, slices.as_ref(), goal, watch);
        let (cost, row) = scanned.unwrap_or((u64::MAX, 0));
        (cost, pool.code(row))
    }

    /// One guess of each class under the symmetries of the game, where there are any and looking for them pays.
    fn representatives(&self, position: Position<'_>) -> Option<Arc<Pool>> {
        // A device prices all guesses sooner than the processor finds the few symmetries that are left after two.
        let few_symmetries = self.has_device() && position.guesses.len() > 1;
        let pays = position.codes.len() >= MANY_CODES && !few_symmetries;
        if pays { self.pools.representatives(position.guesses) } else { None }
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
        goal: CostBounds,
        watch: Watch<'_>,
    ) -> Option<(u64, usize)> {
        let CostBounds { bound, least } = goal;
        let rows_per_task = (PAIRS_PER_TASK / codes.len().max(1)).next_multiple_of(STEP).max(STEP);
        // The lowest cost that any task has found. A task may skip what costs more, never what costs the same.
        let lowest = AtomicU64::new(bound.saturating_sub(1));
        let lanes = partitioner.lanes().filter(|lanes| lanes.is_reversible());
        let scanner = lanes.map(|lanes| Scanner::new(lanes, codes, pool, slices));
        let scan = |first: usize| {
            if watch.stop().is_some() {
                return None;
            }
            let rows = first..(first + rows_per_task).min(pool.len());
            let mut pricer = Pricer::new(partitioner, least);
            let found = pricer.cheapest(&self.pricing, codes, scanner.clone(), pool, rows, &lowest);
            self.scored.fetch_add(pricer.scored, Ordering::Relaxed);
            clock::work(pricer.scored);
            found.filter(|&(cost, _)| cost < bound)
        };
        if rows_per_task >= pool.len() {
            return scan(0);
        }
        parallel::min(pool.len().div_ceil(rows_per_task), |task| scan(task * rows_per_task))
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

/// What a position's own codes tell of its guess.
enum Prescreen<'a> {
    Chosen(Code),
    Scan(Scan<'a>),
}

/// A pool to be scanned for a guess that is better than the position's own codes.
struct Scan<'a> {
    /// The best of the position's own codes.
    consistent: Code,
    /// What a guess that cannot be the code may cost to be as good as that.
    equal: u64,
    /// What the position is known by, whatever its names.
    key: Option<u128>,
    /// Whether a position of this key was met before, and then whether no guess was good enough.
    known: bool,
    useless: bool,
    /// The codes in the names of the pool.
    codes: Cow<'a, Table>,
    /// The rules of the pool and its colors, where it has not all of them.
    palette: Option<(Rules, ActiveColors)>,
    pool: Arc<Pool>,
    /// Whether the pool has only one guess of each class under symmetries. Those are few, and priced before they are sorted.
    is_symmetric: bool,
    goal: CostBounds,
}

impl Scan<'_> {
    /// Makes use of what is known of the position.
    fn recall(&mut self, memory: &CostCache) {
        let Some(lowest) = self.key.and_then(|key| memory.recall(key)) else { return };
        self.known = true;
        match lowest {
            Some(cost) => self.goal = CostBounds { bound: cost + 1, least: cost },
            None => self.useless = true,
        }
    }
}

/// What a scan is for.
#[derive(Debug, Clone, Copy)]
struct CostBounds {
    /// Guesses that cost this much or more are of no use.
    bound: u64,
    /// No guess costs less than this.
    least: u64,
}
