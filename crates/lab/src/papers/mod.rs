//! Published tables and figures, and their reproduction.
//!
//! A [`PublishedTable`] describes one table or figure: the games that were played and the numbers that were printed. The
//! [`Library`] has those of the folder `papers`, built into the program. A [`Reproducer`] plays the games of a table and
//! compares each [`PublishedValue`] with ours; the result is a [`Finding`] with a [`PublishedVerdict`].
//!
//! # Verdicts
//!
//! A number is *reproduced* if our 95 % confidence interval lies within three standard errors of the paper's own sample and no
//! other strategy or parameter value of the same table would pass; *compatible* if another would pass too; *refuted* if the
//! interval lies outside; *undecided* if more games are needed. If a deterministic strategy plays every code, the digits must
//! agree. Claims compare means on the same secrets: they are reproduced, *reversed*, refuted or undecided. A number that is
//! impossible or that the paper contradicts is *paper wrong*. Times and pictures are *not comparable*.
//!
//! ```
//! use pegwise_lab::papers::{Library, ReproduceOptions, Reproducer};
//! let library = Library::built_in()?;
//! let table = library.find("merelo-2010/table-2")?[0];
//! let report = Reproducer::new(ReproduceOptions::default()).reproduce(table)?;
//! assert!(report.verdicts().all(|(verdict, ..)| !verdict.contradicts()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod file;
mod judge;
mod possible;
pub mod record;
mod reproduce;
mod statistics;
mod structure;
mod table;

pub use self::file::{Library, UnknownTable};
pub use self::judge::{ClaimFinding, Finding, FindingCause, PublishedVerdict, TableReport, VerdictCounts};
pub use self::reproduce::{Level, ReproduceError, ReproduceOptions, Reproducer};
pub use self::structure::{PublishedFormula, PublishedPartitions, PublishedResponses, PublishedTranscript};
pub use self::table::{
    ClaimLink, MeasuredQuantity, PrintedNumber, PublishedClaim, PublishedMeasure, PublishedRow, PublishedSecrets,
    PublishedTable, PublishedValue, RefutationCause, Statistic, TableContent,
};
