//! What strategies did that lost a game by not answering with a guess.
//!
//! They lie in a table of their own, which is there only where some strategy failed.

use rusqlite::{Connection, Transaction, params};
use serde::Serialize;

use super::{NUMBER_BITS, Store, StoreError};

const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS failures (id INTEGER PRIMARY KEY, reason TEXT NOT NULL) STRICT";

/// A game that was lost because the strategy failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The rules.
    pub rules: String,
    /// The strategy.
    pub strategy: String,
    /// Which of the secrets was played, from zero.
    pub game: u64,
    /// How many times it had been played before.
    pub repeat: u64,
    /// What the strategy did instead of guessing.
    pub reason: String,
}

/// Writes down why games were lost.
pub(super) fn write(transaction: &Transaction<'_>, failures: &[(i64, String)]) -> rusqlite::Result<()> {
    if failures.is_empty() {
        return Ok(());
    }
    transaction.execute(SCHEMA, [])?;
    let mut insert = transaction.prepare_cached("INSERT OR IGNORE INTO failures VALUES (?1, ?2)")?;
    failures.iter().try_for_each(|(id, reason)| insert.execute(params![id, reason]).map(|_| ()))
}

/// Takes the failures of an attached part over.
pub(super) fn take_over(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    if !exist(transaction, "part")? {
        return Ok(());
    }
    transaction.execute(SCHEMA, [])?;
    transaction.execute("INSERT OR IGNORE INTO main.failures SELECT id, reason FROM part.failures", []).map(|_| ())
}

fn exist(connection: &Connection, schema: &str) -> rusqlite::Result<bool> {
    let query = format!("SELECT count(*) > 0 FROM {schema}.sqlite_schema WHERE name = 'failures'");
    connection.query_row(&query, [], |row| row.get(0))
}

impl Store {
    /// The games that were lost because a strategy failed, in the order of their numbers.
    pub fn failures(&self) -> Result<Vec<Failure>, StoreError> {
        self.try_failures().map_err(|error| self.failed(error))
    }

    fn try_failures(&self) -> rusqlite::Result<Vec<Failure>> {
        if !exist(&self.connection, "main")? {
            return Ok(Vec::new());
        }
        let mut query = self.connection.prepare(
            "SELECT failures.id, rules, strategy, secrets, reason FROM failures
            JOIN cells ON cells.id = failures.id >> 40 ORDER BY failures.id",
        )?;
        let failure = |row: &rusqlite::Row<'_>| {
            let (id, secrets): (i64, i64) = (row.get(0)?, row.get(3)?);
            let number = (id & ((1 << NUMBER_BITS) - 1)).unsigned_abs();
            let secrets = secrets.unsigned_abs().max(1);
            let (game, repeat) = (number % secrets, number / secrets);
            Ok(Failure { rules: row.get(1)?, strategy: row.get(2)?, game, repeat, reason: row.get(4)? })
        };
        query.query_map([], failure)?.collect()
    }
}
