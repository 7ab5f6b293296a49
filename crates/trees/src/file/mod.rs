//! Tree files: versioned, compact, and with a checksum.
//!
//! A file consists of a magic number, a version, a readable JSON header, the positions in a compressed body, and a
//! checksum; see `docs/tree-format.md`. Nothing in a file is trusted: lengths are bounded before memory is allocated, a
//! file may have no more positions than a tree of its rules can have, and the tree is assembled without recursion.
//!
//! Zstandard frames are read in pure Rust, so that trees can be read wherever this crate builds. Writing uses the C
//! library with the feature `files`, and otherwise an encoder in Rust that makes larger files.

use std::{
    collections::{BTreeSet, HashMap},
    io::{self, BufReader, Read, Write},
};
#[cfg(feature = "files")]
use std::{fs, path::Path};

use pegwise_game::{Code, Color, Feedback, Rules, Space, Table, TableError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use serde::{Deserialize, Serialize};

use pegwise_search::tree::Assembly;

use super::{MAX_DEPTH, Node, ShapeError, Step, Summary, Traversal, Tree};

/// Magic number of tree files.
pub const MAGIC: [u8; 8] = *b"PEGTREE\0";
/// Version of tree files that is written, and the only one that is read.
pub const VERSION: u16 = 1;

/// Maximum length of the header, in bytes: rules that list their lines can be long.
const MAX_HEADER: u32 = 1 << 20;
/// Maximum length of the compressed body, in bytes: several times that of the largest tree.
const MAX_BODY: u64 = 1 << 30;
/// Maximum number of marks in all branches, which bounds the memory of boards with many lines.
const MAX_MARKS: u64 = 1 << 28;

/// Contents of a tree file: a tree, and claims about it.
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
    /// Origin of the tree: a strategy such as `knuth`, an objective, or a program.
    pub made_by: String,
    /// Claim that no better tree exists.
    pub proven: bool,
    /// Claimed lower bound on the total of trees of this kind.
    pub lower_bound: Option<u64>,
    /// Claimed results of the tree.
    pub claim: Claim,
}

/// Claimed results of a tree, which [`super::verify`] checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Number of codes found.
    pub codes: u64,
    /// Guesses until the code is played, summed over all codes.
    pub total: u64,
    /// Maximum number of guesses per code.
    pub max: u32,
    /// True if the secrets are a list, the codes that the tree finds, instead of all codes of the rules.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub listed: bool,
}

/// Error when reading or writing a tree file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The magic number is wrong.
    #[error("this is not a tree file")]
    NotATree,
    /// The version is not supported.
    #[error("the tree file has version {found}, but this program reads version {VERSION}")]
    Version {
        /// Version of the file.
        found: u16,
    },
    /// The file ends too early.
    #[error("the tree file is truncated")]
    Truncated,
    /// Bytes follow the end of the file.
    #[error("bytes follow the end of the tree file")]
    TrailingBytes,
    /// A length is larger than any tree needs.
    #[error("the tree file is damaged: its {part} claims {bytes} bytes; the maximum is {most}")]
    TooLong {
        /// Header or body.
        part: &'static str,
        /// Length in the file.
        bytes: u64,
        /// Maximum length.
        most: u64,
    },
    /// The checksum is wrong.
    #[error("the tree file is damaged: its checksum is {found:08x} instead of {computed:08x}")]
    Checksum {
        /// Checksum in the file.
        found: u32,
        /// Checksum of the bytes.
        computed: u32,
    },
    /// The header is malformed.
    #[error("the header of the tree file is wrong: {0}")]
    Header(String),
    /// The space is too large for a whole tree.
    #[error("{rules} has {codes} codes; a tree can have at most {}", Table::MAX_CODES)]
    TooManyCodes {
        /// Rules of the tree.
        rules: String,
        /// Number of codes, as text.
        codes: String,
    },
    /// The body is malformed.
    #[error("{} of the tree file is wrong: {fault}", part(*node))]
    Body {
        /// Number of the position in the file, from one; zero if the fault is not in a single position.
        node: u64,
        /// Kind of fault.
        fault: BodyFault,
    },
    /// The tree to write is malformed.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A feedback of the tree to write does not belong to the rules.
    #[error("{feedback} is not a feedback of {rules}")]
    Feedback {
        /// The feedback.
        feedback: String,
        /// Rules of the tree.
        rules: String,
    },
}

