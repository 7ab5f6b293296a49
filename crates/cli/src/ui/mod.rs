//! What people see: the screen, and what is drawn on it.
//!
//! Everything is drawn with styles, and the [`Screen`] drops them where there is no terminal or where `NO_COLOR` asks for
//! it. The few things that need to know beforehand, such as pegs, which are blocks of color or else plain digits, look at
//! [`Look`].

pub(crate) mod block;
mod board;
pub(crate) mod number;
pub(crate) mod palette;
mod progress;
pub(crate) mod style;
mod table;
mod transcript;

use std::io::{self, IsTerminal as _, StdoutLock, Write};

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;

pub(crate) use self::{
    block::Block,
    board::Drawing,
    progress::Progress,
    table::{Align, Table},
    transcript::Transcript,
};

/// What the screen can show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// Whether there is color.
    pub(crate) color: bool,
    /// Columns of the terminal, if it is one.
    pub(crate) width: Option<usize>,
}

/// The standard output, held for as long as the program writes its answer.
pub(crate) struct Screen {
    out: AutoStream<StdoutLock<'static>>,
    look: Look,
}

impl Screen {
    pub(crate) fn new() -> Self {
        let stdout = io::stdout();
        let columns = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        let width = if stdout.is_terminal() { columns() } else { None };
        let out = AutoStream::auto(stdout.lock());
        let look = Look { color: out.current_choice() != ColorChoice::Never, width };
        Self { out, look }
    }

    pub(crate) fn look(&self) -> Look {
        self.look
    }

    /// What a line leaves for text after this many columns; in a pipe it has no end.
    pub(crate) fn text_width(&self, before: usize) -> usize {
        const LEAST: usize = 24;
        self.look.width.map_or(usize::MAX, |width| width.saturating_sub(before).max(LEAST))
    }

    /// Writes an answer for programs: JSON on one line.
    pub(crate) fn json(&mut self, answer: &impl Serialize) -> anyhow::Result<()> {
        let text = serde_json::to_string(answer)?;
        writeln!(self, "{text}")?;
        Ok(())
    }
}

/// Columns for trouble, where it goes to a terminal.
pub(crate) fn trouble_width() -> Option<usize> {
    let stderr = io::stderr();
    let columns = || terminal_size::terminal_size_of(&stderr).map(|(width, _)| usize::from(width.0));
    if stderr.is_terminal() { columns() } else { None }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
