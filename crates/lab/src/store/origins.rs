//! Origins of the games in a store, and the merging of stores.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use serde::Serialize;

use super::{Store, StoreError, UNKNOWN_ORIGIN, VERSION, games::copy_failures, percent_encoded, read_only_uri};
use crate::experiment::Experiment;
use crate::provenance::{Behavior, Origin, behavior_of};

/// The column `revision` is the commit; `commit` is an SQL keyword.
pub(super) const ORIGINS_SCHEMA: &str = "
    CREATE TABLE origins (
        id INTEGER PRIMARY KEY, program TEXT NOT NULL, revision TEXT NOT NULL, compiler TEXT NOT NULL,
        machine TEXT NOT NULL, threads INTEGER NOT NULL, date TEXT NOT NULL
    ) STRICT;
    CREATE TABLE behaviors (
        origin INTEGER NOT NULL, cell INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (origin, cell)
    ) STRICT, WITHOUT ROWID;";

/// Policy for games of versions that play differently in one store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mixing {
    /// Reject them.
    #[default]
    Refused,
    /// Accept them.
    Allowed,
}

/// Games of one origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OriginSummary {
    /// Origin; `None` if unknown.
    pub origin: Option<Origin>,
    /// Number of games.
    pub games: u64,
    /// Rules, strategy and behavior for each strategy that played some of the games.
    pub behaviors: Vec<(String, String, String)>,
}

/// Writer of the origin of added games, together with the first of them.
#[derive(Debug)]
pub(super) struct OriginWriter {
    origin: Origin,
    behaviors: BTreeMap<i64, Behavior>,
    /// State as of the last commit.
    committed: WrittenOrigin,
    /// State including the current transaction.
    pending: WrittenOrigin,
}

#[derive(Debug, Clone, Default)]
struct WrittenOrigin {
    id: Option<i64>,
    cells: Vec<i64>,
}

impl OriginWriter {
    /// Writes the origin and the behaviors of new cells, and returns the id of the origin.
    pub(super) fn write(
        &mut self,
        transaction: &Transaction<'_>,
        cells: impl Iterator<Item = i64>,
    ) -> rusqlite::Result<i64> {
        self.pending = self.committed.clone();
        let id = match self.pending.id {
            Some(id) => id,
            None => insert_origin(transaction, "main", &self.origin)?,
        };
        self.pending.id = Some(id);
        for cell in cells {
            if self.pending.cells.contains(&cell) {
                continue;
            }
            self.pending.cells.push(cell);
            if let Some(behavior) = self.behaviors.get(&cell) {
                let insert = "INSERT OR IGNORE INTO behaviors VALUES (?1, ?2, ?3)";
                transaction.execute(insert, params![id, cell, behavior.to_string()])?;
            }
        }
        Ok(id)
    }

    /// Marks the current transaction as committed.
    pub(super) fn commit(&mut self) {
        self.committed = self.pending.clone();
    }
}

/// Inserts an origin and returns its id.
fn insert_origin(connection: &Connection, schema: &str, origin: &Origin) -> rusqlite::Result<i64> {
    let Origin { program, commit, compiler, machine, threads, date } = origin;
    // The first id is that of unknown origins.
    let insert = format!(
        "INSERT INTO {schema}.origins VALUES ((SELECT coalesce(max(id), {UNKNOWN_ORIGIN}) + 1 FROM {schema}.origins), ?1, ?2, ?3, ?4, ?5, ?6)"
    );
    connection.execute(&insert, params![program, commit, compiler, machine, threads, date])?;
    Ok(connection.last_insert_rowid())
}

/// Returns the origins of an attached database by id.
fn all_origins(connection: &Connection, schema: &str) -> rusqlite::Result<Vec<(i64, Origin)>> {
    let query =
        format!("SELECT id, program, revision, compiler, machine, threads, date FROM {schema}.origins ORDER BY id");
    let mut query = connection.prepare(&query)?;
    let origin = |row: &rusqlite::Row<'_>| {
        let origin = Origin {
            program: row.get(1)?,
            commit: row.get(2)?,
            compiler: row.get(3)?,
            machine: row.get(4)?,
            threads: row.get(5)?,
            date: row.get(6)?,
        };
        Ok((row.get(0)?, origin))
    };
    query.query_map([], origin)?.collect()
}

