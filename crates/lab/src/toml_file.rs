//! TOML files that people write: whatever is wrong is named with its line.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue},
};

/// A value that knows where it stands.
pub(crate) type Value<'a> = Spanned<DeValue<'a>>;

/// Why a file says nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read.
    #[error("{} cannot be read: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// Something is wrong at a line of it.
    #[error("{}:{line}: {problem}", path.display())]
    At {
        /// The file.
        path: PathBuf,
        /// The line, from one.
        line: usize,
        /// What is wrong there.
        problem: String,
    },
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, FileError> {
    fs::read_to_string(path).map_err(|error| FileError::Io { path: path.to_owned(), error })
}

/// Reads one file, and knows the line of everything in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a str,
}

impl<'a> Reader<'a> {
    /// The whole file.
    pub(crate) fn document(&self) -> Result<DeTable<'a>, FileError> {
        let document = DeTable::parse(self.text).map_err(|error| self.at(error.span(), error.message()))?;
        Ok(document.into_inner())
    }

    pub(crate) fn required<'t, 'd>(&self, table: &'t DeTable<'d>, name: &str) -> Result<&'t Value<'d>, FileError> {
        table.get(name).ok_or_else(|| self.at(None, format!("{name} is missing")))
    }

    pub(crate) fn check_keys(&self, table: &DeTable<'_>, known: &[&str]) -> Result<(), FileError> {
        let unknown = |key: &&Spanned<DeString<'_>>| !known.contains(&key.get_ref().as_ref());
        match table.keys().find(unknown) {
            None => Ok(()),
            Some(key) => {
                let problem = format!("there is no key '{}'; the keys are {}", key.get_ref(), known.join(", "));
                Err(self.at(Some(key.span()), problem))
            }
        }
    }

    /// A text of the file, read as what it should be.
    pub(crate) fn parsed<T, E: std::fmt::Display>(
        &self,
        value: &Value<'_>,
        expected: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, FileError> {
        let at = |problem: String| self.at(Some(value.span()), problem);
        let text = value.get_ref().as_str().ok_or_else(|| at(format!("write {expected}")))?;
        parse(text).map_err(|error| at(error.to_string()))
    }

    /// A text of the file.
    pub(crate) fn string(&self, value: &Value<'_>) -> Result<String, FileError> {
        self.parsed(value, "a text", str::parse::<String>)
    }

    /// A table of the file.
    pub(crate) fn table<'t, 'd>(&self, value: &'t Value<'d>, example: &str) -> Result<&'t DeTable<'d>, FileError> {
        value.get_ref().as_table().ok_or_else(|| self.at(Some(value.span()), format!("write a table, as in {example}")))
    }

    /// A number or a text as it is written, which is also how values of parameters are.
    pub(crate) fn scalar(&self, value: &Value<'_>) -> Result<String, FileError> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_owned()),
            DeValue::Float(number) => Ok(number.as_str().to_owned()),
            DeValue::Boolean(truth) => Ok(truth.to_string()),
            _ => Err(self.at(Some(value.span()), "write a text or a number")),
        }
    }

    pub(crate) fn whole(&self, value: &Value<'_>, least: u64, most: u64) -> Result<u64, FileError> {
        let number = value.get_ref().as_integer().filter(|number| number.radix() == 10);
        let number = number.and_then(|number| number.as_str().parse().ok());
        let range = || format!("write a whole number from {least} to {most}");
        number.filter(|number| (least..=most).contains(number)).ok_or_else(|| self.at(Some(value.span()), range()))
    }

    pub(crate) fn at(&self, span: Option<Range<usize>>, problem: impl ToString) -> FileError {
        let before = span.and_then(|span| self.text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        FileError::At { path: self.path.to_owned(), line, problem: problem.to_string() }
    }
}

/// The values of a list, or the one that stands for a list of one.
pub(crate) fn each<'t, 'd>(value: &'t Value<'d>) -> impl Iterator<Item = &'t Value<'d>> {
    let list = value.get_ref().as_array();
    let one = list.is_none().then_some(value);
    list.into_iter().flatten().chain(one)
}
