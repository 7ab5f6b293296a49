//! A mean and how far luck may have moved it.
//!
//! What luck there is depends on how games were chosen. Where every code was played by a strategy that draws nothing, there is
//! none. Where every code was played by one that draws, only its own draws are luck, which repeats tell. Where secrets were
//! drawn, their choice is luck as well. Repeats of a secret are averaged first: they are not games of their own.

use std::collections::BTreeMap;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::summary::{mean_and_variance, t_quantile};

/// How the games of a strategy were chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scope {
    /// Whether every code that the number is about was played.
    pub census: bool,
    /// Whether the strategy draws anything at random.
    pub random: bool,
}

/// What the error of an estimate comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Nothing: every code was played, and nothing was drawn.
    Exact,
    /// The strategy's draws: every code was played, several times.
    Census,
    /// The choice of secrets, and the strategy's draws.
    Sample,
}

/// A mean with its error.
///
/// ```
/// use pegwise_labstats::{Basis, Estimate, Scope};
/// let drawn = Estimate::of(&[4.0, 5.0, 4.0, 6.0], &[0, 1, 2, 3], Scope::default()).expect("there are games");
/// assert!(drawn.interval().is_some());
/// let all = Scope { census: true, random: false };
/// let exact = Estimate::of(&[4.0, 5.0, 4.0, 6.0], &[0, 1, 2, 3], all).expect("there are games");
/// assert_eq!((exact.basis, exact.mean, exact.interval()), (Basis::Exact, 4.75, None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean over secrets of the mean of each.
    pub mean: f64,
    /// Its standard error: zero where it is exact, and none for a single game of a sample.
    pub error: Option<f64>,
    /// The degrees of freedom of that error.
    pub freedom: usize,
    /// How many secrets it rests on.
    pub secrets: usize,
    /// What the error comes from.
    pub basis: Basis,
}

/// What the games of one secret say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unit {
    pub(crate) mean: f64,
    /// The variance of that mean by the strategy's own draws, where repeats tell it.
    pub(crate) variance: Option<f64>,
    pub(crate) games: usize,
}

/// The games of each secret.
pub(crate) fn units(values: &[f64], secrets: &[u64]) -> BTreeMap<u64, Unit> {
    let mut games = BTreeMap::<u64, Vec<f64>>::new();
    for (&secret, &value) in secrets.iter().zip(values) {
        games.entry(secret).or_default().push(value);
    }
    let unit = |values: &Vec<f64>| {
        let (mean, variance) = mean_and_variance(values);
        Unit { mean, variance: variance.map(|variance| variance / values.len() as f64), games: values.len() }
    };
    games.iter().map(|(&secret, values)| (secret, unit(values))).collect()
}

impl Estimate {
    /// The mean of games with their secrets' numbers; none if there are no games.
    pub fn of(values: &[f64], secrets: &[u64], scope: Scope) -> Option<Self> {
        let units: Vec<Unit> = units(values, secrets).into_values().collect();
        Self::of_units(&units, scope)
    }

    pub(crate) fn of_units(units: &[Unit], scope: Scope) -> Option<Self> {
        if units.is_empty() {
            return None;
        }
        let means: Vec<f64> = units.iter().map(|unit| unit.mean).collect();
        let (mean, variance) = mean_and_variance(&means);
        let n = units.len();
        let estimate =
            |error: Option<f64>, freedom: usize, basis: Basis| Self { mean, error, freedom, secrets: n, basis };
        if scope.census && !scope.random {
            return Some(estimate(Some(0.0), 0, Basis::Exact));
        }
        // Without repeats the spread between secrets stands for the strategy's luck: more than it can be.
        if let Some(own) = own_luck(units).filter(|_| scope.census) {
            let freedom = units.iter().map(|unit| unit.games - 1).sum();
            return Some(estimate(Some(own.sqrt()), freedom, Basis::Census));
        }
        Some(estimate(variance.map(|variance| (variance / n as f64).sqrt()), n - 1, Basis::Sample))
    }

