//! Tests of whether two samples differ by more than chance.
//!
//! Games of an experiment are paired: game k has the same secret for every strategy. [`wilcoxon`] and [`sign`] are paired
//! tests; [`welch`] and [`mann_whitney`] are for samples without common games. All tests are two-sided. [`holm`] corrects
//! the p values of many comparisons, and [`letters`] groups strategies without a significant difference.
//!
//! The tests are implemented here on top of the distributions of `statrs`, which has no paired tests and a Mann-Whitney
//! test of quadratic cost.

use serde::Serialize;
use statrs::distribution::{Beta, Binomial, ChiSquared, ContinuousCDF, DiscreteCDF, Normal, StudentsT};

use crate::summary::mean_and_variance;

/// Result of a two-sided test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TestResult {
    /// Test statistic.
    pub statistic: f64,
    /// p value.
    pub p: f64,
}

/// Returns the standard normal distribution function.
///
/// ```
/// use pegwise_labstats::compare::normal_cdf;
/// assert!((normal_cdf(1.96) - 0.975).abs() < 1e-4);
/// ```
pub fn normal_cdf(deviations: f64) -> f64 {
    Normal::standard().cdf(deviations)
}

/// Returns the two-sided p value of the normal approximation with continuity correction. `distance` is the difference
/// between the statistic and its mean.
fn normal_approximation(distance: f64, sd: f64) -> f64 {
    if sd == 0.0 {
        // All values are equal.
        return 1.0;
    }
    let z = (distance.abs() - 0.5).max(0.0) / sd;
    2.0 * Normal::standard().sf(z)
}

/// Asserts that a number equals its reference to nine digits.
#[cfg(test)]
pub(crate) fn close(ours: f64, reference: f64) {
    let error = (ours - reference).abs() / reference.abs().max(f64::MIN_POSITIVE);
    assert!(error < 1e-9, "{ours} instead of {reference}");
}

#[cfg(test)]
pub(crate) mod samples {
    /// Guesses of a strategy over twenty games.
    pub(crate) const FIRST: [f64; 20] =
        [4., 5., 4., 6., 5., 4., 3., 5., 6., 5., 4., 5., 5., 6., 4., 7., 5., 4., 5., 5.];
    /// Guesses of another strategy over the same games.
    pub(crate) const SECOND: [f64; 20] =
        [4., 4., 5., 5., 4., 4., 4., 4., 5., 5., 5., 4., 4., 5., 4., 5., 4., 5., 4., 5.];

    /// Depression scores of nine patients before therapy: Hollander and Wolfe's example, also in R's manual.
    pub(crate) const BEFORE: [f64; 9] = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
    /// Depression scores of the same patients after therapy.
    #[expect(clippy::approx_constant, reason = "a measurement, not pi")]
    pub(crate) const AFTER: [f64; 9] = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];

    /// `[(k*k*a+b*k)%11 for k in range(300)]`: many values, many ties.
    pub(crate) fn many(a: i32, b: i32) -> Vec<f64> {
        (0..300).map(|k| f64::from((k * k * a + b * k) % 11)).collect()
    }
}

/// Result of Welch's t test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Welch {
    /// Difference of the means in standard errors.
    pub t: f64,
    /// Degrees of freedom, in general not an integer.
    pub freedom: f64,
    /// p value.
    pub p: f64,
}

/// Compares the means of two samples whose variances may differ, by Welch's t test.
///
/// Returns `None` if a sample has fewer than two values or both variances are zero.
///
/// ```
/// use pegwise_labstats::compare::welch;
/// let test = welch(&[4.0, 5.0, 4.0, 5.0], &[6.0, 7.0, 6.0, 8.0]).expect("both vary");
/// assert!(test.t < 0.0 && test.p < 0.05);
/// ```
///
/// # References
/// B. L. Welch, *The generalization of "Student's" problem when several different population variances are involved*,
/// 1947.
pub fn welch(first: &[f64], second: &[f64]) -> Option<Welch> {
    let ((mean_a, variance_a), (mean_b, variance_b)) = (mean_and_variance(first), mean_and_variance(second));
    let (n_a, n_b) = (first.len() as f64, second.len() as f64);
    let (error_a, error_b) = (variance_a? / n_a, variance_b? / n_b);
    let error = error_a + error_b;
    if error == 0.0 {
        return None;
    }
    let t = (mean_a - mean_b) / error.sqrt();
    let freedom = error.powi(2) / (error_a.powi(2) / (n_a - 1.0) + error_b.powi(2) / (n_b - 1.0));
    let p = 2.0 * StudentsT::new(0.0, 1.0, freedom).expect("the freedom is positive").sf(t.abs());
    Some(Welch { t, freedom, p: p.min(1.0) })
}

