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
        // SAFETY: a block is as long as the register.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), marks) };
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

/// Sixteen-bit sums of the bytes of a register, even and odd lanes apart.
struct Sums {
    even: __m512i,
    odd: __m512i,
}

impl Sums {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn new() -> Self {
        Self { even: _mm512_setzero_si512(), odd: _mm512_setzero_si512() }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn add(&mut self, bytes: __m512i) {
        self.even = _mm512_add_epi16(self.even, _mm512_and_si512(bytes, _mm512_set1_epi16(0xFF)));
        self.odd = _mm512_add_epi16(self.odd, _mm512_srli_epi16::<8>(bytes));
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn store(&self, out: &mut [u16; BLOCK]) {
        let mut halves = [[0u16; BLOCK / 2]; 2];
        // SAFETY: half a block of sixteen-bit numbers is as long as the register.
        unsafe {
            _mm512_storeu_si512(halves[0].as_mut_ptr().cast(), self.even);
            _mm512_storeu_si512(halves[1].as_mut_ptr().cast(), self.odd);
        }
        for (pair, (even, odd)) in out.chunks_exact_mut(2).zip(halves[0].into_iter().zip(halves[1])) {
            pair.copy_from_slice(&[even, odd]);
        }
    }
}

/// # Safety
/// The machine has AVX-512 F, BW and VBMI.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) unsafe fn tally(marks: &[Block], tally: &Tally, out: &mut [u16; BLOCK]) {
    let one = _mm512_set1_epi8(1);
    let mut sums = Sums::new();
    match tally {
        Tally::Parts => {
            let mut parts = _mm512_setzero_si512();
            for (index, own) in marks.iter().enumerate() {
                let own = load(own);
                let mut seen = 0;
                for other in &marks[..index] {
                    seen |= _mm512_cmpeq_epi8_mask(own, load(other));
                }
                parts = _mm512_mask_add_epi8(parts, !seen, parts, one);
            }
            sums.add(parts);
        }
        Tally::Largest => {
            let mut largest = _mm512_setzero_si512();
            for own in marks {
                largest = _mm512_max_epu8(largest, sharing(load(own), marks));
            }
            sums.add(largest);
        }
        Tally::Squares => {
            for own in marks {
                sums.add(sharing(load(own), marks));
            }
        }
        Tally::Weights(weights) => {
            let weights = load(weights);
            for own in marks {
                sums.add(_mm512_permutexvar_epi8(sharing(load(own), marks), weights));
            }
        }
    }
    sums.store(out);
}

/// In each lane, how many of the marks equal this one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn sharing(own: __m512i, marks: &[Block]) -> __m512i {
    // Known to be one, the compiler would trade the masked addition for three slower instructions.
    let one = std::hint::black_box(_mm512_set1_epi8(1));
    let mut sharing = _mm512_setzero_si512();
    for other in marks {
        sharing = _mm512_mask_add_epi8(sharing, _mm512_cmpeq_epi8_mask(own, load(other)), sharing, one);
    }
    sharing
}
