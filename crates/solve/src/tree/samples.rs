//! Trees for tests.

use pegwise_game::{Code, Rules};
use proptest::prelude::*;

use super::{Builder, Tree, TreeFile};
use crate::{
    catalog,
    search::Watch,
    strategy::{Position, PositionStrategy},
};

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

/// Any tree of any small rules: at each position some code that fits.
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

/// Plays a code that fits, as if drawn by lot.
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
