//! Ratings and rankings of guesses.
//!
//! The numbers are exact if all consistent codes are listed, and before the first turn on a row, where feedback is
//! counted without listing codes. Otherwise they are estimated from a sample, if there is one.

use pegwise_game::partition::{Partitioner, SLOWDOWN_WITHOUT_KERNEL};
use pegwise_game::{Code, Rules, Table, symmetry::Symmetry};
use pegwise_solve::{
    Basis, Position, Search, Strategy,
    candidates::listed,
    clock,
    one_step::{OneStepSolver, winning_codes},
};
use serde::{Deserialize, Serialize};

use crate::candidates::Candidates;
use crate::exact_count;
use crate::figure::{Amount, Magnitude as _, Uncertain, field};
use crate::notes::Notes;

/// A guess with its rating.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RatedGuess {
    /// The guess.
    pub guess: Code,
    /// Rank among the rated guesses: 1 plus the number of significantly better guesses.
    pub rank: usize,
    /// True if the guess is consistent with the notes.
    pub consistent: bool,
    /// Score, in `unit`.
    #[serde(flatten, with = "field::score")]
    pub score: Uncertain<f64>,
    /// Unit of the score.
    pub unit: String,
    /// Expected number of codes left after the answer; none once the code is found.
    #[serde(flatten, with = "field::expected_remaining")]
    pub expected_remaining: Uncertain<f64>,
    /// Probability that the guess is the secret.
    #[serde(flatten, with = "field::chance")]
    pub chance: Uncertain<f64>,
    /// Expected number of guesses lost against the best guess, with best play afterwards.
    #[serde(flatten, with = "field::lost")]
    pub lost: Uncertain<f64>,
}

/// Default unit of scores.
pub(crate) const BITS: &str = "bits";
/// Unit of weighted entropy, which only the strategy can compute.
pub(crate) const WEIGHTED_BITS: &str = "weighted bits";

/// Rater of guesses against the consistent codes.
pub(crate) struct Rater<'a> {
    notes: &'a Notes,
    candidates: &'a Candidates,
    /// All consistent codes, if they are known.
    codes: Option<(Table, Partitioner)>,
}

impl<'a> Rater<'a> {
    pub(crate) fn new(notes: &'a Notes, candidates: &'a Candidates) -> Self {
        let rules = notes.rules();
        let table = || Table::from_codes(rules, &candidates.codes).ok().filter(|table| !table.is_empty());
        // With lies, the codes left by an answer are not those that would give it.
        let codes = if candidates.complete && rules.lies() == 0 { table() } else { None };
        Self { notes, candidates, codes: codes.map(|codes| (codes, Partitioner::new(rules))) }
    }

    /// Rates a guess with its score in `unit`.
    pub(crate) fn rate(&mut self, guess: Code, unit: &str, search: &mut Search<'_>) -> RatedGuess {
        let consistent = self.is_candidate(&guess);
        let chance =
            if consistent { self.candidates.count.map(|codes| 1.0 / codes.to_f64()) } else { Uncertain::Exact(0.0) };
        let (expected_remaining, score) = match self.sizes(&guess, search) {
            Some((sizes, winning)) => {
                let codes: f64 = sizes.iter().sum();
                let expected = (sizes.iter().map(|size| size * size).sum::<f64>() - winning * winning) / codes;
                (Uncertain::Exact(expected), score(&sizes, unit).map_or(Uncertain::Unknown, Uncertain::Exact))
            }
            None => self.estimate(&guess, unit),
        };
        // An upper bound on the number of codes is a lower bound on the probability, which `Uncertain` cannot express.
        let chance = if matches!(chance, Uncertain::AtMost(_)) { Uncertain::Unknown } else { chance };
        let unit = unit.to_owned();
        RatedGuess { guess, rank: 1, consistent, score, unit, expected_remaining, chance, lost: Uncertain::Unknown }
    }

