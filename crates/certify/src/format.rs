//! Certificate files; `docs/certificate-format.md` specifies every byte.

/// First bytes of a certificate.
pub const MAGIC: [u8; 8] = *b"PEGCERT\0";
const VERSION: u64 = 1;
/// The symmetry group: permutations of pegs and of colors.
const PEGS_AND_COLORS: u64 = 1;

/// Bits of a feedback; no board has more than 32.
const FEEDBACK_BITS: u32 = 5;

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
    /// Returns the bytes of the file. The parents of the entries must be ascending, and the guesses of each parent, too.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        put(&mut bytes, VERSION);
        put(&mut bytes, self.rules.len() as u64);
        bytes.extend(self.rules.as_bytes());
        put(&mut bytes, PEGS_AND_COLORS);
        put(&mut bytes, self.total);
        put(&mut bytes, self.entries.len() as u64);
        let before = |at: usize| if at > 0 { self.entries[at - 1] } else { FIRST };
        for (at, entry) in self.entries.iter().enumerate() {
            put(&mut bytes, entry.parent - before(at).parent);
        }
        for (at, entry) in self.entries.iter().enumerate() {
            let sibling = before(at).parent == entry.parent;
            let step = entry.guess - if sibling { before(at).guess } else { 0 };
            put(&mut bytes, step << FEEDBACK_BITS | entry.feedback);
        }
        self.entries.iter().for_each(|entry| put(&mut bytes, entry.excess));
        let digest = digest(&bytes);
        bytes.extend(digest.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file that begins with [`MAGIC`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (content, end) = bytes.split_last_chunk().ok_or("the certificate is truncated")?;
        let mut rest = content.strip_prefix(&MAGIC).ok_or("the file is not a certificate")?;
        if digest(content) != u64::from_le_bytes(*end) {
            return Err("the certificate is damaged: its digest is wrong".to_owned());
        }
        let rest = &mut rest;
        let version = take(rest)?;
        if version != VERSION {
            return Err(format!("the certificate has version {version}; this program reads version {VERSION}"));
        }
        let length = usize::try_from(take(rest)?).ok().filter(|&length| length <= rest.len());
        let (rules, columns) = rest.split_at(length.ok_or("the rules of the certificate are truncated")?);
        let rules = String::from_utf8(rules.to_vec()).map_err(|_| "the rules of the certificate are not text")?;
        *rest = columns;
        if take(rest)? != PEGS_AND_COLORS {
            return Err("the symmetry group of the certificate is not pegs and colors".to_owned());
        }
        let (total, count) = (take(rest)?, take(rest)?);
        // Every entry has three bytes or more.
        let count = usize::try_from(count).ok().filter(|&count| count <= rest.len() / 3);
        let mut entries = vec![FIRST; count.ok_or("the entries of the certificate are truncated")?];
        let mut parent = 0u64;
        for (number, entry) in (1..).zip(&mut entries) {
            parent = parent.saturating_add(take(rest)?);
            if parent >= number {
                return Err(format!("entry {number}: its parent is not before it"));
            }
            entry.parent = parent;
        }
        let mut before = FIRST;
        for entry in &mut entries {
            let (sibling, turn) = (before.parent == entry.parent, take(rest)?);
            entry.guess = (turn >> FEEDBACK_BITS).saturating_add(if sibling { before.guess } else { 0 });
            entry.feedback = turn & ((1 << FEEDBACK_BITS) - 1);
            before = *entry;
        }
        for entry in &mut entries {
            entry.excess = take(rest)?;
        }
        if !rest.is_empty() {
            return Err("bytes follow the entries of the certificate".to_owned());
        }
        Ok(Self { rules, total, entries })
    }
}

/// Entry before the first.
const FIRST: Entry = Entry { parent: 0, guess: 0, feedback: 0, excess: 0 };

/// Writes a number, seven bits per byte, lowest first.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7F {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
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

/// Returns the 64-bit FNV-1a hash. It detects damage; the check does not depend on it.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