impl Store {
    /// Sets the origin of all games that are added from now on. With [`Mixing::Refused`], fails if the store has games of a
    /// strategy that behaves differently.
    pub(crate) fn begin(&mut self, origin: Origin, experiment: &Experiment, mixing: Mixing) -> Result<(), StoreError> {
        let mut known = BTreeMap::<String, Behavior>::new();
        let mut behaviors = BTreeMap::new();
        for cell in experiment.cells() {
            let behavior = *known.entry(cell.strategy.to_string()).or_insert_with(|| behavior_of(&cell.strategy));
            if mixing == Mixing::Refused {
                self.check_behavior(cell.id.into(), behavior, &cell.strategy.to_string(), &cell.rules.to_string())?;
            }
            behaviors.insert(i64::from(cell.id), behavior);
        }
        let (committed, pending) = (WrittenOrigin::default(), WrittenOrigin::default());
        self.origin_writer = Some(OriginWriter { origin, behaviors, committed, pending });
        Ok(())
    }

    fn check_behavior(&self, cell: i64, here: Behavior, strategy: &str, rules: &str) -> Result<(), StoreError> {
        let query = "SELECT hash, program, revision FROM behaviors JOIN origins ON origins.id = behaviors.origin
            WHERE cell = ?1 AND hash <> ?2 LIMIT 1";
        let other = self.connection.query_row(query, params![cell, here.to_string()], |row| {
            Ok([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?])
        });
        match other.optional().map_err(|error| self.failed(error))? {
            None => Ok(()),
            Some([there, program, commit]) => {
                let difference = format!(
                    "{strategy} at {rules} plays differently in this program ({here}) than in the one that played the \
                     stored games ({there}: {program}, commit {commit})"
                );
                Err(StoreError::OtherBehavior(self.path.clone(), difference))
            }
        }
    }

    /// Returns the origins with their numbers of games.
    pub fn origins(&self) -> Result<Vec<OriginSummary>, StoreError> {
        if self.layout != VERSION {
            let games = self.count()?;
            return Ok(vec![OriginSummary { origin: None, games, behaviors: Vec::new() }]);
        }
        self.try_origins().map_err(|error| self.failed(error))
    }

    fn try_origins(&self) -> rusqlite::Result<Vec<OriginSummary>> {
        let known: BTreeMap<i64, Origin> = all_origins(&self.connection, "main")?.into_iter().collect();
        let mut counted =
            self.connection.prepare("SELECT origin, count(*) FROM trials GROUP BY origin ORDER BY origin")?;
        let counted = counted.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
        let mut behaviors = self.connection.prepare(
            "SELECT rules, strategy, hash FROM behaviors JOIN cells ON cells.id = behaviors.cell WHERE origin = ?1
            ORDER BY cell",
        )?;
        let mut found = Vec::new();
        for counted in counted {
            let (id, games) = counted?;
            let behaviors = behaviors.query_map([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            found.push(OriginSummary {
                origin: known.get(&id).cloned(),
                games: games.unsigned_abs(),
                behaviors: behaviors.collect::<rusqlite::Result<_>>()?,
            });
        }
        Ok(found)
    }
}

/// Error of a merge.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Strategies behave differently in this part: the strategy and both behaviors.
    #[error("{}: {}\n  merge parts of one program version, or use --allow-mixed", .0.display(), .1)]
    OtherBehavior(PathBuf, String),
    /// Games of a part differ from those in a store, because they were played by different programs: the path of the
    /// part, that of the store, and the number of games.
    #[error("{}: {} of its games differ from those in {}; they were played by different programs", .0.display(), .2, .1.display())]
    Disagreement(PathBuf, PathBuf, i64),
}

/// Query for the number of common games that differ in more than their time.
const DISAGREE: &str = "SELECT count(*) FROM part.trials AS there JOIN main.trials AS here USING (id)
    WHERE (there.secret, there.guesses, there.outcome, there.examined, there.consistent, there.scored, there.nodes,
        there.turns)
    IS NOT (here.secret, here.guesses, here.outcome, here.examined, here.consistent, here.scored, here.nodes, here.turns)";

/// Query for a strategy that behaves differently in the two stores.
const DIFFER: &str = "SELECT rules, strategy, there.hash, here.hash FROM part.behaviors AS there
    JOIN main.behaviors AS here ON here.cell = there.cell AND here.hash <> there.hash
    JOIN main.cells ON cells.id = there.cell LIMIT 1";

/// Query that is true if all strategies behave alike under an origin of the part and one of the store.
const SAME: &str = "SELECT count(*) = 0 FROM part.behaviors AS there JOIN main.behaviors AS here USING (cell)
    WHERE there.origin = ?1 AND here.origin = ?2 AND there.hash <> here.hash";

impl Store {
    /// Merges parts of one experiment into a store, which is created if missing. A game that occurs in several parts is stored
    /// once. The store itself may be one of the parts. Each part is merged completely or not at all, and may be read-only.
    pub fn merge(path: &Path, parts: &[PathBuf], mixing: Mixing) -> Result<Self, MergeError> {
        let first = parts.first().map_or(path, PathBuf::as_path);
        let description = Self::open(first)?.description;
        // Check all parts before writing.
        for part in parts {
            let other = Self::open(part)?;
            if let Some(difference) = other.description.difference(&description) {
                return Err(StoreError::OtherExperiment(part.clone(), difference).into());
            }
        }
        let mut whole = Self::create_described(path, &description)?;
        for part in parts.iter().filter(|part| !is_same_file(part, path)) {
            whole.merge_part(part, mixing)?;
        }
        Ok(whole)
    }

