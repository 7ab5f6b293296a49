//! Marginal color probabilities of each cell by belief propagation.
//!
//! The factor graph has a variable per cell and one per line and color, the number of cells with the color. A black factor
//! per turn and line sums over cells, a count factor per line and color sums over cells, and a peg factor per turn and
//! line sums over the counts. Each factor sends each of its variables a message: the likelihood of the variable's values
//! given the messages of all other factors. Messages are updated until they converge. Black and count factors are exact
//! for independent cells; peg factors use a normal approximation, until the counts of a line are nearly determined and
//! are solved exactly.
//!
//! Marginals ignore how cells depend on each other, so a code drawn from them is rarely consistent. But it is informative
//! as a guess on boards where finding a consistent code is out of reach, and the marginals become certain as the game
//! proceeds. This works best if the earlier guesses were drawn in the same way.
//!
//! Cost: a round takes `turns * cells * (1 + black pegs)` and `cells * colors` steps. Memory: two numbers per cell and
//! color. Limits: near the end of a game the messages may oscillate instead of converging.
//!
//! # References
//! - M. Mézard and A. Montanari, Information, Physics, and Computation, Oxford University Press, 2009, chapter 14.
//! - A. El Alaoui, A. Ramdas, F. Krzakala, L. Zdeborová and M. I. Jordan, Decoding from pooled data: phase transitions of
//!   message passing, IEEE Transactions on Information Theory 65(1), 2019.

mod counts;
mod factors;

use pegwise_game::{CellTerm, Code, Color, History, HistoryChange, Rules, Turn};

use self::counts::CountEquations;
use self::factors::{PegFactor, SumFactor, count_width};
use pegwise_search::candidates::color_counts;
use pegwise_search::{Rng, Search, Stop, Watch, clock, portable};

/// Marginal color probabilities of each cell, and the messages they result from.
///
/// ```
/// use pegwise_game::{History, Rules};
/// use pegwise_sampling::beliefs::Beliefs;
/// use pegwise_search::{Search, Watch};
/// let rules: Rules = "20x20".parse().unwrap();
/// let history = History::parse(&rules, ["AAAAABBBBBCCCCCDDDDD=5,0"]).unwrap();
/// let mut beliefs = Beliefs::new(&rules).expect("black and white pegs");
/// beliefs.follow(&history);
/// beliefs.propagate(30, Watch::default(), &mut Search::new(1));
/// assert!((beliefs.marginal(0, 0) - 0.25).abs() < 0.02);
/// assert!(beliefs.marginal(0, 0) > beliefs.marginal(0, 1));
/// ```
#[derive(Debug, Clone)]
pub struct Beliefs {
    rules: Rules,
    colors: usize,
    turns: Vec<Turn>,
    /// Product of all messages, for each cell and color.
    weights: Vec<f64>,
    /// Sum of the weights of each cell.
    totals: Vec<f64>,
    /// Messages of the black factors, for each turn, line and cell of the line: likelihood ratio of the guessed color.
    black_messages: Vec<f64>,
    /// Messages of the count factors, for each line, color and cell of the line: likelihood ratio of the color.
    count_messages: Vec<f64>,
    /// The peg factors, for each turn and line; empty without white pegs.
    peg_factors: Vec<PegFactor>,
    /// Product of the peg factors' messages, for each line, color and count.
    count_likelihoods: Vec<f64>,
    /// Distribution of the count by the cells, for each line, color and count.
    count_priors: Vec<f64>,
    /// Number of counts that are distinguished: all larger ones share the last entry.
    count_width: usize,
    /// The exact equations of the counts, for each line; empty without white pegs.
    equations: Vec<CountEquations>,
    /// Solution of the equations, for each line, once it is found; empty without white pegs.
    known_counts: Vec<Option<Vec<i32>>>,
    /// Moving average of the ratio of observed to expected black pegs.
    calibration: f64,
    scratch: SumFactor,
    /// Change of the marginals in the last round, per cell.
    change: f64,
}

