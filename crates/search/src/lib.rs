//! Search primitives for generalized Mastermind: the vocabulary that all strategies share.
//!
//! A [`Strategy`] proposes the next guess for a [`History`](pegwise_game::History) within the limits of a [`Search`]; its
//! catalog [`row`] describes it. [`candidates`] lists or draws the codes that are consistent with a history, [`one_step`]
//! compares guesses by how they split them, [`tree`] is the type of whole strategies, and [`play`] plays a game against a
//! [`codemaker`].
//!
//! ```
//! use pegwise_game::{History, Rules};
//! use pegwise_search::{Search, candidates::CandidateTracker};
//! let rules: Rules = "4x6".parse()?;
//! let history = History::parse(&rules, ["1122=1,0"])?;
//! let candidates = CandidateTracker::new(&rules)?.after(&history, &mut Search::new(1))?;
//! assert_eq!(candidates.codes.len(), 256);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod candidates;
pub mod canonical;
pub mod clock;
pub mod codemaker;
pub mod device;
mod game;
pub mod one_step;
pub mod parallel;
mod parameter;
pub mod portable;
pub mod renaming;
mod rng;
pub mod row;
mod search;
pub mod secrets;
mod strategy;
pub mod tree;

pub use game::{Game, GameError, GameTurn, Outcome, play};
pub use parameter::{Parameter, ParameterKind, Value};
pub use rng::{Fnv1a, Rng};
pub use row::Arguments;
pub use search::{Counts, Limits, Meter, Search, Stop, Watch};
pub use strategy::{
    Alternative, Basis, Built, Position, PositionStrategy, Proposal, Proposed, Strategy, StrategyError,
};
