//! Any board and any feedback, by the pair function.

use std::collections::HashMap;

use super::Part;
use crate::{
    color::Color,
    feedback::{Feedback, Judge},
    rules::Rules,
    table::Table,
};

#[derive(Debug, Clone)]
pub(super) struct General {
    judge: Judge,
}

impl General {
    pub(super) fn new(rules: &Rules) -> Self {
        Self { judge: Judge::new(rules) }
    }

    /// Visits the part number of each row; parts are numbered as they first appear.
    fn number_parts(&mut self, guess: &[Color], table: &Table, mut visit: impl FnMut(usize, u32)) -> Vec<Feedback> {
        let mut numbers: HashMap<Feedback, usize> = HashMap::new();
        for (row, code) in (0..).zip(table.codes()) {
            let next = numbers.len();
            let number = *numbers.entry(self.judge.feedback(guess, &code)).or_insert(next);
            visit(number, row);
        }
        let mut feedbacks: Vec<(usize, Feedback)> =
            numbers.into_iter().map(|(feedback, number)| (number, feedback)).collect();
        feedbacks.sort_unstable_by_key(|&(number, _)| number);
        feedbacks.into_iter().map(|(_, feedback)| feedback).collect()
    }

    pub(super) fn sizes(&mut self, guess: &[Color], table: &Table, sizes: &mut Vec<u32>) {
        self.number_parts(guess, table, |number, _| {
            if number == sizes.len() {
                sizes.push(0);
            }
            sizes[number] += 1;
        });
    }

    pub(super) fn split(&mut self, guess: &[Color], table: &Table) -> Vec<Part> {
        let mut rows: Vec<Vec<u32>> = Vec::new();
        let feedbacks = self.number_parts(guess, table, |number, row| {
            if number == rows.len() {
                rows.push(Vec::new());
            }
            rows[number].push(row);
        });
        feedbacks.into_iter().zip(rows).map(|(feedback, rows)| Part { feedback, rows }).collect()
    }
}
