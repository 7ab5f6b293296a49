//! Consistent codes of a listed space, by one pass of the kernel a turn.

use pegwise_game::{Rules, Table, Turn, partition::Partitioner};

/// Filters tables of codes by turns, and keeps its working space between them.
#[derive(Debug, Clone)]
pub struct Filter {
    partitioner: Partitioner,
    marks: Vec<u8>,
    rows: Vec<u32>,
}

impl Filter {
    /// A filter for codes of these rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self { partitioner: Partitioner::new(rules), marks: Vec::new(), rows: Vec::new() }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        self.partitioner.rules()
    }

    /// Puts the codes of a table that agree with a turn of a history, in their order, in place of those in another.
    pub fn agreeing(&mut self, table: &Table, turn: &Turn, agreeing: &mut Table) {
        table.select_into(self.rows(table, turn), agreeing);
    }

    /// The rows of a table that agree with a turn of a history.
    pub fn rows(&mut self, table: &Table, turn: &Turn) -> &[u32] {
        self.rows.clear();
        match self.partitioner.batch_kernel() {
            Some(lanes) => {
                let mark = lanes.encoding().byte(turn.feedback.marks()[0]);
                lanes.marks(&turn.guess, table, &mut self.marks);
                rows_of(mark.expect("a history has marks of its rules"), &self.marks, &mut self.rows);
            }
            None => {
                let parts = self.partitioner.split(&turn.guess, table);
                self.rows
                    .extend(parts.into_iter().filter(|part| part.feedback == turn.feedback).flat_map(|part| part.rows));
            }
        }
        &self.rows
    }
}

/// Adds the rows that hold this mark, 64 at a time: few of them do, and a branch for each would mostly be guessed wrong.
fn rows_of(mark: u8, marks: &[u8], rows: &mut Vec<u32>) {
    let (blocks, rest) = marks.as_chunks::<64>();
    let mut last = [!mark; 64];
    last[..rest.len()].copy_from_slice(rest);
    for (first, block) in (0u32..).step_by(64).zip(blocks.iter().chain([&last])) {
        let mut found = bits_of(mark, block);
        while found != 0 {
            rows.push(first + found.trailing_zeros());
            found &= found - 1;
        }
    }
}

/// A bit for each of these marks, set where it is the one asked for.
fn bits_of(mark: u8, marks: &[u8; 64]) -> u64 {
    const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    /// Moves the low bit of byte `i` to bit `56 + i`.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let wanted = u64::from_le_bytes([mark; 8]);
    let (words, _) = marks.as_chunks::<8>();
    let bits = |word: &[u8; 8]| {
        let differs = u64::from_le_bytes(*word) ^ wanted;
        // The top bit of each byte without a difference: a byte's low bits carry into its own top bit alone.
        let equal = !(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS);
        (equal >> 7).wrapping_mul(GATHER) >> 56
    };
    words.iter().rev().fold(0, |all, word| all << 8 | bits(word))
}

/// Whether a space is small enough to be listed at once: one pass over it takes some milliseconds.
#[must_use]
pub fn is_listable(rules: &Rules) -> bool {
    const MOST: u128 = 1 << 20;
    let fits_a_table = Table::new(rules).is_ok();
    fits_a_table && pegwise_game::Space::new(rules).count().exact().is_some_and(|count| count <= MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_as_one_by_one() {
        let mut rng = crate::Rng::new(1);
        for length in (0..40).chain([63, 64, 65, 128, 1296]) {
            for marks in [[0, 1, 0x7F, 0x80, 0xFF], [3, 3, 3, 4, 0x83]] {
                let column: Vec<u8> = (0..length).map(|_| marks[rng.index(marks.len())]).collect();
                for mark in marks {
                    let expected: Vec<u32> =
                        (0..).zip(&column).filter(|&(_, &other)| other == mark).map(|(row, _)| row).collect();
                    let mut rows = Vec::new();
                    rows_of(mark, &column, &mut rows);
                    assert_eq!(rows, expected, "{mark} in {column:?}");
                }
            }
        }
    }
}
