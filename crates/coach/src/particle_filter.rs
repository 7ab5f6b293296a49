//! Estimated number of consistent codes, and a nearly uniform sample of them, by a particle filter.
//!
//! Particles are partial codes, extended cell by cell. The proposal distribution draws each color by the estimated
//! probability that the code can be completed, and the importance weight corrects for it, so that the mean weight is an
//! unbiased estimate of the number of consistent codes whatever the proposal (sequential importance sampling; D. E.
//! Knuth, Estimating the efficiency of backtrack programs, 1975). Resampling replaces particles of small weight by
//! copies of others without introducing bias (P. Del Moral, Feynman-Kac Formulae, 2004). The variance between
//! independent batches gives the confidence interval; if it is too large, there is no estimate.
//!
//! The completion probability of a line is the probability that random colors in its open cells add the missing sums.

use std::{cmp::Ordering, collections::BTreeMap};

use pegwise_game::{CellTerm, Code, Color, Feedback, History, Judge, Rules};
use pegwise_solve::{Search, candidates::lines_by_cell};

use crate::figure::{Amount, Size, Uncertain};
use crate::notes::NoteChecker;

/// Number of batches.
const BATCHES: usize = 16;
/// Initial number of codes per batch, which grows while the standard error is too large.
const INITIAL_CODES: usize = 128;
/// Maximum number of codes per batch.
const MAX_CODES: usize = 512;
/// Maximum number of color evaluations of all batches: a few tenths of a second.
const MAX_WORK: usize = 6_000_000;
/// Minimum number of codes per batch; if [`MAX_WORK`] allows fewer, there is no estimate.
const MIN_CODES: usize = 16;
/// Half width of the interval in standard errors. The 95 % quantile of Student's t for 16 batches is 2.13; it is
/// widened because the weights are skewed: a sample without one of the rare heavy batches underestimates its error.
const T_QUANTILE: f64 = 2.3;
/// Maximum relative standard deviation of the batches. Beyond it the weights are too skewed for an interval.
const MAX_DEVIATION: f64 = 0.6;
/// Minimum relative half width of an interval.
const MIN_ERROR: f64 = 0.005;
/// Relative standard error at which sampling stops.
const TARGET_ERROR: f64 = 0.04;

/// A batch of particles, independent of the others.
#[derive(Debug, Clone)]
pub(crate) struct ParticleBatch {
    pub(crate) codes: Vec<Code>,
    /// Natural logarithm of the batch's estimate of the number of codes.
    log: f64,
}

/// Estimated number of consistent codes, and the samples.
#[derive(Debug, Clone)]
pub(crate) struct SampleEstimate {
    pub(crate) count: Amount,
    pub(crate) batches: Vec<ParticleBatch>,
}

/// Estimates the number of codes consistent with a history and with partial notes. Returns `None` if the batches differ
/// too much or the search is stopped.
pub(crate) fn estimate(history: &History, partial: &[NoteChecker], search: &mut Search<'_>) -> Option<SampleEstimate> {
    // The tables for longer lines would take too long to build.
    const MAX_LINE: usize = 1024;
    if history.rules().board().lines().any(|line| line.len() > MAX_LINE) {
        return None;
    }
    if history.rules().feedback().model().per_cell && !history.is_empty() {
        return None;
    }
    let model = ProposalModel::new(history);
    let most = (MAX_WORK / (BATCHES * model.work_per_code())).min(MAX_CODES);
    if most < MIN_CODES {
        return None;
    }
    let mut codes = INITIAL_CODES.min(most);
    loop {
        let batches =
            (0..BATCHES).map(|_| model.batch(codes, partial, search)).collect::<Option<Vec<ParticleBatch>>>()?;
        let spread = spread(&batches)?;
        let near = spread.error <= TARGET_ERROR;
        if near || codes >= most {
            let (value, off) = (spread.log_mean, (T_QUANTILE * spread.error).max(MIN_ERROR));
            let [value, low, high] =
                [value, value - off, value + off].map(|log| Size::Log10(log / std::f64::consts::LN_10));
            return (spread.deviation <= MAX_DEVIATION)
                .then_some(SampleEstimate { count: Uncertain::Estimate { value, low, high }, batches });
        }
        // Four times as many codes halve the error.
        codes = if spread.error > 2.0 * TARGET_ERROR { most } else { (codes * 2).min(most) };
    }
}

