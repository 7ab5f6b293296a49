//! What rules mean, for those who do not read the notation.

use pegwise_game::{Count, Feedback, FeedbackKind, Rules, Shape, Space};
use serde::{Deserialize, Serialize};

use super::{Question, Task};
use crate::{error::ApiError, limits::Limits};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RulesQuestion {
    rules: String,
}

/// A game, described.
#[derive(Debug, Serialize)]
struct Description<'a> {
    rules: &'a Rules,
    shape: &'static str,
    /// The sides of the board: cells of a row; rows and columns of a grid.
    sides: Vec<usize>,
    cells: usize,
    colors: u16,
    repeats: bool,
    feedback: &'static str,
    max_guesses: Option<u32>,
    /// The cells of each line, from 1 on.
    lines: Vec<Vec<usize>>,
    /// How many codes there are.
    codes: Count,
    /// The logarithm of that to base 10, which is a number for any board.
    digits: f64,
    /// The feedback of the secret.
    winning: Feedback,
    /// What the numbers of a mark are called, in the order in which they are written.
    number_names: Vec<String>,
    /// What they are called in this game, for people: bulls and cows, for one.
    number_words: Vec<&'static str>,
    /// Whether colors are written as ten digits: one to nine, and zero for the tenth.
    in_digits: bool,
    /// Every kind of feedback that a game may have.
    feedback_kinds: Vec<&'static str>,
}

impl Question for RulesQuestion {
    fn task(self, limits: &Limits) -> Result<Task, ApiError> {
        let rules = limits.rules(&self.rules)?;
        let board = rules.board();
        let (shape, sides) = match board.shape() {
            Shape::Row(cells) => ("row", vec![*cells]),
            Shape::Grid { rows, columns } => ("grid", vec![*rows, *columns]),
            Shape::Triangle(side) => ("triangle", vec![*side]),
            Shape::Cube(sides) => ("cube", sides.clone()),
            Shape::Ring(cells) => ("ring", vec![*cells]),
            // Every board is a set of lines.
            _ => ("lines", vec![board.line_count()]),
        };
        let codes = Space::new(&rules).count();
        Task::done(&Description {
            rules: &rules,
            shape,
            sides,
            cells: rules.cells(),
            colors: rules.colors(),
            repeats: rules.repeats(),
            feedback: rules.feedback().name(),
            max_guesses: rules.max_guesses(),
            lines: board.lines().map(|line| line.iter().map(|cell| cell + 1).collect()).collect(),
            codes,
            digits: codes.log10(),
            winning: Feedback::winning(&rules),
            number_names: rules.feedback().number_names().map(ToString::to_string).collect(),
            number_words: rules.number_words().collect(),
            in_digits: rules.palette().has_digits(),
            feedback_kinds: FeedbackKind::ALL.iter().map(|kind| kind.name()).collect(),
        })
    }
}
