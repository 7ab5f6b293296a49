//! Which moves a walk tries: colors where walks were seen to have them, or any.
//!
//! A cell's color is drawn from the marginal of the cell over all walks, mixed with any color that the marks allow. That
//! favors some codes, and the Hastings ratio takes it back: a move is accepted by the chance of trying it the other way
//! round over the chance of trying it.

use pegwise_game::Rules;

use super::domains::Domains;
use crate::rng::Rng;

/// Each cell's marginal is drawn from as one of so many colors, repeats among them.
const SLOTS: usize = 64;

/// For each cell the chances of trying each color.
#[derive(Debug, Clone)]
pub(super) struct Proposals {
    colors: usize,
    /// Of 256 draws, how many are of any allowed color.
    uniform: u64,
    slots: Vec<u16>,
    chances: Vec<f32>,
}

impl Proposals {
    /// Proposals by how often each cell was seen with each color; any color this often, out of 256.
    pub(super) fn new(domains: &Domains, rules: &Rules, seen: &[f32], uniform: u64) -> Self {
        let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
        let mut own = Self { colors, uniform, slots: vec![0; cells * SLOTS], chances: vec![0.0; cells * colors] };
        let mut rng = Rng::new(0);
        for cell in 0..cells {
            let allowed = domains.of(cell);
            if allowed.is_empty() {
                continue;
            }
            let seen = &seen[cell * colors..][..colors];
            let chances = &mut own.chances[cell * colors..][..colors];
            let slots = &mut own.slots[cell * SLOTS..][..SLOTS];
            let total: f32 = allowed.iter().map(|&color| seen[usize::from(color)]).sum();
            let share = uniform as f32 / 256.0;
            // Colors that are not allowed are never tried; but a walk that has one must be able to leave it.
            chances.fill(share / allowed.len() as f32);
            // Systematic sampling: a color gets its part of the slots, up to one.
            let step = total / SLOTS as f32;
            let (mut reached, mut next) = (0.0, step * rng.unit() as f32);
            let mut filled = 0;
            for &color in allowed {
                reached += seen[usize::from(color)];
                while filled < SLOTS && (next < reached || total == 0.0) {
                    let color = if total == 0.0 { allowed[filled * allowed.len() / SLOTS] } else { color };
                    slots[filled] = color;
                    chances[usize::from(color)] += (1.0 - share) / SLOTS as f32;
                    filled += 1;
                    next += step;
                }
            }
            let last = allowed[allowed.len() - 1];
            for slot in &mut slots[filled..] {
                *slot = last;
                chances[usize::from(last)] += (1.0 - share) / SLOTS as f32;
            }
        }
        own
    }

    /// A color for a cell, by 24 random bits.
    #[inline(always)]
    pub(super) fn color(&self, domains: &Domains, cell: usize, bits: u64) -> usize {
        let (which, rest) = (bits & 0xFF, bits >> 8 & 0xFFFF);
        let color = if which < self.uniform {
            let allowed = domains.of(cell);
            allowed[(rest as usize * allowed.len()) >> 16]
        } else {
            self.slots[cell * SLOTS + rest as usize % SLOTS]
        };
        color.into()
    }

    /// The chance of trying a color in a cell.
    #[inline(always)]
    pub(super) fn chance(&self, cell: usize, color: usize) -> f32 {
        self.chances[cell * self.colors + color]
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::History;

    use super::*;

    /// The chances told are those that colors are drawn with: the Hastings ratio rests on them.
    #[test]
    fn colors_are_drawn_as_often_as_told() {
        let rules: Rules = "3x6".parse().unwrap();
        let history = History::parse(&rules, ["112=0,1"]).unwrap();
        let domains = Domains::new(&history);
        let seen: Vec<f32> = (0..18).map(|place| [0.0, 1.0, 5.0, 0.25][place % 4]).collect();
        let proposals = Proposals::new(&domains, &rules, &seen, 64);
        let (draws, mut rng) = (400_000, Rng::new(1));
        for cell in 0..3 {
            let mut drawn = [0u32; 6];
            for _ in 0..draws {
                drawn[proposals.color(&domains, cell, rng.word())] += 1;
            }
            for (color, &drawn) in drawn.iter().enumerate() {
                let share = f64::from(drawn) / f64::from(draws);
                let told = if domains.allows(cell, color) { proposals.chance(cell, color) } else { 0.0 };
                assert!((share - f64::from(told)).abs() < 0.004, "{cell} {color}: {share} {told}");
            }
        }
    }
}
