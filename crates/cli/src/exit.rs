//! How the program ends: 0 done, 1 the answer is no, 2 wrong use or bad input, 130 interrupted.
//!
//! An interrupt ends it by the signal itself, which a shell reports as 130 too, unless there is something to save. A reader that has seen enough and closes the
//! pipe is not trouble: that is 0, in silence.

use std::io::{self, Write as _};

use clap::ValueEnum as _;
use serde::Serialize;

use crate::{
    arguments::{Color, Format},
    ui::style,
};

/// How a subcommand that found its answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done,
    /// Done, and the answer is no: not solved, for one.
    No,
    /// Interrupted, with what was finished in a safe place.
    Interrupted,
}

const DONE: u8 = 0;
const NO: u8 = 1;
const WRONG: u8 = 2;
pub(crate) const INTERRUPTED: u8 = 130;

/// Trouble, for programs.
#[derive(Debug, Serialize)]
struct Trouble<'a> {
    error: &'a str,
    exit: u8,
}

/// Reports what a subcommand came to, and gives the exit code.
pub(crate) fn conclude(result: anyhow::Result<Exit>, format: Format) -> u8 {
    match result {
        Ok(Exit::Done) => DONE,
        Ok(Exit::No) => NO,
        Ok(Exit::Interrupted) => INTERRUPTED,
        Err(error) => report(&error, format),
    }
}

/// Prints help, the version, or what is wrong with the arguments.
pub(crate) fn usage(error: &clap::Error, format: Format) -> u8 {
    if !error.use_stderr() {
        // Nobody is left to tell when this cannot be written.
        let _ = error.print();
        return DONE;
    }
    match format {
        Format::Text => drop(error.print()),
        Format::Json => {
            let text = error.to_string();
            tell(text.trim_start_matches("error:").trim());
        }
    }
    WRONG
}

/// What wrong arguments still say of how the error is to be printed.
pub(crate) fn wishes(words: impl Iterator<Item = String>) -> (Format, Color) {
    let words: Vec<String> = words.take_while(|word| word != "--").collect();
    let value = |option: &str| {
        let after = |word: &String| word.strip_prefix(option)?.strip_prefix('=').map(str::to_owned);
        let pair = |pair: &[String]| (pair[0] == option).then(|| pair[1].clone());
        words.iter().find_map(after).or_else(|| words.windows(2).find_map(pair))
    };
    let format = value("--format").and_then(|text| Format::from_str(&text, false).ok());
    let color = value("--color").and_then(|text| Color::from_str(&text, false).ok());
    (format.unwrap_or_default(), color.unwrap_or_default())
}

fn report(error: &anyhow::Error, format: Format) -> u8 {
    if is_broken_pipe(error) {
        return DONE;
    }
    match format {
        // Nobody is left to tell when this cannot be written.
        Format::Text => drop(writeln!(anstream::stderr(), "{} {error:#}", style::paint(style::ERROR, "error:"))),
        Format::Json => tell(&format!("{error:#}")),
    }
    WRONG
}

/// Trouble as a line of JSON, on the standard error like all trouble.
fn tell(error: &str) {
    if let Ok(line) = serde_json::to_string(&Trouble { error, exit: WRONG }) {
        // Nobody is left to tell when this cannot be written.
        let _ = writeln!(io::stderr(), "{line}");
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|io| io.kind() == io::ErrorKind::BrokenPipe)
}
