//! Reading a tree file. Nothing in the bytes is believed: lengths are bounded before memory is taken, and the tree is put
//! together without recursion.

use std::io::{self, Read};

use pegwise_game::{Code, Color, Feedback, Rules, Space};

use super::{
    BodyFault, FileError, Header, MAGIC, MOST_BODY, MOST_HEADER, TreeFile, VERSION, codes, compression::Expanded,
    most_nodes, rank_bytes,
};
use crate::tree::{MAX_DEPTH, Node, Tree, traversal::Assembly};

impl TreeFile {
    /// Reads the bytes of a tree file, up to their end. It reads them in large pieces, so no buffer is needed around them.
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
        let header = input.part("header", length.into(), MOST_HEADER.into())?;
        let length = u64::from_le_bytes(input.array()?);
        let body = input.part("body", length, MOST_BODY)?;
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

/// The positions of a compressed body.
pub(in crate::tree) fn unpack(rules: &Rules, body: &[u8]) -> Result<Node, FileError> {
    let mut body = Body::new(rules, body)?;
    body.tree().map_err(|fault| FileError::Body { node: body.nodes, fault })
}

/// Bytes and their checksum so far.
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

    /// As many bytes as claimed. Memory grows with the bytes that are there, not with the claim.
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

/// The positions on their way out of the compressed body.
struct Body<'a> {
    rules: &'a Rules,
    input: Expanded<'a>,
    codes: u64,
    /// Positions begun.
    nodes: u64,
}

/// What the body says of all positions, parents before children.
struct Columns {
    /// Twice the number of branches, and one more where the guess can win.
    heads: Vec<u64>,
    /// For each position but the first, how many feedbacks its branch skips after the one before.
    gaps: Vec<u64>,
    /// Numbers of the guesses in the space.
    ranks: Vec<u32>,
}

/// An open position: how many branches are still to come, and the least number of the next one.
struct Open {
    left: u64,
    least: u64,
}

impl<'a> Body<'a> {
    fn new(rules: &'a Rules, bytes: &'a [u8]) -> Result<Self, FileError> {
        let fault = |error: io::Error| FileError::Body { node: 0, fault: BodyFault::NotCompressed(error.to_string()) };
        Ok(Self { rules, input: Expanded::new(bytes).map_err(fault)?, codes: codes(rules)?, nodes: 0 })
    }

    fn tree(&mut self) -> Result<Node, BodyFault> {
        let feedbacks = self.feedbacks()?;
        let Columns { heads, gaps, ranks } = self.columns()?;
        let codes = Codes { space: Space::new(self.rules), rules: self.rules, count: self.codes };
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
            // All branches together are as many as the positions, so the memory is bounded too.
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
        // Collecting results grows with what is read, not with what is claimed.
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

    /// The list of feedbacks that occur, ascending.
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

    /// Whether a tree of these rules can have so many positions.
    fn check_size(&self, nodes: u64) -> Result<(), BodyFault> {
        if nodes > most_nodes(self.rules, self.codes) { Err(BodyFault::TooLarge) } else { Ok(()) }
    }

    /// The numbers of a feedback: the rules know which of those can be.
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

/// Codes by their number in the space.
struct Codes<'a> {
    rules: &'a Rules,
    space: Space,
    count: u64,
}

impl Codes<'_> {
    fn code(&self, rank: u32) -> Option<Code> {
        if u64::from(rank) >= self.count {
            return None;
        }
        if !self.rules.repeats() {
            return self.space.unrank(rank.into());
        }
        // With repeats the rank is a number whose digits are the colors: much quicker than the general way.
        let mut colors = vec![Color::new(0); self.rules.cells()];
        let mut rest = rank;
        for color in colors.iter_mut().rev() {
            *color = Color::new((rest % u32::from(self.rules.colors())) as u16);
            rest /= u32::from(self.rules.colors());
        }
        Some(Code::new(colors))
    }
}

/// The numbers of a feedback as people write them.
fn text(numbers: &[Vec<u64>]) -> String {
    let mark = |numbers: &Vec<u64>| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    numbers.iter().map(mark).collect::<Vec<_>>().join("/")
}