    /// Returns the sizes of the parts in ascending order and that of the winning part, if they can be computed exactly.
    fn sizes(&mut self, guess: &Code, search: &mut Search<'_>) -> Option<(Vec<f64>, f64)> {
        let rules = self.notes.rules();
        let (mut sizes, winning): (Vec<f64>, f64) = if let Some((codes, partitioner)) = &mut self.codes {
            let mut sizes = Vec::new();
            partitioner.sizes(guess, codes, &mut sizes);
            (sizes.into_iter().map(f64::from).collect(), winning_codes(rules, guess, codes) as f64)
        } else if self.notes.notes().is_empty() && rules.lies() == 0 && exact_count::counts_by_color(rules) {
            let counts = exact_count::feedback_counts(rules, guess, search)?;
            (counts.into_values().map(|size| size as f64).collect(), 1.0)
        } else {
            return None;
        };
        sizes.sort_by(f64::total_cmp);
        Some((sizes, winning))
    }

    fn estimate(&self, guess: &Code, unit: &str) -> (Uncertain<f64>, Uncertain<f64>) {
        let Some(sample) = &self.candidates.sample else { return (Uncertain::Unknown, Uncertain::Unknown) };
        let rating = sample.rate_guess(self.notes.rules(), guess);
        // In an estimate, the code that wins at once is negligible.
        (scale(rating.collision, self.candidates.count), if unit == BITS { rating.entropy } else { Uncertain::Unknown })
    }

    pub(crate) fn is_candidate(&self, code: &Code) -> bool {
        is_candidate(self.notes, self.candidates, code)
    }
}

/// Multiplies a share by a number of codes. Treats their errors as independent.
pub(crate) fn scale(share: Uncertain<f64>, amount: Amount) -> Uncertain<f64> {
    let (Some(share_value), Some(codes)) = (share.value(), amount.value()) else { return Uncertain::Unknown };
    let value = share_value * codes.to_f64();
    if !value.is_finite() {
        return Uncertain::Unknown;
    }
    let (Some((low, high)), Some((fewest, most))) = (share.interval(), amount.interval()) else {
        return Uncertain::Unknown;
    };
    if share.is_exact() && amount.is_exact() {
        return Uncertain::Exact(value);
    }
    let off = |share_end: f64, codes_end: f64| {
        let [share, codes] = [(share_end, share_value), (codes_end, codes.to_f64())]
            .map(|(end, value)| if value > 0.0 { end / value - 1.0 } else { 0.0 });
        (share * share + codes * codes).sqrt()
    };
    let (below, above) = (off(low, fewest.to_f64()), off(high, most.to_f64()));
    Uncertain::Estimate { value, low: (value * (1.0 - below)).max(0.0), high: value * (1.0 + above) }
}

/// Returns the score in a known unit.
fn score(sizes: &[f64], unit: &str) -> Option<f64> {
    let codes: f64 = sizes.iter().sum();
    match unit {
        BITS => Some(sizes.iter().map(|size| size / codes * (codes / size).log2()).sum()),
        "codes at worst" => sizes.last().copied(),
        "codes on average" => Some(sizes.iter().map(|size| size * size).sum::<f64>() / codes),
        "parts" => Some(sizes.len() as f64),
        _ => None,
    }
}

/// Order in which a strategy compared guesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RankOrder {
    /// By guesses lost; guesses with an unknown loss follow by score.
    Lost,
    /// By a score of the strategy.
    Scores,
    /// The strategy does not compare guesses.
    Unknown,
}

