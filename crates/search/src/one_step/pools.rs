//! Pools of guesses to evaluate, and the reductions that keep them small.
//!
//! - [`Pools`] caches the whole space and, after few guesses, one representative per symmetry class.
//! - [`ActiveColors`] merges colors that no candidate shows: all of them are interchangeable blanks.
//! - [`ColorClasses`] groups guesses with the same colors in different orders, which share a lower bound on their cost.

use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use pegwise_game::partition::{BatchKernel, BitPlanes};
use pegwise_game::symmetry::Symmetry;
use pegwise_game::{Code, Rules, Space, Table};

use super::cost::CostFunction;
use super::scan::{STEP, Scanner};

/// Guesses as a table, with bit planes and color classes that are built on demand.
#[derive(Debug)]
pub struct Pool {
    table: Arc<Table>,
    slices: OnceLock<BitPlanes>,
    color_classes: OnceLock<Box<ColorClasses>>,
}

impl Pool {
    pub(crate) fn new(table: Table) -> Self {
        Self { table: Arc::new(table), slices: OnceLock::new(), color_classes: OnceLock::new() }
    }

    pub(crate) fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    /// Returns the bit planes of the guesses if they are faster against `codes` candidates.
    pub fn slices(&self, lanes: &BatchKernel, codes: usize) -> Option<&BitPlanes> {
        let pays = lanes.prefers_bit_planes(codes, self.table.len());
        pays.then(|| self.slices.get_or_init(|| lanes.bit_planes(&self.table)))
    }

    /// Returns the guesses grouped by colors. For rows with black and white pegs only.
    pub(crate) fn color_classes(&self) -> &ColorClasses {
        self.color_classes.get_or_init(|| Box::new(ColorClasses::new(&self.table)))
    }
}

impl Deref for Pool {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

/// Representatives after a sequence of guesses; `None` if no symmetry is left.
type Representatives = (Vec<Code>, Arc<OnceLock<Option<Arc<Pool>>>>);

/// Minimum number of cached lists of representatives: threads that search different subtrees use different lists.
const MIN_CACHED: usize = 8;
/// Maximum number of cached lists.
const MAX_CACHED: usize = 256;
/// Maximum number of codes in all lists together, if there are more than [`MIN_CACHED`].
const CACHED_CODES: u128 = 1 << 23;

/// Cache of pools, each built on first use. Clones share it.
#[derive(Debug, Clone)]
pub struct Pools {
    rules: Rules,
    /// The space of the rules with each number of colors.
    spaces: Arc<[OnceLock<Arc<Pool>>]>,
    /// Recently used representatives, latest first.
    representatives: Arc<Mutex<VecDeque<Representatives>>>,
    /// Capacity of `representatives`.
    cached: usize,
}

impl Pools {
    /// Creates a cache for rules whose space can be listed.
    pub fn new(rules: &Rules) -> Self {
        let spaces = (0..=rules.colors()).map(|_| OnceLock::new()).collect();
        let codes = Space::new(rules).count().exact().unwrap_or(u128::MAX).max(1);
        let cached = ((CACHED_CODES / codes) as usize).clamp(MIN_CACHED, MAX_CACHED);
        Self { rules: rules.clone(), spaces, representatives: Arc::default(), cached }
    }

    /// Returns every code in the first `colors` colors.
    pub fn space(&self, colors: usize) -> Arc<Pool> {
        let list = || {
            let rules = self.rules.with_colors(colors).unwrap_or_else(|| self.rules.clone());
            Arc::new(Pool::new(Table::all(&rules).expect("only listable spaces are requested as a pool")))
        };
        Arc::clone(self.spaces[colors].get_or_init(list))
    }

    /// Returns the lowest guess of each class under the symmetries that the guesses `played` leave, ascending; `None`
    /// if they leave none.
    pub fn representatives(&self, played: &[Code]) -> Option<Arc<Pool>> {
        let pool = {
            let mut cached = self.lock();
            let known = cached.iter().find(|(guesses, _)| guesses == played).map(|(_, pool)| Arc::clone(pool));
            known.unwrap_or_else(|| {
                let pool = Arc::default();
                cached.truncate(self.cached - 1);
                cached.push_front((played.to_vec(), Arc::clone(&pool)));
                pool
            })
        };
        // Computed outside the lock; other threads that need the same list wait for it.
        pool.get_or_init(|| {
            let symmetry = Symmetry::new(&self.rules, played);
            let mut pool = Table::new(&self.rules).ok().filter(|_| !symmetry.is_trivial())?;
            symmetry.representatives().for_each(|code| pool.push(&code));
            Some(Arc::new(Pool::new(pool)))
        })
        .clone()
    }

