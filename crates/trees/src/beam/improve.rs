//! Improvement of a tree, one batch of positions after another, on all threads.
//!
//! Positions are ordered by their loss, the difference between their total and the estimate for sets of their size. The
//! most promising guesses of each position are followed in parallel, with the current total as the limit; a better
//! subtree replaces the current one. Each round follows more guesses, at small positions before large ones, because
//! results of small positions are reused at large ones.
//!
//! The positions of a batch are searched independently, and their results are merged afterwards in a fixed order. For a
//! given number of rounds the tree therefore does not depend on the number of threads.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use pegwise_game::{Code, Rules, Space, Table, Turn, partition::Partitioner};

use super::{
    BeamError,
    guesses::{ObservedTotals, ValueEstimates},
    kinds,
    search::{
        BeamSearcher, CachedPosition, MAX_CACHED, MIN_PROBING_CODES, MIN_PROBING_WIDTH, PROBES_PER_KEPT, PositionCache,
        RoundContext, exact_threshold,
    },
};
use crate::exact::{EndgameCache, EndgameMatrix, EndgameSolver};
use pegwise_search::{
    Watch,
    canonical::set_key,
    one_step::Pools,
    parallel,
    tree::{Branch, Node, Summary, Tree, TreePath},
};

/// Bands of position sizes: maximum number of codes, and number of positions per batch.
const BANDS: [(usize, usize); 5] = [(60, 256), (150, 256), (400, 128), (1500, 64), (usize::MAX, 32)];

/// Successive halving of the guesses at a large position: the first search tries 16 times as many guesses as the last,
/// and each keeps a quarter.
const HALVING_ROUNDS: [HalvingRound; 3] = [
    HalvingRound { narrower: 16, tolerance: 2 },
    HalvingRound { narrower: 4, tolerance: 1 },
    HalvingRound { narrower: 1, tolerance: 0 },
];
/// Number of batches in a row without improvement after which a band ends.
const MAX_IDLE_BATCHES: usize = 3;
/// Maximum number of positions in the shared cache.
const MAX_SHARED: usize = 4 * MAX_CACHED;

/// Search of a round of successive halving.
struct HalvingRound {
    /// Divisor of the search width.
    narrower: usize,
    /// Percentage by which a guess may exceed the total to beat.
    tolerance: u64,
}

/// Improver of a tree.
pub(super) struct Improver<'a> {
    rules: &'a Rules,
    pools: &'a Pools,
    endgames: Option<(&'a EndgameMatrix, &'a EndgameCache)>,
    watch: Watch<'a>,
    base: &'a StartPosition,
    values: ValueEstimates,
    known: Arc<PositionCache>,
    found: ObservedTotals,
    /// Idle workers.
    workers: Mutex<Vec<BeamWorker<'a>>>,
    root: Node,
    total: u64,
    positions: u64,
}

/// Working memory of a thread.
struct BeamWorker<'a> {
    searcher: BeamSearcher,
    round: RoundContext<'a>,
}

/// Position of the tree.
struct TreePosition {
    codes: Table,
    key: u128,
    /// Guesses played before the position.
    played: Vec<Code>,
    /// Branches that lead to the position.
    branches: Vec<usize>,
    /// Guess of the tree.
    guess: Code,
    /// Total of the position in the tree.
    total: u64,
}

/// Result of following a guess.
struct FollowedGuess {
    total: Option<u64>,
    cached: PositionCache,
    solved: ObservedTotals,
    positions: u64,
}

