//! Strategy trees: a guess for every position that can arise.

pub mod best;
mod bounds;
mod build;
mod diff;
pub mod exact;
mod file;
pub mod formats;
#[cfg(feature = "files")]
mod journal;
mod part;
mod place;
mod player;
#[cfg(test)]
mod samples;
mod shape;
mod shipped;
mod show;
mod stats;
mod summary;
mod traversal;
mod verify;

pub use build::{BuildError, Builder};
pub use diff::{Diff, Difference, OtherRules, Side, diff};
pub use file::{BodyFault, Claim, FileError, MAGIC, TreeFile, VERSION};
#[cfg(feature = "files")]
pub use journal::{Journal, JournalError};
pub use part::JoinError;
pub use place::Place;
pub use player::TreePlayer;
pub use shape::{Fault, MAX_DEPTH, ShapeError};
pub(crate) use shipped::ROWS;
pub use shipped::shipped;
pub use show::{PathError, Row, Shown};
pub use stats::Stats;
pub use summary::Summary;
pub use traversal::{Step, Traversal};
pub use verify::{Verdict, VerifyError, verify, verify_part, verify_tree};

use pegwise_game::{Code, Feedback, FeedbackKind, Rules};

/// A whole strategy: the guess to play first, and after every feedback the strategy for what is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The rules it plays.
    pub rules: Rules,
    /// The position before the first guess.
    pub root: Node,
}

/// A position: the guess to play, and what follows each feedback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The guess.
    pub guess: Code,
    /// Whether the guess can be the code. The winning feedback has no branch.
    pub wins: bool,
    /// What follows each other feedback, ordered by feedback.
    pub branches: Vec<Branch>,
}

/// What follows a feedback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The feedback.
    pub feedback: Feedback,
    /// The position after it.
    pub node: Node,
}

/// Why rules have no trees, or none that can be searched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Untold {
    /// The feedback leaves codes alike.
    #[error("{feedback} feedback does not tell all codes apart, and a tree finds every one of them")]
    Alike {
        /// The kind of feedback.
        feedback: FeedbackKind,
    },
    /// What is left after a turn is not told by the turn alone.
    #[error(
        "{rules} has answers that may be lies: trees of strategies can be built for it, and better ones not looked for"
    )]
    Lies {
        /// The rules.
        rules: String,
    },
}

impl Untold {
    /// Refuses rules whose codes are not all told apart.
    pub(crate) fn check(rules: &Rules) -> Result<(), Self> {
        let feedback = rules.feedback();
        if feedback.terms().identifies() { Ok(()) } else { Err(Self::Alike { feedback }) }
    }

    /// Refuses rules under which a position is more than its codes, too.
    pub(crate) fn check_search(rules: &Rules) -> Result<(), Self> {
        Self::check(rules)?;
        if rules.lies() == 0 { Ok(()) } else { Err(Self::Lies { rules: rules.to_string() }) }
    }
}

impl Tree {
    /// What the strategy achieves over all codes.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats::of(&self.root)
    }
}

impl Node {
    /// A position with one code left.
    #[must_use]
    pub fn leaf(guess: Code) -> Self {
        Self { guess, wins: true, branches: Vec::new() }
    }

    /// The position after a feedback.
    #[must_use]
    pub fn after(&self, feedback: &Feedback) -> Option<&Self> {
        let at = self.branches.binary_search_by(|branch| branch.feedback.cmp(feedback)).ok()?;
        Some(&self.branches[at].node)
    }
}
