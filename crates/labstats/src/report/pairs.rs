//! Which strategies differ under the same rules.

use super::Sample;
use crate::compare::{holm, letters, mann_whitney, sign, welch, wilcoxon};

/// Differences below this chance of a false alarm count.
pub(super) const LEVEL: f64 = 0.05;

/// Two strategies, compared by guesses.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pair {
    /// Their places among the strategies.
    pub(super) places: (usize, usize),
    /// How many games both played.
    pub(super) shared: usize,
    /// The p values of Wilcoxon, sign, Welch and Mann-Whitney, each corrected over all pairs; none where a test cannot be
    /// made.
    pub(super) p: [Option<f64>; 4],
}

impl Pair {
    /// The p that decides: by shared games if most games are shared, and otherwise by ranks.
    fn deciding(&self, samples: &[&Sample]) -> Option<f64> {
        let fewer = samples[self.places.0].games().min(samples[self.places.1].games());
        if 2 * self.shared >= fewer { self.p[0] } else { self.p[3] }
    }
}

/// Compares every two samples, with Holm's correction for each test.
pub(super) fn pairs(samples: &[&Sample]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for second in 1..samples.len() {
        for first in 0..second {
            pairs.push(pair(samples, first, second));
        }
    }
    pairs.sort_by_key(|pair| pair.places);
    for test in 0..4 {
        let made: Vec<f64> = pairs.iter().filter_map(|pair| pair.p[test]).collect();
        let mut corrected = holm(&made).into_iter();
        for p in pairs.iter_mut().filter_map(|pair| pair.p[test].as_mut()) {
            *p = corrected.next().expect("there is one for each test made");
        }
    }
    pairs
}

fn pair(samples: &[&Sample], first: usize, second: usize) -> Pair {
    let (a, b) = samples[first].paired_guesses(samples[second]);
    let shared = a.len();
    let paired = (shared > 0).then(|| (wilcoxon(&a, &b).p, sign(&a, &b).p));
    let (a, b) = (samples[first].guesses(), samples[second].guesses());
    let p = [
        paired.map(|(wilcoxon, _)| wilcoxon),
        paired.map(|(_, sign)| sign),
        welch(&a, &b).map(|test| test.p),
        mann_whitney(&a, &b).map(|test| test.p),
    ];
    Pair { places: (first, second), shared, p }
}

/// Letters for the samples: two that share one cannot be told apart.
pub(super) fn groups(samples: &[&Sample], pairs: &[Pair]) -> Vec<String> {
    letters(samples.len(), |first, second| {
        let pair = pairs.iter().find(|pair| pair.places == (first, second));
        pair.and_then(|pair| pair.deciding(samples)).is_some_and(|p| p < LEVEL)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Trial;

    fn sample(first_game: u64, guesses: impl Fn(u64) -> u32) -> Sample {
        let mut sample = Sample::new("4x6", "any");
        for game in first_game..first_game + 200 {
            let guesses = guesses(game);
            sample.push(Trial { run: 0, game, solved: true, guesses, examined: 1, consistent: 0, seconds: 0.0 });
        }
        sample
    }

    #[test]
    fn strategies_that_differ_share_no_letter() {
        let plain = |game: u64| 4 + (game % 3) as u32;
        let same = |game: u64| 4 + ((game + 1) % 3) as u32;
        let worse = |game: u64| 5 + (game % 3) as u32;
        let all = [sample(0, plain), sample(0, same), sample(0, worse), sample(1000, worse)];
        let all: Vec<&Sample> = all.iter().collect();
        let pairs = pairs(&all);
        assert_eq!(groups(&all, &pairs), ["a", "a", "b", "b"]);
        // The last shares no games with the others, so only unpaired tests can be made.
        let last = pairs.iter().find(|pair| pair.places == (0, 3)).unwrap();
        assert_eq!((last.shared, last.p[0], last.p[1]), (0, None, None));
        assert!(last.p[3].unwrap() < LEVEL);
    }
}
