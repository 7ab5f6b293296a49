//! All published tables and figures.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::exhibit::Exhibit;
use crate::toml_file::{FileError, read};

/// The files of the folder `papers` of this crate: id and text.
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
        BUILT_IN.iter().map(parse).collect::<Result<_, _>>().map(Self::sorted)
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
        Ok(Self::sorted(exhibits))
    }

    fn sorted(mut exhibits: Vec<Exhibit>) -> Self {
        exhibits.sort_by(|one, other| order(&one.id).cmp(&order(&other.id)));
        Self(exhibits)
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

#[cfg(test)]
mod tests {
    use super::*;
    use pegwise_solve::{Spec, SpecError};

    #[test]
    fn every_paper_is_there_and_every_name_is_its_own() {
        let library = Library::built_in().unwrap();
        let mut ids: Vec<&str> = library.exhibits().iter().map(|exhibit| exhibit.id.as_str()).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        for paper in ["temporel-2003", "merelo-2010", "xu", "van-oijen-2018", "singley-2005"] {
            let of_paper = library.find(paper).unwrap();
            assert!(of_paper.len() >= 4, "{paper}");
            assert!(of_paper.iter().all(|exhibit| exhibit.paper == of_paper[0].paper), "{paper}");
        }
        assert_eq!(library.find("all").unwrap().len(), count);
        let names = library.find("van-oijen-2018").unwrap();
        let place = |id: &str| names.iter().position(|exhibit| exhibit.id == id).unwrap();
        assert!(place("van-oijen-2018/table-4-9") < place("van-oijen-2018/table-4-10"), "numbers order as numbers");
    }

    /// A strategy that is not built yet may be named; one that is must be written as it takes it.
    #[test]
    fn what_strategies_are_asked_for_they_take() {
        for exhibit in Library::built_in().unwrap().exhibits() {
            for row in exhibit.rows() {
                let Ok(text) = &row.strategy else { continue };
                match text.parse::<Spec>() {
                    Err(SpecError::UnknownStrategy { .. }) => {}
                    Err(error) => panic!("{}, {}: {error}", exhibit.id, row.label),
                    Ok(_) => assert_eq!(row.spec().err(), None, "{}, {}", exhibit.id, row.label),
                }
            }
        }
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        let library = Library::built_in().unwrap();
        let error = |name: &str| library.find(name).unwrap_err().to_string();
        assert!(
            error("merelo-2010/tabel-4").contains("did you mean merelo-2010/table-4?"),
            "{}",
            error("merelo-2010/tabel-4")
        );
        assert!(error("merelo-2011").contains("did you mean merelo-2010?"));
        assert!(error("zzzzzzzzzzzz").starts_with("'zzzzzzzzzzzz' is no table, figure or paper; `pegwise lab list`"));
    }

    #[test]
    fn a_folder_says_the_same_as_what_is_built_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("papers");
        let (loaded, built_in) = (Library::load(&folder).unwrap(), Library::built_in().unwrap());
        assert_eq!(format!("{loaded:?}"), format!("{built_in:?}"));
    }
}
