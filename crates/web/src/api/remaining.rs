//! How many codes fit, and which.

use pegwise_coach::{RemainingCodes, Notes, Size, remaining};
use pegwise_game::Code;
use pegwise_solve::{
    Search,
    candidates::{Remaining, listed},
};
use serde::{Deserialize, Serialize};

use super::{Question, Task};
use crate::{
    error::ApiError,
    jobs::Desk,
    limits::{Limits, Weight},
    wire::{self, TurnText},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RemainingQuestion {
    rules: String,
    #[serde(default)]
    turns: Vec<TurnText>,
    /// Up to how many codes to list.
    list: Option<usize>,
}

/// As many as a page can draw, one dot each.
pub(super) const MOST_LISTED: usize = 4096;
/// Steps of backtracking: a count that takes longer is not worth the wait.
const MOST_NODES: u64 = 3_000_000;

#[derive(Debug, Serialize)]
struct Answer {
    /// How many codes fit the turns, and how sure that is.
    #[serde(flatten)]
    remaining: RemainingCodes,
    /// The logarithm of that to base 10.
    digits: Option<f64>,
    /// Some of them, where they were asked for and can be listed.
    codes: Vec<Code>,
}

impl Question for RemainingQuestion {
    fn task(self, limits: &Limits) -> Result<Task, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let notes = wire::notes(&rules, &self.turns, limits)?;
        let list = self.list.unwrap_or(0).min(MOST_LISTED);
        Ok(Task::work(Weight::of_sample(&notes), move |desk| {
            let mut search = bounded(desk);
            let remaining = remaining(&notes, &mut search);
            let few = remaining.exact().is_some_and(|count| count <= list as u128);
            let codes = if few { codes(&notes, &mut search) } else { Vec::new() };
            let digits = remaining.value().map(Size::log10).filter(|digits| digits.is_finite());
            Ok(Answer { remaining: RemainingCodes { remaining }, digits, codes })
        }))
    }
}

/// A search for a count that is worth the wait.
pub(super) fn bounded(desk: &Desk) -> Search<'_> {
    let limits = pegwise_solve::Limits { nodes: Some(MOST_NODES), ..Default::default() };
    desk.search(0, None).with_limits(limits)
}

/// The codes that fit, where nothing of the turns is unknown and the space can be listed.
pub(super) fn codes(notes: &Notes, search: &mut Search<'_>) -> Vec<Code> {
    let Some(history) = notes.history().filter(|history| listed::is_listable(history.rules())) else {
        return Vec::new();
    };
    let view = Remaining::new(history.rules()).ok().and_then(|mut remaining| remaining.after(&history, search).ok());
    view.map_or_else(Vec::new, |view| view.codes.codes().collect())
}
