//! What the likelihood of a sum says about each of its terms.

/// Working space for the messages of a sum.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums {
    /// For each term and value, the chance that the terms before it add up to the value.
    before: Vec<f64>,
    /// For the terms after the current one and each value reached before them, how likely the whole sum then is.
    after: Vec<f64>,
}

impl Sums {
    /// For independent terms that are one with the chances given, and else zero, and the likelihood of each value of their
    /// sum: for each term, how many times likelier it is that the term is one than that it is zero, by the other terms
    /// alone. Sums past the end of the likelihoods are taken to be as likely as the last.
    pub(super) fn messages(&mut self, chances: &[f64], likelihoods: &[f64], mut tell: impl FnMut(usize, f64)) {
        let values = likelihoods.len() - 1;
        self.before.clear();
        self.before.resize((chances.len() + 1) * values, 0.0);
        self.before[0] = 1.0;
        for (term, &chance) in chances.iter().enumerate() {
            let (before, rest) = self.before[term * values..].split_at_mut(values);
            add_term(before, &mut rest[..values], chance);
        }
        self.after.clear();
        self.after.extend_from_slice(likelihoods);
        for (term, &chance) in chances.iter().enumerate().rev() {
            let before = &self.before[term * values..][..values];
            let (mut zero, mut one) = (0.0, 0.0);
            for (value, &before) in before.iter().enumerate() {
                zero += before * self.after[value];
                one += before * self.after[value + 1];
            }
            tell(term, ratio(one, zero));
            for value in 0..values {
                self.after[value] = (1.0 - chance) * self.after[value] + chance * self.after[value + 1];
            }
        }
    }

    /// How likely each value of the sum is by the terms alone, after [`Sums::messages`].
    pub(super) fn distribution(&self, values: usize) -> &[f64] {
        &self.before[self.before.len() - values..]
    }
}

fn add_term(before: &[f64], after: &mut [f64], chance: f64) {
    after[0] = before[0] * (1.0 - chance);
    for value in 1..before.len() {
        after[value] = before[value] * (1.0 - chance) + before[value - 1] * chance;
    }
}

/// The most that one message may say: certainty would never be taken back.
const MOST: f64 = 1e6;
const NOTHING: f64 = 1e-290;

/// A ratio between likelihoods, within what a message may say.
fn ratio(one: f64, zero: f64) -> f64 {
    ((one + NOTHING) / (zero + NOTHING)).clamp(1.0 / MOST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The naive twin: all ways the other terms can fall.
    #[test]
    fn messages_sum_over_all_ways() {
        let chances = [0.1, 0.7, 0.25, 0.5, 0.03];
        for likelihoods in [vec![0.0, 0.0, 1.0, 0.0], vec![0.2, 1.0, 0.5, 0.25, 0.125, 0.1, 0.1]] {
            let value = |sum: u32| likelihoods.get(sum as usize).copied().unwrap_or(0.0);
            let mut told = vec![0.0; chances.len()];
            let mut sums = Sums::default();
            sums.messages(&chances, &likelihoods, |term, ratio| told[term] = ratio);
            for term in 0..chances.len() {
                let mut ways = [0.0; 2];
                for way in 0u32..1 << chances.len() {
                    let chance = |at: usize| if way >> at & 1 == 1 { chances[at] } else { 1.0 - chances[at] };
                    let others: f64 = (0..chances.len()).filter(|&at| at != term).map(chance).product();
                    ways[(way >> term & 1) as usize] += others * value(way.count_ones());
                }
                assert!((told[term] / (ways[1] / ways[0]) - 1.0).abs() < 1e-9, "{term}: {} {ways:?}", told[term]);
            }
            let whole: f64 = sums.distribution(likelihoods.len() - 1).iter().sum();
            assert!(whole > 0.8 && whole < 1.0 + 1e-9);
        }
    }
}
