//! How many guesses a position still takes: with the best guess, and with any other.

use pegwise_game::{Code, Rules, Space};

use super::{
    Options,
    bounds::{IMPOSSIBLE, UNLIMITED},
    matrix::Matrix,
    search::Searcher,
    split::Split,
};
use crate::{search::Watch, strategy::Position, tree::Untold};

/// The marks of all pairs of codes of a space, from which [`Totals`] are searched.
///
/// ```
/// use pegwise_game::{Rules, Table};
/// use pegwise_solve::{Position, Watch, tree::exact::Outlook};
/// let rules: Rules = "4x6".parse().unwrap();
/// let outlook = Outlook::new(&rules, Watch::default()).unwrap();
/// let codes = Table::all(&rules).unwrap();
/// let start = Position { codes: &codes, guesses: &[] };
/// let mut totals = outlook.totals();
/// assert_eq!(totals.least(start, Watch::default()), Some(5625));
/// let knuth = rules.parse_code("1122").unwrap();
/// assert!(totals.after(start, &knuth, Watch::default()) > Some(5625));
/// ```
pub struct Outlook {
    rules: Rules,
    matrix: Matrix,
}

/// The most codes of a space: the marks of all pairs are then made in some tens of milliseconds.
const MOST_CODES: u128 = 1 << 12;
/// The most memory for positions seen before.
const CACHE_BYTES: usize = 1 << 26;

impl Outlook {
    /// The marks of these rules; `None` where they are too many, where feedback does not tell all codes apart, or when
    /// stopped.
    #[must_use]
    pub fn new(rules: &Rules, watch: Watch<'_>) -> Option<Self> {
        let rules = rules.clone().with_max_guesses(None);
        Untold::check_search(&rules).ok()?;
        Space::new(&rules).count().exact().filter(|&codes| codes <= MOST_CODES)?;
        let matrix = Matrix::new(&rules, watch).ok()?;
        Some(Self { rules, matrix })
    }

    /// A search that remembers the positions it has seen.
    #[must_use]
    pub fn totals(&self) -> Totals<'_> {
        let options = Options { cache_bytes: CACHE_BYTES, ..Options::default() };
        Totals(Searcher::new(&self.rules, &self.matrix, &options, Watch::default(), &|_| ()))
    }
}

/// Guesses summed over the codes of a position, searched exactly.
pub struct Totals<'a>(Searcher<'a>);

impl<'a> Totals<'a> {
    /// The least total over the codes of a position; `None` when stopped before it was proven.
    pub fn least(&mut self, position: Position<'_>, watch: Watch<'a>) -> Option<u64> {
        let set = self.begin(position, watch)?;
        self.solve(&set)
    }

    /// The least total when this guess is played first.
    pub fn after(&mut self, position: Position<'_>, guess: &Code, watch: Watch<'a>) -> Option<u64> {
        let set = self.begin(position, watch)?;
        let guess = self.rank(guess)?;
        let mut split = Split::default();
        split.of(self.0.matrix, guess, &set);
        let mut total = set.len() as u64;
        self.0.path.push(guess);
        for (_, part) in split.parts() {
            total += self.solve(part)?;
        }
        Some(total)
    }

    /// A guess of the least total.
    pub fn best(&mut self, position: Position<'_>, watch: Watch<'a>) -> Option<Code> {
        let set = self.begin(position, watch)?;
        let guess = self.0.best_known(&set, UNLIMITED)?;
        (!self.0.stopped).then(|| self.0.matrix.table.code(guess.into()))
    }

    fn begin(&mut self, position: Position<'_>, watch: Watch<'a>) -> Option<Vec<u16>> {
        self.0.restart(watch);
        let path = position.guesses.iter().map(|guess| self.rank(guess)).collect::<Option<Vec<u16>>>()?;
        self.0.path = path;
        position.codes.codes().map(|code| self.rank(&code)).collect()
    }

    fn rank(&self, code: &Code) -> Option<u16> {
        Space::new(self.0.rules).rank(code).and_then(|rank| u16::try_from(rank).ok())
    }

    fn solve(&mut self, set: &[u16]) -> Option<u64> {
        let most = self.0.most_parts();
        let total = self.0.solve(set, UNLIMITED, most, IMPOSSIBLE).low();
        (!self.0.stopped).then_some(total.into())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pegwise_game::{Feedback, Table, feedback};

    use super::*;
    use crate::rng::Rng;

    /// Tries every guess at every position.
    fn naive(rules: &Rules, all: &[Code], codes: &[Code], known: &mut BTreeMap<Vec<Code>, u64>) -> u64 {
        match codes.len() {
            0 => return 0,
            1 => return 1,
            2 => return 3,
            _ => {}
        }
        if let Some(&total) = known.get(codes) {
            return total;
        }
        let least = all.iter().filter_map(|guess| naive_after(rules, all, codes, guess, known)).min();
        let least = least.expect("a code of the position always tells something");
        known.insert(codes.to_vec(), least);
        least
    }

    fn naive_after(
        rules: &Rules,
        all: &[Code],
        codes: &[Code],
        guess: &Code,
        known: &mut BTreeMap<Vec<Code>, u64>,
    ) -> Option<u64> {
        let mut parts: BTreeMap<Feedback, Vec<Code>> = BTreeMap::new();
        codes.iter().for_each(|code| parts.entry(feedback(rules, guess, code)).or_default().push(code.clone()));
        parts.remove(&Feedback::winning(rules));
        if parts.values().any(|part| part.len() == codes.len()) {
            return None;
        }
        Some(codes.len() as u64 + parts.values().map(|part| naive(rules, all, part, known)).sum::<u64>())
    }

    #[test]
    fn totals_are_those_of_trying_everything() {
        for text in ["3x3", "2x4", "3x4:no-repeats", "2x4:higher-lower", "grid:2x2x2"] {
            let rules: Rules = text.parse().unwrap();
            let outlook = Outlook::new(&rules, Watch::default()).unwrap();
            let mut totals = outlook.totals();
            let all: Vec<Code> = Space::new(&rules).iter().collect();
            let mut known = BTreeMap::new();
            let mut rng = Rng::new(3);
            for _ in 0..20 {
                let (first, secret) = (rng.code(&rules), rng.code(&rules));
                let answer = feedback(&rules, &first, &secret);
                let codes: Vec<Code> =
                    all.iter().filter(|code| feedback(&rules, &first, code) == answer).cloned().collect();
                let table = Table::from_codes(&rules, &codes).unwrap();
                let position = Position { codes: &table, guesses: std::slice::from_ref(&first) };
                let least = naive(&rules, &all, &codes, &mut known);
                assert_eq!(totals.least(position, Watch::default()), Some(least), "{text}");
                let best = totals.best(position, Watch::default()).unwrap();
                assert_eq!(totals.after(position, &best, Watch::default()), Some(least), "{text}");
                let guess = rng.code(&rules);
                if let Some(after) = naive_after(&rules, &all, &codes, &guess, &mut known) {
                    assert_eq!(totals.after(position, &guess, Watch::default()), Some(after), "{text}");
                }
            }
        }
    }
}
