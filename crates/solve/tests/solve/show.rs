//! Positions and listings of a tree.

use pegwise_game::Turn;
use pegwise_solve::tree::{Summary, Tree};

fn knuth() -> Tree {
    crate::tree("knuth", &"4x6".parse().unwrap())
}

fn turns(turns: &[&str]) -> Vec<Turn> {
    turns.iter().map(|turn| Turn::parse(&"4x6".parse().unwrap(), turn).unwrap()).collect()
}

#[test]
fn rows_make_up_the_whole() {
    let tree = knuth();
    let shown = tree.show(&turns(&["1122=1,0"])).unwrap();
    assert_eq!(shown.guess.notation(6).to_string(), "1344");
    assert_eq!(shown.summary.codes, 256);
    let below: u64 = shown.rows.iter().map(|row| row.summary.codes).sum();
    assert_eq!(below + u64::from(shown.wins), 256);
    assert!(shown.to_string().starts_with("after 1122=1,0: guess 1344"));
}

#[test]
fn turns_off_the_tree_are_reported() {
    let tree = knuth();
    let message = |path: &[&str]| tree.show(&turns(path)).unwrap_err().to_string();
    assert_eq!(message(&["1123=1,0"]), "turn 1 plays 1123, but the tree plays 1122");
    assert_eq!(message(&["1122=4,0"]), "turn 1 wins the game: nothing follows");
    assert_eq!(message(&["1122=1,3"]), "turn 1: no code is left that answers 1122 with 1,3");
}

#[test]
fn listings_stop_at_the_given_depth() {
    let tree = knuth();
    let lines = |depth| tree.list(&[], depth).unwrap().to_string().lines().count();
    assert_eq!(lines(0), 0);
    assert_eq!(lines(1), 1);
    assert_eq!(lines(2), 1 + tree.root.branches.len());
    assert_eq!(lines(9) as u64, Summary::of(&tree.root).nodes);
    let leaf = tree.list(&turns(&["1122=0,0"]), 1).unwrap().to_string();
    assert!(leaf.starts_with("3345  256 codes"), "{leaf}");
}
