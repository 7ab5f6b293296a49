use proptest::prelude::*;

use super::*;
use crate::tree::{Branch, samples};

fn code(rules: &str, text: &str) -> Code {
    rules.parse::<Rules>().unwrap().parse_code(text).unwrap()
}

#[test]
fn published_totals_are_replayed() {
    let verdict = verify(&samples::file("4x6", "knuth")).unwrap();
    assert_eq!((verdict.total, verdict.codes, verdict.max), (5801, 1296, 5));
    assert_eq!(verdict.histogram, [1, 6, 62, 533, 694]);
    assert!((verdict.mean - 4.4761).abs() < 0.0001);
}

#[test]
fn every_kind_of_rules_is_replayed() {
    for rules in samples::SMALL {
        let file = samples::file(rules, "shapiro(order=numeric)");
        let verdict = verify(&file).unwrap();
        assert_eq!(verdict.histogram, file.tree.stats().histogram, "{rules}");
    }
}

#[test]
fn deep_trees_are_replayed() {
    let verdict = verify(&samples::file("1x255", "shapiro(order=numeric)")).unwrap();
    assert_eq!((verdict.max, verdict.total), (255, 255 * 256 / 2));
}

#[test]
fn wrong_claims_are_named() {
    let right = samples::file("3x4", "knuth");
    let mut wrong = right.clone();
    wrong.claim.total -= 1;
    assert!(matches!(verify(&wrong), Err(VerifyError::WrongClaim { what: "total", .. })));
    let mut wrong = right.clone();
    wrong.claim.max += 1;
    assert!(matches!(verify(&wrong), Err(VerifyError::WrongClaim { what: "most guesses", .. })));
    let mut wrong = right.clone();
    wrong.claim.codes = 63;
    assert!(matches!(verify(&wrong), Err(VerifyError::WrongClaim { what: "number of codes", .. })));
    let total = right.claim.total;
    assert!(verify(&right.clone().with_proof(true, Some(total))).unwrap().proven);
    assert!(matches!(verify(&right.with_proof(false, Some(total + 1))), Err(VerifyError::WrongBound { .. })));
}

#[test]
fn a_missing_branch_is_named() {
    let mut tree = samples::tree("4x6", "knuth");
    let branch = &mut tree.root.branches[3];
    let (feedback, below) = (branch.feedback.clone(), branch.node.branches.remove(0));
    let guess = branch.node.guess.notation(6).to_string();
    let Err(VerifyError::MissingBranch { place, guess: named, feedback: missing, .. }) = verify_tree(&tree) else {
        panic!("not found")
    };
    assert_eq!((named, missing), (guess, below.feedback));
    assert_eq!(place.to_string(), format!("after 1122={feedback}"));
}

#[test]
fn a_branch_that_no_code_takes_is_named() {
    let mut tree = samples::tree("4x6", "knuth");
    // One peg right and three changing places takes three colors among them, and 1122 has two.
    let feedback = tree.rules.parse_feedback("1,3").unwrap();
    let node = Node::leaf(code("4x6", "1212"));
    tree.root.branches.push(Branch { feedback: feedback.clone(), node });
    tree.root.branches.sort_by(|one, other| one.feedback.cmp(&other.feedback));
    let Err(VerifyError::EmptyBranch { feedback: found, .. }) = verify_tree(&tree) else { panic!("not found") };
    assert_eq!(found, feedback);
}

#[test]
fn a_code_played_twice_is_named() {
    let mut tree = samples::tree("1x3", "shapiro(order=numeric)");
    // 1, then 2, then 1 again where 3 should be.
    tree.root.branches[0].node.branches[0].node.guess = code("1x3", "1");
    let error = verify_tree(&tree).unwrap_err();
    assert_eq!(
        error.to_string(),
        "after 1=0,0 2=0,0: 1 is said to be the code for some, but was played or ruled out before"
    );
}

#[test]
fn a_win_that_is_not_said_is_named() {
    let mut tree = samples::tree("2x3", "knuth");
    tree.root.wins = false;
    assert!(matches!(verify_tree(&tree), Err(VerifyError::UnclaimedWin { .. })));
}

#[test]
fn a_useless_guess_is_named() {
    let mut tree = samples::tree("1x3", "shapiro(order=numeric)");
    let below = tree.root.branches[0].node.clone();
    let feedback = tree.root.branches[0].feedback.clone();
    // 1 is asked again.
    let again = Node { guess: code("1x3", "1"), wins: false, branches: vec![Branch { feedback, node: below }] };
    tree.root.branches[0].node = again;
    let error = verify_tree(&tree).unwrap_err();
    assert_eq!(error.to_string(), "after 1=0,0: 1 leaves all 2 codes as they were");
}

#[test]
fn shapes_are_checked_first() {
    let mut tree = samples::tree("2x3", "knuth");
    tree.root.guess = code("3x3", "111");
    assert!(matches!(verify_tree(&tree), Err(VerifyError::Shape(_))));
    let mut tree = samples::tree("2x3", "knuth");
    tree.root.branches.reverse();
    assert!(matches!(verify_tree(&tree), Err(VerifyError::Shape(_))));
}

#[test]
fn the_limit_on_guesses_holds() {
    let mut tree = samples::tree("4x6", "knuth");
    tree.rules = "4x6:max-guesses=5".parse().unwrap();
    assert!(verify_tree(&tree).is_ok());
    tree.rules = "4x6:max-guesses=4".parse().unwrap();
    assert_eq!(verify_tree(&tree), Err(VerifyError::OutOfGuesses { max: 5, allowed: 4 }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_built_tree_holds(file in samples::any_file()) {
        let file = file.with_proof(false, None);
        let verdict = verify_tree(&file.tree);
        if file.tree.rules.max_guesses().is_none() {
            prop_assert_eq!(verify(&file).unwrap().histogram, file.tree.stats().histogram);
        } else {
            let over = matches!(verdict, Err(VerifyError::OutOfGuesses { .. }));
            prop_assert!(verdict.is_ok() || over);
        }
    }
}
