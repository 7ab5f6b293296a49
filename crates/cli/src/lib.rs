//! The `pegwise` command: plays, solves and studies Mastermind.
//!
//! Each subcommand is one module with its arguments, its text output and its JSON output. [`run`] is the only public
//! function; the package for Python calls it, too.
//!
//! ```
//! let exit_code = pegwise::run(["pegwise", "hint", "4x6", "1122=1,1"].map(Into::into));
//! assert_eq!(exit_code, 0);
//! ```

/// Examples after the help of a subcommand, under a heading.
macro_rules! examples {
    ($text:literal) => {
        concat!("\x1b[1;4mExamples:\x1b[0m", $text)
    };
}

mod analyze;
mod arguments;
mod check_scorer;
mod codemaker;
mod contradiction;
mod engine;
mod exit;
mod files;
mod hint;
mod identify_rules;
mod lab;
mod manual;
mod play;
mod serve;
mod settings;
mod solve;
mod static_;
mod strategies;
mod tree;
mod ui;

use std::{ffi::OsString, io::Write as _};

use clap::{Parser, Subcommand};

use crate::{
    arguments::{ColorMode, OutputFormat},
    exit::Exit,
};

/// Plays, solves and studies Mastermind: any board, any size.
///
/// Rules are written as 4x6 (4 pegs, 6 colors), 4x10:no-repeats, 20x20:black-only or grid:4x4x6; codes as 1123, AABC or
/// 1,12,3; a turn as 1122=2,1: the guess, then its black and white pegs.
#[derive(Parser)]
#[command(name = "pegwise", version, propagate_version = true, after_help = examples!("
  pegwise                              overview, and a sample game
  pegwise solve 4x6 --strategy knuth   a game against a random secret
  pegwise play                         a game in the terminal
  pegwise hint 4x6 1122=1,1 1344=0,2   the next guess for a game
  pegwise analyze 1122=1,1 1344=0,2    a rating of each guess
  pegwise tree build 4x6 --optimal     a strategy tree that is proven optimal
  pegwise lab bench                    a benchmark of every strategy
  pegwise serve                        the game in a browser
  pegwise strategies                   the list of strategies

Exit codes: 0 success, 1 negative result, 2 wrong usage or bad input, 130 interrupted."))]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// Output format: text or json [default: text].
    #[arg(long, global = true, value_name = "FORMAT", help_heading = GLOBAL)]
    #[arg(value_parser = arguments::one_of(&[OutputFormat::Text, OutputFormat::Json]), hide_possible_values = true)]
    format: Option<OutputFormat>,

    /// Print JSON; the same as --format json.
    #[arg(long, global = true, conflicts_with = "format", help_heading = GLOBAL)]
    json: bool,

    /// Print no progress and no notes.
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    quiet: bool,

    /// Use colors: on a terminal (auto), always, or never.
    #[arg(long, value_enum, global = true, default_value_t, value_name = "WHEN", hide_possible_values = true)]
    #[arg(help_heading = GLOBAL)]
    color: ColorMode,
}

/// Heading of the options that all subcommands have.
const GLOBAL: &str = "Global options";

#[derive(Subcommand)]
enum Command {
    Solve(solve::Args),
    Play(play::Args),
    Hint(hint::Args),
    Analyze(analyze::Args),
    Static(static_::Args),
    CheckScorer(check_scorer::Args),
    IdentifyRules(identify_rules::Args),
    Engine(engine::Args),
    Tree(tree::Args),
    Lab(lab::Args),
    Serve(serve::Args),
    Strategies(strategies::Args),
    Settings(settings::Args),
    Completions(manual::CompletionArgs),
    Manual(manual::Args),
}

/// Runs the command and returns its exit code. The first argument is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match Cli::try_parse_from(&arguments) {
        Ok(cli) => {
            cli.color.apply();
            ui::set_quiet(cli.quiet);
            let format = if cli.json { Some(OutputFormat::Json) } else { cli.format };
            let result = dispatch(cli.command, format);
            // The end of the process would flush, but not report an error.
            let flushed = std::io::stdout().flush();
            let result = result.and_then(|exit| flushed.map(|()| exit).map_err(Into::into));
            exit::conclude(result, format.unwrap_or(OutputFormat::Text))
        }
        Err(error) => {
            let words: Vec<String> = arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
            let (format, color) = exit::output_options(&words);
            color.apply();
            exit::usage(&error, &words, format)
        }
    }
}

fn dispatch(command: Option<Command>, given: Option<OutputFormat>) -> anyhow::Result<Exit> {
    let format = given.unwrap_or(OutputFormat::Text);
    match command {
        None => solve::welcome(format),
        Some(Command::Solve(args)) => solve::run(args, format),
        Some(Command::Hint(args)) => hint::run(args, format),
        Some(Command::Analyze(args)) => analyze::run(&args, format),
        Some(Command::Static(args)) => static_::run(&args, format),
        Some(Command::CheckScorer(args)) => check_scorer::run(&args, format),
        Some(Command::IdentifyRules(args)) => identify_rules::run(&args, format),
        Some(Command::Engine(args)) => engine::run(&args),
        Some(Command::Tree(args)) => tree::run(args, given),
        Some(Command::Lab(args)) => lab::run(args, given),
        Some(Command::Serve(args)) => serve::run(args, format),
        Some(Command::Strategies(args)) => strategies::run(&args, format),
        Some(Command::Settings(args)) => settings::run(&args, format),
        Some(Command::Play(_) | Command::Completions(_) | Command::Manual(_)) if format == OutputFormat::Json => {
            anyhow::bail!("this command has no JSON output; omit --format")
        }
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Completions(args)) => manual::completions(&args),
        Some(Command::Manual(args)) => manual::run(&args),
    }
}
