//! `pegwise`: plays, solves and studies Mastermind.

use std::process::ExitCode;

fn main() -> ExitCode {
    pegwise::run(std::env::args_os()).into()
}
