//! `pegwise`: plays, solves and studies Mastermind.

use std::process::ExitCode;

fn main() -> ExitCode {
    pegwise_solve::clock::start_from_environment();
    pegwise::run(std::env::args_os()).into()
}
