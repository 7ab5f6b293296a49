//! How many parts each guess makes of a few codes, for all guesses at once.
//!
//! Every code of the set brings a row of marks, one for each guess. A mark becomes a bit, bits of all rows are joined, and
//! the bits set are the parts. It costs a few instructions for each code and 64 guesses.

use pegwise_game::cpu::{Avx2, Avx512};

use super::matrix::{BLOCK, Matrix};

/// The ways to do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    /// 64 guesses in a register.
    Avx512(Avx512),
    /// 32 guesses in a register, where there are at most 16 marks.
    Avx2(Avx2),
    /// One guess at a time.
    Portable,
}

impl Kernel {
    /// The kernels this machine has for so many marks, the best one first.
    pub(super) fn available(kinds: usize) -> Vec<Self> {
        let wide = Avx512::detect().filter(|_| kinds <= 64).map(Self::Avx512);
        let narrow = Avx2::detect().filter(|_| kinds <= 16).map(Self::Avx2);
        [wide, narrow, Some(Self::Portable)].into_iter().flatten().collect()
    }

    /// For every guess, how many parts it makes of the codes. `out` is as long as a row of the matrix; numbers past the
    /// last guess mean nothing.
    #[inline]
    pub(super) fn parts(self, matrix: &Matrix, codes: &[u16], out: &mut [u8]) {
        assert_eq!(out.len(), matrix.stride(), "a list of other guesses");
        match self {
            // SAFETY: the token shows that the processor has AVX-512.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => unsafe { x86::parts_512(matrix, codes, out) },
            // SAFETY: the token shows that the processor has AVX2.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => unsafe { x86::parts_256(matrix, codes, out) },
            _ => portable(matrix, codes, out),
        }
    }
}

fn portable(matrix: &Matrix, codes: &[u16], out: &mut [u8]) {
    for (first, out) in (0..).step_by(BLOCK).zip(out.chunks_exact_mut(BLOCK)) {
        let mut seen = [0u128; BLOCK];
        for &code in codes {
            for (seen, &mark) in seen.iter_mut().zip(&matrix.of_code(code)[first..]) {
                *seen |= 1 << mark;
            }
        }
        for (out, seen) in out.iter_mut().zip(seen) {
            *out = seen.count_ones() as u8;
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{BLOCK, Matrix};

    /// # Safety
    /// The machine has AVX-512 F, BW, VBMI and BITALG, and there are at most 64 marks.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
    pub(super) unsafe fn parts_512(matrix: &Matrix, codes: &[u16], out: &mut [u8]) {
        match matrix.kinds().div_ceil(8) {
            0..=1 => groups::<1>(matrix, codes, out),
            2 => groups::<2>(matrix, codes, out),
            3 => groups::<3>(matrix, codes, out),
            4 => groups::<4>(matrix, codes, out),
            _ => groups::<8>(matrix, codes, out),
        }
    }

    /// Marks are told apart in groups of eight, one bit each in the byte of a guess.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
    fn groups<const GROUPS: usize>(matrix: &Matrix, codes: &[u16], out: &mut [u8]) {
        let mut bits = [_mm512_setzero_si512(); GROUPS];
        for (group, bits) in bits.iter_mut().enumerate() {
            let mut table = [0u8; BLOCK];
            (0..8).for_each(|bit| table[group * 8 + bit] = 1 << bit);
            // SAFETY: the table is as long as the register.
            *bits = unsafe { _mm512_loadu_si512(table.as_ptr().cast()) };
        }
        for (first, out) in (0..).step_by(BLOCK).zip(out.chunks_exact_mut(BLOCK)) {
            let mut seen = [_mm512_setzero_si512(); GROUPS];
            for &code in codes {
                let marks = &matrix.of_code(code)[first..first + BLOCK];
                // SAFETY: a block of marks is as long as the register.
                let marks = unsafe { _mm512_loadu_si512(marks.as_ptr().cast()) };
                for (seen, bits) in seen.iter_mut().zip(bits) {
                    *seen = _mm512_or_si512(*seen, _mm512_permutexvar_epi8(marks, bits));
                }
            }
            let mut parts = _mm512_setzero_si512();
            for seen in seen {
                parts = _mm512_add_epi8(parts, _mm512_popcnt_epi8(seen));
            }
            // SAFETY: a block of numbers is as long as the register.
            unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), parts) };
        }
    }

    /// # Safety
    /// The machine has AVX2, and there are at most 16 marks.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn parts_256(matrix: &Matrix, codes: &[u16], out: &mut [u8]) {
        const HALF: usize = BLOCK / 2;
        let table = |low: i64, high: i64| _mm256_setr_epi64x(low, high, low, high);
        let one_bit = 0x8040_2010_0804_0201_u64 as i64;
        let (low_bits, high_bits) = (table(one_bit, 0), table(0, one_bit));
        let half_byte = _mm256_set1_epi8(0x0F);
        // The number of bits of 0 to 15.
        let ones = table(0x0302_0201_0201_0100, 0x0403_0302_0302_0201);
        for (first, out) in (0..).step_by(HALF).zip(out.chunks_exact_mut(HALF)) {
            let (mut low, mut high) = (_mm256_setzero_si256(), _mm256_setzero_si256());
            for &code in codes {
                let marks = &matrix.of_code(code)[first..first + HALF];
                // SAFETY: half a block of marks is as long as the register.
                let marks = unsafe { _mm256_loadu_si256(marks.as_ptr().cast()) };
                low = _mm256_or_si256(low, _mm256_shuffle_epi8(low_bits, marks));
                high = _mm256_or_si256(high, _mm256_shuffle_epi8(high_bits, marks));
            }
            let count = |bits: __m256i| {
                let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bits), half_byte);
                let lower = _mm256_and_si256(bits, half_byte);
                _mm256_add_epi8(_mm256_shuffle_epi8(ones, upper), _mm256_shuffle_epi8(ones, lower))
            };
            let parts = _mm256_add_epi8(count(low), count(high));
            // SAFETY: half a block of numbers is as long as the register.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), parts) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Watch;

    #[test]
    fn all_kernels_agree_with_sets_of_marks() {
        for rules in ["3x5", "4x4:no-repeats", "5x3", "3x4:higher-lower", "5x4:black-only", "grid:2x2x3"] {
            let matrix = Matrix::new(&rules.parse().unwrap(), Watch::default()).unwrap();
            for step in [1, 3, 7, 29] {
                let codes: Vec<u16> = (0..matrix.len() as u16).step_by(step).collect();
                for kernel in Kernel::available(matrix.kinds()) {
                    let mut parts = vec![0; matrix.stride()];
                    kernel.parts(&matrix, &codes, &mut parts);
                    for (guess, &parts) in (0..matrix.len() as u16).zip(&parts) {
                        let row = matrix.of_guess(guess);
                        let marks: std::collections::BTreeSet<u8> =
                            codes.iter().map(|&code| row[usize::from(code)]).collect();
                        assert_eq!(usize::from(parts), marks.len(), "{rules} {kernel:?} {guess}");
                    }
                }
            }
        }
    }
}
