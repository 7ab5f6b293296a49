//! Summary statistics of a sample: moments and quantiles, and means of runs.

use std::fmt::Display;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Summary statistics of a sample.
///
/// Values are summed in sorted order, so the result does not depend on the order of the games.
///
/// ```
/// use pegwise_labstats::SampleSummary;
/// let summary = SampleSummary::of(&[4.0, 5.0, 3.0, 6.0]).expect("the sample is not empty");
/// assert_eq!((summary.n, summary.mean, summary.median), (4, 4.5, 4.5));
/// let [low, high] = summary.ci95.expect("two values or more");
/// assert!(low < 4.5 && 4.5 < high);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SampleSummary {
    /// Number of values.
    #[serde(skip)]
    pub n: usize,
    /// Mean.
    pub mean: f64,
    /// Sample standard deviation (divisor n - 1); `None` for a single value.
    pub sd: Option<f64>,
    /// Median: the middle value, or the mean of the two middle values.
    pub median: f64,
    /// Minimum.
    pub min: f64,
    /// Maximum.
    pub max: f64,
    /// 95 % confidence interval of the mean by Student's t; `None` for a single value.
    pub ci95: Option<[f64; 2]>,
}

impl SampleSummary {
    /// Summarizes a sample. Returns `None` if the sample is empty.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Self::of_sorted(&sorted)
    }

    /// Summarizes a sorted sample.
    pub(crate) fn of_sorted(sorted: &[f64]) -> Option<Self> {
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let (mean, variance) = mean_and_variance(sorted);
        let sd = variance.map(f64::sqrt);
        let ci95 = sd.map(|sd| {
            let half = t_quantile(sorted.len() - 1) * sd / (sorted.len() as f64).sqrt();
            [mean - half, mean + half]
        });
        Some(Self { n: sorted.len(), mean, sd, median: quantile(sorted, 0.5), min, max, ci95 })
    }

    /// Returns half the width of the 95 % interval: the number after `±`.
    ///
    /// ```
    /// use pegwise_labstats::SampleSummary;
    /// let summary = SampleSummary::of(&[4.0, 5.0, 3.0, 6.0]).expect("the sample is not empty");
    /// assert!((summary.margin().expect("two values or more") - 2.054).abs() < 0.001);
    /// ```
    pub fn margin(&self) -> Option<f64> {
        self.ci95.map(|[low, high]| (high - low) / 2.0)
    }
}

/// Returns the mean and, for at least two values, the sample variance. Two passes avoid cancellation.
pub(crate) fn mean_and_variance(values: &[f64]) -> (f64, Option<f64>) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (values.len() > 1).then(|| squares / (n - 1.0)))
}

/// Returns a quantile of a sorted sample with linear interpolation.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

/// Returns the 97.5 % quantile of Student's t distribution.
pub(crate) fn t_quantile(freedom: usize) -> f64 {
    let v = freedom as f64;
    // The inverse of `statrs` loses precision with many degrees of freedom. There, the Cornish-Fisher expansion around the
    // normal quantile has twelve correct digits.
    const LARGE: usize = 1000;
    if freedom <= LARGE {
        return StudentsT::new(0.0, 1.0, v).expect("the freedom is positive").inverse_cdf(0.975);
    }
    let z = Normal::standard().inverse_cdf(0.975);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / v + second / v.powi(2) + third / v.powi(3)
}

/// Statistics of the mean of each run: minimum, mean, median, maximum and standard deviation.
///
/// All runs play the same secrets; they differ only in the strategy's random draws.
///
/// ```
/// use pegwise_labstats::RunMeans;
/// let runs = [[4.0, 5.0, 4.0, 6.0], [5.0, 5.0, 4.0, 4.0], [3.0, 5.0, 4.0, 5.0]];
/// let means = RunMeans::of(&runs).expect("every run has games");
/// assert_eq!((means.runs, means.min, means.median, means.max), (3, 4.25, 4.5, 4.75));
/// ```
///
/// # References
/// J. J. Merelo et al., *Finding better solutions to the Mastermind puzzle using evolutionary algorithms*, 2010, table IV.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RunMeans {
    /// Number of runs.
    pub runs: usize,
    /// Lowest mean of a run.
    pub min: f64,
    /// Mean of the run means.
    pub mean: f64,
    /// Median of the run means.
    pub median: f64,
    /// Highest mean of a run.
    pub max: f64,
    /// Standard deviation of the run means; `None` for a single run.
    pub sd: Option<f64>,
}

