//! Reproducible experiments.
//!
//! An [`Experiment`] combines strategies, rules and secrets. A [`Runner`] plays its games on several threads, or a
//! [`Shard`] of them on each of several machines, and keeps finished games in a [`Store`], an SQLite file that survives
//! interruption at any time. [`export`] writes the games for other programs, and [`papers`] reproduces published tables.
//!
//! The secret of a game depends only on the seed, the rules and the number of the game; the random draws of a strategy
//! depend also on the strategy. So comparisons are paired, and the results do not depend on threads, order or shards.
//!
//! ```
//! use pegwise_lab::{Experiment, RunProgress, Runner, Secrets, Store};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.db");
//! let rules = vec!["4x6".parse()?];
//! let strategies = vec!["knuth".parse()?, "random-consistent".parse()?];
//! let experiment = Experiment::new(rules, strategies, Secrets::Drawn(20))?.with_seed(7);
//! let mut store = Store::create(&path, &experiment)?;
//! Runner::new(&experiment).run(&mut store, &RunProgress::default())?;
//! assert_eq!(store.count()?, 40);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bench;
mod experiment;
pub mod export;
pub mod external;
pub mod papers;
mod provenance;
mod runner;
mod store;
mod toml_file;
pub mod wire;

pub use experiment::{
    Experiment, ExperimentCell, ExperimentDescription, ExperimentError, GAME_BITS, SecretSource, Secrets, sweep,
};
pub use export::{report, report_unless};
pub use provenance::{Behavior, Origin, behavior_of};
pub use runner::{CellPlayer, PlayedGame, RunEnd, RunError, RunProgress, Runner, Shard, ShardError};
pub use store::{Failure, MergeError, Mixing, OriginSummary, Store, StoreError, StoredGames, Trial, TrialBatch};
pub use toml_file::InputFileError;

/// Tests the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