/// Change of the marginals per cell and round below which they have converged.
const CONVERGED: f64 = 5e-3;
/// Weight of the last guess in the moving average of the calibration.
const CALIBRATION_RATE: f64 = 0.15;
/// Number of standard deviations by which black pegs may fall short of their expectation before the marginals are
/// recomputed.
const SURPRISE: f64 = 3.0;
/// Average probability of the most likely counts from which the equations of a line are solved.
const MIN_CERTAINTY_TO_SOLVE: f64 = 0.8;
/// Likelihood of a count that differs from the known one.
const IMPOSSIBLE: f64 = 1e-12;
/// Lower bound of probabilities in messages to factors. A factor whose inputs are certain but inconsistent would reject
/// all of them at once.
const MIN_PROBABILITY: f64 = 1e-5;
/// Lower bound of the probability of a drawn color, for cells without a possible one.
const MIN_DRAWN: f64 = 1e-30;
/// Lower bound of weights, so that messages can be divided out.
const MIN_WEIGHT: f64 = 1e-200;
/// Maximum number of count messages: tens of megabytes.
const MAX_MESSAGES: usize = 1 << 20;

impl Beliefs {
    /// Creates uniform beliefs before the first turn; `None` for feedback without black pegs, and for boards that would
    /// take too much memory.
    pub fn new(rules: &Rules) -> Option<Self> {
        let model = rules.feedback().model();
        let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
        let visits: usize = rules.board().lines().map(<[usize]>::len).sum();
        let has_black = model.cell == CellTerm::Equal && model.is_aggregate();
        if !has_black || visits * colors > MAX_MESSAGES {
            return None;
        }
        let lines = if model.colors { rules.board().line_count() } else { 0 };
        let counts = lines * colors;
        let count_width = count_width(rules.board().longest_line(), colors);
        Some(Self {
            rules: rules.clone(),
            colors,
            turns: Vec::new(),
            weights: vec![1.0; cells * colors],
            totals: vec![colors as f64; cells],
            black_messages: Vec::new(),
            count_messages: vec![1.0; if counts > 0 { visits * colors } else { 0 }],
            peg_factors: Vec::new(),
            count_likelihoods: vec![1.0; counts * count_width],
            count_priors: vec![1.0; counts * count_width],
            count_width,
            equations: vec![CountEquations::new(colors); lines],
            known_counts: vec![None; lines],
            calibration: 1.0,
            scratch: SumFactor::default(),
            change: 0.0,
        })
    }

    /// Adds the new turns of a history. Starts over if it is another game, if the last answer was far from its
    /// expectation, or while color counts are unknown: early beliefs about counts are overconfident and hard to correct.
    pub fn follow(&mut self, history: &History) {
        let same_game = HistoryChange::between(&self.turns, history).is_extension();
        let mut surprised = false;
        if let (true, Some(turn)) = (same_game, history.turns().get(self.turns.len())) {
            let (expected, black) = self.expected_black(turn);
            self.calibration += CALIBRATION_RATE * (((black + 1.0) / (expected + 1.0)).min(1.0) - self.calibration);
            surprised = expected - black > SURPRISE * (expected + 1.0).sqrt();
        }
        let (calibration, known_counts) = (self.calibration, std::mem::take(&mut self.known_counts));
        let in_doubt = surprised || known_counts.contains(&None);
        if (!same_game || in_doubt)
            && let Some(fresh) = Self::new(&self.rules)
        {
            *self = fresh;
        }
        if same_game {
            (self.calibration, self.known_counts) = (calibration, known_counts);
        }
        for turn in &history.turns()[self.turns.len()..] {
            let counts = color_counts(&self.rules, &turn.guess);
            let counts = counts.chunks(self.colors).enumerate();
            for ((line, mark), (number, counts)) in self.rules.board().lines().zip(turn.feedback.marks()).zip(counts) {
                self.black_messages.extend(line.iter().map(|_| 1.0));
                if let Some(pegs) = mark.pegs() {
                    self.equations[number].push(counts, pegs as u16);
                    self.peg_factors.push(PegFactor::new(pegs as u16, counts, self.count_width));
                }
            }
            self.turns.push(turn.clone());
        }
        for line in 0..self.known_counts.len() {
            self.known_counts[line].take_if(|counts| !self.equations[line].are_satisfied_by(counts));
            self.fix_known_counts(line);
        }
    }

