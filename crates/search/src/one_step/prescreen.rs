//! Prescreen: decides a guess from the candidates alone if possible, else prepares a scan.
//!
//! A scan of the whole pool is only needed if an inconsistent guess may be better than the best candidate. The scan is
//! bounded from above by that candidate's cost and from below by the number of possible feedbacks; a [`CostCache`] of
//! positions that are equal up to renaming tightens both bounds.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pegwise_game::{Code, Rules, Table};

use super::pools::{ActiveColors, Pool, common_rows};
use super::scan::STEP;
use super::solver::{MIN_DEVICE_CODES, OneStepSolver};
use super::{Guesses, Ties};
use crate::{canonical::canonical_key, device::BatchPosition, search::Watch, strategy::Position};

/// Smallest number of candidates for which finding the symmetries of the guesses pays.
const MIN_SYMMETRY_CODES: usize = 64;

pub(super) enum Prescreen<'a> {
    Chosen(Code),
    Scan(ScanTask<'a>),
}

/// A scan for a guess that is better than the best candidate.
pub(super) struct ScanTask<'a> {
    pub(super) consistent: Code,
    /// Cost at which an inconsistent guess is as good as the best candidate.
    pub(super) equal: u64,
    /// Key of the position up to renaming.
    pub(super) key: Option<u128>,
    /// True if the cost cache has the position.
    pub(super) is_known: bool,
    /// True if the cost cache has no better guess for the position.
    pub(super) is_futile: bool,
    /// The candidates, in the colors of the pool.
    pub(super) codes: Cow<'a, Table>,
    /// Rules and colors of the pool, if it does not have all colors.
    pub(super) active_colors: Option<(Rules, ActiveColors)>,
    pub(super) pool: Arc<Pool>,
    /// True if the pool has one guess per symmetry class. Such pools are small and are scanned without color classes.
    pub(super) is_symmetric: bool,
    pub(super) bounds: CostBounds,
}

impl ScanTask<'_> {
    /// Tightens the bounds if the cache has the position.
    pub(super) fn recall(&mut self, cache: &CostCache) {
        let Some(lowest) = self.key.and_then(|key| cache.get(key)) else { return };
        self.is_known = true;
        match lowest {
            Some(cost) => self.bounds = CostBounds { upper: cost + 1, lower: cost },
            None => self.is_futile = true,
        }
    }
}

/// Range of costs that a scan looks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct CostBounds {
    /// Exclusive upper bound: guesses of this cost or more are not needed.
    pub(super) upper: u64,
    /// Inclusive lower bound: no guess costs less.
    pub(super) lower: u64,
}

impl OneStepSolver {
    /// Chooses the guess for a position if its candidates decide it, else prepares a scan.
    pub(super) fn prescreen<'a>(&self, position: Position<'a>, watch: Watch<'_>) -> Prescreen<'a> {
        let codes = position.codes;
        if self.is_trivial(codes) {
            return Prescreen::Chosen(codes.code(0));
        }
        let (cost, consistent) = self.best_candidate(position, watch);
        let is_ideal = self.ties != Ties::LowestCandidate && cost == self.cost_function.ideal(codes.len());
        if self.guesses == Guesses::Consistent || is_ideal {
            return Prescreen::Chosen(consistent);
        }
        let Some(equal) = self.cost_function.inconsistent_equivalent(cost) else {
            return Prescreen::Chosen(consistent);
        };
        // An inconsistent guess of equal cost is only chosen for its lower number.
        let upper = if self.ties == Ties::LowestCandidate { equal.saturating_add(1) } else { equal };
        let lower = self.lower_bound(codes.len());
        if upper <= lower {
            return Prescreen::Chosen(consistent);
        }
        let key = canonical_key(self.symmetries, codes);
        if key.and_then(|key| self.cache.get(key)) == Some(None) {
            return Prescreen::Chosen(consistent);
        }
        let (mut codes, mut active_colors) = (Cow::Borrowed(codes), None);
        let symmetric = self.representatives(position);
        let is_symmetric = symmetric.is_some();
        let pool = symmetric.unwrap_or_else(|| {
            let active = ActiveColors::of(&self.rules, &codes);
            let pool = self.pools.space(active.count());
            if active.count() < usize::from(self.rules.colors())
                && let Some(small_rules) = self.rules.with_colors(active.count())
                && let Some(shrunk) = active.shrink(&small_rules, &codes)
            {
                (codes, active_colors) = (Cow::Owned(shrunk), Some((small_rules, active)));
            }
            pool
        });
        let bounds = CostBounds { upper, lower };
        let (is_known, is_futile) = (false, false);
        let mut task =
            ScanTask { consistent, equal, key, is_known, is_futile, codes, active_colors, pool, is_symmetric, bounds };
        task.recall(&self.cache);
        Prescreen::Scan(task)
    }

