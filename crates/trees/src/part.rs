//! Parts of a tree: one position with its subtree, to be improved separately and put back.
//!
//! A part is a tree, too: it plays the turns that lead to the position, with one branch each, and continues from there.
//! It is therefore stored in a tree file, and its total is counted from the first guess of the game. Its position is
//! the first one with more than one outcome: a guess that cannot win and has a single answer would be useless in a
//! tree.

use pegwise_game::{Rules, Turn};

use super::{Node, PathError, Summary, Tree, TreeFile, TreePath, UnsupportedRules, VerifyError, verify_part};

/// Error when a part is put into a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// The part has other rules.
    #[error("it is for {found}, but the tree is for {wanted}")]
    OtherRules {
        /// Rules of the part.
        found: Rules,
        /// Rules of the tree.
        wanted: Rules,
    },
    /// Positions are not determined by their sets of codes.
    #[error(transparent)]
    UnsupportedRules(#[from] UnsupportedRules),
    /// The part is of a tree for a list of secrets.
    #[error("it is for a list of secrets, and only trees for all codes have parts")]
    Listed,
    /// The tree does not reach the position of the part.
    #[error("the tree does not reach its position, {place}: {reason}")]
    Elsewhere {
        /// Position of the part.
        place: Box<TreePath>,
        /// Turn at which the tree deviates.
        reason: PathError,
    },
    /// The target is itself a part, of fewer codes.
    #[error("it begins {place}, but the target begins {below}")]
    Above {
        /// Position of the part.
        place: Box<TreePath>,
        /// Position of the target.
        below: Box<TreePath>,
    },
    /// The part does not win every game from its position.
    #[error("it is not verified: {0}")]
    Verify(Box<VerifyError>),
}

/// Replaces a subtree of `tree` by a verified part if that is better. Returns the number of guesses saved, summed over all
/// codes; zero if the part is not used.
pub fn join(tree: &mut Tree, part: &TreeFile) -> Result<u64, JoinError> {
    let Tree { rules, root } = &part.tree;
    if *rules != tree.rules {
        return Err(JoinError::OtherRules { found: rules.clone(), wanted: tree.rules.clone() });
    }
    if part.claim.listed {
        return Err(JoinError::Listed);
    }
    UnsupportedRules::check_search(rules)?;
    verify_part(part).map_err(|error| JoinError::Verify(error.into()))?;
    let (place, below) = (Box::new(part.tree.place()), Box::new(tree.place()));
    if !place.turns().starts_with(below.turns()) && below.turns().starts_with(place.turns()) {
        return Err(JoinError::Above { place, below });
    }
    let own = match tree.position(place.turns()) {
        Ok(own) => Summary::of(own).total,
        Err(reason) => return Err(JoinError::Elsewhere { place, reason }),
    };
    let below = place.turns().iter().fold(root, |node, _| &node.branches[0].node);
    let saved = own.saturating_sub(Summary::of(below).total);
    if saved > 0 {
        *place.turns().iter().fold(&mut tree.root, after) = below.clone();
    }
    Ok(saved)
}

