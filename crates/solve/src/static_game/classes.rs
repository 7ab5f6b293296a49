//! Feedback of all codes to a guess, and the classes of codes that a set of guesses does not separate.

use pegwise_game::{Color, Rules, Table, TableError, partition::Partitioner};

/// All codes of a space, with their feedback as small numbers.
#[derive(Debug, Clone)]
pub(super) struct FeedbackTable {
    pub(super) codes: Table,
    partitioner: Partitioner,
    /// Number of each packed mark, if the rules have packed marks.
    numbers: Option<[u16; 256]>,
    marks: Vec<u8>,
    /// Exclusive upper bound of the feedback numbers.
    pub(super) kinds: usize,
}

impl FeedbackTable {
    pub(super) fn new(rules: &Rules) -> Result<Self, TableError> {
        let codes = Table::all(rules)?;
        let partitioner = Partitioner::new(rules);
        let possible = partitioner.batch_kernel().map(|lanes| lanes.encoding().possible().to_vec());
        let numbers = possible.as_ref().map(|possible| {
            let mut numbers = [0; 256];
            for (number, &mark) in (0..).zip(possible) {
                numbers[usize::from(mark)] = number;
            }
            numbers
        });
        // Without packed marks, feedbacks are numbered per guess; the numbers have 16 bits.
        let kinds = possible.map_or(codes.len().min(1 << 16), |possible| possible.len());
        Ok(Self { codes, partitioner, numbers, marks: Vec::new(), kinds })
    }

    /// Returns the number of the feedback of each code to a guess.
    pub(super) fn to(&mut self, guess: &[Color]) -> Vec<u16> {
        if let (Some(lanes), Some(numbers)) = (self.partitioner.batch_kernel(), &self.numbers) {
            lanes.marks(guess, &self.codes, &mut self.marks);
            return self.marks.iter().map(|&mark| numbers[usize::from(mark)]).collect();
        }
        let mut answers = vec![0; self.codes.len()];
        for (number, part) in self.partitioner.split(guess, &self.codes).into_iter().enumerate() {
            // Feedbacks beyond the last number share it, which can only separate fewer codes.
            let number = u16::try_from(number).unwrap_or(u16::MAX);
            for row in part.rows {
                answers[row as usize] = number;
            }
        }
        answers
    }
}

/// Equivalence classes of codes: two codes are in one class if they give the same feedback to every guess so far. Codes
/// that are alone in their class are decided, and omitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EquivalenceClasses {
    /// Undecided codes, ascending.
    pub(super) rows: Vec<u32>,
    /// Class of each undecided code.
    pub(super) of: Vec<u32>,
    pub(super) count: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct ClassBuffers {
    counts: Vec<u32>,
    keys: Vec<u64>,
}

/// Maximum number of counters, one per class and feedback; above it, sorting is faster.
const MAX_COUNTERS: usize = 1 << 22;

impl EquivalenceClasses {
    /// Puts all codes into one class.
    pub(super) fn new(codes: usize) -> Self {
        let undecided = if codes > 1 { codes } else { 0 };
        Self { rows: (0..undecided as u32).collect(), of: vec![0; undecided], count: usize::from(undecided > 0) }
    }

