//! Who becomes a parent.

use crate::rng::Rng;

/// A wheel with a field for each member of a population, as wide as the member's weight.
///
/// ```
/// use pegwise_solve::{Rng, evolutionary::selection::Roulette};
/// let mut wheel = Roulette::default();
/// wheel.load([0, 5, 0]);
/// assert_eq!(wheel.spin(&mut Rng::new(1)), 1);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Roulette {
    /// Where each field ends.
    ends: Vec<u64>,
}

impl Roulette {
    /// Lays out the fields anew. Weights whose sum passes 2^64 are too many.
    pub fn load(&mut self, weights: impl IntoIterator<Item = u64>) {
        self.ends.clear();
        let mut end = 0;
        self.ends.extend(weights.into_iter().map(|weight| {
            end += weight;
            end
        }));
    }

    /// The member whose field comes up; any of them when all weights are zero.
    ///
    /// # Panics
    /// When the wheel has no fields.
    #[inline]
    pub fn spin(&self, rng: &mut Rng) -> usize {
        match self.ends.last() {
            None | Some(0) => rng.index(self.ends.len()),
            Some(&total) => {
                let point = rng.below(total);
                self.ends.partition_point(|&end| end <= point)
            }
        }
    }
}

/// The member of lowest cost among some drawn at random, where a member may be drawn more than once; the first drawn among
/// equals.
///
/// # Panics
/// When the population is empty or there are no contestants.
#[inline]
pub fn tournament<C: Ord>(population: usize, contestants: usize, cost: impl Fn(usize) -> C, rng: &mut Rng) -> usize {
    assert!(contestants > 0, "a tournament needs a contestant");
    let mut best = rng.index(population);
    for _ in 1..contestants {
        let other = rng.index(population);
        if cost(other) < cost(best) {
            best = other;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(seen: &[u32], expected: &[f64]) {
        for (&seen, &expected) in seen.iter().zip(expected) {
            assert!((f64::from(seen) - expected).abs() <= 4.5 * expected.sqrt(), "{seen} instead of {expected}");
        }
    }

    #[test]
    fn members_come_up_by_weight() {
        let mut rng = Rng::new(1);
        let mut wheel = Roulette::default();
        for (weights, expected) in [
            ([1, 0, 3, 6], [1_000.0, 0.0, 3_000.0, 6_000.0]),
            ([0; 4], [2_500.0; 4]),
            ([7, 0, 0, 0], [1e4, 0.0, 0.0, 0.0]),
        ] {
            wheel.load(weights);
            let mut seen = [0; 4];
            for _ in 0..10_000 {
                seen[wheel.spin(&mut rng)] += 1;
            }
            close(&seen, &expected);
        }
    }

    #[test]
    fn the_best_of_the_drawn_wins() {
        let mut rng = Rng::new(1);
        let mut seen = [0; 3];
        for _ in 0..9_000 {
            seen[tournament(3, 2, |member| [5, 1, 9][member], &mut rng)] += 1;
        }
        // The better of two draws: member 1 unless both miss it, member 2 only when both are it.
        close(&seen, &[3_000.0, 5_000.0, 1_000.0]);
        assert_eq!(tournament(1, 4, |_| 0, &mut rng), 0);
    }
}
