//! Where cells stand, as far as moving between them goes.

use std::ops::Range;

use pegwise_game::{Board, Shape};

/// The rows that cells stand in, from the top; boards without rows have all cells in one.
pub(crate) fn rows(board: &Board) -> Vec<Range<usize>> {
    let cells = board.cells();
    let rows_of = |columns: usize| (0..cells).step_by(columns).map(|start| start..start + columns).collect();
    match board.shape() {
        Shape::Grid { columns, .. } => rows_of(*columns),
        Shape::Cube(sides) => rows_of(sides[sides.len() - 1]),
        Shape::Triangle(side) => (0..*side).map(|row| row * (row + 1) / 2..(row + 1) * (row + 2) / 2).collect(),
        _ => std::iter::once(0..cells).collect(),
    }
}

/// The cell below or above; the same cell at the edge, and `None` where cells stand in one row.
pub(super) fn neighbor(board: &Board, cell: usize, down: bool) -> Option<usize> {
    let rows = rows(board);
    if rows.len() == 1 {
        return None;
    }
    let row = rows.iter().position(|row| row.contains(&cell))?;
    let other = if down { (row + 1).min(rows.len() - 1) } else { row.saturating_sub(1) };
    let column = cell - rows[row].start;
    Some(if other == row { cell } else { (rows[other].start + column).min(rows[other].end - 1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_and_down_keep_the_column() {
        let grid = Board::grid(3, 4).unwrap();
        assert_eq!(
            (neighbor(&grid, 1, true), neighbor(&grid, 9, true), neighbor(&grid, 9, false)),
            (Some(5), Some(9), Some(5))
        );
        let triangle = Board::new(Shape::Triangle(3)).unwrap();
        assert_eq!((neighbor(&triangle, 5, false), neighbor(&triangle, 2, true)), (Some(2), Some(4)));
        assert_eq!(neighbor(&Board::row(4).unwrap(), 1, true), None);
    }
}
