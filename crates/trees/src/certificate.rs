//! Certificates that no tree has a smaller total, for `pegwise-certify`.
//!
//! The check is replayed from the set of all codes, with the least total as its claim. Where it fails at a guess, the
//! bound of a part has to be certified as well: preferably of a part that has an entry already, else of the smallest
//! part that makes up the difference, else of several. Sets are visited by descending size, so every bound is final when
//! its set is reached.
//!
//! Bounds, images and files are those of the checker; a wrong total of the search yields a certificate that is rejected.

#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

pub use pegwise_certify::Certificate;
use pegwise_certify::{
    Board, Cache, Entry, FEEDBACK_BITS, MAGIC, OpenGuess, PEGS_AND_COLORS, Symmetry, digest, image, one_ply,
    open_guesses,
};
use pegwise_game::Rules;
use pegwise_search::{Stop, Watch};

use crate::exact::{ExactError, Query, with_oracle};

/// Error when a certificate is extracted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The checker does not support the rules.
    #[error("no certificate can be made: {0}")]
    Unsupported(String),
    /// The search failed.
    #[error(transparent)]
    Search(#[from] ExactError),
    /// A tree has a smaller total.
    #[error("no certificate can be made: a tree has a total below {0}")]
    Refuted(u64),
    /// The extraction was stopped.
    #[error("no certificate was made before {0}")]
    Stopped(Stop),
}

/// Extracts a certificate that no tree has a total below `total`, on all threads of the current pool.
///
/// ```
/// use pegwise_search::Watch;
/// use pegwise_trees::certify;
/// let certificate = certify(&"3x4".parse()?, 206, 1 << 26, Watch::default())?;
/// let board = pegwise_certify::Board::new("3x4")?;
/// assert_eq!(pegwise_certify::check(&board, &certificate, 1), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify(
    rules: &Rules,
    total: u64,
    cache_bytes: usize,
    watch: Watch<'_>,
) -> Result<Certificate, CertificateError> {
    let board = Board::new(&rules.to_string()).map_err(CertificateError::Unsupported)?;
    let bound = u32::try_from(total).map_err(|_| CertificateError::Refuted(total))?;
    with_oracle(rules, cache_bytes, watch, |ask| {
        let mut extraction = Extraction::new(&board, watch, ask);
        let complete = extraction.collect(bound)?;
        if complete { Ok(extraction.into_certificate()) } else { Err(CertificateError::Refuted(total)) }
    })?
}

/// Checks that certificates of the rules can be made and checked.
pub fn check_certifiable(rules: &Rules) -> Result<(), CertificateError> {
    Board::without_codes(&rules.to_string()).map(drop).map_err(CertificateError::Unsupported)
}

/// Returns the bytes of a certificate. The parents of its entries must be ascending, and so must the guesses of each parent.
pub fn certificate_bytes(certificate: &Certificate) -> Vec<u8> {
    let Certificate { rules, total, entries } = certificate;
    let mut bytes = MAGIC.to_vec();
    put(&mut bytes, rules.len() as u64);
    bytes.extend(rules.as_bytes());
    for number in [PEGS_AND_COLORS, *total, entries.len() as u64] {
        put(&mut bytes, number);
    }
    let (mut parent, mut before) = (0, Entry { parent: 0, guess: 0, feedback: 0, excess: 0 });
    for entry in entries {
        put(&mut bytes, entry.parent - parent);
        parent = entry.parent;
    }
    for &entry in entries {
        let step = entry.guess - if before.parent == entry.parent { before.guess } else { 0 };
        put(&mut bytes, step << FEEDBACK_BITS | entry.feedback);
        before = entry;
    }
    entries.iter().for_each(|entry| put(&mut bytes, entry.excess));
    let digest = digest(&bytes);
    bytes.extend(digest.to_le_bytes());
    bytes
}

/// Writes a number, seven bits per byte, lowest first.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7F {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Returns the code with the given image.
fn preimage(board: &Board, symmetry: &Symmetry, image: u16) -> u16 {
    let image = &board.codes[usize::from(image)];
    let place = |places: &[usize], of: usize| places.iter().position(|&place| place == of).unwrap_or(0);
    let color = |peg| place(&symmetry.colors, image[place(&symmetry.pegs, peg)].into());
    board.find((0..board.pegs).map(|peg| color(peg) as u8))
}

/// Set of codes whose bound is needed.
struct Needed {
    /// The codes, as the checker numbers them.
    codes: Vec<u16>,
    /// Ranks of the guesses that lead to the set.
    path: Vec<u16>,
    parent: usize,
    feedback: u8,
    bound: u32,
}

/// Part of a guess that may need a larger certified bound.
struct OpenPart {
    feedback: u8,
    codes: Vec<u16>,
    image: Vec<u16>,
    /// Certified lower bound on the total.
    bound: u32,
    /// Least total, or a lower bound that is large enough to exclude the guess.
    total: u32,
}

struct Extraction<'a> {
    board: &'a Board,
    watch: Watch<'a>,
    /// Oracle that returns the least total of a position, or a lower bound that is not below the budget.
    ask: &'a mut dyn FnMut(Query<'_>) -> Option<u32>,
    needed: Vec<Needed>,
    /// Index in `needed` by image.
    entries: HashMap<Vec<u16>, usize>,
    /// Sets to be visited, the largest first.
    queue: BinaryHeap<(usize, Reverse<usize>)>,
    cache: Cache,
}

