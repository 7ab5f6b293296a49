//! Whole numbers as wide as a kind of feedback needs.

use std::fmt::Debug;

use pegwise_game::Quantity;

/// Turns are looked at so many at a time, padded at the end, so that loops over them have a fixed length.
pub(super) const LANES: usize = 8;

/// What turns side by side say.
pub(super) type Lanes<N> = [N; LANES];

/// Pegs are counted in 16 bits, since narrow numbers are compared more at a time; distances need all 64.
pub(super) trait Number: Quantity + Debug + Send + Sync + 'static {
    /// A number that is known to fit.
    fn of(value: i64) -> Self;

    /// How far from zero.
    fn size(self) -> Self;

    /// The sum of a few numbers.
    fn sum(numbers: Lanes<Self>) -> i64;
}

impl Number for i16 {
    #[inline]
    fn of(value: i64) -> Self {
        value as Self
    }

    #[inline]
    fn size(self) -> Self {
        self.abs()
    }

    #[inline]
    fn sum(numbers: Lanes<Self>) -> i64 {
        numbers.map(i32::from).into_iter().sum::<i32>().into()
    }
}

impl Number for i64 {
    #[inline]
    fn of(value: i64) -> Self {
        value
    }

    #[inline]
    fn size(self) -> Self {
        self.abs()
    }

    #[inline]
    fn sum(numbers: Lanes<Self>) -> i64 {
        numbers.into_iter().sum()
    }
}
