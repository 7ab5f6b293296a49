//! What a sample of numbers says.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// A sample of numbers in a few numbers.
///
/// The values are summed in order of size, so the order in which games were finished does not change a digit.
///
/// ```
/// use pegwise_labstats::Summary;
/// let summary = Summary::of(&[4.0, 5.0, 3.0, 6.0]).expect("the sample is not empty");
/// assert_eq!((summary.n, summary.mean, summary.median), (4, 4.5, 4.5));
/// let [low, high] = summary.ci95.expect("two values or more");
/// assert!(low < 4.5 && 4.5 < high);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Summary {
    /// How many values.
    #[serde(skip)]
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, with n - 1 below; none for a single value.
    pub sd: Option<f64>,
    /// The middle value, or the mean of the middle two.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// The 95 % interval of the mean by Student's t; none for a single value.
    pub ci95: Option<[f64; 2]>,
}

impl Summary {
    /// The summary of a sample; none if the sample is empty.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        Self::of_sorted(&sorted)
    }

    /// The summary of a sample that is in order of size.
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

    /// How far the mean is off by luck, as a standard deviation; none for a single value.
    ///
    /// ```
    /// use pegwise_labstats::Summary;
    /// let summary = Summary::of(&[4.0, 6.0, 4.0, 6.0]).expect("the sample is not empty");
    /// assert!((summary.standard_error().expect("two values or more") - 0.577).abs() < 0.001);
    /// ```
    pub fn standard_error(&self) -> Option<f64> {
        self.sd.map(|sd| sd / (self.n as f64).sqrt())
    }

    /// Half the width of the 95 % interval: the number after `±`.
    ///
    /// ```
    /// use pegwise_labstats::Summary;
    /// let summary = Summary::of(&[4.0, 5.0, 3.0, 6.0]).expect("the sample is not empty");
    /// assert!((summary.margin().expect("two values or more") - 2.054).abs() < 0.001);
    /// ```
    pub fn margin(&self) -> Option<f64> {
        self.ci95.map(|[low, high]| (high - low) / 2.0)
    }
}

/// The mean, and the variance if there are two values or more. The second pass keeps digits that sums of squares lose.
pub(crate) fn mean_and_variance(values: &[f64]) -> (f64, Option<f64>) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (values.len() > 1).then(|| squares / (n - 1.0)))
}

/// A quantile of a sorted sample, between neighbors by straight line.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

/// How many standard errors hold the middle 95 %.
pub(crate) fn t_quantile(freedom: usize) -> f64 {
    let v = freedom as f64;
    // The library's inverse loses digits as the freedom grows, while the expansion around the normal distribution
    // (Cornish and Fisher) gains them: here it is good to twelve.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::close;

    #[test]
    fn agrees_with_scipy() {
        // a = [4,5,3,6,5,4,4,5,7,2]; a.std(ddof=1); scipy.stats.t.interval(.95, 9, a.mean(), scipy.stats.sem(a))
        let summary = Summary::of(&[4., 5., 3., 6., 5., 4., 4., 5., 7., 2.]).unwrap();
        let [low, high] = summary.ci95.unwrap();
        close(summary.sd.unwrap(), 1.4337208778404378);
        close(low, 3.4743778688025193);
        close(high, 5.525622131197481);
        assert_eq!((summary.min, summary.median, summary.max), (2.0, 4.5, 7.0));
        // b = [(k*k*7+3*k)%11 for k in range(300)], likewise
        let many: Vec<f64> = (0..300).map(|k| f64::from((k * k * 7 + 3 * k) % 11)).collect();
        let summary = Summary::of(&many).unwrap();
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
    fn a_single_value_has_no_spread_and_none_has_no_summary() {
        let summary = Summary::of(&[4.0]).unwrap();
        assert_eq!((summary.mean, summary.sd, summary.ci95), (4.0, None, None));
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn the_order_of_games_changes_no_digit() {
        let mut values: Vec<f64> = (0..1000).map(|k| 1.0 / f64::from(k + 3)).collect();
        let summary = Summary::of(&values);
        values.reverse();
        assert_eq!(Summary::of(&values), summary);
    }
}
