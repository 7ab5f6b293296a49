//! Among the trees of least total, those in which the fewest codes take more than a given number of guesses.
//!
//! In a tree of least total, every part has its least total. The fewest codes of a position that take more than `left`
//! further guesses are therefore the minimum, over all guesses that attain the least total, of the sum over the parts
//! with one guess less. That number is zero if the least total within `left` guesses is the least total.

use std::collections::HashMap;

use pegwise_search::tree::{Branch, Node, Tree};

use super::{
    Report,
    bounds::{IMPOSSIBLE, UNLIMITED},
    driver::ProofDriver,
    matrix::{SeenPartitions, Split},
    search::{GuessQueue, Interrupt, MIN_SYMMETRY_CODES, NodeContext, QueuedGuess, SearchResult, Searcher, Stage},
};

/// Fewest codes of a position that take more guesses than are left, or a lower bound.
#[derive(Clone, Copy)]
struct Fewest {
    codes: u32,
    /// Guess that attains the number, in canonical form; `None` for a lower bound.
    guess: Option<u32>,
}

/// Search for the fewest codes, with the results so far by the key of the position and the number of guesses left.
struct FewestSearch<'s, 'a> {
    searcher: &'s mut Searcher<'a>,
    /// Fixed first guess, and the least total of the trees that begin with it.
    first: Option<(u16, u32)>,
    known: HashMap<(u128, u32), Fewest>,
}

impl ProofDriver<'_> {
    /// Returns a tree of least total in which the fewest codes take more than `after` guesses, given one of least total.
    /// If stopped, returns the given tree.
    pub(super) fn fewest(&mut self, least: Report, after: u32) -> Report {
        let all = self.searcher.matrix.secrets.clone();
        let first = self.first.map(|first| (first, least.total as u32));
        let mut search = FewestSearch { searcher: &mut self.searcher, first, known: HashMap::new() };
        let root = search.tree(&all, after);
        let (nodes, ended) = (self.searcher.all_nodes(), self.searcher.ended);
        match root {
            Ok(Some(root)) if !ended => {
                let tree = Tree { rules: self.rules.clone(), root };
                Report::of_tree(tree, nodes, least.proven, least.lower_bound)
            }
            _ => Report { proven: false, nodes, ..least },
        }
    }
}

impl FewestSearch<'_, '_> {
    /// Returns the fixed first guess and its least total if `set` is the first position.
    fn first_at(&self, set: &[u16]) -> Option<(u16, u32)> {
        self.first.filter(|_| set.len() == self.searcher.matrix.secrets.len())
    }

    /// Returns the fewest codes that take more than `left` guesses if they are fewer than `limit`, or else a lower bound
    /// that is not below it.
    fn fewest(&mut self, set: &[u16], left: u32, limit: u32) -> Result<u32, Interrupt> {
        let low = self.quick_bound(set, left);
        if left == 0 || set.len() == 1 || low >= limit {
            return Ok(low);
        }
        let key = (self.searcher.key(set, UNLIMITED), left);
        let known = self.known.get(&key).copied();
        if let Some(known) = known
            && (known.guess.is_some() || known.codes >= limit)
        {
            return Ok(known.codes);
        }
        let width = self.searcher.any_width();
        let first = self.first_at(set);
        let total = match first {
            Some((_, total)) => total,
            None => self.searcher.solve(set, UNLIMITED, width, IMPOSSIBLE)?.low(),
        };
        let form = self.searcher.canonical.form(set);
        if first.is_none() && self.searcher.solve(set, left, width, total + 1)? == SearchResult::Total(total) {
            self.known.insert(key, Fewest { codes: 0, guess: Some(0) });
            return Ok(0);
        }
        let low = low.max(known.map_or(u32::from(first.is_none()), |known| known.codes));
        let (mut best, mut best_guess) = (limit, None);
        let (mut split, mut seen) = (Split::default(), SeenPartitions::default());
        for candidate in self.candidates(set, total) {
            if best <= low {
                break;
            }
            let (guess, matrix) = (candidate.guess, self.searcher.matrix);
            split.of(matrix, guess, set);
            let quick: u32 = split.parts().map(|(_, part)| self.quick_bound(part, left - 1)).sum();
            let is_new = quick < best && seen.is_new(matrix, set, guess, !candidate.inconsistent);
            if !is_new || !self.attains(set, candidate, total)? {
                continue;
            }
            let mut codes = quick;
            self.searcher.path.push(guess);
            for (_, part) in split.parts() {
                if codes >= best {
                    break;
                }
                let others = codes - self.quick_bound(part, left - 1);
                codes = others + self.fewest(part, left - 1, best - others)?;
            }
            self.searcher.path.pop();
            if codes < best {
                (best, best_guess) = (codes, Some(self.searcher.canonical.pack(&form, guess)));
            }
        }
        self.known.insert(key, Fewest { codes: best, guess: best_guess });
        Ok(best)
    }

