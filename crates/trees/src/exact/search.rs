//! Branch and bound over positions.
//!
//! The total of a position is the number of its codes plus the totals of the parts that the best guess leaves. The
//! guesses of a position are kept in a queue ordered by lower bound. A bound is first derived from the number of parts
//! of a guess, for all guesses with this number at once; then from the sizes of the parts, from the known bounds of
//! each part without a scan of all guesses, and from a probe of each part; finally the parts are solved. The guess with the
//! lowest bound is always refined next, so no work is spent on a guess that a better one has already ruled out.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    sync::Arc,
};

use pegwise_game::{Code, Rules, symmetry::Symmetry};

use super::{
    Objective, Options, Progress,
    bounds::{Bounds, IMPOSSIBLE, UNLIMITED, Width, one_less},
    cache::{CacheEntry, TranspositionTable},
    matrix::{BLOCK, FeedbackMatrix, MARKS_PER_WORD, MAX_KINDS, MarkSet, PartCounter, Scope, SeenPartitions, Split},
    workers::{SplitPoint, WorkerGroup},
};
use pegwise_search::{Watch, canonical::CanonicalForms, clock};

/// Number of marks evaluated between two checks of the clock: a few milliseconds.
pub(super) const MARKS_PER_CLOCK_CHECK: usize = 1 << 24;
/// Cost of a mark that is evaluated without a kernel, relative to one that is.
pub(super) const SCALAR_MARK_COST: usize = 8;
/// Number of positions between two progress reports.
const NODES_PER_REPORT: u64 = 1 << 11;
/// Minimum number of codes of a position at which the symmetries of the guesses are computed; with fewer codes they
/// cost more than they save.
pub(super) const MIN_SYMMETRY_CODES: usize = 64;
/// Minimum number of codes of a position at which the one-ply bound evaluates whole blocks of guesses.
const MIN_KERNEL_CODES: usize = 48;
/// Maximum size of the cached symmetries, in bytes.
const MAX_SYMMETRY_BYTES: usize = 1 << 26;

/// Result of searching a position within a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchResult {
    /// Least total, which is below the budget.
    Total(u32),
    /// Lower bound on the total, which is not below the budget.
    LowerBound(u32),
}

impl SearchResult {
    /// Classifies a least total or lower bound by the budget.
    fn within(total: u32, budget: u32) -> Self {
        if total < budget { Self::Total(total) } else { Self::LowerBound(total) }
    }

    /// Returns the total or the lower bound.
    pub(super) fn low(self) -> u32 {
        match self {
            Self::Total(low) | Self::LowerBound(low) => low,
        }
    }
}

/// Reason why a search ended without a result. A split point consumes its own [`Interrupt::Superseded`] and passes on
/// every other interrupt, so a search that was interrupted never passes for a finished one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interrupt {
    /// The watch stopped the search.
    TimeUp,
    /// Another thread panicked.
    Abandoned,
    /// The split point with this number needs no further result.
    Superseded(u64),
}

/// Best guess so far and its total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Best {
    /// Total of the guess; the budget while there is no guess.
    pub(super) total: u32,
    pub(super) guess: Option<u16>,
    /// Lowest bound of the guesses that were ruled out.
    pub(super) ruled_out: u32,
}

impl Best {
    /// Takes the result of a guess: its total, or a lower bound that is not below the best total.
    pub(super) fn update(&mut self, guess: u16, low: u32) {
        if low < self.total {
            (self.total, self.guess) = (low, Some(guess));
        } else {
            self.ruled_out = self.ruled_out.min(low);
        }
    }
}

/// Position whose guesses are expanded.
#[derive(Clone, Copy)]
pub(super) struct NodeContext<'a> {
    pub(super) set: &'a [u16],
    /// Number of guesses left after the next one.
    pub(super) left: u32,
    /// Width of the position.
    pub(super) width: Width,
}

/// Order in which the guesses of a position are expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GuessOrder {
    /// By all known bounds: fastest.
    BestFirst,
    /// By bounds that do not depend on earlier searches, so that the choice among equally good guesses is reproducible.
    Fixed,
}

