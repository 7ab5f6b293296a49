//! Pairwise comparisons of strategies under the same rules.

use serde::Serialize;

use super::{TrialOutcome, TrialSample};
use crate::compare::{holm, letters, mann_whitney, sign, welch, wilcoxon};
use crate::estimate::difference;
use crate::summary::mean_and_variance;
use crate::{ErrorBasis, Estimate};

/// Significance level.
pub(super) const LEVEL: f64 = 0.05;

/// Largest number of strategies that are all compared with each other; beyond it, each is compared with the best only.
pub(super) const MAX_COMPARED: usize = 16;

/// Comparison of two strategies by the share of games solved, and by their guesses on the secrets that both solved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StrategyDifference {
    /// First strategy.
    pub strategy: String,
    /// Second strategy.
    pub against: String,
    /// Number of secrets that both solved.
    pub shared: usize,
    /// Share of games solved by the first strategy minus that of the second; `None` if both solved all games.
    pub solved: Option<f64>,
    /// p value of the sign test of the shares by secret (McNemar's exact test if no secret is repeated); `None` if exact.
    pub p_solved: Option<f64>,
    /// `p_solved` corrected as `p_holm`.
    pub p_solved_holm: Option<f64>,
    /// True if the comparison is paired by secret; false if it compares means over different secrets.
    pub paired: bool,
    /// Mean guesses of the first strategy minus those of the second; `None` if it cannot be estimated: without a
    /// secret that both solved if paired, with a single solved secret if unpaired.
    pub difference: Option<f64>,
    /// 95 % confidence interval of the difference; `None` if it is exact or there are fewer than two secrets.
    pub ci95: Option<[f64; 2]>,
    /// Cohen's d: the difference divided by the standard deviation of the paired differences or, if unpaired, of the samples.
    pub effect: Option<f64>,
    /// Number of common secrets on which the first strategy needs fewer guesses.
    pub better: usize,
    /// Number of common secrets on which the first strategy needs more guesses.
    pub worse: usize,
    /// Source of the error.
    pub basis: ErrorBasis,
    /// p value of the t test of the interval; `None` if the difference is exact.
    pub p: Option<f64>,
    /// p value corrected for all tests on the board by Holm's method. Decides significance.
    pub p_holm: Option<f64>,
    /// p value of Wilcoxon's signed-rank test, uncorrected.
    pub wilcoxon: Option<f64>,
    /// p value of the sign test, uncorrected.
    pub sign: Option<f64>,
    /// p value of Welch's t test (unpaired), uncorrected.
    pub welch: Option<f64>,
    /// p value of the Mann-Whitney test (unpaired), uncorrected.
    pub mann_whitney: Option<f64>,
    /// Number of additional secrets needed to detect a difference of 0.05 guesses.
    #[serde(rename = "more_to_tell")]
    pub additional_secrets: Option<u64>,
    /// Indices of both strategies on the board.
    #[serde(skip)]
    pub(super) places: (usize, usize),
}

/// Difference in guesses that an experiment should be able to detect.
pub(super) const DETECTABLE_DIFFERENCE: f64 = 0.05;

impl StrategyDifference {
    /// Returns true if the shares solved or the guesses differ significantly.
    pub fn is_significant(&self) -> bool {
        self.solves_differently() || self.guesses_differ()
    }

    /// Returns true if the first strategy is significantly better: it solves a larger share or, unless the shares differ,
    /// needs fewer guesses.
    pub fn is_better(&self) -> bool {
        match self.solved {
            Some(solved) if self.solves_differently() => solved > 0.0,
            _ => self.guesses_differ() && self.difference.is_some_and(|difference| difference < 0.0),
        }
    }

    /// Returns true if the shares solved differ significantly after Holm's correction, or exactly.
    pub fn solves_differently(&self) -> bool {
        let exact = self.basis == ErrorBasis::Exact && self.solved.is_some_and(|solved| solved != 0.0);
        self.p_solved_holm.map_or(exact, |p| p < LEVEL)
    }

    /// Returns true if the guesses differ significantly after Holm's correction, or exactly.
    fn guesses_differ(&self) -> bool {
        let exact = self.basis == ErrorBasis::Exact && self.difference.is_some_and(|difference| difference != 0.0);
        self.p_holm.map_or(exact, |p| p < LEVEL)
    }
}

