//! Parts of an experiment joined into one store.

use std::path::{Path, PathBuf};

use super::{Store, StoreError};

/// Why stores cannot be joined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The same game went another way: one of the stores was made by another version of the program.
    #[error("{}: {games} of its games went another way in {}; they were made by different programs", part.display(), whole.display())]
    Disagreement {
        /// The store that was to be joined.
        part: PathBuf,
        /// The store that it was to be joined to.
        whole: PathBuf,
        /// How many games differ.
        games: i64,
    },
}

/// Games that both stores hold, and that differ in more than the time they took.
const DISAGREE: &str = "SELECT count(*) FROM part.trials AS there JOIN main.trials AS here USING (id)
    WHERE (there.secret, there.guesses, there.outcome, there.examined, there.consistent, there.scored, there.nodes,
        there.turns)
    IS NOT (here.secret, here.guesses, here.outcome, here.examined, here.consistent, here.scored, here.nodes, here.turns)";

impl Store {
    /// Joins parts of one experiment into a store, which is made where there is none. A game that several parts hold is
    /// taken once, and the store itself may be among the parts. Each part is joined whole or not at all.
    pub fn merge(path: &Path, parts: &[PathBuf]) -> Result<Self, MergeError> {
        let first = parts.first().map_or(path, PathBuf::as_path);
        let description = Self::open(first)?.description;
        // Every part is looked at before anything is written.
        for part in parts {
            let other = Self::open(part)?;
            if let Some(difference) = description.difference(&other.description) {
                return Err(StoreError::OtherExperiment { path: part.clone(), difference }.into());
            }
        }
        let mut whole = Self::create_described(path, &description)?;
        for part in parts.iter().filter(|part| !is_same_file(part, path)) {
            whole.join(part)?;
        }
        Ok(whole)
    }

    fn join(&mut self, part: &Path) -> Result<(), MergeError> {
        let failed = |error| StoreError::new(part, error);
        let name = part.to_str().map(str::to_owned).unwrap_or_else(|| part.to_string_lossy().into_owned());
        self.connection.execute("ATTACH ?1 AS part", [name]).map_err(failed)?;
        let joined = self.join_attached(part);
        self.connection.execute("DETACH part", []).map_err(failed)?;
        joined
    }

    fn join_attached(&mut self, part: &Path) -> Result<(), MergeError> {
        let games: i64 =
            self.connection.query_row(DISAGREE, [], |row| row.get(0)).map_err(|error| StoreError::new(part, error))?;
        if games > 0 {
            return Err(MergeError::Disagreement { part: part.to_owned(), whole: self.path.clone(), games });
        }
        let join = "INSERT OR IGNORE INTO main.trials SELECT * FROM part.trials ORDER BY id";
        self.connection.execute(join, []).map_err(|error| self.failed(error))?;
        Ok(())
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
