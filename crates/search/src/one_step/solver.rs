//! The best guess for a position, one step ahead.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pegwise_game::{Code, Rules, Table, feedback, partition::Partitioner, symmetry::AllowedSymmetries};

use super::cost::{CONSISTENT_BONUS_BITS, CostFunction, Criterion};
use super::device::ScanDevice;
use super::pools::{Pools, common_rows};
use super::prescreen::{CostCache, Prescreen, ScanTask};
use super::scan::Cheapest;
use crate::parallel;
use crate::rng::Rng;
use crate::search::Watch;
use crate::strategy::{Alternative, Position};

/// Codes that may be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Guesses {
    /// Every valid code.
    All,
    /// Codes consistent with the history.
    Consistent,
}

/// Order of guesses of equal cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ties {
    /// Consistent guesses first, then the lowest number.
    ConsistentLowest,
    /// The lowest number.
    LowestCandidate,
    /// A random guess, uniformly distributed.
    Random,
}

/// Solver that chooses guesses one step ahead. Clones share pools, cache and device.
///
/// ```
/// use pegwise_game::{Rules, Table};
/// use pegwise_search::one_step::OneStepSolver;
/// let rules: Rules = "4x6".parse().unwrap();
/// let codes = Table::all(&rules).unwrap();
/// let rated = OneStepSolver::entropy(&rules).describe(rules.parse_code("1122").unwrap(), true, &codes);
/// assert!((rated.expected_remaining - 204.5).abs() < 0.1);
/// ```
#[derive(Debug, Clone)]
pub struct OneStepSolver {
    pub(super) rules: Rules,
    pub(super) guesses: Guesses,
    pub(super) ties: Ties,
    pub(super) cost_function: CostFunction,
    pub(super) partitioner: Partitioner,
    pub(super) pools: Pools,
    pub(super) symmetries: AllowedSymmetries,
    pub(super) cache: CostCache,
    pub(super) device: Option<Arc<ScanDevice>>,
    /// Number of pairs of guess and candidate evaluated by this solver and its clones.
    pub(super) scored: Arc<AtomicU64>,
}

/// Smallest number of candidates for which a device is faster than the CPU.
pub(super) const MIN_DEVICE_CODES: usize = 1 << 14;
const POSITIONS_PER_TASK: usize = 16;

impl OneStepSolver {
    /// Creates a solver.
    pub fn new(rules: &Rules, cost_function: CostFunction, guesses: Guesses, ties: Ties) -> Self {
        Self {
            rules: rules.clone(),
            guesses,
            ties,
            cost_function,
            partitioner: Partitioner::new(rules),
            pools: Pools::new(rules),
            symmetries: AllowedSymmetries::of_partitions(rules),
            cache: CostCache::new(),
            device: None,
            scored: Arc::default(),
        }
    }

    /// Creates a solver that chooses like the `entropy` strategy.
    pub fn entropy(rules: &Rules) -> Self {
        let cost_function = CostFunction::new(Criterion::Entropy, CONSISTENT_BONUS_BITS);
        Self::new(rules, cost_function, Guesses::All, Ties::ConsistentLowest)
    }

    /// Returns true if the rules have a kernel that computes feedback for whole tables.
    pub fn has_kernel(&self) -> bool {
        self.partitioner.batch_kernel().is_some()
    }

    /// Returns the number of pairs of guess and candidate evaluated; zero if a device was used, which does not count
    /// them.
    pub(crate) fn scored(&self) -> u64 {
        if self.has_used_device() { 0 } else { self.scored.load(Ordering::Relaxed) }
    }

    /// Chooses the best guess for a position in a space that can be listed. `rng` is used for random ties only.
    pub fn choose(&mut self, position: Position<'_>, rng: &mut Rng) -> Code {
        self.choose_within(position, rng, Watch::default())
    }

    /// Like [`OneStepSolver::choose`], but returns any guess when `watch` stops it.
    pub(crate) fn choose_within(&mut self, position: Position<'_>, rng: &mut Rng, watch: Watch<'_>) -> Code {
        let codes = position.codes;
        self.cost_function.prepare(codes.len());
        if self.ties == Ties::Random && !self.is_trivial(codes) {
            return match self.guesses {
                Guesses::Consistent => self.random_best(codes, codes, rng),
                Guesses::All => {
                    let space = self.pools.space(usize::from(self.rules.colors()));
                    self.random_best(codes, &space, rng)
                }
            };
        }
        match self.prescreen(position, watch) {
            Prescreen::Chosen(guess) => guess,
            Prescreen::Scan(task) if codes.len() >= MIN_DEVICE_CODES && self.has_device() => {
                let tasks = [(0, task)];
                let found = self.scan_batch(&tasks, watch).pop().flatten();
                let [(_, task)] = tasks;
                self.finish(task, found, watch)
            }
            Prescreen::Scan(task) => {
                let found = self.scan_task(&task, watch);
                self.finish(task, found, watch)
            }
        }
    }

