//! Portable, seeded random number generator.
//!
//! Xoshiro256++ gives the same numbers on every machine. The distributions are implemented here and fixed by golden
//! tests, because those of the random-number crates may change between releases.

use pegwise_game::{Code, Rules};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Stream of random numbers, determined by its seed.
///
/// ```
/// use pegwise_search::Rng;
/// let mut rng = Rng::new(7);
/// assert!(rng.below(6) < 6);
/// assert_eq!(Rng::new(7).below(1000), Rng::new(7).below(1000));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Creates the stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Creates the stream of a seed and a path of labels, such as the seed of an experiment, its rules and the number
    /// of a game. Streams of different paths are independent.
    pub fn for_path<'a>(seed: u64, labels: impl IntoIterator<Item = &'a [u8]>) -> Self {
        // Labels are prefixed by their lengths, so that different paths hash different bytes.
        let mut hash = Fnv1a(Fnv1a::default().0 ^ seed.rotate_left(32));
        for label in labels {
            hash.add(&(label.len() as u64).to_le_bytes());
            hash.add(label);
        }
        let mut own = Self::new(seed);
        Self::new(hash.value() ^ own.0.next_u64())
    }

    /// Draws 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Draws a uniformly distributed number below `bound`.
    ///
    /// # Panics
    /// If `bound` is zero.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "the bound must be positive");
        // Lemire's method: the high half of a product; products that would bias the result are rejected.
        let rejected = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            if product as u64 >= rejected {
                return (product >> 64) as u64;
            }
        }
    }

    /// Draws an index into a list of `length` items.
    ///
    /// # Panics
    /// If the list is empty.
    #[inline]
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// Draws two different indices into a list of `length` items, the smaller first; all pairs are equally likely.
    ///
    /// # Panics
    /// If the list has fewer than two items.
    #[inline]
    pub fn two_of(&mut self, length: usize) -> (usize, usize) {
        let one = self.index(length);
        let other = self.index(length - 1);
        if other < one { (other, one) } else { (one, other + 1) }
    }

    /// Returns true with the given probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Draws a number in `0.0..1.0`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        // 53 bits fit the mantissa exactly.
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Draws an index with a probability proportional to its weight. Weights must not be negative; if all are zero,
    /// returns the last index.
    ///
    /// # Panics
    /// If the list is empty.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        let mut picked = weights.len() - 1;
        for (index, &weight) in weights.iter().enumerate().filter(|&(_, &weight)| weight > 0.0) {
            picked = index;
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        picked
    }

    /// Draws a uniformly distributed valid code.
    pub fn code(&mut self, rules: &Rules) -> Code {
        let colors = rules.colors();
        if rules.repeats() {
            return Code::from_indices((0..rules.cells()).map(|_| self.below(colors.into()) as u16));
        }
        let mut palette: Vec<u16> = (0..colors).collect();
        self.shuffle(&mut palette);
        Code::from_indices(palette[..rules.cells()].iter().copied())
    }

    /// Shuffles a list.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }

    /// Draws `count` different numbers below `bound`, ascending; all of them if there are fewer.
    pub fn sample(&mut self, bound: u32, count: usize) -> Vec<u32> {
        if count >= bound as usize {
            return (0..bound).collect();
        }
        // Floyd's method: one draw per number.
        let mut picked = std::collections::BTreeSet::new();
        for top in bound - count as u32..bound {
            let drawn = self.below(u64::from(top) + 1) as u32;
            if !picked.insert(drawn) {
                picked.insert(top);
            }
        }
        picked.into_iter().collect()
    }
}

/// The FNV-1a hash function, which is the same on every machine.
#[derive(Debug, Clone, Copy)]
pub struct Fnv1a(u64);

/// The hash of no bytes.
impl Default for Fnv1a {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv1a {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    /// Returns the hash of the bytes added.
    pub fn value(self) -> u64 {
        self.0
    }

    /// Returns the hash of some bytes.
    pub fn of(bytes: &[u8]) -> u64 {
        let mut hash = Self::default();
        hash.add(bytes);
        hash.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_fixed() {
        let mut rng = Rng::new(1);
        let drawn: Vec<u64> = (0..6).map(|_| rng.below(1000)).collect();
        assert_eq!(drawn, [811, 747, 100, 746, 184, 590]);
        let mut items: Vec<u8> = (0..8).collect();
        rng.shuffle(&mut items);
        assert_eq!(items, [2, 4, 1, 6, 5, 0, 3, 7]);
        assert_eq!(rng.sample(100, 5), [8, 15, 37, 47, 55]);
        let mut path = Rng::for_path(1, [&b"4x6"[..], &b"knuth"[..]]);
        assert_eq!(path.below(1_000_000), 447_134);
    }

    #[test]
    fn hashes_agree_with_the_published_vectors() {
        // Test vectors of Fowler, Noll and Vo.
        assert_eq!(Fnv1a::of(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(Fnv1a::of(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(Fnv1a::of(b"foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn paths_are_independent() {
        let first = |labels: &[&[u8]]| Rng::for_path(1, labels.iter().copied()).below(u64::MAX);
        assert_ne!(first(&[b"ab", b"c"]), first(&[b"a", b"bc"]));
        assert_ne!(first(&[b""]), first(&[]));
    }

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut rng = Rng::new(3);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[rng.index(6)] += 1;
        }
        // Chi-square with five degrees of freedom stays below 20.5 with probability 0.999.
        let chi_square: f64 = seen.iter().map(|&count| (f64::from(count) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi_square < 20.5, "{chi_square}");
    }

    #[test]
    fn pairs_and_chances_have_their_probabilities() {
        let mut rng = Rng::new(3);
        let mut seen = [[0u32; 4]; 4];
        let mut happened = 0;
        for _ in 0..60_000 {
            let (one, other) = rng.two_of(4);
            seen[one][other] += 1;
            happened += u32::from(rng.chance(0.03));
            assert!(rng.chance(1.0) && !rng.chance(0.0));
        }
        for (one, row) in seen.iter().enumerate() {
            for (other, &count) in row.iter().enumerate() {
                assert!(if one < other { count.abs_diff(10_000) < 400 } else { count == 0 }, "{one} {other}: {count}");
            }
        }
        assert!(happened.abs_diff(1_800) < 180, "{happened}");
    }

    #[test]
    fn samples_are_distinct_numbers() {
        let mut rng = Rng::new(5);
        for count in 0..20 {
            let sample = rng.sample(12, count);
            assert_eq!(sample.len(), count.min(12));
            assert!(sample.windows(2).all(|pair| pair[0] < pair[1]) && sample.iter().all(|&number| number < 12));
        }
    }
}
