//! Games of one strategy under one set of rules, and their summary.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::estimate::{SecretMean, means_by_secret};
use crate::{ErrorBasis, Estimate, SampleSummary, Scope};

/// Measurements of one finished game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrialResult {
    /// Number of the run (repeat of the experiment).
    pub run: u32,
    /// Number of the secret. The same number means the same secret for every strategy and run, so comparisons are paired.
    pub game: u64,
    /// True if the code was found.
    pub solved: bool,
    /// Number of guesses.
    pub guesses: u32,
    /// Number of codes tested against the history.
    pub examined: u64,
    /// Number of distinct consistent codes found, if the strategy counts them.
    pub consistent: u64,
    /// Duration in seconds.
    pub seconds: f64,
}

/// The games of one strategy under one set of rules.
///
/// Stored as columns, to hold millions of games.
///
/// ```
/// use pegwise_labstats::report::{TrialSample, TrialResult};
/// let mut sample = TrialSample::new("4x6", "knuth");
/// sample.push(TrialResult { run: 0, game: 0, solved: true, guesses: 5, examined: 1296, consistent: 0, seconds: 0.002 });
/// assert_eq!(sample.games(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TrialSample {
    pub(super) rules: String,
    pub(super) strategy: String,
    /// Number of codes, by which boards are ordered in scaling plots.
    pub codes: Option<f64>,
    /// Selection of the games; the default is drawn secrets and a deterministic strategy.
    pub scope: Scope,
    /// Default values of the strategy's parameters, for the detection of sweeps.
    pub defaults: Vec<(String, String)>,
    pub(super) solved: usize,
    runs: Vec<u32>,
    games: Vec<u64>,
    guesses: Vec<u32>,
    examined: Vec<u64>,
    consistent: Vec<u64>,
    seconds: Vec<f64>,
}

impl TrialSample {
    /// Creates a sample without games.
    pub fn new(rules: impl Into<String>, strategy: impl Into<String>) -> Self {
        Self { rules: rules.into(), strategy: strategy.into(), ..Self::default() }
    }

    /// Returns true if the sample is of these rules and this strategy.
    pub fn is_of(&self, rules: &str, strategy: &str) -> bool {
        self.rules == rules && self.strategy == strategy
    }

    /// Adds a game.
    pub fn push(&mut self, trial: TrialResult) {
        let TrialResult { run, game, solved, guesses, examined, consistent, seconds } = trial;
        self.runs.push(run);
        self.games.push(game);
        self.solved += usize::from(solved);
        self.guesses.push(guesses);
        self.examined.push(examined);
        self.consistent.push(consistent);
        self.seconds.push(seconds);
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Guesses of each game. An abandoned game counts with the guesses played.
    pub(super) fn guesses(&self) -> Vec<f64> {
        self.guesses.iter().map(|&guesses| f64::from(guesses)).collect()
    }

    pub(super) fn examined(&self) -> Vec<f64> {
        self.examined.iter().map(|&examined| examined as f64).collect()
    }

    pub(super) fn consistent(&self) -> Vec<f64> {
        self.consistent.iter().map(|&consistent| consistent as f64).collect()
    }

    pub(super) fn seconds(&self) -> Vec<f64> {
        self.seconds.clone()
    }

    /// Guesses by run, in order of the runs.
    pub(super) fn guesses_by_run(&self) -> Vec<Vec<f64>> {
        let mut runs = BTreeMap::<u32, Vec<f64>>::new();
        for (&run, &guesses) in self.runs.iter().zip(&self.guesses) {
            runs.entry(run).or_default().push(f64::from(guesses));
        }
        runs.into_values().collect()
    }

    /// Guesses by secret, averaged over repeats.
    pub(super) fn by_secret(&self) -> BTreeMap<u64, SecretMean> {
        means_by_secret(&self.guesses(), &self.games)
    }

    /// Estimates the mean of a quantity of each game.
    pub(super) fn estimate(&self, values: &[f64]) -> Option<Estimate> {
        Estimate::of(values, &self.games, self.scope)
    }
}

/// Summary of one strategy under one set of rules. Serialized as a row of the JSON report.
///
/// ```
/// use pegwise_labstats::report::{ReportRow, TrialSample, TrialResult};
/// let mut sample = TrialSample::new("4x6", "knuth");
/// for game in 0..2 {
///     sample.push(TrialResult { run: 0, game, solved: true, guesses: 4, examined: 40, consistent: 0, seconds: 0.5 });
/// }
/// let row = ReportRow::of(&sample).expect("there are games");
/// let json = serde_json::to_value(&row)?;
/// assert_eq!(json["guesses"]["mean"], 4.0);
/// assert_eq!(json["guesses"]["ci95"], serde_json::json!([4.0, 4.0]));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportRow {
    /// Rules.
    pub rules: String,
    /// Strategy with its parameters.
    pub strategy: String,
    /// Number of games.
    pub games: usize,
    /// Number of games in which the code was found.
    pub solved: usize,
    /// Number of different secrets.
    pub secrets: usize,
    /// Source of the error of the mean guesses.
    pub basis: ErrorBasis,
    /// Total number of guesses, if exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Guesses per game. An abandoned game counts with the guesses played.
    pub guesses: SampleSummary,
    /// Codes tested against the history, per game.
    pub examined: SampleSummary,
    /// Distinct consistent codes found, per game; `None` if the strategy does not count them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consistent: Option<SampleSummary>,
    /// Seconds per game.
    pub seconds: SampleSummary,
}

impl ReportRow {
    /// Summarizes a sample. Returns `None` without games.
    pub fn of(sample: &TrialSample) -> Option<Self> {
        let estimate = sample.estimate(&sample.guesses())?;
        // One column at a time, sorted in place.
        let summary = |mut values: Vec<f64>| {
            let estimate = sample.estimate(&values)?;
            values.sort_unstable_by(f64::total_cmp);
            Some(SampleSummary { mean: estimate.mean, ci95: estimate.interval(), ..SampleSummary::of_sorted(&values)? })
        };
        let exact = estimate.basis == ErrorBasis::Exact;
        // Times are never exact.
        let mut seconds = sample.seconds();
        seconds.sort_unstable_by(f64::total_cmp);
        Some(Self {
            rules: sample.rules.clone(),
            strategy: sample.strategy.clone(),
            games: sample.games(),
            solved: sample.solved,
            secrets: estimate.secrets,
            basis: estimate.basis,
            total: exact.then(|| sample.guesses().iter().sum::<f64>() as u64),
            guesses: summary(sample.guesses())?,
            examined: summary(sample.examined())?,
            consistent: summary(sample.consistent()).filter(|consistent| consistent.max > 0.0),
            seconds: SampleSummary::of_sorted(&seconds)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(games: &[(u32, u64, u32)]) -> TrialSample {
        let mut sample = TrialSample::new("4x6", "knuth");
        for &(run, game, guesses) in games {
            sample.push(TrialResult { run, game, solved: true, guesses, examined: 1, consistent: 0, seconds: 0.0 });
        }
        sample
    }

    #[test]
    fn games_are_grouped_by_run_and_secret() {
        assert_eq!(sample(&[(1, 0, 6), (0, 0, 5), (1, 1, 4)]).guesses_by_run(), [vec![5.0], vec![6.0, 4.0]]);
        let sample = sample(&[(0, 2, 5), (0, 1, 4), (1, 1, 6)]);
        let means: Vec<(u64, f64)> = sample.by_secret().iter().map(|(secret, unit)| (*secret, unit.mean)).collect();
        assert_eq!(means, [(1, 5.0), (2, 5.0)]);
    }
}
