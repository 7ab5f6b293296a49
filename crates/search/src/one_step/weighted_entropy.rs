//! Entropy with a weight per mark, on rows of four cells.
//!
//! A guess scores the sum of `p * -log2(p) * weight` over the marks with probability `p`; the highest score is played,
//! and any code may be guessed. With equal weights this is `neuwirth`. Ties are exact, because scores are integers.
//!
//! The weights are those that Gür found by a genetic algorithm for 4x6: one set for all turns, or one set per turn, the
//! last of which holds for all later turns. At 4x6, `max-5` takes 5,646 guesses, `max-6` 5,645 and `by-turn` 5,729;
//! `by-turn` takes the published 5,636 with `first=1123`, which its own weights do not choose.
//!
//! # References
//! S. Gür, The quality of information: a weighted entropy approach to near-optimal Mastermind, arXiv 2511.19446, 2025.

use std::{cmp::Reverse, sync::Arc};

use pegwise_game::partition::MarkEncoding;
use pegwise_game::{Code, FeedbackKind, History, Rules, Space, Table};

use super::cost::{CostFunction, Criterion, Logarithms};
use super::pools::common_rows;
use super::solver::{Guesses, OneStepSolver, Ties};
use super::strategy::{FIRST, MAX_PAIRS};
use crate::candidates::{CandidateTracker, listed};
use crate::clock;
use crate::parallel;
use crate::parameter::Parameter;
use crate::row::{Capability, Row, always};
use crate::search::Search;
use crate::strategy::{
    Alternative, Basis, Built, Position, PositionStrategy, Proposal, Proposed, Strategy, StrategyError,
};

/// Marks of four cells, as black and white pegs, in the order of the weights.
const MARKS: [[u64; 2]; 14] =
    [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [1, 0], [1, 1], [1, 2], [1, 3], [2, 0], [2, 1], [2, 2], [3, 0], [4, 0]];

/// Weights in thousandths, one for each of [`MARKS`].
type Weights = [u64; MARKS.len()];

/// Weights for at most six guesses at 4x6.
const MAX_6: &[Weights] = &[[1240, 1340, 1420, 1030, 790, 1250, 1330, 1170, 1000, 1080, 1110, 1330, 1100, 2270]];
/// Weights for at most five guesses at 4x6.
const MAX_5: &[Weights] = &[[473, 446, 523, 410, 350, 534, 486, 423, 383, 406, 413, 458, 424, 800]];
/// One set per turn.
const BY_TURN: &[Weights] = &[
    [1000, 700, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000],
    [700, 600, 600, 510, 430, 600, 850, 600, 320, 340, 400, 600, 400, 1000],
    [700, 410, 530, 470, 370, 400, 470, 500, 460, 480, 460, 500, 500, 900],
    [300, 500, 400, 500, 400, 500, 500, 400, 600, 400, 500, 500, 500, 1000],
    [400, 600, 300, 600, 500, 400, 500, 500, 500, 600, 600, 700, 600, 800],
    [200, 800, 400, 600, 600, 600, 700, 500, 200, 600, 400, 300, 500, 400],
];

/// Minimum number of guesses per task of a thread.
const ROWS_PER_TASK: usize = 512;

const WEIGHTS: Parameter = Parameter::choice(
    "weights",
    &["max-6", "max-5", "by-turn"],
    "published weights: for all turns, with at most six or five guesses at 4x6, or a set for each turn",
);

/// Catalog row of the strategy.
pub(super) const ROW: Row = Row {
    name: "weighted-entropy",
    title: "Weighted entropy",
    family: "one-step",
    paper: "S. Gür, The quality of information: a weighted entropy approach to near-optimal Mastermind, arXiv 2511.19446, 2025",
    about: "maximizes the entropy of the feedback, with a published weight for each mark",
    plays: "rows of four cells with black and white pegs and at most 44,721 codes",
    parameters: &[WEIGHTS, FIRST],
    capabilities: &[(Capability::Deterministic, always), (Capability::ByPosition, always)],
    can_play: |rules| {
        let pairs = Space::new(rules).count().exact().and_then(|codes| codes.checked_mul(codes));
        let is_small = listed::is_listable(rules) && pairs.is_some_and(|pairs| pairs <= MAX_PAIRS as u128);
        rules.board().is_row() && rules.cells() == 4 && rules.feedback() == FeedbackKind::BlackWhite && is_small
    },
    build: |name, rules, arguments| -> Built {
        let remaining = CandidateTracker::new(rules).map_err(|error| StrategyError::unplayable(name, rules, &error))?;
        let weights = match arguments.text("weights") {
            "max-5" => MAX_5,
            "by-turn" => BY_TURN,
            _ => MAX_6,
        };
        let chooser = Chooser::new(rules, weights, arguments.code("first", rules));
        Ok(Box::new(WeightedEntropy { remaining, chooser, opening: None }))
    },
    ..Row::BLANK
};

