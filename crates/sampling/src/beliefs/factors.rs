//! Messages of the factors: exact for sums of binary variables, by a normal approximation for pegs.

use pegwise_search::portable;

/// Message computation of factors on sums of binary variables, with its working space.
#[derive(Debug, Clone, Default)]
pub(super) struct SumFactor {
    /// Forward pass: distribution of the sum of the first terms, for each number of terms.
    forward: Vec<f64>,
    /// Backward pass: likelihood of the whole sum by the remaining terms, for each partial sum.
    backward: Vec<f64>,
}

impl SumFactor {
    /// Computes the messages of a factor with the given likelihood of each value of the sum. `inputs` are the probabilities
    /// that each term is one. Calls `send` with each term and the likelihood ratio of one to zero given the other terms.
    /// Values past the end of `likelihoods` are as likely as the last.
    pub(super) fn messages(&mut self, inputs: &[f64], likelihoods: &[f64], mut send: impl FnMut(usize, f64)) {
        let values = likelihoods.len() - 1;
        self.forward.clear();
        self.forward.resize((inputs.len() + 1) * values, 0.0);
        self.forward[0] = 1.0;
        for (term, &input) in inputs.iter().enumerate() {
            let (before, rest) = self.forward[term * values..].split_at_mut(values);
            add_term(before, &mut rest[..values], input);
        }
        self.backward.clear();
        self.backward.extend_from_slice(likelihoods);
        for (term, &input) in inputs.iter().enumerate().rev() {
            let forward = &self.forward[term * values..][..values];
            let (mut zero, mut one) = (0.0, 0.0);
            for (value, &forward) in forward.iter().enumerate() {
                zero += forward * self.backward[value];
                one += forward * self.backward[value + 1];
            }
            send(term, likelihood_ratio(one, zero));
            for value in 0..values {
                self.backward[value] = (1.0 - input) * self.backward[value] + input * self.backward[value + 1];
            }
        }
    }

    /// Returns the distribution of the sum by its terms, after [`SumFactor::messages`].
    pub(super) fn distribution(&self, values: usize) -> &[f64] {
        &self.forward[self.forward.len() - values..]
    }
}

fn add_term(before: &[f64], after: &mut [f64], input: f64) {
    after[0] = before[0] * (1.0 - input);
    for value in 1..before.len() {
        after[value] = before[value] * (1.0 - input) + before[value - 1] * input;
    }
}

/// Bound of likelihood ratios: certainty could not be revised.
const MAX_RATIO: f64 = 1e6;
const TINY: f64 = 1e-290;

fn likelihood_ratio(one: f64, zero: f64) -> f64 {
    ((one + TINY) / (zero + TINY)).clamp(1.0 / MAX_RATIO, MAX_RATIO)
}

/// Returns the number of color counts on a line that are distinguished: from zero to far above the average.
pub(super) fn count_width(longest: usize, colors: usize) -> usize {
    let average = longest / colors.max(1);
    (12 + 4 * average.saturating_sub(1)).min(longest.max(12)) + 1
}

/// Variance that is added to the sum of pegs, since the normal approximation treats an integer as continuous.
const MIN_VARIANCE: f64 = 0.08;
/// Lower bound of messages, so that they can be divided out.
const MIN_MESSAGE: f64 = 1e-6;

/// Factor on the pegs of one turn on one line: the sum over the guessed colors of the smaller of both counts, in the guess
/// and in the code.
#[derive(Debug, Clone)]
pub(super) struct PegFactor {
    pegs: f64,
    colors: Vec<GuessedColor>,
}

#[derive(Debug, Clone)]
struct GuessedColor {
    color: usize,
    /// Message for each number of pegs of the color; the last one applies to all larger counts.
    message: Vec<f64>,
}

impl PegFactor {
    /// Creates the factor of a turn with `pegs`, whose guess shows color `i` in `counts[i]` cells.
    pub(super) fn new(pegs: u16, counts: &[u16], width: usize) -> Self {
        let message = |count: u16| vec![1.0; (usize::from(count) + 1).min(width)];
        let guessed = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        let colors = guessed.map(|(color, &count)| GuessedColor { color, message: message(count) });
        Self { pegs: pegs.into(), colors: colors.collect() }
    }

