//! Statistics of the games of one row.

use std::collections::BTreeMap;

use pegwise_game::{Code, Judge, Rules, Space, Table, Turn};
use pegwise_labstats::{Estimate, RunMeans, SampleSummary, Scope};
use pegwise_solve::Counts;

use super::table::MeasuredQuantity;

/// Statistics of the games of one row.
#[derive(Debug, Clone)]
pub(super) struct RowStatistics {
    pub(super) games: u64,
    /// Number of secrets.
    pub(super) codes: u64,
    /// True if the secrets were not drawn.
    pub(super) census: bool,
    pub(super) columns: BTreeMap<MeasuredQuantity, ColumnStatistics>,
    /// Statistics of the mean guesses of each run.
    pub(super) runs: Option<RunMeans>,
}

#[derive(Debug)]
pub(super) struct GameMeasurements {
    pub(super) guesses: usize,
    /// Guesses until one code was left, if counted.
    pub(super) identified: Option<usize>,
    pub(super) counts: Counts,
    pub(super) seconds: f64,
    /// True if the strategy drew random numbers.
    pub(super) random: bool,
}

impl RowStatistics {
    /// Computes the statistics of games in order of their number: all secrets, then all secrets again.
    pub(super) fn of(games: &[GameMeasurements], secrets: u64, census: bool) -> Self {
        let scope = Scope { census, random: games.iter().any(|game| game.random) };
        let column = |quantity, value: fn(&GameMeasurements) -> Option<f64>| {
            let values: Vec<f64> = games.iter().filter_map(value).collect();
            Some((quantity, ColumnStatistics::of(&values, secrets as usize, scope)?))
        };
        let columns = [
            column(MeasuredQuantity::Guesses, |game| Some(game.guesses as f64)),
            column(MeasuredQuantity::Identified, |game| Some(game.identified? as f64)),
            column(MeasuredQuantity::Examined, |game| Some(game.counts.examined as f64)),
            column(MeasuredQuantity::Consistent, |game| Some(game.counts.consistent as f64)),
            column(MeasuredQuantity::Nodes, |game| Some(game.counts.nodes as f64)),
            column(MeasuredQuantity::Milliseconds, |game| Some(game.seconds * 1e3)),
        ];
        let guesses: Vec<f64> = games.iter().map(|game| game.guesses as f64).collect();
        let runs: Vec<&[f64]> = guesses.chunks(secrets.max(1) as usize).collect();
        let columns = columns.into_iter().flatten().collect();
        Self { games: games.len() as u64, codes: secrets, census, columns, runs: RunMeans::of(&runs) }
    }
}

/// Statistics of one quantity.
#[derive(Debug, Clone)]
pub(super) struct ColumnStatistics {
    pub(super) summary: SampleSummary,
    /// Mean with its standard error.
    pub(super) estimate: Estimate,
    /// Fourth central moment, for the error of the standard deviation.
    fourth: f64,
    /// Value of each game in order of its number, for differences of strategies. Single precision is exact for counts.
    values: Vec<f32>,
    /// Distinct values in increasing order with their counts.
    counts: Vec<(f64, u64)>,
}

impl ColumnStatistics {
    /// Computes the statistics of games in order of their number: all secrets, then all secrets again.
    pub(super) fn of(values: &[f64], secrets: usize, scope: Scope) -> Option<Self> {
        let summary = SampleSummary::of(values)?;
        let numbers: Vec<u64> = (0..values.len()).map(|game| (game % secrets.max(1)) as u64).collect();
        let n = values.len() as f64;
        let fourth = values.iter().map(|value| (value - summary.mean).powi(4)).sum::<f64>() / n;
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let counts = sorted.chunk_by(|a, b| a == b).map(|equals| (equals[0], equals.len() as u64)).collect();
        let estimate = Estimate::of(values, &numbers, scope)?;
        Some(Self { summary, estimate, fourth, values: values.iter().map(|&value| value as f32).collect(), counts })
    }

    /// Returns the standard deviation with divisor n.
    pub(super) fn population_sd(&self) -> f64 {
        let n = self.summary.n as f64;
        self.summary.sd.map_or(0.0, |sd| sd * ((n - 1.0) / n).sqrt())
    }

    /// Returns the degrees of freedom of the chi-square distribution that matches the variance of the sample variance of
    /// `games` games: n - 1 for a normal distribution, fewer for heavy tails.
    ///
    /// # References
    /// B. O'Neill, *Some useful moment results in sampling problems*, 2014.
    pub(super) fn sd_freedom(&self, games: f64) -> f64 {
        let variance = self.population_sd().powi(2);
        let kurtosis = if variance > 0.0 { self.fourth / variance.powi(2) } else { 1.0 };
        let n = games.max(2.0);
        2.0 / (kurtosis / n - (n - 3.0) / (n * (n - 1.0))).max(f64::MIN_POSITIVE)
    }

