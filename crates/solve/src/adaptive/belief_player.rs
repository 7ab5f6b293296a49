//! Guesses by marginal probabilities, on boards where no consistent code is found in time.
//!
//! An answer is as informative as it is uncertain given the earlier answers. Cells are modeled as independent with their
//! [marginals](pegwise_sampling::beliefs), and so are the color counts. The black pegs of a guess and its pegs in total
//! are then sums whose covariances with those of earlier guesses are known, and the information of a guess is the
//! logarithm of the variance that a linear prediction from the earlier answers does not explain.
//!
//! Cost: a few multiplications per cell and pair of turns, and a sixth of the cube of the turns.

use std::sync::Arc;

use pegwise_game::{Code, Color, History, Rules, Turn};

use super::settings::{
    ABSENT, ABSENT_ONE_IN, BELIEF_GUESSES, CELLS_PER_COLOR, MAX_SHARPNESS, MIN_INFORMATIVE_VARIANCE, MIN_PROBABILITY,
    MIN_VARIANCE, NOISE, Settings,
};
use pegwise_sampling::beliefs::Beliefs;
use pegwise_sampling::tempering::{self, Effort};
use pegwise_search::{Basis, Proposal, Rng, Search, Watch, clock, parallel, portable};

/// Marginals that are kept from turn to turn.
#[derive(Debug)]
pub(super) struct BeliefPlayer {
    rules: Rules,
    settings: Settings,
    beliefs: Beliefs,
}

impl BeliefPlayer {
    /// Creates a player before the first turn; `None` if belief propagation does not support the rules.
    pub(super) fn new(rules: &Rules, settings: Settings) -> Option<Self> {
        Some(Self { rules: rules.clone(), settings, beliefs: Beliefs::new(rules)? })
    }

    /// Proposes a guess with the given share of the default work: a consistent code if the marginals are confident and one
    /// is found, otherwise an informative guess.
    pub(super) fn guess(&mut self, history: &History, share: f64, search: &mut Search<'_>) -> Proposal {
        let guess = self.informative_guess(history, share, search);
        let min_correct = self.settings.beliefs.min_correct * self.rules.cells() as f64;
        if self.beliefs.expected_correct() > min_correct
            && let Some(code) = self.consistent_code(&guess, history, share, search)
        {
            return Proposal::new(code, Basis::Consistent);
        }
        let why = "no code that fits is known; this guess is informative given the likely colors of each cell";
        let is_consistent = history.is_consistent(&guess);
        Proposal::new(guess, if is_consistent { Basis::Consistent } else { Basis::BestEffort(why.to_owned()) })
    }

    /// Returns an informative guess that was not played before.
    fn informative_guess(&mut self, history: &History, share: f64, search: &mut Search<'_>) -> Code {
        let settings = self.settings.beliefs;
        self.beliefs.follow(history);
        let rounds = (settings.rounds * share.max(0.05)).ceil() as usize;
        self.beliefs.propagate(rounds, search.watch_share(self.settings.sampling_share), search);
        let mut guess = if self.beliefs.expected_correct() > self.rules.cells() as f64 - settings.max_wrong {
            self.beliefs.draw(settings.final_sharpness, &mut search.rng)
        } else {
            VarianceScorer::new(&self.rules, &self.beliefs, history.turns(), search.watch()).best(&mut search.rng)
        };
        for _ in 0..settings.max_draws {
            if history.turns().iter().all(|turn| turn.guess != guess) {
                return guess;
            }
            guess = self.beliefs.draw(1.0, &mut search.rng);
        }
        search.rng.code(&self.rules)
    }

    fn consistent_code(&self, guess: &Code, history: &History, share: f64, search: &mut Search<'_>) -> Option<Code> {
        if search.watch().stop().is_some() {
            return None;
        }
        let cubed = (self.rules.cells() as u64).pow(3);
        let moves = (self.settings.beliefs.moves_times_cubed_cells / cubed) as f64 * share;
        let effort = Effort { codes: 1, moves: moves as u64 };
        tempering::sample(history, guess, effort, search).codes.into_iter().next()
    }
}

/// Scorer of guesses by the variance of their answers given the earlier answers.
#[derive(Debug)]
struct VarianceScorer<'a> {
    rules: &'a Rules,
    beliefs: &'a Beliefs,
    lines: Vec<LineModel<'a>>,
    watch: Watch<'a>,
}