/// Fault in the body of a tree file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyFault {
    /// The positions end too early.
    #[error("the data ends too early")]
    Ends,
    /// The compressed data is malformed.
    #[error("it cannot be decompressed: {0}")]
    NotCompressed(String),
    /// A number has more than 64 bits.
    #[error("a number is too long")]
    Number,
    /// The list of feedbacks is not ascending, or contains an impossible one.
    #[error("'{0}' is not valid in the list of feedbacks")]
    Listed(String),
    /// A branch has a feedback that is not in the list.
    #[error("a branch has feedback {0}, which is past the end of the list")]
    Feedback(u64),
    /// A guess is past the end of the space.
    #[error("guess {0} is past the last code")]
    Guess(u32),
    /// A guess neither wins nor has branches.
    #[error("the guess cannot be the code, and no branch follows it")]
    DeadEnd,
    /// There are more positions than a tree of these rules can have.
    #[error("there are more positions than a tree of these rules can have")]
    TooLarge,
    /// The tree is deeper than [`super::MAX_DEPTH`].
    #[error("the tree is deeper than {} guesses", super::MAX_DEPTH)]
    TooDeep,
    /// The numbers of branches and positions differ.
    #[error("there are {branches} branches for {nodes} positions other than the first")]
    Count {
        /// Number of branches.
        branches: u64,
        /// Number of positions other than the root.
        nodes: u64,
    },
    /// Data follows the last position.
    #[error("data follows the last position")]
    Leftover,
}

fn part(node: u64) -> String {
    if node == 0 { "the body".to_owned() } else { format!("position {node}") }
}

/// JSON header. Unknown fields are ignored, so that later versions can add some.
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
    /// Creates a file with the results of the tree as its claim, and without a proof.
    #[must_use]
    pub fn new(tree: Tree, made_by: impl Into<String>) -> Self {
        let claim = Claim::of(&Summary::of(&tree.root));
        Self { tree, made_by: made_by.into(), proven: false, lower_bound: None, claim }
    }

    /// Marks the tree as one for a list of secrets, the codes that it finds.
    #[must_use]
    pub fn of_list(mut self) -> Self {
        self.claim.listed = true;
        self
    }

    /// Returns the codes that the tree has to find.
    pub fn secrets(&self) -> Result<Table, TableError> {
        let rules = &self.tree.rules;
        if !self.claim.listed {
            return Table::all(rules);
        }
        let found: BTreeSet<&Code> = Traversal::new(&self.tree.root)
            .filter_map(|step| match step {
                Step::Enter { node, .. } if node.wins => Some(&node.guess),
                _ => None,
            })
            .collect();
        Table::from_codes(rules, found)
    }

    /// Sets the claims about better trees.
    #[must_use]
    pub fn with_proof(mut self, proven: bool, lower_bound: Option<u64>) -> Self {
        self.proven = proven;
        self.lower_bound = lower_bound;
        self
    }
}

impl Claim {
    /// Returns the claim of a summary.
    #[must_use]
    pub fn of(summary: &Summary) -> Self {
        Self { codes: summary.codes, total: summary.total, max: summary.max, listed: false }
    }
}

/// Returns the number of codes of the rules, if a whole tree can hold them.
fn codes(rules: &Rules) -> Result<u64, FileError> {
    let count = Space::new(rules).count();
    let codes = count.exact().and_then(|codes| u64::try_from(codes).ok()).filter(|&codes| codes <= Table::MAX_CODES);
    codes.ok_or_else(|| FileError::TooManyCodes { rules: rules.to_string(), codes: count.to_string() })
}

