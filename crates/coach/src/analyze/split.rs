//! What a guess was expected to leave, and how kind an answer was.

use std::collections::BTreeMap;

use pegwise_game::{Code, Feedback, Judge, Rules};

use super::field::Codes;

/// How the codes before a guess part by its answers.
#[derive(Debug, Clone)]
pub(super) struct Split {
    /// For each answer, how many codes give it.
    parts: BTreeMap<Feedback, f64>,
    winning: Feedback,
    codes: f64,
    /// Whether the codes are all there are.
    complete: bool,
}

impl Split {
    /// How codes part by a guess; `None` where there are none.
    pub(super) fn of(rules: &Rules, guess: &Code, codes: &Codes) -> Option<Self> {
        let mut judge = Judge::new(rules);
        let mut parts: BTreeMap<Feedback, f64> = BTreeMap::new();
        for code in codes.codes.iter() {
            *parts.entry(judge.feedback(guess, code)).or_default() += 1.0;
        }
        let count = codes.codes.len();
        let winning = Feedback::winning(rules);
        (count > 0).then_some(Self { parts, winning, codes: count as f64, complete: codes.complete })
    }

    /// The share of the codes that is expected to be left to try. From a sample, that two codes of it give the same answer
    /// is an unbiased guess.
    pub(super) fn left(&self) -> f64 {
        let others = if self.complete || self.codes < 2.0 { 0.0 } else { 1.0 };
        let pairs =
            |(answer, &size): (&Feedback, &f64)| if *answer == self.winning { 0.0 } else { size * (size - others) };
        self.parts.iter().map(pairs).sum::<f64>() / (self.codes * (self.codes - others))
    }

    /// How many codes are expected to be left to try.
    pub(super) fn expected(&self, codes: &Codes) -> Option<f64> {
        let expected = if self.complete { self.left() * self.codes } else { self.left() * codes.amount.value() };
        expected.is_finite().then_some(expected)
    }

    /// How kind an answer was, from 0 to 100: the chance of an answer that leaves more, and half that of one that leaves as
    /// much. `None` where there was only one.
    pub(super) fn luck(&self, answer: &Feedback) -> Option<f64> {
        if self.parts.len() == 1 && self.parts.contains_key(answer) {
            return None;
        }
        let left = |answer: &Feedback, size: f64| if *answer == self.winning { 0.0 } else { size };
        // What no code of a sample is answered is rare.
        let own = left(answer, self.parts.get(answer).copied().unwrap_or(0.5));
        let kinder = self.parts.iter().map(|(answer, &size)| match left(answer, size).total_cmp(&own) {
            std::cmp::Ordering::Greater => size,
            std::cmp::Ordering::Equal => size / 2.0,
            std::cmp::Ordering::Less => 0.0,
        });
        Some(100.0 * kinder.sum::<f64>() / self.codes)
    }

    /// The share of the codes that give an answer.
    pub(super) fn share(&self, answer: &Feedback) -> f64 {
        self.parts.get(answer).copied().unwrap_or(0.5) / self.codes
    }
}

/// How near a guess is to the best, from 0 to 100: what the best is expected to leave, of what the guess is.
pub(super) fn skill(best: &Split, own: &Split) -> f64 {
    let (best, own) = (best.left(), own.left());
    if own == 0.0 { 100.0 } else { 100.0 * (best / own).min(1.0) }
}
