//! What every tree must be before anyone asks which codes it plays.

use pegwise_game::{CodeErrorReason, Feedback};

use super::{Place, Step, Traversal, Tree};

/// The deepest tree that is read, written or verified: some times what it takes to ask after the 255 colors of a table one
/// by one, and little enough for any stack.
pub const MAX_DEPTH: usize = 1024;

/// Something that no tree may have, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct ShapeError {
    /// The position.
    pub place: Place,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with a position whatever the codes are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The guess is not a code of the rules.
    #[error("the guess is not a code of these rules: {0}")]
    Guess(CodeErrorReason),
    /// The winning feedback has a branch.
    #[error("the winning feedback has a branch, though the game is over")]
    BranchAfterWin,
    /// A feedback has two branches, or they are not in order.
    #[error("the branch of {0} is there twice, or out of order")]
    Order(Feedback),
    /// The guess neither wins nor goes on.
    #[error("the guess cannot be the code, and no branch follows it")]
    DeadEnd,
    /// More guesses than any tree needs.
    #[error("the tree is deeper than {MAX_DEPTH} guesses")]
    TooDeep,
}

impl Tree {
    /// Whether every guess is a code of the rules, branches are in order, and nothing ends without a win. Which codes are
    /// played is for [`super::verify`] to say.
    pub fn check_shape(&self) -> Result<(), ShapeError> {
        let winning = Feedback::winning(&self.rules);
        let mut walk = Traversal::new(&self.root);
        while let Some(step) = walk.next() {
            let Step::Enter { node, .. } = step else { continue };
            let unordered = node.branches.windows(2).find(|pair| pair[0].feedback >= pair[1].feedback);
            let fault = if walk.depth() > MAX_DEPTH {
                Fault::TooDeep
            } else if let Err(reason) = self.rules.check_code(&node.guess) {
                Fault::Guess(reason)
            } else if !node.wins && node.branches.is_empty() {
                Fault::DeadEnd
            } else if let Some(pair) = unordered {
                Fault::Order(pair[1].feedback.clone())
            } else if node.branches.iter().any(|branch| branch.feedback == winning) {
                Fault::BranchAfterWin
            } else {
                continue;
            };
            return Err(ShapeError { place: Place::new(&self.rules, walk.turns()), fault });
        }
        Ok(())
    }
}
