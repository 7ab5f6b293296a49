//! `pegwise settings`: the names of the colors, kept in a file.
//!
//! The file can be edited by hand: `colors = red, green, yellow, blue, orange, purple`.

use std::{
    fs,
    io::{ErrorKind, Write as _},
    path::PathBuf,
};

use anyhow::{Context as _, bail};
use pegwise_game::Rules;
use serde_json::json;

use crate::{arguments::OutputFormat, exit::Exit, files, ui};

/// Save the names of the colors of your set.
///
/// hint, analyze, play and solve then read and write codes by first letters, as in RGYB=1,1, or by two letters if first
/// letters are equal, on boards with at most as many colors. Without options, the saved names and the path of the file
/// are printed.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise settings                                                print the settings
  pegwise settings --colors red,green,yellow,blue,orange,purple   save names of colors
  pegwise settings --colors none                                  use numbers and letters again"))]
pub(crate) struct Args {
    /// Names of the colors, in order; none deletes them.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    colors: Option<Vec<String>>,
}

/// Names of the colors for one command.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ColorNamesArg {
    /// Names of the colors, as in red,green,blue; codes are written by first letters, or by two if those are equal. Use
    /// none for numbers. `pegwise settings` saves names.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    colors: Option<Vec<String>>,
}

impl ColorNamesArg {
    /// Applies the given or the saved names to `rules`.
    pub(crate) fn apply(&self, rules: Rules) -> anyhow::Result<Rules> {
        match &self.colors {
            Some(names) if is_none(names) => Ok(rules),
            Some(names) => rules.with_color_names(&trimmed(names)).context("--colors"),
            None => {
                let Some((path, names)) = load()? else { return Ok(rules) };
                match names.get(..usize::from(rules.colors())) {
                    Some(names) => rules.with_color_names(names).with_context(|| path.display().to_string()),
                    None => Ok(rules),
                }
            }
        }
    }
}

fn is_none(names: &[String]) -> bool {
    matches!(names, [name] if name.trim() == "none")
}

fn trimmed(names: &[String]) -> Vec<String> {
    names.iter().map(|name| name.trim().to_owned()).collect()
}

/// Returns the path of the settings file, if a home folder is known.
fn path() -> Option<PathBuf> {
    let folder = |variable: &str| std::env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
    let config = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))?;
    Some(config.join("pegwise").join("settings"))
}

/// Reads the saved names.
fn load() -> anyhow::Result<Option<(PathBuf, Vec<String>)>> {
    let Some(path) = path() else { return Ok(None) };
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
            _ => bail!("{}, line {number}: write colors = red, green, blue, or remove the line", path.display()),
        }
    }
    Ok(names.map(|names| (path, names)))
}

pub(crate) fn run(args: &Args, format: OutputFormat) -> anyhow::Result<Exit> {
    if let Some(names) = &args.colors {
        save(names)?;
    }
    let colors = load()?.map(|(_, names)| names);
    let path = path();
    ui::print(format, &json!({ "file": path, "colors": colors }), |screen| {
        match &colors {
            Some(names) => writeln!(screen, "colors = {}", names.join(", "))?,
            None => writeln!(screen, "no settings")?,
        }
        if let Some(path) = &path {
            writeln!(screen, "({})", path.display())?;
        }
        Ok(())
    })
}

fn save(names: &[String]) -> anyhow::Result<()> {
    let path = path().context("settings cannot be saved: set HOME or XDG_CONFIG_HOME")?;
    if is_none(names) {
        return match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error).with_context(|| path.display().to_string()),
            _ => Ok(()),
        };
    }
    let names = trimmed(names);
    // The names must be valid for a board with as many colors.
    let colors = u16::try_from(names.len()).unwrap_or(u16::MAX);
    Rules::classic(1, colors)?.with_color_names(&names).context("--colors")?;
    if let Some(folder) = path.parent() {
        files::create_folder(folder)?;
    }
    files::write_file(&path, format!("colors = {}\n", names.join(", ")))
}
