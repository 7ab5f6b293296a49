//! Proven trees that come with the program.

use std::sync::LazyLock;

use pegwise_game::Rules;

use super::{TreeFile, TreePlayer};
use crate::{
    catalog::{self, CatalogError, Row},
    spec::Arguments,
    strategy::{Strategy, StrategyError},
};

/// The files of `records/` that are small and proven.
const FILES: [&[u8]; 7] = [
    include_bytes!("../../records/4x6.tree"),
    include_bytes!("../../records/4x7.tree"),
    include_bytes!("../../records/4x8.tree"),
    include_bytes!("../../records/4x6-no-repeats.tree"),
    include_bytes!("../../records/4x7-no-repeats.tree"),
    include_bytes!("../../records/4x8-no-repeats.tree"),
    include_bytes!("../../records/4x10-no-repeats.tree"),
];

static TREES: LazyLock<Vec<TreeFile>> = LazyLock::new(|| {
    // A test reads every one of them, so none is left out here.
    FILES.iter().filter_map(|bytes| TreeFile::read(*bytes).ok()).collect()
});

/// The rows of this family.
pub(crate) const ROWS: &[Row] = &[Row {
    name: "optimal",
    title: "Proven optimal tree",
    family: "tree",
    paper: "K. Koyama and T. W. Lai, An optimal Mastermind strategy, J. Recreational Mathematics 25(4), 1993",
    about: "plays a tree that no strategy beats on average; entropy where the game has left the tree",
    plays: "4x6, 4x7, 4x8, and 4x6, 4x7, 4x8, 4x10 without repeats; with --tree any tree of your own",
    parameters: &[],
    presets: &[],
    can_play,
    build,
}];

/// The proven tree for these rules, if one comes with the program. A limit on guesses does not matter: it ends a game, and
/// changes no guess.
#[must_use]
pub fn shipped(rules: &Rules) -> Option<&'static TreeFile> {
    let unlimited = rules.clone().with_max_guesses(None);
    TREES.iter().find(|file| file.tree.rules == unlimited)
}

fn can_play(rules: &Rules) -> bool {
    shipped(rules).is_some()
}

fn build(name: &'static str, rules: &Rules, _: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    let unplayable = |can: String| StrategyError::Unplayable { strategy: name, rules: rules.to_string(), can };
    let file = shipped(rules).ok_or_else(|| unplayable("no tree comes with the program".to_owned()))?;
    let fallback = catalog::strategy("entropy", rules).map_err(|error| match error {
        CatalogError::Strategy(error) => error,
        CatalogError::Spec(error) => unplayable(error.to_string()),
    })?;
    Ok(Box::new(TreePlayer::new(file.clone(), fallback)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_file_is_a_proven_tree() {
        assert_eq!(TREES.len(), FILES.len());
        for file in TREES.iter() {
            assert!(file.proven, "{}", file.tree.rules);
            assert!(ROWS[0].plays.contains(&file.tree.rules.cells().to_string()));
        }
        assert!(shipped(&"4x6:max-guesses=5".parse().unwrap()).is_some());
        assert!(shipped(&"4x9".parse().unwrap()).is_none());
    }
}
