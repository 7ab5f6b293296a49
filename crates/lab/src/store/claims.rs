//! Division of the games between the processes that write to one store.
//!
//! A process claims games before it plays them. Claims are leased to a slot, and a slot belongs to the process that holds
//! the lock of its file, `STORE-runN`. The operating system releases the lock when the process ends for any reason, so a
//! claim is lost exactly when its process is, and is taken over at once. Unlike heartbeats and process ids, this needs no
//! clock, a suspended process keeps its claims, and containers may share a store. All processes are on one machine,
//! because the write-ahead log needs shared memory.
//!
//! Slots are taken, examined and released in immediate transactions, of which there is only one at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{OptionalExtension as _, Rows, Transaction, params};

use crate::experiment::{ExperimentCell, GAME_BITS};
use crate::runner::Shard;

pub(super) const CLAIMS_SCHEMA: &str = "
    CREATE TABLE claims (
        slot INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (slot, first)
    ) STRICT, WITHOUT ROWID;";

/// A locked slot.
#[derive(Debug)]
pub(super) struct Slot {
    number: i64,
    /// Path of the store, without links.
    store: PathBuf,
    _lock: File,
}

fn lock_path(store: &Path, slot: i64) -> PathBuf {
    let mut path = store.as_os_str().to_owned();
    path.push(format!("-run{slot}"));
    path.into()
}

/// Locks a file. Returns `None` if a process has locked it.
fn try_lock(path: &Path, create: bool) -> io::Result<Option<File>> {
    let file = OpenOptions::new().read(true).write(create).create(create).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

impl Slot {
    /// Takes the first free slot. Its claims, if any, are those of a process that ended early.
    pub(super) fn take(store: &Path) -> io::Result<Self> {
        let store = store.canonicalize()?;
        let mut number = 1;
        loop {
            if let Some(lock) = try_lock(&lock_path(&store, number), true)? {
                return Ok(Self { number, store, _lock: lock });
            }
            number += 1;
        }
    }

    /// Returns the files of all other slots, and whether a process holds each.
    fn others(&self) -> impl Iterator<Item = (PathBuf, bool)> {
        let own = lock_path(&self.store, self.number);
        let prefix = self.store.file_name().map(|name| format!("{}-run", name.to_string_lossy())).unwrap_or_default();
        let files = self.store.parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        let slots = files.filter(move |file| file.file_name().to_string_lossy().starts_with(&prefix));
        let paths = slots.map(|file| file.path()).filter(move |path| *path != own);
        paths.map(|path| (try_lock(&path, false), path)).map(|(lock, path)| (path, matches!(lock, Ok(None))))
    }

    /// Returns true if another process plays games of the store.
    pub(super) fn others_exist(&self) -> bool {
        self.others().any(|(_, held)| held)
    }

    /// Removes the claims and the file of the slot, and the files of processes that ended early.
    pub(super) fn release(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        // A file that remains is a free slot.
        for (path, _) in self.others().filter(|(_, held)| !held).chain([(lock_path(&self.store, self.number), false)]) {
            let _ = fs::remove_file(path);
        }
        self.remove_claims(transaction)
    }

    /// Removes the claims of the slot.
    pub(super) fn remove_claims(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        transaction.execute("DELETE FROM claims WHERE slot = ?1", [self.number]).map(|_| ())
    }

    /// Returns the claims of the other processes as ranges of ids, and removes those of processes that have ended.
    fn claims_of_others(&self, transaction: &Transaction<'_>) -> rusqlite::Result<Vec<[i64; 2]>> {
        let mut select =
            transaction.prepare_cached("SELECT slot, first, last FROM claims WHERE slot <> ?1 ORDER BY slot")?;
        let claims = select.query_map([self.number], |row| Ok((row.get(0)?, [row.get(1)?, row.get(2)?])))?;
        let mut claims = claims.collect::<rusqlite::Result<Vec<(i64, [i64; 2])>>>()?;
        let mut slots: Vec<i64> = claims.iter().map(|(slot, _)| *slot).collect();
        slots.dedup();
        for slot in slots {
            // A lock that cannot be examined is treated as held.
            let is_lost = match try_lock(&lock_path(&self.store, slot), false) {
                Ok(lock) => lock.is_some(),
                Err(error) => error.kind() == io::ErrorKind::NotFound,
            };
            if is_lost {
                transaction.execute("DELETE FROM claims WHERE slot = ?1", [slot])?;
                claims.retain(|(other, _)| *other != slot);
            }
        }
        Ok(claims.into_iter().map(|(_, range)| range).collect())
    }
}

/// Numbering of the games of a cell in a store.
///
/// In an experiment, game `number` plays secret `number % secrets` in repeat `number / secrets`. A store that was extended
/// has more secrets than the experiment of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GameIds {
    /// Id of the cell in the store.
    pub(super) cell: i64,
    /// Number of secrets in the experiment.
    pub(super) secrets: u64,
    /// Number of secrets in the store.
    pub(super) stored_secrets: u64,
}

impl GameIds {
    /// Returns the id of a game of the experiment.
    pub(crate) fn id(self, number: u64) -> i64 {
        let number = number / self.secrets * self.stored_secrets + number % self.secrets;
        self.cell << GAME_BITS | number.cast_signed()
    }

    /// Returns the number in the experiment of a stored game, unless its secret is not part of the experiment.
    pub(super) fn number(self, id: i64) -> Option<u64> {
        let number = id.cast_unsigned() & ((1 << GAME_BITS) - 1);
        let (game, repeat) = (number % self.stored_secrets, number / self.stored_secrets);
        (game < self.secrets).then_some(repeat * self.secrets + game)
    }
}