/// Search for least totals.
pub(super) struct Searcher<'a> {
    pub(super) rules: &'a Rules,
    pub(super) matrix: &'a FeedbackMatrix,
    pub(super) bounds: Bounds,
    pub(super) canonical: CanonicalForms,
    pub(super) kernel: PartCounter,
    /// Transposition table, shared by all threads of a search.
    pub(super) cache: Arc<TranspositionTable>,
    /// Allows only guesses that can be the secret.
    pub(super) consistent_only: bool,
    /// Accepts any tree within the allowed number of guesses, not only one of least total.
    pub(super) any: bool,
    /// Raises the bounds of all parts of a first guess evenly.
    pub(super) anytime: bool,
    /// Threads that work on the same search.
    pub(super) workers: Option<&'a WorkerGroup>,
    /// Innermost split point that this thread works at.
    pub(super) split_point: Option<Arc<SplitPoint>>,
    watch: Watch<'a>,
    progress: &'a (dyn Fn(Progress) + Sync),
    /// Progress of the search from the first guess.
    pub(super) reached: Progress,
    pub(super) nodes: u64,
    /// True once the watch has stopped the search or another thread panicked; both are final.
    pub(super) ended: bool,
    /// Marks evaluated since the last check of the clock.
    unchecked_marks: usize,
    /// Marks that may still be evaluated before the search is stopped.
    pub(super) marks_left: u64,
    /// Time left to assemble a tree after the search was stopped; set when that begins.
    pub(super) grace: Option<Watch<'static>>,
    /// Guesses played before the current position.
    pub(super) path: Vec<u16>,
    /// For each path, the guesses that represent their symmetry class; `None` if no two guesses are equivalent.
    symmetric: HashMap<Vec<u16>, Option<Arc<[bool]>>>,
    /// Unused queues, kept for their memory.
    pub(super) queues: Vec<GuessQueue>,
}

impl<'a> Searcher<'a> {
    /// Creates a searcher that shares its work and its transposition table with `workers`, if any.
    pub(super) fn new(
        rules: &'a Rules,
        matrix: &'a FeedbackMatrix,
        options: &Options,
        watch: Watch<'a>,
        progress: &'a (dyn Fn(Progress) + Sync),
        workers: Option<&'a WorkerGroup>,
    ) -> Self {
        let own_table = || Arc::new(TranspositionTable::new(options.cache_bytes));
        Self {
            rules,
            matrix,
            bounds: Bounds::new(matrix.secrets.len(), matrix.kinds()),
            canonical: match matrix.scope {
                Scope::Whole | Scope::ListedSecrets => CanonicalForms::new(rules, &matrix.table),
                Scope::ListedGuesses => CanonicalForms::without_symmetries(rules, &matrix.table),
            },
            kernel: PartCounter::available(matrix.kinds())[0],
            cache: workers.map_or_else(own_table, |workers| workers.cache.clone()),
            consistent_only: options.consistent_only,
            any: options.objective == Objective::Worst,
            anytime: options.anytime && options.objective == Objective::Mean,
            workers,
            split_point: None,
            watch,
            progress,
            reached: Progress { nodes: 0, lower_bound: 0, total: None },
            nodes: 0,
            ended: false,
            unchecked_marks: 0,
            marks_left: u64::MAX,
            grace: None,
            path: Vec::new(),
            symmetric: HashMap::new(),
            queues: Vec::new(),
        }
    }

    /// Prepares for another search, with another watch. Small positions never reach the next check of the clock, so a
    /// watch that has already stopped is noticed here.
    pub(super) fn restart(&mut self, watch: Watch<'a>) {
        (self.watch, self.ended, self.grace) = (watch, watch.stop().is_some(), None);
        self.path.clear();
    }

    /// Returns the least total of a position within `guesses` guesses if it is below the budget, or else a lower bound.
    /// `width` is a width of the position.
    pub(super) fn solve(
        &mut self,
        set: &[u16],
        guesses: u32,
        width: Width,
        budget: u32,
    ) -> Result<SearchResult, Interrupt> {
        let codes = set.len();
        if let Some(total) = self.trivial_total(set, guesses, width) {
            return Ok(SearchResult::within(total, budget));
        }
        let low = self.quick_bound(codes, guesses, width);
        if low >= budget {
            return Ok(SearchResult::LowerBound(low));
        }
        let key = self.key(set, guesses);
        let known = self.cache.get(key);
        if let Some(known) = known
            && (known.low >= budget || known.low == known.high)
        {
            return Ok(SearchResult::within(known.low, budget));
        }
        self.count_node(codes)?;
        let mut queue = self.queues.pop().unwrap_or_default();
        let low = known.map_or(low, |known| known.low.max(low));
        let best = self.expand(&mut queue, set, guesses, budget, low, GuessOrder::BestFirst)?;
        self.queues.push(queue);
        Ok(match best.guess {
            Some(guess) => {
                let guess = self.canonical.pack(&self.canonical.form(set), guess);
                self.cache.put(key, codes, CacheEntry { low: best.total, high: best.total, guess });
                SearchResult::Total(best.total)
            }
            None => {
                // No total is near half of `IMPOSSIBLE`, so such a budget rules out only infeasible positions.
                let low = if budget > IMPOSSIBLE / 2 { IMPOSSIBLE } else { best.ruled_out.max(budget) };
                self.cache.put(key, codes, CacheEntry { low, high: IMPOSSIBLE, guess: 0 });
                SearchResult::LowerBound(low)
            }
        })
    }

