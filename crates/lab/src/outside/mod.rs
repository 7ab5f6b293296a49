//! Strategies that are not this program's: they play in the laboratory like all others, and lose what they do not answer.

mod command;
mod program;

pub use command::{Engine, admit};
pub use program::{Program, Talk, TalkError, label};

use pegwise_game::Rules;

/// More guesses than any strategy takes against answers that are true: asking for each color in each cell takes as many as
/// there are pairs of the two. Whoever takes more does not know, or does not tell, what it is doing.
#[must_use]
pub fn most_guesses(rules: &Rules) -> usize {
    const MORE: usize = 100;
    rules.cells() * usize::from(rules.colors()) + MORE
}
