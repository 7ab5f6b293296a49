//! The working space of a position: its guesses in the order in which they are worked on.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{
    bounds::IMPOSSIBLE,
    search::Best,
    split::{Seen, Split},
};

/// The working space of one position.
#[derive(Default)]
pub(super) struct Agenda {
    /// Parts that each guess makes.
    pub(super) parts: Vec<u8>,
    /// The parts of the guess at hand.
    pub(super) split: Split,
    /// Guesses that wait, the lowest bound first.
    pub(super) waiting: BinaryHeap<Reverse<Candidate>>,
    /// Ways to split the codes that were met.
    pub(super) seen: Seen,
}

/// A guess that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    /// No strategy that begins with the guess has a lower total.
    pub(super) low: u32,
    /// What the bound rests on; the more, the earlier among equals.
    pub(super) stage: Reverse<Stage>,
    pub(super) inconsistent: bool,
    pub(super) guess: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The number of parts.
    Counted,
    /// The sizes of the parts.
    Sized,
    /// A look at each part.
    Looked,
}

/// The bounds of guesses by the number of parts they make and whether they can win, the lowest bound last.
pub(super) type Buckets = Vec<(u32, u8, bool)>;

impl Agenda {
    /// The lowest bound of a guess that waits.
    pub(super) fn lowest(&self) -> u32 {
        self.waiting.peek().map_or(IMPOSSIBLE, |Reverse(first)| first.low)
    }

    /// The guess to work on next, and the lowest bound of those after it; `None` where none can be better than the best.
    pub(super) fn next(&mut self, set: &[u16], buckets: &mut Buckets, best: &mut Best) -> Option<(Candidate, u32)> {
        while let Some(&(low, parts, wins)) = buckets.last()
            && low < self.lowest()
        {
            if low >= best.total {
                best.ruled_out = best.ruled_out.min(low);
                return None;
            }
            buckets.pop();
            self.fill(set, parts, wins, low);
        }
        let Reverse(candidate) = self.waiting.pop()?;
        if candidate.low >= best.total {
            best.ruled_out = best.ruled_out.min(candidate.low);
            return None;
        }
        let next = self.lowest().min(buckets.last().map_or(IMPOSSIBLE, |bucket| bucket.0));
        Some((candidate, next))
    }

    /// Lets all guesses wait that make so many parts.
    pub(super) fn fill(&mut self, set: &[u16], parts: u8, wins: bool, low: u32) {
        let candidate = |guess| Candidate { low, stage: Reverse(Stage::Counted), inconsistent: !wins, guess };
        if wins {
            let own = set.iter().copied().filter(|&code| self.parts[usize::from(code)] == parts);
            self.waiting.extend(own.map(|guess| Reverse(candidate(guess))));
            return;
        }
        let mut own = set.iter().copied().peekable();
        for (guess, &made) in (0..).zip(&self.parts) {
            let consistent = own.next_if_eq(&guess).is_some();
            if made == parts && !consistent {
                self.waiting.push(Reverse(candidate(guess)));
            }
        }
    }
}
