//! The HTTP API, version 1: one file a question.
//!
//! A [`Question`] reads its request and says what there is to compute; [`ask`] does the rest for all of them: the body
//! and its limits, the queue, the answer at once or line by line with progress, and the end when the client goes away.

mod analyze;
mod feedback;
mod hint;
mod mend;
mod question;
mod remaining;
mod rules;
mod secret;
mod split;
mod strategies;
mod watch;

#[cfg(feature = "server")]
mod ask;
#[cfg(feature = "server")]
mod body;
#[cfg(feature = "server")]
mod health;
#[cfg(feature = "server")]
mod jobs;
#[cfg(feature = "server")]
mod lab;
#[cfg(feature = "server")]
mod measure;
#[cfg(feature = "server")]
mod openapi;
#[cfg(feature = "server")]
mod routes;
#[cfg(feature = "server")]
mod stream;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use self::question::{Question, Task};
#[cfg(feature = "server")]
pub(crate) use self::{
    lab::Lab,
    routes::{routes, wrong_method},
};
use crate::{error::ApiError, jobs::Desk, limits::Limits};

/// Answers a question where it stands, for a page that has the engine in itself: the same questions and the same answers
/// as over HTTP, by the names of their paths.
///
/// What is found on the way is told as it is found. The last line is `{"answer":…}` or `{"error":…}`.
pub fn answer(name: &str, body: &str, limits: &Limits, tell: impl Fn(Value) + Send + 'static) -> Value {
    let answered = match name {
        "analyze" => worked::<analyze::AnalyzeQuestion>(body, limits, tell),
        "feedback" => worked::<feedback::FeedbackQuestion>(body, limits, tell),
        "hint" => worked::<hint::HintQuestion>(body, limits, tell),
        "mend" => worked::<mend::MendQuestion>(body, limits, tell),
        "remaining" => worked::<remaining::RemainingQuestion>(body, limits, tell),
        "rules" => worked::<rules::RulesQuestion>(body, limits, tell),
        "secret" => worked::<secret::SecretQuestion>(body, limits, tell),
        "split" => worked::<split::SplitQuestion>(body, limits, tell),
        "strategies" => worked::<strategies::Filter>(body, limits, tell),
        "watch" => worked::<watch::WatchQuestion>(body, limits, tell),
        _ => Err(ApiError::bad_request("no-question", format!("'{name}' is not asked without a server"))),
    };
    match answered {
        Ok(answer) => json!({ "answer": answer }),
        Err(error) => error.body(),
    }
}

fn worked<Q: Question + DeserializeOwned>(
    body: &str,
    limits: &Limits,
    tell: impl Fn(Value) + Send + 'static,
) -> Result<Value, ApiError> {
    let question: Q = serde_json::from_str(body)
        .map_err(|error| ApiError::bad_request("bad-request", format!("the question cannot be read: {error}")))?;
    match question.task(limits)? {
        Task::Done(answer) => Ok(answer),
        Task::Work(_, work) => work(&Desk::new(Default::default(), Default::default(), Box::new(tell))),
    }
}

#[cfg(all(test, feature = "server"))]
mod openapi_tests;
