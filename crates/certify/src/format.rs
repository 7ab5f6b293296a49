//! Certificate files; `docs/certificate-format.md` specifies every byte.

/// First bytes of a certificate, version 1.
pub const MAGIC: [u8; 9] = *b"PEGCERT\0\x01";
/// The symmetry group: permutations of pegs and of colors.
pub const PEGS_AND_COLORS: u64 = 1;

/// Bits of a feedback; no board has more than 32.
pub const FEEDBACK_BITS: u32 = 5;

/// Certificate that no strategy has a smaller total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Rules of the game.
    pub rules: String,
    /// Total of the best strategy: guesses summed over all codes.
    pub total: u64,
    /// Lower bounds of positions. Entry 0 is the set of all codes and is not stored; these are entries 1, 2, …
    pub entries: Vec<Entry>,
}

/// Lower bound of a position: the codes of an earlier entry that answer a guess with a feedback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Number of the entry before the guess.
    pub parent: u64,
    /// Rank of the guess among all codes in lexicographic order.
    pub guess: u64,
    /// Feedback, numbered in ascending order of (black, white).
    pub feedback: u64,
    /// Lower bound, minus the bound by size with all feedbacks.
    pub excess: u64,
}

impl Certificate {
    /// Reads the bytes of a file that begins with [`MAGIC`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (content, end) = bytes.split_last_chunk().ok_or("the certificate is truncated")?;
        let rest = &mut content.strip_prefix(&MAGIC).ok_or("the file is not a certificate")?;
        if digest(content) != u64::from_le_bytes(*end) {
            return Err("the certificate is damaged: its digest is wrong".to_owned());
        }
        let length = take(rest)? as usize;
        let (rules, columns) = rest.split_at_checked(length).ok_or("the rules of the certificate are truncated")?;
        let rules = String::from_utf8(rules.to_vec()).map_err(|_| "the rules of the certificate are not text")?;
        *rest = columns;
        if take(rest)? != PEGS_AND_COLORS {
            return Err("the symmetry group of the certificate is not pegs and colors".to_owned());
        }
        let (total, count) = (take(rest)?, take(rest)? as usize);
        // Every entry has three bytes or more.
        if count > rest.len() / 3 {
            return Err("the entries of the certificate are truncated".to_owned());
        }
        let column = |rest: &mut _| (0..count).map(|_| take(rest)).collect::<Result<Vec<u64>, String>>();
        let (parents, turns, excesses) = (column(rest)?, column(rest)?, column(rest)?);
        if !rest.is_empty() {
            return Err("bytes follow the entries of the certificate".to_owned());
        }
        let (mut entries, mut parent, mut guess) = (Vec::with_capacity(count), 0u64, 0);
        for ((step, turn), excess) in parents.into_iter().zip(turns).zip(excesses) {
            parent = parent.saturating_add(step);
            guess = (turn >> FEEDBACK_BITS).saturating_add(if step == 0 { guess } else { 0 });
            entries.push(Entry { parent, guess, feedback: turn & ((1 << FEEDBACK_BITS) - 1), excess });
        }
        Ok(Self { rules, total, entries })
    }
}

/// Reads a number of up to 63 bits.
pub(crate) fn take(bytes: &mut &[u8]) -> Result<u64, String> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (&first, rest) = bytes.split_first().ok_or("the data ends too early")?;
        *bytes = rest;
        number |= u64::from(first & 0x7F) << shift;
        if first < 0x80 {
            return Ok(number);
        }
    }
    Err("a number is too long".to_owned())
}

/// Returns the 64-bit FNV-1a hash, which detects damage; the check does not depend on it.
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
