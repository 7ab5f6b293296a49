//! Beam search below a position, and the first guesses whose parts it searches.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use pegwise_game::{Code, Feedback, Rules, Space, Table, partition::Partitioner, symmetry::Symmetry};

use super::{
    Options,
    guesses::{GuessSelector, ObservedTotals, ValueEstimates, lanes},
};
use crate::{
    bounds::least_total,
    exact::{EndgameCache, EndgameMatrix, EndgameSolver},
};
use pegwise_search::{
    Watch,
    canonical::{set_key, splitmix64},
    one_step::Pools,
    parallel,
    tree::{Branch, Node, Summary},
};

/// Maximum number of positions that one searcher caches, of about 64 bytes each.
pub(super) const MAX_CACHED: usize = 1 << 20;

/// Cached positions by key.
pub(super) type PositionCache = HashMap<u128, CachedPosition, BuildHasherDefault<IdentityHasher>>;

/// Hasher for keys that are random already: it takes one half of the key.
#[derive(Debug, Clone, Default)]
pub(super) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = splitmix64(self.0 ^ u64::from(byte)));
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

/// Minimum number of codes of a position that needs a search.
const MIN_SEARCHED: usize = 3;

/// Minimum number of codes at which guesses are probed by a narrower search before they are followed.
pub(super) const MIN_PROBING_CODES: usize = 61;
/// Number of probed guesses per followed guess, and the factor by which the probing search is narrower.
pub(super) const PROBES_PER_KEPT: usize = 4;
/// Minimum width of a search that probes.
pub(super) const MIN_PROBING_WIDTH: usize = 4;

/// A set is assumed to be better than the observed mean of its size by at most `1 / LUCK_DIVISOR`.
const LUCK_DIVISOR: u64 = 12;

/// Searcher that estimates the least total of sets of codes by following the most promising guesses.
pub(super) struct BeamSearcher {
    rules: Rules,
    partitioner: Partitioner,
    guesses: Option<GuessSelector>,
    pub(super) values: ValueEstimates,
    kinds: usize,
    winning: Feedback,
    /// Guesses played before the current position.
    pub(super) played: Vec<Code>,
    /// Positions cached in earlier rounds, by all searchers.
    pub(super) known: Arc<PositionCache>,
    pub(super) cached: PositionCache,
    /// Number of positions searched.
    pub(super) positions: u64,
    /// Totals of the endgames solved since the last update of the estimates.
    pub(super) solved: ObservedTotals,
}

/// Settings of a round.
pub(super) struct RoundContext<'a> {
    /// Maximum number of codes of a position that is solved exactly.
    pub(super) exact_threshold: usize,
    pub(super) watch: Watch<'a>,
    /// Solver for endgames; `None` if the feedback matrix is too large.
    pub(super) endgame: Option<EndgameSolver<'a>>,
}

/// Minimum of [`exact_threshold`]: solving so few codes is faster than following guesses.
const MIN_EXACT_THRESHOLD: usize = 40;

/// Returns the maximum number of codes of a position that is solved exactly in a round of this width.
pub(super) fn exact_threshold(width: usize) -> usize {
    (6 * (1 + width.ilog2() as usize)).clamp(MIN_EXACT_THRESHOLD, EndgameSolver::MAX_CODES)
}

/// Cached result of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct CachedPosition {
    pub(super) codes: u32,
    pub(super) total: u32,
    /// Rank of the guess.
    pub(super) guess: u32,
    /// Number of guesses that were followed.
    pub(super) width: u32,
}

impl BeamSearcher {
    pub(super) fn new(rules: &Rules, pools: &Pools, values: ValueEstimates, first: Code) -> Self {
        let lanes = lanes(rules);
        let kinds = lanes.as_ref().map_or(2, |lanes| lanes.encoding().possible().len());
        Self {
            rules: rules.clone(),
            partitioner: Partitioner::new(rules),
            guesses: lanes.map(|lanes| GuessSelector::new(rules, lanes, pools.clone())),
            values,
            kinds,
            winning: Feedback::winning(rules),
            played: vec![first],
            known: Arc::default(),
            cached: PositionCache::default(),
            positions: 0,
            solved: ObservedTotals::default(),
        }
    }

