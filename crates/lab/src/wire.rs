//! Line protocol between programs: one JSON message per line.

use std::io::{self, BufRead};

use pegwise_game::{Code, Feedback, FeedbackError, Rules, SerializedCode, SerializedMark};
use serde::Deserialize as _;
use serde_json::Value;

/// Maximum length of a line, far above any valid message.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// A line received from a peer.
#[derive(Debug, PartialEq, Eq)]
pub enum WireLine {
    /// A line without its line break.
    Text(String),
    /// A line longer than [`MAX_LINE_BYTES`], read to its end and discarded.
    TooLong,
    /// A line that is not UTF-8.
    NotUtf8,
    /// End of input.
    End,
}

/// Reads a line with bounded memory.
pub fn read_line(reader: &mut impl BufRead) -> io::Result<WireLine> {
    let mut line = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            break;
        }
        any = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let text = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= line.len() + text.len() > MAX_LINE_BYTES;
        if !too_long {
            line.extend_from_slice(text);
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(match String::from_utf8(line) {
        _ if !any => WireLine::End,
        _ if too_long => WireLine::TooLong,
        Ok(text) => WireLine::Text(text),
        Err(_) => WireLine::NotUtf8,
    })
}

/// Parses a code: an array of one-based colors, or text in the usual notation.
pub fn code(rules: &Rules, value: &Value) -> Result<Code, String> {
    SerializedCode::deserialize(value).map_err(|error| error.to_string())?.parse(rules)
}

/// Parses a feedback: an array with one object per line of the board, or text in the usual notation.
pub fn feedback(rules: &Rules, value: &Value) -> Result<Feedback, String> {
    let kind = rules.feedback();
    let expected = || {
        let mark = serde_json::to_string(&kind.winning_mark(1)).unwrap_or_default();
        format!("a feedback is a list with a mark for each line of the board, as in [{mark}]")
    };
    let wrong = |error: FeedbackError| error.to_string();
    match value {
        Value::String(text) => rules.parse_feedback(text).map_err(wrong),
        Value::Array(marks) => {
            let numbers = |mark| SerializedMark::deserialize(mark).ok()?.numbers(kind)?.into_iter().collect();
            let marks: Option<Vec<Vec<u64>>> = marks.iter().map(numbers).collect();
            rules.feedback_from_numbers(&marks.ok_or_else(expected)?).map_err(wrong)
        }
        _ => Err(expected()),
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Space;
    use serde_json::json;

    use super::*;

    #[test]
    fn long_lines_are_discarded() {
        let long = "x".repeat(MAX_LINE_BYTES + 1);
        let text = format!("one\n{long}\n\ntwo");
        let mut reader = io::BufReader::with_capacity(7, text.as_bytes());
        let mut next = || read_line(&mut reader).unwrap();
        let text = |text: &str| WireLine::Text(text.to_owned());
        assert_eq!([next(), next(), next(), next()], [text("one"), WireLine::TooLong, text(""), text("two")]);
        assert_eq!([next(), next()], [WireLine::End, WireLine::End]);
        assert_eq!(read_line(&mut &b"\xff\n"[..]).unwrap(), WireLine::NotUtf8);
    }

    #[test]
    fn codes_and_feedbacks_round_trip() {
        for rules in [
            "4x6", "3x4:black-only", "3x4:color-only", "3x4:per-cell", "3x4:higher-lower", "3x12:distance",
            "grid:2x2x3", "1x30",
        ] {
            let rules: Rules = rules.parse().unwrap();
            let codes: Vec<Code> = Space::new(&rules).iter().take(50).collect();
            for secret in &codes {
                assert_eq!(code(&rules, &serde_json::to_value(secret).unwrap()).as_ref(), Ok(secret));
                let answer = pegwise_game::feedback(&rules, &codes[1], secret);
                assert_eq!(feedback(&rules, &serde_json::to_value(&answer).unwrap()).as_ref(), Ok(&answer));
                assert_eq!(feedback(&rules, &json!(answer.to_string())), Ok(answer));
            }
        }
    }

    #[test]
    fn invalid_values_are_rejected() {
        let rules: Rules = "4x6".parse().unwrap();
        let codes = r#"[null, [1,1,2], [0,1,1,1], [1,1,1,7], [1,1,1,65537], [-1,1,1,1],
            [1.5,1,1,1], "112", {}, ["1",1,1,1]]"#;
        let codes: Vec<Value> = serde_json::from_str(codes).unwrap();
        for value in codes {
            assert!(code(&rules, &value).is_err(), "{value}");
        }
        let feedbacks = r#"[null, [], [{"black":1}], [{"black":3,"white":1}], "5,0", [{"black":1,"white":-1}], 2,
            [[1,0]], [{"black":1,"white":0,"gray":0}], [{"black":1,"white":0},{"black":1,"white":0}]]"#;
        let feedbacks: Vec<Value> = serde_json::from_str(feedbacks).unwrap();
        for value in feedbacks {
            assert!(feedback(&rules, &value).is_err(), "{value}");
        }
    }
}
