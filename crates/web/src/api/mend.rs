//! What is wrong with turns that no code fits.

use pegwise_coach::{Contradiction, mend};
use serde::{Deserialize, Serialize};

use super::{Question, Task};
use crate::{
    error::ApiError,
    limits::{Limits, Weight},
    wire::{self, TurnText},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MendQuestion {
    rules: String,
    #[serde(default)]
    turns: Vec<TurnText>,
}

#[derive(Debug, Serialize)]
struct Answer {
    /// Null where some code fits.
    contradiction: Option<Contradiction>,
}

impl Question for MendQuestion {
    fn task(self, limits: &Limits) -> Result<Task, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let notes = wire::notes(&rules, &self.turns, limits)?;
        Ok(Task::work(Weight::of_space(&rules), move |desk| {
            Ok(Answer { contradiction: mend(&notes, &mut desk.search(0, None)) })
        }))
    }
}