struct WeightedEntropy {
    remaining: CandidateTracker,
    chooser: Chooser,
    /// Best first guess, once computed, and its number of pairs of guess and candidate.
    opening: Option<(Code, u64)>,
}

impl Strategy for WeightedEntropy {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        let view = self.remaining.after(history, search)?;
        if view.codes.is_empty() {
            return Ok(Proposal::last_resort(history.rules(), view.stop, search));
        }
        if let (true, Some(first)) = (history.is_empty(), &self.chooser.first) {
            return Ok(Proposal { remaining: view.count, ..Proposal::new(first.clone(), Basis::Scored) });
        }
        if let (true, 0, Some((guess, pairs))) = (history.is_empty(), search.alternatives, &self.opening) {
            // Counted as if it were computed, so that the counters of a game do not depend on earlier games.
            search.score(*pairs);
            return Ok(Proposal { remaining: view.count, ..Proposal::new(guess.clone(), Basis::Scored) });
        }
        let guesses = history.guesses();
        let position = Position { codes: &view.codes, guesses: &guesses };
        let ranking = self.chooser.rank(position);
        let pairs = (ranking.scores.len() * view.codes.len()) as u64;
        search.score(pairs);
        if history.is_empty() {
            self.opening = Some((ranking.best(), pairs));
        }
        let basis = if view.codes.len() == 1 { Basis::Proven } else { Basis::Scored };
        let mut proposal = Proposal { remaining: view.count, ..Proposal::new(ranking.best(), basis) };
        if search.alternatives > 0 {
            let mut described =
                ranking.rows(search.alternatives + 1).map(|row| self.chooser.describe(&ranking, row, position));
            proposal.rated = described.next();
            proposal.alternatives = described.collect();
        }
        Ok(proposal)
    }

    fn position_strategy(&self) -> Option<Box<dyn PositionStrategy>> {
        Some(Box::new(self.chooser.clone()))
    }
}

#[derive(Clone)]
struct Chooser {
    first: Option<Code>,
    /// One set of weights per turn, for the marks in the order of histograms.
    weights: Vec<Vec<u64>>,
    logarithms: Logarithms,
    solver: OneStepSolver,
}

/// Guesses with their scores.
struct Ranking {
    pool: Arc<Table>,
    /// Weighted entropy of each guess, times the number of candidates.
    scores: Vec<u64>,
    consistent: Vec<bool>,
}

impl Chooser {
    fn new(rules: &Rules, sets: &[Weights], first: Option<Code>) -> Self {
        let encoding = MarkEncoding::new(rules).expect("marks of four cells fit in a byte");
        let of = |set: &Weights, byte: u8| {
            let at = MARKS.iter().position(|mark| encoding.mark(byte).numbers().eq(*mark));
            set[at.expect("every mark of four cells has a weight")]
        };
        let in_order = |set: &Weights| encoding.possible().iter().map(|&byte| of(set, byte)).collect();
        let entropy = CostFunction::new(Criterion::Entropy, 0);
        Self {
            first,
            weights: sets.iter().map(in_order).collect(),
            logarithms: Logarithms::up_to(Space::new(rules).count().exact().unwrap_or(0) as usize),
            solver: OneStepSolver::new(rules, entropy, Guesses::All, Ties::ConsistentLowest),
        }
    }

    fn rank(&self, position: Position<'_>) -> Ranking {
        let codes = position.codes;
        let pool = self.solver.pool(position);
        let weights = &self.weights[position.guesses.len().min(self.weights.len() - 1)];
        let kernel = self.solver.partitioner.batch_kernel().expect("marks of four cells have a kernel");
        let log_of_all = self.logarithms.weighted(codes.len()) / codes.len() as u64;
        let score = |sizes: &mut Vec<u32>, row| {
            kernel.histogram_of_row(&pool, row, codes, sizes);
            let part = |(&size, weight): (&u32, &u64)| {
                weight * (u64::from(size) * log_of_all - self.logarithms.weighted(size as usize))
            };
            sizes.iter().zip(weights).map(part).sum()
        };
        clock::work((pool.len() * codes.len()) as u64);
        let scores = parallel::map_rows(pool.len(), ROWS_PER_TASK, || vec![0; weights.len()], score);
        let mut consistent = vec![false; pool.len()];
        common_rows(&pool, codes).into_iter().for_each(|row| consistent[row as usize] = true);
        Ranking { pool, scores, consistent }
    }

