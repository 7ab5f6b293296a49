//! Populations and sets of codes, and drawing random ones.

use pegwise_game::{Code, Color, Rules};

use pegwise_search::Rng;

/// Codes in one flat array, each with a cost: its distance from consistency with the history.
#[derive(Debug, Clone)]
pub(crate) struct Population {
    cells: usize,
    colors: Vec<Color>,
    costs: Vec<u32>,
}

impl Population {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self { cells: rules.cells(), colors: Vec::new(), costs: Vec::new() }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.costs.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.colors.clear();
        self.costs.clear();
    }

    #[inline]
    pub(super) fn member(&self, index: usize) -> &[Color] {
        &self.colors[index * self.cells..][..self.cells]
    }

    pub(crate) fn code(&self, index: usize) -> Code {
        Code::new(self.member(index))
    }

    #[inline]
    pub(super) fn cost(&self, index: usize) -> u32 {
        self.costs[index]
    }

    pub(super) fn costs(&self) -> &[u32] {
        &self.costs
    }

    /// Highest cost of a member; zero if there are none.
    pub(super) fn max_cost(&self) -> u32 {
        self.costs.iter().copied().max().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn push(&mut self, code: &[Color], cost: u32) {
        debug_assert_eq!(code.len(), self.cells);
        self.colors.extend_from_slice(code);
        self.costs.push(cost);
    }

    #[inline]
    pub(super) fn replace(&mut self, index: usize, code: &[Color], cost: u32) {
        self.colors[index * self.cells..][..self.cells].copy_from_slice(code);
        self.costs[index] = cost;
    }

    pub(super) fn update_costs(&mut self, mut cost: impl FnMut(&[Color]) -> u32) {
        for (code, old) in self.colors.chunks_exact(self.cells).zip(&mut self.costs) {
            *old = cost(code);
        }
    }

    /// Returns the index of the first of the cheapest members that pass a test.
    pub(super) fn cheapest(&self, passes: impl Fn(&[Color]) -> bool) -> Option<usize> {
        (0..self.len()).filter(|&index| passes(self.member(index))).min_by_key(|&index| self.costs[index])
    }

    /// Indices of the members by ascending cost; the order of equal ones is kept.
    pub(super) fn by_cost(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&index| self.costs[index]);
        order
    }
}

/// Number of attempts to draw a code that is not in a set: spaces can be smaller than populations.
const MAX_DRAWS: usize = 64;

/// Draws a uniformly distributed code in place.
pub(super) fn draw(code: &mut [Color], rules: &Rules, rng: &mut Rng) {
    if rules.repeats() {
        let colors = u64::from(rules.colors());
        code.fill_with(|| Color::new(rng.below(colors) as u16));
    } else {
        code.copy_from_slice(&rng.code(rules));
    }
}

/// Draws a code that is not in `drawn`, and adds it. If 64 attempts fail, the code may be in `drawn` already.
pub(super) fn draw_distinct(code: &mut [Color], rules: &Rules, drawn: &mut CodeSet, rng: &mut Rng) {
    for _ in 0..MAX_DRAWS {
        draw(code, rules, rng);
        if drawn.insert(code) {
            return;
        }
    }
}

/// Set of codes in insertion order that is cleared in constant time.
///
/// A code is identified by its rank if that fits 64 bits, else by a 64-bit hash, for which two codes of a population
/// collide with a probability below 10^-15.
#[derive(Debug, Clone)]
pub(super) struct CodeSet {
    base: u64,
    /// Open addressing; the length is a power of two. A slot is occupied if its epoch is the current one.
    slots: Vec<CodeSlot>,
    epoch: u32,
    len: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct CodeSlot {
    key: u64,
    epoch: u32,
    /// Position in insertion order.
    index: u32,
}

impl CodeSet {
    pub(super) fn new(rules: &Rules) -> Self {
        let colors = u64::from(rules.colors());
        let exact = u32::try_from(rules.cells()).is_ok_and(|cells| colors.checked_pow(cells).is_some());
        // Multiplication by an odd number is invertible modulo 2^64.
        let base = if exact { colors } else { 0x9E37_79B9_7F4A_7C15 };
        Self { base, slots: vec![CodeSlot::default(); 512], epoch: 1, len: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.slots.fill(CodeSlot::default());
            self.epoch = 1;
        }
    }

    /// Adds a code. Returns true if it is new.
    #[inline]
    pub(super) fn insert(&mut self, code: &[Color]) -> bool {
        let before = self.len;
        self.insert_index(code) == before
    }

