//! What is known about positions met before.
//!
//! A position is kept under a 128-bit key of its canonical form, so that two positions are never mistaken for each other in
//! practice: a billion of them collide with odds of one in 2⁶⁸. Bounds from below and from above share an entry. The cache grows with what it holds, up to a fixed amount of memory; from there on the position with the
//! fewest codes in a full bucket gives way.

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

/// The key in two halves, the two bounds, the guess and the number of codes. Plain words, since memory of zeros is handed
/// out without being touched. Zero codes mark an empty entry.
type Entry = [u64; 4];

/// Entries that share a bucket.
const WAYS: usize = 4;
/// Buckets at the start: they fit the second cache.
const FIRST_BUCKETS: usize = 1 << 12;

/// Known positions, in a bounded amount of memory.
pub(super) struct Cache {
    buckets: Vec<[Entry; WAYS]>,
    most_buckets: usize,
    held: usize,
}

impl Cache {
    /// A cache that takes at most so many bytes, or else one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        // A power of two, so that a mask picks the bucket. While it grows, the old buckets are still there.
        let most_buckets = 1usize << (bytes * 2 / 3 / size_of::<[Entry; WAYS]>()).max(1).ilog2();
        Self { buckets: vec![[[0; 4]; WAYS]; FIRST_BUCKETS.min(most_buckets)], most_buckets, held: 0 }
    }

    #[inline]
    fn bucket(&self, half: u64) -> usize {
        half as usize & (self.buckets.len() - 1)
    }

    #[inline]
    pub(super) fn get(&self, key: u128) -> Option<Known> {
        let halves = [key as u64, (key >> 64) as u64];
        let entry = self.buckets[self.bucket(halves[0])].iter().find(|entry| entry[..2] == halves)?;
        Some(Known { low: entry[2] as u32, high: (entry[2] >> 32) as u32, guess: entry[3] as u32 })
    }

    #[inline]
    pub(super) fn put(&mut self, key: u128, codes: usize, known: Known) {
        if self.held > self.buckets.len() * WAYS / 2 && self.buckets.len() < self.most_buckets {
            self.grow();
        }
        let bounds = u64::from(known.low) | u64::from(known.high) << 32;
        self.insert([key as u64, (key >> 64) as u64, bounds, u64::from(known.guess) | (codes as u64) << 32]);
    }

    fn insert(&mut self, entry: Entry) {
        let at = self.bucket(entry[0]);
        let bucket = &mut self.buckets[at];
        let same = bucket.iter().position(|old| old[..2] == entry[..2]);
        let slot = same.unwrap_or_else(|| {
            let fewest = bucket.iter().enumerate().min_by_key(|(_, old)| codes(old));
            fewest.map_or(0, |(slot, _)| slot)
        });
        self.held += usize::from(codes(&bucket[slot]) == 0);
        bucket[slot] = entry;
    }

    /// Doubles the buckets.
    fn grow(&mut self) {
        let doubled = vec![[[0; 4]; WAYS]; self.buckets.len() * 2];
        let old = std::mem::replace(&mut self.buckets, doubled);
        self.held = 0;
        old.into_iter().flatten().filter(|entry| codes(entry) > 0).for_each(|entry| self.insert(entry));
    }
}

#[inline]
fn codes(entry: &Entry) -> u64 {
    entry[3] >> 32
}
