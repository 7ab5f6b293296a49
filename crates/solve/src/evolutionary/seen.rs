//! Which codes were there before.

use pegwise_game::{Color, Rules};

/// A set of codes that is emptied at no cost, for asking of each new code whether it is one.
///
/// A code is known by its number in the space where that fits a word, else by a hash of 64 bits: then, less than once in
/// 10^15 for the sizes of populations, a new code is taken for one seen before.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_solve::evolutionary::Seen;
/// let rules: Rules = "4x6".parse().unwrap();
/// let mut seen = Seen::new(&rules);
/// let code = rules.parse_code("1123").unwrap();
/// assert!(seen.insert(&code) && !seen.insert(&code));
/// seen.clear();
/// assert!(seen.insert(&code));
/// ```
#[derive(Debug, Clone)]
pub struct Seen {
    base: u64,
    /// Open addressing over a power of two of slots; a slot is taken if its round is the current one.
    slots: Vec<Slot>,
    round: u32,
    len: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    number: u64,
    round: u32,
    /// How many codes were there before it.
    place: u32,
}

impl Seen {
    /// The empty set.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        let colors = u64::from(rules.colors());
        let exact = u32::try_from(rules.cells()).is_ok_and(|cells| colors.checked_pow(cells).is_some());
        // An odd base loses nothing when numbers overflow.
        let base = if exact { colors } else { 0x9E37_79B9_7F4A_7C15 };
        Self { base, slots: vec![Slot::default(); 512], round: 1, len: 0 }
    }

    /// Removes all codes.
    pub fn clear(&mut self) {
        self.len = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.slots.fill(Slot::default());
            self.round = 1;
        }
    }

    /// Adds a code, and tells whether it is new.
    #[inline]
    pub fn insert(&mut self, code: &[Color]) -> bool {
        let before = self.len;
        self.place(code) == before
    }

    /// Adds a code if it is new, and tells its place: how many codes were there before it.
    #[inline]
    pub fn place(&mut self, code: &[Color]) -> usize {
        let number =
            code.iter().fold(0u64, |number, color| number.wrapping_mul(self.base).wrapping_add(color.index() as u64));
        if 2 * self.len >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(number);
        if self.slots[slot].round != self.round {
            self.slots[slot] = Slot { number, round: self.round, place: self.len as u32 };
            self.len += 1;
        }
        self.slots[slot].place as usize
    }

    /// How many codes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The slot of a number: the one that holds it, or else the free one where it goes.
    #[inline]
    fn slot(&self, number: u64) -> usize {
        // Fibonacci hashing: the high bits of the product depend on all bits of the number.
        let shift = u64::BITS - self.slots.len().trailing_zeros();
        let mut place = (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize;
        while self.slots[place].round == self.round && self.slots[place].number != number {
            place = (place + 1) & (self.slots.len() - 1);
        }
        place
    }

    fn grow(&mut self) {
        let larger = vec![Slot::default(); 2 * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, larger);
        for slot in old.into_iter().filter(|slot| slot.round == self.round) {
            let place = self.slot(slot.number);
            self.slots[place] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::Rng;

    proptest! {
        /// Against a plain set, through growth and clearing.
        #[test]
        fn sets_agree_with_plain_ones(
            rules in prop::sample::select(vec!["2x3", "4x6", "8x12", "100x2", "grid:9x9x9"]),
            seed: u64,
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(seed);
            let mut seen = Seen::new(&rules);
            for _ in 0..3 {
                let mut naive = Vec::new();
                let mut known = BTreeSet::new();
                for _ in 0..rng.below(1_500) {
                    let code = rng.code(&rules);
                    prop_assert_eq!(seen.insert(&code), known.insert(code.clone()));
                    if naive.len() < known.len() {
                        naive.push(code);
                    }
                }
                prop_assert_eq!(seen.len(), naive.len());
                for (place, code) in naive.iter().enumerate() {
                    prop_assert_eq!(seen.place(code), place);
                }
                seen.clear();
                prop_assert!(seen.is_empty());
            }
        }
    }
}
