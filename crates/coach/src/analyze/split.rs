//! What a guess was expected to leave, and how kind an answer was.

use std::{cmp::Ordering, collections::BTreeMap};

use pegwise_game::{Code, Feedback, Judge, Rules};

use crate::{figure::Figure, possible::Possible, rate};

/// How the codes before a guess part by its answers.
#[derive(Debug, Clone)]
pub(super) struct Split {
    /// For each answer, how many codes give it, where every code was looked at.
    parts: BTreeMap<Feedback, f64>,
    codes: f64,
    winning: Feedback,
}

impl Split {
    /// How all codes that are possible part by a guess; `None` where they are not all there.
    fn of(rules: &Rules, guess: &Code, possible: &Possible) -> Option<Self> {
        if !possible.complete || possible.codes.is_empty() {
            return None;
        }
        let mut judge = Judge::new(rules);
        let mut parts: BTreeMap<Feedback, f64> = BTreeMap::new();
        for code in &possible.codes {
            *parts.entry(judge.feedback(guess, code)).or_default() += 1.0;
        }
        Some(Self { parts, codes: possible.codes.len() as f64, winning: Feedback::winning(rules) })
    }

    /// How many codes are expected to be left to try.
    fn expected(&self) -> f64 {
        let squares = |(answer, &size): (&Feedback, &f64)| if *answer == self.winning { 0.0 } else { size * size };
        self.parts.iter().map(squares).sum::<f64>() / self.codes
    }

    /// How kind an answer was, from 0 to 100: the chance of an answer that leaves more, and half that of one that leaves as
    /// much. `None` where there was only one.
    fn luck(&self, answer: &Feedback) -> Option<f64> {
        if self.parts.len() == 1 {
            return None;
        }
        let left = |answer: &Feedback, size: f64| if *answer == self.winning { 0.0 } else { size };
        let own = left(answer, *self.parts.get(answer)?);
        let kinder = self.parts.iter().map(|(answer, &size)| match left(answer, size).total_cmp(&own) {
            Ordering::Greater => size,
            Ordering::Equal => size / 2.0,
            Ordering::Less => 0.0,
        });
        Some(100.0 * kinder.sum::<f64>() / self.codes)
    }
}

/// How many codes a guess is expected to leave to try.
pub(super) fn expected(rules: &Rules, guess: &Code, possible: &Possible) -> Figure<f64> {
    match (Split::of(rules, guess, possible), &possible.probes) {
        (Some(split), _) => Figure::Exact(split.expected()),
        // Of so many codes, the one that wins at once does not show.
        (None, Some(probes)) => rate::product(probes.rate(rules, guess).alike, possible.amount),
        (None, None) => Figure::Unknown,
    }
}

/// How kind an answer was; unknown where only one was possible, and where nobody can tell.
pub(super) fn luck(rules: &Rules, guess: &Code, answer: &Feedback, possible: &Possible) -> Figure<f64> {
    match (Split::of(rules, guess, possible), &possible.probes) {
        (Some(split), _) => split.luck(answer).map_or(Figure::Unknown, Figure::Exact),
        (None, Some(probes)) => probes.luck(rules, guess, answer),
        (None, None) => Figure::Unknown,
    }
}

/// Whether a guess could tell nothing: every code is answered alike.
pub(super) fn tells_nothing(rules: &Rules, guess: &Code, possible: &Possible) -> bool {
    Split::of(rules, guess, possible)
        .is_some_and(|split| split.parts.len() == 1 && !split.parts.contains_key(&split.winning))
}
