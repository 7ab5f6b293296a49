//! Transposition table, and snapshots of its largest positions.
//!
//! A position is stored under a 128-bit key of its canonical form, so a billion positions collide with probability
//! 2⁻⁶⁸. An entry holds a lower and an upper bound. The table grows as needed up to a fixed size; after that, the
//! position with the fewest codes in a full bucket is replaced.
//!
//! All threads of a search share one table without locks. An entry is four words that are read and written one by one.
//! The key words are stored XORed with the other words, so that an entry that two threads wrote at the same time, or
//! that is read during a write, matches no key and is ignored. Such a position is only searched again.
//!
//! # Snapshots
//! Bounds depend only on the rules, the objective and the allowed guesses, so another search can resume from them.
//! Positions with few codes are quickly searched again, so only the largest are kept. The file format: `PEGFIND1`; the
//! length of the subject (4 bytes, little endian) and the subject as text; the entries, four words of 8 bytes each; a
//! CRC-32 of all that (4 bytes). The digit in the magic also identifies the version of keys and bounds.

use std::{
    cmp::Reverse,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
};

use pegwise_game::Rules;

/// Bounds of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CacheEntry {
    /// Lower bound on the total.
    pub(super) low: u32,
    /// Upper bound: the total of a strategy that begins with `guess`.
    pub(super) high: u32,
    /// Guess of that strategy, in canonical form.
    pub(super) guess: u32,
}

/// Stored form of an entry: the halves of the key; the bounds; the guess and the number of codes. Zero codes mark an
/// empty entry.
pub(super) type EntryWords = [u64; 4];

/// Entries per bucket.
const WAYS: usize = 4;
/// Initial number of buckets: they fit the second-level cache of the processor.
const FIRST_BUCKETS: usize = 1 << 12;
/// Maximum number of doublings: far more than memory allows.
const SEGMENTS: usize = 40;

type Bucket = [[AtomicU64; 4]; WAYS];

/// Lock-free hash table of bounds, in a bounded amount of memory.
pub(super) struct TranspositionTable {
    /// The initial buckets, then those added by each doubling.
    segments: [OnceLock<Box<[Bucket]>>; SEGMENTS],
    first: usize,
    buckets: AtomicUsize,
    max_buckets: usize,
    entry_count: EntryCount,
    growing: AtomicBool,
}

/// Approximate number of entries. On a cache line of its own, because all threads read the neighboring fields; updated
/// only for a sample of the entries.
#[repr(align(128))]
struct EntryCount(AtomicUsize);

impl EntryCount {
    /// Reciprocal of the share of entries that is counted, each as `SHARE` entries.
    const SHARE: usize = 16;

    fn about(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn add(&self, key_half: u64) {
        if (key_half as usize).is_multiple_of(Self::SHARE) {
            self.0.fetch_add(Self::SHARE, Ordering::Relaxed);
        }
    }
}

impl TranspositionTable {
    /// Creates a table of at most `bytes` bytes, and at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        // A power of two, so that a mask selects the bucket.
        let max_buckets = 1usize << (bytes / size_of::<Bucket>()).max(1).ilog2();
        let first = FIRST_BUCKETS.min(max_buckets);
        let cache = Self {
            segments: [const { OnceLock::new() }; SEGMENTS],
            first,
            buckets: AtomicUsize::new(first),
            max_buckets,
            entry_count: EntryCount(AtomicUsize::new(0)),
            growing: AtomicBool::new(false),
        };
        cache.segments[0].get_or_init(|| empty(first));
        cache
    }

    /// Returns the bucket with this number.
    #[inline]
    fn bucket(&self, number: usize) -> Option<&Bucket> {
        let doublings = (number / self.first).checked_ilog2().map_or(0, |power| power as usize + 1);
        let before = if doublings == 0 { 0 } else { self.first << (doublings - 1) };
        self.segments[doublings].get()?.get(number - before)
    }

    #[inline]
    fn number(half: u64, buckets: usize) -> usize {
        half as usize & (buckets - 1)
    }

