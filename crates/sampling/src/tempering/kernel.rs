//! Vector arithmetic on residuals: `L` turns per block, in the narrowest integer type that the feedback fits.

use std::fmt::Debug;

use pegwise_game::{TermInteger, cpu::Avx2};

/// One number per turn, for a block of turns.
pub(super) type Lanes<N, const L: usize> = [N; L];

/// Residuals of both numbers of a mark, for a block of turns.
pub(super) type Residuals<N, const L: usize> = [Lanes<N, L>; 2];

/// Largest magnitude of a residual, color or color count stored in an `i8`.
pub(super) const MAX_I8: usize = i8::MAX as usize;

/// Inputs of the energy of a line with black and white pegs after one of its cells is recolored.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only read by the AVX2 kernel"))]
pub(super) struct Recolored<'a, N, const L: usize> {
    pub(super) residuals: &'a [Residuals<N, L>],
    /// Colors of the cell in the guesses.
    pub(super) guessed: &'a [Lanes<N, L>],
    /// Colors of the cell in the reference guesses.
    pub(super) references: Option<&'a [Lanes<N, L>]>,
    /// The old and the new color.
    pub(super) colors: [N; 2],
    /// Number of cells of the line with each of the two colors in the guesses.
    pub(super) guess_counts: [&'a [Lanes<N, L>]; 2],
    /// Number of cells of the line with each of the two colors in the code.
    pub(super) code_counts: [N; 2],
}

/// Inputs of the black energy of a line after two of its cells are swapped.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only read by the AVX2 kernel"))]
pub(super) struct Swapped<'a, N, const L: usize> {
    pub(super) residuals: &'a [Residuals<N, L>],
    pub(super) guessed: [&'a [Lanes<N, L>]; 2],
    pub(super) references: Option<[&'a [Lanes<N, L>]; 2]>,
    /// The colors of the first and the second cell before the swap.
    pub(super) colors: [N; 2],
}

/// Instruction sets that code may be compiled for. A constant after inlining.
pub(super) trait Features: Copy {
    /// Returns the token of AVX2, if the code may use it.
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only x86-64 has AVX2"))]
    fn avx2(self) -> Option<Avx2>;
}

/// No instruction set beyond the baseline of the target.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portable;

impl Features for Portable {
    #[inline(always)]
    fn avx2(self) -> Option<Avx2> {
        None
    }
}

impl Features for Avx2 {
    #[inline(always)]
    fn avx2(self) -> Option<Avx2> {
        Some(self)
    }
}

/// Integer type of residuals, and its kernels. Pegs are counted in `i8` on lines of up to [`MAX_I8`] cells and in `i16` on
/// longer ones; distances need `i64`.
pub(super) trait Number: TermInteger + Debug + Into<i64> + Send + Sync + 'static {
    /// Partial sums of energies, reduced once per line by [`Number::total`].
    type Sums: Copy + Default;

    /// Converts a value that fits the type.
    fn of(value: i64) -> Self;

    /// Adds the absolute values of some residuals, or their squares.
    fn add_energy<F: Features, const L: usize>(
        features: F,
        squared: bool,
        sums: Self::Sums,
        residuals: &Lanes<Self, L>,
    ) -> Self::Sums;

    /// Returns the sum of all partial sums.
    fn total(sums: Self::Sums) -> i64;

    /// Adds the energy after a recoloring; `None` without a special kernel.
    #[inline(always)]
    fn add_recolored<F: Features, const L: usize>(
        _: F,
        _: bool,
        _: Self::Sums,
        _: Recolored<'_, Self, L>,
    ) -> Option<Self::Sums> {
        None
    }

    /// Adds the black energy after a swap; `None` without a special kernel.
    #[inline(always)]
    fn add_swapped<F: Features, const L: usize>(
        _: F,
        _: bool,
        _: Self::Sums,
        _: Swapped<'_, Self, L>,
    ) -> Option<Self::Sums> {
        None
    }
}

