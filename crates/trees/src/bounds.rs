//! Lower bounds of totals from the number of codes and the number of parts that guesses make.
//!
//! Let no code of a position split it into more than `own` parts, the winning one included, and let no guess leave more
//! than `other` parts without the winning one ([`Width`]). A guess splits a subset into at most as many parts as the
//! whole set, and the codes of a subset are codes of the set, so both numbers also hold for all positions below.
//!
//! Let `f(g)` bound the number of codes that a strategy can find within `g` guesses at that position or at any position
//! below it. Then `f(1) = 1`, and for `g > 1` the first guess either
//!
//! - can be the secret: it finds one code and leaves at most `own - 1` other parts, in each of which at most `f(g - 1)`
//!   codes are found with the remaining guesses, so at most `1 + (own - 1) * f(g - 1)` codes are found; or
//! - cannot be the secret: it finds no code, and at most `other * f(g - 1)` codes are found below.
//!
//! The larger of the two is `other * f(g - 1)` if `own <= other`, and `1 + other * f(g - 1)` if `own = other + 1`. In
//! every strategy at most `f(g)` of `n` codes take `g` guesses or fewer, so the sorted numbers of guesses are at least
//! `1`, then `2` for the codes up to number `f(2)`, `3` up to `f(3)`, and so on: their sum is a lower bound on the total.
//!
//! That bound allows one code to be found by the first guess and `other` parts to be left by it, although no guess may
//! do both. For small sets, [`Bounds::least`] therefore distinguishes the two kinds of first guesses, and uses the bound
//! above for the parts that they leave.

/// Total of a position that no strategy can solve: more codes than the remaining guesses can distinguish.
pub(super) const IMPOSSIBLE: u32 = u32::MAX / 4;
/// No limit on the number of guesses.
pub(super) const UNLIMITED: u32 = u32::MAX;

/// Maximum numbers of parts that guesses make at a position and at all positions below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Width {
    /// Parts that a code of the position makes, the winning one included. At most `other + 1`.
    own: u8,
    /// Parts that any guess makes, without the winning one.
    other: u8,
}

impl Width {
    /// Creates the width of a position whose codes make at most `own` parts and all other guesses at most `other`
    /// parts.
    pub(super) fn new(own: u8, other: u8) -> Self {
        Self { own, other: other.max(own.saturating_sub(1)) }
    }

    /// Creates the width of any position when there are `kinds` feedbacks.
    pub(super) fn of_kinds(kinds: usize) -> Self {
        Self::new(kinds as u8, 0)
    }

    /// Returns the width of a position to which both widths apply.
    pub(super) fn min(self, with: Self) -> Self {
        let other = self.other.min(with.other);
        Self { own: self.own.min(with.own).min(other + 1), other }
    }

    /// Returns a width that applies to every position to which one of the widths applies.
    pub(super) fn max(self, with: Self) -> Self {
        Self { own: self.own.max(with.own), other: self.other.max(with.other) }
    }

    /// Returns the maximum number of parts that a code of the position makes.
    pub(super) fn own(self) -> u8 {
        self.own
    }

    /// Returns the maximum number of parts, the winning one included.
    pub(super) fn parts(self) -> u8 {
        self.own.max(self.other)
    }

    /// Returns `f(g + 1)` of the module documentation, where `within` is `f(g)`. It is always larger than `within`.
    #[inline]
    fn capacity(self, within: u64) -> u64 {
        let next = u64::from(self.other).saturating_mul(within).saturating_add((self.own > self.other).into());
        next.max(within + 1)
    }
}

/// Returns a lower bound on the total of any set of `codes` codes when there are `kinds` feedbacks.
pub(super) fn least_total(codes: usize, kinds: usize) -> u64 {
    let (codes, width) = (codes as u64, Width::of_kinds(kinds));
    let (mut within, mut total) = (0, 0);
    // The total is the sum over all g of the number of codes that take more than g guesses.
    while within < codes {
        total += codes - within;
        within = if within == 0 { 1 } else { width.capacity(within) };
    }
    total
}

