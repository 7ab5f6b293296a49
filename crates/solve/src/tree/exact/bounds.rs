//! What no strategy can beat, from the number of codes alone.
//!
//! Where no guess makes more than `parts` parts, at most one code is played by the first guess, `parts` codes by the second,
//! `parts²` by the third: a guess that can win leaves `parts - 1` others, and one that cannot leaves `parts` that each win
//! at best at once. A guess makes no more parts of some codes than of all of them, so a bound on the parts found at a
//! position holds for everything below it.

/// A cost that no strategy has: more codes than the guesses left can tell apart.
pub(super) const IMPOSSIBLE: u32 = u32::MAX / 4;
/// As many guesses as it takes.
pub(super) const UNLIMITED: u32 = u32::MAX;

/// The least total for so many codes, by the most parts a guess makes.
pub(super) struct Bounds {
    codes: usize,
    totals: Vec<u32>,
}

impl Bounds {
    pub(super) fn new(codes: usize, kinds: usize) -> Self {
        let mut totals = Vec::with_capacity((codes + 1) * (kinds + 1));
        for parts in 0..=kinds as u64 {
            let (mut guesses, mut within, mut total) = (1u32, 1u64, 0u32);
            totals.push(0);
            for code in 1..=codes as u64 {
                // With one part for all, codes can only be played one by one.
                while code > within {
                    guesses += 1;
                    within = if parts < 2 { within + 1 } else { within * parts };
                }
                total = total.saturating_add(guesses).min(IMPOSSIBLE);
                totals.push(total);
            }
        }
        Self { codes, totals }
    }

    /// The least totals of 0, 1, 2, … codes, where no guess makes more parts than these.
    #[inline]
    pub(super) fn row(&self, parts: u8) -> &[u32] {
        &self.totals[usize::from(parts) * (self.codes + 1)..][..self.codes + 1]
    }

    /// The least total of so many codes split by one guess into so many parts, where none below makes more than `most`.
    pub(super) fn split(&self, most: u8, codes: usize, parts: usize, wins: bool) -> u32 {
        let row = self.row(most);
        let (left, into) = if wins { (codes - 1, parts - 1) } else { (codes, parts) };
        if into == 0 {
            return if left == 0 { codes as u32 } else { IMPOSSIBLE };
        }
        // Totals grow faster and faster with the codes, so equal parts are best.
        let (size, larger) = (left / into, left % into);
        codes as u32 + (into - larger) as u32 * row[size] + larger as u32 * row[(size + 1).min(self.codes)]
    }
}

/// The guesses left after one.
#[inline]
pub(super) fn one_less(guesses: u32) -> u32 {
    if guesses == UNLIMITED { UNLIMITED } else { guesses.saturating_sub(1) }
}

/// Whether so many codes can be told apart by so many guesses that make at most so many parts each.
#[inline]
pub(super) fn fits(codes: usize, guesses: u32, parts: u8) -> bool {
    let mut within = 1u64;
    for _ in 1..guesses {
        if within >= codes as u64 {
            return true;
        }
        within = if parts < 2 { within + 1 } else { within * u64::from(parts) };
    }
    guesses > 0 && within >= codes as u64
}
