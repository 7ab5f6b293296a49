//! The HTTP API, version 1.
//!
//! A [`Question`] is a deserialized request. It validates itself against the [`ServerLimits`] and returns a [`Reply`]: the answer,
//! or work for a background job. [`http`] serves the questions over HTTP; [`answer`] runs them on the caller's thread, for
//! the WebAssembly build of the page.

mod advice;
mod candidates;
mod game;
mod strategies;

#[cfg(feature = "server")]
mod http;
#[cfg(feature = "server")]
mod lab;
#[cfg(feature = "server")]
mod openapi;

use std::{fmt, marker::PhantomData, sync::Arc};

use pegwise_coach::{Note, Notes};
use pegwise_game::{Code, Color, Rules, SerializedCode, SerializedMark};
use pegwise_solve::secrets::SecretList;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor, value::MapAccessDeserializer},
};

#[cfg(feature = "server")]
pub(crate) use self::game::describe;
#[cfg(feature = "server")]
pub use self::openapi::openapi;
#[cfg(feature = "server")]
pub(crate) use self::{
    http::{method_not_allowed, routes},
    lab::Lab,
};
use crate::{
    error::ApiError,
    jobs::{JobContext, JobWork},
    limits::{CostClass, ServerLimits},
};

/// A request of a client.
trait Question: DeserializeOwned + Send + 'static {
    /// Validates the request.
    fn reply(self, limits: &ServerLimits) -> Result<Reply, ApiError>;
}

/// Result of validating a question.
enum Reply {
    /// The answer as JSON.
    Done(String),
    /// Work for a background job.
    #[cfg_attr(not(feature = "server"), expect(dead_code, reason = "only the server has cost classes"))]
    Work(CostClass, JobWork),
}

impl Reply {
    fn done(answer: &impl Serialize) -> Result<Self, ApiError> {
        to_json(answer).map(Self::Done)
    }

    fn work<T: Serialize>(
        cost: CostClass,
        work: impl FnOnce(&JobContext) -> Result<T, ApiError> + Send + 'static,
    ) -> Self {
        Self::Work(cost, Box::new(move |context| work(context).and_then(|answer| to_json(&answer))))
    }
}

fn to_json(answer: &impl Serialize) -> Result<String, ApiError> {
    serde_json::to_string(answer).map_err(|_| ApiError::internal())
}

/// Wraps an answer as the last line of a stream.
fn answer_line(answer: &str) -> String {
    format!("{{\"answer\":{answer}}}")
}

/// Answers a question on the caller's thread. `name` is the last part of its HTTP path, `body` its JSON.
///
/// Intermediate results are passed to `report` as JSON. Returns `{"answer":…}` or `{"error":…}`.
///
/// ```
/// use pegwise_web::{ServerLimits, answer};
/// let feedback = answer("feedback", r#"{"rules":"4x6","guess":"1122","secret":"2123"}"#, &ServerLimits::default(), |_| ());
/// assert_eq!(feedback, r#"{"answer":{"feedback":[{"black":2,"white":1}],"solved":false}}"#);
/// ```
pub fn answer(name: &str, body: &str, limits: &ServerLimits, report: impl Fn(String) + Send + 'static) -> String {
    let answered = match name {
        "analyze" => run::<advice::AnalyzeQuestion>(body, limits, report),
        "feedback" => run::<game::FeedbackQuestion>(body, limits, report),
        "hint" => run::<advice::HintQuestion>(body, limits, report),
        "mend" => run::<advice::MendQuestion>(body, limits, report),
        "remaining" => run::<candidates::RemainingQuestion>(body, limits, report),
        "rules" => run::<game::RulesQuestion>(body, limits, report),
        "secret" => run::<game::SecretQuestion>(body, limits, report),
        "split" => run::<candidates::SplitQuestion>(body, limits, report),
        "strategies" => run::<strategies::StrategiesQuestion>(body, limits, report),
        "watch" => run::<strategies::WatchQuestion>(body, limits, report),
        _ => Err(ApiError::bad_request("no-question", format!("'{name}' is not available without a server"))),
    };
    answered.map_or_else(|error| error.body().to_string(), |answer| answer_line(&answer))
}

