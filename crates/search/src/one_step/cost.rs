//! Costs of guesses, from the sizes of the parts into which they split the candidates.
//!
//! A [`CostFunction`] turns a [`Criterion`] into an integer that is lower for a better guess, so that ties are the same
//! on every machine. Entropy uses fixed-point logarithms ([`Logarithms`]) for which equal products have equal sums: `2
//! log 2 + 2 log 2 = 4 log 4 / 2` holds exactly. Candidates with weights have floating-point costs
//! ([`Criterion::add_weighted_part`]).

use std::{f64::consts::LN_2, sync::Arc};

use pegwise_game::partition::{MAX_TALLY_CODES, Tally};

use super::scan::STEP;
use crate::portable;

/// Objective of a one-step strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Criterion {
    /// Minimizes the size of the largest part.
    WorstCase,
    /// Minimizes the expected size of the part that contains the secret.
    ExpectedSize,
    /// Maximizes the Shannon entropy of the feedback.
    Entropy,
    /// Maximizes the number of parts.
    MostParts,
}

impl Criterion {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 4] = [Self::WorstCase, Self::ExpectedSize, Self::Entropy, Self::MostParts];

    /// Returns the unit of [`CostFunction::score`] and [`Criterion::weighted_score`].
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::WorstCase => "codes at worst",
            Self::ExpectedSize => "codes on average",
            Self::Entropy => "bits",
            Self::MostParts => "parts",
        }
    }

    /// Adds the cost of a part with `codes` candidates of total weight `weight` to the cost of the parts before it.
    pub(crate) fn add_weighted_part(self, cost: f64, weight: f64, codes: u32) -> f64 {
        match self {
            Self::WorstCase => cost.max(codes.into()),
            Self::ExpectedSize => cost + weight * f64::from(codes),
            Self::Entropy => cost + weight * log2(weight),
            Self::MostParts => cost - 1.0,
        }
    }

    /// Returns the score, in [`Criterion::unit`]s, of a guess with a weighted cost; `total` is the weight of all
    /// candidates.
    pub(crate) fn weighted_score(self, cost: f64, total: f64) -> f64 {
        match self {
            Self::WorstCase => cost,
            Self::ExpectedSize => cost / total,
            Self::Entropy => log2(total) - cost / total,
            Self::MostParts => -cost,
        }
    }
}

fn log2(x: f64) -> f64 {
    portable::ln(x) / LN_2
}

/// Bonus of the `entropy` strategy for a guess that can be the secret, in bits summed over all candidates. Separating
/// one pair of codes is worth two bits, and a guess that wins at once saves about as much.
pub const CONSISTENT_BONUS_BITS: u64 = 2;

/// Integer cost of a guess under a criterion; lower is better.
#[derive(Debug, Clone)]
pub struct CostFunction {
    criterion: Criterion,
    /// Cost added to guesses that cannot be the secret.
    bonus: u64,
    logarithms: Logarithms,
    tally: Tally,
}

/// Units of cost per unit of the entropy tally.
const UNITS_PER_WEIGHT: u64 = Logarithms::ONE / 32;

impl CostFunction {
    /// Creates a cost function. `bonus_bits` is the bonus of consistent guesses in bits, summed over all candidates;
    /// use it with entropy only.
    pub fn new(criterion: Criterion, bonus_bits: u64) -> Self {
        let logarithms = Logarithms::up_to(MAX_TALLY_CODES);
        let bonus = bonus_bits * Logarithms::ONE;
        let mut function = Self { criterion, bonus, logarithms, tally: Tally::Largest };
        if criterion != Criterion::WorstCase {
            // Rounded down, so that the tally is a lower bound on the cost.
            let units = if criterion == Criterion::Entropy { UNITS_PER_WEIGHT } else { 1 };
            function.tally = Tally::sum(|size| (function.part_cost(size) / units) as u16);
        }
        function
    }

    /// Returns the criterion.
    pub fn criterion(&self) -> Criterion {
        self.criterion
    }

    /// Returns the bonus of a consistent guess, in bits summed over all candidates.
    pub(crate) fn bonus_bits(&self) -> u64 {
        self.bonus / Logarithms::ONE
    }

    /// Prepares for parts of up to `largest` codes.
    pub fn prepare(&mut self, largest: usize) {
        if self.criterion == Criterion::Entropy {
            self.logarithms.extend(largest);
        }
    }