    /// Returns a lower bound from the number of codes.
    fn quick_bound(&self, set: &[u16], left: u32) -> u32 {
        let reach = self.searcher.bounds.reach(left, self.searcher.any_width());
        (set.len() as u64).saturating_sub(reach) as u32
    }

    /// Returns the guesses that may attain the least total, the lowest bounds first. Of symmetric guesses, one is
    /// returned.
    fn candidates(&mut self, set: &[u16], total: u32) -> Vec<QueuedGuess> {
        let mut queue = GuessQueue::default();
        let width = self.searcher.count_parts(&mut queue, set);
        let context = NodeContext { set, left: UNLIMITED, width };
        let classes = if set.len() >= MIN_SYMMETRY_CODES { self.searcher.representatives() } else { None };
        let first = self.first_at(set);
        let searcher = &*self.searcher;
        let guesses = (0..searcher.matrix.len() as u16).filter(|&guess| match first {
            Some((first, _)) => guess == first,
            None => classes.as_ref().is_none_or(|classes| classes[usize::from(guess)]),
        });
        let queued = guesses.map(|guess| QueuedGuess {
            low: searcher.sized_bound(context, guess),
            stage: std::cmp::Reverse(Stage::Sized),
            inconsistent: set.binary_search(&guess).is_err(),
            guess,
        });
        let allowed =
            |candidate: &QueuedGuess| candidate.low <= total && !(searcher.consistent_only && candidate.inconsistent);
        let mut queued: Vec<QueuedGuess> = queued.filter(allowed).collect();
        queued.sort_unstable();
        queued
    }

    /// Returns true if a guess attains the least total.
    fn attains(&mut self, set: &[u16], mut candidate: QueuedGuess, total: u32) -> Result<bool, Interrupt> {
        let context = NodeContext { set, left: UNLIMITED, width: self.searcher.any_width() };
        let mut split = Split::default();
        let searched = self.searcher.finish(&mut split, context, &mut candidate, IMPOSSIBLE, || total + 1)?;
        Ok(searched && candidate.low == total)
    }

    /// Returns a tree of least total with the fewest codes that take more than `left` guesses.
    fn tree(&mut self, set: &[u16], left: u32) -> Result<Option<Node>, Interrupt> {
        let fewest = self.fewest(set, left, IMPOSSIBLE)?;
        if fewest == 0 || left == 0 {
            let guesses = if fewest == 0 { left } else { UNLIMITED };
            let guess = match self.first_at(set) {
                Some((first, _)) => Some(first),
                None => self.searcher.best_known(set, guesses),
            };
            return Ok(guess.and_then(|guess| self.searcher.tree(set, guess, guesses)));
        }
        let known = self.known.get(&(self.searcher.key(set, UNLIMITED), left)).and_then(|known| known.guess);
        let form = self.searcher.canonical.form(set);
        let Some(guess) = known.and_then(|guess| self.searcher.canonical.unpack(&form, guess)) else { return Ok(None) };
        let (mut split, mut branches) = (Split::default(), Vec::new());
        split.of(self.searcher.matrix, guess, set);
        self.searcher.path.push(guess);
        for (mark, part) in split.parts() {
            let Some(node) = self.tree(part, left - 1)? else { return Ok(None) };
            branches.push(Branch { feedback: self.searcher.matrix.feedbacks[usize::from(mark)].clone(), node });
        }
        self.searcher.path.pop();
        branches.sort_unstable_by(|one, other| one.feedback.cmp(&other.feedback));
        Ok(Some(Node { guess: self.searcher.matrix.table.code(guess.into()), wins: split.wins(), branches }))
    }
}
