//! Terminal output: styled text, tables, boards, numbers and progress.
//!
//! All text is styled; [`Screen`] removes the styles if standard output is not a terminal or `NO_COLOR` is set. Code
//! that depends on this, such as the drawing of pegs, looks at [`ScreenInfo`].

mod board;
pub(crate) mod number;
mod progress;
pub(crate) mod style;
pub(crate) mod text;

use std::{
    io::{self, IsTerminal as _, StdoutLock, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;
use serde_json::Value;

pub(crate) use self::{
    board::{BoardRenderer, cell_rows},
    progress::ProgressDisplay,
    text::{TextBlock, TextTable},
};
use crate::{arguments::OutputFormat, exit::Exit};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Turns progress and notes off.
pub(crate) fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Properties of the output device.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScreenInfo {
    /// True if colors are used.
    pub(crate) color: bool,
    /// Width of standard output in columns, if it is a terminal.
    pub(crate) width: Option<usize>,
}

/// Locked standard output.
pub(crate) struct Screen {
    out: AutoStream<StdoutLock<'static>>,
    info: ScreenInfo,
}

impl Screen {
    pub(crate) fn new() -> Self {
        let stdout = io::stdout();
        let columns = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        let width = if stdout.is_terminal() { columns() } else { None };
        let out = AutoStream::auto(stdout.lock());
        let info = ScreenInfo { color: out.current_choice() != ColorChoice::Never, width };
        Self { out, info }
    }

    pub(crate) fn info(&self) -> ScreenInfo {
        self.info
    }

    /// Returns the columns left after `before`, unlimited in a pipe.
    pub(crate) fn text_width(&self, before: usize) -> usize {
        const MIN: usize = 24;
        self.info.width.map_or(usize::MAX, |width| width.saturating_sub(before).max(MIN))
    }

    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value)?;
        writeln!(self, "{text}")
    }

    /// Writes a table, as lists if it is wider than the terminal.
    pub(crate) fn table(&mut self, table: TextTable) -> io::Result<()> {
        let table = table.fitted(self.info.width);
        writeln!(self, "{table}")
    }

    pub(crate) fn paragraph(&mut self, style: anstyle::Style, text: &str) -> io::Result<()> {
        let paragraph = TextBlock::wrapped(style, text, self.text_width(0));
        writeln!(self, "{paragraph}")
    }

    /// Writes lines of a label and a wrapped text; labels take `width` columns.
    pub(crate) fn facts(&mut self, width: usize, facts: &[(&str, String)]) -> io::Result<()> {
        for (label, fact) in facts {
            let fact = TextBlock::wrapped(style::PLAIN, fact, self.text_width(width));
            let label = TextBlock::new(style::DIM, label).widen(width);
            writeln!(self, "{}", label.beside(0, fact))?;
        }
        Ok(())
    }

    /// Writes a note, unless notes are turned off.
    pub(crate) fn note(&mut self, text: impl std::fmt::Display) -> io::Result<()> {
        if is_quiet() { Ok(()) } else { writeln!(self, "{}", style::paint(style::DIM, text)) }
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns a JSON object with the fields of both values.
pub(crate) fn merged(value: &impl Serialize, more: Value) -> serde_json::Result<Value> {
    let mut fields = serde_json::to_value(value)?;
    if let (Value::Object(fields), Value::Object(more)) = (&mut fields, more) {
        fields.extend(more);
    }
    Ok(fields)
}

/// Prints `value` as JSON, or calls `show` for text. Returns success.
pub(crate) fn print(
    format: OutputFormat,
    value: &impl Serialize,
    show: impl FnOnce(&mut Screen) -> io::Result<()>,
) -> anyhow::Result<Exit> {
    let mut screen = Screen::new();
    if format == OutputFormat::Json {
        screen.json(value)?;
    } else {
        show(&mut screen)?;
    }
    Ok(Exit::Success)
}

/// Returns the width of standard error in columns, if it is a terminal.
pub(crate) fn stderr_width() -> Option<usize> {
    let stderr = io::stderr();
    let columns = || terminal_size::terminal_size_of(&stderr).map(|(width, _)| usize::from(width.0));
    if stderr.is_terminal() { columns() } else { None }
}
