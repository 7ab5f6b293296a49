//! Tables with aligned columns.

use super::{Block, style};

/// Where a column's text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table with a heading over each column.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    columns: Vec<(&'a str, Align)>,
    rows: Vec<Vec<Block>>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(columns: impl Into<Vec<(&'a str, Align)>>) -> Self {
        Self { columns: columns.into(), rows: Vec::new() }
    }

    /// Adds a row, with a block for each column.
    pub(crate) fn row(&mut self, cells: impl Into<Vec<Block>>) {
        self.rows.push(cells.into());
    }

    /// The whole table, its columns two spaces apart.
    pub(crate) fn block(self) -> Block {
        let headings = self.columns.iter().map(|(heading, _)| Block::new(style::COLUMN, heading)).collect();
        let rows: Vec<Vec<Block>> = std::iter::once(headings).chain(self.rows).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut table = Block::default();
        for row in rows {
            let cells = row.into_iter().zip(&self.columns).zip(&widths);
            let cells = cells.map(|((cell, (_, align)), &width)| match align {
                // What follows stands at the widest cell anyway.
                Align::Left => cell.widen(width),
                Align::Right => cell.pad_left(width),
            });
            table.below(cells.reduce(|left, right| left.beside(2, right)).unwrap_or_default());
        }
        table
    }
}
