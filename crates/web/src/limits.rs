//! How much one request may ask for, and how many may wait.

use std::{thread, time::Duration};

use pegwise_game::{Rules, Space};
use serde::Serialize;

use crate::error::ApiError;

/// The limits of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Cells of a board, at most.
    pub cells: usize,
    /// Colors of a game, at most.
    pub colors: u16,
    /// Turns of a game, at most.
    pub turns: usize,
    /// How long a request may wait for a worker, and then how long it may be worked on.
    #[serde(serialize_with = "in_seconds")]
    pub time: Duration,
    /// Bytes of a request's body, at most.
    pub body: usize,
    /// Workers for quick questions; half as many work on the others.
    pub workers: usize,
    /// Requests that may wait for a worker, at most.
    pub queue: usize,
}

fn in_seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            cells: 400,
            colors: 400,
            turns: 1000,
            time: Duration::from_secs(20),
            body: 256 << 10,
            workers: thread::available_parallelism().map_or(2, usize::from),
            queue: 256,
        }
    }
}

impl Limits {
    /// Reads rules that are within the limits.
    pub(crate) fn rules(&self, text: &str) -> Result<Rules, ApiError> {
        let rules: Rules = text.parse().map_err(|error| {
            ApiError::bad_request("bad-rules", format!("rules: {error}"))
                .with_hint("write rules as 4x6, 4x10:no-repeats, 20x20:black-only or grid:4x4x6")
        })?;
        let (cells, colors) = (rules.cells(), rules.colors());
        if cells > self.cells || colors > self.colors {
            let found = format!("{rules} has {cells} cells and {colors} colors");
            let most = format!("this server takes {} cells and {} colors at most", self.cells, self.colors);
            return Err(ApiError::bad_request("too-large", format!("{found}; {most}"))
                .with_hint("choose a smaller game, or start the server with --max-cells and --max-colors"));
        }
        Ok(rules)
    }

    /// Refuses more turns than a game may have.
    pub(crate) fn check_turns(&self, turns: usize) -> Result<(), ApiError> {
        if turns <= self.turns {
            return Ok(());
        }
        Err(ApiError::bad_request("too-large", format!("{turns} turns; a game here has {} at most", self.turns)))
    }
}

/// How long a question may keep a worker: quick ones have workers of their own, so that no number of others delays
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Milliseconds.
    Light,
    /// Seconds, perhaps.
    Heavy,
}

impl Weight {
    /// Spaces up to this many codes are small: anything about them is quick.
    const SMALL: u128 = 10_000;
    /// Spaces up to this many codes are sampled in milliseconds by the strategy that plays every size.
    const SAMPLED: u128 = 1 << 64;

    /// Of a question whose cost grows with the space.
    pub(crate) fn of_space(rules: &Rules) -> Self {
        Self::up_to(Self::SMALL, rules)
    }

    /// Of a hint by the strategy that plays every size.
    pub(crate) fn of_sample(rules: &Rules) -> Self {
        Self::up_to(Self::SAMPLED, rules)
    }

    fn up_to(most: u128, rules: &Rules) -> Self {
        let codes = Space::new(rules).count().exact();
        if codes.is_some_and(|codes| codes <= most) { Self::Light } else { Self::Heavy }
    }
}