impl<'a> VarianceScorer<'a> {
    /// Prepares the covariances of the turns. Omits the later ones if `watch` stops it.
    fn new(rules: &'a Rules, beliefs: &'a Beliefs, turns: &[Turn], watch: Watch<'a>) -> Self {
        let marginals: Arc<[f64]> = beliefs.marginals().into();
        let lines = rules.board().lines().enumerate();
        let lines = lines.map(|line| LineModel::new(line, rules, beliefs, &marginals, turns, watch)).collect();
        Self { rules, beliefs, lines, watch }
    }

    /// Returns the best of a few random guesses: drawn from the marginals, or of few colors in likely places. Compares
    /// fewer guesses if the watch stops it.
    fn best(&self, rng: &mut Rng) -> Code {
        let in_time = |number: &usize| *number == 0 || self.watch.stop().is_none();
        let guesses = (0..BELIEF_GUESSES).take_while(in_time).map(|number| {
            clock::work((self.rules.cells() * usize::from(self.rules.colors())) as u64);
            let calibration = self.beliefs.calibration();
            let sharpness = (1.0 + (MAX_SHARPNESS - 1.0) * rng.unit()) * calibration * calibration;
            match self.beliefs.known_counts() {
                Some(counts) if number % 2 == 1 => self.arrange(counts, sharpness, rng),
                None if number % 2 == 1 && self.rules.repeats() => self.of_few_colors(rng),
                _ => self.beliefs.draw(sharpness, rng),
            }
        });
        let guesses: Vec<Code> = guesses.collect();
        let scores = guesses.iter().map(|guess| self.lines.iter().map(|line| line.information(guess)).sum::<f64>());
        // Reversed, so that the first of equal guesses wins.
        let best = guesses.iter().zip(scores).rev().max_by(|one, other| one.1.total_cmp(&other.1));
        best.map_or_else(|| self.beliefs.draw(1.0, rng), |(guess, _)| guess.clone())
    }

    /// Draws a code with the given color counts, with colors in likely places.
    fn arrange(&self, counts: &[i32], sharpness: f64, rng: &mut Rng) -> Code {
        let left = counts.iter().map(|&count| count.into()).collect();
        self.fill(left, rng, |marginal, left| {
            if left > 0.0 { portable::exp(sharpness * portable::ln(marginal.max(MIN_PROBABILITY))) } else { 0.0 }
        })
    }

    /// Draws a code of some colors in equal numbers, in likely places.
    fn of_few_colors(&self, rng: &mut Rng) -> Code {
        let (cells, colors) = (self.rules.cells(), usize::from(self.rules.colors()));
        let cells_per_color = CELLS_PER_COLOR.start() + rng.index(CELLS_PER_COLOR.count());
        let mut chosen: Vec<usize> = (0..colors).collect();
        rng.shuffle(&mut chosen);
        chosen.truncate(cells.div_ceil(cells_per_color));
        let first = chosen[0];
        chosen.retain(|&color| {
            let is_absent =
                self.lines.iter().all(|line| self.beliefs.count_distribution(line.number, color)[0] > ABSENT);
            !is_absent || rng.below(ABSENT_ONE_IN) == 0
        });
        if chosen.is_empty() {
            chosen.push(first);
        }
        let mut left = vec![0.0; colors];
        for cell in 0..cells {
            left[chosen[cell / cells_per_color % chosen.len()]] += 1.0;
        }
        self.fill(left, rng, |marginal, left| (marginal + MIN_PROBABILITY) * left)
    }

    /// Draws a code with the color counts `left`, cell by cell in random order, by `weight(marginal, left)` of each color.
    fn fill(&self, mut left: Vec<f64>, rng: &mut Rng, weight: impl Fn(f64, f64) -> f64) -> Code {
        let mut order: Vec<usize> = (0..self.rules.cells()).collect();
        rng.shuffle(&mut order);
        let mut code = vec![Color::new(0); order.len()];
        let mut weights = vec![0.0; left.len()];
        for cell in order {
            for (color, entry) in weights.iter_mut().enumerate() {
                *entry = weight(self.beliefs.marginal(cell, color), left[color]);
            }
            let color = rng.weighted(&weights);
            left[color] -= 1.0;
            code[cell] = Color::new(color as u16);
        }
        Code::new(code)
    }
}

/// Covariances of the answers on one line.
#[derive(Debug)]
struct LineModel<'a> {
    number: usize,
    cells: &'a [usize],
    colors: usize,
    /// Marginal probability, for each cell and color.
    marginals: Arc<[f64]>,
    /// Variance of the pegs of a color, for each color and number of guessed cells; empty for black pegs only.
    peg_variances: Vec<f64>,
    max_count: usize,
    turns: Vec<LineGuess>,
    black: Cholesky,
    pegs: Cholesky,
}