    /// Returns the cost of one part. An empty part costs nothing.
    #[inline]
    pub fn part_cost(&self, size: usize) -> u64 {
        match self.criterion {
            Criterion::WorstCase => size as u64,
            Criterion::ExpectedSize => (size * size) as u64,
            Criterion::Entropy => self.logarithms.weighted(size),
            Criterion::MostParts => size.saturating_sub(1) as u64,
        }
    }

    /// Returns the cost of a guess, from the costs of its parts: their maximum for the worst case, else their sum.
    #[inline]
    pub(crate) fn combine(&self, costs: impl Iterator<Item = u64>) -> u64 {
        match self.criterion {
            Criterion::WorstCase => costs.max().unwrap_or(0),
            Criterion::ExpectedSize | Criterion::Entropy | Criterion::MostParts => costs.sum(),
        }
    }

    /// Returns the cost of a guess that makes parts of these sizes.
    #[inline]
    pub fn cost(&self, sizes: &[u32]) -> u64 {
        self.combine(sizes.iter().map(|&size| self.part_cost(size as usize)))
    }

    /// Computes [`CostFunction::cost`] of [`STEP`] guesses at once; `histograms[mark][guess]` is a part size.
    pub(crate) fn costs(&self, histograms: &[[u32; STEP]], costs: &mut [u64; STEP]) {
        *costs = [0; STEP];
        for counts in histograms {
            for (cost, &size) in costs.iter_mut().zip(counts) {
                let part = self.part_cost(size as usize);
                *cost = if self.criterion == Criterion::WorstCase { (*cost).max(part) } else { *cost + part };
            }
        }
    }

    /// Returns the cost by which guesses are compared: the bonus is added to inconsistent guesses rather than
    /// subtracted from consistent ones, whose cost may be smaller than the bonus.
    pub(crate) fn with_bonus(&self, cost: u64, consistent: bool) -> u64 {
        if consistent { cost } else { cost + self.bonus }
    }

    /// Returns the highest cost at which an inconsistent guess is as good as a consistent one of cost `cost`; `None` if
    /// no inconsistent guess is.
    pub(crate) fn inconsistent_equivalent(&self, cost: u64) -> Option<u64> {
        cost.checked_sub(self.bonus)
    }

    /// Returns the lowest possible cost with `codes` candidates: that of a guess that separates all of them.
    pub(crate) fn ideal(&self, codes: usize) -> u64 {
        match self.criterion {
            Criterion::WorstCase => 1,
            Criterion::ExpectedSize => codes as u64,
            Criterion::Entropy | Criterion::MostParts => 0,
        }
    }

    /// Returns the lowest possible cost with `codes` candidates in at most `parts` parts: that of parts of equal size.
    pub(crate) fn lower_bound(&self, codes: usize, parts: usize) -> u64 {
        let parts = parts.max(1);
        self.combine((0..parts).map(|part| self.part_cost((codes + part) / parts)))
    }

    /// Returns the cost of a part of each size up to `largest`, and true if the cost of a guess is their maximum
    /// instead of their sum.
    pub(crate) fn table(&self, largest: usize) -> (Vec<u64>, bool) {
        ((0..=largest).map(|size| self.part_cost(size)).collect(), self.criterion == Criterion::WorstCase)
    }

    /// Returns the tally that the kernels compute for sets of at most [`MAX_TALLY_CODES`] codes.
    pub(crate) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns a lower bound on the cost of a guess from its tally; exact for every criterion but entropy.
    #[inline]
    pub(crate) fn tally_bound(&self, tallied: u16) -> u64 {
        match self.criterion {
            Criterion::WorstCase | Criterion::ExpectedSize | Criterion::MostParts => tallied.into(),
            Criterion::Entropy => u64::from(tallied) * UNITS_PER_WEIGHT,
        }
    }

    /// Returns the score, in [`Criterion::unit`]s, of a guess of cost `cost` against `codes` candidates.
    pub(crate) fn score(&self, cost: u64, codes: usize) -> f64 {
        let codes = codes as f64;
        match self.criterion {
            Criterion::WorstCase => cost as f64,
            Criterion::ExpectedSize => cost as f64 / codes,
            Criterion::Entropy => portable::ln(codes) / LN_2 - cost as f64 / Logarithms::ONE as f64 / codes,
            Criterion::MostParts => codes - cost as f64,
        }
    }
}

/// Fixed-point binary logarithms in units of `1 / ONE`. The logarithm of a composite number is the sum over its prime
/// factors.
#[derive(Debug, Clone)]
pub struct Logarithms {
    /// `n * log2(n)` for each n.
    weighted: Arc<Vec<u64>>,
}

