//! 32 codes in a register, two registers a block.

use std::arch::x86_64::*;

use super::{Block, coding::MarkEncoding, prepared::Prepared};
use crate::table::{BLOCK, Table};

const HALF: usize = BLOCK / 2;

/// # Safety
/// The machine has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn marks(coding: &MarkEncoding, plan: &Prepared, table: &Table, first: usize, out: &mut [Block]) {
    let weight = _mm256_set1_epi8(plan.black_weight as i8);
    let with_colors = coding.model().colors;
    for (block, out) in (first..).zip(out) {
        let (pegs, counts) = (table.pegs(block), table.counts(block));
        for (half, out) in out.chunks_exact_mut(HALF).enumerate() {
            let at = half * HALF;
            let mut marks = _mm256_setzero_si256();
            for (&peg, column) in plan.pegs().iter().zip(pegs) {
                let black = _mm256_cmpeq_epi8(load(&column.0[at..]), _mm256_set1_epi8(peg as i8));
                marks = _mm256_add_epi8(marks, _mm256_and_si256(black, weight));
            }
            if with_colors {
                for (color, times) in plan.shown() {
                    let shown = load(&counts[usize::from(color)].0[at..]);
                    marks = _mm256_add_epi8(marks, _mm256_min_epu8(shown, _mm256_set1_epi8(times as i8)));
                }
            }
            // SAFETY: half a block is as long as the register.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), marks) };
        }
    }
}

/// # Safety
/// The machine has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn count(blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
    // A byte lane holds at most 255, and each half block adds one.
    const MOST_HALVES: usize = 254;
    for (count, &byte) in counts.iter_mut().zip(possible) {
        let byte = _mm256_set1_epi8(byte as i8);
        for halves in blocks.as_flattened().chunks(MOST_HALVES * HALF) {
            let mut equal = _mm256_setzero_si256();
            for half in halves.chunks_exact(HALF) {
                equal = _mm256_sub_epi8(equal, _mm256_cmpeq_epi8(load(half), byte));
            }
            let mut sums = [0u64; 4];
            // SAFETY: four 64-bit sums are as long as the register.
            unsafe {
                let sad = _mm256_sad_epu8(equal, _mm256_setzero_si256());
                _mm256_storeu_si256(sums.as_mut_ptr().cast(), sad);
            }
            *count += sums.iter().sum::<u64>() as u32;
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(half: &[u8]) -> __m256i {
    assert!(half.len() >= HALF);
    // SAFETY: the assertion above.
    unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
}

/// In each lane, how many of the marks equal each possible byte; at most 255 marks.
///
/// # Safety
/// The machine has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn count_lanes(marks: &[Block], possible: &[u8], counts: &mut [Block]) {
    for (counts, &byte) in counts.iter_mut().zip(possible) {
        let byte = _mm256_set1_epi8(byte as i8);
        for (half, counts) in counts.chunks_exact_mut(HALF).enumerate() {
            let mut count = _mm256_setzero_si256();
            for marks in marks {
                count = _mm256_sub_epi8(count, _mm256_cmpeq_epi8(load(&marks[half * HALF..]), byte));
            }
            // SAFETY: half a block is as long as the register.
            unsafe { _mm256_storeu_si256(counts.as_mut_ptr().cast(), count) };
        }
    }
}
