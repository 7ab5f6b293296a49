//! Everything that chooses a guess.
//!
//! A [`Strategy`] looks at a [`History`](pegwise_game::History) and proposes the next guess, spending what a [`Search`]
//! allows. The [`catalog`] lists every strategy with its parameters; `knuth` or `entropy(guesses=consistent)` names one
//! wherever a strategy is asked for. [`candidates`] find codes that fit the history, [`one_step`] compares guesses by how
//! they split those codes, and [`tree`] builds whole strategies.
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

// Tests compare what is computed here with what the system computes.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod adaptive;
mod annealing;
pub mod candidates;
pub mod catalog;
mod checked_strategy;
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
mod renaming;
mod rng;
mod search;
pub mod secrets;
mod spec;
pub mod static_game;
mod strategy;
mod tabu;
pub mod tree;

pub use game::{Game, GameError, GameTurn, Outcome, play};
pub use parameter::{Parameter, ParameterKind};
pub use rng::Rng;
pub use search::{Counts, Limits, Meter, Search, Stop, Watch};
pub use spec::{Arguments, Spec, SpecError};
pub use strategy::{
    Alternative, Basis, Built, Position, PositionStrategy, Proposal, Proposed, Strategy, StrategyError,
};

/// The README's example is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