    /// Returns the key of a position with a limit on the number of guesses.
    pub(super) fn key(&mut self, set: &[u16], guesses: u32) -> u128 {
        let key = self.canonical.key(set);
        // A limit of at least one guess per code is no limit.
        if (guesses as usize) < set.len() { key.wrapping_mul(u128::from(guesses) * 2 + 3) } else { key }
    }

    /// Counts a position of `codes` codes on which every guess is evaluated.
    pub(super) fn count_node(&mut self, codes: usize) -> Result<(), Interrupt> {
        if self.ended {
            return Err(Interrupt::TimeUp);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_REPORT) {
            self.report_progress();
        }
        self.spend(codes * self.matrix.stride())
    }

    /// Returns the first guess of least total in a fixed order, independent of earlier searches. `total` is the least
    /// total.
    pub(super) fn first_best_guess(&mut self, set: &[u16], guesses: u32, total: u32) -> Result<Option<u16>, Interrupt> {
        let mut queue = self.queues.pop().unwrap_or_default();
        let best = self.expand(&mut queue, set, guesses, total + 1, total, GuessOrder::Fixed)?;
        self.queues.push(queue);
        Ok(best.guess)
    }

    /// Counts evaluated marks, and checks the clock when they are enough.
    #[inline]
    pub(super) fn spend(&mut self, marks: usize) -> Result<(), Interrupt> {
        clock::work(marks as u64);
        self.unchecked_marks += marks;
        self.marks_left = self.marks_left.saturating_sub(marks as u64);
        if self.marks_left == 0 {
            self.ended = true;
            return Err(Interrupt::TimeUp);
        }
        let marks_per_check = self.workers.map_or(MARKS_PER_CLOCK_CHECK, |workers| workers.marks_per_clock_check);
        if self.unchecked_marks < marks_per_check {
            return Ok(());
        }
        self.unchecked_marks = 0;
        let interrupt = if self.watch.stop().is_some() { Some(Interrupt::TimeUp) } else { self.interrupt() };
        self.ended |= matches!(interrupt, Some(Interrupt::TimeUp | Interrupt::Abandoned));
        interrupt.map_or(Ok(()), Err)
    }

    /// Calls the progress callback.
    pub(super) fn report_progress(&self) {
        (self.progress)(Progress { nodes: self.all_nodes(), ..self.reached });
    }

    /// Expands the guesses of a position until one is proven best or all are ruled out.
    fn expand(
        &mut self,
        queue: &mut GuessQueue,
        set: &[u16],
        guesses: u32,
        budget: u32,
        known_low: u32,
        order: GuessOrder,
    ) -> Result<Best, Interrupt> {
        let codes = set.len();
        let mut best = Best { total: budget, guess: None, ruled_out: IMPOSSIBLE };
        let width = self.count_parts(queue, set);
        let context = NodeContext { set, left: one_less(guesses), width };
        queue.restart(self, context);
        let least = queue.buckets.first().low.max(known_low);
        if least >= budget {
            best.ruled_out = least;
            return Ok(best);
        }
        if codes >= MIN_SYMMETRY_CODES
            && let Some(representative) = self.representatives()
        {
            for (parts, &keep) in queue.parts.iter_mut().zip(&*representative) {
                *parts = if keep { *parts } else { 0 };
            }
            for (parts, &code) in queue.own.iter_mut().zip(set) {
                *parts = if representative[usize::from(code)] { *parts } else { 0 };
            }
        }
        let (mut one_done, mut shared) = (false, order == GuessOrder::Fixed);
        while best.total > least && !(self.any && best.guess.is_some()) {
            let Some((candidate, next)) = queue.next(self, context, &mut best) else { break };
            one_done |= self.advance(queue, context, candidate, next, order, &mut best)?;
            // The first finished guess is probably the best one, and its total bounds all others.
            if one_done && !shared && best.total > least && self.is_worth_sharing(codes) {
                // If the split point is superseded, this thread continues with the guesses that remain.
                self.share(queue, context, &mut best, least)?;
                shared = true;
            }
        }
        Ok(best)
    }