/// Returns the position after a turn that is known to be in the tree.
fn after<'n>(node: &'n mut Node, turn: &Turn) -> &'n mut Node {
    match node.branches.binary_search_by(|branch| branch.feedback.cmp(&turn.feedback)) {
        Ok(at) => &mut node.branches[at].node,
        Err(_) => unreachable!("the tree was asked for this position"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{samples, verify_tree};

    fn turns(rules: &str, text: &[&str]) -> Vec<Turn> {
        let rules: Rules = rules.parse().unwrap();
        text.iter().map(|turn| Turn::parse(&rules, turn).unwrap()).collect()
    }

    /// Turns to every position of a tree.
    fn places(tree: &Tree) -> Vec<Vec<Turn>> {
        let mut walk = vec![(&tree.root, Vec::new())];
        let mut places = Vec::new();
        while let Some((node, turns)) = walk.pop() {
            for branch in &node.branches {
                let turn = Turn { guess: node.guess.clone(), feedback: branch.feedback.clone() };
                walk.push((&branch.node, turns.iter().cloned().chain([turn]).collect()));
            }
            places.push(turns);
        }
        places
    }

    #[test]
    fn every_position_of_every_kind_of_tree_is_a_part_that_fits_back() {
        for rules in samples::SMALL {
            let tree = samples::tree(rules, "shapiro(order=numeric)");
            for turns in places(&tree) {
                let part = tree.part(&turns).unwrap();
                assert_eq!(part.place().turns(), turns, "{rules}");
                let verdict = verify_part(&TreeFile::new(part.clone(), "a part")).unwrap();
                let below = Summary::of(tree.position(&turns).unwrap());
                assert_eq!(verdict.total, below.total + below.codes * turns.len() as u64, "{rules}");
                assert_eq!(join(&mut tree.clone(), &TreeFile::new(part, "a part")), Ok(0), "{rules}");
            }
        }
    }

    #[test]
    fn the_parts_of_a_better_tree_make_it() {
        let mut tree = samples::tree("4x6", "knuth");
        let better = samples::tree("4x6", "entropy(first=1122)");
        let totals = [&tree, &better].map(|tree| Summary::of(&tree.root).total);
        let mut saved = 0;
        for branch in &better.root.branches {
            let turn = Turn { guess: better.root.guess.clone(), feedback: branch.feedback.clone() };
            saved += join(&mut tree, &TreeFile::new(better.part(&[turn]).unwrap(), "entropy")).unwrap();
        }
        let verdict = verify_tree(&tree).unwrap();
        assert_eq!(verdict.total, totals[0] - saved);
        assert!(verdict.total <= totals[1], "the better of both in every part");
    }

    #[test]
    fn unfit_parts_are_refused_without_changes() {
        let knuth = samples::tree("4x6", "knuth");
        let part = |tree: &Tree, text: &[&str]| TreeFile::new(tree.part(&turns("4x6", text)).unwrap(), "a part");
        let mut tree = knuth.clone();
        let small = samples::file("3x4", "knuth");
        assert!(matches!(join(&mut tree, &small), Err(JoinError::OtherRules { .. })));

        let other = samples::tree("4x6", "entropy(first=1123)");
        let error = join(&mut tree, &part(&other, &["1123=1,0"])).unwrap_err();
        let said = "the tree does not reach its position, after 1123=1,0: turn 1 plays 1123, but the tree plays 1122";
        assert_eq!(error.to_string(), said);

        let mut holed = part(&knuth, &["1122=1,0"]);
        holed.tree.root.branches[0].node.branches.remove(0);
        holed.claim = TreeFile::new(holed.tree.clone(), "").claim;
        let refusal = |tree: &mut Tree, part: &TreeFile| match join(tree, part) {
            Err(JoinError::Verify(error)) => *error,
            other => panic!("{other:?}"),
        };
        assert!(matches!(refusal(&mut tree, &holed), VerifyError::MissingBranch { .. }));

        let mut boast = part(&knuth, &["1122=1,0"]);
        boast.claim.total -= 1;
        assert!(matches!(refusal(&mut tree, &boast), VerifyError::WrongClaim { what: "total", .. }));

        let mut nowhere = part(&knuth, &["1122=1,0"]);
        nowhere.tree.root.branches[0].feedback = turns("4x6", &["1122=0,0"])[0].feedback.clone();
        // 1344 has a 1, which that answer rules out.
        assert!(matches!(refusal(&mut tree, &nowhere), VerifyError::CannotWin { .. }));

        let mut inner = part(&knuth, &["1122=1,0"]).tree;
        let error = join(&mut inner, &TreeFile::new(knuth.clone(), "knuth")).unwrap_err();
        assert_eq!(error.to_string(), "it begins at the start, but the target begins after 1122=1,0");
        assert_eq!(tree, knuth);
    }

    #[test]
    fn codes_after_lies_have_no_parts() {
        let file = samples::file("2x3:lies=1", "shapiro(order=numeric)");
        assert!(matches!(
            join(&mut file.tree.clone(), &file),
            Err(JoinError::UnsupportedRules(UnsupportedRules::Lies { .. }))
        ));
    }
}
