//! Guesses by the information of several turns, as Bestavros and Belal chose them.
//!
//! The cost of a set of candidates after the last turn is that of a part; before, it is the lowest cost of a candidate as
//! the guess, whose parts have the cost of one turn less. For entropy, the sum of `n log n` over the last parts is the
//! information that is still missing, so the guess maximizes the expected information of all turns together; for the
//! worst case it maximizes the least information, that of the largest last part.
//!
//! # References
//! A. Bestavros and A. Belal, Mastermind, a game of diagnosis strategies, Alexandria University, 1986, as described by
//! S. Singley, 2005, section 3.4.

use pegwise_game::partition::Partitioner;
use pegwise_game::{Code, Table};

use super::cost::CostFunction;
use crate::clock;
use crate::search::Search;

/// Maximum number of pairs of guess and candidate in a position that is searched more than one turn ahead.
const MAX_PAIRS: usize = 100_000;

/// Search for the guesses that are best after a number of turns.
#[derive(Debug)]
pub(super) struct Lookahead<'a, 'b, 'c> {
    pub(super) function: &'a CostFunction,
    pub(super) partitioner: &'a mut Partitioner,
    pub(super) search: &'b mut Search<'c>,
    /// True once a limit was reached; the guess is then the best so far.
    pub(super) stopped: bool,
}

impl Lookahead<'_, '_, '_> {
    /// Returns the rows of the best of `guesses` after `turns` turns, ascending; `None` if there are too many.
    pub(super) fn best(&mut self, guesses: &Table, codes: &Table, turns: u64) -> Option<Vec<usize>> {
        if guesses.len().saturating_mul(codes.len()) > MAX_PAIRS {
            return None;
        }
        let mut best = (u64::MAX, Vec::new());
        for row in 0..guesses.len() {
            let cost = self.guess_cost(&guesses.code(row), codes, turns);
            if cost < best.0 {
                best = (cost, Vec::new());
            }
            if cost == best.0 {
                best.1.push(row);
            }
            if self.is_stopped() {
                break;
            }
        }
        Some(best.1)
    }

    /// Returns the cost of a guess after `turns` turns, one of which is the guess.
    fn guess_cost(&mut self, guess: &Code, codes: &Table, turns: u64) -> u64 {
        if turns == 1 {
            let mut sizes = Vec::new();
            clock::work(codes.len() as u64);
            self.search.score(codes.len() as u64);
            self.partitioner.sizes(guess, codes, &mut sizes);
            return self.function.cost(&sizes);
        }
        let parts = self.partitioner.split(guess, codes);
        let costs: Vec<u64> = parts.iter().map(|part| self.cost(&codes.select(&part.rows), turns - 1)).collect();
        self.function.combine(costs.into_iter())
    }

    /// Returns the lowest cost of a candidate as the next guess.
    fn cost(&mut self, codes: &Table, turns: u64) -> u64 {
        // Two codes separate each other, so their parts are single codes.
        let guesses = if codes.len() <= 2 { 1 } else { codes.len() };
        let mut lowest = u64::MAX;
        for row in 0..guesses {
            lowest = lowest.min(self.guess_cost(&codes.code(row), codes, turns));
            // A part whose guesses were not all compared costs too much, never too little.
            if self.is_stopped() {
                break;
            }
        }
        lowest
    }

    /// Returns true once a limit was reached.
    fn is_stopped(&mut self) -> bool {
        self.stopped |= self.search.stop().is_some();
        self.stopped
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Judge, Rules};

    use super::*;
    use crate::one_step::Criterion;

    /// Parts of candidates by feedback to a guess.
    fn parts(rules: &Rules, guess: &Code, codes: &[Code]) -> Vec<Vec<Code>> {
        let mut judge = Judge::new(rules);
        let mut parts: Vec<(String, Vec<Code>)> = Vec::new();
        for code in codes {
            let feedback = judge.feedback(guess, code).to_string();
            match parts.iter_mut().find(|(of, _)| *of == feedback) {
                Some((_, part)) => part.push(code.clone()),
                None => parts.push((feedback, vec![code.clone()])),
            }
        }
        parts.into_iter().map(|(_, part)| part).collect()
    }

    /// All sequences of guesses: the sizes of the last parts of each guess under the best following ones.
    fn naive(rules: &Rules, criterion: Criterion, guess: &Code, codes: &[Code], turns: u64) -> f64 {
        let costs = parts(rules, guess, codes).into_iter().map(|part| match turns {
            1 if criterion == Criterion::WorstCase => part.len() as f64,
            1 => part.len() as f64 * (part.len() as f64).log2(),
            _ => part.iter().map(|next| naive(rules, criterion, next, &part, turns - 1)).fold(f64::INFINITY, f64::min),
        });
        match criterion {
            Criterion::WorstCase => costs.fold(0.0, f64::max),
            _ => costs.sum(),
        }
    }

    #[test]
    fn the_best_guesses_are_those_of_all_sequences() {
        let rules: Rules = "3x4".parse().unwrap();
        let table = Table::all(&rules).unwrap();
        let codes: Vec<Code> = table.codes().collect();
        for criterion in [Criterion::WorstCase, Criterion::Entropy] {
            let mut function = CostFunction::new(criterion, 0);
            function.prepare(codes.len());
            let (mut partitioner, mut search) = (Partitioner::new(&rules), Search::new(1));
            for turns in [1, 2] {
                let mut lookahead = Lookahead {
                    function: &function,
                    partitioner: &mut partitioner,
                    search: &mut search,
                    stopped: false,
                };
                let best = lookahead.best(&table, &table, turns).unwrap();
                let costs: Vec<f64> =
                    codes.iter().map(|guess| naive(&rules, criterion, guess, &codes, turns)).collect();
                let lowest = costs.iter().copied().fold(f64::INFINITY, f64::min);
                let expected: Vec<usize> = (0..codes.len()).filter(|&row| costs[row] < lowest + 1e-6).collect();
                assert_eq!(best, expected, "{criterion:?}, {turns} turns");
            }
        }
    }
}
