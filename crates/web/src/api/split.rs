//! How a guess would split the codes that fit: the question of what a guess is worth, answered before it is played.

use std::collections::BTreeMap;

use pegwise_coach::remaining;
use pegwise_game::{Code, Feedback, feedback};
use serde::{Deserialize, Serialize};

use super::{
    Question, Task,
    remaining::{self as left, MOST_LISTED},
};
use crate::{
    error::ApiError,
    limits::{Limits, Weight},
    wire::{self, CodeText, TurnText},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SplitQuestion {
    rules: String,
    #[serde(default)]
    turns: Vec<TurnText>,
    guess: CodeText,
}

/// The codes that a guess would answer alike.
#[derive(Debug, Serialize)]
struct Part {
    feedback: Feedback,
    codes: usize,
}

#[derive(Debug, Serialize)]
struct Answer {
    /// The parts, the largest first; none where the codes cannot be listed.
    parts: Vec<Part>,
    /// The part of each code, in the order in which codes are listed.
    part_of: Vec<usize>,
    /// How many codes the guess leaves on average; null where they cannot be listed.
    expected: Option<f64>,
    /// Whether the guess can be the code.
    consistent: Option<bool>,
}

impl Question for SplitQuestion {
    fn task(self, limits: &Limits) -> Result<Task, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let notes = wire::notes(&rules, &self.turns, limits)?;
        let guess = wire::code(&rules, "guess", &self.guess)?;
        Ok(Task::work(Weight::of_sample(&notes), move |desk| {
            let mut search = left::bounded(desk);
            let few = remaining(&notes, &mut search).exact();
            let codes = match few {
                Some(count) if count <= MOST_LISTED as u128 => left::codes(&notes, &mut search),
                _ => Vec::new(),
            };
            let answers: Vec<Feedback> = codes.iter().map(|code| feedback(&rules, &guess, code)).collect();
            Ok(split(&guess, &codes, answers))
        }))
    }
}

/// Puts codes that are answered alike together.
fn split(guess: &Code, codes: &[Code], answers: Vec<Feedback>) -> Answer {
    let mut sizes: BTreeMap<&Feedback, usize> = BTreeMap::new();
    for answer in &answers {
        *sizes.entry(answer).or_default() += 1;
    }
    let mut parts: Vec<(&Feedback, usize)> = sizes.into_iter().collect();
    parts.sort_by_key(|&(_, size)| std::cmp::Reverse(size));
    let place: BTreeMap<&Feedback, usize> = parts.iter().enumerate().map(|(place, part)| (part.0, place)).collect();
    let part_of = answers.iter().map(|answer| place[answer]).collect();
    let squares: usize = parts.iter().map(|(_, size)| size * size).sum();
    let listed = !codes.is_empty();
    Answer {
        part_of,
        expected: listed.then(|| squares as f64 / codes.len() as f64),
        consistent: listed.then(|| codes.contains(guess)),
        parts: parts.into_iter().map(|(feedback, codes)| Part { feedback: feedback.clone(), codes }).collect(),
    }
}
