//! The store: one SQLite file with every finished game of an experiment, which may be extended.
//!
//! # Layout, version 4
//!
//! | table | columns |
//! |---|---|
//! | `experiment` | `description` as JSON |
//! | `cells` | `id`, `rules`, `strategy`, `secrets`: number of secrets, `repeats`: number of games per secret |
//! | `trials` | `id`: cell number in the high bits, game number in the low 40 bits; `secret`; `guesses`; `outcome`: 0 solved, 1 out of guesses, 2 failed; `examined`, `consistent`, `scored`, `nodes`; `nanoseconds`; `turns`: the guesses; `origin`; `random`: 1 if the strategy drew random numbers |
//! | `origins` | `id`, `program`, `revision`: the commit, `compiler`, `machine`, `threads`, `date`; id 0 means unknown |
//! | `behaviors` | `origin`, `cell`, `hash`: behavior of the strategy in the program of the origin |
//! | `failures` | `id`, `reason`: failure of an external strategy; created with the first failure |
//! | `claims` | `slot`, `first`, `last`: ids between which a running process plays games |
//! | `games` | view for readers: `rules`, `strategy`, `game`, `repeat`, `solved`, `guesses`, `examined`, `consistent`, `scored`, `nodes`, `seconds` |
//!
//! A code is stored as a number in base `colors` in little-endian order, with the fewest bytes that hold every code, or
//! with two bytes per cell beyond 128 bits. Feedback is not stored, since it follows from secret and guess. A game at 4x6
//! takes about 40 bytes.
//!
//! Version 2 had no origins, version 3 no claims and the same number of repeats in all cells. Such stores are readable, and
//! are migrated when games are added.
//!
//! The write-ahead log preserves every committed game if the process ends, and allows concurrent readers and several
//! writing processes, which divide the games by [claims]. Game ids are unique, so no game is stored twice.

mod claims;
mod games;
mod origins;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior, ffi, params,
};

use self::claims::{CLAIMS_SCHEMA, CellGames, GameIds, Slot};
pub(crate) use self::claims::{GameBatch, GamePlan};
pub(crate) use self::games::CodeCodec;
pub use self::games::{Failure, Trial, TrialBatch};
pub use self::origins::{MergeError, Mixing, OriginSummary};
use self::origins::{ORIGINS_SCHEMA, OriginWriter};
use crate::experiment::{Experiment, ExperimentDescription, GAME_BITS, PlannedCell};
use crate::runner::Shard;

/// Version of the layout.
const VERSION: i64 = 4;
/// First version with origins.
const ORIGINS_VERSION: i64 = 3;
/// Oldest version that is readable.
const OLDEST_VERSION: i64 = 2;
/// SQLite application id of a store: `PEGL`.
const APPLICATION_ID: i64 = 0x5045_474C;
/// Origin id of games without a known origin.
const UNKNOWN_ORIGIN: i64 = 0;
/// Timeout for locks of other processes.
const LOCK_TIMEOUT: Duration = Duration::from_secs(30);

const SCHEMA: &str = "
    CREATE TABLE experiment (description TEXT NOT NULL) STRICT;
    CREATE TABLE cells (
        id INTEGER PRIMARY KEY, rules TEXT NOT NULL, strategy TEXT NOT NULL, secrets INTEGER NOT NULL,
        repeats INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE trials (
        id INTEGER PRIMARY KEY, secret BLOB NOT NULL, guesses INTEGER NOT NULL, outcome INTEGER NOT NULL,
        examined INTEGER NOT NULL, consistent INTEGER NOT NULL, scored INTEGER NOT NULL, nodes INTEGER NOT NULL,
        nanoseconds INTEGER NOT NULL, turns BLOB NOT NULL, origin INTEGER NOT NULL DEFAULT 0, random INTEGER
    ) STRICT;
";

/// Returns the definition of the view `games`.
fn games_view() -> String {
    let number = format!("(trials.id & {:#X})", Experiment::MAX_GAMES - 1);
    format!(
        "CREATE VIEW games AS SELECT
        rules, strategy, {number} % secrets AS game, {number} / secrets AS repeat,
        outcome = 0 AS solved, guesses, examined, consistent, scored, nodes, nanoseconds / 1e9 AS seconds
        FROM trials JOIN cells ON cells.id = trials.id >> {GAME_BITS}"
    )
}

/// A store of games.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    description: ExperimentDescription,
    /// Ids and planned games of all strategies, in order of rules and strategy.
    cells: Vec<(i64, PlannedCell)>,
    /// Number of games by which opening the store extended it.
    added: u64,
    /// Version of the layout.
    layout: i64,
    /// Origin of the games to be added, once set.
    origin_writer: Option<OriginWriter>,
    /// Slot of a run, from [`Self::begin`] to [`Self::end`].
    slot: Option<Slot>,
}

