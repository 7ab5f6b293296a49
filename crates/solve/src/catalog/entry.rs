//! A row of the catalog for programs and pages.

use serde::Serialize;

use super::Row;
use crate::parameter::{Parameter, ParameterKind};

/// A strategy, described.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// The name it is asked for by.
    pub name: &'static str,
    /// The name people know.
    pub title: &'static str,
    /// Strategies that work alike.
    pub family: &'static str,
    /// Who described it, and where.
    pub paper: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// Which rules it can play, in words.
    pub plays: &'static str,
    /// What can be set on it.
    pub parameters: Vec<EntryParameter>,
}

/// A parameter of a strategy, described.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntryParameter {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub kind: ParameterKind,
    /// What it is when it is not set, on this strategy: a preset has its own.
    pub default: String,
    /// What it does.
    pub about: &'static str,
}

impl Entry {
    /// Describes a strategy.
    #[must_use]
    pub fn new(row: &Row) -> Self {
        let &Row { name, title, family, paper, about, plays, .. } = row;
        let parameter = |(parameter, (_, default)): (&Parameter, (&str, String))| EntryParameter {
            name: parameter.name,
            kind: parameter.kind,
            default,
            about: parameter.about,
        };
        let parameters = row.parameters.iter().zip(row.defaults()).map(parameter).collect();
        Self { name, title, family, paper, about, plays, parameters }
    }
}