    /// Refines the bound of a guess, and puts it back into the queue if another one is lower. Returns true if its parts
    /// were searched.
    fn advance(
        &mut self,
        queue: &mut GuessQueue,
        context: NodeContext<'_>,
        mut candidate: QueuedGuess,
        next: u32,
        order: GuessOrder,
        best: &mut Best,
    ) -> Result<bool, Interrupt> {
        // Probed bounds depend on the contents of the transposition table, so they must not affect a fixed order.
        let next = if order == GuessOrder::BestFirst { next } else { IMPOSSIBLE };
        let mut split = std::mem::take(&mut queue.split);
        let searched = self.finish(&mut split, context, &mut candidate, next, || best.total)?;
        queue.split = split;
        if searched || candidate.low >= best.total {
            best.update(candidate.guess, candidate.low);
        } else {
            queue.waiting.push(Reverse(candidate));
        }
        Ok(searched)
    }

    /// Probes the parts of a guess and solves them, unless the probed bound exceeds `next` or the limit. Returns true
    /// if they were solved; the bound is then the total, or at least the limit.
    pub(super) fn finish(
        &mut self,
        split: &mut Split,
        context: NodeContext<'_>,
        candidate: &mut QueuedGuess,
        next: u32,
        limit: impl Fn() -> u32,
    ) -> Result<bool, Interrupt> {
        self.spend(SCALAR_MARK_COST * context.set.len())?;
        split.of(self.matrix, candidate.guess, context.set);
        if candidate.stage == Reverse(Stage::Sized) {
            self.probe_parts(split, context, candidate, next, limit())?;
        }
        if candidate.low >= limit() || candidate.low > next {
            return Ok(false);
        }
        self.path.push(candidate.guess);
        let low = self.solve_parts(split, context, limit);
        self.path.pop();
        candidate.low = low?;
        Ok(true)
    }

    /// Raises the bound of a guess by probing each part, small parts first. Bounds that need no scan of all guesses come
    /// first, until they reach the limit; then the others, until the sum exceeds `next`.
    fn probe_parts(
        &mut self,
        split: &Split,
        context: NodeContext<'_>,
        candidate: &mut QueuedGuess,
        next: u32,
        limit: u32,
    ) -> Result<(), Interrupt> {
        let left = context.left;
        let quick = |searcher: &Self, mark, part: &[u16]| {
            searcher.quick_bound(part.len(), left, searcher.width_of_part(context, mark))
        };
        let codes = context.set.len() as u32;
        let mut low = split.parts().fold(codes, |low, (mark, part)| sum(low, quick(self, mark, part)));
        let mut unknown = MarkSet::<2>::EMPTY;
        for (at, (mark, part)) in (0..).zip(split.parts().rev()) {
            if low >= limit {
                break;
            }
            let (part_low, is_known) = self.known_bound(part, left, self.width_of_part(context, mark));
            low = sum(low - quick(self, mark, part), part_low);
            if !is_known {
                unknown.insert(at);
            }
        }
        for (at, (mark, part)) in (0..).zip(split.parts().rev()) {
            if low >= limit || low > next {
                candidate.low = low;
                return Ok(());
            }
            if unknown.contains(at) {
                let width = self.width_of_part(context, mark);
                let before = quick(self, mark, part).max(not_trivial(part.len()));
                low = sum(low - before, self.probe_bound(part, left, width)?);
            }
        }
        (candidate.low, candidate.stage) = (low, Reverse(Stage::Probed));
        Ok(())
    }

    /// Returns the total of a guess, or a lower bound that is not below the limit. The limit may decrease meanwhile.
    fn solve_parts(
        &mut self,
        split: &Split,
        context: NodeContext<'_>,
        limit: impl Fn() -> u32,
    ) -> Result<u32, Interrupt> {
        let left = context.left;
        let mut lows = [0; MAX_KINDS];
        let mut low = context.set.len() as u32;
        for ((mark, part), part_low) in split.parts().zip(&mut lows) {
            *part_low = self.probe_bound(part, left, self.width_of_part(context, mark))?;
            low = sum(low, *part_low);
        }
        for ((mark, part), part_low) in split.parts().zip(lows) {
            let limit = limit();
            if low >= limit {
                break;
            }
            let others = low - part_low;
            low = sum(others, self.solve(part, left, self.width_of_part(context, mark), limit - others)?.low());
        }
        Ok(low)
    }

