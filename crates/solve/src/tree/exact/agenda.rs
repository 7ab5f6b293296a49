//! The working space of a position: its guesses in the order in which they are worked on.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::split::{Seen, Split};

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

impl Agenda {
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