    /// Locks the cache, which is consistent even if a thread panicked while it had the lock.
    fn lock(&self) -> MutexGuard<'_, VecDeque<Representatives>> {
        self.representatives.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the rows of `table` whose codes are also in `other`. Both tables are in ascending order.
pub fn common_rows(table: &Table, other: &Table) -> Vec<u32> {
    let mut rows = Vec::new();
    let mut first = 0;
    for other_row in 0..other.len() {
        let compare = |row: usize| {
            let pegs = (0..table.cells()).map(|cell| table.peg(row, cell));
            pegs.cmp((0..other.cells()).map(|cell| other.peg(other_row, cell)))
        };
        // Galloping search from the last match.
        let mut step = 1;
        while first + step < table.len() && compare(first + step).is_lt() {
            step *= 2;
        }
        let (mut low, mut high) = (first + step / 2, (first + step + 1).min(table.len()));
        while low < high {
            let middle = (low + high) / 2;
            if compare(middle).is_lt() { low = middle + 1 } else { high = middle }
        }
        first = low;
        if first < table.len() && compare(first).is_eq() {
            rows.push(first as u32);
            first += 1;
        }
    }
    rows
}

/// Colors that a guess needs: those that some candidate shows, and enough absent ones as blanks.
///
/// One blank is enough if colors may repeat. The order of colors is kept, so the lowest guess in the active colors is
/// the lowest of all equivalent guesses. Feedback that compares colors (higher or lower) keeps every color, because an
/// absent color still separates those below it from those above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveColors {
    /// The colors, ascending.
    colors: Vec<u8>,
}

impl ActiveColors {
    /// Returns the active colors of a position.
    pub fn of(rules: &Rules, codes: &Table) -> Self {
        let order_matters = !rules.feedback().model().ignores_color_order();
        let shown: Vec<bool> = (0..codes.colors()).map(|color| order_matters || codes.contains_color(color)).collect();
        // Without repeats, each blank must be a different color.
        let mut blanks = if rules.repeats() { 1 } else { rules.cells() };
        let keep = |&color: &usize| {
            let blank = !shown[color] && blanks > 0;
            blanks -= usize::from(blank);
            shown[color] || blank
        };
        Self { colors: (0..codes.colors()).filter(keep).map(|color| color as u8).collect() }
    }

    /// Returns the number of active colors.
    pub fn count(&self) -> usize {
        self.colors.len()
    }

    /// Renumbers the colors of `codes` from zero, for rules with [`ActiveColors::count`] colors.
    pub fn shrink(&self, small_rules: &Rules, codes: &Table) -> Option<Table> {
        let renumbered = |color: u8| self.colors.binary_search(&color).unwrap_or(0) as u16;
        let mut shrunk = Table::new(small_rules).ok()?;
        for row in 0..codes.len() {
            shrunk.push(&Code::from_indices((0..codes.cells()).map(|cell| renumbered(codes.peg(row, cell)))));
        }
        Some(shrunk)
    }

