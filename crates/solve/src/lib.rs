//! Strategies for Mastermind and its variants.
//!
//! A [`Strategy`] proposes the next guess for a [`History`](pegwise_game::History) within the limits of a [`Search`].
//! The [`catalog`] lists all strategies with their parameters; a strategy is named by a [`Spec`] such as `knuth` or
//! `entropy(guesses=consistent)`.
//!
//! - [`candidates`]: enumerating and sampling the codes consistent with a history
//! - [`one_step`]: guesses compared by the partition they make of the candidates
//! - [`tree`]: building, proving and storing whole strategies as trees
//! - [`evolutionary`]: genetic algorithms
//! - [`codemaker`], [`play`]: playing games
//! - [`static_game`]: all guesses at once
//!
//! ```
//! use pegwise_game::{History, Rules};
//! use pegwise_solve::{Search, catalog};
//! let rules: Rules = "4x6".parse()?;
//! let mut knuth = catalog::strategy("knuth", &rules)?;
//! let history = History::parse(&rules, ["1122=1,0"])?;
//! let proposal = knuth.next_guess(&history, &mut Search::new(1))?;
//! assert_eq!(proposal.guess.notation(6).to_string(), "1344");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod adaptive;
pub mod catalog;
pub mod exact;
mod row_by_row;
pub mod seeds;
mod shipped;
pub mod spec;
pub mod static_game;

pub use pegwise_search::{
    Alternative, Arguments, Basis, Built, Counts, Fnv1a, Game, GameError, GameTurn, Limits, Meter, Outcome, Parameter,
    ParameterKind, Position, PositionStrategy, Proposal, Proposed, Rng, Search, Stop, Strategy, StrategyError, Watch,
    clock, codemaker, one_step, parallel, play, renaming::Renaming, secrets,
};
pub use pegwise_strategies::evolutionary;
pub use spec::{Spec, SpecError, did_you_mean};

/// Consistent codes: listed, by backtracking, and sampled.
pub mod candidates {
    pub use pegwise_sampling::{beliefs, tempering};
    pub use pegwise_search::candidates::*;
}

/// Strategy trees: building, proving, storing and verifying them, and those that are part of the program.
pub mod tree {
    pub use pegwise_trees::*;

    pub use crate::shipped::shipped;
}

/// Devices that evaluate guesses for many positions at once.
pub mod device {
    pub use pegwise_search::device::{BatchPosition, Costs, Device, DeviceError};

    /// Returns the graphics card of this machine, or the reason why there is no usable one.
    pub fn cuda() -> Result<std::sync::Arc<dyn Device>, DeviceError> {
        #[cfg(all(feature = "cuda", unix))]
        return pegwise_cuda::card();
        #[cfg(not(all(feature = "cuda", unix)))]
        Err(DeviceError { what: "no graphics card".into(), why: "this program was built without support".into() })
    }
}

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