/// Number of codes from which [`Bounds::least`] no longer distinguishes the two kinds of first guesses.
const SMALL: usize = 64;

/// Table of lower bounds by width and number of codes.
pub(super) struct Bounds {
    codes: usize,
    kinds: usize,
    /// Bounds from `f` of 0, 1, 2, … codes, by `other` and by whether `own` is larger.
    totals: Vec<u32>,
    /// [`Bounds::least`] of fewer than [`SMALL`] codes, by `own` and `other`.
    small: Vec<u16>,
}

impl Bounds {
    /// Builds the table for sets of up to `codes` codes and up to `kinds` feedbacks.
    pub(super) fn new(codes: usize, kinds: usize) -> Self {
        let mut totals = Vec::with_capacity((codes + 1) * 2 * kinds);
        for other in 0..kinds as u8 {
            for width in [Width { own: other, other }, Width { own: other + 1, other }] {
                let (mut guesses, mut within, mut total) = (1u32, 1u64, 0u32);
                totals.push(0);
                for code in 1..=codes as u64 {
                    while code > within {
                        guesses += 1;
                        within = width.capacity(within);
                    }
                    total = total.saturating_add(guesses).min(IMPOSSIBLE);
                    totals.push(total);
                }
            }
        }
        let mut bounds = Self { codes, kinds, totals, small: Vec::new() };
        for own in 0..=kinds as u8 {
            for other in 0..kinds as u8 {
                let width = Width::new(own, other);
                let least = |codes: usize| match codes.min(bounds.codes) {
                    codes @ 0..=1 => codes as u32,
                    codes => bounds.split(width, codes, own, true).min(bounds.split(width, codes, other, false)),
                };
                bounds
                    .small
                    .extend((0..SMALL).map(least).map(|total| total.min(u16::MAX.into()) as u16).collect::<Vec<u16>>());
            }
        }
        bounds
    }

    /// Returns the lower bounds from `f` of 0, 1, 2, … codes.
    #[inline]
    fn row(&self, width: Width) -> &[u32] {
        let row = 2 * usize::from(width.other) + usize::from(width.own > width.other);
        &self.totals[row * (self.codes + 1)..][..self.codes + 1]
    }

    /// Returns a lower bound for `codes` codes.
    #[inline]
    pub(super) fn least(&self, width: Width, codes: usize) -> u32 {
        if codes < SMALL {
            let row = usize::from(width.own) * self.kinds + usize::from(width.other);
            self.small[row * SMALL + codes].into()
        } else {
            self.row(width)[codes]
        }
    }

    /// Returns a lower bound for a guess that splits `codes` codes into `parts` parts, one of which is the winning one
    /// if `wins`.
    pub(super) fn split(&self, width: Width, codes: usize, parts: u8, wins: bool) -> u32 {
        let row = self.row(width);
        let (left, into) = if wins { (codes - 1, parts.saturating_sub(1)) } else { (codes, parts) };
        let into = usize::from(into);
        if into == 0 || (into == 1 && !wins) {
            return if left == 0 { codes as u32 } else { IMPOSSIBLE };
        }
        // The bounds are convex in the number of codes, so equal parts are best.
        let (size, larger) = (left / into, left % into);
        codes as u32 + (into - larger) as u32 * row[size] + larger as u32 * row[(size + 1).min(self.codes)]
    }

    /// Returns `f(1)`, `f(2)`, … below `codes`: the bound from `f` of `n` codes is `n` plus the excess of `n` over each
    /// of them.
    pub(super) fn thresholds(&self, width: Width, codes: usize) -> Vec<u16> {
        let thresholds = std::iter::successors(Some(1), |&within| Some(width.capacity(within)));
        thresholds.take_while(|&within| within < codes as u64).map(|within| within as u16).collect()
    }