struct BatchSpread {
    /// Logarithm of the mean of the batches.
    log_mean: f64,
    /// Standard deviation of a batch, relative to the mean.
    deviation: f64,
    /// Standard error of the mean, relative to the mean.
    error: f64,
}

fn spread(batches: &[ParticleBatch]) -> Option<BatchSpread> {
    let most = batches.iter().map(|batch| batch.log).fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return None;
    }
    let values: Vec<f64> = batches.iter().map(|batch| (batch.log - most).exp()).collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let deviation = variance.sqrt() / mean;
    Some(BatchSpread { log_mean: most + mean.ln(), deviation, error: deviation / count.sqrt() })
}

// Proposal distribution.

/// Minimum probability of a peg.
const MIN_PROBABILITY: f64 = 1e-3;
/// Weight of the model in which the pegs in common are independent of the black pegs.
const INDEPENDENT_SHARE: f64 = 0.3;
/// Exponent of the completion probability. Below 1, so that an underestimated color is still proposed.
const TEMPERING: f64 = 0.8;

/// Turns of a history, prepared for the proposal distribution.
struct ProposalModel {
    rules: Rules,
    lines_of: Vec<Vec<usize>>,
    lengths: Vec<usize>,
    guesses: Vec<Vec<u16>>,
    /// Number of pegs of a color in the guess, by turn, line and color.
    shown: Vec<u16>,
    goals: Vec<[i64; 2]>,
    /// Mean and variance of the sums that random colors add, by turn, line and number of open cells.
    ahead: Vec<Vec<RemainingSum>>,
    /// `met[n][k]` is the expected value of `min(k, pegs)`, where `pegs` is the number of pegs of one color among `n`
    /// random cells.
    met: Vec<Vec<f64>>,
    log_choose: Vec<Vec<f64>>,
}

#[derive(Clone, Copy, Default)]
struct RemainingSum {
    mean: [f64; 2],
    variance: f64,
}

