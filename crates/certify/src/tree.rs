//! Replay of tree files; `docs/tree-format.md` specifies them.

use std::io::Read as _;

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

/// Replays a tree over all codes, and returns its total.
pub fn replay(board: &Board, bytes: &[u8]) -> Result<u64, String> {
    replay_guesses(board, bytes).map(|(total, _)| total)
}

/// Replays a tree over all codes, and returns its total and the ranks of its guesses in preorder.
pub fn replay_guesses(board: &Board, bytes: &[u8]) -> Result<(u64, Vec<u64>), String> {
    let (body, rules) = body(bytes).ok_or("the tree file is damaged")?;
    if rules != board.to_string() {
        return Err(format!("the tree is for {rules}, the certificate for {board}"));
    }
    let body = &mut body.as_slice();
    let mut feedbacks = Vec::new();
    for _ in 0..take(body)? {
        let (black, white) = (take(body)?, if board.black_only { 0 } else { take(body)? });
        feedbacks.push(board.feedback(black, white).ok_or("the tree has an impossible feedback")?);
    }
    let positions = usize::try_from(take(body)?).ok().filter(|n| (1..=2 * board.len()).contains(n));
    let positions = positions.ok_or("the tree has an impossible number of positions")?;
    let heads = (0..positions).map(|_| take(body)).collect::<Result<_, _>>()?;
    let gaps = (1..positions).map(|_| take(body)).collect::<Result<_, _>>()?;
    let width = if board.len() > 256 { 2 } else { 1 };
    if body.len() != width * positions {
        return Err("the guesses of the tree have a wrong length".to_owned());
    }
    let rank = |at: usize| (0..width).map(|byte| u64::from(body[byte * positions + at]) << (8 * byte)).sum();
    let mut replay = Replay { board, feedbacks, heads, gaps, guesses: (0..positions).map(rank).collect(), next: 0 };
    let all: Vec<u16> = (0..board.len() as u16).collect();
    let total = replay.visit(&all, 1)?;
    if replay.next != positions {
        return Err("positions follow the end of the tree".to_owned());
    }
    Ok((total, replay.guesses))
}

/// Columns of a tree file, and the position that is visited next.
struct Replay<'a> {
    board: &'a Board,
    feedbacks: Vec<usize>,
    heads: Vec<u64>,
    gaps: Vec<u64>,
    guesses: Vec<u64>,
    next: usize,
}

impl Replay<'_> {
    /// Visits a position and all below it, and returns its total, counted from the first guess of the game.
    fn visit(&mut self, set: &[u16], depth: u64) -> Result<u64, String> {
        let at = self.next;
        let fault = |what: &str| Err(format!("position {at} of the tree {what}"));
        self.next += 1;
        let (Some(&head), Some(guess)) =
            (self.heads.get(at), self.guesses.get(at).and_then(|&g| self.board.at_rank(g)))
        else {
            return fault("has no guess");
        };
        if depth > MAX_DEPTH {
            return fault("is too deep");
        }
        let mut parts = self.board.split(guess, set);
        let wins = parts.pop().map_or(0, |won| won.len() as u64);
        let branches = parts.iter().filter(|part| !part.is_empty()).count() as u64;
        if head != 2 * branches + wins {
            return fault("has other branches than its guess");
        }
        let (mut total, mut listed) = (wins * depth, 0);
        for (feedback, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            let index = self.gaps.get(self.next - 1).and_then(|&gap| usize::try_from(gap).ok()?.checked_add(listed));
            if index.and_then(|index| self.feedbacks.get(index)) != Some(&feedback) {
                return fault("has other branches than its guess");
            }
            listed = index.map_or(0, |index| index + 1);
            total += self.visit(part, depth + 1)?;
        }
        Ok(total)
    }
}
