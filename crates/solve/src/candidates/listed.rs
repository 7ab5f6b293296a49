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
            (0..).zip(&marks).filter(|&(_, &mark)| mark == byte).map(|(row, _)| row).collect()
        }
        None => {
            let parts = partitioner.split(&turn.guess, table);
            parts.into_iter().find(|part| part.feedback == turn.feedback).map_or(Vec::new(), |part| part.rows)
        }
    };
    table.select(&rows)
}

/// Whether a space is small enough to be listed at once: one pass over it takes some milliseconds.
#[must_use]
pub fn is_listable(rules: &Rules) -> bool {
    const MOST: u128 = 1 << 20;
    let fits_a_table = Table::new(rules).is_ok();
    fits_a_table && pegwise_game::Space::new(rules).count().exact().is_some_and(|count| count <= MOST)
}