/// Stored games of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StoredGames {
    /// Number of games.
    pub games: u64,
    /// Number of solved games.
    pub solved: u64,
    /// Guesses of the solved games.
    pub guesses: u64,
}

impl Store {
    /// Creates the store of an experiment, or opens it. An existing store is extended by the games that it does not plan:
    /// more rules, strategies, drawn secrets or repeats. Fails if the file has an experiment that contradicts this one.
    pub fn create(path: &Path, experiment: &Experiment) -> Result<Self, StoreError> {
        let description = ExperimentDescription::of(experiment);
        Self::create_described(path, &description, &description.cells())
    }

    pub(crate) fn create_described(
        path: &Path,
        description: &ExperimentDescription,
        cells: &[PlannedCell],
    ) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut connection = connect(path, flags)?;
        let failed = |error| StoreError::new(path, error);
        if !is_store(&connection, path)? {
            write_ahead(&connection).map_err(failed)?;
            initialize(&mut connection, description, cells).map_err(failed)?;
        }
        let mut store = Self::check(path, connection)?;
        if let Some(difference) = store.description.contradiction(description) {
            return Err(StoreError::OtherExperiment(path.to_owned(), difference));
        }
        store.migrate()?;
        store.extend(description, cells)?;
        Ok(store)
    }

    /// Adds planned games.
    fn extend(&mut self, description: &ExperimentDescription, cells: &[PlannedCell]) -> Result<(), StoreError> {
        let is_planned = |cell: &PlannedCell| {
            let known = self.planned(&cell.rules, &cell.strategy);
            known.is_some_and(|known| known.secrets >= cell.secrets && known.repeats >= cell.repeats)
        };
        if cells.iter().all(is_planned) {
            return Ok(());
        }
        let before = self.planned_games();
        let transaction = immediate(&mut self.connection, &self.path)?;
        let failed = |error| StoreError::new(&self.path, error);
        // Another process may have extended it.
        let known = read_cells(&transaction, VERSION, &self.description).map_err(failed)?;
        let free = known.iter().map(|(id, _)| id + 1).max().unwrap_or(0);
        for (new, cell) in (free..).zip(cells) {
            let PlannedCell { rules, strategy, secrets, repeats } = cell;
            let Some((id, known)) = find_cell(&known, rules, strategy) else {
                let insert = "INSERT INTO cells VALUES (?1, ?2, ?3, ?4, ?5)";
                transaction
                    .execute(insert, params![new, rules, strategy, secrets.cast_signed(), repeats])
                    .map_err(failed)?;
                continue;
            };
            let (secrets, repeats) = (known.secrets.max(*secrets), known.repeats.max(*repeats));
            let grown = PlannedCell { secrets, repeats, ..cell.clone() };
            if grown.games() > Experiment::MAX_GAMES {
                return Err(StoreError::TooLarge(self.path.clone(), grown.games()));
            }
            if secrets > known.secrets && known.repeats > 1 {
                // The numbers of all repeats but the first change.
                let slot = take_slot(&transaction, &self.path)?;
                let is_used = slot.others_exist();
                slot.release(&transaction).map_err(failed)?;
                if is_used {
                    return Err(StoreError::Busy(self.path.clone()));
                }
                renumber(&transaction, *id, known.secrets, secrets).map_err(failed)?;
            }
            transaction
                .execute(
                    "UPDATE cells SET secrets = ?2, repeats = ?3 WHERE id = ?1",
                    params![id, secrets.cast_signed(), repeats],
                )
                .map_err(failed)?;
        }
        let described = read_description(&transaction, &self.path)?.union(description);
        let text = serde_json::to_string(&described).unwrap_or_default();
        transaction.execute("UPDATE experiment SET description = ?1", [text]).map_err(failed)?;
        let cells = read_cells(&transaction, VERSION, &described).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        (self.cells, self.description) = (cells, described);
        self.added = self.planned_games() - before;
        Ok(())
    }

    /// Returns the planned games of a strategy.
    pub(crate) fn planned(&self, rules: &str, strategy: &str) -> Option<&PlannedCell> {
        find_cell(&self.cells, rules, strategy).map(|(_, cell)| cell)
    }

    /// Number of planned games, stored or not.
    pub fn planned_games(&self) -> u64 {
        self.cells.iter().map(|(_, cell)| cell.games()).sum()
    }

    /// Number of planned games by which [`Self::create`] extended an existing store.
    pub fn added_games(&self) -> u64 {
        self.added
    }

    /// Opens an existing store.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.to_owned()));
        }
        // Reading a write-ahead log takes a lock, which requires write access.
        match Self::open_with(path, connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)) {
            Err(StoreError::ReadOnly(..)) => Self::open_read_only(path),
            opened => opened,
        }
    }

    /// Opens a store without write access.
    fn open_read_only(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        Self::open_with(path, connect_to(&read_only_uri(path), path, flags))
    }

    fn open_with(path: &Path, connection: Result<Connection, StoreError>) -> Result<Self, StoreError> {
        let connection = connection?;
        if !is_store(&connection, path)? {
            return Err(StoreError::Missing(path.to_owned()));
        }
        Self::check(path, connection)
    }

    fn check(path: &Path, connection: Connection) -> Result<Self, StoreError> {
        let failed = |error| StoreError::new(path, error);
        let layout = pragma(&connection, "user_version").map_err(failed)?;
        if !(OLDEST_VERSION..=VERSION).contains(&layout) {
            return Err(StoreError::Version(path.to_owned(), layout));
        }
        // A system crash may lose the last transactions but does not corrupt the file; a process crash loses nothing.
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(failed)?;
        let description = read_description(&connection, path)?;
        let cells = read_cells(&connection, layout, &description).map_err(failed)?;
        let path = path.to_owned();
        Ok(Self { path, connection, description, cells, added: 0, layout, origin_writer: None, slot: None })
    }

    /// Returns the description of the experiment.
    pub fn description(&self) -> &ExperimentDescription {
        &self.description
    }

    /// Returns the version of the layout.
    pub fn layout(&self) -> i64 {
        self.layout
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of games.
    pub fn count(&self) -> Result<u64, StoreError> {
        let count = self.connection.query_row("SELECT count(*) FROM trials", [], |row| row.get::<_, i64>(0));
        count.map(i64::unsigned_abs).map_err(|error| self.failed(error))
    }

    /// Counts the stored games of a shard of an experiment.
    pub fn stored(&self, experiment: &Experiment, shard: Shard) -> Result<StoredGames, StoreError> {
        let mut sum = StoredGames::default();
        let query = "SELECT id, iif(outcome = 0, guesses, NULL) FROM trials WHERE id >= ?1 AND id < ?2";
        let mut query = self.connection.prepare(query).map_err(|error| self.failed(error))?;
        for CellGames { ids, games, .. } in self.cells_of(experiment, shard) {
            let cell = [ids.cell << GAME_BITS, (ids.cell + 1) << GAME_BITS];
            let mut rows = query.query(cell).map_err(|error| self.failed(error))?;
            while let Some(row) = rows.next().map_err(|error| self.failed(error))? {
                let (id, guesses) =
                    row.get(0).and_then(|id| Ok((id, row.get(1)?))).map_err(|error| self.failed(error))?;
                let guesses: Option<i64> = guesses;
                if ids.number(id).and_then(|number| shard.index_of(number)).is_some_and(|index| index < games) {
                    sum.games += 1;
                    sum.solved += u64::from(guesses.is_some());
                    sum.guesses += guesses.map_or(0, i64::unsigned_abs);
                }
            }
        }
        Ok(sum)
    }

    /// Returns the cells of an experiment that the store has.
    fn cells_of(&self, experiment: &Experiment, shard: Shard) -> Vec<CellGames> {
        let cells = experiment.cells().into_iter().filter_map(|cell| {
            let (id, stored) = find_cell(&self.cells, &cell.rules.to_string(), &cell.strategy.to_string())?;
            let ids = GameIds { cell: *id, secrets: cell.secrets.len(), stored_secrets: stored.secrets };
            Some(CellGames { games: shard.count(cell.games()), cell: cell.into(), ids })
        });
        cells.collect()
    }

    /// Takes a slot, so that the store is not renumbered from now on.
    fn take_slot(&mut self) -> Result<(), StoreError> {
        let failed = |error| StoreError::new(&self.path, error);
        let transaction = immediate(&mut self.connection, &self.path)?;
        let slot = take_slot(&transaction, &self.path)?;
        let cells = read_cells(&transaction, VERSION, &self.description).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        (self.slot, self.cells) = (Some(slot), cells);
        Ok(())
    }

    /// Adds games and claims at most `most` others in one transaction, which also removes the finished claims. Returns the
    /// number of added games and the claimed ones. Games that exist are kept.
    pub(crate) fn exchange(
        &mut self,
        played: &[TrialBatch],
        plan: &mut GamePlan,
        most: usize,
        batch_games: usize,
    ) -> Result<(u64, Vec<GameBatch>), StoreError> {
        match self.try_exchange(played, plan, most, batch_games) {
            Ok(Ok(exchanged)) => Ok(exchanged),
            Ok(Err(difference)) => Err(StoreError::OtherBehavior(self.path.clone(), difference)),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Like [`Self::exchange`]. The inner error is a difference in behavior.
    fn try_exchange(
        &mut self,
        played: &[TrialBatch],
        plan: &mut GamePlan,
        most: usize,
        batch_games: usize,
    ) -> rusqlite::Result<Result<(u64, Vec<GameBatch>), String>> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let origin = match &mut self.origin_writer {
            Some(writer) if !played.is_empty() => {
                match writer.write(&transaction, played.iter().filter_map(TrialBatch::cell))? {
                    Ok(origin) => origin,
                    Err(difference) => return Ok(Err(difference)),
                }
            }
            _ => UNKNOWN_ORIGIN,
        };
        let mut added = 0;
        for batch in played {
            added += batch.write(&transaction, origin)? as u64;
        }
        let mut claimed = Vec::new();
        if let Some(slot) = &self.slot {
            for claim in played.iter().filter_map(TrialBatch::claim) {
                claims::finish(&transaction, slot, claim.first)?;
            }
            if most > 0 {
                claimed = plan.claim(&transaction, slot, most, batch_games)?;
            }
        }
        transaction.commit()?;
        self.origin_writer.iter_mut().for_each(OriginWriter::commit);
        Ok(Ok((added, claimed)))
    }

    /// Ends a run: releases the games that it claimed and did not play.
    pub(crate) fn end(&mut self) {
        if let (Some(slot), Ok(transaction)) = (self.slot.take(), immediate(&mut self.connection, &self.path)) {
            // If this fails, the next run takes the slot over, which is no longer locked.
            let _ = slot.release(&transaction).and_then(|()| transaction.commit());
        }
    }

    /// Returns a number that changes when another process changes the store.
    pub(crate) fn data_version(&self) -> Result<i64, StoreError> {
        pragma(&self.connection, "data_version").map_err(|error| self.failed(error))
    }

    /// Returns an error with the number of games that are kept.
    fn failed(&self, error: rusqlite::Error) -> StoreError {
        let count = || self.connection.query_row("SELECT count(*) FROM trials", [], |row| row.get::<_, i64>(0));
        match StoreError::new(&self.path, error) {
            StoreError::DiskFull(path, _) => StoreError::DiskFull(path, count().ok().map(i64::unsigned_abs)),
            StoreError::Disk(path, reason, _) => StoreError::Disk(path, reason, count().ok().map(i64::unsigned_abs)),
            other => other,
        }
    }
}

/// Takes a free slot without claims.
fn take_slot(transaction: &Transaction<'_>, path: &Path) -> Result<Slot, StoreError> {
    let slot = Slot::take(path).map_err(|error| match error.kind() {
        io::ErrorKind::StorageFull => StoreError::DiskFull(path.to_owned(), None),
        _ => StoreError::ReadOnly(path.to_owned(), error.to_string()),
    })?;
    slot.remove_claims(transaction).map_err(|error| StoreError::new(path, error))?;
    Ok(slot)
}

/// Begins a transaction that excludes all other writers.
fn immediate<'c>(connection: &'c mut Connection, path: &Path) -> Result<Transaction<'c>, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    transaction.map_err(|error| StoreError::new(path, error))
}