    /// The 95 % interval by Student's t: none where the mean is exact, and none where there is no error to tell.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let error = self.error.filter(|_| self.basis != Basis::Exact && self.freedom > 0)?;
        let half = t_quantile(self.freedom) * error;
        Some([self.mean - half, self.mean + half])
    }

    /// The chance of a mean at least this far from zero by luck alone, if it were zero: Student's t test, which is below
    /// 0.05 exactly where the interval leaves zero out. None where the mean is exact.
    pub fn p(&self) -> Option<f64> {
        let error = self.error.filter(|_| self.basis != Basis::Exact && self.freedom > 0)?;
        if error == 0.0 {
            // Every secret says the same.
            return Some(if self.mean == 0.0 { 1.0 } else { 0.0 });
        }
        let student = StudentsT::new(0.0, 1.0, self.freedom as f64).expect("the freedom is positive");
        Some((2.0 * student.sf((self.mean / error).abs())).min(1.0))
    }

    /// How many more secrets would tell a mean of this size from zero four times of five, if the error goes on falling with
    /// the root of their number. None where there is no error to go by.
    pub fn more_to_tell(&self, size: f64) -> Option<u64> {
        /// The quantiles of the normal distribution at 97.5 % and 80 %.
        const BOTH: f64 = 1.959_963_984_540_054 + 0.841_621_233_572_914;
        let error = self.error.filter(|_| self.basis != Basis::Exact && self.freedom > 0)?;
        let needed = self.secrets as f64 * (BOTH * error / size).powi(2);
        Some((needed.ceil() - self.secrets as f64).max(0.0) as u64)
    }
}

/// The variance of the mean of secrets by the strategy's draws, where each was played twice or more.
fn own_luck(units: &[Unit]) -> Option<f64> {
    let variances: Option<Vec<f64>> = units.iter().map(|unit| unit.variance).collect();
    variances.map(|variances| variances.iter().sum::<f64>() / (units.len() as f64).powi(2))
}

/// The mean difference of two strategies over the secrets that both played.
///
/// The errors of a census add up: each strategy draws on its own. In a sample the differences themselves are spread.
pub(crate) fn difference(a: &BTreeMap<u64, Unit>, b: &BTreeMap<u64, Unit>, scopes: [Scope; 2]) -> Option<Estimate> {
    let shared = a.iter().filter_map(|(secret, one)| Some((*one, *b.get(secret)?)));
    // The spread of a strategy that draws nothing is none, and needs no repeats to tell.
    let own = |unit: Unit, scope: Scope| if scope.random { unit.variance } else { Some(0.0) };
    let differences: Vec<Unit> = shared
        .map(|(one, other)| Unit {
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
        let of = |values: &[f64]| units(values, &secrets);
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
    fn repeats_of_a_secret_are_no_games_of_their_own() {
        let values = [4.0, 6.0, 4.0, 6.0, 4.0, 6.0];
        let once = Estimate::of(&values[..2], &[0, 1], Scope::default()).unwrap();
        let thrice = Estimate::of(&values, &[0, 1, 0, 1, 0, 1], Scope::default()).unwrap();
        assert_eq!((once.error, once.freedom), (thrice.error, thrice.freedom));
    }

    #[test]
    fn where_every_code_is_a_secret_only_the_luck_of_the_strategy_counts() {
        // Two secrets, three runs: the first secret always takes 4, the second 5, 6, 7.
        let (values, secrets) = ([4.0, 5.0, 4.0, 6.0, 4.0, 7.0], [0, 1, 0, 1, 0, 1]);
        let estimate = Estimate::of(&values, &secrets, Scope { census: true, random: true }).unwrap();
        assert_eq!((estimate.basis, estimate.freedom), (Basis::Census, 4));
        // The variance of the second's mean is 1/3; half of it each way.
        close(estimate.error.unwrap(), (1.0f64 / 3.0).sqrt() / 2.0);
        let without = Estimate::of(&values[..2], &secrets[..2], Scope { census: true, random: true }).unwrap();
        assert_eq!(without.basis, Basis::Sample, "without repeats nothing tells its luck");
    }

    #[test]
    fn the_interval_leaves_zero_out_exactly_where_the_test_says_so() {
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
    fn so_many_games_tell_a_difference() {
        // statsmodels.stats.power.NormalIndPower with ratio=0 gives (1.96 + 0.8416)^2 = 7.849 times variance over size^2
        let values: Vec<f64> = (0..1000).map(|k| f64::from(k % 2)).collect();
        let estimate = Estimate::of(&values, &(0..1000).collect::<Vec<_>>(), Scope::default()).unwrap();
        let more = estimate.more_to_tell(0.01).unwrap();
        assert_eq!(more + 1000, (7.848_879_734 * 0.25 * (1000.0 / 999.0) / 0.0001f64).ceil() as u64);
        assert_eq!(estimate.more_to_tell(0.5), Some(0));
    }
}