impl<'a> Improver<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        pools: &'a Pools,
        endgames: Option<(&'a EndgameMatrix, &'a EndgameCache)>,
        watch: Watch<'a>,
        base: &'a StartPosition,
        values: &ValueEstimates,
        root: Node,
    ) -> Self {
        let total = Summary::of(&root).total;
        let mut improver = Self {
            rules,
            pools,
            endgames,
            watch,
            base,
            values: values.clone(),
            known: Arc::default(),
            found: ObservedTotals::default(),
            workers: Mutex::default(),
            root,
            total,
            positions: 0,
        };
        let mut found = ObservedTotals::default();
        for position in improver.tree_positions(2) {
            found.add(position.codes.len(), position.total);
        }
        improver.values = improver.values.updated(&found);
        improver
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Returns the difference between the total of a position and the estimate for its size, in units of
    /// [`ValueEstimates::UNIT`].
    fn loss(&self, position: &TreePosition) -> i128 {
        let usual = u64::from(self.values.of(position.codes.len()));
        i128::from(position.total * u64::from(ValueEstimates::UNIT)) - i128::from(usual)
    }

    /// Returns at most `most` disjoint positions, as large as possible, by decreasing loss: the branches that lead
    /// there, and the loss in guesses. Positions that every round solves exactly are excluded.
    pub(super) fn losing(&mut self, most: usize) -> Vec<(Vec<usize>, f64)> {
        let positions = self.tree_positions(exact_threshold(1));
        let below = |above: &[usize]| {
            let inside = |position: &&TreePosition| {
                position.branches.len() == above.len() + 1 && position.branches.starts_with(above)
            };
            positions.iter().filter(inside).collect::<Vec<_>>()
        };
        let mut losing = below(&vec![0; self.base.played.len()]);
        // Divide the largest position while the number of its parts allows.
        while let Some(largest) = (0..losing.len()).max_by_key(|&at| (losing[at].codes.len(), Reverse(at))) {
            let parts = below(&losing[largest].branches);
            if parts.is_empty() || losing.len() - 1 + parts.len() > most {
                break;
            }
            losing.swap_remove(largest);
            losing.extend(parts);
        }
        losing.sort_by_cached_key(|position| (Reverse(self.loss(position)), position.branches.clone()));
        losing.truncate(most);
        let loss = |position: &TreePosition| self.loss(position) as f64 / f64::from(ValueEstimates::UNIT);
        losing.into_iter().map(|position| (position.branches.clone(), loss(position))).collect()
    }

    /// Returns the number of positions searched so far.
    pub(super) fn positions(&self) -> u64 {
        self.positions
    }

    pub(super) fn root(&self) -> &Node {
        &self.root
    }

    pub(super) fn into_root(self) -> Node {
        self.root
    }

    /// Searches every position of the tree once, with `width` followed guesses at small ones. After each batch, calls
    /// `report` with the maximum number of codes of its positions.
    pub(super) fn round(&mut self, width: usize, report: &impl Fn(&Self, usize)) {
        let mut fewest = exact_threshold(width);
        if self.endgames.is_some() {
            self.solve_small(fewest);
            report(self, fewest);
        }
        for (most, at_a_time) in BANDS {
            let mut positions = self.tree_positions(fewest);
            positions.retain(|position| position.codes.len() <= most);
            positions.sort_by_cached_key(|position| (Reverse(self.loss(position)), position.key));
            let mut idle_batches = 0;
            for batch in positions.chunks(at_a_time) {
                if self.watch.stop().is_some() {
                    return;
                }
                if idle_batches == MAX_IDLE_BATCHES {
                    break;
                }
                let before = self.total;
                self.batch(batch, width);
                idle_batches = if self.total < before { 0 } else { idle_batches + 1 };
                report(self, batch.iter().map(|position| position.codes.len()).max().unwrap_or(0));
            }
            fewest = fewest.max(most);
        }
        self.values = self.values.updated(&std::mem::take(&mut self.found));
    }

    /// Solves every maximal part of the tree with at most `most` codes.
    fn solve_small(&mut self, most: usize) {
        let mut positions = self.tree_positions(2);
        positions.retain(|position| position.codes.len() <= most);
        let small: HashSet<Vec<usize>> = positions.iter().map(|position| position.branches.clone()).collect();
        positions.retain(|position| !small.contains(&position.branches[..position.branches.len() - 1]));
        let solve = |at: usize| {
            let position = &positions[at];
            self.with_worker(&position.played, most, |worker| worker.solve(position))
        };
        let solved = parallel::map_each(positions.len(), |at| Reverse(positions[at].codes.len()), solve);
        let better = positions.into_iter().zip(solved).filter_map(|(position, node)| Some((position.branches, node?)));
        self.replace(better.collect());
    }

    /// Searches better guesses at some positions, by successive halving at large ones: many guesses in a narrow search,
    /// then the best of them in wider ones.
    fn batch(&mut self, batch: &[TreePosition], width: usize) {
        let probing = |position: &TreePosition| position.codes.len() >= MIN_PROBING_CODES && width >= MIN_PROBING_WIDTH;
        let mut candidates = parallel::map_rows(
            batch.len(),
            1,
            || (),
            |(), at| {
                let position = &batch[at];
                let times = if probing(position) { HALVING_ROUNDS[0].narrower } else { 1 };
                self.with_worker(&position.played, exact_threshold(width), |worker| {
                    worker.searcher.candidates(&position.codes, width, times, worker.round.watch)
                })
            },
        );
        let mut best: BTreeMap<usize, (u64, Code)> = BTreeMap::new();
        for HalvingRound { narrower, tolerance } in HALVING_ROUNDS {
            let followed: Vec<(usize, Code)> = (candidates.iter_mut().enumerate())
                .filter(|&(at, _)| narrower == 1 || probing(&batch[at]))
                .flat_map(|(at, guesses)| std::mem::take(guesses).into_iter().map(move |guess| (at, guess)))
                .collect();
            let limit = |position: &TreePosition| position.total + position.total * tolerance / 100;
            let totals = self.follow_all(batch, &followed, (width / narrower).max(1), limit);
            let mut did: BTreeMap<usize, Vec<(u64, usize)>> = BTreeMap::new();
            for (number, ((at, guess), total)) in followed.iter().zip(totals).enumerate() {
                let Some(total) = total.filter(|&total| total < u64::MAX) else { continue };
                did.entry(*at).or_default().push((total, number));
                if total < best.get(at).map_or(batch[*at].total, |(known, _)| *known) {
                    best.insert(*at, (total, guess.clone()));
                }
            }
            for (at, mut did) in did {
                did.sort_unstable();
                // At most this share; fewer if some guesses exceeded the limit.
                let tried = followed.iter().filter(|&&(other, _)| other == at).count();
                did.truncate(tried.div_ceil(PROBES_PER_KEPT));
                candidates[at] = did.into_iter().map(|(_, number)| followed[number].1.clone()).collect();
            }
        }
        self.remember(batch, &best, width);
        let improved: Vec<usize> = best.into_keys().collect();
        let nodes = parallel::map_rows(
            improved.len(),
            1,
            || (),
            |(), number| {
                let position = &batch[improved[number]];
                self.with_worker(&position.played, exact_threshold(width), |worker| {
                    // A better tree is kept even after the time limit.
                    worker.set_watch(Watch::default());
                    let node = worker.searcher.node(&position.codes, &mut worker.round);
                    worker.set_watch(self.watch);
                    node
                })
            },
        );
        let mut better: Vec<(Vec<usize>, Node)> =
            improved.into_iter().zip(nodes).map(|(at, node)| (batch[at].branches.clone(), node)).collect();
        better.sort_by_key(|(branches, _)| branches.len());
        self.replace(better);
    }

    /// Returns the total of each guess at its position if it is below the limit, and merges the cached positions.
    fn follow_all(
        &mut self,
        batch: &[TreePosition],
        guesses: &[(usize, Code)],
        width: usize,
        limit: impl Fn(&TreePosition) -> u64 + Sync,
    ) -> Vec<Option<u64>> {
        let follow = |number: usize| {
            let (at, guess) = &guesses[number];
            let position = &batch[*at];
            self.with_worker(&position.played, exact_threshold(width), |worker| {
                let total =
                    worker.searcher.follow(&position.codes, guess, width.max(1), limit(position), &mut worker.round);
                let searcher = &mut worker.searcher;
                FollowedGuess {
                    total,
                    cached: std::mem::take(&mut searcher.cached),
                    solved: std::mem::take(&mut searcher.solved),
                    positions: std::mem::take(&mut searcher.positions),
                }
            })
        };
        // The longest tasks first, to balance the load of the threads.
        let longest = |number: usize| Reverse(batch[guesses[number].0].codes.len());
        let followed = parallel::map_each(guesses.len(), longest, follow);
        let known = known(&mut self.workers, &mut self.known);
        let mut totals = Vec::with_capacity(followed.len());
        for one in followed {
            totals.push(one.total);
            self.positions += one.positions;
            self.found.join(&one.solved);
            for (key, new) in one.cached {
                self.found.add(new.codes as usize, new.total.into());
                merge(known, key, new);
            }
        }
        totals
    }

    /// Caches the results of the positions of a batch.
    fn remember(&mut self, batch: &[TreePosition], best: &BTreeMap<usize, (u64, Code)>, width: usize) {
        let known = known(&mut self.workers, &mut self.known);
        for (at, position) in batch.iter().enumerate() {
            if let Some(old) = known.get_mut(&position.key) {
                old.width = old.width.max(width as u32);
            }
            let Some((total, guess)) = best.get(&at) else { continue };
            let Some(rank) = Space::new(self.rules).rank(guess) else { continue };
            let codes = position.codes.len() as u32;
            merge(
                known,
                position.key,
                CachedPosition { codes, total: *total as u32, guess: rank as u32, width: width as u32 },
            );
        }
    }

    /// Replaces subtrees by better ones, in the given order; subtrees inside a replaced one are skipped.
    fn replace(&mut self, better: Vec<(Vec<usize>, Node)>) {
        let mut done: Vec<Vec<usize>> = Vec::new();
        for (branches, node) in better {
            if done.iter().any(|above| branches.starts_with(above)) {
                continue;
            }
            let place = branches.iter().fold(&mut self.root, |node, &branch| &mut node.branches[branch].node);
            let (before, now) = (Summary::of(place).total, Summary::of(&node).total);
            if now < before {
                *place = node;
                self.total -= before - now;
                done.push(branches);
            }
        }
    }

    /// Returns the positions of the tree with more than `fewest` codes, without the root of a whole
    /// tree. Caches the totals of the tree at these positions.
    fn tree_positions(&mut self, fewest: usize) -> Vec<TreePosition> {
        let mut positions: Vec<TreePosition> = Vec::new();
        let mut partitioner = Partitioner::new(self.rules);
        // A part has one branch per turn.
        let (played, branches) = (self.base.played.clone(), vec![0; self.base.played.len()]);
        let position = branches.iter().fold(&self.root, |node, &branch| &node.branches[branch].node);
        let mut walk = vec![(position, self.base.codes.clone(), played, branches)];
        while let Some((node, codes, played, branches)) = walk.pop() {
            if !branches.is_empty() && codes.len() > fewest {
                positions.push(TreePosition {
                    key: set_key(&codes),
                    codes: codes.clone(),
                    played: played.clone(),
                    branches: branches.clone(),
                    guess: node.guess.clone(),
                    total: Summary::of(node).total,
                });
            }
            let mut played = played;
            played.push(node.guess.clone());
            for part in partitioner.split(&node.guess, &codes) {
                let below = node.branches.iter().position(|branch| branch.feedback == part.feedback);
                if let Some(branch) = below.filter(|_| part.rows.len() > fewest) {
                    let mut branches = branches.clone();
                    branches.push(branch);
                    walk.push((&node.branches[branch].node, codes.select(&part.rows), played.clone(), branches));
                }
            }
        }
        let known = known(&mut self.workers, &mut self.known);
        let space = Space::new(self.rules);
        for TreePosition { codes, key, guess, total, .. } in &positions {
            if let Some(rank) = space.rank(guess) {
                let (codes, total) = (codes.len() as u32, *total as u32);
                merge(known, *key, CachedPosition { codes, total, guess: rank as u32, width: 0 });
            }
        }
        positions
    }

    /// Runs `work` with a worker for the position after `played`.
    fn with_worker<R>(
        &self,
        played: &[Code],
        exact_threshold: usize,
        work: impl FnOnce(&mut BeamWorker<'a>) -> R,
    ) -> R {
        let free = self.workers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = free.unwrap_or_else(|| self.worker());
        worker.round.exact_threshold = exact_threshold;
        worker.searcher.played = played.to_vec();
        worker.searcher.values = self.values.clone();
        worker.searcher.known = self.known.clone();
        let result = work(&mut worker);
        self.workers.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        result
    }

    fn worker(&self) -> BeamWorker<'a> {
        let endgame = self.endgames.map(|(marks, solved)| EndgameSolver::new(self.rules, marks, solved, self.watch));
        let searcher = BeamSearcher::new(self.rules, self.pools, self.values.clone(), self.root.guess.clone());
        BeamWorker { searcher, round: RoundContext { exact_threshold: 0, watch: self.watch, endgame } }
    }
}

