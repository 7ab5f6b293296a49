//! Deserialization of TOML files with errors that name the line.

use std::fmt::{self, Display};
use std::fs;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{DeserializeOwned, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// Error in a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputFileError {
    /// The file cannot be read.
    #[error("{} cannot be read: {}", .0.display(), .1)]
    Io(PathBuf, std::io::Error),
    /// A line of the file, numbered from one, has this problem.
    #[error("{}:{}: {}", .0.display(), .1, .2)]
    At(PathBuf, usize, String),
}

/// Reads a file as text.
pub(crate) fn read(path: &Path) -> Result<String, InputFileError> {
    fs::read_to_string(path).map_err(|error| InputFileError::Io(path.to_owned(), error))
}

/// Path and text of a TOML file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TomlFile<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
}

impl TomlFile<'_> {
    /// Deserializes the file.
    pub(crate) fn deserialize<T: DeserializeOwned>(&self) -> Result<T, InputFileError> {
        toml::from_str(self.text).map_err(|error| self.error(error.span(), error.message()))
    }

    /// Parses a text of the file.
    pub(crate) fn parse<T, E: Display>(
        &self,
        text: &Spanned<String>,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, InputFileError> {
        parse(text.get_ref()).map_err(|error| self.error(Some(text.span()), error))
    }

    /// Parses a list of texts.
    pub(crate) fn parse_all<T, E: Display>(
        &self,
        texts: &[Spanned<String>],
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Vec<T>, InputFileError> {
        texts.iter().map(|text| self.parse(text, &parse)).collect()
    }

    /// Returns a key that must be present.
    pub(crate) fn required<T>(&self, value: Option<T>, name: &str) -> Result<T, InputFileError> {
        value.ok_or_else(|| self.error(None, format!("{name} is missing")))
    }

    /// Creates an error at the line of `span`, or at the first line.
    pub(crate) fn error(&self, span: Option<Range<usize>>, problem: impl ToString) -> InputFileError {
        let before = span.and_then(|span| self.text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        InputFileError::At(self.path.to_owned(), line, problem.to_string())
    }
}

/// A value that is written as text and parsed by [`FromStr`].
#[derive(Debug, Clone)]
pub(crate) struct Parsed<T>(pub(crate) T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Self).map_err(D::Error::custom)
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AllWord {
    All,
}

/// A list, or a single value instead of a list of one.
#[derive(Debug)]
pub(crate) enum OneOrMany<T> {
    One(T),
    Many(Vec<Spanned<T>>),
}

impl<T> OneOrMany<T> {
    /// Returns the values with their positions.
    pub(crate) fn into_items(value: Spanned<Self>) -> Vec<Spanned<T>> {
        let span = value.span();
        match value.into_inner() {
            Self::One(one) => vec![Spanned::new(span, one)],
            Self::Many(many) => many,
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrManyVisitor(PhantomData))
    }
}

/// An untagged enum would lose the positions of the elements.
struct OneOrManyVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrManyVisitor<T> {
    type Value = OneOrMany<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value or a list of values")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        T::deserialize(StrDeserializer::new(text)).map(OneOrMany::One)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(OneOrMany::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut many = Vec::new();
        while let Some(value) = list.next_element()? {
            many.push(value);
        }
        Ok(OneOrMany::Many(many))
    }
}
