//! Strategies that breed codes: a population of codes is crossed, changed and selected by how near each is to fitting the
//! history.
//!
//! What they share is here, each idea in its own file: how two codes are crossed ([`crossover`]) and one is changed
//! ([`mutation`]), how codes stay valid where colors must differ ([`repair`]), who is selected ([`selection`]), where the
//! codes live ([`Population`], [`Seen`]), the [`opening`], and what happens when breeding finds nothing ([`fallback`]).
//! Nothing in a generation allocates: codes are rows of one flat list, and operators work in place.

pub mod crossover;
pub mod fallback;
pub mod mutation;
mod opening;
mod population;
pub mod repair;
mod seen;
pub mod selection;

pub use opening::opening;
pub use population::{Population, draw, draw_new};
pub use seen::Seen;
