//! Any board and any feedback, by the pair function.
//!
//! Marks are packed into one number as long as they fit, so that parts are found without a feedback being stored for every
//! code.

use std::collections::HashMap;

use super::Part;
use crate::{
    color::Color,
    feedback::{Feedback, FeedbackKind, Judge, Mark},
    rules::Rules,
    table::Table,
};

#[derive(Debug, Clone)]
pub(super) struct General {
    judge: Judge,
    /// For each line, how many numbers its mark takes up; `None` when all lines together are past 128 bits.
    spans: Option<Vec<u128>>,
    /// Working space: the code being compared.
    code: Vec<Color>,
}

/// What tells parts apart.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    Packed(u128),
    Whole(Feedback),
}

impl General {
    pub(super) fn new(rules: &Rules) -> Self {
        let spans: Vec<u128> = rules.board().lines().map(|line| span(rules, line.len())).collect();
        let fits = spans.iter().try_fold(1u128, |product, &span| product.checked_mul(span)).is_some();
        Self { judge: Judge::new(rules), spans: fits.then_some(spans), code: Vec::new() }
    }

    fn key(&mut self, guess: &[Color], table: &Table, row: usize) -> Key {
        self.code.clear();
        self.code.extend((0..table.cells()).map(|cell| Color::new(table.peg(row, cell).into())));
        let Some(spans) = &self.spans else { return Key::Whole(self.judge.feedback(guess, &self.code)) };
        let (width, marks) = (table.cells() as u128 + 1, self.judge.marks(guess, &self.code));
        Key::Packed(marks.zip(spans).fold(0, |packed, (mark, span)| packed * span + pack(mark, width)))
    }

    /// Visits the part number of each row, and tells a row of each part. Parts are numbered as they first appear.
    fn number_parts(&mut self, guess: &[Color], table: &Table, mut visit: impl FnMut(usize, u32)) -> Vec<u32> {
        let mut numbers: HashMap<Key, usize> = HashMap::new();
        let mut firsts = Vec::new();
        for row in 0..table.len() {
            let key = self.key(guess, table, row);
            let number = *numbers.entry(key).or_insert_with(|| {
                firsts.push(row as u32);
                firsts.len() - 1
            });
            visit(number, row as u32);
        }
        firsts
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
        let firsts = self.number_parts(guess, table, |number, row| {
            if number == rows.len() {
                rows.push(Vec::new());
            }
            rows[number].push(row);
        });
        let mut feedback = |first: u32| self.judge.feedback(guess, &table.code(first as usize));
        firsts.into_iter().zip(rows).map(|(first, rows)| Part { feedback: feedback(first), rows }).collect()
    }
}

/// How many numbers the marks of a line of `cells` cells take up when they are packed.
fn span(rules: &Rules, cells: usize) -> u128 {
    let (side, step) = (rules.cells() as u128 + 1, u128::from(rules.colors()) - 1);
    match rules.feedback() {
        FeedbackKind::BlackWhite | FeedbackKind::HigherLower => side * side,
        FeedbackKind::BlackOnly => side,
        FeedbackKind::Distance => step * step * cells as u128 + 1,
        FeedbackKind::CityBlock => step * cells as u128 + 1,
    }
}

fn pack(mark: Mark, side: u128) -> u128 {
    match mark {
        Mark::BlackWhite { black, white } => u128::from(black) * side + u128::from(white),
        Mark::BlackOnly { black } => black.into(),
        Mark::HigherLower { black, higher, .. } => u128::from(black) * side + u128::from(higher),
        Mark::Distance { distance } => distance.into(),
    }
}
