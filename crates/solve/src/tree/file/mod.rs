//! Trees in files: versioned, compact, and with a checksum.
//!
//! A file is a magic word, a version, a JSON header that a person can read with a pager, the positions in a compressed
//! body, and a checksum over all of it; `docs/tree-format.md` gives every byte. Reading takes memory for the tree that
//! comes out and little more, whatever the bytes say: a file may hold no more positions than a tree of its rules can have.

mod compression;
mod read;
#[cfg(feature = "files")]
mod saved;
mod write;

#[cfg(feature = "files")]
pub(super) use read::unpack;
#[cfg(feature = "files")]
pub(super) use write::pack;

use std::io;

use pegwise_game::{Rules, Space, Table};
use serde::{Deserialize, Serialize};

use super::{ShapeError, Summary, Tree};

/// How every tree file begins.
pub const MAGIC: [u8; 8] = *b"PEGTREE\0";
/// The version that is written, and the only one that is read.
pub const VERSION: u16 = 1;

/// The longest header: rules that list their lines can be long.
const MOST_HEADER: u32 = 1 << 20;
/// The longest compressed body, some times what the largest tree needs.
const MOST_BODY: u64 = 1 << 30;
/// The most marks in all branches, which bounds the memory of boards with many lines.
const MOST_MARKS: u64 = 1 << 28;

/// A tree with what is claimed of it: what a tree file holds.
///
/// ```
/// use pegwise_game::Rules;
/// use pegwise_solve::{Watch, catalog, tree::{Builder, TreeFile, verify}};
/// let rules: Rules = "4x6".parse()?;
/// let knuth = catalog::strategy("knuth", &rules)?.position_strategy().unwrap();
/// let file = TreeFile::new(Builder::new(&rules, Watch::default()).build(&*knuth)?, "knuth");
/// let mut bytes = Vec::new();
/// file.write(&mut bytes)?;
/// let same = TreeFile::read(&bytes[..])?;
/// assert_eq!(same, file);
/// assert_eq!(verify(&same)?.total, 5801);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// The tree.
    pub tree: Tree,
    /// What made it: a strategy such as `knuth`, an objective, or a program.
    pub made_by: String,
    /// Whether no better tree exists, as claimed by what made it.
    pub proven: bool,
    /// A total that no tree of this kind can be below, where one is known.
    pub lower_bound: Option<u64>,
    /// What the tree is said to achieve.
    pub claim: Claim,
}

/// What a tree is said to achieve; [`super::verify`] checks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// How many codes are played.
    pub codes: u64,
    /// Guesses until the code is played, summed over all codes.
    pub total: u64,
    /// The most guesses any code needs.
    pub max: u32,
}

/// Why a tree file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The beginning is not that of a tree file.
    #[error("this is not a tree file")]
    NotATree,
    /// Another version.
    #[error("the tree file has version {found}, and this program reads version {VERSION}")]
    Version {
        /// The version of the file.
        found: u16,
    },
    /// It ends too early.
    #[error("the tree file is cut short")]
    Truncated,
    /// There is more than a tree file.
    #[error("something follows the end of the tree file")]
    TrailingBytes,
    /// A length that no tree needs.
    #[error("the tree file is damaged: its {part} claims {bytes} bytes, and {most} is the most")]
    TooLong {
        /// Header or body.
        part: &'static str,
        /// The length claimed.
        bytes: u64,
        /// The most there can be.
        most: u64,
    },
    /// The bytes are not those that were written.
    #[error("the tree file is damaged: its checksum is {found:08x}, and its bytes give {computed:08x}")]
    Checksum {
        /// What the file says.
        found: u32,
        /// What its bytes give.
        computed: u32,
    },
    /// The header is not what it should be.
    #[error("the header of the tree file is wrong: {0}")]
    Header(String),
    /// The space is too large for a whole tree.
    #[error("{rules} has {codes} codes, and a tree plays {} at most", Table::MAX_CODES)]
    TooManyCodes {
        /// The rules.
        rules: String,
        /// Codes of the space, as text.
        codes: String,
    },
    /// The body is not what it should be.
    #[error("{} of the tree file is wrong: {fault}", part(*node))]
    Body {
        /// Number of the position in the file, from one; zero where no single one is to blame.
        node: u64,
        /// What is wrong.
        fault: BodyFault,
    },
    /// The tree given is no tree.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A feedback of the tree given is none of the rules.
    #[error("{feedback} is not a feedback of {rules}")]
    Feedback {
        /// The feedback.
        feedback: String,
        /// The rules.
        rules: String,
    },
}

