//! `pegwise-elaborate TREE CERTIFICATE`.

use std::{env, fs, io::Write as _, path::Path, process::ExitCode};

use pegwise_certify::{Board, Certificate, replay};

mod coq;
mod expand;

const USAGE: &str = "usage: pegwise-elaborate TREE CERTIFICATE
Prints a tree and its certificate of optimality as data for the checker in proofs/, which is proven correct in Coq.
Nothing printed is trusted: Coq checks every step.";

fn main() -> ExitCode {
    let (text, code) = match run() {
        Ok(text) => (text, ExitCode::SUCCESS),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            return ExitCode::from(2);
        }
    };
    if std::io::stdout().write_all(text.as_bytes()).is_ok() { code } else { ExitCode::from(2) }
}

fn run() -> Result<String, String> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    if arguments.iter().any(|argument| argument == "-h" || argument == "--help") {
        return Ok(format!("{USAGE}\n"));
    }
    let [tree, certificate] = &arguments[..] else { return Err(format!("two files are needed\n{USAGE}")) };
    let read = |path| fs::read(path).map_err(|error| format!("{}: {error}", Path::new(path).display()));
    let certificate = Certificate::from_bytes(&read(certificate)?)?;
    let board = Board::new(&certificate.rules)?;
    if certificate.rules != format!("{}x{}", board.pegs, board.colors) || board.pegs > 8 || board.colors > 8 {
        let rules = certificate.rules;
        return Err(format!("{rules}: only the classic rules with at most 8 pegs and 8 colors can be elaborated"));
    }
    if board.codes.len() > 1 << coq::RANK_BITS {
        return Err(format!("{}: more than {} codes are too many", board.rules, 1 << coq::RANK_BITS));
    }
    let (total, guesses) = replay(&board, &read(tree)?)?;
    if total != certificate.total {
        return Err(format!("the tree takes {total} guesses, and the certificate claims {}", certificate.total));
    }
    let proof = expand::expand(&board, &certificate)?;
    coq::print(&board, &proof, &guesses)
}
