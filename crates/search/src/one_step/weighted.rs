//! One-step strategies for secrets from a list, with a weight per code.
//!
//! Guesses are evaluated by the parts they make of the listed candidates. Entropy and expected size use the weights as
//! probabilities; the worst case and the number of parts ignore them. With equal weights every criterion is the usual
//! one. Ties go to the guess that is more likely to be the secret, then to the lowest number.
//!
//! Each guess costs a pass over the candidates. The pool is the list of guesses, if there is one. Otherwise it is the whole
//! space if it is small enough, else the listed codes and a random sample, as many as the time limit allows.

use std::{collections::HashMap, sync::Arc, time::Duration};

use pegwise_game::{Code, Count, History, Rules, Space, Table, partition::Partitioner};

use super::{Criterion, Guesses, Ties};
use crate::candidates::listed;
use crate::parallel;
use crate::rng::Rng;
use crate::search::Search;
use crate::secrets::SecretList;
use crate::strategy::{Alternative, Basis, Proposal, Proposed, Strategy, StrategyError};

/// Maximum number of pairs of guess and candidate, with a kernel.
const PAIRS: usize = 100_000_000;
/// Maximum number of pairs per line of the board, without a kernel.
const PAIRS_WITHOUT_KERNEL: usize = 10_000_000;
/// The same for guesses from a list: 15,000 words are compared with 15,000.
const LISTED_PAIRS: usize = 250_000_000;
/// Minimum number of guesses, however long the list.
const MIN_GUESSES: usize = 16;
/// Maximum number of random guesses in addition to the listed ones.
const MAX_RANDOM: usize = 4_000;
/// Approximate time that the maximum number of pairs takes, in seconds; a shorter time limit reduces the number.
const FULL_SECONDS: f64 = 1.0;

/// Maximum number of codes in all cached positions: 16 MiB.
const MAX_CACHED_CODES: usize = 1 << 22;

/// Settings of a one-step strategy.
#[derive(Debug, Clone)]
pub struct OneStepConfig {
    /// Criterion that compares guesses.
    pub criterion: Criterion,
    /// Codes that may be guessed.
    pub guesses: Guesses,
    /// Choice among equal guesses.
    pub ties: Ties,
    /// First guess, if it is fixed.
    pub first: Option<Code>,
    /// Bonus of a guess that can be the secret, in bits summed over all candidates.
    pub bonus: u64,
}

/// One-step strategy for secrets from a list.
pub struct WeightedOneStep {
    rules: Rules,
    secrets: Arc<SecretList>,
    config: OneStepConfig,
    partitioner: Partitioner,
    cache: GuessCache,
}

/// Guesses that were chosen without random numbers. The same positions recur over the games of a list.
#[derive(Default)]
struct GuessCache {
    /// Time limit under which the guesses were chosen; it determines the pool.
    time: Option<Duration>,
    /// The guess and its number of pairs, by the list indices of the candidates.
    guesses: HashMap<Vec<u32>, (Code, u64)>,
    /// Number of codes in all keys.
    codes: usize,
}

/// Listed codes consistent with the history.
struct WeightedCandidates {
    /// Their indices in the list.
    indices: Vec<u32>,
    table: Table,
    weights: Vec<f64>,
    total: f64,
}

/// A guess with its cost (lower is better) and its weight as a secret.
#[derive(Debug, Clone)]
struct WeightedGuess {
    cost: f64,
    weight: f64,
    guess: Code,
}

impl WeightedOneStep {
    /// Creates the strategy; `None` if the codes do not fit a table.
    pub fn new(secrets: &Arc<SecretList>, config: OneStepConfig) -> Option<Self> {
        let rules = secrets.rules().clone();
        Table::new(&rules).ok()?;
        let partitioner = Partitioner::new(&rules);
        Some(Self { secrets: Arc::clone(secrets), config, partitioner, rules, cache: GuessCache::default() })
    }