fn read_description(connection: &Connection, path: &Path) -> Result<ExperimentDescription, StoreError> {
    let text = connection.query_row("SELECT description FROM experiment", [], |row| row.get::<_, String>(0));
    let text = text.optional().map_err(|error| StoreError::new(path, error))?;
    let damaged = || StoreError::Damaged(path.to_owned(), "it has no experiment".to_owned());
    text.and_then(|text| serde_json::from_str(&text).ok()).ok_or_else(damaged)
}

/// Reads the planned games in order of rules and strategy.
fn read_cells(
    connection: &Connection,
    layout: i64,
    description: &ExperimentDescription,
) -> rusqlite::Result<Vec<(i64, PlannedCell)>> {
    let repeats = if layout == VERSION { "repeats".to_owned() } else { description.repeats.to_string() };
    let query = format!("SELECT id, rules, strategy, secrets, {repeats} FROM cells ORDER BY rules, strategy");
    let mut query = connection.prepare(&query)?;
    let cell = |row: &rusqlite::Row<'_>| {
        let secrets = row.get::<_, i64>(3)?.unsigned_abs();
        Ok((row.get(0)?, PlannedCell { rules: row.get(1)?, strategy: row.get(2)?, secrets, repeats: row.get(4)? }))
    };
    query.query_map([], cell)?.collect()
}

