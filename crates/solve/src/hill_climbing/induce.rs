//! New codes from the favorite guess: some pegs are kept, some shifted, the others mutated.

use pegwise_game::Color;

use super::score_order::Score;
use crate::Rng;

/// A code in the making, with the scratch space to make the next.
#[derive(Debug, Clone)]
pub(super) struct Inducer {
    code: Vec<Color>,
    /// The cells of the favorite in the order they were drawn: kept ones, shifted ones, mutated ones.
    order: Vec<usize>,
    /// Cells of the new code that are not set yet.
    open: Vec<usize>,
    /// How many pegs the favorite gave to the new code.
    given: usize,
}

impl Inducer {
    pub(super) fn new(cells: usize) -> Self {
        let code = vec![Color::new(0); cells];
        Self { code, order: (0..cells).collect(), open: Vec::with_capacity(cells), given: 0 }
    }

    /// Forgets the order of the cells, so that the next code depends on the random numbers alone.
    pub(super) fn reset(&mut self) {
        self.order.clear();
        self.order.extend(0..self.code.len());
    }

    /// Keeps as many pegs as the score has black ones and shifts as many as it has white ones, all drawn at random. A
    /// shifted peg goes to any other open cell, or with `stay` to any at all; `false` when there is none, and the draw came to
    /// nothing.
    #[inline]
    pub(super) fn keep_and_shift(&mut self, favorite: &[Color], score: Score, stay: bool, rng: &mut Rng) -> bool {
        self.given = score.pegs;
        for place in 0..score.pegs {
            let drawn = place + rng.index(self.order.len() - place);
            self.order.swap(place, drawn);
        }
        let (kept, others) = self.order.split_at(score.black);
        for &cell in kept {
            self.code[cell] = favorite[cell];
        }
        self.open.clear();
        self.open.extend_from_slice(others);
        for &from in &others[..score.white()] {
            let own = self.open.iter().position(|&cell| cell == from && !stay);
            let choices = self.open.len() - usize::from(own.is_some());
            if choices == 0 {
                return false;
            }
            let drawn = rng.index(choices);
            // The peg's own cell is no choice.
            let place = if own.is_some_and(|own| drawn >= own) { drawn + 1 } else { drawn };
            self.code[self.open.swap_remove(place)] = favorite[from];
        }
        true
    }

    /// Leaves every cell open.
    pub(super) fn start_afresh(&mut self) {
        self.given = 0;
        self.open.clear();
        self.open.extend(0..self.code.len());
    }

    /// The colors of the favorite that were not given on.
    #[inline]
    pub(super) fn discarded<'a>(&'a self, favorite: &'a [Color]) -> impl Iterator<Item = Color> + 'a {
        self.order[self.given..].iter().map(|&cell| favorite[cell])
    }

    /// The colors of the favorite that were given on.
    #[inline]
    pub(super) fn given<'a>(&'a self, favorite: &'a [Color]) -> impl Iterator<Item = Color> + 'a {
        self.order[..self.given].iter().map(|&cell| favorite[cell])
    }

    /// Fills the open cells, asking for a color for each; `false` when there was none for some cell.
    #[inline]
    pub(super) fn fill(&mut self, mut color: impl FnMut(usize) -> Option<Color>) -> bool {
        for &cell in &self.open {
            match color(cell) {
                Some(color) => self.code[cell] = color,
                None => return false,
            }
        }
        true
    }

    /// The code.
    #[inline]
    pub(super) fn code(&self) -> &[Color] {
        &self.code
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Code, Rules};
    use proptest::prelude::*;

    use super::*;
    use crate::Rng;

    fn can_induce(favorite: &str, score: Score, color: u16, wanted: &str) -> bool {
        let rules: Rules = "4x6".parse().unwrap();
        let favorite = rules.parse_code(favorite).unwrap();
        let mut inducer = Inducer::new(4);
        let mut rng = Rng::new(1);
        (0..1000).any(|_| {
            inducer.keep_and_shift(&favorite, score, false, &mut rng)
                && inducer.fill(|_| Color::from_number(color))
                && Code::new(inducer.code()).notation(6).to_string() == wanted
        })
    }

    /// The examples of sections 3.1 and 3.4.
    #[test]
    fn the_printed_codes_are_induced() {
        assert!(can_induce("1233", Score::new(1, 2), 4, "3214"));
        assert!(can_induce("3155", Score::new(2, 1), 6, "5156"));
        // Three pegs come from the favorite, and only one of them stays.
        assert!(!can_induce("1233", Score::new(1, 2), 4, "1244"));
        assert!(!can_induce("1235", Score::new(1, 2), 4, "1253"));
    }

    proptest! {
        /// With colors the favorite does not have, an induced code is answered by the favorite's score, or by better
        /// places for the same pegs where the favorite has a color twice.
        #[test]
        fn induced_codes_fit_the_favorite(seed: u64, cells in 1usize..8, black in 0usize..8, white in 0usize..8) {
            let black = black.min(cells);
            let score = Score::new(black, white.min(cells - black));
            let rules = Rules::classic(cells, 7).unwrap();
            let mut rng = Rng::new(seed);
            let favorite = Code::from_indices((0..cells).map(|_| rng.below(6) as u16));
            let mut inducer = Inducer::new(cells);
            if inducer.keep_and_shift(&favorite, score, false, &mut rng) && inducer.fill(|_| Some(Color::new(6))) {
                let given = inducer.given(&favorite).chain(inducer.discarded(&favorite));
                let mut colors: Vec<Color> = given.collect();
                colors.sort_unstable();
                let mut expected = favorite.to_vec();
                expected.sort_unstable();
                prop_assert_eq!(colors, expected);
                let feedback = pegwise_game::feedback(&rules, &favorite, inducer.code());
                let (black, pegs) = (feedback.marks()[0].black().unwrap(), feedback.marks()[0].pegs().unwrap());
                prop_assert_eq!(pegs, score.pegs);
                prop_assert!(black >= score.black);
                if !favorite.has_repeats() {
                    prop_assert_eq!(black, score.black);
                }
            } else {
                // Only the last open cell can be a dead end.
                prop_assert!(score.white() > 0 && score.pegs == cells);
            }
        }
    }
}
