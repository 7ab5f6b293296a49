//! How children come to differ from their parents, with the rates of Berghman, Goossens and Leus.

use pegwise_game::{Color, Rules};

use super::{crossover, mutation, repair::repair};
use crate::{rng::Rng, spec::Arguments};

/// How likely each change of a child is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variation {
    mutation: f64,
    permutation: f64,
    inversion: f64,
}

impl Variation {
    pub(super) fn new(arguments: &Arguments) -> Self {
        Self {
            mutation: arguments.decimal("mutation"),
            permutation: arguments.decimal("permutation"),
            inversion: arguments.decimal("inversion"),
        }
    }

    /// Changes a child, or not: each change happens or not on its own.
    #[inline]
    pub(super) fn vary(self, code: &mut [Color], rules: &Rules, rng: &mut Rng) {
        if rng.chance(self.mutation) {
            mutation::recolor(code, rules, rng);
        }
        if rng.chance(self.permutation) {
            mutation::swap(code, rng);
        }
        if rng.chance(self.inversion) {
            mutation::invert(code, rng);
        }
    }
}

/// Crosses two codes at one point or at two, as a coin falls, and makes them valid.
#[inline]
pub(super) fn cross(one: &mut [Color], other: &mut [Color], rules: &Rules, rng: &mut Rng) {
    if rng.below(2) == 0 {
        crossover::one_point(one, other, rng);
    } else {
        crossover::two_point(one, other, rng);
    }
    repair(one, rules, rng);
    repair(other, rules, rng);
}