    /// Updates all messages until they converge, at most `rounds` times, or until `watch` stops it. Each turn of a round
    /// counts as a step of the search.
    pub fn propagate(&mut self, rounds: usize, watch: Watch<'_>, search: &mut Search<'_>) -> Option<Stop> {
        for _ in 0..rounds {
            self.change = 0.0;
            if let Some(stop) = self.round(watch, search) {
                return Some(stop);
            }
            self.change /= self.rules.cells() as f64;
            if self.change < CONVERGED {
                break;
            }
        }
        self.solve_counts(watch, &mut search.rng);
        None
    }

    /// Solves the equations of the lines whose color counts are nearly certain.
    fn solve_counts(&mut self, watch: Watch<'_>, rng: &mut Rng) {
        let colors = self.colors;
        for (number, line) in self.rules.clone().board().lines().enumerate().take(self.known_counts.len()) {
            let min_certainty = MIN_CERTAINTY_TO_SOLVE * colors as f64;
            let counts: Vec<Vec<f64>> = (0..colors).map(|color| self.count_distribution(number, color)).collect();
            let certainty = |counts: &Vec<f64>| counts.iter().copied().fold(0.0, f64::max);
            if self.known_counts[number].is_some() || counts.iter().map(certainty).sum::<f64>() < min_certainty {
                continue;
            }
            let mode = |counts: &Vec<f64>| {
                (0..counts.len()).rev().max_by(|&one, &other| counts[one].total_cmp(&counts[other])).unwrap_or(0) as i32
            };
            let max = if self.rules.repeats() { line.len() as i32 } else { 1 };
            let start = counts.iter().map(mode).collect();
            self.known_counts[number] = self.equations[number].solve(start, line.len() as i32, max, watch, rng);
            self.fix_known_counts(number);
        }
    }

    /// Sets the count likelihoods of a line to its known color counts, if there are any.
    fn fix_known_counts(&mut self, line: usize) {
        let Some(counts) = &self.known_counts[line] else { return };
        let size = counts.len() * self.count_width;
        let likelihoods = &mut self.count_likelihoods[line * size..][..size];
        likelihoods.fill(IMPOSSIBLE);
        for (color, &count) in counts.iter().enumerate() {
            likelihoods[color * self.count_width + (count as usize).min(self.count_width - 1)] = 1.0;
        }
    }

    /// Returns the expected and the observed number of black pegs of a turn. Confident but wrong beliefs always expect too
    /// many.
    fn expected_black(&self, turn: &Turn) -> (f64, f64) {
        let lines = self.rules.board().lines().zip(turn.feedback.marks());
        lines.fold((0.0, 0.0), |(expected, observed), (line, mark)| {
            let marginals: f64 = line.iter().map(|&cell| self.marginal(cell, turn.guess[cell].index())).sum();
            (expected + marginals, observed + mark.black().unwrap_or(0) as f64)
        })
    }

