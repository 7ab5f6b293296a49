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

// Tests compare portable functions with those of the system.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod adaptive;
mod annealing;
pub mod candidates;
mod canonical;
pub mod catalog;
pub mod clock;
pub mod codemaker;
mod consistent;
mod constructive;
pub mod device;
pub mod evolutionary;
mod game;
mod hill_climbing;
pub mod one_step;
mod parallel;
mod parameter;
mod portable;
mod rng;
mod row;
mod row_by_row;
mod search;
pub mod secrets;
pub mod seeds;
mod shipped;
mod spec;
pub mod static_game;
mod strategy;
mod tabu;
pub mod tree;

pub use game::{Game, GameError, GameTurn, Outcome, play};
pub use parameter::{Parameter, ParameterKind};
pub use rng::Rng;
pub use row::Arguments;
pub use search::{Counts, Limits, Meter, Search, Stop, Watch};
pub use spec::{Spec, SpecError};
pub use strategy::{
    Alternative, Basis, Built, Position, PositionStrategy, Proposal, Proposed, Strategy, StrategyError,
};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