impl<'a> BeamWorker<'a> {
    /// Returns the optimal tree of a small part if it is better than the current one.
    fn solve(&mut self, position: &TreePosition) -> Option<Node> {
        let total = self.searcher.solve(&position.codes, &mut self.round)?;
        let node = (total < position.total).then(|| self.searcher.node(&position.codes, &mut self.round))?;
        // A tree that was assembled after the time limit need not be optimal.
        self.round.watch.stop().is_none().then_some(node)
    }

    fn set_watch(&mut self, watch: Watch<'a>) {
        self.round.watch = watch;
        if let Some(endgame) = &mut self.round.endgame {
            endgame.restart(watch);
        }
    }
}

/// Returns the shared cache for modification. No worker uses it at that time.
fn known<'k>(workers: &mut Mutex<Vec<BeamWorker<'_>>>, known: &'k mut Arc<PositionCache>) -> &'k mut PositionCache {
    for worker in workers.get_mut().unwrap_or_else(PoisonError::into_inner) {
        worker.searcher.known = Arc::default();
    }
    Arc::make_mut(known)
}

/// Caches a position, keeping the better of two results.
fn merge(known: &mut PositionCache, key: u128, new: CachedPosition) {
    let room = known.len() < MAX_SHARED;
    match known.get_mut(&key) {
        Some(old) => {
            let width = old.width.max(new.width);
            if new.total < old.total {
                *old = new;
            }
            old.width = width;
        }
        None if room => {
            known.insert(key, new);
        }
        None => {}
    }
}

