//! A mean with its standard error.
//!
//! The source of the error depends on how the games were chosen. If a deterministic strategy played every code, the mean
//! is exact. If a randomized strategy played every code, only its own draws vary, and repeats measure their variance. If
//! secrets were drawn, their choice adds to the variance. Repeats of one secret are averaged first, because they are not
//! independent games.

use std::collections::BTreeMap;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::summary::{mean_and_variance, t_quantile};

/// Selection of the games of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scope {
    /// True if every code in question was played.
    pub census: bool,
    /// True if the strategy draws random numbers.
    pub random: bool,
}

/// Source of the standard error of an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorBasis {
    /// No error: a deterministic strategy played every code.
    Exact,
    /// The strategy's random draws: every code was played several times.
    Census,
    /// The choice of secrets and the strategy's random draws.
    Sample,
}

/// A mean with its standard error.
///
/// ```
/// use pegwise_labstats::{ErrorBasis, Estimate, Scope};
/// let drawn = Estimate::of(&[4.0, 5.0, 4.0, 6.0], &[0, 1, 2, 3], Scope::default()).expect("there are games");
/// assert!(drawn.interval().is_some());
/// let all = Scope { census: true, random: false };
/// let exact = Estimate::of(&[4.0, 5.0, 4.0, 6.0], &[0, 1, 2, 3], all).expect("there are games");
/// assert_eq!((exact.basis, exact.mean, exact.interval()), (ErrorBasis::Exact, 4.75, None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// Mean over secrets of the mean of each secret.
    pub mean: f64,
    /// Standard error: zero if the mean is exact, `None` for a sample of one game.
    pub error: Option<f64>,
    /// Degrees of freedom of the standard error.
    pub freedom: usize,
    /// Number of secrets.
    pub secrets: usize,
    /// Source of the standard error.
    pub basis: ErrorBasis,
}

/// Games of one secret.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SecretMean {
    pub(crate) mean: f64,
    /// Variance of the mean over the strategy's random draws, if the secret was repeated.
    pub(crate) variance: Option<f64>,
    pub(crate) games: usize,
}

/// Groups games by secret.
pub(crate) fn means_by_secret(values: &[f64], secrets: &[u64]) -> BTreeMap<u64, SecretMean> {
    let mut games = BTreeMap::<u64, Vec<f64>>::new();
    for (&secret, &value) in secrets.iter().zip(values) {
        games.entry(secret).or_default().push(value);
    }
    let unit = |values: &Vec<f64>| {
        let (mean, variance) = mean_and_variance(values);
        SecretMean { mean, variance: variance.map(|variance| variance / values.len() as f64), games: values.len() }
    };
    games.iter().map(|(&secret, values)| (secret, unit(values))).collect()
}

impl Estimate {
    /// Estimates the mean of `values`, where `secrets[i]` is the secret number of game i. Returns `None` without games.
    pub fn of(values: &[f64], secrets: &[u64], scope: Scope) -> Option<Self> {
        let units: Vec<SecretMean> = means_by_secret(values, secrets).into_values().collect();
        Self::of_units(&units, scope)
    }

    pub(crate) fn of_units(units: &[SecretMean], scope: Scope) -> Option<Self> {
        if units.is_empty() {
            return None;
        }
        let means: Vec<f64> = units.iter().map(|unit| unit.mean).collect();
        let (mean, variance) = mean_and_variance(&means);
        let n = units.len();
        let estimate =
            |error: Option<f64>, freedom: usize, basis: ErrorBasis| Self { mean, error, freedom, secrets: n, basis };
        if scope.census && !scope.random {
            return Some(estimate(Some(0.0), 0, ErrorBasis::Exact));
        }
        // Without repeats, the variance between secrets is an upper bound on the variance of the draws.
        if let Some(own) = repeat_variance(units).filter(|_| scope.census) {
            let freedom = units.iter().map(|unit| unit.games - 1).sum();
            return Some(estimate(Some(own.sqrt()), freedom, ErrorBasis::Census));
        }
        Some(estimate(variance.map(|variance| (variance / n as f64).sqrt()), n - 1, ErrorBasis::Sample))
    }

