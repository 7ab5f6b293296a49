//! Errors as exceptions, with the words that the command has for them.

use pegwise_coach::Contradiction;
use pegwise_game::TurnError;
use pegwise_solve::{StrategyError as NoGuess, catalog::CatalogError};
use pyo3::{create_exception, exceptions::PyValueError, prelude::*};

create_exception!(pegwise, PegwiseError, PyValueError, "What every exception of this package is.");
create_exception!(pegwise, RulesError, PegwiseError, "Rules that cannot be, or cannot be used for this.");
create_exception!(pegwise, CodeError, PegwiseError, "A code that is none of the rules.");
create_exception!(pegwise, FeedbackError, PegwiseError, "A feedback or a turn that is none of the rules.");
create_exception!(
    pegwise,
    StrategyError,
    PegwiseError,
    "A strategy that is none, cannot play the rules, or has no guess."
);
create_exception!(
    pegwise,
    ContradictionError,
    PegwiseError,
    "No code fits the turns. `turns` are the one-based numbers of turns that cannot all be true."
);
create_exception!(pegwise, TreeError, PegwiseError, "A tree that cannot be built, read, or played.");
create_exception!(pegwise, LabError, PegwiseError, "An experiment or a store of games that cannot be used.");

/// An exception of one of the kinds above, with the text of an error.
macro_rules! wrong {
    ($kind:ident) => {
        |error| $crate::error::$kind::new_err(error.to_string())
    };
}
pub(crate) use wrong;

/// No code fits.
pub(crate) fn contradiction(py: Python<'_>, text: String, turns: Vec<usize>) -> PyErr {
    let error = ContradictionError::new_err(text);
    // An exception without the numbers still says it all in words.
    let _ = error.value(py).setattr("turns", turns);
    error
}

/// No code fits, and what may have happened.
pub(crate) fn mended(py: Python<'_>, found: &Contradiction) -> PyErr {
    contradiction(py, found.to_string(), found.turns.first().cloned().unwrap_or_default())
}

/// Why there is no guess.
pub(crate) fn no_guess(py: Python<'_>, error: NoGuess) -> PyErr {
    let text = error.to_string();
    match error {
        NoGuess::Contradiction { turns } => contradiction(py, text, turns),
        _ => StrategyError::new_err(text),
    }
}

/// Why a strategy cannot be made.
pub(crate) fn no_strategy(error: &CatalogError) -> PyErr {
    StrategyError::new_err(error.to_string())
}

/// What is wrong with a turn.
pub(crate) fn no_turn(error: &TurnError) -> PyErr {
    match error {
        TurnError::Guess(error) => CodeError::new_err(error.to_string()),
        error => FeedbackError::new_err(error.to_string()),
    }
}
