//! A code: one color for each cell.

use std::{
    fmt::{self, Write as _},
    ops::Deref,
};

use serde::{Deserialize, Deserializer, Serialize};

use crate::{color::Color, short::Short};

/// A code: the secret, or a guess. It knows nothing of the rules; [`crate::Rules::parse_code`] and
/// [`crate::Rules::check_code`] make sure that a code fits.
///
/// Codes order as numbers do: the first cell counts most.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Code(Short<Color, SHORT>);

/// The most cells of a code that needs no memory of its own: as many as fit three words.
const SHORT: usize = 11;

impl Code {
    /// A code from its colors.
    #[must_use]
    pub fn new(colors: impl AsRef<[Color]>) -> Self {
        Self(Short::new(colors.as_ref()))
    }

    /// A code from zero-based color indices, as the columnar tables store them.
    ///
    /// ```
    /// use pegwise_game::Code;
    /// assert_eq!(Code::from_indices([0u8, 0, 1, 1]).notation(6).to_string(), "1122");
    /// ```
    #[must_use]
    pub fn from_indices<I: Into<u16>>(indices: impl IntoIterator<Item = I>) -> Self {
        Self(indices.into_iter().map(|index| Color::new(index.into())).collect())
    }

    /// The colors, cell by cell, to change in place.
    pub fn colors_mut(&mut self) -> &mut [Color] {
        &mut self.0
    }

    /// Whether a color appears twice.
    #[must_use]
    pub fn has_repeats(&self) -> bool {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The code as people write it in a game with this many colors: `1123` up to nine colors, `AABC` up to 26, `1,12,3`
    /// beyond.
    #[must_use]
    pub fn notation(&self, colors: u16) -> Notation<'_> {
        Notation { code: self, colors }
    }
}

impl Deref for Code {
    type Target = [Color];

    #[inline]
    fn deref(&self) -> &[Color] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::new)
    }
}

/// A code on its way to text; see [`Code::notation`].
#[derive(Debug, Clone, Copy)]
pub struct Notation<'a> {
    code: &'a Code,
    colors: u16,
}

impl fmt::Display for Notation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (cell, color) in self.code.iter().enumerate() {
            match self.colors {
                10..=26 => text.push(char::from(b'A' + color.index() as u8)),
                0..=9 => write!(text, "{color}")?,
                _ if cell == 0 => write!(text, "{color}")?,
                _ => write!(text, ",{color}")?,
            }
        }
        f.pad(&text)
    }
}

/// Why a text is not a code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a code of these rules: {reason}")]
pub struct CodeError {
    /// The text given.
    pub text: String,
    /// What is wrong with it.
    pub reason: CodeErrorReason,
}

/// What is wrong with a code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeErrorReason {
    /// Too few or too many cells.
    #[error("it has {found} {}, and the board has {expected}", if *found == 1 { "cell" } else { "cells" })]
    WrongLength {
        /// Cells of the board.
        expected: usize,
        /// Cells given.
        found: usize,
    },
    /// A color the rules do not have.
    #[error("'{color}' is not a color; {}", palette(*colors))]
    UnknownColor {
        /// The color as written.
        color: String,
        /// Colors of the rules.
        colors: u16,
    },
    /// A repeated color where none may be.
    #[error("a color appears twice, and these rules allow no repeats")]
    Repeats,
    /// Digits without separators where a color needs two.
    #[error("with more than nine colors write letters (AABC, up to 26 colors) or numbers with commas (1,12,3)")]
    RunTogether,
}

fn palette(colors: u16) -> String {
    match colors {
        1 => "the only color is 1".to_owned(),
        2..=26 => format!("the colors are 1 to {colors}, or A to {}", char::from(b'A' + (colors - 1) as u8)),
        _ => format!("the colors are 1 to {colors}"),
    }
}

/// Reads a code in any of its notations. The caller checks length and repeats.
pub(crate) fn parse(text: &str, colors: u16, cells: usize) -> Result<Code, CodeErrorReason> {
    parse_each(text, colors, cells, |word| color(word, colors)).map(Code)
}

/// [`parse`] with a question mark for each color that is not known.
pub(crate) fn parse_known(text: &str, colors: u16, cells: usize) -> Result<Vec<Option<Color>>, CodeErrorReason> {
    parse_each(text, colors, cells, |word| if word == UNKNOWN { Ok(None) } else { color(word, colors).map(Some) })
}

/// What stands for a peg or a number that is not known.
pub(crate) const UNKNOWN: &str = "?";

fn color(word: &str, colors: u16) -> Result<Color, CodeErrorReason> {
    let number = match word.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() && colors <= 26 => {
            Some(u16::from(letter.to_ascii_uppercase() - b'A') + 1)
        }
        bytes if bytes.iter().all(u8::is_ascii_digit) => word.parse().ok(),
        _ => None,
    };
    let known = number.filter(|number| (1..=colors).contains(number)).and_then(Color::from_number);
    known.ok_or_else(|| CodeErrorReason::UnknownColor { color: shorten(word), colors })
}

/// Parts a code into the words for its cells, and reads each.
fn parse_each<T, C: FromIterator<T>>(
    text: &str,
    colors: u16,
    cells: usize,
    read: impl Fn(&str) -> Result<T, CodeErrorReason>,
) -> Result<C, CodeErrorReason> {
    let text = text.trim();
    let digits = |text: &str| text.contains(|char: char| char.is_ascii_digit());
    if text.contains([',', ' ']) {
        text.split([',', ' ']).filter(|word| !word.is_empty()).map(read).collect()
    } else if cells == 1 {
        std::iter::once(text).filter(|word| !word.is_empty()).map(read).collect()
    } else if colors > 9
        && digits(text)
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == UNKNOWN.as_bytes()[0])
    {
        Err(CodeErrorReason::RunTogether)
    } else {
        text.char_indices().map(|(at, char)| read(&text[at..at + char.len_utf8()])).collect()
    }
}

/// Keeps an error message readable whatever was typed.
pub(crate) fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain(std::iter::once('…')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_changes_with_the_number_of_colors() {
        let code = Code::from_indices([0u16, 0, 1, 5]);
        assert_eq!(code.notation(6).to_string(), "1126");
        assert_eq!(code.notation(10).to_string(), "AABF");
        assert_eq!(code.notation(27).to_string(), "1,1,2,6");
    }

    #[test]
    fn every_notation_reads_the_same_code() {
        let code = Code::from_indices([0u16, 0, 1, 5]);
        for text in ["1126", "AABF", "aabf", "1,1,2,6", "1 1 2 6", " 1, 1, 2, 6 ", "A,A,B,F"] {
            assert_eq!(parse(text, 6, 4).as_ref(), Ok(&code), "{text}");
        }
        assert_eq!(parse("1126", 10, 4), Err(CodeErrorReason::RunTogether));
        assert_eq!(parse("12", 12, 1), Ok(Code::from_indices([11u16])));
        assert!(matches!(parse("1127", 6, 4), Err(CodeErrorReason::UnknownColor { .. })));
        assert!(matches!(parse("11é7", 6, 4), Err(CodeErrorReason::UnknownColor { .. })));
        assert!(matches!(parse("1,,2,99999999999", 30, 3), Err(CodeErrorReason::UnknownColor { .. })));
    }
}
