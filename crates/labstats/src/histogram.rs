//! How often each value, or each range of values, occurs.

use serde::Serialize;

/// One bar of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// Where it starts.
    pub from: f64,
    /// Where it ends; this value belongs to the next bin, except in the last.
    pub to: f64,
    /// How many values it holds.
    pub count: usize,
}

/// How often each value, or each range of values, occurs.
///
/// Whole numbers that lie close together get a bin each, centered on them, also when a value between them never occurs;
/// anything else is split into equal ranges.
///
/// ```
/// use pegwise_labstats::Histogram;
/// let histogram = Histogram::of(&[4.0, 5.0, 4.0, 7.0]);
/// let counts: Vec<usize> = histogram.bins.iter().map(|bin| bin.count).collect();
/// assert_eq!(counts, [2, 1, 0, 1]);
/// assert_eq!((histogram.bins[0].from, histogram.bins[0].to), (3.5, 4.5));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Histogram {
    /// The bins, side by side and in order of size.
    pub bins: Vec<Bin>,
}

impl Histogram {
    /// More values than this are not shown one by one.
    const MOST_SINGLE_VALUES: f64 = 40.0;
    const RANGES: usize = 20;

    /// The histogram of a sample. An empty sample has no bins.
    pub fn of(values: &[f64]) -> Self {
        let min = values.iter().copied().fold(f64::INFINITY, f64::min);
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if values.is_empty() {
            return Self { bins: Vec::new() };
        }
        let whole = values.iter().all(|value| value.fract() == 0.0);
        let (start, width, count) = if whole && max - min < Self::MOST_SINGLE_VALUES {
            (min - 0.5, 1.0, (max - min) as usize + 1)
        } else if max > min {
            (min, (max - min) / Self::RANGES as f64, Self::RANGES)
        } else {
            (min - 0.5, 1.0, 1)
        };
        let edge = |index: usize| start + width * index as f64;
        let mut bins: Vec<Bin> =
            (0..count).map(|index| Bin { from: edge(index), to: edge(index + 1), count: 0 }).collect();
        for value in values {
            let index = ((value - start) / width) as usize;
            bins[index.min(count - 1)].count += 1;
        }
        Self { bins }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_every_value_once() {
        let values: Vec<f64> = (0..1000).map(|k| f64::from(k * k) / 7.0).collect();
        let Histogram { bins } = Histogram::of(&values);
        assert_eq!(bins.len(), 20);
        assert_eq!(bins.iter().map(|bin| bin.count).sum::<usize>(), 1000);
        for bin in &bins[..19] {
            let inside = values.iter().filter(|&&value| bin.from <= value && value < bin.to).count();
            assert_eq!(bin.count, inside);
        }
    }

    #[test]
    fn degenerate_samples() {
        assert_eq!(Histogram::of(&[]).bins, []);
        assert_eq!(Histogram::of(&[0.25, 0.25]).bins, [Bin { from: -0.25, to: 0.75, count: 2 }]);
    }
}