    fn candidates(&self, history: &History, search: &mut Search<'_>) -> Option<WeightedCandidates> {
        search.examine(self.secrets.len() as u64);
        let indices: Vec<u32> = self.secrets.consistent(history).map(|index| index as u32).collect();
        let codes = indices.iter().map(|&index| &self.secrets.codes()[index as usize]);
        let table = Table::from_codes(&self.rules, codes).ok().filter(|table| !table.is_empty())?;
        let weights: Vec<f64> = indices.iter().map(|&index| self.secrets.weights()[index as usize]).collect();
        let total = weights.iter().sum();
        Some(WeightedCandidates { indices, table, weights, total })
    }

    /// Returns the guesses to compare, ascending.
    fn pool(&self, candidates: &WeightedCandidates, search: &mut Search<'_>) -> Vec<Code> {
        let codes = candidates.table.len();
        // With feedback per cell, listed codes are nearly as informative as others, and word games allow no others.
        let word_game = self.rules.feedback().model().per_cell.then(|| self.secrets.codes());
        let listed_guesses = self.secrets.guesses().or(word_game);
        let most = if listed_guesses.is_some() { LISTED_PAIRS } else { PAIRS };
        let time = search.limits().time.map_or(f64::INFINITY, |time| time.as_secs_f64() / FULL_SECONDS);
        let pairs = (PAIRS as f64 * time).min(most as f64);
        let pairs = match self.partitioner.batch_kernel() {
            Some(_) => pairs,
            None => pairs * (PAIRS_WITHOUT_KERNEL as f64 / PAIRS as f64) / self.rules.board().line_count() as f64,
        };
        let max_guesses = (pairs as usize / codes).max(MIN_GUESSES);
        let own = |rng: &mut Rng, count| {
            let rows = rng.sample(codes as u32, count).into_iter();
            rows.map(|row| candidates.table.code(row as usize)).collect::<Vec<Code>>()
        };
        // With one or two candidates, no other guess is better.
        if self.config.guesses == Guesses::Consistent || codes <= 2 {
            return own(&mut search.rng, max_guesses);
        }
        if let Some(guesses) = listed_guesses {
            let rows = search.rng.sample(guesses.len() as u32, max_guesses).into_iter();
            return rows.map(|row| guesses[row as usize].clone()).collect();
        }
        let space = Space::new(&self.rules);
        if listed::is_listable(&self.rules) && space.count().exact().is_some_and(|count| count <= max_guesses as u128) {
            return space.iter().collect();
        }
        let mut pool = own(&mut search.rng, max_guesses.div_ceil(2));
        let drawn = (max_guesses - pool.len().min(max_guesses)).min(MAX_RANDOM);
        pool.extend((0..drawn).map(|_| search.rng.code(&self.rules)));
        pool.sort_unstable();
        pool.dedup();
        pool
    }

    fn evaluate(&self, pool: &[Code], candidates: &WeightedCandidates) -> Vec<WeightedGuess> {
        let evaluate = |partitioner: &mut Partitioner, row: usize| {
            let guess = pool[row].clone();
            let cost = candidates.cost(self.config.criterion, partitioner, &guess);
            let weight = candidates.weight(&guess);
            let bonus = self.config.bonus as f64 * weight;
            WeightedGuess { cost: cost - bonus, weight, guess }
        };
        parallel::map_rows(pool.len(), 1, || self.partitioner.clone(), evaluate)
    }

    fn sort(&self, ranked: &mut [WeightedGuess], rng: &mut Rng) {
        // Ignores rounding errors of sums in different orders.
        const DIGITS: f64 = 1e9;
        let key = |ranked: &WeightedGuess| (ranked.cost * DIGITS).round();
        if self.config.ties == Ties::Random {
            rng.shuffle(ranked);
        }
        ranked.sort_by(|one, other| {
            let by_weight = match self.config.ties {
                Ties::ConsistentLowest => other.weight.total_cmp(&one.weight),
                Ties::LowestCandidate | Ties::Random => std::cmp::Ordering::Equal,
            };
            key(one).total_cmp(&key(other)).then(by_weight)
        });
    }