    /// Returns true if the lowest candidate is the guess: it is the only candidate, one of two that no other guess
    /// beats in the order of ties, or no guess separates the candidates.
    pub(super) fn is_trivial(&self, codes: &Table) -> bool {
        let lower_of_two = self.ties == Ties::ConsistentLowest
            || (self.guesses, self.ties) == (Guesses::Consistent, Ties::LowestCandidate);
        codes.len() == 1 || codes.len() == 2 && lower_of_two || self.are_inseparable(codes)
    }

    /// Returns true if all candidates give the same feedback to each of them, so that any of them wins. Only possible
    /// with feedback that does not identify codes.
    fn are_inseparable(&self, codes: &Table) -> bool {
        let mut sizes = Vec::new();
        if !self.rules.feedback().model().identifies_secret() {
            self.partitioner.clone().sizes(&codes.code(0), codes, &mut sizes);
        }
        sizes.len() == 1
    }

    /// Returns the cheapest candidate with its cost.
    fn best_candidate(&self, position: Position<'_>, watch: Watch<'_>) -> (u64, Code) {
        let codes = position.codes;
        // The symmetries of the guesses permute the candidates.
        let representatives = self.representatives(position).map(|pool| pool.select(&common_rows(&pool, codes)));
        let pool = representatives.as_ref().unwrap_or(codes);
        let bounds = CostBounds { upper: u64::MAX, lower: self.lower_bound(codes.len()) };
        if codes.len() >= MIN_DEVICE_CODES
            && representatives.is_none()
            && let Some(device) = self.working_device()
        {
            let set = BatchPosition { codes, bound: bounds.upper, least: bounds.lower };
            if let Some([Some((cost, row))]) = self.query(device, &Arc::new(codes.clone()), &[set]).as_deref() {
                return (*cost, codes.code(*row));
            }
        }
        // These bit planes are used once, so they must pay at once.
        let lanes = self
            .partitioner
            .batch_kernel()
            .filter(|lanes| codes.len() >= STEP && lanes.prefers_bit_planes(codes.len(), pool.len()));
        let slices = lanes.map(|lanes| lanes.bit_planes(pool));
        let scanned = self.scan(&self.partitioner, codes, pool, slices.as_ref(), bounds, watch);
        let (cost, row) = scanned.unwrap_or((u64::MAX, 0));
        (cost, pool.code(row))
    }

    /// Returns one guess per symmetry class, if there are symmetries and finding them pays.
    pub(super) fn representatives(&self, position: Position<'_>) -> Option<Arc<Pool>> {
        // A device evaluates all guesses faster than the CPU finds the few symmetries left after two guesses.
        let few_symmetries = self.has_device() && position.guesses.len() > 1;
        let pays = position.codes.len() >= MIN_SYMMETRY_CODES && !few_symmetries;
        if pays { self.pools.representatives(position.guesses) } else { None }
    }

    /// Returns a lower bound on the cost of any guess against `codes` candidates.
    fn lower_bound(&self, codes: usize) -> u64 {
        let marks = self.partitioner.batch_kernel().map(|lanes| lanes.encoding().possible().len());
        marks.map_or_else(|| self.cost_function.ideal(codes), |marks| self.cost_function.lower_bound(codes, marks))
    }
}

/// Maximum number of cached positions, of about 50 bytes each.
const MAX_CACHED: usize = 1 << 20;

/// Number of independently locked maps.
const SHARDS: usize = 64;

/// Lowest cost of the guesses that are better than every candidate; `None` if there are none.
type LowestCost = Option<u64>;

/// Lowest costs by position key. Clones share the cache.
///
/// Positions that are equal up to renaming have the same key and the same lowest cost, but not the same guess, because
/// ties go to the lowest number. A scan of a known position ends at the first guess of that cost.
#[derive(Debug, Clone)]
pub(super) struct CostCache(Arc<[Mutex<HashMap<u128, LowestCost>>; SHARDS]>);

impl CostCache {
    pub(super) fn new() -> Self {
        Self(Arc::new(std::array::from_fn(|_| Mutex::default())))
    }

    fn shard(&self, key: u128) -> &Mutex<HashMap<u128, LowestCost>> {
        &self.0[key as usize % SHARDS]
    }

    fn get(&self, key: u128) -> Option<LowestCost> {
        // A map is consistent even if a thread panicked while it had the lock.
        self.shard(key).lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied()
    }

    /// Inserts a position unless the cache is full.
    pub(super) fn insert(&self, key: u128, lowest: LowestCost) {
        let mut shard = self.shard(key).lock().unwrap_or_else(PoisonError::into_inner);
        if shard.len() < MAX_CACHED / SHARDS {
            shard.insert(key, lowest);
        }
    }
}
