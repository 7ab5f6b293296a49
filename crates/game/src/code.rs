//! Codes: one color for each cell, and how they are read and written.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::IgnoredAny};

use crate::{
    color::{Color, ColorNames, Palette, counted},
    rules::Rules,
};

/// A code: the secret, or a guess. It does not know the rules; [`crate::Rules::parse_code`] and
/// [`crate::Rules::check_code`] check that a code is valid for them.
///
/// Codes are ordered lexicographically.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Code(InlineList<Color, INLINE_CELLS>);

/// Maximum number of cells of a code stored without an allocation: as many as fit three words.
const INLINE_CELLS: usize = 11;

impl Code {
    /// Creates a code from its colors.
    pub fn new(colors: impl AsRef<[Color]>) -> Self {
        Self(InlineList::new(colors.as_ref()))
    }

    /// Creates a code from zero-based color indices.
    ///
    /// ```
    /// use pegwise_game::Code;
    /// assert_eq!(Code::from_indices([0u8, 0, 1, 1]).notation(6).to_string(), "1122");
    /// ```
    pub fn from_indices<I: Into<u16>>(indices: impl IntoIterator<Item = I>) -> Self {
        Self(indices.into_iter().map(|index| Color::new(index.into())).collect())
    }

    /// Returns the colors for modification in place.
    pub fn colors_mut(&mut self) -> &mut [Color] {
        &mut self.0
    }

    /// Returns true if a color appears twice.
    pub fn has_repeats(&self) -> bool {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Returns the text of the code for a palette or a number of colors: `1123` for up to nine colors, `AABC` for up to 26,
    /// `1,12,3` for more.
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

/// JSON form of a code of unknown rules: one-based colors, or text in the usual notation.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum SerializedCode {
    /// Text, such as `1122`.
    Text(String),
    /// One-based colors.
    Colors(Vec<u16>),
    /// Anything else, so that [`SerializedCode::parse`] rejects it and the caller can name its field.
    Invalid(IgnoredAny),
}

impl SerializedCode {
    /// Returns the code if it is valid for the rules.
    pub fn parse(&self, rules: &Rules) -> Result<Code, String> {
        const EXPECTED: &str = "a code is a list of one-based colors, as in [1,1,2,2], or text, as in \"1122\"";
        match self {
            Self::Text(text) => rules.parse_code(text).map_err(|error| error.to_string()),
            Self::Colors(numbers) => {
                let colors: Option<Vec<Color>> = numbers.iter().map(|&number| Color::from_number(number)).collect();
                let code = Code::new(colors.ok_or(EXPECTED)?);
                rules.check_code(&code).map_err(|reason| reason.to_string())?;
                Ok(code)
            }
            Self::Invalid(_) => Err(EXPECTED.to_owned()),
        }
    }
}

/// A code that can be printed; see [`Code::notation`].
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

/// Error for text that is not a code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a valid code for these rules: {reason}")]
pub struct CodeError {
    /// The text given.
    pub text: String,
    /// The reason.
    pub reason: CodeErrorReason,
}

/// Reason why a code is not valid for the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeErrorReason {
    /// Too few or too many cells: those of the board, and those given.
    #[error("it has {found}, but the board has {0}", found = counted(*.1, "cell", "cells"))]
    WrongLength(usize, usize),
    /// A color the rules do not have, as written, and the colors of the rules.
    #[error("'{0}' is not a color; {1}")]
    UnknownColor(String, Box<Palette>),
    /// A repeated color under rules without repeats.
    #[error("a color appears twice, but these rules do not allow repeats")]
    Repeats,
    /// Digits without separators in a game with two-digit colors.
    #[error("with more than nine colors write letters (AABC, up to 26 colors) or numbers with commas (1,12,3)")]
    RunTogether,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct CodeParser<'a> {
    pub(crate) colors: u16,
    pub(crate) cells: usize,
    pub(crate) palette: Palette,
    pub(crate) names: &'a ColorNames,
}

