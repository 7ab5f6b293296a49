//! Registers of bits: what the bit-sliced kernels need of a machine, and nothing else. Another kind of register, such as
//! NEON's, is one more implementation.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use super::Line;

/// A register of bits, one for each of its lanes.
///
/// # Safety
/// The functions of an implementation run on machines that have its instructions, and on no other: they are called from
/// functions that enable them.
pub(super) unsafe trait Word: Copy {
    /// How many registers hold a [`Line`].
    const PARTS: usize;
    fn zero() -> Self;
    fn load(line: &Line, part: usize) -> Self;
    fn store(self, line: &mut Line, part: usize);
    fn and(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// The bits of the other that are not set here.
    fn not_and(self, other: Self) -> Self;
    /// One and another and a third bit: the last digit of their sum, and its carry.
    fn full_add(one: Self, other: Self, third: Self) -> (Self, Self);
    /// Where three bits, the lowest first, are the digits of `VALUE`.
    fn equals<const VALUE: u8>(bits: [Self; 3]) -> Self;
    /// Numbers of 64 bits, and to them how many bits are set in `TERMS` registers, of which there are eight at most.
    fn add_ones<const TERMS: usize>(self, term: impl Fn(usize) -> Self) -> Self;
    /// The sum of numbers of 64 bits.
    fn sum(self) -> u64;
}

// SAFETY: every machine has these.
unsafe impl Word for u64 {
    const PARTS: usize = 8;

    #[inline(always)]
    fn zero() -> Self {
        0
    }

    #[inline(always)]
    fn load(line: &Line, part: usize) -> Self {
        line.0[part]
    }

    #[inline(always)]
    fn store(self, line: &mut Line, part: usize) {
        line.0[part] = self;
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }

    #[inline(always)]
    fn not_and(self, other: Self) -> Self {
        !self & other
    }

    #[inline(always)]
    fn full_add(one: Self, other: Self, third: Self) -> (Self, Self) {
        let differ = one ^ other;
        (differ ^ third, one & other | differ & third)
    }

    #[inline(always)]
    fn equals<const VALUE: u8>([low, middle, high]: [Self; 3]) -> Self {
        let upper = match VALUE >> 1 {
            0 => !(high | middle),
            1 => !high & middle,
            2 => high & !middle,
            _ => high & middle,
        };
        if VALUE & 1 == 1 { upper & low } else { upper & !low }
    }

    #[inline(always)]
    fn add_ones<const TERMS: usize>(self, term: impl Fn(usize) -> Self) -> Self {
        (0..TERMS).fold(self, |sum, at| sum + u64::from(term(at).count_ones()))
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        self
    }
}

/// Runs intrinsics of a register inside the functions of [`Word`].
#[cfg(target_arch = "x86_64")]
macro_rules! register {
    ($code:expr) => {
        // SAFETY: by the contract of `Word`, the machine has the instructions; a line is at least as long as the register.
        unsafe { $code }
    };
}

#[cfg(target_arch = "x86_64")]
const WORDS_256: usize = 4;

// SAFETY: called from functions that enable AVX2.
#[cfg(target_arch = "x86_64")]
unsafe impl Word for __m256i {
    const PARTS: usize = 2;

    #[inline(always)]
    fn zero() -> Self {
        register!(_mm256_setzero_si256())
    }

    #[inline(always)]
    fn load(line: &Line, part: usize) -> Self {
        let words = &line.0.as_chunks::<WORDS_256>().0[part];
        register!(_mm256_loadu_si256(words.as_ptr().cast()))
    }

    #[inline(always)]
    fn store(self, line: &mut Line, part: usize) {
        let words = &mut line.0.as_chunks_mut::<WORDS_256>().0[part];
        register!(_mm256_storeu_si256(words.as_mut_ptr().cast(), self));
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        register!(_mm256_and_si256(self, other))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        register!(_mm256_xor_si256(self, other))
    }

    #[inline(always)]
    fn not_and(self, other: Self) -> Self {
        register!(_mm256_andnot_si256(self, other))
    }

    #[inline(always)]
    fn full_add(one: Self, other: Self, third: Self) -> (Self, Self) {
        let differ = one.xor(other);
        (differ.xor(third), register!(_mm256_or_si256(one.and(other), differ.and(third))))
    }