    /// Updates the messages. `priors` are the distributions of the counts by the cells, with `width` entries per color;
    /// `likelihoods` are the products of all peg messages, updated along with this factor's.
    pub(super) fn update(&mut self, width: usize, priors: &[f64], likelihoods: &mut [f64]) {
        let moments = self.colors.iter().map(|guessed| {
            let own = guessed.color * width..(guessed.color + 1) * width;
            guessed.moments(&priors[own.clone()], &likelihoods[own])
        });
        let moments: Vec<(f64, f64)> = moments.collect();
        let (mean, variance) = moments.iter().fold((0.0, 0.0), |sum, moment| (sum.0 + moment.0, sum.1 + moment.1));
        for (guessed, (own_mean, own_variance)) in self.colors.iter_mut().zip(moments) {
            let missing = self.pegs - (mean - own_mean);
            let variance = (variance - own_variance).max(0.0) + MIN_VARIANCE;
            guessed.update(missing, variance, &mut likelihoods[guessed.color * width..][..width]);
        }
    }
}

impl GuessedColor {
    /// Returns the mean and variance of the pegs of this color without the message of this factor.
    fn moments(&self, priors: &[f64], likelihoods: &[f64]) -> (f64, f64) {
        let (mut whole, mut mean, mut square) = (0.0, 0.0, 0.0);
        let last = self.message.len() - 1;
        for (pegs, &message) in self.message.iter().enumerate() {
            let counts = if pegs == last { pegs..likelihoods.len() } else { pegs..pegs + 1 };
            let pairs = priors[counts.clone()].iter().zip(&likelihoods[counts]);
            let weight: f64 = pairs.map(|(prior, likelihood)| prior * likelihood).sum();
            let (weight, pegs) = (weight / message, pegs as f64);
            whole += weight;
            mean += weight * pegs;
            square += weight * pegs * pegs;
        }
        if whole <= 0.0 {
            return (0.0, 0.0);
        }
        let mean = mean / whole;
        (mean, (square / whole - mean * mean).max(0.0))
    }

    /// Updates the message: the pegs of the other colors leave `missing` pegs with the given variance.
    fn update(&mut self, missing: f64, variance: f64, likelihoods: &mut [f64]) {
        let energy = |pegs: usize| {
            let gap = missing - pegs as f64;
            gap * gap / (2.0 * variance)
        };
        let least = (0..self.message.len()).map(energy).fold(f64::INFINITY, f64::min);
        let last = self.message.len() - 1;
        for (pegs, message) in self.message.iter_mut().enumerate() {
            // Damped by half in logarithms: full steps overshoot.
            let new = (portable::exp(least - energy(pegs)).max(MIN_MESSAGE) * *message).sqrt();
            let factor = new / *message;
            *message = new;
            let counts = if pegs == last { pegs..likelihoods.len() } else { pegs..pegs + 1 };
            likelihoods[counts].iter_mut().for_each(|likelihood| *likelihood *= factor);
        }
        let max = likelihoods.iter().copied().fold(0.0, f64::max);
        likelihoods.iter_mut().for_each(|likelihood| *likelihood = (*likelihood / max).max(f64::MIN_POSITIVE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the sum over all values of the other terms.
    #[test]
    fn messages_equal_sums_over_all_values() {
        let inputs = [0.1, 0.7, 0.25, 0.5, 0.03];
        for likelihoods in [vec![0.0, 0.0, 1.0, 0.0], vec![0.2, 1.0, 0.5, 0.25, 0.125, 0.1, 0.1]] {
            let value = |sum: u32| likelihoods.get(sum as usize).copied().unwrap_or(0.0);
            let mut messages = vec![0.0; inputs.len()];
            let mut factor = SumFactor::default();
            factor.messages(&inputs, &likelihoods, |term, ratio| messages[term] = ratio);
            for term in 0..inputs.len() {
                let mut ways = [0.0; 2];
                for way in 0u32..1 << inputs.len() {
                    let chance = |at: usize| if way >> at & 1 == 1 { inputs[at] } else { 1.0 - inputs[at] };
                    let others: f64 = (0..inputs.len()).filter(|&at| at != term).map(chance).product();
                    ways[(way >> term & 1) as usize] += others * value(way.count_ones());
                }
                assert!(
                    (messages[term] / (ways[1] / ways[0]) - 1.0).abs() < 1e-9,
                    "{term}: {} {ways:?}",
                    messages[term]
                );
            }
            let whole: f64 = factor.distribution(likelihoods.len() - 1).iter().sum();
            assert!(whole > 0.8 && whole < 1.0 + 1e-9);
        }
    }
}
