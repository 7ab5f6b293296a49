//! What makes one guess better than another, from the sizes of the parts it makes.
//!
//! Every criterion becomes a whole number, the *cost*, that is lower for a better guess, so that equal guesses are equal on
//! every machine.

use std::f64::consts::LN_2;

use pegwise_game::partition::{MAX_TALLIED, Tally};

use super::{logarithms::Logarithms, scanner::STEP};
use crate::portable;

/// What a one-step strategy looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Criterion {
    /// The largest part should be small.
    WorstCase,
    /// The part the code is in should be small on average.
    ExpectedSize,
    /// The feedback should tell most, in Shannon's sense.
    Entropy,
    /// There should be many parts.
    MostParts,
}

/// A criterion ready to price guesses.
#[derive(Debug, Clone)]
pub(crate) struct CostFunction {
    criterion: Criterion,
    /// What a guess that can be the code is let off.
    bonus: u64,
    logarithms: Logarithms,
    tally: Tally,
}

/// A weight of the entropy tally stands for this many units of cost.
const UNITS_PER_WEIGHT: u64 = Logarithms::ONE / 32;

impl CostFunction {
    /// A criterion that lets guesses which can be the code off so many bits, summed over all codes; bits mean something to
    /// entropy alone.
    pub(crate) fn new(criterion: Criterion, bonus_bits: u64) -> Self {
        let logarithms = Logarithms::up_to(MAX_TALLIED);
        let tally = match criterion {
            Criterion::WorstCase => Tally::Largest,
            Criterion::ExpectedSize => Tally::sum(|size| (size * size) as u16),
            Criterion::MostParts => Tally::sum(|size| size as u16 - 1),
            // Rounded down, so that the tally never claims more than the cost.
            Criterion::Entropy => Tally::sum(|size| (logarithms.weighted(size) / UNITS_PER_WEIGHT) as u16),
        };
        Self { criterion, bonus: bonus_bits * Logarithms::ONE, logarithms, tally }
    }

    /// What is looked at.
    pub(crate) fn criterion(&self) -> Criterion {
        self.criterion
    }

    /// The bits that a guess which can be the code is let off.
    pub(crate) fn bonus_bits(&self) -> u64 {
        self.bonus / Logarithms::ONE
    }

    /// Makes ready for parts of up to this size.
    pub(crate) fn prepare(&mut self, largest: usize) {
        if self.criterion == Criterion::Entropy {
            self.logarithms.extend(largest);
        }
    }

    /// The cost of a guess that makes parts of these sizes; empty parts do not matter.
    #[inline]
    pub(crate) fn cost(&self, sizes: &[u32]) -> u64 {
        let sizes = sizes.iter();
        match self.criterion {
            Criterion::WorstCase => sizes.copied().max().unwrap_or(0).into(),
            Criterion::ExpectedSize => sizes.map(|&size| u64::from(size) * u64::from(size)).sum(),
            Criterion::Entropy => sizes.map(|&size| self.logarithms.weighted(size as usize)).sum(),
            Criterion::MostParts => {
                let (codes, parts) =
                    sizes.fold((0, 0), |(codes, parts), &size| (codes + size, parts + u32::from(size > 0)));
                u64::from(codes - parts)
            }
        }
    }

    /// What a guess of this cost counts as among those that can be the code and those that cannot. The others pay the bonus:
    /// taken off those that can, it would make all equal that cost less than it.
    pub(crate) fn paid(&self, cost: u64, consistent: bool) -> u64 {
        if consistent { cost } else { cost + self.bonus }
    }

    /// The most that a guess which cannot be the code may cost to be as good as one of this cost that can; `None` where none
    /// is as good.
    pub(crate) fn without_bonus(&self, cost: u64) -> Option<u64> {
        cost.checked_sub(self.bonus)
    }

    /// The cost of a guess that tells all of this many codes apart. No guess costs less.
    pub(crate) fn ideal(&self, codes: usize) -> u64 {
        match self.criterion {
            Criterion::WorstCase => 1,
            Criterion::ExpectedSize => codes as u64,
            Criterion::Entropy | Criterion::MostParts => 0,
        }
    }

    /// The least that a guess costs which makes at most so many parts of this many codes: all as large as each other. No
    /// guess that gets as many marks costs less.
    pub(crate) fn least(&self, codes: usize, parts: usize) -> u64 {
        let parts = parts.max(1);
        let sizes = (0..parts).map(|part| ((codes + part) / parts) as u32);
        self.cost(&sizes.collect::<Vec<u32>>())
    }

    /// What parts cost together, from what some of them cost each.
    #[inline]
    pub(crate) fn together(&self, costs: impl Iterator<Item = u64>) -> u64 {
        match self.criterion {
            Criterion::WorstCase => costs.max().unwrap_or(0),
            Criterion::ExpectedSize | Criterion::Entropy | Criterion::MostParts => costs.sum(),
        }
    }

    /// What a part of each size costs, up to the largest that was prepared for, and whether only the dearest counts.
    pub(crate) fn weights(&self, largest: usize) -> (Vec<u64>, bool) {
        let weight = |size: usize| match self.criterion {
            Criterion::WorstCase => size as u64,
            Criterion::ExpectedSize => (size * size) as u64,
            Criterion::Entropy => self.logarithms.weighted(size),
            Criterion::MostParts => size.saturating_sub(1) as u64,
        };
        ((0..=largest).map(weight).collect(), self.criterion == Criterion::WorstCase)
    }

