//! Ways to sum up, in a few bits, how a guess splits a few codes.

/// The most codes a tally takes: sizes of parts index a table of 128 weights.
pub const MAX_TALLIED: usize = 127;

/// What to compute from the sizes of the parts a guess makes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tally {
    /// The size of the largest part.
    Largest,
    /// The sum of `weights[size]` over all parts. The weight of size zero must be zero, and no sum may pass 16 bits.
    Sum(Box<[u16; MAX_TALLIED + 1]>),
}

impl Tally {
    /// The sum of a weight over all parts, given by their size.
    #[must_use]
    pub fn sum(weight: impl Fn(usize) -> u16) -> Self {
        Self::Sum(Box::new(std::array::from_fn(|size| if size == 0 { 0 } else { weight(size) })))
    }
}
