//! Black and white pegs of all lanes at once, by adders, and how often each mark came up, in counters of bits.

use super::{Line, MAX_CELLS, Plan, word::Word};

/// Digits of a short counter.
pub(super) const DIGITS: usize = 8;

/// The most that a short counter counts to.
pub(super) const MOST_COUNTED: usize = (1 << DIGITS) - 1;

/// Terms that are added up before they reach the counters.
const GROUP: usize = 8;

/// The counter of one mark: a digit a line, the lowest first.
pub(super) type Counter = [Line; DIGITS];

/// For each number of pegs, the lanes that have so many, for each term of a group.
type Decoded<W> = [[W; GROUP]; MAX_CELLS + 1];

/// Counts the marks of `terms` pairs of masks and plan in every lane: of one block for many plans, or of many blocks for one
/// plan. Counters are set, not added to.
#[inline(always)]
pub(super) fn count<'a, W: Word, const P: usize>(
    terms: usize,
    term: impl Fn(usize) -> (&'a [Line], &'a Plan),
    counters: &mut [Counter],
) {
    assert!(terms <= MOST_COUNTED);
    // The digits that the count can reach, and all that a group of terms carries into.
    let digits = (usize::BITS - terms.leading_zeros()).max(3) as usize;
    for part in 0..W::PARTS {
        for digit in counters.iter_mut().flat_map(|counter| &mut counter[..digits]) {
            W::zero().store(digit, part);
        }
        let (mut black, mut total): (Decoded<W>, Decoded<W>) =
            ([[W::zero(); GROUP]; MAX_CELLS + 1], [[W::zero(); GROUP]; MAX_CELLS + 1]);
        for first in (0..terms).step_by(GROUP) {
            let group = GROUP.min(terms - first);
            for at in 0..group {
                let (masks, plan) = term(first + at);
                decode::<W, P>(sum::<W, P>(masks, &plan.cells, part), &mut black, at);
                decode::<W, P>(sum::<W, P>(masks, &plan.shown, part), &mut total, at);
            }
            for black in &mut black[..=P] {
                black[group..].fill(W::zero());
            }
            let mut counters = counters.iter_mut();
            for (pegs, black) in black[..=P].iter().enumerate() {
                for shown in (pegs..=P).filter(|&shown| (pegs, shown) != (P - 1, P)) {
                    let counter = counters.next().expect("a counter for each mark");
                    add::<W>(black, &total[shown], &mut counter[..digits], part);
                }
            }
        }
    }
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
fn decode<W: Word, const P: usize>([low, middle, high, eight]: [W; 4], decoded: &mut Decoded<W>, at: usize) {
    let bits = [low, middle, high];
    let none = W::equals::<0>(bits);
    decoded[0][at] = if P >= 8 { eight.not_and(none) } else { none };
    decoded[1][at] = W::equals::<1>(bits);
    decoded[2][at] = W::equals::<2>(bits);
    decoded[3][at] = W::equals::<3>(bits);
    if P >= 4 {
        decoded[4][at] = W::equals::<4>(bits);
    }
    if P >= 5 {
        decoded[5][at] = W::equals::<5>(bits);
    }
    if P >= 6 {
        decoded[6][at] = W::equals::<6>(bits);
    }
    if P >= 7 {
        decoded[7][at] = W::equals::<7>(bits);
    }
    if P >= 8 {
        decoded[8][at] = eight;
    }
}

/// Adds a group of terms to the counter of the mark with so many pegs.
#[inline(always)]
fn add<W: Word>(black: &[W; GROUP], total: &[W; GROUP], counter: &mut [Line], part: usize) {
    let is = |at: usize| black[at].and(total[at]);
    let (ones, a) = W::full_add(W::load(&counter[0], part), is(0), is(1));
    let (ones, b) = W::full_add(ones, is(2), is(3));
    let (ones, c) = W::full_add(ones, is(4), is(5));
    let (ones, d) = W::full_add(ones, is(6), is(7));
    ones.store(&mut counter[0], part);
    let (twos, a) = W::full_add(W::load(&counter[1], part), a, b);
    let (twos, b) = W::full_add(twos, c, d);
    twos.store(&mut counter[1], part);
    let (fours, mut carry) = W::full_add(W::load(&counter[2], part), a, b);
    fours.store(&mut counter[2], part);
    for digit in &mut counter[3..] {
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
            for digit in high {
                let before = W::load(digit, part);
                before.xor(carry).store(digit, part);
                carry = before.and(carry);
            }
        }
    }
}
