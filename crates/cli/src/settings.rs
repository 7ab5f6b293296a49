//! `pegwise settings`: what is kept from one run to the next, and where.
//!
//! So far that is what the colors of a physical set are called. The file is a line of text, so that it can also be written
//! by hand: `colors = red, green, yellow, blue, orange, purple`.

use std::{
    fs,
    io::{ErrorKind, Write as _},
    path::PathBuf,
};

use anyhow::{Context as _, bail};
use pegwise_game::Rules;
use serde::Serialize;

use crate::{arguments::Format, exit::Exit, tree::file::write_whole, ui::Screen};

/// Keep what the colors of your set are called.
///
/// Codes are then read and written by first letters, as in RGYB=1,1, by hint, analyze, play and solve, on every board with
/// as many colors or fewer. Without options it shows what is kept, and in which file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The names of the colors, in the order of their numbers; none forgets them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    colors: Option<Vec<String>>,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise settings                                                what is kept, and where
  pegwise settings --colors red,green,yellow,blue,orange,purple   what your pegs are called
  pegwise settings --colors none                                  numbers and letters again";

/// The word for no names.
const NONE: &str = "none";

/// What is kept, for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    file: Option<&'a PathBuf>,
    colors: Option<Vec<String>>,
}

/// What the colors are called in this run.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Colors {
    /// What the colors are called, as in red,green,blue: codes are then written by first letters; none for numbers. `pegwise
    /// settings` keeps them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    colors: Option<Vec<String>>,
}

impl Colors {
    /// The same rules with the names that were given, or that are kept for so many colors.
    pub(crate) fn of(&self, rules: Rules) -> anyhow::Result<Rules> {
        match &self.colors {
            Some(names) if is_none(names) => Ok(rules),
            Some(names) => rules.with_color_names(&trimmed(names)).context("--colors"),
            None => {
                let Some((path, names)) = kept()? else { return Ok(rules) };
                let colors = usize::from(rules.colors());
                match names.get(..colors) {
                    Some(names) => rules.with_color_names(names).with_context(|| path.display().to_string()),
                    None => Ok(rules),
                }
            }
        }
    }
}

fn is_none(names: &[String]) -> bool {
    matches!(names, [name] if name.trim() == NONE)
}

fn trimmed(names: &[String]) -> Vec<String> {
    names.iter().map(|name| name.trim().to_owned()).collect()
}

/// The file, where there is a place for it.
fn place() -> Option<PathBuf> {
    let folder = |variable: &str| std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
    let config = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))?;
    Some(config.join("pegwise").join("settings"))
}

/// The names that are kept, and the file.
fn kept() -> anyhow::Result<Option<(PathBuf, Vec<String>)>> {
    let Some(path) = place() else { return Ok(None) };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let mut names = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line.split_once('=') {
            Some((key, value)) if key.trim() == "colors" => {
                names = Some(value.split(',').map(|name| name.trim().to_owned()).collect());
            }
            _ => bail!("{}, line {number}: write colors = red, green, blue, or leave the line away", path.display()),
        }
    }
    Ok(names.map(|names| (path, names)))
}

pub(crate) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    if let Some(names) = &args.colors {
        keep(names)?;
    }
    let kept = kept()?;
    let place = place();
    let mut screen = Screen::new();
    match format {
        Format::Json => screen.json(&Answer { file: place.as_ref(), colors: kept.map(|(_, names)| names) })?,
        Format::Text => {
            match &kept {
                Some((_, names)) => writeln!(screen, "colors = {}", names.join(", "))?,
                None => writeln!(screen, "nothing is kept")?,
            }
            if let Some(place) = place {
                writeln!(screen, "({})", place.display())?;
            }
        }
    }
    Ok(Exit::Done)
}

fn keep(names: &[String]) -> anyhow::Result<()> {
    let path = place().context("there is no place for settings: neither XDG_CONFIG_HOME nor HOME is set")?;
    if is_none(names) {
        return match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error).with_context(|| path.display().to_string()),
            _ => Ok(()),
        };
    }
    let names = trimmed(names);
    // Whatever the board, the names must be good for one with so many colors.
    let colors = u16::try_from(names.len()).unwrap_or(u16::MAX);
    Rules::classic(1, colors)?.with_color_names(&names).context("--colors")?;
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    write_whole(&path, |file| Ok(writeln!(file, "colors = {}", names.join(", "))?))
}
