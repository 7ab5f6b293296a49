//! Strategy trees: building, proving, improving, storing and verifying them.
//!
//! A [`Tree`] has a guess for every position that can arise. [`Builder`] builds the tree of a strategy, [`exact`] proves
//! optimal trees by branch and bound, [`beam`] improves trees that are too large for a proof, [`TreeFile`] stores them and
//! [`verify`] replays them.
//!
//! ```
//! use pegwise_game::Rules;
//! use pegwise_search::Watch;
//! use pegwise_trees::exact::{self, Options};
//! let rules: Rules = "4x6".parse()?;
//! let report = exact::solve(&rules, &Options::default(), Watch::default(), |_| ())?;
//! assert!(report.proven);
//! assert_eq!(report.tree.stats().total, 5625);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod beam;
mod bounds;
mod build;
mod certificate;
mod diff;
pub mod exact;
mod file;
pub mod formats;
#[cfg(feature = "files")]
mod journal;
#[cfg(feature = "files")]
mod output;
mod part;
mod player;
#[cfg(test)]
mod samples;
mod verify;

pub use build::{BuildError, Builder};
pub use certificate::{Certificate, CertificateError, certificate_bytes, certify, check_certifiable};
pub use diff::{Diff, Difference, OtherRules, Side, diff};
pub use file::{BodyFault, Claim, FileError, MAGIC, TreeFile, VERSION};
#[cfg(feature = "files")]
pub use journal::{Journal, JournalError};
#[cfg(feature = "files")]
pub use output::{check_output, write_output};
pub use part::{JoinError, join};
pub use player::TreePlayer;
pub use verify::{Verdict, VerifyError, verify, verify_list, verify_part, verify_tree};

pub use pegwise_search::tree::{
    Branch, Fault, FeedbackRow, MAX_DEPTH, Node, PathError, PositionReport, ShapeError, Stats, Step, Summary,
    Traversal, Tree, TreePath, UnsupportedRules,
};
