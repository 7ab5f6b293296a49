//! Which of the codes that fit is played.

use std::collections::{BTreeSet, HashMap};

use pegwise_game::{Code, Judge, Rules};

use super::population::Population;
use crate::search::Search;

/// How one of the codes found is chosen.
///
/// Random takes one of all finds, so that a code found twice is twice as likely; the others compare different codes, and take
/// the first of equals. The likeness of two codes is their cells that agree plus the colors they share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    Random,
    MostSimilar,
    LeastSimilar,
    /// The code that leaves the fewest of the codes found, on average over these as secrets.
    ExpectedSize,
}

impl Choice {
    pub(super) const WORDS: &'static [&'static str] = &["random", "most-similar", "least-similar", "expected-size"];

    pub(super) fn named(word: &str) -> Self {
        match word {
            "most-similar" => Self::MostSimilar,
            "least-similar" => Self::LeastSimilar,
            "expected-size" => Self::ExpectedSize,
            _ => Self::Random,
        }
    }

    /// Chooses one of at least one code.
    pub(super) fn choose(self, rules: &Rules, found: &Population, search: &mut Search<'_>) -> Code {
        if self == Self::Random {
            return found.code(search.rng.index(found.len()));
        }
        let different: BTreeSet<Code> = (0..found.len()).map(|index| found.code(index)).collect();
        let codes: Vec<Code> = different.into_iter().collect();
        search.score((codes.len() * codes.len()) as u64);
        let mut judge = Judge::new(rules);
        let cost = |code: &Code| match self {
            Self::Random => 0,
            Self::MostSimilar => -codes.iter().map(|other| likeness(rules, code, other)).sum::<i64>(),
            Self::LeastSimilar => codes.iter().map(|other| likeness(rules, code, other)).sum(),
            Self::ExpectedSize => {
                let mut parts = HashMap::new();
                for secret in &codes {
                    *parts.entry(judge.feedback(code, secret)).or_insert(0i64) += 1;
                }
                parts.into_values().map(|size| size * size).sum()
            }
        };
        let costs: Vec<i64> = codes.iter().map(cost).collect();
        let best = (0..codes.len()).min_by_key(|&index| costs[index]).unwrap_or(0);
        codes[best].clone()
    }
}

fn likeness(rules: &Rules, one: &Code, other: &Code) -> i64 {
    let mut balance = vec![0i64; rules.colors().into()];
    let mut agreeing = 0;
    for (one, other) in one.iter().zip(other.iter()) {
        agreeing += i64::from(one == other);
        balance[one.index()] += 1;
        balance[other.index()] -= 1;
    }
    // What one code has too many of is what the codes do not share.
    let unshared: i64 = balance.into_iter().filter(|&count| count > 0).sum();
    agreeing + one.len() as i64 - unshared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_chosen_by_their_place_among_the_others() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut found = Population::new(&rules);
        for code in ["1122", "1123", "1122", "1132", "6666", "1234"] {
            found.push(&rules.parse_code(code).unwrap(), 0);
        }
        let mut search = Search::new(1);
        let mut chosen = |word| Choice::named(word).choose(&rules, &found, &mut search).notation(6).to_string();
        assert_eq!(chosen("most-similar"), "1132");
        assert_eq!(chosen("least-similar"), "6666");
        // The first that tells all five apart; 1122 is answered alike by two of the others.
        assert_eq!(chosen("expected-size"), "1123");
        let drawn: BTreeSet<String> = (0..60).map(|_| chosen("random")).collect();
        assert_eq!(drawn.len(), 5);
    }

    #[test]
    fn likeness_counts_cells_and_colors() {
        let rules: Rules = "4x6".parse().unwrap();
        let code = |text| rules.parse_code(text).unwrap();
        assert_eq!(likeness(&rules, &code("1122"), &code("1122")), 8);
        assert_eq!(likeness(&rules, &code("1122"), &code("2211")), 4);
        assert_eq!(likeness(&rules, &code("1123"), &code("1322")), 4 - 1 + 2);
    }
}
