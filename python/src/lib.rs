//! Native extension of the Python package in `pegwise/`.
//!
//! Long work releases the interpreter lock (`work`); errors are exceptions with the messages of the command (`error`); arrays share
//! memory with NumPy (`array`). Everything that need not be fast is written in Python.

mod arena;
mod array;
mod coach;
mod codes;
mod convert;
mod error;
mod history;
mod lab;
mod outside;
mod rules;
mod strategy;
mod tree;
mod work;

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command and returns its exit code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| pegwise::run(arguments))
}

/// Native part of the package.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("GAME_BITS", pegwise_lab::GAME_BITS)?;
    module.add("PegwiseError", py.get_type::<error::PegwiseError>())?;
    module.add("RulesError", py.get_type::<error::RulesError>())?;
    module.add("CodeError", py.get_type::<error::CodeError>())?;
    module.add("FeedbackError", py.get_type::<error::FeedbackError>())?;
    module.add("StrategyError", py.get_type::<error::StrategyError>())?;
    module.add("ContradictionError", py.get_type::<error::ContradictionError>())?;
    module.add("TreeError", py.get_type::<error::TreeError>())?;
    module.add("LabError", py.get_type::<error::LabError>())?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<codes::Codes>()?;
    module.add_class::<history::History>()?;
    module.add_class::<strategy::Strategy>()?;
    module.add_class::<tree::Tree>()?;
    module.add_class::<tree::TreeJournal>()?;
    module.add_class::<arena::Arena>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(strategy::strategies, module)?)?;
    module.add_function(wrap_pyfunction!(strategy::play, module)?)?;
    module.add_function(wrap_pyfunction!(coach::hint, module)?)?;
    module.add_function(wrap_pyfunction!(coach::analyze, module)?)?;
    module.add_function(wrap_pyfunction!(coach::mend, module)?)?;
    module.add_function(wrap_pyfunction!(tree::tree_parts, module)?)?;
    module.add_function(wrap_pyfunction!(tree::tree_part, module)?)?;
    module.add_function(wrap_pyfunction!(outside::admit, module)?)?;
    module.add_function(wrap_pyfunction!(outside::admit_command, module)?)?;
    module.add_function(wrap_pyfunction!(outside::label, module)?)?;
    module.add_function(wrap_pyfunction!(lab::lab_plan, module)?)?;
    module.add_function(wrap_pyfunction!(lab::lab_run, module)?)?;
    module.add_function(wrap_pyfunction!(lab::lab_merge, module)?)?;
    module.add_function(wrap_pyfunction!(lab::lab_report, module)?)?;
    module.add_function(wrap_pyfunction!(lab::lab_games, module)?)?;
    module.add_function(wrap_pyfunction!(lab::lab_export, module)?)?;
    Ok(())
}
