//! Finding codes that fit the history.
//!
//! Small spaces are listed once and filtered turn by turn with the partition kernel ([`listed`]); large ones are searched
//! by [`backtrack`]ing, which also [`draw`]s single codes. [`Remaining`] picks the way and follows a game as it goes on. A
//! [`Ledger`] tells how far any one code is from fitting, for searches that walk toward a code that does; when they find none, [`fallback`] has the
//! last word.

pub mod anneal;
pub mod backtrack;
pub mod beliefs;
mod contradiction;
mod drawn;
pub mod fallback;
mod ledger;
pub mod listed;
mod packed;
mod remaining;
mod suspects;
mod told;

pub use contradiction::contradiction;
pub use drawn::draw;
pub use ledger::{Ledger, Misfit};
pub use packed::{Packed, Packing};
pub use remaining::{Remaining, View};
pub use suspects::Suspects;
