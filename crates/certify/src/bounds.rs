//! Lower bounds that need no certificate, and the guesses that remain to be excluded.

use std::{cmp::Reverse, collections::HashMap, sync::Mutex};

use crate::{board::Board, check::NO_PANIC, image::are_twins};

/// Guess that the sizes of its parts do not exclude.
pub struct OpenGuess {
    /// The guess.
    pub guess: u16,
    /// Parts other than the winning one, the largest first.
    pub parts: Vec<Part>,
    /// Lower bound of the total of strategies that begin with the guess.
    pub bound: u32,
}

/// Part that a guess leaves.
pub struct Part {
    /// Feedback of the guess.
    pub feedback: u8,
    /// Codes of the part.
    pub codes: Vec<u16>,
    /// Lower bound of its total by its size.
    pub bound: u32,
}

/// Guesses that are tried at a set of codes.
struct Scan<'a> {
    board: &'a Board,
    set: &'a [u16],
    /// Number of guesses that each guess saves, from three per code: one for each part, for its first code, and two for
    /// the code that is guessed, if it is one. A guess that saves one splits nothing.
    saved: Vec<u8>,
    /// Bounds by size with the maximum number of parts that a guess leaves. That number also holds for all subsets.
    sizes: &'a [u32],
}

impl<'a> Scan<'a> {
    fn new(board: &'a Board, set: &'a [u16]) -> Self {
        let mut saved = board.count_parts(set);
        let sizes = &board.sizes[saved.iter().copied().max().map_or(0, usize::from)];
        set.iter().for_each(|&code| saved[usize::from(code)] += 2);
        Self { board, set, saved, sizes }
    }

    /// Returns the lower bound by the number of parts: a part of `m` codes takes at least `2 * m - 1` guesses.
    fn by_parts(&self, guess: usize) -> u32 {
        if self.saved[guess] > 1 { 3 * self.set.len() as u32 - u32::from(self.saved[guess]) } else { u32::MAX }
    }

    /// Returns the lower bound by the sizes of the parts.
    fn by_sizes(&self, guess: usize) -> u32 {
        let row = self.board.row(guess as u16);
        let mut counts = [0usize; 32];
        self.set.iter().for_each(|&code| counts[usize::from(row[usize::from(code)])] += 1);
        let parts = &counts[..self.board.marks.len() - 1];
        self.set.len() as u32 + parts.iter().map(|&count| self.sizes[count]).sum::<u32>()
    }
}

/// [`one_ply`] of images seen before by any thread, in shards with a lock each, so that threads rarely wait.
pub type Cache = [Mutex<HashMap<Vec<u16>, u32>>; 32];

/// Maximum number of images in a shard, of some hundred bytes each.
const MAX_CACHED: usize = 1 << 16;

/// Returns a lower bound on the total of an image, from the part sizes of the best guess.
pub fn one_ply(board: &Board, image: &[u16], cache: &Cache) -> u32 {
    let shard = &cache[image.iter().copied().map(usize::from).sum::<usize>() % cache.len()];
    let lock = || shard.lock().expect(NO_PANIC);
    if let Some(&bound) = lock().get(image) {
        return bound;
    }
    let scan = Scan::new(board, image);
    let first = (0..scan.saved.len()).max_by_key(|&guess| scan.saved[guess]).unwrap_or(0);
    let better = |least, guess| if scan.by_parts(guess) < least { least.min(scan.by_sizes(guess)) } else { least };
    let least = (0..scan.saved.len()).fold(scan.by_sizes(first), better);
    let mut known = lock();
    if known.len() >= MAX_CACHED {
        known.clear();
    }
    known.insert(image.to_vec(), least);
    least
}

/// Returns the guesses at an image whose bound by sizes is below `claim`, one of each class of guesses that are
/// symmetric because the codes contain two colors alike.
pub fn open_guesses(board: &Board, image: &[u16], claim: u32) -> Vec<OpenGuess> {
    let (scan, present) = (Scan::new(board, image), board.highest(image) as u8);
    // Next lower color that can be swapped with each color. Absent colors can always be.
    let twin = |color: u8| (0..color).rev().find(|&lower| color > present || are_twins(board, image, lower, color));
    let twins: Vec<Option<u8>> = (0..board.colors as u8).map(twin).collect();
    let mut open = Vec::new();
    for (guess, code) in board.codes.iter().enumerate().take(scan.saved.len()) {
        // Twins first appear in ascending order.
        let stands = |peg: usize| twins[usize::from(code[peg])].is_none_or(|twin| code[..peg].contains(&twin));
        let first = |peg: usize| !code[..peg].contains(&code[peg]);
        if scan.by_parts(guess) >= claim || !(0..board.pegs).all(|peg| !first(peg) || stands(peg)) {
            continue;
        }
        let (guess, bound) = (guess as u16, scan.by_sizes(guess));
        if bound < claim {
            let part = |(feedback, codes): (u8, Vec<u16>)| Part { feedback, bound: scan.sizes[codes.len()], codes };
            let parts = (0..).zip(board.split(guess, image)).take(board.marks.len() - 1).map(part);
            let mut parts: Vec<Part> = parts.filter(|part| !part.codes.is_empty()).collect();
            parts.sort_by_key(|part| Reverse(part.codes.len()));
            open.push(OpenGuess { guess, parts, bound });
        }
    }
    open
}
