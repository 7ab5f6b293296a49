//! Certificates that no tree has a smaller total, for `pegwise-certify`.
//!
//! The check is replayed from the set of all codes, with the least total as its claim. Where it fails at a guess, the
//! bound of a part has to be certified as well: preferably of a part that has an entry already, else of the smallest
//! part that makes up the difference, else of several. Sets are visited by descending size, so every bound is final when
//! its set is reached.
//!
//! Guesses are evaluated in parallel, a fixed number at a time, and their entries are then added in a fixed order, so the
//! certificate does not depend on the number of threads.
//!
//! Bounds, images and files are those of the checker; a wrong total of the search yields a certificate that is rejected.

#[cfg(test)]
mod tests;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

pub use pegwise_certify::Certificate;
use pegwise_certify::{
    Board, Cache, Entry, FEEDBACK_BITS, MAGIC, OpenGuess, PEGS_AND_COLORS, Symmetry, digest, image, one_ply,
    open_guesses,
};
use pegwise_game::Rules;
use pegwise_search::{Stop, Watch, parallel};

use crate::exact::{BoundsSnapshot, ExactError, Oracle, Query, with_oracle};

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

/// Extracts a certificate that no tree has a total below `total`, on all threads of the current pool. Bounds of the
/// search that found the total ([`Options::keep_proof`](crate::exact::Options::keep_proof)) save time.
///
/// ```
/// use pegwise_search::Watch;
/// use pegwise_trees::{certify, exact::BoundsSnapshot};
/// let certificate = certify(&"3x4".parse()?, 206, 1 << 26, &BoundsSnapshot::default(), Watch::default())?;
/// let board = pegwise_certify::Board::new("3x4")?;
/// assert_eq!(pegwise_certify::check(&board, &certificate, 1), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify(
    rules: &Rules,
    total: u64,
    cache_bytes: usize,
    known: &BoundsSnapshot,
    watch: Watch<'_>,
) -> Result<Certificate, CertificateError> {
    let board = Board::new(&rules.to_string()).map_err(CertificateError::Unsupported)?;
    let bound = u32::try_from(total).map_err(|_| CertificateError::Refuted(total))?;
    with_oracle(rules, cache_bytes, known, watch, |oracle| {
        let mut extraction = Extraction::new(&board, watch, oracle);
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

/// Returns the results of `work` for each item, in order.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Send + Sync) -> Vec<R> {
    parallel::map_each(items.len(), |at| at, |at| work(&items[at]))
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

/// Guess that has to be excluded at a set.
struct Task<'a> {
    /// Index of the set.
    at: usize,
    guess: u16,
    open: &'a OpenGuess,
}

/// Part of a guess that may need a larger certified bound.
struct OpenPart {
    feedback: u8,
    codes: Vec<u16>,
    image: Vec<u16>,
    /// Certified lower bound on the total.
    bound: u32,
    /// Least total, or a lower bound that is large enough to exclude the guess; the certified bound if neither is
    /// needed.
    total: u32,
}

/// Maximum number of sets whose guesses are listed at once.
const SETS_PER_BATCH: usize = 64;
/// Number of guesses that are evaluated before entries are added: enough for many threads, and few enough that most
/// entries are there when the next guesses need them.
const GUESSES_PER_BATCH: usize = 64;

struct Extraction<'a> {
    board: &'a Board,
    watch: Watch<'a>,
    oracle: &'a Oracle<'a>,
    needed: Vec<Needed>,
    /// Index in `needed` by image.
    entries: HashMap<Vec<u16>, usize>,
    /// Sets to be visited, by number of codes.
    queue: BTreeMap<usize, Vec<usize>>,
    cache: Cache,
}

impl<'a> Extraction<'a> {
    fn new(board: &'a Board, watch: Watch<'a>, oracle: &'a Oracle<'a>) -> Self {
        let (needed, entries, queue) = (Vec::new(), HashMap::new(), BTreeMap::new());
        Self { board, watch, oracle, needed, entries, queue, cache: Cache::default() }
    }

    /// Collects the entries for a total; false if a tree has a smaller one.
    fn collect(&mut self, total: u32) -> Result<bool, CertificateError> {
        let codes: Vec<u16> = (0..self.board.codes.len() as u16).collect();
        let all = Needed { codes, path: Vec::new(), parent: 0, feedback: 0, bound: total };
        self.add(image(self.board, &all.codes).0, all);
        let (mut complete, watch) = (true, self.watch);
        let stopped = || CertificateError::Stopped(watch.stop().unwrap_or(Stop::Cancelled));
        // Parts are smaller than their set, so no set is added to the sizes visited before.
        while let Some((_, sets)) = self.queue.pop_last() {
            for sets in sets.chunks(SETS_PER_BATCH) {
                let open = in_parallel(sets, |&at| self.open_guesses(at));
                let tasks = sets.iter().zip(&open);
                let tasks = tasks.flat_map(|(&at, open)| open.iter().map(move |(guess, open)| (at, *guess, open)));
                let tasks: Vec<Task<'_>> = tasks.map(|(at, guess, open)| Task { at, guess, open }).collect();
                for tasks in tasks.chunks(GUESSES_PER_BATCH) {
                    let plans = in_parallel(tasks, |task| self.evaluate(task));
                    for (task, parts) in tasks.iter().zip(plans) {
                        complete &= self.exclude(task, parts.ok_or_else(stopped)?);
                    }
                }
            }
        }
        Ok(complete)
    }

    /// Returns the guesses at a set that the sizes of their parts do not exclude.
    fn open_guesses(&self, at: usize) -> Vec<(u16, OpenGuess)> {
        let Needed { codes, bound, .. } = &self.needed[at];
        let (image, symmetry) = image(self.board, codes);
        let open = open_guesses(self.board, &image, *bound).into_iter();
        open.map(|open| (preimage(self.board, &symmetry, open.guess), open)).collect()
    }

    /// Returns the certified bound of a part.
    fn bound(&self, image: &[u16], by_size: u32) -> u32 {
        let entry = self.entries.get(image).map_or(0, |&entry| self.needed[entry].bound);
        one_ply(self.board, image, &self.cache).max(entry).max(by_size)
    }

    /// Evaluates the parts of a guess, with the entries so far, until they exclude it; no parts if that takes no more
    /// entries, `None` if stopped.
    fn evaluate(&self, task: &Task<'_>) -> Option<Vec<OpenPart>> {
        let (claim, set) = (self.needed[task.at].bound, &self.needed[task.at]);
        let (mut parts, mut total) = (Vec::new(), task.open.bound);
        for part in &task.open.parts {
            let image = image(self.board, &part.codes).0;
            let bound = self.bound(&image, part.bound);
            total += bound - part.bound;
            if total >= claim {
                return Some(Vec::new());
            }
            parts.push(OpenPart { feedback: part.feedback, codes: Vec::new(), image, bound, total: bound });
        }
        if self.watch.stop().is_some() {
            return None;
        }
        let (missing, path) = (claim - total, self.path(task));
        let mut split = self.board.split(task.guess, &set.codes);
        for part in &mut parts {
            part.codes = std::mem::take(&mut split[usize::from(part.feedback)]);
        }
        parts.sort_by_key(|part| (!self.entries.contains_key(&part.image), part.codes.len()));
        for part in &mut parts {
            let least = self.least_total(&path, &part.codes, part.bound + missing)?;
            // Whatever lower bound the search returns, the certificate is the same.
            part.total = least.clamp(part.bound, part.bound + missing);
            if part.total == part.bound + missing {
                break;
            }
        }
        Some(parts)
    }

    /// Adds entries that exclude a guess, given its evaluated parts; false if it has a smaller total than claimed.
    fn exclude(&mut self, task: &Task<'_>, mut parts: Vec<OpenPart>) -> bool {
        // Entries that were added meanwhile may raise the bounds of parts.
        let mut total = self.needed[task.at].codes.len() as u32;
        for part in &mut parts {
            part.bound = self.bound(&part.image, part.bound);
            part.total = part.total.max(part.bound);
            total += part.bound;
        }
        let claim = self.needed[task.at].bound;
        if parts.is_empty() || total >= claim {
            return true;
        }
        let (mut missing, path) = (claim - total, self.path(task));
        parts.sort_by_key(|part| (!self.entries.contains_key(&part.image), part.codes.len()));
        if let Some(enough) = parts.iter().position(|part| part.total >= part.bound + missing) {
            self.need(task.at, &path, parts.swap_remove(enough), missing);
            return true;
        }
        parts.sort_by_key(|part| Reverse(part.total - part.bound));
        for part in parts {
            let gain = missing.min(part.total - part.bound);
            if gain > 0 {
                missing -= gain;
                self.need(task.at, &path, part, gain);
            }
        }
        missing == 0
    }

    /// Returns the ranks of the guesses up to that of a task.
    fn path(&self, task: &Task<'_>) -> Vec<u16> {
        let before = self.needed[task.at].path.iter().copied();
        before.chain([self.board.ranks[usize::from(task.guess)]]).collect()
    }

    /// Asks for the least total of a set.
    fn least_total(&self, path: &[u16], codes: &[u16], budget: u32) -> Option<u32> {
        let mut codes: Vec<u16> = codes.iter().map(|&code| self.board.ranks[usize::from(code)]).collect();
        codes.sort_unstable();
        (self.oracle)(Query { path, codes: &codes, budget })
    }

    /// Raises the certified bound of a part by `gain`.
    fn need(&mut self, parent: usize, path: &[u16], part: OpenPart, gain: u32) {
        let bound = part.bound + gain;
        if let Some(&entry) = self.entries.get(&part.image) {
            // Two parts of a guess may have the same image, so its bound may be larger already.
            self.needed[entry].bound = self.needed[entry].bound.max(bound);
        } else {
            let OpenPart { feedback, codes, image, .. } = part;
            self.add(image, Needed { codes, path: path.to_vec(), parent, feedback, bound });
        }
    }

    fn add(&mut self, image: Vec<u16>, needed: Needed) {
        self.queue.entry(image.len()).or_default().push(self.needed.len());
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
