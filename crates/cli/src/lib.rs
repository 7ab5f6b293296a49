//! `pegwise`: plays, solves and studies Mastermind.
//!
//! One file a subcommand: it holds the arguments, the text and the JSON of that subcommand, and a line below runs it.
//! [`ui`] draws, [`exit`] says how the program ends, and the libraries do the work.

mod analyze;
mod arguments;
mod codemaker;
mod completions;
mod engine;
mod exit;
mod game;
mod hint;
mod interrupt;
mod lab;
mod manual;
mod mended;
mod outsider;
mod peer;
mod play;
mod rules;
mod secrets;
mod serve;
mod settings;
mod solve;
mod static_;
mod strategies;
mod text_file;
mod tree;
mod turns;
mod ui;
mod welcome;

use std::{ffi::OsString, io::Write as _};

use clap::{Parser, Subcommand};

use crate::{
    arguments::{Color, Format},
    exit::Exit,
};

/// Plays, solves and studies Mastermind: any board, any size.
///
/// Rules are written as 4x6 (4 pegs, 6 colors), 4x10:no-repeats, 20x20:black-only or grid:4x4x6; codes as 1123, AABC or
/// 1,12,3; a turn as 1122=2,1: the guess, then its black and its white pegs.
#[derive(Parser)]
#[command(name = "pegwise", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// How the answer is printed: for people, or for programs.
    #[arg(long, value_enum, global = true, default_value_t, value_name = "FORMAT")]
    format: Format,

    /// When there is color: on a terminal, always, or never.
    #[arg(long, value_enum, global = true, default_value_t, value_name = "WHEN", hide_possible_values = true)]
    color: Color,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Args),
    Play(play::Args),
    Hint(hint::Args),
    Analyze(analyze::Args),
    Static(static_::Args),
    Engine(engine::Args),
    Tree(tree::Args),
    Lab(lab::Args),
    Serve(serve::Args),
    Strategies(strategies::Args),
    Settings(settings::Args),
    Completions(completions::Args),
    Manual(manual::Args),
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise                              what it can do, and a code broken
  pegwise solve 4x6 --strategy knuth   a game against a random secret
  pegwise play                         a game in the terminal
  pegwise hint 4x6 1122=1,1 1344=0,2   the next guess for the game on your table
  pegwise analyze 1122=1,1 1344=0,2    how well each guess was played
  pegwise tree build 4x6 --optimal     a strategy proven to be the best
  pegwise lab bench                    every strategy, measured
  pegwise serve                        the game in a browser
  pegwise strategies                   every strategy there is

Exit codes: 0 done, 1 the answer is no, 2 wrong use or bad input, 130 interrupted.";

/// Runs the command with these arguments, the first of which is its own name, and gives the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let code = match Cli::try_parse_from(&arguments) {
        Ok(cli) => {
            cli.color.apply();
            let format = cli.format;
            exit::conclude(carry_out(cli), format)
        }
        Err(error) => {
            let words = arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
            let (format, color) = exit::wishes(words);
            color.apply();
            exit::usage(&error, format)
        }
    };
    // The program's own end would do so; a caller in another language does not come to it.
    let _ = std::io::stdout().flush();
    code
}

fn carry_out(cli: Cli) -> anyhow::Result<Exit> {
    let format = cli.format;
    match cli.command {
        None => welcome::run(format),
        Some(Command::Solve(args)) => solve::run(args, format),
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Hint(args)) => hint::run(args, format),
        Some(Command::Analyze(args)) => analyze::run(&args, format),
        Some(Command::Static(args)) => static_::run(&args, format),
        Some(Command::Engine(args)) => engine::run(&args),
        Some(Command::Tree(args)) => tree::run(args, format),
        Some(Command::Lab(args)) => lab::run(args, format),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Strategies(args)) => strategies::run(&args, format),
        Some(Command::Settings(args)) => settings::run(&args, format),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Manual(args)) => manual::run(&args),
    }
}
