//! The guess with the fewest expected further guesses, for few known candidates.
//!
//! For few codes the entropy of a guess is not quite the number of guesses it leaves: two codes take one and a half guesses
//! on average although they are one bit apart, and a consistent guess may save a turn. So guesses are compared by the
//! guesses they leave, in two steps: all by an estimate for parts of each size, and the best of them by the best guess for
//! each of their parts.

use std::collections::BTreeMap;

use pegwise_game::{Code, Feedback, Rules};

use pegwise_search::{Search, Watch, clock, portable};

/// The partitions of the candidates by all guesses.
#[derive(Debug)]
pub(super) struct Endgame {
    /// Number of candidates, which are also the first guesses.
    codes: usize,
    guesses: Vec<Code>,
    /// Index of the part that contains a code, for each guess and code.
    parts: Vec<u16>,
    /// Estimated total number of guesses for each number of codes.
    totals: Vec<f64>,
}

impl Endgame {
    /// Partitions `codes`, which are distinct and not empty, by themselves and by `others`, until `watch` stops it.
    pub(super) fn new(
        rules: &Rules,
        codes: &[Code],
        others: impl IntoIterator<Item = Code>,
        guesses_per_bit: f64,
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
        let totals = (0..=codes.len()).map(|count| estimated_total(count, guesses_per_bit)).collect();
        Self { codes: codes.len(), guesses, parts, totals }
    }

    /// Returns the guesses by the total number of guesses they leave, best first. The first `two_step_guesses` are compared two
    /// steps ahead.
    pub(super) fn ranked(self, two_step_guesses: usize, search: &mut Search<'_>) -> Vec<Code> {
        let all: Vec<usize> = (0..self.codes).collect();
        let mut counts = vec![0; self.codes];
        let mut order: Vec<(f64, usize)> =
            (0..self.guesses.len()).map(|guess| (self.total_after(guess, &all, &mut counts), guess)).collect();
        order.sort_by(|one, other| one.0.total_cmp(&other.0));
        search.score(self.parts.len() as u64);
        let (watch, mut seen) = (search.watch(), 0);
        for (left, guess) in order.iter_mut().take(two_step_guesses) {
            if watch.stop().is_some() {
                break;
            }
            clock::work(self.parts.len() as u64);
            *left = self.total_in_two_steps(*guess, &mut counts);
            seen += 1;
        }
        search.score((seen * self.parts.len()) as u64);
        order[..seen].sort_by(|one, other| one.0.total_cmp(&other.0));
        order.into_iter().map(|(_, guess)| self.guesses[guess].clone()).collect()
    }

    /// Returns the total number of guesses for some codes after a guess, estimated by the sizes of the parts.
    fn total_after(&self, guess: usize, codes: &[usize], counts: &mut [u16]) -> f64 {
        let parts = &self.parts[guess * self.codes..][..self.codes];
        let mut left = 0.0;
        for &code in codes {
            counts[usize::from(parts[code])] += 1;
        }
        for &code in codes {
            left += self.totals[usize::from(std::mem::take(&mut counts[usize::from(parts[code])]))];
        }
        // A guess that is the code is not played again.
        left - if codes.contains(&guess) { 1.0 } else { 0.0 }
    }

    /// Returns the total number of guesses for all codes after a guess, with the best second guess for each part.
    fn total_in_two_steps(&self, guess: usize, counts: &mut [u16]) -> f64 {
        let parts = &self.parts[guess * self.codes..][..self.codes];
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.codes];
        parts.iter().enumerate().for_each(|(code, &part)| members[usize::from(part)].push(code));
        let mut left = 0.0;
        for part in members.iter().filter(|part| !part.is_empty()) {
            left += match part.as_slice() {
                [code] => f64::from(u8::from(*code != guess)),
                [_, _] => self.totals[2],
                part => self.best_total(part, counts),
            };
        }
        left
    }

    /// Returns the estimated total number of guesses for a part of at least three codes if its best guess is played.
    fn best_total(&self, part: &[usize], counts: &mut [u16]) -> f64 {
        let size = part.len() as f64;
        let mut least = f64::INFINITY;
        // Consistent guesses first: one that distinguishes all others is optimal.
        for guess in part.iter().copied().chain(0..self.guesses.len()) {
            least = least.min(self.total_after(guess, part, counts));
            if least <= size - 1.0 {
                break;
            }
        }
        size + least
    }
}

/// Returns the estimated total number of guesses for `count` codes.
fn estimated_total(count: usize, guesses_per_bit: f64) -> f64 {
    match count {
        0 => 0.0,
        // One is guessed, and distinguishes the others.
        1..=3 => 2.0 * count as f64 - 1.0,
        _ => count as f64 * (1.0 + guesses_per_bit * portable::ln(count as f64) / std::f64::consts::LN_2),
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Space;

    use super::*;

    /// Returns the exact total number of guesses by exhaustive search.
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

    /// With few codes two steps are exhaustive.
    #[test]
    fn the_best_guess_for_few_codes_is_found() {
        for text in ["3x4", "4x3", "grid:2x2x3", "3x4:black-only"] {
            let rules: Rules = text.parse().unwrap();
            let all: Vec<Code> = Space::new(&rules).iter().collect();
            for step in [9, 13, 17] {
                let codes: Vec<Code> = all.iter().step_by(step).cloned().collect();
                let others = all.iter().filter(|code| !codes.contains(code)).cloned();
                let endgame = Endgame::new(&rules, &codes, others, 0.36, Watch::default());
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
