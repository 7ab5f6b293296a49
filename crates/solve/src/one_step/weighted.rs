//! One step ahead where the secret is one of a list, each code as likely as its weight.
//!
//! Guesses are priced by the parts they make of the listed codes that still fit. Entropy counts what the weighted codes
//! tell, expected size how many codes are left on average by weight; the largest part and the number of parts do not ask
//! how likely a code is. With equal weights every criterion is the usual one. Equal guesses are decided by what is
//! likelier to be the secret, then by the lowest number.
//!
//! Cost: a pass over the listed codes that fit for each guess. Every code of the rules is a guess where that is quick, and
//! otherwise the listed codes and some drawn at random, as many as there is time for.

use std::{collections::HashMap, sync::Arc, time::Duration};

use pegwise_game::{Code, Count, History, Rules, Space, Table, partition::Partitioner};

use super::{Criterion, Guesses, Ties};
use crate::{
    candidates::listed,
    parallel, portable,
    rng::Rng,
    search::Search,
    secrets::SecretList,
    strategy::{Alternative, Basis, Proposal, Strategy, StrategyError},
};

/// Pairs priced for a guess where feedback is computed for whole tables, and elsewhere for each line.
const PAIRS: usize = 100_000_000;
const PAIRS_WITHOUT_KERNEL: usize = 10_000_000;
/// The fewest guesses compared, however long the list.
const FEWEST_GUESSES: usize = 16;
/// The most guesses drawn at random beside the listed ones.
const MAX_DRAWN: usize = 4_000;
/// The time that those pairs take about, in seconds; shorter limits cut them.
const USUAL_SECONDS: f64 = 1.0;

/// The most codes in all positions remembered: 16 MiB.
const MAX_REMEMBERED: usize = 1 << 22;

/// How a listed game is played.
#[derive(Debug, Clone)]
pub(crate) struct OneStepConfig {
    pub(crate) criterion: Criterion,
    pub(crate) guesses: Guesses,
    pub(crate) ties: Ties,
    pub(crate) first: Option<Code>,
    /// Bits that a guess is let off for each code that it can be, weighted.
    pub(crate) bonus: u64,
}

/// Plays against a secret from a list.
pub(crate) struct Weighted {
    rules: Rules,
    secrets: Arc<SecretList>,
    manner: OneStepConfig,
    partitioner: Partitioner,
    memory: GuessCache,
}

/// What was guessed where nothing was drawn: over the games of a list the same positions come again and again.
#[derive(Default)]
struct GuessCache {
    /// The limit of time that the guesses were found under, which sets how many are compared.
    time: Option<Duration>,
    /// By the listed codes that fit: the guess, and the pairs priced for it.
    guesses: HashMap<Vec<u32>, (Code, u64)>,
    /// The codes in all positions.
    codes: usize,
}

/// The listed codes that still fit.
struct Fitting {
    /// Their places in the list.
    places: Vec<u32>,
    table: Table,
    weights: Vec<f64>,
    total: f64,
}

/// A guess with what it costs: lower is better.
#[derive(Debug, Clone)]
struct Priced {
    cost: f64,
    weight: f64,
    guess: Code,
}

impl Weighted {
    /// A player of a list whose codes fit a table.
    pub(crate) fn new(secrets: &Arc<SecretList>, manner: OneStepConfig) -> Option<Self> {
        let rules = secrets.rules().clone();
        Table::new(&rules).ok()?;
        let partitioner = Partitioner::new(&rules);
        Some(Self { secrets: Arc::clone(secrets), manner, partitioner, rules, memory: GuessCache::default() })
    }

    fn fitting(&self, history: &History, search: &mut Search<'_>) -> Option<Fitting> {
        search.examine(self.secrets.len() as u64);
        let places: Vec<u32> = self.secrets.fitting(history).map(|place| place as u32).collect();
        let codes = places.iter().map(|&place| &self.secrets.codes()[place as usize]);
        let table = Table::from_codes(&self.rules, codes).ok().filter(|table| !table.is_empty())?;
        let weights: Vec<f64> = places.iter().map(|&place| self.secrets.weights()[place as usize]).collect();
        let total = weights.iter().sum();
        Some(Fitting { places, table, weights, total })
    }

