//! Trees and reference implementations for tests.

use std::collections::HashMap;

use pegwise_game::{Code, Feedback, Rules, Space, feedback};
use proptest::prelude::*;

use super::{Builder, Tree, TreeFile};
use pegwise_search::{Position, PositionStrategy, Watch};
use pegwise_solve::catalog;

pub(super) fn tree(rules: &str, strategy: &str) -> Tree {
    let rules: Rules = rules.parse().unwrap();
    let strategy = catalog::strategy(strategy, &rules).unwrap().position_strategy().unwrap();
    Builder::new(&rules, Watch::default()).build(&*strategy).unwrap()
}

pub(super) fn file(rules: &str, strategy: &str) -> TreeFile {
    TreeFile::new(tree(rules, strategy), strategy)
}

/// Rules of every kind, small enough for whole trees.
pub(super) const SMALL: [&str; 13] = [
    "1x1",
    "1x9",
    "3x1",
    "2x3",
    "3x4",
    "3x5:no-repeats",
    "3x4:black-only",
    "3x4:per-cell",
    "3x4:higher-lower",
    "2x5:distance",
    "3x3:city-block:max-guesses=20",
    "grid:2x2x3",
    "ring:4x3",
];

/// Generates trees of small rules with an arbitrary consistent guess at each position.
pub(super) fn any_file() -> impl Strategy<Value = TreeFile> {
    let lower_bound = prop_oneof![Just(None), (0..100u64).prop_map(Some)];
    (0..SMALL.len(), any::<u64>(), ".{0,20}", any::<bool>(), lower_bound).prop_map(
        |(rules, seed, made_by, proven, lower_bound)| {
            let rules: Rules = SMALL[rules].parse().unwrap();
            let tree = Builder::new(&rules, Watch::default()).build(&Scattered { seed }).unwrap();
            TreeFile::new(tree, made_by).with_proof(proven, lower_bound)
        },
    )
}

/// Strategy that plays a pseudorandom consistent code.
struct Scattered {
    seed: u64,
}

impl PositionStrategy for Scattered {
    fn choose(&mut self, position: Position<'_>) -> Code {
        let codes = position.codes;
        let salt = codes.code(0).iter().fold(self.seed, |salt, color| salt.rotate_left(7) ^ color.index() as u64);
        let row = salt.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        codes.code(row as usize % codes.len())
    }

    fn duplicate(&self) -> Box<dyn PositionStrategy> {
        Box::new(Self { seed: self.seed })
    }
}

/// Least totals without bounds, shortcuts, symmetry or kernels. Sets of codes are ascending lists of ranks.
pub(super) struct NaiveSolver {
    pub(super) codes: Vec<Code>,
    /// Feedback of each code, by guess.
    pub(super) answers: Vec<Vec<Feedback>>,
    consistent_only: bool,
    /// Codes that may be guessed; `None` if all may be.
    pub(super) guesses: Option<Vec<usize>>,
    totals: HashMap<(Vec<usize>, u32), Option<u32>>,
}

impl NaiveSolver {
    pub(super) fn new(rules: &Rules, consistent_only: bool) -> Self {
        let codes: Vec<Code> = Space::new(rules).iter().collect();
        let answer = |guess: &Code| codes.iter().map(|code| feedback(rules, guess, code)).collect();
        let answers = codes.iter().map(answer).collect();
        Self { codes, answers, consistent_only, guesses: None, totals: HashMap::new() }
    }

    /// Returns the least total within `guesses` guesses that begins with `guess`.
    pub(super) fn after(&mut self, guess: usize, set: &[usize], guesses: u32) -> Option<u32> {
        let mut parts: HashMap<Feedback, Vec<usize>> = HashMap::new();
        for &code in set.iter().filter(|&&code| code != guess) {
            parts.entry(self.answers[guess][code].clone()).or_default().push(code);
        }
        if parts.values().any(|part| part.len() == set.len()) {
            return None;
        }
        parts.values().try_fold(set.len() as u32, |sum, part| Some(sum + self.total(part, guesses - 1)?))
    }

    /// Returns the least total within `guesses` guesses.
    pub(super) fn total(&mut self, set: &[usize], guesses: u32) -> Option<u32> {
        // No tree is deeper than its number of codes.
        let guesses = guesses.min(set.len() as u32);
        if guesses == 0 {
            return None;
        }
        if let Some(&total) = self.totals.get(&(set.to_vec(), guesses)) {
            return total;
        }
        let all = || (0..self.codes.len()).collect();
        let pool = if self.consistent_only { set.to_vec() } else { self.guesses.clone().unwrap_or_else(all) };
        let total = pool.into_iter().filter_map(|guess| self.after(guess, set, guesses)).min();
        self.totals.insert((set.to_vec(), guesses), total);
        total
    }
}
