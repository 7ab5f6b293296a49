//! Black and white pegs of all lanes at once, by adders, and how often each mark came up, in counters of bits.

use super::{BitPlanes, EMPTY, Line, MAX_CELLS, Plan, word::Word};

/// Digits of a short counter.
pub(super) const DIGITS: usize = 8;

/// The most that a short counter counts to.
pub(super) const MOST_COUNTED: usize = (1 << DIGITS) - 1;

/// Terms that are added up before they reach the counters.
pub(super) const GROUP: usize = 8;

/// The counter of one mark: a digit a line, the lowest first.
pub(super) type Counter = [Line; DIGITS];

/// For each number of pegs, the lanes that have so many, for each term of a group.
type Decoded = [[Line; GROUP]; MAX_CELLS + 1];

/// The pegs of a group of terms, as masks: black ones, and black and white ones together. They are kept as working space: to
/// clear them would take as long as to count a few codes.
#[derive(Debug, Clone)]
pub(super) struct Pegs {
    black: Decoded,
    total: Decoded,
}

impl Pegs {
    pub(super) const EMPTY: Self =
        Self { black: [[EMPTY; GROUP]; MAX_CELLS + 1], total: [[EMPTY; GROUP]; MAX_CELLS + 1] };

    /// Those of a group of pairs of masks and plan. Places past the last, up to `TERMS`, are in no lane.
    #[inline(always)]
    pub(super) fn set<'a, W: Word, const P: usize, const TERMS: usize>(
        &mut self,
        group: usize,
        part: usize,
        term: impl Fn(usize) -> (&'a [Line], &'a Plan),
    ) {
        for at in 0..group {
            let (masks, plan) = term(at);
            decode::<W, P>(sum::<W, P>(masks, &plan.cells, part), &mut self.black, at, part);
            decode::<W, P>(sum::<W, P>(masks, &plan.shown, part), &mut self.total, at, part);
        }
        for black in self.black[..=P].iter_mut().flat_map(|black| &mut black[group..TERMS]) {
            W::zero().store(black, part);
        }
    }

    /// The lanes in which a term has a mark.
    #[inline(always)]
    pub(super) fn with<W: Word>(&self, (black, total): (usize, usize), at: usize, part: usize) -> W {
        W::load(&self.black[black][at], part).and(W::load(&self.total[total][at], part))
    }
}

/// The most marks of a sliced code.
const MOST_MARKS: usize = mark_count(MAX_CELLS);

const fn mark_count(cells: usize) -> usize {
    (cells + 1) * (cells + 2) / 2 - 1
}

/// Every mark of so many cells, as black pegs and pegs in all.
struct Marks<const P: usize>;

impl<const P: usize> Marks<P> {
    const LISTED: [(usize, usize); MOST_MARKS] = {
        let mut marks = [(0, 0); MOST_MARKS];
        let (mut at, mut black) = (0, 0);
        while black <= P {
            let mut total = black;
            while total <= P {
                // The last peg cannot be of the right color in the wrong place.
                if black + 1 != P || total != P {
                    marks[at] = (black, total);
                    at += 1;
                }
                total += 1;
            }
            black += 1;
        }
        marks
    };
    const ALL: &[(usize, usize)] = Self::LISTED.split_at(mark_count(P)).0;
}

/// Counts the marks of `terms` pairs of masks and plan in every lane: of one block for many plans, or of many blocks for one
/// plan. Counters are set, not added to.
#[inline(always)]
pub(super) fn count<'a, W: Word, const P: usize>(
    terms: usize,
    term: impl Fn(usize) -> (&'a [Line], &'a Plan),
    pegs: &mut Pegs,
    counters: &mut [Counter],
) {
    assert!(terms <= MOST_COUNTED);
    // The digits that the count can reach, and all that a group of terms carries into.
    let digits = (usize::BITS - terms.leading_zeros()).max(3) as usize;
    for part in 0..W::PARTS {
        for digit in counters.iter_mut().flat_map(|counter| &mut counter[..digits]) {
            W::zero().store(digit, part);
        }
        let mut first = 0;
        while first < terms {
            let term = |at: usize| term(first + at);
            // A few last terms take fewer adders.
            first += match terms - first {
                left @ 1..=2 => add_group::<W, P, 2>(left, part, term, pegs, counters, digits),
                left @ 3..=6 => add_group::<W, P, 4>(left.min(4), part, term, pegs, counters, digits),
                left => add_group::<W, P, GROUP>(left.min(GROUP), part, term, pegs, counters, digits),
            };
        }
    }
}

/// Adds how many codes each mark has. A mask that goes nowhere but into one number is soonest counted at once: adders only pay
/// where a number is wanted for each lane.
#[inline(always)]
pub(super) fn totals<W: Word, const P: usize>(codes: &BitPlanes, plan: &Plan, pegs: &mut Pegs, counts: &mut [u32]) {
    for part in 0..W::PARTS {
        let mut sums = [W::zero(); MOST_MARKS];
        for first in (0..codes.count()).step_by(GROUP) {
            let group = GROUP.min(codes.count() - first);
            let term = |at: usize| (codes.slice(first + at), plan);
            match group {
                1..=2 => total_group::<W, P, 2>(group, part, term, pegs, &mut sums),
                3..=4 => total_group::<W, P, 4>(group, part, term, pegs, &mut sums),
                _ => total_group::<W, P, GROUP>(group, part, term, pegs, &mut sums),
            }
        }
        for (count, sum) in counts[..mark_count(P)].iter_mut().zip(sums) {
            *count += sum.sum() as u32;
        }
    }
}