/// Finds a cell, with its id, among those in order of rules and strategy.
fn find_cell<'c>(cells: &'c [(i64, PlannedCell)], rules: &str, strategy: &str) -> Option<&'c (i64, PlannedCell)> {
    let order = |(_, cell): &(i64, PlannedCell)| (&*cell.rules, &*cell.strategy).cmp(&(rules, strategy));
    cells.binary_search_by(order).ok().map(|index| &cells[index])
}

/// Renumbers the games of a cell whose number of secrets changes.
fn renumber(transaction: &Transaction<'_>, cell: i64, before: u64, after: u64) -> rusqlite::Result<()> {
    let first = cell << GAME_BITS;
    for table in ["trials", "failures"] {
        if table == "failures" && !games::failures_exist(transaction, "main")? {
            continue;
        }
        // Ids are moved out of the way first, because some new ids are old ones.
        transaction.execute(
            &format!(
                "UPDATE {table} SET id = -1 - (?1 + (id - ?1) / ?3 * ?4 + (id - ?1) % ?3) WHERE id >= ?1 AND id < ?2"
            ),
            [first, (cell + 1) << GAME_BITS, before.cast_signed(), after.cast_signed()],
        )?;
        transaction.execute(&format!("UPDATE {table} SET id = -1 - id WHERE id < 0"), [])?;
    }
    Ok(())
}

