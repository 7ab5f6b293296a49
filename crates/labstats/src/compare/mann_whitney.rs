//! The rank-sum test of Mann and Whitney.

use super::{Outcome, nearly_normal, ranks::for_each_rank};

/// Samples below this size are judged exactly if no two values are equal, as R does.
const EXACT_BELOW: usize = 50;

/// Whether two samples differ, by the ranks of their values: the test of Mann, Whitney and Wilcoxon.
///
/// Small samples in which no two values are equal are judged exactly; otherwise the normal distribution stands in,
/// corrected for ties and for continuity. The statistic is U of the first sample: how many pairs it wins, a tie being
/// half a win. None if a sample is empty.
///
/// ```
/// use pegwise_labstats::compare::mann_whitney;
/// let outcome = mann_whitney(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0]).expect("both have values");
/// assert_eq!(outcome.statistic, 17.0);
/// assert!((outcome.p - 0.1111).abs() < 1e-4);
/// ```
///
/// # References
///
/// H. B. Mann, D. R. Whitney, *On a test of whether one of two random variables is stochastically larger than the other*,
/// 1947.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<Outcome> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let of_first = first.iter().map(|&value| (value, true));
    let mut all: Vec<(f64, bool)> = of_first.chain(second.iter().map(|&value| (value, false))).collect();
    all.sort_unstable_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut sum = 0.0;
    let ties =
        for_each_rank(&all, |&(value, _)| value, |&(_, of_first), rank| sum += if of_first { rank } else { 0.0 });
    let (n, m) = (first.len() as f64, second.len() as f64);
    let statistic = sum - n * (n + 1.0) / 2.0;
    let p = if ties == 0.0 && first.len().max(second.len()) < EXACT_BELOW {
        exact(first.len(), second.len(), f64::min(statistic, n * m - statistic) as usize)
    } else {
        let variance = n * m / 12.0 * (n + m + 1.0 - ties / ((n + m) * (n + m - 1.0)));
        // Ties alone may leave a trace of rounding below zero.
        nearly_normal(statistic - n * m / 2.0, variance.max(0.0).sqrt())
    };
    Some(Outcome { statistic, p })
}

/// The chance that the smaller U of samples of sizes n and m is this small.
fn exact(n: usize, m: usize, statistic: usize) -> f64 {
    // The orders of n + m values with each U are the coefficients of a Gaussian binomial: the product over i = 1..=n of
    // (1 - q^(m+i)) / (1 - q^i).
    let mut ways = vec![0i128; n * m + 1];
    ways[0] = 1;
    for i in 1..=n {
        for power in (m + i..ways.len()).rev() {
            ways[power] -= ways[power - m - i];
        }
        for power in i..ways.len() {
            ways[power] += ways[power - i];
        }
    }
    let (at_most, all) = (ways[..=statistic].iter().sum::<i128>(), ways.iter().sum::<i128>());
    (2.0 * at_most as f64 / all as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{close, samples};

    fn check(x: &[f64], y: &[f64], statistic: f64, p: f64) {
        let outcome = mann_whitney(x, y).unwrap();
        assert_eq!(outcome.statistic, statistic);
        close(outcome.p, p);
        close(mann_whitney(y, x).unwrap().p, p);
    }

    #[test]
    fn exact_p_agrees_with_scipy() {
        // scipy.stats.mannwhitneyu(x, y, method='exact')
        check(&[1.2, 3.4, 5.1, 2.2, 9.9], &[4.4, 6.1, 7.3, 8.8, 10.2, 0.3, 5.5], 11.0, 0.3434343434343435);
        let x = [1.1, 2.7, 3.1, 4.9, 5.3, 6.2, 7.7, 8.1, 9.4, 10.6, 11.9, 12.3];
        let y = [1.3, 2.2, 3.9, 4.6, 5.4, 7.2, 6.6, 7.5, 8.7, 10.0, 10.4, 12.8].map(|value| value + 0.05);
        check(&x, &y, 75.0, 0.8873859348351204);
    }

    #[test]
    fn approximate_p_agrees_with_scipy() {
        // scipy.stats.mannwhitneyu(x, y, method='asymptotic')
        check(&samples::FIRST, &samples::SECOND, 252.5, 0.12309086618535141);
        check(&samples::FIRST, &samples::SECOND[..15], 195.0, 0.10610027308672422);
        check(&samples::many(7, 3), &samples::many(5, 1), 31596.0, 1.7910444622358974e-10);
        // x = range(400); y = [k+150.5 for k in range(400)]
        let x: Vec<f64> = (0..400).map(f64::from).collect();
        let y: Vec<f64> = (0..400).map(|k| f64::from(k) + 150.5).collect();
        check(&x, &y, 31125.0, 1.4371518603011316e-50);
    }

    #[test]
    fn equal_samples_do_not_differ() {
        assert_eq!(mann_whitney(&samples::FIRST, &samples::FIRST).unwrap().p, 1.0);
        assert_eq!(mann_whitney(&[4.0; 9], &[4.0; 7]).unwrap().p, 1.0);
        assert_eq!(mann_whitney(&[], &[4.0]), None);
    }
}
