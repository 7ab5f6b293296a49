//! The store: one SQLite file with every finished game of an experiment.
//!
//! # Layout, version 3
//!
//! | table | columns |
//! |---|---|
//! | `experiment` | `description`: what the experiment is, as JSON |
//! | `cells` | `id`, `rules`, `strategy`, `secrets`: how many there are |
//! | `trials` | `id`: `cell << 40` plus the game's number; `secret`; `guesses`; `outcome`: 0 solved, 1 out of guesses, 2 failed; `examined`, `consistent`, `scored`, `nodes`; `nanoseconds`; `turns`: the guesses; `origin`: who played it; `random`: whether the strategy drew anything at random |
//! | `origins` | `id`, `program`, `revision`: the commit, `compiler`, `machine`, `threads`, `date`; id 0 is not known |
//! | `behaviors` | `origin`, `cell`, `hash`: how the strategy of the cell behaves in the program of that origin |
//! | `failures` | `id`, `reason`: what a strategy did instead of guessing; there where one failed |
//! | `games` | a view for people: `rules`, `strategy`, `game`, `repeat`, `solved`, `guesses`, `examined`, `consistent`, `scored`, `nodes`, `seconds` |
//!
//! A code is its number in base `colors` in as few bytes as hold every code, the lowest byte first; past 128 bits, two bytes
//! a cell. Feedback is not kept: secret and guess give it. A game at 4x6 takes about 40 bytes.
//!
//! Version 2 had no origins. Such a store is read as it is, all its games of unknown origin, and gets the new columns when
//! games are added to it.
//!
//! The write-ahead log keeps every committed game whatever happens to the process, lets others read meanwhile, and lets
//! several processes write in turn. Every game has one number, so a game that two processes play is kept once.

mod batch;
mod codec;
mod error;
mod failures;
mod merge;
mod migrate;
mod origins;
#[cfg(test)]
mod tests;
mod trial;

use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, TransactionBehavior, params};

use self::origins::Hand;

pub(crate) use self::codec::Codec;
pub use self::{
    batch::Batch,
    error::StoreError,
    failures::Failure,
    merge::MergeError,
    origins::{GamesOf, Mixing},
    trial::{Ending, Trial},
};
use crate::experiment::{Description, Experiment};

/// The version of the layout.
const VERSION: i64 = 3;
/// The version before, whose stores are read too.
const BEFORE: i64 = 2;
/// Tells the files of the laboratory from other databases: `PEGL`.
const APPLICATION: i64 = 0x5045_474C;
/// The origin of games of which it is not known.
const UNKNOWN: i64 = 0;
/// How many bits of an id are the number of a game.
const NUMBER_BITS: u32 = 40;
/// How long to wait for others that write.
const PATIENCE: Duration = Duration::from_secs(30);

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
    CREATE VIEW games AS SELECT
        rules, strategy, (trials.id & 0xFFFFFFFFFF) % secrets AS game, (trials.id & 0xFFFFFFFFFF) / secrets AS repeat,
        outcome = 0 AS solved, guesses, examined, consistent, scored, nodes, nanoseconds / 1e9 AS seconds
        FROM trials JOIN cells ON cells.id = trials.id >> 40;";

/// A store of games.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    description: Description,
    /// The version of its layout.
    layout: i64,
    /// Who adds games, once somebody does.
    hand: Option<Hand>,
}

impl Store {
    /// A store that is nowhere and gone when it is dropped.
    pub fn in_memory(experiment: &Experiment) -> Result<Self, StoreError> {
        let path = Path::new("memory");
        let mut connection = Connection::open_in_memory().map_err(|error| StoreError::new(path, error))?;
        let made = initialize(&mut connection, &Description::of(experiment));
        made.map_err(|error| StoreError::new(path, error))?;
        Self::check(path, connection)
    }

    /// Opens the store of an experiment, or makes it where there is none. A store of another experiment is refused.
    pub fn create(path: &Path, experiment: &Experiment) -> Result<Self, StoreError> {
        Self::create_described(path, &Description::of(experiment))
    }

