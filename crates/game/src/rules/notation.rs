//! Rules as a line of text.
//!
//! ```text
//! 4x6                      4 cells in a row, 6 colors
//! 4x10:no-repeats          Bulls & Cows
//! 20x20:black-only         black pegs alone
//! grid:4x4x6               rows and columns (also triangle:4x6, cube:3x3x3x6, ring:8x6, lines:1.2.3/3.4.5x6)
//! 4x6:higher-lower:max-guesses=10
//! 4x6:lies=1               at most one answer is false
//! ```

use std::{
    fmt,
    num::{NonZeroU8, NonZeroU32},
    str::FromStr,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::{Rules, RulesError};
use crate::{
    board::{Board, Shape, parse_lines},
    code::shorten,
    feedback::FeedbackKind,
};

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.board, self.colors)?;
        if !self.repeats {
            f.write_str(":no-repeats")?;
        }
        if self.feedback != FeedbackKind::default() {
            write!(f, ":{}", self.feedback)?;
        }
        if self.lies > 0 {
            write!(f, ":lies={}", self.lies)?;
        }
        if let Some(max_guesses) = self.max_guesses {
            write!(f, ":max-guesses={max_guesses}")?;
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let mut words = text.trim().split(':');
        let first = words.next().unwrap_or_default();
        let named = first.starts_with(|char: char| char.is_ascii_alphabetic());
        let (shape, size) = if named { (first, words.next().unwrap_or_default()) } else { ("row", first) };
        let (shape, colors) = parse_size(shape, size)?;
        let board = Board::new(shape)?;
        let colors = u16::try_from(colors).map_err(|_| RulesError::Colors { found: colors })?;
        let mut rules = Self::new(board, colors)?;
        let mut feedback_given = false;
        for option in words {
            let contradiction = || RulesError::Contradiction { option: shorten(option) };
            let unknown = || RulesError::UnknownOption { option: shorten(option) };
            let kind = FeedbackKind::ALL.into_iter().find(|kind| kind.name() == option);
            rules = match (option, kind) {
                ("no-repeats", _) if !rules.repeats => return Err(contradiction()),
                ("no-repeats", _) => rules.without_repeats()?,
                (_, Some(_)) if feedback_given => return Err(contradiction()),
                (_, Some(kind)) => {
                    feedback_given = true;
                    rules.with_feedback(kind)?
                }
                _ if option.starts_with("lies=") => {
                    let lies: NonZeroU8 = option["lies=".len()..].parse().map_err(|_| unknown())?;
                    if rules.lies > 0 {
                        return Err(contradiction());
                    }
                    rules.with_lies(lies.get())
                }
                _ => {
                    let limit = option.strip_prefix("max-guesses=").ok_or_else(unknown)?;
                    let limit: NonZeroU32 = limit.parse().map_err(|_| unknown())?;
                    if rules.max_guesses.is_some() {
                        return Err(contradiction());
                    }
                    rules.with_max_guesses(Some(limit))
                }
            };
        }
        Ok(rules)
    }
}

/// The sides and the colors of a size such as `4x4x6`.
fn parse_size(shape: &str, size: &str) -> Result<(Shape, u64), RulesError> {
    let expected = match shape {
        "row" => "PEGSxCOLORS, as in 4x6",
        "grid" => "ROWSxCOLUMNSxCOLORS, as in grid:4x4x6",
        "triangle" => "SIDExCOLORS, as in triangle:4x6",
        "cube" => "each side, then the colors, as in cube:3x3x3x6",
        "ring" => "CELLSxCOLORS, as in ring:8x6",
        "lines" => "LINESxCOLORS, as in lines:1.2.3/3.4.5x6",
        _ => return Err(RulesError::UnknownShape { shape: shorten(shape) }),
    };
    let wrong = || RulesError::Size { size: shorten(size), expected };
    // A number past the limits of the machine is past ours too, so it may saturate.
    let number = |word: &str| {
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| word.parse().unwrap_or(u64::MAX)).ok_or_else(wrong)
    };
    let side = |word: &str| number(word).map(|side| usize::try_from(side).unwrap_or(usize::MAX));
    let (sides, colors) = size.rsplit_once('x').ok_or_else(wrong)?;
    let colors = number(colors)?;
    if shape == "lines" {
        return Ok((parse_lines(sides)?, colors));
    }
    let sides = sides.split('x').map(side).collect::<Result<Vec<usize>, _>>()?;
    let shape = match (shape, &sides[..]) {
        ("row", &[cells]) => Shape::Row(cells),
        ("grid", &[rows, columns]) => Shape::Grid { rows, columns },
        ("triangle", &[side]) => Shape::Triangle(side),
        ("ring", &[cells]) => Shape::Ring(cells),
        ("cube", _) => Shape::Cube(sides),
        _ => return Err(wrong()),
    };
    Ok((shape, colors))
}

impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_round_trips() {
        for text in [
            "4x6",
            "1x1",
            "100x1",
            "1024x1024",
            "4x10:no-repeats",
            "20x20:black-only",
            "grid:4x4x6",
            "triangle:4x6",
            "cube:3x3x3x6",
            "cube:2x2x2x2x5:no-repeats:distance",
            "ring:8x6:higher-lower",
            "lines:1.2.3/3.4.5/5.1x6",
            "4x6:no-repeats:city-block:max-guesses=10",
        ] {
            let rules = text.parse::<Rules>();
            let printed = rules.map(|rules| rules.to_string());
            if text == "cube:2x2x2x2x5:no-repeats:distance" {
                assert_eq!(printed, Err(RulesError::TooFewColors { cells: 16, colors: 5 }));
            } else {
                assert_eq!(printed.as_deref(), Ok(text));
            }
        }
        assert_eq!("row:4x6".parse::<Rules>().unwrap().to_string(), "4x6");
        assert_eq!("4x6:black-white".parse::<Rules>().unwrap().to_string(), "4x6");
    }

    #[test]
    fn wrong_rules_say_what_is_wrong() {
        let message = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        assert_eq!(message("0x6"), "a board needs at least one cell");
        assert_eq!(message("4x0"), "a game has 1 to 4096 colors, not 0");
        assert_eq!(message("0x0"), "a board needs at least one cell");
        assert_eq!(message("65535x65535"), "a board has at most 4096 cells");
        assert_eq!(message("4x65535"), "a game has 1 to 4096 colors, not 65535");
        assert_eq!(message("4x99999999999999999999"), format!("a game has 1 to 4096 colors, not {}", u64::MAX));
        assert_eq!(message("4x6x"), "'4x6x' is not a size; write PEGSxCOLORS, as in 4x6");
        assert_eq!(message(""), "'' is not a size; write PEGSxCOLORS, as in 4x6");
        assert_eq!(message("grid:4x6"), "'4x6' is not a size; write ROWSxCOLUMNSxCOLORS, as in grid:4x4x6");
        assert!(message("4x6:unknown").starts_with("'unknown' is not an option"));
        assert!(message("4x6:max-guesses=0").starts_with("'max-guesses=0' is not an option"));
        assert!(message("4x6:distance:black-only").starts_with("'black-only' contradicts"));
        assert!(message("hexagon:4x6").starts_with("'hexagon' is not a shape"));
        assert_eq!(message("4x3:no-repeats"), "4 cells cannot be filled without repeats from 3 colors");
    }
}
