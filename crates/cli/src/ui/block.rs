//! Blocks of text that stand side by side.

use anstyle::Style;

use super::style;

/// Lines of styled text that know how wide they are, so that blocks line up whatever their styles.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    lines: Vec<Line>,
    least_width: usize,
}

#[derive(Debug, Clone, Default)]
struct Line {
    text: String,
    width: usize,
}

impl Block {
    /// One line in one style.
    pub(crate) fn new(style: Style, text: impl AsRef<str>) -> Self {
        let mut block = Self::default();
        block.line();
        block.push(style, text);
        block
    }

    /// A text broken into lines of at most this width.
    pub(crate) fn wrapped(style: Style, text: &str, width: usize) -> Self {
        let mut block = Self::default();
        for line in wrap(text, width) {
            block.below(Self::new(style, line));
        }
        block
    }

    /// Starts another line.
    pub(crate) fn line(&mut self) {
        self.lines.push(Line::default());
    }

    /// Adds text to the last line.
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

    /// Adds spaces to the last line.
    pub(crate) fn space(&mut self, width: usize) {
        self.push(style::PLAIN, " ".repeat(width));
    }

    /// Puts another block under this one.
    pub(crate) fn below(&mut self, other: Self) {
        self.lines.extend(other.lines);
    }

    /// The width of the widest line, or what the block was widened to.
    pub(crate) fn width(&self) -> usize {
        self.lines.iter().map(|line| line.width).max().unwrap_or(0).max(self.least_width)
    }

    /// How many lines.
    pub(crate) fn height(&self) -> usize {
        self.lines.len()
    }

    /// The width of the last line.
    pub(crate) fn last_width(&self) -> usize {
        self.lines.last().map_or(0, |line| line.width)
    }

    /// This block with another to its right, the first lines level, and at least `gap` between them.
    pub(crate) fn beside(mut self, gap: usize, other: Self) -> Self {
        let width = self.width() + gap;
        self.least_width = width + other.least_width;
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

    /// The block taken to be at least this wide: what is put beside it keeps that distance.
    pub(crate) fn widen(mut self, width: usize) -> Self {
        self.least_width = width;
        self
    }

    /// The block made at least this wide, by spaces before its lines.
    pub(crate) fn pad_left(mut self, width: usize) -> Self {
        for line in &mut self.lines {
            let missing = width.saturating_sub(line.width);
            line.text.insert_str(0, &" ".repeat(missing));
            line.width += missing;
        }
        self
    }
}

/// The lines end to end; the last has no line break, so that more can follow on it.
impl std::fmt::Display for Block {
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

/// Breaks a text between words into lines of at most this width; a longer word has a line of its own.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_line_up() {
        let mut left = Block::new(style::HEADING, "ab");
        left.below(Block::new(style::PLAIN, "c"));
        let mut right = Block::new(style::PLAIN, "1");
        right.below(Block::new(style::PLAIN, "2"));
        right.below(Block::new(style::PLAIN, "3"));
        let text = anstream::adapter::strip_str(&left.beside(1, right).to_string()).to_string();
        assert_eq!(text, "ab 1\nc  2\n   3");
    }

    #[test]
    fn long_texts_wrap_between_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("incomprehensible is long", 7), ["incomprehensible", "is long"]);
        assert_eq!(wrap("", 7), [""]);
    }
}
