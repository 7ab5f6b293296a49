//! Parts of an experiment joined into one store.

use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension as _, TransactionBehavior, params};

use super::{
    Store, StoreError, UNKNOWN, VERSION, address_unwritable, failures, origins, origins::Mixing, percent_encoded,
};

/// Why stores cannot be joined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The programs that played the parts behave differently.
    #[error("{}: {difference}\n  join parts of one program, or insist with --allow-mixed", part.display())]
    OtherBehavior {
        /// The store that was to be joined.
        part: PathBuf,
        /// Which strategy, and how it behaved here and there.
        difference: String,
    },
    /// The same game went another way: one of the stores was made by another version of the program.
    #[error("{}: {games} of its games went another way in {}; they were made by different programs", part.display(), whole.display())]
    Disagreement {
        /// The store that was to be joined.
        part: PathBuf,
        /// The store that it was to be joined to.
        whole: PathBuf,
        /// How many games differ.
        games: i64,
    },
}

/// Games that both stores hold, and that differ in more than the time they took.
const DISAGREE: &str = "SELECT count(*) FROM part.trials AS there JOIN main.trials AS here USING (id)
    WHERE (there.secret, there.guesses, there.outcome, there.examined, there.consistent, there.scored, there.nodes,
        there.turns)
    IS NOT (here.secret, here.guesses, here.outcome, here.examined, here.consistent, here.scored, here.nodes, here.turns)";

/// A strategy that behaved differently in both stores.
const DIFFER: &str = "SELECT rules, strategy, there.hash, here.hash FROM part.behaviors AS there
    JOIN main.behaviors AS here ON here.cell = there.cell AND here.hash <> there.hash
    JOIN main.cells ON cells.id = there.cell LIMIT 1";

/// Whether strategies behave alike under an origin of the part and one of the store.
const SAME: &str = "SELECT count(*) = 0 FROM part.behaviors AS there JOIN main.behaviors AS here USING (cell)
    WHERE there.origin = ?1 AND here.origin = ?2 AND there.hash <> here.hash";

impl Store {
    /// Joins parts of one experiment into a store, which is made where there is none. A game that several parts hold is
    /// taken once, and the store itself may be among the parts. Each part is joined whole or not at all. A part may lie where
    /// nothing can be written.
    pub fn merge(path: &Path, parts: &[PathBuf], mixing: Mixing) -> Result<Self, MergeError> {
        let first = parts.first().map_or(path, PathBuf::as_path);
        let description = Self::open(first)?.description;
        // Every part is looked at before anything is written.
        for part in parts {
            let other = Self::open(part)?;
            if let Some(difference) = description.difference(&other.description) {
                return Err(StoreError::OtherExperiment { path: part.clone(), difference }.into());
            }
        }
        let mut whole = Self::create_described(path, &description)?;
        for part in parts.iter().filter(|part| !is_same_file(part, path)) {
            whole.join(part, mixing)?;
        }
        Ok(whole)
    }

    fn join(&mut self, part: &Path, mixing: Mixing) -> Result<(), MergeError> {
        let failed = |error| StoreError::new(part, error);
        let opened = Self::open(part)?;
        let (layout, writable) = (opened.layout, !opened.connection.is_readonly("main").map_err(failed)?);
        drop(opened);
        let address = if writable { format!("file:{}", percent_encoded(part)) } else { address_unwritable(part) };
        self.connection.execute("ATTACH ?1 AS part", [address]).map_err(failed)?;
        let joined = self.join_attached(part, layout, mixing);
        self.connection.execute("DETACH part", []).map_err(failed)?;
        joined
    }

    fn join_attached(&mut self, part: &Path, layout: i64, mixing: Mixing) -> Result<(), MergeError> {
        let failed = |error| StoreError::new(part, error);
        if layout == VERSION && mixing == Mixing::Refused {
            let texts = |row: &rusqlite::Row<'_>| Ok([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get(3)?]);
            let differ = self.connection.query_row(DIFFER, [], texts).optional().map_err(failed)?;
            if let Some([rules, strategy, there, here]) = differ {
                let whole = self.path.display();
                let difference =
                    format!("{strategy} at {rules} behaves otherwise there ({there}) than in {whole} ({here})");
                return Err(MergeError::OtherBehavior { part: part.to_owned(), difference });
            }
        }
        let games: i64 = self.connection.query_row(DISAGREE, [], |row| row.get(0)).map_err(failed)?;
        if games > 0 {
            return Err(MergeError::Disagreement { part: part.to_owned(), whole: self.path.clone(), games });
        }
        self.take_over(layout).map_err(|error| self.failed(error))?;
        Ok(())
    }

    /// Takes the games of the attached part over, with their origins.
    fn take_over(&mut self, layout: i64) -> rusqlite::Result<()> {
        const COLUMNS: &str =
            "id, secret, guesses, outcome, examined, consistent, scored, nodes, nanoseconds, turns, origin, random";
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if layout != VERSION {
            let values = COLUMNS.replace("origin, random", &format!("{UNKNOWN}, NULL"));
            let join =
                format!("INSERT OR IGNORE INTO main.trials ({COLUMNS}) SELECT {values} FROM part.trials ORDER BY id");
            transaction.execute(&join, [])?;
            failures::take_over(&transaction)?;
            return transaction.commit();
        }
        // Both number their origins on their own.
        transaction.execute_batch("CREATE TEMP TABLE renamed (there INTEGER PRIMARY KEY, here INTEGER NOT NULL)")?;
        let rename = "INSERT INTO temp.renamed VALUES (?1, ?2)";
        transaction.execute(rename, [UNKNOWN, UNKNOWN])?;
        let known = origins::all(&transaction, "main")?;
        for (there, origin) in origins::all(&transaction, "part")? {
            // Two programs can be alike in all but how they behave.
            let is_same = |here: i64| transaction.query_row(SAME, [there, here], |row| row.get::<_, bool>(0));
            let mut same = None;
            for (here, _) in known.iter().filter(|(_, known)| *known == origin) {
                same = same.or(is_same(*here)?.then_some(*here));
            }
            let here = match same {
                Some(here) => here,
                None => origins::insert(&transaction, "main", &origin)?,
            };
            transaction.execute(rename, params![there, here])?;
        }
        let values = COLUMNS.replace("origin", "renamed.here");
        transaction.execute_batch(&format!(
            "INSERT OR IGNORE INTO main.trials ({COLUMNS}) SELECT {values} FROM part.trials
                JOIN temp.renamed ON renamed.there = trials.origin ORDER BY id;
            INSERT OR IGNORE INTO main.behaviors SELECT renamed.here, cell, hash FROM part.behaviors
                JOIN temp.renamed ON renamed.there = behaviors.origin;
            DROP TABLE temp.renamed"
        ))?;
        failures::take_over(&transaction)?;
        transaction.commit()
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
