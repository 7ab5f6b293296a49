//! Exit codes, error output, and interrupts: 0 success, 1 negative result, 2 wrong usage or bad input, 130 interrupted;
//! docs/notation.md has the table.
//!
//! Without anything to save, an interrupt ends the process by its signal, which shells also report as 130. A closed
//! pipe is not an error.

use std::{
    io::{self, Write as _},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use clap::{
    ValueEnum as _,
    error::{ContextKind, ContextValue},
};
use pegwise_lab::external::kill_programs;
use serde_json::json;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
    iterator::Signals,
    low_level,
};

use crate::{
    arguments::{ColorMode, OutputFormat},
    ui::style,
};

/// Result of a subcommand that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Success,
    /// The result is negative: for example, the game was not solved.
    Negative,
    /// Ended by an interrupt; finished work is saved.
    Interrupted,
    /// Bad input that was already reported on standard output.
    Reported,
}

const WRONG: u8 = 2;
const INTERRUPTED: u8 = 130;

impl Exit {
    /// Returns success if `positive`, else a negative result.
    pub(crate) fn from_result(positive: bool) -> Self {
        if positive { Self::Success } else { Self::Negative }
    }
}

/// Reports an error, and returns the exit code.
pub(crate) fn conclude(result: anyhow::Result<Exit>, format: OutputFormat) -> u8 {
    match result {
        Ok(Exit::Success) => 0,
        Ok(Exit::Negative) => 1,
        Ok(Exit::Reported) => WRONG,
        Ok(Exit::Interrupted) => INTERRUPTED,
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) => {
            report(&format!("{error:#}"), format);
            WRONG
        }
    }
}

/// Prints help, the version, or a usage error, and returns the exit code.
pub(crate) fn usage(error: &clap::Error, words: &[String], format: OutputFormat) -> u8 {
    if !error.use_stderr() {
        return conclude(error.print().map(|()| Exit::Success).map_err(Into::into), format);
    }
    match (replacement(error, words), format) {
        (Some(text), _) => report(&text, format),
        (None, OutputFormat::Json) => report(error.to_string().trim_start_matches("error:").trim(), format),
        (None, _) => drop(error.print()),
    }
    WRONG
}

/// Options of earlier versions: subcommand, old spelling, new spelling.
const REPLACED: &[(&str, &str, &str)] = &[
    ("solve", "--time-limit", "--time-per-guess"),
    ("hint", "--time-limit", "--time-per-guess"),
    ("hint", "-a", "--alternatives"),
    ("analyze", "--time-limit", "--time-per-guess"),
    ("analyze", "--svg", "-o FILE"),
    ("play", "--time-limit", "--time-per-guess"),
    ("play", "--from", "--load"),
    ("static", "--proof", "--max-nodes"),
    ("strategies", "--rules", "`pegwise strategies RULES`"),
    ("serve", "--store", "`pegwise serve STORE`"),
    ("serve", "--time-limit", "--request-timeout"),
    ("serve", "--workers", "--threads"),
    ("serve", "--max-connections-each", "--max-connections-per-client"),
    ("tree build", "--from", "--start"),
    ("tree show", "-d", "--depth"),
    ("tree export", "--to", "--format"),
    ("tree import", "--rules", "`pegwise tree import FILE RULES`"),
    ("tree split", "-p", "--parts"),
    ("lab run", "--rules", "`pegwise lab run RULES...`"),
    ("lab run", "--store", "-o STORE"),
    ("lab run", "--time-limit", "--time-per-guess"),
    ("lab report", "--store", "`pegwise lab report STORE`"),
    ("lab report", "--to", "--format"),
    ("lab report", "--html", "-o FILE.html"),
    ("lab report", "--markdown", "-o FILE.md"),
    ("lab plot", "--store", "`pegwise lab plot STORE`"),
    ("lab plot", "--rules", "`pegwise lab plot STORE RULES`"),
    ("lab plot", "--to", "--format"),
    ("lab export", "--store", "`pegwise lab export STORE`"),
    ("lab export", "--to", "--format"),
    ("lab reproduce", "--markdown", "-o FILE"),
    ("lab reproduce", "--time-limit", "--time-per-guess"),
    ("manual", "--folder", "-o FOLDER"),
];

