//! A tree made better, one position after another, on all cores.
//!
//! The positions of the tree are taken by what they lose against sets of their size, those that lose most first. For each,
//! the guesses that promise most are followed, every guess by whoever has time, and the total the tree has there is the
//! bound to beat; where it is beaten, the tree has the better part from then on. Round after round more guesses are
//! followed, at small positions before large ones, because what is found for the small ones is used at the large ones.
//!
//! While a batch of positions is worked on, nobody sees what others find; that is put together afterwards, in a fixed order.
//! So the tree after so many rounds is the same with any number of threads.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use pegwise_game::{Code, Rules, Space, Table, partition::Partitioner};

use super::{
    parts::Base,
    search::{
        FEWEST_PROBED, MOST_REMEMBERED, Memory, PROBED_FOR_ONE, Remembered, Round, Searcher, WORTH_PROBING,
        solved_up_to,
    },
    values::{Found, Values},
};
use crate::{
    canonical::set_key,
    one_step::Pools,
    parallel,
    search::Watch,
    tree::{
        Node, Summary,
        exact::{Endgame, Marks, Solved},
    },
};

/// Positions are worked on by size: up to so many codes together, and so many positions at a time.
const BANDS: [(usize, usize); 5] = [(60, 256), (150, 256), (400, 128), (1500, 64), (usize::MAX, 32)];

/// Makes a tree better.
pub(super) struct Improver<'a> {
    rules: &'a Rules,
    pools: &'a Pools,
    endgames: Option<(&'a Marks, &'a Solved)>,
    watch: Watch<'a>,
    base: &'a Base,
    values: Values,
    known: Arc<Memory>,
    found: Found,
    /// Those who search, when they do not.
    workers: Mutex<Vec<Worker<'a>>>,
    root: Node,
    total: u64,
    positions: u64,
}

/// One who searches: there are as many as work at the same time.
struct Worker<'a> {
    searcher: Searcher,
    round: Round<'a>,
}

/// A position of the tree.
struct Spot {
    codes: Table,
    /// The guesses on the way there, and which branch was taken after each.
    played: Vec<Code>,
    branches: Vec<usize>,
    total: u64,
}

/// What following a guess came to.
struct Followed {
    total: Option<u64>,
    remembered: Memory,
    solved: Found,
    positions: u64,
}