/// Compares all pairs of samples or, if there are many, each with the first (best) one.
pub(super) fn differences(samples: &[&TrialSample]) -> Vec<StrategyDifference> {
    let firsts = if samples.len() <= MAX_COMPARED { samples.len() } else { 1 };
    let pairs = (0..firsts).flat_map(|first| (first + 1..samples.len()).map(move |second| (first, second)));
    let mut differences: Vec<StrategyDifference> = pairs.filter_map(|pair| compare(samples, pair)).collect();
    let tested: Vec<f64> =
        differences.iter().flat_map(|difference| [difference.p, difference.p_solved]).flatten().collect();
    let mut corrected = holm(&tested).into_iter();
    for difference in &mut differences {
        difference.p_holm = difference.p.and_then(|_| corrected.next());
        difference.p_solved_holm = difference.p_solved.and_then(|_| corrected.next());
    }
    differences
}

fn compare(samples: &[&TrialSample], places: (usize, usize)) -> Option<StrategyDifference> {
    let (first, second) = (samples[places.0], samples[places.1]);
    let (a, b) = (first.by_secret(), second.by_secret());
    let shared: Vec<(f64, f64)> = a.iter().filter_map(|(secret, one)| Some((one.mean, b.get(secret)?.mean))).collect();
    let (ours, theirs): (Vec<f64>, Vec<f64>) = shared.iter().copied().unzip();
    let (played, others_played) = (first.solved_by_secret(), second.solved_by_secret());
    let common = played.keys().filter(|secret| others_played.contains_key(secret)).count();
    // Paired if at least half of the secrets are common, whether they were solved or not.
    let paired = 2 * common >= played.len().min(others_played.len());
    let means = |units: &std::collections::BTreeMap<u64, crate::estimate::SecretMean>| -> Vec<f64> {
        units.values().map(|unit| unit.mean).collect()
    };
    let (all, others) = (means(&a), means(&b));
    let estimate = match paired {
        true => difference(&a, &b, [first.scope, second.scope]),
        false => unpaired_difference(first, second),
    };
    let basis = estimate.map_or(ErrorBasis::Sample, |estimate| estimate.basis);
    let tested = basis != ErrorBasis::Exact;
    let variance = |values: &[f64]| mean_and_variance(values).1;
    let variance = match paired {
        true => variance(&shared.iter().map(|(one, other)| one - other).collect::<Vec<_>>()),
        false => variance(&all).zip(variance(&others)).map(|(one, other)| (one + other) / 2.0),
    };
    let (solved, p_solved) = compare_solved(first, second, tested);
    // Only some of the additional secrets are solved by both.
    let (games, solved_games) = if paired { (common as u64, shared.len() as u64) } else { (1, 1) };
    let additional = estimate.and_then(|estimate| estimate.additional_secrets(DETECTABLE_DIFFERENCE));
    let additional = additional.map(|secrets| secrets.saturating_mul(games).div_ceil(solved_games));
    let spread = variance.filter(|variance| tested && *variance > 0.0).map(f64::sqrt);
    Some(StrategyDifference {
        strategy: first.strategy.clone(),
        against: second.strategy.clone(),
        shared: shared.len(),
        solved,
        p_solved,
        p_solved_holm: None,
        paired,
        difference: estimate.map(|estimate| estimate.mean),
        ci95: estimate.and_then(|estimate| estimate.interval()),
        effect: estimate.zip(spread).map(|(estimate, sd)| estimate.mean / sd),
        better: shared.iter().filter(|(one, other)| one < other).count(),
        worse: shared.iter().filter(|(one, other)| one > other).count(),
        basis,
        p: estimate.and_then(|estimate| estimate.p()),
        p_holm: None,
        wilcoxon: (tested && !shared.is_empty()).then(|| wilcoxon(&ours, &theirs).p),
        sign: (tested && !shared.is_empty()).then(|| sign(&ours, &theirs).p),
        welch: welch(&all, &others).filter(|_| tested).map(|test| test.p),
        mann_whitney: mann_whitney(&all, &others).filter(|_| tested).map(|test| test.p),
        additional_secrets: additional,
        places,
    })
}

/// Returns the difference of the shares of games solved with its p value, unless both strategies solved all games.
fn compare_solved(first: &TrialSample, second: &TrialSample, tested: bool) -> (Option<f64>, Option<f64>) {
    let share = |sample: &TrialSample| sample.count(TrialOutcome::Solved) as f64 / sample.games() as f64;
    let (one, other) = (share(first), share(second));
    if one == 1.0 && other == 1.0 {
        return (None, None);
    }
    let (a, b) = (first.solved_by_secret(), second.solved_by_secret());
    let shared = a.iter().filter_map(|(secret, one)| Some((one.mean, b.get(secret)?.mean)));
    let (ours, theirs): (Vec<f64>, Vec<f64>) = shared.unzip();
    (Some(one - other), tested.then(|| sign(&ours, &theirs).p))
}

