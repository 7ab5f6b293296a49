//! Finding codes that fit the history.
//!
//! Small spaces are listed once and filtered turn by turn with the partition kernel ([`listed`]); large ones are searched
//! by [`backtrack`]ing. [`Remaining`] picks the way and follows a game as it goes on.

pub mod backtrack;
mod contradiction;
pub mod listed;
mod remaining;

pub use contradiction::contradiction;
pub use remaining::{Remaining, View};