/// Largest number of differences with an exact p value.
const MAX_EXACT_DIFFERENCES: usize = 50;

/// Compares paired samples by Wilcoxon's signed-rank test.
///
/// Pairs without a difference are omitted. The p value is exact for up to 50 differences of distinct absolute value;
/// otherwise it is the normal approximation with corrections for ties and continuity. The statistic is the smaller of the
/// two rank sums.
///
/// ```
/// use pegwise_labstats::compare::wilcoxon;
/// let result = wilcoxon(&[1.5, 2.25, 3.0, 4.0, 9.0], &[1.0, 2.0, 2.9, 3.0, 1.0]);
/// assert_eq!((result.statistic, result.p), (0.0, 0.0625));
/// ```
///
/// # Panics
/// Panics if the samples differ in length.
///
/// # References
/// F. Wilcoxon, *Individual comparisons by ranking methods*, 1945.
pub fn wilcoxon(first: &[f64], second: &[f64]) -> TestResult {
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
    let p = if differences.len() <= MAX_EXACT_DIFFERENCES && ties == 0.0 {
        wilcoxon_exact(differences.len(), statistic as usize)
    } else {
        let variance = (n * (n + 1.0) * (2.0 * n + 1.0) - ties / 2.0) / 24.0;
        normal_approximation(positive - total / 2.0, variance.sqrt())
    };
    TestResult { statistic, p }
}

/// Returns the exact two-sided p value for `n` ranks with random signs.
fn wilcoxon_exact(n: usize, statistic: usize) -> f64 {
    // Number of subsets of the ranks 1..=n with each sum.
    let mut ways = vec![0u64; n * (n + 1) / 2 + 1];
    ways[0] = 1;
    for rank in 1..=n {
        for sum in (rank..ways.len()).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let at_most: u64 = ways[..=statistic].iter().sum();
    // There are 2^n subsets; both tails count.
    (at_most as f64 * (-(n as f64) + 1.0).exp2()).min(1.0)
}

/// Compares paired samples by the sign test, with an exact p value.
///
/// It assumes less than [`wilcoxon`] and has less power. Pairs without a difference are omitted. The statistic is the
/// number of pairs in which the first value is larger.
///
/// ```
/// use pegwise_labstats::compare::sign;
/// let result = sign(&[5.0, 5.0, 6.0, 4.0, 7.0, 6.0], &[4.0, 4.0, 5.0, 3.0, 5.0, 4.0]);
/// assert_eq!(result.statistic, 6.0);
/// assert!((result.p - 0.03125).abs() < 1e-12);
/// ```
///
/// # Panics
/// Panics if the samples differ in length.
pub fn sign(first: &[f64], second: &[f64]) -> TestResult {
    assert_eq!(first.len(), second.len(), "paired samples are of the same length");
    let (mut larger, mut smaller) = (0u64, 0u64);
    for (a, b) in first.iter().zip(second) {
        larger += u64::from(a > b);
        smaller += u64::from(a < b);
    }
    let fair = Binomial::new(0.5, larger + smaller).expect("one half is a probability");
    TestResult { statistic: larger as f64, p: (2.0 * fair.cdf(larger.min(smaller))).min(1.0) }
}

/// Samples smaller than this have an exact p value if all values are distinct, as in R.
const EXACT_BELOW: usize = 50;

/// Compares two independent samples by ranks, with the Mann-Whitney U test.
///
/// The p value is exact for small samples of distinct values; otherwise it is the normal approximation with corrections
/// for ties and continuity. The statistic is U of the first sample: the number of pairs in which its value is larger, ties
/// counting one half. Returns `None` if a sample is empty.
///
/// ```
/// use pegwise_labstats::compare::mann_whitney;
/// let result = mann_whitney(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0]).expect("both have values");
/// assert_eq!(result.statistic, 17.0);
/// assert!((result.p - 0.1111).abs() < 1e-4);
/// ```
///
/// # References
/// H. B. Mann, D. R. Whitney, *On a test of whether one of two random variables is stochastically larger than the other*,
/// 1947.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<TestResult> {
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
        mann_whitney_exact(first.len(), second.len(), f64::min(statistic, n * m - statistic) as usize)
    } else {
        let variance = n * m / 12.0 * (n + m + 1.0 - ties / ((n + m) * (n + m - 1.0)));
        // If all values are tied, rounding can make the variance negative.
        normal_approximation(statistic - n * m / 2.0, variance.max(0.0).sqrt())
    };
    Some(TestResult { statistic, p })
}

