//! Expected number of guesses lost by a guess, compared to the best guess, with best play afterwards.
//!
//! Exact if the position can be searched completely: small spaces, and few codes in any space. Otherwise games are
//! continued by a strong strategy after each of the two guesses, against the same secrets, and the mean difference has
//! a standard error.

use std::collections::HashMap;

use pegwise_game::{Code, Feedback, Judge, Rules, Space, Table};
use pegwise_solve::candidates::listed;
use pegwise_solve::tree::exact::{ExactSolver, PositionValues};
use pegwise_solve::{Position, PositionStrategy, Search, Watch, catalog, clock, tree};

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

/// Number of codes up to which a position is always searched.
const ALWAYS_SEARCHED: usize = 63;
/// Size of the space up to which every position is searched.
const ALWAYS_SEARCHED_SPACE: u128 = 256;
/// Sizes of spaces with a shipped tree, each with the number of codes up to which their positions are searched.
const SEARCHED_WITH_TREE: [(u128, usize); 3] = [(1296, 1296), (2401, 512), (1 << 12, 128)];

/// Returns true if an exact search of a position takes at most a few tenths of a second.
pub(crate) fn is_searchable(rules: &Rules, codes: usize) -> bool {
    let Some(space) = Space::new(rules).count().exact() else { return false };
    let known = SEARCHED_WITH_TREE.iter().find(|(most, _)| space <= *most).is_some_and(|(_, most)| codes <= *most);
    codes <= ALWAYS_SEARCHED || space <= ALWAYS_SEARCHED_SPACE || known && tree::shipped(rules).is_some()
}

/// Solver that values the guesses of one game.
pub(crate) struct GuessValuation<'a> {
    rules: &'a Rules,
    totals: Option<PositionValues<'a>>,
}

/// Values of guesses at a position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Valuation {
    /// A best guess.
    pub(crate) best: Code,
    /// Expected number of guesses still needed with `best`.
    pub(crate) guesses: f64,
    /// Guesses lost by each of the given guesses.
    pub(crate) lost: Vec<Uncertain<f64>>,
}

impl<'a> GuessValuation<'a> {
    /// Creates a valuation; without an `outlook` there are no exact values.
    pub(crate) fn new(rules: &'a Rules, outlook: Option<&'a ExactSolver>) -> Self {
        Self { rules, totals: outlook.map(ExactSolver::position_values) }
    }

    /// Returns the exact values, or `None` if the watch stops the search first.
    pub(crate) fn exact(&mut self, position: Position<'_>, guesses: &[Code], watch: Watch<'a>) -> Option<Valuation> {
        let totals = self.totals.as_mut()?;
        let codes = position.codes.len() as f64;
        let least = totals.least(position, watch)?;
        let mut lost = Vec::with_capacity(guesses.len());
        let mut best = None;
        for guess in guesses {
            let total = totals.after(position, guess, watch);
            if total == Some(least) {
                best = best.or_else(|| Some(guess.clone()));
            }
            lost.push(total.map_or(Uncertain::Unknown, |total| Uncertain::Exact((total - least) as f64 / codes)));
        }
        let best = match best {
            Some(best) => best,
            None => totals.best(position, watch)?,
        };
        Some(Valuation { best, guesses: least as f64 / codes, lost })
    }

    /// Estimates the loss of `played` against `best` by rollouts. Returns `None` if they take too long.
    pub(crate) fn estimate(
        &self,
        position: Position<'_>,
        played: &Code,
        best: &Code,
        search: &mut Search<'_>,
    ) -> Option<Valuation> {
        let mut rollout = Rollout::new(self.rules, position, search)?;
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
        let lost =
            Uncertain::Estimate { value: mean.max(0.0), low: (mean - off).max(0.0), high: (mean + off).max(0.0) };
        let best = if mean < 0.0 { played } else { best };
        Some(Valuation { best: best.clone(), guesses: guesses as f64 / number + mean.min(0.0), lost: vec![lost] })
    }
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
