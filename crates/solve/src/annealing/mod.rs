//! Strategies that walk from code to code, at first almost freely, then more and more only toward codes that fit
//! better.

mod bernier;

use crate::{
    catalog::Row,
    parameter::{Parameter, ParameterKind},
};

const BERNIER: &str = "J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda, A. Prieto, Solving MasterMind using GAs \
    and simulated annealing: a case of dynamic constraint optimization, PPSN IV, 1996";

/// The rows of this family.
pub(crate) const ROWS: &[Row] = &[Row {
    name: "bernier-sa",
    title: "Bernier et al.'s annealing",
    family: "annealing",
    paper: BERNIER,
    about: "anneals the pegs that differ from the feedback for so many steps, and plays the best code met, whether it \
            fits or not",
    parameters: &[
        Parameter {
            name: "steps",
            kind: ParameterKind::Integer { min: 1, max: 1_000_000_000 },
            default: "20000",
            about: "codes tried for a guess, at most",
        },
        Parameter {
            name: "first",
            kind: ParameterKind::CodeOr(&["random"]),
            default: "random",
            about: "the first guess",
        },
    ],
    build: bernier::build,
    ..Row::BLANK
}];