    #[inline]
    pub(super) fn get(&self, key: u128) -> Option<CacheEntry> {
        let halves = [key as u64, (key >> 64) as u64];
        let bucket = self.bucket(Self::number(halves[0], self.buckets.load(Ordering::Acquire)))?;
        let words = bucket.iter().map(read).find(|words| words[..2] == halves && codes(words) > 0)?;
        Some(known(&words))
    }

    /// Stores bounds; an existing entry keeps the tighter bound on each side.
    #[inline]
    pub(super) fn put(&self, key: u128, codes: usize, known: CacheEntry) {
        let bounds = u64::from(known.low) | u64::from(known.high) << 32;
        self.insert([key as u64, (key >> 64) as u64, bounds, u64::from(known.guess) | (codes as u64) << 32]);
    }

    /// Returns the entries with the most codes, at most `most` of them and each with at least `fewest` codes, sorted by
    /// number of codes and key.
    pub(super) fn largest(&self, most: usize, fewest: u64) -> Vec<EntryWords> {
        let entries = || self.segments.iter().filter_map(OnceLock::get).flatten().flatten().map(read);
        let mut counts: Vec<usize> = Vec::new();
        for words in entries() {
            let codes = codes(&words) as usize;
            if codes >= counts.len() {
                counts.resize(codes + 1, 0);
            }
            counts[codes] += 1;
        }
        // All positions of the sizes that fit, and some of the next size.
        let (mut room, mut from) = (most, counts.len() as u64);
        while from > fewest && counts[from as usize - 1] <= room {
            from -= 1;
            room -= counts[from as usize];
        }
        let mut found: Vec<EntryWords> = entries().filter(|words| codes(words) >= from).collect();
        if from > fewest {
            found.extend(entries().filter(|words| codes(words) == from - 1).take(room));
        }
        // Other threads may have added entries meanwhile.
        found.truncate(most);
        // A fixed order for a fixed set of positions.
        found.sort_unstable_by_key(|words| (Reverse(codes(words)), words[0], words[1]));
        found
    }

    /// Stores an entry in its stored form.
    #[inline]
    pub(super) fn insert(&self, mut words: EntryWords) {
        let buckets = self.buckets.load(Ordering::Acquire);
        if self.entry_count.about() > buckets * WAYS / 2 && buckets < self.max_buckets {
            self.grow();
        }
        let buckets = self.buckets.load(Ordering::Acquire);
        let Some(bucket) = self.bucket(Self::number(words[0], buckets)) else { return };
        let mut slot = 0;
        let mut fewest = u64::MAX;
        for (at, entry) in bucket.iter().enumerate() {
            let old = read(entry);
            if codes(&old) < fewest {
                (slot, fewest) = (at, codes(&old));
            }
            if old[..2] == words[..2] && codes(&old) > 0 {
                (slot, fewest) = (at, codes(&old));
                let (before, now) = (known(&old), known(&words));
                if before.high < now.high {
                    words[3] = old[3];
                }
                words[2] = u64::from(before.low.max(now.low)) | u64::from(before.high.min(now.high)) << 32;
                break;
            }
        }
        if fewest == 0 {
            // The half of the key that does not select the bucket.
            self.entry_count.add(words[1]);
        }
        write(&bucket[slot], words);
    }

    /// Doubles the buckets. Entries that other threads write to old places meanwhile are lost.
    #[cold]
    fn grow(&self) {
        if self.growing.swap(true, Ordering::Acquire) {
            return;
        }
        let buckets = self.buckets.load(Ordering::Acquire);
        if self.entry_count.about() > buckets * WAYS / 2 && buckets < self.max_buckets {
            let doublings = (buckets / self.first).ilog2() as usize + 1;
            self.segments[doublings].get_or_init(|| empty(buckets));
            for number in 0..buckets {
                let (Some(old), Some(new)) = (self.bucket(number), self.bucket(number + buckets)) else { break };
                for (from, to) in old.iter().zip(new) {
                    let words = read(from);
                    if codes(&words) > 0 && Self::number(words[0], 2 * buckets) != number {
                        write(to, words);
                        write(from, [0; 4]);
                    }
                }
            }
            self.buckets.store(2 * buckets, Ordering::Release);
        }
        self.growing.store(false, Ordering::Release);
    }
}