    /// Returns an upper bound on the number of codes that a strategy can find within `guesses` guesses. Stops early once the
    /// bound reaches the number of all codes.
    #[inline]
    pub(super) fn reach(&self, guesses: u32, width: Width) -> u64 {
        let mut within = 0;
        for _ in 0..guesses {
            if within >= self.codes as u64 {
                break;
            }
            within = if within == 0 { 1 } else { width.capacity(within) };
        }
        within
    }

    /// Returns false if no strategy finds each of `codes` codes within `guesses` guesses.
    #[inline]
    pub(super) fn fits(&self, codes: usize, guesses: u32, width: Width) -> bool {
        self.reach(guesses, width) >= codes as u64
    }
}

/// Returns the number of guesses left after one of `guesses`.
#[inline]
pub(super) fn one_less(guesses: u32) -> u32 {
    if guesses == UNLIMITED { UNLIMITED } else { guesses.saturating_sub(1) }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use pegwise_game::{Feedback, Rules};

    use super::*;
    use crate::samples::NaiveSolver;
    use pegwise_search::Rng;

    #[test]
    fn golden_values() {
        assert_eq!(least_total(1296, 14), 4_986);
        assert_eq!(least_total(32_768, 20), 156_198);
        assert_eq!([1, 14, 15].map(|codes| least_total(codes, 14)), [1, 1 + 13 * 2, 1 + 13 * 2 + 3]);
        assert_eq!(least_total(3, 2), 1 + 2 + 3);
        let bounds = Bounds::new(1296, 14);
        let (any, narrow) = (Width::of_kinds(14), Width::new(13, 13));
        assert!((0..=1296).all(|codes| u64::from(bounds.row(any)[codes]) == least_total(codes, 14)));
        assert_eq!(bounds.row(narrow)[1 + 12 + 156 + 1], 1 + 12 * 2 + 156 * 3 + 4);
        assert!(bounds.fits(183, 3, any) && !bounds.fits(184, 3, any));
        assert!(bounds.fits(169, 3, narrow) && !bounds.fits(170, 3, narrow));
        // The first guess finds none of 13 codes if none of them leaves the others in parts of their own.
        assert_eq!((bounds.least(Width::new(9, 13), 13), bounds.least(narrow, 13)), (26, 25));
    }

    /// All sets of small spaces, and random sets of larger ones.
    #[test]
    fn no_total_is_below_the_bounds() {
        let mut rng = Rng::new(8);
        for text in ["2x3", "3x2", "1x6", "2x3:per-cell", "2x3:higher-lower", "2x4", "3x3", "3x4:no-repeats", "3x4"] {
            let rules: Rules = text.parse().unwrap();
            let mut naive = NaiveSolver::new(&rules, false);
            let codes = naive.codes.len();
            let kinds = naive.answers.iter().flatten().collect::<HashSet<_>>().len();
            let bounds = Bounds::new(codes, kinds);
            let sets: Vec<Vec<usize>> = if codes <= 9 {
                (1..1 << codes).map(|bits| (0..codes).filter(|code| bits >> code & 1 == 1).collect()).collect()
            } else {
                let random = |size| (0..size).map(|_| rng.index(codes)).collect::<BTreeSet<_>>().into_iter().collect();
                (0..64).map(|round| 1 + round % 8).map(random).collect()
            };
            for set in sets {
                let total = naive.total(&set, UNLIMITED).unwrap();
                assert!(least_total(set.len(), kinds) <= total.into(), "{text} {set:?}");
                let parts = |guess: &Vec<Feedback>| set.iter().map(|&code| &guess[code]).collect::<HashSet<_>>().len();
                let most = |own: bool| {
                    let guesses = (0..codes).filter(|guess| set.contains(guess) == own);
                    guesses.map(|guess| parts(&naive.answers[guess])).max().unwrap_or(0) as u8
                };
                let width = Width::new(most(true), most(false));
                assert!(bounds.row(width)[set.len()] <= bounds.least(width, set.len()), "{text} {set:?}");
                assert!(bounds.least(width, set.len()) <= total, "{text} {set:?}");
                assert!(bounds.fits(set.len(), total, width), "{text} {set:?}");
            }
        }
    }
}
