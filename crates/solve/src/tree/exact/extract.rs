//! The tree that a search has found.
//!
//! The cache knows the best guess of most positions; what has given way there is searched again. After a search that was
//! stopped, positions that were not finished get the guess that looks best one step ahead, of as many as there is time for:
//! whoever stopped it waits.

use std::time::Duration;

use pegwise_game::Code;

use super::{
    bounds::{IMPOSSIBLE, one_less},
    search::{Searcher, sum},
    split::Split,
};
use crate::{
    search::Watch,
    tree::{Branch, Node},
};

/// How long a tree may take that is put together after the time was up, before it is done with what comes first.
pub(super) const GRACE: Duration = Duration::from_millis(50);
/// Marks looked at for a guess one step ahead, and when time is short.
const MARKS_A_GUESS: usize = 1 << 22;
const MARKS_IN_A_HURRY: usize = 1 << 11;
/// What a guess costs beside a look at every mark, in such looks.
const MARKS_OF_OVERHEAD: usize = 64;

impl Searcher<'_> {
    /// The tree of a position that begins with this guess; the best known one where the search was stopped. `None` if
    /// none is known within so many guesses.
    pub(super) fn tree(&mut self, set: &[u16], guess: u16, guesses: u32) -> Option<Node> {
        let code: Code = self.matrix.table.code(guess.into());
        if guesses == 0 {
            return None;
        }
        if set == [guess] {
            return Some(Node::leaf(code));
        }
        let mut split = Split::default();
        split.of(self.matrix, guess, set);
        if split.parts().len() == 1 && !split.wins() {
            return None;
        }
        let left = one_less(guesses);
        let mut branches = Vec::with_capacity(split.parts().len());
        for (mark, part) in split.parts() {
            self.path.push(guess);
            let next = self.best_known(part, left);
            let node = next.and_then(|next| self.tree(part, next, left));
            self.path.pop();
            branches.push(Branch { feedback: self.matrix.feedbacks[usize::from(mark)].clone(), node: node? });
        }
        branches.sort_unstable_by(|one, other| one.feedback.cmp(&other.feedback));
        Some(Node { guess: code, wins: split.wins(), branches })
    }

    /// The guess of the best strategy found for a position.
    pub(super) fn best_known(&mut self, set: &[u16], guesses: u32) -> Option<u16> {
        if let Some(total) = self.settled(set, guesses) {
            return (total < IMPOSSIBLE).then(|| self.separator(set).unwrap_or(set[0]));
        }
        if !self.stopped {
            let total = self.solve(set, guesses, self.most_parts(), IMPOSSIBLE).low();
            // Which of several best guesses the search met first depends on who else was searching.
            if self.team.is_some() && !self.stopped && total < IMPOSSIBLE {
                // Two codes left together cost one guess more than none: where that is the least, it is found at once.
                let pair = (total == 2 * set.len() as u32 && guesses > 2).then(|| self.divider(set, 1)).flatten();
                let first = pair.or_else(|| self.first_best(set, guesses, total));
                if first.is_some() && !self.stopped {
                    return first;
                }
            }
        }
        let key = self.key(set, guesses);
        if let Some(known) = self.cache.get(key).filter(|known| known.high < IMPOSSIBLE) {
            return self.canonical.unpack(&self.canonical.form(set), known.guess);
        }
        self.greedy(set, guesses)
    }

    /// The guess that looks best one step ahead, if one keeps within the guesses as far as that shows.
    fn greedy(&mut self, set: &[u16], guesses: u32) -> Option<u16> {
        let left = one_less(guesses);
        let most = self.most_parts();
        let hurry = self.grace.get_or_insert_with(|| Watch::new(Some(GRACE), None)).stop().is_some();
        let marks = if hurry { MARKS_IN_A_HURRY } else { MARKS_A_GUESS };
        let tried = (marks / (set.len() + MARKS_OF_OVERHEAD)).max(1);
        let spread = |of: usize| of.div_ceil(tried);
        let others = if self.consistent_only { 0 } else { self.matrix.len() };
        let own = set.iter().copied().step_by(spread(set.len()));
        let allowed = own.chain((0..others as u16).step_by(spread(self.matrix.len())));
        let cost = |split: &mut Split, guess: u16| {
            split.of(self.matrix, guess, set);
            let low = split.parts().map(|(_, part)| self.quick_bound(part.len(), left, most)).fold(0, sum);
            let squares: usize = split.parts().map(|(_, part)| part.len() * part.len()).sum();
            (low, squares, !split.wins(), guess)
        };
        let mut split = Split::default();
        let best = allowed.map(|guess| cost(&mut split, guess)).min();
        best.filter(|best| best.0 < IMPOSSIBLE).map(|best| best.3)
    }
}