impl ProposalModel {
    fn new(history: &History) -> Self {
        let rules = history.rules().clone();
        let (board, model, colors) = (rules.board(), rules.feedback().model(), usize::from(rules.colors()));
        let lines = board.line_count();
        let lengths: Vec<usize> = board.lines().map(<[usize]>::len).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let lines_of = lines_by_cell(board);
        let turns = history.turns();
        let mut shown = vec![0u16; turns.len() * lines * colors];
        let mut ahead = Vec::new();
        for (turn, played) in turns.iter().enumerate() {
            for (number, line) in board.lines().enumerate() {
                for &cell in line {
                    shown[(turn * lines + number) * colors + played.guess[cell].index()] += 1;
                }
                // Cells are filled in ascending order.
                let mut cells = line.to_vec();
                cells.sort_unstable_by(|one, other| other.cmp(one));
                let mut open = vec![RemainingSum::default()];
                for cell in cells {
                    let adds = |color: usize| model.cell.contribution(played.guess[cell].index() as u64, color as u64);
                    let mean = |of: &dyn Fn([u64; 2]) -> f64| {
                        (0..colors).map(|color| of(adds(color))).sum::<f64>() / colors as f64
                    };
                    let first = mean(&|sums| sums[0] as f64);
                    let last = *open.last().unwrap_or(&RemainingSum::default());
                    open.push(RemainingSum {
                        mean: [last.mean[0] + first, last.mean[1] + mean(&|sums| sums[1] as f64)],
                        variance: last.variance + mean(&|sums| (sums[0] as f64 - first).powi(2)),
                    });
                }
                ahead.push(open);
            }
        }
        let log_choose: Vec<Vec<f64>> = {
            let mut factorials = vec![0.0f64];
            (1..=longest).for_each(|number| factorials.push(factorials[number - 1] + (number as f64).ln()));
            (0..=longest)
                .map(|n| (0..=n).map(|k| factorials[n] - factorials[k] - factorials[n - k]).collect())
                .collect()
        };
        let chance = 1.0 / colors as f64;
        let pmf = |n: usize, k: usize| {
            let rest = if n == k { 0.0 } else { (n - k) as f64 * (1.0 - chance).max(f64::MIN_POSITIVE).ln() };
            (log_choose[n][k] + k as f64 * chance.ln() + rest).exp()
        };
        // The expected value of min(k, X) is the sum of P(X >= i) for i from 1 to k.
        let met = (0..=longest).map(|n| {
            let mut tails: Vec<f64> = (0..=n).map(|k| pmf(n, k)).collect();
            (0..n).rev().for_each(|k| tails[k] += tails[k + 1]);
            let sums = tails.iter().enumerate().scan(0.0, |sum, (most, tail)| {
                *sum += if most == 0 { 0.0 } else { *tail };
                Some(*sum)
            });
            sums.collect()
        });
        let met = met.collect();
        let sums = |sums: [u64; 2]| sums.map(|sum| sum as i64);
        Self {
            lines_of,
            lengths,
            guesses: turns.iter().map(|turn| turn.guess.iter().map(|color| color.index() as u16).collect()).collect(),
            shown,
            goals: turns.iter().flat_map(|turn| turn.feedback.marks()).map(|mark| sums(mark.sums())).collect(),
            ahead,
            met,
            log_choose,
            rules,
        }
    }

    /// Returns the number of color evaluations for one code.
    fn work_per_code(&self) -> usize {
        let visits: usize = self.lines_of.iter().map(Vec::len).sum();
        (visits * self.guesses.len()).max(self.rules.cells()) * usize::from(self.rules.colors())
    }

    /// Returns the expected number of further pegs in common from `open` random cells.
    fn expected_common(&self, particle: &Particle, at: usize, open: usize) -> f64 {
        if !self.rules.feedback().model().colors {
            return 0.0;
        }
        let (line, colors) = (at % self.lengths.len(), usize::from(self.rules.colors()));
        let missing = |color: usize| {
            self.shown[at * colors + color].saturating_sub(particle.pegs_of_color[line * colors + color])
        };
        (0..colors).map(|color| self.met[open][usize::from(missing(color)).min(open)]).sum()
    }

