//! The parts that a guess makes of a set of codes.

use std::{cmp::Reverse, collections::HashMap};

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

/// The ways to split the codes of a position that were met: each under its fingerprint, with a guess that makes it and
/// whether that guess can win.
#[derive(Default)]
pub(super) struct Seen(HashMap<u64, (u16, bool)>);

impl Seen {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether no guess that splits the codes in the same way, where both or neither can win, was met before. Proofs rest
    /// on it, so that an equal fingerprint is only a reason to compare.
    #[inline]
    pub(super) fn is_new(&mut self, matrix: &Matrix, set: &[u16], guess: u16, wins: bool) -> bool {
        let print = fingerprint(matrix.of_guess(guess), set, wins);
        self.is_new_under(print, matrix, set, guess, wins)
    }

    /// The same, where the fingerprint is known.
    #[inline]
    pub(super) fn is_new_under(&mut self, print: u64, matrix: &Matrix, set: &[u16], guess: u16, wins: bool) -> bool {
        let &mut (other, other_wins) = self.0.entry(print).or_insert((guess, wins));
        other == guess || wins != other_wins || !alike(matrix.of_guess(guess), matrix.of_guess(other), set)
    }
}

/// Whether two guesses put the same codes together.
fn alike(one: &[u8], other: &[u8], set: &[u16]) -> bool {
    let (mut there, mut back) = ([u8::MAX; MAX_KINDS], [u8::MAX; MAX_KINDS]);
    set.iter().all(|&code| {
        let (mark, same) = (one[usize::from(code)], other[usize::from(code)]);
        let (there, back) = (&mut there[usize::from(mark)], &mut back[usize::from(same)]);
        if *there == u8::MAX && *back == u8::MAX {
            (*there, *back) = (same, mark);
        }
        *there == same && *back == mark
    })
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

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::{Rng, Watch};

    /// The codes that a guess puts together.
    fn parts(matrix: &Matrix, guess: u16, set: &[u16]) -> BTreeSet<Vec<u16>> {
        let mut parts: BTreeMap<u8, Vec<u16>> = BTreeMap::new();
        set.iter().for_each(|&code| parts.entry(matrix.of_guess(guess)[usize::from(code)]).or_default().push(code));
        parts.into_values().collect()
    }

    #[test]
    fn guesses_are_compared_and_not_only_their_fingerprints() {
        let matrix = Matrix::new(&"3x4".parse().unwrap(), Watch::default()).unwrap();
        let mut rng = Rng::new(1);
        for size in 2..12 {
            let mut set: Vec<u16> = (0..size).map(|_| rng.index(matrix.len()) as u16).collect();
            set.sort_unstable();
            set.dedup();
            let (mut seen, mut ways) = (Seen::default(), BTreeSet::new());
            for guess in 0..matrix.len() as u16 {
                let wins = set.contains(&guess);
                let way = (parts(&matrix, guess, &set), wins);
                // As if all ways had the fingerprint of the first.
                let mut alone = Seen::default();
                alone.is_new_under(7, &matrix, &set, 0, set.contains(&0));
                let first = (parts(&matrix, 0, &set), set.contains(&0));
                assert_eq!(
                    alone.is_new_under(7, &matrix, &set, guess, wins),
                    guess == 0 || way != first,
                    "{set:?} {guess}"
                );
                assert_eq!(seen.is_new(&matrix, &set, guess, wins), ways.insert(way), "{set:?} {guess}");
            }
        }
    }
}
