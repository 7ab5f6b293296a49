//! Replay of tree files; `docs/tree-format.md` specifies them.

use std::{collections::VecDeque, io::Read as _};

use ruzstd::decoding::StreamingDecoder;

use crate::{board::Board, format::take};

/// First bytes of a tree file, version 1.
pub const MAGIC: [u8; 10] = *b"PEGTREE\0\x01\0";
/// Maximum size of the uncompressed body, in bytes.
const MAX_BODY: u64 = 1 << 26;
/// Maximum depth of a tree, in guesses.
const MAX_DEPTH: u64 = 1024;

/// Returns the uncompressed body of a tree file and the rules that its header names.
fn body(bytes: &[u8]) -> Option<(Vec<u8>, &str)> {
    let (&length, rest) = bytes.strip_prefix(&MAGIC)?.split_first_chunk()?;
    let (header, rest) = rest.split_at_checked(u32::from_le_bytes(length) as usize)?;
    let (&length, rest) = rest.split_first_chunk()?;
    let compressed = rest.get(..usize::try_from(u64::from_le_bytes(length)).ok()?)?;
    let decoder = StreamingDecoder::new_with_max_window_size(compressed, 1 << 23).ok()?;
    let mut body = Vec::new();
    decoder.take(MAX_BODY).read_to_end(&mut body).ok()?;
    let (_, rules) = str::from_utf8(header).ok()?.split_once("\"rules\":\"")?;
    Some((body, rules.split('"').next()?))
}

/// Replays a tree over all codes, and returns its total and the ranks of its guesses in preorder.
pub fn replay(board: &Board, bytes: &[u8]) -> Result<(u64, Vec<u64>), String> {
    let (body, rules) = body(bytes).ok_or("the tree file is damaged")?;
    if rules != board.rules {
        return Err(format!("the tree is for {rules}, the certificate for {}", board.rules));
    }
    let body = &mut body.as_slice();
    let mut feedbacks = Vec::new();
    for _ in 0..take(body)? {
        feedbacks.push((take(body)?, if board.black_only { 0 } else { take(body)? }));
    }
    let positions = take(body)? as usize;
    let heads = (0..positions).map(|_| take(body)).collect::<Result<_, _>>()?;
    let gaps = (1..positions).map(|_| take(body)).collect::<Result<_, _>>()?;
    let width = if board.codes.len() > 256 { 2 } else { 1 };
    if body.len() != width * positions {
        return Err("the guesses of the tree have a wrong length".to_owned());
    }
    let rank = |at: usize| (0..width).map(|byte| u64::from(body[byte * positions + at]) << (8 * byte)).sum();
    let guesses: Vec<u64> = (0..positions).map(rank).collect();
    let mut replay = Replay { board, feedbacks, heads, gaps, guesses: guesses.clone().into() };
    let total = replay.visit(&(0..board.codes.len() as u16).collect::<Vec<u16>>(), 1)?;
    if replay.guesses.is_empty() {
        Ok((total, guesses))
    } else {
        Err("positions follow the end of the tree".to_owned())
    }
}

/// Columns of a tree file for the positions that have not been visited.
struct Replay<'a> {
    board: &'a Board,
    feedbacks: Vec<(u64, u64)>,
    heads: VecDeque<u64>,
    gaps: VecDeque<u64>,
    guesses: VecDeque<u64>,
}

impl Replay<'_> {
    /// Visits a position and all below it, and returns its total, counted from the first guess of the game.
    fn visit(&mut self, set: &[u16], depth: u64) -> Result<u64, String> {
        let (board, left) = (self.board, self.guesses.len());
        let fault = |what: &str| format!("{left} positions before its end, the tree {what}");
        let guess =
            self.guesses.pop_front().and_then(|rank| board.at_rank(rank)).ok_or_else(|| fault("has no guess"))?;
        let mut parts = board.split(guess, set);
        let wins = parts.pop().map_or(0, |won| won.len() as u64);
        let branches = parts.iter().filter(|part| !part.is_empty()).count() as u64;
        if depth > MAX_DEPTH || self.heads.pop_front() != Some(2 * branches + wins) {
            return Err(fault("is too deep, or its branches do not match the feedbacks of its guess"));
        }
        let (mut total, mut listed) = (wins * depth, 0);
        for (part, mark) in parts.iter().zip(&board.marks).filter(|(part, _)| !part.is_empty()) {
            let index = self.gaps.pop_front().and_then(|gap| usize::try_from(gap).ok()?.checked_add(listed));
            if index.and_then(|index| self.feedbacks.get(index)) != Some(mark) {
                return Err(fault("has branches that do not match the feedbacks of its guess"));
            }
            listed = index.map_or(0, |index| index + 1);
            total += self.visit(part, depth + 1)?;
        }
        Ok(total)
    }
}
