//! What a search found out about large positions, for one that goes on from there.
//!
//! What is known of a position depends on the rules, the objective and the guesses allowed, and on nothing else: not on the
//! threads, the memory or the time that found it out. Positions with few codes are searched again in no time, so those with
//! many are kept, and of too many of them those with the most.
//!
//! Bytes: `PEGFIND1`; the length of what it is about (4 bytes, little endian), and that as text; the entries of the cache,
//! four words of 8 bytes each; the checksum of all that (CRC-32, 4 bytes). The digit is of the keys and bounds, too: it
//! changes when they do.

use std::sync::Arc;

use pegwise_game::Rules;

use super::cache::{Cache, Words};

const MAGIC: [u8; 8] = *b"PEGFIND1";
/// Positions with fewer codes are not kept.
const FEWEST_CODES: u64 = 8;
/// The most positions that are kept: 32 MiB.
const MOST_KEPT: usize = 1 << 20;

/// What a search found out about large positions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings(Arc<[Words]>);

/// Why a search cannot go on from a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindingsError {
    /// It is a file of another kind, or of another version.
    #[error("this does not hold what a search of this version found")]
    NotFindings,
    /// Its checksum or its length is wrong.
    #[error("it is damaged")]
    Damaged,
    /// It is of another search.
    #[error("it is of {found}, not of {wanted}")]
    OtherSearch {
        /// What it is of.
        found: String,
        /// What is searched.
        wanted: String,
    },
}

impl Findings {
    /// What is worth keeping of a cache.
    pub(super) fn of(cache: &Cache) -> Self {
        Self(cache.largest(MOST_KEPT, FEWEST_CODES).into())
    }

    /// Puts everything into a cache.
    pub(super) fn recall(&self, cache: &Cache) {
        self.0.iter().for_each(|&words| cache.insert(words));
    }

    /// How many positions something is known of.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As bytes, with the search they are of: its rules, and its objective and the guesses it allows as text.
    #[must_use]
    pub fn to_bytes(&self, rules: &Rules, search: &str) -> Vec<u8> {
        let subject = subject(rules, search);
        let mut bytes = MAGIC.to_vec();
        bytes.extend((subject.len() as u32).to_le_bytes());
        bytes.extend(subject.as_bytes());
        self.0.iter().flatten().for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// From bytes, if they are of this search.
    pub fn from_bytes(bytes: &[u8], rules: &Rules, search: &str) -> Result<Self, FindingsError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(FindingsError::NotFindings)?;
        let (rest, checksum) = rest.split_last_chunk().ok_or(FindingsError::Damaged)?;
        let whole = &bytes[..bytes.len() - checksum.len()];
        if crc32fast::hash(whole) != u32::from_le_bytes(*checksum) {
            return Err(FindingsError::Damaged);
        }
        let (length, rest) = rest.split_first_chunk().ok_or(FindingsError::Damaged)?;
        let found = rest.split_at_checked(u32::from_le_bytes(*length) as usize);
        let (found, entries) = found.ok_or(FindingsError::Damaged)?;
        let wanted = subject(rules, search);
        if found != wanted.as_bytes() {
            return Err(FindingsError::OtherSearch { found: String::from_utf8_lossy(found).into_owned(), wanted });
        }
        let (words, []) = entries.as_chunks() else { return Err(FindingsError::Damaged) };
        let words: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let (entries, []) = words.as_chunks() else { return Err(FindingsError::Damaged) };
        Ok(Self(entries.into()))
    }
}

fn subject(rules: &Rules, search: &str) -> String {
    format!("{rules} {search}")
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    };

    use super::*;
    use crate::{
        Watch,
        tree::exact::{Options, Progress, matrix::Matrix, search::Searcher, solve, solve_keeping},
    };

    fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work)
    }

    /// A search of 4x7 that was stopped after so many positions: what it found, and the bound it had reached.
    fn stopped_after(nodes: u64) -> (Findings, u64) {
        let (stop, bound) = (AtomicBool::new(false), AtomicU64::new(0));
        let found = Mutex::new(Findings::default());
        let progress = |now: Progress| {
            bound.store(now.lower_bound, Ordering::Relaxed);
            stop.store(now.nodes >= nodes, Ordering::Relaxed);
        };
        let rules = "4x7".parse().unwrap();
        let watch = Watch::new(None, Some(&stop));
        let keep = |now| *found.lock().unwrap() = now;
        let report = alone(|| solve_keeping(&rules, &Options::default(), watch, progress, keep));
        assert!(!report.is_ok_and(|report| report.proven));
        (found.into_inner().unwrap(), bound.into_inner())
    }

    #[test]
    fn a_search_goes_on_from_what_another_found() {
        let rules = "4x7".parse().unwrap();
        let whole = alone(|| solve(&rules, &Options::default(), Watch::default(), |_| ())).unwrap();
        let (known, bound) = stopped_after(40_000);
        assert!(!known.is_empty());
        let first_bound = AtomicU64::new(0);
        let options = Options { known, ..Options::default() };
        let progress = |now: Progress| {
            let _ = first_bound.compare_exchange(0, now.lower_bound, Ordering::Relaxed, Ordering::Relaxed);
        };
        let again = alone(|| solve(&rules, &options, Watch::default(), progress)).unwrap();
        assert_eq!((again.tree, again.proven), (whole.tree, true));
        assert!(again.nodes < whole.nodes, "{} of {} positions", again.nodes, whole.nodes);
        let first_bound = first_bound.into_inner();
        assert!(first_bound >= bound, "the bound was {bound}, and begins with {first_bound}");
    }

    #[test]
    fn what_was_found_is_read_again() {
        let rules: Rules = "4x7".parse().unwrap();
        let (found, _) = stopped_after(20_000);
        let bytes = found.to_bytes(&rules, "optimal");
        assert_eq!(Findings::from_bytes(&bytes, &rules, "optimal"), Ok(found));
        let other = Findings::from_bytes(&bytes, &"4x8".parse().unwrap(), "optimal");
        assert_eq!(other.unwrap_err().to_string(), "it is of 4x7 optimal, not of 4x8 optimal");
        assert_eq!(Findings::from_bytes(b"PEGTREE\0", &rules, "optimal"), Err(FindingsError::NotFindings));
        for at in (MAGIC.len()..bytes.len()).step_by(bytes.len() / 50) {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1;
            assert_eq!(Findings::from_bytes(&wrong, &rules, "optimal"), Err(FindingsError::Damaged), "at {at}");
            assert_eq!(Findings::from_bytes(&bytes[..at], &rules, "optimal"), Err(FindingsError::Damaged), "to {at}");
        }
    }

    #[test]
    fn keys_are_those_of_this_version() {
        let rules = "4x6".parse().unwrap();
        let matrix = Matrix::new(&rules, Watch::default()).unwrap();
        let mut searcher = Searcher::new(&rules, &matrix, &Options::default(), Watch::default(), &|_| ());
        let codes: Vec<u16> = (100..160).collect();
        // Where a key differs, it means something else than in files of before: raise the digit of MAGIC.
        assert_eq!(searcher.key(&codes, 3), 0x162a_a8c6_c68c_5f35_22cb_14a3_fa2d_f841);
        assert_eq!(searcher.key(&codes, 99), 0x57cb_d9dd_3281_5fe9_75a4_c967_8d93_5479);
    }
}
