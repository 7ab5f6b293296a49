//! Consistent codes of a listed space, by one pass of the kernel a turn.

use pegwise_game::{Rules, Table, Turn, partition::Partitioner};

/// The codes of a table that agree with a turn, in their order.
#[must_use]
pub fn agreeing(partitioner: &mut Partitioner, table: &Table, turn: &Turn) -> Table {
    let rows = match partitioner.lanes() {
        Some(lanes) => {
            let Some(&[mark]) = Some(turn.feedback.marks()) else { return table.select(&[]) };
            let Some(byte) = lanes.coding().byte(mark) else { return table.select(&[]) };
            let mut marks = Vec::new();
            lanes.marks(&turn.guess, table, &mut marks);
            rows_of(byte, &marks)
        }
        None => {
            let parts = partitioner.split(&turn.guess, table);
            parts.into_iter().find(|part| part.feedback == turn.feedback).map_or(Vec::new(), |part| part.rows)
        }
    };
    table.select(&rows)
}

/// The rows that hold this mark, eight at a time: most rows do not, and whole words of those are passed over at once.
fn rows_of(mark: u8, marks: &[u8]) -> Vec<u32> {
    const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let wanted = u64::from_le_bytes([mark; 8]);
    let (words, rest) = marks.as_chunks::<8>();
    let mut rows = Vec::with_capacity(marks.len() / 4);
    for (first, word) in (0u32..).step_by(8).zip(words) {
        let differs = u64::from_le_bytes(*word) ^ wanted;
        // The top bit of each byte without a difference: a byte's low bits carry into its own top bit alone.
        let mut found = !(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS);
        while found != 0 {
            rows.push(first + found.trailing_zeros() / 8);
            found &= found - 1;
        }
    }
    let last = (marks.len() - rest.len()) as u32;
    rows.extend((last..).zip(rest).filter(|&(_, &other)| other == mark).map(|(row, _)| row));
    rows
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
        for length in (0..40).chain([1296]) {
            for marks in [[0, 1, 0x7F, 0x80, 0xFF], [3, 3, 3, 4, 0x83]] {
                let column: Vec<u8> = (0..length).map(|_| marks[rng.index(marks.len())]).collect();
                for mark in marks {
                    let expected: Vec<u32> =
                        (0..).zip(&column).filter(|&(_, &other)| other == mark).map(|(row, _)| row).collect();
                    assert_eq!(rows_of(mark, &column), expected, "{mark} in {column:?}");
                }
            }
        }
    }
}
