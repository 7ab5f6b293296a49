//! The terminal: taken over for the game, and given back as it was on every way out, a panic included.

use std::{
    io::{self, Stdout, Write as _},
    panic,
    sync::atomic::{AtomicBool, Ordering},
};

use ratatui::{
    Terminal,
    backend::CrosstermBackend,
    crossterm::{
        cursor::{Hide, Show},
        event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture},
        execute,
        terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
    },
};

/// Whether the terminal is ours. A panic gives it back in the middle of things, and then the end has nothing left to
/// do.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while the game has it.
pub(super) struct Takeover {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Takeover {
    /// Takes the terminal: raw keys, the mouse, and a screen of its own that leaves what was there alone.
    pub(super) fn begin() -> io::Result<Self> {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            report(info);
        }));
        TAKEN.store(true, Ordering::SeqCst);
        let begun = enable_raw_mode().and_then(|()| {
            execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste, Hide)?;
            Terminal::new(CrosstermBackend::new(io::stdout()))
        });
        match begun {
            Ok(terminal) => Ok(Self { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    /// What to draw on.
    pub(super) fn terminal(&mut self) -> &mut Terminal<CrosstermBackend<Stdout>> {
        &mut self.terminal
    }

    /// Puts a text on the clipboard, on terminals that allow it; others ignore it.
    pub(super) fn copy(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout();
        write!(out, "\x1b]52;c;{}\x07", base64(text.as_bytes()))?;
        out.flush()
    }
}

impl Drop for Takeover {
    fn drop(&mut self) {
        give_back();
    }
}

fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // Whatever fails, the rest is still worth trying; nobody is left to tell.
        let _ = execute!(io::stdout(), DisableBracketedPaste, DisableMouseCapture, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// The encoding that terminals expect of a clipboard.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let filled = digit <= chunk.len();
            text.push(if filled { char::from(DIGITS[(word >> (18 - 6 * digit)) as usize % 64]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_what_others_write() {
        let coded = ["", "M", "Ma", "Man", "pegs"].map(|text| base64(text.as_bytes()));
        assert_eq!(coded, ["", "TQ==", "TWE=", "TWFu", "cGVncw=="]);
    }
}