impl RunMeans {
    /// Summarizes runs. Returns `None` without runs, or if a run has no games.
    pub fn of<R: AsRef<[f64]>>(runs: &[R]) -> Option<Self> {
        let means: Option<Vec<f64>> = runs.iter().map(|run| Some(SampleSummary::of(run.as_ref())?.mean)).collect();
        let SampleSummary { n, mean, sd, median, min, max, .. } = SampleSummary::of(&means?)?;
        Some(Self { runs: n, min, mean, median, max, sd })
    }
}

/// Returns the decimal digits of a whole number with commas between groups of three.
///
/// ```
/// let texts = [0, 7, 999, 1000, 123_456, 1_048_576].map(pegwise_labstats::grouped);
/// assert_eq!(texts, ["0", "7", "999", "1,000", "123,456", "1,048,576"]);
/// ```
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::close;

    #[test]
    fn agrees_with_scipy() {
        // a = [4,5,3,6,5,4,4,5,7,2]; a.std(ddof=1); scipy.stats.t.interval(.95, 9, a.mean(), scipy.stats.sem(a))
        let summary = SampleSummary::of(&[4., 5., 3., 6., 5., 4., 4., 5., 7., 2.]).unwrap();
        let [low, high] = summary.ci95.unwrap();
        close(summary.sd.unwrap(), 1.4337208778404378);
        close(low, 3.4743778688025193);
        close(high, 5.525622131197481);
        assert_eq!((summary.min, summary.median, summary.max), (2.0, 4.5, 7.0));
        // b = [(k*k*7+3*k)%11 for k in range(300)], likewise
        let many: Vec<f64> = (0..300).map(|k| f64::from((k * k * 7 + 3 * k) % 11)).collect();
        let summary = SampleSummary::of(&many).unwrap();
        let [low, high] = summary.ci95.unwrap();
        close(summary.mean, 3.9966666666666666);
        close(summary.sd.unwrap(), 3.4819153739179214);
        close(low, 3.601056760792905);
        close(high, 4.392276572540428);
    }

    #[test]
    fn t_quantiles_agree_with_scipy() {
        // scipy.stats.t.ppf(.975, v)
        let expected = [
            (1, 12.706204736174694),
            (2, 4.302652729749462),
            (9, 2.262157162798205),
            (30, 2.0422724563012378),
            (199, 1.9719565442517533),
            (1295, 1.9617975384324706),
            (100_000, 1.9599877075346095),
            (10_000_000, 1.959964221767205),
        ];
        for (freedom, expected) in expected {
            close(t_quantile(freedom), expected);
        }
    }

    #[test]
    fn quantiles_agree_with_numpy() {
        // numpy.quantile([1,2,3,4,10,12,13,30], [.25,.5,.75])
        let sorted = [1., 2., 3., 4., 10., 12., 13., 30.];
        assert_eq!([0.25, 0.5, 0.75].map(|share| quantile(&sorted, share)), [2.75, 7.0, 12.25]);
    }

    #[test]
    fn small_samples_lack_statistics() {
        let summary = SampleSummary::of(&[4.0]).unwrap();
        assert_eq!((summary.mean, summary.sd, summary.ci95), (4.0, None, None));
        assert_eq!(SampleSummary::of(&[]), None);
        assert_eq!(RunMeans::of(&[vec![4.0], vec![]]), None);
        assert_eq!(RunMeans::of::<Vec<f64>>(&[]), None);
    }

    #[test]
    fn the_order_of_games_changes_no_digit() {
        let mut values: Vec<f64> = (0..1000).map(|k| 1.0 / f64::from(k + 3)).collect();
        let summary = SampleSummary::of(&values);
        values.reverse();
        assert_eq!(SampleSummary::of(&values), summary);
    }

    #[test]
    fn run_means_agree_with_numpy() {
        // m = [numpy.mean(r) for r in runs]; min(m), numpy.mean(m), numpy.median(m), max(m), numpy.std(m, ddof=1)
        let runs = [[4., 5., 4., 6.], [5., 5., 4., 4.], [3., 5., 4., 5.], [6., 6., 4., 5.], [4., 4., 4., 4.]];
        let means = RunMeans::of(&runs).unwrap();
        assert_eq!((means.runs, means.min, means.median, means.max), (5, 4.0, 4.5, 5.25));
        close(means.mean, 4.55);
        close(means.sd.unwrap(), 0.48088460154178364);
    }
}