impl CodeParser<'_> {
    /// Parses a code in any notation. The caller checks length and repeats.
    pub(crate) fn code(self, text: &str) -> Result<Code, CodeErrorReason> {
        self.parse_each(text, |word| self.color(word)).map(Code)
    }

    /// Parses a code with a question mark for each unknown color.
    pub(crate) fn partial(self, text: &str) -> Result<Vec<Option<Color>>, CodeErrorReason> {
        self.parse_each(text, |word| if word == UNKNOWN { Ok(None) } else { self.color(word).map(Some) })
    }

    fn color(self, word: &str) -> Result<Color, CodeErrorReason> {
        let Self { colors, palette, .. } = self;
        let number = match word.as_bytes() {
            [key] if let Some(color) = palette.color_for_key(char::from(*key)) => Some(color.number() as u16),
            // Initials of names replace the letters A, B, C, ….
            [letter] if letter.is_ascii_alphabetic() && colors <= 26 && self.names.palette().is_none() => {
                Some(u16::from(letter.to_ascii_uppercase() - b'A') + 1)
            }
            bytes if bytes.iter().all(u8::is_ascii_digit) => word.parse().ok(),
            _ => {
                let is_label =
                    |color: &Color| palette.has_letter_pairs() && palette.label(*color).eq_ignore_ascii_case(word);
                let labeled = (0..colors).map(Color::new).find(is_label);
                labeled.or_else(|| self.names.find(word)).map(|color| color.number() as u16)
            }
        };
        let known = number.filter(|number| (1..=colors).contains(number)).and_then(Color::from_number);
        known.ok_or_else(|| CodeErrorReason::UnknownColor(shorten(word), palette.into()))
    }

    /// Splits a code into the words for its cells and parses each.
    fn parse_each<T, C: FromIterator<T>>(
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
        } else if self.palette.has_letter_pairs() && !digits(text) {
            let mut rest = text;
            let words = std::iter::from_fn(|| {
                let characters = if rest.starts_with(UNKNOWN) { 1 } else { 2 };
                let end = rest.char_indices().nth(characters).map_or(rest.len(), |(end, _)| end);
                let word = &rest[..end];
                rest = &rest[end..];
                (!word.is_empty()).then_some(word)
            });
            words.map(read).collect()
        } else {
            text.char_indices().map(|(at, char)| read(&text[at..at + char.len_utf8()])).collect()
        }
    }
}

/// Text of an unknown peg or number.
pub(crate) const UNKNOWN: &str = "?";

/// Truncates input that is quoted in an error message, and replaces its control characters.
pub fn shorten(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let mut chars = text.chars().map(|char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char });
    let start: String = chars.by_ref().take(MAX_CHARS).collect();
    if chars.next().is_some() { format!("{start}…") } else { start }
}

/// A list of fixed length that stores up to `INLINE` items inline and more on the heap. It compares, hashes and prints like a
/// slice. Most codes have few cells and most feedback one mark, and allocating each would dominate the cost of a game.
#[derive(Clone)]
pub(crate) enum InlineList<T, const INLINE: usize> {
    /// The number of items, and the items; the rest of the array is unused.
    Inline(u8, [T; INLINE]),
    /// No items (which does not allocate), or more than `INLINE`.
    Heap(Box<[T]>),
}

impl<T: Copy, const INLINE: usize> InlineList<T, INLINE> {
    pub(crate) fn new(items: &[T]) -> Self {
        const { assert!(INLINE <= u8::MAX as usize) };
        match items {
            [first, ..] if items.len() <= INLINE => {
                let mut inline = [*first; INLINE];
                inline[..items.len()].copy_from_slice(items);
                Self::Inline(items.len() as u8, inline)
            }
            _ => Self::Heap(items.into()),
        }
    }
}

impl<T: Copy, const INLINE: usize> FromIterator<T> for InlineList<T, INLINE> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut items = items.into_iter();
        let Some(first) = items.next() else { return Self::new(&[]) };
        let mut inline = [first; INLINE];
        let mut len = 1;
        while let Some(item) = items.next() {
            let Some(place) = inline.get_mut(len) else {
                return Self::Heap(inline.into_iter().chain([item]).chain(items).collect());
            };
            *place = item;
            len += 1;
        }
        Self::Inline(len as u8, inline)
    }
}

