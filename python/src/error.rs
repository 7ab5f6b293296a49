//! Exceptions, with the messages of the command.

use pegwise_coach::Contradiction;
use pegwise_game::TurnError;
use pegwise_solve::{StrategyError as NoGuess, catalog::CatalogError};
use pyo3::{create_exception, exceptions::PyValueError, prelude::*};

create_exception!(pegwise, PegwiseError, PyValueError, "Base class of all exceptions of this package.");
create_exception!(pegwise, RulesError, PegwiseError, "Invalid rules, or rules that are not supported here.");
create_exception!(pegwise, CodeError, PegwiseError, "Not a valid code for the rules.");
create_exception!(pegwise, FeedbackError, PegwiseError, "Not a valid feedback or turn for the rules.");
create_exception!(
    pegwise,
    StrategyError,
    PegwiseError,
    "An unknown strategy, one that does not support the rules, or one that found no guess."
);
create_exception!(
    pegwise,
    ContradictionError,
    PegwiseError,
    "No code is consistent with the turns. `turns` are the one-based numbers of turns that cannot all be true."
);
create_exception!(pegwise, TreeError, PegwiseError, "A tree that cannot be built, read or played.");
create_exception!(pegwise, LabError, PegwiseError, "An invalid experiment or store.");

/// Converts an error into an exception of the given type.
macro_rules! wrong {
    ($kind:ident) => {
        |error| $crate::error::$kind::new_err(error.to_string())
    };
}
pub(crate) use wrong;

/// Returns a `ContradictionError`.
pub(crate) fn contradiction(py: Python<'_>, text: String, turns: Vec<usize>) -> PyErr {
    let error = ContradictionError::new_err(text);
    // The numbers are also in the message.
    let _ = error.value(py).setattr("turns", turns);
    error
}

/// Returns a `ContradictionError` with possible repairs.
pub(crate) fn mended(py: Python<'_>, found: &Contradiction) -> PyErr {
    contradiction(py, found.to_string(), found.turns.first().cloned().unwrap_or_default())
}

/// Converts an error of a strategy.
pub(crate) fn no_guess(py: Python<'_>, error: NoGuess) -> PyErr {
    let text = error.to_string();
    match error {
        NoGuess::Contradiction { turns } => contradiction(py, text, turns),
        _ => StrategyError::new_err(text),
    }
}

/// Converts an error of the catalog.
pub(crate) fn no_strategy(error: &CatalogError) -> PyErr {
    StrategyError::new_err(error.to_string())
}

/// Converts an error of a turn.
pub(crate) fn no_turn(error: &TurnError) -> PyErr {
    match error {
        TurnError::Guess(error) => CodeError::new_err(error.to_string()),
        error => FeedbackError::new_err(error.to_string()),
    }
}
