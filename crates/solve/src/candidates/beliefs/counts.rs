//! How often each color is on a line, found exactly once the chances nearly tell.
//!
//! The pegs of a turn depend on nothing but these numbers, so they are a small puzzle of their own: numbers that give every
//! turn its pegs. Beliefs come close to them and are then too sure of themselves; a short walk from there, one cell from
//! one color to another at a time, ends at numbers that are right or at none.

use std::collections::BTreeMap;

use crate::{clock, portable, rng::Rng, search::Watch};

/// Walks that must agree, since numbers that only one of them finds may be some of many.
const WALKS: usize = 2;
/// Moves for each pair of colors in a walk, at least and at most so many.
const MOVES_A_PAIR: usize = 10;
const MOVES: std::ops::RangeInclusive<usize> = 1_000..=1_000_000;
/// Moves between looks at the clock.
const MOVES_A_LOOK: usize = 1 << 10;
/// Uphill steps grow rarer as the walk cools from the first of these to the second.
const WARM: f64 = 0.6;
const COLD: f64 = 0.2;

/// The turns of one line: what they show of each color, and their pegs.
#[derive(Debug, Clone, Default)]
pub(super) struct Counts {
    /// For each color and turn, how often the guess shows it.
    shown: Vec<Vec<i32>>,
    pegs: Vec<i32>,
}

impl Counts {
    pub(super) fn new(colors: usize) -> Self {
        Self { shown: vec![Vec::new(); colors], pegs: Vec::new() }
    }

    /// Takes on a turn that shows colors so many times and has these pegs.
    pub(super) fn push(&mut self, shown: &BTreeMap<usize, usize>, pegs: u16) {
        for (color, all) in self.shown.iter_mut().enumerate() {
            all.push(shown.get(&color).map_or(0, |&times| times as i32));
        }
        self.pegs.push(pegs.into());
    }

    /// Whether these numbers give every turn its pegs.
    pub(super) fn fit(&self, held: &[i32]) -> bool {
        self.gaps(held).iter().all(|&gap| gap == 0)
    }

    /// The numbers that give every turn its pegs, if walks from these likely ones find the same. They sum to the cells of the
    /// line, and none is above the most.
    pub(super) fn near(
        &self,
        likely: Vec<i32>,
        cells: i32,
        most: i32,
        watch: Watch<'_>,
        rng: &mut Rng,
    ) -> Option<Vec<i32>> {
        let mut start = likely;
        let mut missing = cells - start.iter().sum::<i32>();
        while missing != 0 {
            let held = &mut start[rng.index(self.shown.len())];
            let before = std::mem::replace(held, (*held + missing.signum()).clamp(0, most));
            missing -= *held - before;
        }
        let found = self.walk(start.clone(), most, watch, rng)?;
        let agreed = (1..WALKS).all(|_| self.walk(start.clone(), most, watch, rng).as_ref() == Some(&found));
        agreed.then_some(found)
    }

    fn walk(&self, mut held: Vec<i32>, most: i32, watch: Watch<'_>, rng: &mut Rng) -> Option<Vec<i32>> {
        let mut gaps = self.gaps(&held);
        let mut cost: i32 = gaps.iter().map(|gap| gap.abs()).sum();
        let moves = (MOVES_A_PAIR * held.len() * held.len()).clamp(*MOVES.start(), *MOVES.end());
        for number in 0..moves {
            if cost == 0 {
                return Some(held);
            }
            if number % MOVES_A_LOOK == MOVES_A_LOOK - 1 && watch.stop().is_some() {
                return None;
            }
            clock::work(clock::STEP_COST);
            let (from, to) = (rng.index(held.len()), rng.index(held.len()));
            let (less, more) = (held[from], held[to]);
            if from == to || less == 0 || more >= most {
                continue;
            }
            let changes = || {
                let shown = self.shown[from].iter().zip(&self.shown[to]);
                shown.map(|(&from, &to)| i32::from(to > more) - i32::from(from >= less))
            };
            let after: i32 = gaps.iter().zip(changes()).map(|(gap, change)| (gap + change).abs()).sum();
            let temperature = WARM + (COLD - WARM) * number as f64 / moves as f64;
            if after > cost && rng.unit() > portable::exp(f64::from(cost - after) / temperature) {
                continue;
            }
            gaps.iter_mut().zip(changes()).for_each(|(gap, change)| *gap += change);
            (held[from], held[to], cost) = (less - 1, more + 1, after);
        }
        None
    }

    /// By how many pegs these numbers give each turn too many.
    fn gaps(&self, held: &[i32]) -> Vec<i32> {
        let mut gaps: Vec<i32> = self.pegs.iter().map(|pegs| -pegs).collect();
        for (shown, &held) in self.shown.iter().zip(held) {
            gaps.iter_mut().zip(shown).for_each(|(gap, &shown)| *gap += shown.min(held));
        }
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLORS: usize = 30;

    /// Random turns on a line of as many cells as colors, and how often each color is there.
    fn played(turns: usize, rng: &mut Rng) -> (Vec<i32>, Counts) {
        let draw = |rng: &mut Rng| {
            let mut times = BTreeMap::new();
            (0..COLORS).for_each(|_| *times.entry(rng.index(COLORS)).or_insert(0) += 1);
            times
        };
        let secret = draw(rng);
        let mut counts = Counts::new(COLORS);
        for _ in 0..turns {
            let shown = draw(rng);
            let pegs = shown.iter().map(|(color, &times)| times.min(secret.get(color).copied().unwrap_or(0)));
            counts.push(&shown, pegs.sum::<usize>() as u16);
        }
        ((0..COLORS).map(|color| secret.get(&color).map_or(0, |&times| times as i32)).collect(), counts)
    }

    /// Walks may end nowhere, or at other numbers that fit, where no turn shows a color as often as it is there; but mostly do
    /// not.
    #[test]
    fn numbers_nearly_right_are_put_right() {
        let mut put_right = 0;
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let (secret, counts) = played(60, &mut rng);
            assert!(counts.fit(&secret));
            let mut likely = secret.clone();
            (0..6).for_each(|_| likely[rng.index(COLORS)] += 1);
            let found = counts.near(likely, COLORS as i32, COLORS as i32, Watch::default(), &mut rng);
            assert!(found.as_ref().is_none_or(|found| counts.fit(found)), "seed {seed}");
            put_right += usize::from(found == Some(secret));
        }
        assert!(put_right >= 15, "{put_right} of 20");
    }

    /// Where the turns leave many possibilities, none is taken for known.
    #[test]
    fn numbers_that_few_turns_tell_stay_open() {
        for seed in 0..10 {
            let mut rng = Rng::new(seed);
            let (_, counts) = played(3, &mut rng);
            let likely = vec![1; COLORS];
            assert_eq!(counts.near(likely, COLORS as i32, COLORS as i32, Watch::default(), &mut rng), None);
        }
    }

    #[test]
    fn a_turn_that_cannot_be_leaves_none() {
        let mut rng = Rng::new(1);
        let (secret, mut counts) = played(60, &mut rng);
        counts.push(&BTreeMap::from([(0, COLORS)]), COLORS as u16);
        assert!(!counts.fit(&secret));
        assert_eq!(counts.near(secret, COLORS as i32, COLORS as i32, Watch::default(), &mut rng), None);
    }
}
