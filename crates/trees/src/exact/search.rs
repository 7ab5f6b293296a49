//! Branch and bound over positions.
//!
//! The total of a position is the number of its codes plus the totals of the parts that the best guess leaves. The
//! guesses of a position are kept in a queue ordered by lower bound. A bound is first derived from the number of parts
//! of a guess, then from the sizes of the parts, then from a probe of each part; finally the parts are solved. The
//! guess with the lowest bound is always refined next, so no work is spent on a guess that a better one has already
//! ruled out.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    sync::Arc,
};

use pegwise_game::{Code, Rules, symmetry::Symmetry};

use super::{
    Objective, Options, Progress,
    bounds::{Bounds, IMPOSSIBLE, UNLIMITED, one_less},
    cache::{Entry, TranspositionTable},
    matrix::{FeedbackMatrix, MAX_KINDS, PartCounter, SeenPartitions, Split},
    workers::{SplitPoint, WorkerGroup},
};
use pegwise_search::{Watch, canonical::CanonicalForms, clock};

/// Marks evaluated between two checks of the clock: a few milliseconds.
pub(super) const MARKS_PER_CLOCK_CHECK: usize = 1 << 24;
/// Cost of a mark that is evaluated without a kernel, relative to one that is.
pub(super) const SCALAR_MARK_COST: usize = 8;
/// Positions between two progress reports.
const NODES_PER_REPORT: u64 = 1 << 14;
/// Minimum number of codes of a position at which the symmetries of the guesses are computed; with fewer codes they
/// cost more than they save.
pub(super) const MIN_SYMMETRY_CODES: usize = 64;
/// Maximum size of the cached symmetries, in bytes.
const MAX_SYMMETRY_BYTES: usize = 1 << 26;

