//! `pegwise lab list`: the published tables and figures.

use std::{io::Write as _, path::PathBuf};

use pegwise_lab::papers::{Library, PublishedTable, TableContent};
use serde::Serialize;

use crate::{
    arguments::Format,
    exit::Exit,
    ui::{Align, Block, Screen, Table, number, style},
};

/// List the published tables and figures that can be reproduced.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A paper, or the name of a table or figure; all when none is given.
    #[arg(value_name = "NAME", default_value = "all")]
    name: String,

    /// Read the tables from this folder instead of those built in.
    #[arg(long, value_name = "FOLDER")]
    papers: Option<PathBuf>,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise lab list                 every table and figure
  pegwise lab list merelo-2010     those of one paper
  pegwise lab list --format json   for programs";

/// A table or figure for programs.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    id: &'a str,
    paper: &'a str,
    title: &'a str,
    source: &'a str,
    note: Option<&'a str>,
    /// Rows of games; the other kinds have none.
    rows: usize,
    /// Rows whose strategy can be run.
    runnable: usize,
    /// Games of the rows that can be run.
    games: u64,
    /// Why the other rows cannot be run, each reason once.
    missing: Vec<String>,
}

impl<'a> Entry<'a> {
    fn new(exhibit: &'a PublishedTable) -> Self {
        let PublishedTable { id, paper, title, source, note, .. } = exhibit;
        let mut entry = Self {
            id,
            paper,
            title,
            source,
            note: note.as_deref(),
            rows: 0,
            runnable: 0,
            games: 0,
            missing: Vec::new(),
        };
        for row in exhibit.rows() {
            entry.rows += 1;
            match row.spec() {
                Ok(_) => {
                    entry.runnable += 1;
                    entry.games = entry.games.saturating_add(row.games_in_full());
                }
                Err(reason) if !entry.missing.contains(&reason) => entry.missing.push(reason),
                Err(_) => {}
            }
        }
        entry
    }
}

/// The library that the arguments ask for.
pub(super) fn library(folder: Option<&PathBuf>) -> anyhow::Result<Library> {
    Ok(folder.map_or_else(Library::built_in, |folder| Library::load(folder))?)
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let library = library(args.papers.as_ref())?;
    let exhibits = library.find(&args.name)?;
    let mut screen = Screen::new();
    if format == Format::Json {
        screen.json(&exhibits.iter().map(|exhibit| Entry::new(exhibit)).collect::<Vec<_>>())?;
        return Ok(Exit::Done);
    }
    let mut paper = "";
    let mut drawn = Vec::new();
    for exhibit in &exhibits {
        if exhibit.paper != paper {
            paper = &exhibit.paper;
            drawn.push((paper, table()));
        }
        if let Some((_, table)) = drawn.last_mut() {
            table.row(cells(exhibit));
        }
    }
    for (paper, table) in drawn {
        let paper = Block::wrapped(style::HEADING, paper, screen.text_width(0));
        let table = table.fitted(screen.look().width);
        writeln!(screen, "{paper}\n{table}\n")?;
    }
    let more = "To run one: pegwise lab reproduce NAME --quick. Rows: those that can be run, of all.";
    writeln!(screen, "{}", Block::wrapped(style::DIM, more, screen.text_width(0)))?;
    Ok(Exit::Done)
}

fn table() -> Table<'static> {
    let columns = [("name", Align::Left), ("rows", Align::Right), ("games", Align::Right), ("shows", Align::Left)];
    Table::new(columns.to_vec())
}

fn cells(exhibit: &PublishedTable) -> Vec<Block> {
    let entry = Entry::new(exhibit);
    let rows = match &exhibit.content {
        TableContent::Games { .. } => format!("{} of {}", entry.runnable, entry.rows),
        TableContent::Described(_) => "not run".to_owned(),
        _ => "exact".to_owned(),
    };
    let all = entry.runnable == entry.rows;
    let games = if entry.games > 0 { number::grouped(entry.games) } else { String::new() };
    vec![
        Block::new(style::NAME, entry.id),
        Block::new(if all { style::PLAIN } else { style::BAD }, rows),
        Block::new(style::PLAIN, games),
        Block::new(style::PLAIN, entry.title),
    ]
}
