//! Strategy trees: a guess for every position that can arise.

pub mod beam;
mod bounds;
mod build;
mod diff;
pub mod exact;
mod file;
pub mod formats;
#[cfg(feature = "files")]
mod journal;
mod node;
mod part;
mod path;
mod player;
#[cfg(test)]
mod samples;
mod show;
mod verify;

pub use crate::shipped::shipped;
pub use build::{BuildError, Builder};
pub use diff::{Diff, Difference, OtherRules, Side, diff};
pub use file::{BodyFault, Claim, FileError, MAGIC, TreeFile, VERSION};
#[cfg(feature = "files")]
pub use journal::{Journal, JournalError};
pub use node::{Branch, Fault, MAX_DEPTH, Node, ShapeError, Stats, Step, Summary, Traversal, Tree, UnsupportedRules};
pub use part::{JoinError, join};
pub use path::TreePath;
pub use player::TreePlayer;
pub use show::{FeedbackRow, PathError, PositionReport};
pub use verify::{Verdict, VerifyError, verify, verify_part, verify_tree};