    /// What to tally for a few codes.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The least a guess can cost whose tally came out like this; the cost itself for every criterion but entropy.
    #[inline]
    pub(crate) fn least_cost(&self, tallied: u16) -> u64 {
        match self.criterion {
            Criterion::WorstCase | Criterion::ExpectedSize | Criterion::MostParts => tallied.into(),
            Criterion::Entropy => u64::from(tallied) * UNITS_PER_WEIGHT,
        }
    }

    /// [`CostFunction::cost`] of the guesses of a step, from how many codes give each mark.
    pub(crate) fn costs(&self, histograms: &[[u32; STEP]], costs: &mut [u64; STEP]) {
        *costs = [0; STEP];
        for counts in histograms {
            for (cost, &size) in costs.iter_mut().zip(counts) {
                let size = size as usize;
                match self.criterion {
                    Criterion::WorstCase => *cost = (*cost).max(size as u64),
                    Criterion::ExpectedSize => *cost += (size * size) as u64,
                    Criterion::Entropy => *cost += self.logarithms.weighted(size),
                    Criterion::MostParts => *cost += size.saturating_sub(1) as u64,
                }
            }
        }
    }

    /// The criterion in the unit people know it by.
    pub(crate) fn score(&self, cost: u64, codes: usize) -> f64 {
        let codes = codes as f64;
        match self.criterion {
            Criterion::WorstCase => cost as f64,
            Criterion::ExpectedSize => cost as f64 / codes,
            Criterion::Entropy => portable::ln(codes) / LN_2 - cost as f64 / Logarithms::ONE as f64 / codes,
            Criterion::MostParts => codes - cost as f64,
        }
    }

    /// What the score is.
    pub(crate) fn unit(&self) -> &'static str {
        match self.criterion {
            Criterion::WorstCase => "codes at worst",
            Criterion::ExpectedSize => "codes on average",
            Criterion::Entropy => "bits",
            Criterion::MostParts => "parts",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_of_a_split() {
        let cost = |criterion| CostFunction::new(criterion, 0).cost(&[4, 0, 1, 3]);
        assert_eq!(cost(Criterion::WorstCase), 4);
        assert_eq!(cost(Criterion::ExpectedSize), 16 + 1 + 9);
        assert_eq!(cost(Criterion::MostParts), 8 - 3);
        let entropy = CostFunction::new(Criterion::Entropy, 0).score(cost(Criterion::Entropy), 8);
        let expected = -[0.5f64, 0.125, 0.375].iter().map(|share| share * share.log2()).sum::<f64>();
        assert!((entropy - expected).abs() < 1e-8);
    }

    #[test]
    fn fewer_parts_cost_more() {
        for criterion in [Criterion::WorstCase, Criterion::ExpectedSize, Criterion::Entropy, Criterion::MostParts] {
            let mut pricing = CostFunction::new(criterion, 0);
            pricing.prepare(200);
            for codes in [1, 5, 26, 27, 28, 200] {
                for parts in 1..27 {
                    let (more, fewer) = (pricing.least(codes, parts + 1), pricing.least(codes, parts));
                    assert!(more <= fewer, "{criterion:?} {codes} {parts}");
                }
                let (weights, largest) = pricing.weights(codes);
                let sizes = [codes as u32 / 2, codes as u32 - codes as u32 / 2];
                let each = sizes.map(|size| weights[size as usize]);
                assert_eq!(pricing.cost(&sizes), if largest { each[0].max(each[1]) } else { each[0] + each[1] });
            }
        }
    }

    /// Four parts of two and one of four among four single codes tell the same: 2^2 four times is 4^4.
    #[test]
    fn equal_entropies_are_equal_numbers() {
        let pricing = CostFunction::new(Criterion::Entropy, 0);
        assert_eq!(pricing.cost(&[2, 2, 2, 2]), pricing.cost(&[4, 1, 1, 1, 1]));
        assert_eq!(pricing.cost(&[6, 6, 1]), pricing.cost(&[6, 1, 6]));
        assert!(pricing.cost(&[3, 1]) > pricing.cost(&[2, 2]));
    }

    #[test]
    fn tallies_never_claim_more_than_the_cost() {
        for criterion in [Criterion::WorstCase, Criterion::ExpectedSize, Criterion::Entropy, Criterion::MostParts] {
            let pricing = CostFunction::new(criterion, 0);
            for sizes in [&[127u32][..], &[1; 40], &[5, 7, 30], &[2; 31], &[10, 10, 10, 10, 10, 13]] {
                let tallied = match pricing.tally() {
                    Tally::Largest => *sizes.iter().max().unwrap() as u16,
                    Tally::Sum(weights) => sizes.iter().map(|&size| weights.of(size as usize)).sum(),
                    other => panic!("{other:?}"),
                };
                let least = pricing.least_cost(tallied);
                assert!(least <= pricing.cost(sizes), "{criterion:?}");
                assert!(criterion == Criterion::Entropy || least == pricing.cost(sizes), "{criterion:?}");
            }
        }
    }
}
