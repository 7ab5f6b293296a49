//! Whole numbers as wide as a kind of feedback needs, and what turns side by side cost.

use std::fmt::Debug;

use pegwise_game::TermInteger;
#[cfg(target_arch = "x86_64")]
use pegwise_game::cpu::Avx2;

#[cfg(target_arch = "x86_64")]
use super::bytes;

/// What turns side by side say: so many of them that a vector register is filled.
pub(super) type Lanes<N, const L: usize> = [N; L];

/// How much the two numbers of a mark are off, for turns side by side.
pub(super) type Gaps<N, const L: usize> = [Lanes<N, L>; 2];

/// What black and white pegs of a line cost depends on, when one of its cells gets another color.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only a processor's own way reads it"))]
pub(super) struct Recolored<'a, N, const L: usize> {
    pub(super) gaps: &'a [Gaps<N, L>],
    /// What was guessed in the cell; and by the guesses that turns are compared with, if any are.
    pub(super) guessed: &'a [Lanes<N, L>],
    pub(super) before: Option<&'a [Lanes<N, L>]>,
    /// The colors before and after: their numbers, how often guesses show them on the line, and how often the code does.
    pub(super) colors: [N; 2],
    pub(super) shown: [&'a [Lanes<N, L>]; 2],
    pub(super) held: [N; 2],
}

/// What black pegs of a line cost depends on, when two of its cells exchange their colors.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only a processor's own way reads it"))]
pub(super) struct Exchanged<'a, N, const L: usize> {
    pub(super) gaps: &'a [Gaps<N, L>],
    pub(super) guessed: [&'a [Lanes<N, L>]; 2],
    pub(super) before: Option<[&'a [Lanes<N, L>]; 2]>,
    /// The colors of the first cell before and after.
    pub(super) colors: [N; 2],
}

/// Pegs of a line that is not too long are counted in bytes, since narrow numbers are compared more at a time; distances
/// need 64 bits.
pub(super) trait Number: TermInteger + Debug + Send + Sync + 'static {
    /// Sums side by side, so that a register is summed up once and not for every block of turns.
    type Sums: Copy + Default;

    /// A number that is known to fit.
    fn of(value: i64) -> Self;

    /// The number by itself.
    fn alone(self) -> i64;

    /// Adds the sizes of some numbers.
    fn add_sizes<const L: usize>(sums: Self::Sums, numbers: &[Self; L]) -> Self::Sums;

    /// Adds the squares of some numbers.
    fn add_squares<const L: usize>(sums: Self::Sums, numbers: &[Self; L]) -> Self::Sums;

    /// All sums together.
    fn total(sums: Self::Sums) -> i64;

    /// Adds what turns cost after a cell has changed its color, on a processor that has AVX2, if there is a way of its own.
    ///
    /// # Safety
    /// The processor must have AVX2.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn add_recolored_avx2<const L: usize>(
        _: bool,
        _: Self::Sums,
        _: Recolored<'_, Self, L>,
    ) -> Option<Self::Sums> {
        None
    }

    /// Adds what black pegs cost after two cells have exchanged their colors, like [`Number::add_recolored_avx2`].
    ///
    /// # Safety
    /// The processor must have AVX2.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn add_exchanged_avx2<const L: usize>(
        _: bool,
        _: Self::Sums,
        _: Exchanged<'_, Self, L>,
    ) -> Option<Self::Sums> {
        None
    }

    /// [`Number::add_sizes`] on a processor that has AVX2.
    ///
    /// # Safety
    /// The processor must have AVX2.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn add_sizes_avx2<const L: usize>(sums: Self::Sums, numbers: &[Self; L]) -> Self::Sums {
        Self::add_sizes(sums, numbers)
    }

    /// [`Number::add_squares`] on a processor that has AVX2.
    ///
    /// # Safety
    /// The processor must have AVX2.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn add_squares_avx2<const L: usize>(sums: Self::Sums, numbers: &[Self; L]) -> Self::Sums {
        Self::add_squares(sums, numbers)
    }
}

/// The most that a line may have of cells or colors for its pegs to be counted in bytes.
pub(super) const MOST_FOR_BYTES: usize = 127;

macro_rules! number {
    ($own:ty, $sum:ty) => {
        impl Number for $own {
            type Sums = $sum;

            #[inline(always)]
            fn of(value: i64) -> Self {
                value as Self
            }

            #[inline(always)]
            fn alone(self) -> i64 {
                self.into()
            }

            #[inline(always)]
            fn add_sizes<const L: usize>(mut sum: $sum, numbers: &[Self; L]) -> $sum {
                for number in numbers {
                    sum += number.unsigned_abs() as $sum;
                }
                sum
            }

            #[inline(always)]
            fn add_squares<const L: usize>(mut sum: $sum, numbers: &[Self; L]) -> $sum {
                for &number in numbers {
                    let number = <$sum>::from(number);
                    sum += number * number;
                }
                sum
            }

            #[inline(always)]
            fn total(sum: $sum) -> i64 {
                sum.into()
            }
        }
    };
}

number!(i16, i32);
number!(i64, i64);

/// Bytes are summed up in so many sums side by side, as a register holds.
pub(super) const SUMS: usize = 8;

impl Number for i8 {
    type Sums = [i32; SUMS];

    #[inline(always)]
    fn of(value: i64) -> Self {
        value as Self
    }

    #[inline(always)]
    fn alone(self) -> i64 {
        self.into()
    }

