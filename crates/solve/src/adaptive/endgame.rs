//! The guess that ends a game soonest, where all codes that fit are known and few.
//!
//! Entropy tells how much a guess leaves open, and of few codes that is not quite how many guesses are left: two codes take
//! one and a half on average, though they are one bit apart, and a guess that can be the code may save a turn. So guesses are
//! compared by the guesses that they leave, in two steps: all by what a part of so many codes usually takes, and the best of
//! them by the best guess for each of their parts.

use std::collections::BTreeMap;

use pegwise_game::{Code, Feedback, Rules};

use super::settings::Ending;
use crate::{
    clock, portable,
    search::{Search, Watch},
};

/// Codes, and how guesses part them.
#[derive(Debug)]
pub(super) struct Endgame {
    /// How many codes are left; the first so many guesses are these.
    codes: usize,
    guesses: Vec<Code>,
    /// For each guess and code the part that the code is in, from zero on.
    parts: Vec<u16>,
    /// For each number of codes the guesses that they take about, summed over the codes.
    totals: Vec<f64>,
}

impl Endgame {
    /// All codes still possible, different ones and at least one, and other guesses; as many as there is time for.
    pub(super) fn new(
        rules: &Rules,
        codes: &[Code],
        others: impl IntoIterator<Item = Code>,
        ending: Ending,
        watch: Watch<'_>,
    ) -> Self {
        let mut guesses = codes.to_vec();
        guesses.extend(others);
        let mut parts = Vec::with_capacity(guesses.len() * codes.len());
        for (at, guess) in guesses.iter().enumerate() {
            if at > 0 && watch.stop().is_some() {
                break;
            }
            clock::work(codes.len() as u64 * clock::STEP_COST);
            let mut numbers: BTreeMap<Feedback, u16> = BTreeMap::new();
            for code in codes {
                let next = numbers.len() as u16;
                parts.push(*numbers.entry(pegwise_game::feedback(rules, guess, code)).or_insert(next));
            }
        }
        guesses.truncate(parts.len() / codes.len());
        let totals = (0..=codes.len()).map(|count| total(count, ending.guesses_a_bit)).collect();
        Self { codes: codes.len(), guesses, parts, totals }
    }

    /// Guesses by how many more they leave, summed over the codes, the best first. So many of the best are looked at by what
    /// follows them.
    pub(super) fn ranked(self, wide: usize, search: &mut Search<'_>) -> Vec<Code> {
        let all: Vec<usize> = (0..self.codes).collect();
        let mut counts = vec![0; self.codes];
        let mut order: Vec<(f64, usize)> =
            (0..self.guesses.len()).map(|guess| (self.left_by(guess, &all, &mut counts), guess)).collect();
        order.sort_by(|one, other| one.0.total_cmp(&other.0));
        search.score(self.parts.len() as u64);
        let (watch, mut seen) = (search.watch(), 0);
        for (left, guess) in order.iter_mut().take(wide) {
            if watch.stop().is_some() {
                break;
            }
            clock::work(self.parts.len() as u64);
            *left = self.left_in_two(*guess, &mut counts);
            seen += 1;
        }
        search.score((seen * self.parts.len()) as u64);
        order[..seen].sort_by(|one, other| one.0.total_cmp(&other.0));
        order.into_iter().map(|(_, guess)| self.guesses[guess].clone()).collect()
    }

    /// The guesses that some codes take after a guess, by what parts of their sizes usually take.
    fn left_by(&self, guess: usize, codes: &[usize], counts: &mut [u16]) -> f64 {
        let parts = &self.parts[guess * self.codes..][..self.codes];
        let mut left = 0.0;
        for &code in codes {
            counts[usize::from(parts[code])] += 1;
        }
        for &code in codes {
            left += self.totals[usize::from(std::mem::take(&mut counts[usize::from(parts[code])]))];
        }
        // What can be the code need not be played again.
        left - if codes.contains(&guess) { 1.0 } else { 0.0 }
    }

