//! The laboratory: experiments that anyone can repeat.
//!
//! An [`Experiment`] says which strategies play which rules against which secrets. A [`Runner`] plays its games on any
//! number of threads, or a [`Shard`] of them on each of several machines, and keeps every finished game in a [`Store`]:
//! one file that survives being interrupted at any moment. [`export`] writes the games for other programs.
//!
//! The secret of a game depends on the seed, the rules and the game's number alone, and what a strategy draws on those and
//! the strategy: comparisons are paired, and any number of threads, any order and any shards give the same rows.
//!
//! ```
//! use pegwise_lab::{Experiment, Progress, Runner, Secrets, Store};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.db");
//! let rules = vec!["4x6".parse()?];
//! let strategies = vec!["knuth".parse()?, "random-consistent".parse()?];
//! let experiment = Experiment::new(rules, strategies, Secrets::Drawn(20))?.with_seed(7);
//! let mut store = Store::create(&path, &experiment)?;
//! Runner::new(&experiment).run(&mut store, &Progress::default())?;
//! assert_eq!(store.count()?, 40);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bench;
mod experiment;
pub mod export;
mod fingerprint;
pub mod outside;
pub mod papers;
mod player;
mod provenance;
mod runner;
mod samples;
mod store;
mod toml_file;
pub mod wire;

pub use experiment::{Cell, Deck, Description, Experiment, ExperimentError, Secrets, sweep};
pub use player::{Played, Player};
pub use provenance::{Behavior, Origin, behavior_of};
pub use runner::{Progress, RunEnd, RunError, Runner, Shard, ShardError};
pub use samples::samples;
pub use store::{Batch, Ending, Failure, GamesOf, MergeError, Mixing, Store, StoreError, Trial};
pub use toml_file::FileError;

/// The README's example is right.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
