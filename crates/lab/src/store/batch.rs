//! Finished games on their way to the store.

use std::sync::LazyLock;

use pegwise_solve::{Counts, Outcome};
use rusqlite::{Statement, Transaction};

use super::{Codec, Ending, NUMBER_BITS, failures};
use crate::player::Played;

/// Finished games of one cell, in the form in which they are kept.
#[derive(Debug, Default)]
pub struct Batch {
    rows: Vec<Row>,
    /// For each game its secret, then its guesses: in one piece, because memory that one thread asks for and another
    /// gives back is dear.
    codes: Vec<u8>,
    /// Bytes a code.
    width: usize,
    /// Games that were lost because the strategy failed, and what it did.
    failures: Vec<(i64, String)>,
}

#[derive(Debug)]
struct Row {
    id: i64,
    guesses: u32,
    ending: Ending,
    counts: Counts,
    nanoseconds: i64,
    random: bool,
}

impl Batch {
    /// Adds a played game, unless it was broken off. All games of a batch are written by the same codec.
    pub(crate) fn push(&mut self, cell: u32, number: u64, codec: Codec, played: &Played) {
        let Played { secret, game, random } = played;
        let ending = match game.outcome {
            Outcome::Solved => Ending::Solved,
            Outcome::OutOfGuesses => Ending::OutOfGuesses,
            Outcome::Failed => Ending::Failed,
            Outcome::Abandoned => return,
        };
        let id = i64::from(cell) << NUMBER_BITS | number.cast_signed();
        self.failures.extend(game.failure.iter().map(|reason| (id, reason.clone())));
        self.width = codec.width();
        codec.write(secret, &mut self.codes);
        for turn in &game.turns {
            codec.write(&turn.guess, &mut self.codes);
        }
        self.rows.push(Row {
            id,
            guesses: game.turns.len() as u32,
            ending,
            counts: game.counts,
            nanoseconds: (game.seconds * 1e9) as i64,
            random: *random,
        });
    }

    /// How many games there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// How many guesses were played in all.
    pub(crate) fn guesses(&self) -> u64 {
        self.rows.iter().map(|row| u64::from(row.guesses)).sum()
    }

    /// What to order batches by, so that neighbors in the file are written together.
    pub(crate) fn first(&self) -> Option<i64> {
        self.rows.first().map(|row| row.id)
    }

    /// The cell of its games, if it has any.
    pub(super) fn cell(&self) -> Option<i64> {
        self.first().map(|id| id >> NUMBER_BITS)
    }

    /// Writes every game that the table of games does not have yet.
    pub(super) fn write(&self, transaction: &Transaction<'_>, origin: i64) -> rusqlite::Result<()> {
        let mut many = transaction.prepare_cached(&INSERT_MANY)?;
        let mut one = transaction.prepare_cached(&INSERT_ONE)?;
        let mut codes = &self.codes[..];
        for rows in self.rows.chunks(MANY) {
            if rows.len() == MANY {
                for (place, row) in rows.iter().enumerate() {
                    codes = row.bind(&mut many, place, self.width, origin, codes)?;
                }
                many.raw_execute()?;
                continue;
            }
            for row in rows {
                codes = row.bind(&mut one, 0, self.width, origin, codes)?;
                one.raw_execute()?;
            }
        }
        failures::write(transaction, &self.failures)
    }
}

/// Games that one statement inserts: fewer calls into the database a game.
const MANY: usize = 16;
/// Columns of the table of games.
const COLUMNS: usize = 12;

/// The statements, written once: a batch is a hundred games or so, and their text would cost as much as some of those.
static INSERT_MANY: LazyLock<String> = LazyLock::new(|| insert(MANY));
static INSERT_ONE: LazyLock<String> = LazyLock::new(|| insert(1));

/// The statement that inserts so many games.
fn insert(games: usize) -> String {
    let game = |place: usize| {
        let columns: Vec<String> = (1..=COLUMNS).map(|column| format!("?{}", place * COLUMNS + column)).collect();
        format!("({})", columns.join(","))
    };
    let games: Vec<String> = (0..games).map(game).collect();
    format!("INSERT OR IGNORE INTO trials VALUES {}", games.join(","))
}

impl Row {
    /// Hands the game to a statement as the one at this place; `codes` begin with those of the game, and what follows them
    /// comes back.
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
        insert.raw_bind_parameter(first + 4, self.ending.number())?;
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
