//! All published tables and figures.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::exhibit::Exhibit;
use crate::toml_file::{FileError, read};

/// The files of the folder `papers` of the repository: id and text, in order of the id.
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/papers.rs"));

/// Published tables and figures, in order of their id.
#[derive(Debug, Clone)]
pub struct Library(Vec<Exhibit>);

/// Why a name finds nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is no table, figure or paper; {}`pegwise lab list` shows them all", suggestion(nearest))]
pub struct UnknownExhibit {
    /// The name given.
    pub name: String,
    /// A similar one.
    pub nearest: Option<String>,
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!("did you mean {name}? "))
}

impl Library {
    /// Those that are built into the program.
    pub fn built_in() -> Result<Self, FileError> {
        let parse = |(id, text): &(&str, &str)| {
            let path = PathBuf::from(format!("papers/{id}.toml"));
            Exhibit::parse((*id).to_owned(), &path, text)
        };
        BUILT_IN.iter().map(parse).collect::<Result<_, _>>().map(Self)
    }

    /// Those of a folder: a folder for each paper, a TOML file for each of its tables and figures.
    pub fn load(folder: &Path) -> Result<Self, FileError> {
        let mut exhibits = Vec::new();
        for paper in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            for path in entries(&paper)? {
                if path.extension().is_none_or(|extension| extension != "toml") {
                    continue;
                }
                let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let paper = paper.file_name().unwrap_or_default().to_string_lossy();
                exhibits.push(Exhibit::parse(format!("{paper}/{}", name(&path)), &path, &read(&path)?)?);
            }
        }
        exhibits.sort_by(|one, other| order(&one.id).cmp(&order(&other.id)));
        Ok(Self(exhibits))
    }

    /// All of them.
    #[must_use]
    pub fn exhibits(&self) -> &[Exhibit] {
        &self.0
    }

    /// The one with this id, those of this paper, or `all`.
    pub fn find(&self, name: &str) -> Result<Vec<&Exhibit>, UnknownExhibit> {
        let found: Vec<&Exhibit> =
            self.0.iter().filter(|exhibit| name == "all" || exhibit.id == name || exhibit.paper_id() == name).collect();
        if found.is_empty() { Err(self.unknown(name)) } else { Ok(found) }
    }

    fn unknown(&self, name: &str) -> UnknownExhibit {
        let ids = self.0.iter().flat_map(|exhibit| [exhibit.id.as_str(), exhibit.paper_id()]);
        let nearest = pegwise_solve::catalog::nearest_of(name, ids).map(str::to_owned);
        UnknownExhibit { name: name.to_owned(), nearest }
    }
}

/// Numbers in names order as numbers: `table-4-2` stands before `table-4-10`.
fn order(id: &str) -> Vec<(u64, &str)> {
    id.split(['-', '/']).map(|part| (part.parse().unwrap_or(0), part)).collect()
}

/// The paths in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let failed = |error| FileError::Io { path: folder.to_owned(), error };
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}
