//! Blocks of styled text, and tables.

use anstyle::Style;

use super::style;

/// Lines of styled text with their widths, so that blocks can be aligned.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextBlock {
    lines: Vec<Line>,
    min_width: usize,
}

#[derive(Debug, Clone, Default)]
struct Line {
    text: String,
    width: usize,
}

impl TextBlock {
    pub(crate) fn new(style: Style, text: impl AsRef<str>) -> Self {
        let mut block = Self::default();
        block.line();
        block.push(style, text);
        block
    }

    /// Creates a block of lines of at most `width` columns.
    pub(crate) fn wrapped(style: Style, text: &str, width: usize) -> Self {
        let mut block = Self::default();
        for line in wrap(text, width) {
            block.below(Self::new(style, line));
        }
        block
    }

    pub(crate) fn line(&mut self) {
        self.lines.push(Line::default());
    }

    pub(crate) fn push(&mut self, style: Style, text: impl AsRef<str>) {
        let text = text.as_ref();
        if self.lines.is_empty() {
            self.line();
        }
        let Some(line) = self.lines.last_mut() else { return };
        line.width += text.chars().count();
        if style.is_plain() {
            line.text.push_str(text);
        } else {
            line.text.push_str(&style::paint(style, text));
        }
    }

    pub(crate) fn space(&mut self, width: usize) {
        self.push(style::PLAIN, " ".repeat(width));
    }

    pub(crate) fn below(&mut self, other: Self) {
        self.lines.extend(other.lines);
    }

    pub(crate) fn width(&self) -> usize {
        self.lines.iter().map(|line| line.width).max().unwrap_or(0).max(self.min_width)
    }

    pub(crate) fn height(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn last_width(&self) -> usize {
        self.lines.last().map_or(0, |line| line.width)
    }

    /// Puts `other` to the right, `gap` columns apart, with the first lines aligned.
    pub(crate) fn beside(mut self, gap: usize, other: Self) -> Self {
        let width = self.width() + gap;
        self.min_width = width + other.min_width;
        while self.lines.len() < other.lines.len() {
            self.line();
        }
        for (line, right) in self.lines.iter_mut().zip(other.lines) {
            if right.width > 0 {
                line.text.push_str(&" ".repeat(width - line.width));
                line.text.push_str(&right.text);
                line.width = width + right.width;
            }
        }
        self
    }

    /// Sets the minimum width, which affects blocks put beside this one.
    pub(crate) fn widen(mut self, width: usize) -> Self {
        self.min_width = width;
        self
    }

    /// Aligns the lines to the right of `width` columns.
    pub(crate) fn pad_left(mut self, width: usize) -> Self {
        for line in &mut self.lines {
            let missing = width.saturating_sub(line.width);
            line.text.insert_str(0, &" ".repeat(missing));
            line.width += missing;
        }
        self
    }
}

impl std::fmt::Display for TextBlock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, line) in self.lines.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&line.text)?;
        }
        Ok(())
    }
}

/// Breaks a text into lines of at most `width` columns; a longer word gets its own line.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Table with a heading for each column.
#[derive(Debug)]
pub(crate) struct TextTable {
    /// Headings, each with true if its column is aligned to the right.
    columns: Vec<(String, bool)>,
    rows: Vec<Vec<TextBlock>>,
}

impl TextTable {
    /// Creates a table; columns with `>` before their heading are aligned to the right.
    pub(crate) fn new<S: AsRef<str>>(headings: impl IntoIterator<Item = S>) -> Self {
        let column = |heading: S| match heading.as_ref().strip_prefix('>') {
            Some(heading) => (heading.to_owned(), true),
            None => (heading.as_ref().to_owned(), false),
        };
        Self { columns: headings.into_iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a row with one block per column.
    pub(crate) fn row(&mut self, cells: impl Into<Vec<TextBlock>>) {
        self.rows.push(cells.into());
    }

    /// Column of the values when rows are drawn as lists.
    pub(crate) const INDENT: usize = 16;

    /// Draws the table if it fits `width`, else each row as a list under its first cell.
    pub(crate) fn fitted(self, width: Option<usize>) -> TextBlock {
        let column = |index: usize| {
            let cells = self.rows.iter().map(|row| row[index].width());
            cells.chain([self.columns[index].0.chars().count()]).max().unwrap_or(0)
        };
        let needed: usize = (0..self.columns.len()).map(|index| column(index) + 2).sum::<usize>().saturating_sub(2);
        if width.is_none_or(|width| needed <= width) { self.block() } else { self.stacked() }
    }

    fn stacked(self) -> TextBlock {
        let mut list = TextBlock::default();
        for row in self.rows {
            let mut cells = row.into_iter().zip(&self.columns);
            if let Some((first, _)) = cells.next() {
                list.below(first);
            }
            for (cell, (heading, _)) in cells.filter(|(cell, _)| cell.width() > 0) {
                let heading = TextBlock::new(style::COLUMN, format!("  {heading}")).widen(Self::INDENT - 2);
                list.below(heading.beside(2, cell));
            }
        }
        list
    }

    /// Draws the table, with two spaces between columns.
    pub(crate) fn block(self) -> TextBlock {
        let headings = self.columns.iter().map(|(heading, _)| TextBlock::new(style::COLUMN, heading)).collect();
        let rows: Vec<Vec<TextBlock>> = std::iter::once(headings).chain(self.rows).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut table = TextBlock::default();
        for row in rows {
            let cells = row.into_iter().zip(&self.columns).zip(&widths);
            let cells =
                cells.map(|((cell, (_, right)), &width)| if *right { cell.pad_left(width) } else { cell.widen(width) });
            table.below(cells.reduce(|left, right| left.beside(2, right)).unwrap_or_default());
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligns_blocks() {
        let mut left = TextBlock::new(style::HEADING, "ab");
        left.below(TextBlock::new(style::PLAIN, "c"));
        let mut right = TextBlock::new(style::PLAIN, "1");
        right.below(TextBlock::new(style::PLAIN, "2"));
        right.below(TextBlock::new(style::PLAIN, "3"));
        let text = anstream::adapter::strip_str(&left.beside(1, right).to_string()).to_string();
        assert_eq!(text, "ab 1\nc  2\n   3");
    }

    #[test]
    fn wraps_between_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("incomprehensible is long", 7), ["incomprehensible", "is long"]);
        assert_eq!(wrap("", 7), [""]);
    }

    #[test]
    fn draws_wide_tables_as_lists() {
        let table = || {
            let mut table = TextTable::new(["strategy", ">games", "note"]);
            table.row(["a strategy with a long name", "1,296", ""].map(|text| TextBlock::new(style::PLAIN, text)));
            table
        };
        let plain = |block: TextBlock| anstream::adapter::strip_str(&block.to_string()).to_string();
        assert_eq!(plain(table().fitted(None)).lines().count(), 2);
        assert_eq!(plain(table().fitted(Some(60))).lines().count(), 2);
        let narrow = plain(table().fitted(Some(30)));
        assert_eq!(narrow, "a strategy with a long name\n  games         1,296");
    }
}