    /// Returns the width of any position.
    pub(super) fn any_width(&self) -> Width {
        Width::of_kinds(self.matrix.kinds())
    }

    /// Returns the width of the part of a position that has the given mark.
    fn width_of_part(&self, context: NodeContext<'_>, mark: u8) -> Width {
        context.width.min(self.matrix.widths[usize::from(mark)])
    }

    /// Returns the guesses that represent their symmetry class after the guesses played; `None` if all do, as on a list
    /// of secrets.
    pub(super) fn representatives(&mut self) -> Option<Arc<[bool]>> {
        if self.matrix.scope != Scope::Whole {
            return None;
        }
        if let Some(known) = self.symmetric.get(&self.path) {
            return known.clone();
        }
        let played: Vec<Code> = self.path.iter().map(|&guess| self.matrix.table.code(guess.into())).collect();
        let symmetry = Symmetry::new(self.rules, &played);
        let keep = |row: usize| symmetry.is_representative(&self.matrix.table.code(row));
        let kept = (!symmetry.is_trivial()).then(|| (0..self.matrix.len()).map(keep).collect());
        if self.symmetric.len() * self.matrix.len() > MAX_SYMMETRY_BYTES {
            self.symmetric.clear();
        }
        self.symmetric.insert(self.path.clone(), kept.clone());
        kept
    }
}

/// Returns a lower bound on the total of a position that is not trivial ([`Searcher::trivial_total`]): none of its
/// codes leaves all others in parts of their own, so either one code takes one guess and another three, or none takes
/// one.
fn not_trivial(codes: usize) -> u32 {
    2 * codes as u32
}

/// Adds totals; sums are at most `IMPOSSIBLE`.
#[inline]
pub(super) fn sum(one: u32, other: u32) -> u32 {
    (one + other).min(IMPOSSIBLE)
}

/// Queue of the guesses of one position, with its working memory.
#[derive(Default)]
pub(super) struct GuessQueue {
    /// Number of parts that each guess makes; zero for the codes of the position and for guesses that are not allowed.
    parts: Vec<u8>,
    /// Number of parts that each code of the position makes.
    own: Vec<u8>,
    /// Parts of the current guess.
    split: Split,
    /// Guesses that are not queued yet.
    pub(super) buckets: Buckets,
    /// Queued guesses, lowest bound first.
    pub(super) waiting: BinaryHeap<Reverse<QueuedGuess>>,
    /// Distinct partitions of the position found so far.
    seen: SeenPartitions,
    /// Excess of the sizes of the parts of each guess ([`PartCounter::excess`]), by block; `None` if not computed.
    excess: Vec<Option<[u16; BLOCK]>>,
    /// Thresholds of each mark for the excess; empty if not computed.
    thresholds: Vec<Vec<u16>>,
}

/// Queued guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct QueuedGuess {
    /// Lower bound on the total of strategies that begin with the guess.
    pub(super) low: u32,
    /// Origin of the bound; among equal bounds the most precise comes first.
    pub(super) stage: Reverse<Stage>,
    pub(super) inconsistent: bool,
    pub(super) guess: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Sizes of the parts.
    Sized,
    /// Probe of each part.
    Probed,
}

/// Guesses that make the same number of parts, and that can or cannot win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GuessBucket {
    /// Lower bound from the number of parts.
    pub(super) low: u32,
    parts: u8,
    wins: bool,
}

/// Buckets of a position: the next one of guesses that can win and the next one of all others. The bounds of each kind
/// ascend, because fewer parts are never better.
#[derive(Debug, Clone, Copy)]
pub(super) struct Buckets([GuessBucket; 2]);

impl Default for Buckets {
    fn default() -> Self {
        Self([true, false].map(|wins| GuessBucket { low: IMPOSSIBLE, parts: 0, wins }))
    }
}

impl Buckets {
    /// Returns the bucket with the lowest bound, which is [`IMPOSSIBLE`] if no guess is left.
    pub(super) fn first(&self) -> GuessBucket {
        let [own, other] = self.0;
        if (own.low, own.parts) < (other.low, other.parts) { own } else { other }
    }

    /// Proceeds to the next bucket after the one with the lowest bound.
    fn advance(&mut self, searcher: &Searcher<'_>, context: NodeContext<'_>) {
        let next = &mut self.0[usize::from(!self.first().wins)];
        next.parts -= 1;
        next.low = searcher.split_bound(context, next.parts, next.wins);
    }
}

