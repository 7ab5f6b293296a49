//! Writing a tree file.

use std::{
    collections::{BTreeSet, HashMap},
    io::Write,
};

use pegwise_game::{Feedback, Rules, Space};

use super::{
    BodyFault, FileError, Header, MAGIC, MOST_HEADER, TreeFile, VERSION, codes, compression::compress, most_nodes,
    rank_bytes,
};
use crate::tree::{Node, Step, Traversal};

impl TreeFile {
    /// Writes the bytes of a tree file.
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
        let length = u32::try_from(header.len()).ok().filter(|&length| length <= MOST_HEADER);
        let length = length.ok_or(FileError::TooLong {
            part: "header",
            bytes: header.len() as u64,
            most: MOST_HEADER.into(),
        })?;
        // The best that zstd does without unusual memory; for trees of very many positions that would take longer than some
        // take to build.
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

/// A compressed body: the positions of a tree, or of a part of one.
pub(in crate::tree) fn pack(rules: &Rules, root: &Node, level: i32) -> Result<Vec<u8>, FileError> {
    Ok(compress(&body(rules, codes(rules)?, root)?, level)?)
}

/// The columns of the body. Numbers of a kind stand together, which compresses better than position by position.
fn body(rules: &Rules, codes: u64, root: &Node) -> Result<Vec<u8>, FileError> {
    let mut body = Vec::new();
    let numbers = list_feedbacks(rules, root, &mut body)?;
    let space = Space::new(rules);
    let (mut heads, mut gaps, mut ranks) = (Vec::new(), Vec::new(), Vec::new());
    // The least number that the next branch of each open position may have.
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
        // The shape was checked, so every guess has a rank, and it is below the number of codes.
        ranks.push(space.rank(&node.guess).unwrap_or_default() as u32);
    }
    if ranks.len() as u64 > most_nodes(rules, codes) {
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

/// Writes the feedbacks that occur, and tells the number of each.
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

/// Seven bits a byte, the lowest first; the high bit says that more follow.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
