//! Hill climbing: codes are made from the guess with the best answer until one is consistent.

mod climb;
mod shc;
#[cfg(test)]
mod tests;
mod xu;

use pegwise_game::{FeedbackKind, Rules};

use crate::{
    catalog::{Capability, Row, always},
    parameter::{Parameter, ParameterKind},
};

const TEMPOREL: &str = "A. Temporel and T. Kovacs, A heuristic hill climbing algorithm for Mastermind, UKCI 2003";
const XU: &str = "Y. Xu, Solving Mastermind, Imperial College London";

const PEGS: &str = "rows answered in black pegs, with or without white ones";
const PEGS_AND_REPEATS: &str = "rows with repeats, answered in black pegs, with or without white ones";

const FIRST: Parameter =
    Parameter { name: "first", kind: ParameterKind::CodeOr(&["random"]), default: "random", about: "the first guess" };

/// The rows of this family.
pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "shc",
        title: "Stochastic hill climber",
        family: "hill climbing",
        paper: TEMPOREL,
        about: "keeps, shifts and mutates pegs of the best guess until a code fits the history",
        plays: PEGS,
        parameters: &[
            Parameter {
                name: "tracker",
                kind: ParameterKind::FLAG,
                default: "true",
                about: "remember codes that do not fit",
            },
            Parameter {
                name: "colors",
                kind: ParameterKind::Choice(&["fps", "random"]),
                default: "fps",
                about: "colors of mutated pegs: from a pool that prefers new colors, or uniform",
            },
            Parameter {
                name: "fps-weight",
                kind: ParameterKind::Integer { min: 1, max: 100 },
                default: "45",
                about: "weight removed from a color in the pool for each of its pegs in the new code",
            },
            Parameter {
                name: "replace",
                kind: ParameterKind::Choice(&["better", "equal"]),
                default: "better",
                about: "answers that replace the favorite: only better ones, or also equal ones",
            },
            Parameter {
                name: "mutation",
                kind: ParameterKind::Choice(&["any", "other", "new"]),
                default: "any",
                about: "colors of a mutated peg: any, any but its own, or any that was not discarded",
            },
            Parameter {
                name: "pool",
                kind: ParameterKind::Choice(&["code", "peg"]),
                default: "code",
                about: "when the pool is computed: once per code, or for each peg",
            },
            Parameter {
                name: "shift",
                kind: ParameterKind::Choice(&["away", "anywhere"]),
                default: "away",
                about: "target of a shifted peg: another cell, or any cell",
            },
            Parameter {
                name: "diversity",
                kind: ParameterKind::Choice(&["fixed", "adaptive"]),
                default: "fixed",
                about: "preference for new colors: constant, or decreasing during a game",
            },
            Parameter {
                name: "flee",
                kind: ParameterKind::FLAG,
                default: "false",
                about: "ignore the favorite after two poor answers in a row",
            },
            FIRST,
        ],
        can_play: is_row_with_pegs,
        build: shc::build,
        ..Row::BLANK
    },
    Row {
        name: "shc-xu",
        title: "Stochastic hill climber, re-created by Xu",
        family: "hill climbing",
        paper: XU,
        about: "keeps, shifts and mutates pegs of the best guess, without tracker or color pool",
        plays: PEGS,
        parameters: &[FIRST],
        can_play: is_row_with_pegs,
        build: xu::build_climber,
        ..Row::BLANK
    },
    Row {
        name: "shifting",
        title: "Xu's shifting",
        family: "hill climbing",
        paper: XU,
        about: "shifts a peg of each color from cell to cell and compares the black pegs",
        plays: PEGS_AND_REPEATS,
        parameters: &[Parameter {
            name: "counting",
            kind: ParameterKind::FLAG,
            default: "false",
            about: "count the colors first",
        }],
        can_play: has_repeats_and_pegs,
        capabilities: &[(Capability::Deterministic, always)],
        build: xu::build_shifting,
        ..Row::BLANK
    },
    Row {
        name: "xu",
        title: "Xu",
        family: "hill climbing",
        paper: XU,
        about: "shc-xu on small boards, shifting on large ones and after the time limit",
        plays: PEGS_AND_REPEATS,
        parameters: &[
            Parameter {
                name: "switch",
                kind: ParameterKind::Integer { min: 0, max: 10_000 },
                default: "18",
                about: "maximum number of cells plus colors for hill climbing",
            },
            Parameter {
                name: "seconds",
                kind: ParameterKind::Integer { min: 1, max: 86_400 },
                default: "10",
                about: "time limit for hill climbing per game, in seconds",
            },
            FIRST,
        ],
        can_play: has_repeats_and_pegs,
        capabilities: &[(Capability::Deterministic, xu::is_large)],
        build: xu::build,
        ..Row::BLANK
    },
];

fn is_row_with_pegs(rules: &Rules) -> bool {
    rules.board().is_row() && matches!(rules.feedback(), FeedbackKind::BlackWhite | FeedbackKind::BlackOnly)
}

fn has_repeats_and_pegs(rules: &Rules) -> bool {
    is_row_with_pegs(rules) && rules.repeats()
}
