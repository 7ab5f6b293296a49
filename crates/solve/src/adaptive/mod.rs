//! The strategy for every size: it looks at the space, the history and the time it has, and plays the best that it can
//! find out.
//!
//! In this order, whatever comes first:
//! 1. a proven tree that comes with the program;
//! 2. a guess scored against all codes still possible, where the space can be listed;
//! 3. a guess that is climbed to (hill climbing by the entropy of its answers) over a sample of codes that fit or nearly do,
//!    found by [walks](crate::candidates::anneal) that live through the game (parallel tempering, each walk by
//!    Metropolis-Hastings); on large rows how often each color is there is found by walks of its own, and guesses ask about
//!    a window of colors or cells at a time;
//!    When all codes that fit are known and few, guesses are compared two steps ahead by the guesses that they leave;
//! 4. a code whose answer tells much by the [chances](crate::candidates::beliefs) of each color in each cell (belief
//!    propagation), on boards too large for walks.
//!
//! All constants are in `settings`.
//!
//! Cost: counted in moves and pairs, so that the same seed plays the same game on any machine; a time limit ends the work
//! early, and a long one stretches it. Limits: beyond a million cells times colors there are no chances to draw from,
//! and the closest code found is played.

mod believed;
mod climb;
mod covariance;
mod endgame;
mod lines;
mod opening;
mod player;
mod questions;
mod sampled;
mod scoring;
mod settings;
mod windows;

use pegwise_game::Table;

use crate::{
    catalog::{Capability, Row, always},
    parameter::{Parameter, ParameterKind},
    tree::shipped,
};

/// The rows of this family.
pub(crate) const ROWS: &[Row] = &[Row {
    name: "adaptive",
    title: "Adaptive",
    family: "adaptive",
    paper: "Pegwise's own; the parts are described where they are written",
    about: "takes the best that the board and the time allow, from a proven tree to chances for every cell",
    plays: "every board",
    parameters: PARAMETERS,
    capabilities: &[
        (Capability::Tree, |rules, _| shipped(rules).is_some()),
        (Capability::Secrets, |rules, _| Table::new(rules).is_ok()),
        (Capability::Lies, always),
    ],
    build: player::build,
    ..Row::BLANK
}];

/// A parameter that is left to the board when it is zero.
const fn count(name: &'static str, max: u64, about: &'static str) -> Parameter {
    Parameter { name, kind: ParameterKind::Integer { min: 0, max }, default: "0", about }
}

/// The settings that matter most, on boards whose codes cannot be listed.
const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "method",
        kind: ParameterKind::Choice(&["auto", "walks", "beliefs"]),
        default: "auto",
        about: "how boards are played whose codes cannot be listed: by their size, or always in one way",
    },
    count("codes", 10_000, "codes of a sample; 0: as suits the board, here and below"),
    count("moves", 1_000_000_000_000, "moves of all walks for a guess"),
    count("ladders", 64, "ladders of walks side by side"),
    count("rungs", 64, "walks on a ladder, from cold to hot"),
    count("climbs", 64, "guesses that are climbed to"),
    count("steps", 1_000_000, "changes tried in a climb, for each cell"),
    count("black", 10_000, "how much what black pegs alone tell counts beside what a whole mark tells, in percent"),
    count("color-window", 65_535, "colors whose counts are asked about at a time"),
    count("cell-window", 65_535, "cells whose colors are asked about at a time"),
];
