//! What can go wrong with a store.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no such file, or nothing in it yet.
    #[error("{}: there is no such store", .0.display())]
    Missing(PathBuf),
    /// The file is something else; it is left as it is.
    #[error("{}: this is not a store of the laboratory; it is left alone, give another file", .0.display())]
    Foreign(PathBuf),
    /// The file is of another version of this program.
    #[error("{}: the store has version {version}, and this program reads {}; use the program that wrote it", path.display(), super::VERSION)]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i64,
    },
    /// The file is damaged.
    #[error("{}: the store is damaged ({reason}); what can still be read, `sqlite3 FILE .recover` may save", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// It holds the games of another experiment.
    #[error("{}: the store holds another experiment: {difference}\n  run that one, or give another file", path.display())]
    OtherExperiment {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// Its games were played by a program that behaves otherwise.
    #[error("{}: {difference}\n  play into another file, or insist with --allow-mixed", path.display())]
    OtherBehavior {
        /// The file.
        path: PathBuf,
        /// Which strategy, and how it behaves here and there.
        difference: String,
    },
    /// The disk is full.
    #[error("{}: the disk is full; the games finished before are kept, and the same command goes on from there", .0.display())]
    Full(PathBuf),
    /// The disk failed.
    #[error("{}: the disk failed ({reason}); the games finished before are kept, and the same command goes on from there", path.display())]
    Disk {
        /// The file.
        path: PathBuf,
        /// How.
        reason: String,
    },
    /// The file or its folder cannot be written.
    #[error("{}: the store cannot be written: {reason}", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Others use the store without a pause.
    #[error("{}: others have been using the store for too long; try again when they are done", .0.display())]
    Busy(PathBuf),
    /// Something else.
    #[error("{}: {error}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What the database says.
        error: rusqlite::Error,
    },
}

impl StoreError {
    /// What an error of the database means for a store.
    pub(crate) fn new(path: &Path, error: rusqlite::Error) -> Self {
        let path = path.to_owned();
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::Foreign(path),
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged { path, reason },
            Some(ErrorCode::DiskFull) => Self::Full(path),
            Some(ErrorCode::SystemIoFailure) => Self::Disk { path, reason },
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::ReadOnly { path, reason }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy(path),
            _ => Self::Sqlite { path, error },
        }
    }
}
