//! The signed-rank test of Wilcoxon.

use super::{Outcome, nearly_normal, ranks::for_each_rank};

/// Up to this many differences the distribution is counted out.
const EXACT: usize = 50;

/// Whether paired values differ, by the ranks of their differences: Wilcoxon's signed-rank test.
///
/// Pairs without a difference are left out. Up to 50 differences that are all unlike are judged exactly; otherwise the
/// normal distribution stands in, corrected for ties and for continuity. The statistic is the smaller sum of ranks.
///
/// ```
/// use pegwise_labstats::compare::wilcoxon;
/// let outcome = wilcoxon(&[1.5, 2.25, 3.0, 4.0, 9.0], &[1.0, 2.0, 2.9, 3.0, 1.0]);
/// assert_eq!((outcome.statistic, outcome.p), (0.0, 0.0625));
/// ```
///
/// # Panics
///
/// If the samples are not of the same length.
///
/// # References
///
/// F. Wilcoxon, *Individual comparisons by ranking methods*, 1945.
pub fn wilcoxon(first: &[f64], second: &[f64]) -> Outcome {
    assert_eq!(first.len(), second.len(), "paired samples are of the same length");
    let pairs = first.iter().zip(second);
    let mut differences: Vec<f64> = pairs.map(|(a, b)| a - b).filter(|&difference| difference != 0.0).collect();
    differences.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let mut positive = 0.0;
    let ties = for_each_rank(
        &differences,
        |difference| difference.abs(),
        |&difference, rank| positive += if difference > 0.0 { rank } else { 0.0 },
    );
    let n = differences.len() as f64;
    let total = n * (n + 1.0) / 2.0;
    let statistic = f64::min(positive, total - positive);
    let p = if differences.len() <= EXACT && ties == 0.0 {
        exact(differences.len(), statistic as usize)
    } else {
        let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - ties / 2.0) / 24.0;
        nearly_normal(positive - total / 2.0, variance.sqrt())
    };
    Outcome { statistic, p }
}

/// The chance that the smaller sum of n ranks with random signs is this small.
fn exact(n: usize, statistic: usize) -> f64 {
    // In how many ways some of the ranks 1..=n add up to each sum.
    let mut ways = vec![0u64; n * (n + 1) / 2 + 1];
    ways[0] = 1;
    for rank in 1..=n {
        for sum in (rank..ways.len()).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let at_most: u64 = ways[..=statistic].iter().sum();
    // Halved by the exponent: 2^n ways in all, and both ends count.
    (at_most as f64 * (-(n as f64) + 1.0).exp2()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{close, samples};

    #[test]
    fn exact_p_agrees_with_scipy() {
        // scipy.stats.wilcoxon(x, y, method='exact')
        let outcome = wilcoxon(&samples::BEFORE, &samples::AFTER);
        assert_eq!((outcome.statistic, outcome.p), (5.0, 0.0390625));
        let x = [12., 15.5, 9., 20., 11., 14., 18.5, 7., 13., 16., 10., 19.];
        let y = [11., 17.5, 6., 16., 16., 8., 11.5, 15., 4., 6., -1., 7.];
        let outcome = wilcoxon(&x, &y);
        assert_eq!((outcome.statistic, outcome.p), (15.0, 0.06396484375));
    }

    #[test]
    fn approximate_p_agrees_with_scipy() {
        // scipy.stats.wilcoxon(x, y, correction=True, method='asymptotic')
        let outcome = wilcoxon(&samples::FIRST, &samples::SECOND);
        assert_eq!(outcome.statistic, 30.0);
        close(outcome.p, 0.06371182276652083);
        let outcome = wilcoxon(&samples::many(7, 3), &samples::many(5, 1));
        assert_eq!(outcome.statistic, 6861.0);
        close(outcome.p, 1.005025069073812e-13);
        // x = range(60); y = [k+((k*37)%61)-25+k/1000 for k in range(60)]: no ties, but too many to count out
        let x: Vec<f64> = (0..60).map(f64::from).collect();
        let y: Vec<f64> = (0..60).map(|k| f64::from(k + (k * 37) % 61 - 25) + f64::from(k) / 1000.0).collect();
        let outcome = wilcoxon(&x, &y);
        assert_eq!(outcome.statistic, 624.0);
        close(outcome.p, 0.032472481463759785);
    }

    #[test]
    fn equal_samples_do_not_differ() {
        assert_eq!(wilcoxon(&samples::FIRST, &samples::FIRST).p, 1.0);
        // As many up as down: scipy.stats.wilcoxon([1,2,3,4,9], [2,1,4,3,9], correction=True, method='asymptotic')
        assert_eq!(wilcoxon(&[1., 2., 3., 4., 9.], &[2., 1., 4., 3., 9.]).p, 1.0);
    }
}