    /// Searches a position with `width` followed guesses, and returns the tree found; `None` if stopped.
    pub(super) fn improve(&mut self, codes: &Table, width: usize, round: &mut RoundContext<'_>) -> Option<Node> {
        self.played.truncate(1);
        self.search(codes, width, round)?;
        Some(self.node(codes, round))
    }

    fn search(&mut self, codes: &Table, width: usize, round: &mut RoundContext<'_>) -> Option<u64> {
        let size = codes.len();
        if size < MIN_SEARCHED {
            return Some(2 * size as u64 - 1);
        }
        if size <= exact_threshold(width) && round.endgame.is_some() {
            let total = self.solve(codes, round)?;
            self.solved.add(size, total);
            return Some(total);
        }
        let key = set_key(codes);
        let known = self.lookup(key);
        if let Some(known) = known.filter(|known| known.width as usize >= width) {
            return Some(known.total.into());
        }
        if round.watch.stop().is_some() {
            return None;
        }
        self.positions += 1;
        let mut best = known.map_or(u64::MAX, |known| known.total.into());
        let mut guess = known.map(|known| known.guess);
        let candidates = if size >= MIN_PROBING_CODES && width >= MIN_PROBING_WIDTH {
            self.probed(codes, width, round)?
        } else {
            self.candidates(codes, width, 1, round.watch)
        };
        // The guesses rated in time need not be the best.
        if round.watch.stop().is_some() {
            return None;
        }
        for candidate in candidates {
            // No total is lower than one guess for one code and two for every other.
            if best == 2 * size as u64 - 1 {
                break;
            }
            let total = self.follow(codes, &candidate, width, best, round)?;
            if total < best {
                best = total;
                guess = Space::new(&self.rules).rank(&candidate).map(|rank| rank as u32);
            }
        }
        let entry = CachedPosition { codes: size as u32, total: best as u32, guess: guess?, width: width as u32 };
        if known.is_some() || self.cached.len() < MAX_CACHED {
            self.cached.insert(key, entry);
        }
        Some(best)
    }

    /// Returns the least total of a small set by exact search; `None` if there is no endgame solver, or when stopped.
    pub(super) fn solve(&mut self, codes: &Table, round: &mut RoundContext<'_>) -> Option<u64> {
        round.endgame.as_mut()?.total(&ranks(&self.rules, codes))
    }

    /// Returns the cached result of a position.
    fn lookup(&self, key: u128) -> Option<CachedPosition> {
        self.cached.get(&key).or_else(|| self.known.get(&key)).copied()
    }

    /// Returns the guesses to follow: `times` times the usual number, which decreases with the size of the position.
    pub(super) fn candidates(&self, codes: &Table, width: usize, times: usize, watch: Watch<'_>) -> Vec<Code> {
        let share = match codes.len() {
            0..=60 => 1,
            61..=300 => 2,
            301..=1500 => 4,
            _ => 8,
        };
        let Some(guesses) = &self.guesses else { return vec![codes.code(0)] };
        guesses.best(codes, &self.played, &self.values, (width / share).max(1) * times, watch)
    }

    /// Returns the usual number of guesses, selected by a narrower search among several times as many.
    fn probed(&mut self, codes: &Table, width: usize, round: &mut RoundContext<'_>) -> Option<Vec<Code>> {
        let candidates = self.candidates(codes, width, PROBES_PER_KEPT, round.watch);
        let kept = candidates.len().div_ceil(PROBES_PER_KEPT);
        let mut probed = Vec::with_capacity(candidates.len());
        for guess in candidates {
            probed.push((self.follow(codes, &guess, width / PROBES_PER_KEPT, u64::MAX, round)?, guess));
        }
        // Stable: equal totals stay in the order of their estimates.
        probed.sort_by_key(|&(total, _)| total);
        probed.truncate(kept);
        Some(probed.into_iter().map(|(_, guess)| guess).collect())
    }

