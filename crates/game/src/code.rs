//! A code: one color for each cell.

use std::{fmt, ops::Deref};

use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    color::Color,
    palette::{Names, Palette},
    short::Short,
};

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

    /// The code as people write it with these colors, or in any game with this many: `1123` up to nine colors, `AABC` up
    /// to 26, `1,12,3` beyond.
    #[must_use]
    pub fn notation(&self, palette: impl Into<Palette>) -> Notation<'_> {
        Notation { code: self, palette: palette.into() }
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
    palette: Palette,
}

impl fmt::Display for Notation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels: Vec<String> = self.code.iter().map(|&color| self.palette.label(color)).collect();
        f.pad(&labels.join(self.palette.separator()))
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
    #[error("'{color}' is not a color; {palette}")]
    UnknownColor {
        /// The color as written.
        color: String,
        /// Colors of the rules.
        palette: Palette,
    },
    /// A repeated color where none may be.
    #[error("a color appears twice, and these rules allow no repeats")]
    Repeats,
    /// Digits without separators where a color needs two.
    #[error("with more than nine colors write letters (AABC, up to 26 colors) or numbers with commas (1,12,3)")]
    RunTogether,
}

/// What words for colors there are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) colors: u16,
    pub(crate) cells: usize,
    pub(crate) palette: Palette,
    pub(crate) names: &'a Names,
}

impl Reader<'_> {
    /// Reads a code in any of its notations. The caller checks length and repeats.
    pub(crate) fn code(self, text: &str) -> Result<Code, CodeErrorReason> {
        self.each(text, |word| self.color(word)).map(Code)
    }

    /// [`Reader::code`] with a question mark for each color that is not known.
    pub(crate) fn known(self, text: &str) -> Result<Vec<Option<Color>>, CodeErrorReason> {
        self.each(text, |word| if word == UNKNOWN { Ok(None) } else { self.color(word).map(Some) })
    }

    fn color(self, word: &str) -> Result<Color, CodeErrorReason> {
        let Self { colors, palette, .. } = self;
        let number = match word.as_bytes() {
            [key] if let Some(color) = palette.color_for_key(char::from(*key)) => Some(color.number() as u16),
            // First letters of names take the place of other letters.
            [letter] if letter.is_ascii_alphabetic() && colors <= 26 && self.names.palette().is_none() => {
                Some(u16::from(letter.to_ascii_uppercase() - b'A') + 1)
            }
            bytes if bytes.iter().all(u8::is_ascii_digit) => word.parse().ok(),
            _ => self.names.find(word).map(|color| color.number() as u16),
        };
        let known = number.filter(|number| (1..=colors).contains(number)).and_then(Color::from_number);
        known.ok_or_else(|| CodeErrorReason::UnknownColor { color: shorten(word), palette })
    }

    /// Parts a code into the words for its cells, and reads each.
    fn each<T, C: FromIterator<T>>(
        self,
        text: &str,
        read: impl Fn(&str) -> Result<T, CodeErrorReason>,
    ) -> Result<C, CodeErrorReason> {
        let text = text.trim();
        let digits = |text: &str| text.contains(|char: char| char.is_ascii_digit());
        if text.contains([',', ' ']) {
            text.split([',', ' ']).filter(|word| !word.is_empty()).map(read).collect()
        } else if self.cells == 1 {
            std::iter::once(text).filter(|word| !word.is_empty()).map(read).collect()
        } else if self.colors > 9
            && !self.palette.has_digits()
            && digits(text)
            && text.bytes().all(|byte| byte.is_ascii_digit() || byte == UNKNOWN.as_bytes()[0])
        {
            Err(CodeErrorReason::RunTogether)
        } else {
            text.char_indices().map(|(at, char)| read(&text[at..at + char.len_utf8()])).collect()
        }
    }
}

/// What stands for a peg or a number that is not known.
pub(crate) const UNKNOWN: &str = "?";

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

    fn parse(text: &str, colors: u16, cells: usize) -> Result<Code, CodeErrorReason> {
        Reader { colors, cells, palette: colors.into(), names: &Names::default() }.code(text)
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
