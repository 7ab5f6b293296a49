//! Parts of a tree: which to work on, and where the work on one begins.

use pegwise_game::{Code, Rules, Table, Turn, partition::Partitioner};

use super::{BestError, improve::Improver, kinds, values::Values};
use crate::{
    one_step::Pools,
    search::Watch,
    tree::{Branch, Place, Tree},
};

/// A part of a tree that loses much.
#[derive(Debug, Clone, PartialEq)]
pub struct Losing {
    /// Its position.
    pub place: Place,
    /// Guesses above what sets of as many codes usually take in this tree, summed over the codes of the position.
    pub loss: f64,
}

/// At most so many parts of a tree, as large as possible and none of them inside another; those first that lose most against
/// what sets of their size usually take. Parts that are small enough to be solved in no time are left out.
pub fn losing_parts(tree: &Tree, most: usize) -> Result<Vec<Losing>, BestError> {
    let rules = &tree.rules;
    let kinds = kinds(rules)?;
    let all = Table::all(rules)?;
    let base = Base::after(rules, &all, tree.place().turns())?;
    let (values, pools) = (Values::expected(kinds, all.len()), Pools::new(rules));
    let mut improver = Improver::new(rules, &pools, None, Watch::default(), &base, &values, tree.root.clone());
    let parts = improver.losing(most).into_iter().map(|(branches, loss)| {
        let (mut node, mut turns) = (&tree.root, Vec::with_capacity(branches.len()));
        for branch in branches {
            let Branch { feedback, node: below } = &node.branches[branch];
            turns.push(Turn { guess: node.guess.clone(), feedback: feedback.clone() });
            node = below;
        }
        Losing { place: Place::new(rules, turns), loss }
    });
    Ok(parts.collect())
}

/// Where the work begins: the start of the game, or the position of a part.
pub(super) struct Base {
    /// The codes there.
    pub(super) codes: Table,
    /// The guesses that lead there.
    pub(super) played: Vec<Code>,
}

impl Base {
    /// The position after these turns.
    pub(super) fn after(rules: &Rules, all: &Table, turns: &[Turn]) -> Result<Self, BestError> {
        let mut base = Self { codes: all.clone(), played: Vec::with_capacity(turns.len()) };
        let mut partitioner = Partitioner::new(rules);
        for Turn { guess, feedback } in turns {
            let parts = partitioner.split(guess, &base.codes);
            let part = parts.iter().find(|part| part.feedback == *feedback);
            let part = part.ok_or_else(|| BestError::NoCodes { place: Place::new(rules, turns.to_vec()) })?;
            base.codes = base.codes.select(&part.rows);
            base.played.push(guess.clone());
        }
        Ok(base)
    }
}
