//! What is known about positions met before.
//!
//! A position is kept under a 128-bit key of its canonical form, so that two positions are never mistaken for each other in
//! practice: a billion of them collide with odds of one in 2⁶⁸. Bounds from below and from above share an entry. The cache
//! grows with what it holds, up to a fixed amount of memory; from there on the position with the fewest codes in a full
//! bucket gives way.
//!
//! All threads of a search share one cache without locks. An entry is four words that are read and written one by one, and
//! the key is kept mixed with the others: an entry that two threads wrote at once, or that one reads while another writes,
//! has the key of no position and is passed over. What is lost that way is only searched again.

use std::{
    cmp::Reverse,
    sync::{
        OnceLock,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
};

/// What is known about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// No strategy has a lower total.
    pub(super) low: u32,
    /// A strategy that begins with the guess has this total.
    pub(super) high: u32,
    /// The guess of that strategy, in canonical form.
    pub(super) guess: u32,
}

/// The two halves of the key, mixed; the two bounds; the guess and the number of codes. Zero codes mark an empty entry.
pub(super) type Words = [u64; 4];

/// Entries that share a bucket.
const WAYS: usize = 4;
/// Buckets at the start: they fit the second cache.
const FIRST_BUCKETS: usize = 1 << 12;
/// How often the buckets can double: far more than memory allows.
const SEGMENTS: usize = 40;

type Bucket = [[AtomicU64; 4]; WAYS];

/// Known positions, in a bounded amount of memory.
pub(super) struct Cache {
    /// The buckets at the start, and those that each doubling has added.
    segments: [OnceLock<Box<[Bucket]>>; SEGMENTS],
    first: usize,
    buckets: AtomicUsize,
    most_buckets: usize,
    held: Held,
    growing: AtomicBool,
}

/// About how many entries there are. On lines of memory of its own, because every thread reads what lies beside it all the
/// time, and changed seldom, for a share of the entries at once.
#[repr(align(128))]
struct Held(AtomicUsize);

impl Held {
    /// The share of entries that are counted, each for as many.
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

impl Cache {
    /// A cache that takes at most so many bytes, or else one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        // A power of two, so that a mask picks the bucket.
        let most_buckets = 1usize << (bytes / size_of::<Bucket>()).max(1).ilog2();
        let first = FIRST_BUCKETS.min(most_buckets);
        let cache = Self {
            segments: [const { OnceLock::new() }; SEGMENTS],
            first,
            buckets: AtomicUsize::new(first),
            most_buckets,
            held: Held(AtomicUsize::new(0)),
            growing: AtomicBool::new(false),
        };
        cache.segments[0].get_or_init(|| empty(first));
        cache
    }

    /// The bucket with this number.
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
    pub(super) fn get(&self, key: u128) -> Option<Known> {
        let halves = [key as u64, (key >> 64) as u64];
        let bucket = self.bucket(Self::number(halves[0], self.buckets.load(Ordering::Acquire)))?;
        let words = bucket.iter().map(read).find(|words| words[..2] == halves && codes(words) > 0)?;
        Some(known(&words))
    }

    /// Keeps what is known; of a position that is kept already, what was known before still holds.
    #[inline]
    pub(super) fn put(&self, key: u128, codes: usize, known: Known) {
        let bounds = u64::from(known.low) | u64::from(known.high) << 32;
        self.insert([key as u64, (key >> 64) as u64, bounds, u64::from(known.guess) | (codes as u64) << 32]);
    }

    /// What is known about the positions with the most codes, each with at least so many, in an order of its own: at most so
    /// many positions, in as much memory however many there are.
    pub(super) fn largest(&self, most: usize, fewest: u64) -> Vec<Words> {
        let entries = || self.segments.iter().filter_map(OnceLock::get).flatten().flatten().map(read);
        let mut counts: Vec<usize> = Vec::new();
        for words in entries() {
            let codes = codes(&words) as usize;
            if codes >= counts.len() {
                counts.resize(codes + 1, 0);
            }
            counts[codes] += 1;
        }
        // All positions of the sizes that fit, and as many of the next one as there is room for.
        let (mut room, mut from) = (most, counts.len() as u64);
        while from > fewest && counts[from as usize - 1] <= room {
            from -= 1;
            room -= counts[from as usize];
        }
        let mut found: Vec<Words> = entries().filter(|words| codes(words) >= from).collect();
        if from > fewest {
            found.extend(entries().filter(|words| codes(words) == from - 1).take(room));
        }
        // Others go on writing meanwhile.
        found.truncate(most);
        // By size and key, so that the same positions are the same list.
        found.sort_unstable_by_key(|words| (Reverse(codes(words)), words[0], words[1]));
        found
    }

