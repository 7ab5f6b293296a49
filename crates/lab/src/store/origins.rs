//! Who played the games of a store.

use std::collections::BTreeMap;

use pegwise_solve::Spec;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use serde::Serialize;

use super::{Store, StoreError, UNKNOWN, VERSION};
use crate::{
    experiment::Experiment,
    provenance::{Behavior, Origin, behavior_of},
};

/// `revision` is the commit: that word means something else to the database.
pub(super) const SCHEMA: &str = "
    CREATE TABLE origins (
        id INTEGER PRIMARY KEY, program TEXT NOT NULL, revision TEXT NOT NULL, compiler TEXT NOT NULL,
        machine TEXT NOT NULL, threads INTEGER NOT NULL, date TEXT NOT NULL
    ) STRICT;
    CREATE TABLE behaviors (
        origin INTEGER NOT NULL, cell INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (origin, cell)
    ) STRICT, WITHOUT ROWID;";

/// Whether games of programs that behave differently may lie in one store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mixing {
    /// They are refused.
    #[default]
    Refused,
    /// Somebody insists.
    Allowed,
}

/// The games of one origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GamesOf {
    /// Who played them; not known of games from before origins were kept.
    pub origin: Option<Origin>,
    /// How many there are.
    pub games: u64,
    /// How each strategy behaves that played some of them, by rules and strategy.
    pub behaviors: Vec<(String, String, String)>,
}

/// Whoever adds games to a store: an origin that is written down with its first game.
#[derive(Debug)]
pub(super) struct Hand {
    origin: Origin,
    behaviors: BTreeMap<i64, Behavior>,
    /// Its number in the store, and the cells written down with it: as of the last commit, and with what is to be committed.
    kept: Signature,
    next: Signature,
}

#[derive(Debug, Clone, Default)]
struct Signature {
    id: Option<i64>,
    cells: Vec<i64>,
}

impl Hand {
    /// The number of the origin, written down with its cells as far as they are new.
    pub(super) fn sign(
        &mut self,
        transaction: &Transaction<'_>,
        cells: impl Iterator<Item = i64>,
    ) -> rusqlite::Result<i64> {
        self.next = self.kept.clone();
        let id = match self.next.id {
            Some(id) => id,
            None => insert(transaction, "main", &self.origin)?,
        };
        self.next.id = Some(id);
        for cell in cells {
            if self.next.cells.contains(&cell) {
                continue;
            }
            self.next.cells.push(cell);
            if let Some(behavior) = self.behaviors.get(&cell) {
                let insert = "INSERT OR IGNORE INTO behaviors VALUES (?1, ?2, ?3)";
                transaction.execute(insert, params![id, cell, behavior.to_string()])?;
            }
        }
        Ok(id)
    }

    /// What was written down is committed.
    pub(super) fn signed(&mut self) {
        self.kept = self.next.clone();
    }
}

/// Writes an origin down, and gives its number.
pub(super) fn insert(connection: &Connection, schema: &str, origin: &Origin) -> rusqlite::Result<i64> {
    let Origin { program, commit, compiler, machine, threads, date } = origin;
    // The first number is that of unknown origins.
    let insert = format!(
        "INSERT INTO {schema}.origins VALUES ((SELECT coalesce(max(id), {UNKNOWN}) + 1 FROM {schema}.origins), ?1, ?2, ?3, ?4, ?5, ?6)"
    );
    connection.execute(&insert, params![program, commit, compiler, machine, threads, date])?;
    Ok(connection.last_insert_rowid())
}

/// The origins written down in an attached database, by number.
pub(super) fn all(connection: &Connection, schema: &str) -> rusqlite::Result<Vec<(i64, Origin)>> {
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
    /// Makes this program, as it behaves here, the origin of all games that are added from now on. Where games of a strategy
    /// are there that behaved otherwise, it is refused, unless somebody insists.
    pub fn begin(&mut self, experiment: &Experiment, threads: usize, mixing: Mixing) -> Result<(), StoreError> {
        self.begin_as(Origin::here(threads), experiment, mixing)
    }

    /// [`Store::begin`] as a part of what began at another time or place.
    pub(crate) fn begin_as(
        &mut self,
        origin: Origin,
        experiment: &Experiment,
        mixing: Mixing,
    ) -> Result<(), StoreError> {
        let mut known = BTreeMap::<String, Behavior>::new();
        let mut behaviors = BTreeMap::new();
        for cell in experiment.cells() {
            let of = |spec: &Spec| behavior_of(spec);
            let behavior = *known.entry(cell.strategy.to_string()).or_insert_with(|| of(&cell.strategy));
            if mixing == Mixing::Refused {
                self.check_behavior(cell.id.into(), behavior, &cell.strategy.to_string(), &cell.rules.to_string())?;
            }
            behaviors.insert(i64::from(cell.id), behavior);
        }
        let (kept, next) = (Signature::default(), Signature::default());
        self.hand = Some(Hand { origin, behaviors, kept, next });
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
                    "{strategy} at {rules} behaves otherwise in this program ({here}) than in the one that played the games \
                     there ({there}: {program}, commit {commit})"
                );
                Err(StoreError::OtherBehavior { path: self.path.clone(), difference })
            }
        }
    }

    /// Who played the games, and how many each.
    pub fn origins(&self) -> Result<Vec<GamesOf>, StoreError> {
        if self.layout != VERSION {
            let games = self.count()?;
            return Ok(vec![GamesOf { origin: None, games, behaviors: Vec::new() }]);
        }
        self.try_origins().map_err(|error| self.failed(error))
    }

    fn try_origins(&self) -> rusqlite::Result<Vec<GamesOf>> {
        let known: BTreeMap<i64, Origin> = all(&self.connection, "main")?.into_iter().collect();
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
            found.push(GamesOf {
                origin: known.get(&id).cloned(),
                games: games.unsigned_abs(),
                behaviors: behaviors.collect::<rusqlite::Result<_>>()?,
            });
        }
        Ok(found)
    }
}
