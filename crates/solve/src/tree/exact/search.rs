//! Branch and bound over positions.
//!
//! The total of a position is the number of its codes plus the totals of the parts that the best guess leaves. Guesses wait
//! in the order of what is known of them: first a bound from the number of parts they make, then one from the sizes of the
//! parts, then one from a look at each part, last the totals themselves. The guess with the lowest bound goes next, so none
//! is worked on that a better one has already ruled out.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
    rc::Rc,
};

use pegwise_game::{Code, Rules, symmetry::Symmetry};

use super::{
    bounds::{Bounds, IMPOSSIBLE, UNLIMITED, fits},
    cache::{Cache, Known},
    canonical::Canonical,
    matrix::{MAX_KINDS, Matrix},
    parts::Kernel,
};
use crate::search::Watch;

/// Positions between two looks at the clock.
const NODES_A_CLOCK: u64 = 256;
/// With fewer codes, looking for symmetries of the guesses costs more than it saves.
const WORTH_SYMMETRY: usize = 64;

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
struct Best {
    /// The budget, while there is no guess.
    total: u32,
    guess: Option<u16>,
    /// The lowest bound of a guess that was ruled out.
    ruled_out: u32,
}

/// A search for the least total.
pub(super) struct Searcher<'a> {
    pub(super) rules: &'a Rules,
    pub(super) matrix: &'a Matrix,
    bounds: Bounds,
    canonical: Canonical,
    kernel: Kernel,
    cache: Cache,
    pub(super) consistent_only: bool,
    /// Whether any tree within the guesses will do, not only one of the least total.
    pub(super) any: bool,
    watch: Watch<'a>,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    /// Guesses played on the way to the position at hand.
    pub(super) path: Vec<u16>,
    /// One guess of each class after the guesses of a path.
    symmetric: HashMap<Vec<u16>, Option<Rc<[bool]>>>,
    /// Working space of positions done.
    desks: Vec<Desk>,
}

/// The working space of one position.
#[derive(Default)]
struct Desk {
    /// Parts that each guess makes.
    parts: Vec<u8>,
    split: Split,
    waiting: BinaryHeap<Reverse<Candidate>>,
    seen: HashSet<u64>,
}

/// A guess that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// No strategy that begins with the guess has a lower total.
    low: u32,
    /// What the bound rests on; the more, the earlier among equals.
    stage: Reverse<Stage>,
    inconsistent: bool,
    guess: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Counted,
    Sized,
    Looked,
}

/// The codes of a position sorted by part.
#[derive(Default)]
pub(super) struct Split {
    codes: Vec<u16>,
    /// Where each part begins and ends, and its mark; the winning part is left out.
    parts: Vec<(u32, u32, u8)>,
    wins: bool,
}

impl Split {
    pub(super) fn of(&mut self, matrix: &Matrix, guess: u16, set: &[u16]) {
        let row = matrix.of_guess(guess);
        let mut ends = [0u32; MAX_KINDS];
        for &code in set {
            ends[usize::from(row[usize::from(code)])] += 1;
        }
        self.parts.clear();
        self.wins = ends[usize::from(matrix.winning)] > 0;
        let mut at = 0;
        for (mark, end) in (0..).zip(&mut ends[..matrix.kinds()]) {
            let size = *end;
            if size > 0 && mark != matrix.winning {
                self.parts.push((at, at + size, mark));
            }
            *end = at;
            at += size;
        }
        self.codes.resize(set.len(), 0);
        for &code in set {
            let end = &mut ends[usize::from(row[usize::from(code)])];
            self.codes[*end as usize] = code;
            *end += 1;
        }
        // The largest part first: it is where a bound is farthest from the total, so where a guess is ruled out soonest.
        self.parts.sort_unstable_by_key(|&(first, end, mark)| (Reverse(end - first), mark));
    }

    pub(super) fn wins(&self) -> bool {
        self.wins
    }

    pub(super) fn parts(&self) -> impl DoubleEndedIterator<Item = (u8, &[u16])> + ExactSizeIterator {
        self.parts.iter().map(|&(first, end, mark)| (mark, &self.codes[first as usize..end as usize]))
    }
}