    /// Adds `weight` times the mean of each of the first secrets, of `secrets`, to `sums`.
    pub(super) fn add_secret_means(&self, sums: &mut [f64], secrets: usize, weight: f64) {
        let weight = weight * secrets as f64 / self.values.len() as f64;
        for run in self.values.chunks(secrets) {
            sums.iter_mut().zip(run).for_each(|(sum, value)| *sum += weight * f64::from(*value));
        }
    }

    /// Returns the interval of the median of `games` games at `errors` standard errors.
    pub(super) fn median_interval(&self, games: f64, errors: f64) -> [f64; 2] {
        // The standard error of a rank is half the square root of the number of values.
        let off = errors * 0.5 / games.sqrt();
        [self.quantile(0.5 - off), self.quantile(0.5 + off)]
    }

    /// Returns the quantile at `share`.
    fn quantile(&self, share: f64) -> f64 {
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

    /// Returns the number of games above a value, and at or above it.
    pub(super) fn counts_from(&self, value: f64) -> [u64; 2] {
        let count = |is: &dyn Fn(f64) -> bool| self.counts.iter().filter(|(own, _)| is(*own)).map(|(_, n)| n).sum();
        [count(&|own| own > value), count(&|own| own >= value)]
    }
}

/// Counter of guesses until one code is left, as Bestavros and Belal count, who do not play a code that they know.
#[derive(Debug, Clone)]
pub(super) struct IdentificationCounter {
    judge: Judge,
    codes: Vec<Code>,
}

impl IdentificationCounter {
    /// Largest space that is filtered for every game.
    const MAX_CODES: u128 = 100_000;

    /// Returns `None` if there are too many codes.
    pub(super) fn new(rules: &Rules) -> Option<Self> {
        Space::new(rules).count().exact().filter(|&count| count <= Self::MAX_CODES)?;
        let codes = Table::all(rules).ok()?.codes().collect();
        Some(Self { judge: Judge::new(rules), codes })
    }

    /// Returns the number of turns after which one code is left.
    pub(super) fn count(&mut self, turns: &[Turn]) -> usize {
        let mut left: Vec<&Code> = self.codes.iter().collect();
        for (before, turn) in turns.iter().enumerate() {
            if left.len() <= 1 {
                return before;
            }
            left.retain(|code| self.judge.agrees(turn, code));
        }
        turns.len()
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::History;

    use super::*;

    fn column(values: &[f64]) -> ColumnStatistics {
        ColumnStatistics::of(values, values.len(), Scope { census: false, random: true }).unwrap()
    }

    #[test]
    fn the_freedom_of_the_sd_is_that_of_the_normal_distribution() {
        // Sums of twelve draws are nearly normal.
        let mut rng = pegwise_solve::Rng::for_path(1, [&b"sd"[..]]);
        let values: Vec<f64> = (0..20_000).map(|_| (0..12).map(|_| rng.below(1000) as f64).sum()).collect();
        let freedom = column(&values).sd_freedom(100.0);
        assert!((95.0..115.0).contains(&freedom), "{freedom}");
        // One game in ten thousand decides the spread, so a sample of ten thousand has few degrees of freedom.
        let rare: Vec<f64> = (0..10_000).map(|game| if game == 0 { 1000.0 } else { 1.0 }).collect();
        assert!(column(&rare).sd_freedom(10_000.0) < 3.0);
    }

    #[test]
    fn medians_have_intervals() {
        let values: Vec<f64> = (0..1000).map(f64::from).collect();
        let [low, high] = column(&values).median_interval(1000.0, 3.0);
        assert!((449.0..=454.0).contains(&low) && (545.0..=550.0).contains(&high), "{low} {high}");
    }

    #[test]
    fn extremes_are_counted() {
        let column = column(&[4.0, 5.0, 5.0, 6.0, 9.0]);
        assert_eq!(
            [column.counts_from(5.0), column.counts_from(9.0), column.counts_from(3.0)],
            [[2, 4], [0, 1], [5, 5]]
        );
    }

    #[test]
    fn guesses_until_one_code_is_left_are_counted() {
        let rules: Rules = "2x3".parse().unwrap();
        let count = |turns: &[&str]| {
            let history = History::parse(&rules, turns.iter().copied()).unwrap();
            IdentificationCounter::new(&rules).unwrap().count(history.turns())
        };
        // Guess 12 with answer 0,2 leaves only 21; guess 11 with answer 2,0 is the code itself.
        assert_eq!(count(&["12=0,2", "21=2,0"]), 1);
        assert_eq!(count(&["11=2,0"]), 1);
        assert_eq!(count(&["11=1,0", "12=2,0"]), 2);
        assert!(IdentificationCounter::new(&"8x12".parse().unwrap()).is_none());
    }
}
