//! What the games of a row say, in as much as is needed to judge.

use std::collections::BTreeMap;

use pegwise_labstats::{Estimate, RunMeans, Scope, Summary};

use super::measure::Quantity;

/// The games of one strategy at one rules, summed up.
#[derive(Debug, Clone)]
pub(super) struct Digest {
    /// Games played.
    pub(super) games: u64,
    /// How many secrets there are.
    pub(super) codes: u64,
    /// What was measured.
    pub(super) columns: BTreeMap<Quantity, Column>,
    /// The mean guesses of each run.
    pub(super) runs: Option<RunMeans>,
}

/// One measured quantity.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) summary: Summary,
    /// The mean with its error.
    pub(super) estimate: Estimate,
    /// The fourth central moment, on which the error of the standard deviation depends.
    fourth: f64,
    /// Every value that occurs, in order of size, with how often.
    counts: Vec<(f64, u64)>,
}

impl Column {
    /// Sums up games in order of their number: all secrets, then all secrets again.
    pub(super) fn of(values: &[f64], secrets: usize, scope: Scope) -> Option<Self> {
        let summary = Summary::of(values)?;
        let numbers: Vec<u64> = (0..values.len()).map(|game| (game % secrets.max(1)) as u64).collect();
        let n = values.len() as f64;
        let fourth = values.iter().map(|value| (value - summary.mean).powi(4)).sum::<f64>() / n;
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let counts = sorted.chunk_by(|a, b| a == b).map(|equals| (equals[0], equals.len() as u64)).collect();
        Some(Self { summary, estimate: Estimate::of(values, &numbers, scope)?, fourth, counts })
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

    /// Between which values the median of so many games lies, as surely as so many standard errors.
    pub(super) fn median_of(&self, games: f64, errors: f64) -> [f64; 2] {
        // A rank is off by half the root of the number of values.
        let off = errors * 0.5 / games.sqrt();
        [self.at(0.5 - off), self.at(0.5 + off)]
    }

    /// The value that this share of games stays at or below.
    fn at(&self, share: f64) -> f64 {
        let rank = share * self.summary.n as f64;
        let mut below = 0.0;
        for &(value, count) in &self.counts {
            below += count as f64;
            if below >= rank {
                return value;
            }
        }
        self.summary.max
    }

    /// How many games took more than a value, and how many at least as much.
    pub(super) fn above(&self, value: f64) -> [u64; 2] {
        let count = |is: &dyn Fn(f64) -> bool| self.counts.iter().filter(|(own, _)| is(*own)).map(|(_, n)| n).sum();
        [count(&|own| own > value), count(&|own| own >= value)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[f64]) -> Column {
        Column::of(values, values.len(), Scope { census: false, random: true }).unwrap()
    }

    #[test]
    fn the_error_of_a_standard_deviation_is_that_of_the_normal_distribution() {
        // Sums of twelve draws are spread like a normal distribution, whose error is sd / sqrt(2n).
        let mut rng = pegwise_solve::Rng::for_path(1, [&b"sd"[..]]);
        let values: Vec<f64> = (0..20_000).map(|_| (0..12).map(|_| rng.below(1000) as f64).sum()).collect();
        let column = column(&values);
        let ratio = column.error_of_sd(100.0) / (column.summary.sd.unwrap() / 200f64.sqrt());
        assert!((0.9..1.1).contains(&ratio), "{ratio}");
    }

    #[test]
    fn medians_have_intervals() {
        let values: Vec<f64> = (0..1000).map(f64::from).collect();
        let [low, high] = column(&values).median_of(1000.0, 3.0);
        assert!((449.0..=454.0).contains(&low) && (545.0..=550.0).contains(&high), "{low} {high}");
    }

    #[test]
    fn extremes_are_counted() {
        let column = column(&[4.0, 5.0, 5.0, 6.0, 9.0]);
        assert_eq!([column.above(5.0), column.above(9.0), column.above(3.0)], [[2, 4], [0, 1], [5, 5]]);
    }
}