    /// Converts a guess from renumbered colors to the original ones.
    pub fn expand(&self, guess: &Code) -> Code {
        Code::from_indices(guess.iter().map(|color| self.colors[color.index()]))
    }
}

/// Guesses of a pool grouped by their multiset of colors.
///
/// The total number of pegs of a feedback does not depend on the order of the colors of a guess. So one evaluation per
/// class gives the number of candidates with each total, and parts of equal size within each total give a lower bound
/// of the cost of every guess of the class.
#[derive(Debug)]
pub(crate) struct ColorClasses {
    /// Rows of the pool, class by class, ascending within a class.
    rows: Vec<u32>,
    /// Start of each class in `rows`, and the end of the last one.
    starts: Vec<u32>,
    /// First guess of each class.
    examples: Pool,
}

/// Largest set of candidates for which lower bounds per total are tabulated.
const MAX_TABULATED: usize = 1 << 11;

impl ColorClasses {
    pub(crate) fn new(pool: &Table) -> Self {
        let mut sorted: Vec<(u64, u32)> = (0..pool.len()).map(|row| (colors(pool, row), row as u32)).collect();
        sorted.sort_unstable();
        let (mut starts, mut next) = (vec![0], 0);
        for class in sorted.chunk_by(|(one, _), (other, _)| one == other) {
            next += class.len() as u32;
            starts.push(next);
        }
        let rows: Vec<u32> = sorted.into_iter().map(|(_, row)| row).collect();
        let firsts: Vec<u32> = starts[..starts.len() - 1].iter().map(|&start| rows[start as usize]).collect();
        Self { examples: Pool::new(pool.select(&firsts)), rows, starts }
    }

    pub(crate) fn len(&self) -> usize {
        self.examples.len()
    }

    pub(crate) fn rows(&self, class: usize) -> &[u32] {
        &self.rows[self.starts[class] as usize..self.starts[class + 1] as usize]
    }

    /// Returns the lower bound and the number of each class whose lower bound is less than `bound`, lowest bound first.
    pub(crate) fn cheaper(
        &self,
        lanes: &BatchKernel,
        function: &CostFunction,
        codes: &Table,
        bound: u64,
    ) -> Vec<(u64, u32)> {
        let slices = self.examples.slices(lanes, codes.len());
        let mut scanner = Scanner::new(lanes, codes, &self.examples, slices);
        let bounds = TotalBounds::new(lanes, function, codes);
        let (mut counts, mut cheaper) = (Vec::new(), Vec::new());
        let mut sums = vec![[0u32; STEP]; codes.cells() + 1];
        for first in (0..self.examples.len()).step_by(STEP) {
            scanner.histograms(first / STEP, &mut counts);
            sums.fill([0; STEP]);
            for (counts, &total) in counts.iter().zip(&bounds.total_of_mark) {
                for (sum, count) in sums[total].iter_mut().zip(counts) {
                    *sum += count;
                }
            }
            for class in first..(first + STEP).min(self.examples.len()) {
                let lower = bounds.lower_bound(|total| sums[total][class - first] as usize);
                if lower < bound {
                    cheaper.push((lower, class as u32));
                }
            }
        }
        cheaper.sort_unstable();
        cheaper
    }
}

/// Returns the sorted colors of a code, one byte per cell.
pub fn colors(table: &Table, row: usize) -> u64 {
    let mut pegs = [0; 8];
    let cells = table.cells();
    for (cell, peg) in pegs[..cells].iter_mut().enumerate() {
        *peg = table.peg(row, cell);
    }
    pegs[..cells].sort_unstable();
    u64::from_le_bytes(pegs)
}

/// Lower bounds of costs by the total number of pegs of a feedback.
struct TotalBounds<'a> {
    function: &'a CostFunction,
    /// Total number of pegs of each mark.
    total_of_mark: Vec<usize>,
    /// Number of marks with each total.
    marks: Vec<usize>,
    /// Lower bound by total and number of codes; empty for more than [`MAX_TABULATED`] codes.
    tabulated: Vec<Vec<u64>>,
}

impl<'a> TotalBounds<'a> {
    fn new(lanes: &BatchKernel, function: &'a CostFunction, codes: &Table) -> Self {
        let cells = codes.cells();
        // A packed mark is `black * (cells + 1) + total`.
        let total_of_mark: Vec<usize> =
            lanes.encoding().possible().iter().map(|&byte| usize::from(byte) % (cells + 1)).collect();
        let marks: Vec<usize> =
            (0..=cells).map(|total| total_of_mark.iter().filter(|&&other| other == total).count()).collect();
        let tabulated = if codes.len() <= MAX_TABULATED { codes.len() + 1 } else { 0 };
        let list = |&marks: &usize| (0..tabulated).map(|codes| function.lower_bound(codes, marks)).collect();
        Self { function, tabulated: marks.iter().map(list).collect(), total_of_mark, marks }
    }