fn run<Q: Question>(
    body: &str,
    limits: &ServerLimits,
    report: impl Fn(String) + Send + 'static,
) -> Result<String, ApiError> {
    let JsonObject(question): JsonObject<Q> = serde_json::from_str(body).map_err(|error| ApiError::bad_json(&error))?;
    match question.reply(limits)? {
        Reply::Done(answer) => Ok(answer),
        Reply::Work(_, work) => work(&JobContext::new(Default::default(), Default::default(), Box::new(report))),
    }
}

/// A value that is written as an object. Derived implementations also accept an array of the fields.
#[derive(Debug, Clone)]
struct JsonObject<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for JsonObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = JsonObject<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(fields)).map(JsonObject)
            }
        }

        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

/// A turn in a request: text such as `11?2=1,?`, or an object with null for unknown pegs and numbers.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum TurnInput {
    Text(String),
    Turn(JsonObject<WrittenTurn>),
    /// Anything else, to report it with the number of the turn.
    Invalid(IgnoredAny),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTurn {
    guess: Vec<Option<u16>>,
    /// A mark for each line.
    feedback: Vec<SerializedMark>,
}

const TURN_FORMAT: &str = "a turn is text, as in \"1122=1,0\", or an object, as in \
     {\"guess\":[1,1,2,2],\"feedback\":[{\"black\":1,\"white\":0}]}; unknown parts are ? or null";

/// Returns a code if it is valid for the rules. `name` is the field of the request, for errors.
fn parse_code(code: &SerializedCode, rules: &Rules, name: &str) -> Result<Code, ApiError> {
    code.parse(rules).map_err(|error| ApiError::bad_request("bad-code", format!("{name}: {error}")))
}

/// Parses the possible secrets of a request, and the further guesses.
fn parse_list(
    rules: &Rules,
    secrets: Option<&[SerializedCode]>,
    guesses: Option<&[SerializedCode]>,
) -> Result<Option<Arc<SecretList>>, ApiError> {
    let list = |name: &str, codes: &[SerializedCode]| {
        let code = |(number, code): (usize, &SerializedCode)| {
            parse_code(code, rules, &format!("{name}, number {number}")).map(|code| (number, code, 1.0))
        };
        let codes = (1..).zip(codes).map(code).collect::<Result<Vec<_>, _>>()?;
        SecretList::new(rules, codes).map_err(|error| ApiError::bad_request("bad-list", format!("{name}: {error}")))
    };
    match (secrets, guesses) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(ApiError::bad_request("bad-list", "guesses: write secrets, too")),
        (Some(secrets), guesses) => {
            let secrets = list("secrets", secrets)?;
            let guesses = guesses.map(|guesses| list("guesses", guesses)).transpose()?;
            Ok(Some(Arc::new(match &guesses {
                Some(guesses) => secrets.with_guesses(guesses),
                None => secrets,
            })))
        }
    }
}

impl TurnInput {
    fn parse(&self, rules: &Rules) -> Result<Note, String> {
        match self {
            Self::Text(text) => Note::parse(rules, text).map_err(|error| error.to_string()),
            Self::Turn(JsonObject(WrittenTurn { guess, feedback })) => {
                let peg = |number: &Option<u16>| match number {
                    Some(number) => Color::from_number(*number).map(Some),
                    None => Some(None),
                };
                let guess = guess.iter().map(peg).collect::<Option<Vec<_>>>().ok_or(TURN_FORMAT)?;
                let marks = feedback.iter().map(|mark| mark.numbers(rules.feedback()));
                let marks = marks.collect::<Option<Vec<_>>>().ok_or(TURN_FORMAT)?;
                Note::new(rules, guess, marks).map_err(|error| error.to_string())
            }
            Self::Invalid(_) => Err(TURN_FORMAT.to_owned()),
        }
    }
}

fn parse_notes(rules: &Rules, turns: &[TurnInput], limits: &ServerLimits) -> Result<Notes, ApiError> {
    limits.check_turns(turns.len())?;
    let mut notes = Notes::new(rules.clone());
    for (number, turn) in (1..).zip(turns) {
        let wrong = |error: String| ApiError::bad_request("bad-turn", format!("turn {number}: {error}"));
        let note = turn.parse(rules).map_err(wrong)?;
        notes.push(note).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(notes)
}
