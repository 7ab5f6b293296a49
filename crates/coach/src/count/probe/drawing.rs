//! Codes put together cell by cell, many at a time, each with its weight.

use pegwise_game::{Code, Color};
use pegwise_solve::Search;

use super::{Batch, ground::Ground};
use crate::fit::Fit;

/// A code that is put together.
#[derive(Clone)]
pub(super) struct Begun {
    code: Vec<Color>,
    used: Vec<bool>,
    pub(super) held: Vec<u16>,
    pub(super) reached: Vec<[i64; 2]>,
    /// For each turn and line, the logarithm of how likely it seems to come to its numbers.
    likely: Vec<f64>,
    log_weight: f64,
}

impl Ground {
    fn start(&self) -> Begun {
        let colors = usize::from(self.rules.colors());
        let mut begun = Begun {
            code: Vec::with_capacity(self.rules.cells()),
            used: vec![false; colors],
            held: vec![0; self.lengths.len() * colors],
            reached: vec![[0; 2]; self.goals.len()],
            likely: vec![0.0; self.goals.len()],
            log_weight: 0.0,
        };
        for at in 0..self.goals.len() {
            let line = at % self.lengths.len();
            let met = self.met_ahead(&begun, at, self.lengths[line]);
            begun.likely[at] = self.likely(at, self.goals[at], self.lengths[line], met);
        }
        begun.log_weight = begun.likely.iter().sum();
        begun
    }

    /// One batch of codes; `None` when stopped.
    pub(super) fn batch(&self, codes: usize, partial: &[Fit], search: &mut Search<'_>) -> Option<Batch> {
        let mut begun: Vec<Begun> = vec![self.start(); codes];
        let mut log = 0.0;
        let mut open = self.lengths.clone();
        let mut desk = Vec::new();
        for cell in 0..self.rules.cells() {
            self.lines_of[cell].iter().for_each(|&line| open[line] -= 1);
            for code in &mut begun {
                if code.log_weight > f64::NEG_INFINITY {
                    search.step(u64::from(self.rules.colors()));
                    if search.stop().is_some() {
                        return None;
                    }
                    self.extend(code, cell, &open, &mut desk, search);
                }
            }
            log += renew(&mut begun, search, false)?;
            if log == f64::NEG_INFINITY {
                return Some(Batch { codes: Vec::new(), log });
            }
        }
        if !partial.is_empty() {
            let mut fits: Vec<Fit> = partial.to_vec();
            for code in &mut begun {
                search.examine(1);
                if search.watch().stop().is_some() {
                    return None;
                }
                if code.log_weight > f64::NEG_INFINITY && !fits.iter_mut().all(|fit| fit.fits(&code.code)) {
                    code.log_weight = f64::NEG_INFINITY;
                }
            }
        }
        log += renew(&mut begun, search, true)?;
        let codes = if log == f64::NEG_INFINITY {
            Vec::new()
        } else {
            begun.into_iter().map(|begun| Code::new(begun.code)).collect()
        };
        Some(Batch { codes, log })
    }

    /// Draws the color of a cell.
    fn extend(&self, begun: &mut Begun, cell: usize, open: &[usize], desk: &mut Vec<f64>, search: &mut Search<'_>) {
        let (lines, colors) = (self.lengths.len(), usize::from(self.rules.colors()));
        let model = self.rules.feedback().model();
        desk.clear();
        desk.resize(colors, 0.0);
        for turn in 0..self.guesses.len() {
            let guessed = u64::from(self.guesses[turn][cell]);
            for &line in &self.lines_of[cell] {
                let at = turn * lines + line;
                let met = self.met_ahead(begun, at, open[line]);
                for (color, log) in desk.iter_mut().enumerate() {
                    if *log == f64::NEG_INFINITY {
                        continue;
                    }
                    let (lacking, met) = self.after(begun, at, guessed, color, open[line], met);
                    *log += self.likely(at, lacking, open[line], met) - begun.likely[at];
                }
            }
        }
        if !self.rules.repeats() {
            desk.iter_mut().zip(&begun.used).filter(|(_, used)| **used).for_each(|(log, _)| *log = f64::NEG_INFINITY);
        }
        let most = desk.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most == f64::NEG_INFINITY {
            begun.log_weight = most;
            return;
        }
        desk.iter_mut().for_each(|log| *log = (*log - most).exp());
        begun.log_weight += most + desk.iter().sum::<f64>().ln();
        let color = search.rng.weighted(desk);
        for turn in 0..self.guesses.len() {
            let guessed = u64::from(self.guesses[turn][cell]);
            for &line in &self.lines_of[cell] {
                let at = turn * lines + line;
                let met = self.met_ahead(begun, at, open[line]);
                let (lacking, met) = self.after(begun, at, guessed, color, open[line], met);
                begun.likely[at] = self.likely(at, lacking, open[line], met);
                begun.reached[at] = [self.goals[at][0] - lacking[0], self.goals[at][1] - lacking[1]];
            }
        }
        begun.used[color] = true;
        if model.colors {
            self.lines_of[cell].iter().for_each(|&line| begun.held[line * colors + color] += 1);
        }
        begun.code.push(Color::new(color as u16));
    }
}

/// Lets codes of small weight give way to copies of heavier ones where weights differ much, or in any case; gives the
/// logarithm of the mean weight, which all then have.
fn renew(begun: &mut Vec<Begun>, search: &mut Search<'_>, always: bool) -> Option<f64> {
    let most = begun.iter().map(|begun| begun.log_weight).fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return Some(most);
    }
    let weights: Vec<f64> = begun.iter().map(|begun| (begun.log_weight - most).exp()).collect();
    let (sum, squares) = (weights.iter().sum::<f64>(), weights.iter().map(|weight| weight * weight).sum::<f64>());
    let count = begun.len() as f64;
    if !always && sum * sum / squares > count / 2.0 {
        return Some(0.0);
    }
    // Systematic: one number decides all.
    let step = sum / count;
    let mut next = search.rng.unit() * step;
    let (mut upto, mut renewed) = (0.0, Vec::with_capacity(begun.len()));
    for (code, weight) in begun.iter().zip(&weights) {
        upto += weight;
        while next < upto && renewed.len() < begun.len() {
            renewed.push(Begun { log_weight: 0.0, ..code.clone() });
            next += step;
        }
    }
    // Rounding may leave the last place empty.
    while let (true, Some(last)) = (renewed.len() < begun.len(), renewed.last().cloned()) {
        renewed.push(last);
    }
    *begun = renewed;
    Some(most + (sum / count).ln())
}