    /// Returns the log probability, to the power `TEMPERING`, that `open` random cells add the missing sums of a line.
    fn log_likelihood(&self, at: usize, missing: [i64; 2], open: usize, met: f64) -> f64 {
        let model = self.rules.feedback().model();
        let n = open as i64;
        let binomial = |n: i64, k: i64, mean: f64| -> f64 {
            if k < 0 || k > n {
                return f64::NEG_INFINITY;
            }
            let p = (mean / n.max(1) as f64).clamp(MIN_PROBABILITY, 1.0 - MIN_PROBABILITY);
            self.log_choose[n as usize][k as usize] + k as f64 * p.ln() + (n - k) as f64 * (1.0 - p).ln()
        };
        if open == 0 {
            let second = model.colors || model.cell == CellTerm::Ordered;
            return if missing[0] == 0 && (!second || missing[1] == 0) { 0.0 } else { f64::NEG_INFINITY };
        }
        let ahead = self.ahead[at][open];
        let log_probability = match model.cell {
            CellTerm::Distance | CellTerm::SquaredDistance => {
                let most = n as u64 * model.cell.max_contribution(self.rules.colors());
                if missing[0] < 0 || missing[0] as u64 > most {
                    return f64::NEG_INFINITY;
                }
                let off = missing[0] as f64 - ahead.mean[0];
                // Heavier tails than the normal distribution: a possible value must never seem impossible.
                let variance = ahead.variance.max(0.25);
                let normal = (-off * off / (2.0 * variance)).exp() / variance.sqrt();
                (normal + 1e-6).ln()
            }
            CellTerm::Ordered => {
                let [equal, higher] = missing;
                if equal < 0 || higher < 0 || equal + higher > n {
                    return f64::NEG_INFINITY;
                }
                binomial(n, equal, ahead.mean[0]) + binomial(n - equal, higher, ahead.mean[1])
            }
            CellTerm::Nothing => binomial(n, missing[1], met),
            _ if !model.colors => binomial(n, missing[0], ahead.mean[0]),
            _ => {
                let [black, common] = missing;
                if black < 0 || black > n || common < 0 || common > n {
                    return f64::NEG_INFINITY;
                }
                // A black peg is also a peg in common, unless pegs placed before already account for its color.
                let apart = binomial(n, common, met).exp();
                let others =
                    (met - ahead.mean[0]).max(0.0) / (1.0 - 1.0 / f64::from(self.rules.colors())).max(MIN_PROBABILITY);
                let joined = if common < black {
                    0.0
                } else {
                    binomial(n - black, common - black, others * (n - black) as f64 / n as f64).exp()
                };
                binomial(n, black, ahead.mean[0])
                    + ((1.0 - INDEPENDENT_SHARE) * joined + INDEPENDENT_SHARE * apart).ln()
            }
        };
        TEMPERING * log_probability
    }

    /// Returns the missing sums of a line after a color, and the expected number of further pegs in common.
    fn after(
        &self,
        particle: &Particle,
        at: usize,
        guessed: u64,
        color: usize,
        open: usize,
        met: f64,
    ) -> ([i64; 2], f64) {
        let (model, colors) = (self.rules.feedback().model(), usize::from(self.rules.colors()));
        let line = at % self.lengths.len();
        let [first, mut second] = model.cell.contribution(guessed, color as u64);
        let mut met = met;
        if model.colors {
            let missing = self.shown[at * colors + color].saturating_sub(particle.pegs_of_color[line * colors + color]);
            if missing > 0 {
                second += 1;
                let of = |missing: u16| self.met[open][usize::from(missing).min(open)];
                met += of(missing - 1) - of(missing);
            }
        }
        let [reached, goal] = [particle.reached[at], self.goals[at]];
        ([goal[0] - reached[0] - first as i64, goal[1] - reached[1] - second as i64], met)
    }
}

// Particles.

/// A partial code with its weight.
#[derive(Clone)]
struct Particle {
    code: Vec<Color>,
    used: Vec<bool>,
    pegs_of_color: Vec<u16>,
    reached: Vec<[i64; 2]>,
    /// Log likelihood of reaching the mark, by turn and line.
    log_likelihood: Vec<f64>,
    log_weight: f64,
}

impl ProposalModel {
    fn start(&self) -> Particle {
        let colors = usize::from(self.rules.colors());
        let mut particle = Particle {
            code: Vec::with_capacity(self.rules.cells()),
            used: vec![false; colors],
            pegs_of_color: vec![0; self.lengths.len() * colors],
            reached: vec![[0; 2]; self.goals.len()],
            log_likelihood: vec![0.0; self.goals.len()],
            log_weight: 0.0,
        };
        for at in 0..self.goals.len() {
            let line = at % self.lengths.len();
            let met = self.expected_common(&particle, at, self.lengths[line]);
            particle.log_likelihood[at] = self.log_likelihood(at, self.goals[at], self.lengths[line], met);
        }
        particle.log_weight = particle.log_likelihood.iter().sum();
        particle
    }

