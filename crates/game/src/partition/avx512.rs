//! 64 codes in a register.

use std::{arch::x86_64::*, ops::Range};

use super::{Block, coding::MarkEncoding, prepared::Prepared, tally::Tally};
use crate::table::{BLOCK, Table};

/// Calls a function with the number of cells known to the compiler, which leaves its loops without a branch that could be
/// mispredicted.
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

/// # Safety
/// The machine has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn marks(coding: &MarkEncoding, plan: &Prepared, table: &Table, first: usize, out: &mut [Block]) {
    let with_colors = coding.model().colors;
    with_cells!(table.cells(), marks_of(plan, table, first, with_colors, out));
}

/// # Safety
/// The machine has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn marks_of_each(
    coding: &MarkEncoding,
    plans: &[Prepared],
    table: &Table,
    blocks: Range<usize>,
    out: &mut [Block],
) {
    let with_colors = coding.model().colors;
    with_cells!(table.cells(), marks_of_plans(plans, table, blocks, with_colors, out));
}

/// Stands for a number of cells that is only known at run time.
const ANY: usize = 0;

/// Blocks that share one walk over the guess: enough to hide its cost, few enough for the registers.
const GROUP: usize = 4;

#[target_feature(enable = "avx512f,avx512bw")]
fn marks_of<const P: usize>(plan: &Prepared, table: &Table, first: usize, with_colors: bool, out: &mut [Block]) {
    let (groups, rest) = out.as_chunks_mut::<GROUP>();
    let after = first + groups.len() * GROUP;
    for (group, out) in groups.iter_mut().enumerate() {
        let marks = marks_of_group::<P, GROUP>(plan, table, first + group * GROUP, with_colors);
        out.iter_mut().zip(marks).for_each(|(out, marks)| store(out, marks));
    }
    for (block, out) in (after..).zip(rest) {
        let [marks] = marks_of_group::<P, 1>(plan, table, block, with_colors);
        store(out, marks);
    }
}