    /// Adds a code if it is new. Returns its position in insertion order.
    #[inline]
    pub(super) fn insert_index(&mut self, code: &[Color]) -> usize {
        let key = code.iter().fold(0u64, |key, color| key.wrapping_mul(self.base).wrapping_add(color.index() as u64));
        if 2 * self.len >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(key);
        if self.slots[slot].epoch != self.epoch {
            self.slots[slot] = CodeSlot { key, epoch: self.epoch, index: self.len as u32 };
            self.len += 1;
        }
        self.slots[slot].index as usize
    }

    /// Returns the slot of a key, or the free slot for it.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        // Fibonacci hashing: the high bits of the product depend on all bits of the key.
        let shift = u64::BITS - self.slots.len().trailing_zeros();
        let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize;
        while self.slots[slot].epoch == self.epoch && self.slots[slot].key != key {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    fn grow(&mut self) {
        let larger = vec![CodeSlot::default(); 2 * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, larger);
        for entry in old.into_iter().filter(|entry| entry.epoch == self.epoch) {
            let slot = self.slot(entry.key);
            self.slots[slot] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use pegwise_search::Rng;

    #[test]
    fn members_are_stored_separately() {
        let rules: Rules = "3x4".parse().unwrap();
        let mut population = Population::new(&rules);
        for (code, cost) in [("123", 5), ("444", 2), ("321", 5), ("112", 0)] {
            population.push(&rules.parse_code(code).unwrap(), cost);
        }
        assert_eq!(population.by_cost(), [3, 1, 0, 2]);
        assert_eq!(population.cheapest(|_| true), Some(3));
        assert_eq!(population.cheapest(|code| code[0].number() > 2), Some(1));
        assert_eq!(population.cheapest(|_| false), None);
        population.update_costs(|code| code[2].number());
        assert_eq!(population.costs(), [3, 4, 1, 2]);
        assert_eq!(population.max_cost(), 4);
        population.replace(1, &rules.parse_code("222").unwrap(), 9);
        assert_eq!(population.code(1), rules.parse_code("222").unwrap());
        assert_eq!(population.code(2), rules.parse_code("321").unwrap());
        assert_eq!(population.costs(), [3, 9, 1, 2]);
        population.clear();
        assert!(population.is_empty());
    }

    #[test]
    fn drawn_codes_are_distinct_if_possible() {
        for (rules, codes) in [("4x6", 200), ("3x6:no-repeats", 60), ("2x2", 4)] {
            let rules: Rules = rules.parse().unwrap();
            let (mut rng, mut set) = (Rng::new(1), CodeSet::new(&rules));
            let mut drawn = BTreeSet::new();
            let mut code = vec![Color::default(); rules.cells()];
            for _ in 0..codes {
                draw_distinct(&mut code, &rules, &mut set, &mut rng);
                rules.check_code(&Code::new(&code[..])).unwrap();
                drawn.insert(code.clone());
            }
            assert_eq!(drawn.len(), codes, "{rules}");
            // Returns even if every code was drawn.
            draw_distinct(&mut code, &rules, &mut set, &mut rng);
        }
    }

    #[test]
    fn codes_are_uniformly_distributed() {
        for rules in ["2x3", "2x4:no-repeats"] {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(4);
            let mut seen = BTreeMap::new();
            let mut code = [Color::default(); 2];
            let codes = pegwise_game::Space::new(&rules).iter().count();
            for _ in 0..1_000 * codes {
                draw(&mut code, &rules, &mut rng);
                *seen.entry(code).or_insert(0u32) += 1;
            }
            assert_eq!(seen.len(), codes);
            assert!(seen.values().all(|count| count.abs_diff(1_000) < 145), "{seen:?}");
        }
    }

    proptest! {
        /// Compares with a `BTreeSet`, through growth and clearing.
        #[test]
        fn code_sets_are_sets(
            rules in prop::sample::select(vec!["2x3", "4x6", "8x12", "100x2", "grid:9x9x9"]),
            seed: u64,
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(seed);
            let mut set = CodeSet::new(&rules);
            for _ in 0..3 {
                let mut ordered = Vec::new();
                let mut naive = BTreeSet::new();
                for _ in 0..rng.below(1_500) {
                    let code = rng.code(&rules);
                    prop_assert_eq!(set.insert(&code), naive.insert(code.clone()));
                    if ordered.len() < naive.len() {
                        ordered.push(code);
                    }
                }
                prop_assert_eq!(set.len, ordered.len());
                for (index, code) in ordered.iter().enumerate() {
                    prop_assert_eq!(set.insert_index(code), index);
                }
                set.clear();
                prop_assert_eq!(set.len, 0);
            }
        }
    }
}
