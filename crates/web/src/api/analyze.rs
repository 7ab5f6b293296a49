//! How well a game was played.

use pegwise_coach::{Analysis, AnalyzeError, Contradiction, analyze};
use serde::{Deserialize, Serialize};

use super::{Question, Task};
use crate::{
    error::ApiError,
    limits::{Limits, Weight},
    wire::{self, CodeText, TurnText},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalyzeQuestion {
    rules: String,
    turns: Vec<TurnText>,
    secret: Option<CodeText>,
}

#[derive(Debug, Serialize)]
struct Answer {
    analysis: Option<Analysis>,
    /// Where no code fits.
    contradiction: Option<Contradiction>,
}

impl Question for AnalyzeQuestion {
    fn task(self, limits: &Limits) -> Result<Task, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let notes = wire::notes(&rules, &self.turns, limits)?;
        let secret = self.secret.map(|secret| wire::code(&rules, "secret", &secret)).transpose()?;
        Ok(Task::work(Weight::of_space(&rules), move |desk| {
            match analyze(&notes, secret.as_ref(), &mut desk.search(1, None)) {
                Ok(analysis) => Ok(Answer { analysis: Some(analysis), contradiction: None }),
                Err(AnalyzeError::Contradiction(found)) => Ok(Answer { analysis: None, contradiction: Some(found) }),
                Err(error) => Err(ApiError::bad_request("no-analysis", error.to_string())),
            }
        }))
    }
}
