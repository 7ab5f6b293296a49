//! 64 codes in a register.

use std::arch::x86_64::*;

use super::{Block, coding::Coding, plan::Plan, tally::Tally};
use crate::{
    feedback::FeedbackKind,
    table::{BLOCK, Table},
};

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
pub(super) unsafe fn marks(coding: &Coding, plan: &Plan, table: &Table, first: usize, out: &mut [Block]) {
    let with_colors = coding.kind() == FeedbackKind::BlackWhite;
    with_cells!(table.cells(), marks_of(plan, table, first, with_colors, out));
}

/// # Safety
/// The machine has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn marks_of_each(coding: &Coding, plans: &[Plan], table: &Table, block: usize, out: &mut [Block]) {
    let with_colors = coding.kind() == FeedbackKind::BlackWhite;
    with_cells!(table.cells(), marks_of_plans(plans, table, block, with_colors, out));
}

/// Stands for a number of cells that is only known at run time.
const ANY: usize = 0;

/// Blocks that share one walk over the guess: enough to hide its cost, few enough for the registers.
const GROUP: usize = 4;

#[target_feature(enable = "avx512f,avx512bw")]
fn marks_of<const P: usize>(plan: &Plan, table: &Table, first: usize, with_colors: bool, out: &mut [Block]) {
    let (groups, rest) = out.as_chunks_mut::<GROUP>();
    let after = first + groups.len() * GROUP;
    for (group, out) in groups.iter_mut().enumerate() {
        marks_of_group::<P, GROUP>(plan, table, first + group * GROUP, with_colors, out);
    }
    for (block, out) in (after..).zip(rest) {
        marks_of_group::<P, 1>(plan, table, block, with_colors, std::array::from_mut(out));
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn marks_of_plans<const P: usize>(plans: &[Plan], table: &Table, block: usize, with_colors: bool, out: &mut [Block]) {
    for (plan, out) in plans.iter().zip(out) {
        marks_of_group::<P, 1>(plan, table, block, with_colors, std::array::from_mut(out));
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn marks_of_group<const P: usize, const B: usize>(
    plan: &Plan,
    table: &Table,
    first: usize,
    with_colors: bool,
    out: &mut [Block; B],
) {
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
    for (out, marks) in out.iter_mut().zip(marks) {
        store(out, marks);
    }
}

/// # Safety
/// The machine has AVX-512 F, BW and VBMI, and POPCNT.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,popcnt")]
pub(super) unsafe fn count(blocks: &[Block], possible: &[u8], counts: &mut [u32]) {
    let fits_a_permute = possible.last().is_some_and(|&largest| usize::from(largest) < BLOCK);
    if blocks.len() >= MANY_BLOCKS && fits_a_permute {
        count_many(blocks, possible, counts);
    } else {
        count_few(blocks, possible, counts);
    }
}

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
    const HALF_BYTE_MOST: usize = 15;
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
/// The machine has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn count_lanes(marks: &[Block], possible: &[u8], counts: &mut [Block]) {
    let (groups, rest) = possible.as_chunks::<TOGETHER>();
    let (of_groups, of_rest) = counts.split_at_mut(groups.len() * TOGETHER);
    for (bytes, counts) in groups.iter().zip(of_groups.as_chunks_mut::<TOGETHER>().0) {
        count_together(marks, bytes, counts);
    }
    for (byte, counts) in rest.iter().zip(of_rest) {
        count_together(marks, std::array::from_ref(byte), std::array::from_mut(counts));
    }
}

/// Possible bytes that share one walk over the marks: as many as the registers hold, with their counters.
const TOGETHER: usize = 7;

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn count_together<const T: usize>(marks: &[Block], bytes: &[u8; T], counts: &mut [Block; T]) {
    // Known to be one, the compiler would trade the masked addition for three slower instructions.
    let one = std::hint::black_box(_mm512_set1_epi8(1));
    let mut sums = [_mm512_setzero_si512(); T];
    for marks in marks {
        let marks = load(marks);
        for (sum, &byte) in sums.iter_mut().zip(bytes) {
            let equal = _mm512_cmpeq_epi8_mask(marks, _mm512_set1_epi8(byte as i8));
            *sum = _mm512_mask_add_epi8(*sum, equal, *sum, one);
        }
    }
    for (counts, sum) in counts.iter_mut().zip(sums) {
        store(counts, sum);
    }
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
            // The weights as two tables of bytes, each in two registers.
            let plane = |shift: u32| {
                let bytes: [Block; 2] = std::array::from_fn(|half| {
                    std::array::from_fn(|size| (weights[half * BLOCK + size] >> shift) as u8)
                });
                bytes
            };
            let (low, high) = (plane(0), plane(8));
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
