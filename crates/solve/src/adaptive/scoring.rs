//! Comparison of guesses by the entropy of their answers over a sample of codes.

use std::collections::BTreeSet;

use pegwise_game::partition::{Partitioner, SLOWDOWN_WITHOUT_KERNEL};
use pegwise_game::{Code, Color, Rules, Space, Table};

use super::entropy::LineScorer;
use super::settings::{
    MAX_FINALISTS, MAX_GUESSES, MAX_LISTED, MAX_LISTED_IN_TIME, MAX_OPENING_CELLS, MAX_OPENINGS, MIN_CODES_BY_LINE,
    PAIRS, PAIRS_OF_ALL, SAMPLE_SIZE, SAMPLE_SIZE_OF_LINES, SAMPLE_SIZE_WITHOUT_KERNEL, VISITS_OF_LINES,
    VISITS_WITHOUT_KERNEL,
};
use pegwise_search::one_step::{
    CONSISTENT_BONUS_BITS, Criterion, Guesses, OneStepConfig, OneStepSolver, Ties, common_rows,
};
use pegwise_search::{Alternative, Position, Rng, Search};

/// Returns the configuration for secrets from a list.
pub(super) fn one_step_config() -> OneStepConfig {
    let (guesses, ties) = (Guesses::All, Ties::ConsistentLowest);
    OneStepConfig { criterion: Criterion::Entropy, guesses, ties, first: None, bonus: CONSISTENT_BONUS_BITS }
}

/// Scorer of guesses by the entropy of their answers.
#[derive(Debug, Clone)]
pub(super) struct EntropyScorer {
    rules: Rules,
    one_step: OneStepSolver,
    lines: LineScorer,
}

impl EntropyScorer {
    /// Creates a scorer; `None` if codes of these rules do not fit a table.
    pub(super) fn new(rules: &Rules) -> Option<Self> {
        Table::new(rules).ok()?;
        Some(Self { rules: rules.clone(), one_step: OneStepSolver::entropy(rules), lines: LineScorer::new(rules) })
    }

    /// Returns the default sample size.
    pub(super) fn sample_size(&self) -> usize {
        match self.rules.board().is_row() {
            _ if self.one_step.has_kernel() => SAMPLE_SIZE,
            true => SAMPLE_SIZE_WITHOUT_KERNEL,
            false => SAMPLE_SIZE_OF_LINES,
        }
    }

    /// Returns the best of all guesses for all candidates, and up to `more` others; `None` if that takes too long with the
    /// given share of the default time.
    pub(super) fn best_of_all(
        &mut self,
        position: Position<'_>,
        share: f64,
        more: usize,
        search: &mut Search<'_>,
    ) -> Option<Vec<Code>> {
        let codes = position.codes;
        let max_pairs = self.max_pairs(share);
        // The clock is not checked while a table is built.
        let space = Space::new(&self.rules).count().exact().unwrap_or(u128::MAX);
        let max_listed = if search.limits().time.is_some() { MAX_LISTED_IN_TIME } else { MAX_LISTED };
        // After the first turn, the candidates are part of the pool, so their pairs are a lower bound that is cheap to
        // compute.
        let at_least = if position.guesses.is_empty() { 1 } else { codes.len() };
        if space > max_listed || codes.len().saturating_mul(at_least) > max_pairs {
            return None;
        }
        let pool = self.one_step.pool(position);
        let pairs = pool.len().saturating_mul(codes.len());
        if pairs > max_pairs {
            return None;
        }
        search.score(pairs as u64);
        let best = self.one_step.choose(position, &mut search.rng);
        let mut guesses = vec![best];
        if more > 0 {
            let mut others = self.best_exactly(codes, pool.codes().collect(), more);
            others.retain(|guess| *guess != guesses[0]);
            guesses.extend(others.into_iter().take(more));
        }
        Some(guesses)
    }

    /// Returns the maximum number of pairs of guess and code compared in the given share of the default time.
    fn max_pairs(&self, share: f64) -> usize {
        let slowdown =
            if self.one_step.has_kernel() { 1 } else { SLOWDOWN_WITHOUT_KERNEL * self.rules.board().line_count() };
        (PAIRS_OF_ALL as f64 * share) as usize / slowdown
    }

    /// Returns the number of guesses of a sampled pool that are compared again by all of `codes` codes.
    pub(super) fn finalists(&self, codes: usize, share: f64) -> usize {
        (self.max_pairs(share) / codes).min(MAX_FINALISTS)
    }

    /// Returns the best guess for all candidates and up to `more` others, best first.
    pub(super) fn best_exactly(&mut self, codes: &Table, mut guesses: Vec<Code>, more: usize) -> Vec<Code> {
        guesses.sort_unstable();
        let Ok(pool) = Table::from_codes(&self.rules, &guesses) else { return guesses };
        let consistent: BTreeSet<Code> =
            common_rows(&pool, codes).into_iter().map(|row| pool.code(row as usize)).collect();
        self.one_step.rank(codes, &pool, |code| consistent.contains(code), more + 1)
    }

