//! Any board and any feedback, by the pair function.
//!
//! Marks are packed into one number as long as they fit, so that parts are found without a feedback being stored for every
//! code; where those numbers are few, a part is looked up by its number.

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
    /// For each line its cells, and how many places its marks take up; `None` when all lines together are past 128 bits.
    spans: Option<Vec<(usize, u128)>>,
    /// Working space: the code being compared.
    code: Vec<Color>,
    /// Working space: the part of each packed number, where those numbers are few enough for a list, and elsewhere empty;
    /// no part at all between calls.
    parts: Vec<u32>,
}

/// The most packed numbers that parts are looked up by: a list that stays in the second cache.
const FEW_NUMBERS: u128 = 1 << 16;
/// A packed number that no code had yet.
const NO_PART: u32 = u32::MAX;

/// What tells parts apart.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    Packed(u128),
    Whole(Feedback),
}

impl General {
    pub(super) fn new(rules: &Rules) -> Self {
        let terms = rules.feedback().model();
        let spans = rules.board().lines().map(|line| Some((line.len(), terms.places(line.len(), rules.colors())?)));
        let spans: Option<Vec<(usize, u128)>> = spans.collect();
        let all = |spans: &Vec<(usize, u128)>| spans.iter().try_fold(1u128, |all, span| all.checked_mul(span.1));
        let numbers = spans.as_ref().and_then(all);
        let spans = spans.filter(|_| numbers.is_some());
        let parts = numbers.filter(|&numbers| numbers <= FEW_NUMBERS).map_or(0, |numbers| numbers as usize);
        Self { judge: Judge::new(rules), spans, code: Vec::new(), parts: vec![NO_PART; parts] }
    }

    fn key(&mut self, guess: &[Color], table: &Table, row: usize) -> Key {
        self.code.clear();
        self.code.extend((0..table.cells()).map(|cell| Color::new(table.peg(row, cell).into())));
        let Some(spans) = &self.spans else { return Key::Whole(self.judge.feedback(guess, &self.code)) };
        let marks = self.judge.marks(guess, &self.code).zip(spans);
        Key::Packed(marks.fold(0, |packed, (mark, &(cells, span))| packed * span + u128::from(mark.place(cells))))
    }

    /// Visits the part number of each row, and tells a row of each part. Parts are numbered as they first appear.
    fn number_parts(&mut self, guess: &[Color], table: &Table, mut visit: impl FnMut(usize, u32)) -> Vec<u32> {
        let mut numbers: HashMap<Key, usize> = HashMap::new();
        let (mut firsts, mut used) = (Vec::new(), Vec::new());
        for row in 0..table.len() {
            let mut next = || {
                firsts.push(row as u32);
                firsts.len() - 1
            };
            let number = match self.key(guess, table, row) {
                Key::Packed(packed) if !self.parts.is_empty() => {
                    let part = &mut self.parts[packed as usize];
                    if *part == NO_PART {
                        *part = next() as u32;
                        used.push(packed as usize);
                    }
                    *part as usize
                }
                key => *numbers.entry(key).or_insert_with(next),
            };
            visit(number, row as u32);
        }
        used.into_iter().for_each(|packed| self.parts[packed] = NO_PART);
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
