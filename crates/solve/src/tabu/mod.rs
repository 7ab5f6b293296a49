//! Tabu search: random swaps of cells until a guess fits, with the swaps made lately forbidden for a while.

mod grid;
mod lines;
mod list;
mod row;

use pegwise_game::{FeedbackKind, Rules};

use crate::{
    catalog::Row,
    constructive::{SINGLEY, counting::PREPROCESSING, counts_colors},
    parameter::{Parameter, ParameterKind},
    spec::Arguments,
    strategy::{Strategy, StrategyError},
};

const SLACK: Parameter = Parameter {
    name: "slack",
    kind: ParameterKind::Integer { min: 0, max: 255 },
    default: "2",
    about: "a swap stays tabu for as many swaps as the row has cells, less these",
};

/// The rows of this family.
pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "tabu",
        title: "Tabu search",
        family: "tabu",
        paper: SINGLEY,
        about: "counts the colors with guesses that fit, found by random swaps of which the last are tabu",
        plays: "rows with repeats, of any size, answered in black and white",
        parameters: &[PREPROCESSING, SLACK],
        can_play: counts_colors,
        build: |_, rules, arguments| Ok(Box::new(row::Tabu::new(rules, arguments))),
        ..Row::BLANK
    },
    Row {
        name: "tabu-2d",
        title: "Tabu search on a grid",
        family: "tabu",
        paper: SINGLEY,
        about: "counts the colors of all rows with guesses that fit, found by random swaps within rows",
        plays: "grids with repeats, answered in black and white, with up to 128 pairs of a color and a cell in a line",
        parameters: &[PREPROCESSING],
        can_play: is_packable_grid,
        build: build_grid,
        ..Row::BLANK
    },
];

fn is_packable_grid(rules: &Rules) -> bool {
    rules.repeats() && rules.feedback() == FeedbackKind::BlackWhite && lines::Lines::new(rules).is_some()
}

fn build_grid(name: &'static str, rules: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    let too_long = || StrategyError::unplayable(name, rules, &"its lines are too long");
    let grid = grid::TabuGrid::new(rules, arguments).ok_or_else(too_long)?;
    Ok(Box::new(grid))
}
