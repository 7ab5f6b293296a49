//! How the numbers of a mark lie in one word.
//!
//! They lie side by side, the first highest, each in as many bits. Since each is linear in the two sums of the line and its
//! cells, so is the word, and nothing has to be put together number by number.

use super::terms::MarkNumber;

/// Where the numbers of a mark are in its word; worked out once for each kind.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Packing {
    /// The bits of each number, and a mask of so many.
    bits: usize,
    mask: u64,
    /// The place of the first number.
    highest: usize,
    /// The first two numbers.
    two: [Window; 2],
    /// What each unit of the first sum, of the second and each cell adds to the word.
    weights: [u64; 3],
    /// The number that is the first sum, and that which is the second sum but for so many times the first.
    first: Window,
    second: Window,
    share: u64,
    /// Whether all numbers add up to the cells of the line.
    pub(super) adds_up: bool,
}

/// Some bits of a word; none where there is no such number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Window {
    from: usize,
    mask: u64,
}

impl Window {
    #[inline(always)]
    const fn of(self, word: u64) -> u64 {
        word >> self.from & self.mask
    }
}

impl Packing {
    pub(super) const fn new(numbers: &[MarkNumber]) -> Self {
        let bits = u64::BITS as usize / numbers.len();
        let mask = u64::MAX >> (u64::BITS as usize - bits);
        let nowhere = Window { from: 0, mask: 0 };
        let mut sums = [0; 3];
        let (mut weights, mut first, mut second, mut share) = ([0u64; 3], nowhere, nowhere, 0);
        let mut at = 0;
        while at < numbers.len() {
            let (of, from) = (numbers[at].of, bits * (numbers.len() - 1 - at));
            let mut part = 0;
            while part < of.len() {
                // What is taken off wraps round, as the words do.
                weights[part] = weights[part].wrapping_add((of[part] as u64) << from);
                sums[part] += of[part];
                part += 1;
            }
            if of[0] == 1 && of[1] == 0 && of[2] == 0 && first.mask == 0 {
                first = Window { from, mask };
            }
            if of[1] == 1 && of[2] == 0 && second.mask == 0 {
                second = Window { from, mask };
                share = of[0] as u64;
            }
            at += 1;
        }
        let highest = numbers.len() - 1;
        let next = if highest > 0 { Window { from: bits * (highest - 1), mask } } else { nowhere };
        let two = [Window { from: bits * highest, mask }, next];
        let adds_up = sums[0] == 0 && sums[1] == 0 && sums[2] == 1;
        Self { bits, mask, highest, two, weights, first, second, share, adds_up }
    }

    /// The word of a line whose cells and colors add up to these sums.
    #[inline(always)]
    pub(super) const fn word(&self, sums: [u64; 2], cells: usize) -> u64 {
        let [first, second, cell] = self.weights;
        let word = first.wrapping_mul(sums[0]).wrapping_add(second.wrapping_mul(sums[1]));
        word.wrapping_add(cell.wrapping_mul(cells as u64))
    }

    /// The word of some numbers, each of which fits.
    #[inline]
    pub(super) fn pack(&self, numbers: &[u64]) -> u64 {
        numbers.iter().enumerate().fold(0, |word, (at, number)| word | number << (self.bits * (self.highest - at)))
    }

    /// The sums behind a word.
    #[inline(always)]
    pub(super) const fn sums(&self, word: u64) -> [u64; 2] {
        let first = self.first.of(word);
        [first, self.second.of(word).wrapping_sub(self.share.wrapping_mul(first))]
    }

    /// The first two numbers of a word, as far as there are two.
    #[inline(always)]
    pub(super) const fn two(&self, word: u64) -> [u64; 2] {
        [self.two[0].of(word), self.two[1].of(word)]
    }

    /// One of the numbers of a word.
    #[inline(always)]
    pub(super) const fn number(&self, word: u64, at: usize) -> u64 {
        word >> (self.bits * (self.highest - at)) & self.mask
    }
}

#[cfg(test)]
mod tests {
    use crate::feedback::{FeedbackKind, Mark};

    /// Every mark of short lines: the word from the sums is that of its numbers, and gives both back.
    #[test]
    fn words_hold_what_was_put_into_them() {
        for kind in FeedbackKind::ALL.into_iter().filter(|kind| !kind.model().per_cell) {
            for cells in 1..6usize {
                for sums in (0..=cells as u64).flat_map(|first| (0..=cells as u64).map(move |second| [first, second])) {
                    let terms = kind.model();
                    let numbers: Vec<i64> = terms.numbers_at(sums, cells).collect();
                    if numbers.iter().any(|&number| number < 0) {
                        continue;
                    }
                    let mark = Mark::from_sums(kind, sums, cells);
                    assert!(mark.numbers().map(|number| number as i64).eq(numbers), "{kind} {sums:?}");
                    let used = [terms.numbers[0].of[0], i64::from(terms.has_second())].map(|used| used as u64);
                    assert_eq!(mark.sums(), [sums[0] * used[0], sums[1] * used[1]], "{kind} {sums:?}");
                }
            }
        }
    }
}
