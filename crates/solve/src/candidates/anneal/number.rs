//! Whole numbers as wide as a kind of feedback needs.

use std::{
    fmt::Debug,
    ops::{Add, Sub},
};

/// Pegs are counted in 16 bits, since narrow numbers are compared more at a time; distances need all 64.
pub(super) trait Number:
    Copy + Default + Debug + Send + Sync + PartialOrd + Add<Output = Self> + Sub<Output = Self> + 'static
{
    /// Turns are padded to a multiple of this, so that loops over them have no remainder.
    const LANES: usize;

    /// A number that is known to fit.
    fn of(value: i64) -> Self;

    /// How far from zero.
    fn size(self) -> i64;

    /// One for yes, zero for no.
    fn from_flag(flag: bool) -> Self;
}

impl Number for i16 {
    const LANES: usize = 8;

    #[inline]
    fn of(value: i64) -> Self {
        value as Self
    }

    #[inline]
    fn size(self) -> i64 {
        self.abs().into()
    }

    #[inline]
    fn from_flag(flag: bool) -> Self {
        flag.into()
    }
}

impl Number for i64 {
    // A distance to padding would count.
    const LANES: usize = 1;

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
