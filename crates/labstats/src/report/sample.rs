//! The games of one strategy under one set of rules.

use std::collections::BTreeMap;

use crate::{
    Estimate, Scope,
    estimate::{Unit, units},
};

/// One finished game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// Which repeat of the experiment it belongs to.
    pub run: u32,
    /// Which secret of the run: the same number hides the same code from every strategy and in every run, so that
    /// comparisons are paired.
    pub game: u64,
    /// Whether the code was found.
    pub solved: bool,
    /// How many guesses were played.
    pub guesses: u32,
    /// How many codes were tested against the history.
    pub examined: u64,
    /// How many different consistent codes were found, where the strategy collects them.
    pub consistent: u64,
    /// How long it took.
    pub seconds: f64,
}

/// The games of one strategy under one set of rules.
///
/// Games are kept in columns: millions of them must fit.
///
/// ```
/// use pegwise_labstats::report::{Sample, Trial};
/// let mut sample = Sample::new("4x6", "knuth").with_codes(1296.0);
/// sample.push(Trial { run: 0, game: 0, solved: true, guesses: 5, examined: 1296, consistent: 0, seconds: 0.002 });
/// assert_eq!(sample.games(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sample {
    pub(super) rules: String,
    pub(super) strategy: String,
    pub(super) codes: Option<f64>,
    pub(super) scope: Scope,
    pub(super) defaults: Vec<(String, String)>,
    pub(super) solved: usize,
    runs: Vec<u32>,
    games: Vec<u64>,
    guesses: Vec<u32>,
    examined: Vec<u64>,
    consistent: Vec<u64>,
    seconds: Vec<f64>,
}

impl Sample {
    /// A sample without games.
    pub fn new(rules: impl Into<String>, strategy: impl Into<String>) -> Self {
        Self { rules: rules.into(), strategy: strategy.into(), ..Self::default() }
    }

    /// Whether it is of these rules and this strategy.
    #[must_use]
    pub fn is_of(&self, rules: &str, strategy: &str) -> bool {
        self.rules == rules && self.strategy == strategy
    }

    /// Says how many codes the rules have, by which boards of different sizes are compared.
    #[must_use]
    pub fn with_codes(mut self, codes: f64) -> Self {
        self.codes = Some(codes);
        self
    }

    /// Says how its games were chosen; unless it is said, secrets were drawn.
    #[must_use]
    pub fn with_scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Says which values the parameters have that are not written: a sweep may go through them.
    #[must_use]
    pub fn with_defaults(mut self, defaults: impl IntoIterator<Item = (String, String)>) -> Self {
        self.defaults = defaults.into_iter().collect();
        self
    }

    /// Adds a game.
    pub fn push(&mut self, trial: Trial) {
        let Trial { run, game, solved, guesses, examined, consistent, seconds } = trial;
        self.runs.push(run);
        self.games.push(game);
        self.solved += usize::from(solved);
        self.guesses.push(guesses);
        self.examined.push(examined);
        self.consistent.push(consistent);
        self.seconds.push(seconds);
    }

    /// How many games it holds.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The guesses of each game. A game that was given up counts with the guesses played.
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

    /// The guesses of each run by itself, in order of the runs.
    pub(super) fn guesses_by_run(&self) -> Vec<Vec<f64>> {
        let mut runs = BTreeMap::<u32, Vec<f64>>::new();
        for (&run, &guesses) in self.runs.iter().zip(&self.guesses) {
            runs.entry(run).or_default().push(f64::from(guesses));
        }
        runs.into_values().collect()
    }

    /// The guesses of each secret, by its number; repeats are averaged.
    pub(super) fn by_secret(&self) -> BTreeMap<u64, Unit> {
        units(&self.guesses(), &self.games)
    }

    /// The mean of something of each game, with its error.
    pub(super) fn estimate(&self, values: &[f64]) -> Option<Estimate> {
        Estimate::of(values, &self.games, self.scope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(games: &[(u32, u64, u32)]) -> Sample {
        let mut sample = Sample::new("4x6", "knuth");
        for &(run, game, guesses) in games {
            sample.push(Trial { run, game, solved: true, guesses, examined: 1, consistent: 0, seconds: 0.0 });
        }
        sample
    }

    #[test]
    fn repeats_of_a_secret_are_averaged() {
        let sample = sample(&[(0, 2, 5), (0, 1, 4), (1, 1, 6)]);
        let means: Vec<(u64, f64)> = sample.by_secret().iter().map(|(secret, unit)| (*secret, unit.mean)).collect();
        assert_eq!(means, [(1, 5.0), (2, 5.0)]);
    }

    #[test]
    fn runs_are_kept_apart() {
        assert_eq!(sample(&[(1, 0, 6), (0, 0, 5), (1, 1, 4)]).guesses_by_run(), [vec![5.0], vec![6.0, 4.0]]);
    }
}