impl<T, const INLINE: usize> Deref for InlineList<T, INLINE> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Self::Inline(len, inline) => &inline[..usize::from(*len)],
            Self::Heap(items) => items,
        }
    }
}

impl<T, const INLINE: usize> DerefMut for InlineList<T, INLINE> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Inline(len, inline) => &mut inline[..usize::from(*len)],
            Self::Heap(items) => items,
        }
    }
}

impl<T: PartialEq, const INLINE: usize> PartialEq for InlineList<T, INLINE> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const INLINE: usize> Eq for InlineList<T, INLINE> {}

impl<T: Ord, const INLINE: usize> PartialOrd for InlineList<T, INLINE> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord, const INLINE: usize> Ord for InlineList<T, INLINE> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(other)
    }
}

impl<T: Hash, const INLINE: usize> Hash for InlineList<T, INLINE> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: fmt::Debug, const INLINE: usize> fmt::Debug for InlineList<T, INLINE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Serialize, const INLINE: usize> Serialize for InlineList<T, INLINE> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::DefaultHasher;

    use super::*;

    #[test]
    fn notation_changes_with_the_number_of_colors() {
        let code = Code::from_indices([0u16, 0, 1, 5]);
        assert_eq!(code.notation(6).to_string(), "1126");
        assert_eq!(code.notation(10).to_string(), "AABF");
        assert_eq!(code.notation(27).to_string(), "1,1,2,6");
    }

    fn parse(text: &str, colors: u16, cells: usize) -> Result<Code, CodeErrorReason> {
        CodeParser { colors, cells, palette: colors.into(), names: &ColorNames::default() }.code(text)
    }

    #[test]
    fn every_notation_reads_the_same_code() {
        let code = Code::from_indices([0u16, 0, 1, 5]);
        for text in ["1126", "AABF", "aabf", "1,1,2,6", "1 1 2 6", " 1, 1, 2, 6 ", "A,A,B,F"] {
            assert_eq!(parse(text, 6, 4).as_ref(), Ok(&code), "{text}");
        }
        assert_eq!(parse("1126", 10, 4), Err(CodeErrorReason::RunTogether));
        assert_eq!(parse("12", 12, 1), Ok(Code::from_indices([11u16])));
        assert!(matches!(parse("1127", 6, 4), Err(CodeErrorReason::UnknownColor(..))));
        assert!(matches!(parse("11é7", 6, 4), Err(CodeErrorReason::UnknownColor(..))));
        assert!(matches!(parse("1,,2,99999999999", 30, 3), Err(CodeErrorReason::UnknownColor(..))));
    }

    type Triple = InlineList<u16, 3>;

    #[test]
    fn inline_lists_behave_like_slices() {
        let hash = |value: &dyn Fn(&mut DefaultHasher)| {
            let mut hasher = DefaultHasher::new();
            value(&mut hasher);
            hasher.finish()
        };
        for length in 0..8u16 {
            let items: Vec<u16> = (0..length).collect();
            let mut short = Triple::new(&items);
            assert_eq!(*short, *items);
            assert_eq!(items.iter().copied().collect::<Triple>(), short);
            assert_eq!(format!("{short:?}"), format!("{items:?}"));
            assert_eq!(serde_json::to_string(&short).unwrap(), serde_json::to_string(&items).unwrap());
            assert_eq!(hash(&|state| short.hash(state)), hash(&|state| items.hash(state)));
            short.iter_mut().for_each(|item| *item += 1);
            assert!(short.iter().copied().eq(1..=length));
        }
        assert_eq!(Triple::new(&[1, 2]), Triple::Inline(2, [1, 2, 9]));
        assert_ne!(Triple::new(&[1, 2]), Triple::new(&[1, 2, 1]));
        let lists: [&[u16]; 6] = [&[], &[1], &[1, 2, 3], &[1, 2, 3, 4], &[1, 3], &[2]];
        for (one, other) in lists.iter().zip(&lists[1..]) {
            assert!(Triple::new(one) < Triple::new(other), "{one:?} {other:?}");
        }
    }
}