    /// Returns a lower bound on the cost of a guess to which `codes(total)` candidates answer with each total.
    #[inline]
    fn lower_bound(&self, codes: impl Fn(usize) -> usize) -> u64 {
        let lower = |total: usize| match self.tabulated[total].get(codes(total)) {
            Some(&lower) => lower,
            None => self.function.lower_bound(codes(total), self.marks[total]),
        };
        self.function.combine((0..self.marks.len()).map(lower))
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::partition::Partitioner;

    use super::*;
    use crate::{one_step::Criterion, rng::Rng};

    #[test]
    fn pools_are_built_once() {
        let rules: Rules = "3x5".parse().unwrap();
        let pools = Pools::new(&rules);
        assert!(Arc::ptr_eq(&pools.space(4), &pools.clone().space(4)));
        assert_eq!(pools.space(4).len(), 64);
        let first = pools.representatives(&[]).unwrap();
        assert!(Arc::ptr_eq(&first, &pools.clone().representatives(&[]).unwrap()));
        let played = ["123", "214", "325"].map(|code| rules.parse_code(code).unwrap());
        assert!(pools.representatives(&played).is_none());
    }

    #[test]
    fn common_codes_are_found() {
        let rules: Rules = "2x4".parse().unwrap();
        let all = Table::all(&rules).unwrap();
        assert_eq!(common_rows(&all, &all.select(&[2, 7, 15])), [2, 7, 15]);
        assert_eq!(common_rows(&all.select(&[1, 2, 3]), &all.select(&[3, 9])), [2]);
        assert_eq!(common_rows(&all.select(&[0, 5, 6, 7, 11, 15]), &all.select(&[0, 1, 5, 7, 8, 9, 15])), [0, 1, 3, 5]);
        assert_eq!(common_rows(&all.select(&[]), &all), [0u32; 0]);
    }

    #[test]
    fn absent_colors_become_blanks() {
        let rules: Rules = "3x6".parse().unwrap();
        let codes: Vec<Code> = ["255", "552", "525"].iter().map(|code| rules.parse_code(code).unwrap()).collect();
        let table = Table::from_codes(&rules, &codes).unwrap();
        let active = ActiveColors::of(&rules, &table);
        assert_eq!(active.colors, [0, 1, 4]);
        let small: Rules = "3x3".parse().unwrap();
        let shrunk = active.shrink(&small, &table).unwrap();
        let shown: Vec<String> = shrunk.codes().map(|code| code.notation(3).to_string()).collect();
        assert_eq!(shown, ["233", "332", "323"]);
        assert_eq!(active.expand(&small.parse_code("123").unwrap()).notation(6).to_string(), "125");
        let rules: Rules = "2x6:no-repeats".parse().unwrap();
        let code = rules.parse_code("34").unwrap();
        let table = Table::from_codes(&rules, [&code]).unwrap();
        assert_eq!(ActiveColors::of(&rules, &table).colors, [0, 1, 2, 3]);
    }

    #[test]
    fn class_bounds_are_lower_bounds() {
        let mut rng = Rng::new(11);
        for text in ["3x7", "4x6", "5x4", "4x7:no-repeats", "6x3"] {
            let rules: Rules = text.parse().unwrap();
            let partitioner = Partitioner::new(&rules);
            let lanes = partitioner.batch_kernel().unwrap();
            let pool = Table::all(&rules).unwrap();
            let classes = ColorClasses::new(&pool);
            for size in [3, 20, 90, 150] {
                let codes = pool.select(&rng.sample(pool.len() as u32, size));
                for criterion in Criterion::ALL {
                    let mut function = CostFunction::new(criterion, 0);
                    function.prepare(codes.len());
                    let mut sizes = Vec::new();
                    let all = classes.cheaper(lanes, &function, &codes, u64::MAX);
                    assert!(all.is_sorted());
                    let mut seen = 0;
                    for (lower, class) in all {
                        for &row in classes.rows(class as usize) {
                            partitioner.clone().sizes(&pool.code(row as usize), &codes, &mut sizes);
                            assert!(lower <= function.cost(&sizes), "{text}, {criterion:?}, row {row}");
                            seen += 1;
                        }
                    }
                    assert_eq!(seen, pool.len());
                }
            }
        }
    }
}
