//! Questions about the consistent codes: their number, and their partition by a guess.

use std::{collections::BTreeMap, sync::Arc};

use pegwise_coach::{Amount, Notes, RemainingCodes, Size, remaining};
use pegwise_game::{Code, Feedback, Rules, SerializedCode, feedback};
use pegwise_solve::{
    Search,
    candidates::{CandidateTracker, listed},
    secrets::SecretList,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Question, Reply, TurnInput, parse_code, parse_list, parse_notes};
use crate::{
    error::ApiError,
    jobs::JobContext,
    limits::{CostClass, ServerLimits},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RemainingQuestion {
    rules: String,
    #[serde(default)]
    turns: Vec<TurnInput>,
    /// Maximum number of codes to list.
    list: Option<usize>,
    secrets: Option<Vec<SerializedCode>>,
}

/// Maximum number of codes listed; the page draws a dot for each.
const MAX_LISTED: usize = 4096;
/// Step limit of backtracking.
const MAX_NODES: u64 = 3_000_000;

#[derive(Debug, Serialize)]
struct RemainingAnswer {
    /// Number of codes left.
    #[serde(flatten)]
    remaining: RemainingCodes,
    /// Base-10 logarithm of the number.
    digits: Option<f64>,
    /// The codes, if requested and few enough.
    codes: Vec<Code>,
}

impl Question for RemainingQuestion {
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let notes = parse_notes(&rules, &self.turns, limits)?;
        let list = self.list.unwrap_or(0).min(MAX_LISTED);
        let secrets = parse_list(&rules, self.secrets.as_deref(), None)?;
        Ok(Reply::work(cost(&notes, secrets.as_ref()), move |context| {
            let (remaining, codes) = remaining_codes(&notes, secrets.as_ref(), list, context);
            let digits = remaining.value().map(Size::log10).filter(|digits| digits.is_finite());
            Ok(RemainingAnswer { remaining: RemainingCodes { remaining }, digits, codes })
        }))
    }
}

fn cost(notes: &Notes, secrets: Option<&Arc<SecretList>>) -> CostClass {
    if secrets.is_some() { CostClass::Light } else { CostClass::for_sample(notes) }
}

/// Returns the number of codes left, and the codes if they are at most `max`.
fn remaining_codes(
    notes: &Notes,
    secrets: Option<&Arc<SecretList>>,
    max: usize,
    context: &JobContext,
) -> (Amount, Vec<Code>) {
    if notes.is_solved() {
        return (Amount::count(0), Vec::new());
    }
    if let Some(secrets) = secrets {
        let codes: Vec<Code> = secrets.codes().iter().filter(|code| notes.is_consistent(code)).cloned().collect();
        let count = Amount::count(codes.len() as u128);
        return (count, if codes.len() <= max { codes } else { Vec::new() });
    }
    let mut search = bounded_search(context);
    let count = remaining(notes, &mut search);
    let few = count.exact().is_some_and(|count| count <= max as u128);
    (count, if few { list_codes(notes, &mut search) } else { Vec::new() })
}

/// Returns a search with a step limit.
fn bounded_search(context: &JobContext) -> Search<'_> {
    let limits = pegwise_solve::Limits { nodes: Some(MAX_NODES), ..Default::default() };
    context.search(0, None).with_limits(limits)
}

/// Returns the consistent codes, if nothing is unknown and the space can be listed.
fn list_codes(notes: &Notes, search: &mut Search<'_>) -> Vec<Code> {
    let Some(history) = notes.history().filter(|history| listed::is_listable(history.rules())) else {
        return Vec::new();
    };
    let view =
        CandidateTracker::new(history.rules()).ok().and_then(|mut remaining| remaining.after(&history, search).ok());
    view.map_or_else(Vec::new, |view| view.codes.codes().collect())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SplitQuestion {
    rules: String,
    #[serde(default)]
    turns: Vec<TurnInput>,
    guess: SerializedCode,
    secrets: Option<Vec<SerializedCode>>,
}

impl Question for SplitQuestion {
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let notes = parse_notes(&rules, &self.turns, limits)?;
        let guess = parse_code(&self.guess, &rules, "guess")?;
        let secrets = parse_list(&rules, self.secrets.as_deref(), None)?;
        Ok(Reply::work(cost(&notes, secrets.as_ref()), move |context| {
            let (_, codes) = remaining_codes(&notes, secrets.as_ref(), MAX_LISTED, context);
            let answers: Vec<Feedback> = codes.iter().map(|code| feedback(&rules, &guess, code)).collect();
            Ok(partition(&rules, &guess, &codes, &answers))
        }))
    }
}

/// Partitions codes by their feedback, the largest part first. A guess that finds the code leaves none.
fn partition(rules: &Rules, guess: &Code, codes: &[Code], answers: &[Feedback]) -> Value {
    let mut sizes: BTreeMap<&Feedback, usize> = BTreeMap::new();
    for answer in answers {
        *sizes.entry(answer).or_default() += 1;
    }
    let mut parts: Vec<(&Feedback, usize)> = sizes.into_iter().collect();
    parts.sort_by_key(|&(_, size)| std::cmp::Reverse(size));
    let index: BTreeMap<&Feedback, usize> = parts.iter().enumerate().map(|(index, part)| (part.0, index)).collect();
    let winning = Feedback::winning(rules);
    let squares: usize = parts.iter().filter(|(answer, _)| **answer != winning).map(|(_, size)| size * size).sum();
    let listed = !codes.is_empty();
    json!({
        "parts": parts.iter().map(|(feedback, codes)| json!({ "feedback": feedback, "codes": codes })).collect::<Vec<_>>(),
        "part_of": answers.iter().map(|answer| index[answer]).collect::<Vec<_>>(),
        "expected": listed.then(|| squares as f64 / codes.len() as f64),
        "consistent": listed.then(|| codes.contains(guess)),
    })
}
