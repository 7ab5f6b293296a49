//! Strategies that build the code piece by piece, by a plan that is fixed beforehand.
//!
//! Each is a [`procedure::Procedure`] that [`procedure::Follower`] plays; but for [`row_by_row`], which leaves the rows of a grid to others.

pub(crate) mod counting;
mod greedy_1;
mod greedy_2;
mod greedy_3;
mod pairs;
pub(crate) mod procedure;
mod row_by_row;
mod two_swap;

use pegwise_game::{FeedbackKind, Rules};

use crate::{
    catalog::{Capability, Row, always},
    strategy::{Strategy, StrategyError},
};
use procedure::{Follower, Procedure};

pub(crate) const SINGLEY: &str = "A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis, University of Florida, 2005";

const GREEDY: Row = Row {
    name: "greedy-1",
    title: "Greedy 1",
    family: "constructive",
    paper: SINGLEY,
    about: "finds one cell after the other, trying every color in it",
    plays: "rows with repeats, of any size, whose marks tell the black pegs",
    parameters: &[],
    capabilities: &[(Capability::Deterministic, always)],
    can_play: tells_black,
    build: |_, rules, _| follow(greedy_1::Greedy1::new(rules)),
    ..Row::BLANK
};

const COUNTING: Row = Row {
    plays: "rows with repeats, of any size, answered in black and white",
    parameters: &[counting::PREPROCESSING],
    can_play: counts_colors,
    ..GREEDY
};

/// The rows of this family.
pub(crate) const ROWS: &[Row] = &[
    GREEDY,
    Row {
        name: "greedy-2",
        title: "Greedy 2",
        about: "finds one cell after the other, without asking what follows from other answers",
        build: |_, rules, _| follow(greedy_2::Greedy2::new(rules)),
        ..GREEDY
    },
    Row {
        name: "greedy-3",
        title: "Greedy 3",
        about: "counts the colors, then finds one cell after the other",
        parameters: greedy_3::PARAMETERS,
        build: |_, rules, arguments| follow(greedy_3::Greedy3::new(rules, arguments)),
        ..COUNTING
    },
    Row {
        name: "two-swap",
        title: "2-swap local search",
        about: "counts the colors, then swaps pairs of cells and keeps what is better",
        build: |_, rules, arguments| follow(two_swap::TwoSwap::new(rules, arguments)),
        ..COUNTING
    },
    Row {
        name: "row-by-row",
        title: "Row by row",
        about: "plays every row of a grid as a game of its own, and ignores the columns",
        plays: "grids with repeats, answered in black and white, of up to 255 columns and 255 colors",
        parameters: &[row_by_row::STRATEGY],
        capabilities: &[(Capability::Deterministic, row_by_row::is_deterministic)],
        can_play: row_by_row::can_play,
        build: row_by_row::build,
        ..GREEDY
    },
];

fn follow(plan: impl Procedure + 'static) -> Result<Box<dyn Strategy>, StrategyError> {
    Ok(Box::new(Follower::new(plan)))
}

fn tells_black(rules: &Rules) -> bool {
    let kinds = [FeedbackKind::BlackWhite, FeedbackKind::BlackOnly, FeedbackKind::HigherLower];
    rules.board().is_row() && rules.repeats() && kinds.contains(&rules.feedback())
}

/// Whether pegs tell how often a color is in the code.
pub(crate) fn counts_colors(rules: &Rules) -> bool {
    rules.board().is_row() && rules.repeats() && rules.feedback() == FeedbackKind::BlackWhite
}
