//! What is published about the fewest guesses of the static game.

use pegwise_game::{FeedbackKind, Rules};
use serde::{Deserialize, Serialize};

/// Goddard's numbers of guesses, the one that plays the code not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// The guesses.
    pub guesses: usize,
    /// Whether the number is proven for large numbers of colors alone.
    pub for_many_colors: bool,
}

/// The number that Goddard gives, which he writes with the last guess counted: for two pegs two thirds of the colors and
/// one more, rounded up; for three and four pegs as many as there are colors, from some number of colors on.
///
/// ```
/// use pegwise_solve::static_game::goddard;
/// assert_eq!(goddard(&"2x6".parse()?).map(|published| published.guesses), Some(4));
/// assert_eq!(goddard(&"4x6".parse()?).map(|published| published.guesses), Some(5));
/// assert_eq!(goddard(&"5x8".parse()?), None);
/// # Ok::<(), pegwise_game::RulesError>(())
/// ```
#[must_use]
pub fn goddard(rules: &Rules) -> Option<Published> {
    let colors = usize::from(rules.colors());
    let classic = rules.board().is_row() && rules.repeats() && rules.feedback() == FeedbackKind::BlackWhite;
    if !classic || colors < 2 {
        return None;
    }
    match rules.cells() {
        2 => Some(Published { guesses: (2 * colors).div_ceil(3), for_many_colors: false }),
        3 | 4 => Some(Published { guesses: colors - 1, for_many_colors: true }),
        _ => None,
    }
}
