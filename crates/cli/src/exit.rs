//! How the program ends: 0 done, 1 the answer is no, 2 wrong use or bad input, 130 interrupted.
//!
//! An interrupt ends it by the signal itself, which a shell reports as 130 too, unless there is something to save. A reader that has seen enough and closes the
//! pipe is not trouble: that is 0, in silence.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use crate::ui::style;

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

const NO: u8 = 1;
const WRONG: u8 = 2;
pub(crate) const INTERRUPTED: u8 = 130;

/// Reports what a subcommand came to, and gives the exit code.
pub(crate) fn conclude(result: anyhow::Result<Exit>) -> ExitCode {
    match result {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::No) => NO.into(),
        Ok(Exit::Interrupted) => INTERRUPTED.into(),
        Err(error) => report(&error).into(),
    }
}

/// Prints help, the version, or what is wrong with the arguments.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    // Nobody is left to tell when this cannot be written.
    let _ = error.print();
    if error.use_stderr() { WRONG.into() } else { ExitCode::SUCCESS }
}

fn report(error: &anyhow::Error) -> u8 {
    if is_broken_pipe(error) {
        return 0;
    }
    // Nobody is left to tell when this cannot be written.
    let _ = writeln!(anstream::stderr(), "{} {error:#}", style::paint(style::ERROR, "error:"));
    WRONG
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|io| io.kind() == io::ErrorKind::BrokenPipe)
}