/// Returns the exact two-sided p value of the smaller U for samples of sizes `n` and `m`.
fn mann_whitney_exact(n: usize, m: usize, statistic: usize) -> f64 {
    // The numbers of orders with each U are the coefficients of a Gaussian binomial: the product over i = 1..=n of
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

/// Returns the 95 % Clopper-Pearson interval of a probability after `times` successes in `games` trials.
///
/// ```
/// use pegwise_labstats::compare::proportion;
/// let [low, high] = proportion(5, 10);
/// assert!((low - 0.1871).abs() < 1e-4 && (high - 0.8129).abs() < 1e-4);
/// assert_eq!(proportion(0, 100)[0], 0.0);
/// ```
///
/// # References
/// C. J. Clopper, E. S. Pearson, *The use of confidence or fiducial limits illustrated in the case of the binomial*, 1934.
pub fn proportion(times: u64, games: u64) -> [f64; 2] {
    const TAIL: f64 = 0.025;
    let (k, n) = (times.min(games) as f64, games as f64);
    let beta = |a: f64, b: f64| Beta::new(a, b).expect("both are positive");
    let low = if times == 0 { 0.0 } else { beta(k, n - k + 1.0).inverse_cdf(TAIL) };
    let high = if times >= games { 1.0 } else { beta(k + 1.0, n - k).inverse_cdf(1.0 - TAIL) };
    [low, high]
}

/// Returns the interval of a standard deviation by the chi-square distribution of its variance with `freedom` degrees of
/// freedom, not necessarily an integer, and probability `tail` on each side.
///
/// ```
/// use pegwise_labstats::compare::chi_square_interval;
/// let [low, high] = chi_square_interval(1.0, 9.0, 0.025);
/// assert!((low - 0.6878).abs() < 1e-4 && (high - 1.8256).abs() < 1e-4);
/// ```
pub fn chi_square_interval(sd: f64, freedom: f64, tail: f64) -> [f64; 2] {
    // The inverse loses precision with many degrees of freedom, where a standard deviation is normally distributed.
    const LARGE: f64 = 1000.0;
    if freedom > LARGE {
        let arm = Normal::standard().inverse_cdf(1.0 - tail) / (2.0 * freedom).sqrt();
        return [sd * (1.0 - arm), sd * (1.0 + arm)];
    }
    let variance = ChiSquared::new(freedom.max(f64::MIN_POSITIVE)).expect("the freedom is positive");
    [1.0 - tail, tail].map(|share| sd * (freedom / variance.inverse_cdf(share)).sqrt())
}

/// Calls `visit` with the rank of each value of a sample sorted by `key`; tied values share their mean rank. Returns the
/// sum of t³ - t over groups of t ties, for the tie correction.
pub(super) fn for_each_rank<T>(sorted: &[T], key: impl Fn(&T) -> f64, mut visit: impl FnMut(&T, f64)) -> f64 {
    let mut before = 0;
    let mut ties = 0.0;
    for equals in sorted.chunk_by(|a, b| key(a) == key(b)) {
        let t = equals.len() as f64;
        let rank = before as f64 + (t + 1.0) / 2.0;
        for value in equals {
            visit(value, rank);
        }
        before += equals.len();
        ties += t * (t * t - 1.0);
    }
    ties
}

/// Adjusts the p values of simultaneous tests by Holm's step-down method, which bounds the family-wise error rate.
///
/// ```
/// use pegwise_labstats::compare::holm;
/// assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
/// ```
///
/// # References
/// S. Holm, *A simple sequentially rejective multiple test procedure*, 1979.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![0.0; p.len()];
    let mut largest: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        largest = largest.max(p[index] * (p.len() - rank) as f64).min(1.0);
        corrected[index] = largest;
    }
    corrected
}

