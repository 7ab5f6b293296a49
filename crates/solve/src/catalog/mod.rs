//! Every strategy, one row each. The rows drive help, completion, pages, documentation, the laws and the lab: no strategy is
//! named anywhere else. Programs add rows of their own with [`register()`].

mod capability;
mod entry;
mod outside;
mod register;

use std::sync::Arc;

use pegwise_game::Rules;

pub use self::{
    capability::{Capability, When, always},
    entry::{Entry, EntryParameter},
    outside::{Outside, admit, fingerprint_of},
    register::{RegisterError, register, rows},
};

use crate::{
    checked_strategy::CheckedStrategy,
    parameter::Parameter,
    secrets::SecretList,
    spec::{Arguments, Spec, SpecError},
    strategy::{Built, Strategy, StrategyError},
};

/// One strategy.
#[derive(Debug, Clone, Copy)]
pub struct Row {
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
    pub parameters: &'static [Parameter],
    /// Parameters whose default differs from that of the family.
    pub presets: &'static [(&'static str, &'static str)],
    /// What it can do beside proposing guesses, and when. A law compares it with what strategies do.
    pub capabilities: &'static [(Capability, When)],
    /// Whether it can play these rules.
    pub can_play: fn(&Rules) -> bool,
    /// Makes it. What is made is asked through the [`Strategy`] that [`build`] puts around it.
    pub build: Build,
}

/// Makes a strategy, for its catalog name, rules it can play, and its parameters.
pub type Build = fn(&'static str, &Rules, &Arguments) -> Built;

impl Row {
    /// A row to be filled in: nothing can be set on it, it plays any rules, and has no capabilities.
    pub const BLANK: Self = Self {
        name: "",
        title: "",
        family: "",
        paper: "",
        about: "",
        plays: "any rules",
        parameters: &[],
        presets: &[],
        capabilities: &[],
        can_play: |_| true,
        build: |name, rules, _| Err(StrategyError::unplayable(name, rules, &"nothing makes it")),
    };

    /// Every parameter with the value it has when it is not set.
    pub fn defaults(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.parameters.iter().map(|parameter| {
            let preset = self.presets.iter().find(|(name, _)| *name == parameter.name);
            (parameter.name, preset.map_or(parameter.default, |(_, value)| value).to_owned())
        })
    }

    /// The strategy with every parameter at its default.
    #[must_use]
    pub fn spec(&'static self) -> Spec {
        Spec::of(self)
    }

    /// Whether it can play these rules.
    #[must_use]
    pub fn can_play(&self, rules: &Rules) -> bool {
        let takes_lies = self.capabilities.iter().any(|(declared, _)| *declared == Capability::Lies);
        (rules.lies() == 0 || takes_lies) && (self.can_play)(rules)
    }

    /// Whether it can play these rules with these parameters, and has a capability there.
    #[must_use]
    pub fn can(&self, capability: Capability, rules: &Rules, arguments: &Arguments) -> bool {
        let declared = self.capabilities.iter().find(|(declared, _)| *declared == capability);
        self.can_play(rules) && declared.is_some_and(|(_, when)| when(rules, arguments))
    }
}

/// Why a strategy could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// Its name or a parameter is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It cannot play the rules.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
}

impl CatalogError {
    /// What it means to a strategy that plays these rules with the help of the one that could not be made.
    pub(crate) fn of(self, strategy: &'static str, rules: &Rules) -> StrategyError {
        match self {
            Self::Strategy(error) => error,
            Self::Spec(error) => StrategyError::unplayable(strategy, rules, &error),
        }
    }
}

/// The strategy with this name.
#[must_use]
pub fn row(name: &str) -> Option<&'static Row> {
    rows().iter().find(|row| row.name == name)
}

/// Makes a strategy from its name and parameters, such as `entropy(guesses=consistent)`.
pub fn strategy(spec: &str, rules: &Rules) -> Result<Box<dyn Strategy>, CatalogError> {
    build(&spec.parse()?, rules)
}

/// Whether a strategy can be made for these rules, without the work of making it.
pub fn check(spec: &Spec, rules: &Rules) -> Result<(), CatalogError> {
    let row = spec.row();
    spec.check_for(rules)?;
    if !row.can_play(rules) {
        let honest = if rules.lies() > 0 { ", and takes no lies" } else { "" };
        return Err(StrategyError::unplayable(row.name, rules, &format!("it plays {}{honest}", row.plays)).into());
    }
    Ok(())
}

/// Makes a strategy.
pub fn build(spec: &Spec, rules: &Rules) -> Result<Box<dyn Strategy>, CatalogError> {
    check(spec, rules)?;
    let row = spec.row();
    Ok(CheckedStrategy::around((row.build)(row.name, rules, spec.arguments())?))
}

/// Makes a strategy for a game whose secret is one of a list.
pub fn build_for(spec: &Spec, secrets: &Arc<SecretList>) -> Result<Box<dyn Strategy>, CatalogError> {
    let unplayable = || {
        let rules = format!("{} with a list of secrets", secrets.rules());
        StrategyError::unplayable(spec.row().name, &rules, &"it looks at all codes of the rules")
    };
    check(spec, secrets.rules())?;
    if !spec.can(Capability::Secrets, secrets.rules()) {
        return Err(unplayable().into());
    }
    Ok(build(spec, secrets.rules())?.for_secrets(secrets).ok_or_else(unplayable)?)
}

/// The strategy whose name is nearest to a misspelled one, if any is near.
#[must_use]
pub fn nearest(name: &str) -> Option<&'static str> {
    nearest_of(name, rows().iter().map(|row| row.name))
}

/// Of some names, the one that is nearest to a misspelled one, if any is near.
pub fn nearest_of<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Far longer than any name; bounds the work a hostile argument can ask for.
    const LONGEST: usize = 40;
    const MAX_EDITS: usize = 3;
    if name.len() > LONGEST {
        return None;
    }
    let distances = names.into_iter().map(|known| (edits(name, known), known));
    distances.min().filter(|&(edits, _)| edits <= MAX_EDITS).map(|(_, name)| name)
}

/// The number of letters to insert, delete or change that turn one word into the other.
fn edits(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, letter) in from.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, other) in to.bytes().enumerate() {
            let changed = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("knuth", "knuth"), 0);
    }
}
