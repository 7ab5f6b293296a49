//! What the pegs of a turn say about how often each color is in the code.

use crate::portable;

/// How often a color may be on a line before it is all the same.
pub(super) const MOST_HELD: usize = 12;

/// How likely it is that a color is on a line so many times.
pub(super) type Held = [f64; MOST_HELD + 1];

/// Pegs are whole, and their sum is treated as a normal variable: this much variance is always left.
const LEAST_VARIANCE: f64 = 0.08;
/// What a message may not go below, so that it can be taken back.
const LEAST: f64 = 1e-6;

/// The pegs of one turn on one line: a sum over the colors guessed there of how often a color is both guessed and held.
#[derive(Debug, Clone)]
pub(super) struct Pegs {
    /// The pegs answered.
    answered: f64,
    /// The colors guessed, each with how often, and what the turn says about how often the code holds it.
    colors: Vec<(usize, usize, Held)>,
}

impl Pegs {
    pub(super) fn new(answered: u16, shown: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let colors = shown.into_iter().map(|(color, times)| (color, times, [1.0; MOST_HELD + 1]));
        Self { answered: answered.into(), colors: colors.collect() }
    }

    /// Says anew what the turn tells about each color, where the cells and all turns tell this about each.
    ///
    /// `told` is what all turns say of each color, this one included, and is kept up to date; `cells` is what the cells say.
    pub(super) fn speak(&mut self, cells: &[Held], told: &mut [Held]) {
        let moments: Vec<(f64, f64)> = self.colors.iter().map(|said| moments(said, cells, told)).collect();
        let (mean, variance) = moments.iter().fold((0.0, 0.0), |sum, moment| (sum.0 + moment.0, sum.1 + moment.1));
        for ((color, times, said), (own_mean, own_variance)) in self.colors.iter_mut().zip(moments) {
            let missing = self.answered - (mean - own_mean);
            let variance = (variance - own_variance).max(0.0) + LEAST_VARIANCE;
            let doubt = |held: usize| {
                let gap = missing - (*times).min(held) as f64;
                gap * gap / (2.0 * variance)
            };
            let least = (0..=MOST_HELD).map(doubt).fold(f64::INFINITY, f64::min);
            let told = &mut told[*color];
            for held in 0..=MOST_HELD {
                let new = portable::exp(least - doubt(held)).max(LEAST);
                // Half way, in logarithms, from what was said before: whole steps overshoot.
                let new = (new * said[held]).sqrt();
                told[held] *= new / said[held];
                said[held] = new;
            }
            let most = told.iter().copied().fold(0.0, f64::max);
            told.iter_mut().for_each(|told| *told = (*told / most).max(f64::MIN_POSITIVE));
        }
    }
}

/// Mean and variance of the pegs of a color, by all but this turn.
fn moments((color, times, said): &(usize, usize, Held), cells: &[Held], told: &[Held]) -> (f64, f64) {
    let (mut whole, mut mean, mut square) = (0.0, 0.0, 0.0);
    for held in 0..=MOST_HELD {
        let chance = cells[*color][held] * told[*color][held] / said[held];
        let pegs = (*times).min(held) as f64;
        whole += chance;
        mean += chance * pegs;
        square += chance * pegs * pegs;
    }
    if whole <= 0.0 {
        return (0.0, 0.0);
    }
    let mean = mean / whole;
    (mean, (square / whole - mean * mean).max(0.0))
}
