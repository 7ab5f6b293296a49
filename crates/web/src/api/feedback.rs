//! What a guess is answered.

use serde::Deserialize;
use serde_json::json;

use super::{Question, Task, secret};
use crate::{
    error::ApiError,
    server::App,
    wire::{self, CodeText},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FeedbackQuestion {
    rules: String,
    guess: CodeText,
    secret: Option<CodeText>,
    sealed: Option<String>,
}

impl Question for FeedbackQuestion {
    fn task(self, app: &App) -> Result<Task, ApiError> {
        let rules = app.limits.rules(&self.rules)?;
        if rules.lies() > 0 {
            let why = "an answer that may be a lie depends on the turns before it, and this asks about one guess";
            return Err(ApiError::bad_request("bad-rules", why).with_hint("leave lies= away, or play in the terminal"));
        }
        let guess = wire::code(&rules, "guess", &self.guess)?;
        let secret = secret::one_of(&rules, self.secret.as_ref(), self.sealed.as_deref())?;
        let feedback = pegwise_game::feedback(&rules, &guess, &secret);
        Task::done(&json!({ "feedback": feedback, "solved": feedback.is_winning(&rules) }))
    }
}