    /// Returns the distribution of the number of cells on a line with a color.
    pub fn count_distribution(&self, line: usize, color: usize) -> Vec<f64> {
        let at = (line * self.colors + color) * self.count_width;
        let Some(priors) = self.count_priors.get(at..at + self.count_width) else { return vec![0.0; self.count_width] };
        let likelihoods = &self.count_likelihoods[at..];
        let weights: Vec<f64> = priors.iter().zip(likelihoods).map(|(prior, likelihood)| prior * likelihood).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum.max(f64::MIN_POSITIVE)).collect()
    }

    /// Returns the largest count that [`Beliefs::count_distribution`] distinguishes.
    pub fn max_count(&self) -> usize {
        self.count_width - 1
    }

    /// Returns the marginal probability of a color in a cell.
    pub fn marginal(&self, cell: usize, color: usize) -> f64 {
        self.weights[cell * self.colors + color] / self.totals[cell]
    }

    /// Returns the marginal probabilities of all colors in the first cell, in the second, and so on.
    pub fn marginals(&self) -> Vec<f64> {
        let rows = self.weights.chunks(self.colors).zip(&self.totals);
        rows.flat_map(|(weights, total)| weights.iter().map(move |weight| weight / total)).collect()
    }

    /// Returns the ratio of observed to expected black pegs of the last guesses: one if the marginals are calibrated.
    pub fn calibration(&self) -> f64 {
        self.calibration
    }

    /// Returns the number of cells with each color on a row, once known.
    pub fn known_counts(&self) -> Option<&[i32]> {
        match self.known_counts.as_slice() {
            [counts] => counts.as_deref(),
            _ => None,
        }
    }

    /// Returns the expected number of correct cells if each cell has its most likely color.
    pub fn expected_correct(&self) -> f64 {
        let rows = self.weights.chunks(self.colors).zip(&self.totals);
        rows.map(|(weights, total)| weights.iter().copied().fold(0.0, f64::max) / total).sum()
    }

    /// Draws a code cell by cell from the marginals to the power of `sharpness`: more than one favors likely colors.
    pub fn draw(&self, sharpness: f64, rng: &mut Rng) -> Code {
        let mut used = vec![false; if self.rules.repeats() { 0 } else { self.colors }];
        let mut weights = vec![0.0; self.colors];
        let drawn = (0..self.rules.cells()).map(|cell| {
            for (color, weight) in weights.iter_mut().enumerate() {
                let marginal = self.marginal(cell, color).max(MIN_DRAWN);
                let open = used.get(color).is_none_or(|&used| !used);
                *weight = if open { portable::exp(sharpness * portable::ln(marginal)) } else { 0.0 };
            }
            let color = rng.weighted(&weights);
            if let Some(used) = used.get_mut(color) {
                *used = true;
            }
            Color::new(color as u16)
        });
        Code::new(drawn.collect::<Vec<Color>>())
    }

    /// Updates every factor once.
    fn round(&mut self, watch: Watch<'_>, search: &mut Search<'_>) -> Option<Stop> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let (rules, turns) = (self.rules.clone(), std::mem::take(&mut self.turns));
        search.step(turns.len() as u64);
        let mut stopped = self.update_black_factors(&rules, &turns, &mut scratch, watch);
        stopped = stopped.or_else(|| self.update_count_factors(&rules, &mut scratch, watch));
        if stopped.is_none() {
            let (lines, size) = (rules.board().line_count(), self.colors * self.count_width);
            for (at, factor) in self.peg_factors.iter_mut().enumerate() {
                let line = at % lines;
                if self.known_counts[line].is_none() {
                    let own = line * size..(line + 1) * size;
                    factor.update(self.count_width, &self.count_priors[own.clone()], &mut self.count_likelihoods[own]);
                }
            }
        }
        (self.scratch, self.turns) = (scratch, turns);
        self.recompute_weights();
        stopped
    }

    fn update_black_factors(
        &mut self,
        rules: &Rules,
        turns: &[Turn],
        scratch: &mut SumFactor,
        watch: Watch<'_>,
    ) -> Option<Stop> {
        let mut all_messages = std::mem::take(&mut self.black_messages);
        let mut rest = all_messages.as_mut_slice();
        let (mut likelihoods, mut stopped) = (Vec::new(), None);
        for turn in turns {
            stopped = watch.stop();
            if stopped.is_some() {
                break;
            }
            for (line, mark) in rules.board().lines().zip(turn.feedback.marks()) {
                let messages = rest.split_off_mut(..line.len()).expect("one message per turn and cell");
                let black = mark.black().unwrap_or(0);
                likelihoods.clear();
                likelihoods.resize(black + 2, 0.0);
                likelihoods[black] = 1.0;
                self.update_sum_factor(line, |cell| turn.guess[cell].index(), messages, &likelihoods, scratch);
            }
        }
        self.black_messages = all_messages;
        stopped
    }

    fn update_count_factors(&mut self, rules: &Rules, scratch: &mut SumFactor, watch: Watch<'_>) -> Option<Stop> {
        let mut all_messages = std::mem::take(&mut self.count_messages);
        let colors = if all_messages.is_empty() { 0 } else { self.colors };
        let mut rest = all_messages.as_mut_slice();
        let (mut likelihoods, mut stopped) = (Vec::new(), None);
        for (number, line) in rules.board().lines().enumerate() {
            for color in 0..colors {
                stopped = stopped.or_else(|| watch.stop());
                if stopped.is_some() {
                    break;
                }
                let messages = rest.split_off_mut(..line.len()).expect("one message per color and cell");
                let at = (number * colors + color) * self.count_width;
                let own = at..at + self.count_width;
                likelihoods.clear();
                likelihoods.extend_from_slice(&self.count_likelihoods[own.clone()]);
                likelihoods.extend(self.count_likelihoods[own.clone()].last());
                self.update_sum_factor(line, |_| color, messages, &likelihoods, scratch);
                self.count_priors[own].copy_from_slice(scratch.distribution(self.count_width));
            }
        }
        self.count_messages = all_messages;
        stopped
    }

    /// Updates the messages of a factor on the number of cells of a line that have the color `color_of(cell)`.
    fn update_sum_factor(
        &mut self,
        line: &[usize],
        color_of: impl Fn(usize) -> usize,
        messages: &mut [f64],
        likelihoods: &[f64],
        scratch: &mut SumFactor,
    ) {
        clock::work((line.len() * line.len()) as u64);
        let colors = self.colors;
        let place = |cell: usize| cell * colors + color_of(cell);
        let inputs = line.iter().zip(&*messages).map(|(&cell, &message)| self.cavity(cell, place(cell), message));
        let inputs: Vec<f64> = inputs.collect();
        scratch.messages(&inputs, likelihoods, |term, ratio| {
            self.apply_message(line[term], place(line[term]), &mut messages[term], ratio);
        });
    }

    /// Returns the probability of a color in a cell without the message of one factor.
    #[inline]
    fn cavity(&self, cell: usize, place: usize, message: f64) -> f64 {
        let weight = self.weights[place];
        let others = (self.totals[cell] - weight).max(self.totals[cell] * 1e-13);
        let own = weight / message;
        (own / (own + others)).clamp(MIN_PROBABILITY, 1.0 - MIN_PROBABILITY)
    }

    /// Replaces a message, damped by half in logarithms: full steps overshoot.
    #[inline]
    fn apply_message(&mut self, cell: usize, place: usize, message: &mut f64, ratio: f64) {
        let new = (ratio * *message).sqrt();
        let factor = new / *message;
        *message = new;
        let (old, total) = (self.weights[place], self.totals[cell]);
        self.weights[place] = (old * factor).max(MIN_WEIGHT);
        self.totals[cell] = (total + self.weights[place] - old).max(MIN_WEIGHT);
        self.change += (self.weights[place] / self.totals[cell] - old / total).abs();
    }

    /// Recomputes the weights from all messages, since incremental updates lose precision.
    fn recompute_weights(&mut self) {
        let colors = self.colors;
        self.weights.fill(1.0);
        let mut messages = self.count_messages.iter();
        for line in self.rules.board().lines() {
            for color in 0..if self.count_messages.is_empty() { 0 } else { colors } {
                for (&cell, message) in line.iter().zip(&mut messages) {
                    self.weights[cell * colors + color] *= message;
                }
            }
        }
        let mut messages = self.black_messages.iter();
        for turn in &self.turns {
            for line in self.rules.board().lines() {
                for (&cell, message) in line.iter().zip(&mut messages) {
                    let weight = &mut self.weights[cell * colors + turn.guess[cell].index()];
                    *weight = (*weight * message).clamp(MIN_WEIGHT, 1.0 / MIN_WEIGHT);
                }
            }
        }
        for (weights, total) in self.weights.chunks_mut(colors).zip(&mut self.totals) {
            let max = weights.iter().copied().fold(0.0, f64::max);
            weights.iter_mut().for_each(|weight| *weight = (*weight / max).max(MIN_WEIGHT));
            *total = weights.iter().sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Space;

    use super::{super::testing::played, *};

    /// Belief propagation is a good approximation while few turns couple the cells.
    #[test]
    fn marginals_are_near_the_exact_ones() {
        for text in ["5x6", "6x5:black-only", "grid:2x3x4"] {
            let rules: Rules = text.parse().unwrap();
            let (mut distance, mut places) = (0.0, 0.0);
            for seed in 0..10 {
                let (_, history) = played(&rules, 2, seed);
                let codes: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
                let mut beliefs = Beliefs::new(&rules).unwrap();
                beliefs.follow(&history);
                beliefs.propagate(100, Watch::default(), &mut Search::new(0));
                for cell in 0..rules.cells() {
                    for color in 0..usize::from(rules.colors()) {
                        let counted = codes.iter().filter(|code| code[cell].index() == color).count() as f64;
                        distance += (beliefs.marginal(cell, color) - counted / codes.len() as f64).abs();
                        places += 1.0;
                    }
                }
            }
            assert!(distance / places < 0.1, "{text}: distance {}", distance / places);
        }
    }

    #[test]
    fn many_random_turns_determine_the_code() {
        let rules: Rules = "20x20".parse().unwrap();
        let (secret, history) = played(&rules, 90, 3);
        let mut beliefs = Beliefs::new(&rules).unwrap();
        beliefs.follow(&history);
        beliefs.propagate(100, Watch::default(), &mut Search::new(0));
        assert_eq!(beliefs.draw(1.5, &mut Rng::new(1)), secret);
    }

    /// Known counts are not carried over to another game, even if the code is the same and they satisfy its few turns.
    #[test]
    fn another_game_starts_without_known_counts() {
        let rules: Rules = "20x20".parse().unwrap();
        let (_, long) = played(&rules, 90, 3);
        let (mut beliefs, mut search) = (Beliefs::new(&rules).unwrap(), Search::new(0));
        beliefs.follow(&long);
        beliefs.propagate(100, Watch::default(), &mut search);
        assert!(beliefs.known_counts().is_some());
        let mut short = History::new(rules);
        short.push(long.turns()[5].clone()).unwrap();
        beliefs.follow(&short);
        assert_eq!(beliefs.known_counts(), None);
    }

    #[test]
    fn drawn_codes_are_valid() {
        for text in ["5x5:no-repeats:black-only", "6x9:no-repeats", "3x1", "1x7", "ring:6x4"] {
            let rules: Rules = text.parse().unwrap();
            let (_, history) = played(&rules, 3, 1);
            let mut beliefs = Beliefs::new(&rules).unwrap();
            beliefs.follow(&history);
            beliefs.propagate(20, Watch::default(), &mut Search::new(0));
            for seed in 0..50 {
                rules.check_code(&beliefs.draw(1.5, &mut Rng::new(seed))).unwrap();
            }
        }
        assert!(Beliefs::new(&"4x6:distance".parse().unwrap()).is_none());
    }
}
