//! Strategies written in Python.

use std::sync::Arc;

use pegwise_game::{Code, History as Turns, Rules as Inner};
use pegwise_lab::external::{Program, max_guesses, register as admit_program};
use pegwise_solve::{
    Basis, Proposal, Search, Strategy, StrategyError as NoGuess,
    catalog::{self, ExternalStrategy},
};
use pyo3::prelude::*;

use crate::{
    convert::code,
    error::{StrategyError, wrong},
    history::History,
    rules::{Rules, SharedRules},
    strategy::time,
};

/// A Python callable of the history, and of a seed in the first turn.
struct Player {
    /// Constructs the object for rules.
    maker: Arc<Py<PyAny>>,
    object: Option<Py<PyAny>>,
    shared: Arc<SharedRules>,
}

impl Player {
    fn guess(&mut self, py: Python<'_>, turns: &Turns, seed: Option<u64>) -> PyResult<Code> {
        let object = match &self.object {
            Some(object) => object,
            None => self.object.insert(self.maker.call1(py, (Rules(Arc::clone(&self.shared)),))?),
        };
        let history = History::of(&self.shared, turns.clone());
        let guess = object.call1(py, (history, seed))?;
        code(&self.shared.rules, guess.bind(py))
    }
}

impl Strategy for Player {
    fn next_guess(&mut self, history: &Turns, search: &mut Search<'_>) -> Result<Proposal, NoGuess> {
        if history.len() >= max_guesses(&self.shared.rules) {
            return Err(NoGuess::Failed(format!("has not found the code in {} guesses", history.len())));
        }
        // The seed is always drawn, so that the stream does not depend on the object.
        let seed = history.is_empty().then(|| search.rng.word());
        Python::attach(|py| {
            self.guess(py, history, seed).map_err(|error| {
                // Its state belongs to the lost game.
                self.object = None;
                let kind =
                    error.get_type(py).name().map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
                NoGuess::Failed(format!("{kind}: {}", error.value(py)))
            })
        })
        .map(|guess| Proposal::new(guess, Basis::Planned))
    }
}

/// Registers a Python strategy and returns its name.
#[pyfunction]
pub(crate) fn admit(name: String, about: String, fingerprint: u64, maker: Py<PyAny>) -> PyResult<String> {
    let maker = Arc::new(maker);
    let make = move |rules: &Inner| {
        let player = Player { maker: Arc::clone(&maker), object: None, shared: SharedRules::new(rules.clone()) };
        Ok(Box::new(player) as Box<dyn Strategy>)
    };
    let spec = catalog::register_external(ExternalStrategy { name, about, fingerprint, make: Arc::new(make) });
    Ok(spec.map_err(wrong!(StrategyError))?.to_string())
}

/// Registers a program that speaks the engine protocol and returns its name.
#[pyfunction]
pub(crate) fn admit_command(command: &str, timeout: f64) -> PyResult<String> {
    let program = Program::parse(command).map_err(StrategyError::new_err)?;
    let patience = time(Some(timeout))?.unwrap_or_default();
    Ok(admit_program(&program, patience).map_err(wrong!(StrategyError))?.to_string())
}

/// Converts text to a name of lower-case letters, digits and hyphens.
#[pyfunction]
pub(crate) fn label(text: &str) -> String {
    pegwise_lab::external::label(text)
}
