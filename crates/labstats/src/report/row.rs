//! What a strategy needed, in numbers.

use super::Sample;
use crate::{Basis, Summary};
use serde::Serialize;

/// What one strategy needed under one set of rules. As JSON, this is a row of the report.
///
/// ```
/// use pegwise_labstats::report::{Row, Sample, Trial};
/// let mut sample = Sample::new("4x6", "knuth");
/// for game in 0..2 {
///     sample.push(Trial { run: 0, game, solved: true, guesses: 4, examined: 40, consistent: 0, seconds: 0.5 });
/// }
/// let row = Row::of(&sample).expect("there are games");
/// let json = serde_json::to_value(&row)?;
/// assert_eq!(json["guesses"]["mean"], 4.0);
/// assert_eq!(json["guesses"]["ci95"], serde_json::json!([4.0, 4.0]));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The rules.
    pub rules: String,
    /// The strategy, with its parameters.
    pub strategy: String,
    /// How many games were played.
    pub games: usize,
    /// In how many the code was found.
    pub solved: usize,
    /// How many secrets were played; each several times, where there are more games.
    pub secrets: usize,
    /// What is left to luck in the mean of the guesses.
    pub basis: Basis,
    /// All guesses together, where nothing is left to luck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Guesses a game. A game that was given up counts with the guesses played.
    pub guesses: Summary,
    /// Codes tested against the history, a game.
    pub examined: Summary,
    /// Different consistent codes found, a game; none for a strategy that does not collect them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consistent: Option<Summary>,
    /// Seconds a game.
    pub seconds: Summary,
}

impl Row {
    /// The row of a sample; none if it has no games.
    pub fn of(sample: &Sample) -> Option<Self> {
        let estimate = sample.estimate(&sample.guesses())?;
        // One column at a time: each is sorted in place.
        let summary = |mut values: Vec<f64>| {
            let estimate = sample.estimate(&values)?;
            values.sort_unstable_by(f64::total_cmp);
            Some(Summary { mean: estimate.mean, ci95: estimate.interval(), ..Summary::of_sorted(&values)? })
        };
        let exact = estimate.basis == Basis::Exact;
        // Times vary whatever is played.
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
            seconds: Summary::of_sorted(&seconds)?,
        })
    }
}
