//! What the games of a row say, in as much as is needed to judge.

use std::collections::BTreeMap;

use pegwise_labstats::{RunMeans, Summary};

use super::measure::Quantity;

/// The games of one strategy at one rules, summed up.
#[derive(Debug, Clone)]
pub(super) struct Digest {
    /// Games played.
    pub(super) games: u64,
    /// How many secrets there are.
    pub(super) codes: u64,
    /// Whether every code was a secret, so that none is left to luck.
    pub(super) whole: bool,
    /// What was measured.
    pub(super) columns: BTreeMap<Quantity, Column>,
    /// The mean guesses of each run.
    pub(super) runs: Option<RunMeans>,
}

/// One measured quantity.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) summary: Summary,
    /// The fourth central moment, on which the error of the standard deviation depends.
    pub(super) fourth: f64,
    /// What a game adds to the variance of the mean: where every code is a secret, only the strategy's own luck.
    pub(super) variance: f64,
    /// Between these the median lies, as surely as three standard errors, against another sample of this size.
    pub(super) median: [f64; 2],
}

impl Column {
    /// Sums up games in order of their number: all secrets, then all secrets again. `whole` says that every code is one.
    pub(super) fn of(values: &[f64], secrets: usize, whole: bool) -> Option<Self> {
        let summary = Summary::of(values)?;
        let n = values.len() as f64;
        let fourth = values.iter().map(|value| (value - summary.mean).powi(4)).sum::<f64>() / n;
        let overall = summary.sd.unwrap_or(0.0).powi(2);
        let variance = if whole { within_secrets(values, secrets).unwrap_or(overall) } else { overall };
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        // A rank is off by half the root of the number of values; three of that, for two samples.
        let off = 1.5 * (2.0 * n).sqrt();
        let at = |rank: f64| sorted[rank.clamp(0.0, n - 1.0) as usize];
        let median = [at((n / 2.0 - off).floor()), at((n / 2.0 + off).ceil())];
        Some(Self { summary, fourth, variance, median })
    }

    /// The standard deviation with n below instead of n - 1.
    pub(super) fn population_sd(&self) -> f64 {
        let n = self.summary.n as f64;
        self.summary.sd.map_or(0.0, |sd| sd * ((n - 1.0) / n).sqrt())
    }

    /// The standard error of the standard deviation of a sample of this many games.
    pub(super) fn error_of_sd(&self, games: f64) -> f64 {
        let variance = self.population_sd().powi(2);
        let spread = (self.fourth - variance.powi(2)).max(0.0);
        if variance > 0.0 { (spread / (4.0 * variance * games)).sqrt() } else { 0.0 }
    }
}

/// The mean variance of the games of one secret, if each was played twice or more.
fn within_secrets(values: &[f64], secrets: usize) -> Option<f64> {
    let repeats = values.len() / secrets.max(1);
    if repeats < 2 || repeats * secrets != values.len() {
        return None;
    }
    let of_secret = |secret: usize| {
        let games = || values.iter().skip(secret).step_by(secrets);
        let mean = games().sum::<f64>() / repeats as f64;
        games().map(|value| (value - mean).powi(2)).sum::<f64>() / (repeats - 1) as f64
    };
    Some((0..secrets).map(of_secret).sum::<f64>() / secrets as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_every_code_is_a_secret_only_the_luck_of_the_strategy_counts() {
        // Two secrets, three runs: the first secret always takes 4, the second 5, 6, 7.
        let values = [4.0, 5.0, 4.0, 6.0, 4.0, 7.0];
        let column = Column::of(&values, 2, true).unwrap();
        assert!((column.variance - 0.5).abs() < 1e-12);
        let drawn = Column::of(&values, 6, false).unwrap();
        assert!((drawn.variance - drawn.summary.sd.unwrap().powi(2)).abs() < 1e-12);
    }

    #[test]
    fn the_error_of_a_standard_deviation_is_that_of_the_normal_distribution() {
        // Many values spread like a normal distribution: the error is sd / sqrt(2n).
        let values: Vec<f64> = (0..20_000)
            .map(|k| (0..12).map(|j| f64::from((k * 7919 + j * 104_729 + k * k % 9973 * (j + 3)) % 10_007)).sum())
            .collect();
        let column = Column::of(&values, values.len(), false).unwrap();
        let ratio = column.error_of_sd(100.0) / (column.summary.sd.unwrap() / 200f64.sqrt());
        assert!((0.9..1.1).contains(&ratio), "{ratio}");
    }

    #[test]
    fn medians_have_intervals() {
        let values: Vec<f64> = (0..1000).map(f64::from).collect();
        let [low, high] = Column::of(&values, 1000, false).unwrap().median;
        assert!((430.0..=435.0).contains(&low) && (565.0..=570.0).contains(&high), "{low} {high}");
    }
}
