//! Scan: finds the cheapest guess of a pool.
//!
//! The kernels evaluate [`STEP`] guesses at a time against all candidates. Pools are split into tasks for threads,
//! which share the lowest cost found so far. Large pools are scanned class by class in the order of their lower bounds
//! ([`ColorClasses`](super::pools::ColorClasses)), so that most guesses are skipped.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use pegwise_game::Table;
use pegwise_game::partition::{
    BatchKernel, BitPlaneBatch, BitPlanes, CodeBatch, GUESS_GROUP, LANES_PER_PLANE, MAX_TALLY_CODES, Partitioner, Tally,
};

use super::cost::CostFunction;
use super::pools::Pool;
use super::prescreen::{CostBounds, ScanTask};
use super::solver::OneStepSolver;
use crate::{clock, parallel, search::Watch};

/// Number of guesses evaluated at a time.
pub const STEP: usize = LANES_PER_PLANE;
const BUNDLES: usize = STEP / GUESS_GROUP;
const _: () = assert!(STEP.is_multiple_of(GUESS_GROUP));

/// Number of pairs of guess and candidate per task.
pub(super) const PAIRS_PER_TASK: usize = 1 << 21;

/// Minimum number of candidates for which a scan by color classes is faster.
const MIN_CLASS_CODES: usize = 8;
/// Minimum number of guesses for which a scan by color classes is faster.
const MIN_CLASS_GUESSES: usize = 1 << 12;
/// Cost of building the bit planes of a guess, in evaluations against one candidate.
const SLICING_COST: usize = 4;

/// The cheapest guess found by a scan: its cost, and the lowest row of the pool that has it.
pub(super) type Cheapest = Option<(u64, usize)>;

impl OneStepSolver {
    /// Runs a scan on the CPU.
    pub(super) fn scan_task(&self, task: &ScanTask<'_>, watch: Watch<'_>) -> Cheapest {
        let ScanTask { codes, pool, bounds, .. } = task;
        if task.is_futile {
            return None;
        }
        match (&task.active_colors, self.partitioner.batch_kernel()) {
            // Unlike the kernels, the general partitioner depends on the number of colors.
            (Some((small_rules, _)), None) => {
                self.scan(&Partitioner::new(small_rules), codes, pool, None, *bounds, watch)
            }
            (_, Some(lanes)) if !task.is_symmetric && class_scan_pays(lanes, codes, pool) => {
                self.scan_by_classes(lanes, codes, pool, *bounds, watch)
            }
            (_, lanes) => {
                let slices = lanes.and_then(|lanes| pool.slices(lanes, codes.len()));
                self.scan(&self.partitioner, codes, pool, slices, *bounds, watch)
            }
        }
    }

    /// Finds the cheapest guess of a pool within `bounds`, or the cheapest seen until `watch` stops the scan.
    pub(super) fn scan(
        &self,
        partitioner: &Partitioner,
        codes: &Table,
        pool: &Table,
        slices: Option<&BitPlanes>,
        bounds: CostBounds,
        watch: Watch<'_>,
    ) -> Cheapest {
        let rows_per_task = (PAIRS_PER_TASK / codes.len().max(1)).next_multiple_of(STEP).max(STEP);
        // Lowest cost found by any task. A task may skip guesses that cost more, but not those that cost the same.
        let lowest = AtomicU64::new(bounds.upper.saturating_sub(1));
        let lanes = partitioner.batch_kernel().filter(|lanes| lanes.supports_code_batches());
        let scanner = lanes.map(|lanes| Scanner::new(lanes, codes, pool, slices));
        let scan = |first: usize| {
            if watch.stop().is_some() {
                return None;
            }
            let rows = first..(first + rows_per_task).min(pool.len());
            let mut evaluator = Evaluator::new(partitioner, bounds.lower);
            let found = evaluator.cheapest(&self.cost_function, codes, scanner.clone(), pool, rows, &lowest);
            self.count_pairs(evaluator.scored);
            found.filter(|&(cost, _)| cost < bounds.upper)
        };
        if rows_per_task >= pool.len() {
            return scan(0);
        }
        parallel::min(pool.len().div_ceil(rows_per_task), |task| scan(task * rows_per_task))
    }