/// Returns a message if the error is an option of an earlier version.
fn replacement(error: &clap::Error, words: &[String]) -> Option<String> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return None };
    let names: Vec<&str> = words.iter().filter(|word| !word.starts_with('-')).map(String::as_str).collect();
    let is_here = |command: &str| {
        let command: Vec<&str> = command.split(' ').collect();
        names.windows(command.len()).any(|names| names == command)
    };
    let (_, old, new) =
        REPLACED.iter().find(|(command, old, _)| is_here(command) && option.split('=').next() == Some(old))?;
    let new = if new.starts_with('`') { (*new).to_owned() } else { format!("'{new}'") };
    Some(format!("'{old}' was replaced by {new}"))
}

/// Returns the output format and the use of colors that invalid arguments ask for.
pub(crate) fn output_options(words: &[String]) -> (OutputFormat, ColorMode) {
    let words: Vec<&str> = words.iter().map(String::as_str).take_while(|word| *word != "--").collect();
    let value = |option: &str| {
        let joined = words.iter().find_map(|word| word.strip_prefix(option)?.strip_prefix('='));
        joined.or_else(|| words.windows(2).find_map(|pair| (pair[0] == option).then_some(pair[1])))
    };
    let is_json = words.contains(&"--json") || value("--format") == Some("json");
    let color = value("--color").and_then(|text| ColorMode::from_str(text, false).ok());
    (if is_json { OutputFormat::Json } else { OutputFormat::Text }, color.unwrap_or_default())
}

/// Writes an error to standard error, as one line of JSON if `format` is JSON.
fn report(error: &str, format: OutputFormat) {
    // A failure to write cannot be reported.
    let _ = match format {
        OutputFormat::Json => writeln!(io::stderr(), "{}", json!({ "error": error, "exit": WRONG })),
        _ => writeln!(anstream::stderr(), "{} {error}", style::paint(style::ERROR, "error:")),
    };
}

/// Writes a warning and some advice to standard error.
pub(crate) fn warn(what: impl std::fmt::Display, advice: impl std::fmt::Display) {
    // A failure to write cannot be reported.
    let _ = writeln!(anstream::stderr(), "{}\n  {advice}", style::paint(style::BAD, what));
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|io| io.kind() == io::ErrorKind::BrokenPipe)
}

/// Time within which signals count as one interrupt: `timeout` and some shells signal the process and its group.
const SAME_INTERRUPT: Duration = Duration::from_millis(200);

/// Returns a flag that the first interrupt sets, so that work can be saved. A second interrupt ends the process.
///
/// Uses `signal-hook` rather than `ctrlc` because it also handles `SIGTERM` and leaves `SIGHUP` to `nohup`.
pub(crate) fn interrupt_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let raised = Arc::new(AtomicBool::new(false));
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("signals cannot be handled")?;
    let watched = Arc::clone(&raised);
    thread::spawn(move || {
        let mut signals = signals.forever();
        if signals.next().is_none() {
            return;
        }
        watched.store(true, Ordering::Relaxed);
        let first = Instant::now();
        if signals.any(|_| first.elapsed() > SAME_INTERRUPT) {
            kill_programs();
            low_level::exit(INTERRUPTED.into());
        }
    });
    Ok(raised)
}

/// Ends external programs before an interrupt ends this process: signals of the terminal do not reach them.
pub(crate) fn kill_programs_on_interrupt() -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("signals cannot be handled")?;
    thread::spawn(move || {
        for signal in signals.forever() {
            kill_programs();
            // Does not return unless the signal is ignored by default, which none of these is.
            let _ = low_level::emulate_default_handler(signal);
        }
    });
    Ok(())
}

/// Returns a flag that every interrupt sets, for work that polls it and has a terminal to restore.
pub(crate) fn polled_interrupt_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let raised = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        flag::register(signal, Arc::clone(&raised))?;
    }
    Ok(raised)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::Cli;

    #[test]
    fn replaced_options_name_their_replacement() {
        for (command, old, _) in REPLACED {
            let words: Vec<String> = command.split(' ').chain([*old, "x"]).map(str::to_owned).collect();
            let error = Cli::try_parse_from(std::iter::once("pegwise").chain(words.iter().map(String::as_str))).err();
            let error = error.expect("an unknown option");
            assert!(replacement(&error, &words).is_some(), "{words:?}: {error}");
        }
    }
}
