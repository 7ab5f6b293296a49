//! Games in a store: the encoding of codes, insertion in batches, reading, and failures of strategies.

use std::sync::LazyLock;

use pegwise_game::{Code, Color, Judge, Rules, Turn};
use pegwise_labstats::report::TrialOutcome;
use pegwise_solve::{Counts, Outcome};
use rusqlite::{Connection, Statement, Transaction, params};
use serde::Serialize;

use super::{GameBatch, ORIGINS_VERSION, Store, StoreError};
use crate::experiment::{GAME_BITS, PlannedCell};
use crate::runner::PlayedGame;

/// Codec of codes with a fixed number of bytes: a number in base `colors`, or beyond 128 bits two bytes per cell, in
/// little-endian order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodeCodec {
    cells: usize,
    colors: u16,
    /// Number of bytes per code.
    width: usize,
    /// True if a code is encoded as one number.
    number: bool,
}

impl CodeCodec {
    pub(crate) fn new(rules: &Rules) -> Self {
        let (cells, colors) = (rules.cells(), rules.colors());
        let codes = (0..cells).try_fold(1u128, |codes, _| codes.checked_mul(colors.into()));
        let bytes = |codes: u128| (u128::BITS - (codes - 1).leading_zeros()).div_ceil(8).max(1) as usize;
        Self { cells, colors, width: codes.map_or(2 * cells, bytes), number: codes.is_some() }
    }

    /// Returns the number of bytes per code.
    pub(crate) fn width(self) -> usize {
        self.width
    }

    pub(crate) fn write(self, code: &[Color], out: &mut Vec<u8>) {
        if self.number {
            let push = |number: u128, color: &Color| number * u128::from(self.colors) + color.index() as u128;
            let number = code.iter().fold(0, push);
            out.extend_from_slice(&number.to_le_bytes()[..self.width]);
        } else {
            out.extend(code.iter().flat_map(|color| (color.index() as u16).to_le_bytes()));
        }
    }

    /// Decodes a code. Returns `None` if the bytes are invalid.
    pub(crate) fn read(self, bytes: &[u8]) -> Option<Code> {
        if bytes.len() != self.width {
            return None;
        }
        let mut colors = vec![0u16; self.cells];
        if self.number {
            let mut wide = [0; 16];
            wide[..self.width].copy_from_slice(bytes);
            let mut number = u128::from_le_bytes(wide);
            for color in colors.iter_mut().rev() {
                *color = (number % u128::from(self.colors)) as u16;
                number /= u128::from(self.colors);
            }
            if number > 0 {
                return None;
            }
        } else {
            for (color, pair) in colors.iter_mut().zip(bytes.chunks_exact(2)) {
                *color = u16::from_le_bytes([pair[0], pair[1]]);
            }
        }
        colors.iter().all(|&color| color < self.colors).then(|| Code::from_indices(colors))
    }
}

/// Finished games of one cell, encoded for the store.
#[derive(Debug, Default)]
pub struct TrialBatch {
    rows: Vec<TrialRow>,
    /// Secrets and guesses of all games in one allocation, since freeing memory allocated by another thread is slow.
    codes: Vec<u8>,
    /// Number of bytes per code.
    width: usize,
    /// Ids of games lost because the strategy failed, with the reason.
    failures: Vec<(i64, String)>,
    /// Claim that the last of these games completes.
    claim: Option<FinishedClaim>,
}

/// A claim whose games were all played.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FinishedClaim {
    /// Id of its first game.
    pub(super) first: i64,
    /// Number of its games.
    pub(crate) games: usize,
}

#[derive(Debug)]
struct TrialRow {
    id: i64,
    guesses: u32,
    outcome: TrialOutcome,
    counts: Counts,
    nanoseconds: i64,
    random: bool,
}

impl TrialBatch {
    /// Adds a game, unless it was abandoned. All games of a batch use the same codec.
    pub(crate) fn push(&mut self, id: i64, codec: CodeCodec, played: &PlayedGame) {
        let PlayedGame { secret, game, random } = played;
        let outcome = match game.outcome {
            Outcome::Solved => TrialOutcome::Solved,
            Outcome::OutOfGuesses => TrialOutcome::OutOfGuesses,
            Outcome::Failed => TrialOutcome::Failed,
            Outcome::Abandoned => return,
        };
        self.failures.extend(game.failure.iter().map(|reason| (id, reason.clone())));
        self.width = codec.width();
        codec.write(secret, &mut self.codes);
        for turn in &game.turns {
            codec.write(&turn.guess, &mut self.codes);
        }
        self.rows.push(TrialRow {
            id,
            guesses: game.turns.len() as u32,
            outcome,
            counts: game.counts,
            nanoseconds: (game.seconds * 1e9) as i64,
            random: *random,
        });
    }

