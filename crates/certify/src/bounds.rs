//! Lower bounds that need no certificate, and the guesses that remain to be excluded.

use std::collections::HashMap;

use crate::{board::Board, image};

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
    /// Maximum number of parts, without the winning one, that a guess leaves. It also holds for all subsets.
    k: usize,
}

impl<'a> Scan<'a> {
    fn new(board: &'a Board, set: &'a [u16]) -> Self {
        let mut saved = board.count_parts(set, board.guesses(board.highest(set)));
        let k = saved.iter().copied().max().map_or(0, usize::from);
        set.iter().for_each(|&code| saved[usize::from(code)] += 2);
        Self { board, set, saved, k }
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
        let parts = &counts[..self.board.feedbacks - 1];
        self.set.len() as u32 + parts.iter().map(|&count| self.board.size(count, self.k)).sum::<u32>()
    }

    /// Returns the least bound by sizes of all guesses.
    fn one_ply(&self) -> u32 {
        let first = (0..self.saved.len()).max_by_key(|&guess| self.saved[guess]).unwrap_or(0);
        let mut least = self.by_sizes(first);
        for guess in 0..self.saved.len() {
            if self.by_parts(guess) < least {
                least = least.min(self.by_sizes(guess));
            }
        }
        least
    }
}

/// Returns a lower bound of the total of an image: the least bound of any guess by the sizes of its parts.
pub fn one_ply(board: &Board, image: &[u16]) -> u32 {
    if image.len() <= 2 { 2 * image.len() as u32 - 1 } else { Scan::new(board, image).one_ply() }
}

/// Returns the guesses at an image whose bound by sizes is below `claim`, one of each class of guesses that are
/// symmetric because the codes contain two colors alike.
pub fn open_guesses(board: &Board, image: &[u16], claim: u32) -> Vec<OpenGuess> {
    let scan = Scan::new(board, image);
    let present = board.highest(image) as u8;
    // Next lower color that can be swapped with each color. Absent colors can always be.
    let twin = |color: u8| (0..color).rev().find(|&lower| image::are_twins(board, image, lower, color));
    let twins: Vec<Option<u8>> =
        (0..board.colors as u8).map(|color| if color > present { Some(color - 1) } else { twin(color) }).collect();
    let mut open = Vec::new();
    for guess in 0..scan.saved.len() {
        let code = board.code(guess as u16);
        // Twins first appear in ascending order.
        let stands = |peg: usize| twins[usize::from(code[peg])].is_none_or(|twin| code[..peg].contains(&twin));
        let first = |peg: usize| !code[..peg].contains(&code[peg]);
        if scan.by_parts(guess) >= claim || !(0..board.pegs).all(|peg| !first(peg) || stands(peg)) {
            continue;
        }
        let bound = scan.by_sizes(guess);
        if bound < claim {
            let parts = (0..).zip(board.split(guess as u16, image)).take(board.feedbacks - 1);
            let mut parts: Vec<Part> = parts
                .filter(|(_, codes)| !codes.is_empty())
                .map(|(feedback, codes)| Part { bound: board.size(codes.len(), scan.k), feedback, codes })
                .collect();
            parts.sort_by_key(|part| std::cmp::Reverse(part.codes.len()));
            open.push(OpenGuess { guess: guess as u16, parts, bound });
        }
    }
    open
}

/// Bounds of images seen before.
#[derive(Default)]
pub struct Cache {
    bounds: HashMap<Vec<u16>, u32>,
    codes: usize,
}

/// Maximum number of codes in a cache, of two bytes each.
const MAX_CACHED_CODES: usize = 1 << 26;

impl Cache {
    /// Returns [`one_ply`] of an image.
    pub fn one_ply(&mut self, board: &Board, image: &[u16]) -> u32 {
        if let Some(&bound) = self.bounds.get(image) {
            return bound;
        }
        if self.codes > MAX_CACHED_CODES {
            *self = Self::default();
        }
        let bound = one_ply(board, image);
        self.codes += image.len();
        self.bounds.insert(image.to_vec(), bound);
        bound
    }
}
