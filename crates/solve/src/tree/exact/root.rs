//! The position before the first guess.
//!
//! Every first guess keeps its parts and what is known of each, so that a search that is stopped can still tell the best
//! tree so far and what no tree can beat.

use pegwise_game::symmetry::Symmetry;

use super::{
    Progress,
    bounds::{IMPOSSIBLE, one_less},
    search::Searcher,
    split::Split,
};

/// A first guess and what is known of it.
struct First {
    guess: u16,
    parts: Vec<Vec<u16>>,
    /// A bound from below for each part.
    lows: Vec<u32>,
    /// How often each part was searched, or that its bound is its least total.
    parts_searched: Vec<Searched>,
    /// Codes in all.
    codes: u32,
    /// Whether the bounds are the least totals.
    solved: bool,
}

/// How far the search of a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Searched {
    /// So often, each time up to a higher total.
    Times(u32),
    /// To its end.
    Done,
}

/// By what share of what is known a bound of a part is raised at a time, as a power of a half.
pub(super) const RAISE: u32 = 6;

impl First {
    fn low(&self) -> u32 {
        self.lows.iter().fold(self.codes, |sum, &low| (sum + low).min(IMPOSSIBLE))
    }
}

/// What a search from the first guess on has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The first guess of the best tree and its total, if one was found below the budget.
    pub(super) best: Option<(u16, u32)>,
    /// No tree has a lower total.
    pub(super) low: u32,
    /// The most promising first guess.
    pub(super) likely: u16,
}

impl Searcher<'_> {
    /// The least total over all codes within so many guesses, if it is below the budget.
    pub(super) fn solve_all(&mut self, first: Option<u16>, guesses: u32, budget: u32) -> Outcome {
        let all: Vec<u16> = (0..self.matrix.len() as u16).collect();
        let left = one_less(guesses);
        let most = self.most_parts();
        let mut firsts: Vec<First> =
            self.first_guesses(first).into_iter().map(|guess| self.first(guess, &all, left)).collect();
        let mut best: Option<(u16, u32)> = None;
        let mut cut = IMPOSSIBLE;
        loop {
            let limit = best.map_or(budget, |(_, total)| total);
            if self.any && best.is_some() {
                break;
            }
            let Some(at) = (0..firsts.len()).min_by_key(|&at| firsts[at].low()) else { break };
            let low = firsts[at].low();
            if low >= limit || self.stopped {
                cut = low;
                break;
            }
            self.reached = Progress {
                nodes: self.all_nodes(),
                lower_bound: low.into(),
                total: best.map(|(_, total)| total.into()),
            };
            self.tell();
            let first = &mut firsts[at];
            if first.solved {
                best = Some((first.guess, low));
                cut = low;
                break;
            }
            if self.anytime {
                self.raise(&mut firsts[at], left, limit);
                continue;
            }
            self.path.push(first.guess);
            for part in 0..first.parts.len() {
                let others = first.low() - first.lows[part];
                if others + first.lows[part] >= limit {
                    break;
                }
                let found = self.solve(&first.parts[part], left, most, limit - others);
                if self.stopped {
                    break;
                }
                first.lows[part] = found.low();
            }
            self.path.pop();
            let total = first.low();
            first.solved = !self.stopped && total < limit;
            if first.solved {
                best = Some((first.guess, total));
            }
        }
        let likely = (0..firsts.len()).min_by_key(|&at| firsts[at].low()).map_or(0, |at| firsts[at].guess);
        Outcome { best, low: cut, likely }
    }

    /// Raises the bound of a part that was searched least, the smallest of those, by a step, or finds its least total. So
    /// all bounds rise evenly, and whenever the search is stopped their sum says what it can.
    fn raise(&mut self, first: &mut First, left: u32, limit: u32) {
        let part = (0..first.parts.len()).min_by_key(|&part| first.parts_searched[part]);
        let Some((part, Searched::Times(times))) = part.map(|part| (part, first.parts_searched[part])) else {
            first.solved = true;
            return;
        };
        let low = first.lows[part];
        let most = limit - (first.low() - low);
        let budget = most.min(low + (low >> RAISE).max(1));
        self.path.push(first.guess);
        let found = self.solve(&first.parts[part], left, self.most_parts(), budget);
        self.path.pop();
        if !self.stopped {
            first.lows[part] = found.low().max(low);
            first.parts_searched[part] = if found.low() < budget { Searched::Done } else { Searched::Times(times + 1) };
        }
    }

    fn first_guesses(&self, only: Option<u16>) -> Vec<u16> {
        if let Some(only) = only {
            return vec![only];
        }
        let symmetry = Symmetry::new(self.rules, &[]);
        let codes = (0..).zip(self.matrix.table.codes());
        codes.filter(|(_, code)| symmetry.is_representative(code)).map(|(row, _)| row).collect()
    }

    fn first(&mut self, guess: u16, all: &[u16], left: u32) -> First {
        let mut split = Split::default();
        split.of(self.matrix, guess, all);
        // The smallest part first: its total comes cheap, and what it leaves of the budget bounds the large parts.
        let parts: Vec<Vec<u16>> = split.parts().rev().map(|(_, part)| part.to_vec()).collect();
        let most = self.most_parts();
        let lows = parts.iter().map(|part| self.look(part, left, most)).collect();
        let parts_searched = vec![Searched::Times(0); parts.len()];
        First { guess, parts, lows, parts_searched, codes: all.len() as u32, solved: false }
    }
}