impl<'a> Searcher<'a> {
    pub(super) fn new(rules: &'a Rules, matrix: &'a Matrix, cache_bytes: usize, watch: Watch<'a>) -> Self {
        let kernel = Kernel::available(matrix.kinds())[0];
        Self {
            rules,
            matrix,
            bounds: Bounds::new(matrix.len(), matrix.kinds()),
            canonical: Canonical::new(rules, matrix),
            kernel,
            cache: Cache::new(cache_bytes),
            consistent_only: false,
            any: false,
            watch,
            nodes: 0,
            stopped: false,
            path: Vec::new(),
            symmetric: HashMap::new(),
            desks: Vec::new(),
        }
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
        self.count_node();
        if self.stopped {
            return Found::AtLeast(low);
        }
        let mut desk = self.desks.pop().unwrap_or_default();
        let best = self.expand(&mut desk, set, guesses, budget, known.map_or(low, |known| known.low.max(low)));
        self.desks.push(desk);
        match best.guess {
            _ if self.stopped => Found::AtLeast(low),
            Some(guess) => {
                let guess = self.canonical.pack(&self.canonical.form(set), guess);
                self.cache.put(key, codes, Known { low: best.total, high: best.total, guess });
                Found::Total(best.total)
            }
            None => {
                let low = best.ruled_out.max(budget);
                self.cache.put(key, codes, Known { low, high: IMPOSSIBLE, guess: 0 });
                Found::AtLeast(low)
            }
        }
    }

    /// The key of a position and of the guesses left for it.
    fn key(&mut self, set: &[u16], guesses: u32) -> u128 {
        let key = self.canonical.key(set);
        // As many guesses as codes are as good as any number of them.
        if (guesses as usize) < set.len() { key.wrapping_mul(u128::from(guesses) * 2 + 3) } else { key }
    }

    fn quick_bound(&self, codes: usize, guesses: u32, most: u8) -> u32 {
        if guesses != UNLIMITED && !fits(codes, guesses, most) {
            return IMPOSSIBLE;
        }
        self.bounds.row(most)[codes]
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes % NODES_A_CLOCK == 0 && self.watch.stop().is_some() {
            self.stopped = true;
        }
    }

    /// The total of a position that takes no search: up to three codes, and codes that one of them tells all apart.
    #[inline]
    fn settled(&self, set: &[u16], guesses: u32) -> Option<u32> {
        let codes = set.len() as u32;
        match codes {
            0 => Some(0),
            1 => Some(if guesses >= 1 { 1 } else { IMPOSSIBLE }),
            _ if guesses < 2 => Some(IMPOSSIBLE),
            2 => Some(3),
            _ if self.separator(set).is_some() => Some(2 * codes - 1),
            // Any of three codes leaves the other two together at worst.
            3 if guesses >= 3 => Some(6),
            _ => None,
        }
    }

    /// A code of the position that tells all codes apart, itself included.
    fn separator(&self, set: &[u16]) -> Option<u16> {
        if set.len() > self.matrix.kinds() {
            return None;
        }
        set.iter().copied().find(|&guess| {
            let row = self.matrix.of_guess(guess);
            let mut seen = 0u128;
            set.iter().all(|&code| {
                let bit = 1u128 << row[usize::from(code)];
                let fresh = seen & bit == 0;
                seen |= bit;
                fresh
            })
        })
    }

    /// Counts the parts that each guess makes; zero for guesses that may not be played. Returns the most.
    fn count_parts(&mut self, desk: &mut Desk, set: &[u16]) -> u8 {
        desk.parts.resize(self.matrix.stride(), 0);
        self.kernel.parts(self.matrix, set, &mut desk.parts);
        desk.parts[self.matrix.len()..].fill(0);
        if self.consistent_only {
            let mut own = set.iter().copied().peekable();
            for (guess, parts) in (0..).zip(&mut desk.parts) {
                if own.next_if_eq(&guess).is_none() {
                    *parts = 0;
                }
            }
        }
        desk.parts.iter().copied().max().unwrap_or(0)
    }

    /// A bound from below, from one look at all guesses.
    pub(super) fn look(&mut self, set: &[u16], guesses: u32, most: u8) -> u32 {
        let codes = set.len();
        if let Some(total) = self.settled(set, guesses) {
            return total;
        }
        let quick = self.quick_bound(codes, guesses, most);
        if quick >= IMPOSSIBLE {
            return quick;
        }
        let key = self.key(set, guesses);
        if let Some(known) = self.cache.get(key) {
            return known.low.max(quick);
        }
        self.count_node();
        let mut desk = self.desks.pop().unwrap_or_default();
        let most = self.count_parts(&mut desk, set);
        let low = self.least_bound(&desk, set, guesses, most).max(quick);
        self.cache.put(key, codes, Known { low, high: IMPOSSIBLE, guess: 0 });
        self.desks.push(desk);
        low
    }

    /// The lowest bound of all guesses, from the parts they make.
    fn least_bound(&self, desk: &Desk, set: &[u16], guesses: u32, most: u8) -> u32 {
        let own = set.iter().map(|&code| desk.parts[usize::from(code)]).max().unwrap_or(0);
        let wins = self.split_bound(most, set.len(), own, true, guesses);
        let other = self.split_bound(most, set.len(), most, false, guesses);
        wins.min(other)
    }