/// Result of searching a position within a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchResult {
    /// Least total, which is below the budget.
    Total(u32),
    /// Lower bound of the total, which is not below the budget.
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
    /// Maximum number of parts that a guess makes of the codes.
    pub(super) max_parts: u8,
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
            bounds: Bounds::new(matrix.len(), matrix.kinds()),
            canonical: CanonicalForms::new(rules, &matrix.table),
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
    /// `max_parts` bounds the number of parts that a guess makes of these codes.
    pub(super) fn solve(
        &mut self,
        set: &[u16],
        guesses: u32,
        max_parts: u8,
        budget: u32,
    ) -> Result<SearchResult, Interrupt> {
        let codes = set.len();
        if let Some(total) = self.trivial_total(set, guesses) {
            return Ok(SearchResult::within(total, budget));
        }
        let low = self.quick_bound(codes, guesses, max_parts);
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
                self.cache.put(key, codes, Entry { low: best.total, high: best.total, guess });
                SearchResult::Total(best.total)
            }
            None => {
                // No total is near half of `IMPOSSIBLE`, so such a budget rules out only infeasible positions.
                let low = if budget > IMPOSSIBLE / 2 { IMPOSSIBLE } else { best.ruled_out.max(budget) };
                self.cache.put(key, codes, Entry { low, high: IMPOSSIBLE, guess: 0 });
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
        let max_parts = self.count_parts(queue, set);
        let least = self.least_bound(queue, set, guesses, max_parts).max(known_low);
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
        }
        queue.waiting.clear();
        queue.seen.clear();
        let context = NodeContext { set, left: one_less(guesses), max_parts };
        let mut buckets = self.buckets(queue, set, guesses, max_parts);
        let (mut one_done, mut shared) = (false, order == GuessOrder::Fixed);
        while best.total > least && !(self.any && best.guess.is_some()) {
            let Some((candidate, next)) = queue.next(set, &mut buckets, &mut best) else { break };
            one_done |= self.advance(queue, context, candidate, next, order, &mut best)?;
            // The first finished guess is probably the best one, and its total bounds all others.
            if one_done && !shared && best.total > least && self.is_worth_sharing(codes) {
                // If the split point is superseded, this thread continues with the guesses that remain.
                self.share(queue, context, &mut buckets, &mut best, least)?;
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
        let set = context.set;
        if candidate.stage == Reverse(Stage::Counted) {
            self.spend(SCALAR_MARK_COST * set.len())?;
            if !queue.seen.is_new(self.matrix, set, candidate.guess, !candidate.inconsistent) {
                return Ok(false);
            }
            candidate.low = self.sized_bound(context, candidate.guess);
            candidate.stage = Reverse(Stage::Sized);
            if candidate.low >= best.total {
                best.ruled_out = best.ruled_out.min(candidate.low);
                return Ok(false);
            }
            if candidate.low > next {
                queue.waiting.push(Reverse(candidate));
                return Ok(false);
            }
        }
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

    /// Returns a lower bound for a guess from the sizes of its parts.
    pub(super) fn sized_bound(&mut self, context: NodeContext<'_>, guess: u16) -> u32 {
        let NodeContext { set, left, max_parts } = context;
        let row = self.matrix.of_guess(guess);
        let mut sizes = [0u32; MAX_KINDS];
        set.iter().for_each(|&code| sizes[usize::from(row[usize::from(code)])] += 1);
        sizes[usize::from(self.matrix.winning)] = 0;
        let sizes = sizes[..self.matrix.kinds()].iter().filter(|&&size| size > 0);
        set.len() as u32 + sizes.map(|&size| self.quick_bound(size as usize, left, max_parts)).fold(0, sum)
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
        split.of(self.matrix, candidate.guess, context.set);
        if candidate.stage == Reverse(Stage::Sized) {
            self.probe_parts(split, context, candidate, limit())?;
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

    /// Raises the bound of a guess by probing each part, until it reaches the limit.
    fn probe_parts(
        &mut self,
        split: &Split,
        context: NodeContext<'_>,
        candidate: &mut QueuedGuess,
        limit: u32,
    ) -> Result<(), Interrupt> {
        let NodeContext { left, max_parts, .. } = context;
        let mut low = candidate.low;
        for (_, part) in split.parts() {
            let quick = self.quick_bound(part.len(), left, max_parts);
            low = sum(low - quick, self.probe_bound(part, left, max_parts)?);
            if low >= limit {
                break;
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
        let NodeContext { set, left, max_parts } = context;
        let mut lows = [0; MAX_KINDS];
        let mut low = set.len() as u32;
        for ((_, part), part_low) in split.parts().zip(&mut lows) {
            *part_low = self.probe_bound(part, left, max_parts)?;
            low = sum(low, *part_low);
        }
        for ((_, part), part_low) in split.parts().zip(lows) {
            let limit = limit();
            if low >= limit {
                break;
            }
            let others = low - part_low;
            low = sum(others, self.solve(part, left, max_parts, limit - others)?.low());
        }
        Ok(low)
    }

    /// Returns the number of different feedbacks, the maximum number of parts of any set.
    pub(super) fn max_parts(&self) -> u8 {
        self.matrix.kinds() as u8
    }

    /// Returns the guesses that represent their symmetry class after the guesses played; `None` if all do.
    fn representatives(&mut self) -> Option<Arc<[bool]>> {
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

/// Adds totals; sums are at most `IMPOSSIBLE`.
#[inline]
pub(super) fn sum(one: u32, other: u32) -> u32 {
    (one + other).min(IMPOSSIBLE)
}

/// Queue of the guesses of one position, with its working memory.
#[derive(Default)]
pub(super) struct GuessQueue {
    /// Number of parts that each guess makes.
    pub(super) parts: Vec<u8>,
    /// Parts of the current guess.
    pub(super) split: Split,
    /// Queued guesses, lowest bound first.
    pub(super) waiting: BinaryHeap<Reverse<QueuedGuess>>,
    /// Partitions of the codes seen so far.
    pub(super) seen: SeenPartitions,
}

/// Queued guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct QueuedGuess {
    /// Lower bound of the total of strategies that begin with the guess.
    pub(super) low: u32,
    /// Origin of the bound; among equal bounds the most precise comes first.
    pub(super) stage: Reverse<Stage>,
    pub(super) inconsistent: bool,
    pub(super) guess: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// Number of parts.
    Counted,
    /// Sizes of the parts.
    Sized,
    /// Probe of each part.
    Probed,
}

/// Lower bounds of guesses by number of parts and by whether they can win, in descending order of bounds.
pub(super) type Buckets = Vec<(u32, u8, bool)>;

impl GuessQueue {
    /// Returns the lowest bound in the queue.
    pub(super) fn lowest(&self) -> u32 {
        self.waiting.peek().map_or(IMPOSSIBLE, |Reverse(first)| first.low)
    }

    /// Removes the guess with the lowest bound, and returns it with the next lowest bound; `None` if no guess can beat
    /// the best one.
    pub(super) fn next(&mut self, set: &[u16], buckets: &mut Buckets, best: &mut Best) -> Option<(QueuedGuess, u32)> {
        while let Some(&(low, parts, wins)) = buckets.last()
            && low < self.lowest()
        {
            if low >= best.total {
                best.ruled_out = best.ruled_out.min(low);
                return None;
            }
            buckets.pop();
            self.fill(set, parts, wins, low);
        }
        let Reverse(candidate) = self.waiting.pop()?;
        if candidate.low >= best.total {
            best.ruled_out = best.ruled_out.min(candidate.low);
            return None;
        }
        let next = self.lowest().min(buckets.last().map_or(IMPOSSIBLE, |bucket| bucket.0));
        Some((candidate, next))
    }

    /// Queues all guesses that make `parts` parts.
    pub(super) fn fill(&mut self, set: &[u16], parts: u8, wins: bool, low: u32) {
        let candidate = |guess| QueuedGuess { low, stage: Reverse(Stage::Counted), inconsistent: !wins, guess };
        if wins {
            let own = set.iter().copied().filter(|&code| self.parts[usize::from(code)] == parts);
            self.waiting.extend(own.map(|guess| Reverse(candidate(guess))));
            return;
        }
        let mut own = set.iter().copied().peekable();
        for (guess, &made) in (0..).zip(&self.parts) {
            let consistent = own.next_if_eq(&guess).is_some();
            if made == parts && !consistent {
                self.waiting.push(Reverse(candidate(guess)));
            }
        }
    }
}

impl Searcher<'_> {
    /// Returns a lower bound from the number of codes.
    pub(super) fn quick_bound(&self, codes: usize, guesses: u32, max_parts: u8) -> u32 {
        if guesses != UNLIMITED && !self.bounds.fits(codes, guesses, max_parts) {
            return IMPOSSIBLE;
        }
        self.bounds.row(max_parts)[codes]
    }

    /// Returns the total of a position that needs no search: up to three codes, or codes that are all distinguished by
    /// one of them.
    #[inline]
    pub(super) fn trivial_total(&self, set: &[u16], guesses: u32) -> Option<u32> {
        let codes = set.len() as u32;
        match codes {
            0 => Some(0),
            1 => Some(if guesses >= 1 { 1 } else { IMPOSSIBLE }),
            _ if guesses < 2 => Some(IMPOSSIBLE),
            2 => Some(3),
            _ if self.full_splitter(set).is_some() => Some(2 * codes - 1),
            // At worst, any of three codes leaves the other two in one part.
            3 if guesses >= 3 => Some(6),
            _ => None,
        }
    }

    /// Returns a code of the position that leaves every other code in a part of its own.
    pub(super) fn full_splitter(&self, set: &[u16]) -> Option<u16> {
        self.near_splitter(set, 0)
    }

    /// Returns the first code of the position that makes at least `set.len() - fewer` parts.
    pub(super) fn near_splitter(&self, set: &[u16], fewer: usize) -> Option<u16> {
        if set.len() > self.matrix.kinds() + fewer {
            return None;
        }
        set.iter().copied().find(|&guess| {
            let row = self.matrix.of_guess(guess);
            let (mut seen, mut solve_in_parallel) = (0u128, 0);
            set.iter().all(|&code| {
                let bit = 1u128 << row[usize::from(code)];
                solve_in_parallel += usize::from(seen & bit != 0);
                seen |= bit;
                solve_in_parallel <= fewer
            })
        })
    }

    /// Counts the parts that each guess makes, zero for guesses that are not allowed. Returns the maximum.
    pub(super) fn count_parts(&mut self, queue: &mut GuessQueue, set: &[u16]) -> u8 {
        queue.parts.resize(self.matrix.stride(), 0);
        self.kernel.parts(self.matrix, set, &mut queue.parts);
        queue.parts[self.matrix.len()..].fill(0);
        if self.consistent_only {
            let mut own = set.iter().copied().peekable();
            for (guess, parts) in (0..).zip(&mut queue.parts) {
                if own.next_if_eq(&guess).is_none() {
                    *parts = 0;
                }
            }
        }
        queue.parts.iter().fold(0, |max_parts, &parts| max_parts.max(parts))
    }

    /// Returns a lower bound from the numbers of parts of all guesses.
    pub(super) fn probe_bound(&mut self, set: &[u16], guesses: u32, max_parts: u8) -> Result<u32, Interrupt> {
        let codes = set.len();
        if let Some(total) = self.trivial_total(set, guesses) {
            return Ok(total);
        }
        let quick = self.quick_bound(codes, guesses, max_parts);
        if quick >= IMPOSSIBLE {
            return Ok(quick);
        }
        let key = self.key(set, guesses);
        if let Some(known) = self.cache.get(key) {
            return Ok(known.low.max(quick));
        }
        self.count_node(codes)?;
        let mut queue = self.queues.pop().unwrap_or_default();
        let max_parts = self.count_parts(&mut queue, set);
        let low = self.one_ply_bound(&mut queue, set, guesses, max_parts)?.max(quick);
        self.cache.put(key, codes, Entry { low, high: IMPOSSIBLE, guess: 0 });
        self.queues.push(queue);
        Ok(low)
    }

    /// Returns the one-ply bound of `set`.
    ///
    /// Let `K` be `max_parts`, the largest number of parts (the winning one included) that an allowed guess makes of
    /// `set`, and let `size(n)` be the lower bound of `n` codes for guesses that make at most `K` parts ([`Bounds::row`];
    /// [`IMPOSSIBLE`] if `n` codes do not fit the remaining guesses). The bound is the least, over all allowed guesses
    /// that win or make at least two parts, of `n + sum of size(part)` over the parts other than the winning one.
    ///
    /// Proof: a strategy begins with such a guess, which every code of `set` takes, and continues in each part that is
    /// not the winning one. A guess splits a subset into at most as many parts as the whole set, so `K` also holds in
    /// each part and at every position below, and the part takes at least `size(part)` guesses.
    ///
    /// Histograms are computed only for guesses whose bound from the number of parts is below the least so far: that
    /// bound never exceeds the one from the sizes, because `size` is convex and equal parts are best.
    pub(super) fn one_ply_bound(
        &mut self,
        queue: &mut GuessQueue,
        set: &[u16],
        guesses: u32,
        max_parts: u8,
    ) -> Result<u32, Interrupt> {
        let context = NodeContext { set, left: one_less(guesses), max_parts };
        let mut least = IMPOSSIBLE;
        let mut buckets = self.buckets(queue, set, guesses, max_parts);
        while let Some((low, parts, wins)) = buckets.pop() {
            if low >= least {
                break;
            }
            queue.waiting.clear();
            queue.fill(set, parts, wins, low);
            self.spend(SCALAR_MARK_COST * set.len() * queue.waiting.len())?;
            for &Reverse(candidate) in &queue.waiting {
                least = least.min(self.sized_bound(context, candidate.guess));
                if least <= low {
                    return Ok(least);
                }
            }
        }
        Ok(least)
    }

    /// Returns the lowest bound of all guesses, from the numbers of parts that they make.
    pub(super) fn least_bound(&self, queue: &GuessQueue, set: &[u16], guesses: u32, max_parts: u8) -> u32 {
        let own = set.iter().map(|&code| queue.parts[usize::from(code)]).max().unwrap_or(0);
        let wins = self.split_bound(max_parts, set.len(), own, true, guesses);
        let other = self.split_bound(max_parts, set.len(), max_parts, false, guesses);
        wins.min(other)
    }

    /// Returns a lower bound for guesses that make `parts` parts.
    fn split_bound(&self, max_parts: u8, codes: usize, parts: u8, wins: bool, guesses: u32) -> u32 {
        // A guess that cannot win never gets the winning feedback.
        let parts = if wins { parts } else { parts.min(self.max_parts() - 1) };
        if parts == 0 || (parts == 1 && !wins) {
            return IMPOSSIBLE;
        }
        if guesses != UNLIMITED {
            let largest = codes.div_ceil(usize::from(parts));
            if !self.bounds.fits(largest, one_less(guesses), max_parts) {
                return IMPOSSIBLE;
            }
        }
        self.bounds.split(max_parts, codes, parts.into(), wins)
    }

    /// Returns the lower bounds of guesses by number of parts, in descending order of bounds.
    pub(super) fn buckets(&self, queue: &GuessQueue, set: &[u16], guesses: u32, max_parts: u8) -> Buckets {
        let mut any = [false; 256];
        queue.parts.iter().for_each(|&parts| any[usize::from(parts)] = true);
        let mut buckets = Vec::with_capacity(2 * usize::from(max_parts));
        for parts in (1..=max_parts).filter(|&parts| any[usize::from(parts)]) {
            for wins in [false, true] {
                let low = self.split_bound(max_parts, set.len(), parts, wins, guesses);
                if low < IMPOSSIBLE {
                    buckets.push((low, parts, wins));
                }
            }
        }
        buckets.sort_unstable_by(|one, other| other.cmp(one));
        buckets
    }
}
