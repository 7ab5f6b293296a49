//! Proving that no fewer guesses decide every code.
//!
//! Any two codes must be told apart by some guess. The search takes two that few guesses tell apart and tries each of
//! these guesses in turn. A guess that leads nowhere is excluded from then on, and so is every guess that the
//! symmetries of the guesses chosen turn it into: a set with one of those would be turned into a set with the guess
//! that led nowhere.

use pegwise_game::{Code, Rules, symmetry::Symmetry};

use super::{
    answers::Answers,
    classes::{Classes, Scratch},
};
use crate::{Stop, Watch};

/// The most codes whose answers to every guess are kept.
pub(super) const MAX_CODES: usize = 2048;
/// Pairs of codes looked at before the one with the fewest guesses is taken.
const PAIRS: usize = 48;
/// Chosen guesses beyond which looking for symmetries takes longer than it saves.
const SYMMETRIC: usize = 3;

/// Looks at all sets of guesses.
pub(super) struct Prover<'a> {
    rules: &'a Rules,
    codes: Vec<Code>,
    /// For each guess, the answer of each code.
    answers: Vec<Vec<u16>>,
    kinds: usize,
    watch: Watch<'a>,
    nodes_left: u64,
    scratch: Scratch,
}

impl<'a> Prover<'a> {
    /// Nothing where there are too many codes.
    pub(super) fn new(rules: &'a Rules, answers: &mut Answers, most_nodes: u64, watch: Watch<'a>) -> Option<Self> {
        if answers.codes.len() > MAX_CODES {
            return None;
        }
        let codes: Vec<Code> = answers.codes.codes().collect();
        let to_each = codes.iter().map(|guess| answers.to(guess)).collect();
        let kinds = answers.kinds;
        Some(Self { rules, codes, answers: to_each, kinds, watch, nodes_left: most_nodes, scratch: Scratch::default() })
    }

    /// Guesses of this number that decide every code; `None` when there are none, and an error when it cannot be told
    /// in time.
    pub(super) fn any_of_size(&mut self, size: usize) -> Result<Option<Vec<Code>>, Stop> {
        let mut chosen = Vec::new();
        let excluded = vec![false; self.codes.len()];
        let found = self.search(&Classes::new(self.codes.len()), &mut chosen, excluded, size)?;
        Ok(found.then(|| chosen.into_iter().map(|guess| self.codes[guess].clone()).collect()))
    }

    fn search(
        &mut self,
        classes: &Classes,
        chosen: &mut Vec<usize>,
        mut excluded: Vec<bool>,
        left: usize,
    ) -> Result<bool, Stop> {
        if classes.is_decided() {
            return Ok(true);
        }
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(Stop::Nodes)?;
        if let Some(stop) = self.watch.stop() {
            return Err(stop);
        }
        let ways = u32::try_from(left).ok().and_then(|left| self.kinds.checked_pow(left)).unwrap_or(usize::MAX);
        if left == 0 || classes.largest() > ways {
            return Ok(false);
        }
        if left == 1 {
            let last = (0..self.codes.len()).find(|&guess| !excluded[guess] && self.decides(classes, guess));
            chosen.extend(last);
            return Ok(last.is_some());
        }
        let orbits = (chosen.len() < SYMMETRIC).then(|| {
            let symmetry = Symmetry::new(self.rules, chosen.iter().map(|&guess| &self.codes[guess]));
            self.codes.iter().map(|code| symmetry.lowest(code)).collect::<Vec<Code>>()
        });
        for guess in self.fewest_guesses(classes, &excluded) {
            if excluded[guess] {
                continue;
            }
            chosen.push(guess);
            let next = classes.refine(&self.answers[guess], &mut self.scratch);
            if self.search(&next, chosen, excluded.clone(), left - 1)? {
                return Ok(true);
            }
            chosen.pop();
            match &orbits {
                Some(orbits) => {
                    let equals = orbits.iter().zip(&mut excluded).filter(|(orbit, _)| **orbit == orbits[guess]);
                    equals.for_each(|(_, excluded)| *excluded = true);
                }
                None => excluded[guess] = true,
            }
        }
        Ok(false)
    }

    fn decides(&mut self, classes: &Classes, guess: usize) -> bool {
        classes.undecided_pairs(&self.answers[guess], self.kinds, &mut self.scratch) == 0
    }

    /// The guesses that tell two codes of one class apart, for two that few guesses do.
    fn fewest_guesses(&self, classes: &Classes, excluded: &[bool]) -> Vec<usize> {
        let groups = classes.groups();
        let pairs = groups.iter().flat_map(|group| group.windows(2).map(|pair| (pair[0], pair[1])));
        let step = (classes.rows.len() / PAIRS).max(1);
        let telling = |(one, other): (u32, u32)| -> Vec<usize> {
            let apart = |answers: &Vec<u16>| answers[one as usize] != answers[other as usize];
            (0..self.codes.len()).filter(|&guess| !excluded[guess] && apart(&self.answers[guess])).collect()
        };
        pairs.step_by(step).map(telling).min_by_key(Vec::len).unwrap_or_default()
    }
}
