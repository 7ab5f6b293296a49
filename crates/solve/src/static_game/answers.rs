//! What every code of a space answers to a guess.

use pegwise_game::{Color, Rules, Table, TableError, partition::Partitioner};

/// The codes of a space, and their answers as small numbers.
#[derive(Debug, Clone)]
pub(super) struct Answers {
    pub(super) codes: Table,
    partitioner: Partitioner,
    /// Where the rules have packed marks, the number of each.
    numbers: Option<[u16; 256]>,
    marks: Vec<u8>,
    /// Numbers are below this.
    pub(super) kinds: usize,
}

impl Answers {
    pub(super) fn new(rules: &Rules) -> Result<Self, TableError> {
        let codes = Table::all(rules)?;
        let partitioner = Partitioner::new(rules);
        let possible = partitioner.batch_kernel().map(|lanes| lanes.encoding().possible().to_vec());
        let numbers = possible.as_ref().map(|possible| {
            let mut numbers = [0; 256];
            for (number, &mark) in (0..).zip(possible) {
                numbers[usize::from(mark)] = number;
            }
            numbers
        });
        // Without packed marks, answers are numbered guess by guess, and there are no more than numbers.
        let kinds = possible.map_or(codes.len().min(1 << 16), |possible| possible.len());
        Ok(Self { codes, partitioner, numbers, marks: Vec::new(), kinds })
    }

    /// The number of every code's answer.
    pub(super) fn to(&mut self, guess: &[Color]) -> Vec<u16> {
        if let (Some(lanes), Some(numbers)) = (self.partitioner.batch_kernel(), &self.numbers) {
            lanes.marks(guess, &self.codes, &mut self.marks);
            return self.marks.iter().map(|&mark| numbers[usize::from(mark)]).collect();
        }
        let mut answers = vec![0; self.codes.len()];
        for (number, part) in self.partitioner.split(guess, &self.codes).into_iter().enumerate() {
            // Answers past the last number share it: fewer codes are told apart than could be, and never more.
            let number = u16::try_from(number).unwrap_or(u16::MAX);
            for row in part.rows {
                answers[row as usize] = number;
            }
        }
        answers
    }
}