    pub(crate) fn create_described(path: &Path, description: &Description) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut connection = connect(path, flags)?;
        let failed = |error| StoreError::new(path, error);
        if !is_store(&connection, path)? {
            write_ahead(&connection).map_err(failed)?;
            initialize(&mut connection, description).map_err(failed)?;
        }
        let mut store = Self::check(path, connection)?;
        if let Some(difference) = store.description.difference(description) {
            return Err(StoreError::OtherExperiment { path: path.to_owned(), difference });
        }
        store.migrate()?;
        Ok(store)
    }

    /// Opens a store that is there.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.to_owned()));
        }
        // Reading a write-ahead log takes a lock, and so a file that can be written, where there is one.
        match Self::open_with(path, connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)) {
            Err(StoreError::ReadOnly { .. }) => Self::open_unwritable(path),
            opened => opened,
        }
    }

    /// Opens a store that nobody can write to, as on a disk that is read only.
    fn open_unwritable(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        Self::open_with(path, connect_to(&address_unwritable(path), path, flags))
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
        if ![BEFORE, VERSION].contains(&version) {
            return Err(StoreError::Version { path: path.to_owned(), version });
        }
        // A crash of the machine may cost the last moments, never the file; a crash of the process costs nothing.
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(failed)?;
        let text: Option<String> = connection
            .query_row("SELECT description FROM experiment", [], |row| row.get(0))
            .optional()
            .map_err(failed)?;
        let described = text.and_then(|text| serde_json::from_str(&text).ok());
        let damaged = || StoreError::Damaged { path: path.to_owned(), reason: "no experiment in it".to_owned() };
        let description = described.ok_or_else(damaged)?;
        Ok(Self { path: path.to_owned(), connection, description, layout: version, hand: None })
    }

    /// What the experiment is.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The version of its layout.
    #[must_use]
    pub fn layout(&self) -> i64 {
        self.layout
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many games it holds.
    pub fn count(&self) -> Result<u64, StoreError> {
        let count = self.connection.query_row("SELECT count(*) FROM trials", [], |row| row.get::<_, i64>(0));
        count.map(i64::unsigned_abs).map_err(|error| self.failed(error))
    }

    /// Calls back with the number and the guesses of every game of a cell.
    pub(crate) fn finished(&self, cell: u32, mut each: impl FnMut(u64, u64)) -> Result<(), StoreError> {
        let failed = |error| self.failed(error);
        let (first, last) = (i64::from(cell) << NUMBER_BITS, (i64::from(cell) + 1) << NUMBER_BITS);
        let mut query =
            self.connection.prepare("SELECT id, guesses FROM trials WHERE id >= ?1 AND id < ?2").map_err(failed)?;
        let mut rows = query.query([first, last]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let id: i64 = row.get(0).map_err(failed)?;
            let guesses: i64 = row.get(1).map_err(failed)?;
            each((id - first).unsigned_abs(), guesses.unsigned_abs());
        }
        Ok(())
    }

    /// Keeps games, all in one transaction; those it has already stay as they are. Where nobody [began](Self::begin), their
    /// origin is unknown.
    pub fn insert(&mut self, batches: &[Batch]) -> Result<(), StoreError> {
        self.try_insert(batches).map_err(|error| self.failed(error))
    }

    fn try_insert(&mut self, batches: &[Batch]) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let origin = match &mut self.hand {
            Some(hand) => hand.sign(&transaction, batches.iter().filter_map(Batch::cell))?,
            None => UNKNOWN,
        };
        for batch in batches {
            batch.write(&transaction, origin)?;
        }
        transaction.commit()?;
        self.hand.iter_mut().for_each(Hand::signed);
        Ok(())
    }

    fn failed(&self, error: rusqlite::Error) -> StoreError {
        StoreError::new(&self.path, error)
    }
}

/// A path as it is written in an address: all but letters, digits and a few signs by their numbers.
fn percent_encoded(path: &Path) -> String {
    let encoded = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => char::from(*byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    path.as_os_str().as_encoded_bytes().iter().map(encoded).collect()
}

/// The address of a store that nobody can write to.
fn address_unwritable(path: &Path) -> String {
    // Without a log there is nothing that a lock could keep from changing.
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let logged = Path::new(&log).metadata().is_ok_and(|log| log.len() > 0);
    format!("file:{}{}", percent_encoded(path), if logged { "" } else { "?immutable=1" })
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    // By address, so that no name means anything else than a file: `:memory:` would be none.
    connect_to(&format!("file:{}", percent_encoded(path)), path, flags | OpenFlags::SQLITE_OPEN_URI)
}

fn connect_to(address: &str, path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(address, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let connection = connection.map_err(|error| StoreError::new(path, error))?;
    connection.busy_timeout(PATIENCE).map_err(|error| StoreError::new(path, error))?;
    Ok(connection)
}

/// Whether a file is a store; not yet where it is empty, and an error where it is something else.
fn is_store(connection: &Connection, path: &Path) -> Result<bool, StoreError> {
    let failed = |error| StoreError::new(path, error);
    // The write-ahead log of a store to be makes a page before anything is in it. This is looked at before the mark: a
    // process that makes the store now writes both at once, so what is seen full afterwards has its mark.
    let empty = pragma(connection, "page_count").map_err(failed)? <= 1 && is_empty(connection).map_err(failed)?;
    match pragma(connection, "application_id").map_err(failed)? {
        APPLICATION => Ok(true),
        _ if empty => Ok(false),
        _ => Err(StoreError::Foreign(path.to_owned())),
    }
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
}

/// Switches to the write-ahead log. Two processes that do so at once get in each other's way without waiting.
fn write_ahead(connection: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        match connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())) {
            Err(error)
                if error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
                    && start.elapsed() < PATIENCE =>
            {
                thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
}

/// Makes the tables, unless another process just did.
fn initialize(connection: &mut Connection, description: &Description) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if !is_empty(&transaction)? {
        return Ok(());
    }
    transaction.execute_batch(SCHEMA)?;
    transaction.execute_batch(origins::SCHEMA)?;
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
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.commit()
}
