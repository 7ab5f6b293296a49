//! Branch and bound over positions.
//!
//! The total of a position is the number of its codes plus the totals of the parts that the best guess leaves. Guesses wait
//! in the order of what is known of them: first a bound from the number of parts they make, then one from the sizes of the
//! parts, then one from a look at each part, last the totals themselves. The guess with the lowest bound goes next, so none
//! is worked on that a better one has already ruled out.

use std::{cmp::Reverse, collections::HashMap, sync::Arc};

use pegwise_game::{Code, Rules, symmetry::Symmetry};

use super::{
    Objective, Options, Progress,
    agenda::{Agenda, Candidate, Stage},
    bounds::{Bounds, IMPOSSIBLE, one_less},
    cache::{Cache, Known},
    matrix::{MAX_KINDS, Matrix},
    parts::Kernel,
    split::Split,
    team::{Joint, Team},
};
use crate::{canonical::CanonicalForms, clock, search::Watch};

/// Marks looked at between two looks at the clock: some milliseconds, by the kernel or one by one.
const MARKS_A_CLOCK: usize = 1 << 24;
/// How many marks a kernel looks at while others look at one.
pub(super) const MARKS_FOR_ONE: usize = 8;
/// Positions between two reports.
const NODES_A_REPORT: u64 = 1 << 14;
/// With fewer codes, looking for symmetries of the guesses costs more than it saves.
pub(super) const WORTH_SYMMETRY: usize = 64;
/// The most memory for what is known of symmetries.
const SYMMETRIC_BYTES: usize = 1 << 26;

/// What a search has found out about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// The least total; it is below the budget.
    Total(u32),
    /// A bound from below that is not below the budget.
    AtLeast(u32),
}

impl Found {
    /// What is known about a total, seen from a budget.
    fn within(total: u32, budget: u32) -> Self {
        if total < budget { Self::Total(total) } else { Self::AtLeast(total) }
    }

    /// The total or the bound.
    pub(super) fn low(self) -> u32 {
        match self {
            Self::Total(low) | Self::AtLeast(low) => low,
        }
    }
}

/// The best guess so far and its total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Best {
    /// The budget, while there is no guess.
    pub(super) total: u32,
    pub(super) guess: Option<u16>,
    /// The lowest bound of a guess that was ruled out.
    pub(super) ruled_out: u32,
}

impl Best {
    /// Takes in what came of a guess: its total, or a bound that is not below the best.
    pub(super) fn hear(&mut self, guess: u16, low: u32) {
        if low < self.total {
            (self.total, self.guess) = (low, Some(guess));
        } else {
            self.ruled_out = self.ruled_out.min(low);
        }
    }
}

/// A position whose guesses are worked on.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) set: &'a [u16],
    /// Guesses left after one.
    pub(super) left: u32,
    /// The most parts a guess makes of the codes.
    pub(super) most: u8,
}

/// In what order the guesses of a position are worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// By all that is known of them, so that the search ends soonest.
    Promise,
    /// By what does not depend on what else was searched, so that of equal guesses always the same one is found.
    Fixed,
}

/// A search for the least total.
pub(super) struct Searcher<'a> {
    pub(super) rules: &'a Rules,
    pub(super) matrix: &'a Matrix,
    pub(super) bounds: Bounds,
    pub(super) canonical: CanonicalForms,
    pub(super) kernel: Kernel,
    /// What is known about positions; threads of one search share it.
    pub(super) cache: Arc<Cache>,
    /// Whether every guess must be able to win.
    pub(super) consistent_only: bool,
    /// Whether any tree within the guesses will do, not only one of the least total.
    pub(super) any: bool,
    /// Whether bounds of all parts after a first guess rise evenly.
    pub(super) anytime: bool,
    /// Who else works on the same search.
    pub(super) team: Option<&'a Team>,
    /// The innermost position worked on together.
    pub(super) joint: Option<Arc<Joint>>,
    watch: Watch<'a>,
    progress: &'a (dyn Fn(Progress) + Sync),
    /// What the search from the first guess on knows.
    pub(super) reached: Progress,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    /// Marks looked at since the clock was.
    unclocked: usize,
    /// What time is left to put a tree together after the search was stopped, once that was begun.
    pub(super) grace: Option<Watch<'static>>,
    /// Guesses played on the way to the position at hand.
    pub(super) path: Vec<u16>,
    /// One guess of each class after the guesses of a path.
    symmetric: HashMap<Vec<u16>, Option<Arc<[bool]>>>,
    /// Working space of positions done.
    pub(super) agendas: Vec<Agenda>,
}

