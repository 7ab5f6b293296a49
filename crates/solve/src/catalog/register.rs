//! The list of rows, rows added by other programs, and external strategies.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use pegwise_game::Rules;

use super::{Capability, Row, always, row};
use crate::{adaptive, row_by_row, shipped, spec::Spec};
use pegwise_search::{Arguments, Built, Parameter, StrategyError, one_step};
use pegwise_strategies::{annealing, consistent, constructive, evolutionary, hill_climbing, tabu};

/// Error when adding a row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The name is taken.
    #[error("a strategy named {0} already exists")]
    NameTaken(&'static str),
    /// The name is not valid in a [`Spec`].
    #[error("'{0}' is not a valid strategy name; use lowercase letters, digits and hyphens, as in random-consistent")]
    BadName(&'static str),
    /// A parameter is defined twice, preset but not defined, or has an invalid default: strategy, parameter and problem.
    #[error("parameter {1} of {0}: {2}")]
    BadParameter(&'static str, &'static str, String),
}

/// All rows. Adding a row leaks a longer copy of the list, because callers may keep a reference to the old one.
static ROWS: LazyLock<RwLock<&'static [Row]>> = LazyLock::new(|| {
    let families = [
        adaptive::ROWS,
        consistent::ROWS,
        one_step::ROWS,
        hill_climbing::ROWS,
        evolutionary::ROWS,
        annealing::ROWS,
        constructive::ROWS,
        row_by_row::ROWS,
        tabu::ROWS,
        shipped::ROWS,
    ];
    RwLock::new(families.concat().leak())
});

/// Returns all strategies, in the order of the catalog.
pub fn rows() -> &'static [Row] {
    *ROWS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Appends a strategy of another program to the catalog. Slices that [`rows`] returned before do not contain it.
///
/// ```
/// use pegwise_solve::catalog::{self, Row};
/// let twin = Row { name: "twin", ..*catalog::row("knuth").unwrap() };
/// catalog::register(twin)?;
/// assert_eq!(catalog::register(twin).unwrap_err().to_string(), "a strategy named twin already exists");
/// assert!(catalog::strategy("twin(ties=lowest)", &"4x6".parse()?).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn register(row: Row) -> Result<(), RegisterError> {
    check(&row)?;
    let mut rows = ROWS.write().unwrap_or_else(PoisonError::into_inner);
    if rows.iter().any(|other| other.name == row.name) {
        return Err(RegisterError::NameTaken(row.name));
    }
    *rows = [*rows, &[row]].concat().leak();
    Ok(())
}

/// Checks the name and the parameters of a row.
fn check(row: &Row) -> Result<(), RegisterError> {
    let name = row.name;
    let is_valid = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || !name.bytes().all(is_valid) {
        return Err(RegisterError::BadName(name));
    }
    let wrong = |parameter, problem| RegisterError::BadParameter(name, parameter, problem);
    for &(parameter, _) in row.presets {
        if row.parameters.iter().all(|other| other.name != parameter) {
            return Err(wrong(parameter, "it is preset but not defined".to_owned()));
        }
    }
    for (place, Parameter { name, kind, default, .. }) in row.preset_parameters().enumerate() {
        if row.parameters[..place].iter().any(|other| other.name == name) {
            return Err(wrong(name, "it is defined twice".to_owned()));
        }
        let problem = match kind.read(default) {
            Ok(read) if read.text() == default => continue,
            Ok(read) => format!("its default '{default}' must be written {}", read.text()),
            Err(expected) => format!("its default cannot be '{default}': {expected}"),
        };
        return Err(wrong(name, problem));
    }
    Ok(())
}

/// A strategy implemented by another program or in another language. An error only loses the game being played.
#[derive(Clone)]
pub struct ExternalStrategy {
    /// Name in a [`Spec`]: lowercase letters, digits and hyphens.
    pub name: String,
    /// Description in one phrase.
    pub about: String,
    /// Fingerprint of its implementation. Games of different fingerprints are not mixed.
    pub fingerprint: u64,
    /// Creates the strategy; it reports errors as [`StrategyError::Failed`].
    pub make: Arc<dyn Fn(&Rules) -> Built + Send + Sync>,
}

