//! Finished games on their way to the store.

use pegwise_game::Code;
use pegwise_solve::{Counts, Game, Outcome};
use rusqlite::Statement;

use super::{Codec, Ending, NUMBER_BITS};

/// Finished games of one cell, in the form in which they are kept.
#[derive(Debug, Default)]
pub struct Batch {
    rows: Vec<Row>,
    /// For each game its secret, then its guesses: in one piece, because memory that one thread asks for and another
    /// gives back is dear.
    codes: Vec<u8>,
    /// Bytes a code.
    width: usize,
}

#[derive(Debug)]
struct Row {
    id: i64,
    guesses: u32,
    ending: Ending,
    counts: Counts,
    nanoseconds: i64,
}

impl Batch {
    /// Adds a played game, unless it was broken off. All games of a batch are written by the same codec.
    pub(crate) fn push(&mut self, cell: u32, number: u64, codec: Codec, secret: &Code, game: &Game) {
        let ending = match game.outcome {
            Outcome::Solved => Ending::Solved,
            Outcome::OutOfGuesses => Ending::OutOfGuesses,
            Outcome::Abandoned => return,
        };
        self.width = codec.width();
        codec.write(secret, &mut self.codes);
        for turn in &game.turns {
            codec.write(&turn.guess, &mut self.codes);
        }
        self.rows.push(Row {
            id: i64::from(cell) << NUMBER_BITS | number.cast_signed(),
            guesses: game.turns.len() as u32,
            ending,
            counts: game.counts,
            nanoseconds: (game.seconds * 1e9) as i64,
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

    /// Writes every game with a statement that takes the columns of `trials`.
    pub(super) fn write(&self, insert: &mut Statement<'_>) -> rusqlite::Result<()> {
        let mut codes = &self.codes[..];
        for Row { id, guesses, ending, counts, nanoseconds } in &self.rows {
            let (secret, rest) = codes.split_at(self.width);
            let (turns, rest) = rest.split_at(self.width * *guesses as usize);
            codes = rest;
            insert.raw_bind_parameter(1, id)?;
            insert.raw_bind_parameter(2, secret)?;
            insert.raw_bind_parameter(3, guesses)?;
            insert.raw_bind_parameter(4, ending.number())?;
            let Counts { examined, consistent, scored, nodes } = *counts;
            for (column, count) in (5..).zip([examined, consistent, scored, nodes]) {
                insert.raw_bind_parameter(column, count.cast_signed())?;
            }
            insert.raw_bind_parameter(9, nanoseconds)?;
            insert.raw_bind_parameter(10, turns)?;
            insert.raw_execute()?;
        }
        Ok(())
    }
}
