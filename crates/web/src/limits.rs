//! Limits on requests, and their cost classes.

use std::{thread, time::Duration};

use pegwise_coach::Notes;
use pegwise_game::{Code, Rules, Space};
use pegwise_solve::secrets::SecretList;
use serde::Serialize;

use crate::error::ApiError;

/// Limits of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ServerLimits {
    /// Maximum number of cells.
    pub cells: usize,
    /// Maximum number of colors.
    pub colors: u16,
    /// Maximum number of turns.
    pub turns: usize,
    /// Maximum time in the queue, and again on a worker.
    #[serde(serialize_with = "in_seconds")]
    pub time: Duration,
    /// Maximum size of a request body, in bytes.
    pub body: usize,
    /// Number of workers for light questions; medium and heavy ones have half as many each.
    pub workers: usize,
    /// Maximum number of waiting requests in each queue.
    pub queue: usize,
    /// Maximum number of open connections; further ones wait.
    pub connections: usize,
    /// Maximum number of open connections per IPv4 address or IPv6 /64 network; further ones are closed. Does not apply to this machine, whose
    /// connections may be those of a proxy.
    pub connections_each: usize,
    /// Maximum time to receive the head of a request, and again its body, and to wait for a client that does not read.
    #[serde(serialize_with = "in_seconds")]
    pub sending: Duration,
}

fn in_seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl Default for ServerLimits {
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

impl ServerLimits {
    /// Parses rules and checks them against the limits.
    pub(crate) fn rules(&self, text: &str) -> Result<Rules, ApiError> {
        let rules: Rules = text.parse().map_err(|error| {
            ApiError::bad_request("bad-rules", format!("rules: {error}"))
                .with_hint("write rules as 4x6, 4x10:no-repeats, 20x20:black-only or grid:4x4x6")
        })?;
        let (cells, colors) = (rules.cells(), rules.colors());
        if cells > self.cells || colors > self.colors {
            let found = format!("{rules} has {cells} cells and {colors} colors");
            let limit = format!("the maximum here is {} cells and {} colors", self.cells, self.colors);
            return Err(ApiError::bad_request("too-large", format!("{found}; {limit}"))
                .with_hint("choose a smaller game, or start the server with --max-cells and --max-colors"));
        }
        Ok(rules)
    }

    pub(crate) fn check_turns(&self, turns: usize) -> Result<(), ApiError> {
        if turns <= self.turns {
            return Ok(());
        }
        Err(ApiError::bad_request("too-large", format!("{turns} turns; the maximum here is {}", self.turns)))
    }
}

/// Cost class of a question. Each class has its own workers, so that expensive questions never delay cheap ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CostClass {
    /// Milliseconds.
    Light,
    /// About a second: the code space is listed.
    Medium,
    /// Up to the time limit.
    Heavy,
}

impl CostClass {
    /// Largest space in which every question is light.
    const MAX_LIGHT_SPACE: u128 = 10_000;
    /// Largest space that is listed in about a second.
    const MAX_LISTED_SPACE: u128 = 1 << 20;
    /// Largest space that the default strategy samples in milliseconds.
    const MAX_SAMPLED_SPACE: u128 = 1 << 64;

    /// Returns the class of a question whose cost grows with the space.
    pub(crate) fn for_space(rules: &Rules) -> Self {
        match Space::new(rules).count().exact() {
            Some(codes) if codes <= Self::MAX_LIGHT_SPACE => Self::Light,
            Some(codes) if codes <= Self::MAX_LISTED_SPACE => Self::Medium,
            _ => Self::Heavy,
        }
    }

    /// Returns the class of a question that compares all guesses of a list.
    pub(crate) fn for_list(secrets: &SecretList) -> Self {
        /// Pairs of guess and secret that are compared in milliseconds.
        const MAX_LIGHT_PAIRS: usize = 1_000_000;
        let pairs = secrets.len() * secrets.guesses().map_or(secrets.len(), <[Code]>::len);
        if pairs <= MAX_LIGHT_PAIRS { Self::Light } else { Self::Heavy }
    }

    /// Returns the class of a question that a sample answers. With forgotten parts, every code is tried with every
    /// completion instead.
    pub(crate) fn for_sample(notes: &Notes) -> Self {
        let rules = notes.rules();
        if notes.history().is_none() {
            return if Self::for_space(rules) == Self::Light { Self::Light } else { Self::Heavy };
        }
        let codes = Space::new(rules).count().exact();
        if codes.is_some_and(|codes| codes <= Self::MAX_SAMPLED_SPACE) { Self::Light } else { Self::Heavy }
    }
}
