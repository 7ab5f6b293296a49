//! Xu's fallback for large boards: a peg of the next color is shifted from cell to cell.
//!
//! The first guess shows color 1 everywhere, and its black pegs count that color. Then a peg of color 2 takes the first
//! cell, the second, and so on; after it a peg of color 3, until every cell is known. Cells that are known keep their
//! color. One black peg more than expected: the cell has the shifted color. One less: it has color 1. `counting=true`
//! first asks how often each color appears, as Xu proposes, passes over absent colors, leaves a color when all its pegs
//! are placed, and plays the code when only one color is left to place.
//!
//! # Cost and limits
//! A guess takes almost no time, and there are up to P(N-1)+1 of them, 12 on average at 4x6. White pegs are not looked
//! at. A few thousand steps of backtracking a guess see to it that contradictory answers are noticed.
//!
//! # References
//! Y. Xu, Solving Mastermind, Imperial College London.

use std::collections::HashMap;

use pegwise_game::{Code, Color, History, Rules};

use super::score_order::Score;
use crate::{
    candidates::{
        self,
        backtrack::{Backtrack, End, Order},
    },
    search::Search,
    spec::Arguments,
    strategy::{Basis, Proposal, Strategy, StrategyError},
};

pub(super) struct Shifting {
    pub(super) counting: bool,
}

/// Steps spent on each guess to see whether the answers contradict each other.
const MOST_STEPS: u64 = 4_000;

pub(super) fn build(_: &'static str, _: &Rules, arguments: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    Ok(Box::new(Shifting { counting: arguments.flag("counting") }))
}

impl Strategy for Shifting {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if !history.is_empty() {
            let (_, end) = Backtrack::new(history).first(Order::AscendingFrom(None), MOST_STEPS, search);
            if end == End::NoMore {
                return Err(StrategyError::NO_CODE_FITS);
            }
        }
        let guess = match Procedure::new(history, self.counting).next() {
            Next::Ask(guess) => guess,
            Next::Known(code) if history.is_consistent(&code) => return Ok(Proposal::new(code, Basis::Proven)),
            Next::Known(_) | Next::Impossible => return candidates::draw(history, search),
        };
        let basis = if history.is_consistent(&guess) {
            Basis::Consistent
        } else {
            Basis::BestEffort("it asks about one cell and need not fit".to_owned())
        };
        Ok(Proposal::new(guess, basis))
    }
}

/// What to do next.
enum Next {
    /// Play this guess and see.
    Ask(Code),
    /// The code.
    Known(Code),
    /// Answers that no code gives.
    Impossible,
}

/// The questions asked so far, in the order in which they are always asked. Turns that are no question of the plan are
/// left aside.
struct Procedure<'a> {
    rules: &'a Rules,
    counting: bool,
    /// The black pegs of each guess.
    answers: HashMap<&'a Code, usize>,
}

/// The color that fills the cells not known.
const FILL: usize = 0;

impl<'a> Procedure<'a> {
    fn new(history: &'a History, counting: bool) -> Self {
        let answers = history.turns().iter().map(|turn| (&turn.guess, Score::of(turn).black)).collect();
        Self { rules: history.rules(), counting, answers }
    }

    fn next(&self) -> Next {
        self.walk().unwrap_or_else(|next| next)
    }

