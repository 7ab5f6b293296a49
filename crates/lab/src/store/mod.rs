//! The store: one SQLite file with every finished game of an experiment.
//!
//! # Layout, version 3
//!
//! | table | columns |
//! |---|---|
//! | `experiment` | `description` as JSON |
//! | `cells` | `id`, `rules`, `strategy`, `secrets`: number of secrets |
//! | `trials` | `id`: cell number in the high bits, game number in the low 40 bits; `secret`; `guesses`; `outcome`: 0 solved, 1 out of guesses, 2 failed; `examined`, `consistent`, `scored`, `nodes`; `nanoseconds`; `turns`: the guesses; `origin`; `random`: 1 if the strategy drew random numbers |
//! | `origins` | `id`, `program`, `revision`: the commit, `compiler`, `machine`, `threads`, `date`; id 0 means unknown |
//! | `behaviors` | `origin`, `cell`, `hash`: behavior of the strategy in the program of the origin |
//! | `failures` | `id`, `reason`: failure of an external strategy; created with the first failure |
//! | `games` | view for readers: `rules`, `strategy`, `game`, `repeat`, `solved`, `guesses`, `examined`, `consistent`, `scored`, `nodes`, `seconds` |
//!
//! A code is stored as a number in base `colors` in little-endian order, with the fewest bytes that hold every code, or
//! with two bytes per cell beyond 128 bits. Feedback is not stored, since it follows from secret and guess. A game at 4x6
//! takes about 40 bytes.
//!
//! Version 2 had no origins. Such a store is readable, with unknown origins, and is migrated when games are added.
//!
//! The write-ahead log preserves every committed game if the process ends, and allows concurrent readers and several
//! writing processes. Game ids are unique, so a game that two processes play is stored once.

mod games;
mod origins;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, TransactionBehavior, params};

pub(crate) use self::games::CodeCodec;
pub use self::games::{Failure, Trial, TrialBatch};
pub use self::origins::{MergeError, Mixing, OriginSummary};
use self::origins::{ORIGINS_SCHEMA, OriginWriter};
use crate::experiment::{Experiment, ExperimentDescription, GAME_BITS};

/// Version of the layout.
const VERSION: i64 = 3;
/// Previous version, which is still readable.
const PREVIOUS_VERSION: i64 = 2;
/// SQLite application id of a store: `PEGL`.
const APPLICATION_ID: i64 = 0x5045_474C;
/// Origin id of games without a known origin.
const UNKNOWN_ORIGIN: i64 = 0;
/// Timeout for locks of other processes.
const LOCK_TIMEOUT: Duration = Duration::from_secs(30);

const SCHEMA: &str = "
    CREATE TABLE experiment (description TEXT NOT NULL) STRICT;
    CREATE TABLE cells (
        id INTEGER PRIMARY KEY, rules TEXT NOT NULL, strategy TEXT NOT NULL, secrets INTEGER NOT NULL
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
    /// Version of the layout.
    layout: i64,
    /// Origin of the games to be added, once set.
    origin_writer: Option<OriginWriter>,
}

impl Store {
    /// Opens the store of an experiment, or creates it. Fails if the file has another experiment.
    pub fn create(path: &Path, experiment: &Experiment) -> Result<Self, StoreError> {
        Self::create_described(path, &ExperimentDescription::of(experiment))
    }

    pub(crate) fn create_described(path: &Path, description: &ExperimentDescription) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut connection = connect(path, flags)?;
        let failed = |error| StoreError::new(path, error);
        if !is_store(&connection, path)? {
            write_ahead(&connection).map_err(failed)?;
            initialize(&mut connection, description).map_err(failed)?;
        }
        let mut store = Self::check(path, connection)?;
        if let Some(difference) = store.description.difference(description) {
            return Err(StoreError::OtherExperiment(path.to_owned(), difference));
        }
        store.migrate()?;
        Ok(store)
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
        let version = pragma(&connection, "user_version").map_err(failed)?;
        if ![PREVIOUS_VERSION, VERSION].contains(&version) {
            return Err(StoreError::Version(path.to_owned(), version));
        }
        // A system crash may lose the last transactions but does not corrupt the file; a process crash loses nothing.
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(failed)?;
        let text: Option<String> = connection
            .query_row("SELECT description FROM experiment", [], |row| row.get(0))
            .optional()
            .map_err(failed)?;
        let described = text.and_then(|text| serde_json::from_str(&text).ok());
        let damaged = || StoreError::Damaged(path.to_owned(), "it has no experiment".to_owned());
        let description = described.ok_or_else(damaged)?;
        Ok(Self { path: path.to_owned(), connection, description, layout: version, origin_writer: None })
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