impl<'a> Extraction<'a> {
    fn new(board: &'a Board, watch: Watch<'a>, ask: &'a mut dyn FnMut(Query<'_>) -> Option<u32>) -> Self {
        let (needed, entries, queue) = (Vec::new(), HashMap::new(), BinaryHeap::new());
        Self { board, watch, ask, needed, entries, queue, cache: Cache::new() }
    }

    /// Collects the entries for a total; false if a tree has a smaller one.
    fn collect(&mut self, total: u32) -> Result<bool, CertificateError> {
        let codes: Vec<u16> = (0..self.board.codes.len() as u16).collect();
        let all = Needed { codes, path: Vec::new(), parent: 0, feedback: 0, bound: total };
        self.add(image(self.board, &all.codes).0, all);
        let (mut complete, watch) = (true, self.watch);
        while let Some((_, Reverse(at))) = self.queue.pop() {
            let (image, symmetry) = image(self.board, &self.needed[at].codes);
            let claim = self.needed[at].bound;
            for open in open_guesses(self.board, &image, claim) {
                let guess = preimage(self.board, &symmetry, open.guess);
                let stop = || CertificateError::Stopped(watch.stop().unwrap_or(Stop::Cancelled));
                complete &= self.exclude(at, guess, &open, claim).ok_or_else(stop)?;
            }
        }
        Ok(complete)
    }

    /// Adds entries such that a guess at set `at` takes at least `claim` guesses; false if it takes fewer, `None` if
    /// stopped.
    fn exclude(&mut self, at: usize, guess: u16, open: &OpenGuess, claim: u32) -> Option<bool> {
        let (mut parts, mut total) = (Vec::new(), open.bound);
        for part in &open.parts {
            let image = image(self.board, &part.codes).0;
            let entry = self.entries.get(&image).map_or(0, |&entry| self.needed[entry].bound);
            let bound = one_ply(self.board, &image, &mut self.cache).max(entry).max(part.bound);
            total += bound - part.bound;
            if total >= claim {
                return Some(true);
            }
            parts.push((part.feedback, image, bound));
        }
        if self.watch.stop().is_some() {
            return None;
        }
        let missing = claim - total;
        let mut path = self.needed[at].path.clone();
        path.push(self.board.ranks[usize::from(guess)]);
        let mut split = self.board.split(guess, &self.needed[at].codes);
        let mut parts: Vec<OpenPart> = parts
            .into_iter()
            .map(|(feedback, image, bound)| {
                let codes = std::mem::take(&mut split[usize::from(feedback)]);
                OpenPart { feedback, codes, image, bound, total: bound }
            })
            .collect();
        parts.sort_by_key(|part| (!self.entries.contains_key(&part.image), part.codes.len()));
        for index in 0..parts.len() {
            let part = &mut parts[index];
            part.total = self.least_total(&path, &part.codes, part.bound + missing)?.max(part.bound);
            if part.total >= part.bound + missing {
                let part = parts.swap_remove(index);
                self.need(at, &path, part, missing);
                return Some(true);
            }
        }
        parts.sort_by_key(|part| Reverse(part.total - part.bound));
        let mut left = missing;
        for part in parts {
            let gain = left.min(part.total - part.bound);
            if gain > 0 {
                left -= gain;
                self.need(at, &path, part, gain);
            }
        }
        Some(left == 0)
    }

    /// Asks for the least total of a set.
    fn least_total(&mut self, path: &[u16], codes: &[u16], budget: u32) -> Option<u32> {
        let mut codes: Vec<u16> = codes.iter().map(|&code| self.board.ranks[usize::from(code)]).collect();
        codes.sort_unstable();
        (self.ask)(Query { path, codes: &codes, budget })
    }

    /// Raises the certified bound of a part by `gain`.
    fn need(&mut self, parent: usize, path: &[u16], part: OpenPart, gain: u32) {
        let bound = part.bound + gain;
        if let Some(&entry) = self.entries.get(&part.image) {
            self.needed[entry].bound = bound;
        } else {
            let OpenPart { feedback, codes, image, .. } = part;
            self.add(image, Needed { codes, path: path.to_vec(), parent, feedback, bound });
        }
    }

    fn add(&mut self, image: Vec<u16>, needed: Needed) {
        self.queue.push((image.len(), Reverse(self.needed.len())));
        self.entries.insert(image, self.needed.len());
        self.needed.push(needed);
    }

    /// Numbers the entries by parent, guess and feedback.
    fn into_certificate(self) -> Certificate {
        let Self { board, needed, .. } = self;
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); needed.len()];
        (1..needed.len()).for_each(|at| children[needed[at].parent].push(at));
        let (mut entries, mut order, mut parent) = (Vec::new(), vec![0], 0);
        while parent < order.len() {
            let mut below = std::mem::take(&mut children[order[parent]]);
            below.sort_by_key(|&at| (needed[at].path.last().copied(), needed[at].feedback));
            for at in below {
                let Needed { codes, path, feedback, bound, .. } = &needed[at];
                entries.push(Entry {
                    parent: parent as u64,
                    guess: path.last().copied().map_or(0, u64::from),
                    feedback: u64::from(*feedback),
                    excess: u64::from(bound - board.sizes[board.marks.len() - 1][codes.len()]),
                });
                order.push(at);
            }
            parent += 1;
        }
        Certificate { rules: board.rules.clone(), total: needed[0].bound.into(), entries }
    }
}