    /// Returns the number of guesses to compare with `codes` codes in the given share of the default time.
    pub(super) fn guesses_for(&self, codes: usize, share: f64) -> usize {
        let cells: usize = self.rules.board().lines().map(<[usize]>::len).sum();
        let visits = if self.rules.board().is_row() { VISITS_WITHOUT_KERNEL } else { VISITS_OF_LINES };
        let pairs = if self.one_step.has_kernel() { PAIRS } else { visits / cells };
        ((pairs as f64 * share) as usize / codes.max(1)).clamp(1, MAX_GUESSES)
    }

    /// Returns the best guess of a pool and up to `more` others, best first.
    pub(super) fn best(
        &mut self,
        sample: &[Code],
        mut pool: Vec<Code>,
        is_consistent: impl Fn(&Code) -> bool,
        more: usize,
    ) -> Vec<Code> {
        pool.sort_unstable();
        pool.dedup();
        if !self.one_step.has_kernel() && sample.len() >= MIN_CODES_BY_LINE {
            return self.lines.best(sample, pool, is_consistent, more);
        }
        let tables = Table::from_codes(&self.rules, sample).and_then(|codes| {
            let pool = Table::from_codes(&self.rules, &pool)?;
            Ok((codes, pool))
        });
        let Ok((codes, pool)) = tables else { return Vec::new() };
        if let Some(code) = (!self.one_step.has_kernel()).then(|| self.full_splitter(&codes)).flatten() {
            let others = if more > 0 { self.one_step.rank(&codes, &pool, is_consistent, more + 1) } else { Vec::new() };
            let others = others.into_iter().filter(|other| *other != code).take(more);
            return std::iter::once(code.clone()).chain(others).collect();
        }
        self.one_step.rank(&codes, &pool, is_consistent, more + 1)
    }

    /// Returns a code that distinguishes all codes: no guess is better, and on boards of many lines one nearly always
    /// exists.
    fn full_splitter(&self, codes: &Table) -> Option<Code> {
        let (mut partitioner, mut sizes) = (Partitioner::new(&self.rules), Vec::new());
        codes.codes().find(|code| {
            partitioner.sizes(code, codes, &mut sizes);
            sizes.len() == codes.len()
        })
    }

    /// Returns the statistics of a guess over some codes.
    pub(super) fn describe(&mut self, guess: Code, consistent: bool, codes: &Table) -> Alternative {
        self.one_step.describe(guess, consistent, codes)
    }
}

/// Returns up to `guesses` guesses to compare: half of them sampled codes, and variations of these.
///
/// A variation takes some cells from another sampled code, or random colors: it asks about the cells in which the codes
/// differ without requiring all others to be right.
pub(super) fn pool(rules: &Rules, codes: &[Code], guesses: usize, rng: &mut Rng) -> Vec<Code> {
    // For one or two codes, no other guess is better.
    if codes.len() <= 2 {
        return codes.to_vec();
    }
    let sampled = codes.len().min(guesses.div_ceil(2));
    let mut pool: Vec<Code> =
        rng.sample(codes.len() as u32, sampled).into_iter().map(|at| codes[at as usize].clone()).collect();
    for _ in sampled..guesses {
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

/// Returns the best opening by a fixed random sample: the same for the same rules. `None` on large boards.
pub(super) fn opening(rules: &Rules, scorer: Option<&mut EntropyScorer>) -> Option<Code> {
    if rules.cells() > MAX_OPENING_CELLS {
        return None;
    }
    let scorer = scorer?;
    let mut rng = Rng::for_path(0, [rules.to_string().as_bytes()]);
    let sample: Vec<Code> = (0..scorer.sample_size()).map(|_| rng.code(rules)).collect();
    scorer.best(&sample, openings(rules), |_| true, 0).into_iter().next()
}

/// Returns codes of the first `n` colors in equal numbers, for several `n`, in blocks or alternating.
fn openings(rules: &Rules) -> Vec<Code> {
    let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
    let max = cells.min(colors);
    let step = max.div_ceil(MAX_OPENINGS / 2);
    let in_blocks = |used: usize| Code::from_indices((0..cells).map(|cell| (cell * used / cells) as u16));
    let alternating = |used: usize| Code::from_indices((0..cells).map(|cell| (cell % used) as u16));
    if !rules.repeats() {
        return vec![alternating(colors)];
    }
    let used = (1..=max).step_by(step).chain([max]);
    let mut codes: Vec<Code> = used.flat_map(|used| [in_blocks(used), alternating(used)]).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}