    /// Returns the total of the codes after `guess`, or a number that is at least `best`. `None` if stopped.
    pub(super) fn follow(
        &mut self,
        codes: &Table,
        guess: &Code,
        width: usize,
        best: u64,
        round: &mut RoundContext<'_>,
    ) -> Option<u64> {
        let mut parts = self.partitioner.split(guess, codes);
        if parts.len() == 1 && parts[0].feedback != self.winning {
            return Some(u64::MAX);
        }
        parts.retain(|part| part.feedback != self.winning);
        // Large parts are the most likely to exceed the limit.
        parts.sort_by_key(|part| std::cmp::Reverse(part.rows.len()));
        let mut left: u64 = parts.iter().map(|part| self.optimistic_total(part.rows.len())).sum();
        let mut total = codes.len() as u64;
        self.played.push(guess.clone());
        for part in parts {
            if total + left >= best {
                total = u64::MAX;
                break;
            }
            left -= self.optimistic_total(part.rows.len());
            let below = match part.rows.len() {
                few if few < MIN_SEARCHED => Some(2 * few as u64 - 1),
                _ => self.search(&codes.select(&part.rows), width, round),
            };
            let Some(below) = below else {
                self.played.pop();
                return None;
            };
            total += below;
        }
        self.played.pop();
        Some(total)
    }

    /// Returns an optimistic total of `codes` codes, based on observed totals; guesses that cannot win even so are not
    /// followed to the end.
    fn optimistic_total(&self, codes: usize) -> u64 {
        // Rounded up, so that small sets may be better, too: most parts are small.
        let usual = self.values.found(codes).map_or(0, |found| found - found.div_ceil(LUCK_DIVISOR));
        usual.max(least_total(codes, self.kinds))
    }

    /// Returns the tree found for a set of codes.
    pub(super) fn node(&mut self, codes: &Table, round: &mut RoundContext<'_>) -> Node {
        let small = (MIN_SEARCHED..=round.exact_threshold).contains(&codes.len());
        if let Some(endgame) = round.endgame.as_mut().filter(|_| small)
            && let Some(node) = endgame.node(&ranks(&self.rules, codes))
        {
            return node;
        }
        let guess = self.cached_guess(codes, round.watch);
        let mut parts = self.partitioner.split(&guess, codes);
        let all = parts.len();
        parts.retain(|part| part.feedback != self.winning);
        let wins = parts.len() < all;
        let mut branches = Vec::with_capacity(parts.len());
        self.played.push(guess.clone());
        for part in parts {
            let node = self.node(&codes.select(&part.rows), round);
            branches.push(Branch { feedback: part.feedback, node });
        }
        self.played.pop();
        Node { guess, wins, branches }
    }

    fn cached_guess(&mut self, codes: &Table, watch: Watch<'_>) -> Code {
        if codes.len() < MIN_SEARCHED {
            return codes.code(0);
        }
        let known = self.lookup(set_key(codes)).and_then(|known| Space::new(&self.rules).unrank(known.guess.into()));
        // Positions that did not fit the cache are chosen again.
        known.or_else(|| self.candidates(codes, 1, 1, watch).into_iter().next()).unwrap_or_else(|| codes.code(0))
    }

    /// Adds the totals of this searcher to `found`.
    pub(super) fn add_observed(&self, found: &mut ObservedTotals) {
        for known in self.cached.values() {
            found.add(known.codes as usize, known.total.into());
        }
        found.join(&self.solved);
    }

    /// Updates the estimates by observed totals.
    pub(super) fn update_estimates(&mut self, found: &ObservedTotals) {
        self.values = self.values.updated(found);
        self.solved = ObservedTotals::default();
    }
}

/// Returns the ranks of codes of a space with at most 2^16 codes.
fn ranks(rules: &Rules, codes: &Table) -> Vec<u16> {
    let space = Space::new(rules);
    codes.codes().filter_map(|code| space.rank(&code)).map(|rank| rank as u16).collect()
}

/// Maximum number of openings.
const OPENINGS: usize = 5;

