//! Strategies that breed codes: a population of codes is crossed, changed and selected by how near each is to fitting the
//! history.
//!
//! What they share is here, each idea in its own file: how two codes are crossed ([`crossover`]) and one is changed
//! ([`mutation`]), how codes stay valid where colors must differ ([`repair`]), who is selected ([`selection`]), where the
//! codes live ([`Population`], [`Seen`]), the [`opening`], and which game it is ([`Pursuit`]). When breeding
//! finds nothing, [`fallback`](crate::candidates::fallback) has the last word.
//! Codes are rows of one flat list and operators work in place, so that, where colors may repeat, a generation allocates
//! nothing.

mod berghman;
mod choice;
mod climb;
pub mod crossover;
mod early;
mod examiner;
mod family;
mod family_competition;
mod genetic_local_search;
mod guesser;
mod multi_start_local_search;
pub mod mutation;
mod opening;
mod population;
mod pursuit;
mod ranked;
pub mod repair;
mod rows;
mod seen;
pub mod selection;
#[cfg(test)]
mod tests;
mod variation;

pub(crate) use early::ROWS as EARLY;
pub use opening::opening;
pub use population::{Population, draw, draw_new};
pub use pursuit::Pursuit;
pub(crate) use ranked::ROWS as RANKED;
pub(crate) use rows::ROWS;
pub use seen::Seen;

/// What [`can_play`] means, in words.
pub(crate) const PLAYS: &str = "boards of up to 1,024 cells";

/// Whether a population of codes of these rules stays within reasonable memory.
pub(crate) fn can_play(rules: &pegwise_game::Rules) -> bool {
    rules.cells() <= 1_024
}