    fn describe(&self, ranked: &WeightedGuess, candidates: &WeightedCandidates) -> Alternative {
        let criterion = self.config.criterion;
        let cost = |criterion| candidates.cost(criterion, &mut self.partitioner.clone(), &ranked.guess);
        Alternative {
            guess: ranked.guess.clone(),
            consistent: ranked.weight > 0.0,
            score: criterion.weighted_score(cost(criterion), candidates.total),
            unit: criterion.unit().into(),
            expected_remaining: (cost(Criterion::ExpectedSize) - ranked.weight) / candidates.total,
            lost: None,
        }
    }
}

impl Strategy for WeightedOneStep {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        let candidates = self.candidates(history, search).ok_or(StrategyError::NotListed)?;
        let remaining = Some(Count::Exact(candidates.table.len() as u128));
        if let (true, Some(first)) = (history.is_empty(), &self.config.first) {
            return Ok(Proposal { remaining, ..Proposal::new(first.clone(), Basis::Scored) });
        }
        let basis = if candidates.table.len() == 1 { Basis::Proven } else { Basis::Scored };
        if let Some((guess, pairs)) = self.cache.get(&candidates, search) {
            search.score(pairs);
            return Ok(Proposal { remaining, ..Proposal::new(guess, basis) });
        }
        let before = search.rng.clone();
        let pool = self.pool(&candidates, search);
        let pairs = (pool.len() * candidates.table.len()) as u64;
        search.score(pairs);
        let mut ranked = self.evaluate(&pool, &candidates);
        self.sort(&mut ranked, &mut search.rng);
        if search.rng == before {
            self.cache.insert(&candidates, (ranked[0].guess.clone(), pairs));
        }
        let mut proposal = Proposal { remaining, ..Proposal::new(ranked[0].guess.clone(), basis) };
        if search.alternatives > 0 {
            let mut described =
                ranked.iter().take(search.alternatives + 1).map(|ranked| self.describe(ranked, &candidates));
            proposal.rated = described.next();
            proposal.alternatives = described.collect();
        }
        Ok(proposal)
    }

    fn for_secrets(&self, secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Self::new(secrets, self.config.clone())?))
    }
}

impl GuessCache {
    /// Returns the cached guess for a position, unless alternatives are requested.
    fn get(&mut self, candidates: &WeightedCandidates, search: &Search<'_>) -> Option<(Code, u64)> {
        if self.time != search.limits().time {
            *self = Self { time: search.limits().time, ..Self::default() };
        }
        if search.alternatives > 0 { None } else { self.guesses.get(&candidates.indices).cloned() }
    }

    fn insert(&mut self, candidates: &WeightedCandidates, guess: (Code, u64)) {
        self.codes += candidates.indices.len();
        if self.codes <= MAX_CACHED_CODES {
            self.guesses.insert(candidates.indices.clone(), guess);
        }
    }
}

