//! How often something happens, judged by a sample.

use statrs::distribution::{Beta, ContinuousCDF};

/// The 95 % interval of the chance of something that happened so often in so many games: Clopper and Pearson's, which never
/// promises too much.
///
/// ```
/// use pegwise_labstats::compare::proportion;
/// let [low, high] = proportion(5, 10);
/// assert!((low - 0.1871).abs() < 1e-4 && (high - 0.8129).abs() < 1e-4);
/// assert_eq!(proportion(0, 100)[0], 0.0);
/// ```
///
/// # References
///
/// C. J. Clopper, E. S. Pearson, *The use of confidence or fiducial limits illustrated in the case of the binomial*, 1934.
pub fn proportion(times: u64, games: u64) -> [f64; 2] {
    const TAIL: f64 = 0.025;
    let (k, n) = (times.min(games) as f64, games as f64);
    let beta = |a: f64, b: f64| Beta::new(a, b).expect("both are positive");
    let low = if times == 0 { 0.0 } else { beta(k, n - k + 1.0).inverse_cdf(TAIL) };
    let high = if times >= games { 1.0 } else { beta(k + 1.0, n - k).inverse_cdf(1.0 - TAIL) };
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_follow_from_the_binomial() {
        // With nothing seen in n games, the upper end is where (1 - p)^n is 0.025; with all seen, the mirror of it.
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
}
