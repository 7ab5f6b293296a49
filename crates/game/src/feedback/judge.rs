//! The pair function: what a guess is answered when the secret is known.
//!
//! This is the plain definition that every faster path is checked against: the terms of the kind, summed over the cells of
//! each line. It costs a pass over the cells of each line.

use super::{
    Feedback, FeedbackKind, Mark,
    terms::{CellTerm, TermInteger as _},
};
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
        let surplus = if rules.feedback().model().colors { vec![0; usize::from(rules.colors())] } else { Vec::new() };
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

impl Judge {
    /// Whether `code` can have been answered as all these turns were: whether it agrees with them, but for the lies that the
    /// rules allow. The answer to the code itself is never a lie, and neither is that it was found.
    pub fn allows(&mut self, turns: &[Turn], code: &[Color]) -> bool {
        let mut lies = self.rules.lies();
        turns.iter().all(|turn| {
            if self.agrees(turn, code) {
                return true;
            }
            let may_be_a_lie = lies > 0 && *turn.guess != *code && !turn.feedback.is_winning(&self.rules);
            lies = lies.saturating_sub(1);
            may_be_a_lie
        })
    }
}

/// What the codemaker with this secret answers to this guess; for many pairs keep a [`Judge`].
#[must_use]
pub fn feedback(rules: &Rules, guess: &[Color], secret: &[Color]) -> Feedback {
    Judge::new(rules).feedback(guess, secret)
}

fn mark(kind: FeedbackKind, surplus: &mut [i32], line: &[usize], guess: &[Color], secret: &[Color]) -> Mark {
    // The usual kind is named, so that what it means is known where the loop is compiled, and nothing else takes registers.
    match kind {
        FeedbackKind::BlackWhite => mark_of(FeedbackKind::BlackWhite, surplus, line, guess, secret),
        kind => other_mark(kind, surplus, line, guess, secret),
    }
}

#[inline(never)]
fn other_mark(kind: FeedbackKind, surplus: &mut [i32], line: &[usize], guess: &[Color], secret: &[Color]) -> Mark {
    mark_of(kind, surplus, line, guess, secret)
}

#[inline(always)]
fn mark_of(kind: FeedbackKind, surplus: &mut [i32], line: &[usize], guess: &[Color], secret: &[Color]) -> Mark {
    let terms = kind.model();
    if terms.per_cell {
        return per_cell(kind, surplus, line, guess, secret);
    }
    let sums = sums(terms.cell, terms.colors.then_some(surplus), line, guess, secret);
    Mark::from_sums(kind, sums, line.len())
}

/// The two sums of a line. Colors in common are paired off one by one, as Knuth defines white pegs.
#[inline(always)]
fn sums(
    term: CellTerm,
    mut surplus: Option<&mut [i32]>,
    line: &[usize],
    guess: &[Color],
    secret: &[Color],
) -> [u64; 2] {
    let mut sums = [0; 2];
    for &cell in line {
        let (asked, hidden) = (guess[cell].index(), secret[cell].index());
        let [first, second] = term.contribution(asked as u64, hidden as u64);
        sums[0] += first;
        sums[1] += second;
        if let Some(surplus) = &mut surplus {
            // Whatever was left over before, equal colors are one more pair in the end.
            if asked == hidden {
                sums[1] += 1;
                continue;
            }
            sums[1] += u64::from_flag(surplus[hidden] < 0);
            surplus[hidden] += 1;
            sums[1] += u64::from_flag(surplus[asked] > 0);
            surplus[asked] -= 1;
        }
    }
    if let Some(surplus) = surplus {
        for &cell in line {
            surplus[guess[cell].index()] = 0;
            surplus[secret[cell].index()] = 0;
        }
    }
    sums
}

/// Black where guess and secret agree; then, from the left, white as long as the secret shows the color elsewhere.
fn per_cell(kind: FeedbackKind, spare: &mut [i32], line: &[usize], guess: &[Color], secret: &[Color]) -> Mark {
    for &cell in line.iter().filter(|&&cell| guess[cell] != secret[cell]) {
        spare[secret[cell].index()] += 1;
    }
    let told = Mark::from_told(
        kind,
        line.iter().map(|&cell| {
            if guess[cell] == secret[cell] {
                return 2;
            }
            let spare = &mut spare[guess[cell].index()];
            let white = *spare > 0;
            *spare -= i32::from(white);
            u64::from(white)
        }),
    );
    line.iter().for_each(|&cell| spare[secret[cell].index()] = 0);
    told
}