    fn describe(&mut self, ranking: &Ranking, row: usize, position: Position<'_>) -> Alternative {
        let codes = position.codes;
        let thousandths = ranking.scores[row] as f64 / Logarithms::ONE as f64 / codes.len() as f64;
        let described = self.solver.describe(ranking.pool.code(row), ranking.consistent[row], codes);
        Alternative { score: thousandths / 1000.0, unit: "weighted bits".into(), ..described }
    }
}

impl Ranking {
    /// Returns the key by which guesses are compared; lower is better.
    fn key(&self, row: usize) -> (Reverse<u64>, bool, usize) {
        (Reverse(self.scores[row]), !self.consistent[row], row)
    }

    fn best(&self) -> Code {
        let best = (0..self.scores.len()).min_by_key(|&row| self.key(row));
        self.pool.code(best.expect("a space has at least one code"))
    }

    /// Returns the best rows, best first.
    fn rows(&self, count: usize) -> impl Iterator<Item = usize> {
        let mut rows: Vec<usize> = (0..self.scores.len()).collect();
        rows.sort_unstable_by_key(|&row| self.key(row));
        rows.into_iter().take(count)
    }
}

impl PositionStrategy for Chooser {
    fn choose(&mut self, position: Position<'_>) -> Code {
        let first = self.first.clone().filter(|_| position.guesses.is_empty());
        first.unwrap_or_else(|| self.rank(position).best())
    }

    fn duplicate(&self) -> Box<dyn PositionStrategy> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pegwise_game::feedback;

    use super::*;
    use crate::rng::Rng;

    /// Returns the score of a guess from pairs of codes and floating-point logarithms.
    fn naive_score(rules: &Rules, weights: &Weights, guess: &Code, codes: &[Code]) -> f64 {
        let mut parts: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
        for code in codes {
            let mark = feedback(rules, guess, code).marks()[0];
            *parts.entry(mark.numbers().collect()).or_default() += 1.0;
        }
        let term = |(mark, size): (Vec<u64>, f64)| {
            let weight = MARKS.iter().zip(weights).find(|(other, _)| mark == *other).unwrap().1;
            let p = size / codes.len() as f64;
            -p * p.log2() * *weight as f64 / 1000.0
        };
        parts.into_iter().map(term).sum()
    }

    #[test]
    fn guesses_are_the_best_of_all_codes() {
        for (text, sets) in
            [("4x6", MAX_5), ("4x3", MAX_6), ("4x5:no-repeats", MAX_6), ("4x4", BY_TURN), ("4x1", MAX_5)]
        {
            let rules: Rules = text.parse().unwrap();
            let all: Vec<Code> = Space::new(&rules).iter().collect();
            let mut chooser = Chooser::new(&rules, sets, None);
            let mut rng = Rng::new(7);
            for turns in 0..4 {
                let secret = rng.code(&rules);
                let history = History::against(&rules, &secret, (0..turns).map(|_| rng.code(&rules)));
                let codes: Vec<Code> = all.iter().filter(|code| history.is_consistent(code)).cloned().collect();
                let table = Table::from_codes(&rules, &codes).unwrap();
                let guesses = history.guesses();
                let chosen = chooser.choose(Position { codes: &table, guesses: &guesses });
                let weights = &sets[turns.min(sets.len() - 1)];
                let scores: Vec<f64> = all.iter().map(|guess| naive_score(&rules, weights, guess, &codes)).collect();
                let best = scores.iter().copied().fold(f64::MIN, f64::max);
                let tied = || (0..all.len()).filter(|&row| scores[row] > best - 1e-9);
                let expected = tied().find(|&row| codes.contains(&all[row])).or_else(|| tied().next()).unwrap();
                assert_eq!(chosen, all[expected], "{text} after {guesses:?}");
            }
        }
    }

    #[test]
    fn equal_weights_are_entropy() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut chooser = Chooser::new(&rules, &[[1000; MARKS.len()]], None);
        let neuwirth = CostFunction::new(Criterion::Entropy, 0);
        let mut entropy = OneStepSolver::new(&rules, neuwirth, Guesses::All, Ties::ConsistentLowest);
        let mut rng = Rng::new(3);
        for turns in (0..12).map(|position| position % 4) {
            let secret = rng.code(&rules);
            let history = History::against(&rules, &secret, (0..turns).map(|_| rng.code(&rules)));
            let codes: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
            let table = Table::from_codes(&rules, &codes).unwrap();
            let guesses = history.guesses();
            let position = Position { codes: &table, guesses: &guesses };
            assert_eq!(chooser.choose(position), entropy.choose(position, &mut rng), "after {guesses:?}");
        }
    }
}