    /// Marks the claim of these games as completed by them.
    pub(crate) fn finish(&mut self, batch: &GameBatch) {
        self.claim = Some(FinishedClaim { first: batch.range()[0], games: batch.numbers.len() });
    }

    /// Returns the claim that these games complete.
    pub(crate) fn claim(&self) -> Option<FinishedClaim> {
        self.claim
    }

    /// Number of games.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the guesses of each solved game.
    pub(crate) fn solved(&self) -> impl Iterator<Item = u64> {
        self.rows.iter().filter(|row| row.outcome == TrialOutcome::Solved).map(|row| row.guesses.into())
    }

    /// Returns the id of the first game, by which batches are sorted so that adjacent rows are written together.
    pub(crate) fn first(&self) -> Option<i64> {
        self.rows.first().map(|row| row.id)
    }

    /// Returns the cell of the games, if any.
    pub(super) fn cell(&self) -> Option<i64> {
        self.first().map(|id| id >> GAME_BITS)
    }

    /// Inserts the games that are not in the table, and returns their number.
    pub(super) fn write(&self, transaction: &Transaction<'_>, origin: i64) -> rusqlite::Result<usize> {
        let mut many = transaction.prepare_cached(&INSERT_MANY)?;
        let mut one = transaction.prepare_cached(&INSERT_ONE)?;
        let (mut codes, mut written) = (&self.codes[..], 0);
        for rows in self.rows.chunks(ROWS_PER_INSERT) {
            if rows.len() == ROWS_PER_INSERT {
                for (place, row) in rows.iter().enumerate() {
                    codes = row.bind(&mut many, place, self.width, origin, codes)?;
                }
                written += many.raw_execute()?;
                continue;
            }
            for row in rows {
                codes = row.bind(&mut one, 0, self.width, origin, codes)?;
                written += one.raw_execute()?;
            }
        }
        write_failures(transaction, &self.failures)?;
        Ok(written)
    }
}

/// Number of rows per insert statement, to reduce calls into the database.
const ROWS_PER_INSERT: usize = 16;
/// Number of columns of the table `trials`.
const COLUMNS: usize = 12;

/// The statements are built once, since their text is long compared with the games of a batch.
static INSERT_MANY: LazyLock<String> = LazyLock::new(|| insert_statement(ROWS_PER_INSERT));
static INSERT_ONE: LazyLock<String> = LazyLock::new(|| insert_statement(1));

/// Returns the statement that inserts `games` rows.
fn insert_statement(games: usize) -> String {
    let game = |place: usize| {
        let columns: Vec<String> = (1..=COLUMNS).map(|column| format!("?{}", place * COLUMNS + column)).collect();
        format!("({})", columns.join(","))
    };
    let games: Vec<String> = (0..games).map(game).collect();
    format!("INSERT OR IGNORE INTO trials VALUES {}", games.join(","))
}

impl TrialRow {
    /// Binds the game as row `place` of a statement. `codes` begins with those of the game; the rest is returned.
    fn bind<'c>(
        &self,
        insert: &mut Statement<'_>,
        place: usize,
        width: usize,
        origin: i64,
        codes: &'c [u8],
    ) -> rusqlite::Result<&'c [u8]> {
        let (secret, rest) = codes.split_at(width);
        let (turns, rest) = rest.split_at(width * self.guesses as usize);
        let first = place * COLUMNS;
        insert.raw_bind_parameter(first + 1, self.id)?;
        insert.raw_bind_parameter(first + 2, secret)?;
        insert.raw_bind_parameter(first + 3, self.guesses)?;
        insert.raw_bind_parameter(first + 4, self.outcome as i64)?;
        let Counts { examined, consistent, scored, nodes } = self.counts;
        for (column, count) in (first + 5..).zip([examined, consistent, scored, nodes]) {
            insert.raw_bind_parameter(column, count.cast_signed())?;
        }
        insert.raw_bind_parameter(first + 9, self.nanoseconds)?;
        insert.raw_bind_parameter(first + 10, turns)?;
        insert.raw_bind_parameter(first + 11, origin)?;
        insert.raw_bind_parameter(first + 12, self.random)?;
        Ok(rest)
    }
}

