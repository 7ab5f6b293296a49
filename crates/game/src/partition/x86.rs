//! Kernels for AVX2 (suffix `_256`, 32 codes per register) and AVX-512 (suffix `_512`, 64 codes per register).
//!
//! Functions with target features may only be called with a token of [`crate::cpu`] as proof that the processor has them.

use std::{arch::x86_64::*, ops::Range};

use super::bit_planes::{Counter, LANES_PER_PLANE, Plane};
use super::encoding::{MarkEncoding, PreparedCode};
use super::{Block, CHUNK, Tally};
use crate::table::{BLOCK, Table};

/// Number of codes in a 256-bit register.
const HALF: usize = BLOCK / 2;

// Counters of equal marks are bytes: one step per half block with AVX2, and per block with AVX-512.
const _: () = assert!(2 * CHUNK <= u8::MAX as usize);

#[target_feature(enable = "avx2")]
pub(super) fn marks_256(encoding: &MarkEncoding, guess: &PreparedCode, table: &Table, first: usize, out: &mut [Block]) {
    let weight = _mm256_set1_epi8(guess.black_weight as i8);
    let with_colors = encoding.model().colors;
    for (block, out) in (first..).zip(out) {
        let (pegs, counts) = (table.pegs(block), table.counts(block));
        for (half, out) in out.chunks_exact_mut(HALF).enumerate() {
            let at = half * HALF;
            let mut marks = _mm256_setzero_si256();
            for (&peg, column) in guess.pegs().iter().zip(pegs) {
                let black = _mm256_cmpeq_epi8(load_256(&column.0[at..]), _mm256_set1_epi8(peg as i8));
                marks = _mm256_add_epi8(marks, _mm256_and_si256(black, weight));
            }
            if with_colors {
                for (color, count) in guess.colors() {
                    let other = load_256(&counts[usize::from(color)].0[at..]);
                    marks = _mm256_add_epi8(marks, _mm256_min_epu8(other, _mm256_set1_epi8(count as i8)));
                }
            }
            // SAFETY: half a block is as long as the register.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), marks) };
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn count_256(blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
    assert!(blocks.len() <= CHUNK);
    for (count, &byte) in counts.iter_mut().zip(possible) {
        let byte = _mm256_set1_epi8(byte as i8);
        let mut equal = _mm256_setzero_si256();
        for half in blocks.as_flattened().chunks_exact(HALF) {
            equal = _mm256_sub_epi8(equal, _mm256_cmpeq_epi8(load_256(half), byte));
        }
        let mut sums = [0u64; 4];
        // SAFETY: four 64-bit sums are as long as the register.
        unsafe { _mm256_storeu_si256(sums.as_mut_ptr().cast(), _mm256_sad_epu8(equal, _mm256_setzero_si256())) };
        *count += sums.iter().sum::<u64>() as u32;
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_256(half: &[u8]) -> __m256i {
    assert!(half.len() >= HALF);
    // SAFETY: the assertion above.
    unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
pub(super) fn count_lanes_256(marks: &[Block], possible: &[u8], counts: &mut [Block]) {
    for (counts, &byte) in counts.iter_mut().zip(possible) {
        let byte = _mm256_set1_epi8(byte as i8);
        for (half, counts) in counts.chunks_exact_mut(HALF).enumerate() {
            let mut count = _mm256_setzero_si256();
            for marks in marks {
                count = _mm256_sub_epi8(count, _mm256_cmpeq_epi8(load_256(&marks[half * HALF..]), byte));
            }
            // SAFETY: half a block is as long as the register.
            unsafe { _mm256_storeu_si256(counts.as_mut_ptr().cast(), count) };
        }
    }
}

/// Calls a function with the number of cells as a constant, so that its loops are unrolled without unpredictable branches.
macro_rules! with_cells {
    ($cells:expr, $function:ident $arguments:tt) => {
        match $cells {
            3 => $function::<3> $arguments,
            4 => $function::<4> $arguments,
            5 => $function::<5> $arguments,
            6 => $function::<6> $arguments,
            7 => $function::<7> $arguments,
            8 => $function::<8> $arguments,
            _ => $function::<ANY> $arguments,
        }
    };
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn marks_512(encoding: &MarkEncoding, guess: &PreparedCode, table: &Table, first: usize, out: &mut [Block]) {
    let with_colors = encoding.model().colors;
    with_cells!(table.cells(), marks_of_guess(guess, table, first, with_colors, out));
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn marks_of_each_512(
    encoding: &MarkEncoding,
    guesses: &[PreparedCode],
    table: &Table,
    blocks: Range<usize>,
    out: &mut [Block],
) {
    let with_colors = encoding.model().colors;
    with_cells!(table.cells(), marks_of_guesses(guesses, table, blocks, with_colors, out));
}

/// Number of cells that is only known at run time.
const ANY: usize = 0;

/// Blocks scored in one pass over the guess: enough to amortize its cost, few enough for the registers.
const GROUP: usize = 4;

#[target_feature(enable = "avx512f,avx512bw")]
fn marks_of_guess<const P: usize>(
    guess: &PreparedCode,
    table: &Table,
    first: usize,
    with_colors: bool,
    out: &mut [Block],
) {
    let (groups, rest) = out.as_chunks_mut::<GROUP>();
    let after = first + groups.len() * GROUP;
    for (group, out) in groups.iter_mut().enumerate() {
        let marks = marks_of_group::<P, GROUP>(guess, table, first + group * GROUP, with_colors);
        out.iter_mut().zip(marks).for_each(|(out, marks)| store_512(out, marks));
    }
    for (block, out) in (after..).zip(rest) {
        let [marks] = marks_of_group::<P, 1>(guess, table, block, with_colors);
        store_512(out, marks);
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn marks_of_guesses<const P: usize>(
    guesses: &[PreparedCode],
    table: &Table,
    blocks: Range<usize>,
    with_colors: bool,
    out: &mut [Block],
) {
    assert!(out.len() >= guesses.len() * blocks.len());
    let mut block = blocks.start;
    while block < blocks.end {
        let out = &mut out[(block - blocks.start) * guesses.len()..];
        if blocks.end - block >= GROUP {
            for (at, guess) in guesses.iter().enumerate() {
                let marks = marks_of_group::<P, GROUP>(guess, table, block, with_colors);
                for (step, marks) in marks.into_iter().enumerate() {
                    store_512(&mut out[step * guesses.len() + at], marks);
                }
            }
            block += GROUP;
        } else {
            for (guess, out) in guesses.iter().zip(out) {
                let [marks] = marks_of_group::<P, 1>(guess, table, block, with_colors);
                store_512(out, marks);
            }
            block += 1;
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn marks_of_group<const P: usize, const B: usize>(
    guess: &PreparedCode,
    table: &Table,
    first: usize,
    with_colors: bool,
) -> [__m512i; B] {
    let cells = if P == ANY { guess.pegs().len() } else { P };
    let weight = _mm512_set1_epi8(guess.black_weight as i8);
    let mut marks = [_mm512_setzero_si512(); B];
    let (columns, width) = table.columns(first, B);
    for (cell, &peg) in guess.pegs()[..cells].iter().enumerate() {
        let peg = _mm512_set1_epi8(peg as i8);
        for (block, marks) in marks.iter_mut().enumerate() {
            let black = _mm512_cmpeq_epi8_mask(load_512(&columns[block * width + cell].0), peg);
            *marks = _mm512_mask_add_epi8(*marks, black, *marks, weight);
        }
    }
    if with_colors {
        let (colors, counts) = guess.padded_colors();
        for (&color, &count) in colors[..cells].iter().zip(&counts[..cells]) {
            let count = _mm512_set1_epi8(count as i8);
            let column = table.cells() + usize::from(color);
            for (block, marks) in marks.iter_mut().enumerate() {
                let other = load_512(&columns[block * width + column].0);
                *marks = _mm512_add_epi8(*marks, _mm512_min_epu8(other, count));
            }
        }
    }
    marks
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,popcnt")]
pub(super) fn count_512(blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
    assert!(blocks.len() <= CHUNK);
    if blocks.len() >= MIN_BLOCKS_FOR_NIBBLES && fits_a_permute(possible) {
        count_nibbles(blocks, possible, counts);
    } else {
        count_masks(blocks, possible, counts);
    }
}

/// Returns true if every possible byte, ascending, is an index into a register.
#[inline]
fn fits_a_permute(possible: &[u8]) -> bool {
    possible.last().is_some_and(|&largest| usize::from(largest) < BLOCK)
}

/// Maximum value of a counter of four bits.
const MAX_NIBBLE: usize = 15;

/// Number of blocks from which [`count_nibbles`] is faster than [`count_masks`].
const MIN_BLOCKS_FOR_NIBBLES: usize = 10;

/// Counts with a comparison and a population count for each possible byte.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
fn count_masks(blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
    for (count, &byte) in counts.iter_mut().zip(possible) {
        let byte = _mm512_set1_epi8(byte as i8);
        let equal = |block: &Block| _mm512_cmpeq_epi8_mask(load_512(block), byte).count_ones();
        *count += blocks.iter().map(equal).sum::<u32>();
    }
}

/// Counts two possible bytes at a time: a permute maps each mark to a one in the low or high nibble of a byte, and nibbles are
/// summed as long as they cannot overflow.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn count_nibbles(blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
    let low_nibble = _mm512_set1_epi8(0x0F);
    let zero = _mm512_setzero_si512();
    for (counts, bytes) in counts.chunks_mut(2).zip(possible.chunks(2)) {
        let low_one = _mm512_maskz_set1_epi8(1 << bytes[0], 0x01);
        let ones = match bytes.get(1) {
            Some(&byte) => _mm512_mask_set1_epi8(low_one, 1 << byte, 0x10),
            None => low_one,
        };
        let (mut low, mut high) = (zero, zero);
        for blocks in blocks.chunks(MAX_NIBBLE) {
            let mut nibbles = zero;
            for block in blocks {
                nibbles = _mm512_add_epi8(nibbles, _mm512_permutexvar_epi8(load_512(block), ones));
            }
            low = _mm512_add_epi8(low, _mm512_and_si512(nibbles, low_nibble));
            high = _mm512_add_epi8(high, _mm512_and_si512(_mm512_srli_epi16::<4>(nibbles), low_nibble));
        }
        for (count, sums) in counts.iter_mut().zip([low, high]) {
            *count += _mm512_reduce_add_epi64(_mm512_sad_epu8(sums, zero)) as u32;
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_512(block: &Block) -> __m512i {
    // SAFETY: a block is as long as the register.
    unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn count_lanes_512(marks: &[Block], possible: &[u8], counts: &mut [Block]) {
    if !fits_a_permute(possible) {
        for (byte, counts) in possible.iter().zip(counts) {
            count_byte(marks, *byte, counts);
        }
        return;
    }
    for (bytes, counts) in possible.chunks(2 * MAX_PAIRS).zip(counts.chunks_mut(2 * MAX_PAIRS)) {
        match bytes.len().div_ceil(2) {
            0..=7 => count_pairs::<7>(marks, bytes, counts),
            8..=10 => count_pairs::<10>(marks, bytes, counts),
            _ => count_pairs::<MAX_PAIRS>(marks, bytes, counts),
        }
    }
}

/// Pairs of possible bytes counted in one pass over the marks: as many as the registers hold, with their counters.
const MAX_PAIRS: usize = 14;

/// Counts pairs of possible bytes in each lane, as in [`count_nibbles`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn count_pairs<const PAIRS: usize>(marks: &[Block], bytes: &[u8], counts: &mut [Block]) {
    let low_nibble = _mm512_set1_epi8(0x0F);
    let zero = _mm512_setzero_si512();
    let mut ones = [zero; PAIRS];
    for (ones, bytes) in ones.iter_mut().zip(bytes.chunks(2)) {
        let high = bytes.get(1).map_or(0, |&byte| 1 << byte);
        *ones = _mm512_mask_set1_epi8(_mm512_maskz_set1_epi8(1 << bytes[0], 0x01), high, 0x10);
    }
    counts.fill([0; BLOCK]);
    for marks in marks.chunks(MAX_NIBBLE) {
        let mut nibbles = [zero; PAIRS];
        for marks in marks {
            let marks = load_512(marks);
            for (nibbles, &ones) in nibbles.iter_mut().zip(&ones) {
                *nibbles = _mm512_add_epi8(*nibbles, _mm512_permutexvar_epi8(marks, ones));
            }
        }
        for (nibbles, counts) in nibbles.into_iter().zip(counts.chunks_mut(2)) {
            let low = _mm512_and_si512(nibbles, low_nibble);
            let high = _mm512_and_si512(_mm512_srli_epi16::<4>(nibbles), low_nibble);
            for (counts, half) in counts.iter_mut().zip([low, high]) {
                let sum = _mm512_add_epi8(load_512(counts), half);
                store_512(counts, sum);
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn count_byte(marks: &[Block], byte: u8, counts: &mut Block) {
    // Opaque, because the compiler would replace the masked addition of one by three slower instructions.
    let one = std::hint::black_box(_mm512_set1_epi8(1));
    let byte = _mm512_set1_epi8(byte as i8);
    let mut sum = _mm512_setzero_si512();
    for marks in marks {
        sum = _mm512_mask_add_epi8(sum, _mm512_cmpeq_epi8_mask(load_512(marks), byte), sum, one);
    }
    store_512(counts, sum);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn tally_512(counts: &[Block], tally: &Tally, out: &mut [u16; BLOCK]) {
    tally_parts(counts.len(), |at| load_512(&counts[at]), false, tally, out);
}

/// Computes the tally of the counters of each lane.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn plane_tally_512(counters: &[Counter], digits: usize, tally: &Tally, out: &mut [u16; LANES_PER_PLANE]) {
    let small = digits <= BLOCK.ilog2() as usize;
    for (block, out) in out.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
        tally_parts(counters.len(), |at| plane_sizes(&counters[at], digits, block), small, tally, out);
    }
}

/// Computes the tally of `parts` parts, given their sizes in each lane; `small` if all sizes are below [`BLOCK`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn tally_parts(parts: usize, sizes: impl Fn(usize) -> __m512i, small: bool, tally: &Tally, out: &mut [u16; BLOCK]) {
    let zero = _mm512_setzero_si512();
    match tally {
        Tally::Largest => {
            let mut largest = zero;
            for at in 0..parts {
                largest = _mm512_max_epu8(largest, sizes(at));
            }
            let low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(largest));
            let high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(largest));
            store_u16_512(out, low, high);
        }
        Tally::Sum(weights) => {
            // Sums of the low bytes of the weights in 16 bits, for even and odd lanes, and of the high bytes in 8 bits.
            let (mut low_even, mut low_odd, mut high) = (zero, zero, zero);
            let low_byte = _mm512_set1_epi16(0xFF);
            let [low_first, low_last] = [load_512(&weights.low[0]), load_512(&weights.low[1])];
            let [high_first, high_last] = [load_512(&weights.high[0]), load_512(&weights.high[1])];
            for at in 0..parts {
                let sizes = sizes(at);
                let (low, upper) = if small {
                    (_mm512_permutexvar_epi8(sizes, low_first), _mm512_permutexvar_epi8(sizes, high_first))
                } else {
                    (
                        _mm512_permutex2var_epi8(low_first, sizes, low_last),
                        _mm512_permutex2var_epi8(high_first, sizes, high_last),
                    )
                };
                low_even = _mm512_add_epi16(low_even, _mm512_and_si512(low, low_byte));
                low_odd = _mm512_add_epi16(low_odd, _mm512_srli_epi16::<8>(low));
                // The sum of the weights fits 16 bits ([`Tally::max_codes`]), so that of the high bytes fits 8.
                high = _mm512_add_epi8(high, upper);
            }
            let even = _mm512_add_epi16(low_even, _mm512_slli_epi16::<8>(high));
            let odd = _mm512_add_epi16(low_odd, _mm512_andnot_si512(low_byte, high));
            // Even and odd lanes interleave within each 128 bits, whose halves are then put in order.
            let (first, second) = (_mm512_unpacklo_epi16(even, odd), _mm512_unpackhi_epi16(even, odd));
            let order = |from: [i64; 8]| {
                let index = _mm512_setr_epi64(from[0], from[1], from[2], from[3], from[4], from[5], from[6], from[7]);
                _mm512_permutex2var_epi64(first, index, second)
            };
            store_u16_512(out, order([0, 1, 8, 9, 2, 3, 10, 11]), order([4, 5, 12, 13, 6, 7, 14, 15]));
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store_512(block: &mut Block, register: __m512i) {
    // SAFETY: a block is as long as the register.
    unsafe { _mm512_storeu_si512(block.as_mut_ptr().cast(), register) };
}

/// Converts the counters of each lane to numbers.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn plane_numbers_512<'a>(counters: impl Iterator<Item = &'a [Plane]>, out: &mut [[u32; LANES_PER_PLANE]]) {
    for (digits, out) in counters.zip(out) {
        if digits.is_empty() {
            // There are no codes.
            *out = [0; LANES_PER_PLANE];
        }
        for (block, out) in out.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            for (place, digits) in digits.chunks(8).enumerate() {
                let mut bytes = [0u8; BLOCK];
                // SAFETY: a block is as long as the register.
                unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), plane_sizes(digits, digits.len(), block)) };
                if place == 0 {
                    out.iter_mut().zip(bytes).for_each(|(out, byte)| *out = byte.into());
                } else {
                    out.iter_mut().zip(bytes).for_each(|(out, byte)| *out |= u32::from(byte) << (8 * place));
                }
            }
        }
    }
}

/// Returns the counters of the lanes of a block as bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn plane_sizes(counter: &[Plane], digits: usize, block: usize) -> __m512i {
    let mut sizes = _mm512_setzero_si512();
    for (place, digit) in counter[..digits].iter().enumerate() {
        sizes = _mm512_mask_add_epi8(sizes, digit.0[block], sizes, _mm512_set1_epi8(1 << place));
    }
    sizes
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store_u16_512(out: &mut [u16; BLOCK], low: __m512i, high: __m512i) {
    let (first, second) = out.split_at_mut(BLOCK / 2);
    // SAFETY: half a block of 16-bit numbers is as long as the register.
    unsafe {
        _mm512_storeu_si512(first.as_mut_ptr().cast(), low);
        _mm512_storeu_si512(second.as_mut_ptr().cast(), high);
    }
}
