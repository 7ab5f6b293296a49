//! How much one request may ask for, and how many may wait.

use std::{thread, time::Duration};

use pegwise_coach::Notes;
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
    /// Connections that may be open, at most; more wait until one ends.
    pub connections: usize,
    /// Connections of one address that may be open, at most; more are closed. This machine is no one address: its
    /// connections may be those of a proxy.
    pub connections_each: usize,
    /// How long a client may take to send the head of a request, and then its body.
    #[serde(serialize_with = "in_seconds")]
    pub sending: Duration,
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
            queue: 1024,
            connections: 2048,
            connections_each: 64,
            sending: Duration::from_secs(10),
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

/// What a question costs: each rank has workers of its own, so that no number of dear questions delays a cheap one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Milliseconds.
    Light,
    /// A second, perhaps: a space is listed.
    Middle,
    /// As long as it is let.
    Heavy,
}

impl Weight {
    /// Spaces up to this many codes are small: anything about them is quick.
    const SMALL: u128 = 10_000;
    /// Spaces up to this many codes are listed in a moment.
    const LISTED: u128 = 1 << 20;
    /// Spaces up to this many codes are sampled in milliseconds by the strategy that plays every size.
    const SAMPLED: u128 = 1 << 64;

    /// Of a question whose cost grows with the space.
    pub(crate) fn of_space(rules: &Rules) -> Self {
        match Space::new(rules).count().exact() {
            Some(codes) if codes <= Self::SMALL => Self::Light,
            Some(codes) if codes <= Self::LISTED => Self::Middle,
            _ => Self::Heavy,
        }
    }

    /// Of a question that the strategy that plays every size answers from a sample, if the turns are whole. Where parts of
    /// them are forgotten, every code is tried with every way to fill them in.
    pub(crate) fn of_sample(notes: &Notes) -> Self {
        let rules = notes.rules();
        if notes.history().is_none() {
            return if Self::of_space(rules) == Self::Light { Self::Light } else { Self::Heavy };
        }
        let codes = Space::new(rules).count().exact();
        if codes.is_some_and(|codes| codes <= Self::SAMPLED) { Self::Light } else { Self::Heavy }
    }
}