/// Returns a compact letter display: two of `count` strategies share a letter exactly if `differ` is false for them.
///
/// A strategy may have several letters, since the relation need not be transitive. Letters follow the order of the
/// strategies, so list the best first.
///
/// ```
/// use pegwise_labstats::compare::letters;
/// let differ = |a: usize, b: usize| a.abs_diff(b) > 1;
/// assert_eq!(letters(3, differ), ["a", "ab", "b"]);
/// ```
///
/// # References
/// H.-P. Piepho, *An algorithm for a letter-based representation of all-pairwise comparisons*, 2004.
pub fn letters(count: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<String> {
    // A column is a set of strategies with a common letter: initially all, then split at each difference.
    let mut columns: Vec<Vec<bool>> = vec![vec![true; count]];
    for a in 0..count {
        for b in a + 1..count {
            if !differ(a, b) {
                continue;
            }
            let (split, mut kept): (Vec<_>, Vec<_>) = columns.into_iter().partition(|column| column[a] && column[b]);
            for column in split {
                for leaver in [a, b] {
                    let mut part = column.clone();
                    part[leaver] = false;
                    kept.push(part);
                }
            }
            columns = without_subsets(kept);
        }
    }
    columns.sort_by(|a, b| b.cmp(a));
    let of = |strategy: usize| -> String {
        let mine = columns.iter().enumerate().filter(|(_, column)| column[strategy]);
        mine.map(|(index, _)| letter(index)).collect()
    };
    (0..count).map(of).collect()
}

/// Removes columns that are subsets of others.
fn without_subsets(columns: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
    let inside = |a: &[bool], b: &[bool]| a.iter().zip(b).all(|(&a, &b)| !a || b);
    let mut kept: Vec<Vec<bool>> = Vec::new();
    for column in columns {
        if !kept.iter().any(|other| inside(&column, other)) {
            kept.retain(|other| !inside(other, &column));
            kept.push(column);
        }
    }
    kept
}

/// Returns the name of a column: `a` to `z`, then `A` to `Z`, then numbers in parentheses.
fn letter(index: usize) -> String {
    match (b'a'..=b'z').chain(b'A'..=b'Z').nth(index) {
        Some(byte) => char::from(byte).to_string(),
        None => format!("({})", index + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn welch_agrees_with_scipy() {
        // r = scipy.stats.ttest_ind(x, y, equal_var=False); r.statistic, r.df, r.pvalue
        let check = |x: &[f64], y: &[f64], expected: [f64; 3]| {
            let Welch { t, freedom, p } = welch(x, y).unwrap();
            for (ours, expected) in [t, freedom, p].into_iter().zip(expected) {
                close(ours, expected);
            }
        };
        check(&samples::BEFORE, &samples::AFTER, [1.2051727991066508, 15.795035582541257, 0.24588283853317094]);
        check(&samples::FIRST, &samples::SECOND[..15], [1.8265615336566459, 30.490027207190796, 0.07757149806450439]);
        check(
            &samples::many(7, 3),
            &samples::many(5, 1),
            [-6.9009121413975185, 597.9987437621552, 1.3208436024584179e-11],
        );
    }

    #[test]
    fn welch_large_samples_agree_with_scipy() {
        // x = [k % 7 for k in range(400000)]; y = [k % 7 + (k % 300 == 0) for k in range(400000)]
        let x: Vec<f64> = (0..400_000).map(|k| f64::from(k % 7)).collect();
        let y: Vec<f64> = (0..400_000).map(|k| f64::from(k % 7 + i32::from(k % 300 == 0))).collect();
        let Welch { t, freedom, p } = welch(&x, &y).unwrap();
        close(t, -0.7455733308171488);
        close(freedom, 799997.8607602685);
        // The distribution of `statrs` has nine correct digits with this many degrees of freedom.
        assert!((p - 0.4559254172428231).abs() < 1e-8);
    }

    #[test]
    fn welch_needs_variance() {
        assert_eq!(welch(&[4.0], &[5.0, 6.0]), None);
        assert_eq!(welch(&[4.0, 4.0], &[5.0, 5.0]), None);
    }

    #[test]
    fn wilcoxon_exact_p_agrees_with_scipy() {
        // scipy.stats.wilcoxon(x, y, method='exact')
        let result = wilcoxon(&samples::BEFORE, &samples::AFTER);
        assert_eq!((result.statistic, result.p), (5.0, 0.0390625));
        let x = [12., 15.5, 9., 20., 11., 14., 18.5, 7., 13., 16., 10., 19.];
        let y = [11., 17.5, 6., 16., 16., 8., 11.5, 15., 4., 6., -1., 7.];
        let result = wilcoxon(&x, &y);
        assert_eq!((result.statistic, result.p), (15.0, 0.06396484375));
    }

    #[test]
    fn wilcoxon_approximate_p_agrees_with_scipy() {
        // scipy.stats.wilcoxon(x, y, correction=True, method='asymptotic')
        let result = wilcoxon(&samples::FIRST, &samples::SECOND);
        assert_eq!(result.statistic, 30.0);
        close(result.p, 0.06371182276652083);
        let result = wilcoxon(&samples::many(7, 3), &samples::many(5, 1));
        assert_eq!(result.statistic, 6861.0);
        close(result.p, 1.005025069073812e-13);
        // x = range(60); y = [k+((k*37)%61)-25+k/1000 for k in range(60)]: no ties, but too many to count out
        let x: Vec<f64> = (0..60).map(f64::from).collect();
        let y: Vec<f64> = (0..60).map(|k| f64::from(k + (k * 37) % 61 - 25) + f64::from(k) / 1000.0).collect();
        let result = wilcoxon(&x, &y);
        assert_eq!(result.statistic, 624.0);
        close(result.p, 0.032472481463759785);
    }

    #[test]
    fn equal_samples_do_not_differ() {
        assert_eq!(wilcoxon(&samples::FIRST, &samples::FIRST).p, 1.0);
        // As many up as down: scipy.stats.wilcoxon([1,2,3,4,9], [2,1,4,3,9], correction=True, method='asymptotic')
        assert_eq!(wilcoxon(&[1., 2., 3., 4., 9.], &[2., 1., 4., 3., 9.]).p, 1.0);
        assert_eq!(sign(&samples::FIRST, &samples::FIRST).p, 1.0);
        assert_eq!(mann_whitney(&samples::FIRST, &samples::FIRST).unwrap().p, 1.0);
        assert_eq!(mann_whitney(&[4.0; 9], &[4.0; 7]).unwrap().p, 1.0);
        assert_eq!(mann_whitney(&[], &[4.0]), None);
    }

    /// Returns the p value for `pairs` pairs in which the first value is larger `larger` times.
    fn sign_p(larger: usize, pairs: usize) -> f64 {
        let first: Vec<f64> = (0..pairs).map(|index| if index < larger { 1.0 } else { -1.0 }).collect();
        sign(&first, &vec![0.0; pairs]).p
    }

    #[test]
    fn sign_agrees_with_scipy() {
        // d = x - y; scipy.stats.binomtest((d > 0).sum(), (d != 0).sum()).pvalue
        let result = sign(&samples::FIRST, &samples::SECOND);
        assert_eq!(result.statistic, 11.0);
        close(result.p, 0.11846923828124999);
        // scipy.stats.binomtest(k, n).pvalue
        close(sign_p(8, 9), 0.0390625);
        close(sign_p(0, 6), 0.03125);
        close(sign_p(5, 10), 1.0);
        close(sign_p(5300, 10_000), 2.076033695920612e-9);
    }

    fn check_mann_whitney(x: &[f64], y: &[f64], statistic: f64, p: f64) {
        let result = mann_whitney(x, y).unwrap();
        assert_eq!(result.statistic, statistic);
        close(result.p, p);
        close(mann_whitney(y, x).unwrap().p, p);
    }

    #[test]
    fn mann_whitney_exact_p_agrees_with_scipy() {
        // scipy.stats.mannwhitneyu(x, y, method='exact')
        check_mann_whitney(&[1.2, 3.4, 5.1, 2.2, 9.9], &[4.4, 6.1, 7.3, 8.8, 10.2, 0.3, 5.5], 11.0, 0.3434343434343435);
        let x = [1.1, 2.7, 3.1, 4.9, 5.3, 6.2, 7.7, 8.1, 9.4, 10.6, 11.9, 12.3];
        let y = [1.3, 2.2, 3.9, 4.6, 5.4, 7.2, 6.6, 7.5, 8.7, 10.0, 10.4, 12.8].map(|value| value + 0.05);
        check_mann_whitney(&x, &y, 75.0, 0.8873859348351204);
    }

    #[test]
    fn mann_whitney_approximate_p_agrees_with_scipy() {
        // scipy.stats.mannwhitneyu(x, y, method='asymptotic')
        check_mann_whitney(&samples::FIRST, &samples::SECOND, 252.5, 0.12309086618535141);
        check_mann_whitney(&samples::FIRST, &samples::SECOND[..15], 195.0, 0.10610027308672422);
        check_mann_whitney(&samples::many(7, 3), &samples::many(5, 1), 31596.0, 1.7910444622358974e-10);
        // x = range(400); y = [k+150.5 for k in range(400)]
        let x: Vec<f64> = (0..400).map(f64::from).collect();
        let y: Vec<f64> = (0..400).map(|k| f64::from(k) + 150.5).collect();
        check_mann_whitney(&x, &y, 31125.0, 1.4371518603011316e-50);
    }

    #[test]
    fn the_ends_follow_from_the_binomial() {
        // Without successes, the upper end solves (1 - p)^n = 0.025; with successes only, the lower end solves p^n = 0.025.
        for n in [1u64, 10, 1000, 100_000] {
            let [low, high] = proportion(0, n);
            assert!(low == 0.0 && ((1.0 - high).powf(n as f64) - 0.025).abs() < 1e-6, "{n}: {high}");
            let [low, high] = proportion(n, n);
            assert!(high == 1.0 && (low.powf(n as f64) - 0.025).abs() < 1e-6, "{n}: {low}");
        }
        // statsmodels.stats.proportion.proportion_confint(3, 20, method='beta')
        let [low, high] = proportion(3, 20);
        assert!((low - 0.032_071).abs() < 1e-5 && (high - 0.378_927).abs() < 1e-5, "{low} {high}");
    }

    #[test]
    fn equal_values_share_their_ranks() {
        let mut ranks = Vec::new();
        let ties = for_each_rank(&[1.0, 2.0, 2.0, 5.0, 5.0, 5.0], |&value| value, |_, rank| ranks.push(rank));
        assert_eq!(ranks, [1.0, 2.5, 2.5, 5.0, 5.0, 5.0]);
        assert_eq!(ties, 6.0 + 24.0);
    }

    #[test]
    fn holm_agrees_with_statsmodels() {
        // statsmodels.stats.multitest.multipletests(p, method='holm')[1]
        let check = |p: &[f64], expected: &[f64]| {
            for (&ours, &expected) in holm(p).iter().zip(expected) {
                close(ours, expected);
            }
        };
        // The fourth step, 2 * 0.04, may not fall below the third, 3 * 0.03.
        check(&[0.01, 0.02, 0.03, 0.04, 0.05], &[0.05, 0.08, 0.09, 0.09, 0.09]);
        check(&[0.0004, 0.2, 0.012, 0.012, 0.7, 0.049], &[0.0024, 0.4, 0.06, 0.06, 0.7, 0.147]);
        check(&[0.9, 0.6], &[1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn all_alike_and_all_unlike() {
        assert_eq!(letters(3, |_, _| false), ["a", "a", "a"]);
        assert_eq!(letters(3, |_, _| true), ["a", "b", "c"]);
        assert_eq!(letters(0, |_, _| true), Vec::<String>::new());
        assert_eq!(letters(60, |_, _| true)[59], "(60)");
    }

    #[test]
    fn strategies_share_a_letter_exactly_if_they_do_not_differ() {
        // Every relation among five strategies.
        let pairs: Vec<(usize, usize)> = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))).collect();
        for relation in 0u32..1 << pairs.len() {
            let differ = |a: usize, b: usize| {
                let index = pairs.iter().position(|&pair| pair == (a.min(b), a.max(b))).unwrap();
                relation >> index & 1 == 1
            };
            let letters = letters(5, differ);
            for &(a, b) in &pairs {
                let share = letters[a].chars().any(|letter| letters[b].contains(letter));
                assert_eq!(share, !differ(a, b), "relation {relation}: {letters:?}");
            }
        }
    }
}
