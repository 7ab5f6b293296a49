#![doc = include_str!("../README.md")]

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