    /// Returns the 95 % confidence interval by Student's t, or `None` if the mean is exact or has no standard error.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let error = self.error.filter(|_| self.basis != ErrorBasis::Exact && self.freedom > 0)?;
        let half = t_quantile(self.freedom) * error;
        Some([self.mean - half, self.mean + half])
    }

    /// Returns the two-sided p value of Student's t test against a mean of zero, or `None` if the mean is exact. It is below
    /// 0.05 exactly when the confidence interval excludes zero.
    pub fn p(&self) -> Option<f64> {
        let error = self.error.filter(|_| self.basis != ErrorBasis::Exact && self.freedom > 0)?;
        if error == 0.0 {
            // All secrets have the same mean.
            return Some(if self.mean == 0.0 { 1.0 } else { 0.0 });
        }
        let student = StudentsT::new(0.0, 1.0, self.freedom as f64).expect("the freedom is positive");
        Some((2.0 * student.sf((self.mean / error).abs())).min(1.0))
    }

    /// Returns the number of additional secrets needed to detect a mean of `size` with 80 % power at the 5 % level, assuming
    /// that the standard error falls with the square root of their number. Returns `None` without a standard error.
    pub fn additional_secrets(&self, size: f64) -> Option<u64> {
        /// Sum of the normal quantiles at 97.5 % and 80 %.
        const BOTH: f64 = 1.959_963_984_540_054 + 0.841_621_233_572_914;
        let error = self.error.filter(|_| self.basis != ErrorBasis::Exact && self.freedom > 0)?;
        let needed = self.secrets as f64 * (BOTH * error / size).powi(2);
        Some((needed.ceil() - self.secrets as f64).max(0.0) as u64)
    }
}

/// Returns Wilson's 95 % confidence interval of a share.
///
/// # References
///
/// E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, 1927.
pub fn wilson_interval(successes: usize, trials: usize) -> [f64; 2] {
    /// Normal quantile at 97.5 %.
    const Z: f64 = 1.959_963_984_540_054;
    if trials == 0 {
        return [0.0, 1.0];
    }
    let (n, share) = (trials as f64, successes as f64 / trials as f64);
    let center = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    [(center - half).max(0.0), (center + half).min(1.0)]
}

/// Returns the variance of the mean over the strategy's random draws, if each secret was played at least twice.
fn repeat_variance(units: &[SecretMean]) -> Option<f64> {
    let variances: Option<Vec<f64>> = units.iter().map(|unit| unit.variance).collect();
    variances.map(|variances| variances.iter().sum::<f64>() / (units.len() as f64).powi(2))
}