#[inline(always)]
fn total_group<'a, W: Word, const P: usize, const TERMS: usize>(
    group: usize,
    part: usize,
    term: impl Fn(usize) -> (&'a [Line], &'a Plan),
    pegs: &mut Pegs,
    sums: &mut [W; MOST_MARKS],
) {
    pegs.set::<W, P, TERMS>(group, part, term);
    for (sum, mark) in sums.iter_mut().zip(Marks::<P>::ALL) {
        *sum = sum.add_ones::<TERMS>(|at| pegs.with(*mark, at, part));
    }
}

/// Adds a group of terms to the counters, and tells how many.
#[inline(always)]
fn add_group<'a, W: Word, const P: usize, const TERMS: usize>(
    group: usize,
    part: usize,
    term: impl Fn(usize) -> (&'a [Line], &'a Plan),
    pegs: &mut Pegs,
    counters: &mut [Counter],
    digits: usize,
) -> usize {
    pegs.set::<W, P, TERMS>(group, part, term);
    for (counter, mark) in counters.iter_mut().zip(Marks::<P>::ALL) {
        add::<W, TERMS>(|at| pegs.with(*mark, at, part), &mut counter[..digits], part);
    }
    group
}

/// How many of the masks that a plan names have each lane's bit set, in binary.
#[inline(always)]
fn sum<W: Word, const P: usize>(masks: &[Line], named: &[u16; MAX_CELLS], part: usize) -> [W; 4] {
    let mask = |at: usize| if at < P { W::load(&masks[usize::from(named[at])], part) } else { W::zero() };
    let (low, first) = W::full_add(mask(0), mask(1), mask(2));
    let (low, second) = W::full_add(low, mask(3), mask(4));
    if P <= 5 {
        return [low, first.xor(second), first.and(second), W::zero()];
    }
    let (low, third) = W::full_add(low, mask(5), mask(6));
    let (middle, high) = W::full_add(first, second, third);
    if P <= 7 {
        return [low, middle, high, W::zero()];
    }
    let (low, fourth) = (low.xor(mask(7)), low.and(mask(7)));
    let (middle, fifth) = (middle.xor(fourth), middle.and(fourth));
    [low, middle, high.xor(fifth), high.and(fifth)]
}

/// From binary to one mask for each number.
#[inline(always)]
fn decode<W: Word, const P: usize>([low, middle, high, eight]: [W; 4], decoded: &mut Decoded, at: usize, part: usize) {
    let bits = [low, middle, high];
    let none = W::equals::<0>(bits);
    let mut set = |pegs: usize, lanes: W| lanes.store(&mut decoded[pegs][at], part);
    set(0, if P >= 8 { eight.not_and(none) } else { none });
    set(1, W::equals::<1>(bits));
    set(2, W::equals::<2>(bits));
    set(3, W::equals::<3>(bits));
    if P >= 4 {
        set(4, W::equals::<4>(bits));
    }
    if P >= 5 {
        set(5, W::equals::<5>(bits));
    }
    if P >= 6 {
        set(6, W::equals::<6>(bits));
    }
    if P >= 7 {
        set(7, W::equals::<7>(bits));
    }
    if P >= 8 {
        set(8, eight);
    }
}

/// Adds two, four or all terms of a group to the counter of the mark with so many pegs.
#[inline(always)]
fn add<W: Word, const TERMS: usize>(is: impl Fn(usize) -> W, counter: &mut [Line], part: usize) {
    let (ones, a) = W::full_add(W::load(&counter[0], part), is(0), is(1));
    if TERMS == 2 {
        ones.store(&mut counter[0], part);
        return carry(a, &mut counter[1..], part);
    }
    let (ones, b) = W::full_add(ones, is(2), is(3));
    if TERMS == 4 {
        ones.store(&mut counter[0], part);
        let (twos, a) = W::full_add(W::load(&counter[1], part), a, b);
        twos.store(&mut counter[1], part);
        return carry(a, &mut counter[2..], part);
    }
    let (ones, c) = W::full_add(ones, is(4), is(5));
    let (ones, d) = W::full_add(ones, is(6), is(7));
    ones.store(&mut counter[0], part);
    let (twos, a) = W::full_add(W::load(&counter[1], part), a, b);
    let (twos, b) = W::full_add(twos, c, d);
    twos.store(&mut counter[1], part);
    let (fours, a) = W::full_add(W::load(&counter[2], part), a, b);
    fours.store(&mut counter[2], part);
    carry(a, &mut counter[3..], part);
}

/// Adds one to digits where a lane carries.
#[inline(always)]
fn carry<W: Word>(mut carry: W, digits: &mut [Line], part: usize) {
    for digit in digits {
        let before = W::load(digit, part);
        before.xor(carry).store(digit, part);
        carry = before.and(carry);
    }
}

/// Adds short counters to long ones, which hold as many digits as it takes, and no fewer than a short one.
#[inline(always)]
pub(super) fn add_up<W: Word>(counters: &[Counter], long: &mut [Vec<Line>]) {
    for (counter, long) in counters.iter().zip(long) {
        for part in 0..W::PARTS {
            let mut carry = W::zero();
            let (low, high) = long.split_at_mut(DIGITS);
            for (sum, digit) in low.iter_mut().zip(counter) {
                let (bit, next) = W::full_add(W::load(sum, part), W::load(digit, part), carry);
                bit.store(sum, part);
                carry = next;
            }
            self::carry(carry, high, part);
        }
    }
}
