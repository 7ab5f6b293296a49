//! Scores of codes by how well they split a set of codes.

use pegwise_game::{Judge, Rules};

use super::population::Population;
use pegwise_search::Search;
use pegwise_search::candidates::{Packed, Packing};
use pegwise_search::one_step::{CostFunction, Criterion, Logarithms};

const UNITS_PER_BIT: u64 = 1 << 16;

/// Scorer of each code of a set by the partition that its feedback makes of the other codes: the number of parts, or
/// the entropy in units of 1/65536 bit.
#[derive(Debug)]
pub(crate) struct Splitter {
    function: CostFunction,
    judge: Judge,
    packing: Option<Packing>,
    /// Number of possible values of black pegs, and of all pegs.
    values: usize,
    packed: Vec<Packed>,
    /// Part sizes; all zero between calls if codes are packed.
    sizes: Vec<u32>,
    /// Feedback hashes if codes are not packed.
    keys: Vec<u64>,
}

impl Splitter {
    /// Creates a splitter; the criterion is [`Criterion::MostParts`] or [`Criterion::Entropy`].
    pub(crate) fn new(rules: &Rules, criterion: Criterion) -> Self {
        let (packing, values) = (Packing::new(rules), rules.cells() + 1);
        Self {
            function: CostFunction::new(criterion, 0),
            judge: Judge::new(rules),
            packing,
            values,
            packed: Vec::new(),
            sizes: vec![0; if packing.is_some() { values * values } else { 0 }],
            keys: Vec::new(),
        }
    }

    /// Returns the number of score units that count as much as one peg of a cost.
    pub(super) fn score_per_peg(&self) -> u64 {
        if self.function.criterion() == Criterion::Entropy { UNITS_PER_BIT } else { 1 }
    }

    /// Computes the score of each code of a set. Codes that are not reached before a limit score zero.
    pub(crate) fn score(&mut self, codes: &Population, scores: &mut Vec<u64>, search: &mut Search<'_>) {
        scores.clear();
        scores.resize(codes.len(), 0);
        if codes.len() < 2 {
            return;
        }
        self.function.prepare(codes.len());
        self.packed.clear();
        if let Some(packing) = self.packing {
            self.packed.extend((0..codes.len()).map(|index| packing.pack(codes.member(index))));
        }
        let others = codes.len() - 1;
        for (index, score) in scores.iter_mut().enumerate() {
            if index > 0 && search.stop().is_some() {
                return;
            }
            let cost = if self.packing.is_some() { self.packed_cost(index) } else { self.plain_cost(codes, index) };
            *score = match self.function.criterion() {
                Criterion::Entropy => {
                    let bits = (self.function.part_cost(others) - cost) / others as u64;
                    bits / (Logarithms::ONE / UNITS_PER_BIT)
                }
                _ => others as u64 - cost,
            };
            search.score(others as u64);
        }
    }

    fn packed_cost(&mut self, index: usize) -> u64 {
        let Self { packed, sizes, values, function, .. } = self;
        let code = packed[index];
        for &other in packed[..index].iter().chain(&packed[index + 1..]) {
            sizes[code.black(other) as usize * *values + code.pegs(other) as usize] += 1;
        }
        let cost = function.cost(sizes);
        sizes.fill(0);
        cost
    }

    fn plain_cost(&mut self, codes: &Population, index: usize) -> u64 {
        let Self { judge, keys, sizes, function, .. } = self;
        let code = codes.member(index);
        keys.clear();
        for other in (0..codes.len()).filter(|&other| other != index) {
            // A 64-bit hash of the marks of all lines.
            let key = judge.marks(code, codes.member(other)).fold(0u64, |key, mark| {
                let mixed = (key ^ mark.word()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                mixed ^ (mixed >> 29)
            });
            keys.push(key);
        }
        keys.sort_unstable();
        sizes.clear();
        sizes.extend(keys.chunk_by(|one, other| one == other).map(|part| part.len() as u32));
        function.cost(sizes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pegwise_game::{Code, History, Space};

    use super::*;
    use pegwise_search::Rng;

    fn scores(rules: &Rules, codes: &[Code], criterion: Criterion) -> Vec<u64> {
        let mut population = Population::new(rules);
        codes.iter().for_each(|code| population.push(code, 0));
        let mut scores = Vec::new();
        Splitter::new(rules, criterion).score(&population, &mut scores, &mut Search::new(0));
        scores
    }

    #[test]
    fn scores_match_the_definition() {
        for rules in [
            "4x6", "5x3", "grid:2x2x3", "4x4:higher-lower", "3x6:distance", "4x5:black-only", "4x5:color-only",
            "4x5:per-cell", "20x20",
        ] {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(1);
            for count in [1, 2, 3, 9, 40] {
                let codes: Vec<Code> = (0..count).map(|_| rng.code(&rules)).collect();
                let parts = scores(&rules, &codes, Criterion::MostParts);
                let bits = scores(&rules, &codes, Criterion::Entropy);
                for (index, code) in codes.iter().enumerate() {
                    let mut sizes = BTreeMap::new();
                    for (_, other) in codes.iter().enumerate().filter(|&(other, _)| other != index) {
                        let feedback = pegwise_game::feedback(&rules, code, other).to_string();
                        *sizes.entry(feedback).or_insert(0.0) += 1.0;
                    }
                    assert_eq!(parts[index], sizes.len() as u64, "{rules}");
                    let others: f64 = sizes.values().sum();
                    let entropy: f64 = sizes.values().map(|size: &f64| size / others * (others / size).log2()).sum();
                    assert!((bits[index] as f64 / UNITS_PER_BIT as f64 - entropy).abs() < 1e-4, "{rules}");
                }
            }
        }
    }

    /// Table II of Merelo and others (2010): the forty candidates after ABCA was answered 2,1.
    #[test]
    fn printed_numbers_of_parts() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["ABCA=2,1"]).unwrap();
        let codes: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
        assert_eq!(codes.len(), 40);
        let parts = scores(&rules, &codes, Criterion::MostParts);
        for (code, printed) in [("AABA", 5), ("AACC", 7), ("AACD", 9), ("ABBC", 8), ("ABDC", 10), ("ACDA", 6)] {
            let code = rules.parse_code(code).unwrap();
            let index = codes.iter().position(|other| *other == code).unwrap();
            assert_eq!(parts[index], printed, "{code:?}");
        }
    }
}
