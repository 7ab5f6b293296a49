//! The colors that a mutated peg may take, and how likely each is.

use pegwise_game::Color;

use crate::Rng;

/// What a color weighs that neither was discarded nor stands in the new code yet.
const FULL: u32 = 100;

/// A roulette wheel of colors.
#[derive(Debug, Clone)]
pub(super) struct ColorPool {
    weights: Vec<u32>,
    total: u32,
}

impl ColorPool {
    pub(super) fn new(colors: u16) -> Self {
        Self { weights: vec![0; usize::from(colors)], total: 0 }
    }

    /// Every color that may be in the secret weighs the same.
    pub(super) fn even(&mut self, allowed: &[bool]) {
        for (weight, &allowed) in self.weights.iter_mut().zip(allowed) {
            *weight = if allowed { FULL } else { 0 };
        }
        self.sum();
    }

    /// The pool of section 3.4: a color loses its full weight for each peg that was discarded, and `burden` for each
    /// peg that stands in the new code already; the least a color can weigh is one.
    pub(super) fn diverse(
        &mut self,
        allowed: &[bool],
        discarded: impl Iterator<Item = Color>,
        standing: impl Iterator<Item = Color>,
        burden: u32,
    ) {
        self.weights.fill(FULL);
        for color in discarded {
            self.lighten(color, FULL);
        }
        for color in standing {
            self.lighten(color, burden);
        }
        for (weight, &allowed) in self.weights.iter_mut().zip(allowed) {
            *weight = if allowed { (*weight).max(1) } else { 0 };
        }
        self.sum();
    }

    fn lighten(&mut self, color: Color, by: u32) {
        let weight = &mut self.weights[color.index()];
        *weight = weight.saturating_sub(by);
    }

    /// Lightens a color that now stands in the new code, to no less than one.
    pub(super) fn burden(&mut self, color: Color, burden: u32) {
        let weight = &mut self.weights[color.index()];
        let lighter = weight.saturating_sub(burden).max(1).min(*weight);
        self.total -= *weight - lighter;
        *weight = lighter;
    }

    /// Takes a color out.
    pub(super) fn remove(&mut self, color: Color) {
        self.total -= std::mem::take(&mut self.weights[color.index()]);
    }

    /// Draws a color; `None` when no color is left.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<Color> {
        (self.total > 0).then(|| self.at(rng.below(self.total.into()) as u32))
    }

    /// Draws a color other than this one; `None` when no other is left.
    #[inline]
    pub(super) fn draw_except(&self, except: Color, rng: &mut Rng) -> Option<Color> {
        let before: u32 = self.weights[..except.index()].iter().sum();
        let own = self.weights[except.index()];
        let others = self.total - own;
        (others > 0).then(|| {
            let place = rng.below(others.into()) as u32;
            self.at(if place < before { place } else { place + own })
        })
    }

    /// The color at a place on the wheel, from zero.
    #[inline]
    fn at(&self, mut place: u32) -> Color {
        let mut color = 0;
        while place >= self.weights[color] {
            place -= self.weights[color];
            color += 1;
        }
        Color::new(color as u16)
    }

    fn sum(&mut self) {
        self.total = self.weights.iter().sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colors(numbers: &[u16]) -> impl Iterator<Item = Color> {
        numbers.iter().map(|&number| Color::from_number(number).unwrap())
    }

    /// The example of section 3.4: the favorite 3155 became 515x, and its 3 was discarded.
    #[test]
    fn the_pool_is_the_one_printed() {
        let mut pool = ColorPool::new(6);
        pool.diverse(&[true; 6], colors(&[3]), colors(&[5, 1, 5]), 45);
        assert_eq!(pool.weights, [55, 100, 1, 100, 10, 100]);
        assert_eq!(pool.total, 366);
        // The paper counts places from one.
        assert_eq!(pool.at(324 - 1).number(), 6);
        let ends = [(1, 1), (55, 1), (56, 2), (155, 2), (156, 3), (157, 4), (257, 5), (266, 5), (267, 6), (366, 6)];
        for (place, color) in ends {
            assert_eq!(pool.at(place - 1).number(), color, "{place}");
        }
    }

    #[test]
    fn colors_that_are_out_are_never_drawn() {
        let mut pool = ColorPool::new(4);
        pool.even(&[true, false, true, false]);
        pool.remove(Color::new(0));
        let mut rng = Rng::new(1);
        assert!((0..100).all(|_| pool.draw(&mut rng) == Some(Color::new(2))));
        pool.remove(Color::new(2));
        assert_eq!(pool.draw(&mut rng), None);
        assert_eq!(pool.draw_except(Color::new(0), &mut rng), None);
        pool.even(&[true, true, false, true]);
        let mut drawn: Vec<u16> = (0..100)
            .filter_map(|_| pool.draw_except(Color::new(1), &mut rng))
            .map(|color| color.index() as u16)
            .collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn, [0, 3]);
    }
}