/// Returns the number of bytes of a rank.
fn rank_bytes(codes: u64) -> usize {
    let bits = u64::BITS - codes.saturating_sub(1).leading_zeros();
    bits.div_ceil(8).max(1) as usize
}

/// Returns the maximum number of positions of a tree: each code is played at one of them, and a guess that cannot win
/// splits at least two codes. Lower on boards with many lines, since every branch has a mark per line.
fn max_nodes(rules: &Rules, codes: u64) -> u64 {
    // With lies, a code is played once per game.
    let most = if rules.lies() > 0 { u64::MAX } else { 2 * codes };
    most.min(MAX_MARKS / rules.board().line_count() as u64)
}

impl TreeFile {
    /// Reads a tree file up to the end of the input, in large pieces, so that the input needs no buffer.
    pub fn read(input: impl Read) -> Result<Self, FileError> {
        let mut input = Summed { input, sum: crc32fast::Hasher::new() };
        let magic: [u8; 8] = input.array().map_err(|error| match error {
            FileError::Truncated => FileError::NotATree,
            other => other,
        })?;
        if magic != MAGIC {
            return Err(FileError::NotATree);
        }
        let version = u16::from_le_bytes(input.array()?);
        if version != VERSION {
            return Err(FileError::Version { found: version });
        }
        let length = u32::from_le_bytes(input.array()?);
        let header = input.part("header", length.into(), MAX_HEADER.into())?;
        let length = u64::from_le_bytes(input.array()?);
        let body = input.part("body", length, MAX_BODY)?;
        let computed = input.sum.clone().finalize();
        let found = u32::from_le_bytes(input.array()?);
        if found != computed {
            return Err(FileError::Checksum { found, computed });
        }
        if input.input.read(&mut [0])? > 0 {
            return Err(FileError::TrailingBytes);
        }
        let header: Header = serde_json::from_slice(&header).map_err(|error| FileError::Header(error.to_string()))?;
        let Header { rules, made_by, claim, proven, lower_bound } = header;
        let root = unpack(&rules, &body)?;
        Ok(Self { tree: Tree { rules, root }, made_by, proven, lower_bound, claim })
    }
}

/// Decodes the positions of a compressed body.
pub(super) fn unpack(rules: &Rules, body: &[u8]) -> Result<Node, FileError> {
    let mut body = Body::new(rules, body)?;
    body.tree().map_err(|fault| FileError::Body { node: body.nodes, fault })
}

/// Input with a running checksum.
struct Summed<R> {
    input: R,
    sum: crc32fast::Hasher,
}

impl<R: Read> Summed<R> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => FileError::Truncated,
            _ => error.into(),
        })?;
        self.sum.update(&bytes);
        Ok(bytes)
    }

    /// Reads a section of `bytes` bytes. Memory grows with the bytes that exist, not with the claimed length.
    fn part(&mut self, part: &'static str, bytes: u64, most: u64) -> Result<Vec<u8>, FileError> {
        if bytes > most {
            return Err(FileError::TooLong { part, bytes, most });
        }
        let mut found = Vec::new();
        self.input.by_ref().take(bytes).read_to_end(&mut found)?;
        if (found.len() as u64) < bytes {
            return Err(FileError::Truncated);
        }
        self.sum.update(&found);
        Ok(found)
    }
}

/// Decoder of the positions.
struct Body<'a> {
    rules: &'a Rules,
    input: Decompressor<'a>,
    codes: u64,
    /// Number of positions decoded.
    nodes: u64,
}

/// Columns of the body, parents before children.
struct Columns {
    /// Twice the number of branches, plus one if the guess can win.
    heads: Vec<u64>,
    /// For each position but the root, the number of feedbacks between its branch and the previous one.
    gaps: Vec<u64>,
    /// Ranks of the guesses.
    ranks: Vec<u32>,
}

/// Open position: the number of branches to come, and the least feedback number of the next one.
struct Open {
    left: u64,
    least: u64,
}

