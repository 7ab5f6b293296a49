//! Native extension of the Python package in `pegwise/`.
//!
//! Long work releases the interpreter lock (`work`); errors are exceptions with the messages of the command (`error`);
//! arrays share memory with NumPy (`array`). Everything that need not be fast is written in Python.

mod arena;
mod array;
mod coach;
mod codes;
mod convert;
mod error;
mod history;
mod lab;
mod optimum;
mod outside;
mod rules;
mod stats;
mod strategy;
mod tree;
mod work;

use pyo3::prelude::*;

/// Native part of the package.
#[pymodule]
mod _native {
    use std::ffi::OsString;

    use pyo3::prelude::*;

    use crate::error;
    #[pymodule_export]
    use crate::{
        arena::Arena,
        coach::{analyze, best_guesses, hint, mend},
        codes::Codes,
        history::History,
        lab::{lab_export, lab_games, lab_merge, lab_plan, lab_report, lab_run},
        optimum::Optimum,
        outside::{admit, admit_command, label},
        rules::{Rules, score},
        stats::{holm, proportion_interval, sample_mean, wilcoxon_p},
        strategy::{Strategy, play, strategies},
        tree::{Tree, TreeJournal, tree_part, tree_parts},
    };

    /// Must be called in the child after a fork, which copies no threads.
    #[pyfunction]
    fn after_fork() {
        pegwise_solve::parallel::after_fork();
    }

    /// Runs the command and returns its exit code.
    #[pyfunction]
    fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| pegwise::run(arguments))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        macro_rules! errors {
            ($($error:ident)*) => {
                $(module.add(stringify!($error), module.py().get_type::<error::$error>())?;)*
            };
        }
        errors!(PegwiseError RulesError CodeError FeedbackError StrategyError ContradictionError TreeError LabError);
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("GAME_BITS", pegwise_lab::GAME_BITS)
    }
}