    /// Calls `each` with the number of every game of a cell, and with its guesses if it was solved.
    pub(crate) fn finished(&self, cell: u32, mut each: impl FnMut(u64, Option<u64>)) -> Result<(), StoreError> {
        let failed = |error| self.failed(error);
        let (first, last) = (i64::from(cell) << GAME_BITS, (i64::from(cell) + 1) << GAME_BITS);
        let mut query = self
            .connection
            .prepare("SELECT id, iif(outcome = 0, guesses, NULL) FROM trials WHERE id >= ?1 AND id < ?2")
            .map_err(failed)?;
        let mut rows = query.query([first, last]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let id: i64 = row.get(0).map_err(failed)?;
            let guesses: Option<i64> = row.get(1).map_err(failed)?;
            each((id - first).unsigned_abs(), guesses.map(i64::unsigned_abs));
        }
        Ok(())
    }

    /// Adds games in one transaction; games that exist are kept. Their origin is unknown unless a run has begun.
    pub fn insert(&mut self, batches: &[TrialBatch]) -> Result<(), StoreError> {
        self.try_insert(batches).map_err(|error| self.failed(error))
    }

    fn try_insert(&mut self, batches: &[TrialBatch]) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let origin = match &mut self.origin_writer {
            Some(writer) => writer.write(&transaction, batches.iter().filter_map(TrialBatch::cell))?,
            None => UNKNOWN_ORIGIN,
        };
        for batch in batches {
            batch.write(&transaction, origin)?;
        }
        transaction.commit()?;
        self.origin_writer.iter_mut().for_each(OriginWriter::commit);
        Ok(())
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        StoreError::new(&self.path, error)
    }
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
fn initialize(connection: &mut Connection, description: &ExperimentDescription) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if !is_empty(&transaction)? {
        return Ok(());
    }
    transaction.execute_batch(SCHEMA)?;
    transaction.execute_batch(&games_view())?;
    transaction.execute_batch(ORIGINS_SCHEMA)?;
    let text =
        serde_json::to_string(description).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    transaction.execute("INSERT INTO experiment VALUES (?1)", [text])?;
    let boards = description.rules.iter().zip(&description.counts);
    let cells = boards.flat_map(|board| description.strategies.iter().map(move |strategy| (board, strategy)));
    for (id, ((rules, &secrets), strategy)) in (0i64..).zip(cells) {
        let secrets = secrets.cast_signed();
        transaction.execute("INSERT INTO cells VALUES (?1, ?2, ?3, ?4)", params![id, rules, strategy, secrets])?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.commit()
}

impl Store {
    /// Migrates a store of the previous version. Its games have an unknown origin.
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
        if pragma(&transaction, "user_version")? == PREVIOUS_VERSION {
            transaction.execute_batch(
                "ALTER TABLE trials ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE trials ADD COLUMN random INTEGER;",
            )?;
            transaction.execute_batch(ORIGINS_SCHEMA)?;
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
    /// The disk is full.
    #[error("{}: the disk is full; finished games are kept, and the same command resumes", .0.display())]
    DiskFull(PathBuf),
    /// An input or output error, with its cause.
    #[error("{}: the disk failed ({}); finished games are kept, and the same command resumes", .0.display(), .1)]
    Disk(PathBuf, String),
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
            Some(ErrorCode::DiskFull) => Self::DiskFull(path),
            Some(ErrorCode::SystemIoFailure) => Self::Disk(path, reason),
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::ReadOnly(path, reason)
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy(path),
            _ => Self::Sqlite(path, error),
        }
    }
}
