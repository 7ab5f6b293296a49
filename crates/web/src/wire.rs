//! Codes and turns as requests write them: lists of numbers, or text as people write it.

use pegwise_coach::{Note, Notes};
use pegwise_game::{Code, Color, FeedbackKind, Rules, SerializedMark};
use serde::Deserialize;
use serde_json::Value;

use crate::{error::ApiError, limits::Limits};

/// A code: one-based colors, or text.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct CodeText(Value);

/// A turn: text such as `11?2=1,?`, or an object with the guess, null for an unknown peg, and the feedback, a mark for
/// each line with null for an unknown number.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct TurnText(Value);

const CODE: &str = "a code is a list of colors from 1 on, as in [1,1,2,2], or a text, as in \"1122\"";
const TURN: &str = "a turn is a text, as in \"1122=1,0\", or an object, as in \
     {\"guess\":[1,1,2,2],\"feedback\":[{\"black\":1,\"white\":0}]}; what is not known is ? or null";

impl CodeText {
    /// The code, if it is one of these rules.
    fn read(&self, rules: &Rules) -> Result<Code, String> {
        match &self.0 {
            Value::String(text) => rules.parse_code(text).map_err(|error| error.to_string()),
            Value::Array(colors) => {
                let colors: Option<Vec<Color>> = colors.iter().map(color).collect();
                let code = Code::new(colors.ok_or(CODE)?);
                rules.check_code(&code).map_err(|reason| reason.to_string())?;
                Ok(code)
            }
            _ => Err(CODE.to_owned()),
        }
    }
}

impl TurnText {
    fn read(&self, rules: &Rules) -> Result<Note, String> {
        match &self.0 {
            Value::String(text) => Note::parse(rules, text).map_err(|error| error.to_string()),
            Value::Object(fields) if fields.len() == 2 => {
                let list = |name: &str| fields.get(name).and_then(Value::as_array).ok_or(TURN);
                let peg = |value: &Value| if value.is_null() { Some(None) } else { color(value).map(Some) };
                let guess = list("guess")?.iter().map(peg).collect::<Option<Vec<_>>>().ok_or(TURN)?;
                let mark = |mark: &Value| numbers(rules.feedback(), mark);
                let feedback = list("feedback")?.iter().map(mark).collect::<Option<Vec<_>>>().ok_or(TURN)?;
                Note::new(rules, guess, feedback).map_err(|error| error.to_string())
            }
            _ => Err(TURN.to_owned()),
        }
    }
}

/// A code of the rules, under the name it has in the request.
pub(crate) fn code(rules: &Rules, name: &str, given: &CodeText) -> Result<Code, ApiError> {
    given.read(rules).map_err(|error| ApiError::bad_request("bad-code", format!("{name}: {error}")))
}

/// The notes of a game.
pub(crate) fn notes(rules: &Rules, turns: &[TurnText], limits: &Limits) -> Result<Notes, ApiError> {
    limits.check_turns(turns.len())?;
    let mut notes = Notes::new(rules.clone());
    for (number, turn) in (1..).zip(turns) {
        let wrong = |error: String| ApiError::bad_request("bad-turn", format!("turn {number}: {error}"));
        let note = turn.read(rules).map_err(wrong)?;
        notes.push(note).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(notes)
}

fn color(value: &Value) -> Option<Color> {
    Color::from_number(u16::try_from(value.as_u64()?).ok()?)
}

/// The numbers of a mark, in the order in which they are written.
fn numbers(kind: FeedbackKind, mark: &Value) -> Option<Vec<Option<u64>>> {
    SerializedMark::deserialize(mark).ok()?.numbers(kind)
}