    /// Like [`OneStepSolver::scan`], in batches of color classes, lowest lower bound first, until no class can improve.
    fn scan_by_classes(
        &self,
        lanes: &BatchKernel,
        codes: &Table,
        pool: &Pool,
        bounds: CostBounds,
        watch: Watch<'_>,
    ) -> Cheapest {
        let classes = pool.color_classes();
        let mut cheaper = classes.cheaper(lanes, &self.cost_function, codes, bounds.upper).into_iter();
        self.count_pairs((classes.len() * codes.len()) as u64);
        let mut best: Cheapest = None;
        let (mut rows, mut selected, mut batch) = (Vec::new(), vec![0u64; pool.len().div_ceil(64)], STEP);
        loop {
            let mut count = 0;
            // A class with the same lower bound as the best cost only matters for a lower row.
            let can_improve = |lower: u64, row: u32| best.is_none_or(|best| (lower, row as usize) < best);
            while count < batch
                && let Some((lower, class)) = cheaper.next()
            {
                let class = classes.rows(class as usize);
                if can_improve(lower, class[0]) {
                    count += class.len();
                    class.iter().for_each(|&row| selected[row as usize / 64] |= 1 << (row % 64));
                }
            }
            if count == 0 || watch.stop().is_some() {
                return best;
            }
            // In ascending order, so that ties go to the lowest row.
            rows.clear();
            for (at, word) in selected.iter_mut().enumerate() {
                while *word != 0 {
                    rows.push(at as u32 * 64 + word.trailing_zeros());
                    *word &= *word - 1;
                }
            }
            let guesses = pool.select(&rows);
            let slices =
                lanes.prefers_bit_planes(codes.len() / SLICING_COST, guesses.len()).then(|| lanes.bit_planes(&guesses));
            let upper = best.map_or(bounds.upper, |(cost, _)| cost + 1);
            let bounds = CostBounds { upper, ..bounds };
            if let Some((cost, row)) = self.scan(&self.partitioner, codes, &guesses, slices.as_ref(), bounds, watch) {
                let found = (cost, rows[row] as usize);
                best = Some(best.map_or(found, |best| best.min(found)));
            }
            batch *= 2;
        }
    }

    pub(super) fn costs(&self, codes: &Table, pool: &Table) -> Vec<u64> {
        let rows_per_task = PAIRS_PER_TASK.div_ceil(codes.len().max(1));
        let cost = |evaluator: &mut Evaluator, row| evaluator.cost(&self.cost_function, codes, pool, row);
        parallel::map_rows(pool.len(), rows_per_task, || Evaluator::new(&self.partitioner, 0), cost)
    }

    fn count_pairs(&self, pairs: u64) {
        self.scored.fetch_add(pairs, Ordering::Relaxed);
        clock::work(pairs);
    }
}

/// Returns true if a scan by color classes is faster than a plain one.
fn class_scan_pays(lanes: &BatchKernel, codes: &Table, pool: &Pool) -> bool {
    lanes.supports_bit_planes() && codes.len() >= MIN_CLASS_CODES && pool.len() >= MIN_CLASS_GUESSES
}

/// Scanner that evaluates the guesses of a pool against a set of candidates, [`STEP`] at a time. Clones share the
/// candidates and have their own working memory.
#[derive(Clone)]
pub struct Scanner<'a> {
    lanes: &'a BatchKernel,
    pool: &'a Table,
    layout: PoolLayout<'a>,
}

#[derive(Clone)]
enum PoolLayout<'a> {
    Columns(CodeBatch, Vec<[u32; GUESS_GROUP]>),
    BitPlanes(BitPlaneBatch, &'a BitPlanes),
}

impl<'a> Scanner<'a> {
    /// Creates a scanner that uses the bit planes of the pool if given, else its columns.
    pub fn new(lanes: &'a BatchKernel, codes: &Table, pool: &'a Table, slices: Option<&'a BitPlanes>) -> Self {
        let layout = match slices {
            Some(slices) => PoolLayout::BitPlanes(lanes.bit_plane_batch(codes), slices),
            None => PoolLayout::Columns(lanes.code_batch(codes), Vec::new()),
        };
        Self { lanes, pool, layout }
    }

    /// Computes the tally of each guess from row `STEP * step` on. Values past the end of the pool are undefined.
    pub fn tally(&mut self, step: usize, tally: &Tally, out: &mut [u16; STEP]) {
        match &mut self.layout {
            PoolLayout::Columns(crowd, _) => {
                for (bundle, out) in (step * BUNDLES..bundles(self.pool)).zip(out.as_chunks_mut().0) {
                    self.lanes.tally(crowd, self.pool, bundle, tally, out);
                }
            }
            PoolLayout::BitPlanes(crowd, slices) => self.lanes.bit_plane_tally(crowd, slices, step, tally, out),
        }
    }

