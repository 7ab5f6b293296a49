//! Registers as vectors of bits: the operations that the bit-plane kernels need. Support for another instruction set, such as
//! NEON, is one more implementation of [`Word`].

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use super::bit_planes::Plane;
#[cfg(target_arch = "x86_64")]
use crate::cpu::{Avx2, Avx512};

/// A register of bits, one for each lane.
///
/// Values are made from a token by [`Word::zero`] and [`Word::load`], so a value exists only if the processor has the
/// instructions of its type.
pub(super) trait Word: Copy {
    /// Proof that the processor has the instructions.
    type Token: Copy;
    /// Number of registers that hold a [`Plane`].
    const PARTS: usize;
    fn zero(token: Self::Token) -> Self;
    fn load(token: Self::Token, plane: &Plane, part: usize) -> Self;
    fn store(self, plane: &mut Plane, part: usize);
    fn and(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// Returns `!self & other`.
    fn not_and(self, other: Self) -> Self;
    /// Adds three bits; returns the sum bit and the carry.
    fn full_add(one: Self, other: Self, third: Self) -> (Self, Self);
    /// Returns the lanes in which three bits, the lowest first, are the binary digits of `VALUE`.
    fn equals<const VALUE: u8>(bits: [Self; 3]) -> Self;
}

impl Word for u64 {
    type Token = ();
    const PARTS: usize = 8;

    #[inline(always)]
    fn zero((): ()) -> Self {
        0
    }

    #[inline(always)]
    fn load((): (), plane: &Plane, part: usize) -> Self {
        plane.0[part]
    }

    #[inline(always)]
    fn store(self, plane: &mut Plane, part: usize) {
        plane.0[part] = self;
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
}

/// Calls intrinsics in the methods of [`Ymm`] and [`Zmm`].
#[cfg(target_arch = "x86_64")]
macro_rules! intrinsics {
    ($code:expr) => {
        // SAFETY: the caller has a token or a value made from one, so the processor has the instructions; a plane is at least as
        // long as the register and aligned to 64 bytes.
        unsafe { $code }
    };
}

#[cfg(target_arch = "x86_64")]
const WORDS_256: usize = 4;

/// A 256-bit register.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Ymm(__m256i);

#[cfg(target_arch = "x86_64")]
impl Word for Ymm {
    type Token = Avx2;
    const PARTS: usize = 2;

    #[inline(always)]
    fn zero(_: Avx2) -> Self {
        Self(intrinsics!(_mm256_setzero_si256()))
    }

    #[inline(always)]
    fn load(_: Avx2, plane: &Plane, part: usize) -> Self {
        let words = &plane.0.as_chunks::<WORDS_256>().0[part];
        Self(intrinsics!(_mm256_loadu_si256(words.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, plane: &mut Plane, part: usize) {
        let words = &mut plane.0.as_chunks_mut::<WORDS_256>().0[part];
        intrinsics!(_mm256_storeu_si256(words.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(intrinsics!(_mm256_and_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(intrinsics!(_mm256_xor_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn not_and(self, other: Self) -> Self {
        Self(intrinsics!(_mm256_andnot_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn full_add(one: Self, other: Self, third: Self) -> (Self, Self) {
        let differ = one.xor(other);
        (differ.xor(third), Self(intrinsics!(_mm256_or_si256(one.and(other).0, differ.and(third).0))))
    }

    #[inline(always)]
    fn equals<const VALUE: u8>([low, middle, high]: [Self; 3]) -> Self {
        let upper = match VALUE >> 1 {
            0 => Self(intrinsics!(_mm256_andnot_si256(_mm256_or_si256(high.0, middle.0), _mm256_set1_epi8(-1)))),
            1 => high.not_and(middle),
            2 => middle.not_and(high),
            _ => high.and(middle),
        };
        if VALUE & 1 == 1 { upper.and(low) } else { low.not_and(upper) }
    }
}

/// A 512-bit register.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Zmm(__m512i);

#[cfg(target_arch = "x86_64")]
impl Word for Zmm {
    type Token = Avx512;
    const PARTS: usize = 1;

    #[inline(always)]
    fn zero(_: Avx512) -> Self {
        Self(intrinsics!(_mm512_setzero_si512()))
    }

    #[inline(always)]
    fn load(_: Avx512, plane: &Plane, _: usize) -> Self {
        Self(intrinsics!(_mm512_load_si512(plane.0.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, plane: &mut Plane, _: usize) {
        intrinsics!(_mm512_store_si512(plane.0.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(intrinsics!(_mm512_and_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(intrinsics!(_mm512_xor_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn not_and(self, other: Self) -> Self {
        Self(intrinsics!(_mm512_andnot_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn full_add(one: Self, other: Self, third: Self) -> (Self, Self) {
        const SUM: i32 = 0x96;
        const MAJORITY: i32 = 0xE8;
        (
            Self(intrinsics!(_mm512_ternarylogic_epi64::<SUM>(one.0, other.0, third.0))),
            Self(intrinsics!(_mm512_ternarylogic_epi64::<MAJORITY>(one.0, other.0, third.0))),
        )
    }

    #[inline(always)]
    fn equals<const VALUE: u8>([low, middle, high]: [Self; 3]) -> Self {
        let (high, middle, low) = (high.0, middle.0, low.0);
        // Truth tables with one bit set: that of the input `VALUE`.
        Self(match VALUE {
            0 => intrinsics!(_mm512_ternarylogic_epi64::<0x01>(high, middle, low)),
            1 => intrinsics!(_mm512_ternarylogic_epi64::<0x02>(high, middle, low)),
            2 => intrinsics!(_mm512_ternarylogic_epi64::<0x04>(high, middle, low)),
            3 => intrinsics!(_mm512_ternarylogic_epi64::<0x08>(high, middle, low)),
            4 => intrinsics!(_mm512_ternarylogic_epi64::<0x10>(high, middle, low)),
            5 => intrinsics!(_mm512_ternarylogic_epi64::<0x20>(high, middle, low)),
            6 => intrinsics!(_mm512_ternarylogic_epi64::<0x40>(high, middle, low)),
            _ => intrinsics!(_mm512_ternarylogic_epi64::<0x80>(high, middle, low)),
        })
    }
}
