//! Guesses lost: what a guess costs against the best one, with the best play after either.
//!
//! Exact where a search of all trees ends: every position of a small space, and few codes anywhere else. Beyond, games are
//! played on from the position by a strong strategy, once after each of the two guesses and against the same secrets, and the
//! difference has its error.

use std::collections::HashMap;

use pegwise_game::{Code, Feedback, Judge, Rules, Space, Table};
use pegwise_solve::{
    Position, PositionStrategy, Search, Watch,
    candidates::listed,
    catalog, clock, tree,
    tree::exact::{Outlook, Totals},
};

use crate::figure::Uncertain;

/// Who plays on where nobody can search to the end.
const ROLLOUT_STRATEGY: &str = "entropy";
/// Secrets that games are played on against, and Student's quantile for 95 percent of their differences.
const MAX_SECRETS: usize = 64;
const T_QUANTILE: f64 = 2.0;
/// The most pairs of a guess and a code that all choices on the way may compare.
const MAX_PAIRS: u64 = 400_000_000;
/// The most guesses of a game that is played on.
const MAX_GUESSES: usize = 30;

/// Up to so many codes all ways to go on are searched soon, whatever the feedback; and in a space of so many.
const ALWAYS_SEARCHED: usize = 63;
const ALWAYS_SEARCHED_SPACE: u128 = 256;
/// Up to so many codes they are searched, in a space of so many whose best tree is known: its feedback identifies much.
const SEARCHED_WITH_TREE: [(u128, usize); 3] = [(1296, 1296), (2401, 512), (1 << 12, 128)];

/// Whether the search from a position with so many codes comes to an end within some tenths of a second.
pub(crate) fn is_searchable(rules: &Rules, codes: usize) -> bool {
    let Some(space) = Space::new(rules).count().exact() else { return false };
    let known = SEARCHED_WITH_TREE.iter().find(|(most, _)| space <= *most).is_some_and(|(_, most)| codes <= *most);
    codes <= ALWAYS_SEARCHED || space <= ALWAYS_SEARCHED_SPACE || known && tree::shipped(rules).is_some()
}

/// Prices guesses of one game.
pub(crate) struct GuessValuation<'a> {
    rules: &'a Rules,
    totals: Option<Totals<'a>>,
}

/// What guesses cost at a position.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Valuation {
    /// The best guess.
    pub(crate) best: Code,
    /// How many guesses there are to come on average with it.
    pub(crate) guesses: f64,
    /// What each of the guesses asked about loses against it.
    pub(crate) lost: Vec<Uncertain<f64>>,
}

impl<'a> GuessValuation<'a> {
    /// Prices by this outlook, where there is one for the rules.
    pub(crate) fn new(rules: &'a Rules, outlook: Option<&'a Outlook>) -> Self {
        Self { rules, totals: outlook.map(Outlook::totals) }
    }

    /// What guesses lose exactly; `None` where that is not found before the watch stops.
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

    /// What a guess loses against another, by playing on from both; `None` where that takes too long.
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
        // Secrets that are all there are leave no error of chance, only that of the rollout.
        let off = T_QUANTILE * (squares / (number - 1.0).max(1.0) / number).sqrt();
        // Whoever chose better than the strategy lost nothing, and chose the best that is known.
        let lost =
            Uncertain::Estimate { value: mean.max(0.0), low: (mean - off).max(0.0), high: (mean + off).max(0.0) };
        let best = if mean < 0.0 { played } else { best };
        Some(Valuation { best: best.clone(), guesses: guesses as f64 / number + mean.min(0.0), lost: vec![lost] })
    }
}

/// Plays on, and remembers what it chose.
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
        let identifies = rules.feedback().terms().identifies() && rules.lies() == 0;
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

    /// The guesses that a game takes from a position when it begins with this one; `None` when stopped.
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