/// Estimates the mean difference of two strategies over the secrets that both played.
///
/// In a census the variances of the strategies add up, because their draws are independent. In a sample the error follows
/// from the variance of the differences.
pub(crate) fn difference(
    a: &BTreeMap<u64, SecretMean>,
    b: &BTreeMap<u64, SecretMean>,
    scopes: [Scope; 2],
) -> Option<Estimate> {
    let shared = a.iter().filter_map(|(secret, one)| Some((*one, *b.get(secret)?)));
    // A deterministic strategy has no variance, with or without repeats.
    let own = |unit: SecretMean, scope: Scope| if scope.random { unit.variance } else { Some(0.0) };
    let differences: Vec<SecretMean> = shared
        .map(|(one, other)| SecretMean {
            mean: one.mean - other.mean,
            variance: own(one, scopes[0]).zip(own(other, scopes[1])).map(|(one, other)| one + other),
            games: one.games.min(other.games).max(2),
        })
        .collect();
    let census = scopes.iter().all(|scope| scope.census) && differences.len() == a.len().max(b.len());
    let random = scopes.iter().any(|scope| scope.random);
    Estimate::of_units(&differences, Scope { census, random })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{close, samples};

    #[test]
    fn a_sample_is_judged_by_the_paired_t_test() {
        // The p value is the density of Student's t with 8 degrees of freedom, integrated beyond 3.0353754156485917.
        let secrets: Vec<u64> = (0..9).collect();
        let of = |values: &[f64]| means_by_secret(values, &secrets);
        let estimate = difference(&of(&samples::BEFORE), &of(&samples::AFTER), [Scope::default(); 2]).unwrap();
        let differences: Vec<f64> = samples::BEFORE.iter().zip(samples::AFTER).map(|(a, b)| a - b).collect();
        let (mean, variance) = mean_and_variance(&differences);
        close(estimate.mean, mean);
        close(estimate.error.unwrap(), (variance.unwrap() / 9.0).sqrt());
        let [low, high] = estimate.interval().unwrap();
        assert!(low > 0.0 && high > low);
        close(estimate.p().unwrap(), 0.016_176_627_434_946_855);
    }

    #[test]
    fn repeats_of_a_secret_are_averaged() {
        let values = [4.0, 6.0, 4.0, 6.0, 4.0, 6.0];
        let once = Estimate::of(&values[..2], &[0, 1], Scope::default()).unwrap();
        let thrice = Estimate::of(&values, &[0, 1, 0, 1, 0, 1], Scope::default()).unwrap();
        assert_eq!((once.error, once.freedom), (thrice.error, thrice.freedom));
    }

    #[test]
    fn a_census_has_only_the_variance_of_the_draws() {
        // Two secrets, three runs: the first secret always takes 4, the second 5, 6, 7.
        let (values, secrets) = ([4.0, 5.0, 4.0, 6.0, 4.0, 7.0], [0, 1, 0, 1, 0, 1]);
        let estimate = Estimate::of(&values, &secrets, Scope { census: true, random: true }).unwrap();
        assert_eq!((estimate.basis, estimate.freedom), (ErrorBasis::Census, 4));
        // The mean of the second secret has variance 1/3, the mean over both secrets a quarter of it.
        close(estimate.error.unwrap(), (1.0f64 / 3.0).sqrt() / 2.0);
        let without = Estimate::of(&values[..2], &secrets[..2], Scope { census: true, random: true }).unwrap();
        assert_eq!(without.basis, ErrorBasis::Sample, "the variance of the draws is unknown without repeats");
    }

    #[test]
    fn the_interval_excludes_zero_exactly_if_the_test_rejects() {
        let mut rejected = 0;
        for shift in 0..40 {
            let values: Vec<f64> = (0..30).map(|k| f64::from((k * k * 7 + 3 * k) % 11 - shift % 11) - 0.3).collect();
            let estimate = Estimate::of(&values, &(0..30).collect::<Vec<_>>(), Scope::default()).unwrap();
            let [low, high] = estimate.interval().unwrap();
            assert_eq!(estimate.p().unwrap() < 0.05, low > 0.0 || high < 0.0);
            rejected += usize::from(estimate.p().unwrap() < 0.05);
        }
        assert!(rejected > 5 && rejected < 40, "{rejected}");
    }

    #[test]
    fn wilson_intervals_are_those_of_statsmodels() {
        // statsmodels.stats.proportion.proportion_confint(count, nobs, method="wilson")
        for (successes, trials, [low, high]) in [
            (19, 200, [0.061_663_102_717_386_52, 0.143_601_611_648_199_4]),
            (1, 10, [0.017_876_213_095_072_924, 0.404_150_026_795_238_54]),
            (0, 20, [0.0, 0.161_125_158_052_819_4]),
            (20, 20, [0.838_874_841_947_180_4, 1.0]),
        ] {
            let interval = wilson_interval(successes, trials);
            assert!((interval[0] - low).abs() < 1e-9 && (interval[1] - high).abs() < 1e-9, "{interval:?}");
        }
    }

    #[test]
    fn additional_secrets_follow_from_the_power() {
        // statsmodels.stats.power.NormalIndPower with ratio=0 gives (1.96 + 0.8416)^2 = 7.849 times variance over size^2
        let values: Vec<f64> = (0..1000).map(|k| f64::from(k % 2)).collect();
        let estimate = Estimate::of(&values, &(0..1000).collect::<Vec<_>>(), Scope::default()).unwrap();
        let more = estimate.additional_secrets(0.01).unwrap();
        assert_eq!(more + 1000, (7.848_879_734 * 0.25 * (1000.0 / 999.0) / 0.0001f64).ceil() as u64);
        assert_eq!(estimate.additional_secrets(0.5), Some(0));
    }
}