impl<'a> Searcher<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        matrix: &'a Matrix,
        options: &Options,
        watch: Watch<'a>,
        progress: &'a (dyn Fn(Progress) + Sync),
    ) -> Self {
        let cache = Arc::new(Cache::new(options.cache_bytes));
        Self::with_cache(rules, matrix, options, watch, progress, cache)
    }

    /// A search that shares its work with a team.
    pub(super) fn in_team(
        rules: &'a Rules,
        matrix: &'a Matrix,
        options: &Options,
        watch: Watch<'a>,
        progress: &'a (dyn Fn(Progress) + Sync),
        team: &'a Team,
    ) -> Self {
        let searcher = Self::with_cache(rules, matrix, options, watch, progress, team.cache.clone());
        Self { team: Some(team), ..searcher }
    }

    fn with_cache(
        rules: &'a Rules,
        matrix: &'a Matrix,
        options: &Options,
        watch: Watch<'a>,
        progress: &'a (dyn Fn(Progress) + Sync),
        cache: Arc<Cache>,
    ) -> Self {
        let kernel = Kernel::available(matrix.kinds())[0];
        Self {
            rules,
            matrix,
            bounds: Bounds::new(matrix.len(), matrix.kinds()),
            canonical: CanonicalForms::new(rules, &matrix.table),
            kernel,
            cache,
            consistent_only: options.consistent_only,
            any: options.objective == Objective::Worst,
            anytime: options.anytime && options.objective == Objective::Mean,
            team: None,
            joint: None,
            watch,
            progress,
            reached: Progress { nodes: 0, lower_bound: 0, total: None },
            nodes: 0,
            stopped: false,
            unclocked: 0,
            grace: None,
            path: Vec::new(),
            symmetric: HashMap::new(),
            agendas: Vec::new(),
        }
    }

    /// Makes ready for another question, with another watch.
    pub(super) fn restart(&mut self, watch: Watch<'a>) {
        (self.watch, self.stopped, self.grace) = (watch, false, None);
        self.path.clear();
        // Small positions never fill what is between two looks: a watch that has stopped already must be seen.
        self.stopped |= watch.stop().is_some();
    }

    /// The least total of a position within so many guesses, if it is below the budget. `most` bounds the parts a guess
    /// makes of these codes.
    pub(super) fn solve(&mut self, set: &[u16], guesses: u32, most: u8, budget: u32) -> Found {
        let codes = set.len();
        if let Some(total) = self.settled(set, guesses) {
            return Found::within(total, budget);
        }
        let low = self.quick_bound(codes, guesses, most);
        if low >= budget {
            return Found::AtLeast(low);
        }
        let key = self.key(set, guesses);
        let known = self.cache.get(key);
        if let Some(known) = known
            && (known.low >= budget || known.low == known.high)
        {
            return Found::within(known.low, budget);
        }
        self.count_node(codes);
        if self.stopped {
            return Found::AtLeast(low);
        }
        let mut agenda = self.agendas.pop().unwrap_or_default();
        let low = known.map_or(low, |known| known.low.max(low));
        let best = self.expand(&mut agenda, set, guesses, budget, low, Order::Promise);
        self.agendas.push(agenda);
        match best.guess {
            _ if self.stopped => Found::AtLeast(low),
            Some(guess) => {
                let guess = self.canonical.pack(&self.canonical.form(set), guess);
                self.cache.put(key, codes, Known { low: best.total, high: best.total, guess });
                Found::Total(best.total)
            }
            None => {
                // No total comes near to half of the impossible, so such a budget rules out only what no tree can do.
                let low = if budget > IMPOSSIBLE / 2 { IMPOSSIBLE } else { best.ruled_out.max(budget) };
                self.cache.put(key, codes, Known { low, high: IMPOSSIBLE, guess: 0 });
                Found::AtLeast(low)
            }
        }
    }

    /// The key of a position and of the guesses left for it.
    pub(super) fn key(&mut self, set: &[u16], guesses: u32) -> u128 {
        let key = self.canonical.key(set);
        // As many guesses as codes are as good as any number of them.
        if (guesses as usize) < set.len() { key.wrapping_mul(u128::from(guesses) * 2 + 3) } else { key }
    }

    /// Counts a position of so many codes that every guess is tried on.
    pub(super) fn count_node(&mut self, codes: usize) {
        self.nodes += 1;
        self.spend(codes * self.matrix.stride());
        if self.nodes.is_multiple_of(NODES_A_REPORT) {
            self.tell();
        }
    }

    /// The guess of the least total, and of several such guesses always the same one, whatever else was searched before.
    /// `total` is the least total.
    pub(super) fn first_best(&mut self, set: &[u16], guesses: u32, total: u32) -> Option<u16> {
        let mut agenda = self.agendas.pop().unwrap_or_default();
        let best = self.expand(&mut agenda, set, guesses, total + 1, total, Order::Fixed);
        self.agendas.push(agenda);
        best.guess
    }

    /// Looks at the clock when enough was done since the last time.
    #[inline]
    pub(super) fn spend(&mut self, marks: usize) {
        clock::work(marks as u64);
        self.unclocked += marks;
        if self.unclocked >= MARKS_A_CLOCK {
            self.unclocked = 0;
            self.stopped |= self.watch.stop().is_some() || self.is_given_up();
        }
    }

    /// Whether the time is up.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.watch.stop().is_some()
    }

    /// Tells whoever wants to know how far the search is.
    pub(super) fn tell(&self) {
        (self.progress)(Progress { nodes: self.all_nodes(), ..self.reached });
    }

    /// Works on the guesses of a position until one is proven the best or all are ruled out.
    fn expand(
        &mut self,
        agenda: &mut Agenda,
        set: &[u16],
        guesses: u32,
        budget: u32,
        known_low: u32,
        order: Order,
    ) -> Best {
        let codes = set.len();
        let mut best = Best { total: budget, guess: None, ruled_out: IMPOSSIBLE };
        let most = self.count_parts(agenda, set);
        let least = self.least_bound(agenda, set, guesses, most).max(known_low);
        if least >= budget {
            best.ruled_out = least;
            return best;
        }
        if codes >= WORTH_SYMMETRY
            && let Some(representative) = self.representatives()
        {
            for (parts, &keep) in agenda.parts.iter_mut().zip(&*representative) {
                *parts = if keep { *parts } else { 0 };
            }
        }
        agenda.waiting.clear();
        agenda.seen.clear();
        let place = Place { set, left: one_less(guesses), most };
        let mut buckets = self.buckets(agenda, set, guesses, most);
        let mut one_done = false;
        while let Some((candidate, next)) = agenda.next(set, &mut buckets, &mut best) {
            one_done |= self.advance(agenda, place, candidate, next, order, &mut best);
            if self.stopped {
                break;
            }
            if best.total <= least || (self.any && best.guess.is_some()) {
                break;
            }
            // The first guess to be finished is the likely one, and what it takes bounds all others.
            if one_done && order == Order::Promise && self.is_worth_sharing(codes) {
                return self.share(agenda, place, buckets, best, least);
            }
        }
        best
    }

    /// Finds out more about a guess, and lets it wait again if another one has the lowest bound then. Whether its parts were
    /// searched.
    fn advance(
        &mut self,
        agenda: &mut Agenda,
        place: Place<'_>,
        mut candidate: Candidate,
        next: u32,
        order: Order,
        best: &mut Best,
    ) -> bool {
        let set = place.set;
        if candidate.stage == Reverse(Stage::Counted) {
            self.spend(MARKS_FOR_ONE * set.len());
            if !agenda.seen.is_new(self.matrix, set, candidate.guess, !candidate.inconsistent) {
                return false;
            }
            candidate.low = self.sized_bound(place, candidate.guess);
            candidate.stage = Reverse(Stage::Sized);
            if candidate.low >= best.total {
                best.ruled_out = best.ruled_out.min(candidate.low);
                return false;
            }
            if candidate.low > next {
                agenda.waiting.push(Reverse(candidate));
                return false;
            }
        }
        // What a look at the parts shows depends on what is known of them, and may not change the order where it is fixed.
        let next = if order == Order::Promise { next } else { IMPOSSIBLE };
        let mut split = std::mem::take(&mut agenda.split);
        let searched = self.finish(&mut split, place, &mut candidate, next, || best.total);
        agenda.split = split;
        if self.stopped {
            return true;
        }
        if searched || candidate.low >= best.total {
            best.hear(candidate.guess, candidate.low);
        } else {
            agenda.waiting.push(Reverse(candidate));
        }
        searched
    }

    /// A bound from below for a guess, from the sizes of its parts.
    pub(super) fn sized_bound(&mut self, place: Place<'_>, guess: u16) -> u32 {
        let Place { set, left, most } = place;
        let row = self.matrix.of_guess(guess);
        let mut sizes = [0u32; MAX_KINDS];
        set.iter().for_each(|&code| sizes[usize::from(row[usize::from(code)])] += 1);
        sizes[usize::from(self.matrix.winning)] = 0;
        let sizes = sizes[..self.matrix.kinds()].iter().filter(|&&size| size > 0);
        set.len() as u32 + sizes.map(|&size| self.quick_bound(size as usize, left, most)).fold(0, sum)
    }

    /// Looks at the parts of a guess, and searches them unless a bound then says that another guess comes next. Whether they
    /// were searched; the bound is then the total, or not below the limit.
    pub(super) fn finish(
        &mut self,
        split: &mut Split,
        place: Place<'_>,
        candidate: &mut Candidate,
        next: u32,
        limit: impl Fn() -> u32,
    ) -> bool {
        split.of(self.matrix, candidate.guess, place.set);
        if candidate.stage == Reverse(Stage::Sized) {
            self.look_at_parts(split, place, candidate, limit());
        }
        if candidate.low >= limit() || candidate.low > next {
            return false;
        }
        candidate.low = self.solve_parts(split, place, candidate.guess, limit);
        true
    }

    /// Raises the bound of a guess by a look at each part, until it passes the limit.
    fn look_at_parts(&mut self, split: &Split, place: Place<'_>, candidate: &mut Candidate, limit: u32) {
        let Place { left, most, .. } = place;
        for (_, part) in split.parts() {
            let quick = self.quick_bound(part.len(), left, most);
            candidate.low = sum(candidate.low - quick, self.look(part, left, most));
            if candidate.low >= limit {
                break;
            }
        }
        candidate.stage = Reverse(Stage::Looked);
    }

    /// The total of a guess, from the totals of its parts; or a bound from below that is not below the limit. The limit may
    /// sink meanwhile.
    fn solve_parts(&mut self, split: &Split, place: Place<'_>, guess: u16, limit: impl Fn() -> u32) -> u32 {
        let Place { set, left, most } = place;
        let mut lows = [0; MAX_KINDS];
        let mut low = set.len() as u32;
        for ((_, part), part_low) in split.parts().zip(&mut lows) {
            *part_low = self.look(part, left, most);
            low = sum(low, *part_low);
        }
        self.path.push(guess);
        for ((_, part), part_low) in split.parts().zip(lows) {
            let limit = limit();
            if low >= limit || self.stopped {
                break;
            }
            let others = low - part_low;
            low = sum(others, self.solve(part, left, most, limit - others).low());
        }
        self.path.pop();
        low
    }

    /// The most parts that any guess makes of all codes, as far as the feedback tells.
    pub(super) fn most_parts(&self) -> u8 {
        self.matrix.kinds() as u8
    }

    /// Which guesses are worth a look after the guesses played, where symmetry makes some equal.
    fn representatives(&mut self) -> Option<Arc<[bool]>> {
        if let Some(known) = self.symmetric.get(&self.path) {
            return known.clone();
        }
        let played: Vec<Code> = self.path.iter().map(|&guess| self.matrix.table.code(guess.into())).collect();
        let symmetry = Symmetry::new(self.rules, &played);
        let keep = |row: usize| symmetry.is_representative(&self.matrix.table.code(row));
        let kept = (!symmetry.is_trivial()).then(|| (0..self.matrix.len()).map(keep).collect());
        if self.symmetric.len() * self.matrix.len() > SYMMETRIC_BYTES {
            self.symmetric.clear();
        }
        self.symmetric.insert(self.path.clone(), kept.clone());
        kept
    }
}

/// Totals past the impossible stay impossible.
#[inline]
pub(super) fn sum(one: u32, other: u32) -> u32 {
    (one + other).min(IMPOSSIBLE)
}
