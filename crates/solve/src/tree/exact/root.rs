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
    /// Codes in all.
    codes: u32,
    /// Whether the bounds are the least totals.
    solved: bool,
}

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
            self.reached =
                Progress { nodes: self.nodes, lower_bound: low.into(), total: best.map(|(_, total)| total.into()) };
            self.tell();
            let first = &mut firsts[at];
            if first.solved {
                best = Some((first.guess, low));
                cut = low;
                break;
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
        First { guess, parts, lows, codes: all.len() as u32, solved: false }
    }
}