impl<'a> Body<'a> {
    fn new(rules: &'a Rules, bytes: &'a [u8]) -> Result<Self, FileError> {
        let fault = |error: io::Error| FileError::Body { node: 0, fault: BodyFault::NotCompressed(error.to_string()) };
        Ok(Self { rules, input: Decompressor::new(bytes).map_err(fault)?, codes: codes(rules)?, nodes: 0 })
    }

    fn tree(&mut self) -> Result<Node, BodyFault> {
        let feedbacks = self.feedbacks()?;
        let Columns { heads, gaps, ranks } = self.columns()?;
        let codes = RankedCodes { space: Space::new(self.rules), rules: self.rules, count: self.codes };
        let mut gaps = gaps.into_iter();
        let mut assembly = Assembly::default();
        let mut open: Vec<Open> = Vec::new();
        let mut feedback = None;
        for (head, rank) in heads.into_iter().zip(ranks) {
            self.nodes += 1;
            if open.len() == MAX_DEPTH {
                return Err(BodyFault::TooDeep);
            }
            let (left, wins) = (head >> 1, head & 1 == 1);
            if left == 0 && !wins {
                return Err(BodyFault::DeadEnd);
            }
            let guess = codes.code(rank).ok_or(BodyFault::Guess(rank))?;
            // The branches of all positions together are as many as the positions, so memory is bounded.
            assembly.enter(feedback.take(), Node { guess, wins, branches: Vec::with_capacity(left as usize) });
            open.push(Open { left, least: 0 });
            while open.last().is_some_and(|open| open.left == 0) {
                open.pop();
                if let Some(root) = assembly.leave() {
                    return if gaps.len() == 0 { Ok(root) } else { Err(BodyFault::Leftover) };
                }
            }
            let (Some(parent), Some(gap)) = (open.last_mut(), gaps.next()) else { break };
            let number = parent.least.saturating_add(gap);
            let found = usize::try_from(number).ok().and_then(|index| feedbacks.get(index));
            feedback = Some(found.ok_or(BodyFault::Feedback(number))?.clone());
            parent.left -= 1;
            parent.least = number + 1;
        }
        Err(BodyFault::Ends)
    }

    fn columns(&mut self) -> Result<Columns, BodyFault> {
        let nodes = self.number()?;
        self.check_size(nodes)?;
        // Memory grows with the data read, not with the claimed number.
        let heads = (0..nodes).map(|_| self.number()).collect::<Result<Vec<u64>, _>>()?;
        let branches = heads.iter().fold(0u64, |sum, head| sum.saturating_add(head >> 1));
        if branches.checked_add(1) != Some(nodes) {
            return Err(BodyFault::Count { branches, nodes: nodes.saturating_sub(1) });
        }
        let gaps = (1..nodes).map(|_| self.number()).collect::<Result<Vec<u64>, _>>()?;
        let mut ranks = vec![0u32; heads.len()];
        for byte in 0..rank_bytes(self.codes) {
            for rank in &mut ranks {
                *rank |= u32::from(self.byte()?.ok_or(BodyFault::Ends)?) << (8 * byte);
            }
        }
        let leftover = self.byte()?.is_some() || self.input.has_more();
        if leftover { Err(BodyFault::Leftover) } else { Ok(Columns { heads, gaps, ranks }) }
    }

    /// Reads the list of feedbacks, ascending.
    fn feedbacks(&mut self) -> Result<Vec<Feedback>, BodyFault> {
        let count = self.number()?;
        self.check_size(count)?;
        let winning = Feedback::winning(self.rules);
        let mut feedbacks: Vec<Feedback> = Vec::new();
        for _ in 0..count {
            let numbers = self.feedback_numbers()?;
            let ascends = |feedback: &Feedback| feedbacks.last().is_none_or(|last| last < feedback);
            let feedback = self.rules.feedback_from_numbers(&numbers).ok();
            let feedback = feedback.filter(|feedback| *feedback != winning && ascends(feedback));
            feedbacks.push(feedback.ok_or_else(|| BodyFault::Listed(text(&numbers)))?);
        }
        Ok(feedbacks)
    }