impl fmt::Debug for ExternalStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExternalStrategy").field("name", &self.name).field("fingerprint", &self.fingerprint).finish()
    }
}

static EXTERNAL: LazyLock<RwLock<HashMap<String, ExternalStrategy>>> = LazyLock::new(RwLock::default);

/// Adds an external strategy to the catalog, or replaces the one of the same name.
///
/// ```
/// use std::sync::Arc;
/// use pegwise_solve::catalog::{self, ExternalStrategy};
/// let knuth = |rules: &_| Ok(catalog::strategy("knuth", rules).expect("there is one"));
/// let external = ExternalStrategy { name: "guest".into(), about: "a guest".into(), fingerprint: 7, make: Arc::new(knuth) };
/// let spec = catalog::register_external(external)?;
/// assert_eq!((spec.to_string().as_str(), catalog::fingerprint_of(spec.row())), ("guest", Some(7)));
/// assert!(catalog::build(&spec, &"4x6".parse()?).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn register_external(strategy: ExternalStrategy) -> Result<Spec, RegisterError> {
    let name = strategy.name.clone();
    let known = EXTERNAL.read().unwrap_or_else(PoisonError::into_inner).contains_key(&name);
    if !known {
        let (name, about): (&str, &str) = (name.clone().leak(), strategy.about.clone().leak());
        let capabilities: &[(Capability, super::Condition)] = &[(Capability::Lies, always)];
        register(Row {
            name,
            title: name,
            family: "outside",
            paper: "-",
            about,
            capabilities,
            build: build_external,
            ..Row::BLANK
        })?;
    }
    EXTERNAL.write().unwrap_or_else(PoisonError::into_inner).insert(name.clone(), strategy);
    match row(&name) {
        Some(row) => Ok(Spec::of(row)),
        None => Err(RegisterError::BadName(name.leak())),
    }
}

/// Returns the fingerprint of an external strategy.
pub fn fingerprint_of(row: &Row) -> Option<u64> {
    EXTERNAL.read().unwrap_or_else(PoisonError::into_inner).get(row.name).map(|strategy| strategy.fingerprint)
}

fn build_external(name: &'static str, rules: &Rules, _: &Arguments) -> Built {
    let registered = EXTERNAL.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
    match registered {
        Some(strategy) => (strategy.make)(rules),
        None => Err(StrategyError::unplayable(name, rules, &"it is not registered")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pegwise_search::ParameterKind;

    #[test]
    fn names_are_unique_and_defaults_are_valid() {
        let mut names: Vec<&str> = rows().iter().map(|row| row.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        for row in rows() {
            assert_eq!(check(row), Ok(()));
        }
    }

    #[test]
    fn invalid_rows_are_refused() {
        const SIZE: Parameter = Parameter {
            name: "size",
            kind: ParameterKind::Integer { min: 1, max: 9 },
            default: "0",
            about: "out of range",
        };
        let refused = |row: Row| register(row).unwrap_err().to_string();
        let plain = Row { name: "plain", ..Row::BLANK };
        assert!(refused(Row { name: "", ..plain }).starts_with("'' is not a valid strategy name"));
        assert!(refused(Row { name: "a(b)", ..plain }).starts_with("'a(b)' is not a valid strategy name"));
        assert_eq!(refused(Row { name: "knuth", ..plain }), "a strategy named knuth already exists");
        assert_eq!(
            refused(Row { presets: &[("size", "3")], ..plain }),
            "parameter size of plain: it is preset but not defined",
        );
        assert_eq!(
            refused(Row { parameters: &[SIZE], ..plain }),
            "parameter size of plain: its default cannot be '0': use a whole number from 1 to 9",
        );
        let twice = Row { parameters: &[SIZE, SIZE], presets: &[("size", "3")], ..plain };
        assert_eq!(refused(twice), "parameter size of plain: it is defined twice");
    }
}