/// Returns the largest number.
fn most(parts: &[u8]) -> u8 {
    parts.iter().fold(0, |most, &parts| most.max(parts))
}

/// Returns the guesses of a bucket, given the numbers of parts of a [`GuessQueue`].
fn guesses_of<'q>(
    bucket: GuessBucket,
    set: &'q [u16],
    own: &'q [u8],
    parts: &'q [u8],
) -> impl Iterator<Item = u16> + 'q {
    let (own, others) = if bucket.wins { (own, &[][..]) } else { (&[][..], parts) };
    let own = set.iter().zip(own).filter(move |&(_, &parts)| parts == bucket.parts).map(|(&code, _)| code);
    let blocks = (0u16..).step_by(BLOCK).zip(others.chunks_exact(BLOCK));
    let blocks = blocks.filter(move |(_, block)| block.contains(&bucket.parts));
    let others = blocks.flat_map(|(first, block)| (first..).zip(block));
    own.chain(others.filter(move |&(_, &parts)| parts == bucket.parts).map(|(guess, _)| guess))
}

impl GuessQueue {
    /// Prepares the queue for a position whose parts have been counted.
    fn restart(&mut self, searcher: &Searcher<'_>, context: NodeContext<'_>) {
        self.buckets =
            Buckets([(true, most(&self.own)), (false, most(&self.parts))].map(|(wins, parts)| GuessBucket {
                low: searcher.split_bound(context, parts, wins),
                parts,
                wins,
            }));
        self.waiting.clear();
        self.seen.clear();
        self.excess.clear();
        self.thresholds.clear();
    }

    /// Drops all guesses.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.buckets = Buckets::default();
    }

    /// Returns true if no guess is left.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.buckets.first().low == IMPOSSIBLE
    }

    /// Returns the lowest bound in the queue.
    pub(super) fn lowest(&self) -> u32 {
        self.waiting.peek().map_or(IMPOSSIBLE, |Reverse(first)| first.low)
    }

    /// Removes the guess with the lowest bound, and returns it with the next lowest bound; `None` if no guess can beat
    /// the best one. Of several guesses that make the same partition, only the first is returned.
    pub(super) fn next(
        &mut self,
        searcher: &Searcher<'_>,
        context: NodeContext<'_>,
        best: &mut Best,
    ) -> Option<(QueuedGuess, u32)> {
        loop {
            while self.buckets.first().low < self.lowest() {
                let bucket = self.buckets.first();
                if bucket.low >= best.total {
                    best.ruled_out = best.ruled_out.min(bucket.low);
                    return None;
                }
                self.open(searcher, context, bucket);
                self.buckets.advance(searcher, context);
            }
            let Reverse(candidate) = self.waiting.pop()?;
            if candidate.low >= best.total {
                best.ruled_out = best.ruled_out.min(candidate.low);
                return None;
            }
            let QueuedGuess { stage, inconsistent, guess, .. } = candidate;
            if stage == Reverse(Stage::Probed) || self.seen.is_new(searcher.matrix, context.set, guess, !inconsistent) {
                return Some((candidate, self.lowest().min(self.buckets.first().low)));
            }
        }
    }

    /// Queues the guesses of a bucket.
    fn open(&mut self, searcher: &Searcher<'_>, context: NodeContext<'_>, bucket: GuessBucket) {
        let codes = context.set.len() as u32;
        let is_sized = searcher.is_sized_by_parts(context);
        self.excess.resize(self.parts.len() / BLOCK, None);
        if !is_sized && self.thresholds.is_empty() {
            let width = |mark| searcher.width_of_part(context, mark);
            let thresholds = |mark| searcher.bounds.thresholds(width(mark), context.set.len());
            self.thresholds.extend((0..searcher.matrix.kinds() as u8).map(thresholds));
        }
        let most = searcher.bounds.reach(context.left, context.width).min(u16::MAX.into()) as u16;
        let (excess, thresholds) = (&mut self.excess, &self.thresholds);
        let mut low = |guess: u16| {
            if is_sized {
                return bucket.low;
            }
            let (block, at) = (usize::from(guess) / BLOCK, usize::from(guess) % BLOCK);
            let excess = excess[block].get_or_insert_with(|| {
                let mut excess = [0; BLOCK];
                let limits = (&thresholds[..], most);
                searcher.kernel.excess(searcher.matrix, context.set, block * BLOCK, limits, &mut excess);
                excess
            })[at];
            if excess == u16::MAX && context.left != UNLIMITED {
                return IMPOSSIBLE;
            }
            2 * codes - u32::from(bucket.wins) + u32::from(excess)
        };
        let guesses = guesses_of(bucket, context.set, &self.own, &self.parts);
        self.waiting.extend(guesses.map(|guess| {
            let (low, inconsistent) = (low(guess), !bucket.wins);
            Reverse(QueuedGuess { low, stage: Reverse(Stage::Sized), inconsistent, guess })
        }));
    }
}