    /// Draws one batch. Returns `None` if the search is stopped.
    fn batch(&self, codes: usize, partial: &[NoteChecker], search: &mut Search<'_>) -> Option<ParticleBatch> {
        let mut particles: Vec<Particle> = vec![self.start(); codes];
        let mut log = 0.0;
        let mut open = self.lengths.clone();
        let mut log_weights = Vec::new();
        for cell in 0..self.rules.cells() {
            self.lines_of[cell].iter().for_each(|&line| open[line] -= 1);
            for particle in &mut particles {
                if particle.log_weight > f64::NEG_INFINITY {
                    search.step(u64::from(self.rules.colors()));
                    if search.stop().is_some() {
                        return None;
                    }
                    self.extend(particle, cell, &open, &mut log_weights, search);
                }
            }
            log += resample(&mut particles, search, false)?;
            if log == f64::NEG_INFINITY {
                return Some(ParticleBatch { codes: Vec::new(), log });
            }
        }
        if !partial.is_empty() {
            let mut checkers: Vec<NoteChecker> = partial.to_vec();
            for particle in &mut particles {
                search.examine(1);
                if search.watch().stop().is_some() {
                    return None;
                }
                if particle.log_weight > f64::NEG_INFINITY
                    && !checkers.iter_mut().all(|checker| checker.accepts(&particle.code))
                {
                    particle.log_weight = f64::NEG_INFINITY;
                }
            }
        }
        log += resample(&mut particles, search, true)?;
        let codes = if log == f64::NEG_INFINITY {
            Vec::new()
        } else {
            particles.into_iter().map(|particle| Code::new(particle.code)).collect()
        };
        Some(ParticleBatch { codes, log })
    }

    /// Draws the color of a cell.
    fn extend(
        &self,
        particle: &mut Particle,
        cell: usize,
        open: &[usize],
        log_weights: &mut Vec<f64>,
        search: &mut Search<'_>,
    ) {
        let (lines, colors) = (self.lengths.len(), usize::from(self.rules.colors()));
        let model = self.rules.feedback().model();
        log_weights.clear();
        log_weights.resize(colors, 0.0);
        for turn in 0..self.guesses.len() {
            let guessed = u64::from(self.guesses[turn][cell]);
            for &line in &self.lines_of[cell] {
                let at = turn * lines + line;
                let met = self.expected_common(particle, at, open[line]);
                for (color, log) in log_weights.iter_mut().enumerate() {
                    if *log == f64::NEG_INFINITY {
                        continue;
                    }
                    let (missing, met) = self.after(particle, at, guessed, color, open[line], met);
                    *log += self.log_likelihood(at, missing, open[line], met) - particle.log_likelihood[at];
                }
            }
        }
        if !self.rules.repeats() {
            log_weights
                .iter_mut()
                .zip(&particle.used)
                .filter(|(_, used)| **used)
                .for_each(|(log, _)| *log = f64::NEG_INFINITY);
        }
        let most = log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most == f64::NEG_INFINITY {
            particle.log_weight = most;
            return;
        }
        log_weights.iter_mut().for_each(|log| *log = (*log - most).exp());
        particle.log_weight += most + log_weights.iter().sum::<f64>().ln();
        let color = search.rng.weighted(log_weights);
        for turn in 0..self.guesses.len() {
            let guessed = u64::from(self.guesses[turn][cell]);
            for &line in &self.lines_of[cell] {
                let at = turn * lines + line;
                let met = self.expected_common(particle, at, open[line]);
                let (missing, met) = self.after(particle, at, guessed, color, open[line], met);
                particle.log_likelihood[at] = self.log_likelihood(at, missing, open[line], met);
                particle.reached[at] = [self.goals[at][0] - missing[0], self.goals[at][1] - missing[1]];
            }
        }
        particle.used[color] = true;
        if model.colors {
            self.lines_of[cell].iter().for_each(|&line| particle.pegs_of_color[line * colors + color] += 1);
        }
        particle.code.push(Color::new(color as u16));
    }
}

