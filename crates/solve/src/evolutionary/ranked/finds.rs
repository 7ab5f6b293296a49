//! The different codes found that fit.

use pegwise_game::{Color, Rules};

use crate::{
    candidates::TurnSet,
    evolutionary::{Population, Seen},
};

/// A set of codes in the order they were found.
#[derive(Debug)]
pub(super) struct Finds {
    codes: Population,
    seen: Seen,
    /// Codes that are carried over to the next history.
    carried: Population,
}

impl Finds {
    pub(super) fn new(rules: &Rules) -> Self {
        Self { codes: Population::new(rules), seen: Seen::new(rules), carried: Population::new(rules) }
    }

    pub(super) fn codes(&self) -> &Population {
        &self.codes
    }

    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    pub(super) fn clear(&mut self) {
        self.codes.clear();
        self.seen.clear();
    }

    /// Adds a code that fits, and tells its place in the set, also when it was there before.
    pub(super) fn insert(&mut self, code: &[Color]) -> usize {
        let place = self.seen.place(code);
        if place == self.codes.len() {
            self.codes.push(code, 0);
        }
        place
    }

    /// Drops the codes that do not fit any more, and tells how many there were.
    pub(super) fn retain(&mut self, ledger: &mut TurnSet) -> usize {
        let tested = self.codes.len();
        std::mem::swap(&mut self.codes, &mut self.carried);
        self.clear();
        for index in 0..tested {
            if ledger.is_consistent(self.carried.member(index)) {
                let place = self.seen.place(self.carried.member(index));
                debug_assert_eq!(place, self.codes.len());
                self.codes.push(self.carried.member(index), 0);
            }
        }
        tested
    }
}
