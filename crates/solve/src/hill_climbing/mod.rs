//! Strategies that climb: codes are made from the guess that was answered best, until one fits every answer.

mod climb;
mod color_pool;
mod induce;
mod score_order;
mod shc;
mod shc_xu;
mod shifting;
#[cfg(test)]
mod tests;
mod tracker;
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
                about: "whether codes found not to fit are remembered",
            },
            Parameter {
                name: "colors",
                kind: ParameterKind::Choice(&["fps", "random"]),
                default: "fps",
                about: "how mutated pegs are colored: from a pool that prefers new colors, or evenly",
            },
            Parameter {
                name: "fps-weight",
                kind: ParameterKind::Integer { min: 1, max: 100 },
                default: "45",
                about: "how much a peg of the new code weighs its color down in the pool",
            },
            Parameter {
                name: "replace",
                kind: ParameterKind::Choice(&["better", "equal"]),
                default: "better",
                about: "which answer makes a new favorite: a better one, or also one as good",
            },
            Parameter {
                name: "mutation",
                kind: ParameterKind::Choice(&["any", "other", "new"]),
                default: "any",
                about: "the colors of a mutated peg: any, another than its own, or none that was discarded",
            },
            Parameter {
                name: "pool",
                kind: ParameterKind::Choice(&["code", "peg"]),
                default: "code",
                about: "when the pool is made: once for a code, or again for each of its pegs",
            },
            Parameter {
                name: "shift",
                kind: ParameterKind::Choice(&["away", "anywhere"]),
                default: "away",
                about: "where a shifted peg goes: to another cell, or to any",
            },
            Parameter {
                name: "diversity",
                kind: ParameterKind::Choice(&["fixed", "adaptive"]),
                default: "fixed",
                about: "whether the pool prefers new colors less as the game goes on",
            },
            Parameter {
                name: "flee",
                kind: ParameterKind::FLAG,
                default: "false",
                about: "whether two poor answers in a row make it look elsewhere",
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
        about: "keeps, shifts and mutates pegs of the best guess, without tracker or pool of colors",
        plays: PEGS,
        parameters: &[FIRST],
        can_play: is_row_with_pegs,
        build: shc_xu::build,
        ..Row::BLANK
    },
    Row {
        name: "shifting",
        title: "Xu's shifting",
        family: "hill climbing",
        paper: XU,
        about: "shifts a peg of each color from cell to cell and watches the black pegs",
        plays: PEGS_AND_REPEATS,
        parameters: &[Parameter {
            name: "counting",
            kind: ParameterKind::FLAG,
            default: "false",
            about: "whether it first asks how often each color appears",
        }],
        can_play: has_repeats_and_pegs,
        capabilities: &[(Capability::Deterministic, always)],
        build: shifting::build,
        ..Row::BLANK
    },
    Row {
        name: "xu",
        title: "Xu",
        family: "hill climbing",
        paper: XU,
        about: "shc-xu on small boards, shifting on large ones and when a game's time is over",
        plays: PEGS_AND_REPEATS,
        parameters: &[
            Parameter {
                name: "switch",
                kind: ParameterKind::Integer { min: 0, max: 10_000 },
                default: "18",
                about: "the most cells and colors together that are climbed",
            },
            Parameter {
                name: "seconds",
                kind: ParameterKind::Integer { min: 1, max: 86_400 },
                default: "10",
                about: "how long it climbs in a game before it shifts",
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
