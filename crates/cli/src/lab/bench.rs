//! `pegwise lab bench`: how fast each strategy is, and one signature of how all behave.

use std::{io::Write as _, path::PathBuf};

use anyhow::Context as _;
use pegwise_lab::bench::{self, BenchResult};
use serde::Serialize;

use crate::{
    arguments::Format,
    exit::Exit,
    tree::file::write_whole,
    ui::{Align, Block, Progress, Screen, Table, number, style},
};

/// Play a fixed small set of games with every strategy.
///
/// The signature is the total of guesses and of examined codes: it changes when a strategy behaves otherwise, and is the
/// same on every machine.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Write what is counted to bench.txt in a folder of results, as in crates/lab/results of the repository.
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
}

/// What was measured, for programs.
#[derive(Debug, Default, Serialize)]
struct Answer {
    signature: String,
    guesses: u64,
    examined: u64,
    strategies: Vec<BenchResult>,
}

impl Answer {
    /// What was counted, a line for each strategy at each rules: times are left out.
    fn record(&self) -> String {
        let about =
            "Guesses and codes examined of every strategy in the fixed games of `pegwise lab bench`, and their sums";
        let mut text = format!("# {about}, the signature.\n");
        for BenchResult { rules, strategy, games, guesses, examined, .. } in &self.strategies {
            text += &format!("{rules}\t{strategy}\t{games}\t{guesses}\t{examined}\n");
        }
        text + &format!("signature\t{}\n", self.signature)
    }
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let progress = Progress::of_search("playing");
    let mut answer = Answer::default();
    bench::run(|measured| {
        progress.say(|| format!("{} at {}", measured.strategy, measured.rules));
        answer.guesses += measured.guesses;
        answer.examined += measured.examined;
        answer.strategies.push(measured);
    })?;
    drop(progress);
    answer.signature = format!("{}:{}", answer.guesses, answer.examined);

    if let Some(folder) = &args.record {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        write_whole(&folder.join("bench.txt"), |out| Ok(out.write_all(answer.record().as_bytes())?))?;
    }
    let mut screen = Screen::new();
    if format == Format::Json {
        screen.json(&answer)?;
        return Ok(Exit::Done);
    }
    let right = ["games", "guesses", "examined", "games/s"].map(|heading| (heading, Align::Right));
    let mut table = Table::new([vec![("rules", Align::Left), ("strategy", Align::Left)], right.to_vec()].concat());
    for measured in &answer.strategies {
        let numbers = [measured.games, measured.guesses, measured.examined, measured.games_per_second as u64];
        let numbers = numbers.map(|number| Block::new(style::PLAIN, number::grouped(number)));
        let names = [Block::new(style::PLAIN, &measured.rules), Block::new(style::NAME, &measured.strategy)];
        table.row(names.into_iter().chain(numbers).collect::<Vec<_>>());
    }
    let table = table.fitted(screen.look().width);
    write!(screen, "{table}")?;
    writeln!(screen, "\nsignature {}", style::paint(style::HEADING, &answer.signature))?;
    Ok(Exit::Done)
}