impl<'a> Improver<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        pools: &'a Pools,
        endgames: Option<(&'a Marks, &'a Solved)>,
        watch: Watch<'a>,
        base: &'a Base,
        values: &Values,
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
            found: Found::default(),
            workers: Mutex::default(),
            root,
            total,
            positions: 0,
        };
        let mut found = Found::default();
        for (spot, _) in improver.spots(2) {
            found.add(spot.codes.len(), spot.total);
        }
        improver.values = improver.values.learned(&found);
        improver
    }

    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// By how much the total of a position is above what sets of its size usually take, in parts of a guess.
    fn loss(&self, spot: &Spot) -> i128 {
        let usual = u64::from(self.values.of(spot.codes.len()));
        i128::from(spot.total * u64::from(Values::UNIT)) - i128::from(usual)
    }

    /// At most so many positions, as large as possible and none of them inside another: which branches lead there, and by how
    /// many guesses they are above what sets of their size usually take, the worst first. Those that every round solves are
    /// left out.
    pub(super) fn losing(&mut self, most: usize) -> Vec<(Vec<usize>, f64)> {
        let spots: Vec<Spot> = self.spots(solved_up_to(1)).into_iter().map(|(spot, _)| spot).collect();
        let below = |above: &[usize]| {
            let inside = |spot: &&Spot| spot.branches.len() == above.len() + 1 && spot.branches.starts_with(above);
            spots.iter().filter(inside).collect::<Vec<_>>()
        };
        let mut losing = below(&vec![0; self.base.played.len()]);
        // The largest is divided for as long as its parts are not too many.
        while let Some(largest) = (0..losing.len()).max_by_key(|&at| (losing[at].codes.len(), Reverse(at))) {
            let parts = below(&losing[largest].branches);
            if parts.is_empty() || losing.len() - 1 + parts.len() > most {
                break;
            }
            losing.swap_remove(largest);
            losing.extend(parts);
        }
        losing.sort_by_cached_key(|spot| (Reverse(self.loss(spot)), spot.branches.clone()));
        losing.truncate(most);
        let loss = |spot: &Spot| self.loss(spot) as f64 / f64::from(Values::UNIT);
        losing.into_iter().map(|spot| (spot.branches.clone(), loss(spot))).collect()
    }

    /// Positions searched so far.
    pub(super) fn positions(&self) -> u64 {
        self.positions
    }

    pub(super) fn root(&self) -> &Node {
        &self.root
    }

    pub(super) fn into_root(self) -> Node {
        self.root
    }

    /// Works on every position of the tree once, following so many guesses at small ones. Tells the total after each batch,
    /// and how many codes the positions have that are worked on.
    pub(super) fn round(&mut self, width: usize, told: &impl Fn(&Self, usize)) {
        let mut fewest = solved_up_to(width);
        if self.endgames.is_some() {
            self.settle(fewest);
            told(self, fewest);
        }
        for (most, at_a_time) in BANDS {
            let mut spots = self.spots(fewest);
            spots.retain(|(spot, _)| spot.codes.len() <= most);
            // What loses most comes first.
            spots.sort_by_cached_key(|(spot, key)| (Reverse(self.loss(spot)), *key));
            let mut in_vain = 0;
            for batch in spots.chunks(at_a_time) {
                if self.watch.stop().is_some() {
                    return;
                }
                if in_vain == IN_VAIN {
                    break;
                }
                let before = self.total;
                self.batch(batch, width);
                in_vain = if self.total < before { 0 } else { in_vain + 1 };
                told(self, batch.iter().map(|(spot, _)| spot.codes.len()).max().unwrap_or(0));
            }
            fewest = fewest.max(most);
        }
        self.values = self.values.learned(&std::mem::take(&mut self.found));
    }

    /// Solves every part of the tree with at most so many codes that no other such part contains.
    fn settle(&mut self, most: usize) {
        let mut spots = self.spots(2);
        spots.retain(|(spot, _)| spot.codes.len() <= most);
        let small: HashSet<Vec<usize>> = spots.iter().map(|(spot, _)| spot.branches.clone()).collect();
        spots.retain(|(spot, _)| !small.contains(&spot.branches[..spot.branches.len() - 1]));
        let solve = |at: usize| {
            let spot = &spots[at].0;
            self.with_worker(&spot.played, most, |worker| worker.solve(spot))
        };
        let solved = parallel::map_each(spots.len(), |at| Reverse(spots[at].0.codes.len()), solve);
        let better = spots.into_iter().zip(solved).filter_map(|((spot, _), node)| Some((spot.branches, node?)));
        self.replace(better.collect());
    }

    /// Looks for better guesses at some positions: at large ones among many in a narrow search, then among those that did
    /// best there in wider ones.
    fn batch(&mut self, batch: &[(Spot, u128)], width: usize) {
        let probing = |spot: &Spot| spot.codes.len() >= WORTH_PROBING && width >= FEWEST_PROBED;
        let mut candidates = parallel::map_rows(
            batch.len(),
            1,
            || (),
            |(), at| {
                let spot = &batch[at].0;
                let times = if probing(spot) { RUNGS[0].0 } else { 1 };
                self.with_worker(&spot.played, solved_up_to(width), |worker| {
                    worker.searcher.candidates(&spot.codes, width, times, worker.round.watch)
                })
            },
        );
        let mut best: BTreeMap<usize, (u64, Code)> = BTreeMap::new();
        for (narrower, worse) in RUNGS {
            let followed: Vec<(usize, Code)> = (candidates.iter_mut().enumerate())
                .filter(|&(at, _)| narrower == 1 || probing(&batch[at].0))
                .flat_map(|(at, guesses)| std::mem::take(guesses).into_iter().map(move |guess| (at, guess)))
                .collect();
            let limit = |spot: &Spot| spot.total + spot.total * worse / 100;
            let totals = self.follow_all(batch, &followed, (width / narrower).max(1), limit);
            let mut did: BTreeMap<usize, Vec<(u64, usize)>> = BTreeMap::new();
            for (number, ((at, guess), total)) in followed.iter().zip(totals).enumerate() {
                let Some(total) = total.filter(|&total| total < u64::MAX) else { continue };
                did.entry(*at).or_default().push((total, number));
                if total < best.get(at).map_or(batch[*at].0.total, |(known, _)| *known) {
                    best.insert(*at, (total, guess.clone()));
                }
            }
            for (at, mut did) in did {
                did.sort_unstable();
                // Fewer than this share where some were hopeless.
                let tried = followed.iter().filter(|&&(other, _)| other == at).count();
                did.truncate(tried.div_ceil(PROBED_FOR_ONE));
                candidates[at] = did.into_iter().map(|(_, number)| followed[number].1.clone()).collect();
            }
        }
        self.remember(batch, &best, width);
        let mut better: Vec<(usize, Vec<usize>, Node)> = Vec::new();
        let improved: Vec<usize> = best.into_keys().collect();
        let nodes = parallel::map_rows(
            improved.len(),
            1,
            || (),
            |(), number| {
                let spot = &batch[improved[number]].0;
                self.with_worker(&spot.played, solved_up_to(width), |worker| {
                    // What is found is kept, whatever the time.
                    worker.set_watch(Watch::default());
                    let node = worker.searcher.node(&spot.codes, &mut worker.round);
                    worker.set_watch(self.watch);
                    node
                })
            },
        );
        for (at, node) in improved.into_iter().zip(nodes) {
            better.push((batch[at].0.branches.len(), batch[at].0.branches.clone(), node));
        }
        better.sort_by_key(|&(depth, ..)| depth);
        self.replace(better.into_iter().map(|(_, branches, node)| (branches, node)).collect());
    }

    /// What each guess comes to at its position, if it is below a limit, and what was found on the way.
    fn follow_all(
        &mut self,
        batch: &[(Spot, u128)],
        guesses: &[(usize, Code)],
        width: usize,
        limit: impl Fn(&Spot) -> u64 + Sync,
    ) -> Vec<Option<u64>> {
        let follow = |number: usize| {
            let (at, guess) = &guesses[number];
            let spot = &batch[*at].0;
            self.with_worker(&spot.played, solved_up_to(width), |worker| {
                let total = worker.searcher.follow(&spot.codes, guess, width.max(1), limit(spot), &mut worker.round);
                let searcher = &mut worker.searcher;
                Followed {
                    total,
                    remembered: std::mem::take(&mut searcher.remembered),
                    solved: std::mem::take(&mut searcher.solved),
                    positions: std::mem::take(&mut searcher.positions),
                }
            })
        };
        // Those that take longest are begun first, so that nobody waits long for the last.
        let longest = |number: usize| Reverse(batch[guesses[number].0].0.codes.len());
        let followed = parallel::map_each(guesses.len(), longest, follow);
        let known = known(&mut self.workers, &mut self.known);
        let mut totals = Vec::with_capacity(followed.len());
        for one in followed {
            totals.push(one.total);
            self.positions += one.positions;
            self.found.join(&one.solved);
            for (key, new) in one.remembered {
                self.found.add(new.codes as usize, new.total.into());
                merge(known, key, new);
            }
        }
        totals
    }

    /// Keeps what came of the positions of a batch.
    fn remember(&mut self, batch: &[(Spot, u128)], best: &BTreeMap<usize, (u64, Code)>, width: usize) {
        let known = known(&mut self.workers, &mut self.known);
        for (at, (spot, key)) in batch.iter().enumerate() {
            if let Some(old) = known.get_mut(key) {
                old.width = old.width.max(width as u32);
            }
            let Some((total, guess)) = best.get(&at) else { continue };
            let Some(rank) = Space::new(self.rules).rank(guess) else { continue };
            let codes = spot.codes.len() as u32;
            merge(known, *key, Remembered { codes, total: *total as u32, guess: rank as u32, width: width as u32 });
        }
    }

    /// Puts better parts into the tree, those nearest to the root first: one inside another that was replaced is left out.
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

    /// The positions of the tree with more than so many codes, and their keys; of a whole tree, those below the first guess.
    /// What the tree does there is remembered.
    fn spots(&mut self, fewest: usize) -> Vec<(Spot, u128)> {
        let mut spots = Vec::new();
        let mut partitioner = Partitioner::new(self.rules);
        // A part has one branch after each turn.
        let (played, branches) = (self.base.played.clone(), vec![0; self.base.played.len()]);
        let position = branches.iter().fold(&self.root, |node, &branch| &node.branches[branch].node);
        let mut walk = vec![(position, self.base.codes.clone(), played, branches)];
        let mut guesses = Vec::new();
        while let Some((node, codes, played, branches)) = walk.pop() {
            if !branches.is_empty() && codes.len() > fewest {
                let total = Summary::of(node).total;
                guesses.push(node.guess.clone());
                spots.push(Spot { codes: codes.clone(), played: played.clone(), branches: branches.clone(), total });
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
        let keyed = spots.into_iter().zip(guesses).map(|(spot, guess)| {
            let (key, codes) = (set_key(&spot.codes), spot.codes.len() as u32);
            if let Some(rank) = space.rank(&guess) {
                merge(known, key, Remembered { codes, total: spot.total as u32, guess: rank as u32, width: 0 });
            }
            (spot, key)
        });
        keyed.collect()
    }

    /// Does something with one who searches, at the position after these guesses.
    fn with_worker<R>(&self, played: &[Code], solved_up_to: usize, work: impl FnOnce(&mut Worker<'a>) -> R) -> R {
        let free = self.workers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = free.unwrap_or_else(|| self.worker());
        worker.round.solved_up_to = solved_up_to;
        worker.searcher.played = played.to_vec();
        worker.searcher.values = self.values.clone();
        worker.searcher.known = self.known.clone();
        let result = work(&mut worker);
        self.workers.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        result
    }

    fn worker(&self) -> Worker<'a> {
        let endgame = self.endgames.map(|(marks, solved)| Endgame::new(self.rules, marks, solved, self.watch));
        let searcher = Searcher::new(self.rules, self.pools, self.values.clone(), self.root.guess.clone());
        Worker { searcher, round: Round { solved_up_to: 0, watch: self.watch, endgame } }
    }
}

impl<'a> Worker<'a> {
    /// The best tree of a small part, if it is better than what is there.
    fn solve(&mut self, spot: &Spot) -> Option<Node> {
        let total = self.searcher.solve(&spot.codes, &mut self.round)?;
        let node = (total < spot.total).then(|| self.searcher.node(&spot.codes, &mut self.round))?;
        // A tree that was put together when the time was up need not be the best.
        self.round.watch.stop().is_none().then_some(node)
    }

    fn set_watch(&mut self, watch: Watch<'a>) {
        self.round.watch = watch;
        if let Some(endgame) = &mut self.round.endgame {
            endgame.restart(watch);
        }
    }
}

/// How many times narrower the searches are in which guesses are tried, and by how many percent of the total to beat a guess
/// may be worse there. The first tries so many times as many guesses as the last, each keeps a quarter.
const RUNGS: [(usize, u64); 3] = [(16, 2), (4, 1), (1, 0)];
/// After so many batches in a row that brought nothing, those that lose less wait for a wider search.
const IN_VAIN: usize = 3;

/// What is known, to be added to: nobody who searches looks at it then.
fn known<'k>(workers: &mut Mutex<Vec<Worker<'_>>>, known: &'k mut Arc<Memory>) -> &'k mut Memory {
    for worker in workers.get_mut().unwrap_or_else(PoisonError::into_inner) {
        worker.searcher.known = Arc::default();
    }
    Arc::make_mut(known)
}

/// Keeps the better of what was known of a position and what is found now.
fn merge(known: &mut Memory, key: u128, new: Remembered) {
    let room = known.len() < ROOM;
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

/// The most positions that are remembered.
const ROOM: usize = 4 * MOST_REMEMBERED;
