//! Statistics of the laboratory, for result files of evaluations.

use pegwise_labstats::{Estimate, Scope, compare};
use pyo3::prelude::*;

use crate::error::PegwiseError;

/// Returns the mean of a sample and its 95 % confidence interval by Student's t; None for a single value.
#[pyfunction]
pub(crate) fn sample_mean(values: Vec<f64>) -> PyResult<(f64, Option<(f64, f64)>)> {
    let numbers: Vec<u64> = (0..values.len() as u64).collect();
    let estimate = Estimate::of(&values, &numbers, Scope::default());
    let estimate = estimate.ok_or_else(|| PegwiseError::new_err("a mean needs at least one value"))?;
    Ok((estimate.mean, estimate.interval().map(<(f64, f64)>::from)))
}

/// Returns the p value of Wilcoxon's signed-rank test of paired samples.
#[pyfunction]
pub(crate) fn wilcoxon_p(first: Vec<f64>, second: Vec<f64>) -> PyResult<f64> {
    if first.len() != second.len() || first.iter().chain(&second).any(|value| !value.is_finite()) {
        return Err(PegwiseError::new_err("paired samples are finite numbers, and of the same length"));
    }
    Ok(compare::wilcoxon(&first, &second).p)
}

/// Returns the 95 % Clopper-Pearson interval of a probability after `times` successes in `trials` trials.
#[pyfunction]
pub(crate) fn proportion_interval(times: u64, trials: u64) -> PyResult<(f64, f64)> {
    if times > trials || trials == 0 {
        return Err(PegwiseError::new_err(format!("{times} of {trials} trials cannot be successes")));
    }
    Ok(compare::proportion(times, trials).into())
}

/// Adjusts the p values of simultaneous tests by Holm's method.
#[pyfunction]
pub(crate) fn holm(p: Vec<f64>) -> Vec<f64> {
    compare::holm(&p)
}