/// Part of a tree with a high loss.
#[derive(Debug, Clone, PartialEq)]
pub struct LosingPart {
    /// Position of the part.
    pub place: TreePath,
    /// Difference between its total and the estimate for sets of its size in this tree, in guesses.
    pub loss: f64,
}

/// Returns at most `most` disjoint parts of a tree, as large as possible, by decreasing loss. Parts that are small
/// enough to be solved immediately are excluded.
pub fn losing_parts(tree: &Tree, most: usize) -> Result<Vec<LosingPart>, BeamError> {
    let rules = &tree.rules;
    let kinds = kinds(rules)?;
    let all = Table::all(rules)?;
    let base = StartPosition::after(rules, &all, tree.place().turns())?;
    let (values, pools) = (ValueEstimates::expected(kinds, all.len()), Pools::new(rules));
    let mut improver = Improver::new(rules, &pools, None, Watch::default(), &base, &values, tree.root.clone());
    let parts = improver.losing(most).into_iter().map(|(branches, loss)| {
        let (mut node, mut turns) = (&tree.root, Vec::with_capacity(branches.len()));
        for branch in branches {
            let Branch { feedback, node: below } = &node.branches[branch];
            turns.push(Turn { guess: node.guess.clone(), feedback: feedback.clone() });
            node = below;
        }
        LosingPart { place: TreePath::new(rules, turns), loss }
    });
    Ok(parts.collect())
}

/// Position where the search begins: the start of the game, or the position of a part.
pub(super) struct StartPosition {
    /// Codes of the position.
    pub(super) codes: Table,
    /// Guesses that lead to the position.
    pub(super) played: Vec<Code>,
}

impl StartPosition {
    /// Returns the position after `turns`.
    pub(super) fn after(rules: &Rules, all: &Table, turns: &[Turn]) -> Result<Self, BeamError> {
        let mut base = Self { codes: all.clone(), played: Vec::with_capacity(turns.len()) };
        let mut partitioner = Partitioner::new(rules);
        for Turn { guess, feedback } in turns {
            let parts = partitioner.split(guess, &base.codes);
            let part = parts.iter().find(|part| part.feedback == *feedback);
            let part = part.ok_or_else(|| BeamError::NoCodes { place: TreePath::new(rules, turns.to_vec()) })?;
            base.codes = base.codes.select(&part.rows);
            base.played.push(guess.clone());
        }
        Ok(base)
    }
}