    /// Chooses the best guess for each position. Scans of the same pool run together, on the device if there is one.
    /// Ties are not random.
    pub(crate) fn choose_batch(&mut self, positions: &[Position<'_>], watch: Watch<'_>) -> Vec<Code> {
        let largest = positions.iter().map(|position| position.codes.len()).max().unwrap_or(0);
        self.cost_function.prepare(largest);
        let solver = &*self;
        let prescreen = |(): &mut (), at: usize| solver.prescreen(positions[at], watch);
        let screened = parallel::map_rows(positions.len(), POSITIONS_PER_TASK, || (), prescreen);
        let mut chosen: Vec<Option<Code>> = Vec::with_capacity(screened.len());
        let mut tasks = Vec::new();
        for (at, screened) in screened.into_iter().enumerate() {
            match screened {
                Prescreen::Chosen(guess) => chosen.push(Some(guess)),
                Prescreen::Scan(task) => {
                    chosen.push(None);
                    tasks.push((at, task));
                }
            }
        }
        // Of positions that are equal up to renaming, the first one fills the cost cache for the others.
        let mut keys = HashSet::new();
        let (first, repeated): (Vec<_>, Vec<_>) =
            tasks.into_iter().partition(|(_, task)| task.key.is_none_or(|key| keys.insert(key)));
        for mut tasks in [first, repeated] {
            for (_, task) in &mut tasks {
                task.recall(&self.cache);
            }
            let found = self.scan_batch(&tasks, watch);
            for ((at, task), found) in tasks.into_iter().zip(found) {
                chosen[at] = Some(self.finish(task, found, watch));
            }
        }
        chosen.into_iter().flatten().collect()
    }

    /// Returns the guess for a position from the result of its scan, and stores the cost in the cache.
    fn finish(&self, task: ScanTask<'_>, found: Cheapest, watch: Watch<'_>) -> Code {
        if let (Some(key), false, None) = (task.key, task.is_known, watch.stop()) {
            self.cache.insert(key, found.map(|(cost, _)| cost));
        }
        let Some((cost, row)) = found else { return task.consistent };
        let guess = task.pool.code(row);
        let guess = task.active_colors.map_or_else(|| guess.clone(), |(_, colors)| colors.expand(&guess));
        let better = self.ties != Ties::LowestCandidate || cost < task.equal || guess < task.consistent;
        if better { guess } else { task.consistent }
    }

    /// Draws one of the cheapest guesses of a pool in ascending order.
    fn random_best(&self, codes: &Table, pool: &Table, rng: &mut Rng) -> Code {
        let mut costs = self.costs(codes, pool);
        let mut consistent = vec![false; pool.len()];
        for row in common_rows(pool, codes) {
            consistent[row as usize] = true;
        }
        for (cost, consistent) in costs.iter_mut().zip(consistent) {
            *cost = self.cost_function.with_bonus(*cost, consistent);
        }
        let lowest = costs.iter().copied().min().unwrap_or(u64::MAX);
        let best: Vec<usize> = (0..costs.len()).filter(|&row| costs[row] == lowest).collect();
        pool.code(best[rng.index(best.len())])
    }

    /// Returns the `count` best guesses of a pool, best first. Ties go to consistent guesses, then to the lowest
    /// number.
    pub fn rank(
        &mut self,
        codes: &Table,
        pool: &Table,
        is_consistent: impl Fn(&Code) -> bool,
        count: usize,
    ) -> Vec<Code> {
        self.cost_function.prepare(codes.len());
        let costs = self.costs(codes, pool);
        let rank = |(row, &cost): (usize, &u64)| {
            let guess = pool.code(row);
            let consistent = is_consistent(&guess);
            (self.cost_function.with_bonus(cost, consistent), !consistent, guess)
        };
        // The bonus cannot lift a guess of a higher cost than this into the list.
        let mut sorted = costs.clone();
        sorted.sort_unstable();
        let last = sorted.get(count.saturating_sub(1)).copied().unwrap_or(u64::MAX / 2);
        let near = costs.iter().enumerate().filter(|&(_, &cost)| cost <= self.cost_function.with_bonus(last, false));
        let mut ranked: Vec<(u64, bool, Code)> = near.map(rank).collect();
        ranked.sort_by_key(|&(cost, inconsistent, _)| (cost, inconsistent));
        ranked.into_iter().take(count).map(|(_, _, guess)| guess).collect()
    }

    /// Evaluates a guess against the candidates `codes`.
    pub fn describe(&mut self, guess: Code, consistent: bool, codes: &Table) -> Alternative {
        self.cost_function.prepare(codes.len());
        let mut sizes = Vec::new();
        self.partitioner.sizes(&guess, codes, &mut sizes);
        let squares: u64 = sizes.iter().map(|&size| u64::from(size) * u64::from(size)).sum();
        Alternative {
            consistent,
            score: self.cost_function.score(self.cost_function.cost(&sizes), codes.len()),
            unit: self.cost_function.criterion().unit().into(),
            expected_remaining: (squares - winning_codes(&self.rules, &guess, codes).pow(2)) as f64
                / codes.len() as f64,
            lost: None,
            guess,
        }
    }

    /// Returns the guesses to compare at a position: one per symmetry class, or the whole space. For spaces that can be
    /// listed, and positions whose candidates are exactly the codes consistent with the turns.
    pub fn pool(&self, position: Position<'_>) -> Arc<Table> {
        let pool = self.representatives(position);
        pool.unwrap_or_else(|| self.pools.space(usize::from(self.rules.colors()))).table()
    }
}

/// Number of codes for which a guess is answered as found. Some feedback does not identify the code.
pub fn winning_codes(rules: &Rules, guess: &Code, codes: &Table) -> u64 {
    let identifies = rules.feedback().model().identifies_secret();
    let wins = |code: &Code| code == guess || !identifies && feedback(rules, guess, code).is_winning(rules);
    codes.codes().filter(wins).count() as u64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pegwise_game::{Feedback, History, Space, feedback};

    use super::*;
    use crate::one_step::cost::Logarithms;

    const CRITERIA: [(Criterion, u64); 6] = [
        (Criterion::WorstCase, 0),
        (Criterion::ExpectedSize, 0),
        (Criterion::Entropy, 0),
        (Criterion::Entropy, 2),
        (Criterion::Entropy, 9),
        (Criterion::MostParts, 0),
    ];

    /// Returns the candidates after `turns` random guesses, and the guesses.
    fn random_position(rules: &Rules, rng: &mut Rng, turns: usize) -> (Vec<Code>, Vec<Code>) {
        let secret = rng.code(rules);
        let history = History::against(rules, &secret, (0..turns).map(|_| rng.code(rules)));
        let guesses = history.guesses();
        (Space::new(rules).iter().filter(|code| history.is_consistent(code)).collect(), guesses)
    }

    /// Returns the part sizes of every valid guess.
    fn all_sizes(rules: &Rules, codes: &[Code]) -> Vec<(Code, Vec<u32>)> {
        let sizes = |guess: &Code| {
            let mut parts: BTreeMap<Feedback, u32> = BTreeMap::new();
            codes.iter().for_each(|code| *parts.entry(feedback(rules, guess, code)).or_default() += 1);
            parts.into_values().collect()
        };
        Space::new(rules).iter().map(|guess| (guess.clone(), sizes(&guess))).collect()
    }

    #[test]
    fn guesses_are_those_of_an_exhaustive_scan() {
        for (text, positions) in [
            ("3x5", 12),
            ("4x4", 8),
            ("3x7", 8),
            ("4x5:no-repeats", 8),
            ("3x5:black-only", 8),
            ("3x4:higher-lower", 8),
            ("3x5:city-block", 8),
            ("3x4:distance", 8),
            ("grid:2x2x3", 8),
        ] {
            let rules: Rules = text.parse().unwrap();
            let mut rng = Rng::new(7);
            for turns in (0..positions).map(|position| position % 4) {
                let (codes, guesses) = random_position(&rules, &mut rng, turns);
                let table = Table::from_codes(&rules, &codes).unwrap();
                let sizes = all_sizes(&rules, &codes);
                for (criterion, bonus) in CRITERIA {
                    let mut function = CostFunction::new(criterion, bonus);
                    function.prepare(codes.len());
                    for (pool, ties) in [Guesses::All, Guesses::Consistent].iter().flat_map(|&pool| {
                        [Ties::LowestCandidate, Ties::ConsistentLowest, Ties::Random].map(|ties| (pool, ties))
                    }) {
                        let mut solver = OneStepSolver::new(&rules, function.clone(), pool, ties);
                        let chosen = solver.choose(Position { codes: &table, guesses: &guesses }, &mut rng);
                        // A single candidate is always guessed.
                        let mut allowed = sizes.clone();
                        allowed.retain(|(guess, _)| {
                            (pool == Guesses::All && codes.len() > 1) || codes.binary_search(guess).is_ok()
                        });
                        let rank = |(guess, sizes): (Code, Vec<u32>)| {
                            let consistent = codes.binary_search(&guess).is_ok();
                            let bits = if consistent { bonus } else { 0 } as i64 * Logarithms::ONE as i64;
                            let later = ties == Ties::ConsistentLowest && !consistent;
                            (function.cost(&sizes) as i64 - bits, later, guess)
                        };
                        let ranked: Vec<_> = allowed.into_iter().map(rank).collect();
                        let best = ranked.iter().min().unwrap();
                        let context = format!("{text} {criterion:?} {bonus} {pool:?} {ties:?} after {guesses:?}");
                        if ties == Ties::Random {
                            let is_tied = |other: &(i64, bool, Code)| other.0 == best.0 && other.2 == chosen;
                            assert!(ranked.iter().any(is_tied), "{context}: {chosen:?}");
                        } else {
                            assert_eq!(chosen, best.2, "{context}");
                        }
                    }
                }
            }
        }
    }
}
