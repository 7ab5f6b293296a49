//! Sampling of consistent codes and of marginal probabilities, for code spaces that cannot be listed.
//!
//! [`tempering`] draws consistent codes by parallel tempering; [`beliefs`] estimates the color probabilities of each cell by
//! belief propagation.
//!
//! ```
//! use pegwise_game::{History, Rules};
//! use pegwise_sampling::tempering::{self, Effort};
//! use pegwise_search::{Rng, Search};
//! let rules: Rules = "8x8".parse()?;
//! let history = History::parse(&rules, ["11223344=2,2"])?;
//! let start = Rng::new(1).code(&rules);
//! let sample = tempering::sample(&history, &start, Effort { codes: 3, moves: 100_000 }, &mut Search::new(1));
//! assert!(sample.codes.iter().all(|code| history.is_consistent(code)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod beliefs;
pub mod tempering;

#[cfg(test)]
mod testing {
    use pegwise_game::{Code, History, Rules};
    use pegwise_search::Rng;

    /// Returns a random secret and a history of random guesses.
    pub(crate) fn played(rules: &Rules, turns: usize, seed: u64) -> (Code, History) {
        let mut rng = Rng::new(seed);
        let secret = rng.code(rules);
        let history = History::against(rules, &secret, (0..turns).map(|_| rng.code(rules)));
        (secret, history)
    }
}