macro_rules! scalar_number {
    ($own:ty, $block_sum:ty) => {
        impl Number for $own {
            type Sums = i64;

            #[inline(always)]
            fn of(value: i64) -> Self {
                debug_assert!(Self::try_from(value).is_ok(), "{value} fits");
                value as Self
            }

            #[inline(always)]
            fn add_energy<F: Features, const L: usize>(
                _: F,
                squared: bool,
                sum: i64,
                residuals: &Lanes<Self, L>,
            ) -> i64 {
                let mut block: $block_sum = 0;
                if squared {
                    for &residual in residuals {
                        let residual = <$block_sum>::from(residual);
                        block += residual * residual;
                    }
                } else {
                    for residual in residuals {
                        block += residual.unsigned_abs() as $block_sum;
                    }
                }
                sum + i64::from(block)
            }

            #[inline(always)]
            fn total(sum: i64) -> i64 {
                sum
            }
        }
    };
}

// The squares of one block fit an i32: 16 residuals of at most `pegwise_game::MAX_CELLS` each.
scalar_number!(i16, i32);
scalar_number!(i64, i64);
const _: () = assert!(16 * pegwise_game::MAX_CELLS * pegwise_game::MAX_CELLS <= i32::MAX as usize);

/// Number of partial sums of `i8` residuals: one vector register.
const SUMS: usize = 8;

/// Calls a kernel of [`avx2`] with squared or absolute residuals.
#[cfg(target_arch = "x86_64")]
macro_rules! with_avx2 {
    ($token:expr, $kernel:ident::<$squared:ident>($($argument:expr),*)) => {{
        let _: Avx2 = $token;
        // SAFETY: the token proves that the processor has AVX2.
        unsafe { if $squared { avx2::$kernel::<L, true>($($argument),*) } else { avx2::$kernel::<L, false>($($argument),*) } }
    }};
}

impl Number for i8 {
    type Sums = [i32; SUMS];

    #[inline(always)]
    fn of(value: i64) -> Self {
        debug_assert!(Self::try_from(value).is_ok(), "{value} fits");
        value as Self
    }

    #[inline(always)]
    fn add_energy<F: Features, const L: usize>(
        features: F,
        squared: bool,
        mut sums: [i32; SUMS],
        residuals: &Lanes<i8, L>,
    ) -> [i32; SUMS] {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = features.avx2() {
            return with_avx2!(avx2, add::<squared>(sums, residuals));
        }
        let _ = features;
        for (lane, &residual) in residuals.iter().enumerate() {
            let residual = i32::from(residual);
            sums[lane % SUMS] += if squared { residual * residual } else { residual.abs() };
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
    fn add_recolored<F: Features, const L: usize>(
        features: F,
        squared: bool,
        sums: [i32; SUMS],
        change: Recolored<'_, i8, L>,
    ) -> Option<[i32; SUMS]> {
        Some(with_avx2!(features.avx2()?, add_recolored::<squared>(sums, change)))
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn add_swapped<F: Features, const L: usize>(
        features: F,
        squared: bool,
        sums: [i32; SUMS],
        change: Swapped<'_, i8, L>,
    ) -> Option<[i32; SUMS]> {
        Some(with_avx2!(features.avx2()?, add_swapped::<squared>(sums, change)))
    }
}

/// `i8` residuals, 32 turns per register: the innermost loop of a chain.
///
/// The compiler vectorizes the loops over turns, but widens the bytes one by one to sum them, and stores them to memory in
/// between. Here the energy after a move is computed entirely in registers. Residuals are at most 127 in magnitude.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Lanes, Recolored, SUMS, Swapped};

    /// Adds the energy of both numbers of the marks after a recoloring.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn add_recolored<const L: usize, const SQUARED: bool>(
        sums: [i32; SUMS],
        change: Recolored<'_, i8, L>,
    ) -> [i32; SUMS] {
        let [old, new] = change.colors.map(|color| _mm256_set1_epi8(color));
        // The new color gains a peg if a guess shows more of it; the old one loses a peg if a guess shows as many.
        let (less, more) = (_mm256_set1_epi8(change.code_counts[0] - 1), _mm256_set1_epi8(change.code_counts[1]));
        let mut all = load_sums(&sums);
        let counts = change.guess_counts[0].iter().zip(change.guess_counts[1]);
        for (block, ((residuals, guessed), (count_old, count_new))) in
            change.residuals.iter().zip(change.guessed).zip(counts).enumerate()
        {
            let mut black = recolored(load(&residuals[0]), load(guessed), old, new);
            if let Some(references) = change.references {
                black = recolored(black, load(&references[block]), new, old);
            }
            let pegs = _mm256_sub_epi8(load(&residuals[1]), _mm256_cmpgt_epi8(load(count_new), more));
            let pegs = _mm256_add_epi8(pegs, _mm256_cmpgt_epi8(load(count_old), less));
            let (black, pegs) = (_mm256_abs_epi8(black), _mm256_abs_epi8(pegs));
            all = if SQUARED {
                _mm256_add_epi32(all, _mm256_add_epi32(squares(black), squares(pegs)))
            } else {
                // Two magnitudes of at most 127 fit in a byte together.
                _mm256_add_epi32(all, magnitudes(_mm256_add_epi8(black, pegs)))
            };
        }
        stored(all)
    }

    /// Adds the energy of the black pegs after a swap.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn add_swapped<const L: usize, const SQUARED: bool>(
        sums: [i32; SUMS],
        change: Swapped<'_, i8, L>,
    ) -> [i32; SUMS] {
        let [first, second] = change.colors.map(|color| _mm256_set1_epi8(color));
        let mut all = load_sums(&sums);
        let guessed = change.guessed[0].iter().zip(change.guessed[1]);
        for (block, (residuals, (one, other))) in change.residuals.iter().zip(guessed).enumerate() {
            let mut black = recolored(load(&residuals[0]), load(one), first, second);
            black = recolored(black, load(other), second, first);
            if let Some([one, other]) = change.references {
                black = recolored(black, load(&one[block]), second, first);
                black = recolored(black, load(&other[block]), first, second);
            }
            let black = _mm256_abs_epi8(black);
            all = _mm256_add_epi32(all, if SQUARED { squares(black) } else { magnitudes(black) });
        }
        stored(all)
    }

