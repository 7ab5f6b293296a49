//! The turns of a game.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pegwise_coach::{Notes, remaining};
use pegwise_game::{History as Inner, Judge, Table, Turn};
use pegwise_solve::{Search, candidates::listed::Filter};
use pyo3::{
    prelude::*,
    sync::MutexExt as _,
    types::{PyList, PyTuple},
};

use crate::{
    codes::Codes,
    convert::{Seed, Whole, code, feedback, json, numbers, pegs, rows_of, turn, turn_texts},
    error::{RulesError, no_turn},
    rules::{Rules, SharedRules, rules},
    work,
};

/// The turns of a game. Invalid turns are refused; contradictory turns are allowed.
///
/// >>> from pegwise import History
/// >>> history = History("4x6", ["1122=1,1"])
/// >>> history.push("1344", (0, 2))
/// >>> len(history), history.turns[1]
/// (2, ((1, 3, 4, 4), (0, 2)))
/// >>> history.remaining().shape
/// (37, 4)
#[pyclass(frozen, name = "History", module = "pegwise")]
pub(crate) struct History {
    shared: Arc<SharedRules>,
    state: Mutex<HistoryState>,
}

#[derive(Clone)]
struct HistoryState {
    inner: Inner,
    /// Codes consistent with the first turn, the first two turns, and so on, computed on demand.
    left: Vec<Arc<Table>>,
}

impl HistoryState {
    /// Returns the consistent codes in order.
    fn consistent_codes(&mut self, shared: &SharedRules) -> Result<Arc<Table>, String> {
        let all = Arc::clone(shared.all()?);
        let turns = self.inner.turns();
        if self.inner.rules().lies() > 0 {
            let mut judge = Judge::new(self.inner.rules());
            let fits = |&row: &u32| judge.allows(turns, &all.code(row as usize));
            let rows: Vec<u32> = (0..all.len() as u32).filter(fits).collect();
            return Ok(Arc::new(all.select(&rows)));
        }
        let mut filter = None;
        while self.left.len() < turns.len() {
            let filter = filter.get_or_insert_with(|| Filter::new(self.inner.rules()));
            let before = self.left.last().unwrap_or(&all);
            let after = before.select(filter.rows(before, &turns[self.left.len()]));
            self.left.push(Arc::new(after));
        }
        Ok(self.left.last().map_or(all, Arc::clone))
    }
}

impl History {
    pub(crate) fn of(shared: &Arc<SharedRules>, inner: Inner) -> Self {
        Self::with_state(shared, HistoryState { inner, left: Vec::new() })
    }

    fn with_state(shared: &Arc<SharedRules>, state: HistoryState) -> Self {
        Self { shared: Arc::clone(shared), state: Mutex::new(state) }
    }

    /// Locks the turns; the interpreter lock is released while waiting.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, HistoryState> {
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the rules.
    pub(crate) fn rules(&self) -> &pegwise_game::Rules {
        &self.shared.rules
    }

    /// Returns a copy of the turns.
    pub(crate) fn inner(&self, py: Python<'_>) -> Inner {
        self.lock(py).inner.clone()
    }

    /// Returns the consistent codes in order.
    pub(crate) fn consistent_codes(&self, py: Python<'_>) -> PyResult<Arc<Table>> {
        let left = || self.state.lock().unwrap_or_else(PoisonError::into_inner).consistent_codes(&self.shared);
        py.detach(left).map_err(RulesError::new_err)
    }
}