    fn split_bound(&self, most: u8, codes: usize, parts: u8, wins: bool, guesses: u32) -> u32 {
        if parts == 0 || (parts == 1 && !wins) {
            return IMPOSSIBLE;
        }
        if guesses != UNLIMITED {
            let largest = codes.div_ceil(usize::from(parts));
            if !fits(largest, guesses - 1, most) {
                return IMPOSSIBLE;
            }
        }
        self.bounds.split(most, codes, parts.into(), wins)
    }

    fn expand(&mut self, desk: &mut Desk, set: &[u16], guesses: u32, budget: u32, known_low: u32) -> Best {
        let codes = set.len();
        let mut best = Best { total: budget, guess: None, ruled_out: IMPOSSIBLE };
        let most = self.count_parts(desk, set);
        let least = self.least_bound(desk, set, guesses, most).max(known_low);
        if least >= budget {
            best.ruled_out = least;
            return best;
        }
        if codes >= WORTH_SYMMETRY
            && let Some(representative) = self.representatives()
        {
            for (parts, &keep) in desk.parts.iter_mut().zip(&*representative) {
                *parts = if keep { *parts } else { 0 };
            }
        }
        desk.waiting.clear();
        desk.seen.clear();
        let mut buckets = self.buckets(desk, set, guesses, most);
        loop {
            let waiting = desk.waiting.peek().map_or(IMPOSSIBLE, |Reverse(first)| first.low);
            if let Some(&(low, parts, wins)) = buckets.last()
                && low < waiting
            {
                if low >= best.total {
                    best.ruled_out = best.ruled_out.min(low);
                    break;
                }
                buckets.pop();
                desk.fill(set, parts, wins, low);
                continue;
            }
            let Some(Reverse(candidate)) = desk.waiting.pop() else { break };
            if candidate.low >= best.total {
                best.ruled_out = best.ruled_out.min(candidate.low);
                break;
            }
            let next = desk.waiting.peek().map_or(IMPOSSIBLE, |Reverse(first)| first.low);
            let next = next.min(buckets.last().map_or(IMPOSSIBLE, |bucket| bucket.0));
            self.advance(desk, set, guesses, most, candidate, next, &mut best);
            if self.stopped {
                break;
            }
            if best.total <= least || (self.any && best.guess.is_some()) {
                break;
            }
        }
        best
    }

    /// The bounds of guesses by the number of parts they make, the lowest bound last.
    fn buckets(&self, desk: &Desk, set: &[u16], guesses: u32, most: u8) -> Vec<(u32, u8, bool)> {
        let mut any = [false; 256];
        desk.parts.iter().for_each(|&parts| any[usize::from(parts)] = true);
        let mut buckets = Vec::with_capacity(2 * usize::from(most));
        for parts in (1..=most).filter(|&parts| any[usize::from(parts)]) {
            for wins in [false, true] {
                let low = self.split_bound(most, set.len(), parts, wins, guesses);
                if low < IMPOSSIBLE {
                    buckets.push((low, parts, wins));
                }
            }
        }
        buckets.sort_unstable_by(|one, other| other.cmp(one));
        buckets
    }

    /// Finds out more about a guess, and lets it wait again if another one has the lowest bound then.
    fn advance(
        &mut self,
        desk: &mut Desk,
        set: &[u16],
        guesses: u32,
        most: u8,
        mut candidate: Candidate,
        next: u32,
        best: &mut Best,
    ) {
        let codes = set.len() as u32;
        let left = if guesses == UNLIMITED { UNLIMITED } else { guesses - 1 };
        if candidate.stage == Reverse(Stage::Counted) {
            let row = self.matrix.of_guess(candidate.guess);
            if !desk.seen.insert(fingerprint(row, set)) {
                return;
            }
            let mut sizes = [0u32; MAX_KINDS];
            set.iter().for_each(|&code| sizes[usize::from(row[usize::from(code)])] += 1);
            sizes[usize::from(self.matrix.winning)] = 0;
            let sizes = sizes[..self.matrix.kinds()].iter().filter(|&&size| size > 0);
            candidate.low = codes + sizes.map(|&size| self.quick_bound(size as usize, left, most)).fold(0, sum);
            candidate.stage = Reverse(Stage::Sized);
            if candidate.low >= best.total {
                best.ruled_out = best.ruled_out.min(candidate.low);
                return;
            }
            if candidate.low > next {
                desk.waiting.push(Reverse(candidate));
                return;
            }
        }
        let mut split = std::mem::take(&mut desk.split);
        split.of(self.matrix, candidate.guess, set);
        if candidate.stage == Reverse(Stage::Sized) {
            self.look_at_parts(&split, left, most, &mut candidate, best.total);
        }
        if candidate.low >= best.total {
            best.ruled_out = best.ruled_out.min(candidate.low);
        } else if candidate.low > next {
            desk.waiting.push(Reverse(candidate));
        } else {
            self.solve_parts(&split, left, most, codes, candidate.guess, best);
        }
        desk.split = split;
    }