fn empty(buckets: usize) -> Box<[Bucket]> {
    (0..buckets).map(|_| Default::default()).collect()
}

/// Reads an entry and recovers its key. A torn entry yields a key that matches no position.
#[inline]
fn read(entry: &[AtomicU64; 4]) -> EntryWords {
    let load = |word: usize| entry[word].load(Ordering::Relaxed);
    let (bounds, guess) = (load(2), load(3));
    [load(0) ^ bounds ^ guess, load(1) ^ bounds ^ guess.rotate_left(32), bounds, guess]
}

#[inline]
fn write(entry: &[AtomicU64; 4], [one, other, bounds, guess]: EntryWords) {
    let mixed = [one ^ bounds ^ guess, other ^ bounds ^ guess.rotate_left(32), bounds, guess];
    entry.iter().zip(mixed).for_each(|(to, word)| to.store(word, Ordering::Relaxed));
}

#[inline]
fn known(words: &EntryWords) -> CacheEntry {
    CacheEntry { low: words[2] as u32, high: (words[2] >> 32) as u32, guess: words[3] as u32 }
}

#[inline]
pub(super) fn codes(words: &EntryWords) -> u64 {
    words[3] >> 32
}

const MAGIC: [u8; 8] = *b"PEGFIND1";
/// Minimum number of codes of a kept position.
const MIN_CODES: u64 = 8;
/// Maximum number of kept positions: 32 MiB.
const MAX_KEPT: usize = 1 << 20;

/// Bounds of the largest positions of a search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoundsSnapshot(Arc<[EntryWords]>);

/// Error when reading a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoundsSnapshotError {
    /// The file has another format or version.
    #[error("this is not a bounds file of this version")]
    NotASnapshot,
    /// The checksum or the length is wrong.
    #[error("the file is damaged")]
    Damaged,
    /// The snapshot belongs to another search.
    #[error("it is for {found}, not for {wanted}")]
    OtherSearch {
        /// Search that the snapshot belongs to.
        found: String,
        /// Search that resumes.
        wanted: String,
    },
}

impl BoundsSnapshot {
    /// Takes a snapshot of a table.
    pub(super) fn of(cache: &TranspositionTable) -> Self {
        Self(cache.largest(MAX_KEPT, MIN_CODES).into())
    }

    /// Inserts all entries into a table.
    pub(super) fn insert_into(&self, cache: &TranspositionTable) {
        self.0.iter().for_each(|&words| cache.insert(words));
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Encodes the snapshot with its subject: the rules, and the objective and allowed guesses as text.
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

    /// Decodes a snapshot of this search.
    pub fn from_bytes(bytes: &[u8], rules: &Rules, search: &str) -> Result<Self, BoundsSnapshotError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(BoundsSnapshotError::NotASnapshot)?;
        let (rest, checksum) = rest.split_last_chunk().ok_or(BoundsSnapshotError::Damaged)?;
        let whole = &bytes[..bytes.len() - checksum.len()];
        if crc32fast::hash(whole) != u32::from_le_bytes(*checksum) {
            return Err(BoundsSnapshotError::Damaged);
        }
        let (length, rest) = rest.split_first_chunk().ok_or(BoundsSnapshotError::Damaged)?;
        let found = rest.split_at_checked(u32::from_le_bytes(*length) as usize);
        let (found, entries) = found.ok_or(BoundsSnapshotError::Damaged)?;
        let wanted = subject(rules, search);
        if found != wanted.as_bytes() {
            return Err(BoundsSnapshotError::OtherSearch {
                found: String::from_utf8_lossy(found).into_owned(),
                wanted,
            });
        }
        let (words, []) = entries.as_chunks() else { return Err(BoundsSnapshotError::Damaged) };
        let words: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        let (entries, []) = words.as_chunks() else { return Err(BoundsSnapshotError::Damaged) };
        Ok(Self(entries.into()))
    }
}

