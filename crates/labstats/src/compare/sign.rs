//! The sign test.

use super::Outcome;
use statrs::distribution::{Binomial, DiscreteCDF};

/// Whether paired values differ, by how often the first is larger: the sign test, exact.
///
/// It asks less of the data than [`wilcoxon`](super::wilcoxon) and finds less. Pairs without a difference are left out.
/// The statistic is the number of pairs in which the first is larger.
///
/// ```
/// use pegwise_labstats::compare::sign;
/// let outcome = sign(&[5.0, 5.0, 6.0, 4.0, 7.0, 6.0], &[4.0, 4.0, 5.0, 3.0, 5.0, 4.0]);
/// assert_eq!(outcome.statistic, 6.0);
/// assert!((outcome.p - 0.03125).abs() < 1e-12);
/// ```
///
/// # Panics
///
/// If the samples are not of the same length.
pub fn sign(first: &[f64], second: &[f64]) -> Outcome {
    assert_eq!(first.len(), second.len(), "paired samples are of the same length");
    let (mut larger, mut smaller) = (0u64, 0u64);
    for (a, b) in first.iter().zip(second) {
        larger += u64::from(a > b);
        smaller += u64::from(a < b);
    }
    let fair = Binomial::new(0.5, larger + smaller).expect("one half is a probability");
    Outcome { statistic: larger as f64, p: (2.0 * fair.cdf(larger.min(smaller))).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{close, samples};

    /// A sample that is larger than zeros in so many of the pairs.
    fn p_of(larger: usize, pairs: usize) -> f64 {
        let first: Vec<f64> = (0..pairs).map(|index| if index < larger { 1.0 } else { -1.0 }).collect();
        sign(&first, &vec![0.0; pairs]).p
    }

    #[test]
    fn agrees_with_scipy() {
        // d = x - y; scipy.stats.binomtest((d > 0).sum(), (d != 0).sum()).pvalue
        let outcome = sign(&samples::FIRST, &samples::SECOND);
        assert_eq!(outcome.statistic, 11.0);
        close(outcome.p, 0.11846923828124999);
        // scipy.stats.binomtest(k, n).pvalue
        close(p_of(8, 9), 0.0390625);
        close(p_of(0, 6), 0.03125);
        close(p_of(5, 10), 1.0);
        close(p_of(5300, 10_000), 2.076033695920612e-9);
    }

    #[test]
    fn equal_samples_do_not_differ() {
        assert_eq!(sign(&samples::FIRST, &samples::FIRST).p, 1.0);
    }
}