    /// Raises the bound of a guess by a look at each part, until it passes the limit.
    fn look_at_parts(&mut self, split: &Split, left: u32, most: u8, candidate: &mut Candidate, limit: u32) {
        for (_, part) in split.parts() {
            let quick = self.quick_bound(part.len(), left, most);
            candidate.low = sum(candidate.low - quick, self.look(part, left, most));
            if candidate.low >= limit {
                break;
            }
        }
        candidate.stage = Reverse(Stage::Looked);
    }

    /// The total of a guess, from the totals of its parts.
    fn solve_parts(&mut self, split: &Split, left: u32, most: u8, codes: u32, guess: u16, best: &mut Best) {
        let mut lows = [0; MAX_KINDS];
        let mut low = codes;
        for ((_, part), part_low) in split.parts().zip(&mut lows) {
            *part_low = self.look(part, left, most);
            low = sum(low, *part_low);
        }
        self.path.push(guess);
        for ((_, part), part_low) in split.parts().zip(lows) {
            if low >= best.total || self.stopped {
                break;
            }
            let others = low - part_low;
            low = sum(others, self.solve(part, left, most, best.total - others).low());
        }
        self.path.pop();
        if self.stopped {
            return;
        }
        if low < best.total {
            (best.total, best.guess) = (low, Some(guess));
        } else {
            best.ruled_out = best.ruled_out.min(low);
        }
    }

    /// The most parts that any guess makes of all codes, as far as the feedback tells.
    pub(super) fn most_parts(&self) -> u8 {
        self.matrix.kinds() as u8
    }

    /// The guess of the best strategy found for a position.
    pub(super) fn best_known(&mut self, set: &[u16], guesses: u32) -> Option<u16> {
        if let Some(total) = self.settled(set, guesses) {
            return (total < IMPOSSIBLE).then(|| self.separator(set).unwrap_or(set[0]));
        }
        if !self.stopped {
            self.solve(set, guesses, self.most_parts(), IMPOSSIBLE);
        }
        let key = self.key(set, guesses);
        if let Some(known) = self.cache.get(key).filter(|known| known.high < IMPOSSIBLE) {
            return self.canonical.unpack(&self.canonical.form(set), known.guess);
        }
        let left = if guesses == UNLIMITED { UNLIMITED } else { guesses - 1 };
        let mut desk = self.desks.pop().unwrap_or_default();
        let most = self.count_parts(&mut desk, set);
        let allowed = (0..self.matrix.len() as u16).filter(|&guess| desk.parts[usize::from(guess)] > 0);
        let cost = |split: &mut Split, guess: u16| {
            split.of(self.matrix, guess, set);
            let low = split.parts().map(|(_, part)| self.quick_bound(part.len(), left, most)).fold(0, sum);
            let squares: usize = split.parts().map(|(_, part)| part.len() * part.len()).sum();
            (low, squares, !split.wins(), guess)
        };
        let mut split = Split::default();
        let best = allowed.map(|guess| cost(&mut split, guess)).min();
        self.desks.push(desk);
        best.filter(|best| best.0 < IMPOSSIBLE).map(|best| best.3)
    }

    /// Which guesses are worth a look after the guesses played, where symmetry makes some equal.
    fn representatives(&mut self) -> Option<Rc<[bool]>> {
        if let Some(known) = self.symmetric.get(&self.path) {
            return known.clone();
        }
        let played: Vec<Code> = self.path.iter().map(|&guess| self.matrix.table.code(guess.into())).collect();
        let symmetry = Symmetry::new(self.rules, &played);
        let keep = |row: usize| symmetry.is_representative(&self.matrix.table.code(row));
        let kept = (!symmetry.is_trivial()).then(|| (0..self.matrix.len()).map(keep).collect());
        self.symmetric.insert(self.path.clone(), kept.clone());
        kept
    }
}

impl Desk {
    /// Lets all guesses wait that make so many parts.
    fn fill(&mut self, set: &[u16], parts: u8, wins: bool, low: u32) {
        let candidate = |guess| Candidate { low, stage: Reverse(Stage::Counted), inconsistent: !wins, guess };
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

#[inline]
fn sum(one: u32, other: u32) -> u32 {
    (one + other).min(IMPOSSIBLE)
}

/// Equal for guesses that split the codes in the same way.
#[inline]
fn fingerprint(row: &[u8], set: &[u16]) -> u64 {
    let mut names = [u8::MAX; MAX_KINDS];
    let (mut next, mut print) = (0u8, 0u64);
    for &code in set {
        let name = &mut names[usize::from(row[usize::from(code)])];
        if *name == u8::MAX {
            *name = next;
            next += 1;
        }
        print = (print ^ u64::from(*name)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }
    print
}