impl WeightedCandidates {
    /// Returns the weight of a code; zero if it is not a candidate.
    fn weight(&self, code: &Code) -> f64 {
        let (mut from, mut to) = (0, self.table.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            match self.table.code(middle).cmp(code) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
                std::cmp::Ordering::Equal => return self.weights[middle],
            }
        }
        0.0
    }

    fn cost(&self, criterion: Criterion, partitioner: &mut Partitioner, guess: &Code) -> f64 {
        let mut cost = 0.0;
        self.for_each_part(partitioner, guess, |weight, codes| cost = criterion.add_weighted_part(cost, weight, codes));
        cost
    }

    /// Visits the parts of a guess with their weights and sizes.
    fn for_each_part(&self, partitioner: &mut Partitioner, guess: &Code, mut visit: impl FnMut(f64, u32)) {
        let Some(lanes) = partitioner.batch_kernel() else {
            for part in partitioner.split(guess, &self.table) {
                let weight = part.rows.iter().map(|&row| self.weights[row as usize]).sum();
                visit(weight, part.rows.len() as u32);
            }
            return;
        };
        let (mut marks, mut parts) = (Vec::new(), [(0.0, 0); 256]);
        lanes.marks(guess, &self.table, &mut marks);
        for (&mark, weight) in marks.iter().zip(&self.weights) {
            let part = &mut parts[usize::from(mark)];
            part.0 += weight;
            part.1 += 1;
        }
        parts.into_iter().filter(|&(_, codes)| codes > 0).for_each(|(weight, codes)| visit(weight, codes));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pegwise_game::{Feedback, feedback};

    use super::*;

    fn config(criterion: Criterion) -> OneStepConfig {
        OneStepConfig { criterion, guesses: Guesses::All, ties: Ties::ConsistentLowest, first: None, bonus: 0 }
    }

    fn every_third(rules: &Rules) -> Arc<SecretList> {
        let codes = Space::new(rules).iter().step_by(3).enumerate();
        let weight = |at: usize| (1 + at * 7 % 11) as f64;
        Arc::new(SecretList::new(rules, codes.map(|(at, code)| (at, code, weight(at)))).unwrap())
    }

    /// Computes the cost by its definition.
    fn naive(rules: &Rules, secrets: &SecretList, criterion: Criterion, guess: &Code) -> f64 {
        let mut parts: BTreeMap<Feedback, (f64, f64)> = BTreeMap::new();
        for code in secrets.codes() {
            let part = parts.entry(feedback(rules, guess, code)).or_default();
            *part = (part.0 + secrets.weight(code), part.1 + 1.0);
        }
        let parts = parts.values();
        match criterion {
            Criterion::WorstCase => parts.map(|part| part.1).fold(0.0, f64::max),
            Criterion::ExpectedSize => parts.map(|part| part.0 * part.1).sum(),
            Criterion::Entropy => parts.map(|part| part.0 * part.0.log2()).sum(),
            Criterion::MostParts => -(parts.len() as f64),
        }
    }

    #[test]
    fn costs_match_the_definition() {
        for text in [
            "3x4", "4x3:black-only", "4x3:color-only", "4x3:per-cell", "3x5:no-repeats", "3x4:higher-lower",
            "3x4:distance", "grid:2x2x3",
        ] {
            let rules: Rules = text.parse().unwrap();
            let secrets = every_third(&rules);
            for criterion in Criterion::ALL {
                let player = WeightedOneStep::new(&secrets, config(criterion)).unwrap();
                let candidates = player.candidates(&History::new(rules.clone()), &mut Search::new(1)).unwrap();
                for ranked in player.evaluate(&Space::new(&rules).iter().step_by(5).collect::<Vec<Code>>(), &candidates)
                {
                    let naive = naive(&rules, &secrets, criterion, &ranked.guess);
                    assert!((ranked.cost - naive).abs() < 1e-9, "{text} {criterion:?}");
                    assert_eq!(ranked.weight, secrets.weight(&ranked.guess));
                }
            }
        }
    }

    #[test]
    fn cached_guesses_and_counts_equal_computed_ones() {
        let rules: Rules = "4x3:per-cell".parse().unwrap();
        let secrets = every_third(&rules);
        for ties in [Ties::ConsistentLowest, Ties::Random] {
            let config = OneStepConfig { ties, ..config(Criterion::Entropy) };
            let mut cached = WeightedOneStep::new(&secrets, config.clone()).unwrap();
            for (seed, secret) in (0..).zip(secrets.codes().iter().chain(secrets.codes())) {
                let mut history = History::new(rules.clone());
                while !history.is_solved() {
                    let guess = |player: &mut WeightedOneStep| {
                        let mut search = Search::new(seed);
                        let proposal = player.next_guess(&history, &mut search).unwrap();
                        (proposal, search.counts(), search.rng)
                    };
                    let (one, other) =
                        (guess(&mut cached), guess(&mut WeightedOneStep::new(&secrets, config.clone()).unwrap()));
                    assert_eq!(one, other, "{ties:?}");
                    history.push(pegwise_game::Turn::against(&rules, secret, one.0.guess)).unwrap();
                }
            }
            let mut known = cached.cache.guesses.keys();
            assert_eq!(known.any(|indices| indices.len() > 1), ties != Ties::Random);
        }
    }
}
