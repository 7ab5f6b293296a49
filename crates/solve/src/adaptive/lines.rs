//! Guesses compared line by line, for boards whose marks do not fit a byte.
//!
//! A few hundred codes cannot tell apart answers of many lines: nearly every guess would seem to tell them all apart. So
//! each line is looked at alone, and what the lines tell is added up.

use std::collections::BTreeMap;

use pegwise_game::{Code, FeedbackKind, Judge, Mark, Rules};

use crate::portable;

/// What a guess that can be the code is let off, in bits over all codes.
const BONUS_BITS: f64 = 2.0;

/// Sums the entropies of the marks of all lines.
#[derive(Debug, Clone)]
pub(super) struct LineScorer {
    judge: Judge,
    lines: usize,
    /// Marks of a line are counted under their own numbers, black times this plus the other.
    side: usize,
    /// For each line and mark, how many codes give it; empty where marks have too wide a range.
    counts: Vec<u32>,
    /// For counts of codes, the count times its logarithm to base two.
    weighted: Vec<f64>,
}

/// The most counters that are kept for a line.
const MOST_COUNTERS: usize = 1 << 16;

impl LineScorer {
    pub(super) fn new(rules: &Rules) -> Self {
        let longest = rules.board().lines().map(<[usize]>::len).max().unwrap_or(0);
        let (lines, side) = (rules.board().line_count(), longest + 1);
        let pegs = !matches!(rules.feedback(), FeedbackKind::Distance | FeedbackKind::CityBlock);
        let kept = pegs && side * side <= MOST_COUNTERS;
        let counts = if kept { vec![0; lines * side * side] } else { Vec::new() };
        Self { judge: Judge::new(rules), lines, side, counts, weighted: vec![0.0] }
    }

    /// The best guesses of a pool, best first: one, and as many more as asked for.
    pub(super) fn best(
        &mut self,
        sample: &[Code],
        pool: Vec<Code>,
        is_consistent: impl Fn(&Code) -> bool,
        more: usize,
    ) -> Vec<Code> {
        let more_counts = self.weighted.len()..=sample.len();
        self.weighted
            .extend(more_counts.map(|count| count as f64 * portable::ln(count as f64) / std::f64::consts::LN_2));
        let mut priced: Vec<(f64, Code)> = Vec::with_capacity(pool.len());
        for guess in pool {
            let bonus = if is_consistent(&guess) { BONUS_BITS } else { 0.0 };
            priced.push((self.cost(&guess, sample) - bonus, guess));
        }
        priced.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1)));
        priced.into_iter().take(more + 1).map(|(_, guess)| guess).collect()
    }

    /// What is left open about the codes, in bits, summed over codes and lines.
    fn cost(&mut self, guess: &Code, sample: &[Code]) -> f64 {
        if self.counts.is_empty() {
            return self.cost_of_any_marks(guess, sample);
        }
        let square = self.side * self.side;
        for code in sample {
            for (line, mark) in self.judge.marks(guess, code).enumerate() {
                self.counts[line * square + number(mark, self.side)] += 1;
            }
        }
        let mut cost = 0.0;
        for count in &mut self.counts {
            cost += self.weighted[*count as usize];
            *count = 0;
        }
        cost
    }

    fn cost_of_any_marks(&mut self, guess: &Code, sample: &[Code]) -> f64 {
        let mut counts: Vec<BTreeMap<Mark, usize>> = vec![BTreeMap::new(); self.lines];
        for code in sample {
            for (counts, mark) in counts.iter_mut().zip(self.judge.marks(guess, code)) {
                *counts.entry(mark).or_default() += 1;
            }
        }
        counts.iter().flat_map(BTreeMap::values).map(|&count| self.weighted[count]).sum()
    }
}

/// The place of a mark among those of a line.
fn number(mark: Mark, side: usize) -> usize {
    let (black, other) = match mark {
        Mark::BlackWhite { black, white } => (black, white),
        Mark::BlackOnly { black } => (black, 0),
        Mark::HigherLower { black, higher, .. } => (black, higher),
        Mark::Distance { .. } => unreachable!("distances are counted by their value"),
    };
    usize::from(black) * side + usize::from(other)
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Space, feedback};

    use super::*;

    /// The naive twin: the marks of each line collected and counted.
    #[test]
    fn costs_are_sums_of_entropies() {
        for text in ["3x3", "grid:2x2x3", "3x4:higher-lower", "3x4:distance", "4x3:black-only"] {
            let rules: Rules = text.parse().unwrap();
            let codes: Vec<Code> = Space::new(&rules).iter().step_by(3).collect();
            let mut scorer = LineScorer::new(&rules);
            scorer.best(&codes, Vec::new(), |_| true, 0);
            for guess in codes.iter().step_by(5) {
                let mut naive = 0.0;
                for line in 0..rules.board().line_count() {
                    let mark = |code: &Code| feedback(&rules, guess, code).marks()[line];
                    for code in &codes {
                        let same = codes.iter().filter(|other| mark(other) == mark(code)).count();
                        naive += (same as f64).log2();
                    }
                }
                assert!((scorer.cost(guess, &codes) - naive).abs() < 1e-6, "{text}");
            }
        }
    }
}
