//! From counters of bits, a digit a line, to one number a lane.

use super::Line;
use crate::table::BLOCK;

/// Each bit of a byte as a byte of its own.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= ((byte as u64 >> bit) & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// The numbers in a block of lanes, of up to eight digits.
#[inline(always)]
pub(super) fn bytes(digits: &[Line], block: usize) -> [u8; BLOCK] {
    let mut numbers = [0u64; BLOCK / 8];
    for (place, digit) in digits.iter().enumerate() {
        for (numbers, byte) in numbers.iter_mut().zip(digit.0[block].to_le_bytes()) {
            *numbers |= SPREAD[usize::from(byte)] << place;
        }
    }
    let mut bytes = [0; BLOCK];
    for (bytes, numbers) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
        *bytes = numbers.to_le_bytes();
    }
    bytes
}

/// The numbers in a block of lanes, of any number of digits.
#[inline(always)]
pub(super) fn numbers(digits: &[Line], block: usize, out: &mut [u32]) {
    out.fill(0);
    for (place, digits) in digits.chunks(8).enumerate() {
        for (out, byte) in out.iter_mut().zip(bytes(digits, block)) {
            *out |= u32::from(byte) << (8 * place);
        }
    }
}
