//! Strategies that breed codes: a population of codes is crossed, changed and selected by how near each is to fitting the
//! history.
//!
//! What they share is here, each idea in its own file: how two codes are crossed ([`crossover`]) and one is changed
//! ([`mutation`]), how codes stay valid where colors must differ ([`repair`]), who is selected ([`selection`]), where the
//! codes live ([`Population`], [`Seen`]), the [`opening`], and what happens when breeding finds nothing ([`fallback`]).
//! Codes are rows of one flat list and operators work in place, so that, where colors may repeat, a generation allocates
//! nothing.

mod bench;
mod berghman;
mod choice;
mod climb;
pub mod crossover;
pub mod fallback;
mod family;
mod family_competition;
mod genetic_local_search;
mod guesser;
mod multi_start_local_search;
pub mod mutation;
mod opening;
mod population;
pub mod repair;
mod rows;
mod seen;
pub mod selection;
#[cfg(test)]
mod tests;
mod variation;

pub use opening::opening;
pub use population::{Population, draw, draw_new};
pub(crate) use rows::ROWS;
pub use seen::Seen;
