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

    /// Where values begin in a table whose rows are lists.
    pub(crate) const INDENT: usize = 16;

    /// The whole table where it fits a screen of so many columns, and otherwise each row as a list under its first cell.
    pub(crate) fn fitted(self, width: Option<usize>) -> Block {
        let column = |index: usize| {
            let cells = self.rows.iter().map(|row| row[index].width());
            cells.chain([self.columns[index].0.chars().count()]).max().unwrap_or(0)
        };
        let needed: usize = (0..self.columns.len()).map(|index| column(index) + 2).sum::<usize>().saturating_sub(2);
        if width.is_none_or(|width| needed <= width) { self.block() } else { self.stacked() }
    }

    fn stacked(self) -> Block {
        let mut list = Block::default();
        for row in self.rows {
            let mut cells = row.into_iter().zip(&self.columns);
            if let Some((first, _)) = cells.next() {
                list.below(first);
            }
            for (cell, (heading, _)) in cells.filter(|(cell, _)| cell.width() > 0) {
                let heading = Block::new(style::COLUMN, format!("  {heading}")).widen(Self::INDENT - 2);
                list.below(heading.beside(2, cell));
            }
        }
        list
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_does_not_fit_becomes_lists() {
        let table = || {
            let mut table = Table::new(vec![("strategy", Align::Left), ("games", Align::Right), ("note", Align::Left)]);
            table.row(["a strategy with a long name", "1,296", ""].map(|text| Block::new(style::PLAIN, text)));
            table
        };
        let plain = |block: Block| anstream::adapter::strip_str(&block.to_string()).to_string();
        assert_eq!(plain(table().fitted(None)).lines().count(), 2);
        assert_eq!(plain(table().fitted(Some(60))).lines().count(), 2);
        let narrow = plain(table().fitted(Some(30)));
        assert_eq!(narrow, "a strategy with a long name\n  games         1,296");
    }
}
