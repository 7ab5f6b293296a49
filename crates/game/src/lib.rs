//! The rules of generalized Mastermind.
//!
//! A [`Board`] is a set of cells and a set of lines. A [`Code`] gives every cell a [`Color`]; the codemaker chooses one as the
//! secret and answers each guess with a [`Feedback`]: one [`Mark`] for each line. [`Rules`] are written as text such as `4x6` or
//! `grid:4x4x6`.
//!
//! ```
//! use pegwise_game::{History, Rules, Space};
//! let rules: Rules = "4x6".parse()?;
//! let history = History::parse(&rules, ["1122=1,1", "1344=0,2"])?;
//! let remaining = Space::new(&rules).iter().filter(|code| history.is_consistent(code)).count();
//! assert_eq!(remaining, 37);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Spaces that can be listed have vectorized kernels: a [`Table`] stores codes in columns, and [`partition`] computes how a guess
//! splits a whole table, dozens of codes at a time.
//!
//! The crate is deterministic: it does not use random numbers, clocks, threads or files.

mod board;
mod code;
mod color;
pub mod cpu;
mod feedback;
mod history;
pub mod partition;
mod rules;
mod space;
pub mod symmetry;
mod table;

pub use board::{Board, BoardError, MAX_CELLS, Shape};
pub use code::{Code, CodeError, CodeErrorReason, Notation, SerializedCode, shorten};
pub use color::{Color, ColorNameError, MAX_COLORS, Palette};
pub use feedback::{
    CellTerm, Feedback, FeedbackKind, FeedbackModel, Judge, KeyPeg, Mark, MarkError, MarkNumber, SerializedMark,
    TermInteger, feedback,
};
pub use history::{History, HistoryChange, HistoryTracker, Turn, TurnError};
pub use rules::{FeedbackError, Rules, RulesError};
pub use space::{Count, Space};
pub use table::{Table, TableError};

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