    /// Adds the energy of some residuals.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn add<const L: usize, const SQUARED: bool>(sums: [i32; SUMS], residuals: &Lanes<i8, L>) -> [i32; SUMS] {
        let residuals = _mm256_abs_epi8(load(residuals));
        let energy = if SQUARED { squares(residuals) } else { magnitudes(residuals) };
        stored(_mm256_add_epi32(load_sums(&sums), energy))
    }

    /// Returns the black residuals after a cell is recolored.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn recolored(residuals: __m256i, guessed: __m256i, old: __m256i, new: __m256i) -> __m256i {
        let residuals = _mm256_sub_epi8(residuals, _mm256_cmpeq_epi8(guessed, new));
        _mm256_add_epi8(residuals, _mm256_cmpeq_epi8(guessed, old))
    }

    /// Sums unsigned bytes: four 64-bit sums, small enough to be added as eight 32-bit sums.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn magnitudes(bytes: __m256i) -> __m256i {
        _mm256_sad_epu8(bytes, _mm256_setzero_si256())
    }

    /// Sums the squares of bytes of at most 127: two of them fit 16 bits together.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn squares(bytes: __m256i) -> __m256i {
        _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, bytes), _mm256_set1_epi16(1))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load<const L: usize>(bytes: &Lanes<i8, L>) -> __m256i {
        const { assert!(L == size_of::<__m256i>(), "a block fills a register") };
        // SAFETY: `bytes` has the size of a register, and the load may be unaligned.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn load_sums(sums: &[i32; SUMS]) -> __m256i {
        // SAFETY: eight sums are 32 bytes.
        unsafe { _mm256_loadu_si256(sums.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn stored(all: __m256i) -> [i32; SUMS] {
        let mut sums = [0; SUMS];
        // SAFETY: eight sums are 32 bytes.
        unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), all) };
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pegwise_search::Rng;

    fn sums<F: Features>(features: F, residuals: &[i8; 32]) -> [i64; 2] {
        [false, true].map(|squared| i8::total(i8::add_energy(features, squared, Default::default(), residuals)))
    }

    #[test]
    fn sums_equal_those_of_plain_loops() {
        let mut rng = Rng::new(1);
        let random = |max: u64, rng: &mut Rng| [0; 32].map(|_: i8| (rng.below(2 * max + 1) as i64 - max as i64) as i8);
        for residuals in [random(1, &mut rng), random(5, &mut rng), random(127, &mut rng), [-127; 32]] {
            let sizes: i64 = residuals.iter().map(|&residual| i64::from(residual).abs()).sum();
            let squares: i64 = residuals.iter().map(|&residual| i64::from(residual).pow(2)).sum();
            assert_eq!(sums(Portable, &residuals), [sizes, squares]);
            if let Some(avx2) = Avx2::detect() {
                assert_eq!(sums(avx2, &residuals), [sizes, squares]);
            }
        }
    }
}