/// Percent-encodes a path for a URI.
fn percent_encoded(path: &Path) -> String {
    let encoded = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => char::from(*byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    path.as_os_str().as_encoded_bytes().iter().map(encoded).collect()
}

/// Returns the URI of a store without write access.
fn read_only_uri(path: &Path) -> String {
    // Without a log, the file cannot change and needs no lock.
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let logged = Path::new(&log).metadata().is_ok_and(|log| log.len() > 0);
    format!("file:{}{}", percent_encoded(path), if logged { "" } else { "?immutable=1" })
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    // A URI, so that special names such as `:memory:` are files.
    connect_to(&format!("file:{}", percent_encoded(path)), path, flags | OpenFlags::SQLITE_OPEN_URI)
}

fn connect_to(address: &str, path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(address, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let connection = connection.map_err(|error| StoreError::new(path, error))?;
    connection.busy_timeout(LOCK_TIMEOUT).map_err(|error| StoreError::new(path, error))?;
    Ok(connection)
}

/// Returns true if a file is a store, and false if it is empty. Fails if it is something else.
fn is_store(connection: &Connection, path: &Path) -> Result<bool, StoreError> {
    let failed = |error| StoreError::new(path, error);
    // A write-ahead log creates one page before the tables. This check precedes that of the id: a process that creates the
    // store writes both at once, so a file that is not empty afterwards has its id.
    let empty = pragma(connection, "page_count").map_err(failed)? <= 1 && is_empty(connection).map_err(failed)?;
    match pragma(connection, "application_id").map_err(failed)? {
        APPLICATION_ID => Ok(true),
        _ if empty => Ok(false),
        _ => Err(StoreError::NotAStore(path.to_owned())),
    }
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
}

/// Enables the write-ahead log, retrying while another process does the same.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        match connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())) {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && start.elapsed() < LOCK_TIMEOUT =>
            {
                thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
}

/// Creates the tables, unless another process did.
fn initialize(
    connection: &mut Connection,
    description: &ExperimentDescription,
    cells: &[PlannedCell],
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if !is_empty(&transaction)? {
        return Ok(());
    }
    transaction.execute_batch(SCHEMA)?;
    transaction.execute_batch(&games_view())?;
    transaction.execute_batch(ORIGINS_SCHEMA)?;
    transaction.execute_batch(CLAIMS_SCHEMA)?;
    let text =
        serde_json::to_string(description).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    transaction.execute("INSERT INTO experiment VALUES (?1)", [text])?;
    for (id, PlannedCell { rules, strategy, secrets, repeats }) in (0i64..).zip(cells) {
        let insert = "INSERT INTO cells VALUES (?1, ?2, ?3, ?4, ?5)";
        transaction.execute(insert, params![id, rules, strategy, secrets.cast_signed(), repeats])?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.commit()
}

impl Store {
    /// Migrates a store of an older version. Games of a version without origins have an unknown origin.
    pub(super) fn migrate(&mut self) -> Result<(), StoreError> {
        if self.layout == VERSION {
            return Ok(());
        }
        self.try_migrate().map_err(|error| self.failed(error))?;
        self.layout = VERSION;
        Ok(())
    }

    fn try_migrate(&mut self) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have migrated it.
        let layout = pragma(&transaction, "user_version")?;
        if layout < ORIGINS_VERSION {
            transaction.execute_batch(
                "ALTER TABLE trials ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE trials ADD COLUMN random INTEGER;",
            )?;
            transaction.execute_batch(ORIGINS_SCHEMA)?;
        }
        if layout < VERSION {
            let repeats = self.description.repeats;
            let add = format!("ALTER TABLE cells ADD COLUMN repeats INTEGER NOT NULL DEFAULT {repeats};");
            transaction.execute_batch(&add)?;
            transaction.execute_batch(CLAIMS_SCHEMA)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()
    }
}

/// Error of a store, with its path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file is missing or empty.
    #[error("{}: there is no such store", .0.display())]
    Missing(PathBuf),
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The file is something else and is not changed.
    #[error("{}: this is not a store of games and is not changed; give another file", .0.display())]
    NotAStore(PathBuf),
    /// The file has an unsupported version.
    #[error("{}: the store has version {}, but this program reads version {}; use the program that wrote it", .0.display(), .1, VERSION)]
    Version(PathBuf, i64),
    /// The file is damaged, for this reason.
    #[error("{}: the store is damaged ({}); `sqlite3 FILE .recover` may save its readable part", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// The file has the games of another experiment, with these differences.
    #[error("{}: the store has another experiment: {}\n  run that one, or give another file", .0.display(), .1)]
    OtherExperiment(PathBuf, String),
    /// The games were played by a version that plays differently: the strategy and both behaviors.
    #[error("{}: {}\n  use another file, or --allow-mixed", .0.display(), .1)]
    OtherBehavior(PathBuf, String),
    /// The disk is full. The store keeps this number of games, if known.
    #[error("{}: the disk is full{}; free some space, and the same command resumes", .0.display(), describe_kept(*.1))]
    DiskFull(PathBuf, Option<u64>),
    /// An input or output error, with its cause and the number of games that the store keeps, if known.
    #[error("{}: the disk failed ({}){}; the same command resumes", .0.display(), .1, describe_kept(*.2))]
    Disk(PathBuf, String, Option<u64>),
    /// The games of a strategy would be more than a store can number.
    #[error("{}: {} games of a strategy are too many; the maximum is {}", .0.display(), .1, Experiment::MAX_GAMES)]
    TooLarge(PathBuf, u64),
    /// The file or its folder cannot be written, for this reason.
    #[error("{}: the store cannot be written: {}", .0.display(), .1)]
    ReadOnly(PathBuf, String),
    /// Other processes hold a lock for too long.
    #[error("{}: other processes have locked the store for too long; try again later", .0.display())]
    Busy(PathBuf),
    /// Another SQLite error.
    #[error("{}: {}", .0.display(), .1)]
    Sqlite(PathBuf, rusqlite::Error),
}

impl StoreError {
    /// Classifies an SQLite error.
    pub(crate) fn new(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::NotAStore(path),
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(path, reason),
            Some(ErrorCode::DiskFull) => Self::DiskFull(path, None),
            // The shared memory of the write-ahead log cannot grow.
            Some(_) if error.sqlite_error().is_some_and(|of| of.extended_code == ffi::SQLITE_IOERR_SHMSIZE) => {
                Self::DiskFull(path, None)
            }
            Some(ErrorCode::SystemIoFailure) => Self::Disk(path, reason, None),
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::ReadOnly(path, reason)
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy(path),
            _ => Self::Sqlite(path, error),
        }
    }
}

fn describe_kept(games: Option<u64>) -> String {
    match games {
        None => String::new(),
        Some(0) => "; no game is stored".to_owned(),
        Some(1) => "; 1 game is stored".to_owned(),
        Some(games) => format!("; {games} games are stored"),
    }
}
