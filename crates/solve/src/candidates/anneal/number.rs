//! Whole numbers as wide as a kind of feedback needs.

use std::fmt::Debug;

use pegwise_game::Quantity;

/// What turns side by side say: so many of them that a vector register is filled.
pub(super) type Lanes<N, const L: usize> = [N; L];

/// Pegs of a line that is not too long are counted in bytes, since narrow numbers are compared more at a time; distances
/// need 64 bits.
pub(super) trait Number: Quantity + Debug + Send + Sync + 'static {
    /// A number that is known to fit.
    fn of(value: i64) -> Self;

    /// The sum of the sizes of some numbers.
    fn sizes<const L: usize>(numbers: &[Self; L]) -> i64;

    /// The sum of the squares of some numbers.
    fn squares<const L: usize>(numbers: &[Self; L]) -> i64;
}

/// The most that a line may have of cells or colors for its pegs to be counted in bytes.
pub(super) const MOST_FOR_BYTES: usize = 127;

macro_rules! number {
    ($own:ty, $sum:ty) => {
        impl Number for $own {
            #[inline(always)]
            fn of(value: i64) -> Self {
                value as Self
            }

            #[inline(always)]
            fn sizes<const L: usize>(numbers: &[Self; L]) -> i64 {
                let mut sum: $sum = 0;
                for number in numbers {
                    sum += number.unsigned_abs() as $sum;
                }
                sum as i64
            }

            #[inline(always)]
            fn squares<const L: usize>(numbers: &[Self; L]) -> i64 {
                let mut sum: $sum = 0;
                for &number in numbers {
                    let number = <$sum>::from(number);
                    sum += number * number;
                }
                sum as i64
            }
        }
    };
}

number!(i8, i32);
number!(i16, i32);
number!(i64, i64);