impl Searcher<'_> {
    /// Returns a lower bound from the number of codes.
    pub(super) fn quick_bound(&self, codes: usize, guesses: u32, width: Width) -> u32 {
        if guesses != UNLIMITED && !self.bounds.fits(codes, guesses, width) {
            return IMPOSSIBLE;
        }
        self.bounds.least(width, codes)
    }

    /// Returns the total of a position that needs no search: up to three codes, or codes that one of them splits into
    /// parts of one code each, but for at most one pair.
    ///
    /// All codes but the guess then take two guesses each, and one code of the pair takes three. No other guess is
    /// better: a guess that leaves no pair and is not one of the `n` codes takes `2 n` guesses as well.
    #[inline]
    pub(super) fn trivial_total(&self, set: &[u16], guesses: u32, width: Width) -> Option<u32> {
        let codes = set.len() as u32;
        match codes {
            0 => Some(0),
            1 => Some(if guesses >= 1 { 1 } else { IMPOSSIBLE }),
            _ if guesses < 2 => Some(IMPOSSIBLE),
            2 => Some(3),
            _ if codes > u32::from(width.own()) + 1 => None,
            // At worst, any of three codes leaves the other two in one part.
            _ => match self.own_splitter(set)? {
                (_, 0) => Some(2 * codes - 1),
                (_, pairs) if guesses >= 3 => Some(2 * codes - 1 + pairs),
                _ => None,
            },
        }
    }

    /// Returns the code of the position that makes the most parts and the number of codes less the number of parts, if
    /// that is at most one.
    pub(super) fn own_splitter(&self, set: &[u16]) -> Option<(u16, u32)> {
        match self.matrix.kinds() {
            kinds if set.len() > kinds + 1 => None,
            ..=MARKS_PER_WORD => self.own_splitter_within::<1>(set),
            _ => self.own_splitter_within::<2>(set),
        }
    }

    #[inline]
    fn own_splitter_within<const WORDS: usize>(&self, set: &[u16]) -> Option<(u16, u32)> {
        let mut near = None;
        for &guess in set {
            let row = self.matrix.of_guess(guess);
            let (mut seen, mut fewer) = (MarkSet::<WORDS>::EMPTY, 0);
            let is_near = set.iter().all(|&code| {
                fewer += u32::from(!seen.insert(row[usize::from(code)]));
                fewer <= 1
            });
            if is_near && fewer == 0 {
                return Some((guess, 0));
            }
            if is_near && near.is_none() {
                near = Some((guess, 1));
            }
        }
        near
    }

    /// Counts the parts that each guess makes, zero for guesses that are not allowed. Returns the width of the position.
    pub(super) fn count_parts(&mut self, queue: &mut GuessQueue, set: &[u16]) -> Width {
        queue.parts.resize(self.matrix.stride(), 0);
        self.kernel.parts(self.matrix, set, 0, &mut queue.parts);
        queue.parts[self.matrix.len()..].fill(0);
        queue.own.clear();
        queue.own.extend(set.iter().map(|&code| std::mem::take(&mut queue.parts[usize::from(code)])));
        if self.consistent_only {
            queue.parts.fill(0);
        }
        Width::new(most(&queue.own), most(&queue.parts))
    }

    /// Returns a lower bound on a position that needs no scan of all guesses, and true if a probe is unnecessary.
    fn known_bound(&mut self, set: &[u16], guesses: u32, width: Width) -> (u32, bool) {
        if let Some(total) = self.trivial_total(set, guesses, width) {
            return (total, true);
        }
        let quick = self.quick_bound(set.len(), guesses, width);
        if quick >= IMPOSSIBLE {
            return (quick, true);
        }
        let key = self.key(set, guesses);
        match self.cache.get(key) {
            Some(known) => (known.low.max(quick), true),
            None => (quick.max(not_trivial(set.len())), false),
        }
    }

    /// Returns a lower bound from the parts of all guesses.
    pub(super) fn probe_bound(&mut self, set: &[u16], guesses: u32, width: Width) -> Result<u32, Interrupt> {
        let (known, is_known) = self.known_bound(set, guesses, width);
        if is_known {
            return Ok(known);
        }
        let codes = set.len();
        self.count_node(codes)?;
        let mut queue = self.queues.pop().unwrap_or_default();
        let width = self.count_parts(&mut queue, set);
        let low = self.one_ply_bound(&mut queue, set, guesses, width)?.max(known);
        let key = self.key(set, guesses);
        self.cache.put(key, codes, CacheEntry { low, high: IMPOSSIBLE, guess: 0 });
        self.queues.push(queue);
        Ok(low)
    }

    /// Returns the one-ply bound of `set`.
    ///
    /// Let `size(part)` be the lower bound on the total of a part by its number of codes ([`Bounds::least`];
    /// [`IMPOSSIBLE`] if they do not fit the remaining guesses), where the width of the part is the minimum of `width`,
    /// the width of `set`, and the width of all codes with its mark ([`FeedbackMatrix::widths`]). The bound is the
    /// minimum, over all allowed guesses that win or make at least two parts, of `n` plus `size(part)` of each part but
    /// the winning one.
    ///
    /// Proof: every strategy begins with such a guess, which counts once for each of the `n` codes, and continues in
    /// each part but the winning one. A part is a subset of `set` and of the codes with its mark, so both widths apply
    /// to it and to every position below, and the part takes at least `size(part)` guesses.
    ///
    /// Histograms are computed only for guesses whose bound from the number of parts is below the minimum so far: that
    /// bound never exceeds the one from the sizes, because the bounds from `f` are convex and equal parts are best.
    /// Sets of at least [`MIN_KERNEL_CODES`] codes use the bounds from `f` alone, for blocks of guesses at once.
    pub(super) fn one_ply_bound(
        &mut self,
        queue: &mut GuessQueue,
        set: &[u16],
        guesses: u32,
        width: Width,
    ) -> Result<u32, Interrupt> {
        let context = NodeContext { set, left: one_less(guesses), width };
        queue.restart(self, context);
        let mut least = IMPOSSIBLE;
        loop {
            let bucket = queue.buckets.first();
            if bucket.low >= least {
                return Ok(least);
            }
            if self.is_sized_by_parts(context) {
                return Ok(bucket.low);
            }
            if set.len() < MIN_KERNEL_CODES {
                let mut sized = 0;
                for guess in guesses_of(bucket, set, &queue.own, &queue.parts) {
                    sized += 1;
                    least = least.min(self.sized_bound(context, guess));
                    if least <= bucket.low {
                        return Ok(least);
                    }
                }
                self.spend(SCALAR_MARK_COST * set.len() * sized)?;
            } else {
                queue.open(self, context, bucket);
                least = queue.lowest();
            }
            queue.buckets.advance(self, context);
        }
    }

    /// Returns a lower bound for a guess from the sizes of its parts.
    pub(super) fn sized_bound(&self, context: NodeContext<'_>, guess: u16) -> u32 {
        let set = context.set;
        let row = self.matrix.of_guess(guess);
        let mut sizes = [0u32; MAX_KINDS];
        let sizes = &mut sizes[..self.matrix.kinds()];
        set.iter().for_each(|&code| sizes[usize::from(row[usize::from(code)])] += 1);
        sizes[usize::from(self.matrix.winning)] = 0;
        let bound = |(mark, &size): (u8, &u32)| {
            self.quick_bound(size as usize, context.left, self.width_of_part(context, mark))
        };
        set.len() as u32 + (0..).zip(&*sizes).map(bound).fold(0, sum)
    }

    /// Returns true if the numbers of parts of a position determine the bounds from the sizes of the parts: the total of
    /// a part of `n` codes is then at least `2 n - 1`.
    fn is_sized_by_parts(&self, context: NodeContext<'_>) -> bool {
        context.left == UNLIMITED && context.set.len() <= usize::from(context.width.parts())
    }

    /// Returns a lower bound for guesses that make `parts` parts.
    fn split_bound(&self, context: NodeContext<'_>, parts: u8, wins: bool) -> u32 {
        let NodeContext { set, left, width } = context;
        let codes = set.len();
        if parts == 0 || left != UNLIMITED && !self.bounds.fits(codes.div_ceil(usize::from(parts)), left, width) {
            return IMPOSSIBLE;
        }
        self.bounds.split(width, codes, parts, wins)
    }
}
