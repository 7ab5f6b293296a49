//! The rules of generalized Mastermind.
//!
//! A [`Board`] is a set of cells and a set of lines. A [`Code`] gives every cell a [`Color`]; a codemaker hides one and
//! answers each guess with a [`Feedback`]: one [`Mark`] for each line. [`Rules`] hold all that varies between games, and
//! read and print as text such as `4x6` or `grid:4x4x6`.
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
//! Small spaces have a second, very fast path: a [`Table`] holds codes in columns, and [`partition`] tells how a guess
//! splits a whole table, dozens of codes at a time.
//!
//! Nothing in this crate is random, reads a clock, starts a thread, or touches a file or a terminal.

mod board;
mod code;
mod color;
pub mod cpu;
mod feedback;
mod history;
mod limits;
mod palette;
pub mod partition;
mod rules;
mod short;
mod space;
pub mod symmetry;
mod table;
mod trail;

pub use board::{Board, BoardError, Shape};
pub use code::{Code, CodeError, CodeErrorReason, Notation};
pub use color::Color;
pub use feedback::{
    CellTerm, Feedback, FeedbackKind, FeedbackModel, Judge, KeyPeg, Mark, MarkError, MarkNumber, SerializedMark,
    TermInteger, feedback,
};
pub use history::{History, Turn, TurnError};
pub use limits::{MAX_CELLS, MAX_COLORS};
pub use palette::{ColorNameError, Palette};
pub use rules::{FeedbackError, Rules, RulesError};
pub use space::{Count, Space};
pub use table::{Table, TableError};
pub use trail::{HistoryChange, HistoryTracker};

/// The README's example is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
