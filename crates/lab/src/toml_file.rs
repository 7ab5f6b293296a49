//! Deserialization of TOML files with errors that name the line.

use std::{
    fmt::{self, Display},
    fs,
    marker::PhantomData,
    ops::Range,
    path::{Path, PathBuf},
    str::FromStr,
};

use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeOwned, Error as _, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, StrDeserializer},
    },
};
use toml::Spanned;

/// Error in a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputFileError {
    /// The file cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Cause.
        error: std::io::Error,
    },
    /// A line of the file is invalid.
    #[error("{}:{line}: {problem}", path.display())]
    At {
        /// Path of the file.
        path: PathBuf,
        /// Line number, from one.
        line: usize,
        /// Description of the problem.
        problem: String,
    },
}

/// Reads a file as text.
pub(crate) fn read(path: &Path) -> Result<String, InputFileError> {
    fs::read_to_string(path).map_err(|error| InputFileError::Io { path: path.to_owned(), error })
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
        InputFileError::At { path: self.path.to_owned(), line, problem: problem.to_string() }
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