impl Logarithms {
    /// The logarithm of two. Sums over 2^25 codes stay below 2^64.
    pub const ONE: u64 = 1 << 32;

    pub(crate) fn up_to(largest: usize) -> Self {
        let mut logarithms = Self { weighted: Arc::new(Vec::new()) };
        logarithms.extend(largest);
        logarithms
    }

    pub(crate) fn extend(&mut self, largest: usize) {
        if largest < self.weighted.len() {
            return;
        }
        let size = (largest + 1).next_power_of_two();
        let mut logs = vec![0u64; size];
        // Each prime adds its logarithm to the multiples of each of its powers.
        for prime in 2..size {
            if logs[prime] != 0 {
                continue;
            }
            let log = fixed_log2(prime as u64);
            let mut power = prime;
            while power < size {
                for multiple in (power..size).step_by(power) {
                    logs[multiple] += log;
                }
                power *= prime;
            }
        }
        for (number, log) in logs.iter_mut().enumerate() {
            *log *= number as u64;
        }
        self.weighted = Arc::new(logs);
    }

    /// Returns `n * log2(n)`, and zero for zero.
    #[inline]
    pub(crate) fn weighted(&self, number: usize) -> u64 {
        self.weighted[number]
    }
}

/// Returns the binary logarithm in units of `1 / ONE`, rounded down, one bit at a time: squaring doubles a logarithm.
fn fixed_log2(number: u64) -> u64 {
    let whole = u64::from(number.ilog2());
    // The number scaled to [1, 2), with 63 fractional bits.
    let mut scaled = u128::from(number) << (63 - whole);
    let mut log = whole;
    for _ in 0..Logarithms::ONE.ilog2() {
        scaled = (scaled * scaled) >> 63;
        log <<= 1;
        if scaled >> 64 != 0 {
            scaled >>= 1;
            log |= 1;
        }
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_of_a_partition() {
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
        for criterion in Criterion::ALL {
            let mut function = CostFunction::new(criterion, 0);
            function.prepare(200);
            for codes in [1, 5, 26, 27, 28, 200] {
                for parts in 1..27 {
                    let (more, fewer) = (function.lower_bound(codes, parts + 1), function.lower_bound(codes, parts));
                    assert!(more <= fewer, "{criterion:?} {codes} {parts}");
                }
                let (table, _) = function.table(codes);
                let sizes = [codes as u32 / 2, codes as u32 - codes as u32 / 2];
                let parts = sizes.iter().map(|&size| table[size as usize]);
                assert_eq!(function.cost(&sizes), function.combine(parts));
            }
        }
    }

    /// 2^2 four times is 4^4: four parts of two have the same entropy as one of four and four single codes.
    #[test]
    fn equal_entropies_have_equal_costs() {
        let function = CostFunction::new(Criterion::Entropy, 0);
        assert_eq!(function.cost(&[2, 2, 2, 2]), function.cost(&[4, 1, 1, 1, 1]));
        assert_eq!(function.cost(&[6, 6, 1]), function.cost(&[6, 1, 6]));
        assert!(function.cost(&[3, 1]) > function.cost(&[2, 2]));
    }

    #[test]
    fn tallies_are_lower_bounds() {
        for criterion in Criterion::ALL {
            let function = CostFunction::new(criterion, 0);
            for sizes in [&[127u32][..], &[1; 40], &[5, 7, 30], &[2; 31], &[10, 10, 10, 10, 10, 13]] {
                let tallied = match function.tally() {
                    Tally::Largest => *sizes.iter().max().unwrap() as u16,
                    Tally::Sum(weights) => sizes.iter().map(|&size| weights.of(size as usize)).sum(),
                    other => panic!("{other:?}"),
                };
                let bound = function.tally_bound(tallied);
                assert!(bound <= function.cost(sizes), "{criterion:?}");
                assert!(criterion == Criterion::Entropy || bound == function.cost(sizes), "{criterion:?}");
            }
        }
    }

    #[test]
    fn logarithms_are_accurate_and_additive() {
        let logarithms = Logarithms::up_to(1000);
        let log = |number: usize| logarithms.weighted(number) / number as u64;
        for number in 1..=1000 {
            let float = log(number) as f64 / Logarithms::ONE as f64;
            assert!((float - (number as f64).log2()).abs() < 1e-8, "{number}: {float}");
        }
        for (one, other) in [(2, 2), (6, 35), (12, 18), (31, 32)] {
            assert_eq!(log(one * other), log(one) + log(other));
        }
    }
}