    /// Keeps an entry as it is.
    #[inline]
    pub(super) fn insert(&self, mut words: Words) {
        let buckets = self.buckets.load(Ordering::Acquire);
        if self.held.about() > buckets * WAYS / 2 && buckets < self.most_buckets {
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
            // Not the half that buckets are chosen by.
            self.held.add(words[1]);
        }
        write(&bucket[slot], words);
    }

    /// Doubles the buckets. Others go on meanwhile: what they keep where it is no longer looked for is lost.
    #[cold]
    fn grow(&self) {
        if self.growing.swap(true, Ordering::Acquire) {
            return;
        }
        let buckets = self.buckets.load(Ordering::Acquire);
        if self.held.about() > buckets * WAYS / 2 && buckets < self.most_buckets {
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

/// The words of an entry, its key as it is; of one that was written twice at once, the key of no position.
#[inline]
fn read(entry: &[AtomicU64; 4]) -> Words {
    let load = |word: usize| entry[word].load(Ordering::Relaxed);
    let (bounds, guess) = (load(2), load(3));
    [load(0) ^ bounds ^ guess, load(1) ^ bounds ^ guess.rotate_left(32), bounds, guess]
}

#[inline]
fn write(entry: &[AtomicU64; 4], [one, other, bounds, guess]: Words) {
    let mixed = [one ^ bounds ^ guess, other ^ bounds ^ guess.rotate_left(32), bounds, guess];
    entry.iter().zip(mixed).for_each(|(to, word)| to.store(word, Ordering::Relaxed));
}

#[inline]
fn known(words: &Words) -> Known {
    Known { low: words[2] as u32, high: (words[2] >> 32) as u32, guess: words[3] as u32 }
}

#[inline]
pub(super) fn codes(words: &Words) -> u64 {
    words[3] >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::splitmix64;

    fn key(number: u64) -> u128 {
        u128::from(splitmix64(2 * number)) << 64 | u128::from(splitmix64(2 * number + 1))
    }

    #[test]
    fn what_fits_is_found_again_while_the_cache_grows() {
        let cache = Cache::new(1 << 24);
        let known = |number: u64| Known { low: number as u32, high: number as u32 + 7, guess: number as u32 + 1 };
        (0..50_000).for_each(|number| cache.put(key(number), 9, known(number)));
        assert!(cache.buckets.load(Ordering::Relaxed) > FIRST_BUCKETS);
        let found = (0..50_000).filter(|&number| cache.get(key(number)) == Some(known(number))).count();
        // A bucket that is full before the cache doubles loses a few.
        assert!(found > 46_000, "{found}");
        assert_eq!(cache.get(key(50_000)), None);
    }

    #[test]
    fn bounds_of_a_position_only_come_closer() {
        let cache = Cache::new(1 << 16);
        cache.put(1, 9, Known { low: 20, high: 24, guess: 5 });
        cache.put(1, 9, Known { low: 22, high: 100, guess: 0 });
        assert_eq!(cache.get(1), Some(Known { low: 22, high: 24, guess: 5 }));
        cache.put(1, 9, Known { low: 21, high: 23, guess: 6 });
        assert_eq!(cache.get(1), Some(Known { low: 22, high: 23, guess: 6 }));
    }

    #[test]
    fn the_smallest_position_gives_way() {
        let cache = Cache::new(1);
        for number in 1..=5 {
            cache.put(number << 70, number as usize, Known { low: 1, high: 2, guess: 3 });
        }
        assert_eq!(cache.get(1 << 70), None);
        assert!((2..=5).all(|number| cache.get(number << 70).is_some()));
    }

    #[test]
    fn the_largest_positions_are_told_and_remembered_by_another_cache() {
        let cache = Cache::new(1 << 24);
        let known = Known { low: 1, high: 2, guess: 3 };
        (0..20_000).for_each(|number| cache.put(key(number), number as usize % 100, known));
        let sizes = |found: &[Words]| found.iter().map(codes).collect::<Vec<_>>();
        let all = cache.largest(usize::MAX, 1);
        assert!(sizes(&all).is_sorted_by(|one, other| one >= other) && all.len() > 18_000);
        for most in [0, 1, 150, 199, 1000, all.len()] {
            assert_eq!(sizes(&cache.largest(most, 1)), sizes(&all)[..most], "{most}");
        }
        assert!(sizes(&cache.largest(usize::MAX, 40)).iter().all(|&codes| codes >= 40));
        let other = Cache::new(1 << 24);
        all.iter().for_each(|&words| other.insert(words));
        assert!(other.largest(usize::MAX, 1).len() > all.len() * 9 / 10);
    }

    #[test]
    fn half_of_one_entry_and_half_of_another_are_none() {
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
    fn threads_that_share_it_see_nothing_that_nobody_wrote() {
        let cache = Cache::new(1 << 22);
        let known = |number: u64| Known {
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
}
