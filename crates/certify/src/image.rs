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
    pub colors: Vec<u8>,
}

impl Symmetry {
    /// Creates a symmetry. Panics if `pegs` or `colors` is not a permutation.
    fn new(pegs: Vec<usize>, colors: Vec<u8>) -> Self {
        assert!((0..pegs.len()).all(|peg| pegs.contains(&peg)), "pegs are permuted");
        assert!((0..colors.len() as u8).all(|color| colors.contains(&color)), "colors are permuted");
        Self { pegs, colors }
    }

    /// Returns the image of a code.
    pub fn apply(&self, board: &Board, code: u16) -> u16 {
        let code = board.code(code);
        board.find(self.pegs.iter().map(|&peg| self.colors[usize::from(code[peg])]))
    }

    /// Returns the code with the given image.
    pub fn invert(&self, board: &Board, image: u16) -> u16 {
        let image = board.code(image);
        let peg = |old: usize| self.pegs.iter().position(|&peg| peg == old).unwrap_or(0);
        let color = |new: u8| self.colors.iter().position(|&color| color == new).unwrap_or(0);
        board.find((0..board.pegs).map(|old| color(image[peg(old)]) as u8))
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
    let mut search = Search { board, set, best: None, tries: 0 };
    let mut counts = vec![0u64; board.pegs * board.colors];
    for &code in set {
        for (peg, &color) in board.code(code).iter().enumerate() {
            counts[peg * board.colors + usize::from(color)] += 1;
        }
    }
    let mut labels = Labels { pegs: vec![1; board.pegs], colors: vec![0; board.colors] };
    for (at, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        for label in [&mut labels.pegs[at / board.colors], &mut labels.colors[at % board.colors]] {
            *label = label.wrapping_add(mix(count));
        }
    }
    search.try_all(labels);
    search.best.expect("one symmetry was tried")
}

/// Returns true if swapping two colors maps a sorted set to itself.
pub(crate) fn are_twins(board: &Board, set: &[u16], one: u8, other: u8) -> bool {
    swap(board, None, Some((one, other))).apply_all(board, set) == set
}

fn swap(board: &Board, pegs: Option<(usize, usize)>, colors: Option<(u8, u8)>) -> Symmetry {
    let (mut peg_map, mut color_map): (Vec<usize>, Vec<u8>) =
        ((0..board.pegs).collect(), (0..board.colors as u8).collect());
    pegs.into_iter().for_each(|(one, other)| peg_map.swap(one, other));
    colors.into_iter().for_each(|(one, other)| color_map.swap(one.into(), other.into()));
    Symmetry::new(peg_map, color_map)
}

/// Hashes of pegs and colors; absent colors have 0.
#[derive(Clone)]
struct Labels {
    pegs: Vec<u64>,
    colors: Vec<u64>,
}

struct Search<'a> {
    board: &'a Board,
    set: &'a [u16],
    best: Option<(Vec<u16>, Symmetry)>,
    tries: usize,
}

impl Search<'_> {
    /// Tries all orders of pegs and colors that agree with the refined labels.
    fn try_all(&mut self, mut labels: Labels) {
        self.refine(&mut labels);
        let tied_pegs = first_tie(&labels.pegs);
        let tied_colors = first_tie(&labels.colors);
        if tied_pegs.is_empty() && tied_colors.is_empty() {
            return self.try_one(&labels);
        }
        let of_pegs = !tied_pegs.is_empty();
        let ties = if of_pegs { tied_pegs } else { tied_colors };
        for (at, &tie) in ties.iter().enumerate() {
            let same = |&other: &usize| {
                let (pegs, colors) = ((other, tie), (other as u8, tie as u8));
                let swap = swap(self.board, of_pegs.then_some(pegs), (!of_pegs).then_some(colors));
                swap.apply_all(self.board, self.set) == self.set
            };
            // A swap that maps the set to itself leads to the same images.
            if self.tries >= MAX_TRIES || ties[..at].iter().any(same) {
                continue;
            }
            let mut chosen = labels.clone();
            let label = if of_pegs { &mut chosen.pegs[tie] } else { &mut chosen.colors[tie] };
            *label = mix(*label);
            self.try_all(chosen);
        }
    }

    /// Tries the order of the labels, which are different.
    fn try_one(&mut self, labels: &Labels) {
        self.tries += 1;
        let mut pegs: Vec<usize> = (0..self.board.pegs).collect();
        pegs.sort_by_key(|&peg| labels.pegs[peg]);
        let mut order: Vec<usize> = (0..self.board.colors).collect();
        order.sort_by_key(|&color| std::cmp::Reverse(labels.colors[color]));
        let mut colors = vec![0; self.board.colors];
        (0..).zip(order).for_each(|(new, old)| colors[old] = new);
        let symmetry = Symmetry::new(pegs, colors);
        let image = symmetry.apply_all(self.board, self.set);
        if self.best.as_ref().is_none_or(|(best, _)| image < *best) {
            self.best = Some((image, symmetry));
        }
    }

    /// Refines labels by the codes that contain them, until none of them is tied or no tie is broken.
    fn refine(&self, labels: &mut Labels) {
        let mut ties = usize::MAX;
        loop {
            let now = count_ties(&labels.pegs) + count_ties(&labels.colors);
            if now == 0 || now >= ties {
                return;
            }
            ties = now;
            let mut next = labels.clone();
            for &code in self.set {
                let code = self.board.code(code);
                let pairs = || {
                    labels
                        .pegs
                        .iter()
                        .zip(code)
                        .map(|(peg, &color)| peg.rotate_left(16) ^ labels.colors[usize::from(color)])
                };
                let hash = pairs().fold(0u64, |sum, pair| sum.wrapping_add(mix(pair)));
                for (peg, (&color, pair)) in code.iter().zip(pairs()).enumerate() {
                    let hash = mix(hash ^ pair.rotate_left(32));
                    next.pegs[peg] = next.pegs[peg].wrapping_add(hash);
                    next.colors[usize::from(color)] = next.colors[usize::from(color)].wrapping_add(hash);
                }
            }
            *labels = next;
        }
    }
}

/// Returns the members of the lowest label that occurs twice; label 0 does not count.
fn first_tie(labels: &[u64]) -> Vec<usize> {
    let tied = |&label: &u64| label > 0 && labels.iter().filter(|&&other| other == label).count() > 1;
    let lowest = labels.iter().copied().filter(tied).min();
    (0..labels.len()).filter(|&at| Some(labels[at]) == lowest).collect()
}

fn count_ties(labels: &[u64]) -> usize {
    (0..labels.len()).filter(|&at| labels[at] > 0 && labels[..at].contains(&labels[at])).count()
}

/// Mixes all bits of a number.
fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (number ^ number >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) | 1
}
