//! One line of text that the player types: the name of a file, or rules.

/// A line being typed, with a cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Line {
    chars: Vec<char>,
    cursor: usize,
}

/// Longer than any name of a file or any rules that a person types.
const LONGEST: usize = 400;

impl Line {
    pub(crate) fn new(text: &str) -> Self {
        let chars: Vec<char> = text.chars().collect();
        Self { cursor: chars.len(), chars }
    }

    pub(crate) fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// The text before and after the cursor.
    pub(crate) fn parts(&self) -> (String, String) {
        let (before, after) = self.chars.split_at(self.cursor);
        (before.iter().collect(), after.iter().collect())
    }

    pub(crate) fn put(&mut self, char: char) {
        if !char.is_control() && self.chars.len() < LONGEST {
            self.chars.insert(self.cursor, char);
            self.cursor += 1;
        }
    }

    pub(crate) fn erase(&mut self) {
        if self.cursor > 0 {
            self.cursor -= 1;
            self.chars.remove(self.cursor);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.chars.clear();
        self.cursor = 0;
    }

    pub(crate) fn go(&mut self, right: bool) {
        self.cursor = if right { (self.cursor + 1).min(self.chars.len()) } else { self.cursor.saturating_sub(1) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_edited_in_the_middle() {
        let mut line = Line::new("4x6");
        line.go(false);
        line.erase();
        line.put('×');
        line.put('\u{7}');
        assert_eq!((line.text().as_str(), line.parts()), ("4×6", ("4×".to_owned(), "6".to_owned())));
    }
}
