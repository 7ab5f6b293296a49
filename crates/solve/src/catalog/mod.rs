//! Every strategy, one row each. The rows drive help, completion, pages, documentation, the laws and the lab: no strategy is
//! named anywhere else.

mod entry;

use std::sync::Arc;

use pegwise_game::Rules;

pub use self::entry::{Entry, EntryParameter};

use crate::{
    adaptive, annealing, consistent, constructive, evolutionary, hill_climbing, one_step,
    parameter::Parameter,
    secrets::SecretList,
    spec::{Arguments, Spec, SpecError},
    strategy::{Strategy, StrategyError},
    tabu, tree,
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
    pub(crate) can_play: fn(&Rules) -> bool,
    pub(crate) build: Build,
}

/// Makes a strategy, for its catalog name, rules it can play, and its parameters.
pub(crate) type Build = fn(&'static str, &Rules, &Arguments) -> Result<Box<dyn Strategy>, StrategyError>;

impl Row {
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
        (self.can_play)(rules)
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

/// All strategies, in the order they are listed.
#[must_use]
pub fn rows() -> &'static [Row] {
    static ROWS: std::sync::LazyLock<Vec<Row>> = std::sync::LazyLock::new(|| {
        let families = [
            adaptive::ROWS,
            consistent::ROWS,
            one_step::ROWS,
            hill_climbing::ROWS,
            evolutionary::ROWS,
            evolutionary::RANKED,
            evolutionary::EARLY,
            annealing::ROWS,
            constructive::ROWS,
            tabu::ROWS,
            tree::ROWS,
        ];
        families.concat()
    });
    &ROWS
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

/// Makes a strategy.
pub fn build(spec: &Spec, rules: &Rules) -> Result<Box<dyn Strategy>, CatalogError> {
    let row = spec.row();
    spec.check_for(rules)?;
    if !row.can_play(rules) {
        let (strategy, rules, can) = (row.name, rules.to_string(), format!("it plays {}", row.plays));
        return Err(StrategyError::Unplayable { strategy, rules, can }.into());
    }
    Ok((row.build)(row.name, rules, spec.arguments())?)
}

/// Makes a strategy for a game whose secret is one of a list.
pub fn build_for(spec: &Spec, secrets: &Arc<SecretList>) -> Result<Box<dyn Strategy>, CatalogError> {
    let unplayable = || StrategyError::Unplayable {
        strategy: spec.row().name,
        rules: format!("{} with a list of secrets", secrets.rules()),
        can: "it looks at all codes of the rules".to_owned(),
    };
    let strategy = build(spec, secrets.rules())?;
    Ok(strategy.for_secrets(secrets).ok_or_else(unplayable)?)
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
    const MOST_EDITS: usize = 3;
    if name.len() > LONGEST {
        return None;
    }
    let distances = names.into_iter().map(|known| (edits(name, known), known));
    distances.min().filter(|&(edits, _)| edits <= MOST_EDITS).map(|(_, name)| name)
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
    fn names_are_unique_and_defaults_are_valid() {
        let mut names: Vec<&str> = rows().iter().map(|row| row.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        for row in rows() {
            for (name, _) in row.presets {
                assert!(row.parameters.iter().any(|parameter| parameter.name == *name), "{}: {name}", row.name);
            }
            for (parameter, (name, value)) in row.parameters.iter().zip(row.defaults()) {
                let read = parameter.kind.read(&value).map(|read| read.text().to_owned());
                assert_eq!(read, Ok(value), "{}: {name}", row.name);
            }
        }
    }

    #[test]
    fn edits_are_counted() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("knuth", "knuth"), 0);
    }
}
