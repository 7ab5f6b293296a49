//! A place in a text that is read byte by byte, and what is told when something else stands there.

use super::ImportError;

/// A place in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    /// The byte here, without moving on.
    pub(super) fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(super) fn skip_white_space(&mut self) {
        self.at += self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    /// Whether this byte is the next that is no white space.
    pub(super) fn sees(&mut self, byte: u8) -> bool {
        self.skip_white_space();
        self.byte() == Some(byte)
    }

    /// [`Cursor::sees`], and moves on past it.
    pub(super) fn skips(&mut self, byte: u8) -> bool {
        let found = self.sees(byte);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, byte: u8, what: &str) -> Result<(), ImportError> {
        if self.skips(byte) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// As many bytes as belong together.
    pub(super) fn word(&mut self, belongs: impl Fn(&u8) -> bool) -> String {
        let start = self.at;
        self.at += self.text[start..].iter().take_while(|byte| belongs(byte)).count();
        String::from_utf8_lossy(&self.text[start..self.at]).into_owned()
    }

    /// Something else should be here.
    pub(super) fn expected(&self, what: &str) -> ImportError {
        let found = match self.byte() {
            None => "the text ends".to_owned(),
            Some(byte) => format!("'{}' was found", char::from(byte).escape_default()),
        };
        self.wrong(format!("{what} should be here, and {found}"))
    }

    /// What is wrong here.
    pub(super) fn wrong(&self, what: String) -> ImportError {
        self.wrong_at(self.at, what)
    }

    /// What is wrong at another place.
    pub(super) fn wrong_at(&self, at: usize, what: String) -> ImportError {
        let before = &self.text[..at];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
        ImportError::Syntax { line, column, what }
    }
}
