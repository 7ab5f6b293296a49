//! What an engine is asked to do.

use pegwise_lab::wire::{self, WireLine};
use serde::Deserialize;
use serde_json::Value;

/// A request.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Request {
    /// Start a game.
    New {
        rules: Option<String>,
        strategy: Option<String>,
        seed: Option<u64>,
        /// The codes that can be the secret, and how likely each is; all codes of the rules where none are listed.
        secrets: Option<Vec<Value>>,
        weights: Option<Vec<f64>>,
    },
    /// Tell the rules of the game.
    Rules {},
    /// A guess was played and answered.
    Turn { guess: Value, feedback: Value },
    /// Take the last turn back.
    Undo {},
    /// Find the best guess.
    Guess { time_limit: Option<f64>, alternatives: Option<u16> },
    /// Stop thinking, and answer with the best guess so far.
    Stop {},
    /// End.
    Quit {},
}

/// A request with the mark its answers carry, so that the other side knows them again.
#[derive(Debug)]
pub(super) struct Marked {
    pub(super) id: Option<Value>,
    pub(super) request: Result<Request, String>,
}

impl Marked {
    /// Reads a request; nothing from a line without one, and from the end of all lines the request to quit.
    pub(super) fn read(line: WireLine) -> Option<Self> {
        let wrong = |trouble: String| Some(Self { id: None, request: Err(trouble) });
        let text = match line {
            WireLine::End => return Some(Self { id: None, request: Ok(Request::Quit {}) }),
            WireLine::TooLong => return wrong(format!("the line has more than {} bytes", wire::MAX_LINE_BYTES)),
            WireLine::NotUtf8 => return wrong("the line is not UTF-8 text".to_owned()),
            WireLine::Text(text) if text.trim().is_empty() => return None,
            WireLine::Text(text) => text,
        };
        let mut value: Value = match serde_json::from_str(&text) {
            Ok(value) => value,
            Err(error) => return wrong(format!("'{}' is not JSON: {error}", wire::excerpt(&text))),
        };
        let id = value.as_object_mut().and_then(|fields| fields.remove("id"));
        let request = serde_json::from_value(value).map_err(|error| {
            format!("'{}' is not a request: {error}; docs/engine-protocol.md tells them all", wire::excerpt(&text))
        });
        Some(Self { id, request })
    }
}
