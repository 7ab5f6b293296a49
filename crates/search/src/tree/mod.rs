//! Strategy trees: a guess for every position that can arise.

pub mod node;
mod path;
mod show;

pub use node::{
    Assembly, Branch, Fault, MAX_DEPTH, Node, ShapeError, Stats, Step, Summary, Traversal, Tree, UnsupportedRules,
};
pub use path::TreePath;
pub use show::{FeedbackRow, PathError, PositionReport};
