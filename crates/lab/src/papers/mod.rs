//! What the papers published, and how it is reproduced.
//!
//! An [`Exhibit`] is one published table or figure: what was run, and what was printed. The [`Library`] holds those of the
//! folder `papers`, built into the program. A [`Reproducer`] runs an exhibit and sets each [`Published`] number beside ours
//! as a [`Finding`] with a [`Verdict`].
//!
//! # What a number comes to
//!
//! Around each printed number there is a window: 2 % of guesses, 10 % of evaluations and of spreads, or three standard errors
//! of the paper's own sample, whichever is more. The number is supported where the 95 % interval of ours lies inside, refuted
//! where it lies outside, and undecided otherwise; then it says how many games would tell. A deterministic strategy on every
//! code leaves nothing to luck, so there the digits themselves must agree. Extremes are judged by how likely a sample of the
//! published size has them. Times are never judged.
//!
//! ```
//! use pegwise_lab::papers::{Library, Options, Reproducer};
//! let library = Library::built_in()?;
//! let exhibit = library.find("merelo-2010/table-2")?[0];
//! let report = Reproducer::new(Options::default()).reproduce(exhibit)?;
//! assert_eq!(report.refuted().count(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod digest;
mod exhibit;
mod extreme;
mod file;
mod finding;
mod identified;
mod judge;
mod library;
mod measure;
mod printed;
pub mod record;
mod reproduce;
mod run;
mod structure;
mod window;

pub use self::{
    exhibit::{Amount, Content, Correction, Exhibit, Order, Published, Row},
    finding::{Claim, Finding, Report, Verdict},
    library::{Library, UnknownExhibit},
    measure::{Measure, Quantity, Statistic},
    printed::Printed,
    reproduce::{Options, ReproduceError, Reproducer},
    run::Level,
    structure::{Partitions, Responses, Transcript},
};
