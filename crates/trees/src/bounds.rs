//! Lower bounds of totals from the number of codes alone.
//!
//! Let `kinds` be the number of different feedbacks, the winning one included, and let no guess split the codes of a
//! position into more than `parts` parts. Let `f(g)` bound the number of codes that a strategy can find within `g`
//! guesses at that position or at any position below it. Then `f(1) = 1`, and for `g > 1` the first guess either
//!
//! - can be the secret: it finds one code and leaves at most `parts - 1` other parts, in each of which at most
//!   `f(g - 1)` codes are found with the remaining guesses, so at most `1 + (parts - 1) * f(g - 1)` codes are found; or
//! - cannot be the secret: it finds no code and leaves at most `parts` parts. None of them has the winning feedback, so
//!   there are also at most `kinds - 1` of them, and at most `min(parts, kinds - 1) * f(g - 1)` codes are found.
//!
//! The larger of the two is `parts * f(g - 1)` if `parts < kinds`, and `1 + (kinds - 1) * f(g - 1)` if `parts = kinds`.
//! A guess splits a subset into at most as many parts as the whole set, so `parts` also holds for all positions below,
//! and the recursion is sound. In every strategy at most `f(g)` of `n` codes take `g` guesses or fewer, so the sorted
//! numbers of guesses are at least `1`, then `2` for the codes up to number `f(2)`, `3` up to `f(3)`, and so on: their
//! sum is a lower bound of the total.

/// Total of a position that no strategy can solve: more codes than the remaining guesses can distinguish.
pub(super) const IMPOSSIBLE: u32 = u32::MAX / 4;
/// No limit on the number of guesses.
pub(super) const UNLIMITED: u32 = u32::MAX;

/// Returns `f(g + 1)` of the module documentation, where `within` is `f(g)`. It is always larger than `within`.
#[inline]
fn capacity(within: u64, parts: u64, kinds: u64) -> u64 {
    let next = if parts < kinds { parts.saturating_mul(within) } else { (kinds - 1).saturating_mul(within) + 1 };
    next.max(within + 1)
}

/// Returns a lower bound of the total of any set of `codes` codes when there are `kinds` feedbacks.
pub(super) fn least_total(codes: usize, kinds: usize) -> u64 {
    let (codes, kinds) = (codes as u64, kinds as u64);
    let (mut within, mut total) = (0, 0);
    // The total is the sum over all g of the number of codes that take more than g guesses.
    while within < codes {
        total += codes - within;
        within = if within == 0 { 1 } else { capacity(within, kinds, kinds) };
    }
    total
}

/// Table of lower bounds by number of parts and number of codes.
pub(super) struct Bounds {
    codes: usize,
    kinds: u8,
    totals: Vec<u32>,
}

impl Bounds {
    /// Builds the table for sets of up to `codes` codes and up to `kinds` feedbacks.
    pub(super) fn new(codes: usize, kinds: usize) -> Self {
        let mut totals = Vec::with_capacity((codes + 1) * (kinds + 1));
        for parts in 0..=kinds as u64 {
            let (mut guesses, mut within, mut total) = (1u32, 1u64, 0u32);
            totals.push(0);
            for code in 1..=codes as u64 {
                while code > within {
                    guesses += 1;
                    within = capacity(within, parts, kinds as u64);
                }
                total = total.saturating_add(guesses).min(IMPOSSIBLE);
                totals.push(total);
            }
        }
        Self { codes, kinds: kinds as u8, totals }
    }

    /// Returns the lower bounds of 0, 1, 2, … codes if no guess makes more than `parts` parts.
    #[inline]
    pub(super) fn row(&self, parts: u8) -> &[u32] {
        &self.totals[usize::from(parts) * (self.codes + 1)..][..self.codes + 1]
    }

    /// Returns a lower bound for a guess that splits `codes` codes into `parts` parts, one of which is the winning one
    /// if `wins`; no guess below makes more than `most` parts.
    pub(super) fn split(&self, most: u8, codes: usize, parts: usize, wins: bool) -> u32 {
        let row = self.row(most);
        let (left, into) = if wins { (codes - 1, parts - 1) } else { (codes, parts) };
        if into == 0 {
            return if left == 0 { codes as u32 } else { IMPOSSIBLE };
        }
        // The bounds are convex in the number of codes, so equal parts are best.
        let (size, larger) = (left / into, left % into);
        codes as u32 + (into - larger) as u32 * row[size] + larger as u32 * row[(size + 1).min(self.codes)]
    }

    /// Returns `f(1)`, `f(2)`, … below `codes` if no guess makes more than `parts` parts: the bound of `n` codes is `n`
    /// plus the excess of `n` over each of them.
    pub(super) fn thresholds(&self, parts: u8, codes: u32) -> Vec<u16> {
        let next = |&within: &u64| Some(capacity(within, parts.into(), self.kinds.into()));
        let thresholds = std::iter::successors(Some(1), next).take_while(|&within| within < codes.into());
        thresholds.map(|within| within as u16).collect()
    }

    /// Returns the number of codes that a strategy can find within `guesses` guesses that make at most `parts` parts, or
    /// a number that is not below the number of all codes.
    #[inline]
    pub(super) fn reach(&self, guesses: u32, parts: u8) -> u64 {
        let mut within = 0;
        for _ in 0..guesses {
            if within >= self.codes as u64 {
                break;
            }
            within = if within == 0 { 1 } else { capacity(within, parts.into(), self.kinds.into()) };
        }
        within
    }

    /// Returns false if no strategy finds each of `codes` codes within `guesses` guesses that make at most `parts`
    /// parts.
    #[inline]
    pub(super) fn fits(&self, codes: usize, guesses: u32, parts: u8) -> bool {
        self.reach(guesses, parts) >= codes as u64
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
        assert!((0..=1296).all(|codes| u64::from(bounds.row(14)[codes]) == least_total(codes, 14)));
        assert_eq!(bounds.row(13)[1 + 12 + 156 + 1], 1 + 12 * 2 + 156 * 3 + 4);
        assert!(bounds.fits(183, 3, 14) && !bounds.fits(184, 3, 14));
        assert!(bounds.fits(169, 3, 13) && !bounds.fits(170, 3, 13));
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
                let most = naive.answers.iter().map(parts).max().unwrap();
                assert!(bounds.row(most as u8)[set.len()] <= total, "{text} {set:?}");
                assert!(bounds.fits(set.len(), total, most as u8), "{text} {set:?}");
            }
        }
    }
}
