//! Guesses compared line by line, for boards whose marks do not fit a byte.
//!
//! A few hundred codes cannot tell apart answers of many lines: nearly every guess would seem to tell them all apart. So
//! each line is looked at alone, and what the lines tell is added up.

use std::collections::BTreeMap;

use pegwise_game::{Code, Color, Judge, Mark, Rules};

use crate::{one_step::CONSISTENT_BONUS_BITS, portable};

/// Sums the entropies of the marks of all lines.
#[derive(Debug, Clone)]
pub(super) struct LineScorer {
    rules: Rules,
    /// Marks of a line are counted under their own numbers, the first times this plus the second.
    side: usize,
    /// For each mark of a line, how many codes give it; empty where marks have too wide a range.
    counts: Vec<u32>,
    /// For counts of codes, the count times its logarithm to base two.
    weighted: Vec<f64>,
    columns: Columns,
}

/// The most counters that are kept for a line.
const MOST_COUNTERS: usize = 1 << 16;

impl LineScorer {
    pub(super) fn new(rules: &Rules) -> Self {
        let longest = rules.board().lines().map(<[usize]>::len).max().unwrap_or(0);
        let side = longest + 1;
        let pegs = rules.feedback().terms().cell.counts() && rules.feedback().terms().is_additive();
        let kept = pegs && side * side <= MOST_COUNTERS;
        let counts = if kept { vec![0; side * side] } else { Vec::new() };
        Self { rules: rules.clone(), side, counts, weighted: vec![0.0], columns: Columns::default() }
    }

    /// The best guesses of a pool, best first: one, and as many more as asked for.
    pub(super) fn best(
        &mut self,
        sample: &[Code],
        pool: Vec<Code>,
        is_consistent: impl Fn(&Code) -> bool,
        more: usize,
    ) -> Vec<Code> {
        self.look_at(sample);
        let mut priced: Vec<(f64, Code)> = Vec::with_capacity(pool.len());
        for guess in pool {
            let bonus = if is_consistent(&guess) { CONSISTENT_BONUS_BITS as f64 } else { 0.0 };
            priced.push((self.cost(&guess, sample) - bonus, guess));
        }
        priced.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1)));
        priced.into_iter().take(more + 1).map(|(_, guess)| guess).collect()
    }

    fn look_at(&mut self, sample: &[Code]) {
        let more_counts = self.weighted.len()..=sample.len();
        self.weighted
            .extend(more_counts.map(|count| count as f64 * portable::ln(count as f64) / std::f64::consts::LN_2));
        if !self.counts.is_empty() {
            self.columns.fill(&self.rules, sample);
        }
    }

    /// What is left open about the codes, in bits, summed over codes and lines.
    fn cost(&mut self, guess: &Code, sample: &[Code]) -> f64 {
        if self.counts.is_empty() {
            return self.cost_of_any_marks(guess, sample);
        }
        let mut cost = 0.0;
        for (number, line) in self.rules.board().lines().enumerate() {
            let (first, second) = self.columns.marks(&self.rules, number, line, guess);
            for (&first, &second) in first.iter().zip(second) {
                self.counts[usize::from(first) * self.side + usize::from(second)] += 1;
            }
            for count in &mut self.counts {
                cost += self.weighted[*count as usize];
                *count = 0;
            }
        }
        cost
    }

    fn cost_of_any_marks(&mut self, guess: &Code, sample: &[Code]) -> f64 {
        let mut judge = Judge::new(&self.rules);
        let mut counts: Vec<BTreeMap<Mark, usize>> = vec![BTreeMap::new(); self.rules.board().line_count()];
        for code in sample {
            for (counts, mark) in counts.iter_mut().zip(judge.marks(guess, code)) {
                *counts.entry(mark).or_default() += 1;
            }
        }
        counts.iter().flat_map(BTreeMap::values).map(|&count| self.weighted[count]).sum()
    }
}