/// A guess restricted to one line: the color of each cell, and the number of cells of each color.
#[derive(Debug)]
struct LineGuess {
    colors: Vec<usize>,
    counts: Vec<usize>,
}

impl<'a> LineModel<'a> {
    fn new(
        (number, cells): (usize, &'a [usize]),
        rules: &Rules,
        beliefs: &Beliefs,
        marginals: &Arc<[f64]>,
        turns: &[Turn],
        watch: Watch<'_>,
    ) -> Self {
        let (colors, max_count) = (usize::from(rules.colors()), beliefs.max_count());
        let mut peg_variances = Vec::new();
        for color in 0..if rules.feedback().model().colors { colors } else { 0 } {
            let counts = beliefs.count_distribution(number, color);
            peg_variances.extend((0..=max_count).map(|guessed| peg_variance(&counts, guessed)));
        }
        let (black, pegs, marginals) = (Cholesky::default(), Cholesky::default(), Arc::clone(marginals));
        let mut line =
            Self { number, cells, colors, marginals, peg_variances, max_count, turns: Vec::new(), black, pegs };
        let turns: Vec<LineGuess> = turns.iter().map(|turn| line.restrict(&turn.guess)).collect();
        let (black, pegs) = parallel::join(
            || Cholesky::new(turns.len(), watch, |one, other| line.black_covariance(&turns[one], &turns[other])),
            || Cholesky::new(turns.len(), watch, |one, other| line.peg_covariance(&turns[one], &turns[other])),
        );
        (line.turns, line.black, line.pegs) = (turns, black, pegs);
        line
    }

    fn restrict(&self, guess: &Code) -> LineGuess {
        let colors: Vec<usize> = self.cells.iter().map(|&cell| guess[cell].index()).collect();
        let mut counts = vec![0; self.colors];
        colors.iter().for_each(|&color| counts[color] += 1);
        LineGuess { colors, counts }
    }

    /// Returns the covariance of the black pegs of two guesses.
    fn black_covariance(&self, one: &LineGuess, other: &LineGuess) -> f64 {
        let pairs = self.cells.iter().zip(one.colors.iter().zip(&other.colors));
        let covariances = pairs.map(|(&cell, (&one, &other))| {
            let marginals = &self.marginals[cell * self.colors..][..self.colors];
            marginals[one] * (f64::from(u8::from(one == other)) - marginals[other])
        });
        covariances.sum()
    }

    /// Returns the approximate covariance of all pegs of two guesses, by the smaller count of each color.
    fn peg_covariance(&self, one: &LineGuess, other: &LineGuess) -> f64 {
        let variances = self.peg_variances.chunks(self.max_count + 1).zip(one.counts.iter().zip(&other.counts));
        variances.map(|(variances, (&one, &other))| variances[one.min(other).min(self.max_count)]).sum()
    }

    /// Returns a measure of the information of the answer to a guess.
    fn information(&self, guess: &Code) -> f64 {
        let guess = self.restrict(guess);
        let unexplained = |covariance: &dyn Fn(&LineGuess, &LineGuess) -> f64, turns: &Cholesky| {
            let covariances: Vec<f64> = self.turns.iter().map(|other| covariance(&guess, other)).collect();
            (covariance(&guess, &guess) - turns.explained_variance(&covariances)).max(0.0)
        };
        let black = unexplained(&|one, other| self.black_covariance(one, other), &self.black);
        let pegs = unexplained(&|one, other| self.peg_covariance(one, other), &self.pegs);
        portable::ln(black + MIN_INFORMATIVE_VARIANCE) + portable::ln(pegs + MIN_INFORMATIVE_VARIANCE)
    }
}

/// Returns the variance of the pegs of a color with `guessed` cells in the guess, by the distribution of its count.
fn peg_variance(counts: &[f64], guessed: usize) -> f64 {
    let (mut mean, mut square) = (0.0, 0.0);
    for (count, probability) in counts.iter().enumerate() {
        let pegs = count.min(guessed) as f64;
        mean += probability * pegs;
        square += probability * pegs * pegs;
    }
    (square - mean * mean).max(0.0)
}

/// Cholesky decomposition of a covariance matrix: the rows of the lower triangle.
#[derive(Debug, Clone, Default)]
struct Cholesky {
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Decomposes a matrix. Omits the later rows if `watch` stops it.
    fn new(size: usize, watch: Watch<'_>, covariance: impl Fn(usize, usize) -> f64) -> Self {
        let mut all = Self::default();
        for one in 0..size {
            if watch.stop().is_some() {
                break;
            }
            clock::work((one * (one + size)) as u64);
            let with_others: Vec<f64> = (0..one).map(|other| covariance(one, other)).collect();
            let mut row = all.solve(&with_others);
            let left = covariance(one, one) + NOISE - dot(&row, &row);
            row.push(left.max(MIN_VARIANCE).sqrt());
            all.rows.push(row);
        }
        all
    }

