//! Ways to sum up, in a few bits, how a guess splits a few codes.

/// The most codes a tally takes: their counts index a register of 64 bytes.
pub const MAX_TALLIED: usize = 63;

/// What to compute from the sizes of the parts a guess makes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Tally {
    /// The number of parts.
    Parts,
    /// The size of the largest part.
    Largest,
    /// The sum of the squared sizes.
    Squares,
    /// The sum of `weights[size]` over all codes, where `size` is that of the code's part.
    Weights(Box<[u8; 64]>),
}
