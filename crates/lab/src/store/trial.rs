//! A kept game, read back.

use pegwise_game::{Code, Judge, Rules, Turn};
use pegwise_solve::Counts;
use serde::Serialize;

use super::{Codec, NUMBER_BITS, Store, StoreError, VERSION};

/// How a kept game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The code was played.
    Solved,
    /// The guesses that the rules allow were used up.
    OutOfGuesses,
    /// A strategy that is not this program's did not answer with a guess, and so lost.
    Failed,
}

impl Ending {
    pub(super) fn number(self) -> i64 {
        match self {
            Self::Solved => 0,
            Self::OutOfGuesses => 1,
            Self::Failed => 2,
        }
    }

    fn from_number(number: i64) -> Option<Self> {
        [Self::Solved, Self::OutOfGuesses, Self::Failed].into_iter().find(|ending| ending.number() == number)
    }

    /// As it is written in exports.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::OutOfGuesses => "out-of-guesses",
            Self::Failed => "failed",
        }
    }
}

/// A kept game, read back.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Which of the secrets was played, from zero.
    pub game: u64,
    /// How many times it had been played before.
    pub repeat: u64,
    /// The secret.
    pub secret: Code,
    /// The turns.
    pub turns: Vec<Turn>,
    /// How it ended.
    pub ending: Ending,
    /// What the strategy spent.
    pub counts: Counts,
    /// Seconds the strategy thought.
    pub seconds: f64,
    /// Whether the strategy drew anything at random, where that is known.
    pub random: Option<bool>,
}

impl Store {
    /// Calls back with every game in the order of rules, strategy, repeat and number.
    ///
    /// The callback gets the text of the rules, the text of the strategy, the rules and the game.
    pub fn each_trial<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(&str, &str, &Rules, &Trial) -> Result<(), E>,
    ) -> Result<(), E> {
        let description = self.description();
        let mut cell = 0i64;
        for (text, &secrets) in description.rules.iter().zip(&description.counts) {
            let rules: Rules = text.parse().map_err(|_| self.damaged(format!("rules {text}")))?;
            let reader = Reader { store: self, codec: Codec::new(&rules), secrets, judge: Judge::new(&rules) };
            let mut reader = reader;
            for strategy in &description.strategies {
                reader.each(cell, |trial| each(text, strategy, &rules, trial))?;
                cell += 1;
            }
        }
        Ok(())
    }

    fn damaged(&self, reason: String) -> StoreError {
        StoreError::Damaged { path: self.path().to_owned(), reason }
    }
}

/// Reads the games at some rules.
struct Reader<'a> {
    store: &'a Store,
    codec: Codec,
    secrets: u64,
    judge: Judge,
}

impl Reader<'_> {
    fn each<E: From<StoreError>>(&mut self, cell: i64, mut each: impl FnMut(&Trial) -> Result<(), E>) -> Result<(), E> {
        let store = self.store;
        let failed = |error| store.failed(error);
        let range = [cell << NUMBER_BITS, (cell + 1) << NUMBER_BITS];
        let random = if store.layout == VERSION { "random" } else { "NULL" };
        let columns = "id, secret, guesses, outcome, examined, consistent, scored, nodes, nanoseconds, turns";
        let query = format!("SELECT {columns}, {random} FROM trials WHERE id >= ?1 AND id < ?2 ORDER BY id");
        let mut query = store.connection.prepare(&query).map_err(failed)?;
        let mut rows = query.query(range).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let number = (row.get::<_, i64>(0).map_err(failed)? - range[0]).unsigned_abs();
            let trial = self.trial(number, row).map_err(failed)?;
            let trial = trial.ok_or_else(|| store.damaged(format!("game {number} of cell {cell} is no game")))?;
            each(&trial)?;
        }
        Ok(())
    }

    /// The game in a row, or `None` where its bytes are none.
    fn trial(&mut self, number: u64, row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<Trial>> {
        let count = |column: usize| row.get::<_, i64>(column).map(i64::unsigned_abs);
        let (secret, turns) = (row.get_ref(1)?, row.get_ref(9)?);
        let counts = Counts { examined: count(4)?, consistent: count(5)?, scored: count(6)?, nodes: count(7)? };
        let (guesses, seconds) = (count(2)?, count(8)? as f64 / 1e9);
        let (Some(ending), Ok(secret), Ok(turns)) =
            (Ending::from_number(row.get(3)?), secret.as_blob(), turns.as_blob())
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
        let (game, repeat) = (number % self.secrets.max(1), number / self.secrets.max(1));
        let whole = turns.len() as u64 == guesses;
        let random = row.get(10)?;
        Ok(whole.then_some(Trial { game, repeat, secret, turns, ending, counts, seconds, random }))
    }
}
