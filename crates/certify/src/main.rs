//! `pegwise-certify TREE CERTIFICATE`.

use std::{env, fs, io::Write as _, process::ExitCode, thread};

const USAGE: &str = "usage: pegwise-certify [--threads N] TREE CERTIFICATE
Checks that a tree reaches its total and that no strategy has a smaller one.
Prints VERIFIED and exits with 0, or NOT VERIFIED with the first fault and exits with 1.";

fn main() -> ExitCode {
    match run() {
        Ok((verdict, code)) => {
            let written = writeln!(std::io::stdout(), "{verdict}");
            if written.is_ok() { code } else { ExitCode::from(2) }
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(String, ExitCode), String> {
    let mut threads = thread::available_parallelism().map_or(1, usize::from);
    let (mut files, mut arguments) = (Vec::new(), env::args_os().skip(1));
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("-h" | "--help") => return Ok((USAGE.to_owned(), ExitCode::SUCCESS)),
            Some("--threads") => {
                let number = arguments.next().and_then(|number| number.to_str()?.parse().ok());
                threads = number.filter(|number| (1..=1024).contains(number)).ok_or("--threads: write 1 to 1024")?;
            }
            Some(option) if option.starts_with('-') => return Err(format!("{option} is not an option\n{USAGE}")),
            _ => files.push(argument),
        }
    }
    let [tree, certificate] = &files[..] else { return Err(format!("two files are needed\n{USAGE}")) };
    let read = |path| fs::read(path).map_err(|error| format!("{}: {error}", std::path::Path::new(path).display()));
    Ok(match pegwise_certify::verify(&read(tree)?, &read(certificate)?, threads)? {
        Ok(certified) => {
            let (rules, total) = (certified.rules, grouped(certified.total));
            (format!("VERIFIED no strategy for {rules} needs fewer than {total} guesses"), ExitCode::SUCCESS)
        }
        Err(fault) => (format!("NOT VERIFIED {fault}"), ExitCode::from(1)),
    })
}

/// Formats a number with commas between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let comma = |at: usize| if at > 0 && (digits.len() - at).is_multiple_of(3) { "," } else { "" };
    digits.char_indices().map(|(at, digit)| format!("{}{digit}", comma(at))).collect()
}
