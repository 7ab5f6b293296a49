//! The strategy for every size: it looks at the space, the history and the time it has, and plays the best that it can
//! find out.
//!
//! In this order, whatever comes first:
//! 1. a proven tree that comes with the program;
//! 2. a guess scored against all codes still possible, where the space can be listed;
//! 3. a guess scored against a sample of consistent codes, found by [annealing](crate::candidates::anneal);
//! 4. one consistent code, when the search turns up no more;
//! 5. a code whose answer tells much by the [chances](crate::candidates::beliefs) of each color in each cell, on boards
//!    where nothing consistent is found in time.
//!
//! Guesses are scored by entropy, among codes that fit and variations of them that do not.
//!
//! Cost: counted in moves and pairs, so that the same seed plays the same game on any machine; a time limit ends the work
//! early, and a long one stretches it. Limits: beyond a million cells times colors there are no chances to draw from,
//! and the closest code found is played.

mod covariance;
mod lines;
mod opening;
mod player;
mod questions;
mod scoring;

use pegwise_game::Table;

use crate::{
    catalog::{Capability, Row, always},
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
    capabilities: &[
        (Capability::Tree, |rules, _| shipped(rules).is_some()),
        (Capability::Secrets, |rules, _| Table::new(rules).is_ok()),
        (Capability::Lies, always),
    ],
    build: player::build,
    ..Row::BLANK
}];