/// Assigns ranks to guesses in the order of the strategy, if it compared them by exact numbers; otherwise by guesses
/// lost if they are known, or else by score. Guesses that are equally good, or whose intervals overlap, rank equally.
pub(crate) fn rank(guesses: &mut [&mut RatedGuess], order: RankOrder) {
    let is_exact = guesses.iter().all(|rated| rated.score.is_exact());
    if order == RankOrder::Lost || order == RankOrder::Scores && is_exact {
        let key = |rated: &RatedGuess| match (order, rated.lost.exact_value()) {
            (RankOrder::Lost, Some(lost)) => (Some(lost), None, false),
            _ => (None, rated.score.value(), rated.consistent),
        };
        for at in 0..guesses.len() {
            let is_equal = at > 0 && key(guesses[at]) == key(guesses[at - 1]);
            guesses[at].rank = if is_equal { guesses[at - 1].rank } else { at + 1 };
        }
        return;
    }
    let by_lost = guesses.iter().all(|rated| rated.lost.value().is_some());
    let better = |one: &RatedGuess, other: &RatedGuess| {
        if by_lost {
            one.lost.is_below(other.lost)
        } else if matches!(one.unit.as_str(), BITS | WEIGHTED_BITS | "parts") {
            // Higher scores of these units are better.
            other.score.is_below(one.score)
        } else {
            one.score.is_below(other.score)
        }
    };
    let ranks: Vec<usize> =
        guesses.iter().map(|rated| 1 + guesses.iter().filter(|other| better(other, rated)).count()).collect();
    guesses.iter_mut().zip(ranks).for_each(|(rated, rank)| rated.rank = rank);
}

// One-step ranking.

/// Maximum number of pairs of guess and code compared: a few hundredths of a second.
const PAIRS: usize = 60_000_000;
/// Maximum number of pairs compared after the time limit.
const PAIRS_AFTER_TIMEOUT: usize = 500_000;
/// Maximum number of pairs that a position strategy compares.
const PAIRS_FOR_STRATEGY: usize = 1_000_000_000;
/// Maximum number of codes sampled.
const MAX_CODES: usize = 40_000;
/// Maximum number of guesses sampled.
const MAX_GUESSES: usize = 40_000;

/// Ranker of guesses against the consistent codes.
pub(crate) struct Ranker<'a> {
    notes: &'a Notes,
    candidates: &'a Candidates,
    solver: OneStepSolver,
    /// Codes that guesses are compared against.
    codes: Table,
}

impl<'a> Ranker<'a> {
    /// Creates a ranker. Returns `None` if there are no codes, or if they do not fit a [`Table`].
    pub(crate) fn new(notes: &'a Notes, candidates: &'a Candidates, search: &mut Search<'_>) -> Option<Self> {
        let rules = notes.rules();
        Table::new(rules).ok()?;
        let solver = OneStepSolver::entropy(rules);
        let most = scaled_pairs(rules, &solver, pair_budget(search)).clamp(1, MAX_CODES);
        let rows = search.rng.sample(candidates.codes.len() as u32, most);
        let codes = Table::from_codes(rules, rows.iter().map(|&row| &candidates.codes[row as usize])).ok()?;
        (!codes.is_empty()).then_some(Self { notes, candidates, solver, codes })
    }

    /// Returns up to `most` guesses, best first, and the basis of the ranking.
    pub(crate) fn best(&mut self, most: usize, search: &mut Search<'_>) -> (Vec<Code>, Basis) {
        let (pool, whole) = self.pool(search);
        let pool = match Table::from_codes(self.notes.rules(), &pool) {
            Ok(pool) => pool,
            Err(_) => self.codes.clone(),
        };
        search.score((pool.len() * self.codes.len()) as u64);
        clock::work((pool.len() * self.codes.len()) as u64);
        let (notes, candidates) = (self.notes, self.candidates);
        let best = self.solver.rank(&self.codes, &pool, |code| is_candidate(notes, candidates, code), most);
        let basis = if whole && candidates.complete && self.codes.len() == candidates.codes.len() {
            Basis::Scored
        } else {
            let (guesses, codes) = (pool.len(), self.codes.len());
            let all = candidates.complete && codes == candidates.codes.len();
            let against = if all { "all" } else { "a sample of" };
            Basis::BestEffort(format!("the best of {guesses} guesses against {against} {codes} codes that fit"))
        };
        (best, basis)
    }

    /// Returns the guesses to compare, and true if these represent all guesses.
    fn pool(&self, search: &mut Search<'_>) -> (Vec<Code>, bool) {
        let rules = self.notes.rules();
        let most = (scaled_pairs(rules, &self.solver, pair_budget(search)) / self.codes.len()).clamp(1, MAX_GUESSES);
        let all = if listed::is_listable(rules) { self.distinct_guesses() } else { None };
        let Some(all) = all else {
            return (pick(&self.candidates.codes, most, search), false);
        };
        if all.len() <= most {
            return (all.codes().collect(), true);
        }
        let mut pool = pick(&self.candidates.codes, most.div_ceil(2), search);
        let others = search.rng.sample(all.len() as u32, most / 2);
        pool.extend(others.into_iter().map(|row| all.code(row as usize)));
        pool.sort_unstable();
        pool.dedup();
        (pool, false)
    }

