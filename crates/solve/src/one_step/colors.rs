//! Guesses of the same colors, and what they cost at least.
//!
//! In whatever order a guess shows its colors, a code has as many pegs in common with it. So one guess tells for all that are
//! its colors in another order how many codes have each number of pegs in common; however well those are told apart by black
//! pegs, no guess of these colors costs less than parts as large as each other would. Most guesses need no closer look.

use pegwise_game::{Table, partition::Lanes};

use super::{
    criterion::CostFunction,
    pools::Pool,
    scanner::{STEP, Scanner},
};

/// The guesses of a pool by their colors.
#[derive(Debug)]
pub(crate) struct ByColors {
    /// The rows of the guesses, those of the same colors together, ascending.
    rows: Vec<u32>,
    /// Where those of the same colors begin, and where all end.
    begins: Vec<u32>,
    /// One guess of each colors.
    examples: Pool,
}

/// Codes in a table of what the codes of a total cost at least; for more, it is computed each time.
const MAX_LISTED: usize = 1 << 11;

impl ByColors {
    /// The guesses of a pool of rows with black and white pegs.
    pub(crate) fn new(pool: &Table) -> Self {
        let mut sorted: Vec<(u64, u32)> = (0..pool.len()).map(|row| (colors(pool, row), row as u32)).collect();
        sorted.sort_unstable();
        let (mut begins, mut next) = (vec![0], 0);
        for alike in sorted.chunk_by(|(one, _), (other, _)| one == other) {
            next += alike.len() as u32;
            begins.push(next);
        }
        let rows: Vec<u32> = sorted.into_iter().map(|(_, row)| row).collect();
        let firsts: Vec<u32> = begins[..begins.len() - 1].iter().map(|&begin| rows[begin as usize]).collect();
        Self { examples: Pool::new(pool.select(&firsts)), rows, begins }
    }

    /// How many colors there are, each as often as guesses show them.
    pub(crate) fn len(&self) -> usize {
        self.examples.len()
    }

    /// The rows of guesses of the same colors, ascending.
    pub(crate) fn rows(&self, number: usize) -> &[u32] {
        &self.rows[self.begins[number] as usize..self.begins[number + 1] as usize]
    }

    /// What guesses of the same colors cost at least, where that is less than a bound, and their number; the least first.
    pub(crate) fn cheaper(&self, lanes: &Lanes, pricing: &CostFunction, codes: &Table, bound: u64) -> Vec<(u64, u32)> {
        let slices = self.examples.slices(lanes, codes.len());
        let mut scanner = Scanner::new(lanes, codes, &self.examples, slices);
        let totals = Totals::new(lanes, pricing, codes);
        let (mut counts, mut cheaper) = (Vec::new(), Vec::new());
        let mut sums = vec![[0u32; STEP]; codes.cells() + 1];
        for first in (0..self.examples.len()).step_by(STEP) {
            scanner.histograms(first / STEP, &mut counts);
            sums.fill([0; STEP]);
            for (counts, &total) in counts.iter().zip(&totals.of_mark) {
                for (sum, count) in sums[total].iter_mut().zip(counts) {
                    *sum += count;
                }
            }
            for number in first..(first + STEP).min(self.examples.len()) {
                let least = totals.least(|total| sums[total][number - first] as usize);
                if least < bound {
                    cheaper.push((least, number as u32));
                }
            }
        }
        cheaper.sort_unstable();
        cheaper
    }
}

/// The colors of a code in their order, a byte a cell.
pub(crate) fn colors(table: &Table, row: usize) -> u64 {
    let mut pegs = [0; 8];
    let cells = table.cells();
    for (cell, peg) in pegs[..cells].iter_mut().enumerate() {
        *peg = table.peg(row, cell);
    }
    pegs[..cells].sort_unstable();
    u64::from_le_bytes(pegs)
}

/// What codes cost at least by the number of pegs that they have in common with a guess.
struct Totals<'a> {
    pricing: &'a CostFunction,
    /// The total of each mark.
    of_mark: Vec<usize>,
    /// How many marks have each total.
    marks: Vec<usize>,
    /// What so many codes of a total cost at least, total by total.
    listed: Vec<Vec<u64>>,
}

impl<'a> Totals<'a> {
    fn new(lanes: &Lanes, pricing: &'a CostFunction, codes: &Table) -> Self {
        let cells = codes.cells();
        // As marks are packed: black pegs, then all pegs.
        let of_mark: Vec<usize> =
            lanes.coding().possible().iter().map(|&byte| usize::from(byte) % (cells + 1)).collect();
        let marks: Vec<usize> =
            (0..=cells).map(|total| of_mark.iter().filter(|&&other| other == total).count()).collect();
        let most = if codes.len() <= MAX_LISTED { codes.len() + 1 } else { 0 };
        let list = |&marks: &usize| (0..most).map(|codes| pricing.least(codes, marks)).collect();
        let listed = marks.iter().map(list).collect();
        Self { pricing, of_mark, marks, listed }
    }

    /// What guesses cost at least with which so many codes have each number of pegs in common.
    #[inline]
    fn least(&self, codes: impl Fn(usize) -> usize) -> u64 {
        let least = |total: usize| match self.listed[total].get(codes(total)) {
            Some(&least) => least,
            None => self.pricing.least(codes(total), self.marks[total]),
        };
        self.pricing.together((0..self.marks.len()).map(least))
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Rules, partition::Partitioner};

    use super::*;
    use crate::{one_step::Criterion, rng::Rng};

    #[test]
    fn no_guess_costs_less_than_its_colors() {
        let mut rng = Rng::new(11);
        for text in ["3x7", "4x6", "5x4", "4x7:no-repeats", "6x3"] {
            let rules: Rules = text.parse().unwrap();
            let partitioner = Partitioner::new(&rules);
            let lanes = partitioner.lanes().unwrap();
            let pool = Table::all(&rules).unwrap();
            let by_colors = ByColors::new(&pool);
            for size in [3, 20, 90, 150] {
                let codes = pool.select(&rng.sample(pool.len() as u32, size));
                for criterion in
                    [Criterion::WorstCase, Criterion::ExpectedSize, Criterion::Entropy, Criterion::MostParts]
                {
                    let mut pricing = CostFunction::new(criterion, 0);
                    pricing.prepare(codes.len());
                    let mut sizes = Vec::new();
                    let all = by_colors.cheaper(lanes, &pricing, &codes, u64::MAX);
                    assert!(all.is_sorted());
                    let mut seen = 0;
                    for (least, number) in all {
                        for &row in by_colors.rows(number as usize) {
                            partitioner.clone().sizes(&pool.code(row as usize), &codes, &mut sizes);
                            assert!(least <= pricing.cost(&sizes), "{text}, {criterion:?}, row {row}");
                            seen += 1;
                        }
                    }
                    assert_eq!(seen, pool.len());
                }
            }
        }
    }
}