/// Returns the most promising first guesses.
pub(super) fn first_guesses(rules: &Rules, options: &Options, all: &Table, values: &ValueEstimates) -> Vec<Code> {
    if let Some(guess) = &options.first_guess {
        return vec![guess.clone()];
    }
    let mut partitioner = Partitioner::new(rules);
    let mut sizes = Vec::new();
    let mut priced: Vec<(u64, Code)> = Symmetry::new(rules, [])
        .representatives()
        .map(|guess| {
            partitioner.sizes(&guess, all, &mut sizes);
            (sizes.iter().map(|&size| u64::from(values.of(size as usize))).sum(), guess)
        })
        .collect();
    priced.sort();
    priced.into_iter().take(OPENINGS).map(|(_, guess)| guess).collect()
}

/// First guess with the search results of its parts.
pub(super) struct Opening {
    guess: Code,
    codes: u64,
    parts: Vec<OpeningPart>,
}

struct OpeningPart {
    feedback: Feedback,
    codes: Table,
    searcher: BeamSearcher,
    total: Option<u64>,
    node: Option<Node>,
}

impl Opening {
    pub(super) fn new(rules: &Rules, pools: &Pools, all: &Table, guess: Code, values: &ValueEstimates) -> Self {
        let winning = Feedback::winning(rules);
        let parts = Partitioner::new(rules).split(&guess, all).into_iter().filter(|part| part.feedback != winning);
        let parts = parts.map(|part| OpeningPart {
            feedback: part.feedback,
            codes: all.select(&part.rows),
            searcher: BeamSearcher::new(rules, pools, values.clone(), guess.clone()),
            total: None,
            node: None,
        });
        Self { codes: all.len() as u64, parts: parts.collect(), guess }
    }

    /// Searches every part with `width` followed guesses. Calls `report` with the total when every part has one.
    pub(super) fn round(
        &mut self,
        rules: &Rules,
        endgames: Option<(&EndgameMatrix, &EndgameCache)>,
        width: usize,
        watch: Watch<'_>,
        report: impl Fn(u64) + Sync,
    ) {
        let known: u64 = self.parts.iter().map(|part| part.total.unwrap_or(0)).sum();
        let whole = self.parts.iter().all(|part| part.total.is_some());
        let gained = AtomicU64::new(0);
        // The largest part first, to balance the load of the threads.
        let mut order: Vec<&mut OpeningPart> = self.parts.iter_mut().collect();
        order.sort_by_key(|part| std::cmp::Reverse(part.codes.len()));
        parallel::for_each(order, |part| {
            if watch.stop().is_some() {
                return;
            }
            let before = part.total;
            let endgame = endgames.map(|(marks, solved)| EndgameSolver::new(rules, marks, solved, watch));
            let mut round = RoundContext { exact_threshold: exact_threshold(width), watch, endgame };
            let Some(node) = part.searcher.improve(&part.codes, width, &mut round) else { return };
            let total = Summary::of(&node).total;
            if before.is_some_and(|before| before <= total) {
                return;
            }
            (part.total, part.node) = (Some(total), Some(node));
            if let (true, Some(before)) = (whole, before) {
                let gain = before - total;
                let others = gained.fetch_add(gain, Ordering::Relaxed);
                report(self.codes + known - others - gain);
            }
        });
        self.update_estimates();
        let total = self.total();
        if total != u64::MAX {
            report(total);
        }
    }

    /// Updates the estimates of every part by the totals found in all of them.
    fn update_estimates(&mut self) {
        let mut found = ObservedTotals::default();
        for part in &self.parts {
            part.searcher.add_observed(&mut found);
        }
        for part in &mut self.parts {
            part.searcher.update_estimates(&found);
        }
    }

    pub(super) fn total(&self) -> u64 {
        let parts = self.parts.iter().map(|part| part.total).sum::<Option<u64>>();
        parts.map_or(u64::MAX, |parts| parts + self.codes)
    }

    pub(super) fn node(&self) -> Node {
        let branches = self.parts.iter().filter_map(|part| {
            let node = part.node.clone()?;
            Some(Branch { feedback: part.feedback.clone(), node })
        });
        Node { guess: self.guess.clone(), wins: true, branches: branches.collect() }
    }
}