    pub(super) fn is_decided(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the number of pairs of codes in one class after another guess; `answers` has the feedback of each code
    /// to it.
    pub(super) fn undecided_pairs(&self, answers: &[u16], kinds: usize, scratch: &mut ClassBuffers) -> u64 {
        let counters = self.count * kinds;
        if counters > MAX_COUNTERS {
            self.sort(answers, scratch);
            let runs = scratch.keys.chunk_by(|one, other| one >> 32 == other >> 32).map(|run| run.len() as u64);
            return runs.map(|size| size * (size - 1) / 2).sum();
        }
        if scratch.counts.len() < counters {
            scratch.counts.resize(counters, 0);
        }
        let place = |row: u32, class: u32| class as usize * kinds + usize::from(answers[row as usize]);
        let mut pairs = 0;
        for (&row, &class) in self.rows.iter().zip(&self.of) {
            let count = &mut scratch.counts[place(row, class)];
            pairs += u64::from(*count);
            *count += 1;
        }
        for (&row, &class) in self.rows.iter().zip(&self.of) {
            scratch.counts[place(row, class)] = 0;
        }
        pairs
    }

    /// Returns the classes after another guess.
    pub(super) fn refine(&self, answers: &[u16], scratch: &mut ClassBuffers) -> Self {
        self.sort(answers, scratch);
        let mut codes: Vec<(u32, u32)> = Vec::with_capacity(self.rows.len());
        let mut count = 0;
        for class in scratch.keys.chunk_by(|one, other| one >> 32 == other >> 32).filter(|class| class.len() > 1) {
            codes.extend(class.iter().map(|&key| (self.rows[key as u32 as usize], count)));
            count += 1;
        }
        codes.sort_unstable();
        let (rows, of) = codes.into_iter().unzip();
        Self { rows, of, count: count as usize }
    }

    pub(super) fn largest(&self) -> usize {
        let mut sizes = vec![0; self.count];
        for &class in &self.of {
            sizes[class as usize] += 1;
        }
        sizes.into_iter().max().unwrap_or(0)
    }

    pub(super) fn groups(&self) -> Vec<Vec<u32>> {
        let mut groups = vec![Vec::new(); self.count];
        for (&row, &class) in self.rows.iter().zip(&self.of) {
            groups[class as usize].push(row);
        }
        groups
    }

    /// Sorts the codes by class and feedback, which are the high half of a key; the low half is the index of the code.
    fn sort(&self, answers: &[u16], scratch: &mut ClassBuffers) {
        // Classes have at least two codes, so class and feedback fit 16 bits each up to 2^17 codes. Beyond,
        // pairs are ranked first.
        scratch.keys.clear();
        let wide = self.count > usize::from(u16::MAX);
        let mut ranks: Vec<(u32, u16)> = Vec::new();
        if wide {
            ranks.extend(self.rows.iter().zip(&self.of).map(|(&row, &class)| (class, answers[row as usize])));
            ranks.sort_unstable();
            ranks.dedup();
        }
        for ((&row, &class), at) in self.rows.iter().zip(&self.of).zip(0u64..) {
            let answer = answers[row as usize];
            let group = match wide {
                true => ranks.binary_search(&(class, answer)).unwrap_or(0) as u64,
                false => u64::from(class) << 16 | u64::from(answer),
            };
            scratch.keys.push(group << 32 | at);
        }
        scratch.keys.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use pegwise_search::Rng;

    #[test]
    fn classes_have_equal_feedback() {
        let mut rng = Rng::new(1);
        let mut scratch = ClassBuffers::default();
        for codes in [0, 1, 2, 7, 300] {
            for kinds in [1, 3, 40] {
                let questions: Vec<Vec<u16>> =
                    (0..3).map(|_| (0..codes).map(|_| rng.below(kinds as u64) as u16).collect()).collect();
                let mut classes = EquivalenceClasses::new(codes);
                for (asked, answers) in (1..).zip(&questions) {
                    let pairs = classes.undecided_pairs(answers, kinds, &mut scratch);
                    classes = classes.refine(answers, &mut scratch);
                    let mut expected: BTreeMap<Vec<u16>, Vec<u32>> = BTreeMap::new();
                    for row in 0..codes as u32 {
                        let key = questions[..asked].iter().map(|answers| answers[row as usize]).collect();
                        expected.entry(key).or_default().push(row);
                    }
                    let mut expected: Vec<Vec<u32>> = expected.into_values().filter(|rows| rows.len() > 1).collect();
                    expected.sort_unstable();
                    let mut groups = classes.groups();
                    groups.sort_unstable();
                    assert_eq!(groups, expected);
                    let alike: usize = expected.iter().map(|rows| rows.len() * (rows.len() - 1) / 2).sum();
                    assert_eq!(pairs, alike as u64);
                    assert_eq!(classes.largest(), expected.iter().map(Vec::len).max().unwrap_or(0));
                }
            }
        }
    }
}