    /// Computes the part sizes of each guess from row `STEP * step` on, as `out[mark][guess]`. Values past the end of
    /// the pool are undefined.
    pub fn histograms(&mut self, step: usize, out: &mut Vec<[u32; STEP]>) {
        match &mut self.layout {
            PoolLayout::Columns(crowd, counts) => {
                for (at, bundle) in (step * BUNDLES..bundles(self.pool)).take(BUNDLES).enumerate() {
                    self.lanes.histograms(crowd, self.pool, bundle, counts);
                    out.resize(counts.len(), [0; STEP]);
                    for (out, counts) in out.iter_mut().zip(&*counts) {
                        out.as_chunks_mut::<GUESS_GROUP>().0[at] = *counts;
                    }
                }
            }
            PoolLayout::BitPlanes(crowd, slices) => self.lanes.bit_plane_histograms(crowd, slices, step, out),
        }
    }
}

fn bundles(pool: &Table) -> usize {
    pool.len().div_ceil(GUESS_GROUP)
}

struct Evaluator {
    partitioner: Partitioner,
    /// Lower bound of all costs: the task ends when it finds a guess of this cost.
    lower: u64,
    scored: u64,
    sizes: Vec<u32>,
    histograms: Vec<[u32; STEP]>,
}

impl Evaluator {
    fn new(partitioner: &Partitioner, lower: u64) -> Self {
        let marks = partitioner.batch_kernel().map_or(0, |lanes| lanes.encoding().possible().len());
        Self { partitioner: partitioner.clone(), lower, scored: 0, sizes: vec![0; marks], histograms: Vec::new() }
    }

    fn cost(&mut self, function: &CostFunction, codes: &Table, pool: &Table, row: usize) -> u64 {
        match self.partitioner.batch_kernel() {
            Some(lanes) => lanes.histogram_of_row(pool, row, codes, &mut self.sizes),
            None => self.partitioner.sizes(&pool.code(row), codes, &mut self.sizes),
        }
        function.cost(&self.sizes)
    }

    /// Finds the cheapest guess of some rows of a pool. Guesses that cost more than `lowest` may be skipped; `lowest`
    /// is lowered to the cost found.
    fn cheapest(
        &mut self,
        function: &CostFunction,
        codes: &Table,
        scanner: Option<Scanner<'_>>,
        pool: &Table,
        rows: Range<usize>,
        lowest: &AtomicU64,
    ) -> Cheapest {
        let mut best = TaskBest { found: None, lowest };
        let Some(mut scanner) = scanner else {
            for row in rows {
                self.scored += codes.len() as u64;
                let cost = self.cost(function, codes, pool, row);
                best.update(cost, row);
                if cost == self.lower {
                    break;
                }
            }
            return best.found;
        };
        let (mut tallied, mut costs) = ([0; STEP], [0; STEP]);
        for first in rows.clone().step_by(STEP) {
            let guesses = STEP.min(rows.end - first);
            self.scored += (guesses * codes.len()) as u64;
            if codes.len() > MAX_TALLY_CODES {
                scanner.histograms(first / STEP, &mut self.histograms);
                function.costs(&self.histograms, &mut costs);
                for (at, &cost) in costs[..guesses].iter().enumerate() {
                    best.update(cost, first + at);
                }
            } else {
                scanner.tally(first / STEP, function.tally(), &mut tallied);
                // In most steps no guess can improve on the best one.
                let lowest_tally = tallied[..guesses].iter().copied().min().unwrap_or(u16::MAX);
                if !best.could_improve(function.tally_bound(lowest_tally)) {
                    continue;
                }
                for (at, &tallied) in tallied[..guesses].iter().enumerate() {
                    if best.could_improve(function.tally_bound(tallied)) {
                        best.update(self.cost(function, codes, pool, first + at), first + at);
                    }
                }
            }
            if best.found.is_some_and(|(cost, _)| cost == self.lower) {
                break;
            }
        }
        best.found
    }
}

/// Best guess of a task, and the lowest cost found by all tasks.
struct TaskBest<'a> {
    found: Cheapest,
    lowest: &'a AtomicU64,
}

impl TaskBest<'_> {
    /// Returns true if a guess with the lower bound `lower` may be better than the best one.
    #[inline]
    fn could_improve(&self, lower: u64) -> bool {
        lower <= self.lowest.load(Ordering::Relaxed) && self.found.is_none_or(|(cost, _)| lower < cost)
    }

    #[inline]
    fn update(&mut self, cost: u64, row: usize) {
        if self.found.is_none_or(|(best, _)| cost < best) {
            self.found = Some((cost, row));
            self.lowest.fetch_min(cost, Ordering::Relaxed);
        }
    }
}
