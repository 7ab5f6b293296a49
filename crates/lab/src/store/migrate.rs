//! Stores of the layout before.

use rusqlite::TransactionBehavior;

use super::{BEFORE, Store, StoreError, VERSION, origins, pragma};

impl Store {
    /// Gives a store of the layout before the columns and tables of this one. Its games are of unknown origin.
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
        // Another process may have been first.
        if pragma(&transaction, "user_version")? == BEFORE {
            transaction.execute_batch(
                "ALTER TABLE trials ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE trials ADD COLUMN random INTEGER;",
            )?;
            transaction.execute_batch(origins::SCHEMA)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()
    }
}
