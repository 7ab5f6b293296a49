//! `pegwise tree verify`: what a tree achieves, shown by replay.

use std::io::Write as _;

use pegwise_game::Rules;
use pegwise_solve::tree::{self, VerifyError};
use serde::Serialize;

use super::{file::Source, report::Report};
use crate::{
    arguments::Format,
    exit::Exit,
    ui::{Screen, style},
};

/// Check a tree by playing it against every code.
///
/// Every code must be reached exactly once and won, every branch must be a feedback that can be, and the totals must be
/// those that the file claims. That no better tree exists is a claim that a replay cannot check.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tree file, or - for the standard input.
    file: Source,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise tree verify knuth.tree                 what it achieves
  pegwise tree verify knuth.tree --format json   for programs

Exits with 1 when the tree is not what it should be, and with 2 when the file
cannot be read.";

/// A verdict for programs.
#[derive(Debug, Serialize)]
struct Answer {
    verified: bool,
    #[serde(flatten)]
    report: Report,
    /// Positions of the tree.
    positions: u64,
}

/// A refusal for programs.
#[derive(Debug, Serialize)]
struct Refusal<'a> {
    verified: bool,
    rules: &'a Rules,
    made_by: &'a str,
    reason: String,
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let file = args.file.load()?;
    let verdict = tree::verify(&file);
    let mut screen = Screen::new();
    match (verdict, format) {
        (Err(error @ VerifyError::Table(_)), _) => Err(error.into()),
        (Ok(verdict), Format::Json) => {
            let positions = verdict.nodes;
            screen.json(&Answer { verified: true, report: Report::of_verdict(&file, verdict), positions })?;
            Ok(Exit::Done)
        }
        (Ok(verdict), Format::Text) => {
            let report = Report::of_verdict(&file, verdict);
            report.show(&report.claims(), &mut screen)?;
            let verified = style::paint(style::GOOD, "Verified: every code is reached once, and won.");
            writeln!(screen, "\n{verified}")?;
            Ok(Exit::Done)
        }
        (Err(error), Format::Json) => {
            let (rules, made_by) = (&file.tree.rules, file.made_by.as_str());
            screen.json(&Refusal { verified: false, rules, made_by, reason: error.to_string() })?;
            Ok(Exit::No)
        }
        (Err(error), Format::Text) => {
            writeln!(screen, "{} {error}", style::paint(style::BAD, format!("{} is not verified:", args.file)))?;
            Ok(Exit::No)
        }
    }
}
