//! Canonical images of sets under permutations of pegs and colors.
//!
//! Hashes order pegs and colors; where two are equal, each is tried as the first, and the least image is taken. Equal
//! images mean that two sets are symmetric, whatever the hashes are: a weak hash only misses symmetries.

use crate::board::Board;

/// Permutation of pegs and one of colors, which preserve the feedback of every pair of codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    /// Old peg of each new peg.
    pub pegs: Vec<usize>,
    /// New color of each old color.
    pub colors: Vec<usize>,
}

impl Symmetry {
    /// Returns the symmetry with the given old place of each new place: pegs, then colors.
    fn new(board: &Board, mut pegs: Vec<usize>) -> Self {
        let mut colors = vec![usize::MAX; board.colors];
        let places = pegs.split_off(board.pegs);
        (0..).zip(places).for_each(|(new, place)| colors[place - board.pegs] = new);
        let permutes = |places: &Vec<usize>| (0..places.len()).all(|place| places.contains(&place));
        assert!(permutes(&pegs) && permutes(&colors), "pegs and colors are permuted");
        Self { pegs, colors }
    }

    /// Returns the swap of two places.
    fn swap(board: &Board, one: usize, other: usize) -> Self {
        let mut places: Vec<usize> = (0..board.pegs + board.colors).collect();
        places.swap(one, other);
        Self::new(board, places)
    }

    /// Returns the image of a code.
    pub fn apply(&self, board: &Board, code: u16) -> u16 {
        let code = &board.codes[usize::from(code)];
        board.find(self.pegs.iter().map(|&peg| self.colors[usize::from(code[peg])] as u8))
    }

    /// Returns the sorted images of a set.
    fn apply_all(&self, board: &Board, set: &[u16]) -> Vec<u16> {
        let mut image: Vec<u16> = set.iter().map(|&code| self.apply(board, code)).collect();
        image.sort_unstable();
        image
    }
}

/// Maximum number of symmetries tried for an image.
const MAX_TRIES: usize = 256;

/// Returns the least image found of a sorted set, in which the colors of its codes are the lowest, and the symmetry
/// that maps to it.
pub fn image(board: &Board, set: &[u16]) -> (Vec<u16>, Symmetry) {
    let mut counts = vec![0u64; board.pegs * board.colors];
    for code in set.iter().map(|&code| &board.codes[usize::from(code)]) {
        code.iter().enumerate().for_each(|(peg, &color)| counts[peg * board.colors + usize::from(color)] += 1);
    }
    let mut labels = vec![1; board.pegs];
    labels.resize(board.pegs + board.colors, 0);
    for (at, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        for place in [at / board.colors, board.pegs + at % board.colors] {
            labels[place] = mix(count).wrapping_add(labels[place]);
        }
    }
    let mut search = ImageSearch { board, set, best: None, tries: 0 };
    search.try_all(labels);
    search.best.expect("one symmetry was tried")
}

/// Returns true if swapping two colors maps a sorted set to itself.
pub(crate) fn are_twins(board: &Board, set: &[u16], one: u8, other: u8) -> bool {
    let place = |color| board.pegs + usize::from(color);
    Symmetry::swap(board, place(one), place(other)).apply_all(board, set) == set
}

/// Search for the least image. Labels are hashes of the pegs, then of the colors; absent colors have 0.
struct ImageSearch<'a> {
    board: &'a Board,
    set: &'a [u16],
    best: Option<(Vec<u16>, Symmetry)>,
    tries: usize,
}

impl ImageSearch<'_> {
    /// Tries all orders of pegs and colors that agree with the refined labels.
    fn try_all(&mut self, mut labels: Vec<u64>) {
        self.refine(&mut labels);
        let ties = self.first_tie(&labels);
        if ties.is_empty() {
            return self.try_one(&labels);
        }
        for (at, &tie) in ties.iter().enumerate() {
            let same = |&other| Symmetry::swap(self.board, other, tie).apply_all(self.board, self.set) == self.set;
            // A swap that maps the set to itself leads to the same images.
            if self.tries < MAX_TRIES && !ties[..at].iter().any(same) {
                let mut chosen = labels.clone();
                chosen[tie] = mix(labels[tie]);
                self.try_all(chosen);
            }
        }
    }

    /// Tries the order of the labels, which are different.
    fn try_one(&mut self, labels: &[u64]) {
        self.tries += 1;
        let mut places: Vec<usize> = (0..labels.len()).collect();
        let pegs = self.board.pegs;
        places.sort_by_key(|&place| (place >= pegs, if place < pegs { labels[place] } else { !labels[place] }));
        let symmetry = Symmetry::new(self.board, places);
        let image = symmetry.apply_all(self.board, self.set);
        if self.best.as_ref().is_none_or(|(best, _)| image < *best) {
            self.best = Some((image, symmetry));
        }
    }

    /// Refines labels by the codes that contain them, until none of them is tied or no tie is broken.
    fn refine(&self, labels: &mut Vec<u64>) {
        let mut ties = usize::MAX;
        loop {
            let tied = |&at: &usize| labels[at] > 0 && labels[..at].contains(&labels[at]);
            let now = (0..labels.len()).filter(tied).count();
            if now == 0 || now >= ties {
                return;
            }
            ties = now;
            let mut next = labels.clone();
            let (of_pegs, of_colors) = labels.split_at(self.board.pegs);
            for code in self.set.iter().map(|&code| &self.board.codes[usize::from(code)]) {
                let pair = |(peg, &color): (&u64, &u8)| peg.rotate_left(16) ^ of_colors[usize::from(color)];
                let hash = of_pegs.iter().zip(code).fold(0u64, |sum, at| sum.wrapping_add(mix(pair(at))));
                for (peg, at) in of_pegs.iter().zip(code).enumerate() {
                    let hash = mix(hash ^ pair(at).rotate_left(32));
                    for place in [peg, self.board.pegs + usize::from(*at.1)] {
                        next[place] = next[place].wrapping_add(hash);
                    }
                }
            }
            *labels = next;
        }
    }

    /// Places that share the lowest label of any two pegs, or else of any two colors. Label 0 does not count.
    fn first_tie(&self, labels: &[u64]) -> Vec<usize> {
        let key = |place: usize| (place >= self.board.pegs, labels[place]);
        let ties = |place: usize| (0..labels.len()).filter(|&other| key(other) == key(place)).count();
        let lowest = (0..labels.len()).filter(|&place| labels[place] > 0 && ties(place) > 1).map(key).min();
        (0..labels.len()).filter(|&place| Some(key(place)) == lowest).collect()
    }
}

/// Mixes all bits of a number.
fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) | 1
}
