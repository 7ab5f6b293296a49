//! What a set of so many codes is expected to take.

use std::{collections::BTreeMap, sync::Arc};

use crate::portable;

/// Guesses, summed over all codes of a set, in units of `1 / Values::UNIT`, by the size of the set.
#[derive(Debug, Clone)]
pub(super) struct Values {
    by_size: Arc<Vec<u32>>,
    /// Whether they are what was found, not what was guessed.
    found: bool,
}

impl Values {
    /// Units of one guess. A set of 127 codes stays below 16 bits.
    pub(super) const UNIT: u32 = 64;

    /// Expectations before anything was searched: every guess tells codes apart about half as well as it could.
    pub(super) fn expected(kinds: usize, largest: usize) -> Self {
        let base = portable::ln((kinds as f64 * 0.55).max(2.0));
        let value = |size: usize| match size {
            0 => 0.0,
            1 => 1.0,
            2 => 3.0,
            _ => {
                let size = size as f64;
                (size * (1.0 + portable::ln(size) / base)).max(2.0 * size - 1.0)
            }
        };
        let by_size = (0..=largest).map(|size| (value(size) * f64::from(Self::UNIT)) as u32).collect();
        Self { by_size: Arc::new(by_size), found: false }
    }

    /// What so many codes are expected to take.
    #[inline]
    pub(super) fn of(&self, size: usize) -> u32 {
        self.by_size[size]
    }

    /// The same in whole guesses, if it rests on what was found.
    pub(super) fn found(&self, size: usize) -> Option<u64> {
        self.found.then(|| u64::from(self.of(size) / Self::UNIT))
    }

    /// The same expectations, with those that were found in place of those that were guessed.
    pub(super) fn learned(&self, found: &Found) -> Self {
        let mut values = (*self.by_size).clone();
        // How much better or worse than expected: sizes that were seen often count by themselves, others by their
        // neighbors.
        let mut last_ratio = 1.0;
        let mut ratios = vec![None; values.len()];
        for (&size, &(count, total)) in &found.0 {
            if count >= Found::ENOUGH && size < values.len() {
                let mean = total as f64 / count as f64;
                ratios[size] = Some(mean * f64::from(Self::UNIT) / f64::from(values[size]));
            }
        }
        for (value, ratio) in values.iter_mut().zip(ratios).skip(3) {
            last_ratio = ratio.unwrap_or(last_ratio);
            *value = (f64::from(*value) * last_ratio) as u32;
        }
        Self { by_size: Arc::new(values), found: self.found || !found.0.is_empty() }
    }
}

/// What sets took, by their size: how many sets, and their totals.
#[derive(Debug, Clone, Default)]
pub(super) struct Found(BTreeMap<usize, (u64, u64)>);

impl Found {
    /// Sets of a size that make a mean worth something.
    const ENOUGH: u64 = 8;

    pub(super) fn add(&mut self, size: usize, total: u64) {
        self.add_many(size, 1, total);
    }

    fn add_many(&mut self, size: usize, sets: u64, totals: u64) {
        let (count, sum) = self.0.entry(size).or_default();
        *count += sets;
        *sum += totals;
    }

    /// Adds what others found.
    pub(super) fn join(&mut self, others: &Self) {
        for (&size, &(sets, totals)) in &others.0 {
            self.add_many(size, sets, totals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_follow_what_was_found() {
        let values = Values::expected(14, 100);
        let mut found = Found::default();
        (0..10).for_each(|_| found.add(50, 200));
        let learned = values.learned(&found);
        assert_eq!(learned.of(50), 200 * Values::UNIT);
        assert_eq!(learned.of(2), values.of(2));
        assert_eq!(learned.of(40), values.of(40));
        assert!(learned.of(60).abs_diff(values.of(60) * 200 * Values::UNIT / values.of(50)) < 64);
    }
}
