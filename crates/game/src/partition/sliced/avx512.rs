//! Summing up counters of bits with 64 lanes in a register.

use std::arch::x86_64::*;

use super::{LANES_PER_PLANE, Line, Tally, kernel::Counter};
use crate::table::BLOCK;

/// Sums up the counts of each lane.
///
/// # Safety
/// The machine has AVX-512 F, BW and VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) unsafe fn tally(counters: &[Counter], digits: usize, tally: &Tally, out: &mut [u16; LANES_PER_PLANE]) {
    for (block, out) in out.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        match tally {
            Tally::Largest => {
                let mut largest = _mm512_setzero_si512();
                for counter in counters {
                    largest = _mm512_max_epu8(largest, sizes(counter, digits, block));
                }
                let low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(largest));
                let high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(largest));
                store(out, low, high);
            }
            Tally::Sum(weights) => {
                let zero = _mm512_setzero_si512();
                // Sums of the low and of the high bytes of the weights, in sixteen bits, for even and for odd lanes.
                let (mut low_even, mut low_odd, mut high) = (zero, zero, zero);
                let low_byte = _mm512_set1_epi16(0xFF);
                let [low_first, low_last] = [load(&weights.low[0]), load(&weights.low[1])];
                let [high_first, high_last] = [load(&weights.high[0]), load(&weights.high[1])];
                for counter in counters {
                    let sizes = sizes(counter, digits, block);
                    let (low, upper) = if digits <= BLOCK.ilog2() as usize {
                        (_mm512_permutexvar_epi8(sizes, low_first), _mm512_permutexvar_epi8(sizes, high_first))
                    } else {
                        (
                            _mm512_permutex2var_epi8(low_first, sizes, low_last),
                            _mm512_permutex2var_epi8(high_first, sizes, high_last),
                        )
                    };
                    low_even = _mm512_add_epi16(low_even, _mm512_and_si512(low, low_byte));
                    low_odd = _mm512_add_epi16(low_odd, _mm512_srli_epi16::<8>(low));
                    // No sum passes sixteen bits, so that of the high bytes stays a byte.
                    high = _mm512_add_epi8(high, upper);
                }
                let even = _mm512_add_epi16(low_even, _mm512_slli_epi16::<8>(high));
                let odd = _mm512_add_epi16(low_odd, _mm512_andnot_si512(low_byte, high));
                // Even and odd lanes interleave within each 128 bits; the two halves of those are put in their order.
                let (first, second) = (_mm512_unpacklo_epi16(even, odd), _mm512_unpackhi_epi16(even, odd));
                let order = |from: [i64; 8]| {
                    let index =
                        _mm512_setr_epi64(from[0], from[1], from[2], from[3], from[4], from[5], from[6], from[7]);
                    _mm512_permutex2var_epi64(first, index, second)
                };
                store(out, order([0, 1, 8, 9, 2, 3, 10, 11]), order([4, 5, 12, 13, 6, 7, 14, 15]));
            }
        }
    }
}

/// The counts of each lane.
///
/// # Safety
/// The machine has AVX-512 F, BW and VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) unsafe fn numbers<'a>(counters: impl Iterator<Item = &'a [Line]>, out: &mut [[u32; LANES_PER_PLANE]]) {
    for (digits, out) in counters.zip(out) {
        if digits.is_empty() {
            // No codes: there is no digit to begin with.
            *out = [0; LANES_PER_PLANE];
        }
        for (block, out) in out.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            for (place, digits) in digits.chunks(8).enumerate() {
                let mut bytes = [0u8; BLOCK];
                // SAFETY: a block is as long as the register.
                unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), sizes(digits, digits.len(), block)) };
                if place == 0 {
                    out.iter_mut().zip(bytes).for_each(|(out, byte)| *out = byte.into());
                } else {
                    out.iter_mut().zip(bytes).for_each(|(out, byte)| *out |= u32::from(byte) << (8 * place));
                }
            }
        }
    }
}

/// The counts of the lanes of a block, as bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sizes(counter: &[Line], digits: usize, block: usize) -> __m512i {
    let mut sizes = _mm512_setzero_si512();
    for (place, digit) in counter[..digits].iter().enumerate() {
        sizes = _mm512_mask_add_epi8(sizes, digit.0[block], sizes, _mm512_set1_epi8(1 << place));
    }
    sizes
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(bytes: &[u8; BLOCK]) -> __m512i {
    // SAFETY: a block is as long as the register.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(out: &mut [u16; BLOCK], low: __m512i, high: __m512i) {
    let (first, second) = out.split_at_mut(BLOCK / 2);
    // SAFETY: half a block of sixteen-bit numbers is as long as the register.
    unsafe {
        _mm512_storeu_si512(first.as_mut_ptr().cast(), low);
        _mm512_storeu_si512(second.as_mut_ptr().cast(), high);
    }
}