/// Resamples if the effective sample size is below one half, or if `always`. Returns the logarithm of the factor taken
/// out of all weights.
fn resample(particles: &mut Vec<Particle>, search: &mut Search<'_>, always: bool) -> Option<f64> {
    let most = particles.iter().map(|particle| particle.log_weight).fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return Some(most);
    }
    let weights: Vec<f64> = particles.iter().map(|particle| (particle.log_weight - most).exp()).collect();
    let (sum, squares) = (weights.iter().sum::<f64>(), weights.iter().map(|weight| weight * weight).sum::<f64>());
    let count = particles.len() as f64;
    if !always && sum * sum / squares > count / 2.0 {
        return Some(0.0);
    }
    // Systematic resampling: one random number for all particles.
    let step = sum / count;
    let mut next = search.rng.unit() * step;
    let (mut upto, mut resampled) = (0.0, Vec::with_capacity(particles.len()));
    for (particle, weight) in particles.iter().zip(&weights) {
        upto += weight;
        while next < upto && resampled.len() < particles.len() {
            resampled.push(Particle { log_weight: 0.0, ..particle.clone() });
            next += step;
        }
    }
    // Rounding may leave the last place empty.
    while let (true, Some(last)) = (resampled.len() < particles.len(), resampled.last().cloned()) {
        resampled.push(last);
    }
    *particles = resampled;
    Some(most + (sum / count).ln())
}

// Estimates about guesses.

/// Estimated partition of the consistent codes by a guess.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SplitEstimate {
    /// Probability that two random codes give the same feedback.
    pub(crate) collision: Uncertain<f64>,
    /// Shannon entropy of the feedback, in bits.
    pub(crate) entropy: Uncertain<f64>,
}

/// Minimum number of observed collisions for an estimate of their probability.
const MIN_PAIRS: f64 = 20.0;
/// Maximum share of feedback values observed once. Beyond it, many values were not observed at all.
const MAX_SINGLETON_SHARE: f64 = 0.05;

impl SampleEstimate {
    /// Estimates the partition by a guess, with jackknife errors over the batches.
    pub(crate) fn rate_guess(&self, rules: &Rules, guess: &Code) -> SplitEstimate {
        let parts = self.parts(rules, guess);
        let weights = self.weights();
        let all: Vec<usize> = (0..self.batches.len()).filter(|&at| weights[at] > 0.0).collect();
        let without = |left: usize| all.iter().copied().filter(|&at| at != left).collect::<Vec<_>>();
        let (codes, singles) = code_and_singleton_counts(&parts);
        let pairs = collision(&parts, &weights, &all).map_or(0.0, |collision| collision * codes * codes / 2.0);
        let jackknife = |of: &dyn Fn(&[usize]) -> Option<f64>| -> Option<Uncertain<f64>> {
            let value = of(&all)?;
            let others = all.iter().map(|&left| of(&without(left))).collect::<Option<Vec<f64>>>()?;
            let count = others.len() as f64;
            let mean = others.iter().sum::<f64>() / count;
            let variance = others.iter().map(|other| (other - mean).powi(2)).sum::<f64>() * (count - 1.0) / count;
            let off = T_QUANTILE * variance.sqrt();
            let value = count * value - (count - 1.0) * mean;
            Some(Uncertain::Estimate { value, low: (value - off).max(0.0), high: value + off })
        };
        let enough = all.len() >= BATCHES / 2;
        let collision =
            (enough && pairs >= MIN_PAIRS).then(|| jackknife(&|some| collision(&parts, &weights, some))).flatten();
        let entropy = (enough && singles <= MAX_SINGLETON_SHARE * codes)
            .then(|| jackknife(&|some| entropy(&parts, &weights, some)));
        SplitEstimate { collision: collision.unwrap_or_default(), entropy: entropy.flatten().unwrap_or_default() }
    }

