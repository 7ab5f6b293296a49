//! Codes that were found not to fit, so that none is examined twice.
//!
//! A code that does not fit a history does not fit any that goes on from it.

use std::collections::HashSet;

use pegwise_game::{Color, Rules};

/// The codes ruled out in a game.
#[derive(Debug, Clone)]
pub(super) struct Tracker {
    colors: u16,
    marks: Marks,
}

#[derive(Debug, Clone)]
enum Marks {
    /// A bit for each way to color the cells.
    Bits(Vec<u64>),
    /// The numbers of the codes.
    Numbers(HashSet<u128>),
    /// Codes whose numbers exceed 128 bits: one is hardly ever met twice, and examining it again does no harm.
    None,
}

/// The most bits: two megabytes, which a game of such a size takes far longer to fill than to clear.
const MOST_BITS: u128 = 1 << 24;
/// The most numbers that are kept; further codes may be examined twice.
const MOST_NUMBERS: usize = 1 << 20;

impl Tracker {
    pub(super) fn new(rules: &Rules) -> Self {
        let colors = rules.colors();
        let cells = u32::try_from(rules.cells()).unwrap_or(u32::MAX);
        let marks = match u128::from(colors).checked_pow(cells) {
            Some(count) if count <= MOST_BITS => Marks::Bits(vec![0; (count as usize).div_ceil(64)]),
            Some(_) => Marks::Numbers(HashSet::new()),
            None => Marks::None,
        };
        Self { colors, marks }
    }

    /// Forgets every code.
    pub(super) fn clear(&mut self) {
        match &mut self.marks {
            Marks::Bits(words) => words.fill(0),
            Marks::Numbers(numbers) => *numbers = HashSet::new(),
            Marks::None => {}
        }
    }

    /// Whether a code was ruled out.
    #[inline]
    pub(super) fn contains(&self, code: &[Color]) -> bool {
        match &self.marks {
            Marks::Bits(words) => {
                let number = self.small_number(code);
                words[number / 64] >> (number % 64) & 1 == 1
            }
            Marks::Numbers(numbers) => numbers.contains(&number(self.colors, code)),
            Marks::None => false,
        }
    }

    /// Rules a code out.
    #[inline]
    pub(super) fn insert(&mut self, code: &[Color]) {
        let small = if matches!(self.marks, Marks::Bits(_)) { self.small_number(code) } else { 0 };
        match &mut self.marks {
            Marks::Bits(words) => words[small / 64] |= 1 << (small % 64),
            Marks::Numbers(numbers) if numbers.len() < MOST_NUMBERS => {
                numbers.insert(number(self.colors, code));
            }
            Marks::Numbers(_) | Marks::None => {}
        }
    }

    #[inline]
    fn small_number(&self, code: &[Color]) -> usize {
        code.iter().fold(0, |number, color| number * usize::from(self.colors) + color.index())
    }
}

fn number(colors: u16, code: &[Color]) -> u128 {
    code.iter().fold(0, |number, color| number * u128::from(colors) + color.index() as u128)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Rng;

    #[test]
    fn small_and_large_spaces_remember_alike() {
        for rules in ["4x6", "3x5:no-repeats", "1x1", "24x2", "12x12", "40x9"] {
            let rules: Rules = rules.parse().unwrap();
            let mut tracker = Tracker::new(&rules);
            let mut naive = BTreeSet::new();
            let mut rng = Rng::new(3);
            for _ in 0..300 {
                let code = rng.code(&rules);
                assert_eq!(tracker.contains(&code), naive.contains(&code), "{rules}");
                if rng.below(2) == 0 {
                    tracker.insert(&code);
                    naive.insert(code);
                }
            }
            assert!(naive.iter().all(|code| tracker.contains(code)), "{rules}");
            tracker.clear();
            assert!(!naive.iter().any(|code| tracker.contains(code)), "{rules}");
        }
    }

    #[test]
    fn spaces_past_128_bits_are_not_tracked() {
        let rules: Rules = "100x100".parse().unwrap();
        let mut tracker = Tracker::new(&rules);
        let code = Rng::new(1).code(&rules);
        tracker.insert(&code);
        assert!(!tracker.contains(&code));
    }
}
