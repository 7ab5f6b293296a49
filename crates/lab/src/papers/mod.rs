//! What the papers published, and how it is reproduced.
//!
//! An [`Exhibit`] is one published table or figure: what was run, and what was printed. The [`Library`] holds those of the
//! folder `papers`, built into the program. A [`Reproducer`] runs an exhibit and sets each [`Published`] number beside ours
//! as a [`Finding`] with a [`Verdict`].
//!
//! # When numbers agree
//!
//! A printed number stands for all numbers that round to it, so half a unit of its last digit is granted first. What is left
//! may be three standard errors of the difference: of the published sample (its printed standard deviation and number of
//! games) and of ours. A deterministic strategy on every code leaves nothing to luck, so there the digits themselves must
//! agree. Where no sound test exists, as for the largest value of a sample, a number is shown as information.
//!
//! ```
//! use pegwise_lab::papers::{Library, Options, Reproducer};
//! let library = Library::built_in()?;
//! let exhibit = library.find("merelo-2010/table-2")?[0];
//! let report = Reproducer::new(Options::default()).reproduce(exhibit)?;
//! assert_eq!(report.disagreements(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod digest;
mod exhibit;
mod file;
mod finding;
mod identified;
mod judge;
mod library;
mod measure;
mod printed;
mod reproduce;
mod run;
mod structure;

pub use self::{
    exhibit::{Amount, Content, Exhibit, Order, Published, Row, Treatment},
    finding::{Finding, Report, Verdict},
    library::{Library, UnknownExhibit},
    measure::{Measure, Quantity, Statistic},
    printed::Printed,
    reproduce::{Options, ReproduceError, Reproducer},
    structure::{Partitions, Responses, Transcript},
};
