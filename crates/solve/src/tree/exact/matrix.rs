//! Every feedback of a space, computed once.
//!
//! A search below a few thousand codes splits the same codes by the same guesses over and over, so the marks of all pairs
//! are kept: one byte a pair, the number of the mark. That is 1.6 MB at 4x6, 25 MB for the 5040 codes of 4x10 without
//! repeats, and [`MAX_BYTES`] at most.

use std::collections::BTreeMap;

use pegwise_game::{Code, Feedback, Judge, Rules, Space, Table, partition::Partitioner};

use super::ExactError;
use crate::{clock, search::Watch};

/// The most memory the marks of all pairs may take.
pub(super) const MAX_BYTES: u64 = 1 << 30;
/// Rows are padded to whole blocks of guesses, which the kernel reads at a time.
pub(super) const BLOCK: usize = 64;
/// The most different feedbacks: their numbers are bits of a word.
pub(super) const MAX_KINDS: usize = 128;
/// Marks between two looks at the clock, where a kernel computes them and where the pair function does: some milliseconds.
const MARKS_A_CLOCK: usize = 1 << 24;
const JUDGED_A_CLOCK: usize = 1 << 17;

/// The marks of all pairs of codes.
pub(super) struct Matrix {
    pub(super) table: Table,
    /// What the numbers of marks mean.
    pub(super) feedbacks: Vec<Feedback>,
    /// The number of the winning mark.
    pub(super) winning: u8,
    stride: usize,
    /// Guess by guess, the mark that each code gives.
    by_guess: Vec<u8>,
    /// Code by code, the mark that each guess gets; empty where feedback does not ask which of two codes is the guess.
    by_code: Vec<u8>,
}

impl Matrix {
    /// The marks of a space that is small enough; a watch that stops before they are computed leaves none.
    pub(super) fn new(rules: &Rules, watch: Watch<'_>) -> Result<Self, ExactError> {
        Self::within(MAX_BYTES, rules, watch)
    }

    /// The marks of a space, if they take no more than so much memory.
    pub(super) fn within(bytes: u64, rules: &Rules, watch: Watch<'_>) -> Result<Self, ExactError> {
        // What cannot be searched is not listed either.
        let codes = Space::new(rules).count().exact().filter(|&codes| codes <= Table::MAX_CODES.into());
        if let Some(codes) = codes.map(|codes| codes as usize)
            && (codes > u16::MAX.into() || (codes * codes.next_multiple_of(BLOCK)) as u64 > bytes)
        {
            return Err(ExactError::TooManyCodes { codes });
        }
        let table = Table::all(rules)?;
        let stride = table.len().next_multiple_of(BLOCK);
        let mut by_guess = vec![0; table.len() * stride];
        let clock = |row: usize, marks: usize| {
            clock::work(stride as u64);
            let rows = (marks / stride).max(1);
            if row % rows < rows - 1 {
                Ok(())
            } else {
                watch.stop().map_or(Ok(()), |stop| Err(ExactError::Stopped(stop)))
            }
        };
        let partitioner = Partitioner::new(rules);
        let feedbacks = match partitioner.batch_kernel() {
            Some(lanes) => {
                let possible = lanes.encoding().possible();
                if possible.len() > MAX_KINDS {
                    return Err(ExactError::TooManyFeedbacks { feedbacks: possible.len() });
                }
                let mut number = [0u8; 256];
                for (index, &byte) in (0..).zip(possible) {
                    number[usize::from(byte)] = index;
                }
                let mut marks = Vec::with_capacity(stride);
                for (guess, row) in by_guess.chunks_exact_mut(stride).enumerate() {
                    lanes.marks(&table.code(guess), &table, &mut marks);
                    for (to, &mark) in row.iter_mut().zip(&marks) {
                        *to = number[usize::from(mark)];
                    }
                    clock(guess, MARKS_A_CLOCK)?;
                }
                possible.iter().map(|&byte| Feedback::new([lanes.encoding().mark(byte)])).collect()
            }
            None => Self::judge_all(rules, &table, stride, &mut by_guess, |row| clock(row, JUDGED_A_CLOCK))?,
        };
        // Only here does it matter which of two codes is the guess.
        let symmetric = rules.feedback().model().is_symmetric();
        let mut by_code = Vec::new();
        if !symmetric {
            by_code = vec![0; table.len() * stride];
            for guess in 0..table.len() {
                for code in 0..table.len() {
                    by_code[code * stride + guess] = by_guess[guess * stride + code];
                }
                clock(guess, MARKS_A_CLOCK / 8)?;
            }
        }
        let winning = by_guess[0];
        Ok(Self { table, feedbacks, winning, stride, by_guess, by_code })
    }

    /// The slow way, for boards without packed marks. Asks after every row whether to go on.
    fn judge_all(
        rules: &Rules,
        table: &Table,
        stride: usize,
        marks: &mut [u8],
        clock: impl Fn(usize) -> Result<(), ExactError>,
    ) -> Result<Vec<Feedback>, ExactError> {
        let codes: Vec<Code> = table.codes().collect();
        let mut judge = Judge::new(rules);
        let mut numbers: BTreeMap<Feedback, usize> = BTreeMap::new();
        let mut feedbacks = Vec::new();
        for ((at, guess), row) in codes.iter().enumerate().zip(marks.chunks_exact_mut(stride)) {
            for (code, to) in codes.iter().zip(row) {
                let feedback = judge.feedback(guess, code);
                let number = *numbers.entry(feedback).or_insert_with_key(|feedback| {
                    feedbacks.push(feedback.clone());
                    feedbacks.len() - 1
                });
                if number >= MAX_KINDS {
                    return Err(ExactError::TooManyFeedbacks { feedbacks: number + 1 });
                }
                *to = number as u8;
            }
            clock(at)?;
        }
        Ok(feedbacks)
    }

    /// How many codes there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// How many feedbacks there are.
    #[inline]
    pub(super) fn kinds(&self) -> usize {
        self.feedbacks.len()
    }

    /// The marks that codes give this guess.
    #[inline]
    pub(super) fn of_guess(&self, guess: u16) -> &[u8] {
        &self.by_guess[usize::from(guess) * self.stride..][..self.stride]
    }

    /// The marks that guesses get from this code.
    #[inline]
    pub(super) fn of_code(&self, code: u16) -> &[u8] {
        let marks = if self.by_code.is_empty() { &self.by_guess } else { &self.by_code };
        &marks[usize::from(code) * self.stride..][..self.stride]
    }

    /// How many marks a row holds, padding included.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.stride
    }
}
