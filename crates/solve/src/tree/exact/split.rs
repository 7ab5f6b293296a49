//! The parts that a guess makes of a set of codes.

use std::cmp::Reverse;

use super::matrix::{MAX_KINDS, Matrix};

/// The codes of a position sorted by part.
#[derive(Default)]
pub(super) struct Split {
    codes: Vec<u16>,
    /// Where each part begins and ends, and its mark; the winning part is left out.
    parts: Vec<(u32, u32, u8)>,
    wins: bool,
}

impl Split {
    pub(super) fn of(&mut self, matrix: &Matrix, guess: u16, set: &[u16]) {
        let row = matrix.of_guess(guess);
        let mut ends = [0u32; MAX_KINDS];
        for &code in set {
            ends[usize::from(row[usize::from(code)])] += 1;
        }
        self.parts.clear();
        self.wins = ends[usize::from(matrix.winning)] > 0;
        let mut at = 0;
        for (mark, end) in (0..).zip(&mut ends[..matrix.kinds()]) {
            let size = *end;
            if size > 0 && mark != matrix.winning {
                self.parts.push((at, at + size, mark));
            }
            *end = at;
            at += size;
        }
        self.codes.resize(set.len(), 0);
        for &code in set {
            let end = &mut ends[usize::from(row[usize::from(code)])];
            self.codes[*end as usize] = code;
            *end += 1;
        }
        // The largest part first: it is where a bound is farthest from the total, so where a guess is ruled out soonest.
        self.parts.sort_unstable_by_key(|&(first, end, mark)| (Reverse(end - first), mark));
    }

    pub(super) fn wins(&self) -> bool {
        self.wins
    }

    pub(super) fn parts(&self) -> impl DoubleEndedIterator<Item = (u8, &[u16])> + ExactSizeIterator {
        self.parts.iter().map(|&(first, end, mark)| (mark, &self.codes[first as usize..end as usize]))
    }
}

/// Equal for guesses that split the codes in the same way, where both or neither can win.
#[inline]
pub(super) fn fingerprint(row: &[u8], set: &[u16], wins: bool) -> u64 {
    let mut names = [u8::MAX; MAX_KINDS];
    let (mut next, mut print) = (0u8, 1 + u64::from(wins));
    for &code in set {
        let name = &mut names[usize::from(row[usize::from(code)])];
        if *name == u8::MAX {
            *name = next;
            next += 1;
        }
        print = (print ^ u64::from(*name)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }
    print
}
