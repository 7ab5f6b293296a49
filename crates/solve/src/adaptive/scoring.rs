//! Guesses compared by what they tell about a sample of codes.

use pegwise_game::{Code, Color, Rules, Space, Table, partition::Partitioner};

use super::lines::LineScorer;
use crate::{
    one_step::{CONSISTENT_BONUS_BITS, CostFunction, Criterion, Guesses, OneStepConfig, OneStepSolver, Ties},
    rng::Rng,
    search::Search,
    strategy::{Alternative, Position},
};

/// Pairs priced for a guess where there is a kernel; elsewhere, cells looked at.
const PAIRS: usize = 6_000_000;
const VISITS_WITHOUT_KERNEL: usize = 1_000_000;
/// The most guesses compared.
const MOST_GUESSES: usize = 12_000;
/// The most codes of a sample, with a kernel and without.
const SAMPLE: usize = 2_000;
const SAMPLE_WITHOUT_KERNEL: usize = 150;
/// On boards of several lines a few codes and guesses do: their answers have so many ways to differ.
const SAMPLE_OF_LINES: usize = 40;
const VISITS_OF_LINES: usize = 100_000;

/// The most codes of a space that are listed as guesses, and within a time limit.
const MOST_LISTED: u128 = 1 << 25;
const MOST_LISTED_IN_TIME: u128 = 1 << 21;
/// Up to this many pairs, every code of a listed space is compared.
const PAIRS_OF_ALL: usize = 16_000_000;
/// How much longer a pair takes for each line without a kernel.
const SLOWDOWN_WITHOUT_KERNEL: usize = 100;
/// From this many codes on, boards without a kernel are scored line by line.
const MANY_CODES: usize = 24;

/// How a secret from a list is looked for: by entropy, as ever.
pub(super) fn manner() -> OneStepConfig {
    let (guesses, ties) = (Guesses::All, Ties::ConsistentLowest);
    OneStepConfig { criterion: Criterion::Entropy, guesses, ties, first: None, bonus: CONSISTENT_BONUS_BITS }
}

/// Compares guesses by the entropy of their answers.
#[derive(Debug, Clone)]
pub(super) struct Scorer {
    rules: Rules,
    chooser: OneStepSolver,
    lines: LineScorer,
}

impl Scorer {
    /// A scorer for rules whose codes fit a table.
    pub(super) fn new(rules: &Rules) -> Option<Self> {
        Table::new(rules).ok()?;
        let pricing = CostFunction::new(Criterion::Entropy, CONSISTENT_BONUS_BITS);
        let chooser = OneStepSolver::new(rules, pricing, Guesses::All, Ties::ConsistentLowest);
        Some(Self { rules: rules.clone(), chooser, lines: LineScorer::new(rules) })
    }

    fn sample_without_kernel(&self) -> usize {
        if self.rules.board().is_row() { SAMPLE_WITHOUT_KERNEL } else { SAMPLE_OF_LINES }
    }

    fn visits(&self) -> usize {
        if self.rules.board().is_row() { VISITS_WITHOUT_KERNEL } else { VISITS_OF_LINES }
    }

    /// How many codes a sample should have.
    pub(super) fn sample_size(&self) -> usize {
        if self.chooser.has_kernel() { SAMPLE } else { self.sample_without_kernel() }
    }

    /// The best guesses of all codes of a listed space, for all codes still possible: one, and as many more as asked for.
    /// `None` where that takes too long, given this share of the usual time.
    pub(super) fn best_of_all(
        &mut self,
        position: Position<'_>,
        share: f64,
        more: usize,
        search: &mut Search<'_>,
    ) -> Option<Vec<Code>> {
        let codes = position.codes;
        let slowdown =
            if self.chooser.has_kernel() { 1 } else { SLOWDOWN_WITHOUT_KERNEL * self.rules.board().line_count() };
        let most = (PAIRS_OF_ALL as f64 * share) as usize / slowdown;
        // A table takes no more codes, and nobody looks at the clock while a large one is made.
        let space = Space::new(&self.rules).count().exact().unwrap_or(u128::MAX);
        let most_listed = if search.limits().time.is_some() { MOST_LISTED_IN_TIME } else { MOST_LISTED };
        if space > most_listed {
            return None;
        }
        // Cheaper to ask first than to list a pool that is too large.
        if codes.len().saturating_mul(codes.len()) > most {
            return None;
        }
        let pool = self.chooser.pool(position);
        let pairs = pool.len().saturating_mul(codes.len());
        if pairs > most {
            return None;
        }
        search.score(pairs as u64);
        let best = self.chooser.choose(position, &mut search.rng);
        let mut guesses = vec![best];
        if more > 0 {
            let is_consistent = |code: &Code| codes.codes().any(|other| other == *code);
            let ranked = self.chooser.rank(codes, &pool, is_consistent, more + 1).into_iter();
            let others: Vec<Code> = ranked.map(|priced| priced.guess).filter(|guess| *guess != guesses[0]).collect();
            guesses.extend(others.into_iter().take(more));
        }
        Some(guesses)
    }

