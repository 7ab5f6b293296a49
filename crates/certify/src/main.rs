//! `pegwise-certify TREE CERTIFICATE`.

use std::{env, fs, io::Write as _, path::Path, process::ExitCode, thread};

const USAGE: &str = "usage: pegwise-certify [--threads N] TREE CERTIFICATE
Checks that a tree reaches its total and that no strategy has a smaller one.
Prints VERIFIED and exits with 0, or NOT VERIFIED with the first fault and exits with 1.";

fn main() -> ExitCode {
    let (text, code) = run().unwrap_or_else(|error| (format!("error: {error}"), 2));
    let written = if code == 2 { writeln!(std::io::stderr(), "{text}") } else { writeln!(std::io::stdout(), "{text}") };
    ExitCode::from(if written.is_ok() { code } else { 2 })
}

/// Returns the verdict and the exit code.
fn run() -> Result<(String, u8), String> {
    let mut threads = thread::available_parallelism().map_or(1, usize::from);
    let (mut files, mut arguments) = (Vec::new(), env::args_os().skip(1));
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("-h" | "--help") => return Ok((USAGE.to_owned(), 0)),
            Some("--threads") => {
                let number = arguments.next().and_then(|number| number.to_str()?.parse().ok());
                threads = number.filter(|number| (1..=1024).contains(number)).ok_or("--threads: write 1 to 1024")?;
            }
            Some(option) if option.starts_with('-') => return Err(format!("{option} is not an option\n{USAGE}")),
            _ => files.push(argument),
        }
    }
    let [tree, certificate] = &files[..] else { return Err(format!("two files are needed\n{USAGE}")) };
    let read = |path| fs::read(path).map_err(|error| format!("{}: {error}", Path::new(path).display()));
    Ok(match pegwise_certify::verify(&read(tree)?, &read(certificate)?, threads)? {
        Ok(proven) => {
            let (rules, total) = (proven.rules, grouped(proven.total));
            (format!("VERIFIED no strategy for {rules} needs fewer than {total} guesses"), 0)
        }
        Err(fault) => (format!("NOT VERIFIED {fault}"), 1),
    })
}

/// Formats a number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", grouped(number / 1000), number % 1000) }
}
