//! Games of one strategy under one set of rules, and their summary.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::estimate::{SecretMean, means_by_secret, wilson_interval};
use crate::{ErrorBasis, Estimate, SampleSummary, Scope};

/// Outcome of a game. Means of guesses are over solved games only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrialOutcome {
    /// The code was found.
    Solved,
    /// The allowed guesses were used up: a lost game.
    OutOfGuesses,
    /// The strategy crashed, timed out or made an illegal guess.
    Failed,
}

impl TrialOutcome {
    /// All outcomes, in the order of their numbers in a store.
    pub const ALL: [Self; 3] = [Self::Solved, Self::OutOfGuesses, Self::Failed];

    /// Returns the name in exports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::OutOfGuesses => "out-of-guesses",
            Self::Failed => "failed",
        }
    }
}

/// Measurements of one finished game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrialResult {
    /// Zero-based index of the run (repeat of the experiment).
    pub run: u32,
    /// Index of the secret. The same index means the same secret for every strategy and run, so comparisons are paired.
    pub game: u64,
    /// How the game ended.
    pub outcome: TrialOutcome,
    /// Number of guesses.
    pub guesses: u32,
    /// Number of codes tested against the history.
    pub examined: u64,
    /// Number of distinct consistent codes found; zero if the strategy does not count them.
    pub consistent: u64,
    /// Duration in seconds.
    pub seconds: f64,
}

/// The games of one strategy under one set of rules.
///
/// Stored as columns, to hold millions of games.
///
/// ```
/// use pegwise_labstats::report::{TrialOutcome, TrialResult, TrialSample};
/// let mut sample = TrialSample::new("4x6", "knuth");
/// let outcome = TrialOutcome::Solved;
/// sample.push(TrialResult { run: 0, game: 0, outcome, guesses: 5, examined: 1296, consistent: 0, seconds: 0.002 });
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
    /// Failure reason of the first failed game.
    pub failure: Option<String>,
    runs: Vec<u32>,
    games: Vec<u64>,
    outcomes: Vec<TrialOutcome>,
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
        let TrialResult { run, game, outcome, guesses, examined, consistent, seconds } = trial;
        self.runs.push(run);
        self.games.push(game);
        self.outcomes.push(outcome);
        self.guesses.push(guesses);
        self.examined.push(examined);
        self.consistent.push(consistent);
        self.seconds.push(seconds);
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Returns the number of games with this outcome.
    pub(super) fn count(&self, outcome: TrialOutcome) -> usize {
        self.outcomes.iter().filter(|other| **other == outcome).count()
    }

    /// Returns the run, secret and guesses of each solved game.
    fn solved(&self) -> impl Iterator<Item = (u32, u64, f64)> {
        let games = self.runs.iter().zip(&self.games).zip(&self.guesses).zip(&self.outcomes);
        let solved = games.filter(|(_, outcome)| **outcome == TrialOutcome::Solved);
        solved.map(|(((&run, &game), &guesses), _)| (run, game, f64::from(guesses)))
    }

    /// Returns the guesses of each solved game.
    pub(super) fn guesses(&self) -> Vec<f64> {
        self.solved().map(|(.., guesses)| guesses).collect()
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

    /// Returns the guesses of solved games by run, in order of the runs.
    pub(super) fn guesses_by_run(&self) -> Vec<Vec<f64>> {
        let mut runs = BTreeMap::<u32, Vec<f64>>::new();
        for (run, _, guesses) in self.solved() {
            runs.entry(run).or_default().push(guesses);
        }
        runs.into_values().collect()
    }

    /// Returns the share of games solved by secret.
    pub(super) fn solved_by_secret(&self) -> BTreeMap<u64, SecretMean> {
        let solved = self.outcomes.iter().map(|outcome| f64::from(u8::from(*outcome == TrialOutcome::Solved)));
        means_by_secret(&solved.collect::<Vec<_>>(), &self.games)
    }

    /// Returns the guesses by secret, averaged over repeats, for the secrets that were solved in every repeat.
    pub(super) fn by_secret(&self) -> BTreeMap<u64, SecretMean> {
        let (games, guesses): (Vec<u64>, Vec<f64>) = self.solved().map(|(_, game, guesses)| (game, guesses)).unzip();
        let mut means = means_by_secret(&guesses, &games);
        if guesses.len() < self.games() {
            let shares = self.solved_by_secret();
            means.retain(|secret, _| shares[secret].mean == 1.0);
        }
        means
    }

    /// Estimates the mean guesses of the solved games.
    pub(super) fn estimate_guesses(&self) -> Option<Estimate> {
        let (games, guesses): (Vec<u64>, Vec<f64>) = self.solved().map(|(_, game, guesses)| (game, guesses)).unzip();
        Estimate::of(&guesses, &games, self.scope)
    }

    /// Estimates the mean of a quantity of each game.
    pub(super) fn estimate(&self, values: &[f64]) -> Option<Estimate> {
        Estimate::of(values, &self.games, self.scope)
    }
}

