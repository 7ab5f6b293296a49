//! Whole numbers as wide as a kind of feedback needs.

use std::{
    fmt::Debug,
    ops::{Add, AddAssign, Sub},
};

/// Pegs are counted in 16 bits, since narrow numbers are compared more at a time, or in 32 where many turns on a large board
/// could add up to more; distances need all 64.
pub(super) trait Number:
    Copy + Default + Debug + Send + Sync + PartialOrd + Add<Output = Self> + Sub<Output = Self> + 'static
{
    /// What sizes add up to. No wider than the numbers themselves, so that they are added as many at a time.
    type Sum: Copy + Default + Add<Output = Self::Sum> + AddAssign + Into<i64>;

    /// Turns are padded to a multiple of this, so that loops over them have no remainder.
    const LANES: usize;

    /// A number that is known to fit.
    fn of(value: i64) -> Self;

    /// How far from zero.
    fn size(self) -> Self::Sum;

    /// One for yes, zero for no.
    fn from_flag(flag: bool) -> Self;
}

impl Number for i16 {
    const LANES: usize = 16;
    type Sum = u16;

    #[inline]
    fn of(value: i64) -> Self {
        value as Self
    }

    #[inline]
    fn size(self) -> u16 {
        self.unsigned_abs()
    }

    #[inline]
    fn from_flag(flag: bool) -> Self {
        flag.into()
    }
}

impl Number for i32 {
    const LANES: usize = 8;
    type Sum = u32;

    #[inline]
    fn of(value: i64) -> Self {
        value as Self
    }

    #[inline]
    fn size(self) -> u32 {
        self.unsigned_abs()
    }

    #[inline]
    fn from_flag(flag: bool) -> Self {
        flag.into()
    }
}

impl Number for i64 {
    // A distance to padding would count.
    const LANES: usize = 1;
    type Sum = i64;

    #[inline]
    fn of(value: i64) -> Self {
        value
    }

    #[inline]
    fn size(self) -> i64 {
        self.abs()
    }

    #[inline]
    fn from_flag(flag: bool) -> Self {
        flag.into()
    }
}
