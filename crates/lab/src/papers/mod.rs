//! Published tables and figures, and their reproduction.
//!
//! A [`PublishedTable`] describes one table or figure: the games that were played and the numbers that were printed. The
//! [`Library`] has those of the folder `papers`, built into the program. A [`Reproducer`] plays the games of a table and
//! compares each [`PublishedValue`] with ours; the result is a [`Finding`] with a [`PublishedVerdict`].
//!
//! # Verdicts
//!
//! The tolerance around a printed number is 2 % of guesses, 10 % of evaluations and of standard deviations, or three
//! standard errors of the paper's sample, whichever is larger. A number is supported if our 95 % confidence interval is
//! inside the tolerance, refuted if it is outside, and undecided otherwise, with the number of games needed. If a
//! deterministic strategy plays every code, the digits must agree. Extremes are judged by their probability in a sample of
//! the published size. Times are not judged.
//!
//! ```
//! use pegwise_lab::papers::{Library, ReproduceOptions, Reproducer};
//! let library = Library::built_in()?;
//! let table = library.find("merelo-2010/table-2")?[0];
//! let report = Reproducer::new(ReproduceOptions::default()).reproduce(table)?;
//! assert_eq!(report.refuted().count(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod file;
mod judge;
pub mod record;
mod reproduce;
mod statistics;
mod structure;
mod table;

pub use self::file::{Library, UnknownTable};
pub use self::judge::{Finding, OrderFinding, PublishedVerdict, TableReport};
pub use self::reproduce::{Level, ReproduceError, ReproduceOptions, Reproducer};
pub use self::structure::{PublishedPartitions, PublishedResponses, PublishedTranscript};
pub use self::table::{
    MeasuredQuantity, PrintedNumber, PrintingCorrection, PublishedMeasure, PublishedOrder, PublishedRow,
    PublishedSecrets, PublishedTable, PublishedValue, Statistic, TableContent,
};
