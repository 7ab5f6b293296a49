//! How well a code splits the others.

use pegwise_game::{Judge, Rules};

use crate::{
    candidates::{Packed, Packing},
    evolutionary::Population,
    one_step::Logarithms,
    search::Search,
};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// How many parts there are.
    Parts,
    /// How many bits the answer tells, in units of 1/65536.
    Entropy,
}

impl Measure {
    const BIT: u64 = 1 << 16;

    /// What a peg counts beside a code's score.
    pub(super) fn peg(self) -> u64 {
        match self {
            Self::Parts => 1,
            Self::Entropy => Self::BIT,
        }
    }
}

/// Splits a set of codes by the feedback that each of them would give to one of them, which is itself left out.
#[derive(Debug)]
pub(super) struct Splitter {
    measure: Measure,
    judge: Judge,
    packing: Option<Packing>,
    /// Black pegs, and pegs in all, are each from zero to the number of cells.
    answers: usize,
    packed: Vec<Packed>,
    /// How many codes give each answer; all zero between codes.
    sizes: Vec<u32>,
    /// Answers to one code where codes are not packed.
    keys: Vec<u64>,
    logarithms: Logarithms,
}

impl Splitter {
    pub(super) fn new(rules: &Rules, measure: Measure) -> Self {
        let (packing, answers) = (Packing::new(rules), rules.cells() + 1);
        Self {
            measure,
            judge: Judge::new(rules),
            packing,
            answers,
            packed: Vec::new(),
            sizes: vec![0; if packing.is_some() { answers * answers } else { 0 }],
            keys: Vec::new(),
            logarithms: Logarithms::up_to(64),
        }
    }

    /// The score of each code of a set. A limit ends the work: codes not reached score zero.
    pub(super) fn score(&mut self, codes: &Population, scores: &mut Vec<u64>, search: &mut Search<'_>) {
        scores.clear();
        scores.resize(codes.len(), 0);
        if codes.len() < 2 {
            return;
        }
        self.logarithms.extend(codes.len());
        self.packed.clear();
        if let Some(packing) = self.packing {
            self.packed.extend((0..codes.len()).map(|index| packing.pack(codes.member(index))));
        }
        for (index, score) in scores.iter_mut().enumerate() {
            if index > 0 && search.stop().is_some() {
                return;
            }
            *score = if self.packing.is_some() { self.packed_score(index) } else { self.plain_score(codes, index) };
            search.score(codes.len() as u64 - 1);
        }
    }

    fn packed_score(&mut self, index: usize) -> u64 {
        let Self { packed, sizes, answers, measure, logarithms, .. } = self;
        let code = packed[index];
        for &other in packed[..index].iter().chain(&packed[index + 1..]) {
            sizes[code.black(other) as usize * *answers + code.pegs(other) as usize] += 1;
        }
        let others = packed.len() - 1;
        let score = worth(*measure, logarithms, others, sizes.iter().map(|&size| size as usize));
        sizes.fill(0);
        score
    }

    fn plain_score(&mut self, codes: &Population, index: usize) -> u64 {
        let Self { judge, keys, measure, logarithms, .. } = self;
        let code = codes.member(index);
        keys.clear();
        for other in (0..codes.len()).filter(|&other| other != index) {
            // A hash of 64 bits stands for the marks of all lines.
            let key = judge.marks(code, codes.member(other)).fold(0u64, |key, mark| {
                let mixed = (key ^ mark.word()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                mixed ^ (mixed >> 29)
            });
            keys.push(key);
        }
        keys.sort_unstable();
        worth(*measure, logarithms, keys.len(), keys.chunk_by(|one, other| one == other).map(<[u64]>::len))
    }
}

fn worth(measure: Measure, logarithms: &Logarithms, others: usize, sizes: impl Iterator<Item = usize>) -> u64 {
    match measure {
        Measure::Parts => sizes.filter(|&size| size > 0).count() as u64,
        Measure::Entropy => {
            let within: u64 = sizes.map(|size| logarithms.weighted(size)).sum();
            let bits = (logarithms.weighted(others) - within) / others as u64;
            bits / (Logarithms::ONE / Measure::BIT)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pegwise_game::{Code, History, Space};

    use super::*;
    use crate::Rng;

    fn scores(rules: &Rules, codes: &[Code], measure: Measure) -> Vec<u64> {
        let mut population = Population::new(rules);
        codes.iter().for_each(|code| population.push(code, 0));
        let mut scores = Vec::new();
        Splitter::new(rules, measure).score(&population, &mut scores, &mut Search::new(0));
        scores
    }

    /// Both paths, and both measures, against the definition.
    #[test]
    fn scores_agree_with_the_definition() {
        for rules in [
            "4x6",
            "5x3",
            "grid:2x2x3",
            "4x4:higher-lower",
            "3x6:distance",
            "4x5:black-only",
            "4x5:color-only",
            "4x5:per-cell",
            "20x20",
        ] {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(1);
            for count in [1, 2, 3, 9, 40] {
                let codes: Vec<Code> = (0..count).map(|_| rng.code(&rules)).collect();
                let (parts, bits) = (scores(&rules, &codes, Measure::Parts), scores(&rules, &codes, Measure::Entropy));
                for (index, code) in codes.iter().enumerate() {
                    let mut sizes = BTreeMap::new();
                    for (_, other) in codes.iter().enumerate().filter(|&(other, _)| other != index) {
                        let feedback = pegwise_game::feedback(&rules, code, other).to_string();
                        *sizes.entry(feedback).or_insert(0.0) += 1.0;
                    }
                    assert_eq!(parts[index], sizes.len() as u64, "{rules}");
                    let others: f64 = sizes.values().sum();
                    let entropy: f64 = sizes.values().map(|size: &f64| size / others * (others / size).log2()).sum();
                    assert!((bits[index] as f64 / Measure::BIT as f64 - entropy).abs() < 1e-4, "{rules}");
                }
            }
        }
    }

    /// Table II of the paper: the forty codes left after ABCA was answered 2,1.
    #[test]
    fn the_printed_partitions() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["ABCA=2,1"]).unwrap();
        let codes: Vec<Code> = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
        assert_eq!(codes.len(), 40);
        let parts = scores(&rules, &codes, Measure::Parts);
        for (code, printed) in [("AABA", 5), ("AACC", 7), ("AACD", 9), ("ABBC", 8), ("ABDC", 10), ("ACDA", 6)] {
            let code = rules.parse_code(code).unwrap();
            let index = codes.iter().position(|other| *other == code).unwrap();
            assert_eq!(parts[index], printed, "{code:?}");
        }
    }
}
