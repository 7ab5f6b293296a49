//! The turns of a game.

use std::sync::Arc;

use pegwise_coach::remaining;
use pegwise_game::{History as Inner, Judge, Table, Turn};
use pegwise_solve::{Search, candidates::listed::Filter};
use pyo3::{
    prelude::*,
    types::{PyList, PyTuple},
};

use crate::{
    codes::Codes,
    convert::{code, feedback, json, notes, numbers, pegs, rows_of, turn, turn_texts},
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
#[pyclass(name = "History", module = "pegwise")]
pub(crate) struct History {
    shared: Arc<SharedRules>,
    inner: Inner,
    /// Codes consistent with the first turn, the first two turns, and so on, computed on demand.
    left: Vec<Arc<Table>>,
}

impl History {
    pub(crate) fn of(shared: &Arc<SharedRules>, inner: Inner) -> Self {
        Self { shared: Arc::clone(shared), inner, left: Vec::new() }
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }

    /// Returns the consistent codes in order.
    pub(crate) fn codes_left(&mut self) -> Result<Arc<Table>, String> {
        let all = Arc::clone(self.shared.all()?);
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
        Ok(Self { shared, inner, left: Vec::new() })
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
        PyList::new(py, self.inner.turns().iter().map(turn).collect::<PyResult<Vec<_>>>()?)
    }

    /// Turns as strings.
    #[getter]
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        turn_texts(py, &self.shared.rules, self.inner.turns())
    }

    /// True if the last guess was the secret.
    #[getter]
    fn solved(&self) -> bool {
        self.inner.is_solved()
    }

    /// Adds a turn: a guess and its feedback.
    #[pyo3(signature = (guess, feedback))]
    fn push(&mut self, guess: &Bound<'_, PyAny>, feedback: &Bound<'_, PyAny>) -> PyResult<()> {
        let rules = &self.shared.rules;
        let turn = Turn { guess: code(rules, guess)?, feedback: self::feedback(rules, feedback)? };
        self.inner.push(turn).map_err(|error| no_turn(&error))
    }

    /// Removes and returns the last turn; None if the history is empty.
    fn pop<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(turn) = self.inner.pop() else { return Ok(None) };
        self.left.truncate(self.inner.len());
        PyTuple::new(py, [pegs(py, &turn.guess)?, numbers(py, &turn.feedback)?]).map(Some)
    }

    /// Returns true if a code is consistent with the turns, up to the lies that the rules allow.
    fn is_consistent(&self, code: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.inner.is_consistent(&self::code(&self.shared.rules, code)?))
    }

    /// Returns the consistent codes in order, one row each. Raises an exception if the space is too large to list.
    fn remaining<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let left = py.detach(|| self.codes_left()).map_err(RulesError::new_err)?;
        rows_of(py, &left)
    }

    /// Returns the consistent codes as :class:`Codes`.
    fn codes(&mut self, py: Python<'_>) -> PyResult<Codes> {
        let left = py.detach(|| self.codes_left()).map_err(RulesError::new_err)?;
        Ok(Codes::new(&self.shared, left))
    }

    /// Returns the number of consistent codes on boards of any size: `{'remaining': 37, 'remaining_is': 'exact'}`, an estimate
    /// with its interval, or a bound.
    #[pyo3(signature = (seed = 1))]
    fn count<'py>(slf: &Bound<'py, Self>, seed: u64) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let rules = slf.borrow().shared.rules.clone();
        let notes = notes(&rules, slf.as_any(), None)?;
        let remaining = work::released(py, |cancel| remaining(&notes, &mut Search::new(seed).with_cancel(cancel)))?;
        json(py, &pegwise_coach::RemainingCodes { remaining })
    }

    /// Returns a copy.
    fn copy(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), inner: self.inner.clone(), left: self.left.clone() }
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.borrow().inner == self.inner)
    }

    fn __repr__(&self) -> String {
        let rules = &self.shared.rules;
        let turns: Vec<String> = self.inner.turns().iter().map(|turn| format!("'{}'", turn.notation(rules))).collect();
        format!("History('{rules}', [{}])", turns.join(", "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        Ok((py.get_type::<Self>().into_any(), (self.shared.rules.to_string(), self.texts(py)?)))
    }
}
