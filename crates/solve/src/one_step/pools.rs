//! The guesses worth looking at, as tables.

use std::{
    collections::VecDeque,
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use super::colors::ByColors;
use pegwise_game::{
    Code, Rules, Space, Table,
    partition::{Lanes, Slices},
    symmetry::Symmetry,
};

/// Guesses as a table, and as masks too once that pays.
#[derive(Debug)]
pub(crate) struct Pool {
    table: Arc<Table>,
    slices: OnceLock<Slices>,
    by_colors: OnceLock<Box<ByColors>>,
}

impl Pool {
    pub(crate) fn new(table: Table) -> Self {
        Self { table: Arc::new(table), slices: OnceLock::new(), by_colors: OnceLock::new() }
    }

    /// The guesses as a table.
    pub(crate) fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    /// The guesses as masks, where pricing them against so many codes is quicker that way.
    pub(crate) fn slices(&self, lanes: &Lanes, codes: usize) -> Option<&Slices> {
        let pays = lanes.slicing_pays(codes, self.table.len());
        pays.then(|| self.slices.get_or_init(|| lanes.slices(&self.table)))
    }

    /// The guesses by their colors, for rows with black and white pegs.
    pub(crate) fn by_colors(&self) -> &ByColors {
        self.by_colors.get_or_init(|| Box::new(ByColors::new(&self.table)))
    }
}

impl Deref for Pool {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

/// The representatives after some guesses; `None` where every guess stands for itself.
type Symmetric = (Vec<Code>, Arc<OnceLock<Option<Arc<Pool>>>>);

/// How many lists of representatives are kept at least and at most, and how many codes they may have together where that is
/// more than the least: threads that search in different places want different ones.
const FEWEST_KEPT: usize = 8;
const MAX_KEPT: usize = 256;
const CODES_KEPT: u128 = 1 << 23;

/// Tables of guesses, each made when first asked for. A clone shares them, so that threads do not make them again.
#[derive(Debug, Clone)]
pub(crate) struct Pools {
    rules: Rules,
    /// Every code of the rules with so many of their colors.
    spaces: Arc<[OnceLock<Arc<Pool>>]>,
    /// The representatives after the guesses that were asked about last.
    symmetric: Arc<Mutex<VecDeque<Symmetric>>>,
    /// How many of those are kept.
    kept: usize,
}

impl Pools {
    /// Pools for rules whose space can be listed.
    pub(crate) fn new(rules: &Rules) -> Self {
        let spaces = (0..=rules.colors()).map(|_| OnceLock::new()).collect();
        let codes = Space::new(rules).count().exact().unwrap_or(u128::MAX).max(1);
        let kept = ((CODES_KEPT / codes) as usize).clamp(FEWEST_KEPT, MAX_KEPT);
        Self { rules: rules.clone(), spaces, symmetric: Arc::default(), kept }
    }

    /// Every code in so many colors.
    pub(crate) fn space(&self, colors: usize) -> Arc<Pool> {
        let list = || {
            let rules = self.rules.with_colors(colors).unwrap_or_else(|| self.rules.clone());
            Arc::new(Pool::new(Table::all(&rules).expect("all codes are asked for in listable spaces only")))
        };
        Arc::clone(self.spaces[colors].get_or_init(list))
    }

    /// One guess of each class under the symmetries of a game in which these guesses were played, ascending; `None` where
    /// there are no symmetries.
    pub(crate) fn representatives(&self, played: &[Code]) -> Option<Arc<Pool>> {
        let pool = {
            let mut symmetric = self.symmetric();
            let known = symmetric.iter().find(|(guesses, _)| guesses == played).map(|(_, pool)| Arc::clone(pool));
            known.unwrap_or_else(|| {
                let pool = Arc::default();
                symmetric.truncate(self.kept - 1);
                symmetric.push_front((played.to_vec(), Arc::clone(&pool)));
                pool
            })
        };
        // Made by the thread that comes first; others that want the same wait for it.
        pool.get_or_init(|| {
            let symmetry = Symmetry::new(&self.rules, played);
            let mut pool = Table::new(&self.rules).ok().filter(|_| !symmetry.is_trivial())?;
            symmetry.representatives().for_each(|code| pool.push(&code));
            Some(Arc::new(Pool::new(pool)))
        })
        .clone()
    }

    /// The list is whole even when a thread that held it has panicked.
    fn symmetric(&self) -> MutexGuard<'_, VecDeque<Symmetric>> {
        self.symmetric.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Rows of an ascending table whose codes another ascending table has too.
pub(crate) fn common_rows(one: &Table, other: &Table) -> Vec<u32> {
    let mut rows = Vec::new();
    let mut first = 0;
    for other_row in 0..other.len() {
        let compare = |row: usize| {
            let pegs = (0..one.cells()).map(|cell| one.peg(row, cell));
            pegs.cmp((0..other.cells()).map(|cell| other.peg(other_row, cell)))
        };
        // Ever wider steps find the stretch to search in: both tables ascend, so it is never far.
        let mut step = 1;
        while first + step < one.len() && compare(first + step).is_lt() {
            step *= 2;
        }
        let (mut low, mut high) = (first + step / 2, (first + step + 1).min(one.len()));
        while low < high {
            let middle = (low + high) / 2;
            if compare(middle).is_lt() { low = middle + 1 } else { high = middle }
        }
        first = low;
        if first < one.len() && compare(first).is_eq() {
            rows.push(first as u32);
            first += 1;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_are_made_once() {
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
}
