//! Expected number of guesses lost by a guess, compared to the best guess, with best play afterwards.
//!
//! Exact if the position can be searched completely: small spaces, and few codes in any space. Otherwise games are
//! continued by a strong strategy after each of the two guesses, against the same secrets, and the mean difference has
//! a standard error.

use std::collections::HashMap;

use pegwise_game::{Code, Feedback, Judge, Rules, Space, Table};
use pegwise_solve::candidates::listed;
use pegwise_solve::{Position, PositionStrategy, Search, Watch, catalog, clock};

use crate::figure::Uncertain;

/// Strategy that continues games when an exact search is too slow.
const ROLLOUT_STRATEGY: &str = "entropy";
/// Maximum number of secrets played against.
const MAX_SECRETS: usize = 64;
/// Quantile of Student's t for a 95 % interval of the mean of [`MAX_SECRETS`] differences.
const T_QUANTILE: f64 = 2.0;
/// Maximum number of pairs of a guess and a code compared in all rollouts.
const MAX_PAIRS: u64 = 400_000_000;
/// Maximum number of guesses per rollout.
const MAX_GUESSES: usize = 30;

/// Values of guesses at a position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Valuation {
    /// A best guess.
    pub(crate) best: Code,
    /// Expected number of guesses still needed with `best`.
    pub(crate) guesses: f64,
    /// Guesses lost by the given guess.
    pub(crate) lost: Uncertain<f64>,
}

/// Estimates the loss of `played` against `best` by rollouts. Returns `None` if they take too long.
pub(crate) fn estimate(
    rules: &Rules,
    position: Position<'_>,
    played: &Code,
    best: &Code,
    search: &mut Search<'_>,
) -> Option<Valuation> {
    let mut rollout = Rollout::new(rules, position, search)?;
    let count = position.codes.len() as u32;
    let rows = search.rng.sample(count, MAX_SECRETS);
    let mut differences: Vec<f64> = Vec::with_capacity(rows.len());
    let mut guesses = 0;
    for row in rows {
        let secret = position.codes.code(row as usize);
        let games = [played, best].map(|first| rollout.game(position, first, &secret));
        let [Some(own), Some(other)] = games else { return None };
        guesses += other;
        differences.push(own as f64 - other as f64);
    }
    let number = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / number;
    let squares: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
    let off = T_QUANTILE * (squares / (number - 1.0).max(1.0) / number).sqrt();
    // A guess that did better than the strategy's loses nothing and becomes the best known.
    let lost = Uncertain::Estimate { value: mean.max(0.0), low: (mean - off).max(0.0), high: (mean + off).max(0.0) };
    let best = if mean < 0.0 { played } else { best };
    Some(Valuation { best: best.clone(), guesses: guesses as f64 / number + mean.min(0.0), lost })
}

/// Games continued by a strategy, with a cache of its guesses.
struct Rollout<'a> {
    rules: &'a Rules,
    strategy: Box<dyn PositionStrategy>,
    judge: Judge,
    chosen: HashMap<Vec<(Code, Feedback)>, Code>,
    watch: Watch<'a>,
    all: u64,
    pairs: u64,
}

impl<'a> Rollout<'a> {
    fn new(rules: &'a Rules, position: Position<'_>, search: &Search<'a>) -> Option<Self> {
        let identifies = rules.feedback().model().identifies_secret() && rules.lies() == 0;
        if !listed::is_listable(rules) || position.codes.is_empty() || !identifies {
            return None;
        }
        let all = u64::try_from(Space::new(rules).count().exact()?).ok()?;
        let max_codes = MAX_PAIRS / all;
        if position.codes.len() as u64 > max_codes {
            return None;
        }
        let strategy = catalog::strategy(ROLLOUT_STRATEGY, rules).ok()?.position_strategy()?;
        Some(Self {
            rules,
            strategy,
            judge: Judge::new(rules),
            chosen: HashMap::new(),
            watch: search.watch(),
            all,
            pairs: 0,
        })
    }

    /// Returns the number of guesses of a game that continues with `first`, or `None` if stopped.
    fn game(&mut self, position: Position<'_>, first: &Code, secret: &Code) -> Option<usize> {
        let mut guesses = position.guesses.to_vec();
        let mut codes: Vec<Code> = position.codes.codes().collect();
        let mut path: Vec<(Code, Feedback)> = Vec::new();
        let mut guess = first.clone();
        for number in 1..=MAX_GUESSES {
            if guess == *secret {
                return Some(number);
            }
            if self.watch.stop().is_some() || self.pairs > MAX_PAIRS {
                return None;
            }
            let answer = self.judge.feedback(&guess, secret);
            clock::work(codes.len() as u64 * clock::STEP_COST);
            codes.retain(|code| self.judge.feedback(&guess, code) == answer);
            path.push((guess.clone(), answer));
            guesses.push(guess);
            guess = match self.chosen.get(&path) {
                Some(guess) => guess.clone(),
                None => {
                    self.pairs += self.all * codes.len() as u64;
                    let table = Table::from_codes(self.rules, &codes).ok()?;
                    let next = Position { codes: &table, guesses: &guesses };
                    let guess = self.strategy.choose_within(next, self.watch);
                    self.chosen.insert(path.clone(), guess.clone());
                    guess
                }
            };
        }
        None
    }
}