    /// The guesses to compare, ascending.
    fn pool(&self, fitting: &Fitting, search: &mut Search<'_>) -> Vec<Code> {
        let codes = fitting.table.len();
        let share = search.limits().time.map_or(1.0, |time| (time.as_secs_f64() / USUAL_SECONDS).min(1.0));
        let pairs = match self.partitioner.lanes() {
            Some(_) => PAIRS,
            None => PAIRS_WITHOUT_KERNEL / self.rules.board().line_count(),
        };
        let most = ((pairs as f64 * share) as usize / codes).max(FEWEST_GUESSES);
        let own = |rng: &mut Rng, most| {
            let rows = rng.sample(codes as u32, most).into_iter();
            rows.map(|row| fitting.table.code(row as usize)).collect::<Vec<Code>>()
        };
        // Of one or two codes, no other guess is better.
        if self.manner.guesses == Guesses::Consistent || codes <= 2 {
            return own(&mut search.rng, most);
        }
        let space = Space::new(&self.rules);
        if listed::is_listable(&self.rules) && space.count().exact().is_some_and(|count| count <= most as u128) {
            return space.iter().collect();
        }
        // Told cell by cell, listed codes tell nearly as much as any, and a player of words can play no others.
        if self.rules.feedback().terms().cell_by_cell {
            let listed = self.secrets.codes();
            let rows = search.rng.sample(listed.len() as u32, most).into_iter();
            return rows.map(|row| listed[row as usize].clone()).collect();
        }
        let mut pool = own(&mut search.rng, most.div_ceil(2));
        let drawn = (most - pool.len().min(most)).min(MAX_DRAWN);
        pool.extend((0..drawn).map(|_| search.rng.code(&self.rules)));
        pool.sort_unstable();
        pool.dedup();
        pool
    }

    /// Every guess of a pool with its cost, in the same order on any number of threads.
    fn price(&self, pool: &[Code], fitting: &Fitting) -> Vec<Priced> {
        let price = |partitioner: &mut Partitioner, row: usize| {
            let guess = pool[row].clone();
            let cost = self.cost(partitioner, &guess, fitting);
            // A listed code that no longer fits cannot be the secret.
            let weight = fitting.weight(&guess);
            let bonus = self.manner.bonus as f64 * weight;
            Priced { cost: cost - bonus, weight, guess }
        };
        parallel::map_rows(pool.len(), 1, || self.partitioner.clone(), price)
    }

    fn cost(&self, partitioner: &mut Partitioner, guess: &Code, fitting: &Fitting) -> f64 {
        let mut parts = Parts::new(self.manner.criterion);
        fitting.for_each_part(partitioner, guess, |weight, codes| parts.add(weight, codes));
        parts.cost
    }

    /// Puts the best guesses first.
    fn sort(&self, priced: &mut [Priced], rng: &mut Rng) {
        // Sums of the same numbers in another order differ in their last digits.
        const DIGITS: f64 = 1e9;
        let key = |priced: &Priced| (priced.cost * DIGITS).round();
        if self.manner.ties == Ties::Random {
            rng.shuffle(priced);
        }
        priced.sort_by(|one, other| {
            let by_weight = match self.manner.ties {
                Ties::ConsistentLowest => other.weight.total_cmp(&one.weight),
                Ties::Lowest | Ties::Random => std::cmp::Ordering::Equal,
            };
            key(one).total_cmp(&key(other)).then(by_weight)
        });
    }

