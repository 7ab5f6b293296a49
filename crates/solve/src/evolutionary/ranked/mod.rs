//! Strategies that collect codes that fit by breeding, and play the one that splits the others best.
//!
//! [`player`] is the game they both play, [`breeder`] makes a generation, [`finds`] are the codes that fit, [`measure`]
//! how a code splits them.

mod breeder;
mod cga;
mod evorank;
mod finds;
mod measure;
mod player;

use pegwise_game::{Code, Rules};

use crate::{
    catalog::Row,
    parameter::{Parameter, ParameterKind},
};

const FAMILY: &str = "evolutionary";

/// What all rows have: the population, how many of it stay, and the first guess.
const POPULATION: Parameter = Parameter {
    name: "population",
    kind: ParameterKind::Integer { min: 2, max: 10_000 },
    default: "400",
    about: "codes in a generation",
};
const REPLACEMENT: Parameter = Parameter {
    name: "replacement",
    kind: ParameterKind::Decimal { min: 0.0, max: 1.0 },
    default: "0.4",
    about: "the paper's replacement rate: the share of best codes that stay when the others are replaced",
};
const FIRST: Parameter = Parameter {
    name: "first",
    kind: ParameterKind::CodeOr(&["cycle", "random"]),
    default: "cycle",
    about: "the first guess: half the colors in turn (1231 at 4x6), any code, or this one",
};

/// The rows of these strategies.
pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "evorank",
        title: "EvoRank",
        family: FAMILY,
        paper: "J. J. Merelo, A. M. Mora, T. P. Runarsson, C. Cotta, Assessing efficiency of different evolutionary \
                strategies playing MasterMind, CIG, 2010",
        about: "breeds codes that fit and split the others well, and plays the one with the most parts",
        plays: super::PLAYS,
        parameters: &[
            POPULATION,
            REPLACEMENT,
            Parameter {
                name: "fitness",
                kind: ParameterKind::Choice(&["partitions", "entropy"]),
                default: "partitions",
                about: "what a code that fits is worth: the parts it splits the others into, or their entropy",
            },
            FIRST,
        ],
        can_play: super::can_play,
        build: evorank::build,
        ..Row::BLANK
    },
    Row {
        name: "cga",
        title: "Canonical genetic algorithm with partitions",
        family: FAMILY,
        paper: "J. J. Merelo, T. P. Runarsson, Finding better solutions to the Mastermind puzzle using evolutionary \
                algorithms, EvoApplications, 2010",
        about: "breeds codes that fit, and plays the one that splits the others into the most parts",
        plays: super::PLAYS,
        parameters: &[POPULATION, REPLACEMENT, FIRST],
        presets: &[("population", "256")],
        can_play: super::can_play,
        build: cga::build,
        ..Row::BLANK
    },
];

/// The opening of the authors: half the colors in turn, again and again. Where colors must differ, all of them in turn.
fn cycle(rules: &Rules) -> Code {
    let colors = if rules.repeats() { (rules.colors() / 2).max(1) } else { rules.colors() };
    Code::from_indices((0..rules.cells()).map(|cell| (cell % usize::from(colors)) as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_cycle_through_half_the_colors() {
        for (rules, code) in
            [("4x6", "1231"), ("5x8", "12341"), ("4x1", "1111"), ("3x7", "123"), ("4x4:no-repeats", "1234")]
        {
            let rules: Rules = rules.parse().unwrap();
            assert_eq!(cycle(&rules), rules.parse_code(code).unwrap());
        }
    }
}