fn subject(rules: &Rules, search: &str) -> String {
    format!("{rules} {search}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    };

    use crate::exact::{Options, Progress, matrix::FeedbackMatrix, search::Searcher, solve, solve_with_snapshots};
    use pegwise_search::{Watch, canonical::splitmix64};

    fn key(number: u64) -> u128 {
        u128::from(splitmix64(2 * number)) << 64 | u128::from(splitmix64(2 * number + 1))
    }

    #[test]
    fn entries_survive_growth() {
        let cache = TranspositionTable::new(1 << 24);
        let known = |number: u64| CacheEntry { low: number as u32, high: number as u32 + 7, guess: number as u32 + 1 };
        (0..50_000).for_each(|number| cache.put(key(number), 9, known(number)));
        assert!(cache.buckets.load(Ordering::Relaxed) > FIRST_BUCKETS);
        let found = (0..50_000).filter(|&number| cache.get(key(number)) == Some(known(number))).count();
        // A bucket that fills up before the table doubles loses a few entries.
        assert!(found > 46_000, "{found}");
        assert_eq!(cache.get(key(50_000)), None);
    }

    #[test]
    fn bounds_only_tighten() {
        let cache = TranspositionTable::new(1 << 16);
        cache.put(1, 9, CacheEntry { low: 20, high: 24, guess: 5 });
        cache.put(1, 9, CacheEntry { low: 22, high: 100, guess: 0 });
        assert_eq!(cache.get(1), Some(CacheEntry { low: 22, high: 24, guess: 5 }));
        cache.put(1, 9, CacheEntry { low: 21, high: 23, guess: 6 });
        assert_eq!(cache.get(1), Some(CacheEntry { low: 22, high: 23, guess: 6 }));
    }

    #[test]
    fn the_smallest_position_is_replaced() {
        let cache = TranspositionTable::new(1);
        for number in 1..=5 {
            cache.put(number << 70, number as usize, CacheEntry { low: 1, high: 2, guess: 3 });
        }
        assert_eq!(cache.get(1 << 70), None);
        assert!((2..=5).all(|number| cache.get(number << 70).is_some()));
    }

    #[test]
    fn the_largest_positions_move_to_another_table() {
        let cache = TranspositionTable::new(1 << 24);
        let known = CacheEntry { low: 1, high: 2, guess: 3 };
        (0..20_000).for_each(|number| cache.put(key(number), number as usize % 100, known));
        let sizes = |found: &[EntryWords]| found.iter().map(codes).collect::<Vec<_>>();
        let all = cache.largest(usize::MAX, 1);
        assert!(sizes(&all).is_sorted_by(|one, other| one >= other) && all.len() > 18_000);
        for most in [0, 1, 150, 199, 1000, all.len()] {
            assert_eq!(sizes(&cache.largest(most, 1)), sizes(&all)[..most], "{most}");
        }
        assert!(sizes(&cache.largest(usize::MAX, 40)).iter().all(|&codes| codes >= 40));
        let other = TranspositionTable::new(1 << 24);
        all.iter().for_each(|&words| other.insert(words));
        assert!(other.largest(usize::MAX, 1).len() > all.len() * 9 / 10);
    }

    #[test]
    fn torn_entries_match_no_key() {
        let entry: [AtomicU64; 4] = Default::default();
        let (one, other) = ([1, 2, 10 | 40 << 32, 3 | 9 << 32], [1, 2, 12 | 13 << 32, 6 | 9 << 32]);
        for mixed in 1..15u32 {
            write(&entry, one);
            let before: Vec<u64> = entry.iter().map(|word| word.load(Ordering::Relaxed)).collect();
            write(&entry, other);
            for (word, &old) in before.iter().enumerate().filter(|(word, _)| mixed >> word & 1 == 1) {
                entry[word].store(old, Ordering::Relaxed);
            }
            let words = read(&entry);
            assert!(words[..2] != [1, 2] || words == one || words == other, "{mixed}");
        }
    }

    #[test]
    fn threads_read_only_written_entries() {
        let cache = TranspositionTable::new(1 << 22);
        let known = |number: u64| CacheEntry {
            low: number as u32,
            high: splitmix64(number) as u32,
            guess: splitmix64(!number) as u32,
        };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    for round in 0..100_000u64 {
                        let (here, there) = (splitmix64(round ^ thread) % 30_000, splitmix64(round) % 30_000);
                        cache.put(key(here), 9, known(here));
                        assert!(cache.get(key(there)).is_none_or(|found| found == known(there)), "{there}");
                    }
                });
            }
        });
        assert!((0..30_000).filter(|&number| cache.get(key(number)).is_some()).count() > 25_000);
    }

    fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(work)
    }

    /// Returns the snapshot and the lower bound on a search of 4x7 that was stopped after `nodes` positions.
    fn stopped_after(nodes: u64) -> (BoundsSnapshot, u64) {
        let (stop, bound) = (AtomicBool::new(false), AtomicU64::new(0));
        let found = Mutex::new(BoundsSnapshot::default());
        let progress = |now: Progress| {
            bound.store(now.lower_bound, Ordering::Relaxed);
            stop.store(now.nodes >= nodes, Ordering::Relaxed);
        };
        let rules = "4x7".parse().unwrap();
        let watch = Watch::new(None, Some(&stop));
        let keep = |now| *found.lock().unwrap() = now;
        let report = alone(|| solve_with_snapshots(&rules, &Options::default(), watch, progress, keep));
        assert!(!report.is_ok_and(|report| report.proven));
        (found.into_inner().unwrap(), bound.into_inner())
    }

    #[test]
    fn a_search_resumes_from_a_snapshot() {
        let rules = "4x7".parse().unwrap();
        let whole = alone(|| solve(&rules, &Options::default(), Watch::default(), |_| ())).unwrap();
        let (known, bound) = stopped_after(10_000);
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
    fn snapshots_round_trip() {
        let rules: Rules = "4x7".parse().unwrap();
        let (found, _) = stopped_after(5_000);
        let bytes = found.to_bytes(&rules, "optimal");
        assert_eq!(BoundsSnapshot::from_bytes(&bytes, &rules, "optimal"), Ok(found));
        let other = BoundsSnapshot::from_bytes(&bytes, &"4x8".parse().unwrap(), "optimal");
        assert_eq!(other.unwrap_err().to_string(), "it is for 4x7 optimal, not for 4x8 optimal");
        assert_eq!(BoundsSnapshot::from_bytes(b"PEGTREE\0", &rules, "optimal"), Err(BoundsSnapshotError::NotASnapshot));
        for at in (MAGIC.len()..bytes.len()).step_by(bytes.len() / 50) {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1;
            assert_eq!(
                BoundsSnapshot::from_bytes(&wrong, &rules, "optimal"),
                Err(BoundsSnapshotError::Damaged),
                "at {at}"
            );
            assert_eq!(
                BoundsSnapshot::from_bytes(&bytes[..at], &rules, "optimal"),
                Err(BoundsSnapshotError::Damaged),
                "to {at}"
            );
        }
    }

    #[test]
    fn keys_are_those_of_this_version() {
        let rules = "4x6".parse().unwrap();
        let matrix = FeedbackMatrix::new(&rules, Watch::default()).unwrap();
        let mut searcher = Searcher::new(&rules, &matrix, &Options::default(), Watch::default(), &|_| (), None);
        let codes: Vec<u16> = (100..160).collect();
        // If a key changes, existing files no longer apply: increment the digit in `MAGIC`.
        assert_eq!(searcher.key(&codes, 3), 0x162a_a8c6_c68c_5f35_22cb_14a3_fa2d_f841);
        assert_eq!(searcher.key(&codes, 99), 0x57cb_d9dd_3281_5fe9_75a4_c967_8d93_5479);
    }
}