/// Marks of all plans for the first block, then of all plans for the next.
#[target_feature(enable = "avx512f,avx512bw")]
fn marks_of_plans<const P: usize>(
    plans: &[Prepared],
    table: &Table,
    blocks: Range<usize>,
    with_colors: bool,
    out: &mut [Block],
) {
    assert!(out.len() >= plans.len() * blocks.len());
    let mut block = blocks.start;
    while block < blocks.end {
        let out = &mut out[(block - blocks.start) * plans.len()..];
        if blocks.end - block >= GROUP {
            for (at, plan) in plans.iter().enumerate() {
                let marks = marks_of_group::<P, GROUP>(plan, table, block, with_colors);
                for (step, marks) in marks.into_iter().enumerate() {
                    store(&mut out[step * plans.len() + at], marks);
                }
            }
            block += GROUP;
        } else {
            for (plan, out) in plans.iter().zip(out) {
                let [marks] = marks_of_group::<P, 1>(plan, table, block, with_colors);
                store(out, marks);
            }
            block += 1;
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn marks_of_group<const P: usize, const B: usize>(
    plan: &Prepared,
    table: &Table,
    first: usize,
    with_colors: bool,
) -> [__m512i; B] {
    let cells = if P == ANY { plan.pegs().len() } else { P };
    let weight = _mm512_set1_epi8(plan.black_weight as i8);
    let mut marks = [_mm512_setzero_si512(); B];
    let (columns, width) = table.columns(first, B);
    for (cell, &peg) in plan.pegs()[..cells].iter().enumerate() {
        let peg = _mm512_set1_epi8(peg as i8);
        for (block, marks) in marks.iter_mut().enumerate() {
            let black = _mm512_cmpeq_epi8_mask(load(&columns[block * width + cell].0), peg);
            *marks = _mm512_mask_add_epi8(*marks, black, *marks, weight);
        }
    }
    if with_colors {
        let (colors, times) = plan.shown_padded();
        for (&color, &times) in colors[..cells].iter().zip(&times[..cells]) {
            let times = _mm512_set1_epi8(times as i8);
            let column = table.cells() + usize::from(color);
            for (block, marks) in marks.iter_mut().enumerate() {
                let shown = load(&columns[block * width + column].0);
                *marks = _mm512_add_epi8(*marks, _mm512_min_epu8(shown, times));
            }
        }
    }
    marks
}

/// # Safety
/// The machine has AVX-512 F, BW and VBMI, and POPCNT.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,popcnt")]
pub(super) unsafe fn count(blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
    if blocks.len() >= MANY_BLOCKS && fits_a_permute(possible) {
        count_many(blocks, possible, counts);
    } else {
        count_few(blocks, possible, counts);
    }
}

/// Whether every possible byte, ascending, is an index into a register.
#[inline]
fn fits_a_permute(possible: &[u8]) -> bool {
    possible.last().is_some_and(|&largest| usize::from(largest) < BLOCK)
}

/// How often half a byte can be counted up.
const HALF_BYTE_MOST: usize = 15;

/// From here on the shorter loop of [`count_many`] pays for its summing up.
const MANY_BLOCKS: usize = 10;

/// A comparison and a population count for each possible byte.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,popcnt")]
fn count_few(blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
    for (count, &byte) in counts.iter_mut().zip(possible) {
        let byte = _mm512_set1_epi8(byte as i8);
        let equal = |block: &Block| _mm512_cmpeq_epi8_mask(load(block), byte).count_ones();
        *count += blocks.iter().map(equal).sum::<u32>();
    }
}

/// Two possible bytes at a time: a permute turns each mark into a one in the low or high half of a byte, and halves are
/// summed for as long as they cannot overflow.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn count_many(blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
    let low_half = _mm512_set1_epi8(0x0F);
    let zero = _mm512_setzero_si512();
    for (counts, bytes) in counts.chunks_mut(2).zip(possible.chunks(2)) {
        let low_one = _mm512_maskz_set1_epi8(1 << bytes[0], 0x01);
        let ones = match bytes.get(1) {
            Some(&byte) => _mm512_mask_set1_epi8(low_one, 1 << byte, 0x10),
            None => low_one,
        };
        let (mut low, mut high) = (zero, zero);
        for blocks in blocks.chunks(HALF_BYTE_MOST) {
            let mut halves = zero;
            for block in blocks {
                halves = _mm512_add_epi8(halves, _mm512_permutexvar_epi8(load(block), ones));
            }
            low = _mm512_add_epi8(low, _mm512_and_si512(halves, low_half));
            high = _mm512_add_epi8(high, _mm512_and_si512(_mm512_srli_epi16::<4>(halves), low_half));
        }
        for (count, sums) in counts.iter_mut().zip([low, high]) {
            *count += _mm512_reduce_add_epi64(_mm512_sad_epu8(sums, zero)) as u32;
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(block: &Block) -> __m512i {
    // SAFETY: a block is as long as the register.
    unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
}

/// In each lane, how many of the marks equal each possible byte; at most 255 marks.
///
/// # Safety
/// The machine has AVX-512 F, BW and VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) unsafe fn count_lanes(marks: &[Block], possible: &[u8], counts: &mut [Block]) {
    if !fits_a_permute(possible) {
        for (byte, counts) in possible.iter().zip(counts) {
            count_byte(marks, *byte, counts);
        }
        return;
    }
    for (bytes, counts) in possible.chunks(2 * MOST_PAIRS).zip(counts.chunks_mut(2 * MOST_PAIRS)) {
        match bytes.len().div_ceil(2) {
            0..=7 => count_pairs::<7>(marks, bytes, counts),
            8..=10 => count_pairs::<10>(marks, bytes, counts),
            _ => count_pairs::<MOST_PAIRS>(marks, bytes, counts),
        }
    }
}

/// Pairs of possible bytes that share one walk over the marks: as many as the registers hold, with their counters.
const MOST_PAIRS: usize = 14;

/// As in [`count_many`], a permute turns each mark into a one in the low or the high half of a byte, for two possible bytes
/// at a time, and halves are summed for as long as they cannot overflow.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn count_pairs<const PAIRS: usize>(marks: &[Block], bytes: &[u8], counts: &mut [Block]) {
    let low_half = _mm512_set1_epi8(0x0F);
    let zero = _mm512_setzero_si512();
    let mut ones = [zero; PAIRS];
    for (ones, bytes) in ones.iter_mut().zip(bytes.chunks(2)) {
        let high = bytes.get(1).map_or(0, |&byte| 1 << byte);
        *ones = _mm512_mask_set1_epi8(_mm512_maskz_set1_epi8(1 << bytes[0], 0x01), high, 0x10);
    }
    counts.fill([0; BLOCK]);
    for marks in marks.chunks(HALF_BYTE_MOST) {
        let mut halves = [zero; PAIRS];
        for marks in marks {
            let marks = load(marks);
            for (halves, &ones) in halves.iter_mut().zip(&ones) {
                *halves = _mm512_add_epi8(*halves, _mm512_permutexvar_epi8(marks, ones));
            }
        }
        for (halves, counts) in halves.into_iter().zip(counts.chunks_mut(2)) {
            let low = _mm512_and_si512(halves, low_half);
            let high = _mm512_and_si512(_mm512_srli_epi16::<4>(halves), low_half);
            for (counts, half) in counts.iter_mut().zip([low, high]) {
                let sum = _mm512_add_epi8(load(counts), half);
                store(counts, sum);
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn count_byte(marks: &[Block], byte: u8, counts: &mut Block) {
    // Known to be one, the compiler would trade the masked addition for three slower instructions.
    let one = std::hint::black_box(_mm512_set1_epi8(1));
    let byte = _mm512_set1_epi8(byte as i8);
    let mut sum = _mm512_setzero_si512();
    for marks in marks {
        sum = _mm512_mask_add_epi8(sum, _mm512_cmpeq_epi8_mask(load(marks), byte), sum, one);
    }
    store(counts, sum);
}

/// Sums up the counts of each lane.
///
/// # Safety
/// The machine has AVX-512 F, BW and VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) unsafe fn tally(counts: &[Block], tally: &Tally, out: &mut [u16; BLOCK]) {
    let low_byte = _mm512_set1_epi16(0xFF);
    let zero = _mm512_setzero_si512();
    // Sixteen-bit sums of the even and of the odd lanes.
    let (mut even, mut odd) = (zero, zero);
    match tally {
        Tally::Largest => {
            let mut largest = zero;
            for counts in counts {
                largest = _mm512_max_epu8(largest, load(counts));
            }
            (even, odd) = (_mm512_and_si512(largest, low_byte), _mm512_srli_epi16::<8>(largest));
        }
        Tally::Sum(weights) => {
            let (low, high) = (&weights.low, &weights.high);
            let (low, high) = ([load(&low[0]), load(&low[1])], [load(&high[0]), load(&high[1])]);
            for counts in counts {
                let sizes = load(counts);
                let low = _mm512_permutex2var_epi8(low[0], sizes, low[1]);
                let high = _mm512_permutex2var_epi8(high[0], sizes, high[1]);
                let of_even = _mm512_or_si512(_mm512_and_si512(low, low_byte), _mm512_slli_epi16::<8>(high));
                let of_odd = _mm512_or_si512(_mm512_srli_epi16::<8>(low), _mm512_andnot_si512(low_byte, high));
                even = _mm512_add_epi16(even, of_even);
                odd = _mm512_add_epi16(odd, of_odd);
            }
        }
    }
    let mut halves = [[0u16; BLOCK / 2]; 2];
    // SAFETY: half a block of sixteen-bit numbers is as long as the register.
    unsafe {
        _mm512_storeu_si512(halves[0].as_mut_ptr().cast(), even);
        _mm512_storeu_si512(halves[1].as_mut_ptr().cast(), odd);
    }
    for (pair, (even, odd)) in out.chunks_exact_mut(2).zip(halves[0].into_iter().zip(halves[1])) {
        pair.copy_from_slice(&[even, odd]);
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(block: &mut Block, register: __m512i) {
    // SAFETY: a block is as long as the register.
    unsafe { _mm512_storeu_si512(block.as_mut_ptr().cast(), register) };
}
