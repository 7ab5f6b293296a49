//! The first evolutionary players, as far as later papers describe them.
//!
//! Two play the first code they breed that fits ([`bernier`], [`merelo`], by the search in [`until_fit`]); two breed
//! one generation for each guess and play its best code, whether it fits or not ([`bento`], [`kalisker_camens`]). None
//! of the original texts is at hand: each module says what is known of its player, and which readings fill the gaps.

mod bento;
mod bernier;
mod kalisker_camens;
mod merelo;
mod palette;
mod until_fit;

use crate::{
    catalog::Row,
    parameter::{Parameter, ParameterKind},
};

const FAMILY: &str = "evolutionary";

const POPULATION: Parameter = Parameter {
    name: "population",
    kind: ParameterKind::Integer { min: 4, max: 10_000 },
    default: "150",
    about: "codes in a generation",
};
const FIRST: Parameter =
    Parameter { name: "first", kind: ParameterKind::CodeOr(&["random"]), default: "random", about: "the first guess" };

const fn weight(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind: ParameterKind::Integer { min: 0, max: 1_000 }, default: "1", about }
}

/// The rows of these strategies.
pub(crate) const ROWS: &[Row] = &[
    Row {
        name: "bernier-ga",
        title: "Bernier et al.'s genetic algorithm",
        family: FAMILY,
        paper: "J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda, A. Prieto, Solving MasterMind using GAs and \
                simulated annealing: a case of dynamic constraint optimization, PPSN IV, 1996",
        about: "breeds codes that agree with the most telling turns, and plays the first that agrees with all",
        plays: super::PLAYS,
        parameters: &[POPULATION, FIRST],
        can_play: super::can_play,
        build: bernier::build,
        ..Row::BLANK
    },
    Row {
        name: "merelo-1999",
        title: "Genetic MasterMind",
        family: FAMILY,
        paper: "J. J. Merelo, J. Carpio, P. Castillo, V. M. Rivas, G. Romero, Finding a needle in a haystack using \
                hints and evolutionary computation: the case of Genetic MasterMind, GECCO, 1999",
        about: "breeds codes that miss the feedback by few pegs, and plays the first that fits",
        plays: super::PLAYS,
        parameters: &[
            POPULATION,
            weight("position-weight", "what a black peg too many or too few counts"),
            weight("color-weight", "what a white peg too many or too few counts"),
            FIRST,
        ],
        presets: &[("population", "30")],
        can_play: super::can_play,
        build: merelo::build,
        ..Row::BLANK
    },
    Row {
        name: "bento",
        title: "Bento, Pereira and Rosa",
        family: FAMILY,
        paper: "L. Bento, L. Pereira, A. Rosa, Mastermind by evolutionary algorithms, SAC, 1999",
        about: "breeds one generation for each guess and plays its best code, whether it fits or not",
        plays: super::PLAYS,
        parameters: &[
            POPULATION,
            Parameter {
                name: "elite",
                kind: ParameterKind::Integer { min: 0, max: 10_000 },
                default: "15",
                about: "parents that take the places of the worst children",
            },
            FIRST,
        ],
        can_play: super::can_play,
        build: bento::build,
        ..Row::BLANK
    },
    Row {
        name: "kalisker-camens",
        title: "Kalisker and Camens",
        family: FAMILY,
        paper: "T. Kalisker, D. Camens, Solving Mastermind using genetic algorithms, GECCO, 2003",
        about: "breeds a population for each guess and plays its best code, whether it fits or not",
        plays: super::PLAYS,
        parameters: &[
            POPULATION,
            Parameter {
                name: "generations",
                kind: ParameterKind::Integer { min: 1, max: 1_000 },
                default: "10",
                about: "generations bred for a guess",
            },
            Parameter {
                name: "mutation",
                kind: ParameterKind::Decimal { min: 0.0, max: 1.0 },
                default: "0.5",
                about: "the chance that a child gets one cell of another color",
            },
            FIRST,
        ],
        can_play: super::can_play,
        build: kalisker_camens::build,
        ..Row::BLANK
    },
];
