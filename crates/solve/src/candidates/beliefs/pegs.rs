//! What the pegs of a turn say about how often each color is in the code.

use crate::portable;

/// How many numbers, from zero on, tell how often a color may be on a line before it is all the same: enough for many more
/// than there are on average.
pub(super) fn held_width(longest: usize, colors: usize) -> usize {
    let average = longest / colors.max(1);
    (12 + 4 * average.saturating_sub(1)).min(longest.max(12)) + 1
}

/// Pegs are whole, and their sum is treated as a normal variable: this much variance is always left.
const LEAST_VARIANCE: f64 = 0.08;
/// What a message may not go below, so that it can be taken back.
const LEAST: f64 = 1e-6;

/// The pegs of one turn on one line: a sum over the colors guessed there of how often a color is both guessed and held.
#[derive(Debug, Clone)]
pub(super) struct Pegs {
    /// The pegs answered.
    answered: f64,
    colors: Vec<Shown>,
}

/// A color of the guess.
#[derive(Debug, Clone)]
struct Shown {
    color: usize,
    /// For each number of pegs that the color may get, what the turn says of it; the last holds for more as well.
    said: Vec<f64>,
}

impl Pegs {
    /// The pegs of a turn that shows colors so many times.
    pub(super) fn new(answered: u16, shown: impl IntoIterator<Item = (usize, usize)>, width: usize) -> Self {
        let said = |times: usize| vec![1.0; (times + 1).min(width)];
        let colors = shown.into_iter().map(|(color, times)| Shown { color, said: said(times) });
        Self { answered: answered.into(), colors: colors.collect() }
    }

    /// Says anew what the turn tells about each color. `cells` is what the cells say of how often each color is held, in so
    /// many numbers a color; `told` is what all turns say, this one included, and is kept up to date.
    pub(super) fn speak(&mut self, width: usize, cells: &[f64], told: &mut [f64]) {
        let moments = self.colors.iter().map(|shown| {
            let own = shown.color * width..(shown.color + 1) * width;
            shown.moments(&cells[own.clone()], &told[own])
        });
        let moments: Vec<(f64, f64)> = moments.collect();
        let (mean, variance) = moments.iter().fold((0.0, 0.0), |sum, moment| (sum.0 + moment.0, sum.1 + moment.1));
        for (shown, (own_mean, own_variance)) in self.colors.iter_mut().zip(moments) {
            let missing = self.answered - (mean - own_mean);
            let variance = (variance - own_variance).max(0.0) + LEAST_VARIANCE;
            shown.speak(missing, variance, &mut told[shown.color * width..][..width]);
        }
    }
}

impl Shown {
    /// Mean and variance of the pegs of this color, by all but this turn.
    fn moments(&self, cells: &[f64], told: &[f64]) -> (f64, f64) {
        let (mut whole, mut mean, mut square) = (0.0, 0.0, 0.0);
        let last = self.said.len() - 1;
        for (pegs, &said) in self.said.iter().enumerate() {
            let held = if pegs == last { pegs..told.len() } else { pegs..pegs + 1 };
            let believed: f64 = cells[held.clone()].iter().zip(&told[held]).map(|(cells, told)| cells * told).sum();
            let (chance, pegs) = (believed / said, pegs as f64);
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

    /// Says how likely each number of pegs is, when the other colors leave so many open, with this variance.
    fn speak(&mut self, missing: f64, variance: f64, told: &mut [f64]) {
        let doubt = |pegs: usize| {
            let gap = missing - pegs as f64;
            gap * gap / (2.0 * variance)
        };
        let least = (0..self.said.len()).map(doubt).fold(f64::INFINITY, f64::min);
        let last = self.said.len() - 1;
        for (pegs, said) in self.said.iter_mut().enumerate() {
            // Half way, in logarithms, from what was said before: whole steps overshoot.
            let new = (portable::exp(least - doubt(pegs)).max(LEAST) * *said).sqrt();
            let factor = new / *said;
            *said = new;
            let held = if pegs == last { pegs..told.len() } else { pegs..pegs + 1 };
            told[held].iter_mut().for_each(|told| *told *= factor);
        }
        let most = told.iter().copied().fold(0.0, f64::max);
        told.iter_mut().for_each(|told| *told = (*told / most).max(f64::MIN_POSITIVE));
    }
}