    /// Checks that a tree of these rules can have `nodes` positions.
    fn check_size(&self, nodes: u64) -> Result<(), BodyFault> {
        if nodes > max_nodes(self.rules, self.codes) { Err(BodyFault::TooLarge) } else { Ok(()) }
    }

    /// Reads the numbers of a feedback, without checking that it is possible.
    fn feedback_numbers(&mut self) -> Result<Vec<Vec<u64>>, BodyFault> {
        let model = self.rules.feedback().model();
        let arities: Vec<usize> = self.rules.board().lines().map(|line| model.arity(line.len())).collect();
        arities.into_iter().map(|arity| (0..arity).map(|_| self.number()).collect()).collect()
    }

    fn number(&mut self) -> Result<u64, BodyFault> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?.ok_or(BodyFault::Ends)?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(BodyFault::Number);
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(BodyFault::Number)
    }

    #[inline]
    fn byte(&mut self) -> Result<Option<u8>, BodyFault> {
        self.input.byte().map_err(|error| BodyFault::NotCompressed(error.to_string()))
    }
}

/// Conversion of ranks to codes.
struct RankedCodes<'a> {
    rules: &'a Rules,
    space: Space,
    count: u64,
}

impl RankedCodes<'_> {
    fn code(&self, rank: u32) -> Option<Code> {
        if u64::from(rank) >= self.count {
            return None;
        }
        if !self.rules.repeats() {
            return self.space.unrank(rank.into());
        }
        // With repeats, the digits of the rank are the colors: much faster than the general conversion.
        let mut colors = vec![Color::new(0); self.rules.cells()];
        let mut rest = rank;
        for color in colors.iter_mut().rev() {
            *color = Color::new((rest % u32::from(self.rules.colors())) as u16);
            rest /= u32::from(self.rules.colors());
        }
        Some(Code::new(colors))
    }
}

/// Formats the numbers of a feedback.
fn text(numbers: &[Vec<u64>]) -> String {
    let mark = |numbers: &Vec<u64>| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    numbers.iter().map(mark).collect::<Vec<_>>().join("/")
}

impl TreeFile {
    /// Writes a tree file.
    pub fn write(&self, mut out: impl Write) -> Result<(), FileError> {
        self.tree.check_shape()?;
        let header = Header {
            rules: self.tree.rules.clone(),
            made_by: self.made_by.clone(),
            claim: self.claim,
            proven: self.proven,
            lower_bound: self.lower_bound,
        };
        let header = serde_json::to_vec(&header).map_err(|error| FileError::Header(error.to_string()))?;
        let length = u32::try_from(header.len()).ok().filter(|&length| length <= MAX_HEADER);
        let length =
            length.ok_or(FileError::TooLong { part: "header", bytes: header.len() as u64, most: MAX_HEADER.into() })?;
        // The highest level of zstd without extra memory; for very large trees it would take longer than building some
        // of them.
        let level = if self.claim.codes < 1 << 18 { 19 } else { 3 };
        let body = pack(&self.tree.rules, &self.tree.root, level)?;
        let mut bytes = Vec::with_capacity(header.len() + body.len() + 32);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(length.to_le_bytes());
        bytes.extend(header);
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(body);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(out.write_all(&bytes)?)
    }
}

/// Encodes and compresses the positions of a tree, or of a part of one.
pub(super) fn pack(rules: &Rules, root: &Node, level: i32) -> Result<Vec<u8>, FileError> {
    Ok(compress(&body(rules, codes(rules)?, root)?, level)?)
}