    fn describe(&self, priced: &Priced, fitting: &Fitting) -> Alternative {
        let cost = self.cost(&mut self.partitioner.clone(), &priced.guess, fitting);
        let mut expected = Parts::new(Criterion::ExpectedSize);
        fitting.for_each_part(&mut self.partitioner.clone(), &priced.guess, |weight, codes| {
            expected.add(weight, codes);
        });
        let (score, unit) = match self.manner.criterion {
            Criterion::WorstCase => (cost, "codes at worst"),
            Criterion::ExpectedSize => (cost / fitting.total, "codes on average"),
            Criterion::Entropy => (log2(fitting.total) - cost / fitting.total, "bits"),
            Criterion::MostParts => (-cost, "parts"),
        };
        let (guess, consistent) = (priced.guess.clone(), priced.weight > 0.0);
        Alternative { guess, consistent, score, unit: unit.into(), expected_remaining: expected.cost / fitting.total }
    }
}

impl Strategy for Weighted {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let fitting = self.fitting(history, search).ok_or(StrategyError::NotListed)?;
        let remaining = Some(Count::Exact(fitting.table.len() as u128));
        if let (true, Some(first)) = (history.is_empty(), &self.manner.first) {
            return Ok(Proposal { remaining, ..Proposal::new(first.clone(), Basis::Scored) });
        }
        let basis = if fitting.table.len() == 1 { Basis::Proven } else { Basis::Scored };
        if let Some((guess, pairs)) = self.memory.recall(&fitting, search) {
            search.score(pairs);
            return Ok(Proposal { remaining, ..Proposal::new(guess, basis) });
        }
        let before = search.rng.clone();
        let pool = self.pool(&fitting, search);
        let pairs = (pool.len() * fitting.table.len()) as u64;
        search.score(pairs);
        let mut priced = self.price(&pool, &fitting);
        self.sort(&mut priced, &mut search.rng);
        if search.rng == before {
            self.memory.keep(&fitting, (priced[0].guess.clone(), pairs));
        }
        let mut proposal = Proposal { remaining, ..Proposal::new(priced[0].guess.clone(), basis) };
        if search.alternatives > 0 {
            let mut described =
                priced.iter().take(search.alternatives + 1).map(|priced| self.describe(priced, &fitting));
            proposal.rated = described.next();
            proposal.alternatives = described.collect();
        }
        Ok(proposal)
    }

    fn for_secrets(&self, secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Self::new(secrets, self.manner.clone())?))
    }
}

impl GuessCache {
    /// The guess in a position, where it is known and nothing but the guess is asked for.
    fn recall(&mut self, fitting: &Fitting, search: &Search<'_>) -> Option<(Code, u64)> {
        if self.time != search.limits().time {
            *self = Self { time: search.limits().time, ..Self::default() };
        }
        if search.alternatives > 0 { None } else { self.guesses.get(&fitting.places).cloned() }
    }

    fn keep(&mut self, fitting: &Fitting, guess: (Code, u64)) {
        self.codes += fitting.places.len();
        if self.codes <= MAX_REMEMBERED {
            self.guesses.insert(fitting.places.clone(), guess);
        }
    }
}

impl Fitting {
    /// The weight of a code, zero where it does not fit.
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

    /// Visits the parts that a guess makes, each with its weight and its number of codes.
    fn for_each_part(&self, partitioner: &mut Partitioner, guess: &Code, mut visit: impl FnMut(f64, u32)) {
        let Some(lanes) = partitioner.lanes() else {
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

/// What the parts of a guess come to.
struct Parts {
    criterion: Criterion,
    cost: f64,
}

impl Parts {
    fn new(criterion: Criterion) -> Self {
        Self { criterion, cost: 0.0 }
    }

    fn add(&mut self, weight: f64, codes: u32) {
        match self.criterion {
            Criterion::WorstCase => self.cost = self.cost.max(codes.into()),
            Criterion::ExpectedSize => self.cost += weight * f64::from(codes),
            Criterion::Entropy => self.cost += weight * log2(weight),
            Criterion::MostParts => self.cost -= 1.0,
        }
    }
}

fn log2(x: f64) -> f64 {
    portable::ln(x) / std::f64::consts::LN_2
}

#[cfg(test)]
mod tests;