    /// How many guesses can be compared against so many codes, given this share of the usual time.
    pub(super) fn guesses_for(&self, codes: usize, share: f64) -> usize {
        let visits: usize = self.rules.board().lines().map(<[usize]>::len).sum();
        let pairs = if self.chooser.has_kernel() { PAIRS } else { self.visits() / visits };
        ((pairs as f64 * share) as usize / codes.max(1)).clamp(1, MOST_GUESSES)
    }

    /// The best guesses of a pool, best first: one, and as many more as asked for.
    pub(super) fn best(
        &mut self,
        sample: &[Code],
        mut pool: Vec<Code>,
        is_consistent: impl Fn(&Code) -> bool,
        more: usize,
    ) -> Vec<Code> {
        pool.sort_unstable();
        pool.dedup();
        if !self.chooser.has_kernel() && sample.len() >= MANY_CODES {
            return self.lines.best(sample, pool, is_consistent, more);
        }
        let tables = Table::from_codes(&self.rules, sample).and_then(|codes| {
            let pool = Table::from_codes(&self.rules, &pool)?;
            Ok((codes, pool))
        });
        let Ok((codes, pool)) = tables else { return Vec::new() };
        if !self.chooser.has_kernel()
            && more == 0
            && let Some(code) = self.tells_all_apart(&codes)
        {
            return vec![code];
        }
        self.chooser.rank(&codes, &pool, is_consistent, more + 1).into_iter().map(|priced| priced.guess).collect()
    }

    /// A code that every other answers in its own way: no guess is better, and on boards of many lines there nearly always
    /// is one.
    fn tells_all_apart(&self, codes: &Table) -> Option<Code> {
        let (mut partitioner, mut sizes) = (Partitioner::new(&self.rules), Vec::new());
        codes.codes().find(|code| {
            partitioner.sizes(code, codes, &mut sizes);
            sizes.len() == codes.len()
        })
    }

    /// How a guess does against a sample.
    pub(super) fn describe(&mut self, guess: Code, consistent: bool, sample: &[Code]) -> Option<Alternative> {
        let codes = Table::from_codes(&self.rules, sample).ok()?;
        Some(self.chooser.describe(guess, consistent, &codes))
    }
}

/// Guesses worth comparing: codes that fit, and as many variations of them.
///
/// A variation takes some cells from another code that fits, or a color from anywhere: it asks about the cells in which the
/// codes differ without insisting on all the others.
pub(super) fn pool(rules: &Rules, codes: &[Code], guesses: usize, rng: &mut Rng) -> Vec<Code> {
    // Of one or two codes, no other guess is better.
    if codes.len() <= 2 {
        return codes.to_vec();
    }
    let fitting = codes.len().min(guesses.div_ceil(2));
    let mut pool: Vec<Code> =
        rng.sample(codes.len() as u32, fitting).into_iter().map(|at| codes[at as usize].clone()).collect();
    for _ in fitting..guesses {
        let pick = |rng: &mut Rng| &codes[rng.index(codes.len())];
        let (one, other) = (pick(rng), pick(rng));
        let mut varied: Vec<Color> = one.to_vec();
        let changes = 1 + rng.index(varied.len());
        for _ in 0..changes {
            let cell = rng.index(varied.len());
            varied[cell] = match rng.below(4) {
                0 => Color::new(rng.below(rules.colors().into()) as u16),
                1 => other[rng.index(other.len())],
                _ => other[cell],
            };
        }
        let varied = Code::new(varied);
        if rules.check_code(&varied).is_ok() {
            pool.push(varied);
        }
    }
    pool
}