    #[inline(always)]
    fn add_sizes<const L: usize>(mut sums: [i32; SUMS], numbers: &[Self; L]) -> [i32; SUMS] {
        for (at, number) in numbers.iter().enumerate() {
            sums[at % SUMS] += i32::from(number.unsigned_abs());
        }
        sums
    }

    #[inline(always)]
    fn add_squares<const L: usize>(mut sums: [i32; SUMS], numbers: &[Self; L]) -> [i32; SUMS] {
        for (at, &number) in numbers.iter().enumerate() {
            sums[at % SUMS] += i32::from(number) * i32::from(number);
        }
        sums
    }

    #[inline(always)]
    fn total(sums: [i32; SUMS]) -> i64 {
        let mut total = 0;
        for sum in sums {
            total += sum;
        }
        total.into()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn add_sizes_avx2<const L: usize>(sums: [i32; SUMS], numbers: &[Self; L]) -> [i32; SUMS] {
        // SAFETY: as promised.
        unsafe { bytes::add_sizes(sums, numbers) }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn add_squares_avx2<const L: usize>(sums: [i32; SUMS], numbers: &[Self; L]) -> [i32; SUMS] {
        // SAFETY: as promised.
        unsafe { bytes::add_squares(sums, numbers) }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn add_recolored_avx2<const L: usize>(
        squares: bool,
        sums: [i32; SUMS],
        change: Recolored<'_, Self, L>,
    ) -> Option<[i32; SUMS]> {
        // SAFETY: as promised.
        Some(unsafe {
            if squares {
                bytes::add_recolored::<L, true>(sums, change)
            } else {
                bytes::add_recolored::<L, false>(sums, change)
            }
        })
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn add_exchanged_avx2<const L: usize>(
        squares: bool,
        sums: [i32; SUMS],
        change: Exchanged<'_, Self, L>,
    ) -> Option<[i32; SUMS]> {
        // SAFETY: as promised.
        Some(unsafe {
            if squares {
                bytes::add_exchanged::<L, true>(sums, change)
            } else {
                bytes::add_exchanged::<L, false>(sums, change)
            }
        })
    }
}

/// How numbers are summed up: a kind that is at hand is proof that the processor has what it takes.
pub(super) trait Vectors: Copy {
    /// Adds the sizes of some numbers, or their squares.
    fn add<N: Number, const L: usize>(self, squares: bool, sums: N::Sums, numbers: &[N; L]) -> N::Sums;

    /// Adds what turns cost after a cell has changed its color, if there is a way of its own.
    #[inline(always)]
    fn add_recolored<N: Number, const L: usize>(self, _: bool, _: N::Sums, _: Recolored<'_, N, L>) -> Option<N::Sums> {
        None
    }

    /// Adds what black pegs cost after two cells have exchanged their colors, if there is a way of its own.
    #[inline(always)]
    fn add_exchanged<N: Number, const L: usize>(self, _: bool, _: N::Sums, _: Exchanged<'_, N, L>) -> Option<N::Sums> {
        None
    }
}

/// On any processor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain;

impl Vectors for Plain {
    #[inline(always)]
    fn add<N: Number, const L: usize>(self, squares: bool, sums: N::Sums, numbers: &[N; L]) -> N::Sums {
        if squares { N::add_squares(sums, numbers) } else { N::add_sizes(sums, numbers) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Vectors for Avx2 {
    #[inline(always)]
    fn add<N: Number, const L: usize>(self, squares: bool, sums: N::Sums, numbers: &[N; L]) -> N::Sums {
        // SAFETY: the token shows that the processor has AVX2.
        unsafe { if squares { N::add_squares_avx2(sums, numbers) } else { N::add_sizes_avx2(sums, numbers) } }
    }

    #[inline(always)]
    fn add_recolored<N: Number, const L: usize>(
        self,
        squares: bool,
        sums: N::Sums,
        change: Recolored<'_, N, L>,
    ) -> Option<N::Sums> {
        // SAFETY: the token shows that the processor has AVX2.
        unsafe { N::add_recolored_avx2(squares, sums, change) }
    }

    #[inline(always)]
    fn add_exchanged<N: Number, const L: usize>(
        self,
        squares: bool,
        sums: N::Sums,
        change: Exchanged<'_, N, L>,
    ) -> Option<N::Sums> {
        // SAFETY: the token shows that the processor has AVX2.
        unsafe { N::add_exchanged_avx2(squares, sums, change) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn sums<V: Vectors>(vectors: V, numbers: &[i8; 32]) -> [i64; 2] {
        [false, true].map(|squares| i8::total(vectors.add(squares, Default::default(), numbers)))
    }

    #[test]
    fn sums_are_the_plain_ones() {
        let mut rng = Rng::new(1);
        for most in [1, 5, 127] {
            let numbers = [0; 32].map(|_: i8| (rng.below(2 * most + 1) as i64 - most as i64) as i8);
            let sizes: i64 = numbers.iter().map(|&number| i64::from(number).abs()).sum();
            let squares: i64 = numbers.iter().map(|&number| i64::from(number).pow(2)).sum();
            assert_eq!(sums(Plain, &numbers), [sizes, squares]);
            #[cfg(target_arch = "x86_64")]
            if let Some(avx2) = Avx2::detect() {
                assert_eq!(sums(avx2, &numbers), [sizes, squares]);
            }
        }
        let extreme = [-127; 32];
        assert_eq!(sums(Plain, &extreme), [127 * 32, 127 * 127 * 32]);
    }
}
