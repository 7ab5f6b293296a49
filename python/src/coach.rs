//! Hints, analyses and repairs.

use std::time::{Duration, Instant};

use pegwise_coach::{
    AnalyzeError, HintError, analyze as analyze_game, best_guesses as all_best, hint as hint_for, mend as mend_notes,
    plot,
};
use pegwise_solve::{Limits, Search, catalog};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::{
    convert::{Seed, Whole, code, json as to_python, notes},
    error::{PegwiseError, StrategyError, mended, no_strategy, wrong},
    rules::rules,
    strategy::{spec, time},
    work,
};

/// Finds the next guess, with the fields of `pegwise hint --format json`.
#[pyfunction]
#[pyo3(signature = (rules, turns, strategy, seed, alternatives, time_limit))]
pub(crate) fn hint<'py>(
    py: Python<'py>,
    rules: &Bound<'py, PyAny>,
    turns: &Bound<'py, PyAny>,
    strategy: &str,
    seed: Seed,
    alternatives: Whole<0, { u16::MAX as u64 }>,
    time_limit: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let seed = seed.0;
    let rules = self::rules(rules)?.rules.clone();
    let notes = notes(&rules, turns, None)?;
    let spec = spec(strategy)?;
    let limits = Limits { time: time(time_limit)?, ..Limits::default() };
    let thinking = Instant::now();
    let (found, counts) = work::released(py, |cancel| {
        let mut player = catalog::build(&spec, &rules)?;
        let mut search = Search::new(seed).with_limits(limits).with_cancel(cancel);
        search.alternatives = alternatives.0 as usize;
        let found = hint_for(&notes, &mut *player, &mut search);
        Ok((found, search.counts()))
    })?
    .map_err(|error| no_strategy(&error))?;
    let hint = found.map_err(|error| match error {
        HintError::Contradiction(found) => mended(py, &found),
        error => StrategyError::new_err(error.to_string()),
    })?;
    let mut answer = json!({
        "rules": rules, "strategy": spec.to_string(), "seed": seed, "turns": notes.notes(),
        "examined": counts.examined, "scored": counts.scored, "seconds": thinking.elapsed().as_secs_f64(),
    });
    let hint = serde_json::to_value(&hint).map_err(wrong!(PegwiseError))?;
    if let (Value::Object(answer), Value::Object(hint)) = (&mut answer, hint) {
        answer.extend(hint);
    }
    to_python(py, &answer)
}

/// Returns every best guess of a position; None if it cannot be searched completely.
#[pyfunction]
pub(crate) fn best_guesses<'py>(
    py: Python<'py>,
    rules: &Bound<'py, PyAny>,
    turns: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let rules = self::rules(rules)?.rules.clone();
    let notes = notes(&rules, turns, None)?;
    to_python(py, &work::released(py, |cancel| all_best(&notes, &mut Search::new(0).with_cancel(cancel)))?)
}

/// Rates a game, with the fields of `pegwise analyze --format json`, and returns its plot.
#[pyfunction]
#[pyo3(signature = (rules, turns, secret, seed, time_limit))]
pub(crate) fn analyze<'py>(
    py: Python<'py>,
    rules: &Bound<'py, PyAny>,
    turns: &Bound<'py, PyAny>,
    secret: Option<&Bound<'py, PyAny>>,
    seed: Seed,
    time_limit: f64,
) -> PyResult<(Bound<'py, PyAny>, String)> {
    let seed = seed.0;
    let rules = self::rules(rules)?.rules.clone();
    let secret = secret.map(|secret| code(&rules, secret)).transpose()?;
    let notes = notes(&rules, turns, secret.as_ref())?;
    let limits = Limits { time: time(Some(time_limit))?, ..Limits::default() };
    let rated = work::released(py, |cancel| {
        let mut search = Search::new(seed).with_limits(limits).with_cancel(cancel);
        analyze_game(&notes, secret.as_ref(), &mut search)
    })?;
    let analysis = rated.map_err(|error| match error {
        AnalyzeError::Contradiction(found) => mended(py, &found),
        error => PegwiseError::new_err(error.to_string()),
    })?;
    let mut answer = serde_json::to_value(&analysis).map_err(wrong!(PegwiseError))?;
    if let Value::Object(answer) = &mut answer {
        answer.insert("seed".to_owned(), seed.into());
    }
    Ok((to_python(py, &answer)?, plot(&analysis)))
}

/// Explains a contradiction; None if some code is consistent, or if no contradiction was proven.
#[pyfunction]
#[pyo3(signature = (rules, turns, time_limit))]
pub(crate) fn mend<'py>(
    py: Python<'py>,
    rules: &Bound<'py, PyAny>,
    turns: &Bound<'py, PyAny>,
    time_limit: Option<f64>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let rules = self::rules(rules)?.rules.clone();
    let notes = notes(&rules, turns, None)?;
    let limits = Limits { time: time(time_limit)?.or(Some(Duration::from_secs(2))), ..Limits::default() };
    let found =
        work::released(py, |cancel| mend_notes(&notes, &mut Search::new(0).with_limits(limits).with_cancel(cancel)))?;
    found.map(|found| to_python(py, &found)).transpose()
}