/// Returns the outcome with this number in a store.
pub(super) fn outcome_from_number(number: i64) -> Option<TrialOutcome> {
    TrialOutcome::ALL.into_iter().find(|outcome| *outcome as i64 == number)
}

/// A game read from a store.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Zero-based index of the secret.
    pub game: u64,
    /// Zero-based index of the repeat.
    pub repeat: u64,
    /// Secret.
    pub secret: Code,
    /// Turns.
    pub turns: Vec<Turn>,
    /// How the game ended.
    pub outcome: TrialOutcome,
    /// Work counts of the strategy.
    pub counts: Counts,
    /// Thinking time of the strategy in seconds.
    pub seconds: f64,
    /// True if the strategy drew random numbers; `None` if unknown.
    pub random: Option<bool>,
}

impl Store {
    /// Calls `each` with every game, in the order of rules, strategy, repeat and number. The arguments are the text of the
    /// rules, the text of the strategy, the rules and the game.
    pub fn for_each_trial<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(&str, &str, &Rules, &Trial) -> Result<(), E>,
    ) -> Result<(), E> {
        for cells in self.cells.chunk_by(|(_, one), (_, other)| one.rules == other.rules) {
            let text = &cells[0].1.rules;
            let rules: Rules = text.parse().map_err(|_| self.damaged(format!("rules {text}")))?;
            let mut reader = TrialReader { store: self, codec: CodeCodec::new(&rules), judge: Judge::new(&rules) };
            for (id, PlannedCell { strategy, secrets, .. }) in cells {
                reader.each(*id, *secrets, |trial| each(text, strategy, &rules, trial))?;
            }
        }
        Ok(())
    }

    fn damaged(&self, reason: String) -> StoreError {
        StoreError::Damaged(self.path().to_owned(), reason)
    }
}

/// Reader for the games under one set of rules.
struct TrialReader<'a> {
    store: &'a Store,
    codec: CodeCodec,
    judge: Judge,
}

impl TrialReader<'_> {
    fn each<E: From<StoreError>>(
        &mut self,
        cell: i64,
        secrets: u64,
        mut each: impl FnMut(&Trial) -> Result<(), E>,
    ) -> Result<(), E> {
        let store = self.store;
        let failed = |error| store.failed(error);
        let range = [cell << GAME_BITS, (cell + 1) << GAME_BITS];
        let random = if store.layout >= ORIGINS_VERSION { "random" } else { "NULL" };
        let columns = "id, secret, guesses, outcome, examined, consistent, scored, nodes, nanoseconds, turns";
        let query = format!("SELECT {columns}, {random} FROM trials WHERE id >= ?1 AND id < ?2 ORDER BY id");
        let mut query = store.connection.prepare(&query).map_err(failed)?;
        let mut rows = query.query(range).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let number = (row.get::<_, i64>(0).map_err(failed)? - range[0]).unsigned_abs();
            let trial = self.trial(number, secrets.max(1), row).map_err(failed)?;
            let trial =
                trial.ok_or_else(|| store.damaged(format!("game {number} of cell {cell} is not a valid game")))?;
            each(&trial)?;
        }
        Ok(())
    }

    /// Decodes a row. Returns `None` if the row is invalid.
    fn trial(&mut self, number: u64, secrets: u64, row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Trial>> {
        let count = |column: usize| row.get::<_, i64>(column).map(i64::unsigned_abs);
        let (secret, turns) = (row.get_ref(1)?, row.get_ref(9)?);
        let counts = Counts { examined: count(4)?, consistent: count(5)?, scored: count(6)?, nodes: count(7)? };
        let (guesses, seconds) = (count(2)?, count(8)? as f64 / 1e9);
        let (Some(outcome), Ok(secret), Ok(turns)) =
            (outcome_from_number(row.get(3)?), secret.as_blob(), turns.as_blob())
        else {
            return Ok(None);
        };
        let Some(secret) = self.codec.read(secret) else { return Ok(None) };
        let judged = turns.chunks(self.codec.width()).map(|bytes| {
            let guess = self.codec.read(bytes)?;
            let feedback = self.judge.feedback(&guess, &secret);
            Some(Turn { guess, feedback })
        });
        let Some(turns) = judged.collect::<Option<Vec<Turn>>>() else { return Ok(None) };
        let (game, repeat) = (number % secrets, number / secrets);
        let whole = turns.len() as u64 == guesses;
        let random = row.get(10)?;
        Ok(whole.then_some(Trial { game, repeat, secret, turns, outcome, counts, seconds, random }))
    }
}

