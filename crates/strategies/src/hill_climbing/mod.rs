//! Hill climbing: codes are made from the guess with the best answer until one is consistent.

mod climb;
mod genetic;
mod shc;
#[cfg(test)]
mod tests;
mod xu;

use pegwise_game::{FeedbackKind, Rules};

use pegwise_search::Parameter;
use pegwise_search::row::{Capability, Row, always};

const TEMPOREL: &str = "A. Temporel and T. Kovacs, A heuristic hill climbing algorithm for Mastermind, UKCI 2003";
const XU: &str = "Y. Xu, Solving Mastermind, Imperial College London";

const FIRST: Parameter = Parameter::code_or("first", &["random"], "the first guess");

const COUNTING: Parameter = Parameter::flag("counting", false, "count the colors before shifting");

const CLIMBER: Row = Row {
    family: "hill climbing",
    paper: XU,
    plays: "rows answered in black pegs, with or without white ones",
    can_play: is_row_with_pegs,
    ..Row::BLANK
};

const SHIFTER: Row = Row {
    plays: "rows with repeats, answered in black pegs, with or without white ones",
    can_play: |rules| is_row_with_pegs(rules) && rules.repeats(),
    ..CLIMBER
};

/// The rows of this family.
pub const ROWS: &[Row] = &[
    Row {
        name: "shc",
        title: "Stochastic hill climber",
        paper: TEMPOREL,
        about: "keeps, shifts and mutates pegs of the best guess until a code fits the history",
        parameters: &[
            Parameter::flag("tracker", true, "remember codes that do not fit"),
            Parameter::choice(
                "colors",
                &["fps", "random"],
                "colors of mutated pegs: from a pool that prefers new colors, or uniform",
            ),
            Parameter::integer(
                "fps-weight",
                1..=100,
                "45",
                "weight removed from a color in the pool for each of its pegs in the new code",
            ),
            Parameter::choice(
                "replace",
                &["better", "equal"],
                "answers that replace the favorite: only better ones, or also equal ones",
            ),
            Parameter::choice(
                "mutation",
                &["any", "other", "new", "circular"],
                "colors of a mutated peg: any, any but its own, any that was not discarded, or the next in cyclic order",
            ),
            Parameter::choice("pool", &["code", "peg"], "when the pool is computed: once per code, or for each peg"),
            Parameter::choice("shift", &["away", "anywhere"], "target of a shifted peg: another cell, or any cell"),
            Parameter::choice(
                "diversity",
                &["fixed", "adaptive", "pegs"],
                "preference for new colors: constant, decreasing with the turns, or with the first pegs",
            ),
            Parameter::flag("memory", false, "add the pools of earlier guesses to the pool"),
            Parameter::flag("flee", false, "ignore the favorite after two poor answers in a row"),
            Parameter::flag("unlike", false, "choose the second guess in colors unlike a first one with a poor answer"),
            FIRST,
        ],
        plays: "rows answered in black pegs, with white ones, with higher and lower pegs, or alone",
        can_play: |rules| {
            is_row_with_pegs(rules) || rules.board().is_row() && rules.feedback() == FeedbackKind::HigherLower
        },
        build: shc::build,
        ..CLIMBER
    },
    Row {
        name: "shc-genetic",
        title: "Genetic hill climber",
        paper: TEMPOREL,
        about: "crosses populations of codes induced from the guesses until a code fits the history",
        plays: "rows with repeats, answered in black pegs, with or without white ones",
        parameters: &[
            Parameter::integer("population", 2..=1000, "10", "number of codes induced from each guess"),
            Parameter::integer("generations", 1..=1000, "5", "number of generations until codes are induced again"),
            FIRST,
        ],
        can_play: |rules| is_row_with_pegs(rules) && rules.repeats(),
        build: genetic::build,
        ..CLIMBER
    },
    Row {
        name: "shc-xu",
        title: "Stochastic hill climber, re-created by Xu",
        about: "keeps, shifts and mutates pegs of the best guess, without tracker or color pool",
        parameters: &[FIRST],
        build: |_, rules, arguments| Ok(Box::new(shc::Shc::xu(rules, arguments.code("first", rules)))),
        ..CLIMBER
    },
    Row {
        name: "shifting",
        title: "Xu's shifting",
        about: "shifts a peg of each color from cell to cell and compares the black pegs",
        parameters: &[COUNTING],
        capabilities: &[(Capability::Deterministic, always)],
        build: |_, _, arguments| Ok(Box::new(xu::Shifting { counting: arguments.flag("counting") })),
        ..SHIFTER
    },
    Row {
        name: "xu",
        title: "Xu",
        about: "shc-xu on small boards, shifting on large ones and after the time limit",
        parameters: &[
            Parameter::integer("switch", 0..=10_000, "18", "maximum number of cells plus colors for hill climbing"),
            Parameter::integer("seconds", 1..=86_400, "10", "time limit for hill climbing per game, in seconds"),
            COUNTING,
            FIRST,
        ],
        capabilities: &[(Capability::Deterministic, xu::is_large)],
        build: xu::build,
        ..SHIFTER
    },
];

fn is_row_with_pegs(rules: &Rules) -> bool {
    rules.board().is_row() && matches!(rules.feedback(), FeedbackKind::BlackWhite | FeedbackKind::BlackOnly)
}