    /// The same for all codes, where each part is asked about by the guess that is best for it.
    fn left_in_two(&self, guess: usize, counts: &mut [u16]) -> f64 {
        let parts = &self.parts[guess * self.codes..][..self.codes];
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.codes];
        parts.iter().enumerate().for_each(|(code, &part)| members[usize::from(part)].push(code));
        let mut left = 0.0;
        for part in members.iter().filter(|part| !part.is_empty()) {
            left += match part.as_slice() {
                [code] => f64::from(u8::from(*code != guess)),
                [_, _] => self.totals[2],
                part => self.taken(part, counts),
            };
        }
        left
    }

    /// The guesses that some codes take, of which there are at least three.
    fn taken(&self, part: &[usize], counts: &mut [u16]) -> f64 {
        let size = part.len() as f64;
        let mut least = f64::INFINITY;
        // First those that can be the code: one that tells all others apart cannot be beaten.
        for guess in part.iter().copied().chain(0..self.guesses.len()) {
            least = least.min(self.left_by(guess, part, counts));
            if least <= size - 1.0 {
                break;
            }
        }
        size + least
    }
}

/// The guesses that so many codes usually take, summed over them.
fn total(count: usize, guesses_a_bit: f64) -> f64 {
    match count {
        0 => 0.0,
        // One that is played, and tells the others apart.
        1..=3 => 2.0 * count as f64 - 1.0,
        _ => count as f64 * (1.0 + guesses_a_bit * portable::ln(count as f64) / std::f64::consts::LN_2),
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Space;

    use super::*;

    const ENDING: Ending = Ending { codes: 100, others: 0, wide: 10, climbs: 1, guesses_a_bit: 0.36 };

    /// The guesses that all codes take, by trying all guesses at every turn.
    fn exact(rules: &Rules, codes: &[Code], guesses: &[Code]) -> usize {
        if codes.len() <= 2 {
            return 2 * codes.len() - usize::from(!codes.is_empty());
        }
        let after = |guess: &Code| {
            let mut parts: BTreeMap<Feedback, Vec<Code>> = BTreeMap::new();
            for code in codes {
                parts.entry(pegwise_game::feedback(rules, guess, code)).or_default().push(code.clone());
            }
            if parts.len() == 1 {
                return usize::MAX;
            }
            let left =
                parts.values().map(|part| if part[..] == [guess.clone()] { 0 } else { exact(rules, part, guesses) });
            codes.len() + left.sum::<usize>()
        };
        guesses.iter().map(after).min().unwrap()
    }

    /// With few codes left two steps are all there is, and the guess that is best is found.
    #[test]
    fn few_codes_are_ended_as_soon_as_can_be() {
        for text in ["3x4", "4x3", "grid:2x2x3", "3x4:black-only"] {
            let rules: Rules = text.parse().unwrap();
            let all: Vec<Code> = Space::new(&rules).iter().collect();
            for step in [9, 13, 17] {
                let codes: Vec<Code> = all.iter().step_by(step).cloned().collect();
                let others = all.iter().filter(|code| !codes.contains(code)).cloned();
                let endgame = Endgame::new(&rules, &codes, others, ENDING, Watch::default());
                let ranked = endgame.ranked(all.len(), &mut Search::new(1));
                assert_eq!(ranked.len(), all.len());
                let mut parts: BTreeMap<Feedback, Vec<Code>> = BTreeMap::new();
                for code in &codes {
                    parts.entry(pegwise_game::feedback(&rules, &ranked[0], code)).or_default().push(code.clone());
                }
                let left =
                    parts.values().map(|part| if part[..] == ranked[..1] { 0 } else { exact(&rules, part, &all) });
                let taken = codes.len() + left.sum::<usize>();
                assert_eq!(taken, exact(&rules, &codes, &all), "{text}: {}", codes.len());
            }
        }
    }
}