/// Claimed games of one cell.
#[derive(Debug)]
pub(crate) struct GameBatch {
    pub(crate) cell: Arc<ExperimentCell>,
    pub(crate) ids: GameIds,
    pub(crate) numbers: Vec<u64>,
}

impl GameBatch {
    /// First and last id, which identify the claim.
    pub(super) fn range(&self) -> [i64; 2] {
        let ids = || self.numbers.iter().map(|&number| self.ids.id(number));
        [ids().min().unwrap_or_default(), ids().max().unwrap_or_default()]
    }
}

/// Games of a run that it has not claimed.
#[derive(Debug)]
pub(crate) struct GamePlan {
    shard: Shard,
    cells: Vec<CellGames>,
    /// Index of the current cell.
    current: usize,
    /// Index in the shard of the next game of the current cell.
    next: u64,
    /// Games that other processes had claimed when they were reached: the cell and the number of each.
    deferred: Vec<(usize, u64)>,
    /// Number of games from the next one on.
    ahead: u64,
}

#[derive(Debug)]
pub(super) struct CellGames {
    pub(super) cell: Arc<ExperimentCell>,
    pub(super) ids: GameIds,
    /// Number of games of the shard.
    pub(super) games: u64,
}

impl GamePlan {
    pub(super) fn new(shard: Shard, cells: Vec<CellGames>) -> Self {
        let ahead = cells.iter().map(|cell| cell.games).sum();
        Self { shard, cells, current: 0, next: 0, deferred: Vec::new(), ahead }
    }

    /// Id in the store and definition of each cell.
    pub(super) fn cells(&self) -> impl Iterator<Item = (i64, &ExperimentCell)> {
        self.cells.iter().map(|of| (of.ids.cell, &*of.cell))
    }

    /// Number of games that this process has not claimed; some of them may be stored.
    pub(crate) fn unclaimed(&self) -> u64 {
        self.ahead + self.deferred.len() as u64
    }

    /// Returns true if every game is stored or claimed by this process.
    pub(crate) fn is_finished(&self) -> bool {
        self.current == self.cells.len() && self.deferred.is_empty()
    }

    /// Claims at most `most` games that are neither stored nor claimed, in batches.
    pub(super) fn claim(
        &mut self,
        transaction: &Transaction<'_>,
        slot: &Slot,
        most: usize,
        batch_games: usize,
    ) -> rusqlite::Result<Vec<GameBatch>> {
        let others = slot.claims_of_others(transaction)?;
        let is_claimed = |id: i64| others.iter().any(|[first, last]| (*first..=*last).contains(&id));
        let mut batches = Vec::<GameBatch>::new();
        let mut left = most;
        let mut add = |of: &CellGames, number: u64| match batches.last_mut() {
            Some(last) if Arc::ptr_eq(&last.cell, &of.cell) && last.numbers.len() < batch_games => {
                last.numbers.push(number);
            }
            _ => batches.push(GameBatch { cell: Arc::clone(&of.cell), ids: of.ids, numbers: vec![number] }),
        };
        let mut select = transaction.prepare_cached("SELECT id FROM trials WHERE id >= ?1 AND id < ?2 ORDER BY id")?;
        while left > 0
            && let Some(of) = self.cells.get(self.current)
        {
            // Both the games and the rows are in order of their ids.
            let mut rows = select.query([of.ids.id(self.shard.number(self.next)), (of.ids.cell + 1) << GAME_BITS])?;
            let mut stored = next_id(&mut rows)?;
            while left > 0 && self.next < of.games {
                let number = self.shard.number(self.next);
                let id = of.ids.id(number);
                (self.next, self.ahead) = (self.next + 1, self.ahead - 1);
                while stored.is_some_and(|stored| stored < id) {
                    stored = next_id(&mut rows)?;
                }
                if stored == Some(id) {
                    continue;
                }
                if is_claimed(id) {
                    self.deferred.push((self.current, number));
                } else {
                    add(of, number);
                    left -= 1;
                }
            }
            if self.next == of.games {
                (self.current, self.next) = (self.current + 1, 0);
            }
        }
        if left > 0 {
            let mut find = transaction.prepare_cached("SELECT 1 FROM trials WHERE id = ?1")?;
            for (cell, number) in std::mem::take(&mut self.deferred) {
                let of = &self.cells[cell];
                let id = of.ids.id(number);
                if left == 0 || is_claimed(id) {
                    self.deferred.push((cell, number));
                } else if find.query_row([id], |_| Ok(())).optional()?.is_none() {
                    add(of, number);
                    left -= 1;
                }
            }
        }
        let mut insert = transaction.prepare_cached("INSERT INTO claims VALUES (?1, ?2, ?3)")?;
        for batch in &batches {
            let [first, last] = batch.range();
            insert.execute(params![slot.number, first, last])?;
        }
        Ok(batches)
    }
}

fn next_id(rows: &mut Rows<'_>) -> rusqlite::Result<Option<i64>> {
    rows.next()?.map(|row| row.get(0)).transpose()
}

/// Removes the claim of a batch that was played.
pub(super) fn finish(transaction: &Transaction<'_>, slot: &Slot, first: i64) -> rusqlite::Result<()> {
    let mut delete = transaction.prepare_cached("DELETE FROM claims WHERE slot = ?1 AND first = ?2")?;
    delete.execute([slot.number, first]).map(|_| ())
}