/// What is wrong in the body of a tree file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyFault {
    /// The positions end too early.
    #[error("nothing is left to read")]
    Ends,
    /// The compressed bytes cannot be expanded.
    #[error("it cannot be expanded: {0}")]
    NotCompressed(String),
    /// A number of more than 64 bits.
    #[error("a number is too long")]
    Number,
    /// A list of feedbacks that is not ascending, or with one that cannot be.
    #[error("'{0}' has no place in the list of feedbacks")]
    Listed(String),
    /// A branch with a feedback that is not listed.
    #[error("a branch has feedback {0} of the list, which is shorter")]
    Feedback(u64),
    /// A guess past the end of the space.
    #[error("guess {0} is past the last code")]
    Guess(u32),
    /// The guess neither wins nor goes on.
    #[error("the guess cannot be the code, and no branch follows it")]
    DeadEnd,
    /// More positions than a tree of these rules can have.
    #[error("there are more positions than a tree of these rules can have")]
    TooLarge,
    /// More guesses than any tree needs.
    #[error("the tree is deeper than {} guesses", super::MAX_DEPTH)]
    TooDeep,
    /// There are more or fewer branches than positions for them.
    #[error("{branches} branches lead to {nodes} positions beside the first")]
    Count {
        /// Branches in all.
        branches: u64,
        /// Positions they should lead to.
        nodes: u64,
    },
    /// There is more than the tree.
    #[error("something follows the last position")]
    Leftover,
}

fn part(node: u64) -> String {
    if node == 0 { "the body".to_owned() } else { format!("position {node}") }
}

/// The JSON header. Fields that are not known are passed over, so that later programs may add some.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    rules: Rules,
    made_by: String,
    #[serde(flatten)]
    claim: Claim,
    proven: bool,
    lower_bound: Option<u64>,
}

impl TreeFile {
    /// A tree, claimed to achieve what it achieves, and not proven to be the best.
    #[must_use]
    pub fn new(tree: Tree, made_by: impl Into<String>) -> Self {
        let claim = Claim::of(&Summary::of(&tree.root));
        Self { tree, made_by: made_by.into(), proven: false, lower_bound: None, claim }
    }

    /// The same with what is known about better trees.
    #[must_use]
    pub fn with_proof(mut self, proven: bool, lower_bound: Option<u64>) -> Self {
        self.proven = proven;
        self.lower_bound = lower_bound;
        self
    }
}

impl Claim {
    /// What a summary of the whole tree says.
    #[must_use]
    pub fn of(summary: &Summary) -> Self {
        Self { codes: summary.codes, total: summary.total, max: summary.max }
    }
}

/// How many codes the rules have, where a whole tree can play them.
fn codes(rules: &Rules) -> Result<u64, FileError> {
    let count = Space::new(rules).count();
    let codes = count.exact().and_then(|codes| u64::try_from(codes).ok()).filter(|&codes| codes <= Table::MAX_CODES);
    codes.ok_or_else(|| FileError::TooManyCodes { rules: rules.to_string(), codes: count.to_string() })
}

/// How many bytes hold the number of any code.
fn rank_bytes(codes: u64) -> usize {
    let bits = u64::BITS - codes.saturating_sub(1).leading_zeros();
    bits.div_ceil(8).max(1) as usize
}

/// The most positions of a tree: each code has one where it is played, and a guess that cannot be the code parts at least
/// two others. Boards with many lines have a lower limit, since every branch holds a mark for each.
fn most_nodes(rules: &Rules, codes: u64) -> u64 {
    // With lies, a code is played in as many places as there are games.
    let most = if rules.lies() > 0 { u64::MAX } else { 2 * codes };
    most.min(MOST_MARKS / rules.board().line_count() as u64)
}

#[cfg(test)]
mod tests;