    /// Asks question after question as long as the answers are there.
    fn walk(&self) -> Result<Next, Next> {
        let (cells, colors) = (self.rules.cells(), usize::from(self.rules.colors()));
        let fills = self.answer(&vec![FILL; cells])?;
        // How often each color is still to be placed, where they were counted.
        let mut left = if self.counting { Some(self.count_colors(fills)?) } else { None };
        let mut fills_left = fills;
        let mut known: Vec<Option<usize>> = vec![None; cells];
        for color in FILL + 1..colors {
            for cell in 0..cells {
                if let Some(only) = left.as_deref().and_then(only_one_left) {
                    known.iter_mut().filter(|cell| cell.is_none()).for_each(|cell| *cell = Some(only));
                }
                if known[cell].is_some() {
                    continue;
                }
                if left.as_ref().is_some_and(|left| left[color] == 0) {
                    break;
                }
                let mut guess: Vec<usize> = known.iter().map(|cell| cell.unwrap_or(FILL)).collect();
                guess[cell] = color;
                let expected = known.iter().flatten().count() + fills_left;
                let black = self.answer(&guess)?;
                let found = if black == expected + 1 {
                    color
                } else if black + 1 == expected {
                    fills_left = fills_left.checked_sub(1).ok_or(Next::Impossible)?;
                    FILL
                } else if black == expected {
                    continue;
                } else {
                    return Err(Next::Impossible);
                };
                known[cell] = Some(found);
                if let Some(left) = &mut left {
                    left[found] = left[found].checked_sub(1).ok_or(Next::Impossible)?;
                }
            }
        }
        let code: Option<Vec<usize>> = known.into_iter().collect();
        code.map(|code| Next::Known(code_of(&code))).ok_or(Next::Impossible)
    }

    /// How often each color appears. The last one makes up the rest.
    fn count_colors(&self, fills: usize) -> Result<Vec<usize>, Next> {
        let (cells, colors) = (self.rules.cells(), usize::from(self.rules.colors()));
        let mut counts = vec![fills];
        let mut rest = cells - fills;
        for color in FILL + 1..colors {
            let last = color + 1 == colors;
            let count = if rest == 0 || last { rest } else { self.answer(&vec![color; cells])? };
            rest = rest.checked_sub(count).ok_or(Next::Impossible)?;
            counts.push(count);
        }
        Ok(counts)
    }

    /// The black pegs a guess was answered; the guess itself where it was not played yet.
    fn answer(&self, guess: &[usize]) -> Result<usize, Next> {
        let guess = code_of(guess);
        self.answers.get(&guess).copied().ok_or(Next::Ask(guess))
    }
}

fn code_of(colors: &[usize]) -> Code {
    Code::new(colors.iter().map(|&color| Color::new(color as u16)).collect::<Box<[Color]>>())
}

/// The color that is to be placed, if there is only one.
fn only_one_left(left: &[usize]) -> Option<usize> {
    let mut colors = (0..left.len()).filter(|&color| left[color] > 0);
    colors.next().filter(|_| colors.next().is_none())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::{codemaker::Fixed, play};

    fn guesses(rules: &str, secret: &str, counting: bool) -> Vec<String> {
        let rules: Rules = rules.parse().unwrap();
        let mut codemaker = Fixed::new(&rules, rules.parse_code(secret).unwrap()).unwrap();
        let mut shifting = Shifting { counting };
        let game = play(&rules, &mut shifting, &mut codemaker, &mut Search::new(1), |_| ControlFlow::Continue(()));
        game.unwrap().turns.iter().map(|turn| turn.guess.notation(rules.colors()).to_string()).collect()
    }

    #[test]
    fn a_peg_wanders_until_its_cell_is_found() {
        let played = guesses("4x6", "1321", false);
        assert_eq!(played, ["1111", "2111", "1211", "1121", "1122", "1321"]);
        assert_eq!(guesses("4x6:black-only", "1321", false), played);
    }

    #[test]
    fn counted_colors_are_not_asked_in_vain() {
        let played = guesses("4x6", "1321", true);
        assert_eq!(played, ["1111", "2222", "3333", "2111", "1211", "1121", "1321"]);
        assert_eq!(guesses("4x6", "6666", true), ["1111", "2222", "3333", "4444", "5555", "6666"]);
    }

    #[test]
    fn it_needs_a_guess_for_every_cell_and_color_at_most() {
        for counting in [false, true] {
            for secret in pegwise_game::Space::new(&"3x4".parse().unwrap()).iter() {
                let secret = secret.notation(4).to_string();
                let played = guesses("3x4", &secret, counting);
                assert_eq!(played.last(), Some(&secret));
                assert!(played.len() <= 3 * 3 + if counting { 3 } else { 2 }, "{played:?}");
            }
        }
    }
}