    /// Returns one guess of each symmetry class, in a listable space.
    fn distinct_guesses(&self) -> Option<std::sync::Arc<Table>> {
        let rules = self.notes.rules();
        match self.notes.history() {
            Some(history) => {
                let guesses = history.guesses();
                Some(self.solver.pool(Position { codes: &self.codes, guesses: &guesses }))
            }
            // Forgotten guesses leave the symmetries unknown.
            None => Table::all(rules).ok().map(std::sync::Arc::new),
        }
    }
}

/// Returns the number of pairs to compare; small after the time limit, because the comparison does not check the clock.
fn pair_budget(search: &Search<'_>) -> usize {
    if search.watch().stop().is_some() { PAIRS_AFTER_TIMEOUT } else { PAIRS }
}

/// Converts a number of pairs with a kernel to one of equal cost for these rules.
fn scaled_pairs(rules: &Rules, solver: &OneStepSolver, n: usize) -> usize {
    if solver.has_kernel() { n } else { n / SLOWDOWN_WITHOUT_KERNEL / rules.board().line_count() }
}

fn pick(codes: &[Code], most: usize, search: &mut Search<'_>) -> Vec<Code> {
    let rows = search.rng.sample(codes.len() as u32, most);
    rows.into_iter().map(|row| codes[row as usize].clone()).collect()
}

fn is_candidate(notes: &Notes, candidates: &Candidates, code: &Code) -> bool {
    candidates.codes.binary_search(code).is_ok() || !candidates.complete && notes.is_consistent(code)
}

/// Returns the guess of a position strategy, if all codes are listed and can be compared in time. In place of the real
/// guesses, which are partly unknown, the strategy receives guesses that break all symmetries.
pub(crate) fn choose_by_position(
    notes: &Notes,
    candidates: &Candidates,
    strategy: &dyn Strategy,
    search: &mut Search<'_>,
) -> Option<Code> {
    let rules = notes.rules();
    if !candidates.complete || !listed::is_listable(rules) {
        return None;
    }
    let all = pegwise_game::Space::new(rules).count().exact()?;
    let max_pairs = scaled_pairs(rules, &OneStepSolver::entropy(rules), PAIRS_FOR_STRATEGY) as u128;
    if all * candidates.codes.len() as u128 > max_pairs {
        return None;
    }
    let mut player = strategy.position_strategy()?;
    let codes = Table::from_codes(rules, &candidates.codes).ok()?;
    let guesses = symmetry_breaking_guesses(rules, search)?;
    Some(player.choose(Position { codes: &codes, guesses: &guesses }))
}

/// Returns the guesses of notes or, if parts of them are unknown, guesses that break all symmetries.
pub(crate) fn guesses_of(notes: &Notes, search: &mut Search<'_>) -> Option<Vec<Code>> {
    match notes.history() {
        Some(history) => Some(history.guesses()),
        None => symmetry_breaking_guesses(notes.rules(), search),
    }
}

/// Returns guesses after which no two codes are symmetric.
fn symmetry_breaking_guesses(rules: &Rules, search: &mut Search<'_>) -> Option<Vec<Code>> {
    /// Maximum number of random guesses added.
    const MAX_DRAWS: usize = 200;
    let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
    // The first guesses contain every color.
    let showing = |first: usize| Code::from_indices((0..cells).map(|cell| ((first + cell) % colors) as u16));
    let mut guesses: Vec<Code> = (0..colors).step_by(cells).map(showing).collect();
    for _ in 0..MAX_DRAWS {
        if Symmetry::new(rules, &guesses).is_trivial() {
            return Some(guesses);
        }
        guesses.push(search.rng.code(rules));
    }
    None
}