    /// Returns the number of codes by feedback, for each batch.
    fn parts(&self, rules: &Rules, guess: &Code) -> Vec<BTreeMap<Feedback, f64>> {
        let mut judge = Judge::new(rules);
        let mut of = |batch: &ParticleBatch| {
            let mut parts: BTreeMap<Feedback, f64> = BTreeMap::new();
            batch.codes.iter().for_each(|code| *parts.entry(judge.feedback(guess, code)).or_default() += 1.0);
            parts
        };
        self.batches.iter().map(&mut of).collect()
    }

    /// Returns the luck of an answer from 0 to 100: the share of codes whose feedback leaves more codes, plus half the
    /// share of those whose feedback leaves equally many. Unknown if too many feedback values were observed once.
    pub(crate) fn luck(&self, rules: &Rules, guess: &Code, answer: &Feedback) -> Uncertain<f64> {
        let parts = self.parts(rules, guess);
        let (codes, singles) = code_and_singleton_counts(&parts);
        let weights = self.weights();
        let mut sizes: BTreeMap<&Feedback, f64> = BTreeMap::new();
        for (parts, weight) in parts.iter().zip(&weights) {
            parts.iter().for_each(|(answer, size)| *sizes.entry(answer).or_default() += weight * size);
        }
        if singles > MAX_SINGLETON_SHARE * codes || sizes.len() < 2 {
            return Uncertain::Unknown;
        }
        let own = if *answer == Feedback::winning(rules) { 0.0 } else { sizes.get(answer).copied().unwrap_or(0.0) };
        let kinder = |answer: &Feedback| match sizes.get(answer).copied().unwrap_or(0.0).total_cmp(&own) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        };
        let mut shares: Vec<(f64, f64)> = Vec::new();
        for (parts, &weight) in parts.iter().zip(&weights).filter(|(parts, weight)| **weight > 0.0 && !parts.is_empty())
        {
            let codes: f64 = parts.values().sum();
            shares.push((weight, parts.iter().map(|(answer, size)| kinder(answer) * size).sum::<f64>() / codes));
        }
        if shares.len() < BATCHES / 2 {
            return Uncertain::Unknown;
        }
        let all: f64 = shares.iter().map(|(weight, _)| weight).sum();
        let mean = shares.iter().map(|(weight, share)| weight * share).sum::<f64>() / all;
        let squares: f64 = shares.iter().map(|(weight, share)| (weight * (share - mean)).powi(2)).sum();
        let count = shares.len() as f64;
        let off = T_QUANTILE * (squares * count / (count - 1.0)).sqrt() / all;
        let [value, low, high] = [mean, (mean - off).max(0.0), (mean + off).min(1.0)].map(|share| 100.0 * share);
        Uncertain::Estimate { value, low, high }
    }

    /// Returns the relative weight of each batch.
    fn weights(&self) -> Vec<f64> {
        let most = self.batches.iter().map(|batch| batch.log).fold(f64::NEG_INFINITY, f64::max);
        self.batches.iter().map(|batch| (batch.log - most).exp()).collect()
    }
}

/// Returns the number of codes, and of feedback values observed once.
fn code_and_singleton_counts(parts: &[BTreeMap<Feedback, f64>]) -> (f64, f64) {
    let mut sizes: BTreeMap<&Feedback, f64> = BTreeMap::new();
    parts.iter().flatten().for_each(|(answer, size)| *sizes.entry(answer).or_default() += size);
    (sizes.values().sum(), sizes.values().filter(|&&size| size == 1.0).count() as f64)
}

/// Returns the collision probability over pairs from different batches; within a batch, particles may be copies.
fn collision(parts: &[BTreeMap<Feedback, f64>], weights: &[f64], some: &[usize]) -> Option<f64> {
    let (mut pooled, mut own, mut all, mut squares) = (BTreeMap::<&Feedback, f64>::new(), 0.0, 0.0, 0.0);
    for &at in some {
        let codes: f64 = parts[at].values().sum();
        for (answer, size) in &parts[at] {
            let share = weights[at] * size / codes;
            *pooled.entry(answer).or_default() += share;
            own += share * share;
        }
        all += weights[at];
        squares += weights[at] * weights[at];
    }
    let together: f64 = pooled.values().map(|share| share * share).sum();
    let pairs = all * all - squares;
    (pairs > 0.0).then(|| (together - own) / pairs)
}