    /// Returns the variance of another variable that the decomposed variables explain, given its covariance with each.
    fn explained_variance(&self, covariances: &[f64]) -> f64 {
        let solved = self.solve(covariances);
        dot(&solved, &solved)
    }

    /// Solves the triangular system by forward substitution.
    fn solve(&self, covariances: &[f64]) -> Vec<f64> {
        let mut solved: Vec<f64> = Vec::with_capacity(covariances.len() + 1);
        for (row, &covariance) in self.rows.iter().zip(covariances) {
            let (before, own) = row.split_at(solved.len());
            solved.push((covariance - dot(before, &solved)) / own[0]);
        }
        solved
    }
}

/// Returns the dot product, by four independent sums for speed, in the same order on every machine.
fn dot(one: &[f64], other: &[f64]) -> f64 {
    const SUMS: usize = 4;
    let mut sums = [0.0; SUMS];
    let (ones, others) = (one.chunks_exact(SUMS), other.chunks_exact(SUMS));
    let rest: f64 = ones.remainder().iter().zip(others.remainder()).map(|(one, other)| one * other).sum();
    for (one, other) in ones.zip(others) {
        for (sum, (one, other)) in sums.iter_mut().zip(one.iter().zip(other)) {
            *sum += one * other;
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_guess_is_not_informative() {
        let rules: Rules = "20x20".parse().unwrap();
        let (secret, first, second) = (Rng::new(1).code(&rules), Rng::new(2).code(&rules), Rng::new(3).code(&rules));
        let history = History::against(&rules, &secret, [first.clone()]);
        let mut beliefs = Beliefs::new(&rules).unwrap();
        beliefs.follow(&history);
        beliefs.propagate(20, Watch::default(), &mut Search::new(0));
        let scorer = VarianceScorer::new(&rules, &beliefs, history.turns(), Watch::default());
        let information = |guess: &Code| scorer.lines[0].information(guess);
        assert!(information(&first) < information(&second) - 1.0, "{} {}", information(&first), information(&second));
    }

    #[test]
    fn guesses_are_valid() {
        for text in ["30x30", "30x4", "4x100", "20x30:no-repeats", "20x20:black-only", "grid:5x6x8", "ring:9x5"] {
            let rules: Rules = text.parse().unwrap();
            let beliefs = Beliefs::new(&rules).unwrap();
            let scorer = VarianceScorer::new(&rules, &beliefs, &[], Watch::default());
            for seed in 0..10 {
                rules.check_code(&scorer.best(&mut Rng::new(seed))).unwrap();
            }
        }
    }

    /// The difference of two known sums of independent variables is known, apart from the noise.
    #[test]
    fn sums_of_known_variables_are_explained() {
        let shares = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let product = |one: &[f64; 3], other: &[f64; 3]| -> f64 { one.iter().zip(other).map(|(a, b)| a * b).sum() };
        let known = Cholesky::new(2, Watch::default(), |one, other| 100.0 * product(&shares[one], &shares[other]));
        let explained = |new: [f64; 3]| {
            let covariances: Vec<f64> = shares[..2].iter().map(|share| 100.0 * product(share, &new)).collect();
            known.explained_variance(&covariances)
        };
        assert!((explained([0.0, 1.0, 0.0]) - 100.0).abs() < 0.2, "{}", explained([0.0, 1.0, 0.0]));
        assert_eq!(explained(shares[2]), 0.0);
        assert!((explained([0.0, 1.0, 1.0]) - 100.0).abs() < 0.2);
    }

    #[test]
    fn dot_products_equal_plain_sums() {
        let numbers: Vec<f64> = (0..11).map(f64::from).collect();
        for length in 0..numbers.len() {
            let plain: f64 = numbers[..length].iter().map(|number| number * number).sum();
            assert_eq!(dot(&numbers[..length], &numbers[..length]), plain);
        }
    }
}