/// Summary of one strategy under one set of rules. Serialized as a row of the JSON report.
///
/// ```
/// use pegwise_labstats::report::{ReportRow, TrialOutcome, TrialResult, TrialSample};
/// let mut sample = TrialSample::new("4x6", "knuth");
/// for (game, outcome) in [TrialOutcome::Solved, TrialOutcome::Solved, TrialOutcome::OutOfGuesses].into_iter().enumerate() {
///     let game = game as u64;
///     sample.push(TrialResult { run: 0, game, outcome, guesses: 4, examined: 40, consistent: 0, seconds: 0.5 });
/// }
/// let row = ReportRow::of(&sample).expect("there are games");
/// let json = serde_json::to_value(&row)?;
/// assert_eq!((&json["solved"], &json["lost"], &json["failed"]), (&2.into(), &1.into(), &0.into()));
/// assert_eq!(json["guesses"]["ci95"], serde_json::json!([4.0, 4.0]));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReportRow {
    /// Rules in text form, such as `4x6`.
    pub rules: String,
    /// Strategy with its parameters.
    pub strategy: String,
    /// Number of games.
    pub games: usize,
    /// Number of games in which the code was found.
    pub solved: usize,
    /// Number of games in which the allowed guesses were used up.
    pub lost: usize,
    /// Number of games in which the strategy failed. A strategy that failed is not ranked.
    pub failed: usize,
    /// Failure reason of the first failed game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Wilson's 95 % confidence interval of the share of games solved; `None` if the share is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solved_ci95: Option<[f64; 2]>,
    /// Number of different secrets that were solved.
    pub secrets: usize,
    /// Source of the error of the mean guesses.
    pub basis: ErrorBasis,
    /// Total number of guesses, if exact and if all games were solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Guesses per solved game; `None` if no game was solved.
    pub guesses: Option<SampleSummary>,
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
        // One column at a time, sorted in place.
        let summary = |estimate: Option<Estimate>, mut values: Vec<f64>| {
            let estimate = estimate?;
            values.sort_unstable_by(f64::total_cmp);
            Some(SampleSummary { mean: estimate.mean, ci95: estimate.interval(), ..SampleSummary::of_sorted(&values)? })
        };
        let whole = |values: Vec<f64>| summary(sample.estimate(&values), values);
        let examined = sample.estimate(&sample.examined())?;
        let estimate = sample.estimate_guesses();
        let [solved, lost, failed] = TrialOutcome::ALL.map(|outcome| sample.count(outcome));
        let (games, exact) = (sample.games(), examined.basis == ErrorBasis::Exact);
        // Times are never exact.
        let mut seconds = sample.seconds();
        seconds.sort_unstable_by(f64::total_cmp);
        Some(Self {
            rules: sample.rules.clone(),
            strategy: sample.strategy.clone(),
            games,
            solved,
            lost,
            failed,
            failure: sample.failure.clone(),
            solved_ci95: (!exact).then(|| wilson_interval(solved, games)),
            secrets: estimate.map_or(0, |estimate| estimate.secrets),
            basis: examined.basis,
            total: (exact && solved == games).then(|| sample.guesses().iter().sum::<f64>() as u64),
            guesses: summary(estimate, sample.guesses()),
            examined: whole(sample.examined())?,
            consistent: whole(sample.consistent()).filter(|consistent| consistent.max > 0.0),
            seconds: SampleSummary::of_sorted(&seconds)?,
        })
    }

    /// Returns true if the strategy can be compared with others: it solved a game, and failed in none.
    pub fn is_ranked(&self) -> bool {
        self.failed == 0 && self.solved > 0
    }

    /// Returns the share of games solved.
    pub fn share_solved(&self) -> f64 {
        self.solved as f64 / self.games as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(games: &[(u32, u64, u32)]) -> TrialSample {
        let mut sample = TrialSample::new("4x6", "knuth");
        for &(run, game, guesses) in games {
            let outcome = TrialOutcome::Solved;
            sample.push(TrialResult { run, game, outcome, guesses, examined: 1, consistent: 0, seconds: 0.0 });
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