/// Returns the Shannon entropy of the pooled feedback.
fn entropy(parts: &[BTreeMap<Feedback, f64>], weights: &[f64], some: &[usize]) -> Option<f64> {
    let mut pooled: BTreeMap<&Feedback, f64> = BTreeMap::new();
    for &at in some {
        let codes: f64 = parts[at].values().sum();
        parts[at].iter().for_each(|(answer, size)| *pooled.entry(answer).or_default() += weights[at] * size / codes);
    }
    let all: f64 = pooled.values().sum();
    // Sorted, so that the sum does not depend on the order of the map.
    let mut shares: Vec<f64> = pooled.into_values().map(|share| share / all).collect();
    shares.sort_by(f64::total_cmp);
    (all > 0.0).then(|| shares.iter().map(|share| -share * share.log2()).sum())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pegwise_game::{Feedback, Rules, Space, feedback};
    use pegwise_solve::Rng;

    use super::*;
    use crate::figure::Magnitude as _;

    /// Returns a random position.
    fn position(rules: &Rules, turns: usize, rng: &mut Rng) -> History {
        let secret = rng.code(rules);
        History::against(rules, &secret, (0..turns).map(|_| rng.code(rules)))
    }

    /// The intervals contain the true value in 90 to 99 % of the positions. Positions with few codes are never
    /// estimated.
    #[test]
    fn intervals_cover_the_truth() {
        const FEWEST: usize = 40;
        let mut rng = Rng::new(5);
        let (mut met, mut missed) = ([0u32; 2], [Vec::new(), Vec::new()]);
        for (text, turns) in [
            ("4x6", 1),
            ("5x6", 1),
            ("5x8", 1),
            ("5x8", 2),
            ("6x5", 2),
            ("5x8:no-repeats", 1),
            ("5x6:black-only", 2),
            ("6x5:color-only", 2),
            ("5x6:higher-lower", 2),
            ("5x6:distance", 1),
            ("grid:2x2x6", 1),
            ("grid:2x3x5", 1),
            ("ring:6x4", 1),
        ] {
            let rules: Rules = text.parse().unwrap();
            for seed in 0..16 {
                let history = position(&rules, turns, &mut rng);
                let fitting: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
                let guess = rng.code(&rules);
                if fitting.len() < FEWEST {
                    continue;
                }
                let Some(sample) = estimate(&history, &[], &mut Search::new(seed)) else { continue };
                assert!(sample.batches.iter().flat_map(|batch| &batch.codes).all(|code| history.is_consistent(code)));
                let mut parts: BTreeMap<Feedback, f64> = BTreeMap::new();
                fitting.iter().for_each(|code| *parts.entry(feedback(&rules, &guess, code)).or_default() += 1.0);
                let codes = fitting.len() as f64;
                let collision: f64 = parts.values().map(|size| size * size / codes / codes).sum();
                let count = sample.count.interval().map(|(low, high)| (low.to_f64(), high.to_f64()));
                let intervals = [(codes, count), (collision, sample.rate_guess(&rules, &guess).collision.interval())];
                for (at, (truth, interval)) in intervals.into_iter().enumerate() {
                    let Some((low, high)) = interval else { continue };
                    met[at] += 1;
                    // Tolerance for intervals of width zero.
                    if !(low - 1e-9..=high + 1e-9).contains(&truth) {
                        missed[at].push(format!("{text}/{turns}: {truth:.4} not in {low:.4} to {high:.4}"));
                    }
                }
            }
        }
        for (met, missed) in met.into_iter().zip(missed) {
            let covered = 1.0 - missed.len() as f64 / f64::from(met);
            assert!(met >= 100 && (0.90..=0.99).contains(&covered), "{} of {met} missed: {missed:#?}", missed.len());
        }
    }
}