const FAILURES_SCHEMA: &str =
    "CREATE TABLE IF NOT EXISTS failures (id INTEGER PRIMARY KEY, reason TEXT NOT NULL) STRICT";

/// A game that was lost because the strategy failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Rules.
    pub rules: String,
    /// Strategy.
    pub strategy: String,
    /// Zero-based index of the secret.
    pub game: u64,
    /// Zero-based index of the repeat.
    pub repeat: u64,
    /// Description of the failure.
    pub reason: String,
}

/// Inserts failures. Their table is created with the first failure.
pub(super) fn write_failures(transaction: &Transaction<'_>, failures: &[(i64, String)]) -> rusqlite::Result<()> {
    if failures.is_empty() {
        return Ok(());
    }
    transaction.execute(FAILURES_SCHEMA, [])?;
    let mut insert = transaction.prepare_cached("INSERT OR IGNORE INTO failures VALUES (?1, ?2)")?;
    failures.iter().try_for_each(|(id, reason)| insert.execute(params![id, reason]).map(|_| ()))
}

/// Copies the failures of the attached part, with their ids in the store as an SQL expression.
pub(super) fn copy_failures(transaction: &Transaction<'_>, id: &str) -> rusqlite::Result<()> {
    if !failures_exist(transaction, "part")? {
        return Ok(());
    }
    transaction.execute(FAILURES_SCHEMA, [])?;
    let copy = format!(
        "INSERT OR IGNORE INTO main.failures SELECT {id}, reason FROM part.failures AS there
            JOIN temp.moved ON moved.there = there.id >> {GAME_BITS}"
    );
    transaction.execute(&copy, []).map(|_| ())
}

pub(super) fn failures_exist(connection: &Connection, schema: &str) -> rusqlite::Result<bool> {
    let query = format!("SELECT count(*) > 0 FROM {schema}.sqlite_schema WHERE name = 'failures'");
    connection.query_row(&query, [], |row| row.get(0))
}

impl Store {
    /// Returns the failures in order of their ids.
    pub fn failures(&self) -> Result<Vec<Failure>, StoreError> {
        self.try_failures().map_err(|error| self.failed(error))
    }

    fn try_failures(&self) -> rusqlite::Result<Vec<Failure>> {
        if !failures_exist(&self.connection, "main")? {
            return Ok(Vec::new());
        }
        let query = format!(
            "SELECT failures.id, rules, strategy, secrets, reason FROM failures
            JOIN cells ON cells.id = failures.id >> {GAME_BITS} ORDER BY failures.id"
        );
        let mut query = self.connection.prepare(&query)?;
        let failure = |row: &rusqlite::Row<'_>| {
            let (id, secrets): (i64, i64) = (row.get(0)?, row.get(3)?);
            let number = (id & ((1 << GAME_BITS) - 1)).unsigned_abs();
            let secrets = secrets.unsigned_abs().max(1);
            let (game, repeat) = (number % secrets, number / secrets);
            Ok(Failure { rules: row.get(1)?, strategy: row.get(2)?, game, repeat, reason: row.get(4)? })
        };
        query.query_map([], failure)?.collect()
    }
}

#[cfg(test)]
mod tests {
    use pegwise_solve::Rng;

    use super::*;

    #[test]
    fn codes_are_read_back_from_few_bytes() {
        for (rules, width) in [("4x6", 2), ("1x1", 1), ("5x8", 2), ("10x10", 5), ("20x20", 11), ("60x60", 120)] {
            let rules: Rules = rules.parse().unwrap();
            let codec = CodeCodec::new(&rules);
            assert_eq!(codec.width(), width, "{rules}");
            let mut rng = Rng::new(1);
            for _ in 0..100 {
                let (code, mut bytes) = (rng.code(&rules), Vec::new());
                codec.write(&code, &mut bytes);
                assert_eq!(codec.read(&bytes), Some(code), "{rules}");
            }
        }
        let codec = CodeCodec::new(&"4x6".parse().unwrap());
        assert_eq!(codec.read(&[0xFF, 0xFF]), None);
        assert_eq!(codec.read(&[0]), None);
    }
}
