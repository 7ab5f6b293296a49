//! Proven trees that are part of the program.

use std::sync::LazyLock;

use pegwise_game::Rules;

use crate::catalog;
use pegwise_search::row::{Arguments, Capability, Row};
use pegwise_search::{Parameter, ParameterKind, Strategy, StrategyError};
use pegwise_trees::{TreeFile, TreePlayer};

/// The small and proven files of `records/`.
const FILES: [&[u8]; 7] = [
    include_bytes!("../records/4x6.tree"),
    include_bytes!("../records/4x7.tree"),
    include_bytes!("../records/4x8.tree"),
    include_bytes!("../records/4x6-no-repeats.tree"),
    include_bytes!("../records/4x7-no-repeats.tree"),
    include_bytes!("../records/4x8-no-repeats.tree"),
    include_bytes!("../records/4x10-no-repeats.tree"),
];

/// The tree of 4x6 with the least depth, and the least total among such trees.
const WORST_CASE: &[u8] = include_bytes!("../records/4x6-worst-case.tree");

const OBJECTIVE: Parameter = Parameter {
    name: "objective",
    kind: ParameterKind::Choice(&["mean", "worst-then-mean"]),
    default: "mean",
    about: "quantity to minimize: the mean, or the maximum and then the mean (4x6 only)",
};

static TREES: LazyLock<Vec<TreeFile>> = LazyLock::new(|| {
    // A test reads all of them, so none is skipped here.
    FILES.iter().filter_map(|bytes| TreeFile::read(*bytes).ok()).collect()
});

static WORST_CASE_TREE: LazyLock<Option<TreeFile>> = LazyLock::new(|| TreeFile::read(WORST_CASE).ok());

/// Rows of the catalog.
pub(crate) const ROWS: &[Row] = &[Row {
    name: "optimal",
    title: "Proven optimal tree",
    family: "tree",
    paper: "K. Koyama and T. W. Lai, An optimal Mastermind strategy, J. Recreational Mathematics 25(4), 1993",
    about: "plays a tree that no strategy beats on average; entropy where the game has left the tree",
    plays: "4x6, 4x7, 4x8, and 4x6, 4x7, 4x8, 4x10 without repeats; with --tree any tree of your own",
    parameters: &[OBJECTIVE],
    capabilities: &[
        (Capability::Tree, has_tree),
        (Capability::Deterministic, has_tree),
        (Capability::Secrets, has_tree),
    ],
    can_play: |rules| shipped(rules).is_some(),
    build,
    ..Row::BLANK
}];

/// Returns the proven tree of these rules, if it is part of the program. A limit on guesses is ignored: it does not
/// affect the best guess.
pub fn shipped(rules: &Rules) -> Option<&'static TreeFile> {
    let unlimited = rules.clone().with_max_guesses(None);
    TREES.iter().find(|file| file.tree.rules == unlimited)
}

fn build(name: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    let no_tree = || StrategyError::unplayable(name, rules, &"no tree comes with the program");
    let file = tree(rules, arguments).cloned().ok_or_else(no_tree)?;
    let fallback = catalog::strategy("entropy", rules).map_err(|error| error.of(name, rules))?;
    Ok(Box::new(TreePlayer::new(file, fallback)))
}

/// Returns the tree of these rules for the requested objective.
fn tree(rules: &Rules, arguments: &Arguments) -> Option<&'static TreeFile> {
    match arguments.text(OBJECTIVE.name) {
        "mean" => shipped(rules),
        _ => WORST_CASE_TREE.as_ref().filter(|file| file.tree.rules == rules.clone().with_max_guesses(None)),
    }
}

fn has_tree(rules: &Rules, arguments: &Arguments) -> bool {
    tree(rules, arguments).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_file_is_a_proven_tree() {
        assert_eq!(TREES.len(), FILES.len());
        let boards = |repeats: bool| {
            let rules = TREES.iter().map(|file| &file.tree.rules).filter(|rules| rules.repeats() == repeats);
            rules.map(|rules| format!("{}x{}", rules.cells(), rules.colors())).collect::<Vec<_>>().join(", ")
        };
        let listed = format!("{}, and {} without repeats; ", boards(true), boards(false));
        assert!(ROWS[0].plays.starts_with(&listed), "{listed}");
        for file in TREES.iter().chain(&*WORST_CASE_TREE) {
            assert!(file.proven, "{}", file.tree.rules);
        }
        assert!(shipped(&"4x6:max-guesses=5".parse().unwrap()).is_some());
        assert!(WORST_CASE_TREE.is_some());
        assert!(shipped(&"4x9".parse().unwrap()).is_none());
    }
}
