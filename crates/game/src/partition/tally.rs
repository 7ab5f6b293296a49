//! Ways to sum up, in a few bits, how a guess splits a few codes.

use super::Block;
use crate::table::BLOCK;

/// The most codes a tally takes: sizes of parts index a table of 128 weights.
pub const MAX_TALLY_CODES: usize = 127;

/// What to compute from the sizes of the parts a guess makes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tally {
    /// The size of the largest part.
    Largest,
    /// The sum of a weight over all parts, by their size. No sum may pass 16 bits.
    Sum(Box<Weights>),
}

/// A weight for each size of a part, kept as tables of bytes that registers can be looked up in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    pub(super) low: [Block; 2],
    pub(super) high: [Block; 2],
}

impl Tally {
    /// The sum of a weight over all parts. Empty parts weigh nothing.
    #[must_use]
    pub fn sum(weight: impl Fn(usize) -> u16) -> Self {
        let weight = |size: usize| if size == 0 { 0 } else { weight(size) };
        let table = |shift: u32| -> [Block; 2] {
            std::array::from_fn(|half| std::array::from_fn(|at| (weight(half * BLOCK + at) >> shift) as u8))
        };
        Self::Sum(Box::new(Weights { low: table(0), high: table(8) }))
    }
}

impl Weights {
    /// The weight of a part of this size.
    ///
    /// # Panics
    /// When the size is more than [`MAX_TALLY_CODES`].
    #[inline]
    #[must_use]
    pub fn of(&self, size: usize) -> u16 {
        u16::from_le_bytes([self.low.as_flattened()[size], self.high.as_flattened()[size]])
    }
}
