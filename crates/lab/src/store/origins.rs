//! Origins of the games in a store, and the merging of stores.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use serde::Serialize;

use super::games::copy_failures;
use super::{GamePlan, ORIGINS_VERSION, Store, StoreError, UNKNOWN_ORIGIN, percent_encoded, read_only_uri};
use crate::experiment::{Experiment, GAME_BITS};
use crate::provenance::{Behavior, Origin, behavior_of};
use crate::runner::Shard;

/// The column `revision` is the commit; `commit` is an SQL keyword.
pub(super) const ORIGINS_SCHEMA: &str = "
    CREATE TABLE origins (
        id INTEGER PRIMARY KEY, program TEXT NOT NULL, revision TEXT NOT NULL, compiler TEXT NOT NULL,
        machine TEXT NOT NULL, threads INTEGER NOT NULL, date TEXT NOT NULL
    ) STRICT;
    CREATE TABLE behaviors (
        origin INTEGER NOT NULL, cell INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (origin, cell)
    ) STRICT, WITHOUT ROWID;";

/// Policy for storing games of versions that play differently together.
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
    mixing: Mixing,
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
    /// Writes the origin and the behaviors of new cells, and returns the id of the origin. The inner error describes stored
    /// games of a strategy that behaves differently, which another process may have added since the run began.
    pub(super) fn write(
        &mut self,
        transaction: &Transaction<'_>,
        cells: impl Iterator<Item = i64>,
    ) -> rusqlite::Result<Result<i64, String>> {
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
                if self.mixing == Mixing::Refused
                    && let Some(difference) = other_behavior(transaction, cell, *behavior)?
                {
                    return Ok(Err(difference));
                }
                let insert = "INSERT OR IGNORE INTO behaviors VALUES (?1, ?2, ?3)";
                transaction.execute(insert, params![id, cell, behavior.to_string()])?;
            }
        }
        Ok(Ok(id))
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
    /// Begins a run: sets the origin of all games that are added from now on, and returns the games to claim. With
    /// [`Mixing::Refused`], fails if the store has games of a strategy that behaves differently.
    pub(crate) fn begin(
        &mut self,
        origin: Origin,
        experiment: &Experiment,
        shard: Shard,
        mixing: Mixing,
    ) -> Result<GamePlan, StoreError> {
        self.take_slot()?;
        let plan = GamePlan::new(shard, self.cells_of(experiment, shard));
        let mut known = BTreeMap::<String, Behavior>::new();
        let mut behaviors = BTreeMap::new();
        for (id, cell) in plan.cells() {
            let behavior = *known.entry(cell.strategy.to_string()).or_insert_with(|| behavior_of(&cell.strategy));
            if mixing == Mixing::Refused {
                let other = other_behavior(&self.connection, id, behavior).map_err(|error| self.failed(error))?;
                if let Some(difference) = other {
                    return Err(StoreError::OtherBehavior(self.path.clone(), difference));
                }
            }
            behaviors.insert(id, behavior);
        }
        let (committed, pending) = (WrittenOrigin::default(), WrittenOrigin::default());
        self.origin_writer = Some(OriginWriter { origin, mixing, behaviors, committed, pending });
        Ok(plan)
    }

    /// Returns the origins with their numbers of games.
    pub fn origins(&self) -> Result<Vec<OriginSummary>, StoreError> {
        if self.layout < ORIGINS_VERSION {
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

/// Describes games of a cell by a program whose strategy behaves differently, if there are any.
fn other_behavior(connection: &Connection, cell: i64, here: Behavior) -> rusqlite::Result<Option<String>> {
    let query = "SELECT rules, strategy, hash, program, revision FROM behaviors
        JOIN origins ON origins.id = behaviors.origin JOIN cells ON cells.id = cell
        WHERE cell = ?1 AND hash <> ?2 LIMIT 1";
    let difference = |row: &rusqlite::Row<'_>| {
        let [rules, strategy, there, program, commit] =
            [row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?];
        Ok(format!(
            "{strategy} at {rules} plays differently in this program ({here}) than in the one that played the stored \
             games ({there}: {program}, commit {commit})"
        ))
    };
    connection.query_row(query, params![cell, here.to_string()], difference).optional()
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

/// Statement that creates a table of the cells of the attached part: their ids and numbers of secrets there and here.
const MOVED: &str = "CREATE TEMP TABLE moved AS
    SELECT one.id AS there, one.secrets AS secrets_there, other.id AS here, other.secrets AS secrets_here
    FROM part.cells AS one JOIN main.cells AS other USING (rules, strategy)";

/// Returns the id in the store of a game `there` of the attached part, as an SQL expression that uses `moved`.
fn moved_id() -> String {
    let number = format!("(there.id & {})", Experiment::MAX_GAMES - 1);
    format!("((moved.here << {GAME_BITS}) + {number} / secrets_there * secrets_here + {number} % secrets_there)")
}

/// Returns the query for the number of games of both stores that differ in more than their time.
fn disagree() -> String {
    format!(
        "SELECT count(*) FROM part.trials AS there JOIN temp.moved ON moved.there = there.id >> {GAME_BITS}
            JOIN main.trials AS here ON here.id = {}
        WHERE (there.secret, there.guesses, there.outcome, there.examined, there.consistent, there.scored, there.nodes,
            there.turns)
        IS NOT (here.secret, here.guesses, here.outcome, here.examined, here.consistent, here.scored, here.nodes,
            here.turns)",
        moved_id()
    )
}

/// Query for a strategy that behaves differently in the two stores.
const DIFFER: &str = "SELECT rules, strategy, there.hash, here.hash FROM part.behaviors AS there
    JOIN temp.moved ON moved.there = there.cell
    JOIN main.behaviors AS here ON here.cell = moved.here AND here.hash <> there.hash
    JOIN main.cells ON cells.id = moved.here LIMIT 1";

/// Query that is true if all strategies behave alike under an origin of the part and one of the store.
const SAME: &str = "SELECT count(*) = 0 FROM part.behaviors AS there JOIN temp.moved ON moved.there = there.cell
    JOIN main.behaviors AS here ON here.cell = moved.here
    WHERE there.origin = ?1 AND here.origin = ?2 AND there.hash <> here.hash";

impl Store {
    /// Merges parts of experiments that do not contradict each other into a store, which is created if missing. A game that
    /// occurs in several parts is stored once. The store itself may be one of the parts. Each part is merged completely or
    /// not at all, and may be read-only.
    pub fn merge(path: &Path, parts: &[PathBuf], mixing: Mixing) -> Result<Self, MergeError> {
        let first = Self::open(parts.first().map_or(path, PathBuf::as_path))?.description;
        // Check all parts before writing.
        let mut plans = Vec::new();
        for part in parts {
            let part = Self::open(part)?;
            if let Some(difference) = part.description.contradiction(&first) {
                return Err(StoreError::OtherExperiment(part.path, difference).into());
            }
            plans.push((part.description, part.cells.into_iter().map(|(_, cell)| cell).collect::<Vec<_>>()));
        }
        let Some(((description, cells), others)) = plans.split_first() else { return Ok(Self::open(path)?) };
        let mut whole = Self::create_described(path, description, cells)?;
        for (description, cells) in others {
            whole.extend(description, cells)?;
        }
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
        let merged = self.merge_attached(part, layout, mixing).map_err(|error| self.failed(error));
        self.connection.execute("DETACH part", []).map_err(failed)?;
        merged?
    }

    /// Checks and copies the games of the attached part in one transaction.
    fn merge_attached(&mut self, part: &Path, layout: i64, mixing: Mixing) -> rusqlite::Result<Result<(), MergeError>> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(MOVED)?;
        if layout >= ORIGINS_VERSION && mixing == Mixing::Refused {
            let texts = |row: &rusqlite::Row<'_>| Ok([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get(3)?]);
            let differ = transaction.query_row(DIFFER, [], texts).optional()?;
            if let Some([rules, strategy, there, here]) = differ {
                let whole = self.path.display();
                let difference =
                    format!("{strategy} at {rules} plays differently there ({there}) than in {whole} ({here})");
                return Ok(Err(MergeError::OtherBehavior(part.to_owned(), difference)));
            }
        }
        let games: i64 = transaction.query_row(&disagree(), [], |row| row.get(0))?;
        if games > 0 {
            return Ok(Err(MergeError::Disagreement(part.to_owned(), self.path.clone(), games)));
        }
        copy_games(&transaction, layout)?;
        transaction.execute_batch("DROP TABLE temp.moved")?;
        transaction.commit().map(Ok)
    }
}

/// Copies the games of the attached part with their origins.
fn copy_games(transaction: &Transaction<'_>, layout: i64) -> rusqlite::Result<()> {
    const COLUMNS: &str = "secret, guesses, outcome, examined, consistent, scored, nodes, nanoseconds, turns";
    let id = moved_id();
    let copy = |origin: &str, join: &str| {
        format!(
            "INSERT OR IGNORE INTO main.trials (id, {COLUMNS}, origin, random) SELECT {id}, {COLUMNS}, {origin}
                FROM part.trials AS there JOIN temp.moved ON moved.there = there.id >> {GAME_BITS} {join} ORDER BY there.id;"
        )
    };
    if layout < ORIGINS_VERSION {
        transaction.execute_batch(&copy(&format!("{UNKNOWN_ORIGIN}, NULL"), ""))?;
        return copy_failures(transaction, &id);
    }
    // Origin ids differ between the stores.
    transaction.execute_batch("CREATE TEMP TABLE renamed (there INTEGER PRIMARY KEY, here INTEGER NOT NULL)")?;
    let rename = "INSERT INTO temp.renamed VALUES (?1, ?2)";
    transaction.execute(rename, [UNKNOWN_ORIGIN, UNKNOWN_ORIGIN])?;
    let known = all_origins(transaction, "main")?;
    for (there, origin) in all_origins(transaction, "part")? {
        // Equal origins can have different behaviors.
        let is_same = |here: i64| transaction.query_row(SAME, [there, here], |row| row.get::<_, bool>(0));
        let mut same = None;
        for (here, _) in known.iter().filter(|(_, known)| *known == origin) {
            same = same.or(is_same(*here)?.then_some(*here));
        }
        let here = match same {
            Some(here) => here,
            None => insert_origin(transaction, "main", &origin)?,
        };
        transaction.execute(rename, params![there, here])?;
    }
    transaction.execute_batch(&copy("renamed.here, random", "JOIN temp.renamed ON renamed.there = there.origin"))?;
    transaction.execute_batch(
        "INSERT OR IGNORE INTO main.behaviors SELECT renamed.here, moved.here, hash FROM part.behaviors
            JOIN temp.renamed ON renamed.there = behaviors.origin JOIN temp.moved ON moved.there = behaviors.cell;
        DROP TABLE temp.renamed",
    )?;
    copy_failures(transaction, &id)
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
