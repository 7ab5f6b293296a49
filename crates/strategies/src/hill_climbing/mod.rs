//! Hill climbing: codes are made from the guess with the best answer until one is consistent.

mod climb;
mod shc;
#[cfg(test)]
mod tests;
mod xu;

use pegwise_game::{FeedbackKind, Rules};

use pegwise_search::{
    Parameter, ParameterKind,
    row::{Capability, Row, always},
};

const TEMPOREL: &str = "A. Temporel and T. Kovacs, A heuristic hill climbing algorithm for Mastermind, UKCI 2003";
const XU: &str = "Y. Xu, Solving Mastermind, Imperial College London";

const PEGS: &str = "rows answered in black pegs, with or without white ones";
const PEGS_AND_REPEATS: &str = "rows with repeats, answered in black pegs, with or without white ones";

const FIRST: Parameter =
    Parameter { name: "first", kind: ParameterKind::CodeOr(&["random"]), default: "random", about: "the first guess" };

const fn choice(name: &'static str, values: &'static [&'static str], about: &'static str) -> Parameter {
    Parameter { name, kind: ParameterKind::Choice(values), default: values[0], about }
}

const fn flag(name: &'static str, default: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind: ParameterKind::FLAG, default, about }
}

const fn integer(name: &'static str, min: u64, max: u64, default: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind: ParameterKind::Integer { min, max }, default, about }
}

/// The rows of this family.
pub const ROWS: &[Row] = &[
    Row {
        name: "shc",
        title: "Stochastic hill climber",
        family: "hill climbing",
        paper: TEMPOREL,
        about: "keeps, shifts and mutates pegs of the best guess until a code fits the history",
        plays: PEGS,
        parameters: &[
            flag("tracker", "true", "remember codes that do not fit"),
            choice(
                "colors",
                &["fps", "random"],
                "colors of mutated pegs: from a pool that prefers new colors, or uniform",
            ),
            integer(
                "fps-weight",
                1,
                100,
                "45",
                "weight removed from a color in the pool for each of its pegs in the new code",
            ),
            choice(
                "replace",
                &["better", "equal"],
                "answers that replace the favorite: only better ones, or also equal ones",
            ),
            choice(
                "mutation",
                &["any", "other", "new"],
                "colors of a mutated peg: any, any but its own, or any that was not discarded",
            ),
            choice("pool", &["code", "peg"], "when the pool is computed: once per code, or for each peg"),
            choice("shift", &["away", "anywhere"], "target of a shifted peg: another cell, or any cell"),
            choice(
                "diversity",
                &["fixed", "adaptive"],
                "preference for new colors: constant, or decreasing during a game",
            ),
            flag("flee", "false", "ignore the favorite after two poor answers in a row"),
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
        parameters: &[flag("counting", "false", "count the colors first")],
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
            integer("switch", 0, 10_000, "18", "maximum number of cells plus colors for hill climbing"),
            integer("seconds", 1, 86_400, "10", "time limit for hill climbing per game, in seconds"),
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
