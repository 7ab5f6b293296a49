//! The rows that there are, with those that programs add to them.

use std::sync::{LazyLock, PoisonError, RwLock};

use super::Row;
use crate::{adaptive, annealing, consistent, constructive, evolutionary, hill_climbing, one_step, tabu, tree};

/// Why a row cannot be listed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// There is a strategy of that name.
    #[error("there is a strategy named {name} already")]
    NameTaken {
        /// The name.
        name: &'static str,
    },
    /// The name cannot be written where a strategy is asked for.
    #[error("'{name}' is no name for a strategy; use small letters, digits and hyphens, as in random-consistent")]
    BadName {
        /// The name.
        name: &'static str,
    },
    /// A parameter that is described twice, or is set without being described, or has a default that it cannot have.
    #[error("parameter {parameter} of {name}: {problem}")]
    BadParameter {
        /// The strategy.
        name: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}

/// The rows as they are listed now. A longer list takes the place of another that somebody may still hold, so lists are
/// never taken down: there are as many as rows that were added.
static ROWS: LazyLock<RwLock<&'static [Row]>> = LazyLock::new(|| {
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
    RwLock::new(families.concat().leak())
});

/// All strategies, in the order they are listed.
#[must_use]
pub fn rows() -> &'static [Row] {
    *ROWS.read().unwrap_or_else(PoisonError::into_inner)
}

/// Lists a strategy of another program after those that are there. Do it at the start: whoever has asked for [`rows`] does
/// not see those that come later.
///
/// ```
/// use pegwise_solve::catalog::{self, Row};
/// let twin = Row { name: "twin", ..*catalog::row("knuth").unwrap() };
/// catalog::register(twin)?;
/// assert_eq!(catalog::register(twin).unwrap_err().to_string(), "there is a strategy named twin already");
/// assert!(catalog::strategy("twin(ties=lowest)", &"4x6".parse()?).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn register(row: Row) -> Result<(), RegisterError> {
    row.check()?;
    let mut rows = ROWS.write().unwrap_or_else(PoisonError::into_inner);
    if rows.iter().any(|other| other.name == row.name) {
        return Err(RegisterError::NameTaken { name: row.name });
    }
    *rows = [*rows, &[row]].concat().leak();
    Ok(())
}

impl Row {
    /// Whether the row can be listed, but for its name being taken.
    fn check(&self) -> Result<(), RegisterError> {
        let name = self.name;
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if name.is_empty() || !name.bytes().all(is_plain) {
            return Err(RegisterError::BadName { name });
        }
        let wrong = |parameter, problem| RegisterError::BadParameter { name, parameter, problem };
        for &(parameter, _) in self.presets {
            if self.parameters.iter().all(|other| other.name != parameter) {
                return Err(wrong(parameter, "it is set and not described".to_owned()));
            }
        }
        for (place, (parameter, (_, default))) in self.parameters.iter().zip(self.defaults()).enumerate() {
            if self.parameters[..place].iter().any(|other| other.name == parameter.name) {
                return Err(wrong(parameter.name, "it is described twice".to_owned()));
            }
            let problem = match parameter.kind.read(&default) {
                Ok(read) if read.text() == default => continue,
                Ok(read) => format!("its default '{default}' is written {}", read.text()),
                Err(expected) => format!("its default cannot be '{default}': {expected}"),
            };
            return Err(wrong(parameter.name, problem));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::{Parameter, ParameterKind};

    #[test]
    fn names_are_unique_and_defaults_are_valid() {
        let mut names: Vec<&str> = rows().iter().map(|row| row.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        for row in rows() {
            assert_eq!(row.check(), Ok(()));
        }
    }

    #[test]
    fn rows_that_could_not_be_asked_for_are_refused() {
        const SIZE: Parameter = Parameter {
            name: "size",
            kind: ParameterKind::Integer { min: 1, max: 9 },
            default: "0",
            about: "out of range",
        };
        let refused = |row: Row| register(row).unwrap_err().to_string();
        let plain = Row { name: "plain", ..Row::BLANK };
        assert!(refused(Row { name: "", ..plain }).starts_with("'' is no name for a strategy"));
        assert!(refused(Row { name: "a(b)", ..plain }).starts_with("'a(b)' is no name for a strategy"));
        assert_eq!(refused(Row { name: "knuth", ..plain }), "there is a strategy named knuth already");
        assert_eq!(
            refused(Row { presets: &[("size", "3")], ..plain }),
            "parameter size of plain: it is set and not described",
        );
        assert_eq!(
            refused(Row { parameters: &[SIZE], ..plain }),
            "parameter size of plain: its default cannot be '0': use a whole number from 1 to 9",
        );
        let twice = Row { parameters: &[SIZE, SIZE], presets: &[("size", "3")], ..plain };
        assert_eq!(refused(twice), "parameter size of plain: it is described twice");
    }
}
