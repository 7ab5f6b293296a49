//! The pair function: what a guess is answered when the secret is known.
//!
//! This is the plain definition that every faster path is checked against. It costs a pass over the cells of each line.

use super::{Feedback, FeedbackKind, Mark};
use crate::{color::Color, history::Turn, rules::Rules};

/// Computes feedback for one set of rules, keeping its scratch space between calls.
///
/// ```
/// use pegwise_game::{Judge, Rules};
/// let rules: Rules = "4x6".parse().unwrap();
/// let (guess, secret) = (rules.parse_code("1122").unwrap(), rules.parse_code("2123").unwrap());
/// assert_eq!(Judge::new(&rules).feedback(&guess, &secret).to_string(), "2,1");
/// ```
#[derive(Debug, Clone)]
pub struct Judge {
    rules: Rules,
    /// For each color, how many more secret than guess cells showed it so far; all zero between calls.
    surplus: Vec<i32>,
}

impl Judge {
    /// A judge of these rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        let balanced = rules.feedback() == FeedbackKind::BlackWhite;
        let surplus = if balanced { vec![0; usize::from(rules.colors())] } else { Vec::new() };
        Self { rules: rules.clone(), surplus }
    }

    /// The rules that are judged.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What the codemaker with this secret answers to this guess.
    ///
    /// # Panics
    /// When a code has fewer cells than the board, or a color outside the rules.
    pub fn feedback(&mut self, guess: &[Color], secret: &[Color]) -> Feedback {
        self.marks(guess, secret).collect()
    }

    /// The marks of [`Judge::feedback`], one by one, without keeping them.
    ///
    /// # Panics
    /// When a code has fewer cells than the board, or a color outside the rules.
    pub fn marks(&mut self, guess: &[Color], secret: &[Color]) -> impl Iterator<Item = Mark> {
        let Self { rules, surplus } = self;
        rules.board().lines().map(|line| mark(rules.feedback(), surplus, line, guess, secret))
    }

    /// Whether `code` would have been answered as the turn was. Stops at the first line that differs.
    pub fn agrees(&mut self, turn: &Turn, code: &[Color]) -> bool {
        let Self { rules, surplus } = self;
        let lines = rules.board().lines();
        let expected = turn.feedback.marks();
        lines.zip(expected).all(|(line, &marked)| mark(rules.feedback(), surplus, line, &turn.guess, code) == marked)
    }
}

/// What the codemaker with this secret answers to this guess; for many pairs keep a [`Judge`].
#[must_use]
pub fn feedback(rules: &Rules, guess: &[Color], secret: &[Color]) -> Feedback {
    Judge::new(rules).feedback(guess, secret)
}

fn mark(kind: FeedbackKind, surplus: &mut [i32], line: &[usize], guess: &[Color], secret: &[Color]) -> Mark {
    match kind {
        FeedbackKind::BlackWhite => black_white(surplus, line, guess, secret),
        FeedbackKind::BlackOnly => {
            let black = line.iter().filter(|&&cell| guess[cell] == secret[cell]).count() as u16;
            Mark::BlackOnly { black }
        }
        FeedbackKind::HigherLower => {
            let higher = line.iter().filter(|&&cell| secret[cell] > guess[cell]).count() as u16;
            let lower = line.iter().filter(|&&cell| secret[cell] < guess[cell]).count() as u16;
            Mark::HigherLower { black: line.len() as u16 - higher - lower, higher, lower }
        }
        FeedbackKind::Distance => distance(line, guess, secret, |step| step * step),
        FeedbackKind::CityBlock => distance(line, guess, secret, |step| step),
    }
}

fn distance(line: &[usize], guess: &[Color], secret: &[Color], cost: impl Fn(u64) -> u64) -> Mark {
    let step = |&cell: &usize| guess[cell].index().abs_diff(secret[cell].index()) as u64;
    Mark::Distance { distance: line.iter().map(step).map(cost).sum() }
}

/// Knuth's definition: white pegs pair off equal colors among the cells that are not black.
fn black_white(surplus: &mut [i32], line: &[usize], guess: &[Color], secret: &[Color]) -> Mark {
    let (mut black, mut white) = (0, 0);
    for &cell in line {
        let (asked, hidden) = (guess[cell], secret[cell]);
        if asked == hidden {
            black += 1;
            continue;
        }
        let hidden = &mut surplus[hidden.index()];
        white += u16::from(*hidden < 0);
        *hidden += 1;
        let asked = &mut surplus[asked.index()];
        white += u16::from(*asked > 0);
        *asked -= 1;
    }
    for &cell in line {
        surplus[guess[cell].index()] = 0;
        surplus[secret[cell].index()] = 0;
    }
    Mark::BlackWhite { black, white }
}