    fn merge_part(&mut self, part: &Path, mixing: Mixing) -> Result<(), MergeError> {
        let failed = |error| StoreError::new(part, error);
        let opened = Self::open(part)?;
        let (layout, writable) = (opened.layout, !opened.connection.is_readonly("main").map_err(failed)?);
        drop(opened);
        let address = if writable { format!("file:{}", percent_encoded(part)) } else { read_only_uri(part) };
        self.connection.execute("ATTACH ?1 AS part", [address]).map_err(failed)?;
        let joined = self.merge_attached(part, layout, mixing);
        self.connection.execute("DETACH part", []).map_err(failed)?;
        joined
    }

    fn merge_attached(&mut self, part: &Path, layout: i64, mixing: Mixing) -> Result<(), MergeError> {
        let failed = |error| StoreError::new(part, error);
        if layout == VERSION && mixing == Mixing::Refused {
            let texts = |row: &rusqlite::Row<'_>| Ok([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get(3)?]);
            let differ = self.connection.query_row(DIFFER, [], texts).optional().map_err(failed)?;
            if let Some([rules, strategy, there, here]) = differ {
                let whole = self.path.display();
                let difference =
                    format!("{strategy} at {rules} plays differently there ({there}) than in {whole} ({here})");
                return Err(MergeError::OtherBehavior(part.to_owned(), difference));
            }
        }
        let games: i64 = self.connection.query_row(DISAGREE, [], |row| row.get(0)).map_err(failed)?;
        if games > 0 {
            return Err(MergeError::Disagreement(part.to_owned(), self.path.clone(), games));
        }
        self.copy_games(layout).map_err(|error| self.failed(error))?;
        Ok(())
    }

    /// Copies the games of the attached part with their origins.
    fn copy_games(&mut self, layout: i64) -> rusqlite::Result<()> {
        const COLUMNS: &str =
            "id, secret, guesses, outcome, examined, consistent, scored, nodes, nanoseconds, turns, origin, random";
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if layout != VERSION {
            let values = COLUMNS.replace("origin, random", &format!("{UNKNOWN_ORIGIN}, NULL"));
            let join =
                format!("INSERT OR IGNORE INTO main.trials ({COLUMNS}) SELECT {values} FROM part.trials ORDER BY id");
            transaction.execute(&join, [])?;
            copy_failures(&transaction)?;
            return transaction.commit();
        }
        // Origin ids differ between the stores.
        transaction.execute_batch("CREATE TEMP TABLE renamed (there INTEGER PRIMARY KEY, here INTEGER NOT NULL)")?;
        let rename = "INSERT INTO temp.renamed VALUES (?1, ?2)";
        transaction.execute(rename, [UNKNOWN_ORIGIN, UNKNOWN_ORIGIN])?;
        let known = all_origins(&transaction, "main")?;
        for (there, origin) in all_origins(&transaction, "part")? {
            // Equal origins can have different behaviors.
            let is_same = |here: i64| transaction.query_row(SAME, [there, here], |row| row.get::<_, bool>(0));
            let mut same = None;
            for (here, _) in known.iter().filter(|(_, known)| *known == origin) {
                same = same.or(is_same(*here)?.then_some(*here));
            }
            let here = match same {
                Some(here) => here,
                None => insert_origin(&transaction, "main", &origin)?,
            };
            transaction.execute(rename, params![there, here])?;
        }
        let values = COLUMNS.replace("origin", "renamed.here");
        transaction.execute_batch(&format!(
            "INSERT OR IGNORE INTO main.trials ({COLUMNS}) SELECT {values} FROM part.trials
                JOIN temp.renamed ON renamed.there = trials.origin ORDER BY id;
            INSERT OR IGNORE INTO main.behaviors SELECT renamed.here, cell, hash FROM part.behaviors
                JOIN temp.renamed ON renamed.there = behaviors.origin;
            DROP TABLE temp.renamed"
        ))?;
        copy_failures(&transaction)?;
        transaction.commit()
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