/// A sample of codes, cell by cell: what a guess is answered by all of them is a sum over columns, many codes at a time.
#[derive(Debug, Clone, Default)]
struct Columns {
    codes: usize,
    /// For each cell, the colors of the codes there.
    pegs: Vec<u8>,
    /// For each line and color, how often each code shows it; for black and white pegs alone.
    held: Vec<u8>,
    /// The marks of the line looked at last: the black pegs, and all pegs or those that must be higher.
    first: Vec<u8>,
    second: Vec<u8>,
}

impl Columns {
    /// Takes on a sample. Colors and cells fit a byte wherever codes fit a table.
    fn fill(&mut self, rules: &Rules, sample: &[Code]) {
        let (cells, codes, board) = (rules.cells(), sample.len(), rules.board());
        self.codes = codes;
        self.pegs.clear();
        self.pegs.extend((0..cells).flat_map(|cell| sample.iter().map(move |code| code[cell].index() as u8)));
        self.held.clear();
        if rules.feedback().terms().colors {
            let colors = usize::from(rules.colors());
            self.held.resize(board.line_count() * colors * codes, 0);
            for (number, line) in board.lines().enumerate() {
                for &cell in line {
                    for (at, code) in sample.iter().enumerate() {
                        self.held[(number * colors + code[cell].index()) * codes + at] += 1;
                    }
                }
            }
        }
        self.first.resize(codes, 0);
        self.second.resize(codes, 0);
    }

    /// The two numbers that each code would answer a guess with on a line.
    fn marks(&mut self, rules: &Rules, number: usize, line: &[usize], guess: &[Color]) -> (&[u8], &[u8]) {
        let (codes, colors) = (self.codes, usize::from(rules.colors()));
        self.first.fill(0);
        self.second.fill(0);
        let terms = rules.feedback().terms();
        for (at, &cell) in line.iter().enumerate() {
            let own = guess[cell].index() as u8;
            let pegs = &self.pegs[cell * codes..][..codes];
            for ((first, second), &peg) in self.first.iter_mut().zip(&mut self.second).zip(pegs) {
                let term = terms.cell.of(own, peg);
                *first += term[0];
                *second += term[1];
            }
            // Each color once, with as many pegs as the guess shows on the line.
            if terms.colors && line[..at].iter().all(|&before| guess[before] != guess[cell]) {
                let shown = line[at..].iter().filter(|&&cell| guess[cell].index() as u8 == own).count() as u8;
                let held = &self.held[(number * colors + usize::from(own)) * codes..][..codes];
                for (second, &held) in self.second.iter_mut().zip(held) {
                    *second += held.min(shown);
                }
            }
        }
        (&self.first, &self.second)
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Space, feedback};

    use super::*;

    /// The naive twin: the marks of each line collected and counted.
    #[test]
    fn costs_are_sums_of_entropies() {
        for text in [
            "3x3",
            "grid:2x2x3",
            "3x4:higher-lower",
            "3x4:distance",
            "4x3:black-only",
            "4x3:color-only",
            "4x3:per-cell",
            "triangle:3x3",
            "lines:1.2.3/4/2.4x4",
        ] {
            let rules: Rules = text.parse().unwrap();
            let codes: Vec<Code> = Space::new(&rules).iter().step_by(3).collect();
            let mut scorer = LineScorer::new(&rules);
            scorer.look_at(&codes);
            for guess in codes.iter().step_by(5) {
                let mut naive = 0.0;
                for line in 0..rules.board().line_count() {
                    let marks: Vec<_> = codes.iter().map(|code| feedback(&rules, guess, code).marks()[line]).collect();
                    for mark in &marks {
                        let same = marks.iter().filter(|other| *other == mark).count();
                        naive += (same as f64).log2();
                    }
                }
                assert!((scorer.cost(guess, &codes) - naive).abs() < 1e-6, "{text}");
            }
        }
    }
}