/// Returns the difference of the means of unpaired samples, with Welch's degrees of freedom.
fn unpaired_difference(first: &TrialSample, second: &TrialSample) -> Option<Estimate> {
    let (one, other) = (first.estimate_guesses()?, second.estimate_guesses()?);
    let (one_error, other_error) = (one.error?.powi(2), other.error?.powi(2));
    let share = |error: f64, freedom: usize| if freedom > 0 { error.powi(2) / freedom as f64 } else { 0.0 };
    let below = share(one_error, one.freedom) + share(other_error, other.freedom);
    let freedom = if below > 0.0 { ((one_error + other_error).powi(2) / below) as usize } else { 0 };
    Some(Estimate {
        mean: one.mean - other.mean,
        error: Some((one_error + other_error).sqrt()),
        freedom,
        secrets: one.secrets.min(other.secrets),
        basis: if one.basis == other.basis { one.basis } else { ErrorBasis::Sample },
    })
}

/// Returns the compact letter display, or `None` if not all pairs are compared.
pub(super) fn groups(samples: usize, differences: &[StrategyDifference]) -> Option<Vec<String>> {
    let compared = (2..=MAX_COMPARED).contains(&samples);
    compared.then(|| {
        letters(samples, |first, second| {
            differences.iter().any(|difference| difference.places == (first, second) && difference.is_significant())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Scope,
        report::{TrialOutcome::Solved, TrialResult},
    };

    fn sample(strategy: &str, first_game: u64, guesses: impl Fn(u64) -> u32) -> TrialSample {
        let mut sample = TrialSample::new("4x6", strategy);
        for game in first_game..first_game + 200 {
            let guesses = guesses(game);
            let outcome = Solved;
            sample.push(TrialResult { run: 0, game, outcome, guesses, examined: 1, consistent: 0, seconds: 0.0 });
        }
        sample
    }

    #[test]
    fn strategies_that_differ_share_no_letter() {
        let plain = |game: u64| 4 + (game % 3) as u32;
        let same = |game: u64| 4 + ((game + 1) % 3) as u32;
        let worse = |game: u64| 5 + (game % 3) as u32;
        let all = [sample("a", 0, plain), sample("b", 0, same), sample("c", 0, worse), sample("d", 1000, worse)];
        let all: Vec<&TrialSample> = all.iter().collect();
        let pairs = differences(&all);
        assert_eq!(groups(4, &pairs).unwrap(), ["a", "a", "b", "b"]);
        // The last sample has no common secrets with the others, so its tests are unpaired.
        let last = pairs.iter().find(|pair| pair.places == (0, 3)).unwrap();
        assert_eq!((last.shared, last.paired, last.wilcoxon, last.sign), (0, false, None, None));
        assert!(last.is_significant() && last.ci95.unwrap()[1] < 0.0);
    }

    #[test]
    fn exact_differences_have_no_p_value() {
        let exact = |strategy: &str, more: u64| {
            let mut sample = sample(strategy, 0, move |game| 4 + u32::from(game < more));
            sample.scope = Scope { census: true, random: false };
            sample
        };
        let (one, other) = (exact("one", 3), exact("other", 4));
        let pairs = differences(&[&one, &other]);
        assert_eq!(
            (pairs[0].p, pairs[0].wilcoxon, pairs[0].ci95, pairs[0].basis),
            (None, None, None, ErrorBasis::Exact)
        );
        assert!((pairs[0].difference.unwrap() + 1.0 / 200.0).abs() < 1e-12 && pairs[0].is_significant());
        assert_eq!((pairs[0].better, pairs[0].worse), (1, 0));
    }

    #[test]
    fn many_strategies_are_compared_with_the_best() {
        let all: Vec<TrialSample> =
            (0..20).map(|k| sample(&k.to_string(), 0, move |game| 4 + ((game + k) % 3) as u32)).collect();
        let all: Vec<&TrialSample> = all.iter().collect();
        let pairs = differences(&all);
        assert_eq!((pairs.len(), groups(20, &pairs)), (19, None));
        assert!(pairs.iter().all(|pair| pair.places.0 == 0 && pair.p_holm >= pair.p));
    }
}