/// Encodes the columns of the body. Columns compress better than position by position.
fn body(rules: &Rules, codes: u64, root: &Node) -> Result<Vec<u8>, FileError> {
    let mut body = Vec::new();
    let numbers = list_feedbacks(rules, root, &mut body)?;
    let space = Space::new(rules);
    let (mut heads, mut gaps, mut ranks) = (Vec::new(), Vec::new(), Vec::new());
    // The least feedback number of the next branch, for each open position.
    let mut least: Vec<u64> = Vec::new();
    for step in Traversal::new(root) {
        let Step::Enter { feedback, node, .. } = step else {
            least.pop();
            continue;
        };
        if let (Some(feedback), Some(least)) = (feedback, least.last_mut()) {
            let number = numbers[feedback];
            put(&mut gaps, number - *least);
            *least = number + 1;
        }
        least.push(0);
        put(&mut heads, (node.branches.len() as u64) << 1 | u64::from(node.wins));
        // The shape was checked, so every guess has a rank below the number of codes.
        ranks.push(space.rank(&node.guess).unwrap_or_default() as u32);
    }
    if ranks.len() as u64 > max_nodes(rules, codes) {
        return Err(FileError::Body { node: 0, fault: BodyFault::TooLarge });
    }
    put(&mut body, ranks.len() as u64);
    body.extend(heads);
    body.extend(gaps);
    for byte in 0..rank_bytes(codes) {
        body.extend(ranks.iter().map(|rank| rank.to_le_bytes()[byte]));
    }
    Ok(body)
}

/// Writes the list of feedbacks, and returns the number of each.
fn list_feedbacks<'a>(
    rules: &Rules,
    root: &'a Node,
    body: &mut Vec<u8>,
) -> Result<HashMap<&'a Feedback, u64>, FileError> {
    let feedbacks: BTreeSet<&Feedback> = Traversal::new(root)
        .filter_map(|step| match step {
            Step::Enter { feedback, .. } => feedback,
            Step::Leave { .. } => None,
        })
        .collect();
    put(body, feedbacks.len() as u64);
    for feedback in &feedbacks {
        let text = feedback.to_string();
        if rules.parse_feedback(&text).as_ref() != Ok(feedback) {
            return Err(FileError::Feedback { feedback: text, rules: rules.to_string() });
        }
        feedback.marks().iter().flat_map(|mark| mark.numbers()).for_each(|number| put(body, number));
    }
    Ok(feedbacks.into_iter().zip(0..).collect())
}

/// Writes a variable-length number: seven bits per byte, lowest first; the high bit marks that more follow.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Binary logarithm of the maximum window size.
const WINDOW_LOG: u32 = 23;

/// Decompressor of one frame.
struct Decompressor<'a>(BufReader<StreamingDecoder<&'a [u8], FrameDecoder>>);

impl<'a> Decompressor<'a> {
    /// Starts to decompress a frame. Memory is bounded by the maximum window size.
    fn new(bytes: &'a [u8]) -> io::Result<Self> {
        let decoder = StreamingDecoder::new_with_max_window_size(bytes, 1 << WINDOW_LOG).map_err(io::Error::other)?;
        Ok(Self(BufReader::with_capacity(1 << 16, decoder)))
    }

    /// Returns the next byte; `None` at the end of the frame.
    #[inline]
    fn byte(&mut self) -> io::Result<Option<u8>> {
        let mut byte = [0];
        match self.0.read_exact(&mut byte) {
            Ok(()) => Ok(Some(byte[0])),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns true if bytes follow the frame, after its end was reached.
    fn has_more(&self) -> bool {
        !self.0.get_ref().get_ref().is_empty()
    }
}

/// Compresses into one frame.
#[cfg(feature = "files")]
fn compress(bytes: &[u8], level: i32) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(level)?;
    // Shorter inputs get a smaller window by default.
    if bytes.len() > 1 << WINDOW_LOG {
        compressor.set_parameter(zstd::zstd_safe::CParameter::WindowLog(WINDOW_LOG))?;
    }
    compressor.compress(bytes)
}

/// Compresses into one frame; the encoder has one level.
#[cfg(not(feature = "files"))]
fn compress(bytes: &[u8], _level: i32) -> io::Result<Vec<u8>> {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    Ok(compress_to_vec(bytes, CompressionLevel::Fastest))
}

#[cfg(feature = "files")]
impl TreeFile {
    /// Reads a file from disk.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::read(BufReader::new(fs::File::open(path)?))
    }

    /// Writes a file to disk; a regular file appears completely or not at all.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileError> {
        super::write_output(path.as_ref(), |file| self.write(file))
    }
}

#[cfg(test)]
mod tests;
