//! Strategies that play the first code they find that fits the history, and differ in where they look first.

mod random;
mod shapiro;
mod swaszek;

pub(crate) use shapiro::Lowest;

use pegwise_game::{Rules, Table};

use crate::{
    candidates::listed,
    catalog::{Capability, Row, When, always},
    parameter::{Parameter, ParameterKind},
};

const ROSU: &str = "R. Rosu, Mastermind, Master's thesis, North Carolina State University, 1997";
const SHAPIRO: &str = "E. Shapiro, Playing Mastermind logically, SIGART Bulletin 85, 1983";
const SWASZEK: &str = "P. F. Swaszek, The Mastermind novice, J. Recreational Mathematics 30(3), 2000";

const FIRST: Parameter =
    Parameter { name: "first", kind: ParameterKind::CodeOr(&["random"]), default: "random", about: "the first guess" };

const FITTING: When = |_, arguments| arguments.text("draws") == "fitting";
const NUMERIC: When = |_, arguments| arguments.text("order") == "numeric";

/// The rows of this family.
pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "random-consistent",
        title: "Random consistent code",
        family: "consistent",
        paper: ROSU,
        about: "plays any code that fits the history, each as likely as the other",
        plays: "boards of up to 255 cells in up to 255 colors",
        parameters: &[
            Parameter {
                name: "draws",
                kind: ParameterKind::Choice(&["fitting", "any"]),
                default: "fitting",
                about: "what is drawn: codes that fit, or any codes until one fits, with no memory of those before",
            },
            FIRST,
        ],
        capabilities: &[(Capability::Lies, FITTING)],
        can_play: fits_a_table,
        build: random::build,
        ..Row::BLANK
    },
    Row {
        name: "shapiro",
        title: "Shapiro",
        family: "consistent",
        paper: SHAPIRO,
        about: "plays the first code that fits the history, in an order fixed for the game",
        plays: "spaces of up to 1,048,576 codes",
        parameters: &[Parameter {
            name: "order",
            kind: ParameterKind::Choice(&["random", "numeric"]),
            default: "random",
            about: "the order in which codes are looked at",
        }],
        capabilities: &[
            (Capability::Deterministic, NUMERIC),
            (Capability::ByPosition, NUMERIC),
            (Capability::Lies, always),
        ],
        can_play: listed::is_listable,
        build: shapiro::build,
        ..Row::BLANK
    },
    Row {
        name: "swaszek",
        title: "Swaszek's novice",
        family: "consistent",
        paper: SWASZEK,
        about: "starts anywhere and plays the next code in numeric order that fits the history, round and round",
        plays: "boards of up to 255 cells in up to 255 colors",
        parameters: &[FIRST],
        capabilities: &[
            (Capability::Deterministic, |_, arguments| arguments.text("first") != "random"),
            (Capability::Lies, always),
        ],
        can_play: fits_a_table,
        build: swaszek::build,
        ..Row::BLANK
    },
];

fn fits_a_table(rules: &Rules) -> bool {
    Table::new(rules).is_ok()
}