    #[inline(always)]
    fn equals<const VALUE: u8>([low, middle, high]: [Self; 3]) -> Self {
        let upper = match VALUE >> 1 {
            0 => register!(_mm256_andnot_si256(_mm256_or_si256(high, middle), _mm256_set1_epi8(-1))),
            1 => high.not_and(middle),
            2 => middle.not_and(high),
            _ => high.and(middle),
        };
        if VALUE & 1 == 1 { upper.and(low) } else { low.not_and(upper) }
    }

    /// By a table of the ones in half a byte (W. Mula, N. Kurz, D. Lemire, Faster population counts using AVX2 instructions,
    /// 2018). The ones of eight bytes are at most 64, so they are added as bytes first.
    #[inline(always)]
    fn add_ones<const TERMS: usize>(self, term: impl Fn(usize) -> Self) -> Self {
        register!({
            let table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            let half = _mm256_set1_epi8(0x0F);
            let mut bytes = _mm256_setzero_si256();
            for at in 0..TERMS {
                let bits = term(at);
                let low = _mm256_shuffle_epi8(table, _mm256_and_si256(bits, half));
                let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(bits), half));
                bytes = _mm256_add_epi8(bytes, _mm256_add_epi8(low, high));
            }
            _mm256_add_epi64(self, _mm256_sad_epu8(bytes, _mm256_setzero_si256()))
        })
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        let mut words = [0u64; WORDS_256];
        register!(_mm256_storeu_si256(words.as_mut_ptr().cast(), self));
        words.iter().sum()
    }
}

// SAFETY: called from functions that enable AVX-512 F and VPOPCNTDQ.
#[cfg(target_arch = "x86_64")]
unsafe impl Word for __m512i {
    const PARTS: usize = 1;

    #[inline(always)]
    fn zero() -> Self {
        register!(_mm512_setzero_si512())
    }

    #[inline(always)]
    fn load(line: &Line, _: usize) -> Self {
        register!(_mm512_load_si512(line.0.as_ptr().cast()))
    }

    #[inline(always)]
    fn store(self, line: &mut Line, _: usize) {
        register!(_mm512_store_si512(line.0.as_mut_ptr().cast(), self));
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        register!(_mm512_and_si512(self, other))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        register!(_mm512_xor_si512(self, other))
    }

    #[inline(always)]
    fn not_and(self, other: Self) -> Self {
        register!(_mm512_andnot_si512(self, other))
    }

    #[inline(always)]
    fn full_add(one: Self, other: Self, third: Self) -> (Self, Self) {
        const SUM: i32 = 0x96;
        const MAJORITY: i32 = 0xE8;
        (
            register!(_mm512_ternarylogic_epi64::<SUM>(one, other, third)),
            register!(_mm512_ternarylogic_epi64::<MAJORITY>(one, other, third)),
        )
    }

    #[inline(always)]
    fn equals<const VALUE: u8>([low, middle, high]: [Self; 3]) -> Self {
        // The one of eight cases that is wanted.
        match VALUE {
            0 => register!(_mm512_ternarylogic_epi64::<0x01>(high, middle, low)),
            1 => register!(_mm512_ternarylogic_epi64::<0x02>(high, middle, low)),
            2 => register!(_mm512_ternarylogic_epi64::<0x04>(high, middle, low)),
            3 => register!(_mm512_ternarylogic_epi64::<0x08>(high, middle, low)),
            4 => register!(_mm512_ternarylogic_epi64::<0x10>(high, middle, low)),
            5 => register!(_mm512_ternarylogic_epi64::<0x20>(high, middle, low)),
            6 => register!(_mm512_ternarylogic_epi64::<0x40>(high, middle, low)),
            _ => register!(_mm512_ternarylogic_epi64::<0x80>(high, middle, low)),
        }
    }

    #[inline(always)]
    fn add_ones<const TERMS: usize>(self, term: impl Fn(usize) -> Self) -> Self {
        (0..TERMS).fold(self, |sum, at| register!(_mm512_add_epi64(sum, _mm512_popcnt_epi64(term(at)))))
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        register!(_mm512_reduce_add_epi64(self)) as u64
    }
}
