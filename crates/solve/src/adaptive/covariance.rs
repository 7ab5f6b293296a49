//! What earlier variables explain of a new one, by Cholesky decomposition.

use crate::{clock, search::Watch};

/// What answers may be off for reasons that the model does not have; it also keeps equal questions apart.
const NOISE: f64 = 0.05;
/// Rounding must not make a variance negative.
const LEAST_VARIANCE: f64 = 1e-6;

/// The covariances of some variables, as the lower triangle whose square they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Covariance {
    rows: Vec<Vec<f64>>,
}

impl Covariance {
    /// From a function that tells the covariance of any two. When the watch stops it, the rest is left out.
    pub(super) fn new(size: usize, watch: Watch<'_>, covariance: impl Fn(usize, usize) -> f64) -> Self {
        let mut all = Self::default();
        for one in 0..size {
            if watch.stop().is_some() {
                break;
            }
            clock::work((one * (one + size)) as u64);
            let with_others: Vec<f64> = (0..one).map(|other| covariance(one, other)).collect();
            let mut row = all.solve(&with_others);
            let left = covariance(one, one) + NOISE - dot(&row, &row);
            row.push(left.max(LEAST_VARIANCE).sqrt());
            all.rows.push(row);
        }
        all
    }

    /// How much of the variance of another variable these explain, by its covariance with each.
    pub(super) fn explained(&self, covariances: &[f64]) -> f64 {
        let parts = self.solve(covariances);
        dot(&parts, &parts)
    }

    /// The vector that the triangle turns into this one.
    fn solve(&self, covariances: &[f64]) -> Vec<f64> {
        let mut solved: Vec<f64> = Vec::with_capacity(covariances.len() + 1);
        for (row, &covariance) in self.rows.iter().zip(covariances) {
            let (before, own) = row.split_at(solved.len());
            solved.push((covariance - dot(before, &solved)) / own[0]);
        }
        solved
    }
}

/// Four sums side by side, since one would wait for each addition; always in the same order, so that every machine agrees.
fn dot(one: &[f64], other: &[f64]) -> f64 {
    const SIDE: usize = 4;
    let mut sums = [0.0; SIDE];
    let (ones, others) = (one.chunks_exact(SIDE), other.chunks_exact(SIDE));
    let rest: f64 = ones.remainder().iter().zip(others.remainder()).map(|(one, other)| one * other).sum();
    for (one, other) in ones.zip(others) {
        for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += one * other;
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variables that are sums of independent ones: a difference of two known sums is known but for the noise.
    #[test]
    fn sums_of_known_variables_are_explained() {
        let shares = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let product = |one: &[f64; 3], other: &[f64; 3]| -> f64 { one.iter().zip(other).map(|(a, b)| a * b).sum() };
        let known = Covariance::new(2, Watch::default(), |one, other| 100.0 * product(&shares[one], &shares[other]));
        let explained = |new: [f64; 3]| {
            let covariances: Vec<f64> = shares[..2].iter().map(|share| 100.0 * product(share, &new)).collect();
            known.explained(&covariances)
        };
        assert!((explained([0.0, 1.0, 0.0]) - 100.0).abs() < 0.2, "{}", explained([0.0, 1.0, 0.0]));
        assert_eq!(explained(shares[2]), 0.0);
        assert!((explained([0.0, 1.0, 1.0]) - 100.0).abs() < 0.2);
    }

    #[test]
    fn products_are_the_plain_ones() {
        let numbers: Vec<f64> = (0..11).map(f64::from).collect();
        for length in 0..numbers.len() {
            let plain: f64 = numbers[..length].iter().map(|number| number * number).sum();
            assert_eq!(dot(&numbers[..length], &numbers[..length]), plain);
        }
    }
}