/// Result of `__reduce__`: the class, and the rules and turns as strings.
type Reduced<'py> = (Bound<'py, PyAny>, (String, Bound<'py, PyList>));

#[pymethods]
impl History {
    #[new]
    #[pyo3(signature = (rules = None, turns = None))]
    fn new(rules: Option<&Bound<'_, PyAny>>, turns: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let shared = match rules {
            Some(rules) => self::rules(rules)?,
            None => SharedRules::new("4x6".parse().map_err(|_| RulesError::new_err("4x6"))?),
        };
        let mut inner = Inner::new(shared.rules.clone());
        if let Some(turns) = turns {
            for given in turns.try_iter()? {
                inner.push(turn(&shared.rules, &given?)?).map_err(|error| no_turn(&error))?;
            }
        }
        Ok(Self::of(&shared, inner))
    }

    /// Rules of the game.
    #[getter(rules)]
    fn rules_of(&self) -> Rules {
        Rules(Arc::clone(&self.shared))
    }

    /// Turns, first to last, each as a guess and its feedback.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let turn = |turn: &Turn| PyTuple::new(py, [pegs(py, &turn.guess)?, numbers(py, &turn.feedback)?]);
        PyList::new(py, self.lock(py).inner.turns().iter().map(turn).collect::<PyResult<Vec<_>>>()?)
    }

    /// Turns as strings.
    #[getter]
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        turn_texts(py, &self.shared.rules, self.lock(py).inner.turns())
    }

    /// True if the last guess was the secret.
    #[getter]
    fn solved(&self, py: Python<'_>) -> bool {
        self.lock(py).inner.is_solved()
    }

    /// Adds a turn: a guess and its feedback.
    #[pyo3(signature = (guess, feedback))]
    fn push(&self, py: Python<'_>, guess: &Bound<'_, PyAny>, feedback: &Bound<'_, PyAny>) -> PyResult<()> {
        let rules = &self.shared.rules;
        let turn = Turn { guess: code(rules, guess)?, feedback: self::feedback(rules, feedback)? };
        self.lock(py).inner.push(turn).map_err(|error| no_turn(&error))
    }

    /// Removes and returns the last turn; None if the history is empty.
    fn pop<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let mut state = self.lock(py);
        let Some(turn) = state.inner.pop() else { return Ok(None) };
        let turns = state.inner.len();
        state.left.truncate(turns);
        drop(state);
        PyTuple::new(py, [pegs(py, &turn.guess)?, numbers(py, &turn.feedback)?]).map(Some)
    }

    /// Returns true if a code is consistent with the turns, up to the lies that the rules allow.
    fn is_consistent(&self, py: Python<'_>, code: &Bound<'_, PyAny>) -> PyResult<bool> {
        let code = self::code(&self.shared.rules, code)?;
        Ok(self.lock(py).inner.is_consistent(&code))
    }

    /// Returns the codes left in order, one row each: the consistent codes, and none once the code is found. Raises an exception if
    /// the space is too large to list.
    fn remaining<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let codes = self.consistent_codes(py)?;
        if self.solved(py) { rows_of(py, &codes.select(&[])) } else { rows_of(py, &codes) }
    }

    /// Returns the consistent codes as :class:`Codes`.
    fn codes(&self, py: Python<'_>) -> PyResult<Codes> {
        Ok(Codes::new(&self.shared, self.consistent_codes(py)?))
    }

    /// Returns the number of codes left on boards of any size: `{'remaining': 37, 'remaining_is': 'exact'}`, an estimate
    /// with its interval, or a bound.
    #[pyo3(signature = (seed = Whole(1)))]
    fn count<'py>(&self, py: Python<'py>, seed: Seed) -> PyResult<Bound<'py, PyAny>> {
        let notes = Notes::from(&self.inner(py));
        let remaining = work::released(py, |cancel| remaining(&notes, &mut Search::new(seed.0).with_cancel(cancel)))?;
        json(py, &pegwise_coach::RemainingCodes { remaining })
    }

    /// Returns a copy.
    fn copy(&self, py: Python<'_>) -> Self {
        Self::with_state(&self.shared, self.lock(py).clone())
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.lock(py).inner.len()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().inner(py) == self.inner(py))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let rules = &self.shared.rules;
        let turns: Vec<String> =
            self.lock(py).inner.turns().iter().map(|turn| format!("'{}'", turn.notation(rules))).collect();
        format!("History('{rules}', [{}])", turns.join(", "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        Ok((py.get_type::<Self>().into_any(), (self.shared.rules.to_string(), self.texts(py)?)))
    }
}
